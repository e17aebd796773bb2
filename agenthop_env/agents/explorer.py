"""Agents that look for the answer with the tools, by words in common and nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from agenthop_env.agents import delivered
from agenthop_env.agents.delivered import SectionLine
from agenthop_env.agents.scripted import (
    Script,
    ScriptedAgent,
    paper_call,
    read_call,
    search_call,
    submit_call,
)
from agenthop_env.agents.support import content_words, rarity, weigh
from agenthop_env.records import ToolCall
from agenthop_env.rules import OPTION_COUNT, TOOL_POINTS, TOP_K_MAX
from agenthop_env.sandbox.episode import Episode

_READ_PRICE: Final = TOOL_POINTS["read_section"]
_CHARS_PER_TOKEN: Final = 3
"""Fewer than usual, to stay on the safe side of the token cap."""
_FIRST_TOKENS: Final = 3_000
_EXPANDED: Final = 2
"""Leads whose own references are asked for: the evidence may stand two steps away."""
_LISTED: Final = 4
"""Leads whose sections are listed."""
_READS_A_TURN: Final = 2
_TRUST: Final = 2.0
"""What the best lead promises, against a header's word in common with the question, which promises 1."""
_BARREN: Final = ("reference", "bibliograph", "acknowledg", "checklist", "impact", "ethic", "limitation")
_FERTILE: Final = ("experiment", "result", "evaluation", "method", "abstract", "introduction", "analysis")
_QUERY_WORDS: Final = 40


@dataclass
class Lead:
    """A paper that may hold the answer.

    Attributes:
        paper_id: Its id.
        has_text: Whether it can be read.
        steps: Citation steps from the seed; 1 for what a search found.
        words: Content words of all that listings said of it.
        expanded: Whether its references were asked for.
        sections: Its sections, once listed.
        read: Places in `sections` that were read.
    """

    paper_id: str
    has_text: bool
    steps: int
    words: set[str] = field(default_factory=set)
    expanded: bool = False
    sections: list[SectionLine] | None = None
    read: set[int] = field(default_factory=set)


class Choice(NamedTuple):
    """A section that could be read next."""

    lead: Lead
    place: int

    @property
    def line(self) -> SectionLine:
        """The section as listed."""
        return (self.lead.sections or [])[self.place]


class Reader(ScriptedAgent):
    """What agents that read have in common: which section next, whether it can be paid, and the answer at last."""

    def __init__(self, episode: Episode, seed: int = 0) -> None:
        super().__init__(episode, seed)
        self.texts: list[str] = []
        self.query = content_words(self.task.question)
        self.asked = set(content_words(f"{self.task.question} {' '.join(self.task.options)}"))

    def list_sections(self, leads: Sequence[Lead]) -> Script:
        """List the sections of some papers in one turn."""
        calls = self.usable([paper_call("list_sections", lead.paper_id) for lead in leads])
        if calls and self.turns_left >= 2:
            by_id = {lead.paper_id: lead for lead in leads}
            for call, text in (yield calls):
                by_id[call.arguments["paper_id"]].sections = delivered.sections(text)

    def read(self, choices: Sequence[Choice]) -> Script:
        """Read some sections in one turn."""
        for choice in choices:
            choice.lead.read.add(choice.place)
        calls = [read_call(choice.lead.paper_id, choice.line.alias) for choice in choices]
        for _, text in (yield calls):
            body = delivered.section_text(text)
            if body is not None:
                self.texts.append(body)

    def best(self, leads: Mapping[str, tuple[Lead, float]], count: int) -> list[Choice]:
        """The most promising sections that can be paid for, at most `count`.

        Args:
            leads: Papers with what each promises.
            count: How many to choose.
        """
        if "read_section" not in self.tools or self.turns_left < 2:
            return []
        open_choices = [
            (promise / (1 + len(lead.read)) + self._promise(line), Choice(lead, place))
            for lead, promise in leads.values()
            for place, line in enumerate(lead.sections or ())
            if place not in lead.read
        ]
        chosen: list[Choice] = []
        chars = 0
        for _, choice in sorted(open_choices, key=lambda entry: -entry[0]):
            affordable = (len(chosen) + 1) * _READ_PRICE <= self.points_left
            if len(chosen) < count and affordable and self._fits(chars + choice.line.chars):
                chosen.append(choice)
                chars += choice.line.chars
        return chosen

    def answer(self) -> ToolCall:
        """Submit what the texts support best, any option where they support none."""
        best = weigh(self.task.question, self.task.options, self.texts).best
        return submit_call(self.draws.below(OPTION_COUNT) if best is None else best)

    def _promise(self, line: SectionLine) -> float:
        """What a section promises by its header and length."""
        header = line.header.lower()
        score = sum(1.0 for word in content_words(header) if word in self.asked)
        score += 0.8 * any(part in header for part in _FERTILE) - 3.0 * any(
            part in header for part in _BARREN
        )
        return score + 0.25 * math.log1p(line.chars)

    def _fits(self, chars: int) -> bool:
        """Whether results of some length, seen by one more request, stay within the token cap."""
        status = self.status
        prompt = max(
            _FIRST_TOKENS, 2 * status.tokens // max(status.turns, 1)
        )  # prompts grow, so the last is longer
        return status.tokens + 2 * prompt + chars // _CHARS_PER_TOKEN < self.task.limits.tokens


