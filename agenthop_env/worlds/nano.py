"""The smallest worlds: a closed language in which ids, values and section names are single tokens.

A paper is a title of two topics and a part ("graph speech corpus"), an abstract of one sentence and two or three
sections of one sentence each ("the depth is v3 and the width is v7 ."), with a subsection's header before it here
and there ("Design : the depth is v3 ."). A question names a part by its everyday
word, which the title may replace by a fixed synonym; a model learns the synonyms, the rest is navigation and copying.
"""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.anatomy import REASONING, SEED, Anatomy
from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.coordinates import Coordinates, Stage
from agenthop_env.worlds.item import Label, Row, WorldItem, graph_row, item_id, labels_row, node_row, qa_row
from agenthop_env.worlds.options import Deal, deal, values_needed
from agenthop_env.worlds.search import COMMON, steer
from agenthop_env.worlds.stock import words

IDS: Final = tuple(f"p{number}" for number in range(20))
VALUES: Final = tuple(f"v{number}" for number in range(20))
PARTS: Final = (
    ("dataset", "corpus"),
    ("baseline", "competitor"),
    ("metric", "measure"),
    ("theory", "analysis"),
    ("survey", "review"),
    ("toolkit", "library"),
    ("encoder", "backbone"),
    ("optimizer", "solver"),
)
"""What a paper is to the one that cites it: the question's word and the title's synonym."""

TOPICS: Final = words("""vision graph speech text robot protein music traffic weather code math law chess image video audio market energy
    health genome ocean crystal planet sensor""")
ATTRIBUTES: Final = {
    "GROUND": ("sample", "panel", "vote"),
    "METHOD": ("depth", "width", "rate"),
    "MOTIVE": ("goal", "gap", "scope"),
    "RESULT": ("score", "speed", "loss"),
}
HEADERS: Final = {
    "GROUND": ("Data", "Setup"),
    "METHOD": ("Method", "Approach"),
    "MOTIVE": ("Introduction", "Background"),
    "RESULT": ("Results", "Experiments"),
}
HEADS: Final = {"GROUND": "Sampling", "METHOD": "Design", "MOTIVE": "Purpose", "RESULT": "Tables"}
"""Subsection headers, which a section's text may begin with."""

APPENDIX: Final = "Appendix"
ORDER: Final = ("MOTIVE", "METHOD", "GROUND", "RESULT")
AUTHORS: Final = ("Smith", "Chen", "Kumar", "Garcia", "Ivanov", "Sato", "Okafor", "Novak")
TIERS: Final = ("gold", "silver", "bronze")

_NOTES: Final = 40
"""Percent of abstracts with a note."""

_GLUE: Final = """we study and note a claim gain on the seed claims what is of about that it cites cited by in paper
    . ? ; :"""


def vocabulary() -> tuple[str, ...]:
    """Every whitespace-separated token of every nano item, in a fixed order."""
    words: list[str] = [*IDS, *VALUES]
    for pair in PARTS:
        words += pair
    words += [*TOPICS, *AUTHORS, APPENDIX, "method"]
    for group in ORDER:
        words += [*ATTRIBUTES[group], *HEADERS[group], HEADS[group]]
    words += [str(year) for year in range(2009, 2027)]
    return tuple(dict.fromkeys([*words, *_GLUE.split()]))


def generate_nano(where: Coordinates, index: int, anatomy: Anatomy) -> WorldItem:
    """Write one nano item over its skeleton."""
    return _Writer(where, index, anatomy).item()


