"""AgentHop as a Gymnasium environment: LLM agents walk a citation graph under a cost ledger.

`gym.make("AgentHop-v0")` makes the text environment; `Episode` is the benchmark itself, one run over one item.
"""

from agenthop_env._version import __version__
from agenthop_env.actions import parse_actions
from agenthop_env.corpus.sources import open_corpus
from agenthop_env.records import EpisodeRecord, Item, ToolCall, ToolResult, Usage
from agenthop_env.rules import Limits
from agenthop_env.sandbox.episode import Episode
from agenthop_env.sandbox.replay import replay
from agenthop_env.worlds import corpus as _worlds  # noqa: F401 - registers the world: scheme

__all__ = [
    "Episode",
    "EpisodeRecord",
    "Item",
    "Limits",
    "ToolCall",
    "ToolResult",
    "Usage",
    "__version__",
    "open_corpus",
    "parse_actions",
    "replay",
]
