"""The compiled store says what the release says, to the character, whatever its text holds."""

from __future__ import annotations

import multiprocessing
import pickle
import threading
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from releases import (
    ABSENT,
    ARXIV,
    BARE,
    EMPTY,
    FAR,
    GOLD,
    NULLS,
    OTHER,
    SEED,
    SHARED,
    TWIN,
    Release,
    needs_papers,
)

from agenthop_env import Episode, ToolCall, open_corpus
from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.store import Corpus
from agenthop_env.sandbox.search import overlap
from agenthop_env.text.words import words


def read(corpus: Corpus, item_id: str, paper_id: str, section: str) -> Any:
    call = ToolCall("read_section", {"paper_id": paper_id, "section": section})
    return Episode(corpus, item_id).turn("", [call]).results[0]


def test_every_item_comes_back_as_the_release_has_it(corpus: Corpus) -> None:
    release = Release()
    assert list(corpus.ids) == [row["id"] for row in release.qa]
    for row in release.qa:
        item = corpus.item(row["id"])
        for field, value in row.items():
            assert getattr(item, field) == (tuple(value) if isinstance(value, list) else value), field
    assert [label.section for label in corpus.item("mt_0001").labels] == ["Set-up", "3.2 Training Details"]


def test_every_paper_comes_back_as_the_release_has_it(corpus: Corpus) -> None:
    release = Release()
    texts = {row["arxiv_id"]: row["sections"] for row in release.papers}
    nodes = corpus.neighborhood("mt_0001")
    for paper_id, row in release.graph("mt_0001")["nodes"].items():
        node = nodes.find(paper_id)
        assert node is not None
        paper = nodes.paper(node)
        assert paper.paper_id == paper_id
        assert paper.title == row.get("title")
        assert paper.abstract == row.get("abstract")
        assert paper.year == row.get("year")
        assert paper.venue == row.get("venue")
        assert paper.arxiv_id == (row.get("arxivId") or None)
        assert list(paper.authors) == [
            author["name"] for author in row.get("authors") or () if author["name"]
        ]
        sections = texts.get(paper.arxiv_id or "", [])
        assert paper.has_text == (paper.arxiv_id in texts)
        assert [(section.header, section.text) for section in paper.sections] == [
            (section["header"], section["text"]) for section in sections
        ]


