"""What the tools say, to the character: labels, order, indentation and how nulls are shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from moves import info, outcomes, play, read, references, search, sections
from releases import BARE, CONTEXT, EMPTY, FAR, GOLD, LONG_ABSTRACT, NULLS, OTHER, SEED, Release

from agenthop_env import Episode, Limits, ToolCall, open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.rules import SEARCH_ABSTRACT_CHARS


def said(corpus: Corpus, call: ToolCall, item_id: str = "st_0001") -> str:
    return play(Episode(corpus, item_id), call).results[0].text


def test_get_paper_info(corpus: Corpus) -> None:
    assert said(corpus, info(GOLD)) == (
        "Title: Gold methods: \u00e9tude \u2200x\n"
        "Authors: Zo\u00eb Kim, Bj\u00f6rn Rao\n"
        "Year: 2022\n"
        "Venue: NeurIPS\n"
        "Abstract: Agents hop over graphs.\n"
        "Full text available: Yes"
    )


def test_get_paper_info_of_nulls(corpus: Corpus) -> None:
    """Choice: what is missing is shown as Unknown, a missing abstract as (not available); no venue, no line."""
    nothing = (
        "Title: Unknown\nAuthors: Unknown\nYear: Unknown\nAbstract: (not available)\nFull text available: No"
    )
    assert said(corpus, info(NULLS)) == said(corpus, info("(B)")) == nothing
    assert "Abstract: (not available)" in said(corpus, info(EMPTY))  # an empty one


def test_get_references(corpus: Corpus) -> None:
    assert said(corpus, references(SEED)) == (
        "References for paper 'seed-1' (7 papers):\n"
        "\n"
        "  [1] gold-1\n"
        "      Title: Gold methods: \u00e9tude \u2200x\n"
        "      Authors: Zo\u00eb Kim and Bj\u00f6rn Rao (2022)\n"
        "      Full text: Available\n"
        "  [2] gold-2\n"
        "      Title: Second gold\n"
        "      Authors: Solo Author (2021)\n"
        "      Full text: Available\n"
        "  [3] bridge-1\n"
        "      Title: Bridge of graphs\n"
        "      Authors: Unknown (2020)\n"
        "      Full text: Available\n"
        "  [4] not-in-the-graph\n"
        "      Title: Unknown\n"
        "      Authors: Unknown (Unknown)\n"
        "      Full text: Not available\n"
        "  [5] seed-1\n"
        "      Title: Seed of citation graphs\n"
        "      Authors: Ada Smith et al. (2024)\n"
        "      Full text: Available\n"
        "  [6] bare-1\n"
        "      Title: No text at all\n"
        "      Authors: Unknown (2018)\n"
        "      Full text: Not available\n"
        "  [7] nulls-1\n"
        "      Title: Unknown\n"
        "      Authors: Unknown (Unknown)\n"
        "      Full text: Not available"
    )


def test_get_references_shows_the_citing_sentence_where_known(corpus: Corpus) -> None:
    listing = said(corpus, references(SEED), "st_0004")
    assert (
        "  [1] gold-1\n"
        "      Title: Gold methods: \u00e9tude \u2200x\n"
        "      Authors: Zo\u00eb Kim and Bj\u00f6rn Rao (2022)\n"
        "      Full text: Available\n"
        f'      Context: "{CONTEXT}"\n'
        "  [2] gold-2\n"
    ) in listing
    assert listing.count("Context:") == 1
    assert "Context:" not in said(corpus, references(SEED))


def test_search_papers(corpus: Corpus) -> None:
    assert said(corpus, search("Agents GRAPHS, citation!", top_k=2)) == (
        "Search results for 'Agents GRAPHS, citation!' (2 matches):\n"
        "\n"
        "  [1] seed-1\n"
        "      Title: Seed of citation graphs\n"
        "      Authors: Ada Smith et al. (2024)\n"
        "      Abstract: We study citation graphs with agents.\n"
        "      Full text: Available\n"
        "  [2] gold-1\n"
        "      Title: Gold methods: \u00e9tude \u2200x\n"
        "      Authors: Zo\u00eb Kim and Bj\u00f6rn Rao (2022)\n"
        "      Abstract: Agents hop over graphs.\n"
        "      Full text: Available"
    )


def test_search_cuts_an_abstract_at_300_characters(corpus: Corpus, tmp_path: Path) -> None:
    assert len(LONG_ABSTRACT) > 300
    assert f"      Abstract: {LONG_ABSTRACT[:300]}...\n" in said(corpus, search("word"))
    release = Release().only("st_0001")
    release.graphs[0]["nodes"][GOLD]["abstract"] = "\u00e9" * SEARCH_ABSTRACT_CHARS
    exact = open_corpus(release.write(tmp_path / "release"))
    assert "Abstract: " + "\u00e9" * 300 + "\n" in said(exact, search("methods"))


def test_search_counts_distinct_tokens_and_ties_keep_graph_order(corpus: Corpus) -> None:
    def shown(query: str) -> list[str]:
        return re.findall(r"^  \[\d+\] (\S+)$", said(corpus, search(query, top_k=10)), flags=re.MULTILINE)

    # The bridge says agents three times and counts once for it.
    assert shown("agents") == [SEED, GOLD, "bridge-1"]
    assert shown("agents agents AGENTS") == [SEED, GOLD, "bridge-1"]
    assert shown("bridge agents") == ["bridge-1", SEED, GOLD, FAR]
    assert shown("agent") == []  # tokens are whole
    assert shown("none") == [BARE]  # a null adds no token; an abstract that says so does
    assert shown("unknown") == []
    assert shown("\u00c9TUDE") == [GOLD]


@pytest.mark.parametrize("query", ["", "   ", "!!! \u2200 ...", "zzzz", "\x00", "\ud800"])
def test_search_without_a_match_is_empty(corpus: Corpus, query: str) -> None:
    turn = play(Episode(corpus, "st_0001"), search(query))
    assert outcomes(turn) == ["empty"]


def test_list_sections(corpus: Corpus) -> None:
    assert said(corpus, sections(GOLD)) == (
        "Sections for paper 'gold-1' (6 sections):\n"
        "\n"
        "  (A) I. Introduction (18 chars)\n"
        "  (B) II-A  Set\u2014up (43 chars)\n"
        "  (C) Results (20 chars)\n"
        "  (D) Results and Discussion (13 chars)\n"
        "  (E) Apdx_B1: Proofs (14 chars)\n"
        "  (F) results (15 chars)"
    )
    assert "  (Z) 26 Part 26 (7 chars)\n  (AA) 27 Part 27 (7 chars)\n" in said(corpus, sections(FAR))


def test_read_section(corpus: Corpus) -> None:
    assert said(corpus, read(GOLD, "B")) == (
        "=== II-A  Set\u2014up ===\n\n3.1 Data collection\nWe collect 42 graphs \U0001f600."
    )


@pytest.mark.parametrize(
    ("paper_id", "outcome"),
    [
        ("../../etc/passwd", "ok"), ("(B)", "ok"), ("../../etc/shadow", "unknown_paper"), ("/etc/passwd", "unknown_paper"),
        ("", "unknown_paper"), (" gold-1", "unknown_paper"), ("GOLD-1", "unknown_paper"), ("gold-1\x00", "unknown_paper"),
        ("\ud800", "unknown_paper"), ("2001.00002", "unknown_paper"), ("x" * 10_000_000, "unknown_paper"),
        ("not-in-the-graph", "unknown_paper"), ("..", "unknown_paper"), ("{{paper_id}} %s", "unknown_paper"),
    ],
    ids=lambda value: repr(value[:20]),
)  # fmt: skip
def test_paper_ids_that_look_like_paths_or_worse(corpus: Corpus, paper_id: str, outcome: str) -> None:
    episode = Episode(corpus, "st_0001", limits=Limits(tokens=10**9))
    turn = play(episode, info(paper_id))
    assert outcomes(turn) == [outcome]
    assert len(turn.results[0].text) < 1000


def test_a_read_names_what_was_read(corpus: Corpus) -> None:
    episode = Episode(corpus, "mt_0001")
    play(episode, read(OTHER, "B"), read(SEED, "A"))
    first, second = (call.read for call in episode.record().turns[0].calls)
    assert first is not None
    assert second is not None
    assert (first.paper_id, first.arxiv_id, first.section, first.header) == (
        OTHER,
        "2001.00003",
        1,
        "4. Evaluation",
    )
    assert (first.gold, first.direct_labels, first.delivered) == (1, (1,), True)
    assert (second.gold, second.direct_labels) == (None, ())
    assert re.fullmatch(r"[0-9a-f]{16}", first.text_hash)


def test_bm25_is_an_option_and_never_the_default(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001", search="bm25")
    turn = play(episode, search("agents", top_k=1))
    assert "[1] bridge-1" in turn.results[0].text
    assert episode.record().search == "bm25"
    assert Episode(corpus, "st_0001").record().search == "overlap"
    assert outcomes(play(episode, search("zzzz"), search(""))) == ["empty", "empty"]
