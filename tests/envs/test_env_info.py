from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from game_strategies import GAMES as RANDOM_GAMES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_release import ALPHA, BETA, BRIDGE, GAMES, ITEMS, SEED, _labels, rows

from agenthop_env.corpus.release import write_release
from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.envs import AgentHopEnv, DiagnosticsInfo, Info, LedgerInfo
from agenthop_env.envs.info import Transcript
from agenthop_env.records import EpisodeRecord, decode, encode

KEYS = {
    "full": {
        "item_id",
        "dataset",
        "split",
        "ending",
        "fingerprint",
        "cuts",
        "ledger",
        "calls",
        "messages",
        "diagnostics",
    },
    "public": {"item_id", "dataset", "split", "ending", "cuts", "ledger", "calls", "messages"},
    "none": {"item_id", "dataset", "split", "ending"},
}
AT_RESET = {"full": {"tools", "prefix_turns"}, "public": {"tools", "prefix_turns"}, "none": set()}
AT_END = {"full": {"record"}, "public": {"transcript"}, "none": set()}


def infos(env: AgentHopEnv, item: str, game: list[str]) -> list[dict[str, Any]]:
    seen = [env.reset(seed=0, options={"item_id": item})[1]]
    for message in game:
        _, _, over, _, info = env.step(message)
        seen.append(info)
        if over:
            break
    return seen


@pytest.mark.parametrize("level", KEYS)
def test_each_level_has_its_keys(level: str, data: str) -> None:
    env = AgentHopEnv(data, diagnostics=level)
    first, *middle, last = infos(env, "st_0001", GAMES["straight"])
    assert set(first) == KEYS[level] | AT_RESET[level]
    assert all(set(info) == KEYS[level] for info in middle)
    assert set(last) == KEYS[level] | AT_END[level]
    for info in (first, *middle, last):
        assert set(info) <= set(Info.__annotations__)
        assert set(info.get("ledger", LedgerInfo.__annotations__)) == set(LedgerInfo.__annotations__)
        assert set(info.get("diagnostics", DiagnosticsInfo.__annotations__)) == set(
            DiagnosticsInfo.__annotations__
        )


def test_full_info_says_how_the_episode_stands(data: str, small: Corpus) -> None:
    env = AgentHopEnv(data)
    first, _, one, two, last = infos(env, "st_0001", GAMES["straight"])
    assert (first["dataset"], first["fingerprint"]) == (small.name, small.fingerprint)
    assert (first["cuts"].question_type, first["cuts"].depth) == ("single-target", 1)
    assert first["calls"] == ()
    assert first["messages"] == tuple(env.messages[:2])
    read, think = two["calls"]
    assert (read.name, read.outcome, read.points, think.points) == ("read_section", "ok", 5, 0)
    now = one["diagnostics"]
    assert (now["golds_delivered"], now["new_golds"], now["first_gold_turn"], now["paper_recall"]) == (
        1,
        (0,),
        2,
        True,
    )
    assert (now["labels_satisfied"], now["label_count"], now["new_labels"]) == (1, 2, (0,))
    assert two["diagnostics"]["new_labels"] == (1,)
    assert two["ledger"] == {
        "points_used": 12, "points_left": 18, "turns_used": 3, "turns_left": 17,
        "tokens_used": env.episode.turns[0].usage.total + env.episode.turns[1].usage.total + env.episode.turns[2].usage.total,
        "tokens_left": 200_000 - sum(turn.usage.total for turn in env.episode.turns[:3]), "rejected": 0,
    }  # fmt: skip
    assert last["diagnostics"]["correct"]
    record = last["record"]
    assert record == env.episode.record()
    assert EpisodeRecord.from_json(record.to_json()) == record


def test_unseen_and_wrong_reads_are_counted(data: str) -> None:
    env = AgentHopEnv(data)
    last = infos(env, "st_0002", GAMES["unseen"])[-1]["diagnostics"]
    assert (last["unseen_reads"], last["golds_delivered"], last["correct"]) == (1, 0, True)
    last = infos(env, "st_0001", GAMES["budget"])[-1]
    assert last["diagnostics"]["wrong_reads"] == 2
    assert last["ledger"]["rejected"] == 2


