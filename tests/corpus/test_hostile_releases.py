"""Releases made to break a reader: they open, or they say what is wrong; nothing crashes."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from releases import ARXIV, GOLD, SEED, Release, write_lines

from agenthop_env import Episode, ToolCall, Usage, open_corpus
from agenthop_env.corpus.graph_rows import read_graph
from agenthop_env.corpus.problems import CorpusError, Problems
from agenthop_env.corpus.release import (
    FILES,
    GRAPHS_FILE,
    LABELS_FILE,
    PAPERS_FILE,
    QA_FILE,
    decode_line,
    read_object,
)
from agenthop_env.corpus.rows import read_item, read_labels, read_paper
from agenthop_env.corpus.validate import validate_release
from agenthop_env.envs import AgentHopEnv

DEEP = 100_000


def lines_of(release: Release) -> dict[str, list[Any]]:
    return {
        QA_FILE: [*release.qa], GRAPHS_FILE: [*release.graphs], PAPERS_FILE: [*release.papers],
        LABELS_FILE: [*release.labels],
    }  # fmt: skip


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("line", ["[" * DEEP, nested(DEEP), '{"a":' * DEEP + "1" + "}" * DEEP])
def test_a_line_nested_100000_deep_is_one_error(tmp_path: Path, file: str, line: str) -> None:
    lines = lines_of(Release().only("st_0001"))
    lines[file].insert(0, line)
    folder = write_lines(tmp_path / "release", lines)
    errors = [problem for problem in validate_release(folder).errors if problem.file == file]
    assert [problem.line for problem in errors] == [1]
    assert "deep" in errors[0].message
    assert list(open_corpus(folder).ids) == ["st_0001"]


@pytest.mark.parametrize("depth", [150, 500, 900, 1100, DEEP])
def test_a_field_nested_deep_refuses_its_row_alone(tmp_path: Path, depth: int) -> None:
    release = Release().only("st_0001", "st_0002")
    lines = lines_of(release)
    text = json.dumps(release.graphs[0]).replace(
        '"title": "Gold', f'"deep": {nested(depth)}, "title": "Gold', 1
    )
    assert nested(depth) in text
    lines[GRAPHS_FILE][0] = text
    lines[PAPERS_FILE].append(f'{{"arxiv_id": "x", "title": "", "sections": [], "tables": {nested(depth)}}}')
    folder = write_lines(tmp_path / "release", lines)
    validate_release(folder)
    assert "st_0002" in open_corpus(folder).ids


def test_ids_with_lone_surrogates_and_nul(tmp_path: Path) -> None:
    odd = "p\ud800\x00"
    release = Release().only("st_0001")
    graph = release.graphs[0]
    graph["nodes"][odd] = {"title": "odd", "arxivId": "a\udfff", "year": 1}
    graph["edges"][SEED].append(odd)
    graph["edges"][odd] = [odd]
    release.papers.append(
        {"arxiv_id": "a\udfff", "title": "", "sections": [{"header": "\ud800", "text": "x"}]}
    )
    folder = release.write(tmp_path / "release")
    assert not validate_release(folder).errors
    corpus = open_corpus(folder)
    episode = Episode(corpus, "st_0001")
    assert odd in episode.turn("", [ToolCall("get_references", {"paper_id": SEED})]).results[0].text
    result = episode.turn("", [ToolCall("read_section", {"paper_id": odd, "section": "\ud800"})]).results[0]
    assert result.text == "=== \ud800 ===\n\nx"
    record = episode.record()
    assert type(record).from_json(record.to_json()) == record


def test_json_that_only_some_readers_take(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    lines = lines_of(release)
    lines[GRAPHS_FILE] = [
        json.dumps(release.graphs[0]).replace('"year": 2022', '"year": NaN').replace("2020", "1e999")
    ]
    lines[QA_FILE] = [json.dumps(release.qa[0]).replace("null", "Infinity")]
    corpus = open_corpus(write_lines(tmp_path / "release", lines))
    record = Episode(corpus, "st_0001").record()
    assert type(record).from_json(record.to_json()) == record
    assert (
        Episode(corpus, "st_0001")
        .turn("", [ToolCall("get_paper_info", {"paper_id": GOLD})])
        .results[0]
        .outcome
        == "ok"
    )


def test_numbers_beyond_64_bits(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.graphs[0]["nodes"][GOLD]["year"] = 10**30
    release.qa[0]["filter_agreement"] = 10**40
    corpus = open_corpus(release.write(tmp_path / "release"))
    shown = (
        Episode(corpus, "st_0001").turn("", [ToolCall("get_paper_info", {"paper_id": GOLD})]).results[0].text
    )
    assert f"Year: {10**30}" in shown


def test_everything_empty(tmp_path: Path) -> None:
    folder = write_lines(tmp_path / "release", {file: [] for file in FILES})
    assert len(validate_release(folder).errors) == 3
    with pytest.raises(CorpusError, match="no item can be played"):
        open_corpus(folder)


def test_blank_lines_and_a_byte_order_mark_are_skipped(tmp_path: Path) -> None:
    lines = lines_of(Release().only("st_0001"))
    for file in FILES:
        lines[file] = ["", "  ", *lines[file], "\t"]
    with_mark = write_lines(tmp_path / "release", lines)
    path = with_mark / QA_FILE
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert not validate_release(with_mark).errors
    assert list(open_corpus(with_mark).ids) == ["st_0001"]


@pytest.mark.slow
def test_lines_of_50_megabytes_compile(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.graphs[0]["nodes"][GOLD]["abstract"] = "word " * 10_000_000
    release.qa[0]["question"] = "q" * 50_000_000
    corpus = open_corpus(release.write(tmp_path / "release"))
    assert len(corpus.item("st_0001").question) == 50_000_000
    turn = Episode(corpus, "st_0001").turn("", [ToolCall("search_papers", {"query": "word"})], Usage(1, 1))
    assert turn.results[0].outcome == "ok"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
FIELDS = {
    QA_FILE: sorted(Release().qa[0]),
    GRAPHS_FILE: ["sample_id", "nodes", "edges", "contexts"],
    PAPERS_FILE: ["arxiv_id", "title", "sections"],
    LABELS_FILE: ["sample_id", "analysis"],
}
TEMPLATES = {
    QA_FILE: Release().qa[0], GRAPHS_FILE: Release().graphs[0], PAPERS_FILE: Release().papers[1],
    LABELS_FILE: Release().labels[0],
}  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_no_row_makes_a_reader_raise(data: st.DataObject) -> None:
    file = data.draw(st.sampled_from(FILES))
    changes = data.draw(st.dictionaries(st.sampled_from(FIELDS[file]), JSON, max_size=3))
    line = json.dumps(TEMPLATES[file] | changes).encode() + b"\n"
    cut = data.draw(st.integers(0, len(line)) | st.just(len(line)))
    line = line[:cut]
    problems = Problems()
    if file == GRAPHS_FILE:
        read_graph(line, 1, problems)
        return
    row = read_object(line, file, 1, problems)
    if row is not None:
        {QA_FILE: read_item, PAPERS_FILE: read_paper, LABELS_FILE: read_labels}[file](row, 1, problems)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60))
def test_no_bytes_make_the_line_reader_raise(line: bytes) -> None:
    with contextlib.suppress(ValueError):
        decode_line(line)


def test_a_paper_listed_as_its_own_gold_seed_and_bridge_plays(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.qa[0] |= {"gold_paper_ids": [SEED], "gold_arxiv_ids": [ARXIV[SEED]], "bridge_paper_ids": [SEED]}
    episode = Episode(open_corpus(release.write(tmp_path / "release")), "st_0001")
    episode.turn("", [ToolCall("read_section", {"paper_id": SEED, "section": "A"})])
    assert episode.record().paper_recall


@pytest.mark.parametrize(
    "node",
    [b'{"title": "\xff"}', b'{"title": "x", "year": ' + b"9" * 5001 + b"}", b'{"title": "x", "year": 1e400}'],
)
def test_a_node_that_cannot_be_read_is_one_unknown_paper(tmp_path: Path, node: bytes) -> None:
    release = Release().only("st_0001")
    folder = release.write(tmp_path / "release")
    file = folder / GRAPHS_FILE
    paper = b'"odd": ' + node + b", "
    file.write_bytes(
        file.read_bytes()
        .replace(b'"nodes":{', b'"nodes":{' + paper)
        .replace(b'"nodes": {', b'"nodes": {' + paper)
    )
    assert b"odd" in file.read_bytes()
    problems = validate_release(folder)
    assert not problems.errors
    corpus = open_corpus(folder)
    result = Episode(corpus, "st_0001").turn("", [ToolCall("get_paper_info", {"paper_id": "odd"})]).results[0]
    assert result.outcome == "ok"


@pytest.mark.parametrize("value", ["--1", "1" * 5000, "+-1", "\u0664", "", " 2 "])
@pytest.mark.parametrize("field", ["correct_index", "depth"])
def test_numbers_in_strings(tmp_path: Path, field: str, value: str) -> None:
    release = Release().only("st_0001", "st_0002")
    release.question("st_0001")[field] = value
    folder = release.write(tmp_path / "release")
    assert [problem for problem in validate_release(folder).found if problem.field == field]
    assert "st_0002" in open_corpus(folder).ids


def test_surrogates_in_what_a_store_says_of_itself(tmp_path: Path) -> None:
    release = Release().only("st_0001", "st_0002")
    release.question("st_0001")["seed_paper_id"] = "\udfff"
    release.graph("st_0002")["nodes"]["\ud800"] = {"title": 5}
    folder = release.write(tmp_path / "release")
    corpus = open_corpus(folder)
    assert list(corpus.ids) == ["st_0002"]
    assert corpus.meta.warning_count > 0
    assert validate_release(folder).errors


def test_a_question_mark_in_a_folders_name(tmp_path: Path) -> None:
    folder = Release().write(tmp_path / "which?one")
    corpus = open_corpus(folder)
    split = corpus.item(corpus.ids[0]).split
    some = open_corpus(f"{folder}?split={split}")
    assert {some.item(item_id).split for item_id in some.ids} == {split}
    assert AgentHopEnv(str(folder), split=split).setup.ids == some.ids
