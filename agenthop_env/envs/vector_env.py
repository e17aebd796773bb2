"""Our own vector environment: one process, one corpus, thousands of episodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from agenthop_env.envs import render
from agenthop_env.envs.rollout import Rollout, plain_text
from agenthop_env.envs.setup import DataLike, Setup, one_of
from agenthop_env.envs.spaces import UnicodeText
from agenthop_env.envs.text_env import RENDER_MODES
from agenthop_env.envs.vector_info import InfoStack
from agenthop_env.records import Usage
from agenthop_env.sandbox.episode import Episode, Message

Flags = npt.NDArray[np.bool_]
Batch = tuple[str, ...]


class AgentHopVectorEnv(VectorEnv[Batch, Batch, npt.NDArray[Any]]):
    """Many `AgentHopEnv`s stepped together, with equal observations, rewards, flags and infos.

    Observations and actions are tuples of strings, as Gymnasium batches texts; actions may be any sequence of strings.
    Rewards are float64 and flags bool, each of shape `(num_envs,)`. Infos follow Gymnasium's convention: an array per
    key, and under `_key` the mask of the environments that have it.

    `autoreset_mode` is one of Gymnasium's: `NEXT_STEP` (its default) resets in the step after an episode's end and
    passes over the action sent there, `SAME_STEP` resets at once and keeps the last observation and info under
    `final_obs` and `final_info`, `DISABLED` leaves it to `reset(options={"reset_mask": mask})`, which wastes no
    generation and is the one for language models. There an environment whose episode is over may wait for the others
    with the action None: its observation, its end flags and no reward come back, and its info stays out.

    Args:
        num_envs: Number of environments, at least 1.
        data: What to play; see `AgentHopEnv`.
        autoreset_mode: An `AutoresetMode` or its value.
        max_episode_steps: Steps after which an episode is truncated, as `TimeLimit` does; None for no such limit.
        render_mode: See `AgentHopEnv`.
        **settings: All other arguments of `AgentHopEnv`.

    Raises:
        ValueError: If an argument is none of the known ones; the message lists them.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        data: DataLike = None,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs must be at least 1, not {num_envs}")
        if max_episode_steps is not None and max_episode_steps < 1:
            raise ValueError(f"max_episode_steps must be at least 1, not {max_episode_steps}")
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}  # type: ignore[misc]
        self.render_mode = render_mode
        self.setup = Setup(data, **settings)
        self.single_observation_space = UnicodeText()
        self.single_action_space = UnicodeText()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._max_steps = max_episode_steps
        self._rollouts = [Rollout(self.setup) for _ in range(num_envs)]
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._observations = [""] * num_envs
        self._steps = [0] * num_envs
        self._over = [False] * num_envs
        self._ends = [(False, False)] * num_envs
        self._printed = [0] * num_envs
        self._has_reset = False

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """The episode of each environment."""
        return tuple(rollout.playing() for rollout in self._rollouts)

    @property
    def messages(self) -> tuple[list[Message], ...]:
        """The chat of each environment so far; the episodes' own lists, not to be changed."""
        return tuple(rollout.playing().messages for rollout in self._rollouts)

    @property
    def tools(self) -> list[Message]:
        """JSON schemas of the tools in use, in OpenAI's shape."""
        return self.setup.tools

    def report_usage(self, usages: Sequence[Usage | None]) -> None:
        """Tell what each environment's next action cost to generate; None where it is not known.

        Args:
            usages: One per environment. They hold for the next step only.
        """
        if len(usages) != self.num_envs:
            raise ValueError(f"one usage per environment is expected, {self.num_envs}, not {len(usages)}")
        for rollout, usage in zip(self._rollouts, usages, strict=True):
            if usage is not None:
                rollout.report_usage(usage)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Batch, dict[str, Any]]:
        """Begin another episode in every environment, or in those of a mask.

        Args:
            seed: None, a number (the i-th environment gets `seed + i`), or one per environment.
            options: `reset_mask` (bool array of shape `(num_envs,)`): the environments to reset. `item_ids`: one id,
                or None to draw, per environment. `item_id`: one id for all of them.

        Returns:
            The observations of all environments, and the infos of those that were reset.

        Raises:
            ValueError: If the options or the number of seeds are not these.
        """
        options = dict(options or {})
        places = self._to_reset(options.pop("reset_mask", None))
        items = self._items(options.pop("item_ids", None), options)
        if seed is None or isinstance(seed, (int, np.integer)):
            seeds: Sequence[int | None] = [
                None if seed is None else int(seed) + place for place in range(self.num_envs)
            ]
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise ValueError(f"one seed per environment is expected, {self.num_envs}, not {len(seeds)}")
        infos = InfoStack(self.num_envs)
        for place in places:
            infos.add(place, self._reset(place, seeds[place], items[place]))
        self._has_reset = True
        return tuple(self._observations), infos.stacked()

    def step(
        self, actions: Iterable[str | None]
    ) -> tuple[Batch, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Play one assistant message in every environment.

        Args:
            actions: One message per environment. Environments that reset in this step pass theirs over; with
                `DISABLED` autoreset those whose episodes are over take None.

        Raises:
            ValueError: If there is not one action per environment.
            TypeError: If an action is not a string; nothing has been played then.
            ResetNeeded: If `reset` is due; with `DISABLED` autoreset also for single environments.
        """
        count, mode = self.num_envs, self.autoreset_mode
        if not self._has_reset:
            raise ResetNeeded("cannot call step() before reset()")
        if isinstance(actions, str):
            raise TypeError(f"actions are one message per environment, not one string: {actions!r:.100}")
        given = list(actions)
        if len(given) != count:
            raise ValueError(f"one action per environment is expected, {count}, not {len(given)}")
        waiting = self._waiting(given) if mode is AutoresetMode.DISABLED else frozenset()
        played = [
            action if type(action) is str else "" if place in waiting else plain_text(action)
            for place, action in enumerate(given)
        ]
        rewards: npt.NDArray[np.float64] = np.zeros(count, dtype=np.float64)
        terminations, truncations = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
        infos, finals = InfoStack(count), InfoStack(count)
        observations, steps, over, most = self._observations, self._steps, self._over, self._max_steps
        human, same_step = self.render_mode == "human", mode is AutoresetMode.SAME_STEP
        for place, rollout in enumerate(self._rollouts):
            if over[place]:
                if place in waiting:
                    terminations[place], truncations[place] = self._ends[place]
                else:
                    infos.add(place, self._reset(place, None, None))
                continue
            observation, reward, terminated, info = rollout.step(played[place])
            observations[place] = observation
            if human:
                self._print_new(place)
            if reward:
                rewards[place] = reward
            steps[place] += 1
            truncated = most is not None and steps[place] >= most
            if terminated or truncated:
                terminations[place], truncations[place] = self._ends[place] = terminated, truncated
                over[place] = True
                if same_step:
                    finals.add(place, {"final_obs": observation, "final_info": info})
                    info = self._reset(place, None, None)
            infos.add(place, info)
        return (
            tuple(observations),
            rewards,
            terminations,
            truncations,
            {**infos.stacked(), **finals.stacked()},
        )

    def render(self) -> tuple[str | None, ...]:  # type: ignore[override]
        """The conversation of each environment as text with `"ansi"`; else a None for each."""
        if self.render_mode == "ansi":
            return tuple(render.as_text(messages) for messages in self.messages)
        return (None,) * self.num_envs

    def _reset(self, place: int, seed: int | None, item: Mapping[str, Any] | None) -> dict[str, Any]:
        generator = self._generators[place]
        if seed is not None or generator is None:
            generator, _ = seeding.np_random(seed)
            self._generators[place] = generator
        self._observations[place], info = self._rollouts[place].reset(generator, seed, item)
        self._steps[place] = 0
        self._over[place] = False
        if self.render_mode == "human":
            self._printed[place] = 0
            self._print_new(place)
        return info

    def _waiting(self, given: Sequence[str | None]) -> frozenset[int]:
        """The environments whose episodes are over and that are sent nothing."""
        if not any(self._over):
            return frozenset()
        over = [place for place, is_over in enumerate(self._over) if is_over]
        if len(over) == self.num_envs:
            raise ResetNeeded("all episodes are over; call reset() before step()")
        sent = [place for place in over if given[place] is not None]
        if sent:
            shown = f"{', '.join(map(str, sent[:8]))}{', ...' * (len(sent) > 8)}"
            raise ResetNeeded(
                f"the episodes of {len(sent)} environments are over ({shown}); "
                'call reset(options={"reset_mask": mask}) for them before step(), or send them None'
            )
        return frozenset(over)

    def _to_reset(self, mask: Any) -> Sequence[int]:
        """Numbers of the environments to reset."""
        if mask is None:
            return range(self.num_envs)
        if isinstance(mask, (list, tuple)):
            mask = np.array(mask)
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(
                f'options["reset_mask"] must be a bool array of shape ({self.num_envs},), not {mask!r}'
            )
        if not mask.any():
            raise ValueError('options["reset_mask"] must be True for at least one environment')
        places: list[int] = np.flatnonzero(mask).tolist()
        if not self._has_reset and len(places) < self.num_envs:
            raise ResetNeeded("the first reset() must reset every environment")
        return places

    def _items(self, item_ids: Any, options: dict[str, Any]) -> Sequence[Mapping[str, Any] | None]:
        """The options of each environment's own reset."""
        if item_ids is None:
            return [options or None] * self.num_envs
        if "item_id" in options or isinstance(item_ids, str) or len(item_ids) != self.num_envs:
            raise ValueError(
                f'options["item_ids"] must be {self.num_envs} ids, without an "item_id" beside them'
            )
        corpus = self.setup.corpus
        unknown = [item_id for item_id in item_ids if item_id is not None and item_id not in corpus]
        if unknown:
            shown = ", ".join(corpus.ids[:3])
            raise ValueError(
                f'options["item_ids"]: {corpus.name} has no item {unknown[0]!r}; it has {shown}, ...'
            )
        return [{**options, "item_id": item_id} for item_id in item_ids]

    def _print_new(self, place: int) -> None:
        messages = self._rollouts[place].playing().messages
        render.show(messages[self._printed[place] :])
        self._printed[place] = len(messages)
