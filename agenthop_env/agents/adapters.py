"""From one kind of agent to another: a scripted one in an async runner, a batch engine in a plain loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from agenthop_env.agents.protocol import (
    Agent,
    AnyAgent,
    AsyncAgent,
    BatchAgent,
    ChatMessage,
    Message,
    Request,
    ToolSchema,
)


def as_agent(agent: AnyAgent) -> Agent:
    """An agent that answers one conversation at a time; one that already does is returned as it is.

    Raises:
        TypeError: If it is no agent of any kind.
    """
    if isinstance(agent, Agent):
        return agent
    if isinstance(agent, BatchAgent):
        return _OneOfBatch(agent)
    if isinstance(agent, AsyncAgent):
        return _Waiting(agent)
    raise _no_agent(agent)


def as_async(agent: AnyAgent, *, threaded: bool = False) -> AsyncAgent:
    """An agent with `act_async`; one that has it is returned as it is.

    Args:
        agent: Any agent.
        threaded: Call a blocking agent in a thread, so that the event loop goes on; off for scripted ones, which
            answer at once.

    Raises:
        TypeError: If it is no agent of any kind.
    """
    return agent if isinstance(agent, AsyncAgent) else _Awaitable(as_agent(agent), threaded)


def as_batch(agent: AnyAgent) -> BatchAgent:
    """An agent with `act_batch`; one that has it is returned as it is.

    An agent that keeps the state of an episode answers that episode only: batch such agents with `batch_of`.

    Raises:
        TypeError: If it is no agent of any kind.
    """
    if isinstance(agent, BatchAgent):
        return agent
    if isinstance(agent, AsyncAgent):
        return _Gathered(agent)
    return _OneByOne(as_agent(agent))


def batch_of(agents: Sequence[Agent]) -> BatchAgent:
    """One batch agent of many: the agent at a place answers the conversation at that place."""
    return _SideBySide(agents)


def _no_agent(agent: object) -> TypeError:
    return TypeError(
        f"an agent has act(messages, tools), act_async or act_batch; {type(agent).__name__} has none of them"
    )


class _OneOfBatch:
    def __init__(self, agent: BatchAgent) -> None:
        self.agent = agent

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        return self.agent.act_batch([(messages, tools)])[0]


class _Waiting:
    def __init__(self, agent: AsyncAgent) -> None:
        self.agent = agent

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        return asyncio.run(self.agent.act_async(messages, tools))


class _Awaitable:
    def __init__(self, agent: Agent, threaded: bool) -> None:
        self.agent = agent
        self.threaded = threaded

    async def act_async(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        if self.threaded:
            return await asyncio.to_thread(self.agent.act, messages, tools)
        return self.agent.act(messages, tools)


class _OneByOne:
    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def act_batch(self, requests: Sequence[Request]) -> list[Message]:
        return [self.agent.act(messages, tools) for messages, tools in requests]


class _Gathered:
    def __init__(self, agent: AsyncAgent) -> None:
        self.agent = agent

    def act_batch(self, requests: Sequence[Request]) -> list[Message]:
        return asyncio.run(self._all(requests))

    async def _all(self, requests: Sequence[Request]) -> list[Message]:
        return await asyncio.gather(*(self.agent.act_async(messages, tools) for messages, tools in requests))


class _SideBySide:
    def __init__(self, agents: Sequence[Agent]) -> None:
        self.agents = agents

    def act_batch(self, requests: Sequence[Request]) -> list[Message]:
        return [
            agent.act(messages, tools) for agent, (messages, tools) in zip(self.agents, requests, strict=True)
        ]
