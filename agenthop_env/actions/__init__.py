"""Assistant text to tool calls and back, in the formats that open models are trained on."""

from agenthop_env.actions.formats import FORMATS, Format
from agenthop_env.actions.parsing import Parsed, parse, parse_actions
from agenthop_env.actions.rendering import render_calls

__all__ = ["FORMATS", "Format", "Parsed", "parse", "parse_actions", "render_calls"]
