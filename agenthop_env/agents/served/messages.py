"""Anthropic Messages: thinking blocks kept as they came, with their signatures; prompt caching by breakpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from agenthop_env.agents.protocol import ToolSchema
from agenthop_env.agents.served.clients import anthropic_client, openai_models
from agenthop_env.agents.served.conversation import (
    Asked,
    Conversation,
    Reply,
    function_of,
    plain,
    vendor_arguments,
    vendor_name,
)
from agenthop_env.agents.served.errors import BadAnswer
from agenthop_env.agents.served.usage import of_messages

make_client = anthropic_client
model_names = openai_models

SAMPLED: Final = frozenset(
    {"temperature", "top_p", "top_k", "max_tokens", "reasoning_effort", "reasoning_budget", "thinking"}
)
"""Fields of `Sampling` that this API takes."""

DEFAULT_MAX_TOKENS: Final = 16_384
"""This API wants a number."""

HEAVY: Final = 2_000
"""Characters from which a result is worth a cache breakpoint that stays; a section is, a list of them is not."""

_CACHED: Final = {"type": "ephemeral"}
_FINISH: Final = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}


class MessagesConversation(Conversation):
    """An episode's chat as content blocks.

    Breakpoints stand, at most four, on the last tool, the system prompt, the last heavy result and the newest block:
    the first two serve every episode, the others this one's next turns.
    """

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.instructions: list[dict[str, Any]] = []
        self.messages: list[dict[str, Any]] = []
        self._heavy: dict[str, Any] | None = None
        self._newest: dict[str, Any] | None = None

    async def ask(self, client: Any, tools: Sequence[ToolSchema]) -> Reply:
        """Make one request, all fields as `extra_body`; see `ChatConversation.ask`."""
        body = self.request(tools)
        message = await client.messages.create(
            model=body["model"],
            max_tokens=body["max_tokens"],
            messages=[],
            extra_body=body,
            timeout=self.options.retry.request_seconds,
        )
        return self.read(message)

    def request(self, tools: Sequence[ToolSchema]) -> dict[str, Any]:
        """The request's fields."""
        options = self.options
        sampled = options.sampling.given()
        fields: dict[str, Any] = {
            "model": options.model,
            "messages": self.messages,
            "max_tokens": sampled.pop("max_tokens", DEFAULT_MAX_TOKENS),
        }
        effort = sampled.pop("reasoning_effort", None)
        if effort is not None:
            fields["output_config"] = {"effort": effort}
        fields |= _thinking(sampled)
        fields |= sampled
        if self.instructions:
            fields["system"] = self.instructions
        if tools:
            listed = [_tool(tool) for tool in tools]
            if options.caching:
                listed[-1]["cache_control"] = _CACHED
            fields["tools"] = listed
            choice: dict[str, Any] = {"type": "auto"}
            if options.parallel_calls is False:
                choice["disable_parallel_tool_use"] = True
            fields["tool_choice"] = choice
        if options.caching:
            self._mark()
        return fields | options.extra_body

    def _mark(self) -> None:
        """Move the newest block's breakpoint to where the conversation ends now."""
        if self._newest is not None and self._newest is not self._heavy:
            self._newest.pop("cache_control", None)
        last = self.messages[-1]["content"] if self.messages else ()
        self._newest = last[-1] if last else None
        for block in (self._newest, self._heavy):
            if block is not None:
                block["cache_control"] = _CACHED

    def read(self, message: Any) -> Reply:
        """The reply in a message.

        Raises:
            BadAnswer: If there is none in it.
        """
        content = getattr(message, "content", None)
        if not isinstance(content, list):
            raise BadAnswer("the answer holds no content; is the base URL that of the API?")
        blocks = [block for block in map(plain, content) if isinstance(block, dict)]
        calls = tuple(
            self.asked(block.get("id"), block.get("name"), block.get("input"))
            for block in blocks
            if block.get("type") == "tool_use"
        )
        stop = getattr(message, "stop_reason", None)
        return Reply(
            "".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text"),
            calls,
            of_messages(getattr(message, "usage", None)),
            "\n\n".join(str(block["thinking"]) for block in blocks if block.get("thinking")) or None,
            _FINISH.get(str(stop), "other"),
            _kept(blocks, calls),
            {
                "api": "messages",
                "id": getattr(message, "id", None),
                "model": getattr(message, "model", None),
                "finish_reason": stop,
                "message": blocks,
            },
        )

    def own(self, reply: Reply) -> None:
        """Append a reply; one without a block that may be sent back leaves no message."""
        self._append("assistant", reply.own)

    def system(self, text: str) -> None:
        """Take a system message."""
        block: dict[str, Any] = {"type": "text", "text": text}
        if self.options.caching:
            for before in self.instructions:
                before.pop("cache_control", None)
            block["cache_control"] = _CACHED
        self.instructions.append(block)

    def user(self, text: str) -> None:
        """Take a user message."""
        block = {"type": "text", "text": text if text.strip() else "(empty)"}
        self._weigh(block, text)
        self._append("user", [block])

    def result(self, call_id: str, name: str, text: str) -> None:
        """Take the result of a call."""
        block = {"type": "tool_result", "tool_use_id": call_id, "content": text}
        self._weigh(block, text)
        self._append("user", [block])

    def said(self, text: str, calls: Sequence[Asked]) -> None:
        """Take an assistant message of somebody else's."""
        blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text.strip() else []
        self._append("assistant", blocks + [_tool_use(asked) for asked in calls])

    def _weigh(self, block: dict[str, Any], text: str) -> None:
        """Note the block as the last heavy one, if it is heavy."""
        if len(text) >= HEAVY:
            if self._heavy is not None and self._heavy is not self._newest:
                self._heavy.pop("cache_control", None)
            self._heavy = block

    def _append(self, role: str, blocks: list[dict[str, Any]]) -> None:
        """Add blocks, to the last message if it is of the same role: results of one turn stand in one message."""
        if not blocks:
            return
        if self.messages and self.messages[-1]["role"] == role:
            self.messages[-1]["content"] += blocks
        else:
            self.messages.append({"role": role, "content": blocks})


def _thinking(sampled: dict[str, Any]) -> dict[str, Any]:
    """The fields that say how to think, taken out of what is sampled."""
    budget, kind = sampled.pop("reasoning_budget", None), sampled.pop("thinking", None)
    if kind is None and budget is not None:
        kind = "enabled"
    if kind is None:
        return {}
    return {"thinking": {"type": kind} | ({"budget_tokens": budget} if budget is not None else {})}


def _tool(tool: ToolSchema) -> dict[str, Any]:
    name, description, parameters = function_of(tool)
    return {"name": name, "description": description, "input_schema": parameters}


def _tool_use(asked: Asked) -> dict[str, Any]:
    return {
        "type": "tool_use",
        "id": asked.id,
        "name": vendor_name(asked.call.name),
        "input": vendor_arguments(asked.call.arguments),
    }


def _kept(blocks: list[dict[str, Any]], calls: Sequence[Asked]) -> list[dict[str, Any]]:
    """The blocks as the history holds them: verbatim but for blank texts, which are refused, and mended calls."""
    kept = []
    asked = iter(calls)
    for block in blocks:
        if block.get("type") == "tool_use":
            kept.append(block | _tool_use(next(asked)))
        elif block.get("type") != "text" or str(block.get("text") or "").strip():
            kept.append(dict(block))
    return kept if any(block["type"] not in ("thinking", "redacted_thinking") for block in kept) else []
