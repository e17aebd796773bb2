"""Reading what tools deliver gives back what is in the corpus, whatever stands in titles and texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from releases import BARE, GOLD, SEED, Release

from agenthop_env import Episode, ToolCall, open_corpus
from agenthop_env.agents import delivered
from agenthop_env.agents.delivered import Status
from agenthop_env.corpus.store import Corpus

CALLS = [
    ToolCall("get_references", {"paper_id": SEED}),
    ToolCall("list_sections", {"paper_id": GOLD}),
    ToolCall("read_section", {"paper_id": GOLD, "section": "B"}),
    ToolCall("get_paper_info", {"paper_id": "nowhere"}),
    ToolCall("list_sections", {"paper_id": BARE}),
]


@pytest.mark.parametrize("mode", ["text", "native"])
def test_results_come_apart_in_order(corpus: Corpus, mode: str) -> None:
    episode = Episode(corpus, "st_0004", tool_mode=mode)
    turn = episode.turn("", CALLS) if mode == "native" else episode.turn(_text(CALLS))
    found = delivered.results(episode.messages, CALLS)
    assert [result.text for result in found] == [result.text for result in turn.results]
    assert [result.call for result in found] == CALLS
    assert delivered.status(episode.messages) == Status(
        1, episode.ledger.tokens_used, episode.ledger.points_used
    )


@pytest.mark.parametrize("mode", ["text", "native"])
def test_a_nudge_after_the_results_is_no_result(corpus: Corpus, mode: str) -> None:
    from agenthop_env import Limits

    calls = [ToolCall("get_paper_info", {"paper_id": SEED}), ToolCall("get_paper_info", {"paper_id": GOLD})]
    episode = Episode(corpus, "st_0001", tool_mode=mode, limits=Limits(points=2))
    turn = episode.turn("", calls) if mode == "native" else episode.turn(_text(calls))
    assert [part.text for part in delivered.results(episode.messages, calls)] == [
        part.text for part in turn.results
    ]


def test_no_call_gives_no_result_and_the_status_is_read(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001")
    episode.turn("nothing to call")
    assert delivered.results(episode.messages, []) == []
    assert delivered.status(episode.messages).turns == 1


def test_before_the_first_turn_there_is_nothing(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001")
    assert delivered.status(episode.messages) == Status()
    assert [part.text for part in delivered.results(episode.messages, CALLS[:1])] == [""]


def test_references_give_papers(corpus: Corpus) -> None:
    papers = delivered.papers(_result(corpus, CALLS[0]))
    neighborhood = corpus.neighborhood("st_0004")
    seed = neighborhood.find(SEED)
    assert seed is not None
    known = [node for node in neighborhood.cited(seed) if node >= 0]
    assert [paper.paper_id for paper in papers if paper.title != "Unknown"][:2] == [
        neighborhood.paper_id(node) for node in known[:2]
    ]
    gold = next(paper for paper in papers if paper.paper_id == GOLD)
    assert gold.has_text
    assert gold.context == "We build on the gold method of Gold et al."
    assert not next(paper for paper in papers if paper.paper_id == BARE).has_text


def test_search_gives_papers_with_abstracts(corpus: Corpus) -> None:
    papers = delivered.papers(_result(corpus, ToolCall("search_papers", {"query": "agents hop over graphs"})))
    assert papers[0].paper_id == GOLD
    assert papers[0].abstract == "Agents hop over graphs."


def test_sections_and_text(corpus: Corpus) -> None:
    lines = delivered.sections(_result(corpus, CALLS[1]))
    assert [line.alias for line in lines] == ["A", "B", "C", "D", "E", "F"]
    assert lines[2].header == "Results"
    assert lines[2].chars == len("Gold results: 97.3%.")
    assert (
        delivered.section_text(_result(corpus, CALLS[2]))
        == "3.1 Data collection\nWe collect 42 graphs \U0001f600."
    )
    assert delivered.section_text("no such section") is None
    assert delivered.papers("no listing") == []
    assert delivered.sections("no listing") == []


def test_texts_that_look_like_the_layout(tmp_path: Path) -> None:
    """A title over two lines, a status line inside a text: the results still come apart."""
    release = Release().only("st_0001")
    title = "First line\n  [7] second line\n      Authors: not these"
    release.graph("st_0001")["nodes"][GOLD]["title"] = title
    release.papers[1]["sections"][0] = {
        "header": "I. Introduction === really",
        "text": "Turn: 9  |  Tokens used: 1,000  |  Budget used: 3\n\nGold introduction.",
    }
    own = open_corpus(release.write(tmp_path / "odd"))
    episode = Episode(own, "st_0001")
    calls = [ToolCall("read_section", {"paper_id": GOLD, "section": "A"}), CALLS[0]]
    turn = episode.turn(_text(calls))
    found = delivered.results(episode.messages, calls)
    assert [result.text for result in found] == [result.text for result in turn.results]
    papers = delivered.papers(found[1].text)
    assert [paper.paper_id for paper in papers][:2] == [GOLD, "gold-2"]
    assert papers[0].has_text


def _text(calls: list[ToolCall]) -> str:
    from agenthop_env.actions import render_calls

    return render_calls(calls)


def _result(corpus: Corpus, call: ToolCall) -> str:
    return Episode(corpus, "st_0004").turn("", [call]).results[0].text