@needs_papers
def test_real_papers_come_back_as_the_release_has_them() -> None:
    import json

    folder = SHARED / "data" / "papers"
    corpus = open_corpus(folder)
    pool = {}
    for line in (folder / "paper_pool/papers.jsonl").read_text(encoding="utf-8").split("\n")[:-1]:
        row = json.loads(line)
        pool[row["arxiv_id"]] = row["sections"]
    for number, line in enumerate(
        (folder / "graphs/full.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    ):
        if number % 10:
            continue
        row = json.loads(line)
        nodes = corpus.neighborhood(row["sample_id"])
        assert len(nodes) == len(row["nodes"])
        for paper_id, node in row["nodes"].items():
            paper = nodes.paper(nodes.find(paper_id))  # type: ignore[arg-type]
            assert (paper.title, paper.abstract, paper.year) == (
                node["title"],
                node["abstract"],
                node["year"],
            )
            if paper.sections:
                assert [(part.header, part.text) for part in paper.sections] == [
                    (part["header"], part["text"]) for part in pool[paper.arxiv_id]
                ]


def test_edges_keep_order_repeats_and_papers_outside(corpus: Corpus) -> None:
    nodes = corpus.neighborhood("st_0001")
    seed = nodes.find(SEED)
    assert seed is not None
    cited = nodes.cited(seed)
    assert [nodes.paper_id(node) if node >= 0 else None for node in cited] == [
        GOLD, OTHER, "bridge-1", None, SEED, BARE, NULLS,
    ]  # fmt: skip
    count, listing = nodes.references(seed)
    assert count == 7
    assert f"[4] {ABSENT}\n      Title: Unknown\n      Authors: Unknown (Unknown)" in listing


def test_text_hashes_are_those_of_the_text(corpus: Corpus) -> None:
    nodes = corpus.neighborhood("st_0001")
    pool = nodes.pool(nodes.find(GOLD))  # type: ignore[arg-type]
    for index, row in enumerate(Release().paper(ARXIV[GOLD])["sections"]):
        section = nodes.section(pool, index)
        assert section.text_hash == sha256(row["text"].encode()).hexdigest()[:16]


ODD_TEXTS = (
    "\ud800 lone", "pair \ud83d\ude00", "nul \x00 in it", "line\u2028separator\x85", "\U0010ffff", "", " ", "\r\n\r",
    "{{title}} %s {0}", "=== Fake ===\n\nheading", "Turn: 1  |  Tokens used: 1  |  Budget used: 1",
)  # fmt: skip


@pytest.mark.parametrize("odd", ODD_TEXTS, ids=ascii)
def test_odd_text_survives_into_what_is_delivered(tmp_path: Path, odd: str) -> None:
    release = Release().only("st_0001")
    release.qa[0] |= {"question": f"q {odd}", "options": [f"{number} {odd}" for number in "abcd"]}
    nodes = release.graph("st_0001")["nodes"]
    nodes[GOLD] |= {
        "title": f"t{odd}",
        "abstract": f"a{odd}",
        "venue": f"v{odd}",
        "authors": [{"name": f"n{odd}"}],
    }
    release.paper(ARXIV[GOLD])["sections"][2] = {"header": f"h{odd}", "text": f"x{odd}"}
    corpus = open_corpus(release.write(tmp_path / "release"))
    # A pair of surrogate escapes is one character to every JSON reader.
    odd = odd.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") if "\ud83d" in odd else odd
    assert read(corpus, "st_0001", GOLD, "C").text == f"=== h{odd} ===\n\nx{odd}"
    episode = Episode(corpus, "st_0001")
    info = episode.turn("", [ToolCall("get_paper_info", {"paper_id": GOLD})]).results[0].text
    assert info == (
        f"Title: t{odd}\nAuthors: n{odd}\nYear: 2022\nVenue: v{odd}\nAbstract: a{odd}\nFull text available: Yes"
    )
    assert f"A) a {odd}\nB) b {odd}" in episode.messages[0]["content"]
    listing = episode.turn("", [ToolCall("list_sections", {"paper_id": GOLD})]).results[0].text
    assert f"  (C) h{odd} ({len(odd) + 1} chars)" in listing


COLLIDING = ("plumless", "buckeroo")
"""Two words of one CRC-32."""


def test_ids_and_tokens_of_one_checksum_are_told_apart(tmp_path: Path) -> None:
    one, two = COLLIDING
    assert zlib.crc32(one.encode()) == zlib.crc32(two.encode())
    release = Release().only("st_0001")
    nodes = release.graph("st_0001")["nodes"]
    nodes[one] = {"title": f"first {one}", "arxivId": None, "year": 1}
    nodes[two] = {"title": f"second {two}", "arxivId": None, "year": 2}
    corpus = open_corpus(release.write(tmp_path / "release"))
    found = corpus.neighborhood("st_0001")
    for paper_id, year in ((one, 1), (two, 2)):
        node = found.find(paper_id)
        assert node is not None
        assert found.meta(node).year == year
        assert overlap(found, paper_id, 5) == [node]
    del nodes[two]
    alone = open_corpus(release.write(tmp_path / "other")).neighborhood("st_0001")
    assert alone.find(two) is None
    assert overlap(alone, two, 5) == []


def test_nodes_of_one_arxiv_id_share_their_text(corpus: Corpus) -> None:
    assert read(corpus, "st_0001", TWIN, "Results").text == read(corpus, "st_0001", GOLD, "Results").text
    assert read(corpus, "st_0001", TWIN, "Results").outcome == "ok"


def test_of_pool_papers_of_one_arxiv_id_the_last_counts(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.papers.append(
        {"arxiv_id": ARXIV[GOLD], "title": "again", "sections": [{"header": "New", "text": "newer"}]}
    )
    corpus = open_corpus(release.write(tmp_path / "release"))
    assert read(corpus, "st_0001", GOLD, "A").text == "=== New ===\n\nnewer"


def test_of_questions_and_graphs_of_one_id_the_first_counts(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.qa.append(release.qa[0] | {"question": "another"})
    release.graphs.append({"sample_id": "st_0001", "nodes": {SEED: {}}, "edges": {}})
    corpus = open_corpus(release.write(tmp_path / "release"))
    assert list(corpus.ids) == ["st_0001"]
    assert corpus.item("st_0001").question != "another"
    assert len(corpus.neighborhood("st_0001")) == len(Release().graphs[0]["nodes"])


def test_a_node_id_twice_in_one_graph_is_the_last(tmp_path: Path) -> None:
    folder = Release().only("st_0001").write(tmp_path / "release")
    path = folder / "graphs/full.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace('"nodes":{', f'"nodes":{{"{GOLD}":{{"title":"first"}},', 1), encoding="utf-8"
    )
    nodes = open_corpus(folder).neighborhood("st_0001")
    assert nodes.meta(nodes.find(GOLD)).title == Release().graphs[0]["nodes"][GOLD]["title"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "item_id", ["../../etc/passwd", "/abs", "a/b", "C:\\x", "con", ".", "a b?split=test", "\u00e9\u0000"]
)
def test_an_item_id_may_look_like_a_path(tmp_path: Path, item_id: str) -> None:
    release = Release().only("st_0001")
    release.qa[0]["id"] = release.graphs[0]["sample_id"] = release.labels[0]["sample_id"] = item_id
    corpus = open_corpus(release.write(tmp_path / "release"))
    record = Episode(corpus, item_id).record()
    assert record.item_id == item_id
    assert type(record).from_json(record.to_json()) == record


def test_a_graph_of_5000_nodes(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    graph = release.graphs[0]
    for number in range(5000):
        title = f"paper {number} {'even' if number % 2 == 0 else 'odd'}"
        graph["nodes"][f"n{number}"] = {"title": title, "arxivId": None, "year": number}
    graph["edges"][SEED] += [f"n{number}" for number in range(5000)]
    corpus = open_corpus(release.write(tmp_path / "release"))
    nodes = corpus.neighborhood("st_0001")
    assert len(nodes) == 5011
    assert all(nodes.paper_id(nodes.find(f"n{number}")) == f"n{number}" for number in range(0, 5000, 97))  # type: ignore[arg-type]
    shown = [nodes.paper_id(node) for node in overlap(nodes, "even paper 4998", 3)]
    assert shown == ["n4998", "n0", "n2"]
    turn = Episode(corpus, "st_0001").turn("", [ToolCall("get_references", {"paper_id": SEED})])
    assert "[5007] n4999" in turn.results[0].text


@pytest.mark.slow
def test_a_graph_of_70000_nodes(tmp_path: Path) -> None:
    """Beyond 65,536 nodes a node's number takes four bytes."""
    release = Release().only("st_0001")
    graph = release.graphs[0]
    for number in range(70_000):
        graph["nodes"][f"n{number}"] = {"title": f"word{number % 7000} everywhere", "year": None}
    nodes = open_corpus(release.write(tmp_path / "release")).neighborhood("st_0001")
    assert [nodes.paper_id(node) for node in overlap(nodes, "word6999", 10)] == [
        f"n{6999 + 7000 * number}" for number in range(10)
    ]
    assert nodes.paper_id(overlap(nodes, "everywhere", 1)[0]) == "n0"


@pytest.mark.slow
def test_a_section_of_50_megabytes(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.paper(ARXIV[GOLD])["sections"][2]["text"] = text = "\u00e9" * 25_000_000
    corpus = open_corpus(release.write(tmp_path / "release"))
    result = read(corpus, "st_0001", GOLD, "C")
    assert result.text == f"=== Results ===\n\n{text}"


@settings(max_examples=25, deadline=None)
@given(
    titles=st.lists(
        st.text(st.sampled_from("ab \u0130\u00df_1-\u00e9x\u00b2"), max_size=8), min_size=1, max_size=40
    ),
    query=st.text(st.sampled_from("ab \u0130\u00df_1-\u00e9x\u00b2"), max_size=12),
    top_k=st.integers(1, 10),
)
def test_search_equals_a_plain_scan(
    tmp_path_factory: pytest.TempPathFactory, titles: list[str], query: str, top_k: int
) -> None:
    release = Release().only("st_0001")
    graph = release.graphs[0]
    for number, title in enumerate(titles):
        graph["nodes"][f"n{number}"] = {"title": title, "abstract": title[::-1] if number % 3 else None}
    nodes = open_corpus(release.write(tmp_path_factory.mktemp("search") / "r")).neighborhood("st_0001")
    wanted = set(words(query))
    scores = []
    for node in range(len(nodes)):
        meta = nodes.meta(node)
        scores.append(len(wanted & set(words(f"{meta.title or ''} {nodes.abstract(node) or ''}"))))
    expected = [node for node in sorted(range(len(scores)), key=lambda node: -scores[node]) if scores[node]][
        :top_k
    ]
    assert overlap(nodes, query, top_k) == expected


def facts(source: str) -> list[Any]:
    """What a process sees of a corpus."""
    corpus = open_corpus(source)
    seen: list[Any] = [corpus.fingerprint]
    for item_id in corpus.ids:
        nodes = corpus.neighborhood(item_id)
        seen.append(
            [nodes.find(GOLD), overlap(nodes, "graphs agents", 5), read(corpus, item_id, GOLD, "B").text]
        )
    return seen


def test_two_processes_read_one_store(corpus: Corpus) -> None:
    expected = facts(corpus.source)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(facts, [corpus.source, corpus.source]) == [expected, expected]


def test_a_corpus_pickles_as_its_source(corpus: Corpus) -> None:
    data = pickle.dumps(corpus)
    assert len(data) < 1000
    again = pickle.loads(data)
    assert (again.fingerprint, list(again.ids)) == (corpus.fingerprint, list(corpus.ids))
    test_only = open_corpus(f"{corpus.source}?split=train")
    assert list(pickle.loads(pickle.dumps(test_only)).ids) == list(test_only.ids)


def test_threads_read_one_corpus(release_folder: Path) -> None:
    corpus = open_corpus(release_folder)
    type(corpus).items_kept = 3  # so that threads push each other's items out
    expected = facts(str(release_folder))
    barrier = threading.Barrier(8)

    def work(number: int) -> bool:
        barrier.wait()
        for _ in range(20):
            for place, item_id in enumerate(corpus.ids):
                nodes = corpus.neighborhood(item_id)
                told = [
                    nodes.find(GOLD),
                    overlap(nodes, "graphs agents", 5),
                    read(corpus, item_id, GOLD, "B").text,
                ]
                assert told == expected[place + 1]
        return True

    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(work, range(8)))
    finally:
        del type(corpus).items_kept


def test_an_unknown_item_is_told_with_examples(corpus: Corpus) -> None:
    with pytest.raises(KeyError, match=r"no item 'st_9999'.*st_0001"):
        corpus.item("st_9999")
    assert "st_9999" not in corpus
    assert "st_0001" in corpus


def test_papers_without_text_and_without_sections(corpus: Corpus) -> None:
    nodes = corpus.neighborhood("st_0001")
    bare, empty = nodes.find(BARE), nodes.find(EMPTY)
    assert bare is not None
    assert empty is not None
    assert nodes.pool(bare) == -1
    assert nodes.section_count(nodes.pool(empty)) == 0


def test_a_refused_item_is_named_and_the_rest_plays(tmp_path: Path) -> None:
    release = Release()
    release.question("st_0001")["options"] = ["a"]
    release.question("st_0002")["seed_paper_id"] = "nowhere"
    release.graph("st_0003")["sample_id"] = "gone"
    corpus = open_corpus(release.write(tmp_path / "release"))
    assert list(corpus.ids) == [
        row["id"] for row in Release().qa if row["id"] not in ("st_0001", "st_0002", "st_0003")
    ]
    refused = corpus.meta.refused  # type: ignore[attr-defined]
    assert {"st_0001", "st_0002", "st_0003"} <= set(refused)


def test_nothing_playable_is_an_error_with_the_defects(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.qa[0]["options"] = []
    with pytest.raises(
        CorpusError, match=r"no item can be played.*agenthop data validate.*4 options are expected"
    ) as caught:
        open_corpus(release.write(tmp_path / "release"))
    assert caught.value.problems


def test_items_without_a_direct_label_are_counted_and_listed(corpus: Corpus) -> None:
    """Choice: a gold paper without a direct label cannot be satisfied; such items are listed."""
    assert corpus.meta.unlabeled == ["st_0003", "st_0006", "st_0007"]  # type: ignore[attr-defined]


def test_fields_of_another_kind_are_read_leniently(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    nodes = release.graph("st_0001")["nodes"]
    nodes[GOLD] |= {"year": "in press", "title": 7, "authors": ["Plain Name", {"name": "Other"}, None, {}]}
    nodes[OTHER]["year"] = 2021.0
    release.qa[0]["depth"] = "1"
    corpus = open_corpus(release.write(tmp_path / "release"))
    found = corpus.neighborhood("st_0001")
    meta = found.meta(found.find(GOLD))  # type: ignore[arg-type]
    assert (meta.year, meta.title, meta.authors) == ("in press", "7", ("Plain Name", "Other"))
    assert found.meta(found.find(OTHER)).year == 2021  # type: ignore[arg-type]
    assert corpus.item("st_0001").depth == 1
    assert corpus.meta.warning_count  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "contexts",
    [
        {SEED: {GOLD: "cited here"}},
        {SEED: {GOLD: ["cited here", "and there"]}},
        {f"{SEED}->{GOLD}": "cited here"},
        {f"{SEED} -> {GOLD}": ["", "cited here"]},
    ],
)
def test_citing_sentences_are_found_in_every_form(tmp_path: Path, contexts: Any) -> None:
    release = Release().only("st_0001")
    release.graphs[0]["contexts"] = contexts
    nodes = open_corpus(release.write(tmp_path / "release")).neighborhood("st_0001")
    _, listing = nodes.references(nodes.find(SEED))  # type: ignore[arg-type]
    assert '      Context: "cited here"' in listing
    assert Counter(listing.split())["Context:"] == 1


def test_far_paper_has_thirty_sections(corpus: Corpus) -> None:
    nodes = corpus.neighborhood("st_0002")
    pool = nodes.pool(nodes.find(FAR))  # type: ignore[arg-type]
    assert nodes.resolve(pool, "AD") == 29
    assert nodes.resolve(pool, "AE") is None
