"""Calls in code fences: ``tool_code`` (Gemma) and ``tool_call`` are explicit envelopes.

Where a message has one of these, its ``json`` and plain fences are read along with them, in order of appearance;
in those only JSON calls of known tools count.
"""

from __future__ import annotations

import re
from typing import Final

from agenthop_env.actions.bare_json import add_known_calls
from agenthop_env.actions.envelope import read_body, read_marked_value
from agenthop_env.actions.python_calls import render_call
from agenthop_env.actions.reading import Reading
from agenthop_env.actions.xml_calls import tag_safe
from agenthop_env.records import ToolCall

_OPENING: Final = re.compile(r"```[ \t]*+(\w*+)\s*+")
_EXPLICIT: Final = frozenset({"tool_call", "tool_calls", "tool_code"})
_JSON: Final = frozenset({"json", ""})
_EXPLICIT_OPENING: Final = re.compile(r"```[ \t]*+tool_(?:calls?|code)\b", re.IGNORECASE)


def has_explicit(text: str) -> bool:
    """Whether `text` has a fence that is an explicit envelope."""
    return "```" in text and _EXPLICIT_OPENING.search(text) is not None


def read(text: str, reading: Reading) -> None:
    """Read explicit fences and the JSON fences among them."""
    position = 0
    while not reading.full and (opening := _OPENING.search(text, position)):
        start = opening.end()
        closing = text.find("```", start)
        stop = closing if closing >= 0 else len(text)
        language = opening[1].lower()
        end = stop
        if language in _EXPLICIT:
            end = read_body(text, start, stop, reading, "gemma" if language == "tool_code" else "json")
        elif language in _JSON and text[start : start + 1] in ("{", "["):
            try:
                value, end = read_marked_value(text, start, stop, reading)
                add_known_calls(value, reading, "json")
            except ValueError:
                pass
        if end > stop:
            closing = text.find("```", end)
            stop = closing if closing >= 0 else len(text)
        position = stop + len("```")


def render(calls: list[ToolCall]) -> str:
    """A ``tool_code`` fence with one call a line."""
    body = "\n".join(render_call(call) for call in calls if tag_safe(call))
    return f"```tool_code\n{body}\n```"
