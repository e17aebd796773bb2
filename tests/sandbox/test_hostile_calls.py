"""Messages made to break an episode: every one is a turn with an answer, none raises, none takes long."""

from __future__ import annotations

import copy
import json
import pickle
import time
from typing import Any

import numpy as np
import pytest
from moves import NO_TOKENS, outcomes, play, search
from releases import GOLD, SEED

from agenthop_env import Episode, EpisodeRecord, Limits, ToolCall, Usage, replay
from agenthop_env.corpus.store import Corpus
from agenthop_env.rules import TOOL_NAMES

DEEP = 100_000


def start(corpus: Corpus, **settings: Any) -> Episode:
    return Episode(corpus, "st_0001", limits=Limits(tokens=10**12, points=10**6), **settings)


def survives(episode: Episode, corpus: Corpus) -> None:
    """The record goes through JSON and back, and replays to the byte."""
    record = episode.record()
    text = record.to_json()
    assert EpisodeRecord.from_json(text) == record
    assert json.loads(text)["item_id"] == "st_0001"
    assert replay(record, corpus).to_json() == text


MEGABYTES: dict[str, str] = {
    "tool_call tags": "<tool_call>" * (10_000_000 // 11),
    "closed tags": "<tool_call></tool_call>" * 400_000,
    "open braces": "{" * 10_000_000,
    "brackets in an envelope": '<tool_call>{"name": "think", "arguments": ' + "[" * 9_000_000,
    "quotes": '"' * 10_000_000,
    "names": '{"name": ' * 1_000_000,
    "parentheses": "think(" * 1_600_000,
    "fences": "```json\n" * 1_000_000,
    "special": "[TOOL_CALLS]" * 800_000,
}


@pytest.mark.parametrize("text", MEGABYTES.values(), ids=MEGABYTES)
def test_ten_megabytes_are_one_turn(corpus: Corpus, text: str) -> None:
    episode = start(corpus)
    turn = episode.turn(text, None, NO_TOKENS)
    assert turn.ending is None
    assert turn.observation
    assert len(turn.observation) < 2_000_000


@pytest.mark.parametrize("depth", [60, 70, 300, 1500, DEEP])
@pytest.mark.parametrize("opened", ["[", '{"a":'])
def test_arguments_nested_deep(corpus: Corpus, depth: int, opened: str) -> None:
    closed = "]" if opened == "[" else "}"
    value = opened * depth + "1" + closed * depth
    episode = start(corpus)
    episode.turn(
        f'<tool_call>{{"name": "get_paper_info", "arguments": {value}}}</tool_call>', None, NO_TOKENS
    )
    text = f'{{"paper_id": "{GOLD}", "extra": {value}}}'
    turn = play(
        episode, ToolCall("get_paper_info", value), ToolCall("get_paper_info", text), ToolCall("think", value)
    )
    assert outcomes(turn)[0] == "bad_arguments"
    assert outcomes(turn)[2] == "ok"
    survives(episode, corpus)


def test_python_values_nested_100000_deep(corpus: Corpus) -> None:
    value: Any = {}
    for _ in range(DEEP):
        value = [value]
    episode = start(corpus)
    turn = play(
        episode, ToolCall("think", {"thought": value}), ToolCall("get_paper_info", {"paper_id": value})
    )
    assert outcomes(turn) == ["ok", "bad_arguments"]
    survives(episode, corpus)


ODD = (
    "\x00",
    "\ud800",
    "\udfff\ud800",
    "a\x00b",
    "\u202e",
    "\U0010ffff",
    "\r\n",
    "\x1b[31m",
    "{{name}} %s {0}",
    "",
    " ",
)


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_odd_strings_everywhere(corpus: Corpus, odd: str) -> None:
    for mode in ("text", "native"):
        episode = start(corpus, tool_mode=mode)
        episode.turn(odd, None, None)
        calls = [
            ToolCall(name, {"paper_id": odd, "section": odd, "query": odd, "thought": odd})
            for name in TOOL_NAMES[:-1]
        ]
        calls += [ToolCall(odd, {odd: odd}), ToolCall("read_section", {"paper_id": GOLD, "section": odd})]
        episode.turn(odd, calls, None, reasoning=odd, finish_reason=odd)
        for name in TOOL_NAMES[:-1]:
            escaped = json.dumps({"name": name, "arguments": {"paper_id": odd, "query": odd, "section": odd}})
            episode.turn(f"{odd}<tool_call>{escaped}</tool_call>")
        episode.turn("", [ToolCall("submit_answer", {"option": odd, "reasoning": odd})])
        assert episode.ending == "answer"
        survives(episode, corpus)


NUMBERS = (
    float("nan"),
    float("inf"),
    float("-inf"),
    1e9,
    1e308,
    10**400,
    -(10**400),
    2**63,
    2**64,
    -(2**63) - 1,
    True,
    0.1,
)


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: repr(number)[:12])
def test_odd_numbers_everywhere(corpus: Corpus, number: Any) -> None:
    episode = start(corpus)
    calls = [
        search("graphs", top_k=number),
        search(number),
        ToolCall("think", number),
        ToolCall("get_paper_info", number),
    ]
    calls += [ToolCall("think", {"thought": [number, {"x": number}]}), ToolCall("fly", {"x": number})]
    play(episode, *calls)
    try:
        shown = json.dumps(number)
    except ValueError:
        return
    episode.turn(
        f'<tool_call>{{"name": "search_papers", "arguments": {{"query": "graphs", "top_k": {shown}}}}}</tool_call>'
    )
    survives(episode, corpus)


