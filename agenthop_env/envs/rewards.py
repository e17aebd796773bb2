"""Rewards: what a step is worth (protocol section 6).

Every reward is computed from the structured calls and from what `Episode` credited at delivery, never from the text of
the transcript. Ranges are those of an episode's sum; every step's reward is a float, and the sum of an episode's steps
is its return. Turns of a replayed prefix earn nothing.

| name | pays | range | farming |
|---|---|---|---|
| `outcome` | c on the last step | 0 or 1 | nothing to farm; guessing pays 1/4 on average |
| `outcome_chance_corrected` | (c - 1/4) / (3/4) on the last step | -1/3 or 1 | guessing and giving up pay 0 and -1/3 on average |
| `outcome_gated` | c on the last step, if every gold paper was delivered | 0 or 1 | a guess without the evidence pays 0 |
| `retrieval` | first deliveries: half for gold papers, half for direct labels | 0 to 1 | repeats pay nothing; blind reading of many sections can earn some |
| `commitment` | `outcome` less stated costs, see below | -0.8 to 1 | guessing at once pays -1/8 on average, never answering -1/2 |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.envs.scorers import (
    NON_SUBMISSION,
    OVER_SEARCH_MOST,
    ChanceCorrectedOutcome,
    Commitment,
    FromFunction,
    GatedOutcome,
    Mixture,
    Outcome,
    Retrieval,
    RewardFunction,
    Scorer,
)
from agenthop_env.rules import CHANCE
from agenthop_env.sandbox.episode import Episode, Turn


class Reward(NamedTuple):
    """A reward: what scores an episode, and the range of an episode's sum.

    Attributes:
        begin: Makes the scorer of an episode that is about to be played.
        low: Lowest sum that an episode can have; None where it is not known.
        high: Highest.
    """

    begin: Callable[[Episode], Scorer]
    low: float | None = None
    high: float | None = None


def _same(scorer: Scorer, episode: Episode) -> Scorer:
    """The scorer of every episode where none keeps anything from step to step."""
    return scorer


_OUTCOME = Outcome()

REWARDS: Final[dict[str, Reward]] = {
    "outcome": Reward(partial(_same, _OUTCOME), 0.0, 1.0),
    "outcome_chance_corrected": Reward(partial(_same, ChanceCorrectedOutcome()), -CHANCE / (1 - CHANCE), 1.0),
    "outcome_gated": Reward(partial(_same, GatedOutcome()), 0.0, 1.0),
    "retrieval": Reward(Retrieval, 0.0, 1.0),
    "commitment": Reward(Commitment, -(NON_SUBMISSION + OVER_SEARCH_MOST), 1.0),
}
"""The rewards by name."""

RewardLike = str | Mapping[str, float] | RewardFunction

POTENTIALS: Final = ("recall", "section_recall", "retrieval")
"""Share of gold papers delivered; share of gold papers with a satisfied direct label; `Retrieval.value`."""


class Shaping(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Potential-based shaping on top of `outcome`: scale * (discount * potential after - potential before).

    The potential counts as zero at every ending, so with the learner's own discount the best policies stay the best.
    At discount 1 the shaping of an episode sums to minus the potential that it began with: 0, unless a prefix
    delivered evidence. An episode that a wrapper truncates has no ending here; a learner bootstraps there.

    Attributes:
        potential: One of `POTENTIALS`, all between 0 and 1.
        discount: The learner's discount, over 0 and at most 1.
        scale: Factor of the potential, 0 or more.

    Raises:
        ValueError: If a value is none of these.
    """

    potential: str
    discount: float
    scale: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what would be no potential."""
        if self.potential not in POTENTIALS:
            raise ValueError(
                f"shaping.potential must be one of {', '.join(POTENTIALS)}, not {self.potential!r}"
            )
        if not 0 < self.discount <= 1:
            raise ValueError(f"shaping.discount must be over 0 and at most 1, not {self.discount!r}")
        if not (math.isfinite(self.scale) and self.scale >= 0):
            raise ValueError(f"shaping.scale must be a number of 0 or more, not {self.scale!r}")


class ShapedOutcome:
    """`outcome` plus what a `Shaping` adds."""

    __slots__ = ("before", "retrieval", "shaping")

    def __init__(self, shaping: Shaping, episode: Episode) -> None:
        self.shaping = shaping
        self.retrieval = Retrieval(episode)
        self.before = self._potential(episode)

    def step(self, episode: Episode, turn: Turn) -> float:
        """See the class."""
        after = self._potential(episode) if turn.ending is None else 0.0
        added = self.shaping.discount * after - self.before
        self.before = after
        return _OUTCOME.step(episode, turn) + self.shaping.scale * added

    def _potential(self, episode: Episode) -> float:
        evidence, name = episode.evidence, self.shaping.potential
        if name == "retrieval":
            return self.retrieval.value(episode)
        reached = evidence.golds if name == "recall" else evidence.satisfied
        return len(reached) / evidence.gold_count if evidence.gold_count else 0.0


def make_reward(reward: RewardLike = "outcome", shaping: Shaping | Mapping[str, Any] | None = None) -> Reward:
    """A reward from what a user gives.

    Args:
        reward: A name of `REWARDS`, a mapping from names to weights, or a function of a `StepRecord`.
        shaping: A `Shaping`, or a mapping with its fields; only on top of ``"outcome"``.

    Raises:
        ValueError: If there is no such reward or shaping; the message lists those that there are.
        TypeError: If it is none of these.
    """
    if shaping is not None:
        if reward != "outcome":
            raise ValueError(f"shaping goes on top of reward='outcome' only, not of {reward!r}")
        return _shaped(shaping)
    if isinstance(reward, str):
        return _named(reward)
    if isinstance(reward, Mapping):
        return _mixture(reward)
    if callable(reward):
        return Reward(partial(_same, FromFunction(reward)))
    raise TypeError(
        f"reward must be a name, a mapping from names to weights, or a function, not {type(reward).__name__}"
    )


def _named(name: str) -> Reward:
    if name not in REWARDS:
        raise ValueError(f"unknown reward {name!r}; known are {', '.join(REWARDS)}")
    return REWARDS[name]


def _mixture(weights: Mapping[str, float]) -> Reward:
    if not weights:
        raise ValueError(f"a mixture needs at least one reward; known are {', '.join(REWARDS)}")
    parts = [(name, _named(name), weight) for name, weight in weights.items()]
    for name, _, weight in parts:
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not math.isfinite(weight):
            raise ValueError(f"the weight of {name} must be a finite number, not {weight!r}")
    ends = [sorted((weight * (one.low or 0.0), weight * (one.high or 0.0))) for _, one, weight in parts]
    return Reward(
        partial(_begin_mixture, [(float(weight), one.begin) for _, one, weight in parts]),
        sum(low for low, _ in ends),
        sum(high for _, high in ends),
    )


def _begin_mixture(parts: list[tuple[float, Callable[[Episode], Scorer]]], episode: Episode) -> Mixture:
    return Mixture([(weight, begin(episode)) for weight, begin in parts])


def _shaped(shaping: Shaping | Mapping[str, Any]) -> Reward:
    if not isinstance(shaping, Shaping):
        try:
            shaping = msgspec.convert(dict(shaping), Shaping)
        except msgspec.ValidationError as problem:
            raise ValueError(
                f"shaping: {problem}; it is {{'potential': one of {', '.join(POTENTIALS)}, 'discount': over 0 and at "
                "most 1, 'scale': 0 or more}"
            ) from None
    return Reward(partial(ShapedOutcome, shaping))
