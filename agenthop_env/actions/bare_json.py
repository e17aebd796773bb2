"""JSON calls that stand in a message without an envelope, in a fence or bare.

Only what is JSON with a known name, and with arguments or parameters, is a call here. An object that is none is
looked into, so that a call under ``function``, ``tool_calls`` or ``action`` is found.
"""

from __future__ import annotations

import re
from typing import Final

from agenthop_env.actions.json_values import arguments_of, decode, dump, value_end
from agenthop_env.actions.reading import Reading
from agenthop_env.records import Json, ToolCall

_OPENING: Final = re.compile(r'\{\s*+"|\[\s*+\{\s*+"')
_RESCANNED: Final = 100_000
"""Characters of a message that may be scanned again because of braces that are never closed, beside its length."""


def read(text: str, reading: Reading) -> None:
    """Read every JSON value in `text` that holds a call."""
    if '"name"' not in text:
        return
    budget = 2 * len(text) + _RESCANNED
    position = 0
    while not reading.full and budget > 0 and (opening := _OPENING.search(text, position)):
        start = opening.start()
        try:
            position = value_end(text, start, len(text))
        except ValueError:
            budget -= len(text) - start
            position = start + 1
            continue
        budget -= position - start
        try:
            value = decode(text[start:position])
        except ValueError:
            position = start + 1
            continue
        add_known_calls(value, reading, "json")


def add_known_calls(value: Json, reading: Reading, kind: str) -> None:
    """Add every known call in a decoded value, in order."""
    if isinstance(value, dict):
        name = value.get("name")
        if isinstance(name, str) and ("arguments" in value or "parameters" in value):
            given = value["arguments"] if "arguments" in value else value["parameters"]
            reading.add_known(name, arguments_of(given), kind)
            return
        for entry in value.values():
            if isinstance(entry, (dict, list)):
                add_known_calls(entry, reading, kind)
    elif isinstance(value, list):
        for entry in value:
            add_known_calls(entry, reading, kind)


def render(calls: list[ToolCall]) -> str:
    """A ``json`` fence with one object, or with an array of them."""
    objects = [f'{{"name": {dump(call.name)}, "arguments": {dump(call.arguments)}}}' for call in calls]
    body = objects[0] if len(objects) == 1 else "[" + ",\n ".join(objects) + "]"
    return f"```json\n{body}\n```"
