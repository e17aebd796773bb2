"""Bodies of explicit envelopes: JSON calls, whole or broken, and Python statements.

An envelope says that its text is meant as a call, so an unknown name counts here, and arguments that cannot be
read are kept as the text that they are.
"""

from __future__ import annotations

import re
from typing import Final

from agenthop_env.actions.json_values import arguments_from_text, arguments_of, decode, read_value
from agenthop_env.actions.python_calls import read_statements
from agenthop_env.actions.reading import Reading
from agenthop_env.records import Json

_NAME: Final = re.compile(r"""["']name["']\s*+:\s*+["']([^"'\\]++)["']""")
_ARGUMENTS: Final = re.compile(r"""["'](?:arguments|parameters)["']\s*+:\s*+""")
_ONLY_CLOSERS: Final = re.compile(r"[\s}\]]*+")
_SEPARATORS: Final = re.compile(r"[\s,;]*+")


def read_body(text: str, start: int, stop: int, reading: Reading, kind: str) -> int:
    """Read the calls of an envelope that ends at `stop`, be they JSON or Python.

    Returns:
        Where reading ended: `stop`, or beyond it where a string in the JSON holds the closing marker.
    """
    start = _SEPARATORS.match(text, start, stop).end()  # type: ignore[union-attr]
    first = text[start : start + 1] if start < stop else ""
    if first == "{" or (first == "[" and _opens_objects(text, start + 1)):
        return read_json_body(text, start, stop, reading, kind)
    before = len(reading.calls) + reading.nameless
    read_statements(text[start:stop], reading, kind)
    if len(reading.calls) + reading.nameless == before:
        reading.nameless += 1
    return stop


def read_json_body(text: str, start: int, stop: int, reading: Reading, kind: str) -> int:
    """Read the JSON values between `start` and `stop`, one after the other; each is a call or a list of calls."""
    try:
        add_object(decode(text[start:stop]), reading, kind)
        return stop
    except ValueError:
        pass
    position = start
    in_list = False
    while True:
        position = _SEPARATORS.match(text, position).end()  # type: ignore[union-attr]
        if position >= stop or text[position] not in "{[":
            break
        try:
            value, position = read_marked_value(text, position, stop, reading)
        except ValueError:
            if text[position] == "[" and not in_list:
                # A broken list: its calls, up to the one that breaks it.
                in_list = True
                position += 1
                continue
            body = text[position:stop].rstrip()
            add_broken(body.removesuffix("]") if in_list else body, reading, kind)
            return stop
        add_object(value, reading, kind)
    if position == start:
        reading.nameless += 1
    return max(position, stop)


def read_marked_value(text: str, start: int, stop: int, reading: Reading) -> tuple[Json, int]:
    """The value at `start`, past `stop` where the marker found there turns out to stand inside one of its strings.

    Raises:
        ValueError: If there is none.
    """
    try:
        return read_value(text, start, stop)
    except ValueError:
        if stop == len(text) or reading.markers_in_strings == 0:
            raise
        reading.markers_in_strings -= 1
        return read_value(text, start, len(text))


def read_arguments_text(text: str, start: int, stop: int, reading: Reading) -> tuple[Json, int]:
    """Arguments written as JSON from `start` on, up to the marker at `stop`; the text itself if they are unparsable."""
    body = text[start:stop]
    arguments = arguments_from_text(body)
    if not isinstance(arguments, str):
        return arguments, stop
    begin = start + len(body) - len(body.lstrip())
    if text[begin : begin + 1] == "{":
        try:
            value, end = read_marked_value(text, begin, stop, reading)
            return value, max(end, stop)
        except ValueError:
            pass
    return arguments, stop


def add_object(value: Json, reading: Reading, kind: str) -> None:
    """Add the call that a decoded value stands for, or each of a list of them."""
    if isinstance(value, list):
        for entry in value:
            if isinstance(entry, dict):
                add_object(entry, reading, kind)
            else:
                reading.nameless += 1
    elif isinstance(value, dict):
        if "name" not in value:
            inner = value.get("function") or value.get("tool_calls")
            if isinstance(inner, (dict, list)):
                add_object(inner, reading, kind)
                return
        given = value["arguments"] if "arguments" in value else value.get("parameters")
        reading.add(value.get("name"), arguments_of(given), kind)
    else:
        reading.nameless += 1


def add_broken(body: str, reading: Reading, kind: str) -> None:
    """Add the call of an envelope whose JSON is broken, if its name can be read.

    Arguments that are whole all the same (only the envelope's own closing brace is missing) are read; others are
    kept as text.
    """
    name = _NAME.search(body)
    if name is None:
        reading.nameless += 1
        return
    at = _ARGUMENTS.search(body)
    raw = body[at.end() :].strip() if at else body.strip()
    if at and raw.startswith("{"):
        try:
            value, end = read_value(raw, 0, len(raw))
            if _ONLY_CLOSERS.fullmatch(raw, end):
                reading.add(name[1], arguments_of(value), kind)
                return
        except ValueError:
            pass
    if at and raw.endswith("}"):
        raw = raw[:-1].rstrip()
    reading.add(name[1], raw, kind)


def _opens_objects(text: str, position: int) -> bool:
    following = _SEPARATORS.match(text, position)
    return following is not None and text[following.end() : following.end() + 1] in ("{", "]")
