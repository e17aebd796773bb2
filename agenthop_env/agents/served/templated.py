"""What in-process engines share: chats as chat templates take them, and text as messages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from agenthop_env.actions import parse
from agenthop_env.agents.protocol import AgentError, ChatMessage, Message
from agenthop_env.agents.served.conversation import vendor_arguments
from agenthop_env.records import ToolCall, Usage

HISTORIES: Final = ("text", "calls")
"""How an assistant's message stands in the history: as the text that was generated, or as structured calls."""


def template_messages(messages: Sequence[ChatMessage], history: str) -> list[dict[str, Any]]:
    """A chat as chat templates take it.

    With `text` an assistant's message is what it generated, so that the prompt's tokens go on from those of the turn
    before; with `calls` it is the calls alone, their arguments as objects, for templates that refuse results without.
    """
    shown: list[dict[str, Any]] = []
    for message in messages:
        calls = message.get("tool_calls")
        if not calls:
            shown.append(dict(message))
        elif history == "text" and message.get("content"):
            shown.append({"role": "assistant", "content": message["content"]})
        else:
            structured = [
                {
                    **call,
                    "function": {
                        "name": call["function"]["name"],
                        "arguments": vendor_arguments(call["function"]["arguments"]),
                    },
                }
                for call in calls
            ]
            shown.append({"role": "assistant", "content": "", "tool_calls": structured})
    return shown


def text_arguments(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same with arguments as JSON text, as vLLM's chat takes them."""
    for message in messages:
        for call in message.get("tool_calls") or ():
            call["function"]["arguments"] = json.dumps(call["function"]["arguments"], ensure_ascii=False)
    return messages


def generated(
    text: str, usage: Usage, finish_reason: str | None, seconds: float, tool_mode: str, tool_format: str
) -> Message:
    """A generated text as a message; in native mode its calls are structured, by the same parser as everywhere."""
    calls: tuple[ToolCall, ...] | None = None
    if tool_mode == "native":
        parsed = parse(text, tool_format)
        if parsed.calls or not parsed.nameless:
            calls = tuple(parsed.calls)
    finish = "tool_calls" if calls and finish_reason == "stop" else finish_reason
    return Message(text, calls, usage, None, finish, seconds)


def checked(name: str, value: str, known: Sequence[str]) -> str:
    """A setting, if it is a known one.

    Raises:
        AgentError: If it is not.
    """
    if value not in known:
        raise AgentError(f"{name} must be one of {', '.join(known)}, not {value!r}")
    return value
