"""What an episode leaves: the two forms of its conversation, its counts, its forks, its records and their replay.

Run `python tests/sandbox/test_episode_forms.py` to write the golden transcript anew after a deliberate change.
"""

from __future__ import annotations

import json
import pickle
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pytest
from moves import NO_TOKENS, info, play, read, references, search, submit, think
from releases import FAR, GOLD, OTHER, SEED, Release

from agenthop_env import Episode, EpisodeRecord, Limits, ToolCall, Usage, open_corpus, replay
from agenthop_env.actions import render_calls
from agenthop_env.corpus.store import Corpus
from agenthop_env.text.tokens import CharacterCounter, token_counter

GOLDEN = Path(__file__).resolve().parent / "golden" / "transcript.json"


def scripted(corpus: Corpus, mode: str) -> Episode:
    """One game with everything in it: parallel calls, words alone, an error, a rejection, no points left, an answer."""
    episode = Episode(corpus, "mt_0001", tool_mode=mode, limits=Limits(points=12))
    turns: list[tuple[str, list[ToolCall]]] = [
        ("Let me look.", [info(SEED), references(SEED)]),
        ("Hm.", []),
        ("", [read(GOLD, "Set-up"), ToolCall("fly", {"to": "moon"})]),
        ("", [read(OTHER, "nowhere")]),
        ("", [search("graphs", top_k="2")]),
        ("Done.", [think(thought="D it is"), submit("(d)", reasoning="both say so")]),
    ]
    for text, calls in turns:
        if mode == "native":
            episode.turn(text, calls or None, Usage(1000, 50))
        else:
            episode.turn(
                "\n".join(part for part in (text, render_calls(calls)) if part), None, Usage(1000, 50)
            )
    return episode


@pytest.mark.parametrize("mode", ["text", "native"])
def test_the_transcript_is_the_golden_one(corpus: Corpus, mode: str) -> None:
    assert scripted(corpus, mode).messages[1:] == json.loads(GOLDEN.read_text(encoding="utf-8"))[mode]


def test_both_forms_say_the_same_and_score_the_same(corpus: Corpus) -> None:
    text, native = scripted(corpus, "text"), scripted(corpus, "native")
    for one, two in zip(text.turns, native.turns, strict=True):
        assert [(call.name, call.outcome, call.points, call.read) for call in one.calls] == [
            (call.name, call.outcome, call.points, call.read) for call in two.calls
        ]
    said = [message["content"] for message in text.messages if message["role"] == "user"]
    heard: list[str] = []
    for message in native.messages[1:]:
        if message["role"] == "assistant":
            heard.append("")
        elif heard or message["role"] == "user":
            heard[-1:] = [
                f"{heard[-1]}\n\n{message['content']}" if heard and heard[-1] else message["content"]
            ]
    strip = lambda shown: [line for line in "\n".join(shown).split("\n") if not line.startswith("Turn:")]  # noqa: E731
    assert strip(said) == strip(heard)
    assert text.record().correct
    assert native.record().correct


def test_tool_messages_answer_their_calls(corpus: Corpus) -> None:
    asked: list[str] = []
    for message in scripted(corpus, "native").messages:
        for call in message.get("tool_calls", ()):
            asked.append(call["id"])
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
        if message["role"] == "tool":
            assert message["tool_call_id"] in asked
    assert len(set(asked)) == len(asked) == 8


