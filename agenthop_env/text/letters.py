"""Answer letters: what a submitted string chooses."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from agenthop_env.rules import OPTION_COUNT, OPTION_LETTERS

_LETTER: Final = re.compile(r"\(?([A-Da-d])\)?\s*[.):]?")
"""Matched after stripping: blanks on both sides of an optional sign would take quadratic time on long ones."""


def parse_option(text: str) -> int | None:
    """Index (0..3) of the option that `text` names, None where the whole string is not one letter.

    Args:
        text: The submitted option, e.g. ``"B"``, ``"(b)"`` or ``"B."``; ``"Option B"`` names none.
    """
    match = _LETTER.fullmatch(text.strip())
    return OPTION_LETTERS.index(match[1].upper()) if match else None


def letter(index: int) -> str:
    """Letter of the option at `index` (0..3)."""
    return OPTION_LETTERS[index]


def option_order(seed: int | None, item_id: str) -> tuple[int, ...]:
    """A permutation of the four options, the same for a seed and an item on every machine."""
    number = int.from_bytes(
        sha256(f"options|{seed}|{item_id}".encode("utf-8", "surrogatepass")).digest()[:8], "big"
    )
    left = list(range(OPTION_COUNT))
    order = []
    for size in range(OPTION_COUNT, 0, -1):
        number, place = divmod(number, size)
        order.append(left.pop(place))
    return tuple(order)
