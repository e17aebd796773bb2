"""AgentHop as a Gymnasium environment."""

from agenthop_env._version import __version__ as __version__
