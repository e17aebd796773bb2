"""Turning sentence plans into sentences: one voice for each paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.stock import words
from agenthop_env.worlds.stock.areas import ACTIONS, COMPONENTS, Area, areas
from agenthop_env.worlds.stock.plans_frame import OPENERS, TAILS

_SLOT: Final = re.compile(r"\{(\w+)\}")
_ARTICLE: Final = re.compile(r"\b([Aa]) (?=[AEIOUaeiou])(?![Uu]ni)")
_NAME: Final = "\0"
"""Stands for the paper's own name in plans that all papers of an area share."""

_SMALL_WORDS: Final = frozenset(words("a an and as at by for from in of on or the to under with without"))

FEW: Final = ("two", "three", "four", "five", "six")
TENS: Final = ("ten", "twelve", "fifteen", "eighteen", "twenty", "thirty", "forty")

OPENER_SHARE: Final = 14
TAIL_SHARE: Final = 16

Fill = Callable[[int], str]
"""Fills a plan's slots from the digits of one raw word in mixed base."""


class Plan(NamedTuple):
    """A plan made ready for one area and task.

    Attributes:
        inner: Fills it as the plan is written.
        first: Fills it with an upper-case first letter.
        named: Whether the paper's name occurs in it.
        open: Whether it may be given an opener or a tail.
    """

    inner: Fill
    first: Fill
    named: bool
    open: bool


def capitalized(text: str) -> str:
    """The same text with an upper-case first letter."""
    return text[:1].upper() + text[1:]


def with_articles(text: str) -> str:
    """`A Open` as `An Open`, `a audit` as `an audit`."""
    return _ARTICLE.sub(r"\1n ", text) if "A " in text or " a " in text else text


