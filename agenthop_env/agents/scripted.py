"""Agents that follow a script: a generator that asks for calls and is sent what came back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from agenthop_env.actions import render_calls
from agenthop_env.agents import delivered
from agenthop_env.agents.delivered import Result, Status
from agenthop_env.agents.draws import Draws
from agenthop_env.agents.protocol import ChatMessage, Message, ToolSchema
from agenthop_env.records import Json, ToolCall
from agenthop_env.rules import TOOL_POINTS, Limits
from agenthop_env.sandbox.episode import Episode
from agenthop_env.text.letters import letter

Script = Generator[list[ToolCall], list[Result], None]
"""Yields the calls of one turn, is sent their results. A script that returns has no more to say."""


class Task(NamedTuple):
    """What every agent is told of its item, and nothing else.

    Attributes:
        item_id: For seeding only.
        seed_paper_id: Where to start.
        question: The question.
        options: The options as shown.
        limits: The caps.
    """

    item_id: str
    seed_paper_id: str
    question: str
    options: tuple[str, ...]
    limits: Limits

    @classmethod
    def of(cls, episode: Episode) -> Task:
        """What an episode tells its agent."""
        item = episode.item
        return cls(item.id, item.seed_paper_id, item.question, episode.options, episode.limits)


class ScriptedAgent(ABC):
    """An agent that follows `script`.

    It sees its `Task` and the conversation; calls are written in the episode's tool format, or given structured
    where the episode takes native calls.

    Args:
        episode: The episode that it will play.
        seed: Seed of its chance, together with the item.
    """

    def __init__(self, episode: Episode, seed: int = 0) -> None:
        self.task = Task.of(episode)
        self.draws = Draws(type(self).__name__, seed, self.task.item_id)
        self.status = Status()
        self.tools: frozenset[str] = frozenset()
        self._native = episode.tool_mode == "native"
        self._format = episode.tool_format
        self._script: Script | None = None
        self._asked: list[ToolCall] = []

    @abstractmethod
    def script(self) -> Script:
        """The agent's behavior, turn by turn."""

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        """The next assistant message."""
        self.tools = frozenset(tool["function"]["name"] for tool in tools)
        try:
            if self._script is None:
                self._script = self.script()
                self._asked = next(self._script)
            else:
                self.status = delivered.status(messages)
                self._asked = self._script.send(delivered.results(messages, self._asked))
        except StopIteration:
            self._asked = []
        if self._native:
            return Message("", tuple(self._asked))
        return Message(render_calls(self._asked, self._format))

    @property
    def points_left(self) -> int:
        """Points that calls may still spend."""
        return self.task.limits.points - self.status.points

    @property
    def turns_left(self) -> int:
        """Assistant messages that may still come."""
        return self.task.limits.turns - self.status.turns

    def usable(self, calls: Sequence[ToolCall]) -> list[ToolCall]:
        """The calls among some whose tools are offered, as many as the points left pay for."""
        left = self.points_left
        chosen = []
        for call in calls:
            price = TOOL_POINTS[call.name]
            if call.name in self.tools and price <= left:
                left -= price
                chosen.append(call)
        return chosen


class ScriptedFactory:
    """Makes scripted agents of one class.

    Args:
        name: Name of the agent.
        agent: Makes an agent from an episode and a seed.
        seed: Seed of the run.
    """

    def __init__(self, name: str, agent: Callable[[Episode, int], ScriptedAgent], seed: int) -> None:
        self.name = name
        self.settings: dict[str, Json] = {}
        self._agent = agent
        self._seed = seed

    def begin(self, episode: Episode) -> ScriptedAgent:
        """An agent for an episode that is about to start."""
        return self._agent(episode, self._seed)


def paper_call(name: str, paper_id: str) -> ToolCall:
    """A call of a tool that takes a paper."""
    return ToolCall(name, {"paper_id": paper_id})


def read_call(paper_id: str, section: str) -> ToolCall:
    """A call that reads a section."""
    return ToolCall("read_section", {"paper_id": paper_id, "section": section})


def search_call(query: str, top_k: int) -> ToolCall:
    """A call that searches papers."""
    return ToolCall("search_papers", {"query": query, "top_k": top_k})


def submit_call(position: int) -> ToolCall:
    """A call that submits the option at a position (0..3), as shown."""
    return ToolCall("submit_answer", {"option": letter(position)})
