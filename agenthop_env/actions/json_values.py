"""JSON in model text: values of bounded depth, in linear time, and their escaped rendering.

`decode` takes a text that is one value; `read_value` takes the value that begins at a position. Both accept what
models write and the JSON grammar forbids: raw line breaks inside strings, lone surrogates. Neither accepts NaN.
"""

from __future__ import annotations

import json
import math
import re
from typing import Final, NoReturn

import msgspec

from agenthop_env.records import Json

MAX_DEPTH: Final = 64
"""Levels of nesting beyond which a text counts as unparsable."""

RENDERED_DEPTH: Final = 56
"""Levels of nesting that rendered arguments may have, so that they fit into every format's own levels."""

# One bracket, or one string. An unterminated string reaches to the end, so that no quote is scanned twice.
_TOKEN: Final = re.compile(r'[{}\[\]]|"(?:[^"\\]++|\\.)*+"?', re.DOTALL)

# What could be taken for a tag, a special token, a fence or a bracketed marker of some format.
_MARKER: Final = re.compile(r"<(?=[/|\uff5cA-Za-z])|`{3,}+|\[(?=(?:TOOL_CALLS|ARGS|CALL_ID)\])")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError("number out of range")
    return value


_LENIENT: Final = json.JSONDecoder(strict=False, parse_constant=_refuse, parse_float=_finite)


def decode(text: str) -> Json:
    """The JSON value that `text` is.

    Raises:
        ValueError: If it is none, or nests deeper than `MAX_DEPTH`.
    """
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _refuse_deep(text)
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return _LENIENT.decode(text)


def value_end(text: str, start: int, stop: int) -> int:
    """Where the object or array that begins at `start` is closed.

    Raises:
        ValueError: If it is not closed before `stop`, or nests deeper than `MAX_DEPTH`.
    """
    depth = 0
    for token in _TOKEN.finditer(text, start, stop):
        mark = token[0][0]
        if mark in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError("nested too deeply")
        elif mark != '"':
            depth -= 1
            if depth <= 0:
                return token.end()
    raise ValueError("not closed")


def read_value(text: str, start: int, stop: int) -> tuple[Json, int]:
    """The object or array that begins at `start`, and where it ends.

    Raises:
        ValueError: If there is none that ends before `stop`.
    """
    end = value_end(text, start, stop)
    return decode(text[start:end]), end


def arguments_of(value: Json) -> Json:
    """Arguments as a call holds them: null is none given, and a string that is JSON is decoded, once."""
    if value is None:
        return {}
    if isinstance(value, str):
        try:
            return decode(value)
        except ValueError:
            return value
    return value


def arguments_from_text(text: str) -> Json:
    """Arguments written as JSON: decoded where they can be, else the text itself, which no tool accepts."""
    text = text.strip()
    if not text:
        return {}
    try:
        return arguments_of(decode(text))
    except ValueError:
        return text


def is_plain(text: str) -> bool:
    """Whether `text` holds nothing that a parser of any format could take for its own marker."""
    return _MARKER.search(text) is None


def dump(value: Json) -> str:
    """`value` as JSON whose strings hold no format's markers: their first characters are escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _MARKER.sub(_escape, text)


def _escape(marker: re.Match[str]) -> str:
    return f"\\u{ord(marker[0][0]):04x}" * len(marker[0])


def _refuse_deep(text: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        mark = token[0][0]
        if mark in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError("nested too deeply")
        elif mark != '"':
            depth -= 1
