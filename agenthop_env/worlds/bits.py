"""Raw random bits and the few draws made from them.

Every draw is integer arithmetic on 64-bit words of a PCG64 generator seeded through `SeedSequence`. Both are fixed
algorithms that NumPy promises to keep; its distributions are not, so none is used here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final, TypeVar

import numpy as np
from numpy.random import PCG64, SeedSequence

T = TypeVar("T")

_FIRST_BLOCK: Final = 64
_LARGEST_BLOCK: Final = 1024


class Bits:
    """A stream of raw 64-bit words with integer draws on top.

    Args:
        words: 32-bit entropy words, the stream's whole identity. Callers give every stream the same number of
            words, so that no two coordinates run together.
    """

    __slots__ = ("word",)

    word: Callable[[], int]
    """Gives the next 64 bits as a whole number."""

    def __init__(self, words: Sequence[int]) -> None:
        self.word = chain.from_iterable(_blocks(words)).__next__

    def words(self, count: int) -> list[int]:
        """The next `count` words."""
        word = self.word
        return [word() for _ in range(count)]

    def below(self, limit: int) -> int:
        """A whole number from 0 to `limit - 1`; the bias is under `limit / 2**64`."""
        return self.word() % limit

    def between(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + self.word() % (high - low + 1)

    def percent(self, chance: int) -> bool:
        """True in `chance` of 100 draws."""
        return self.word() % 100 < chance

    def choice(self, items: Sequence[T]) -> T:
        """One element."""
        return items[self.word() % len(items)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A copy in random order (Fisher-Yates from the end)."""
        mixed, word = list(items), self.word
        for last in range(len(mixed) - 1, 0, -1):
            other = word() % (last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """`count` distinct positions of `items`, in random order.

        Raises:
            ValueError: If there are fewer than `count`.
        """
        if count > len(items):
            raise ValueError(f"cannot sample {count} of {len(items)}")
        size, word = len(items), self.word
        if count * 5 < size:
            # Few of many: draw again what was drawn before, rather than copy them all.
            places: list[int] = []
            while len(places) < count:
                place = word() % size
                if place not in places:
                    places.append(place)
            return [items[place] for place in places]
        mixed = list(items)
        for at in range(count):
            other = at + word() % (size - at)
            mixed[at], mixed[other] = mixed[other], mixed[at]
        return mixed[:count]

    def weighted(self, weights: Sequence[int]) -> int:
        """An index, drawn in proportion to whole-number weights."""
        return pick_weighted(self.word(), weights)


def _blocks(words: Sequence[int]) -> Iterator[list[int]]:
    """The endless stream of one seed sequence, fetched in blocks that grow, since most streams are short."""
    generator = PCG64(SeedSequence(np.array(words, dtype=np.uint32)))
    size = _FIRST_BLOCK
    while True:
        yield generator.random_raw(size).tolist()
        size = min(4 * size, _LARGEST_BLOCK)


def pick_weighted(word: int, weights: Sequence[int]) -> int:
    """The index that one raw word picks among whole-number weights.

    Raises:
        ValueError: If no weight is positive.
    """
    total = sum(weights)
    if total <= 0:
        raise ValueError("no weight is positive")
    left = word % total
    for index, weight in enumerate(weights):
        if left < weight:
            return index
        left -= weight
    raise AssertionError("unreachable: the weights sum to the total")
