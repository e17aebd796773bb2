"""One turn's values: what a message came to, and the forms in which calls are kept and shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from agenthop_env.records import CallRecord, ToolCall, ToolResult, TurnRecord, plain_json
from agenthop_env.scoring.evidence import Credit

Message = dict[str, Any]
"""A chat message in OpenAI's shape."""

_SIMPLE: Final = frozenset((str, bool, type(None)))
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
        return arguments if _SIMPLE.issuperset(map(type, arguments.values())) else plain_json(arguments)
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


def kept_calls(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Calls that were not run, as records keep them."""
    return tuple(ToolCall(call.name, plain_arguments(call.arguments)) for call in calls)


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
