"""Roll out a served model: any OpenAI-compatible server, here vLLM; tokens are counted as the server reports them.

vllm serve Qwen/Qwen3-8B
python examples/rollout_vllm.py --model Qwen/Qwen3-8B
"""

import argparse

import gymnasium as gym
import openai

import agenthop_env

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--base-url", default="http://localhost:8000/v1")
parser.add_argument("--data", help="folder, world or data set; the embedded default if not given")
parser.add_argument("--episodes", type=int, default=1)
given = parser.parse_args()

client = openai.OpenAI(base_url=given.base_url, api_key="none")
env = gym.make("AgentHop-v0", data=given.data)

for episode in range(given.episodes):
    _, info = env.reset(seed=episode)
    terminated = False
    while not terminated:
        reply = client.chat.completions.create(model=given.model, messages=env.unwrapped.messages)
        used, details = reply.usage, reply.usage.prompt_tokens_details
        cached = (details and details.cached_tokens) or 0
        env.unwrapped.report_usage(agenthop_env.Usage(used.prompt_tokens, used.completion_tokens, cached))
        _, reward, terminated, _, info = env.step(reply.choices[0].message.content or "")
    record = info["record"]
    print(
        f"{record.item_id}: {record.ending}, reward {reward}, {record.totals.points} points, {record.totals.tokens} tokens"
    )
