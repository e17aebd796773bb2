"""Experts that reach the evidence, each in its own way."""

from __future__ import annotations

from agenthop_env.agents.scripted import Script, paper_call, search_call
from agenthop_env.demonstrations.expert import READ_PRICE, Expert
from agenthop_env.demonstrations.quotes import quote
from agenthop_env.demonstrations.voice import joined, listed
from agenthop_env.records import ToolCall
from agenthop_env.rules import TOP_K_MAX
from agenthop_env.text.letters import letter
from agenthop_env.text.sections import alias

_QUERY_WORDS = 12
_SPARE = 4
"""Points that finding and listing the right papers may take after a wrong read."""


class Early(Expert):
    """Goes straight to the evidence and commits as soon as it has been read."""

    def script(self) -> Script:
        """References, section list, read, paper by paper; then the answer."""
        yield from self.reach()
        for target in self.hint.targets:
            yield from self.pursue(target)
        yield from self.commit()


class Verify(Expert):
    """Reads the evidence, takes a second look at something cheap, and commits."""

    def script(self) -> Script:
        """As `Early`, with a check before the answer; now and then a `think` call instead of words."""
        yield from self.reach()
        for target in self.hint.targets:
            yield from self.pursue(target)
        if not self.unread:
            yield from self._second_look()
        if self.draws.below(6) == 0:
            yield from self._think()
        yield from self.commit()

    def _second_look(self) -> Script:
        """One of several checks, whichever can be made first in a drawn order."""
        checks = [self._look_at_paper, self._look_at_decoy, self._search_rival, self._compare_outline]
        if self.points_left >= 2 * READ_PRICE:
            checks.append(self._read_on)
        doubt = self.voice.say("double_check", letter=letter(self.hint.right))
        before = self.remark
        self.remark = joined((self.remark, doubt))
        while checks:
            check = checks.pop(self.draws.below(len(checks)))
            turns = self.status.turns
            yield from check()
            if self.status.turns > turns:
                return
        self.remark = before

    def _look_at_paper(self) -> Script:
        target = self.hint.targets[self.draws.below(len(self.hint.targets))]
        paper = target.paper_id
        calls = self.payable([paper_call("get_paper_info", paper)])
        yield from self.turn(
            calls, self.voice.say("check_info", paper=paper, title=self.title(paper)), f"check {paper}"
        )
        if calls:
            abstract = quote(self.abstracts.get(paper, ""), 10)
            self.remark = self.voice.say("checked_info", paper=paper, abstract=abstract) or self.voice.say(
                "checked", paper=paper
            )

    def _look_at_decoy(self) -> Script:
        for decoy in self.decoys()[:1]:
            other = self.title(decoy)
            calls = self.payable([paper_call("get_paper_info", decoy)])
            yield from self.turn(
                calls, self.voice.say("check_decoy", decoy=decoy, other=other), f"check {decoy}"
            )
            if calls:
                abstract = quote(self.abstracts.get(decoy, ""), 10)
                self.remark = self.voice.say("checked_decoy", decoy=decoy, other=other, abstract=abstract)
                self.remark = self.remark or self.voice.say("checked")

    def _search_rival(self) -> Script:
        query = self.terms(4)
        text = self.voice.say("check_search", words=self.some_words(query))
        calls = self.payable([search_call(query, 3)])
        yield from self.turn(calls, text, f"check {query}")
        if calls:
            self.remark = self.voice.say("checked")

    def _compare_outline(self) -> Script:
        for decoy in self.decoys(readable=True)[:1]:
            calls = self.payable([paper_call("list_sections", decoy)])
            text = self.voice.say("check_outline", decoy=decoy, other=self.title(decoy))
            yield from self.turn(calls, text, f"check {decoy}")
            if calls:
                self.remark = self.voice.say("checked")

    def _read_on(self) -> Script:
        paper = self.hint.targets[0].paper_id
        lines = [line for line in self.outlines.get(paper, ()) if (paper, line.alias) not in self.bodies]
        if lines:
            line = self.draws.pick(lines)
            text = self.voice.say("check_section", header=quote(line.header), alias=line.alias)
            yield from self.read_places([(paper, line.alias)], text, f"check {line.alias}")
            if (paper, line.alias) in self.bodies:
                self.remark = self.voice.say("checked")

    def _think(self) -> Script:
        """Put what was found into a `think` call, and the answer into the next message."""
        calls = self.payable([ToolCall("think", {"thought": ""})])
        if calls and self.thoughts == "prose" and self.remark:
            thought = self.voice.say("think", so_far=self.remark)
            self.remark = ""
            yield from self.turn([ToolCall("think", {"thought": thought})], self.voice.say("think_about"))


