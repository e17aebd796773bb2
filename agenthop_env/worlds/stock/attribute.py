"""What an attribute is: values of a pattern, and the sentences that carry them.

A value is a pattern of slots. A slot is a range of whole numbers, a decimal range in tenths, or a list of phrases;
`@hard` and the like stand for a list of the item's area. Sentences and options hold the value as `{v}`, so that the
gold's text and the right option share its words and numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agenthop_env.worlds.stock import phrases


class Span(NamedTuple):
    """Numbers from `low` to `high` in steps; `digits` decimals are split off when printed."""

    low: int
    high: int
    step: int = 1
    digits: int = 0


Slot = Span | str | tuple[str, ...]


class Attribute(NamedTuple):
    """One thing that a paper can state of itself.

    Attributes:
        key: Short name, unique.
        value: Pattern with one `{}` a slot.
        slots: The slots.
        asked: Noun phrases for questions.
        option: What "its authors" did, past tense, with `{v}`.
        said: Sentences of the paper itself, with `{v}` and `{name}`, so that none is found in two papers.
        heads: Subsection headers under which it may stand.
    """

    key: str
    value: str
    slots: tuple[Slot, ...]
    asked: tuple[str, ...]
    option: str
    said: tuple[str, ...]
    heads: tuple[str, ...]


def attribute(
    key: str, value: str, slots: Sequence[Slot], asked: str, option: str, said: str, heads: str
) -> Attribute:
    """An attribute whose lists are given as texts with vertical bars."""
    return Attribute(key, value, tuple(slots), phrases(asked), option, phrases(said), phrases(heads))
