"""Every rule that the protocol marks as a choice, and those that decide scores, each a test of its own."""

from __future__ import annotations

import re
from typing import Any

import pytest
from moves import (
    NO_TOKENS,
    UNKNOWN,
    info,
    outcomes,
    play,
    read,
    references,
    search,
    sections,
    spend,
    submit,
    think,
)
from releases import BARE, EMPTY, GOLD, OTHER, SEED, Release

from agenthop_env import Episode, Limits, ToolCall, Usage, open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.rules import TOOL_NAMES, TOOL_POINTS
from agenthop_env.sandbox.episode import EpisodeOver


def start(corpus: Corpus, item_id: str = "st_0001", turns: int = 100, **settings: Any) -> Episode:
    limits = settings.pop("limits", Limits(turns=turns))
    return Episode(corpus, item_id, limits=limits, **settings)


# Section 2: prices and the ledger


@pytest.mark.parametrize("name", TOOL_NAMES)
def test_each_tool_has_its_price(corpus: Corpus, name: str) -> None:
    arguments = {"paper_id": SEED, "section": "A", "query": "graphs", "thought": "t", "option": "A"}
    result = play(start(corpus), ToolCall(name, arguments)).results[0]
    assert (result.outcome, result.points) == ("ok", TOOL_POINTS[name])
    assert TOOL_POINTS[name] == {"read_section": 5, "think": 0, "submit_answer": 0}.get(name, 1)


def test_choice_a_call_is_charged_at_invocation_whatever_it_returns(corpus: Corpus) -> None:
    episode = start(corpus)
    calls = [
        info("nowhere"), references("nowhere"), references(GOLD), search("zzzz"), sections(BARE), sections(EMPTY),
        read(GOLD, "no such section"), info(None), ToolCall("get_paper_info", "text"), search(7),
    ]  # fmt: skip
    turn = play(episode, *calls)
    assert outcomes(turn) == [
        "unknown_paper", "unknown_paper", "empty", "empty", "no_text", "empty",
        "unknown_section", "bad_arguments", "bad_arguments", "bad_arguments",
    ]  # fmt: skip
    assert [result.points for result in turn.results] == [1, 1, 1, 1, 1, 1, 5, 1, 1, 1]
    assert episode.ledger.points_used == 14
    assert outcomes(play(episode, read(BARE), read("nowhere"), read(EMPTY))) == [
        "no_text",
        "unknown_paper",
        "empty",
    ]


def test_choice_price_comes_before_validation(corpus: Corpus) -> None:
    """A call that cannot be paid is rejected although its arguments are bad, and bad arguments are charged."""
    episode = spend(start(corpus), 26)
    turn = play(episode, ToolCall("read_section", None))
    assert outcomes(turn) == ["rejected"]
    assert outcomes(play(episode, ToolCall("get_paper_info", None))) == ["bad_arguments"]
    assert episode.ledger.points_left == 3


def test_a_rejection_begins_with_the_released_words(corpus: Corpus) -> None:
    episode = spend(start(corpus), 28)
    result = play(episode, read(GOLD)).results[0]
    assert result.text.startswith("REJECTED: Insufficient budget (2 remaining, read_section costs 5).")
    assert (result.outcome, result.points) == ("rejected", 0)
    assert episode.ledger.points_used == 28


def test_price_zero_is_never_rejected(corpus: Corpus) -> None:
    episode = start(corpus, limits=Limits(points=0, turns=100))
    assert outcomes(play(episode, think(), think(thought=7), ToolCall("think", None))) == ["ok"] * 3
    assert outcomes(play(episode, submit("E"))) == ["ok"]


def test_an_unknown_tool_is_an_error_and_free(corpus: Corpus) -> None:
    turn = play(start(corpus), UNKNOWN, ToolCall("", {}), ToolCall("Get_Paper_Info", {}))
    assert outcomes(turn) == ["unknown_tool"] * 3
    assert sum(result.points for result in turn.results) == 0


# Section 2: rejections


def test_choice_two_rejected_calls_in_one_turn_end_the_run(corpus: Corpus) -> None:
    episode = spend(start(corpus), 30)
    turn = play(episode, info(), info())
    assert outcomes(turn) == ["rejected", "rejected"]
    assert episode.ending == turn.ending == "budget"


