"""Who the papers of an item are: kind, task, name, title, authors, venue, headline score and claim."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from agenthop_env.worlds.anatomy import SEED, Anatomy
from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.stock import names
from agenthop_env.worlds.stock.areas import Area
from agenthop_env.worlds.stock.part import WorkKind
from agenthop_env.worlds.stock.parts import WORK_KINDS
from agenthop_env.worlds.stock.parts_models import SYSTEM
from agenthop_env.worlds.stock.passages_frame import CLAIMS
from agenthop_env.worlds.voice import Voice, title_case

_ENDINGS: Final = 20
"""Percent of names with an ending that tells the kind of work."""

_EXPLICIT: Final = tuple(
    tuple(plan for plan in kind.titles if "noun}" in plan and "{task}" in plan) for kind in WORK_KINDS
)
"""Per kind the title plans that tell kind and task."""

_TOP: Final = 960
"""Headline scores stay below it, in tenths."""


class Work(NamedTuple):
    """One paper's identity.

    Attributes:
        kind: Index into `WORK_KINDS`.
        task: Index of its task in the area.
        name: What its authors call their work.
        noun: The noun of its kind that its title uses.
        title: Title.
        authors: Full names.
        short: The authors as a citation names them.
        venue: Venue.
        metric: Index of the area's metric in which its headline score is given: one for the whole item.
        score: Headline score in tenths of a point.
        size: Millions of parameters.
        claim: Its main claim, without final period.
    """

    kind: int
    task: int
    name: str
    noun: str
    title: str
    authors: tuple[str, ...]
    short: str
    venue: str
    metric: int
    score: int
    size: int
    claim: str

    @property
    def kind_stock(self) -> WorkKind:
        """Stock of its kind."""
        return WORK_KINDS[self.kind]

    @property
    def model(self) -> str:
        """The model that it is or comes with."""
        return self.kind_stock.modelled.format(name=self.name)

    @property
    def data(self) -> str:
        """The data that it is or rests on."""
        return self.kind_stock.gathered.format(name=self.name)


@cache
def with_article(word: str) -> str:
    """`Robust` as `a Robust`, `Open` as `an Open`."""
    vowel = word[:1] in "AEIOUaeiou" and not word.lower().startswith("uni")
    return f"{'an' if vowel else 'a'} {word}"


@cache
def _title_words(noun: str, adjective: str) -> dict[str, str]:
    """Noun and adjective as titles print them, alone and with their articles."""
    noun = title_case(noun)
    words = {"noun": noun, "adjective": adjective}
    for name, word in (("noun", noun), ("adjective", adjective)):
        words[f"a_{name}"] = with_article(word)
        words[f"A_{name}"] = title_case(with_article(word))
    return words


def tenths(value: int) -> str:
    """`714` as `71.4`."""
    return f"{value // 10}.{value % 10}"


def draw_works(
    bits: Bits, anatomy: Anatomy, area: Area, literal: bool, named: Callable[[int], str]
) -> list[Work]:
    """All works of an item; look-alikes share their gold's kind and task.

    Args:
        bits: Where to draw from.
        anatomy: The item's skeleton.
        area: The item's area.
        literal: Whether titles of golds and look-alikes must name kind and task, for the question to repeat.
        named: The name of each paper, unique in the world.
    """
    count = anatomy.size
    drawn = bits.words(count)
    kinds = [word % len(WORK_KINDS) for word in drawn]
    tasks = [(word >> 32) % len(area.tasks) for word in drawn]
    kinds[SEED] = WORK_KINDS.index(SYSTEM)
    gold_kinds = bits.sample(range(len(WORK_KINDS)), len(anatomy.golds))
    explicit: set[int] = set()
    for gold, kind, group in zip(anatomy.golds, gold_kinds, anatomy.lookalikes, strict=True):
        for number in (gold, *group):
            kinds[number], tasks[number] = kind, tasks[gold]
            if literal:
                explicit.add(number)
    metric = bits.below(len(area.metrics))
    scores = _draw_scores(bits, anatomy.references)
    works = []
    for number in range(count):
        stock, word = WORK_KINDS[kinds[number]], bits.word()
        name = named(number)
        if word % 100 < _ENDINGS:
            name += stock.endings[(word >> 8) % len(stock.endings)]
        voice = Voice(bits, area, tasks[number], name)
        noun = stock.nouns[(word >> 16) % len(stock.nouns)]
        adjective = stock.adjectives[(word >> 24) % len(stock.adjectives)]
        offered = _EXPLICIT[kinds[number]] if number in explicit else stock.titles
        title = voice.title(offered[(word >> 32) % len(offered)], **_title_words(noun, adjective))
        authors = _draw_authors(bits)
        works.append(
            Work(
                kind=kinds[number],
                task=tasks[number],
                name=name,
                noun=noun,
                title=title,
                authors=authors,
                short=_short(authors),
                venue=bits.choice(names.VENUES),
                metric=metric,
                score=scores[number],
                size=bits.between(3, 240),
                claim=voice.fill(bits.choice(CLAIMS)),
            )
        )
    return works


def _draw_authors(bits: Bits) -> tuple[str, ...]:
    """One to seven names, no family name twice."""
    word = bits.word()
    count = 1 + min(word % 7, (word >> 8) % 7)
    authors: dict[str, str] = {}
    while len(authors) < count:
        word = bits.word()
        authors[names.FAMILY[word % len(names.FAMILY)]] = names.GIVEN[(word >> 16) % len(names.GIVEN)]
    return tuple(f"{given} {family}" for family, given in authors.items())


def _short(authors: Sequence[str]) -> str:
    """Authors as a citation names them."""
    families = [name.rsplit(" ", 1)[1] for name in authors[:2]]
    if len(authors) > 2:
        return f"{families[0]} et al."
    return " and ".join(families)


def _draw_scores(bits: Bits, references: Sequence[Sequence[int]]) -> list[int]:
    """Headline scores in tenths: every paper is ahead of what it cites, as its own table must show."""
    scores = [0] * len(references)

    def settle(number: int) -> int:
        if not scores[number]:
            cited = [settle(other) for other in references[number]]
            if cited:
                best = max(cited)
                scores[number] = best + 1 + bits.below(max(1, min(18, (_TOP - best) // 9)))
            else:
                scores[number] = bits.between(430, 690)
        return scores[number]

    for number in range(len(references)):
        settle(number)
    return scores
