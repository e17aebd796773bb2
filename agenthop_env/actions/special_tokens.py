"""DeepSeek and Kimi: special tokens around each call's name and arguments.

DeepSeek V3 and R1 write ``function<sep>NAME`` and fence the JSON, V3.1 writes ``NAME<sep>{...}``; Kimi K2 names a
call by its id, ``functions.NAME:0``. DeepSeek's tokens have fullwidth bars and U+2581 for blanks; plain bars and
underscores are read as well. (DeepSeek V3.2 writes XML: see `xml_calls`.)
"""

from __future__ import annotations

import re
from typing import Final

from agenthop_env.actions.envelope import read_arguments_text
from agenthop_env.actions.json_values import dump
from agenthop_env.actions.reading import Reading
from agenthop_env.actions.xml_calls import tag_safe
from agenthop_env.records import ToolCall

_BEGIN: Final = re.compile(r"<[|\uff5c]tool[▁_]call[▁_]begin[|\uff5c]>")
_MARKER: Final = re.compile(
    r"<[|\uff5c]tool[▁_]call(?:s(?:[▁_]section)?+)?+[▁_](?P<token>begin|end|argument[▁_]begin)[|\uff5c]>|<[|\uff5c]tool[▁_](?P<sep>sep)[|\uff5c]>"
)
_FENCE: Final = re.compile(r"\s*+(?:```\w*+\s*+)?+")
_CALL_ID: Final = re.compile(r":\d*+\s*+$")


def read(text: str, reading: Reading) -> None:
    """Read every call of either family."""
    position = 0
    while not reading.full and (begin := _BEGIN.search(text, position)):
        head = _MARKER.search(text, begin.end())
        if head is None or not (head["sep"] or head["token"].startswith("argument")):
            reading.nameless += 1
            position = head.start() if head else len(text)
            continue
        name = text[begin.end() : head.start()].strip()
        tail = _MARKER.search(text, head.end())
        stop = tail.start() if tail else len(text)
        if head["sep"]:
            position = _read_deepseek(text, name, head.end(), stop, reading)
        else:
            name = _CALL_ID.sub("", name)
            arguments, position = read_arguments_text(text, head.end(), stop, reading)
            reading.add(name.removeprefix("functions."), arguments, "kimi")


def _read_deepseek(text: str, name: str, start: int, stop: int, reading: Reading) -> int:
    if name == "function" and text[start : start + 1] != "{":
        line_end = text.find("\n", start, stop)
        line_end = stop if line_end < 0 else line_end
        name = text[start:line_end]
        start = line_end
    fence = _FENCE.match(text, start, stop)
    body = fence.end() if fence else start
    closing = text.rfind("```", body, stop)
    arguments, position = read_arguments_text(text, body, closing if closing >= body else stop, reading)
    reading.add(name, arguments, "deepseek")
    return max(position, stop)


def render_deepseek(calls: list[ToolCall]) -> str:
    """DeepSeek V3.1's layout."""
    inside = "".join(
        f"<\uff5ctool▁call▁begin\uff5c>{tag_safe(call)}<\uff5ctool▁sep\uff5c>{dump(call.arguments)}<\uff5ctool▁call▁end\uff5c>"
        for call in calls
    )
    return f"<\uff5ctool▁calls▁begin\uff5c>{inside}<\uff5ctool▁calls▁end\uff5c>"


def render_kimi(calls: list[ToolCall]) -> str:
    """Kimi K2's layout, with calls numbered from 0."""
    inside = "".join(
        f"<|tool_call_begin|>functions.{tag_safe(call)}:{index}<|tool_call_argument_begin|>{dump(call.arguments)}"
        "<|tool_call_end|>"
        for index, call in enumerate(calls)
    )
    return f"<|tool_calls_section_begin|>{inside}<|tool_calls_section_end|>"
