"""OpenAI-compatible chat completions: vLLM, SGLang, DeepSeek, Together, OpenAI and all that speak like them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from agenthop_env.actions.reasoning import visible
from agenthop_env.agents.protocol import ToolSchema
from agenthop_env.agents.served.clients import openai_client, openai_models
from agenthop_env.agents.served.conversation import (
    Asked,
    Conversation,
    Reply,
    plain,
    vendor_arguments_text,
    vendor_name,
)
from agenthop_env.agents.served.errors import BadAnswer
from agenthop_env.agents.served.usage import of_chat

make_client = openai_client
model_names = openai_models

SAMPLED: Final = frozenset(
    {
        "temperature",
        "top_p",
        "top_k",
        "min_p",
        "max_tokens",
        "presence_penalty",
        "frequency_penalty",
        "repetition_penalty",
        "seed",
        "reasoning_effort",
    }
)
"""Fields of `Sampling` that this API takes."""

_REASONING: Final = ("reasoning_content", "reasoning", "reasoning_details")
"""Fields of a message that hold reasoning, by server; the text is in the first two."""

_FINISH: Final = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}


class ChatConversation(Conversation):
    """An episode's chat as chat completions take it."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.messages: list[dict[str, Any]] = []

    async def ask(self, client: Any, tools: Sequence[ToolSchema]) -> Reply:
        """Make one request.

        All fields travel as `extra_body`, which the SDK sends as it is: it would walk through the whole history by its
        types every time, in more time than all else takes.
        """
        body = self.request(tools)
        completion = await client.chat.completions.create(model=body["model"], messages=[], extra_body=body)
        return self.read(completion)

    def request(self, tools: Sequence[ToolSchema]) -> dict[str, Any]:
        """The request's fields."""
        options = self.options
        sampled = options.sampling.given()
        if "max_tokens" in sampled and "api.openai.com" in (options.base_url or "api.openai.com"):
            sampled["max_completion_tokens"] = sampled.pop("max_tokens")
        fields: dict[str, Any] = {"model": options.model, "messages": self.messages, **sampled}
        if tools:
            fields |= {"tools": list(tools), "tool_choice": "auto"}
            if options.parallel_calls is not None:
                fields["parallel_tool_calls"] = options.parallel_calls
        return fields | options.extra_body

    def read(self, completion: Any) -> Reply:
        """The reply in a completion.

        Raises:
            BadAnswer: If there is none in it.
        """
        choices = getattr(completion, "choices", None)
        if not choices or getattr(choices[0], "message", None) is None:
            raise BadAnswer(_no_choice(completion))
        choice = choices[0]
        message = plain(choice.message)
        calls = tuple(
            self.asked(call.get("id"), function.get("name"), function.get("arguments"))
            for call in message.get("tool_calls") or ()
            if isinstance(function := call.get("function"), dict)
        )
        text = _text(message.get("content")) or _text(message.get("refusal"))
        finish = getattr(choice, "finish_reason", None)
        raw = {
            "api": "chat",
            "id": getattr(completion, "id", None),
            "model": getattr(completion, "model", None),
        }
        return Reply(
            text,
            calls,
            of_chat(getattr(completion, "usage", None)),
            _text(message.get("reasoning_content")) or _text(message.get("reasoning")) or None,
            _FINISH.get(str(finish), "other"),
            self._kept(message, text, calls),
            {**raw, "finish_reason": finish, "message": message},
        )

    def _kept(self, message: dict[str, Any], text: str, calls: Sequence[Asked]) -> dict[str, Any]:
        """The assistant message as the history holds it."""
        keep = self.options.reasoning_history == "keep"
        kept = _assistant(text if keep else visible(text), calls)
        if keep:
            kept |= {name: message[name] for name in _REASONING if message.get(name)}
        return kept

    def own(self, reply: Reply) -> None:
        """Append a reply."""
        self.messages.append(reply.own)

    def system(self, text: str) -> None:
        """Take a system message."""
        self.messages.append({"role": "system", "content": text})

    def user(self, text: str) -> None:
        """Take a user message."""
        self.messages.append({"role": "user", "content": text})

    def result(self, call_id: str, name: str, text: str) -> None:
        """Take the result of a call."""
        self.messages.append({"role": "tool", "tool_call_id": call_id, "content": text})

    def said(self, text: str, calls: Sequence[Asked]) -> None:
        """Take an assistant message of somebody else's."""
        self.messages.append(_assistant(text, calls))


def _assistant(text: str, calls: Sequence[Asked]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {
                "id": asked.id,
                "type": "function",
                "function": {
                    "name": vendor_name(asked.call.name),
                    "arguments": vendor_arguments_text(asked.call.arguments),
                },
            }
            for asked in calls
        ]
    return message


def _text(content: Any) -> str:
    """The text of a content, which some servers send in parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [
            part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"
        ]
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _no_choice(completion: Any) -> str:
    if isinstance(completion, str):
        shown = "HTML" if "<" in completion[:200] else "text"
        return f"{shown} instead of JSON; is the base URL that of the API (most end in /v1)?"
    error = getattr(completion, "error", None)
    return f"the answer holds no choice{f': {error}' if error else ''}"
