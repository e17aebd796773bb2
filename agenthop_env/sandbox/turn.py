"""One turn's values: what a message came to, and the forms in which calls are kept and shown."""

from __future__ import annotations

import json
import math
import reprlib
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, Final

import msgspec

from agenthop_env.records import CallRecord, ToolCall, ToolResult, TurnRecord, Usage, plain_json
from agenthop_env.scoring.evidence import Credit

Message = dict[str, Any]
"""A chat message in OpenAI's shape."""

_SIMPLE: Final = frozenset((str, bool, type(None)))
_STRING: Final = frozenset((str,))
_TO_JSON: Final = json.JSONEncoder(ensure_ascii=False).encode


class Turn(msgspec.Struct, frozen=True, gc=False):
    """What one assistant message came to.

    Attributes:
        results: One result per call that was run, in order.
        observation: The text that the agent sees next; results in order, then any nudge.
        messages: What was added to the chat: the assistant's message and the answer to it.
        record: The turn as the episode's record keeps it.
        credit: Gold evidence that reached the agent for the first time.
        ending: Why the episode is over now, None while it goes on.
    """

    results: tuple[ToolResult, ...]
    observation: str
    messages: tuple[Message, ...]
    record: TurnRecord
    credit: Credit
    ending: str | None


def plain_arguments(arguments: Any) -> Any:
    """Arguments as records keep them; the common case, a flat object, is kept as it is."""
    if type(arguments) is dict:
        if _SIMPLE.issuperset(map(type, arguments.values())) and _STRING.issuperset(map(type, arguments)):
            return arguments
        return plain_json(arguments)
    return arguments if type(arguments) in _SIMPLE else plain_json(arguments)


def object_in(text: str) -> Any:
    """The JSON object that a string holds, else the string: servers hand arguments over as text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return plain_json(value) if isinstance(value, dict) else text


def arguments_text(arguments: Any) -> str:
    """Arguments as the JSON text that chat messages hold."""
    return arguments if isinstance(arguments, str) else _TO_JSON(plain_arguments(arguments))


def plain_calls(calls: Any) -> list[ToolCall]:
    """A server's calls with names and arguments that a record can hold; a name that is none becomes text.

    Raises:
        TypeError: If they are no calls.
    """
    try:
        return [
            ToolCall(
                call.name if type(call.name) is str else str(plain_json(call.name)),
                plain_arguments(call.arguments),
            )
            for call in calls
        ]
    except (TypeError, AttributeError):
        raise TypeError(
            f"calls must be a list of ToolCall(name, arguments), not {reprlib.repr(calls)}"
        ) from None


def plain_usage(usage: Any) -> Usage:
    """Token counts that a ledger can add up.

    Raises:
        TypeError: If they are no `Usage`.
        ValueError: If a count is not a whole number of 0 or more.
    """
    if not isinstance(usage, Usage):
        raise TypeError(f"usage must be a Usage, not {reprlib.repr(usage)}")
    counts: tuple[Any, ...] = (
        usage.prompt,
        usage.completion,
        usage.cached,
        usage.cache_write,
        usage.reasoning,
    )
    for count in counts:
        if type(count) is not int or count < 0:
            break
    else:
        return usage
    whole = []
    for name, count in zip(Usage.__struct_fields__, counts, strict=True):
        if isinstance(count, bool) or not isinstance(count, Integral) or count < 0:
            raise ValueError(f"usage.{name} must be a whole number of 0 or more, not {count!r}")
        whole.append(int(count))
    return Usage(*whole)


def plain_text(text: Any, what: str) -> str:
    """A message's text.

    Raises:
        TypeError: If it is no string.
    """
    if isinstance(text, str):
        return str.__str__(text)
    raise TypeError(f"{what} must be a string or None, not {reprlib.repr(text)}")


def plain_seconds(seconds: Any) -> float | None:
    """A wall time that a record can hold.

    Raises:
        TypeError: If it is no number.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, Real):
        raise TypeError(f"seconds must be a number or None, not {reprlib.repr(seconds)}")
    number = float(seconds)
    return number if math.isfinite(number) else None


def unseen(record: CallRecord) -> CallRecord:
    """A call of the submission's turn: what it read never reached the agent."""
    if record.read is None:
        return record
    return msgspec.structs.replace(record, read=msgspec.structs.replace(record.read, delivered=False))


def native_messages(
    turn: int, text: str, calls: Sequence[ToolCall], shown: list[str], nudge: str
) -> tuple[Message, ...]:
    """A turn with structured calls as chat messages: the calls, a tool message per result, then any nudge."""
    said: Message = {"role": "assistant", "content": text}
    if calls:
        said["tool_calls"] = [
            {
                "id": f"call_{turn}_{place}",
                "type": "function",
                "function": {"name": call.name, "arguments": arguments_text(call.arguments)},
            }
            for place, call in enumerate(calls)
        ]
    replies: list[Message] = [
        {"role": "tool", "tool_call_id": f"call_{turn}_{place}", "content": result}
        for place, result in enumerate(shown)
    ]
    if nudge:
        replies.append({"role": "user", "content": nudge})
    return (said, *replies)
