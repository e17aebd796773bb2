"""What an agent is: messages and tools in, one assistant message out.

The evaluation runner, the trainers and the probes all play through these few types. An agent is made per episode by
an `AgentFactory`; scripted agents keep their state in it, served models share one client behind it. What keeps to
none of this is refused with a `TypeError` that says what is expected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast, runtime_checkable

import msgspec

from agenthop_env.records import Json, ToolCall, Usage
from agenthop_env.sandbox.episode import Episode, Turn

ChatMessage = Mapping[str, Any]
"""One message of a conversation, in OpenAI's shape."""

ToolSchema = Mapping[str, Any]
"""JSON schema of one tool, in OpenAI's shape."""

Request = tuple[Sequence[ChatMessage], Sequence[ToolSchema]]
"""A conversation and the tools that may be called in it."""


class AgentError(Exception):
    """An agent that cannot be made or cannot go on, with the reason and the remedy."""


class Message(msgspec.Struct, frozen=True):
    """One assistant message.

    Attributes:
        text: The message's text; may hold tool calls as text.
        calls: Structured calls, as a server returns them; None to parse them from `text`.
        usage: Tokens of the request as the server reports them; None to let the episode count.
        reasoning: Reasoning text that came apart from the message.
        finish_reason: Why the server stopped, where it says so.
        seconds: Wall time of the request, where measured.
        raw: The server's message as it came, with its own finish reason, where there was a server.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] | None = None
    usage: Usage | None = None
    reasoning: str | None = None
    finish_reason: str | None = None
    seconds: float | None = None
    raw: Json = None


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


AnyAgent = Agent | AsyncAgent | BatchAgent
"""A policy of any kind."""


class AgentFactory(Protocol):
    """Makes an agent for each episode. Factories pickle: worker processes get a copy.

    Attributes:
        name: Name of the agent, for records and tables.
        settings: Its settings, for records; never a key.
    """

    name: str
    settings: dict[str, Json]

    def begin(self, episode: Episode) -> AnyAgent:
        """An agent for an episode that is about to start."""
        ...


def checked_factory(made: object, source: str = "the agent") -> AgentFactory:
    """A factory as it is, once it is seen to be one.

    Args:
        made: What should be a factory.
        source: Where it is from, for the message.

    Raises:
        TypeError: If it is none; the message says what is amiss and what a factory is.
    """
    wrong = _amiss(made)
    if wrong:
        kind = f"the class {made.__name__}" if isinstance(made, type) else f"of type {type(made).__name__}"
        raise TypeError(
            f"{source} is {kind}, which is no agent factory: {wrong}; a factory has name (a text), settings (a dict "
            "of JSON values) and begin(episode), which returns an agent"
        )
    return cast(AgentFactory, made)


def _amiss(made: object) -> str:
    """What keeps an object from being a factory, empty where nothing does."""
    if isinstance(made, type):
        return "an instance of it is expected"
    missing = [name for name in ("name", "settings", "begin") if not hasattr(made, name)]
    if missing:
        return f"it has no {' and no '.join(missing)}"
    one: Any = made
    if not isinstance(one.name, str) or not one.name:
        return f"its name is {one.name!r}"
    if not isinstance(one.settings, dict):
        return f"its settings are a {type(one.settings).__name__}"
    try:
        msgspec.json.encode(one.settings)
    except (TypeError, ValueError, OverflowError) as problem:
        return f"its settings are no JSON ({problem})"
    return "" if callable(one.begin) else "its begin is no method"


def play_turn(episode: Episode, agent: Agent) -> Turn:
    """Let an agent play one turn.

    Raises:
        EpisodeOver: If the episode is over already.
        TypeError: If the agent answers with something that is no `Message`.
    """
    return take_turn(episode, agent, agent.act(episode.messages, episode.tools))


def take_turn(episode: Episode, agent: object, said: Any) -> Turn:
    """Play what an agent said.

    Raises:
        EpisodeOver: If the episode is over already.
        TypeError: If it is no `Message`.
    """
    if not isinstance(said, Message):
        raise _no_message(agent, said)
    return episode.turn(
        said.text,
        said.calls,
        said.usage,
        reasoning=said.reasoning,
        finish_reason=said.finish_reason,
        seconds=said.seconds,
        raw=said.raw,
    )


def _no_message(agent: object, said: object) -> TypeError:
    wrong = f"{type(agent).__name__}.act returned {type(said).__name__}"
    return TypeError(f'{wrong}; an agent returns agenthop_env.agents.Message, e.g. Message(text="...")')


def play(episode: Episode, agent: Agent) -> Episode:
    """Let an agent play an episode to its end; what the agent raises is raised."""
    while episode.ending is None:
        play_turn(episode, agent)
    return episode
