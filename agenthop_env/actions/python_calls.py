"""Python calls: a statement in a block, a call in a list, and the released harness's simpler reading of one.

The released harness reads arguments by a pattern for quoted strings and whole numbers. `by_pattern` is that
reading; it is what bare lines get (so that scores stay comparable) and what is left for calls that are not Python,
such as a string with an unescaped quotation mark.
"""

from __future__ import annotations

import keyword
import re
from typing import Final

from agenthop_env.actions.json_values import dump
from agenthop_env.actions.python_literals import read_arguments, skip_blank
from agenthop_env.actions.reading import Reading
from agenthop_env.records import Json, ToolCall

NAME: Final = r"[A-Za-z_][A-Za-z0-9_.]*+"

_PATTERN: Final = re.compile(r"""(?<!\w)(\w++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|(\d++))""")
_STATEMENT: Final = re.compile(
    rf"(?:[A-Za-z_]\w*+[ \t]*+=[ \t]*+)?+(print[ \t]*+\([ \t]*+)?({NAME})[ \t]*+\("
)
_CALL: Final = re.compile(rf"({NAME})[ \t\r\n]*+\(")
_BETWEEN_STATEMENTS: Final = re.compile(r"[\s;,\[\]]*+")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")
_INT_DIGITS: Final = 4300


def by_pattern(arguments: str) -> dict[str, Json]:
    """Arguments as the released harness reads them: quoted strings up to the next such mark, whole numbers.

    Escapes stay as they are, signs, fractions and other values are dropped, and the last of equal names wins.
    """
    found: dict[str, Json] = {}
    for name, double, single, digits in _PATTERN.findall(arguments):
        if digits:
            if len(digits) <= _INT_DIGITS:
                found[name] = int(digits)
        else:
            found[name] = double or single
    return found


def read_statements(block: str, reading: Reading, kind: str) -> None:
    """Read the calls of a block of Python, one a statement; ``print(...)`` around and ``x =`` before one are dropped.

    Other statements (imports, loops, comments) are passed over. Arguments that are no literals are read by the
    pattern; where it finds none, their text is kept.
    """
    position = 0
    while not reading.full:
        position = _BETWEEN_STATEMENTS.match(block, position).end()  # type: ignore[union-attr]
        if position >= len(block):
            return
        statement = _STATEMENT.match(block, position)
        if statement is None or keyword.iskeyword(statement[2]) or statement[2] == "print":
            position = _line_end(block, position)
            continue
        try:
            arguments, position = read_arguments(block, statement.end())
            if statement[1]:
                position = skip_blank(block, position)
                position += block.startswith(")", position)
            reading.add(statement[2], arguments, kind)
            if not _BETWEEN_STATEMENTS.match(block, position)[0]:  # type: ignore[index]
                position = _line_end(block, position)
        except ValueError:
            position = _line_end(block, position)
            rest = block[statement.end() : position].rstrip(" \t\r;")
            reading.add(statement[2], by_pattern(rest) or _without_closer(rest), kind)


def read_call_list(text: str, start: int) -> tuple[list[tuple[str, dict[str, Json]]], int]:
    """The calls of a bracketed list, from behind its bracket, and the position behind the closing one.

    Raises:
        ValueError: If anything but calls with literal arguments stands in it.
    """
    calls: list[tuple[str, dict[str, Json]]] = []
    position = skip_blank(text, start)
    while text[position : position + 1] != "]":
        call = _CALL.match(text, position)
        if call is None:
            raise ValueError("not a call")
        arguments, position = read_arguments(text, call.end())
        calls.append((call[1], arguments))
        position = skip_blank(text, position)
        if text[position : position + 1] == ",":
            position = skip_blank(text, position + 1)
        elif text[position : position + 1] != "]":
            raise ValueError("expected , or ]")
    return calls, position + 1


def render_call(call: ToolCall) -> str:
    """The call as Python; if Python cannot spell the name of an argument, all go into a ``**{...}``."""
    if all(_IDENTIFIER.fullmatch(key) for key in call.arguments):
        spelled = ", ".join(f"{key}={_literal(value)}" for key, value in call.arguments.items())
    else:
        spelled = "**" + _literal(call.arguments)
    return f"{call.name}({spelled})"


def _literal(value: Json) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{dump(key)}: {_literal(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_literal, value)) + "]"
    # A JSON string is a Python string too, escapes included.
    return repr(value) if value is None or isinstance(value, bool) else dump(value)


def _line_end(block: str, position: int) -> int:
    end = block.find("\n", position)
    return len(block) if end < 0 else end


def _without_closer(rest: str) -> str:
    return rest[:-1] if rest.endswith(")") else rest
