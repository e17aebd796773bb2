"""Demonstrators with faults, which leave something for reinforcement learning to mend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from agenthop_env.agents.scripted import Script, paper_call, search_call, submit_call
from agenthop_env.demonstrations.expert import READ_PRICE, Expert
from agenthop_env.demonstrations.quotes import quote, supporting
from agenthop_env.demonstrations.voice import joined
from agenthop_env.records import ToolCall
from agenthop_env.rules import OPTION_COUNT
from agenthop_env.text.letters import letter

_NAVIGATION: Final = 6
"""Points that the way to the evidence may take after a detour."""


class Hasty(Expert):
    """Commits before all evidence has been read, by what it happens to have seen."""

    def script(self) -> Script:
        """Lists, perhaps one read, and an answer that the evidence does not yet bear out."""
        yield from self.begin()
        depth = self.draws.below(3)
        if depth:
            yield from self.reach()
            yield from self._half_read(depth)
        yield from self._commit()

    def _half_read(self, depth: int) -> Script:
        """One gold paper of several, or another section of the only one."""
        targets = [target for target in self.hint.targets if target.paper_id in self.seen]
        if len(targets) > 1:
            yield from self.pursue(targets[0])
        elif targets:
            paper, right = targets[0].paper_id, targets[0].section
            yield from self.outline([paper], self.match(paper))
            lines = [line for place, line in enumerate(self.outlines.get(paper, ())) if place != right]
            if depth > 1 and lines:
                line = self.draws.pick(lines)
                text = self.voice.say("read", alias=line.alias, header=quote(line.header), paper=paper)
                yield from self.read_places([(paper, line.alias)], text, line.alias)

    def _commit(self) -> Script:
        self.remark = ""
        abstracts = [known.abstract for known in self.seen.values() if known.abstract]
        position = self.impression([*self.texts, *abstracts])
        slots = {"letter": letter(position), "option": quote(self.task.options[position], 12)}
        passages = [supporting(body, self.task.options, position, self.task.question) for body in self.texts]
        passage = next((f'"{found.text}"' for found in passages if found), "")
        text = self.voice.say("hasty_quote", passage=passage, **slots)
        yield from self.turn(
            [submit_call(position)],
            text or self.voice.say("hasty_nothing", **slots),
            joined((*self._telling(position), slots["letter"])),
        )


class Wanderer(Expert):
    """Spends points on papers that do not matter before it gets to the question, if it still can."""

    def script(self) -> Script:
        """A few idle calls; then mostly the way to the evidence, else an answer from what was read."""
        yield from self.begin()
        for _ in range(2 + self.draws.below(5)):
            yield from self._stray()
        if self.draws.below(4):
            if self.points_left - self.reserve >= 1:
                self.remark = joined((self.remark, self.voice.say("pull_together")))
            yield from self.reach()
            for target in self.hint.targets:
                yield from self.pursue(target)
        yield from self.commit()

    def _stray(self) -> Script:
        """One idle move on a paper that was listed."""
        others = self.decoys()
        if not others:
            return
        moves: list[Callable[[str], Script]] = [
            self._info, self._references, self._outline, self._read, self._search, self._ponder,
        ]  # fmt: skip
        paper = self.draws.pick(others)
        yield from self.draws.pick(moves)(paper)

    def _info(self, paper: str) -> Script:
        yield from self._call(paper_call("get_paper_info", paper), "wander_info", paper)

    def _references(self, paper: str) -> Script:
        yield from self._call(paper_call("get_references", paper), "wander_references", paper)

    def _outline(self, paper: str) -> Script:
        yield from self._call(paper_call("list_sections", paper), "wander_outline", paper)

    def _call(self, call: ToolCall, situation: str, paper: str) -> Script:
        if self.points_left - self.reserve > _NAVIGATION:
            text = self.voice.say(situation, paper=paper, title=self.title(paper))
            yield from self.turn(self.payable([call]), text, paper)

    def _search(self, paper: str) -> Script:
        query = self.terms(2 + self.draws.below(3))
        if self.points_left - self.reserve > _NAVIGATION:
            text = self.voice.say("wander_search", words=self.some_words(query))
            yield from self.turn(self.payable([search_call(query, 5)]), text, f"search {query}")

    def _ponder(self, paper: str) -> Script:
        thought = self.voice.say("wanted", focus=self.focus()) or self.voice.say("think_about")
        if self.draws.below(2) == 0 and self.thoughts == "prose":
            calls = self.payable([ToolCall("think", {"thought": thought})])
            yield from self.turn(calls, self.voice.say("think_about"))

    def _read(self, paper: str) -> Script:
        readable = [paper for paper in self.outlines if self.outlines[paper] and paper not in self.hint.golds]
        if not readable:
            yield from self._outline(paper)
            return
        paper = self.draws.pick(readable)
        lines = [line for line in self.outlines[paper] if (paper, line.alias) not in self.bodies]
        if lines and self.points_left - self.reserve >= READ_PRICE + _NAVIGATION:
            line = self.draws.pick(lines)
            text = self.voice.say(
                "wander_read",
                paper=paper,
                title=self.title(paper),
                header=quote(line.header),
                alias=line.alias,
            )
            yield from self.read_places([(paper, line.alias)], text, f"{paper} {line.alias}")


class Guesser(Expert):
    """Makes a cheap call or none, and picks an option by chance."""

    def script(self) -> Script:
        """None to two cheap calls, then any option."""
        looks = self.draws.below(3)
        if looks:
            yield from self.begin()
        others = list(self.seen)
        if looks > 1 and others:
            paper = self.draws.pick(others)
            text = self.voice.say("wander_info", paper=paper, title=self.title(paper))
            yield from self.turn(self.payable([paper_call("get_paper_info", paper)]), text, paper)
        position = self.draws.below(OPTION_COUNT)
        slots = {"letter": letter(position), "option": quote(self.task.options[position], 12)}
        yield from self.turn([submit_call(position)], self.voice.say("guess", **slots), slots["letter"])
