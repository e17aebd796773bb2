"""The running state of one environment: its episode, what scores it, what chooses the next item.

`AgentHopEnv` has one and `AgentHopVectorEnv` has many, so that the same seeds and actions give the same games in both.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium.error import ResetNeeded

from agenthop_env.envs.info import Facts
from agenthop_env.envs.scorers import Scorer
from agenthop_env.envs.setup import Setup
from agenthop_env.records import Usage
from agenthop_env.sandbox.episode import Episode
from agenthop_env.scoring.evidence import NOTHING

OPTIONS: Final = ("item_id",)
"""What `reset(options=...)` may hold."""

_SEEDS: Final = 1 << 31


class Rollout:
    """One environment's game, episode after episode.

    Args:
        setup: What is played.

    Attributes:
        episode: The episode, None before the first reset.
    """

    __slots__ = ("_facts", "_scorer", "_setup", "_usage", "episode", "place")

    _facts: Facts
    _scorer: Scorer

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._usage: Usage | None = None
        self.episode: Episode | None = None
        self.place = 0
        """Place of the next item where they are played in sequence."""

    def reset(
        self, generator: np.random.Generator, seed: int | None, options: Mapping[str, Any] | None
    ) -> tuple[str, dict[str, Any]]:
        """Begin another episode.

        Args:
            generator: Source of chance: one draw for the item unless it is chosen or in sequence, and one more for
                the options' order if that is shuffled.
            seed: The seed that the generator was just made from, None if it goes on.
            options: None or a mapping of `OPTIONS`.

        Raises:
            ValueError: If the options are not those; the message says what is known.
        """
        setup = self._setup
        if seed is not None:
            self.place = seed
        item_id = None if options is None else _item_id(options)
        if item_id is None:
            item_id = self._next_item(generator)
        elif item_id not in setup.corpus:
            shown = ", ".join(setup.corpus.ids[:3])
            raise ValueError(
                f'options["item_id"]: {setup.corpus.name} has no item {item_id!r}; it has {shown}, ...'
            )
        if setup.shuffle_options:
            seed = int(generator.integers(_SEEDS))
        episode = self.episode = setup.start(item_id, seed)
        self._usage = None
        self._scorer = setup.reward.begin(episode)
        self._facts = Facts.of(episode)
        info = setup.make_info(self._facts, episode, (), tuple(episode.messages), NOTHING)
        if setup.level != "none":
            info["tools"] = setup.tools
            info["prefix_turns"] = episode.prefix_turns
        return _opening(episode), info

    def step(self, action: str) -> tuple[str, float, bool, dict[str, Any]]:
        """Play one assistant message: what is seen next, the reward, whether the episode is over, `info`.

        Raises:
            TypeError: If the action is not a string.
            ResetNeeded: If there is no episode, or it is over.
        """
        if type(action) is not str:
            action = plain_text(action)
        episode = self.episode
        if episode is None or episode.ending is not None:
            raise self._no_step()
        usage, self._usage = self._usage, None
        turn = episode.turn(action, None, usage)
        reward = self._scorer.step(episode, turn)
        info = self._setup.make_info(self._facts, episode, turn.results, turn.messages, turn.credit)
        return turn.observation, reward, turn.ending is not None, info

    def report_usage(self, usage: Usage) -> None:
        """Count these tokens in the next step instead of the environment's own count.

        Raises:
            TypeError: If it is no `Usage`.
        """
        if not isinstance(usage, Usage):
            raise TypeError(f"report_usage takes a Usage, not {type(usage).__name__}")
        self._usage = usage

    def playing(self) -> Episode:
        """The episode.

        Raises:
            ResetNeeded: If there is none yet.
        """
        if self.episode is None:
            raise ResetNeeded("there is no episode yet; call reset() first")
        return self.episode

    def fork(self) -> Rollout:
        """An independent copy: playing on either changes nothing in the other."""
        other = copy.copy(self)
        if self.episode is not None:
            other.episode = self.episode.fork()
            other._scorer = copy.deepcopy(self._scorer)
        return other

    def _next_item(self, generator: np.random.Generator) -> str:
        ids = self._setup.ids
        if self._setup.order == "sequential":
            place = self.place
            self.place = place + 1
            return ids[place % len(ids)]
        return ids[int(generator.integers(len(ids)))]

    def _no_step(self) -> ResetNeeded:
        if self.episode is None:
            return ResetNeeded("cannot call step() before reset()")
        return ResetNeeded(
            f"the episode on {self.episode.item_id} is over ({self.episode.ending}); call reset() before step()"
        )


def plain_text(action: Any) -> str:
    """An action as a plain string, which it is already or is a subclass of (NumPy has one).

    Raises:
        TypeError: If it is no string.
    """
    if isinstance(action, str):
        return str.__str__(action)
    raise TypeError(
        f"an action is a string, the assistant's message, not {type(action).__name__}: {action!r:.100}"
    )


def _item_id(options: Mapping[str, Any]) -> str | None:
    """The item that the options ask for, None where they ask for none."""
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise ValueError(f"unknown reset option {unknown[0]!r}; known are {', '.join(OPTIONS)}")
    item_id = options.get("item_id")
    if item_id is not None and not isinstance(item_id, str):
        raise ValueError(f'options["item_id"] must be a string, not {type(item_id).__name__}')
    return item_id


def _opening(episode: Episode) -> str:
    """What the policy sees first: the prompt and, after a prefix, the conversation so far."""
    if not episode.prefix_turns:
        return episode.opening
    return "\n\n".join([message["content"] for message in episode.messages if message["content"]])