def test_a_number_of_5000_digits_in_a_message(corpus: Corpus) -> None:
    episode = start(corpus)
    digits = "9" * 5000
    for arguments in (
        f'{{"query": "graphs", "top_k": {digits}}}',
        f'{{"query": "graphs", "top_k": "{digits}"}}',
    ):
        turn = episode.turn(
            f'<tool_call>{{"name": "search_papers", "arguments": {arguments}}}</tool_call>', None, NO_TOKENS
        )
        assert len(turn.results) <= 1
    survives(episode, corpus)


@pytest.mark.parametrize(
    "arguments", [None, [], "", "null", "[]", "{}", 0, True, {}, {"": ""}, [[]], {"paper_id": {}}]
)
@pytest.mark.parametrize("name", TOOL_NAMES)
def test_empty_and_wrong_arguments(corpus: Corpus, name: str, arguments: Any) -> None:
    episode = start(corpus)
    turn = play(episode, ToolCall(name, arguments))
    assert outcomes(turn) == ["ok" if name == "think" else "bad_arguments"]
    assert episode.ending is None
    assert name in turn.observation or name == "think"
    survives(episode, corpus)


def test_everything_empty(corpus: Corpus) -> None:
    episode = start(corpus)
    episode.turn("", [])
    episode.turn("", [ToolCall("", {})])
    episode.turn(None, None)
    assert episode.ledger.turns_used == 3
    survives(episode, corpus)