def test_the_observation_is_the_results_joined_by_blank_lines(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001", limits=Limits(points=2))
    turn = play(episode, info(SEED), info(GOLD))
    status = "\nTurn: 1  |  Tokens used: 0  |  Budget used: 2"
    nudge = "No points are left. Submit your answer now with submit_answer, which costs nothing."
    assert turn.observation == f"{turn.results[0].text}{status}\n\n{turn.results[1].text}{status}\n\n{nudge}"
    assert [message["role"] for message in turn.messages] == ["assistant", "tool", "tool", "user"]
    assert turn.messages == tuple(episode.messages[-4:])
    assert episode.opening == f"{episode.messages[0]['content']}\n\n{episode.messages[1]['content']}"


# Tokens


COUNTERS: list[Any] = [None, CharacterCounter(), lambda text: len(text.split()), "template"]


class Tokenizer:
    """A tokenizer with a chat template, a word a token."""

    name_or_path = "words"

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return [0] * len(text.split())

    def apply_chat_template(
        self, messages: Any, tools: Any = None, tokenize: bool = True, return_dict: bool = False
    ) -> list[int]:
        words = sum(2 + len(message["content"].split()) for message in messages)
        return [0] * (words + len(json.dumps(tools or "").split()))


@pytest.mark.parametrize("counter", COUNTERS, ids=["default", "characters", "callable", "template"])
@pytest.mark.parametrize("mode", ["text", "native"])
def test_counting_as_it_goes_equals_counting_from_scratch(corpus: Corpus, counter: Any, mode: str) -> None:
    given = Tokenizer() if counter == "template" else counter
    episode = Episode(corpus, "mt_0001", tool_mode=mode, counter=given, limits=Limits(tokens=10**9))
    moves = [
        [info(SEED)],
        [],
        [read(GOLD, "A"), read(OTHER, "B")],
        [search("graphs")],
        [think(thought="x" * 99)],
    ]
    counts = token_counter(given)
    for calls in moves:
        before = list(episode.messages)
        expected = counts.tools(episode.tools) + sum(counts.message(message) for message in before)
        if mode == "native":
            episode.turn("words \u00e9", calls)
        else:
            episode.turn("words \u00e9 " + render_calls(calls))
        assert episode.turns[-1].usage.prompt == expected
        assert episode.turns[-1].usage.cached == 0
        assert episode.turns[-1].usage.completion > 0
    assert episode.ledger.tokens_total == sum(turn.usage.total for turn in episode.turns)


def test_the_default_counts_a_quarter_of_the_characters_rounded_up_per_message() -> None:
    counts = token_counter()
    assert [counts.completion("x" * size) for size in (0, 1, 4, 5, 8)] == [0, 1, 1, 2, 2]
    assert counts.message({"role": "user", "content": "12345"}) == 2
    call = {"function": {"name": "think", "arguments": "{}"}}
    assert counts.message({"role": "assistant", "content": None, "tool_calls": [call]}) == 2
    assert counts.name == "chars/4"


def test_each_message_is_counted_once(corpus: Corpus) -> None:
    class Counting(CharacterCounter):
        name = "counting"
        seen = 0

        def message(self, message: Any) -> int:
            Counting.seen += 1
            return super().message(message)

    episode = Episode(corpus, "st_0001", counter=Counting(), tool_mode="native")
    for _ in range(10):
        episode.turn("", [info(SEED)])
    assert Counting.seen == len(episode.messages)


def test_a_server_s_usage_overrides_for_its_turn_alone(corpus: Corpus) -> None:
    one, two = Episode(corpus, "st_0001"), Episode(corpus, "st_0001")
    for episode in (one, two):
        episode.turn("words", None, Usage(7, 3) if episode is one else None)
        episode.turn("words", None)
    assert one.turns[0].usage == Usage(7, 3)
    status = len("10") - len(f"{two.turns[0].usage.total:,}")  # the status line tells another number
    assert abs(one.turns[1].usage.prompt - two.turns[1].usage.prompt) <= abs(status)


@pytest.mark.parametrize("bad", [7, "gpt", [], object()])
def test_a_counter_that_is_none_is_refused(corpus: Corpus, bad: Any) -> None:
    with pytest.raises(TypeError, match="token_counter must be"):
        Episode(corpus, "st_0001", counter=bad)


# Forks


def test_forks_are_independent_both_ways(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001")
    play(episode, info(SEED))
    before = episode.record()
    fork = episode.fork()
    assert fork.record() == before
    play(fork, read(GOLD, "Results"), submit("B"))
    assert episode.record() == before
    assert episode.ending is None
    told = fork.record()
    play(episode, read(GOLD, "A"))
    play(episode, submit("C"))
    assert fork.record() == told
    assert len(fork.messages) != len(episode.messages)
    again = fork.fork()
    again.abort("x")
    assert fork.ending == again.ending == "answer"


def test_a_fork_plays_on_as_its_original_would(corpus: Corpus) -> None:
    one = Episode(corpus, "mt_0001")
    play(one, read(GOLD, "B"))
    two = one.fork()
    for episode in (one, two):
        episode.turn("words")
        play(episode, read(OTHER, "A"))
        play(episode, submit("D"))
    assert one.record().to_json() == two.record().to_json()
    assert one.messages == two.messages


# Records and replay


GAMES: dict[str, Callable[[Corpus], Episode]] = {
    "text": lambda corpus: scripted(corpus, "text"),
    "native": lambda corpus: scripted(corpus, "native"),
    "unfinished": lambda corpus: played(Episode(corpus, "st_0001"), [[info(SEED)], [read(GOLD, "C")]]),
    "no turn": lambda corpus: Episode(corpus, "st_0002"),
    "over before it begins": lambda corpus: Episode(corpus, "st_0002", limits=Limits(turns=0)),
    "shuffled": lambda corpus: played(Episode(corpus, "st_0001", shuffle_options=True, seed=3), [[submit("A")]]),
    "dropped calls": lambda corpus: played(Episode(corpus, "st_0001"), [[submit("A"), read(GOLD), submit("B")]]),
    "evidence": lambda corpus: played(Episode(corpus, "st_0001", stop_on_evidence=True), [[read(GOLD)]]),
    "ablation": lambda corpus: played(
        Episode(corpus, "st_0001", disabled_tools=["search_papers"]), [[search("x")], [submit("B")]]
    ),
    "uncached": lambda corpus: played(Episode(corpus, "st_0001", token_accounting="uncached"), [[think()]]),
    "react, bm25": lambda corpus: played(Episode(corpus, "st_0001", strategy="react", search="bm25"), [[search("agents")]]),
}  # fmt: skip


def played(episode: Episode, turns: list[list[ToolCall]]) -> Episode:
    for calls in turns:
        play(episode, *calls, usage=Usage(10, 5, 3, 2, 1))
    return episode


@pytest.mark.parametrize("game", GAMES)
def test_a_record_replays_to_the_byte(corpus: Corpus, game: str) -> None:
    record = GAMES[game](corpus).record()
    again = replay(record, corpus)
    assert record.differences(again) == []
    assert again.to_json() == record.to_json()
    read_back = EpisodeRecord.from_json(record.to_json())
    assert read_back == record
    assert replay(read_back, corpus).to_json() == record.to_json()
    assert pickle.loads(pickle.dumps(record)) == record
    assert "\n" not in record.to_json()


def test_a_token_limit_and_an_error_replay(corpus: Corpus) -> None:
    over = Episode(corpus, "st_0001")
    over.turn("text", [read(GOLD)], Usage(10**6, 1))
    failed = Episode(corpus, "st_0001")
    play(failed, info(SEED))
    failed.abort("HTTP 400: the prompt is too long")
    for record in (over.record(), failed.record()):
        assert replay(record, corpus).to_json() == record.to_json()
    assert failed.record().error == "HTTP 400: the prompt is too long"
    assert failed.record().ending == "error"


def test_what_only_the_evaluator_knows_is_carried_over(corpus: Corpus) -> None:
    episode = Episode(
        corpus, "st_0001", counter=lambda text: len(text), agent="me", agent_settings={"t": 0.5, "l": [1]}
    )
    episode.turn("words", None, reasoning="because", finish_reason="length", seconds=0.25)
    record = episode.record()
    assert (record.agent, record.agent_settings, record.token_counter[:6]) == (
        "me",
        {"t": 0.5, "l": [1]},
        "test_w",
    )
    assert (record.turns[0].reasoning, record.turns[0].finish_reason, record.turns[0].seconds) == (
        "because",
        "length",
        0.25,
    )
    assert replay(record, corpus).to_json() == record.to_json()


def test_a_prefix_is_marked_and_replays(corpus: Corpus) -> None:
    episode = played(Episode(corpus, "st_0001"), [[info(SEED)], [references(SEED)]])
    episode.mark_prefix()
    play(episode, submit("B"))
    record = episode.record()
    assert (record.prefix_turns, record.totals.turns) == (2, 3)
    assert replay(record, corpus).to_json() == record.to_json()
    whole = played(Episode(corpus, "st_0001"), [[info(SEED)]])
    whole.mark_prefix()
    assert replay(whole.record(), corpus).prefix_turns == 1


def test_a_replay_on_other_data_lists_what_differs(corpus: Corpus, tmp_path: Path) -> None:
    record = played(Episode(corpus, "st_0001"), [[read(GOLD, "Results")], [submit("B")]]).record()
    release = Release()
    release.question("st_0001")["correct_index"] = 0
    release.paper("2001.00002")["sections"][2]["text"] += " changed"
    other = open_corpus(release.write(tmp_path / "release"))
    differences = "\n".join(record.differences(replay(record, other)))
    for part in (
        "fingerprint: ",
        "correct_index: 1 -> 0",
        "correct: True -> False",
        "turns[0].calls[0].read.text_hash: ",
    ):
        assert part in differences


def test_a_record_holds_no_delivered_text(corpus: Corpus) -> None:
    record = played(Episode(corpus, "st_0001"), [[read(GOLD, "Results")], [info(GOLD)]]).record().to_json()
    assert "97.3%" not in record
    assert "Agents hop over graphs" not in record


def test_a_record_keeps_the_items_cuts_and_settings(corpus: Corpus) -> None:
    record = scripted(corpus, "native").record()
    assert (record.cuts.question_type, record.cuts.depth, record.cuts.reasoning_type) == (
        "multi-target",
        1,
        "RESULT",
    )
    assert (record.cuts.consensus_tier, record.cuts.venue) == ("gold", "ICML")
    assert record.gold_paper_ids == (GOLD, OTHER)
    assert record.limits == Limits(points=12)
    assert (record.dataset, record.fingerprint, record.split) == (
        corpus.name,
        corpus.fingerprint,
        corpus.item("mt_0001").split,
    )
    assert record.totals.calls == 8
    assert record.totals.points == 1 + 1 + 5 + 5
    assert record.gold_delivered == (True, False)


def test_a_policy_s_arguments_are_not_kept_by_reference(corpus: Corpus) -> None:
    arguments = {"paper_id": FAR, "more": [1]}
    episode = Episode(corpus, "st_0001")
    play(episode, ToolCall("get_paper_info", arguments))
    arguments["more"].append(2)  # type: ignore[attr-defined]
    assert episode.record().turns[0].calls[0].arguments == {"paper_id": FAR, "more": [1]}


def test_no_tokens_are_no_tokens(corpus: Corpus) -> None:
    assert played(Episode(corpus, "st_0001"), []).ledger.usage == NO_TOKENS


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = open_corpus(Release().write(Path(folder) / "release"))
        games = {how: scripted(made, how).messages[1:] for how in ("text", "native")}
        GOLDEN.write_text(json.dumps(games, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
