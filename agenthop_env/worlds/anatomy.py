"""The skeleton of one item: who cites whom, when, who has text, and which paper plays which part."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import Final, NamedTuple

from agenthop_env.worlds.bits import Bits, pick_weighted
from agenthop_env.worlds.coordinates import Coordinates, Stage
from agenthop_env.worlds.difficulty import KIND_KNOBS, REASONING_KNOBS

SEED: Final = 0
"""The seed paper's number; golds, bridges and all others follow."""

REASONING: Final = ("GROUND", "METHOD", "MOTIVE", "RESULT")

_BLOCK: Final = 512
_SPREAD: Final = {"nano": (80, 130), "tiny": (80, 148), "small": (73, 145), "full": (26, 214)}
"""Smallest and largest graph, in percent of the mean."""

_REFERENCES: Final = {"nano": 14, "tiny": 17, "small": 21, "full": 28}
"""Seed's references in tenths of the square root of the number of papers."""


class Kind(NamedTuple):
    """Question type and depth of an item.

    Attributes:
        golds: 1 (single-target) or 2 (multi-target).
        depth: 1 or 2.
    """

    golds: int
    depth: int

    @property
    def prefix(self) -> str:
        """`st` or `mt`."""
        return "st" if self.golds == 1 else "mt"


KINDS: Final = (Kind(1, 1), Kind(1, 2), Kind(2, 1), Kind(2, 2))


