"""An agent over a served model: one conversation, one request a turn."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agenthop_env.actions import parse
from agenthop_env.agents.protocol import ChatMessage, Message, ToolSchema
from agenthop_env.agents.served.conversation import Conversation, Reply
from agenthop_env.agents.served.errors import Fault
from agenthop_env.agents.served.retrying import persist
from agenthop_env.records import Attempt, ToolCall, Usage

if TYPE_CHECKING:
    from agenthop_env.agents.served.factory import ServedFactory


class ServedAgent:
    """Plays one episode; answers both `act_async` and `act`.

    Args:
        factory: What it shares with all episodes: the options, the client, the statistics.
        tool_format: Format of calls that are left in the content.

    Attributes:
        problems: Failed requests so far, for the record's `attempts`.
    """

    def __init__(self, factory: ServedFactory, tool_format: str = "auto") -> None:
        self.problems: list[Attempt] = []
        self._factory = factory
        self._format = tool_format
        self._turns = 0
        self._seen: ChatMessage | None = None
        self._count = 0
        self._conversation: Conversation = factory.conversation()

    async def act_async(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        """The model's next message.

        Raises:
            TransientExhausted: If transient faults go on past the retries.
            HardError: If the server refuses for good, or five times in a row.
            AgentError: If the SDK or the key is missing.
        """
        factory = self._factory
        self._catch_up(messages)
        client = factory.client()
        offered = tools if factory.options.tool_mode == "native" else ()
        start = 0.0

        async def ask() -> Reply:
            nonlocal start
            start = time.monotonic()
            return await self._conversation.ask(client, offered)

        reply = await persist(
            ask,
            factory.options.retry,
            redact=factory.redact,
            on_fault=self._failed,
            on_retry=factory.count_retry,
        )
        seconds = time.monotonic() - start
        self._conversation.keep(reply)
        self._turns += 1
        calls, from_text = self._calls(reply)
        factory.count(reply, seconds, from_text)
        return Message(
            reply.text, calls, reply.usage, reply.reasoning, reply.finish, round(seconds, 6), raw=reply.raw
        )

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        """As `act_async`, for a runner that waits."""
        return self._factory.wait_for(self.act_async(messages, tools))

    def _calls(self, reply: Reply) -> tuple[tuple[ToolCall, ...] | None, bool]:
        """The calls for the episode, None where it is to read them from the text; and whether that is a fall-back."""
        if reply.calls:
            return tuple(asked.call for asked in reply.calls), False
        if self._factory.options.tool_mode == "text":
            return None, False
        parsed = parse(reply.text, self._format)
        if parsed.calls or parsed.nameless:
            return None, bool(parsed.calls)
        return (), False

    def _catch_up(self, messages: Sequence[ChatMessage]) -> None:
        """Let the conversation take what is new; a chat that is not the one seen last is read from its start."""
        grown = len(messages) >= self._count > 0 and messages[self._count - 1] == self._seen
        fits = self._count == 0 or grown
        if not (fits and self._conversation.take(messages[self._count :])):
            self._conversation = self._factory.conversation()
            self._conversation.take(messages)
        self._count = len(messages)
        self._seen = messages[-1] if messages else None

    def _failed(self, fault: Fault) -> None:
        self.problems.append(Attempt(fault.message, Usage(), self._turns + 1, whole=False))
        self._factory.count_fault(fault)
