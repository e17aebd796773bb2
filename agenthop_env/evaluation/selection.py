"""Which items a run plays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

import msgspec

from agenthop_env.corpus.store import Corpus
from agenthop_env.records import Item

EMBEDDED_ITEMS: Final = 24
"""Items that are played of the embedded default where no number is given."""

TYPES: Final = {"st": "single-target", "mt": "multi-target"}


class SelectionError(Exception):
    """A choice of items that leaves none, or names some that are not there."""


class Filters(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Slices of a data set; an item passes where it has one of the values of every filter given.

    Attributes:
        type: `st` or `single-target`, `mt` or `multi-target`.
        depth: 1, 2.
        reasoning: GROUND, METHOD, MOTIVE, RESULT.
        tier: gold, silver, bronze.
        venue: Venues.
        split: train, validation, test.
    """

    type: tuple[str, ...] = ()
    depth: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()
    tier: tuple[str, ...] = ()
    venue: tuple[str, ...] = ()
    split: tuple[str, ...] = ()

    def passes(self, item: Item) -> bool:
        """Whether an item passes every filter; case does not matter."""
        return all(
            _attribute(item, name) in {_normal(value) for value in wanted}
            for name, wanted in self.given().items()
        )

    def given(self) -> dict[str, tuple[str, ...]]:
        """The filters that are set."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if getattr(self, name)}

    def __str__(self) -> str:
        """`type=st depth=1,2`."""
        return " ".join(f"{name}={','.join(values)}" for name, values in self.given().items())


def select(
    corpus: Corpus,
    *,
    items: int | None = None,
    ids: Sequence[str] | None = None,
    filters: Filters | None = None,
) -> list[str]:
    """Ids of the items to play, in the data set's order (or that of `ids`).

    Args:
        corpus: The data set.
        items: At most so many, after the filters; None for all.
        ids: Only these; each must be in the data set.
        filters: Only items that pass.

    Raises:
        SelectionError: If nothing is left, or an id is not in the data set.
    """
    if items is not None and items < 1:
        raise SelectionError(f"the number of items must be 1 or more, not {items}")
    chosen: Iterable[str] = corpus.ids
    if ids is not None:
        missing = [item_id for item_id in ids if item_id not in corpus]
        if missing:
            shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
            raise SelectionError(
                f"{corpus.name} has no item {shown}; its ids are {', '.join(corpus.ids[:3])}, ..."
            )
        chosen = dict.fromkeys(ids)
    if filters is not None and filters.given():
        kept: list[str] = []
        for item_id in chosen:
            if items is not None and len(kept) == items:
                break
            if filters.passes(corpus.item(item_id)):
                kept.append(item_id)
        if not kept:
            raise SelectionError(f"no item of {corpus.name} passes {filters}; {_present(corpus, filters)}")
        return kept
    found = list(chosen)[:items]
    if not found:
        raise SelectionError("no item is left to play")
    return found


def digest(ids: Sequence[str]) -> str:
    """Short hash of a list of ids: two runs with one digest play the same items."""
    return sha256("\n".join(ids).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _attribute(item: Item, name: str) -> str:
    values = {
        "type": item.question_type,
        "depth": str(item.depth),
        "reasoning": item.reasoning_type,
        "tier": item.consensus_tier,
        "venue": item.venue,
        "split": item.split,
    }
    return values[name].lower()


def _normal(value: str) -> str:
    lowered = value.strip().lower()
    return TYPES.get(lowered, lowered)


_SAMPLED: Final = 2000


def _present(corpus: Corpus, filters: Filters) -> str:
    """The values that there are, for whoever filtered for others."""
    sample = [corpus.item(item_id) for item_id in corpus.ids[:_SAMPLED]]
    parts = []
    for name in filters.given():
        values = sorted({_attribute(item, name) for item in sample})
        parts.append(f"{name} is one of {', '.join(value or '(empty)' for value in values[:12])}")
    return "; ".join(parts)
