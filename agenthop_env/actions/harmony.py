"""Harmony, the channels of gpt-oss: a call is a message whose header says ``to=functions.NAME``.

As in the released harness, a message to an unknown function is no call, and (in mixed text, format ``auto``)
arguments of `think` that are unparsable, or hold a brace inside a string, are recorded as empty: `think` never fails.
"""

from __future__ import annotations

import re
from typing import Final

from agenthop_env.actions.envelope import read_arguments_text
from agenthop_env.actions.json_values import dump
from agenthop_env.actions.reading import Reading
from agenthop_env.actions.xml_calls import tag_safe
from agenthop_env.records import Json, ToolCall

_BODY: Final = "<|message|>"
_END: Final = re.compile(r"<\|(?:end|call|return|start|channel|message)\|>")
_RECIPIENT: Final = re.compile(r"(?<!\w)to=([\w.-]++)")
_STRING: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"')


def read(text: str, reading: Reading) -> None:
    """Read every message to a known function."""
    position = 0
    while not reading.full:
        body = text.find(_BODY, position)
        if body < 0:
            return
        name = _recipient(text[position:body].rpartition("<|start|>")[2])
        start = body + len(_BODY)
        end = _END.search(text, start)
        position = stop = end.start() if end else len(text)
        if reading.resolve(name) in reading.tools:
            arguments, position = read_arguments_text(text, start, stop, reading)
            if not reading.exact and reading.resolve(name) == "think":
                arguments = _thought(arguments, text[start:position])
            reading.add(name, arguments, "harmony")


def _recipient(header: str) -> str:
    names = _RECIPIENT.findall(header)
    return str(names[-1]) if names else ""


def _thought(arguments: Json, written: str) -> Json:
    if not isinstance(arguments, dict):
        return {}
    return arguments if written.count("{") + written.count("}") == 2 * _objects(arguments) else {}


def _objects(value: Json) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(_objects, value.values()))
    return sum(map(_objects, value)) if isinstance(value, list) else 0


def render(calls: list[ToolCall]) -> str:
    """One commentary message a call; braces in strings are escaped, so that `think` keeps them."""
    return "<|start|>assistant".join(
        f"<|channel|>commentary to=functions.{tag_safe(call)} <|constrain|>json<|message|>"
        f"{_dump(call.arguments)}<|call|>"
        for call in calls
    )


def _dump(arguments: Json) -> str:
    return _STRING.sub(
        lambda string: string[0].replace("{", "\\u007b").replace("}", "\\u007d"), dump(arguments)
    )