class Parallel(Expert):
    """Asks for all that does not depend on each other in one message."""

    def script(self) -> Script:
        """List and search at once, then bridges and abstracts, all outlines, all reads, the answer."""
        query = self.terms(_QUERY_WORDS)
        words = self.voice.say("and_search", words=self.some_words(query))
        yield from self.begin([search_call(query, TOP_K_MAX)], words)
        bridges = [paper for paper in self.hint.bridges if self.hidden and paper in self.seen]
        decoys = self.decoys()[: 1 + self.draws.below(2)]
        infos = [paper_call("get_paper_info", paper) for paper in decoys]
        if bridges:
            yield from self.cite(bridges, infos)
        elif not self.hidden:
            yield from self._compare(decoys)
        yield from self.reach()
        shown = [target.paper_id for target in self.unread if target.paper_id in self.seen]
        beside = [paper for paper in self.decoys(readable=True) if self.seen[paper].has_text][:1]
        yield from self.outline([*shown, *beside], self.match(shown[0]) if shown else "")
        yield from self.read_targets(self.hint.targets)
        for target in self.hint.targets:
            yield from self.pursue(target)
        yield from self.commit()

    def _compare(self, decoys: list[str]) -> Script:
        papers = list(dict.fromkeys([*(target.paper_id for target in self.hint.targets), *decoys]))
        calls = self.payable([paper_call("get_paper_info", paper) for paper in papers])
        asked = listed(str(call.arguments["paper_id"]) for call in calls)
        yield from self.turn(calls, self.voice.say("compare", papers=asked), f"compare {asked}")


class Recover(Expert):
    """Takes a wrong turn first, a look-alike or another section, notices, and goes back to the right one."""

    def script(self) -> Script:
        """A wrong read, then the way to the evidence."""
        wrong_paper = self.draws.below(5) < 3
        if wrong_paper:
            yield from self.begin()
            yield from self._wrong_paper()
        yield from self.reach()
        for place, target in enumerate(self.hint.targets):
            if place == 0 and not wrong_paper:
                yield from self._wrong_section()
            yield from self.pursue(target)
        yield from self.commit()

    def _wrong_paper(self) -> Script:
        for decoy in self.decoys(readable=True)[:1]:
            if self.points_left - self.reserve < READ_PRICE + _SPARE + len(self.hint.targets):
                return
            yield from self.outline(
                [decoy], self.voice.say("try_decoy", decoy=decoy, other=self.title(decoy))
            )
            yield from self._read_wrong(decoy, None)
            if self.bodies:
                self.remark = joined((self.remark, self.voice.say("back_up")))

    def _wrong_section(self) -> Script:
        target = self.hint.targets[0]
        if target.paper_id in self.seen and self.points_left - self.reserve >= READ_PRICE + _SPARE:
            yield from self.outline([target.paper_id], self.match(target.paper_id))
            yield from self._read_wrong(target.paper_id, alias(target.section))
            if self.bodies:
                self.remark = joined((self.remark, self.voice.say("another_section", paper=target.paper_id)))

    def _read_wrong(self, paper: str, right: str | None) -> Script:
        lines = [line for line in self.outlines.get(paper, ()) if line.alias != right]
        if not lines:
            return
        line = self.draws.pick(lines)
        text = self.voice.say(
            "read", alias=line.alias, header=quote(line.header), paper=paper, focus=self.focus()
        )
        yield from self.read_places(
            [(paper, line.alias)], text, f"{' '.join(self.hint.targets[0].focus[:1])} {line.alias}".strip()
        )
        body = self.bodies.get((paper, line.alias))
        if body is not None:
            self.remark = self.wrong(body)

    def wrong(self, body: str) -> str:
        """That a section was the wrong one, by what it lacks or by what it says."""
        focus = self.hint.targets[0].focus[:2]
        if focus and not any(word in body.lower() for word in focus) and not self.voice.sometimes(3):
            return self.voice.say("wrong_focus", focus=self.focus())
        return self.voice.say("wrong_quote", passage=quote(body, 12)) or self.voice.say("wrong_plain")


class SearchFirst(Expert):
    """Searches before it follows citations."""

    def script(self) -> Script:
        """Search, citations where the search was not enough, outline, read, answer."""
        query = self.terms(4 + self.draws.below(_QUERY_WORDS))
        yield from self.search(query, self.voice.say("search", words=self.some_words(query)))
        found = [target.paper_id for target in self.hint.targets if target.paper_id in self.seen]
        if self.hidden:
            self.remark = self.voice.say("nothing_yet")
        elif found:
            self.remark = self.voice.say("turned_up", paper=found[0], title=self.title(found[0]))
        yield from self.reach()
        for target in self.hint.targets:
            yield from self.pursue(target)
        yield from self.commit()


class CitationsFirst(Expert):
    """Goes by who cites whom and in what words, and compares abstracts before it opens anything."""

    def script(self) -> Script:
        """References, abstracts of what could be meant, further references, outlines, reads, answer."""
        yield from self.begin()
        yield from self._compare()
        yield from self.reach()
        decoy = next((paper for paper in self.decoys(readable=True) if paper not in self.cited), None)
        if decoy is not None and self.draws.below(3) == 0:
            yield from self.cite([decoy])
        for target in self.hint.targets:
            yield from self.pursue(target)
        yield from self.commit()

    def _compare(self) -> Script:
        """Abstracts of the paper that comes next on the way, and often of one that resembles it."""
        way = [*(target.paper_id for target in self.hint.targets), *self.hint.bridges]
        papers = [paper for paper in way if paper in self.seen][:1]
        papers += self.decoys()[: self.draws.below(3)]
        calls = self.payable([paper_call("get_paper_info", paper) for paper in papers])
        asked = [str(call.arguments["paper_id"]) for call in calls]
        if len(asked) > 1:
            text = self.voice.say("compare", papers=listed(asked))
        else:
            text = joined(
                self.voice.say("compare_one", paper=paper, title=self.title(paper)) for paper in asked
            )
        yield from self.turn(calls, text, f"compare {' '.join(asked)}")