def test_two_rejected_calls_in_two_turns_end_the_run(corpus: Corpus) -> None:
    episode = spend(start(corpus), 30)
    play(episode, info())
    assert episode.ending is None
    play(episode, info())
    assert episode.ending == "budget"


@pytest.mark.parametrize(
    "between",
    [think(), UNKNOWN, ToolCall("think", 7), ToolCall("submit_answer", {"option": 7})],
    ids=lambda call: call.name,
)
def test_any_call_that_is_not_rejected_resets_the_count(corpus: Corpus, between: ToolCall) -> None:
    episode = spend(start(corpus), 30)
    play(episode, info(), between, info())
    assert episode.ending is None
    play(episode, between)
    play(episode, info())
    assert episode.ending is None
    play(episode, info())
    assert episode.ending == "budget"


def test_a_later_call_of_the_same_turn_resets(corpus: Corpus) -> None:
    """The count is looked at when the turn ends: three rejections and a thought go on."""
    episode = spend(start(corpus), 30)
    turn = play(episode, info(), info(), info(), think())
    assert outcomes(turn) == ["rejected"] * 3 + ["ok"]
    assert episode.ending is None


def test_a_cheaper_call_resets(corpus: Corpus) -> None:
    episode = spend(start(corpus), 28)
    for _ in range(2):
        assert outcomes(play(episode, read(GOLD), info())) == ["rejected", "ok"]
    assert episode.ending is None


def test_a_turn_without_a_call_leaves_the_count(corpus: Corpus) -> None:
    episode = spend(start(corpus), 30)
    play(episode, info())
    episode.turn("only words", None, NO_TOKENS)
    episode.turn("", [], NO_TOKENS)
    assert episode.ending is None
    play(episode, info())
    assert episode.ending == "budget"


def test_a_submission_after_two_rejections_of_its_turn_counts(corpus: Corpus) -> None:
    episode = spend(start(corpus), 30)
    play(episode, info(), info(), submit("B"))
    assert (episode.ending, episode.correct) == ("answer", True)


# Section 2: disabled tools


def test_a_disabled_tool_is_refused_and_neither_raises_nor_resets_the_count(corpus: Corpus) -> None:
    episode = spend(start(corpus, disabled_tools=["search_papers"]), 30)
    play(episode, search("graphs"), search("graphs"), search("graphs"))
    assert episode.ending is None  # it does not raise the count
    play(episode, info())
    play(episode, search("graphs"))
    assert episode.ending is None
    turn = play(episode, search("graphs"), info())  # and it did not reset it
    assert outcomes(turn) == ["disabled", "rejected"]
    assert turn.results[0].points == 0
    assert episode.ending == "budget"


def test_a_disabled_tool_is_not_offered(corpus: Corpus) -> None:
    episode = start(corpus, disabled_tools=["search_papers"])
    assert "search_papers" not in [tool["function"]["name"] for tool in episode.tools]
    assert "search_papers" not in episode.messages[0]["content"]


# Section 2: submission


def test_choice_the_first_submission_ends_the_run_and_later_calls_are_not_run(corpus: Corpus) -> None:
    episode = start(corpus)
    turn = play(episode, submit("A"), read(GOLD), submit("B"))
    assert outcomes(turn) == ["ok"]
    record = episode.record()
    assert (record.ending, record.option, record.letter, record.correct) == ("answer", 0, "A", False)
    assert [call.name for call in record.turns[0].dropped] == ["read_section", "submit_answer"]
    assert episode.ledger.points_used == 0


def test_choice_a_read_in_the_turn_of_the_submission_is_charged_and_unseen(corpus: Corpus) -> None:
    episode = start(corpus)
    turn = play(episode, read(GOLD, "Results"), submit("B"))
    record = episode.record()
    assert turn.results[0].points == 5
    assert record.totals.points == 5
    assert record.totals.unseen_reads == 1
    assert not record.paper_recall
    assert not record.section_recall
    assert not record.any_gold_read
    assert record.turns[0].calls[0].read is not None
    assert record.turns[0].calls[0].read.delivered is False
    assert record.correct