class _Writer:
    """The choices and texts of one item, in the order in which they depend on each other."""

    def __init__(self, where: Coordinates, index: int, anatomy: Anatomy) -> None:
        self.where = where
        self.index = index
        self.anatomy = anatomy
        self.dealt: Deal = deal(where.bits(index, Stage.QUESTION, 0), len(anatomy.golds))
        self.asked, self.values = self._draw_asked(where.bits(index, Stage.FACTS, 0))
        offered = [value for values in self.values for value in values]
        self.other_values = [value for value in VALUES if value not in offered]
        bits = where.bits(index, Stage.NAMES)
        self.ids = bits.sample(IDS, anatomy.size)
        self.parts = self._draw_parts(bits)
        self.topics = self._draw_topics(bits)
        self.literal = bits.percent(where.difficulty.value("overlap"))
        self.claim_topic = bits.choice(self.topics[SEED])
        self.authors = [[bits.choice(AUTHORS)] for _ in range(anatomy.size)]
        self.labels: list[Label] = []

    def item(self) -> WorldItem:
        """All four rows."""
        anatomy, sample_id = self.anatomy, item_id(self.anatomy.kind.prefix, self.index)
        # Unique across items of a world, since the release layout joins texts by this id.
        stem = f"{self.where.fingerprint[:8]}-{self.index:06d}"
        arxiv_ids = [
            f"nano.{stem}-{number:02d}" if has_text else None for number, has_text in enumerate(anatomy.text)
        ]
        titles = [self._title(number) for number in range(anatomy.size)]
        question = self._question()
        abstracts = self._abstracts(titles, question)
        sections = self._sections()
        nodes, tier = self._nodes(titles, arxiv_ids, abstracts)
        qa = qa_row(
            self.index,
            anatomy,
            self.dealt,
            question=question,
            options=[self._option(cell) for cell in self.dealt.cells],
            ids=self.ids,
            arxiv_ids=arxiv_ids,
            seed_title=titles[SEED],
            tier=tier,
            venue="nano",
        )
        graph = graph_row(
            sample_id,
            anatomy,
            ids=self.ids,
            nodes=nodes,
            contexts=self._contexts(),
            dangling=self._dangling(),
        )
        papers: list[Row] = [
            {"arxiv_id": arxiv_ids[number], "title": titles[number], "sections": sections[number]}
            for number in anatomy.order
            if anatomy.text[number]
        ]
        return WorldItem(qa, graph, papers, labels_row(sample_id, self.labels, titles, arxiv_ids))

    def _draw_asked(self, bits: Bits) -> tuple[list[str], list[list[str]]]:
        """The asked attributes and their option values, drawn exchangeably (close values are neighbors)."""
        golds = len(self.anatomy.golds)
        asked = bits.sample(ATTRIBUTES[self.anatomy.reasoning], golds)
        close = self.where.difficulty.value("closeness")
        width = 4 + (len(VALUES) - 4) * (100 - close) // 100
        start = bits.below(len(VALUES) - width + 1)
        drawn: list[str] = bits.sample(VALUES[start : start + width], 4)
        need = values_needed(golds)
        return asked, [drawn[at * need : (at + 1) * need] for at in range(golds)]

    def _draw_parts(self, bits: Bits) -> list[int]:
        """Per paper its part. A gold's part, and a bridge's, is its own among the references of its citer."""
        anatomy = self.anatomy
        parts = [bits.below(len(PARTS)) for _ in range(anatomy.size)]
        key = list(dict.fromkeys([*anatomy.golds, *anatomy.bridges]))
        for number, part in zip(key, bits.sample(range(len(PARTS)), len(key)), strict=True):
            parts[number] = part
        for number in key:
            citer = anatomy.citers[anatomy.golds.index(number)] if number in anatomy.golds else SEED
            taken = {parts[other] for other in anatomy.references[citer] if other in key}
            free = [part for part in range(len(PARTS)) if part not in taken]
            for other in anatomy.references[citer]:
                if other not in key and parts[other] in taken:
                    parts[other] = bits.choice(free)
        return parts

    def _draw_topics(self, bits: Bits) -> list[list[str]]:
        """Per paper two topics: the look-alikes share their gold's first one, nobody else beside them does."""
        anatomy = self.anatomy
        main = bits.sample(TOPICS, len(anatomy.golds))
        rest = [topic for topic in TOPICS if topic not in main]
        topics = [bits.sample(rest, 2) for _ in range(anatomy.size)]
        for topic, gold, group in zip(main, anatomy.golds, anatomy.lookalikes, strict=True):
            for number in (gold, *group):
                topics[number] = bits.shuffled([topic, bits.choice(rest)])
        self.main_topics = main
        return topics

    def _title(self, number: int) -> str:
        """Two topics and the part's synonym; the seed is a method."""
        part = "method" if number == SEED else PARTS[self.parts[number]][1]
        return f"{self.topics[number][0]} {self.topics[number][1]} {part}"

    def _word(self, number: int) -> str:
        """The part as the question calls it."""
        return PARTS[self.parts[number]][1 if self.literal else 0]

    def _question(self) -> str:
        """The seed's claim, then the asked attributes by part and topic."""
        wanted = []
        for attribute, gold, topic in zip(self.asked, self.anatomy.golds, self.main_topics, strict=True):
            wanted.append(f"the {attribute} of the {self._word(gold)} about {topic}")
        citers = list(dict.fromkeys(self.anatomy.citers))
        if citers == [SEED]:
            return f"the seed claims a gain on {self.claim_topic} . what is {' and '.join(wanted)} that it cites ?"
        if len(citers) == 1:
            path = f"cited by the {self._word(citers[0])} that it cites"
            return f"the seed claims a gain on {self.claim_topic} . what is {' and '.join(wanted)} {path} ?"
        parts = [
            f"{text} cited by the {self._word(citer)} that it cites"
            for text, citer in zip(wanted, self.anatomy.citers, strict=True)
        ]
        return f"the seed claims a gain on {self.claim_topic} . what is {' and '.join(parts)} ?"

    def _option(self, cell: tuple[int, ...]) -> str:
        """A value, or for two golds each attribute with its value."""
        if len(cell) == 1:
            return self.values[0][cell[0]]
        return " ; ".join(
            f"{self.asked[which]} {self.values[which][value]}" for which, value in enumerate(cell)
        )

    def _abstracts(self, titles: list[str], question: str) -> list[str]:
        """One sentence each, and a second one where the search has to find, or miss, the gold."""
        anatomy = self.anatomy
        texts = [f"we study {one} and {two} ." for one, two in self.topics]
        texts[SEED] = f"{texts[SEED]} we claim a gain on {self.claim_topic} ."
        bits = self.where.bits(self.index, Stage.SEARCH)
        # Notes are common, so that one made for the search does not stand out.
        notes = [[bits.choice(TOPICS)] if bits.percent(_NOTES) else [] for _ in texts]
        found = bits.percent(self.where.difficulty.value("search_finds_gold"))
        others = bits.shuffled([number for number in anatomy.order if number not in anatomy.golds])
        documents = [
            f"{title} {text} {' '.join(note)}" for title, text, note in zip(titles, texts, notes, strict=True)
        ]
        added = steer(question, documents, anatomy.order, anatomy.golds, found, others)
        for number, fresh in added.items():
            notes[number] += fresh
        self.steered = set(added)
        return [
            f"{text} we note {' '.join(note)} ." if note else text
            for text, note in zip(texts, notes, strict=True)
        ]

    def _sections(self) -> dict[int, list[Row]]:
        """Sections of every paper with text; notes the golds' labels on the way."""
        bits = self.where.bits(self.index, Stage.TEXT)
        return {
            number: self._paper_sections(number, bits)
            for number, has_text in enumerate(self.anatomy.text)
            if has_text
        }

    def _paper_sections(self, number: int, bits: Bits) -> list[Row]:
        reasoning = self.anatomy.reasoning
        others = [group for group in ORDER if group != reasoning]
        groups = {reasoning, *bits.sample(others, bits.between(1, 2))}
        appendix = bits.percent(self.where.difficulty.value("appendix"))
        headed = self.where.difficulty.value("subsections")
        sections: list[Row] = []
        home = ""
        for group in ORDER:
            if group not in groups:
                continue
            header = bits.choice(HEADERS[group])
            text = self._facts_sentence(number, group, bits)
            if group == reasoning and appendix:
                header = APPENDIX
            head = HEADS[group] if bits.percent(headed) else ""
            sections.append({"header": header, "text": f"{head} : {text}" if head else text})
            if group == reasoning and number in self.anatomy.golds:
                self.labels.append(Label(number, head or header, "direct", text))
                home = header
        if appendix:
            sections.sort(key=lambda section: section["header"] == APPENDIX)
        if number in self.anatomy.golds:
            support = next(section for section in sections if section["header"] != home)
            self.labels.append(Label(number, support["header"], "supporting", support["text"]))
        return sections

    def _facts_sentence(self, number: int, group: str, bits: Bits) -> str:
        """One or two facts of a group; asked ones as the deal says, others outside the options."""
        names = ATTRIBUTES[group]
        stated: list[str] = bits.sample(names, bits.between(1, 2))
        fixed: dict[str, str] = {}
        if group == self.anatomy.reasoning:
            fixed = self._dealt_facts(number, bits)
            spare = [name for name in names if name not in self.asked]
            stated = bits.shuffled(list(fixed)[:2]) if len(fixed) > 1 else [*fixed, bits.choice(spare)]
            stated = bits.shuffled(stated)
        facts = [f"the {name} is {fixed.get(name) or bits.choice(self.other_values)}" for name in stated]
        return " and ".join(facts) + " ."

    def _dealt_facts(self, number: int, bits: Bits) -> dict[str, str]:
        """Asked attributes that this paper states, with the deal's value where it has one."""
        anatomy = self.anatomy
        if number in anatomy.golds:
            which = anatomy.golds.index(number)
            return {self.asked[which]: self.values[which][self.dealt.cell("correct")[which]]}
        if number == SEED:
            cell = self.dealt.cell("seed_only")
            return {name: self.values[which][cell[which]] for which, name in enumerate(self.asked)}
        if number in anatomy.wrongs:
            which = anatomy.wrongs.index(number)
            return {self.asked[which]: self.values[which][self.dealt.cell("wrong_paper")[which]]}
        return {name: bits.choice(self.other_values) for name in self.asked}

    def _nodes(
        self, titles: list[str], arxiv_ids: list[str | None], abstracts: list[str]
    ) -> tuple[dict[int, Row], str]:
        """Graph nodes; metadata-only ones lack something now and then."""
        bits, missing = self.where.bits(self.index, Stage.CONTEXT, 1), self.where.difficulty.value("missing")
        tier = bits.choice(TIERS)
        nodes: dict[int, Row] = {}
        for number, year in enumerate(self.anatomy.years):
            bare = not self.anatomy.text[number]
            # A null abstract must not undo what the search was steered to.
            no_abstract = bare and number not in self.steered and bits.percent(missing)
            nodes[number] = node_row(
                titles[number],
                arxiv_ids[number],
                None if bare and bits.percent(missing) else year,
                None if no_abstract else abstracts[number],
                [] if bare and bits.percent(missing) else self.authors[number],
                None,
            )
        return nodes, tier

    def _contexts(self) -> dict[int, dict[int, str]]:
        """Citing sentences for the share of citations that the difficulty asks for."""
        bits, share = self.where.bits(self.index, Stage.CONTEXT), self.where.difficulty.value("contexts")
        return {
            citing: {
                cited: f"we note the {PARTS[self.parts[cited]][1]} on {self.topics[cited][0]} ."
                for cited in references
                if bits.percent(share)
            }
            for citing, references in enumerate(self.anatomy.references)
        }

    def _dangling(self) -> dict[int, list[str]]:
        """Citations of the seed to ids that no node has."""
        free = [name for name in IDS if name not in self.ids]
        return {SEED: free[: self.where.difficulty.value("dangling")]}


assert set(REASONING) == set(ATTRIBUTES)
assert not COMMON & {word for pair in PARTS for word in pair}
