"""The knobs of a world: what each moves, its range, and its default for each size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

SIZES: Final = ("nano", "tiny", "small", "full")


class Difficulty(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How hard a world's items are. A knob left at None takes the size's default.

    All knobs are whole numbers; shares are percentages of items, golds, nodes or edges as stated.

    Attributes:
        nodes: Mean number of papers in an item's graph; single items spread around it.
        text_share: Share of an item's papers that have full text, 20 to 100 (the papers that the anatomy needs
            always have it).
        lookalikes: Papers per gold that are of its kind and topic but play another part, 1 to 5. One of them is
            the wrong paper.
        overlap: Share of items whose question uses the words of the gold's title, of its citing sentence and of
            the section's header, 0 to 100; the others paraphrase.
        appendix: Share of golds whose fact stands in an appendix instead of a main section, 0 to 100.
        closeness: How near the four options' values lie to each other, 0 (anywhere in their range) to 100.
        search_finds_gold: Share of items whose golds are among the first five results for the question itself
            as the query, 0 to 100; in the others no gold is.
        contexts: Share of citations whose citing sentence the graph knows, 0 to 100.
        subsections: Share of golds whose direct label is a subsection's header, 0 to 100.
        missing: Share of metadata-only papers that lack an abstract, year or authors, 0 to 100.
        dangling: Citations to papers that are not in the graph, 0 to 20. Validation warns of them.
        st_d1: Parts of single-target items at depth 1, 0 to 10,000.
        st_d2: Parts of single-target items at depth 2.
        mt_d1: Parts of multi-target items at depth 1.
        mt_d2: Parts of multi-target items at depth 2.
        ground: Parts of GROUND items, 0 to 10,000.
        method: Parts of METHOD items.
        motive: Parts of MOTIVE items.
        result: Parts of RESULT items.
    """

    nodes: int | None = None
    text_share: int | None = None
    lookalikes: int | None = None
    overlap: int | None = None
    appendix: int | None = None
    closeness: int | None = None
    search_finds_gold: int | None = None
    contexts: int | None = None
    subsections: int | None = None
    missing: int | None = None
    dangling: int | None = None
    st_d1: int | None = None
    st_d2: int | None = None
    mt_d1: int | None = None
    mt_d2: int | None = None
    ground: int | None = None
    method: int | None = None
    motive: int | None = None
    result: int | None = None

    def items(self) -> Iterator[tuple[str, int | None]]:
        """Knob names and values, in the order of the class."""
        return ((name, getattr(self, name)) for name in self.__struct_fields__)

    def resolve(self, size: str) -> Difficulty:
        """The same knobs with every None replaced by the size's default.

        Raises:
            ValueError: If a knob is out of its range for the size; the message gives the range.
        """
        values: dict[str, int] = {}
        for name, value in self.items():
            knob = knob_of(name, size)
            given = knob.default if value is None else value
            if isinstance(given, bool) or not isinstance(given, int) or not knob.low <= given <= knob.high:
                raise ValueError(
                    f"{name} must be a whole number from {knob.low} to {knob.high} for size {size}, not {given!r}"
                )
            values[name] = given
        for group in (KIND_KNOBS, REASONING_KNOBS):
            if not any(values[name] for name in group):
                raise ValueError(f"at least one of {', '.join(group)} must be above 0")
        return Difficulty(**values)

    def value(self, name: str) -> int:
        """A knob of a resolved difficulty.

        Raises:
            ValueError: If the knob is not set.
        """
        value: int | None = getattr(self, name)
        if value is None:
            raise ValueError(f"{name} is not resolved")
        return value


KNOBS: Final[tuple[str, ...]] = Difficulty.__struct_fields__
KIND_KNOBS: Final = ("st_d1", "st_d2", "mt_d1", "mt_d2")
REASONING_KNOBS: Final = ("ground", "method", "motive", "result")


class Knob(NamedTuple):
    """Range and default of one knob for one size."""

    low: int
    high: int
    default: int


_RANGES: Final[dict[str, tuple[Knob, Knob, Knob, Knob]]] = {
    "nodes": (Knob(9, 14, 11), Knob(18, 60, 25), Knob(40, 200, 83), Knob(100, 600, 311)),
    "text_share": (Knob(20, 100, 85), Knob(20, 100, 36), Knob(20, 100, 44), Knob(20, 100, 44)),
    "lookalikes": (Knob(1, 2, 1), Knob(1, 5, 1), Knob(1, 5, 2), Knob(1, 5, 3)),
    "overlap": (Knob(0, 100, 70), Knob(0, 100, 60), Knob(0, 100, 60), Knob(0, 100, 60)),
    "appendix": (Knob(0, 100, 15), Knob(0, 100, 20), Knob(0, 100, 30), Knob(0, 100, 30)),
    "closeness": (Knob(0, 100, 0), Knob(0, 100, 30), Knob(0, 100, 40), Knob(0, 100, 50)),
    "search_finds_gold": (Knob(0, 100, 50), Knob(0, 100, 50), Knob(0, 100, 40), Knob(0, 100, 30)),
    "contexts": (Knob(0, 100, 0), Knob(0, 100, 95), Knob(0, 100, 90), Knob(0, 100, 90)),
    "subsections": (Knob(0, 100, 10), Knob(0, 100, 20), Knob(0, 100, 30), Knob(0, 100, 30)),
    "missing": (Knob(0, 100, 20), Knob(0, 100, 30), Knob(0, 100, 40), Knob(0, 100, 40)),
    "dangling": (Knob(0, 5, 0), Knob(0, 20, 0), Knob(0, 20, 0), Knob(0, 20, 0)),
}

_PARTS: Final[dict[str, int]] = {
    "st_d1": 90,
    "st_d2": 478,
    "mt_d1": 396,
    "mt_d2": 47,
    "ground": 25,
    "method": 25,
    "motive": 25,
    "result": 25,
}


def knob_of(name: str, size: str) -> Knob:
    """Range and default of a knob for a size.

    Raises:
        ValueError: If there is no such size.
        KeyError: If there is no such knob.
    """
    if size not in SIZES:
        raise ValueError(f"unknown size {size!r}; sizes: {', '.join(SIZES)}")
    if name in _PARTS:
        return Knob(0, 10_000, _PARTS[name])
    return _RANGES[name][SIZES.index(size)]
