"""The golden transcript: what an agent is shown, letter by letter, as one string and as chat messages.

To renew it after a deliberate change: `AGENTHOP_RENEW_GOLDEN=1 pytest tests/envs/test_env_golden.py`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import gymnasium as gym
import pytest
from small_release import ALPHA, GAMES, calls

GOLDEN = Path(__file__).parent / "golden"
TOUR = [
    *GAMES["straight"][:2],
    calls(("get_paper_info", {"paper_id": ALPHA}), ("search_papers", {"query": "decay of λ", "top_k": 2})),
    "Let me think about it without a call.",
    *GAMES["malformed"][1:4],
    *GAMES["budget"][:2],
]
PLAYED = {
    "full": ("AgentHop-v0", "st_0001", TOUR),
    "closed_book": ("AgentHopClosedBook-v0", "mt_0001", GAMES["unseen"]),
    "commit": ("AgentHopCommit-v0", "st_0002", [GAMES["malformed"][-1]]),
}


@pytest.mark.parametrize("name", PLAYED)
def test_transcripts_are_the_golden_ones(name: str, data: str) -> None:
    env_id, item, game = PLAYED[name]
    env = gym.make(env_id, data=data)
    observation, info = env.reset(options={"item_id": item})
    parts = ["##### reset", observation]
    messages = list(info["messages"])
    for number, action in enumerate(game, 1):
        observation, _, terminated, _, info = env.step(action)
        parts += [f"##### step {number}", observation]
        messages += info["messages"]
        assert terminated == (number == len(game))
    parts.append(f"##### {info['ending']}")
    assert messages == env.unwrapped.messages  # type: ignore[attr-defined]
    check(f"{name}.txt", "\n".join(parts) + "\n")
    check(f"{name}.json", json.dumps(messages, indent=1) + "\n")


def check(name: str, found: str) -> None:
    file = GOLDEN / name
    if os.environ.get("AGENTHOP_RENEW_GOLDEN"):
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8"), f"{name} is not what it was; see the head of this file"
