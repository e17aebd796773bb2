"""Llama's calls: ``<|python_tag|>`` before JSON, and the same JSON without it."""

from __future__ import annotations

import re
from typing import Final

from agenthop_env.actions import bare_json
from agenthop_env.actions.envelope import read_body
from agenthop_env.actions.json_values import dump
from agenthop_env.actions.reading import Reading
from agenthop_env.records import ToolCall

_OPENING: Final = re.compile(r"<\|python_(?:tag|start)\|>")
_MARKER: Final = re.compile(r"<\|(?:python_tag|python_start|python_end|eom_id|eot_id|eom|eot)\|>")


def read_tagged(text: str, reading: Reading) -> None:
    """Read what follows each ``<|python_tag|>`` (Llama 4: ``<|python_start|>``): JSON, or Python calls."""
    position = 0
    while not reading.full and (opening := _OPENING.search(text, position)):
        marker = _MARKER.search(text, opening.end())
        stop = marker.start() if marker else len(text)
        position = read_body(text, opening.end(), stop, reading, "llama3_json")


def read(text: str, reading: Reading) -> None:
    """Read tagged calls; without a tag, JSON calls that stand in the message."""
    if "<|python_" in text:
        read_tagged(text, reading)
    if not reading.calls:
        bare_json.read(text, reading)


def render(calls: list[ToolCall]) -> str:
    """JSON objects with ``parameters``, separated by semicolons."""
    return "; ".join(f'{{"name": {dump(call.name)}, "parameters": {dump(call.arguments)}}}' for call in calls)
