"""Agents that fail, in a module that worker processes can import."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from agenthop_env import Episode
from agenthop_env.agents import Agent, ChatMessage, Message, ToolSchema, make_agent


class FailingFactory:
    """The oracle, but on some items it raises (or its process ends) at the second turn.

    Args:
        items: Those items.
        deadly: End the process instead of raising.
        mended: While there is such a file, nothing fails.
    """

    name = "failing"

    def __init__(self, items: Sequence[str], deadly: bool = False, mended: str = "") -> None:
        self.settings: dict[str, object] = {}
        self.items, self.deadly, self.mended = tuple(items), deadly, mended

    def begin(self, episode: Episode) -> Agent:
        agent = make_agent("oracle").begin(episode)
        if episode.item_id in self.items and not (self.mended and Path(self.mended).exists()):
            return Failing(agent, self.deadly)
        return agent


class Failing:
    def __init__(self, agent: Agent, deadly: bool) -> None:
        self.agent, self.deadly, self.turns = agent, deadly, 0

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        self.turns += 1
        if self.turns == 2:
            if self.deadly:
                os._exit(9)
            raise RuntimeError("first line\nthe server said no")
        return self.agent.act(messages, tools)


class UnstartableFactory:
    """Cannot be made again in another process."""

    name = "unstartable"
    settings: dict[str, object] = {}  # noqa: RUF012

    def begin(self, episode: Episode) -> Agent:
        return make_agent("oracle").begin(episode)

    def __setstate__(self, state: object) -> None:
        raise RuntimeError("cannot be unpickled")

    def __getstate__(self) -> object:
        return {"a": 1}
