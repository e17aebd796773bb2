"""Agents over served models: chat completions, responses, messages and GenAI through the vendors' own SDKs.

`make_served` gives the factory; `preflight` checks the server; `preset_for`, `price_of` and `serve_command` read the
data files beside the code. The SDKs are extras (`openai`, `anthropic`, `genai`), imported at the first request.
"""

from agenthop_env.agents.served.agent import ServedAgent
from agenthop_env.agents.served.errors import HardError, ServedError, TransientExhausted
from agenthop_env.agents.served.factory import ServedFactory, api_for, make_served
from agenthop_env.agents.served.inprocess import VLLMAgent, VLLMFactory
from agenthop_env.agents.served.preflight import Preflight, preflight, preflight_async
from agenthop_env.agents.served.presets import Preset, preset_for
from agenthop_env.agents.served.prices import Price, cost, load_prices, price_of
from agenthop_env.agents.served.serving import Serving, serve_command
from agenthop_env.agents.served.settings import Options, Retry, Sampling
from agenthop_env.agents.served.statistics import Statistics
from agenthop_env.agents.served.transformers_agent import TransformersAgent, TransformersFactory

__all__ = [
    "HardError",
    "Options",
    "Preflight",
    "Preset",
    "Price",
    "Retry",
    "Sampling",
    "ServedAgent",
    "ServedError",
    "ServedFactory",
    "Serving",
    "Statistics",
    "TransformersAgent",
    "TransformersFactory",
    "TransientExhausted",
    "VLLMAgent",
    "VLLMFactory",
    "api_for",
    "cost",
    "load_prices",
    "make_served",
    "preflight",
    "preflight_async",
    "preset_for",
    "price_of",
    "serve_command",
]
