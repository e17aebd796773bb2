"""Which sections a paper has, under which headers, and how long each is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.stock.headers import HOMES, ROMANS, SECTION_KINDS, SectionKind
from agenthop_env.worlds.stock.passages import PASSAGES


class Lengths(NamedTuple):
    """How papers of a size are built.

    Attributes:
        always: Kinds that every paper has.
        sometimes: Kinds that it may have, with a chance in percent.
        low: Shortest section in characters, about.
        high: Longest section in characters.
        paper: Least and most characters of a paper, (0, 0) where sections alone decide.
        facts: Facts of each reasoning type beside the asked ones: least and most.
        cites: Citing sentences that one section takes.
    """

    always: tuple[str, ...]
    sometimes: dict[str, int]
    low: int
    high: int
    paper: tuple[int, int]
    facts: tuple[int, int]
    cites: int


LENGTHS: Final = {
    "tiny": Lengths(
        ("intro", "results"),
        {"related": 75, "method": 70, "data": 65, "limits": 15, "conclusion": 15, "a_method": 8, "a_data": 8, "a_results": 8},
        110,
        400,
        (0, 0),
        (0, 1),
        3,
    ),
    "small": Lengths(
        ("intro", "related", "method", "data", "results"),
        {
            "setup": 60, "analysis": 50, "limits": 40, "conclusion": 60, "prelim": 20, "a_method": 45, "a_data": 35,
            "a_results": 35, "a_motive": 15, "a_examples": 15,
        },
        600,
        2500,
        (0, 0),
        (1, 2),
        12,
    ),
    "full": Lengths(
        ("intro", "related", "method", "data", "results", "setup", "conclusion"),
        {
            "analysis": 80, "limits": 60, "prelim": 60, "a_method": 85, "a_data": 70, "a_results": 80, "a_motive": 40,
            "a_examples": 50, "a_proofs": 50,
        },
        1200,
        30_000,
        (24_000, 110_000),
        (3, 5),
        40,
    ),
}  # fmt: skip

_ORDERS: Final = (
    ("intro", "related", "prelim", "data", "method", "setup", "results", "analysis", "limits", "conclusion"),
    ("intro", "prelim", "data", "method", "setup", "results", "analysis", "related", "limits", "conclusion"),
    ("intro", "related", "prelim", "method", "data", "setup", "results", "analysis", "conclusion", "limits"),
)

GRIDS: Final = ("results", "analysis", "a_results", "a_examples")
"""Kinds of sections that have breakdowns and lists in long papers."""

_PASSAGE: Final = 150
"""Characters of a passage, about."""

_MOST: Final = {
    kind: _PASSAGE * sum(len(PASSAGES[name]) for name in stock.plans) for kind, stock in SECTION_KINDS.items()
}
"""Characters that the passages of a kind fill without returning."""

_APPENDICES: Final = tuple(kind for kind, stock in SECTION_KINDS.items() if stock.appendix)


@dataclass(slots=True)
class Draft:
    """One section on its way to text.

    Attributes:
        kind: Key into `SECTION_KINDS`.
        header: Full header.
        room: Characters to fill.
        facts: Sentences that must appear, each with the subsection header to put before it, or None.
        cites: Citing sentences.
        tables: Markdown tables with their captions, and lists.
        grid: Characters of the room that are meant for tables and lists.
    """

    kind: str
    header: str
    room: int
    facts: list[tuple[str, str | None]] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    grid: int = 0

    @property
    def stock(self) -> SectionKind:
        """Stock of its kind."""
        return SECTION_KINDS[self.kind]


def draw_outline(bits: Bits, size: str, name: str, needed: tuple[str, ...]) -> list[Draft]:
    """Sections of one paper in order, empty still.

    Args:
        bits: Where to draw from.
        size: `tiny`, `small` or `full`.
        name: What the paper's authors call their work.
        needed: Kinds that it must have.
    """
    plan = LENGTHS[size]
    kinds = {*plan.always, *needed}
    word = bits.word()
    for kind, chance in plan.sometimes.items():
        # Six bits a kind: a chance in percent, near enough.
        if (word & 63) * 100 < chance * 64:
            kinds.add(kind)
        word >>= 6
    main = [kind for kind in bits.choice(_ORDERS) if kind in kinds]
    appendices = [kind for kind in _APPENDICES if kind in kinds]
    if len(appendices) > 1:
        appendices = bits.shuffled(appendices)
    style = bits.below(20)
    drafts: list[Draft] = []
    word = bits.word()
    for place, kind in enumerate([*main, *appendices]):
        headers = SECTION_KINDS[kind].headers
        bare = headers[word % len(headers)].replace("{name}", name)
        word //= len(headers)
        lettered = place - len(main)
        header = (
            _appendix_header(style, lettered, bare) if lettered >= 0 else _main_header(style, place, bare)
        )
        drafts.append(Draft(kind, header, 0))
    _draw_rooms(bits, size, drafts)
    return drafts


def repeat_a_header(bits: Bits, drafts: list[Draft], kept: set[str]) -> None:
    """Divide one section in two of the same header, as conversions from PDF do; those of `kept` kinds are left alone."""
    free = [place for place, draft in enumerate(drafts) if draft.kind not in kept and draft.room > 1300]
    if free:
        place = bits.choice(free)
        draft = drafts[place]
        rest = draft.room * bits.between(40, 60) // 100
        draft.room -= rest
        drafts.insert(place + 1, Draft(draft.kind, draft.header, rest))


def _main_header(style: int, place: int, bare: str) -> str:
    if style < 11:
        return bare
    if style < 15:
        return f"{place + 1} {bare}"
    if style < 17:
        return f"{place + 1}. {bare}"
    return f"{ROMANS[place]}. {bare}" if style < 19 else bare.upper()


def _appendix_header(style: int, lettered: int, bare: str) -> str:
    letter = chr(65 + lettered)
    if style % 5 < 3:
        return f"Apdx_{letter}: {bare}"
    return f"Appendix {letter}: {bare}" if style % 5 == 3 else f"Apdx: {bare}"


def _draw_rooms(bits: Bits, size: str, drafts: list[Draft]) -> None:
    """Target lengths: uniform for short papers, in shares of the paper's length for full ones."""
    plan = LENGTHS[size]
    if plan.paper == (0, 0):
        for draft in drafts:
            draft.room = min(bits.between(plan.low + 60, plan.high - 30), _MOST[draft.kind])
        return
    low, high = plan.paper
    # The mean of two draws of which one is the lesser of a pair: about 60,000 with a tail to the long side.
    total = (min(bits.between(low, high), bits.between(low, high)) + bits.between(low, high)) // 2
    shares = [draft.stock.weight * bits.between(50, 150) for draft in drafts]
    whole, over = sum(shares), 0
    left = {name: _PASSAGE * len(found) for name, found in PASSAGES.items()}
    for draft, share in zip(drafts, shares, strict=True):
        wanted = max(plan.low, total * share // whole)
        # What is more than prose can fill without repeating itself goes into tables and lists.
        fresh = sum(left[name] for name in draft.stock.plans)
        draft.room = min(wanted, max(plan.low, fresh))
        for name in draft.stock.plans:
            left[name] -= left[name] * min(draft.room, fresh) // max(1, fresh)
        over += wanted - draft.room
    grids = [draft for draft in drafts if draft.kind in GRIDS]
    for draft in grids:
        # The last table may be longer than what is left for it.
        draft.grid = min(over // len(grids), plan.high - 2000 - draft.room)
        draft.room += draft.grid


def home_of(reasoning: str, appendix: bool) -> str:
    """Kind of section in which facts of a reasoning type stand."""
    return HOMES[reasoning][appendix]