@pytest.mark.parametrize("option", ["b", " (B) ", "B.", "(b)", "B):", "b)", "\tB\n"])
def test_a_letter_in_its_forms_is_an_option(corpus: Corpus, option: str) -> None:
    episode = start(corpus)
    play(episode, submit(option))
    assert (episode.ending, episode.letter) == ("answer", "B")


@pytest.mark.parametrize(
    "option", ["", "E", "AB", "Option B", "b or c", "((B))", "\u0412", "B\x00", "\ud800", "two"]
)
def test_any_other_string_ends_the_run_without_an_option(corpus: Corpus, option: str) -> None:
    episode = start(corpus)
    play(episode, submit(option))
    record = episode.record()
    assert (record.ending, record.option, record.letter, record.correct) == ("answer", None, None, False)


@pytest.mark.parametrize(
    "arguments", [{}, {"option": None}, {"option": 1}, {"option": ["B"]}, {"option": True}, None, "B", 7, []]
)
def test_a_missing_or_non_string_option_goes_on(corpus: Corpus, arguments: Any) -> None:
    episode = start(corpus)
    assert outcomes(play(episode, ToolCall("submit_answer", arguments))) == ["bad_arguments"]
    assert episode.ending is None
    play(episode, submit("B"))
    assert episode.correct


def test_both_names_of_an_argument_are_taken(corpus: Corpus) -> None:
    episode = start(corpus)
    play(episode, ToolCall("think", {"reasoning": "x"}), ToolCall("think", {"thought": "x"}))
    play(episode, ToolCall("submit_answer", {"answer": "B", "reasoning": "r", "confidence": 1}))
    assert episode.correct


def test_extra_arguments_are_ignored(corpus: Corpus) -> None:
    turn = play(
        start(corpus), ToolCall("get_paper_info", {"paper_id": GOLD, "extra": [1, {}], "section": None})
    )
    assert outcomes(turn) == ["ok"]


def test_arguments_as_json_text_are_read(corpus: Corpus) -> None:
    episode = start(corpus)
    turn = play(
        episode,
        ToolCall("get_paper_info", f'{{"paper_id": "{GOLD}"}}'),
        ToolCall("get_paper_info", '"text"'),
        ToolCall("get_paper_info", "{broken"),
        ToolCall("get_paper_info", "[]"),
    )
    assert outcomes(turn) == ["ok", "bad_arguments", "bad_arguments", "bad_arguments"]
    assert [result.points for result in turn.results] == [1] * 4


# Section 2: top_k


@pytest.mark.parametrize(
    ("top_k", "shown"),
    [(1, 1), (0, 1), (-5, 1), (2, 2), (10, 5), (10**9, 5), (10**400, 5), (-(10**400), 1), ("1", 1), ("7", 5), (" 2 ", 2),
     ("+2", 2), ("-2", 1), ("9" * 400, 5), ("-0", 1), ("0" * 30 + "2", 2)],
)  # fmt: skip
def test_top_k_whole_numbers_and_strings_of_one_are_clamped(corpus: Corpus, top_k: Any, shown: int) -> None:
    turn = play(start(corpus), search("graphs of", top_k=top_k))
    assert outcomes(turn) == ["ok"]
    assert f"({shown} matches)" in turn.results[0].text


@pytest.mark.parametrize(
    "top_k",
    [
        True,
        False,
        None,
        2.0,
        2.7,
        1e9,
        float("nan"),
        float("inf"),
        "ten",
        "",
        "2.0",
        "1e3",
        [],
        {},
        [2],
        "\u0662",
        "1_0",
        "0x1",
    ],
)
def test_top_k_anything_else_is_bad_arguments(corpus: Corpus, top_k: Any) -> None:
    episode = start(corpus)
    turn = play(episode, search("graphs", top_k=top_k))
    assert outcomes(turn) == ["bad_arguments"]
    assert episode.ledger.points_used == 1
    record = episode.record()
    assert type(record).from_json(record.to_json()) == record


