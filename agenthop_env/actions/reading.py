"""What a parser has found so far: calls in order of appearance, and envelopes that name no tool."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from agenthop_env.records import Json, ToolCall

MAX_CALLS: Final = 1000
"""Calls taken from one message; what follows them is not read."""

MAX_NAMELESS: Final = 10_000
"""Envelopes without a name after which a message is not read on."""

MARKERS_IN_STRINGS: Final = 16
"""How often per message a value may be followed past its closing marker, which a string in it may hold."""


class Reading:
    """Collects the calls of one message.

    Args:
        tools: The known tool names.
        exact: Whether Python arguments are read as Python everywhere, and not by the released pattern.
    """

    __slots__ = ("calls", "exact", "kind", "markers_in_strings", "nameless", "tools")

    def __init__(self, tools: Collection[str], exact: bool = False) -> None:
        self.tools = tools
        self.exact = exact
        self.calls: list[ToolCall] = []
        self.kind: str | None = None
        self.nameless = 0
        self.markers_in_strings = MARKERS_IN_STRINGS

    def add(self, name: object, arguments: Json, kind: str) -> None:
        """Add a call found in an explicit envelope; one whose name is no text is counted as nameless."""
        resolved = self.resolve(name) if isinstance(name, str) else ""
        if not resolved:
            self.nameless += 1
        elif len(self.calls) < MAX_CALLS:
            self.calls.append(ToolCall(resolved, arguments))
            self.kind = self.kind or kind

    def add_known(self, name: str, arguments: Json, kind: str) -> bool:
        """Add a call found outside of an envelope, where only a known name makes one."""
        resolved = self.resolve(name)
        if resolved not in self.tools:
            return False
        self.add(resolved, arguments, kind)
        return True

    def resolve(self, name: str) -> str:
        """The tool's own name: ``functions.`` before a known one or ``.call`` behind it (Llama 3.1) is dropped."""
        if name in self.tools:
            return name
        name = name.strip().removesuffix(".call")
        last = name.rpartition(".")[2]
        return last if last in self.tools else name

    @property
    def full(self) -> bool:
        """Whether a bound is reached, so that the rest of the message is not read."""
        return len(self.calls) >= MAX_CALLS or self.nameless >= MAX_NAMELESS
