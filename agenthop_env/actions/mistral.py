"""Mistral's ``[TOOL_CALLS]``: a JSON array, or (from tokenizer version 11 on) a name and its arguments."""

from __future__ import annotations

import re
from typing import Final

from agenthop_env.actions.envelope import read_arguments_text, read_body
from agenthop_env.actions.json_values import dump
from agenthop_env.actions.reading import Reading
from agenthop_env.actions.xml_calls import tag_safe
from agenthop_env.records import ToolCall

MARKER: Final = "[TOOL_CALLS]"
_NAMED: Final = re.compile(
    r"\s*+([\w.-]++)\s*+(?:\[CALL_ID\]\s*+[\w-]*+\s*+)?+(?:\[ARGS\]\s*+|(?=\{))",
)


def read(text: str, reading: Reading) -> None:
    """Read what follows each marker."""
    position = text.find(MARKER)
    while position >= 0 and not reading.full:
        start = position + len(MARKER)
        stop = text.find(MARKER, start)
        stop = len(text) if stop < 0 else stop
        if named := _NAMED.match(text, start, stop):
            arguments, end = read_arguments_text(text, named.end(), stop, reading)
            reading.add(named[1], arguments, "mistral")
        else:
            end = read_body(text, start, stop, reading, "mistral")
        position = text.find(MARKER, end)


def render(calls: list[ToolCall]) -> str:
    """``[TOOL_CALLS]name[ARGS]{...}``, one after the other."""
    return "".join(f"{MARKER}{tag_safe(call)}[ARGS]{dump(call.arguments)}" for call in calls)
