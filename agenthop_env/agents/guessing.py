"""Agents that guess: what a score is worth is seen against theirs."""

from __future__ import annotations

from typing import Final

from agenthop_env.agents import delivered
from agenthop_env.agents.scripted import (
    Script,
    ScriptedAgent,
    paper_call,
    read_call,
    search_call,
    submit_call,
)
from agenthop_env.records import ToolCall
from agenthop_env.rules import OPTION_COUNT, TOOL_NAMES, TOP_K_DEFAULT

_MOVES: Final = tuple(name for name in TOOL_NAMES if name not in ("think", "submit_answer"))
_MAX_MOVES: Final = 7


class ClosedBook(ScriptedAgent):
    """Picks an option without a look at anything."""

    def script(self) -> Script:
        """One turn: any of the options."""
        yield [submit_call(self.draws.below(OPTION_COUNT))]


class RandomWalk(ScriptedAgent):
    """Calls tools at random on papers that it has come across, then picks an option at random."""

    def script(self) -> Script:
        """One call a turn, a few turns, then any of the options."""
        known = [self.task.seed_paper_id]
        headers: dict[str, list[str]] = {}
        for _ in range(min(self.draws.below(_MAX_MOVES), self.turns_left - 1)):
            moves = self.usable([self._move(name, known, headers) for name in _MOVES])
            if not moves:
                break
            for call, text in (yield [self.draws.pick(moves)]):
                known += [paper.paper_id for paper in delivered.papers(text) if paper.paper_id not in known]
                listed = delivered.sections(text)
                if listed:
                    headers[call.arguments["paper_id"]] = [line.header for line in listed]
        yield [submit_call(self.draws.below(OPTION_COUNT))]

    def _move(self, name: str, known: list[str], headers: dict[str, list[str]]) -> ToolCall:
        if name == "search_papers":
            words = self.task.question.split() or ["paper"]
            return search_call(" ".join(self.draws.pick(words) for _ in range(3)), TOP_K_DEFAULT)
        if name == "read_section":
            paper_id = self.draws.pick(list(headers) or known)
            return read_call(paper_id, self.draws.pick(headers.get(paper_id) or ["A"]))
        return paper_call(name, self.draws.pick(known))
