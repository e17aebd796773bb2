"""How experts put their moves into words: templates by situation, filled only with what has been shown."""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import Final, Literal, get_args

from agenthop_env.agents.draws import Draws
from agenthop_env.demonstrations.phrases import PHRASES

Thoughts = Literal["prose", "brief", "none"]
"""What stands before the calls of a message: sentences, two or three key words, or nothing."""

THOUGHTS: Final[tuple[str, ...]] = get_args(Thoughts)

_FORMATTER: Final = string.Formatter()


def _slots(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in _FORMATTER.parse(template) if name)


_TEMPLATES: Final = {
    situation: tuple((template, _slots(template)) for template in templates)
    for situation, templates in PHRASES.items()
}


class Voice:
    """Picks words.

    Args:
        draws: Chance of its own, so that words never change moves.
    """

    def __init__(self, draws: Draws) -> None:
        self._draws = draws

    def say(self, situation: str, **slots: str) -> str:
        """A sentence or two for a situation.

        Args:
            situation: A key of `PHRASES`.
            slots: What may be filled in. A template that needs one that is empty is not picked.

        Returns:
            The text; empty where no template can be filled.
        """
        given = {name for name, value in slots.items() if value}
        fitting = [template for template, needed in _TEMPLATES[situation] if needed <= given]
        return self._draws.pick(fitting).format(**slots) if fitting else ""

    def sometimes(self, one_in: int) -> bool:
        """True once in so many times."""
        return self._draws.below(one_in) == 0


def joined(parts: Iterable[str]) -> str:
    """Parts of a message in order, the empty ones left out."""
    return " ".join(part for part in parts if part)


def listed(parts: Iterable[str]) -> str:
    """`one`, `one and two`, `one, two and three`."""
    some = [part for part in parts if part]
    return some[0] if len(some) == 1 else f"{', '.join(some[:-1])} and {some[-1]}" if some else ""
