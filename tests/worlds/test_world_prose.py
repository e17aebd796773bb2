"""The language: no broken sentence, no plan left unfilled, a stock that keeps its promises."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from world_reading import PROSE_SIZES, items, read, words

from agenthop_env.text.sections import normalize
from agenthop_env.worlds import SIZES
from agenthop_env.worlds.nano import vocabulary
from agenthop_env.worlds.search import COMMON
from agenthop_env.worlds.stock import passages_frame
from agenthop_env.worlds.stock.areas import ACTIONS, COMPONENTS, areas
from agenthop_env.worlds.stock.attributes import ATTRIBUTES
from agenthop_env.worlds.stock.headers import SECTION_KINDS
from agenthop_env.worlds.stock.parts import WORK_KINDS
from agenthop_env.worlds.stock.passages import PASSAGES
from agenthop_env.worlds.voice import phrases_of

NAMING = re.compile(r"\{(?:name|model|data)\}")
"""Slots that hold the paper's name."""

COUNTS = {"tiny": 150, "small": 20, "full": 2}


def texts(size: str) -> Iterator[str]:
    for item in items(size, COUNTS[size]):
        yield item.qa["question"]
        yield from item.qa["options"]
        for node in item.graph["nodes"].values():
            yield node["title"]
            if node["abstract"]:
                yield node["abstract"]
        for sentences in item.graph["contexts"].values():
            yield from sentences.values()
        for paper in item.papers:
            for section in paper["sections"]:
                yield section["text"]


@pytest.mark.parametrize("size", PROSE_SIZES)
def test_nothing_is_left_unfilled_or_doubled(size: str) -> None:
    broken = re.compile(
        r"[{}\0]|  |\.\.|,,| ,| \.(?!\d)|\b(\w+) \1\b(?<!that that)|(?:\ba|(?:^|[:.] )A) (?=[aeiouAEIOU])(?![Uu]ni)|\b[Aa]n (?=[bcdfgjklmnpqrstvwxzBCDFGJKLMNPQRSTVWXZ])"
    )
    for text in texts(size):
        found = broken.search(text)
        assert not found, text[max(0, found.start() - 40) : found.end() + 40]
        assert text.isascii()
        assert text == text.strip()


@pytest.mark.parametrize("size", PROSE_SIZES)
def test_paragraphs_are_sentences_tables_or_subsection_headers(size: str) -> None:
    heads = {head for kind in SECTION_KINDS.values() for head in kind.heads}
    heads |= {head for group in ATTRIBUTES.values() for one in group for head in one.heads}
    for item in items(size, COUNTS[size]):
        for paper in item.papers:
            for section in paper["sections"]:
                for line in section["text"].splitlines():
                    if not line or line.startswith("|") or line in heads:
                        continue
                    assert line[0].isupper(), line
                    assert line.endswith("."), line


def test_headers_and_subsection_headers_are_apart() -> None:
    headers = {normalize(header) for kind in SECTION_KINDS.values() for header in kind.headers}
    heads = [head for kind in SECTION_KINDS.values() for head in kind.heads]
    labels = [head for group in ATTRIBUTES.values() for one in group for head in one.heads]
    assert not headers & {normalize(head) for head in heads + labels}
    assert not set(heads) & set(labels)
    assert len(set(labels)) == len(labels)
    by_kind = [{normalize(header) for header in kind.headers} for kind in SECTION_KINDS.values()]
    assert sum(map(len, by_kind)) == len(set().union(*by_kind)), "no two kinds share a header"


def test_every_slot_of_every_passage_can_be_filled() -> None:
    known = {*phrases_of(0, 0), "name", "model", "data"}
    abstracts = passages_frame.ABSTRACT_OPEN + passages_frame.ABSTRACT_CLOSE + passages_frame.CLAIMS
    for passage in [text for passages in PASSAGES.values() for text in passages] + list(abstracts):
        slots = {slot.rstrip("2") for slot in re.findall(r"\{(\w+)\}", passage)}
        assert slots <= known, passage
        assert not re.search(r"\[[^\]]*\{", passage), f"a slot inside a choice of wordings: {passage}"
        assert (
            passage.count("[")
            == passage.count("]")
            == len(re.findall(r"\[[^\[\]|]+(?:\|[^\[\]|]+)+\]", passage))
        )
    for passages in PASSAGES.values():
        assert len(set(passages)) == len(passages) >= 10
        first = [passage.split(" // ")[0] for passage in passages]
        assert sum(bool(NAMING.search(sentence)) for sentence in first) >= 4
        for passage in passages:
            assert all(sentence.endswith(".") for sentence in passage.split(" // ")), passage
            assert re.match(r"[A-Z{\[]", passage), passage
    assert all("{name}" in lead for lead in passages_frame.ABSTRACT_LEAD)
    assert all(set(re.findall(r"\{(\w+)\}", action)) <= known for action in ACTIONS)


