"""The ids under which Gymnasium finds the environments.

Every id is the same environment with other defaults, each of which `gym.make` can override.
"""

from __future__ import annotations

from typing import Any, Final

import gymnasium

ENTRY_POINT: Final = "agenthop_env.envs.text_env:AgentHopEnv"
VECTOR_ENTRY_POINT: Final = "agenthop_env.envs.vector_env:AgentHopVectorEnv"

ENVIRONMENTS: Final[dict[str, dict[str, Any]]] = {
    "AgentHop-v0": {},
    "AgentHopNoSearch-v0": {"search": "none"},
    "AgentHopClosedBook-v0": {"strategy": "closed_book"},
    "AgentHopRetrieval-v0": {"stop_on_evidence": True, "reward": "retrieval"},
    "AgentHopCommit-v0": {"prefix": "gold", "reward": "commitment"},
}
"""Id -> the arguments in which it differs from `AgentHopEnv`'s defaults."""


def register_envs() -> None:
    """Register every id of `ENVIRONMENTS`, once; cheap, since environments are imported when they are made."""
    for env_id, settings in ENVIRONMENTS.items():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id, entry_point=ENTRY_POINT, vector_entry_point=VECTOR_ENTRY_POINT, kwargs=dict(settings)
            )