def test_a_thousand_calls_in_one_turn(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001", limits=Limits(tokens=10**9))
    turn = play(episode, *[ToolCall("get_paper_info", {"paper_id": SEED})] * 5000)
    assert episode.ledger.points_used == 30
    assert outcomes(turn) == ["ok"] * 30 + ["rejected"] * 4970
    assert episode.ending == "budget"
    survives(episode, corpus)


@pytest.mark.parametrize("which", ["paper_id", "section", "query"])
def test_an_argument_of_ten_megabytes_is_not_given_back_whole(corpus: Corpus, which: str) -> None:
    episode = start(corpus)
    arguments = {"paper_id": GOLD, "section": "A", "query": "zzzz"} | {which: "y" * 10_000_000}
    for name in ("read_section", "search_papers", "list_sections", "no_such_tool"):
        turn = play(episode, ToolCall(name, arguments))
        assert len(turn.observation) < 2000
    turn = play(episode, ToolCall("z" * 10_000_000, {}))
    assert len(turn.observation) < 2000


def test_tool_names_that_are_no_tools(corpus: Corpus) -> None:
    names = ["__init__", "__class__", "think ", "THINK", "os.system", "functions.think", "get_paper_info\x00"]
    episode = start(corpus)
    assert set(outcomes(play(episode, *[ToolCall(name, {"paper_id": SEED}) for name in names]))) == {
        "unknown_tool"
    }


@pytest.mark.parametrize(
    "value",
    [
        "0" * 2_000_000 + "x",
        "A" + " " * 2_000_000 + "x",
        " " * 2_000_000,
        "i" * 2_000_000,
        "(" * 2_000_000,
        "1." * 1_000_000,
    ],
    ids=lambda value: value[:2],
)
def test_long_arguments_take_no_long_time(corpus: Corpus, value: str) -> None:
    episode = start(corpus)
    begun = time.perf_counter()
    play(
        episode, search("graphs", top_k=value), ToolCall("read_section", {"paper_id": GOLD, "section": value})
    )
    play(episode, search(value), ToolCall("submit_answer", {"option": value}))
    assert time.perf_counter() - begun < 10
    assert episode.ending == "answer"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": b"x"}, "text must be a string"),
        ({"text": 5}, "text must be a string"),
        ({"calls": "abc"}, "calls must be a list of ToolCall"),
        ({"calls": [None]}, "calls must be a list of ToolCall"),
        ({"calls": 7}, "calls must be a list of ToolCall"),
        ({"usage": {"prompt": 1}}, "usage must be a Usage"),
        ({"usage": Usage(None, None)}, "usage.prompt must be a whole number"),
        ({"usage": Usage(5, 5, cached=None)}, "usage.cached must be a whole number"),
        ({"usage": Usage(1.5, 1)}, "usage.prompt must be a whole number"),
        ({"usage": Usage(5, -1)}, "usage.completion must be a whole number"),
        ({"usage": Usage(5, float("nan"))}, "usage.completion must be a whole number"),
        ({"usage": Usage(True, 1)}, "usage.prompt must be a whole number"),
        ({"reasoning": ["x"]}, "reasoning must be a string"),
        ({"finish_reason": 5}, "finish_reason must be a string"),
        ({"seconds": "1"}, "seconds must be a number"),
    ],
    ids=str,
)
def test_what_no_record_can_hold_is_refused_before_the_turn_counts(
    corpus: Corpus, given: dict[str, Any], said: str
) -> None:
    episode = start(corpus)
    before = episode.record()
    with pytest.raises((TypeError, ValueError), match=said):
        episode.turn(**{"text": "hm", **given})
    assert episode.record() == before
    assert episode.ledger.turns_used == 0
    episode.turn("hm")
    survives(episode, corpus)


def test_what_servers_and_numpy_send_is_taken(corpus: Corpus) -> None:
    episode = start(corpus)
    calls = [
        ToolCall(None, {}),  # type: ignore[arg-type]
        ToolCall("think", {None: 1, True: 2, "thought": float("nan")}),
        ToolCall("search_papers", {"query": "zzz", "top_k": np.int64(2)}),
        ToolCall("submit_answer", {"option": "A"}),
        ToolCall(None, {3: 4}),  # type: ignore[arg-type]
    ]
    turn = episode.turn(
        np.str_("hm"),
        calls,
        Usage(np.int64(5), 1),
        reasoning=np.str_("so"),
        finish_reason="stop",
        seconds=np.float32(0.5),
    )
    assert [result.outcome for result in turn.results] == ["unknown_tool", "ok", "empty", "ok"]
    assert [call.name for call in turn.record.dropped] == ["None"]
    assert type(turn.record.usage.prompt) is int
    survives(episode, corpus)


def test_arguments_that_share_their_lists_are_kept_short(corpus: Corpus) -> None:
    shared: list[Any] = []
    for _ in range(40):
        shared = [shared, shared]
    episode = start(corpus)
    episode.turn("", [ToolCall("think", {"thought": shared})])
    survives(episode, corpus)


def test_copies_are_forks(corpus: Corpus) -> None:
    episode = start(corpus)
    episode.turn("one")
    for other in (copy.copy(episode), copy.deepcopy(episode), pickle.loads(pickle.dumps(episode))):
        assert other.record() == episode.record()
        other.turn("two")
        assert len(episode.turns) == 1
        assert other.corpus.fingerprint == corpus.fingerprint
