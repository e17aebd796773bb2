"""Play one item of the embedded default world with a fixed plan: look around, read one section, answer.

python examples/quickstart.py
"""

import gymnasium as gym

import agenthop_env
from agenthop_env.actions import render_calls
from agenthop_env.agents.delivered import papers

env = gym.make("AgentHop-v0")
observation, info = env.reset(seed=0)
print(observation, end="\n\n")


def step(name: str, **arguments: str) -> str:
    """Write one tool call, as a model would, and take the step."""
    global info
    action = render_calls([agenthop_env.ToolCall(name, arguments)])
    observation, reward, terminated, _, info = env.step(action)
    print(f"{action}\n\n{observation[:600]}\n\n(reward {reward}, terminated {terminated})\n")
    return observation


seed_paper = env.unwrapped.episode.item.seed_paper_id
cited = papers(step("get_references", paper_id=seed_paper))
readable = next(paper.paper_id for paper in cited if paper.has_text)
step("list_sections", paper_id=readable)
step("read_section", paper_id=readable, section="A")
step("submit_answer", option="A")

record = info["record"]
print(f"{record.item_id} of {record.dataset}: ending {record.ending}, correct {record.correct}")
print(f"paper recall {record.paper_recall}, {record.totals.points} points, {record.totals.tokens} tokens")
