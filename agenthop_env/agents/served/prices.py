"""What tokens cost: a table with dates and sources, and a file of one's own on top of it."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from agenthop_env.agents.protocol import AgentError
from agenthop_env.agents.served.tables import entry_for, table
from agenthop_env.records import Usage

_MILLION: Final = 1_000_000


class Price(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """US dollars per million tokens.

    Attributes:
        match: Pattern (regular expression) for the names of models, in lower case after the last slash.
        input: Prompt tokens.
        output: Generated tokens, reasoning included.
        cached: Prompt tokens that a cache served, None where not known.
        cache_write: Prompt tokens written to a cache, None where they cost what others do.
        as_of: Month that it was looked up in.
        source: Where it is from, in words.
    """

    match: str
    input: float
    output: float
    cached: float | None = None
    cache_write: float | None = None
    as_of: str = ""
    source: str = ""


def price_of(model: str, prices: Sequence[Price] | str | os.PathLike[str] | None = None) -> Price | None:
    """The price of a model's tokens, None where it is not known.

    Args:
        model: Name of the model.
        prices: Prices of one's own, or a file of them, that go before the built-in ones.

    Raises:
        AgentError: If the file cannot be used.
    """
    own = load_prices(prices) if isinstance(prices, (str, os.PathLike)) else (prices or ())
    entries: list[Mapping[str, Any]] = [msgspec.structs.asdict(price) for price in own]
    found = entry_for(entries, model) or entry_for(table("prices")["price"], model)
    return None if found is None else msgspec.convert(dict(found), Price)


def load_prices(path: str | os.PathLike[str]) -> list[Price]:
    """Read a file of prices: TOML with `[[price]]` entries as `Price` has them.

    Raises:
        AgentError: If it cannot be read, or an entry is none.
    """
    try:
        rows = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("price", [])
        prices = msgspec.convert(rows, list[Price])
        for price in prices:
            re.compile(price.match)
            if min(price.input, price.output, price.cached or 0.0, price.cache_write or 0.0) < 0:
                raise ValueError(f"a price of {price.match} is below zero")
    except (OSError, ValueError, re.error) as problem:
        raise AgentError(
            f"{path}: no file of prices ({problem}); it holds [[price]] entries with match, input, output and, where "
            "known, cached and cache_write: dollars per million tokens"
        ) from None
    return prices


def cost(usage: Usage, price: Price | None) -> float | None:
    """US dollars that some tokens cost; None where a price is missing that they need.

    Args:
        usage: The tokens.
        price: Their price.
    """
    if price is None or (usage.cached and price.cached is None):
        return None
    write = price.input if price.cache_write is None else price.cache_write
    plain = max(usage.prompt - usage.cached - usage.cache_write, 0)
    return (
        plain * price.input
        + usage.cached * (price.cached or 0.0)
        + usage.cache_write * write
        + usage.completion * price.output
    ) / _MILLION
