"""One item of the prose worlds: works, parts, facts, papers, question, rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from agenthop_env.worlds.anatomy import SEED, Anatomy
from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.coordinates import Coordinates, Stage
from agenthop_env.worlds.item import Label, Row, WorldItem, graph_row, item_id, labels_row, node_row, qa_row
from agenthop_env.worlds.naming import namer
from agenthop_env.worlds.options import deal, values_needed
from agenthop_env.worlds.papers import PaperWriter, Stated, Written
from agenthop_env.worlds.questions import Parts, QuestionWriter
from agenthop_env.worlds.search import steer, tokens
from agenthop_env.worlds.stock.areas import Area, areas
from agenthop_env.worlds.stock.attribute import Attribute
from agenthop_env.worlds.stock.attributes import ATTRIBUTES
from agenthop_env.worlds.stock.parts import WORK_KINDS
from agenthop_env.worlds.stock.passages_frame import ABSTRACT_CLOSE, ABSTRACT_LEAD, ABSTRACT_OPEN
from agenthop_env.worlds.values import option_values, other_value
from agenthop_env.worlds.voice import Voice, capitalized
from agenthop_env.worlds.works import Work, draw_works, tenths, with_article

TIERS: Final = ("gold", "silver", "bronze")
_ID_DIGITS: Final = {"tiny": 8, "small": 40, "full": 40}
_KEYWORDS: Final = 50
"""Percent of abstracts with keywords."""

_BYSTANDERS: Final = 35
"""Percent of papers beside the witnesses that state an asked attribute too, never with an option's value."""


_CLAIMED: Final = (
    "We show that {}.",
    "It turns out that {}.",
    "We find that {}.",
    "Our experiments indicate that {}.",
    "The evidence suggests that {}.",
    "Results confirm that {}.",
)


def generate_prose(where: Coordinates, index: int, anatomy: Anatomy) -> WorldItem:
    """Write one item in prose over its skeleton."""
    return _Writer(where, index, anatomy).item()


def generate_question(where: Coordinates, index: int, anatomy: Anatomy) -> Row:
    """The question's row of an item in prose, without its texts, which take longest."""
    return _Writer(where, index, anatomy).question()


