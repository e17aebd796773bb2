"""Python literals and call arguments, read without evaluating anything, in linear time and bounded depth.

The grammar is that of literals: strings with their prefixes and escapes, numbers, True, False, None (and JSON's
spellings), lists, tuples, dictionaries with text keys. One thing is more lenient than Python: a string in single
quotation marks may run over several lines, as models write it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Final

from agenthop_env.actions.json_values import MAX_DEPTH
from agenthop_env.records import Json

_BLANK: Final = re.compile(r"(?:[ \t\r\n\f]++|\\\n|#[^\n]*+)*+")
_STRING: Final = re.compile(
    r"""([rRuU]?)(?:
        \"{3}((?:[^"\\]++|\\.|"(?!""))*+)\"{3}
      | '{3}((?:[^'\\]++|\\.|'(?!''))*+)'{3}
      | "((?:[^"\\]++|\\.)*+)"
      | '((?:[^'\\]++|\\.)*+)'
    )""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPE: Final = re.compile(
    r"\\(?:(\n)|([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^{}\n]{1,80})\}|(.))",
    re.DOTALL,
)
_SIMPLE_ESCAPES: Final = {
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+(?![\w.])")
_INTEGER: Final = re.compile(r"[+-]?[0-9]++")
_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+")
_WORDS: Final[dict[str, Json]] = {
    "True": True,
    "False": False,
    "None": None,
    "true": True,
    "false": False,
    "null": None,
}
_KEYWORD: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*+)[ \t\r\n]*+=(?!=)")


def read_arguments(text: str, start: int) -> tuple[dict[str, Json], int]:
    """Keyword arguments of a call, from behind its opening parenthesis.

    Positional arguments are read and dropped: nothing says which argument they are.

    Args:
        text: Text that holds the call.
        start: Position behind the opening parenthesis.

    Returns:
        The arguments by name, and the position behind the closing parenthesis.

    Raises:
        ValueError: If anything but literals stands there, or the parenthesis is not closed.
    """
    arguments: dict[str, Json] = {}
    position = skip_blank(text, start)
    while text[position : position + 1] != ")":
        if keyword := _KEYWORD.match(text, position):
            arguments[keyword[1]], position = read_literal(text, keyword.end())
        elif text.startswith("**", position):
            more, position = read_literal(text, position + 2)
            if not isinstance(more, dict):
                raise ValueError("** needs a dictionary")
            arguments.update(more)
        else:
            _, position = read_literal(text, position)
        position = _behind_comma(text, position, ")")
    return arguments, position + 1


def read_literal(text: str, start: int, depth: int = 1) -> tuple[Json, int]:
    """The literal at `start` (blanks before it are skipped) as a JSON value, and the position behind it.

    Raises:
        ValueError: If there is no literal, or it nests deeper than `MAX_DEPTH`.
    """
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    position = skip_blank(text, start)
    mark = text[position : position + 1]
    if mark == "[":
        return _read_items(text, position + 1, "]", depth)
    if mark == "(":
        return _read_parenthesis(text, position + 1, depth)
    if mark == "{":
        return _read_dictionary(text, position + 1, depth)
    if _STRING.match(text, position):
        return _read_strings(text, position)
    if number := _NUMBER.match(text, position):
        return _number(number[0]), number.end()
    word = _WORD.match(text, position)
    if word is None or word[0] not in _WORDS:
        raise ValueError("not a literal")
    return _WORDS[word[0]], word.end()


def skip_blank(text: str, start: int) -> int:
    """Position behind spaces, line breaks and comments."""
    blank = _BLANK.match(text, start)
    return blank.end() if blank else start


def _number(digits: str) -> int | float:
    if _INTEGER.fullmatch(digits):
        return int(digits)
    value = float(digits)
    if math.isinf(value):
        raise ValueError("number out of range")
    return value


def _read_strings(text: str, position: int) -> tuple[str, int]:
    parts: list[str] = []
    end = position
    while string := _STRING.match(text, position):
        body = string[2] or string[3] or string[4] or string[5] or ""
        parts.append(body if string[1] in ("r", "R") else _ESCAPE.sub(_unescape, body))
        end = string.end()
        position = skip_blank(text, end)
    return "".join(parts), end


def _unescape(escape: re.Match[str]) -> str:
    line_break, octal, short, medium, long, name, other = escape.groups()
    if line_break:
        return ""
    if octal:
        return chr(int(octal, 8))
    if code := short or medium or long:
        return chr(int(code, 16))
    if name:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            raise ValueError(f"no character is named {name}") from None
    return _SIMPLE_ESCAPES.get(other, "\\" + other)


def _read_items(text: str, position: int, closer: str, depth: int) -> tuple[list[Json], int]:
    items: list[Json] = []
    position = skip_blank(text, position)
    while text[position : position + 1] != closer:
        item, position = read_literal(text, position, depth + 1)
        items.append(item)
        position = _behind_comma(text, position, closer)
    return items, position + 1


def _read_parenthesis(text: str, position: int, depth: int) -> tuple[Json, int]:
    items, end = _read_items(text, position, ")", depth)
    is_group = len(items) == 1 and text[position : end - 1].rstrip()[-1:] != ","
    return (items[0] if is_group else items), end


def _read_dictionary(text: str, position: int, depth: int) -> tuple[dict[str, Json], int]:
    entries: dict[str, Json] = {}
    position = skip_blank(text, position)
    while text[position : position + 1] != "}":
        if not _STRING.match(text, position):
            raise ValueError("a key must be text")
        key, position = _read_strings(text, position)
        position = skip_blank(text, position)
        if text[position : position + 1] != ":":
            raise ValueError("a key needs a value")
        entries[key], position = read_literal(text, position + 1, depth + 1)
        position = _behind_comma(text, position, "}")
    return entries, position + 1


def _behind_comma(text: str, position: int, closer: str) -> int:
    position = skip_blank(text, position)
    mark = text[position : position + 1]
    if mark == ",":
        return skip_blank(text, position + 1)
    if mark != closer:
        raise ValueError(f"expected , or {closer}")
    return position
