"""The habits by name, and mixtures of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

from agenthop_env.agents.draws import Draws
from agenthop_env.demonstrations.expert import Expert
from agenthop_env.demonstrations.habits import (
    CitationsFirst,
    Early,
    Parallel,
    Recover,
    SearchFirst,
    Verify,
)
from agenthop_env.demonstrations.imperfect import Guesser, Hasty, Wanderer


class Habit(NamedTuple):
    """A way of playing.

    Attributes:
        description: One line on what it does.
        expert: The class that plays it.
        weight: Its weight in the default mixture.
    """

    description: str
    expert: type[Expert]
    weight: float


HABITS: Final[dict[str, Habit]] = {
    "verify": Habit("reads the evidence, takes a second look, commits", Verify, 3),
    "parallel": Habit("asks for what is independent in one message", Parallel, 3),
    "early": Habit("commits as soon as the evidence is read", Early, 3),
    "recover": Habit("reads a wrong paper or section first, notices, goes back", Recover, 2),
    "search_first": Habit("searches before it follows citations", SearchFirst, 2),
    "citations_first": Habit("compares who cites what, and abstracts, first", CitationsFirst, 2),
    "hasty": Habit("commits before all evidence is read", Hasty, 2),
    "wanderer": Habit("wastes points before it gets to the question", Wanderer, 2),
    "guesser": Habit("guesses after a cheap call or none", Guesser, 1),
}
"""The habits by name, with the default mixture's weights."""

Mixture = Mapping[str, float]
"""Habit -> weight; only ratios count."""

DEFAULT_MIXTURE: Final[dict[str, float]] = {name: habit.weight for name, habit in HABITS.items()}

_STEPS: Final = 1 << 53


def mixture(weights: Mixture | str | None = None) -> dict[str, float]:
    """A mixture as weights that sum to 1, in the order of `HABITS`.

    Args:
        weights: Habit -> weight of 0 or more, or the same as text such as ``"verify=2,early=1"`` (a habit without a
            weight has 1), or None for the default mixture.

    Raises:
        ValueError: If a habit is unknown, a weight is none, or all are 0.
    """
    given = DEFAULT_MIXTURE if weights is None else _parsed(weights) if isinstance(weights, str) else weights
    unknown = [name for name in given if name not in HABITS]
    if unknown:
        raise ValueError(f"no habit {', '.join(map(repr, unknown))}; there are {', '.join(HABITS)}")
    for name, weight in given.items():
        if isinstance(weight, bool) or not math.isfinite(weight) or weight < 0:
            raise ValueError(f"the weight of habit {name} must be a number of 0 or more, not {weight!r}")
    total = math.fsum(given.values())
    if not total > 0:
        raise ValueError("a mixture needs a habit with a weight above 0, such as verify=2,early=1")
    return {name: given[name] / total for name in HABITS if given.get(name)}


def draw_habit(shares: Mapping[str, float], draws: Draws) -> str:
    """One habit of a mixture whose weights sum to 1."""
    place = draws.below(_STEPS) / _STEPS
    for name, share in shares.items():
        place -= share
        if place < 0:
            return name
    return list(shares)[-1]  # what rounding leaves


def _parsed(text: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = part.partition("=")
        name = name.strip()
        if name in weights:
            raise ValueError(f"habit {name} is given twice in {text!r}")
        try:
            weights[name] = float(value) if equals else 1.0
        except ValueError:
            raise ValueError(
                f"{part!r} is no habit with its weight; expected is NAME=NUMBER, such as verify=2"
            ) from None
    return weights