class _Writer:
    """The choices and texts of one item, in the order in which they depend on each other."""

    def __init__(self, where: Coordinates, index: int, anatomy: Anatomy) -> None:
        self.where = where
        self.index = index
        self.anatomy = anatomy
        bits = self.bits(Stage.FACTS)
        self.area: Area = bits.choice(areas())
        self._vocabulary = self.area.pieces + self.area.labels + self.area.quality + self.area.tasks
        self.asked: list[Attribute] = bits.sample(ATTRIBUTES[anatomy.reasoning], len(anatomy.golds))
        self.values = [
            option_values(
                bits, attribute, self.area, values_needed(len(anatomy.golds)), self.knob("closeness")
            )
            for attribute in self.asked
        ]
        self.wording = self.bits(Stage.QUESTION)
        self.dealt = deal(self.wording, len(anatomy.golds))
        names = self.bits(Stage.NAMES)
        self.literal = names.percent(self.knob("overlap"))
        self.works: list[Work] = draw_works(names, anatomy, self.area, self.literal, namer(where, index))
        self.parts = self._draw_parts(names)
        self.phrasing = {edge: names.below(2) for edge in self._path()}
        self.meta = self.bits(Stage.IDS)
        self.ids = self._paper_ids(self.meta)
        self.arxiv_ids = self._arxiv_ids(self.meta)

    def bits(self, stage: int, part: int = 0) -> Bits:
        """A stream of this item."""
        return self.where.bits(self.index, stage, part)

    def knob(self, name: str) -> int:
        """A knob's value."""
        return self.where.difficulty.value(name)

    def question(self) -> Row:
        """The question's row."""
        writer = QuestionWriter(
            self.wording, self.anatomy, self.works, self.area, self.parts, self.phrasing, self.literal
        )
        return qa_row(
            self.index,
            self.anatomy,
            self.dealt,
            question=writer.question(self.asked),
            options=writer.options(self.asked, self.values, self.dealt),
            ids=self.ids,
            arxiv_ids=self.arxiv_ids,
            seed_title=self.works[SEED].title,
            tier=self.meta.choice(TIERS),
            venue=self.works[SEED].venue,
        )

    def item(self) -> WorldItem:
        """All four rows."""
        anatomy, sample_id = self.anatomy, item_id(self.anatomy.kind.prefix, self.index)
        qa = self.question()
        titles = [work.title for work in self.works]
        citing = self.bits(Stage.CONTEXT)
        cites = self._citing_sentences(citing)
        nodes = self._nodes(self.bits(Stage.TEXT, 1), self.arxiv_ids, qa["question"])
        texts = self._papers(cites)
        dangling = {
            SEED: [_hexadecimal(self.meta, _ID_DIGITS[self.where.size]) for _ in range(self.knob("dangling"))]
        }
        graph = graph_row(
            sample_id,
            anatomy,
            ids=self.ids,
            nodes=nodes,
            contexts=self._contexts(citing, cites, texts),
            dangling=dangling,
        )
        papers: list[Row] = [
            {
                "arxiv_id": self.arxiv_ids[number],
                "title": titles[number],
                "sections": [{"header": header, "text": text} for header, text in texts[number].sections],
            }
            for number in anatomy.order
            if anatomy.text[number]
        ]
        labels = labels_row(sample_id, self._labels(texts), titles, self.arxiv_ids)
        return WorldItem(qa, graph, papers, labels)

    def _path(self) -> list[tuple[int, int]]:
        """The citations that lead to the golds."""
        anatomy = self.anatomy
        return [(SEED, bridge) for bridge in anatomy.bridges] + list(
            zip(anatomy.citers, anatomy.golds, strict=True)
        )

    def _draw_parts(self, bits: Bits) -> Parts:
        """What cited works are to citers with text; the path's parts are theirs alone in their bibliographies."""
        anatomy, parts = self.anatomy, {}
        path = self._path()
        for citing, cited_list in enumerate(anatomy.references):
            if not anatomy.text[citing]:
                continue
            taken: set[tuple[int, int]] = set()
            used = [[0] * len(stock.parts) for stock in WORK_KINDS]
            # The path first, so that nobody else can take its parts.
            for cited in sorted(cited_list, key=lambda cited: (citing, cited) not in path):
                kind = self.works[cited].kind
                counts = used[kind]
                free = [part for part in range(len(counts)) if (kind, part) not in taken]
                # Two works in one part would contradict each other; it comes to that in long bibliographies only.
                least = min(counts[part] for part in free)
                part = bits.choice([part for part in free if counts[part] == least])
                counts[part] += 1
                if (citing, cited) in path:
                    taken.add((kind, part))
                parts[citing, cited] = part
        return parts

    def _paper_ids(self, bits: Bits) -> list[str]:
        digits, ids = _ID_DIGITS[self.where.size], dict[str, None]()
        while len(ids) < self.anatomy.size:
            ids[_hexadecimal(bits, digits)] = None
        return list(ids)

    def _arxiv_ids(self, bits: Bits) -> list[str | None]:
        """Ids of texts, unique in the whole world; some metadata-only papers have one outside the pool."""
        stem = f"{self.where.fingerprint[:8]}-{self.index:06d}"
        found: list[str | None] = []
        for number, year in enumerate(self.anatomy.years):
            known = self.anatomy.text[number] or bits.percent(25)
            found.append(f"{year % 100:02d}{bits.between(1, 12):02d}.{stem}-{number:03d}" if known else None)
        return found

    def _citing_sentences(self, bits: Bits) -> dict[int, dict[int, str]]:
        """Citing sentences of every paper with text."""
        cites: dict[int, dict[int, str]] = {}
        for citing, references in enumerate(self.anatomy.references):
            if not self.anatomy.text[citing]:
                continue
            voice = Voice(bits, self.area, self.works[citing].task, self.works[citing].name)
            style = bits.below(20)
            doubled = _doubled([(self.works[cited].short, self.anatomy.years[cited]) for cited in references])
            made: dict[int, str] = {}
            told: set[str] = set()
            for place, cited in enumerate(references):
                work = self.works[cited]
                mark = _mark(style, bits, work, self.anatomy.years[cited], place, doubled[place])
                part = work.kind_stock.parts[self.parts[citing, cited]]
                phrasing = self.phrasing.get((citing, cited)) if self.literal else None
                plan = _fresh(bits, part.cited, told) if phrasing is None else part.echoed[phrasing]
                made[cited] = voice.sentence(plan, c=mark)
            cites[citing] = made
        return cites

    def _contexts(
        self, bits: Bits, cites: dict[int, dict[int, str]], texts: dict[int, Written]
    ) -> dict[int, dict[int, str]]:
        """Citing sentences that the graph knows: a share of those that stand in the texts."""
        share = self.knob("contexts")
        return {
            citing: {
                cited: sentence
                for cited, sentence in made.items()
                if cited in texts[citing].cited and bits.percent(share)
            }
            for citing, made in cites.items()
        }

    def _papers(self, cites: dict[int, dict[int, str]]) -> dict[int, Written]:
        """Texts of all papers that have one."""
        anatomy = self.anatomy
        writer = PaperWriter(
            self.where.size,
            self.area,
            self.works,
            anatomy.reasoning,
            self.asked,
            self.knob("appendix"),
            self.knob("subsections"),
        )
        key = (*anatomy.golds, *anatomy.bridges, *(one for group in anatomy.lookalikes for one in group))
        bits = self.bits(Stage.TEXT)
        return {
            number: writer.write(bits, number, self._stated(bits, number), cites[number], key)
            for number, has_text in enumerate(anatomy.text)
            if has_text
        }

    def _stated(self, bits: Bits, number: int) -> list[Stated]:
        """Asked attributes that a paper states, with its values."""
        anatomy, asked = self.anatomy, self.asked
        if number in anatomy.golds:
            which = anatomy.golds.index(number)
            return [Stated(asked[which], self.values[which][self.dealt.cell("correct")[which]])]
        if number == SEED:
            cell = self.dealt.cell("seed_only")
            return [
                Stated(attribute, values[at])
                for attribute, values, at in zip(asked, self.values, cell, strict=True)
            ]
        if number in anatomy.wrongs:
            which = anatomy.wrongs.index(number)
            return [Stated(asked[which], self.values[which][self.dealt.cell("wrong_paper")[which]])]
        if number not in anatomy.witnesses and not bits.percent(_BYSTANDERS):
            return []
        return [
            Stated(attribute, other_value(bits, attribute, self.area, values))
            for attribute, values in zip(asked, self.values, strict=True)
        ]

    def _labels(self, texts: dict[int, Written]) -> list[Label]:
        labels = []
        for gold in self.anatomy.golds:
            paper = texts[gold]
            labels.append(Label(gold, paper.label, "direct", paper.evidence))
            labels.append(
                Label(gold, paper.support, "supporting", "What the paper is and what it sets out to do.")
            )
        return labels

    def _nodes(self, bits: Bits, arxiv_ids: list[str | None], question: str) -> dict[int, Row]:
        """Graph nodes, their abstracts steered to what the search should find."""
        anatomy, missing = self.anatomy, self.knob("missing")
        bare = [not has_text for has_text in anatomy.text]
        abstracts = [
            None if bare[number] and bits.percent(missing) else self._abstract(bits, number)
            for number in range(anatomy.size)
        ]
        search = self.bits(Stage.SEARCH)
        # Keywords are common, so that those given for the search do not stand out.
        keywords = [
            search.sample(self._vocabulary, 3) if abstract is not None and search.percent(_KEYWORDS) else []
            for abstract in abstracts
        ]
        documents = [
            f"{work.title} {abstract or ''} {' '.join(listed)}"
            for work, abstract, listed in zip(self.works, abstracts, keywords, strict=True)
        ]
        found = search.percent(self.knob("search_finds_gold"))
        movable = [
            number
            for number in anatomy.order
            if number not in anatomy.golds and abstracts[number] is not None
        ]
        added = steer(
            question,
            documents,
            anatomy.order,
            anatomy.golds,
            found,
            search.shuffled(movable),
            tokens(self.works[SEED].name),
            _nouns(self.area.number),
        )
        nodes: dict[int, Row] = {}
        for number, work in enumerate(self.works):
            abstract = abstracts[number]
            listed = keywords[number] + added.get(number, [])
            if listed and abstract is not None:
                abstract = f"{abstract} Keywords: {', '.join(search.shuffled(listed))}."
            nodes[number] = node_row(
                work.title,
                arxiv_ids[number],
                None if bare[number] and bits.percent(missing) else anatomy.years[number],
                abstract,
                () if bare[number] and bits.percent(missing) else work.authors,
                work.venue if bits.percent(60) else None,
            )
        return nodes

    def _abstract(self, bits: Bits, number: int) -> str:
        """Three to five sentences without any asked fact."""
        work = self.works[number]
        voice = Voice(bits, self.area, work.task, work.name)
        word = bits.word()
        sentences = [
            voice.sentence(ABSTRACT_OPEN[word % len(ABSTRACT_OPEN)]),
            voice.sentence(
                ABSTRACT_LEAD[(word >> 8) % len(ABSTRACT_LEAD)],
                noun=work.noun,
                a_noun=with_article(work.noun),
                about=work.kind_stock.about,
            ),
            _CLAIMED[(word >> 16) % len(_CLAIMED)].format(work.claim),
        ]
        if (word >> 24) % 8 < 5:
            subject = work.kind_stock.scored.format(name=work.name)
            score = f"{subject} reaches {tenths(work.score)} in {self.area.metrics[work.metric]}."
            sentences.append(capitalized(score))
        if (word >> 32) % 8 < 5:
            sentences.append(voice.sentence(ABSTRACT_CLOSE[(word >> 40) % len(ABSTRACT_CLOSE)]))
        return " ".join(sentences)


