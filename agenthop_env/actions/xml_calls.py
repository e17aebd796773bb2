"""Calls written as XML: a tag with the tool's name around one tag per argument.

Three dialects share one reader: ``<function=NAME><parameter=KEY>`` (Qwen3-Coder), ``<invoke name="NAME"><parameter
name="KEY">`` (MiniMax M2, DeepSeek V3.2, Anthropic) and ``<arg_key>KEY</arg_key><arg_value>`` (GLM). None of them
escapes anything and only DeepSeek's marks types, so a value is read by these rules:

* ``string="false"`` in the opening tag (DeepSeek's mark): JSON; ``string="true"``: text.
* An argument of the tools that is text (`TEXT_ARGUMENTS`) is text, were it ``2301.00001`` or ``true``.
* Any other value is JSON if it is JSON other than a string, else text.
* Blanks around text are layout.

What these cannot carry (a closing tag, outer blanks) is rendered as JSON with the mark, in every dialect. A call
without argument tags may hold one JSON object instead, as Llama 3.1 writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from agenthop_env.actions.json_values import arguments_from_text, decode, dump, is_plain
from agenthop_env.actions.reading import Reading
from agenthop_env.records import Json, ToolCall

TEXT_ARGUMENTS: Final = frozenset(
    {"paper_id", "query", "section", "thought", "reasoning", "option", "answer"}
)
"""The tools' arguments that are text; `top_k` is the only one that is not."""

_KEY: Final = re.compile(r"[^\s<>\"'=/\\]+")
_NAME: Final = re.compile(r"[\w.:-]+")
_OWNER: Final = r"(?:[A-Za-z]{1,16}:|[|\uff5c]DSML[|\uff5c])?+"


class Dialect(NamedTuple):
    """The tags of one XML dialect.

    Attributes:
        opening: What opens a call.
        tags: All tags, with the groups ``call`` (opens the next call), ``key`` (opens a value; ``mark`` may hold
            attributes), ``value_end`` and ``end`` (closes a call).
        write_value: Renders one argument from its key, attributes and value text.
    """

    opening: re.Pattern[str]
    tags: re.Pattern[str]
    write_value: Callable[[str, str, str], str]


_FUNCTION_OPENING: Final = r"<function\s*+=\s*+(?P<call>[^<>\n]*+)>"
_INVOKE_OPENING: Final = rf"<{_OWNER}invoke\s++name\s*+=\s*+(?P<call>[^<>\n]*+)>"

FUNCTION: Final = Dialect(
    re.compile(_FUNCTION_OPENING),
    re.compile(
        rf"{_FUNCTION_OPENING}|<parameter\s*+=\s*+(?P<key>[^<>\n\s]*+)(?P<mark>[^<>\n]*+)>"
        r"|(?P<value_end></parameter>)|(?P<end></function>|</?tool_call>)"
    ),
    lambda key, mark, text: f"<parameter={key}{mark}>\n{text}\n</parameter>",
)
INVOKE: Final = Dialect(
    re.compile(_INVOKE_OPENING),
    re.compile(
        rf"{_INVOKE_OPENING}"
        rf"|<{_OWNER}parameter\s++name\s*+=\s*+(?P<key>\"[^\"<>\n]*+\"|'[^'<>\n]*+'|[^\s<>\"']++)(?P<mark>[^<>\n]*+)>"
        rf"|(?P<value_end></{_OWNER}parameter>)"
        rf"|(?P<end></{_OWNER}invoke>|</{_OWNER}(?:function_calls|tool_calls?)>)"
    ),
    lambda key, mark, text: f'<parameter name="{key}"{mark}>{text}</parameter>',
)
GLM: Final = Dialect(
    re.compile(r"(?P<call>[^\s<>{]++)\s*+(?=<arg_key>|<arg_value|\{|</tool_call>|$)", re.ASCII),
    re.compile(
        r"(?P<call><tool_call>)|<arg_key>(?P<key>[^<>]*+)</arg_key>\s*+<arg_value(?P<mark>[^<>\n]*+)>"
        r"|(?P<value_end></arg_value>)|(?P<end></tool_call>)"
    ),
    lambda key, mark, text: f"<arg_key>{key}</arg_key>\n<arg_value{mark}>{text}</arg_value>",
)


def tag_name(attribute: str) -> str:
    """A name as a tag holds it: in quotation marks, or up to the first blank."""
    attribute = attribute.strip()
    quote = attribute[:1]
    if quote and quote in "\"'":
        return attribute[1:].partition(quote)[0].strip()
    return attribute.split(maxsplit=1)[0] if attribute else ""


def read_all(text: str, dialect: Dialect, reading: Reading, kind: str) -> None:
    """Read every call of a dialect in `text`."""
    position = 0
    while not reading.full and (opening := dialect.opening.search(text, position)):
        position = read_call(text, opening.end(), dialect, tag_name(opening["call"]), reading, kind)


def read_call(text: str, start: int, dialect: Dialect, name: str, reading: Reading, kind: str) -> int:
    """Read one call from behind its opening tag.

    A closing tag inside a value belongs to the value if the value is closed later on. Tags that are missing at the
    end are taken as read.

    Returns:
        Where the call ends.
    """
    arguments: dict[str, Json] = {}
    key: str | None = None
    mark = ""
    begin = cut = stop = -1
    end = len(text)
    for tag in dialect.tags.finditer(text, start):
        group = tag.lastgroup
        if group == "mark":
            if key is not None:
                arguments[key] = _value(key, mark, text[begin : tag.start()])
            key, mark, begin, cut = tag_name(tag["key"]), tag["mark"], tag.end(), -1
        elif group == "value_end":
            if key is not None:
                arguments[key] = _value(key, mark, text[begin : tag.start()])
            key = None
        elif group == "end":
            if key is None:
                stop, end = tag.start(), tag.end()
                break
            cut = tag.start() if cut < 0 else cut
        else:
            stop = end = tag.start()
            break
    stop = len(text) if stop < 0 else stop
    if key is not None:
        arguments[key] = _value(key, mark, text[begin : cut if cut >= 0 else stop])
    body = "" if arguments else text[start:stop].strip()
    reading.add(name, arguments_from_text(body) if body else arguments, kind)
    return end


def render_arguments(arguments: dict[str, Json], dialect: Dialect) -> str:
    """The inside of a call: one tag per argument, or one JSON object where a key does not fit into a tag."""
    if not all(_KEY.fullmatch(key) for key in arguments):
        return dump(arguments)
    return "\n".join(dialect.write_value(key, *_text(key, value)) for key, value in arguments.items())


def tag_safe(call: ToolCall) -> str:
    """The call's name, if a tag can hold it.

    Raises:
        ValueError: If not.
    """
    if not _NAME.fullmatch(call.name):
        raise ValueError(f"no tag can hold the tool name {call.name!r}")
    return call.name


def _value(key: str, mark: str, text: str) -> Json:
    if "false" in mark:
        try:
            return decode(text)
        except ValueError:
            return text.strip()
    text = text.strip()
    if key in TEXT_ARGUMENTS or "true" in mark:
        return text
    return _guess(text)


def _guess(text: str) -> Json:
    try:
        value = decode(text)
    except ValueError:
        return text
    return text if isinstance(value, str) else value


def _text(key: str, value: Json) -> tuple[str, str]:
    """Attributes and text by which `_value` gives `value` back."""
    if isinstance(value, str):
        if value == value.strip() and is_plain(value) and isinstance(_value(key, "", value), str):
            return "", value
    elif key not in TEXT_ARGUMENTS:
        return "", dump(value)
    return ' string="false"', dump(value)
