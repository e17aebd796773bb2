"""Python calls without an envelope: a bracketed list, or a call standing on its own line.

Only known names count. A list is read as Python wherever it stands. A line is a call only if nothing else is on it:
no words before it, no bullet, no comment mark; behind it a semicolon or a comment may stand. A call that runs over
several lines is read as Python; one on a single line is read by the released pattern (see `python_calls`), unless
the format was asked for by name.
"""

from __future__ import annotations

import re
from typing import Final

from agenthop_env.actions.python_calls import NAME, by_pattern, read_call_list, render_call
from agenthop_env.actions.python_literals import read_arguments
from agenthop_env.actions.reading import Reading
from agenthop_env.actions.xml_calls import tag_safe
from agenthop_env.records import ToolCall

MAX_CANDIDATES: Final = 10_000
"""What looks like a call of some name is tried this many times per message."""

_CANDIDATE: Final = re.compile(
    rf"^[ \t]*+(?P<line>{NAME})[ \t]*+\(|(?P<list>\[)\s*+(?P<first>{NAME})\s*+\(", re.MULTILINE
)
_WHOLE_LIST: Final = re.compile(rf"\s*+\[\s*+{NAME}\s*+\(")
_AFTER_CALL: Final = re.compile(r"[ \t\r]*+(?:;[ \t\r]*+)*+(?:#[^\n]*+)?+(?:\n|$)")
_NEXT_ON_LINE: Final = re.compile(rf"[ \t]*+;[ \t]*+(?P<line>{NAME})[ \t]*+\(")
_LIST_END: Final = re.compile(r"\)[ \t\r]*+,?+[ \t\r]*+\]")
_LOOSE_CALL: Final = re.compile(r"(?<![\w.])([A-Za-z_][A-Za-z0-9_.]*+)\s*+\(([^()]*+)\)")


def read(text: str, reading: Reading) -> None:
    """Read lists and lines, in order of appearance."""
    if "(" not in text:
        return
    position = 0
    for _ in range(MAX_CANDIDATES):
        candidate = _CANDIDATE.search(text, position)
        if candidate is None or reading.full:
            return
        name = candidate["line"] or candidate["first"]
        if reading.resolve(name) not in reading.tools:
            position = candidate.end()
        elif candidate["list"]:
            position = _read_list(text, candidate.end("list"), reading)
        else:
            position = _read_line(text, candidate, reading)


def read_whole_list(text: str, reading: Reading) -> bool:
    """Read a message that is one bracketed list of calls and nothing else; False if it is not."""
    if not _WHOLE_LIST.match(text):
        return False
    try:
        calls, end = read_call_list(text, text.index("[") + 1)
    except ValueError:
        return False
    if text[end:].strip():
        return False
    for name, arguments in calls:
        reading.add_known(name, arguments, "pythonic")
    return bool(reading.calls)


def _read_list(text: str, start: int, reading: Reading) -> int:
    try:
        calls, end = read_call_list(text, start)
        for name, arguments in calls:
            reading.add_known(name, arguments, "pythonic")
        return end
    except ValueError:
        pass
    end = _line_end(text, start)
    closing = _LIST_END.search(text, start, end)
    stop = closing.end() if closing else end
    for call in _LOOSE_CALL.finditer(text, start, stop):
        reading.add_known(call[1], by_pattern(call[2]), "pythonic")
    return stop


def _read_line(text: str, candidate: re.Match[str], reading: Reading) -> int:
    call: re.Match[str] | None = candidate
    end = candidate.end()
    while call and reading.resolve(call["line"]) in reading.tools:
        start = call.end()
        try:
            arguments, end = read_arguments(text, start)
        except ValueError:
            return _read_broken_line(text, call, reading)
        following = _NEXT_ON_LINE.match(text, end)
        if following is None and not _AFTER_CALL.match(text, end):
            break
        written = text[start : end - 1]
        if not reading.exact and "\n" not in written:
            arguments = by_pattern(written)
        reading.add_known(call["line"], arguments, "pythonic")
        call = following
    return _line_end(text, end)


def _read_broken_line(text: str, call: re.Match[str], reading: Reading) -> int:
    """A line shaped like a call whose arguments are not Python counts if the pattern finds an argument in it."""
    end = _line_end(text, call.end())
    written = text[call.end() : end].rstrip(" \t\r;")
    if written.endswith(")") and (arguments := by_pattern(written[:-1])):
        reading.add_known(call["line"], arguments, "pythonic")
    return end


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def render(calls: list[ToolCall]) -> str:
    """A bracketed list of calls."""
    return "[" + ", ".join(render_call(call) for call in calls if tag_safe(call)) + "]"
