"""Coined names: every paper of a world, over all its splits, has one of its own.

A paper's place (split, index, number) is scrambled by a keyed permutation of 34-bit numbers and spelled out. The
spelling can be read back, since runs of consonants and vowels alternate, so two places never share a name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from agenthop_env.worlds.coordinates import MAX_INDEX, SPLITS, Coordinates, Stage
from agenthop_env.worlds.stock import names

_HALF: Final = 17
_MASK: Final = (1 << _HALF) - 1
_NUMBER_BITS: Final = 11
"""Room for 2,048 papers in an item."""

_INDEX_BITS: Final = 20
_ROUNDS: Final = 4


def namer(where: Coordinates, index: int) -> Callable[[int], str]:
    """Names of the papers of one item, by number.

    Args:
        where: The world's coordinates.
        index: The item.
    """
    keys = _keys(where._replace(split=SPLITS[0]))
    place = (SPLITS.index(where.split) << _INDEX_BITS | index) << _NUMBER_BITS

    def name(number: int) -> str:
        code = place | number
        left, right = code >> _HALF, code & _MASK
        for key in keys:
            mixed = (right ^ key) * 0x9E3779B1 + (key >> _HALF)
            left, right = right, left ^ ((mixed >> 15 ^ mixed) & _MASK)
        return spelled(left << _HALF | right)

    return name


@lru_cache(maxsize=64)
def _keys(where: Coordinates) -> tuple[int, ...]:
    """Keys of the rounds; the splits of a world share them."""
    return tuple(word >> 30 for word in where.bits(MAX_INDEX + 1, Stage.NAMING).words(_ROUNDS))


_PARTS: Final = tuple(
    tuple(first + second for second in seconds for first in firsts)
    for firsts, seconds in zip(names.SYLLABLES[::2], names.SYLLABLES[1::2], strict=True)
)
"""Sounds in pairs."""


def spelled(code: int) -> str:
    """A number below 2**34 as a word that is no word."""
    one, two, three, four = _PARTS
    return (
        one[code & 0x1FF] + two[code >> 9 & 0xFF] + three[code >> 17 & 0xFF] + four[code >> 25 & 0x1FF]
    ).capitalize()
