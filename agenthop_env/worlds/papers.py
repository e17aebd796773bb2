"""The text of one paper: facts, citations and headline score in their sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.outline import LENGTHS, Draft, draw_outline, home_of, repeat_a_header
from agenthop_env.worlds.sections import score_table, written
from agenthop_env.worlds.stock.areas import Area
from agenthop_env.worlds.stock.attribute import Attribute
from agenthop_env.worlds.stock.attributes import ATTRIBUTES
from agenthop_env.worlds.stock.headers import SECTION_KINDS
from agenthop_env.worlds.stock.parts import WORK_KINDS
from agenthop_env.worlds.stock.parts_models import ENCODER, OBJECTIVE, SYSTEM
from agenthop_env.worlds.values import other_value
from agenthop_env.worlds.voice import Voice, capitalized
from agenthop_env.worlds.works import Work, tenths

_RANKED: Final = tuple(WORK_KINDS.index(kind) for kind in (SYSTEM, ENCODER, OBJECTIVE))
"""Kinds of works that a table of scores lists."""

_CITING: Final = ("related", "intro", "setup", "method", "results", "data", "analysis")
"""Kinds of sections that cite."""

_TABLE_ROWS: Final = {"tiny": 0, "small": 5, "full": 9}


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
        voice = Voice(bits, self._area, work.task, work.name)
        home = home_of(self._reasoning, bits.percent(self._appendix))
        headed = bool(stated) and bits.percent(self._subsections)
        drafts = draw_outline(bits, self._size, work.name, (home,) if stated else ())
        by_kind = {draft.kind: draft for draft in drafts}
        head = bits.choice(stated[0].attribute.heads) if headed else None
        evidence = [self._said(bits, one.attribute, one.value) for one in stated]
        for at, sentence in enumerate(evidence):
            by_kind[home].facts.append((sentence, head if at == 0 else None))
        if len(evidence) > 1 and head is not None:
            by_kind[home].facts = [(" ".join(evidence), head)]
        self._place_other_facts(bits, by_kind)
        self._place_claims(bits, voice, work, by_kind)
        cited = self._place_cites(bits, by_kind, cites, first)
        self._place_table(bits, work, by_kind, cites)
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

    def _said(self, bits: Bits, attribute: Attribute, value: str) -> str:
        return capitalized(bits.choice(attribute.said).format(v=value, units=self._area.units))

    def _place_other_facts(self, bits: Bits, by_kind: dict[str, Draft]) -> None:
        """Facts that nobody asks for, of every reasoning type."""
        low, high = self._lengths.facts
        for reasoning, free in self._free.items():
            for attribute in bits.sample(free, min(len(free), bits.between(low, high))):
                kind = home_of(reasoning, bits.percent(self._appendix))
                draft = by_kind.get(kind) or by_kind.get(home_of(reasoning, appendix=False))
                if draft is None:
                    continue
                draft.facts.append(
                    (self._said(bits, attribute, other_value(bits, attribute, self._area)), None)
                )

    def _place_claims(self, bits: Bits, voice: Voice, work: Work, by_kind: dict[str, Draft]) -> None:
        """The claim where a reader looks for it, the headline score wherever results are summed up."""
        metric = self._area.metrics[work.metric]
        claim = bits.choice(
            ("We show that {}.", "Our claim is that {}.", "We find that {}.", "As we will see, {}.")
        )
        by_kind["intro"].facts.append((claim.format(work.claim), None))
        score = voice.fill(
            bits.choice(
                (
                    "{name} reaches {score} in {metric}.",
                    "In {metric}, {name} arrives at {score}.",
                    "With {score}, {name} sets the mark in {metric}.",
                    "Overall, we obtain {score} in {metric}.",
                )
            ),
            score=tenths(work.score),
            metric=metric,
        )
        by_kind["results"].facts.append((score, None))
        if "conclusion" in by_kind and self._size != "tiny":
            by_kind["conclusion"].facts.append(
                (f"At {tenths(work.score)} in {metric}, there is still room above {work.name}.", None)
            )

    def _place_cites(
        self, bits: Bits, by_kind: dict[str, Draft], cites: Mapping[int, str], first: Sequence[int]
    ) -> set[int]:
        """Citing sentences: in related work or where their subject belongs, while there is room."""
        placed: set[int] = set()
        urgent = [cited for cited in cites if cited in first]
        order = bits.shuffled(urgent) + bits.shuffled([cited for cited in cites if cited not in first])
        anywhere = [by_kind[kind] for kind in _CITING if kind in by_kind]
        for cited in order:
            sentence = cites[cited]
            kind = "related" if bits.percent(50) else bits.choice(self._works[cited].kind_stock.places)
            draft = by_kind.get(kind) or bits.choice(anywhere)
            if not self._takes(draft, sentence):
                others = [one for one in anywhere if self._takes(one, sentence)]
                if others:
                    draft = bits.choice(others)
                elif cited in first:
                    draft = min(anywhere, key=_load)
                else:
                    continue
            draft.cites.append(sentence)
            placed.add(cited)
        return placed

    def _takes(self, draft: Draft, sentence: str) -> bool:
        """Whether one more citing sentence fits."""
        room = max(draft.room, self._lengths.high - 40) if self._size == "tiny" else draft.room * 3 // 4
        return len(draft.cites) < self._lengths.cites and _load(draft) + len(sentence) <= room

    def _place_table(
        self, bits: Bits, work: Work, by_kind: dict[str, Draft], cites: Mapping[int, str]
    ) -> None:
        """The results table: own score and, as published, those of cited works."""
        limit = _TABLE_ROWS[self._size]
        if not limit:
            return
        rivals = [cited for cited in cites if self._works[cited].kind in _RANKED][:limit]
        listed = [self._works[cited] for cited in bits.shuffled(rivals)] + [work]
        rows = [(one.name, tenths(one.score), str(one.size)) for one in listed]
        by_kind["results"].table = score_table(1, capitalized(self._area.metrics[work.metric]), rows)

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
        + len(draft.table)
    )