class SeedOnly(Reader):
    """Reads the seed paper and nothing else: what a question gives away to whoever does not follow citations."""

    def script(self) -> Script:
        """List the seed's sections, read the best of them, submit."""
        seed = Lead(self.task.seed_paper_id, True, 0)
        yield from self.list_sections([seed])
        while choices := self.best({seed.paper_id: (seed, 0.0)}, _READS_A_TURN):
            yield from self.read(choices)
        yield [self.answer()]


class Explorer(Reader):
    """Follows references and searches by word overlap, reads what it can pay for, submits what that supports.

    It sees what any agent sees. Where sections are left to read it does not stop early.
    """

    def script(self) -> Script:
        """Find leads, list the best, read in them as long as points last, submit."""
        self.leads: dict[str, Lead] = {}
        seed = self.task.seed_paper_id
        query = " ".join(self.query[:_QUERY_WORDS])
        first = self.usable([paper_call("get_references", seed), search_call(query, TOP_K_MAX)])
        if first and self.turns_left >= 2:
            for _, text in (yield first):
                self._note(text, 1)
        near = [lead for lead, _ in self.ranked() if lead.steps == 1][:_EXPANDED]
        further = self.usable([paper_call("get_references", lead.paper_id) for lead in near])
        if further and self.turns_left >= 2:
            for _, text in (yield further):
                self._note(text, 2)
        yield from self.list_sections([lead for lead, _ in self.ranked()][:_LISTED])
        while choices := self.best(self._listed(), _READS_A_TURN):
            yield from self.read(choices)
        yield [self.answer()]

    def ranked(self) -> list[tuple[Lead, float]]:
        """Papers with text and what each promises, 0 to `_TRUST`, the best first; the seed is none of them."""
        rare = rarity([lead.words for lead in self.leads.values()])
        scored = [
            (lead, math.fsum(rare[word] for word in lead.words & self.asked) / math.sqrt(8 + len(lead.words)))
            for lead in self.leads.values()
            if lead.has_text and lead.paper_id != self.task.seed_paper_id
        ]
        top = max((score for _, score in scored), default=0.0) or 1.0
        return sorted(((lead, _TRUST * score / top) for lead, score in scored), key=lambda entry: -entry[1])

    def _note(self, text: str, steps: int) -> None:
        """Note the papers of a listing."""
        for paper in delivered.papers(text):
            lead = self.leads.setdefault(paper.paper_id, Lead(paper.paper_id, paper.has_text, steps))
            lead.words |= set(content_words(f"{paper.title} {paper.context} {paper.abstract}"))

    def _listed(self) -> dict[str, tuple[Lead, float]]:
        return {lead.paper_id: (lead, promise) for lead, promise in self.ranked() if lead.sections}