@cache
def _split(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Fixed pieces of a text, and the slots between them."""
    return tuple(_SLOT.split(text)[::2]), tuple(_SLOT.findall(text))


@cache
def title_case(text: str) -> str:
    """Upper-case first letters, but for small words inside; slots stay as they are."""
    words = text.split(" ")
    shown = []
    for at, word in enumerate(words):
        small = word in _SMALL_WORDS and at > 0 and not words[at - 1].endswith(":")
        shown.append(
            word
            if small
            else "-".join(part if part == "to" else capitalized(part) for part in word.split("-"))
        )
    return " ".join(shown)


@cache
def phrases_of(number: int, task: int) -> dict[str, tuple[str, ...]]:
    """Per slot the phrases that an area offers for one of its tasks."""
    area = areas()[number]
    return {
        "unit": (area.unit,),
        "units": (area.units,),
        "task": (area.tasks[task],),
        "hard": area.hard,
        "pieces": area.pieces,
        "quality": area.quality,
        "sources": area.sources,
        "labels": area.labels,
        "users": area.users,
        "metric": area.metrics,
        "comp": COMPONENTS,
        "action": ACTIONS,
        "few": FEW,
        "tens": TENS,
        "name": (_NAME,),
    }


def _filler(pieces: Sequence[str], lists: Sequence[tuple[str, ...]], twins: Sequence[int]) -> Fill:
    """A function that joins fixed pieces with phrases; the short cases, which are nearly all, are spelled out."""
    if any(twin >= 0 for twin in twins) or len(lists) > 3:
        return _general_filler(pieces, lists, twins)
    if not lists:
        return lambda word: pieces[0]
    one, size1, before, after = lists[0], len(lists[0]), pieces[0], pieces[1]
    if len(lists) == 1:
        return lambda word: f"{before}{one[word % size1]}{after}"
    two, size2, last = lists[1], len(lists[1]), pieces[2]
    if len(lists) == 2:
        return lambda word: f"{before}{one[word % size1]}{after}{two[word // size1 % size2]}{last}"
    three, size3, base, end = lists[2], len(lists[2]), size1 * size2, pieces[3]
    return lambda word: (
        f"{before}{one[word % size1]}{after}{two[word // size1 % size2]}{last}{three[word // base % size3]}{end}"
    )


def _general_filler(pieces: Sequence[str], lists: Sequence[tuple[str, ...]], twins: Sequence[int]) -> Fill:
    """Any number of slots, some of which must differ from earlier ones."""

    def filled(word: int) -> str:
        chosen: list[int] = []
        text = pieces[0]
        for phrases, twin, piece in zip(lists, twins, pieces[1:], strict=True):
            size = len(phrases)
            at = word % size if twin < 0 else (chosen[twin] + 1 + word % (size - 1)) % size
            word //= size
            chosen.append(at)
            text += phrases[at] + piece
        return text

    return filled


@cache
def _ready(number: int, task: int, text: str) -> Plan:
    """One plan, made ready. A slot ending in 2 differs from the earlier one of its name."""
    slots = phrases_of(number, task)
    pieces, names = _split(text.rstrip("."))
    bases = [name.rstrip("2") for name in names]
    twins = [
        bases.index(base) if name != base and base in bases[:at] else -1
        for at, (name, base) in enumerate(zip(names, bases, strict=True))
    ]
    lists = [slots[base] for base in bases]
    upper_lists = list(lists)
    if not pieces[0] and lists:
        upper_lists[0] = tuple(capitalized(phrase) for phrase in lists[0])
    return Plan(
        inner=_filler(pieces, lists, twins),
        first=_filler([capitalized(pieces[0]), *pieces[1:]], upper_lists, twins),
        named="name" in names,
        open=not text.endswith(".")
        and "," not in text
        and "which" not in text
        and not text.startswith("{name}"),
    )


@cache
def _ready_all(number: int, task: int, texts: tuple[str, ...]) -> tuple[Plan, ...]:
    """All plans of a kind, made ready."""
    return tuple(_ready(number, task, text) for text in texts)


@cache
def _plans_of(number: int, task: int) -> dict[int, tuple[Plan, ...]]:
    """Plans made ready so far, by the identity of their texts: constants of the stock, which live for ever."""
    return {}


_OPENERS: Final = tuple(capitalized(opener) for opener in OPENERS)


class Voice:
    """Fills plans with the words of one paper; no plan of a kind returns before all of it were used.

    Args:
        bits: Where to draw from.
        area: The paper's area.
        task: Index of its task.
        name: What its authors call their work.
    """

    __slots__ = ("_key", "_name", "_phrases", "_plans", "_used", "_word")

    def __init__(self, bits: Bits, area: Area, task: int, name: str) -> None:
        self._word = bits.word
        self._key = (area.number, task)
        self._phrases = phrases_of(area.number, task)
        self._name = name
        self._plans = _plans_of(area.number, task)
        self._used: dict[int, int] = {}

    def fill(self, text: str, **given: str) -> str:
        """A phrase with its slots filled, those inside chosen phrases too; `given` fills slots of its own."""
        pieces, names = _split(text)
        filled = pieces[0]
        for slot, piece in zip(names, pieces[1:], strict=True):
            if slot in given:
                phrase = given[slot]
            elif slot == "name":
                phrase = self._name
            else:
                phrases = self._phrases[slot]
                phrase = phrases[self._word() % len(phrases)]
                if "{" in phrase:
                    phrase = self.fill(phrase)
            filled += phrase + piece
        return filled

    def title(self, text: str, **given: str) -> str:
        """As `fill`, in title case."""
        pieces, names = _split(title_case(text))
        filled = pieces[0]
        for slot, piece in zip(names, pieces[1:], strict=True):
            if slot == "name":
                filled += self._name + piece
                continue
            phrases = self._phrases.get(slot, ())
            phrase = given[slot] if slot in given else phrases[self._word() % len(phrases)]
            filled += title_case(phrase) + piece
        return filled

    def sentence(self, texts: tuple[str, ...]) -> str:
        """One full sentence from plans of a kind."""
        word, kind = self._word(), id(texts)
        plans = self._plans.get(kind)
        if plans is None:
            plans = self._plans[kind] = _ready_all(*self._key, texts)
        # The low 20 bits choose plan, opener and tail; the others fill the slots.
        at, used = word % len(plans), self._used.get(kind, 0)
        if used >> at & 1:
            if used == (1 << len(plans)) - 1:
                used = 0
            while used >> at & 1:
                at = (at + 1) % len(plans)
        self._used[kind] = used | 1 << at
        inner, first, named, extensible = plans[at]
        if extensible and (chance := (word >> 6) % 128) < OPENER_SHARE + TAIL_SHARE:
            if chance < OPENER_SHARE:
                text = f"{_OPENERS[(word >> 13) % len(_OPENERS)]} {inner(word >> 20)}."
            else:
                tails = _ready_all(*self._key, TAILS)
                tail = tails[(word >> 13) % len(tails)]
                text = f"{first(word >> 20)}{tail.inner(word >> 40)}."
        else:
            text = first(word >> 20) + "."
        return text.replace(_NAME, self._name) if named else text

    def sentences(self, texts: tuple[str, ...], room: int) -> list[str]:
        """Sentences whose joint length stays within `room` characters, blanks included."""
        found: list[str] = []
        while room > 60:
            text = self.sentence(texts)
            room -= len(text) + 1
            if room < 0:
                break
            found.append(text)
        return found


def paragraphs(bits: Bits, sentences: Sequence[str]) -> list[str]:
    """Sentences joined to paragraphs of three to seven each."""
    found, at = [], 0
    while at < len(sentences):
        size = bits.between(3, 7)
        found.append(" ".join(sentences[at : at + size]))
        at += size
    return found