def test_top_k_is_5_by_default(tmp_path: Any) -> None:
    release = Release().only("st_0001")
    for number in range(20):
        release.graphs[0]["nodes"][f"n{number}"] = {"title": "many many"}
    corpus = open_corpus(release.write(tmp_path / "release"))
    assert "(5 matches)" in play(start(corpus), search("many")).results[0].text
    assert "(10 matches)" in play(start(corpus), search("many", top_k=11)).results[0].text


@pytest.mark.parametrize("value", [None, 7, 2.5, True, [], {}, ["x"]])
def test_a_non_string_id_query_or_section_is_bad_arguments(corpus: Corpus, value: Any) -> None:
    calls = [info(value), references(value), search(value), sections(value), read(value), read(GOLD, value)]
    turn = play(start(corpus), *calls)
    assert outcomes(turn) == ["bad_arguments"] * 6
    assert [result.points for result in turn.results] == [1, 1, 1, 1, 5, 5]


# Section 2: sections


@pytest.mark.parametrize(
    ("query", "header"),
    [
        ("C", "Results"), ("(c)", "Results"), (" c ", "Results"), ("Results", "Results"), ("rESULTS", "Results"),
        ("III. Results", "Results"), ("Results and", "Results and Discussion"), ("set up", "II-A  Set\u2014up"),
        ("Set: Up", "II-A  Set\u2014up"), ("Proofs", "Apdx_B1: Proofs"), ("Introduction", "I. Introduction"),
        ("Discuss", "Results and Discussion"), ("F", "results"),
    ],
)  # fmt: skip
def test_sections_resolve_in_order(corpus: Corpus, query: str, header: str) -> None:
    turn = play(start(corpus), read(GOLD, query))
    assert turn.results[0].text.startswith(f"=== {header} ===\n\n")


@pytest.mark.parametrize(
    "query", ["", "   ", "G", "(Z)", "o", "3. ", "iv. ", "Method", "zz", "***", "\x00", "\ud800"]
)
def test_no_or_several_matches_are_unknown_section_with_the_list(corpus: Corpus, query: str) -> None:
    result = play(start(corpus), read(GOLD, query)).results[0]
    assert (result.outcome, result.points) == ("unknown_section", 5)
    assert "(A) I. Introduction" in result.text
    assert "(F) results" in result.text


def test_an_alias_comes_first_so_i_is_the_ninth_section(corpus: Corpus) -> None:
    assert play(start(corpus), read("far-1", "I")).results[0].text.startswith("=== 9 Part 9 ===")
    assert play(start(corpus), read("far-1", "aa")).results[0].text.startswith("=== 27 Part 27 ===")
    assert play(start(corpus), read("far-1", "AE")).results[0].outcome == "unknown_section"


# Section 3: a turn


def test_status_line_golden(corpus: Corpus) -> None:
    episode = start(corpus)
    for _ in range(4):
        play(episode, read(GOLD), usage=Usage(5000, 800))
    turn = play(episode, think(), think(), usage=Usage(179, 0))
    line = "Turn: 5  |  Tokens used: 23,379  |  Budget used: 20"
    assert turn.observation == f"{turn.results[0].text}\n{line}\n\n{turn.results[1].text}\n{line}"


def test_every_result_carries_the_turns_closing_totals(corpus: Corpus) -> None:
    turn = play(start(corpus), info(), read(GOLD), info("nowhere"), UNKNOWN, usage=Usage(1000, 234))
    lines = re.findall(r"^Turn: .*$", turn.observation, flags=re.MULTILINE)
    assert lines == ["Turn: 1  |  Tokens used: 1,234  |  Budget used: 7"] * 4


def test_tokens_equal_to_the_cap_are_fine_and_over_it_end_the_run(corpus: Corpus) -> None:
    episode = start(corpus)
    play(episode, info(), usage=Usage(199_000, 1000))
    assert episode.ending is None
    assert episode.ledger.tokens_left == 0
    turn = play(episode, usage=Usage(0, 1))
    assert turn.ending == episode.ending == "token_limit"


