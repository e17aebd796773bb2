"""AgentHop as a Gymnasium environment: LLM agents walk a citation graph under a cost ledger.

`gym.make("AgentHop-v0")` makes the text environment; `Episode` is the benchmark itself, one run over one item.
"""

from agenthop_env._version import __version__
from agenthop_env.actions import parse_actions
from agenthop_env.corpus import Corpus
from agenthop_env.corpus.sources import open_corpus, register_scheme
from agenthop_env.envs import register_envs
from agenthop_env.records import EpisodeRecord, Item, ToolCall, ToolResult, Usage
from agenthop_env.rules import Limits
from agenthop_env.sandbox.episode import Episode
from agenthop_env.sandbox.replay import replay


def _open_world(source: str) -> Corpus:
    """Open a `world:` source; what it takes is imported then, not with the package."""
    from agenthop_env.worlds.corpus import open_world

    return open_world(source)


register_envs()
register_scheme("world", _open_world)

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