class Anatomy(NamedTuple):
    """Papers by number, 0 the seed.

    Attributes:
        kind: Question type and depth.
        reasoning: One of `REASONING`.
        golds: The gold papers.
        bridges: Papers between seed and golds; empty at depth 1.
        citers: Per gold the paper that cites it on the way: the seed or a bridge.
        lookalikes: Per gold the papers of its kind and topic with another part, cited by the same paper.
        wrongs: Per gold the look-alike whose truth is the `wrong_paper` option, or its half of it.
        references: Per paper the papers that it cites, in bibliography order.
        years: Per paper its year.
        text: Per paper whether it has full text.
        order: All papers in the order in which the graph lists them, the seed first.
    """

    kind: Kind
    reasoning: str
    golds: tuple[int, ...]
    bridges: tuple[int, ...]
    citers: tuple[int, ...]
    lookalikes: tuple[tuple[int, ...], ...]
    wrongs: tuple[int, ...]
    references: tuple[tuple[int, ...], ...]
    years: tuple[int, ...]
    text: tuple[bool, ...]
    order: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of papers."""
        return len(self.years)

    @property
    def witnesses(self) -> tuple[int, ...]:
        """Papers that must state the asked facts: seed, golds and look-alikes."""
        return (SEED, *self.golds, *(one for group in self.lookalikes for one in group))


def kind_of(where: Coordinates, index: int) -> Kind:
    """Question type and depth of an item, without making it."""
    return kinds_in_block(where, index // _BLOCK)[index % _BLOCK]


@lru_cache(maxsize=8)
def kinds_in_block(where: Coordinates, block: int) -> list[Kind]:
    """Kinds of 512 consecutive items at once, so that ids can be listed cheaply."""
    weights = [where.difficulty.value(name) for name in KIND_KNOBS]
    return [KINDS[pick_weighted(word, weights)] for word in where.bits(block, Stage.KIND).words(_BLOCK)]


def draw_anatomy(where: Coordinates, index: int) -> Anatomy:
    """Draw the skeleton of one item."""
    bits = where.bits(index, Stage.ANATOMY)
    kind = kind_of(where, index)
    reasoning = REASONING[bits.weighted([where.difficulty.value(name) for name in REASONING_KNOBS])]
    count = _draw_count(bits, where.size, where.difficulty.value("nodes"))

    number = 1
    golds = tuple(range(number, number + kind.golds))
    number += kind.golds
    likes: list[tuple[int, ...]] = []
    for _ in golds:
        group = tuple(range(number, number + where.difficulty.value("lookalikes")))
        number += len(group)
        likes.append(group)
    bridge_count = 0 if kind.depth == 1 else 1 if kind.golds == 1 else bits.between(1, 2)
    bridges = tuple(range(number, number + bridge_count))
    number += bridge_count
    citers = tuple(bridges[which % bridge_count] if bridges else SEED for which in range(kind.golds))
    count = max(count, number + 3)

    references = _draw_references(bits, where.size, count, golds, likes, bridges, citers)
    years = _draw_years(bits, references)
    _add_shortcuts(bits, references, years, golds, kind.depth)
    wrongs = tuple(bits.choice(group) for group in likes)
    anatomy_text = _draw_text(bits, count, number, where.difficulty.value("text_share"))
    return Anatomy(
        kind=kind,
        reasoning=reasoning,
        golds=golds,
        bridges=bridges,
        citers=citers,
        lookalikes=tuple(likes),
        wrongs=wrongs,
        references=tuple(tuple(bits.shuffled(cited)) for cited in references),
        years=tuple(years),
        text=tuple(anatomy_text),
        order=(SEED, *bits.shuffled(range(1, count))),
    )


def _draw_count(bits: Bits, size: str, mean: int) -> int:
    """Right-skewed between the size's bounds: the lesser of two draws in 65 of 100 items."""
    low, high = (mean * percent // 100 for percent in _SPREAD[size])
    one, two = bits.between(low, high), bits.between(low, high)
    return min(one, two) if bits.percent(65) else one


def _draw_references(
    bits: Bits,
    size: str,
    count: int,
    golds: tuple[int, ...],
    likes: list[tuple[int, ...]],
    bridges: tuple[int, ...],
    citers: tuple[int, ...],
) -> list[list[int]]:
    """Who cites whom, as lists: the anatomy's own citations, then a place for every other paper."""
    references: list[list[int]] = [[] for _ in range(count)]
    for gold, citer, group in zip(golds, citers, likes, strict=True):
        references[citer] += [gold, *group]
    references[SEED] += bridges
    first_free = 1 + len(golds) + sum(map(len, likes)) + len(bridges)
    wanted = max(len(references[SEED]) + 2, isqrt(count * 100) * _REFERENCES[size] // 100)
    first_hop_end = min(count, first_free + wanted - len(references[SEED]))
    references[SEED] += range(first_free, first_hop_end)
    parents = list(references[SEED])
    for second_hop in range(first_hop_end, count):
        references[bits.choice(parents)].append(second_hop)
    return references


def _draw_years(bits: Bits, references: list[list[int]]) -> list[int]:
    """Years such that no paper cites a later one."""
    latest = bits.between(2019, 2026)
    years = [latest] * len(references)
    waiting = [SEED]
    for citing in waiting:
        for cited in references[citing]:
            years[cited] = years[citing] - min(bits.below(4), bits.below(6))
            waiting.append(cited)
    return years


def _add_shortcuts(
    bits: Bits, references: list[list[int]], years: list[int], golds: tuple[int, ...], depth: int
) -> None:
    """Citations beyond the tree: among the seed's references and their references, never into a deep gold."""
    citing_pool = references[SEED]
    closed = set(golds) if depth == 2 else set()
    for _ in range(len(references) // 2):
        citing = bits.choice(citing_pool)
        cited = bits.between(1, len(references) - 1)
        # Equal years go from the higher number to the lower, so that no two papers cite each other.
        later = years[citing] > years[cited] or (years[citing] == years[cited] and citing > cited)
        if (
            later
            and cited not in closed
            and cited not in references[citing]
            and citing not in references[cited]
        ):
            references[citing].append(cited)


def _draw_text(bits: Bits, count: int, required: int, share: int) -> list[bool]:
    """Which papers have text: the anatomy's own, then others up to the share."""
    wanted = max(required, count * share // 100)
    others = bits.sample(range(required, count), wanted - required)
    flags = [number < required for number in range(count)]
    for number in others:
        flags[number] = True
    return flags
