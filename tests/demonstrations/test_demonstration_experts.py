"""How experts play: legal, the same every time, and true to what they have been shown."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from grounding import ungrounded
from releases import SHARED, needs_papers

from agenthop_env import Limits, open_corpus, replay
from agenthop_env.actions import FORMATS, parse_actions
from agenthop_env.corpus.store import Corpus
from agenthop_env.demonstrations import HABITS, Demonstration, generate
from agenthop_env.evaluation import Protocol
from agenthop_env.sandbox.replay import replay_episode

GOOD = ("verify", "parallel", "early", "recover", "search_first", "citations_first")
WORLDS = ("world:nano?split=train&items=60", "world:tiny?split=train&items=30")
GOLDEN = Path(__file__).with_name("golden.json")
NATIVE = Protocol(tool_mode="native")


def played(
    corpus: Corpus, habit: str, count: int | None = None, seed: int = 0, protocol: Protocol | None = None
) -> list[Demonstration]:
    size = count or 4 * len(corpus.ids)
    return list(generate(corpus, {habit: 1}, seed, count=size, protocol=protocol))


def calls(one: Demonstration) -> list[list[tuple[str, object]]]:
    return [[(call.name, call.arguments) for call in turn.calls] for turn in one.record.turns]


@pytest.mark.parametrize("habit", HABITS)
def test_every_habit_is_legal_and_replays(small: Corpus, corpus: Corpus, habit: str) -> None:
    for data in (small, corpus):
        for one in played(data, habit):
            record = one.record
            assert record.ending == "answer"
            assert record.option is not None
            assert record.totals.rejected == 0
            assert record.totals.unseen_reads == 0
            assert record.totals.points <= 30
            assert replay(record, data).to_json() == record.to_json()
            assert replay_episode(record, data).messages == one.messages


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("tool_format", [*FORMATS, "native"])
def test_every_habit_plays_in_every_format(small: Corpus, habit: str, tool_format: str) -> None:
    protocol = NATIVE if tool_format == "native" else Protocol(tool_format=tool_format)
    plain = played(small, habit, 8)
    for one, expected in zip(played(small, habit, 8, protocol=protocol), plain, strict=True):
        assert calls(one) == calls(expected)
        assert one.tool_mode == protocol.tool_mode
        if tool_format == "native":
            assert one.tools is not None
            roles = {message["role"] for message in one.messages}
            assert roles == {"system", "user", "assistant", "tool"}
        else:
            assert one.tools is None
            assert all(set(message) == {"role", "content"} for message in one.messages)
            for message, turn in zip(one.messages[2::2], one.record.turns, strict=True):
                names = [call.name for call in parse_actions(message["content"], tool_format)]
                assert names == [call.name for call in turn.calls]


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize(
    "limits",
    [Limits(turns=1), Limits(turns=3), Limits(points=0), Limits(points=6), Limits(tokens=9000)],
    ids=str,
)
def test_experts_keep_within_other_limits(small: Corpus, habit: str, limits: Limits) -> None:
    for one in played(small, habit, protocol=Protocol(limits=limits, tool_format="hermes")):
        assert one.record.ending == "answer"
        assert one.record.totals.rejected == 0


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("tool", ["search_papers", "list_sections", "get_references", "get_paper_info"])
def test_experts_do_without_a_tool(small: Corpus, habit: str, tool: str) -> None:
    for one in played(small, habit, 8, protocol=Protocol(disabled_tools=(tool,))):
        assert one.record.ending == "answer"
        assert all(call.outcome != "disabled" for turn in one.record.turns for call in turn.calls)


@pytest.mark.parametrize("habit", HABITS)
def test_a_seed_gives_the_same_and_another_seed_another(small: Corpus, habit: str) -> None:
    assert played(small, habit, seed=1) == played(small, habit, seed=1)
    assert [one.messages for one in played(small, habit, seed=1)] != [
        one.messages for one in played(small, habit, seed=2)
    ]


_ELSEWHERE = """
import hashlib, sys
from agenthop_env.demonstrations import generate
digest = hashlib.sha256()
for one in generate(sys.argv[1], count=40):
    digest.update(one.record.to_json().encode())
