"""The Gymnasium face of the benchmark: environments, spaces, rewards. The rules are `Episode`'s.

Names are loaded when they are first used, so that registering the environments costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from agenthop_env.envs.registration import ENVIRONMENTS, register_envs

if TYPE_CHECKING:
    from agenthop_env.envs.info import DiagnosticsInfo, Info, LedgerInfo, Transcript
    from agenthop_env.envs.prefix import PrefixTurn
    from agenthop_env.envs.rewards import REWARDS, Shaping
    from agenthop_env.envs.scorers import StepRecord
    from agenthop_env.envs.spaces import UnicodeText
    from agenthop_env.envs.text_env import AgentHopEnv
    from agenthop_env.envs.vector_env import AgentHopVectorEnv

_HOMES: Final = {
    "AgentHopEnv": "text_env",
    "AgentHopVectorEnv": "vector_env",
    "DiagnosticsInfo": "info",
    "Info": "info",
    "LedgerInfo": "info",
    "PrefixTurn": "prefix",
    "REWARDS": "rewards",
    "Shaping": "rewards",
    "StepRecord": "scorers",
    "Transcript": "info",
    "UnicodeText": "spaces",
}

__all__ = [
    "ENVIRONMENTS",
    "REWARDS",
    "AgentHopEnv",
    "AgentHopVectorEnv",
    "DiagnosticsInfo",
    "Info",
    "LedgerInfo",
    "PrefixTurn",
    "Shaping",
    "StepRecord",
    "Transcript",
    "UnicodeText",
    "register_envs",
]


def __getattr__(name: str) -> Any:
    """Load a public name from the module that it lives in."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
