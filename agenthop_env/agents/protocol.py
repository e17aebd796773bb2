"""What an agent is: messages and tools in, one assistant message out.

The evaluation runner, the trainers and the probes all play through these few types. An agent is made per episode by
an `AgentFactory`; scripted agents keep their state in it, served models share one client behind it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from agenthop_env.records import Json, ToolCall, Usage
from agenthop_env.sandbox.episode import Episode, Turn

ChatMessage = Mapping[str, Any]
"""One message of a conversation, in OpenAI's shape."""

ToolSchema = Mapping[str, Any]
"""JSON schema of one tool, in OpenAI's shape."""

Request = tuple[Sequence[ChatMessage], Sequence[ToolSchema]]
"""A conversation and the tools that may be called in it."""


class Message(msgspec.Struct, frozen=True):
    """One assistant message.

    Attributes:
        text: The message's text; may hold tool calls as text.
        calls: Structured calls, as a server returns them; None to parse them from `text`.
        usage: Tokens of the request as the server reports them; None to let the episode count.
        reasoning: Reasoning text that came apart from the message.
        finish_reason: Why the server stopped, where it says so.
        seconds: Wall time of the request, where measured.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] | None = None
    usage: Usage | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    seconds: float | None = None


@runtime_checkable
class Agent(Protocol):
    """A policy that answers one conversation at a time."""

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        """The next assistant message of a conversation."""
        ...


@runtime_checkable
class AsyncAgent(Protocol):
    """A policy that waits for something, such as a server, while others go on."""

    async def act_async(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        """The next assistant message of a conversation."""
        ...


@runtime_checkable
class BatchAgent(Protocol):
    """A policy that answers many conversations at once, such as an in-process engine."""

    def act_batch(self, requests: Sequence[Request]) -> list[Message]:
        """The next assistant message of each conversation, in order."""
        ...


class AgentFactory(Protocol):
    """Makes an agent for each episode. Factories pickle: worker processes get a copy.

    Attributes:
        name: Name of the agent, for records and tables.
        settings: Its settings, for records; never a key.
    """

    name: str
    settings: dict[str, Json]

    def begin(self, episode: Episode) -> Agent:
        """An agent for an episode that is about to start."""
        ...


def play_turn(episode: Episode, agent: Agent) -> Turn:
    """Let an agent play one turn.

    Raises:
        EpisodeOver: If the episode is over already.
    """
    said = agent.act(episode.messages, episode.tools)
    return episode.turn(
        said.text,
        said.calls,
        said.usage,
        reasoning=said.reasoning,
        finish_reason=said.finish_reason,
        seconds=said.seconds,
    )


def play(episode: Episode, agent: Agent) -> Episode:
    """Let an agent play an episode to its end; what the agent raises is raised."""
    while episode.ending is None:
        play_turn(episode, agent)
    return episode
