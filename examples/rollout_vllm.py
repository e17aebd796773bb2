"""Roll out a served model: any OpenAI-compatible server, here vLLM; tokens are counted as the server reports them.

vllm serve Qwen/Qwen3-8B
python examples/rollout_vllm.py --model Qwen/Qwen3-8B
"""

import argparse

import gymnasium as gym

import agenthop_env

try:
    import openai
except ImportError:
    raise SystemExit("openai is not installed; install the extra: pip install -e '.[openai]'") from None

parser = argparse.ArgumentParser()
parser.add_argument("--model", required=True)
parser.add_argument("--base-url", default="http://localhost:8000/v1")
parser.add_argument("--data", help="folder, world or data set; the embedded default if not given")
parser.add_argument("--episodes", type=int, default=1)
given = parser.parse_args()

client = openai.OpenAI(base_url=given.base_url, api_key="none")
env = gym.make("AgentHop-v0", data=given.data)


def generate(messages: list[dict]) -> str:
    """The model's next message; what it cost is told to the environment."""
    try:
        reply = client.chat.completions.create(model=given.model, messages=messages)
    except openai.APIConnectionError:
        raise SystemExit(
            f"no server answers at {given.base_url}; start one, or name it with --base-url"
        ) from None
    except openai.APIStatusError as problem:
        raise SystemExit(
            f"{given.base_url} refused the request ({problem.status_code}): {problem.message}"
        ) from None
    if reply.usage is not None:
        used, details = reply.usage, reply.usage.prompt_tokens_details
        cached = (details and details.cached_tokens) or 0
        env.unwrapped.report_usage(agenthop_env.Usage(used.prompt_tokens, used.completion_tokens, cached))
    return reply.choices[0].message.content or ""


for episode in range(given.episodes):
    _, info = env.reset(seed=episode)
    terminated = False
    while not terminated:
        _, reward, terminated, _, info = env.step(generate(env.unwrapped.messages))
    record = info["record"]
    print(
        f"{record.item_id}: {record.ending}, reward {reward}, {record.totals.points} points, {record.totals.tokens} tokens"
    )
