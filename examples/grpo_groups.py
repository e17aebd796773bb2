"""Groups of rollouts of one item, as GRPO and its kin need them: rewards, and advantages within each group.

python examples/grpo_groups.py

The sampler here is a script with chance in it. A model takes its place as a function from chats to messages; its token
counts go to `envs.report_usage`.
"""

import random

import gymnasium as gym
import numpy as np

import agenthop_env
from agenthop_env.actions import render_calls
from agenthop_env.agents.delivered import papers

GROUPS, GROUP_SIZE = 2, 4
chance = random.Random(0)


def sample(chat: list[dict]) -> str:
    """The next message of a conversation: look at the references, perhaps read one paper, guess."""
    turn = sum(message["role"] == "assistant" for message in chat)
    cited = [paper.paper_id for paper in papers(chat[-1]["content"]) if paper.has_text]
    if turn == 0:
        seed_paper = chat[0]["content"].rpartition("Seed paper: ")[2].split()[0]
        calls = [agenthop_env.ToolCall("get_references", {"paper_id": seed_paper})]
    elif turn == 1 and cited and chance.random() < 0.7:
        calls = [
            agenthop_env.ToolCall("read_section", {"paper_id": chance.choice(cited), "section": letter})
            for letter in "ABC"
        ]
    else:
        calls = [agenthop_env.ToolCall("submit_answer", {"option": chance.choice("ABCD")})]
    return render_calls(calls)


corpus = agenthop_env.open_corpus("world:tiny?split=train&seed=1&items=64")
envs = gym.make_vec(
    "AgentHop-v0",
    num_envs=GROUP_SIZE,
    vectorization_mode="vector_entry_point",
    autoreset_mode="Disabled",
    data=corpus,
    reward={"outcome": 1.0, "retrieval": 0.2},
    diagnostics="public",
).unwrapped

for group in range(GROUPS):
    item_id = corpus.ids[group]
    envs.reset(seed=[group] * GROUP_SIZE, options={"item_ids": [item_id] * GROUP_SIZE})
    returns = np.zeros(GROUP_SIZE)
    over = np.zeros(GROUP_SIZE, dtype=bool)
    while not over.all():
        chats = zip(envs.messages, over, strict=True)
        messages = [
            None if done else sample(chat) for chat, done in chats
        ]  # None: that episode is over and waits
        _, rewards, terminations, truncations, _ = envs.step(messages)
        returns += rewards
        over = terminations | truncations
    advantages = (returns - returns.mean()) / (returns.std() + 1e-6)
    print(f"{item_id}: returns {np.round(returns, 3)}, advantages {np.round(advantages, 2)}")
    print("  " + ", ".join(f"{one.ending} after {one.ledger.turns_used} turns" for one in envs.episodes))