def test_past_the_token_cap_nothing_runs_not_even_a_submission(corpus: Corpus) -> None:
    episode = start(corpus)
    turn = play(episode, read(GOLD, "Results"), submit("B"), usage=Usage(200_000, 1))
    assert turn.results == ()
    record = episode.record()
    assert (record.ending, record.option, record.totals.points, record.totals.calls) == (
        "token_limit",
        None,
        0,
        0,
    )
    assert not record.any_gold_read
    assert [call.name for call in record.turns[0].dropped] == ["read_section", "submit_answer"]
    assert record.totals.turns == 1
    text = start(corpus)
    assert text.turn('<tool_call>{"name": "think"}</tool_call>', None, Usage(200_001, 0)).results == ()


def test_choice_total_counts_cached_tokens_and_uncached_does_not(corpus: Corpus) -> None:
    total, uncached = start(corpus), start(corpus, token_accounting="uncached")
    for episode in (total, uncached):
        play(episode, info(), usage=Usage(150_000, 100, cached=140_000))
        assert episode.record().totals.tokens == 150_100
        assert episode.record().totals.tokens_uncached == 10_100
    assert (total.ledger.tokens_used, uncached.ledger.tokens_used) == (150_100, 10_100)
    play(total, info(), usage=Usage(150_000, 0, cached=150_000))
    play(uncached, info(), usage=Usage(150_000, 0, cached=150_000))
    assert (total.ending, uncached.ending) == ("token_limit", None)


def test_more_cached_than_prompt_tokens_count_as_none(corpus: Corpus) -> None:
    episode = start(corpus, token_accounting="uncached")
    play(episode, info(), usage=Usage(100, 10, cached=500))
    assert episode.ledger.tokens_used == 10
    assert episode.record().totals.usage.cached == 500


def test_a_turn_without_a_call_is_used_and_nudged_with_the_status_line(corpus: Corpus) -> None:
    episode = start(corpus)
    turn = episode.turn("I think so.", None, Usage(10, 5))
    assert turn.results == ()
    assert turn.observation.endswith("\nTurn: 1  |  Tokens used: 15  |  Budget used: 0")
    assert "submit_answer" in turn.observation
    assert episode.ledger.turns_used == 1


@pytest.mark.parametrize("text", ["", None])
def test_an_empty_message_is_a_turn_without_a_call(corpus: Corpus, text: str | None) -> None:
    episode = start(corpus)
    turn = episode.turn(text, None, Usage(10, 0))
    assert turn.results == ()
    assert turn.observation.endswith("\nTurn: 1  |  Tokens used: 10  |  Budget used: 0")
    assert episode.messages[-2] == {"role": "assistant", "content": ""}


def test_an_envelope_without_a_readable_name_is_no_call_and_the_nudge_says_so(corpus: Corpus) -> None:
    episode = start(corpus)
    turn = episode.turn('<tool_call>{"arguments": {}}</tool_call>', None, NO_TOKENS)
    assert turn.results == ()
    assert "name" in turn.observation
    assert turn.observation != start(corpus).turn("words", None, NO_TOKENS).observation


def test_no_point_left_after_calls_brings_a_nudge_to_submit(corpus: Corpus) -> None:
    episode = spend(start(corpus), 29)
    turn = play(episode, info())
    nudge = turn.observation.rpartition("\n\n")[2]
    assert "submit_answer" in nudge
    assert "Turn:" not in nudge
    assert play(episode, think()).observation.endswith(nudge)
    assert not episode.turn("words", None, NO_TOKENS).observation.endswith(
        nudge
    )  # a turn without a call has its own
    one_left = spend(start(corpus), 28)
    assert nudge not in play(one_left, info()).observation
    ended = spend(start(corpus), 30)
    assert nudge not in play(ended, info(), info()).observation


def test_the_last_turn_ends_the_run_as_max_turns(corpus: Corpus) -> None:
    episode = start(corpus, limits=Limits(turns=2))
    play(episode, info())
    assert episode.ending is None
    turn = play(episode, read(GOLD, "Results"))
    assert episode.ending == "max_turns"
    assert turn.results[0].outcome == "ok"
    assert episode.record().paper_recall  # the result of the last turn reached the agent's conversation
    words = start(corpus, limits=Limits(turns=1))
    words.turn("only words", None, NO_TOKENS)
    assert words.ending == "max_turns"


