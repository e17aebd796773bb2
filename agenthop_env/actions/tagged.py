"""The ``<tool_call>`` envelope, which three families fill each in its own way.

Hermes and Qwen put JSON into it, Qwen3-Coder ``<function=...>``, GLM a name and ``<arg_key>`` pairs. What stands
inside says which, so each of the three formats reads all of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

import msgspec

from agenthop_env.actions.envelope import read_json_body
from agenthop_env.actions.json_values import dump
from agenthop_env.actions.python_calls import NAME, read_statements
from agenthop_env.actions.reading import MAX_CALLS, Reading
from agenthop_env.actions.xml_calls import FUNCTION, GLM, read_call, render_arguments, tag_name, tag_safe
from agenthop_env.records import ToolCall

_OPENING: Final = re.compile(r"<tool_call>\s*+", re.IGNORECASE)
_TAG: Final = re.compile(r"</?tool_call>", re.IGNORECASE)
_FENCE: Final = re.compile(r"```[ \t]*+\w*+\s*+")
_PYTHON_CALL: Final = re.compile(rf"{NAME}[ \t]*+\(")
_NAMED_OBJECT: Final = re.compile(r"""\{\s*+["']""")


class _FlatCall(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A call as most are written: a name, and arguments none of which holds others."""

    name: str
    arguments: dict[str, str | int | float | bool | None]


_DECODE: Final = msgspec.json.Decoder(_FlatCall).decode


def read_quickly(text: str, tools: Collection[str]) -> list[ToolCall] | None:
    """The calls of a message whose every envelope holds one flat JSON call of a known tool; None for any other."""
    parts = text.split("<tool_call>", MAX_CALLS + 1)
    calls = []
    for part in parts[1:]:
        body, closing, after = part.partition("</tool_call>")
        # What follows an envelope takes the careful way if it may be another spelling of one.
        if "<" in after or not closing:
            return None
        try:
            call = _DECODE(body)
        except (msgspec.DecodeError, UnicodeError):
            return None
        name, arguments = call.name, call.arguments
        # A call without arguments may have its parameters elsewhere.
        if not arguments or name not in tools:
            return None
        calls.append(ToolCall(name, arguments))
    return calls if len(calls) <= MAX_CALLS else None


def read(text: str, reading: Reading) -> None:
    """Read every envelope."""
    position = 0
    while not reading.full and (opening := _OPENING.search(text, position)):
        start = opening.end()
        if function := FUNCTION.opening.match(text, start):
            name = tag_name(function["call"])
            position = read_call(text, function.end(), FUNCTION, name, reading, "qwen3_coder")
            continue
        tag = _TAG.search(text, start)
        stop = tag.start() if tag else len(text)
        position = _read_body(text, start, stop, reading)


def _read_body(text: str, start: int, stop: int, reading: Reading) -> int:
    if fence := _FENCE.match(text, start, stop):
        start = fence.end()
        closing = text.rfind("```", start, stop)
        stop = closing if closing >= 0 else stop
    if text[start : start + 1] in ("{", "["):
        return read_json_body(text, start, stop, reading, "hermes")
    if _PYTHON_CALL.match(text, start, stop):
        read_statements(text[start:stop], reading, "pythonic")
        return stop
    name = GLM.opening.match(text, start)
    if name and (reading.resolve(name["call"]) in reading.tools or text.startswith("<arg_key>", name.end())):
        return read_call(text, name.end(), GLM, name["call"], reading, "glm")
    if inner := _NAMED_OBJECT.search(text, start, stop):
        return read_json_body(text, inner.start(), stop, reading, "hermes")
    reading.nameless += 1
    return stop


def render_hermes(calls: list[ToolCall]) -> str:
    """``<tool_call>`` around JSON, one envelope a call."""
    return "\n".join(
        f'<tool_call>\n{{"name": {dump(call.name)}, "arguments": {dump(call.arguments)}}}\n</tool_call>'
        for call in calls
    )


def render_qwen3_coder(calls: list[ToolCall]) -> str:
    """``<tool_call>`` around ``<function=NAME>``, one envelope a call."""
    return "\n".join(
        f"<tool_call>\n<function={tag_safe(call)}>\n{render_arguments(call.arguments, FUNCTION)}\n</function>\n</tool_call>"
        for call in calls
    )


def render_glm(calls: list[ToolCall]) -> str:
    """``<tool_call>`` around a name and ``<arg_key>`` pairs, one envelope a call."""
    return "\n".join(
        f"<tool_call>{tag_safe(call)}\n{render_arguments(call.arguments, GLM)}\n</tool_call>"
        for call in calls
    )