def _fresh(bits: Bits, plans: Sequence[str], told: set[str]) -> str:
    """A plan that the paper has not used yet, where there is one."""
    plan = bits.choice(plans)
    if plan in told:
        plan = next((other for other in plans if other not in told), plan)
    told.add(plan)
    return plan


@cache
def _nouns(number: int) -> frozenset[str]:
    """Words that look well among an area's keywords."""
    area = areas()[number]
    lists = (
        area.hard,
        area.pieces,
        area.quality,
        area.sources,
        area.labels,
        area.users,
        area.metrics,
        area.tasks,
    )
    kinds = [noun for kind in WORK_KINDS for noun in kind.nouns + kind.plain]
    return frozenset(tokens(" ".join([*(phrase for found in lists for phrase in found), *kinds])))


def _doubled(marks: Sequence[tuple[str, int]]) -> list[str]:
    """Per reference the letter that tells it from others of the same authors and year, mostly none."""
    places: dict[tuple[str, int], list[int]] = {}
    for place, mark in enumerate(marks):
        places.setdefault(mark, []).append(place)
    letters = [""] * len(marks)
    for found in places.values():
        if len(found) > 1:
            for which, place in enumerate(found):
                letters[place] = chr(97 + which)
    return letters


def _mark(style: int, bits: Bits, work: Work, year: int, place: int, letter: str) -> str:
    """How a paper of some style cites: by authors and year or by number, with the cited work's name or without."""
    named = style % 5 > 1 and bits.percent(50)
    if style < 8:
        return f"{work.name} ({work.short}, {year}{letter})" if named else f"{work.short} ({year}{letter})"
    return f"{work.name if named else work.short} [{place + 1}]"


def _hexadecimal(bits: Bits, digits: int) -> str:
    """A random id of that many hexadecimal digits."""
    text = f"{bits.word():016x}"
    while len(text) < digits:
        text += f"{bits.word():016x}"
    return text[:digits]
