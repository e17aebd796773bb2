"""Who the papers of an item are: kind, task, name, title, authors, venue, headline score and claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agenthop_env.worlds.anatomy import SEED, Anatomy
from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.stock import names
from agenthop_env.worlds.stock.areas import Area
from agenthop_env.worlds.stock.part import WorkKind
from agenthop_env.worlds.stock.parts import WORK_KINDS
from agenthop_env.worlds.stock.parts_models import SYSTEM
from agenthop_env.worlds.stock.plans_frame import CLAIMS
from agenthop_env.worlds.voice import Voice, with_articles


class Work(NamedTuple):
    """One paper's identity.

    Attributes:
        kind: Index into `WORK_KINDS`.
        task: Index of its task in the area.
        name: What its authors call their work.
        noun: The noun of its kind that its title uses.
        title: Title.
        authors: Full names.
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
    def short(self) -> str:
        """The authors as a citation names them."""
        families = [name.rsplit(" ", 1)[1] for name in self.authors]
        if len(families) == 1:
            return families[0]
        return f"{families[0]} and {families[1]}" if len(families) == 2 else f"{families[0]} et al."


def tenths(value: int) -> str:
    """`714` as `71.4`."""
    return f"{value // 10}.{value % 10}"


def coined_name(bits: Bits) -> str:
    """A word that is no word."""
    word, name = bits.word(), ""
    for sounds in (names.ONSETS, names.VOWELS, names.CODAS) * 2:
        name += sounds[word % len(sounds)]
        word //= len(sounds)
    return name.capitalize() + names.ENDINGS[word % len(names.ENDINGS)]


def draw_works(bits: Bits, anatomy: Anatomy, area: Area, literal: bool) -> list[Work]:
    """All works of an item; look-alikes share their gold's kind and task.

    Args:
        bits: Where to draw from.
        anatomy: The item's skeleton.
        area: The item's area.
        literal: Whether titles of golds and look-alikes must name kind and task, for the question to repeat.
    """
    count = anatomy.size
    kinds = [bits.below(len(WORK_KINDS)) for _ in range(count)]
    tasks = [bits.below(len(area.tasks)) for _ in range(count)]
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
    used_names: set[str] = set()
    used_titles: set[str] = set()
    works = []
    for number in range(count):
        name = coined_name(bits)
        while name.lower() in used_names:
            name = coined_name(bits)
        used_names.add(name.lower())
        stock, voice = WORK_KINDS[kinds[number]], Voice(bits, area, tasks[number], name)
        noun = bits.choice(stock.nouns)
        offered = (
            [plan for plan in stock.titles if "{noun}" in plan and "{task}" in plan]
            if number in explicit
            else stock.titles
        )
        title = ""
        while not title or title in used_titles:
            adjective = bits.choice(names.ADJECTIVES)
            title = voice.title(bits.choice(offered), noun=noun, adjective=adjective)
            title = with_articles(title)
        used_titles.add(title)
        works.append(
            Work(
                kind=kinds[number],
                task=tasks[number],
                name=name,
                noun=noun,
                title=title,
                authors=_draw_authors(bits),
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


def _draw_scores(bits: Bits, references: Sequence[Sequence[int]]) -> list[int]:
    """Headline scores in tenths: every paper is ahead of what it cites, as its own table must show."""
    scores = [0] * len(references)

    def settle(number: int) -> int:
        if not scores[number]:
            cited = [settle(other) for other in references[number]]
            scores[number] = max(cited) + bits.between(2, 29) if cited else bits.between(480, 760)
        return scores[number]

    for number in range(len(references)):
        settle(number)
    return scores
