"""``<invoke>`` in its wrappers (MiniMax M2, Anthropic, DeepSeek V3.2), and MiniMax M1's ``<tool_calls>``."""

from __future__ import annotations

import re
from typing import Final

from agenthop_env.actions.envelope import read_body
from agenthop_env.actions.reading import Reading
from agenthop_env.actions.xml_calls import INVOKE, read_all, render_arguments, tag_safe
from agenthop_env.records import ToolCall

_LINES: Final = re.compile(r"<tool_calls>")
_LINES_TAG: Final = re.compile(r"</?tool_calls>")


def read_invokes(text: str, reading: Reading, kind: str = "invoke") -> None:
    """Read every ``<invoke>``, whatever wraps it; one inside MiniMax's wrapper is of that kind."""
    read_all(text, INVOKE, reading, "minimax" if "minimax:" in text else kind)


def read_minimax(text: str, reading: Reading) -> None:
    """Read MiniMax M2's invokes, or else M1's JSON lines."""
    read_invokes(text, reading, "minimax")
    if not reading.calls:
        read_lines(text, reading)


def read_lines(text: str, reading: Reading) -> None:
    """Read the JSON lines in each ``<tool_calls>``."""
    position = 0
    while not reading.full and (opening := _LINES.search(text, position)):
        tag = _LINES_TAG.search(text, opening.end())
        stop = tag.start() if tag else len(text)
        position = read_body(text, opening.end(), stop, reading, "minimax")


def render_minimax(calls: list[ToolCall]) -> str:
    """MiniMax M2's layout."""
    return f"<minimax:tool_call>\n{_render(calls)}\n</minimax:tool_call>"


def render_invoke(calls: list[ToolCall]) -> str:
    """Anthropic's layout."""
    return f"<function_calls>\n{_render(calls)}\n</function_calls>"


def _render(calls: list[ToolCall]) -> str:
    return "\n".join(
        f'<invoke name="{tag_safe(call)}">\n{render_arguments(call.arguments, INVOKE)}\n</invoke>'
        for call in calls
    )
