"""The text of one paper: facts, citations and headline score in their sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.outline import LENGTHS, Draft, draw_outline, home_of, repeat_a_header
from agenthop_env.worlds.sections import written
from agenthop_env.worlds.stock.areas import Area
from agenthop_env.worlds.stock.attribute import Attribute
from agenthop_env.worlds.stock.attributes import ATTRIBUTES
from agenthop_env.worlds.stock.headers import SECTION_KINDS
from agenthop_env.worlds.tables import place_tables
from agenthop_env.worlds.values import other_value
from agenthop_env.worlds.voice import Voice, capitalized
from agenthop_env.worlds.works import Work, tenths

_CITING: Final = ("related", "intro", "setup", "method", "results", "data", "analysis")
"""Kinds of sections that cite."""

_CLAIMING: Final = (
    "With {name}, we show that {0}.",
    "Our claim in presenting {name} is that {0}.",
    "What we find with {name} is that {0}.",
    "Experiments with {name} suggest that {0}.",
    "{name} rests on the claim that {0}.",
    "The central claim behind {name} is that {0}.",
    "The evidence collected for {name} supports a simple statement: {0}.",
    "Our main finding with {name} is that {0}.",
    "The thesis of {name} is that {0}.",
)
_SCORING: Final = (
    "{subject} reaches {score} in {metric}.",
    "In {metric}, {subject} arrives at {score}.",
    "With {score} in {metric}, {subject} sets the mark.",
    "Overall, {subject} obtains {score} in {metric}.",
    "On the complete test part, {subject} achieves {score} in {metric}.",
    "Measured by {metric}, {subject} stands at {score}.",
    "The headline figure is {score} in {metric}, obtained by {subject}.",
)
_CONCLUDING: Final = (
    "At {score} in {metric}, {subject} still leaves room for improvement.",
    "That {subject} stands at {score} in {metric} is encouraging.",
    "With {score} in {metric}, {subject} is not the last word.",
)


class Stated(NamedTuple):
    """An asked attribute that a paper states."""

    attribute: Attribute
    value: str


class Written(NamedTuple):
    """A paper's sections and where its asked facts stand.

    Attributes:
        sections: Header and text, in order.
        label: Header or subsection header of the asked facts, empty where the paper states none.
        evidence: The sentence of the first asked fact.
        support: Header of a section that helps to recognize the paper.
        cited: Cited papers whose citing sentence found a place in the text.
    """

    sections: list[tuple[str, str]]
    label: str
    evidence: str
    support: str
    cited: set[int]


class PaperWriter:
    """Writes the papers of one item.

    Args:
        size: `tiny`, `small` or `full`.
        area: The item's area.
        works: All works of the item.
        reasoning: The item's reasoning type.
        asked: The asked attributes, which no paper states unless it is told to.
        appendix: Share of papers whose asked facts stand in an appendix.
        subsections: Share of papers whose asked facts stand under a subsection header.
    """

    def __init__(
        self,
        size: str,
        area: Area,
        works: Sequence[Work],
        reasoning: str,
        asked: Sequence[Attribute],
        appendix: int,
        subsections: int,
    ) -> None:
        self._size = size
        self._lengths = LENGTHS[size]
        self._area = area
        self._works = works
        self._reasoning = reasoning
        keys = {attribute.key for attribute in asked}
        self._free = {
            kind: [attribute for attribute in attributes if attribute.key not in keys]
            for kind, attributes in ATTRIBUTES.items()
        }
        self._appendix = appendix
        self._subsections = subsections

    def write(
        self,
        bits: Bits,
        number: int,
        stated: Sequence[Stated],
        cites: Mapping[int, str],
        first: Sequence[int],
    ) -> Written:
        """Write one paper.

        Args:
            bits: The paper's own stream.
            number: The paper.
            stated: Asked attributes that it states.
            cites: Cited paper -> citing sentence.
            first: Cited papers whose sentences must find a place; others do while there is room.
        """
        work = self._works[number]
        voice = Voice(bits, self._area, work.task, work.name, work.model, work.data)
        home = home_of(self._reasoning, bits.percent(self._appendix))
        headed = bool(stated) and bits.percent(self._subsections)
        drafts = draw_outline(bits, self._size, work.name, (home,) if stated else ())
        by_kind = {draft.kind: draft for draft in drafts}
        head = bits.choice(stated[0].attribute.heads) if headed else None
        evidence = [self._said(bits, work, one.attribute, one.value) for one in stated]
        for at, sentence in enumerate(evidence):
            by_kind[home].facts.append((sentence, head if at == 0 else None))
        if len(evidence) > 1 and head is not None:
            by_kind[home].facts = [(" ".join(evidence), head)]
        self._place_claims(bits, work, by_kind)
        self._place_other_facts(bits, work, by_kind)
        cited = self._place_cites(bits, by_kind, cites, first)
        place_tables(bits, self._size, self._area, work, [self._works[cited] for cited in cites], drafts)
        if self._size != "tiny" and bits.percent(8):
            repeat_a_header(bits, drafts, {home, "intro"})
        sections = [
            (draft.header, written(bits, voice, draft, self._heads(bits, draft, head))) for draft in drafts
        ]
        label = by_kind[home].header if stated else ""
        if head is not None:
            others = [text for header, text in sections if header != label]
            if not any(head in text for text in others):
                label = head
        return Written(
            sections,
            label,
            evidence[0] if evidence else "",
            by_kind["intro"].header if home != "intro" else by_kind["results"].header,
            cited,
        )

    def _said(self, bits: Bits, work: Work, attribute: Attribute, value: str) -> str:
        said = bits.choice(attribute.said).format(
            v=value, units=self._area.units, name=work.name, model=work.model, data=work.data
        )
        return capitalized(said)

    def _place_other_facts(self, bits: Bits, work: Work, by_kind: dict[str, Draft]) -> None:
        """Facts that nobody asks for, of every reasoning type."""
        low, high = self._lengths.facts
        for reasoning, free in self._free.items():
            for attribute in bits.sample(free, min(len(free), bits.between(low, high))):
                kind = home_of(reasoning, bits.percent(self._appendix))
                draft = by_kind.get(kind) or by_kind.get(home_of(reasoning, appendix=False))
                if draft is None:
                    continue
                value = other_value(bits, attribute, self._area)
                said = self._said(bits, work, attribute, value)
                if self._size != "tiny" or _load(draft) + len(said) < self._lengths.high:
                    draft.facts.append((said, None))

    def _place_claims(self, bits: Bits, work: Work, by_kind: dict[str, Draft]) -> None:
        """The claim where a reader looks for it, the headline score wherever results are summed up."""
        metric, score = self._area.metrics[work.metric], tenths(work.score)
        claim = bits.choice(_CLAIMING)
        by_kind["intro"].facts.append((claim.format(work.claim, name=work.name), None))
        subject = work.kind_stock.scored.format(name=work.name)
        said = bits.choice(_SCORING).format(subject=subject, score=score, metric=metric)
        by_kind["results"].facts.append((capitalized(said), None))
        if "conclusion" in by_kind and self._size != "tiny":
            said = bits.choice(_CONCLUDING).format(subject=subject, score=score, metric=metric)
            by_kind["conclusion"].facts.append((capitalized(said), None))

    def _place_cites(
        self, bits: Bits, by_kind: dict[str, Draft], cites: Mapping[int, str], first: Sequence[int]
    ) -> set[int]:
        """Citing sentences: in related work or where their subject belongs, while there is room."""
        placed: set[int] = set()
        urgent = [cited for cited in cites if cited in first]
        order = bits.shuffled(urgent) + bits.shuffled([cited for cited in cites if cited not in first])
        anywhere = [by_kind[kind] for kind in _CITING if kind in by_kind]
        loads = {draft.kind: _load(draft) for draft in by_kind.values()}
        rooms = {draft.kind: self._room(draft) for draft in by_kind.values()}
        most = self._lengths.cites

        def takes(draft: Draft, sentence: str) -> bool:
            """Whether one more citing sentence fits."""
            return len(draft.cites) < most and loads[draft.kind] + len(sentence) <= rooms[draft.kind]

        for cited in order:
            sentence = cites[cited]
            kind = "related" if bits.percent(50) else bits.choice(self._works[cited].kind_stock.places)
            draft = by_kind.get(kind) or bits.choice(anywhere)
            if not takes(draft, sentence):
                fitting = ("related", *self._works[cited].kind_stock.places)
                others = [one for one in anywhere if takes(one, sentence)]
                others = [one for one in others if one.kind in fitting] or others
                if others:
                    draft = bits.choice(others)
                elif cited in first:
                    draft = min(anywhere, key=lambda one: loads[one.kind])
                else:
                    continue
            draft.cites.append(sentence)
            loads[draft.kind] += len(sentence) + 1
            placed.add(cited)
        return placed

    def _room(self, draft: Draft) -> int:
        """Characters that a section may have by its citing sentences."""
        return max(draft.room, self._lengths.high - 80) if self._size == "tiny" else draft.room * 3 // 4

    def _heads(self, bits: Bits, draft: Draft, label: str | None) -> list[str]:
        """Subsection headers that one section may use; short papers have none but for labels."""
        if self._size == "tiny":
            return []
        return [head for head in bits.shuffled(SECTION_KINDS[draft.kind].heads) if head != label]


def _load(draft: Draft) -> int:
    """Characters that must stand in a section so far."""
    return (
        sum(len(sentence) + 1 for sentence, _ in draft.facts)
        + sum(len(one) + 1 for one in draft.cites)
        + sum(map(len, draft.tables))
    )
