from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from small_release import ALPHA, BETA, GAMES, ITEMS, SEED, calls, read, submit

from agenthop_env.corpus.store import Corpus
from agenthop_env.envs import AgentHopEnv, PrefixTurn
from agenthop_env.records import EpisodeRecord, Item, ToolCall, Usage
from agenthop_env.sandbox.episode import Episode
from agenthop_env.sandbox.replay import replay


def played(corpus: Corpus, item: str, game: list[str]) -> EpisodeRecord:
    episode = Episode(corpus, item)
    for message in game:
        episode.turn(message)
    return episode.record()


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("settings", [{}, {"tool_format": "qwen3_coder"}, {"tool_mode": "native"}])
def test_the_gold_path_leaves_only_the_commitment(
    item: str, settings: dict[str, Any], data: str, small: Corpus
) -> None:
    env = gym.make("AgentHopCommit-v0", data=data, **settings).unwrapped
    assert isinstance(env, AgentHopEnv)
    observation, info = env.reset(options={"item_id": item})
    now = info["diagnostics"]
    assert now["paper_recall"]
    assert now["section_recall"] == (item != "st_0003")
    assert now["labels_satisfied"] == now["label_count"]
    assert info["prefix_turns"] == env.episode.prefix_turns == 3
    assert info["ledger"]["turns_used"] == 3
    assert info["ledger"]["points_used"] > 0
    assert info["messages"] == tuple(env.messages)
    assert observation.startswith(env.episode.opening)
    assert observation.endswith(f"Budget used: {info['ledger']['points_used']}")
    right = "ABCD"[small.item(item).correct_index]
    _, reward, terminated, _, info = env.step(submit(right))
    assert (reward, terminated) == (1.0, True)
    record = info["record"]
    assert (record.prefix_turns, len(record.turns)) == (3, 4)
    assert record.differences(replay(record, small)) == []


@pytest.mark.parametrize(
    ("limits", "turns", "reads"),
    [
        ({"turns": 2}, 1, 2),
        ({"turns": 1}, 0, 0),
        ({"points": 12}, 3, 2),
        ({"points": 6}, 2, 1),
        ({"points": 0}, 0, 0),
    ],
)
def test_the_gold_path_keeps_within_the_limits(
    limits: dict[str, int], turns: int, reads: int, data: str
) -> None:
    env = AgentHopEnv(data, prefix="gold", limits=limits)
    _, info = env.reset(options={"item_id": "mt_0001"})
    assert info["prefix_turns"] == turns
    assert sum(call.name == "read_section" for turn in env.episode.turns for call in turn.calls) == reads
    assert env.episode.ending is None
    assert info["ledger"]["rejected"] == 0


def test_the_gold_path_leaves_tokens_for_the_policy(data: str) -> None:
    full = AgentHopEnv(data, prefix="gold")
    full.reset(options={"item_id": "mt_0001"})
    probe = full.fork()
    cap = probe.step("")[4]["ledger"]["tokens_used"]
    for tokens, reads in ((cap, 2), (cap - 20, 1)):  # the prompt names the cap, so it is a few tokens shorter
        env = AgentHopEnv(data, prefix="gold", limits={"tokens": tokens})
        env.reset(options={"item_id": "mt_0001"})
        assert sum(call.name == "read_section" for turn in env.episode.turns for call in turn.calls) == reads
        assert env.step("")[2] is False


def test_disabled_tools_are_not_called(data: str) -> None:
    env = AgentHopEnv(data, prefix="gold", disabled_tools=["read_section", "list_sections"])
    env.reset(options={"item_id": "st_0002"})
    assert {call.name for turn in env.episode.turns for call in turn.calls} == {"get_references"}
    assert {call.outcome for turn in env.episode.turns for call in turn.calls} == {"ok"}