def test_endings_in_their_order(corpus: Corpus) -> None:
    last = spend(start(corpus, limits=Limits(turns=31)), 30)
    play(last, info(), info())
    assert last.ending == "budget"  # before max_turns
    answered = spend(start(corpus, limits=Limits(turns=31)), 30)
    play(answered, info(), info(), submit("B"))
    assert answered.ending == "answer"  # before both
    over = start(corpus, limits=Limits(turns=1))
    play(over, submit("B"), usage=Usage(200_001, 0))
    assert over.ending == "token_limit"


def test_no_turns_are_over_before_they_begin(corpus: Corpus) -> None:
    episode = start(corpus, limits=Limits(turns=0))
    assert episode.ending == "max_turns"
    with pytest.raises(EpisodeOver):
        play(episode, submit("B"))
    record = episode.record()
    assert (record.totals.turns, record.correct, record.paper_recall) == (0, False, False)


@pytest.mark.parametrize("ending", ["answer", "budget", "max_turns", "token_limit", "error"])
def test_nothing_is_played_after_an_ending(corpus: Corpus, ending: str) -> None:
    episode = start(corpus, limits=Limits(points=0, turns=1) if ending == "max_turns" else Limits(points=0))
    if ending == "answer":
        play(episode, submit("B"))
    elif ending == "budget":
        play(episode, info(), info())
    elif ending == "error":
        episode.abort("the server is gone")
    else:
        play(episode, think(), usage=Usage(0 if ending == "max_turns" else 200_001, 0))
    assert episode.ending == ending
    before = episode.record()
    with pytest.raises(EpisodeOver):
        play(episode, submit("A"))
    episode.abort("again")
    assert episode.record() == before


# Section 5 and 6


def test_evidence_ends_the_run_once_every_gold_paper_is_delivered(corpus: Corpus) -> None:
    episode = start(corpus, "mt_0001", stop_on_evidence=True)
    play(episode, read(GOLD, "A"))
    assert episode.ending is None
    play(episode, read(OTHER, "A"))
    assert episode.ending == "evidence"
    assert not episode.record().correct
    play_on = start(corpus, "mt_0001")
    play(play_on, read(GOLD, "A"), read(OTHER, "A"))
    assert play_on.ending is None
    together = start(corpus, "mt_0001", stop_on_evidence=True)
    play(together, read(GOLD, "A"), read(OTHER, "A"), submit("D"))
    assert together.ending == "answer"  # the reads of this turn are never seen


def test_options_keep_the_releases_order_unless_shuffled(corpus: Corpus) -> None:
    episode = start(corpus)
    assert episode.option_order == (0, 1, 2, 3)
    assert episode.options == corpus.item("st_0001").options
    play(episode, submit("B"))
    assert episode.correct


def test_shuffled_options_are_scored_by_the_items_own_order(corpus: Corpus) -> None:
    item = corpus.item("st_0001")
    orders = set()
    for seed in range(60):
        episode = start(corpus, shuffle_options=True, seed=seed)
        orders.add(episode.option_order)
        assert sorted(episode.option_order) == [0, 1, 2, 3]
        assert episode.options == tuple(item.options[index] for index in episode.option_order)
        place = episode.option_order.index(item.correct_index)
        letter = "ABCD"[place]
        assert f"{letter}) {item.options[item.correct_index]}" in episode.messages[0]["content"]
        play(episode, submit(letter))
        record = episode.record()
        assert (record.correct, record.option, record.letter) == (True, item.correct_index, letter)
        assert start(corpus, shuffle_options=True, seed=seed).option_order == episode.option_order
    assert len(orders) > 15
    assert start(corpus, seed=5).option_order == (0, 1, 2, 3)
    other = [start(corpus, "st_0002", shuffle_options=True, seed=seed).option_order for seed in range(60)]
    assert other != [start(corpus, shuffle_options=True, seed=seed).option_order for seed in range(60)]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"token_accounting": "some"}, "total, uncached"),
        ({"tool_mode": "voice"}, "text, native"),
        ({"search": "magic"}, "overlap, bm25"),
        ({"tool_format": "nonsense"}, "nonsense"),
    ],
)
def test_an_unknown_setting_lists_the_known_ones(corpus: Corpus, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        start(corpus, **settings)