def test_no_phrase_occurs_twice_in_a_list() -> None:
    for area in areas():
        for name in ("tasks", "plain", "hard", "pieces", "quality", "sources", "labels", "users", "metrics"):
            phrases = getattr(area, name)
            assert len(set(phrases)) == len(phrases) >= 3
        assert len(area.hard) == 8
        for task, plain in zip(area.tasks, area.plain, strict=True):
            assert not (set(words(task)) - COMMON) & set(words(plain))
    assert len(set(COMPONENTS)) == len(COMPONENTS)


def test_parts_of_a_kind_are_told_apart_and_echoed() -> None:
    for kind in WORK_KINDS:
        asked = [phrase for part in kind.parts for phrase in part.asked]
        assert len(set(asked)) == len(asked)
        assert len(kind.parts) >= 4
        for noun in kind.nouns:
            assert not any(set(words(noun)) & set(words(plain)) for plain in kind.plain)
        assert all("{name}" in title for title in kind.titles)
        assert any("noun}" in title and "{task}" in title for title in kind.titles)
        for part in kind.parts:
            assert len(part.echoed) == len(part.asked) == 2
            for phrase, sentence in zip(part.asked, part.echoed, strict=True):
                assert "{c}" in sentence
                assert (set(words(phrase)) - COMMON) & set(words(sentence)), phrase
            assert all("{c}" in sentence for sentence in part.cited)


def test_attributes_hold_their_value_in_every_sentence() -> None:
    keys = [one.key for group in ATTRIBUTES.values() for one in group]
    assert len(set(keys)) == len(keys)
    for group in ATTRIBUTES.values():
        for one in group:
            assert one.option.count("{v}") == 1
            assert all(sentence.count("{v}") == len(NAMING.findall(sentence)) == 1 for sentence in one.said)
            assert len(one.said) >= 3
            assert one.value.count("{") == len(one.slots)


def test_nano_speaks_a_closed_language_of_single_tokens() -> None:
    known = set(vocabulary())
    assert len(known) < 260
    for item in items("nano", 300):
        for text in [item.qa["question"], *item.qa["options"]]:
            assert set(text.split()) <= known
        for paper_id, node in item.graph["nodes"].items():
            assert paper_id in known
            assert set(f"{node['title']} {node['abstract'] or ''}".split()) <= known
        for paper in item.papers:
            assert 2 <= len(paper["sections"]) <= 3
            for section in paper["sections"]:
                assert section["header"] in known
                assert set(section["text"].split()) <= known
                assert section["text"].count(" . ") == 0


def test_three_papers_of_the_same_area_hardly_share_a_sentence() -> None:
    for item in items("small", COUNTS["small"]):
        one = read(item)
        found = list(one.texts)[:3]
        sets = [set(re.findall(r"[A-Z][^.\n|]+\.", one.body(paper))) for paper in found]
        shared = Counter(sentence for sentences in sets for sentence in sentences)
        assert sum(1 for count in shared.values() if count > 1) < 0.25 * len(shared)


def test_header_styles_vary() -> None:
    headers = [
        section["header"]
        for item in items("small", 20)
        for paper in item.papers
        for section in paper["sections"]
    ]
    for pattern in (
        r"^\d+ [A-Z]",
        r"^\d+\. [A-Z]",
        r"^[IVX]+\. [A-Z]",
        r"^Apdx_[A-Z]: ",
        r"^Apdx: ",
        r"^Appendix [A-Z]: ",
        r"^[A-Z ]+$",
    ):
        assert any(re.match(pattern, header) for header in headers), pattern
    duplicated = [
        paper
        for item in items("small", 20)
        for paper in item.papers
        if len({section["header"] for section in paper["sections"]}) < len(paper["sections"])
    ]
    assert duplicated


def test_every_size_is_read_by_these_tests() -> None:
    assert set(PROSE_SIZES) | {"nano"} == set(SIZES)
