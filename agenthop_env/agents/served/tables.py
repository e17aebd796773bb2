"""The data files beside the code, read once: a list of entries, each with a pattern for the names it is for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """A data file by its name without ending; not to be changed."""
    text = (resources.files("agenthop_env.agents.served") / "data" / f"{name}.toml").read_text(
        encoding="utf-8"
    )
    return tomllib.loads(text)


def entry_for(entries: Iterable[Mapping[str, Any]], model: str) -> Mapping[str, Any] | None:
    """The first entry whose `match` is found in a model's name, None where there is none."""
    name = short_name(model)
    return next((entry for entry in entries if re.search(entry["match"], name)), None)


def short_name(model: str) -> str:
    """A model's name in lower case, without the folder or organization before it."""
    return model.strip().rstrip("/").rpartition("/")[2].lower()
