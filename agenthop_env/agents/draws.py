"""Chance that is the same on every machine and in every version of Python."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """A stream of draws that depends on nothing but its key.

    Args:
        key: What the stream is for, e.g. a seed and an item's id.
    """

    def __init__(self, *key: object) -> None:
        self._key = "|".join(map(str, key)).encode("utf-8", "surrogatepass")
        self._count = 0

    def below(self, size: int) -> int:
        """A whole number from 0 to `size` - 1, all equally likely.

        Raises:
            ValueError: If `size` is not positive.
        """
        if size < 1:
            raise ValueError(f"a draw is from 1 possibility or more, not {size}")
        digest = sha256(self._key + b"|%d" % self._count).digest()
        self._count += 1
        return int.from_bytes(digest[:16], "big") % size  # the bias, size / 2**128, is no bias

    def pick(self, choices: Sequence[T]) -> T:
        """One of some choices, all equally likely."""
        return choices[self.below(len(choices))]
