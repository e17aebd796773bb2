"""Showing a conversation as plain text, for `render_mode="ansi"` and `"human"`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

from agenthop_env.sandbox.episode import Message

_CONTROL: Final = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"} | {
    127: "\u2421"
}
"""Control characters -> pictures of them: neither a paper nor a policy gets to steer the terminal."""


def as_text(messages: Iterable[Message]) -> str:
    """Messages as readable text: each under a line with its role, structured calls one a line."""
    return "\n\n".join([_shown(message) for message in messages])


def show(messages: Iterable[Message]) -> None:
    """Print messages to standard output, whatever characters they hold."""
    out = sys.stdout
    text = as_text(messages) + "\n\n"
    encoding = getattr(out, "encoding", None) or "utf-8"
    out.write(text.encode(encoding, "backslashreplace").decode(encoding))
    out.flush()


def _shown(message: Message) -> str:
    lines = [f"--- {message['role']} ---"]
    if message["content"]:
        lines.append(message["content"].translate(_CONTROL))
    for call in message.get("tool_calls", ()):
        function = call["function"]
        lines.append(f"{function['name']}({function['arguments']})".translate(_CONTROL))
    return "\n".join(lines)
