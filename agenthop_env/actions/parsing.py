"""Assistant text to tool calls.

The order (protocol section 3): explicit envelopes, then JSON, then Python calls on their own. The first kind that
yields a call wins, and all its calls count, in order of appearance. Reasoning is never searched.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from agenthop_env.actions import (
    bare_json,
    fences,
    harmony,
    invoke,
    llama,
    mistral,
    pythonic,
    special_tokens,
    tagged,
)
from agenthop_env.actions.formats import READERS, unknown_format
from agenthop_env.actions.reading import Reading
from agenthop_env.actions.reasoning import visible
from agenthop_env.actions.xml_calls import FUNCTION, read_all
from agenthop_env.records import ToolCall, plain_json
from agenthop_env.rules import TOOL_NAMES

_TAGGED: Final = frozenset({"auto", "hermes", "qwen3_coder", "glm"})


class Parsed(msgspec.Struct, frozen=True):
    """What a message asks for.

    Attributes:
        calls: The calls, in order of appearance; at most `MAX_CALLS`. Their arguments are plain JSON.
        kind: Name of the format that yielded the first of them, None without a call.
        nameless: Envelopes without a readable name; they are no calls, and a nudge can say so.
    """

    calls: list[ToolCall]
    kind: str | None = None
    nameless: int = 0


def parse_actions(text: str, format: str = "auto", tools: Collection[str] = TOOL_NAMES) -> list[ToolCall]:
    """The tool calls in an assistant message.

    Any string is legal and none raises. Arguments that cannot be read are the string that stands there, which no
    tool accepts; an unknown tool is a call only inside an explicit envelope.

    Args:
        text: The assistant message.
        format: One of `FORMATS`; ``"auto"`` recognizes all of them.
        tools: Known tool names.

    Returns:
        The calls, in order of appearance.

    Raises:
        ValueError: If there is no such format.
    """
    return parse(text, format, tools).calls


def parse(text: str, format: str = "auto", tools: Collection[str] = TOOL_NAMES) -> Parsed:
    """As `parse_actions`, with the format that was found and the count of envelopes without a name.

    Args:
        text: The assistant message.
        format: One of `FORMATS`; ``"auto"`` recognizes all of them.
        tools: Known tool names.

    Raises:
        ValueError: If there is no such format.
    """
    if "think>" in text or "<|channel|>" in text:
        text = visible(text)
    if format in _TAGGED and "<tool_call>" in text:
        calls = tagged.read_quickly(text, tools)
        if calls:
            return Parsed(calls, "hermes")
    reading = Reading(tools, exact=format != "auto")
    if format == "auto":
        _read_any(text, reading)
    elif format in READERS:
        READERS[format](text, reading)
    else:
        raise unknown_format(format)
    calls = [ToolCall(call.name, plain_json(call.arguments)) for call in reading.calls]
    return Parsed(calls, reading.kind, reading.nameless)


def _read_any(text: str, reading: Reading) -> None:
    if _read_explicit(text, reading) or pythonic.read_whole_list(text, reading):
        return
    bare_json.read(text, reading)
    if not reading.calls:
        pythonic.read(text, reading)


def _read_explicit(text: str, reading: Reading) -> bool:
    has_tags = "<" in text
    if has_tags and "<tool_call>" in text.lower():
        tagged.read(text, reading)
    if not reading.calls and mistral.MARKER in text:
        mistral.read(text, reading)
    if has_tags and not reading.calls:
        _read_tags(text, reading)
    if not reading.calls and fences.has_explicit(text):
        fences.read(text, reading)
    return bool(reading.calls)


def _read_tags(text: str, reading: Reading) -> None:
    if "<|python_" in text:
        llama.read_tagged(text, reading)
    if not reading.calls and "<|message|>" in text:
        harmony.read(text, reading)
    if not reading.calls and ("<\uff5c" in text or "<|tool" in text):
        special_tokens.read(text, reading)
    if not reading.calls and "<function" in text:
        read_all(text, FUNCTION, reading, "qwen3_coder")
    if not reading.calls and "invoke" in text:
        invoke.read_invokes(text, reading)
    if not reading.calls and "<tool_calls>" in text:
        invoke.read_lines(text, reading)
