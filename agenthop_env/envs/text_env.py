"""The text environment: one episode at a time, strings in, strings out."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np

from agenthop_env.envs import render
from agenthop_env.envs.prefix import PrefixLike
from agenthop_env.envs.rewards import RewardLike, Shaping
from agenthop_env.envs.rollout import Rollout
from agenthop_env.envs.setup import DataLike, Setup, one_of
from agenthop_env.envs.spaces import UnicodeText
from agenthop_env.records import Usage
from agenthop_env.rules import Limits
from agenthop_env.sandbox.episode import Episode, Message
from agenthop_env.sandbox.prompts import PromptSet

RENDER_MODES = ("ansi", "human")


class AgentHopEnv(gymnasium.Env[str, str]):
    """An agent walks a citation graph under a cost ledger to answer a four-option question (arXiv 2609.34428).

    ## Description

    One item is one question about the scientific literature. The agent starts from a seed paper, of which it knows
    the id and the title. The evidence stands in one to three gold papers that the seed cites, directly or through a
    bridge paper. Seven tools search, list and read the papers within two citation steps (`get_paper_info`,
    `get_references`, `search_papers`, `list_sections`: 1 point each; `read_section`: 5; `think` and `submit_answer`:
    free). The rules are `agenthop_env.Episode`'s; this class has none of its own.

    ## Action Space

    `UnicodeText`: one assistant message. Tool calls in it are parsed in the form that `tool_format` names; several
    calls in one message run in order. Any string is legal: text without a call uses the turn and is answered with a
    reminder, malformed calls are answered with what is wrong.

    ## Observation Space

    `UnicodeText`: at reset the system prompt and the first user message, joined by a blank line; after a step the
    results in call order, each ending in a status line (`Turn: 3  |  Tokens used: 21,480  |  Budget used: 9`),
    joined by blank lines, then any reminder. The same in chat form is `env.unwrapped.messages`, and
    `info["messages"]` what a step appended to it. `info` is described in `agenthop_env.envs.info`.

    ## Rewards

    `reward` names one of these, mixes them (`{"outcome": 1.0, "retrieval": 0.2}`), or is a function of a
    `StepRecord`. Ranges are those of an episode's sum; what each can be farmed for stands in
    `agenthop_env.envs.rewards`.

    - `"outcome"` (default): 1 on the last step if the gold option was submitted, else 0.
    - `"outcome_chance_corrected"`: (c - 1/4) / (3/4) on the last step: -1/3 or 1, 0 for a guess on average.
    - `"outcome_gated"`: 1 only if text of every gold paper was delivered as well.
    - `"retrieval"`: first deliveries, half for gold papers and half for direct labels; 0 to 1.
    - `"commitment"`: outcome less costs for a wrong submission before full recall (0.5), for points spent after
      full section recall (0.01 each, 0.3 at most) and for no submission (0.5); -0.8 to 1.

    `shaping={"potential": "recall", "discount": 1.0}` adds potential-based shaping to `"outcome"`; the potential is
    zero at every ending.

    ## Starting State

    `reset` draws an item with the environment's generator, or takes the next one if `order="sequential"`, where
    `reset(seed=k)` starts at the k-th. `reset(options={"item_id": "st_0001"})` plays that item. With a `prefix`, its
    turns have been replayed: the ledger is charged, and the first observation holds the conversation so far.

    ## Episode End

    Terminated: an answer was submitted (`answer`), a turn ended on two rejected calls in a row (`budget`), the turns
    are used up (`max_turns`), the tokens are over the cap (`token_limit`), or, with `stop_on_evidence`, every gold
    paper was delivered (`evidence`). The caps are part of the task, and the agent sees them: a learner must not
    bootstrap past them. Truncated: never, except by a wrapper such as `TimeLimit`.

    ## Arguments

    ```python
    >>> import agenthop_env, gymnasium as gym
    >>> env = gym.make("AgentHop-v0", reward="outcome")  # doctest: +SKIP

    ```

    | id | differs in |
    |---|---|
    | `AgentHop-v0` | |
    | `AgentHopNoSearch-v0` | `search="none"`: no `search_papers` |
    | `AgentHopClosedBook-v0` | `strategy="closed_book"`: one turn, `submit_answer` alone |
    | `AgentHopRetrieval-v0` | `stop_on_evidence=True`, `reward="retrieval"` |
    | `AgentHopCommit-v0` | `prefix="gold"`, `reward="commitment"` |

    ## Vectorized environment

    `gym.make_vec("AgentHop-v0", num_envs=4096)` makes an `AgentHopVectorEnv`: one process, one corpus, any number
    of episodes. `vectorization_mode="sync"` works too, and `"async"` with
    `vector_kwargs={"shared_memory": False}`; all three play identical games.

    ## Version History

    - v0: Initial version (release 0.1).

    Args:
        data: What to play: anything `open_corpus` takes, or a `Corpus`; None for the embedded default.
        items: Ids to draw from; None for all.
        split: Play only `train`, `validation` or `test` items; None for whatever `data` holds.
        order: `"random"` or `"sequential"`: how `reset` picks items.
        reward: See Rewards.
        shaping: See Rewards.
        diagnostics: How much `info` tells: `"full"`, `"public"` or `"none"`. With the latter two nothing in it
            depends on the gold.
        limits: The caps, as `Limits` or a dict; 30 points, 20 turns, 200,000 tokens.
        token_accounting: `"total"` (the paper's), or `"uncached"`: prompt tokens that a cache served do not count.
        token_counter: Counts tokens where none are reported: None (characters / 4), a tokenizer with a chat
            template, a `TokenCounter`, or a function from a text to a number.
        tool_format: How calls are written in an action: `"auto"`, or one of `agenthop_env.actions.FORMATS`.
        tool_mode: `"text"` if the prompt is to say how calls are written, `"native"` if the policy gets
            `info["tools"]` through its chat template.
        disabled_tools: Tools that are not offered and refused.
        search: Ranking of `search_papers`: `"overlap"` (the protocol's), `"bm25"`, or `"none"` to go without.
        strategy: System prompt: `"full"`, `"react"`, `"plan"` or `"closed_book"`.
        prompts: A `PromptSet` or a folder of texts; None for the built-in one.
        shuffle_options: Show the options in an order drawn anew at each reset.
        stop_on_evidence: End as `evidence` once every gold paper is delivered.
        prefix: Turns to replay at reset: `"gold"`, a run folder, a mapping from item ids to messages, records, or a
            function from an item to messages; None for none.
        render_mode: `"ansi"`: `render` returns the conversation as text. `"human"`: it is printed as it grows.

    Raises:
        ValueError: If an argument is none of the known ones; the message lists them.
        CorpusError: If there is nothing to play at `data`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        data: DataLike = None,
        *,
        items: Sequence[str] | None = None,
        split: str | None = None,
        order: str = "random",
        reward: RewardLike = "outcome",
        shaping: Shaping | Mapping[str, Any] | None = None,
        diagnostics: str = "full",
        limits: Limits | Mapping[str, int] | None = None,
        token_accounting: str = "total",
        token_counter: Any = None,
        tool_format: str = "auto",
        tool_mode: str = "text",
        disabled_tools: Iterable[str] = (),
        search: str = "overlap",
        strategy: str = "full",
        prompts: PromptSet | str | os.PathLike[str] | None = None,
        shuffle_options: bool = False,
        stop_on_evidence: bool = False,
        prefix: PrefixLike | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.setup = Setup(
            data,
            items=items,
            split=split,
            order=order,
            reward=reward,
            shaping=shaping,
            diagnostics=diagnostics,
            limits=limits,
            token_accounting=token_accounting,
            token_counter=token_counter,
            tool_format=tool_format,
            tool_mode=tool_mode,
            disabled_tools=disabled_tools,
            search=search,
            strategy=strategy,
            prompts=prompts,
            shuffle_options=shuffle_options,
            stop_on_evidence=stop_on_evidence,
            prefix=prefix,
        )
        self.action_space = UnicodeText()
        self.observation_space = UnicodeText()
        self._rollout = Rollout(self.setup)
        self._printed = 0

    @property
    def episode(self) -> Episode:
        """The episode that is being played."""
        return self._rollout.playing()

    @property
    def messages(self) -> list[Message]:
        """The chat so far, in OpenAI's shape; the episode's own list, not to be changed."""
        return self._rollout.playing().messages

    @property
    def tools(self) -> list[Message]:
        """JSON schemas of the tools in use, in OpenAI's shape."""
        return self.setup.tools

    def report_usage(self, usage: Usage) -> None:
        """Tell what the next action cost to generate; without it, tokens are counted from the text.

        Args:
            usage: Tokens of the request, as the server reports them. Holds for the next step only.
        """
        self._rollout.report_usage(usage)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin another episode.

        Args:
            seed: Seeds the environment's generator; later resets without one go on from there.
            options: `{"item_id": ...}` plays that item.

        Returns:
            The first observation, and `info`.

        Raises:
            ValueError: If the options name something else, or an item that there is not.
        """
        super().reset(seed=seed)
        observation, info = self._rollout.reset(self.np_random, seed, options)
        if self.render_mode == "human":
            self._printed = 0
            self._print_new()
        return observation, info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play one assistant message.

        Args:
            action: The message; any string.

        Returns:
            The observation, the reward, whether the episode is over by its own rules, False, and `info`.

        Raises:
            TypeError: If the action is not a string.
            ResetNeeded: If there is no episode, or it is over.
        """
        observation, reward, terminated, info = self._rollout.step(action)
        if self.render_mode == "human":
            self._print_new()
        return observation, reward, terminated, False, info

    def render(self) -> str | None:
        """The conversation as text with `"ansi"`; None otherwise, since `"human"` prints it as it grows."""
        if self.render_mode == "ansi":
            return render.as_text(self.messages)
        return None

    def fork(self) -> AgentHopEnv:
        """An independent copy of the environment in its present state, in microseconds; for tree search."""
        other = copy.copy(self)
        other._rollout = self._rollout.fork()
        other._np_random = None if self._np_random is None else _copied(self._np_random)
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> AgentHopEnv:
        """As `fork`: the corpus is read-only and is shared."""
        return self.fork()

    def _print_new(self) -> None:
        messages = self.messages
        render.show(messages[self._printed :])
        self._printed = len(messages)


def _copied(generator: np.random.Generator) -> np.random.Generator:
    """An independent generator in the same state, in a third of the time that `copy.deepcopy` takes."""
    bits = generator.bit_generator
    seeds = bits.seed_seq
    if type(seeds) is not np.random.SeedSequence:
        return copy.deepcopy(generator)
    other: Any = type(bits)(np.random.SeedSequence(**seeds.state))
    other.state = bits.state
    return np.random.Generator(other)