def test_a_transcript_goes_to_json_and_back(data: str) -> None:
    env = AgentHopEnv(data, diagnostics="public")
    transcript = infos(env, "mt_0001", GAMES["straight"])[-1]["transcript"]
    assert decode(encode(transcript), Transcript) == transcript
    assert [len(turn.calls) for turn in transcript.turns] == [2, 1, 2, 1]
    reads = [call.read for turn in transcript.turns for call in turn.calls if call.read is not None]
    assert [read.header for read in reads] == ["2 Method", "3 Results"]
    assert {read.gold for read in reads} == {None}
    assert transcript.option == 1
    assert transcript.totals.points == 12


def other_gold(folder: Path) -> str:
    """The release with other gold papers, labels, right options and depths, and all else the same."""
    qa, graphs, papers, labels = rows()
    arxiv = {row["arxivId"]: paper for paper, row in graphs[0]["nodes"].items() if row["arxivId"]}
    papers_of = {paper: name for name, paper in arxiv.items()}
    moved = {"st_0001": [BETA, BRIDGE], "st_0002": [ALPHA], "mt_0001": [SEED], "st_0003": [BRIDGE]}
    for row in qa:
        row["gold_paper_ids"] = moved[row["id"]]
        row["gold_arxiv_ids"] = [papers_of[paper] for paper in moved[row["id"]]]
        row["bridge_paper_ids"], row["bridge_arxiv_ids"] = [], []
        row["correct_index"] = (row["correct_index"] + 1) % 4
        row["distractor_types"] = row["distractor_types"][-1:] + row["distractor_types"][:-1]
        row["question_type"] = "multi-target" if len(moved[row["id"]]) > 1 else "single-target"
        row["depth"] = 3 - row["depth"]
    labels = [_labels("st_0001", (BETA, "Abstract"), (BRIDGE, "Text")), _labels("st_0003", (BRIDGE, "Text"))]
    return str(write_release(folder / "release", qa, graphs, papers, labels))


@pytest.fixture(scope="module")
def pairs(data: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[AgentHopEnv, AgentHopEnv]]:
    """Per level two environments whose items differ in the gold alone."""
    other = other_gold(tmp_path_factory.mktemp("other"))
    assert open_corpus(other).fingerprint != open_corpus(data).fingerprint
    return {
        level: (
            AgentHopEnv(data, diagnostics=level),
            AgentHopEnv(other, diagnostics=level, reward="retrieval"),
        )
        for level in KEYS
    }


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=RANDOM_GAMES, item=st.sampled_from(ITEMS), level=st.sampled_from(["public", "none"]))
def test_nothing_in_info_depends_on_the_gold(
    game: list[str], item: str, level: str, pairs: dict[str, tuple[AgentHopEnv, AgentHopEnv]]
) -> None:
    one, two = (infos(env, item, game) for env in pairs[level])
    assert one == two
    assert repr(one) == repr(two)


def test_full_info_does(pairs: dict[str, tuple[AgentHopEnv, AgentHopEnv]]) -> None:
    one, two = (infos(env, "st_0001", GAMES["straight"]) for env in pairs["full"])
    assert one != two


@pytest.mark.parametrize("level", ["public", "none"])
def test_nor_in_a_vector_environment(level: str, data: str) -> None:
    envs = gym.make_vec("AgentHop-v0", num_envs=2, data=data, diagnostics=level, autoreset_mode="SameStep")
    _, reset = envs.reset(seed=1, options={"item_id": "st_0001"})
    last = [envs.step((GAMES["straight"][step],) * 2) for step in range(4)][-1][4]
    names = {key for key in (*reset, *last, *last["final_info"]) if not key.startswith("_")}
    assert names == KEYS[level] | AT_RESET[level] | AT_END[level] | {"final_obs", "final_info"}
