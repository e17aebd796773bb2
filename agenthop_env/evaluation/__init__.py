"""The runner: items played and recorded in a run folder, resumed after any interruption, and verified by replay."""

from agenthop_env.diagnostics.runs import RunError
from agenthop_env.evaluation.progress import Caps, Progress
from agenthop_env.evaluation.runner import Evaluation, evaluate
from agenthop_env.evaluation.selection import Filters, SelectionError, select
from agenthop_env.evaluation.settings import Protocol, RunConfig
from agenthop_env.evaluation.verify import Difference, Verification, verify_run

__all__ = [
    "Caps",
    "Difference",
    "Evaluation",
    "Filters",
    "Progress",
    "Protocol",
    "RunConfig",
    "RunError",
    "SelectionError",
    "Verification",
    "evaluate",
    "select",
    "verify_run",
]
