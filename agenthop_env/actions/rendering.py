"""Tool calls to assistant text: for scripted agents and demonstrations."""

from __future__ import annotations

from collections.abc import Iterable

from agenthop_env.actions.formats import RENDERERS, unknown_format
from agenthop_env.actions.json_values import RENDERED_DEPTH
from agenthop_env.actions.reading import MAX_CALLS
from agenthop_env.records import Json, ToolCall


def render_calls(calls: Iterable[ToolCall], format: str = "hermes") -> str:
    """The calls as a model of that format would write them; `parse_actions` gives them back.

    Args:
        calls: At most `MAX_CALLS` calls of known tools, whose arguments are JSON objects.
        format: One of `FORMATS`.

    Returns:
        The text, empty without a call.

    Raises:
        ValueError: If there is no such format, if arguments are not a JSON object or nest deeper than
            `RENDERED_DEPTH`, if the format cannot hold a name, or if there are more calls than are ever read.
    """
    if format not in RENDERERS:
        raise unknown_format(format)
    listed = list(calls)
    if len(listed) > MAX_CALLS:
        raise ValueError(f"a message holds at most {MAX_CALLS} calls, not {len(listed)}")
    for call in listed:
        if not isinstance(call.arguments, dict):
            raise ValueError(
                f"arguments of {call.name} must be a JSON object, not {type(call.arguments).__name__}"
            )
        _check(call.arguments, RENDERED_DEPTH)
    return RENDERERS[format](listed) if listed else ""


def _check(value: Json, depth: int) -> None:
    """Refuse what JSON cannot hold; infinities and NaN are refused where they are written."""
    if depth < 0:
        raise ValueError(f"arguments must nest at most {RENDERED_DEPTH} levels deep")
    if isinstance(value, dict):
        for key, entry in value.items():
            if not isinstance(key, str):
                raise ValueError(f"a key of a JSON object is text, not {key!r}")
            _check(entry, depth - 1)
    elif isinstance(value, list):
        for entry in value:
            _check(entry, depth - 1)
    elif value is not None and not isinstance(value, (str, int, float)):
        raise ValueError(f"{type(value).__name__} is no JSON value")
