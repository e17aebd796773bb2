"""A run in a process of its own, slow enough to be killed: `slow_run.py FOLDER SOURCE DELAY WORKERS`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from agenthop_env import Episode
from agenthop_env.agents import Agent, ChatMessage, Message, ToolSchema, make_agent
from agenthop_env.evaluation import RunError, evaluate


class Slow:
    def __init__(self, agent: Agent, delay: float) -> None:
        self.agent, self.delay = agent, delay

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        time.sleep(self.delay)
        return self.agent.act(messages, tools)


class SlowFactory:
    """The explorer, with a pause before each turn."""

    name = "slow"

    def __init__(self, delay: float) -> None:
        self.settings: dict[str, object] = {}
        self.delay = delay

    def begin(self, episode: Episode) -> Slow:
        return Slow(make_agent("explorer").begin(episode), self.delay)


def main() -> int:
    folder, source, delay, workers = sys.argv[1:]
    try:
        result = evaluate(source, SlowFactory(float(delay)), folder, workers=int(workers))
    except RunError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0 if result.ok else 130


if __name__ == "__main__":
    sys.exit(main())