def test_messages_per_item(data: str) -> None:
    prefix = {
        "st_0001": [GAMES["straight"][0], PrefixTurn(read(ALPHA, "B"), usage=Usage(7, 3))],
        "st_0002": [
            {"role": "system", "content": "passed over"},
            {"role": "assistant", "content": read(BETA, "B")},
            {"role": "user", "content": "passed over"},
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": "x", "type": "function", "function": {"name": "get_references", "arguments": '{"paper_id": "p-seed"}'}}
            ]},
        ],
    }  # fmt: skip
    env = AgentHopEnv(data, prefix=prefix)
    assert set(env.setup.ids) == set(prefix)
    _, info = env.reset(options={"item_id": "st_0001"})
    assert info["prefix_turns"] == 2
    assert env.episode.turns[1].usage == Usage(7, 3)
    observation, info = env.reset(options={"item_id": "st_0002"})
    assert info["prefix_turns"] == 2
    assert env.episode.turns[1].calls[0].outcome == "ok"
    assert env.episode.turns[1].native
    assert "References for paper 'p-seed'" in observation
    with pytest.raises(ValueError, match="mt_0001 has no prefix"):
        env.reset(options={"item_id": "mt_0001"})
    with pytest.raises(ValueError, match="mt_0001"):
        AgentHopEnv(data, prefix=prefix, items=["mt_0001"])


def test_records_and_run_folders(data: str, small: Corpus, tmp_path: Path) -> None:
    records = [played(small, "st_0001", GAMES["straight"]), played(small, "mt_0001", GAMES["idle"][:2])]
    lines = [record.to_json() for record in records]
    (tmp_path / "episodes.jsonl").write_text("\n".join([*lines, lines[0][:40]]), encoding="utf-8")
    for source in (records, tuple(records), str(tmp_path), tmp_path / "episodes.jsonl"):
        env = gym.make("AgentHopCommit-v0", data=data, prefix=source).unwrapped
        assert isinstance(env, AgentHopEnv)
        env.reset(options={"item_id": "st_0001"})
        assert env.episode.prefix_turns == 3
        assert tuple(env.episode.turns) == records[0].turns[:3]
        env.reset(options={"item_id": "mt_0001"})
        assert env.episode.prefix_turns == 2
    assert AgentHopEnv(data, prefix=records[0]).setup.ids == ("st_0001",)


def test_functions(data: str) -> None:
    def cited(item: Item) -> list[str]:
        return [calls(("get_references", {"paper_id": item.seed_paper_id}))]

    env = AgentHopEnv(data, prefix=cited)
    _, info = env.reset(seed=1)
    assert info["prefix_turns"] == 1
    assert info["ledger"]["points_used"] == 1


@pytest.mark.parametrize(
    ("prefix", "error", "message"),
    [
        ("nowhere", ValueError, "no run at 'nowhere'"),
        ({"st_9999": ["x"]}, ValueError, "none of its 1 items"),
        ([], ValueError, "none of its 0 items"),
        (3, TypeError, "not int"),
        ([3], TypeError, "records are expected"),
        ({"st_0001": [3]}, TypeError, "not int"),
    ],
)
def test_other_prefixes_are_refused(prefix: Any, error: type[Exception], message: str, data: str) -> None:
    with pytest.raises(error, match=message):
        AgentHopEnv(data, prefix=prefix)


def test_a_prefix_must_leave_something_to_play(data: str) -> None:
    env = AgentHopEnv(data, prefix={"st_0001": [submit("A")]})
    with pytest.raises(ValueError, match=r"ends the episode \(answer\)"):
        env.reset()


def test_records_of_other_data_are_refused(data: str, corpus: Corpus, small: Corpus, tmp_path: Path) -> None:
    foreign = Episode(corpus, corpus.ids[0]).record()
    with pytest.raises(ValueError, match=foreign.fingerprint):
        AgentHopEnv(small, prefix=foreign)
    (tmp_path / "episodes.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 1"):
        AgentHopEnv(data, prefix=tmp_path)


def test_native_turns_are_replayed_as_native(data: str, small: Corpus) -> None:
    episode = Episode(small, "st_0001", tool_mode="native")
    episode.turn("", [ToolCall("get_references", {"paper_id": SEED}), ToolCall("think", {})])
    env = AgentHopEnv(data, prefix=[episode.record()], tool_mode="native")
    env.reset()
    assert [message["role"] for message in env.messages] == [message["role"] for message in episode.messages]
    assert "tool" in {message["role"] for message in env.messages}


def test_specs_with_prefixes_pickle(data: str) -> None:
    env = gym.make("AgentHopCommit-v0", data=data, prefix={"st_0001": ["hm"]})
    assert env.spec is not None
    assert gym.make(pickle.loads(pickle.dumps(env.spec))).reset(seed=1)[0] == env.reset(seed=1)[0]
    assert '"hm"' in env.spec.to_json()
