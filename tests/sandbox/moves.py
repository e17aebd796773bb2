"""Short names for calls, so that a test reads like the game it plays."""

from __future__ import annotations

from typing import Any

from agenthop_env import ToolCall, Usage
from agenthop_env.sandbox.episode import Episode, Turn

NO_TOKENS = Usage(0, 0)


def info(paper_id: Any = "seed-1") -> ToolCall:
    return ToolCall("get_paper_info", {"paper_id": paper_id})


def references(paper_id: Any = "seed-1") -> ToolCall:
    return ToolCall("get_references", {"paper_id": paper_id})


def search(query: Any, **more: Any) -> ToolCall:
    return ToolCall("search_papers", {"query": query, **more})


def sections(paper_id: Any = "seed-1") -> ToolCall:
    return ToolCall("list_sections", {"paper_id": paper_id})


def read(paper_id: Any = "seed-1", section: Any = "A") -> ToolCall:
    return ToolCall("read_section", {"paper_id": paper_id, "section": section})


def think(**arguments: Any) -> ToolCall:
    return ToolCall("think", arguments)


def submit(option: Any = "A", **more: Any) -> ToolCall:
    return ToolCall("submit_answer", {"option": option, **more})


UNKNOWN = ToolCall("no_such_tool", {})


def play(episode: Episode, *calls: ToolCall, usage: Usage = NO_TOKENS) -> Turn:
    """One turn of structured calls that costs no tokens."""
    return episode.turn("", list(calls), usage)


def outcomes(turn: Turn) -> list[str]:
    return [result.outcome for result in turn.results]


def spend(episode: Episode, points: int) -> Episode:
    """Spend points, one a call."""
    for _ in range(points):
        play(episode, info())
    return episode
