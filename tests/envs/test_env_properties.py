from __future__ import annotations

from typing import Any

import pytest
from game_strategies import GAMES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_release import ITEMS

from agenthop_env.corpus.store import Corpus
from agenthop_env.envs import AgentHopEnv
from agenthop_env.envs.rewards import REWARDS
from agenthop_env.rules import ENDINGS, TOOL_POINTS
from agenthop_env.sandbox.replay import replay

MIXTURE = {"outcome": 1.0, "retrieval": 0.2}
RANGES = {name: (reward.low, reward.high) for name, reward in REWARDS.items()} | {"mixture": (0.0, 1.2)}


@pytest.fixture(scope="module")
def envs(data: str) -> dict[str, AgentHopEnv]:
    return {name: AgentHopEnv(data, reward=MIXTURE if name == "mixture" else name) for name in RANGES}


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=GAMES, item=st.sampled_from(ITEMS), reward=st.sampled_from(sorted(RANGES)))
def test_whatever_is_sent_the_rules_hold(
    game: list[str], item: str, reward: str, envs: dict[str, AgentHopEnv], small: Corpus
) -> None:
    env = envs[reward]
    observation, info = env.reset(options={"item_id": item})
    assert observation in env.observation_space
    earned = 0.0
    spent = 0
    endings: list[Any] = []
    for message in game:
        observation, step_reward, terminated, truncated, info = env.step(message)
        assert type(observation) is str
        assert observation in env.observation_space
        assert type(step_reward) is float
        assert not truncated
        earned += step_reward
        for call in info["calls"]:
            assert call.points in (0, TOOL_POINTS.get(call.name, 0))
            assert call.points == 0 or call.outcome not in ("rejected", "disabled", "unknown_tool")
            spent += call.points
        ledger = info["ledger"]
        assert spent == ledger["points_used"] == 30 - ledger["points_left"] <= 30
        assert ledger["turns_used"] <= 20
        if terminated:
            endings.append(info["ending"])
            break
        assert info["ending"] is None
    low, high = RANGES[reward]
    assert low - 1e-9 <= earned <= high + 1e-9
    record = env.episode.record()
    if endings:
        assert endings[0] in ENDINGS
        assert info["record"] == record
        if reward == "outcome":
            assert earned == float(record.correct)
    if reward == "retrieval" and record.paper_recall and record.section_recall:
        assert earned >= 0.5
    assert record.differences(replay(record, small)) == []
