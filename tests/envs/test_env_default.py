"""The environments on the embedded default: no data, no network."""

from __future__ import annotations

import warnings

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env
from small_release import submit

from agenthop_env.corpus.sources import open_corpus
from agenthop_env.envs import ENVIRONMENTS, AgentHopEnv, AgentHopVectorEnv


@pytest.mark.parametrize("env_id", ENVIRONMENTS)
def test_check_env_on_the_default(env_id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gym.make(env_id).unwrapped, skip_render_check=True)


def test_the_data_set_is_named() -> None:
    env = gym.make("AgentHop-v0")
    _, info = env.reset(seed=0)
    corpus = open_corpus()
    assert (info["dataset"], info["fingerprint"], info["split"]) == (corpus.name, corpus.fingerprint, "test")


@pytest.mark.parametrize("split", ["train", "validation", "test"])
def test_each_split_of_the_default(split: str) -> None:
    env = AgentHopEnv(split=split)
    assert env.reset(seed=0)[1]["split"] == split
    given = AgentHopEnv(open_corpus(f"world:tiny?split={split}&items=8"), split=split)
    assert len(given.setup.ids) == 8


def test_the_gold_path_delivers_all_direct_evidence() -> None:
    env = AgentHopEnv(prefix="gold", reward="commitment", order="sequential")
    for _ in range(24):
        _, info = env.reset()
        now = info["diagnostics"]
        assert now["section_recall"]
        assert now["labels_satisfied"] == now["label_count"]
        assert env.step(submit("ABCD"[env.episode.item.correct_index]))[1:3] == (1.0, True)


def test_the_vector_environment_on_the_default() -> None:
    envs = AgentHopVectorEnv(8, items=list(open_corpus().ids[:4]))
    single = gym.make("AgentHop-v0", items=list(open_corpus().ids[:4]))
    first, _ = envs.reset(seed=1)
    assert first == tuple(single.reset(seed=1 + place)[0] for place in range(8))