print(digest.hexdigest())
"""


def test_demonstrations_do_not_depend_on_the_process(small: Corpus, small_folder: Path) -> None:
    digests = set()
    for hash_seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run(
            [sys.executable, "-c", _ELSEWHERE, str(small_folder)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(run.stdout)
    assert len(digests) == 1


def test_seeds_next_to_each_other_share_nothing(small: Corpus) -> None:
    streams = [[one.seed for one in generate(small, "guesser", seed, count=50)] for seed in range(4)]
    assert len({seed for stream in streams for seed in stream}) == 200


@pytest.mark.parametrize("thoughts", ["prose", "brief"])
@pytest.mark.parametrize("habit", HABITS)
def test_what_is_said_has_been_shown(small: Corpus, corpus: Corpus, habit: str, thoughts: str) -> None:
    for data in (small, corpus, *map(open_corpus, WORLDS)):
        count = min(40, 4 * len(data.ids))
        for one in generate(data, {habit: 1}, 3, count=count, thoughts=thoughts, protocol=NATIVE):
            assert ungrounded(one, data) == []


def test_the_grounding_test_can_fail(small: Corpus) -> None:
    one = next(generate(small, "early", count=1, protocol=NATIVE))
    first = next(message for message in one.messages if message["role"] == "assistant")
    for lie in ('it says "cosine decay"', "p-beta it is", "the rate is 0.3"):
        first["content"] = lie
        assert ungrounded(one, small) != []


@pytest.mark.parametrize("habit", GOOD)
def test_experts_find_the_evidence_and_answer_right(small: Corpus, habit: str) -> None:
    for one in played(small, habit, 40):
        assert one.correct
        assert one.paper_recall
        assert one.section_recall == one.record.scorable_sections
        assert one.points <= 30


@pytest.mark.parametrize("source", WORLDS)
def test_good_habits_are_right_on_worlds_and_faulty_ones_leave_room(source: str) -> None:
    corpus = open_corpus(source)
    for habit in GOOD:
        assert all(one.correct and one.section_recall for one in played(corpus, habit, 20))
    for habit in ("hasty", "guesser"):
        found = played(corpus, habit, 60)
        assert sum(one.correct for one in found) / len(found) < 0.6
    assert any(not one.correct for one in played(corpus, "wanderer", 60))


def test_habits_differ_as_they_say(small: Corpus) -> None:
    lengths = {habit: [len(turn) for one in played(small, habit) for turn in calls(one)] for habit in GOOD}
    assert max(lengths["parallel"]) > 1
    assert max(lengths["early"]) == 1
    assert all(calls(one)[0][0][0] == "search_papers" for one in played(small, "search_first"))
    assert all(calls(one)[0][0][0] == "get_references" for one in played(small, "citations_first"))
    points = {habit: sum(one.points for one in played(small, habit)) for habit in GOOD}
    assert points["early"] < points["verify"]
    assert points["early"] < points["recover"]
    wrong = 0
    for one in played(small, "recover", 40):
        reads = [call.read for turn in one.record.turns for call in turn.calls if call.read]
        wrong += any(read.gold is None or not read.direct_labels for read in reads[:1])
    assert wrong > 20


def test_no_sentence_stands_everywhere(small: Corpus) -> None:
    corpus = open_corpus(WORLDS[1])
    said = Counter[str]()
    found = list(generate(corpus, count=120, protocol=NATIVE))
    for one in found:
        texts = " ".join(message["content"] for message in one.messages if message["role"] == "assistant")
        said.update({part for part in re.split(r"(?<=[.?!]) ", texts) if part})
    assert said.most_common(1)[0][1] < len(found) / 4


def test_thoughts_change_words_and_not_moves(small: Corpus) -> None:
    styles = {
        thoughts: list(generate(small, "early", count=12, thoughts=thoughts, protocol=NATIVE))
        for thoughts in ("prose", "brief", "none")
    }
    for one, two in pairwise(styles.values()):
        assert [calls(left) for left in one] == [calls(right) for right in two]
    words = {
        name: sum(
            len(m["content"].split()) for one in found for m in one.messages if m["role"] == "assistant"
        )
        for name, found in styles.items()
    }
    assert words["none"] == 0 < words["brief"] < words["prose"]


def test_think_is_used_sparingly(small: Corpus) -> None:
    found = list(generate(small, count=200))
    thinking = sum(any(name == "think" for turn in calls(one) for name, _ in turn) for one in found)
    assert 0 < thinking < len(found) / 5


def test_golden_trajectories(small: Corpus) -> None:
    """One a habit, after the opening; `python -m pytest` with AGENTHOP_RENEW_GOLDEN=1 writes them anew."""
    now = {
        habit: next(generate(small, {habit: 1}, 7, start=2, count=1)).messages[2:]  # the item with two golds
        for habit in HABITS
    }
    if os.environ.get("AGENTHOP_RENEW_GOLDEN"):
        GOLDEN.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert now == json.loads(GOLDEN.read_text(encoding="utf-8"))


@needs_papers
@pytest.mark.slow
def test_experts_on_real_papers() -> None:
    corpus = open_corpus(SHARED / "data" / "papers")
    for habit in HABITS:
        for one in generate(corpus, {habit: 1}, count=20, allow_test=True, protocol=NATIVE):
            assert one.record.ending == "answer"
            assert ungrounded(one, corpus) == []
            assert one.correct or habit not in GOOD
