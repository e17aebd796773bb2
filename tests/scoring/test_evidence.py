"""What counts as delivered, recalled and satisfied (protocol section 5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from releases import ARXIV, BRIDGE, FAR, GOLD, OTHER, SEED, TWIN, Release, label

from agenthop_env import Episode, EpisodeRecord, Limits, ToolCall, Usage, open_corpus
from agenthop_env.corpus.builder import satisfying
from agenthop_env.corpus.store import Corpus
from agenthop_env.text.sections import normalize


def after(corpus: Corpus, item_id: str, *reads: tuple[str, str], **settings: Any) -> EpisodeRecord:
    """The record after some reads, one a turn."""
    episode = Episode(corpus, item_id, limits=Limits(points=1000, turns=100), **settings)
    for paper_id, section in reads:
        call = ToolCall("read_section", {"paper_id": paper_id, "section": section})
        episode.turn("", [call], Usage(1, 1))
    return episode.record()


def scores(record: EpisodeRecord) -> tuple[bool, bool]:
    return record.paper_recall, record.section_recall


def changed(
    tmp_path: Path, item_id: str = "st_0001", labels: list[Any] | None = None, **changes: Any
) -> Corpus:
    """One item alone, with other labels or fields."""
    release = Release().only(item_id)
    release.qa[0].update(changes)
    if labels is not None:
        release.labels = [{"sample_id": item_id, "analysis": {"section_recall_labels": labels}}]
    return open_corpus(release.write(tmp_path / "release"))


def test_text_of_every_gold_paper_makes_paper_recall(corpus: Corpus) -> None:
    assert scores(after(corpus, "mt_0001")) == (False, False)
    one = after(corpus, "mt_0001", (GOLD, "A"))
    assert scores(one) == (False, False)
    assert one.any_gold_read
    assert one.gold_delivered == (True, False)
    three = after(corpus, "mt_0003", (GOLD, "A"), (OTHER, "A"))
    assert not three.paper_recall
    assert after(corpus, "mt_0003", (GOLD, "A"), (OTHER, "A"), (FAR, "A")).paper_recall


@pytest.mark.parametrize(
    "read", [(SEED, "A"), (BRIDGE, "A"), ("nowhere", "A"), (GOLD, "zz"), (GOLD, ""), ("empty-1", "A")]
)
def test_other_papers_and_failed_reads_deliver_nothing(corpus: Corpus, read: tuple[str, str]) -> None:
    record = after(corpus, "st_0001", read)
    assert scores(record) == (False, False)
    assert not record.any_gold_read


def test_metadata_and_listings_deliver_nothing(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001")
    calls = [
        ToolCall("get_paper_info", {"paper_id": GOLD}), ToolCall("list_sections", {"paper_id": GOLD}),
        ToolCall("search_papers", {"query": "gold methods"}),
    ]  # fmt: skip
    episode.turn("", calls)
    assert not episode.record().any_gold_read


def test_a_rejected_read_delivers_nothing(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001", limits=Limits(points=4))
    episode.turn("", [ToolCall("read_section", {"paper_id": GOLD, "section": "Results"})])
    assert not episode.record().any_gold_read
    assert episode.record().turns[0].calls[0].read is None


def test_a_section_without_text_was_returned_and_counts(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.paper(ARXIV[GOLD])["sections"][2]["text"] = ""
    corpus = open_corpus(release.write(tmp_path / "release"))
    assert scores(after(corpus, "st_0001", (GOLD, "C"))) == (True, True)


def test_gold_papers_are_matched_by_id_and_by_arxiv_id(corpus: Corpus) -> None:
    assert scores(after(corpus, "st_0001", (TWIN, "Results"))) == (
        True,
        True,
    )  # another node of the same arXiv id
    record = after(corpus, "st_0007", (GOLD, "A"))  # the gold's id is in no graph, its arXiv id is
    assert record.paper_recall
    assert record.turns[0].calls[0].read is not None
    assert record.turns[0].calls[0].read.gold == 0
    assert after(corpus, "st_0005", (GOLD, "C")).section_recall  # the item gives no arXiv id, its node does


def test_an_empty_arxiv_id_matches_nothing(tmp_path: Path) -> None:
    release = Release().only("st_0001")
    release.qa[0] |= {"gold_paper_ids": ["bare-1"], "gold_arxiv_ids": [""]}
    release.graphs[0]["nodes"]["other-bare"] = {"title": "x", "arxivId": ""}
    release.papers.append({"arxiv_id": " ", "title": "", "sections": [{"header": "A", "text": "a"}]})
    corpus = open_corpus(release.write(tmp_path / "release"))
    nodes = corpus.neighborhood("st_0001")
    assert nodes.gold_of == {nodes.find("bare-1"): 0}


@pytest.mark.parametrize(
    ("section", "satisfied_by"),
    [
        (
            "Results",
            ["C", "F"],
        ),  # both headers are equal after normalization; "Results and Discussion" is not
        ("3. RESULTS", ["C", "F"]),
        ("set up", ["B"]),
        ("Set-up", ["B"]),
        ("II-A Set\u2013up", ["B"]),
        ("Apdx_C2: Proofs", ["E"]),
        ("proofs", ["E"]),
        ("3.1 Data collection", ["B"]),  # a subsection: it stands verbatim in the text
        ("Data collection", ["B"]),
        ("data collection", []),  # verbatim is verbatim
        ("97.3%", ["C"]),
        ("A header", ["F"]),
        ("No such section", []),
        ("Introduction", ["A"]),
        ("Gold introduction.", ["A"]),
    ],
)
def test_a_direct_label_is_satisfied_by_header_or_verbatim(
    tmp_path: Path, section: str, satisfied_by: list[str]
) -> None:
    corpus = changed(tmp_path, labels=[label(ARXIV[GOLD], section)])
    for alias in "ABCDEF":
        record = after(corpus, "st_0001", (GOLD, alias))
        assert scores(record) == (True, alias in satisfied_by), alias
        assert record.turns[0].calls[0].read is not None
        assert record.turns[0].calls[0].read.direct_labels == ((0,) if alias in satisfied_by else ())


def test_verbatim_only_where_the_label_equals_no_top_level_header() -> None:
    headers = [normalize(header) for header in ("Training Details", "4. Evaluation")]
    texts = ["=== Training Details ===\n\nx", "=== 4. Evaluation ===\n\nSee Training Details."]
    assert satisfying("Training Details", headers, texts) == [0]
    assert satisfying("3.2 Training Details", headers, texts) == [0]
    assert satisfying("Training", headers, texts) == [0, 1]


def test_a_subsection_label_that_stands_in_two_sections_is_satisfied_by_either(corpus: Corpus) -> None:
    assert after(corpus, "mt_0001", (GOLD, "B"), (OTHER, "A")).section_recall
    assert after(corpus, "mt_0001", (GOLD, "B"), (OTHER, "B")).section_recall
    assert not after(corpus, "mt_0001", (GOLD, "A"), (OTHER, "B")).section_recall


def test_every_gold_paper_needs_one_of_its_own_labels(corpus: Corpus) -> None:
    record = after(corpus, "mt_0003", (GOLD, "Proofs"), (OTHER, "Evaluation"), (FAR, "B"))
    assert scores(record) == (True, False)
    assert record.gold_satisfied == (True, True, False)
    assert after(corpus, "mt_0003", (GOLD, "Proofs"), (OTHER, "Evaluation"), (FAR, "A")).section_recall


def test_one_of_several_direct_labels_is_enough(corpus: Corpus) -> None:
    assert after(corpus, "st_0005", (GOLD, "Results")).section_recall
    assert after(corpus, "st_0005", (GOLD, "Proofs")).section_recall


def test_empty_labels_are_ignored_and_the_item_is_unscorable(corpus: Corpus) -> None:
    record = after(corpus, "st_0003", *[(GOLD, alias) for alias in "ABCDEF"])
    assert scores(record) == (True, False)
    assert not record.scorable_sections


def test_supporting_labels_count_for_nothing(corpus: Corpus) -> None:
    record = after(corpus, "st_0006", (OTHER, "A"), (OTHER, "B"))
    assert scores(record) == (True, False)
    assert not record.scorable_sections


def test_choice_a_gold_paper_without_a_direct_label_cannot_be_satisfied(tmp_path: Path) -> None:
    corpus = changed(tmp_path, "mt_0001", labels=[label(ARXIV[GOLD], "Results")])
    record = after(corpus, "mt_0001", (GOLD, "C"), (OTHER, "A"), (OTHER, "B"))
    assert scores(record) == (True, False)
    assert record.gold_satisfied == (True, False)
    assert not record.scorable_sections
    assert corpus.meta.unlabeled == ["mt_0001"]  # type: ignore[attr-defined]


def test_a_label_of_another_paper_counts_for_no_gold(tmp_path: Path) -> None:
    corpus = changed(
        tmp_path, labels=[label(ARXIV[SEED], "1 Introduction"), label(ARXIV[OTHER], "3. Method")]
    )
    record = after(corpus, "st_0001", (SEED, "A"), (OTHER, "A"), (GOLD, "A"))
    assert scores(record) == (True, False)


def test_a_read_in_the_submissions_turn_satisfies_nothing(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001")
    calls = [
        ToolCall("read_section", {"paper_id": GOLD, "section": "Results"}),
        ToolCall("submit_answer", {"option": "B"}),
    ]
    turn = episode.turn("", calls)
    record = episode.record()
    assert turn.credit == ((), (), 0)
    assert (record.correct, *scores(record), record.totals.unseen_reads) == (True, False, False, 1)


def test_credit_is_given_once_on_first_delivery(corpus: Corpus) -> None:
    episode = Episode(corpus, "mt_0001", limits=Limits(points=100))

    def credit(*reads: tuple[str, str]) -> Any:
        calls = [
            ToolCall("read_section", {"paper_id": paper, "section": section}) for paper, section in reads
        ]
        return tuple(episode.turn("", calls).credit)

    assert credit((SEED, "A")) == ((), (), 1)
    assert credit((GOLD, "A")) == ((0,), (), 0)
    assert credit((GOLD, "A")) == ((), (), 0)
    assert credit((GOLD, "B"), (OTHER, "A"), (BRIDGE, "A")) == ((1,), (0, 1), 1)
    assert credit((OTHER, "B"), (GOLD, "B")) == ((), (), 0)
    assert episode.evidence.first_gold_turn == 2
    assert episode.evidence.wrong_reads == 2
    assert episode.evidence.label_count == 2


def test_correctness_is_the_gold_option_submitted_and_nothing_else(corpus: Corpus) -> None:
    for item in corpus:
        for index, option in enumerate("ABCD"):
            episode = Episode(corpus, item.id)
            episode.turn("", [ToolCall("submit_answer", {"option": option})])
            assert episode.record().correct == (index == item.correct_index)
    assert not after(corpus, "st_0001").correct
