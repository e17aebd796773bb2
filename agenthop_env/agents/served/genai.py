"""Google GenAI: contents kept as they came, thought signatures in them; results as function responses with ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from agenthop_env.agents.protocol import ToolSchema
from agenthop_env.agents.served.clients import genai_client, genai_models, sdk
from agenthop_env.agents.served.conversation import (
    Asked,
    Conversation,
    Reply,
    function_of,
    vendor_arguments,
    vendor_name,
)
from agenthop_env.agents.served.errors import BadAnswer
from agenthop_env.agents.served.usage import of_genai

make_client = genai_client
model_names = genai_models

SAMPLED: Final = frozenset(
    {
        "temperature",
        "top_p",
        "top_k",
        "max_tokens",
        "presence_penalty",
        "frequency_penalty",
        "seed",
        "reasoning_effort",
        "reasoning_budget",
    }
)
"""Fields of `Sampling` that this API takes."""

_FILTERED: Final = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "LANGUAGE",
        "ESCALATION",
        "MODEL_ARMOR",
    }
)


class GenAIConversation(Conversation):
    """An episode's chat as contents."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.instructions: list[str] = []
        self.contents: list[Any] = []
        self._results: Any = None
        """The content that collects the results of one turn: they must stand in one, right after the calls."""

    async def ask(self, client: Any, tools: Sequence[ToolSchema]) -> Reply:
        """Make one request."""
        return self.read(await client.aio.models.generate_content(**self.request(tools)))

    def request(self, tools: Sequence[ToolSchema]) -> dict[str, Any]:
        """The request's fields."""
        types = sdk("google.genai.types", "genai")
        options = self.options
        sampled = options.sampling.given()
        thinking: dict[str, Any] = {"include_thoughts": True}
        if "reasoning_budget" in sampled:
            thinking["thinking_budget"] = sampled.pop("reasoning_budget")
        if "reasoning_effort" in sampled:
            thinking["thinking_level"] = sampled.pop("reasoning_effort")
        if "max_tokens" in sampled:
            sampled["max_output_tokens"] = sampled.pop("max_tokens")
        config: dict[str, Any] = {**sampled, "automatic_function_calling": {"disable": True}}
        if len(thinking) > 1 or "gemini" in options.model.lower():
            config["thinking_config"] = thinking
        if self.instructions:
            config["system_instruction"] = "\n\n".join(self.instructions)
        if tools:
            config["tools"] = [{"function_declarations": [_tool(tool) for tool in tools]}]
        if options.extra_body:
            config["http_options"] = {"extra_body": dict(options.extra_body)}
        return {
            "model": options.model,
            "contents": self.contents,
            "config": types.GenerateContentConfig(**config),
        }

    def read(self, response: Any) -> Reply:
        """The reply in a response; a blocked prompt is an empty message, as a filtered one is.

        Raises:
            BadAnswer: If there is none in it.
        """
        candidates = getattr(response, "candidates", None)
        blocked = getattr(getattr(response, "prompt_feedback", None), "block_reason", None)
        if not candidates and blocked is None:
            raise BadAnswer("the answer holds no candidate")
        content = candidates[0].content if candidates else None
        finish = _name(candidates[0].finish_reason if candidates else blocked)
        parts = (content.parts if content is not None else None) or []
        said = [part for part in parts if part.text and not part.thought]
        calls = tuple(
            self._call(part.function_call)
            for part in parts
            if getattr(part, "function_call", None) is not None
        )
        return Reply(
            "".join(part.text for part in said),
            calls,
            of_genai(getattr(response, "usage_metadata", None)),
            "\n\n".join(part.text for part in parts if part.text and part.thought) or None,
            "content_filter" if blocked is not None and not candidates else _finish(finish, bool(calls)),
            content if parts else None,
            {
                "api": "genai",
                "id": getattr(response, "response_id", None),
                "model": getattr(response, "model_version", None),
                "finish_reason": finish,
                "message": None if content is None else content.model_dump(mode="json", exclude_none=True),
            },
        )

    def _call(self, call: Any) -> Asked:
        """A call; ids are the server's or none, since results are told apart by their order where there are none."""
        asked = self.asked(call.id, call.name or "", call.args)
        return asked._replace(id=f"{_NO_ID}{asked.id}", mended=False) if not call.id else asked

    def own(self, reply: Reply) -> None:
        """Append a reply."""
        self._results = None
        if reply.own is not None:
            self._mend(reply)
            self.contents.append(reply.own)

    def _mend(self, reply: Reply) -> None:
        """Give calls whose id was not the only one theirs; all else stays as it came, signatures above all."""
        asked = iter(reply.calls)
        for part in reply.own.parts:
            if part.function_call is not None:
                call = next(asked)
                if call.mended:
                    part.function_call.id = call.id

    def system(self, text: str) -> None:
        """Take a system message."""
        self.instructions.append(text)

    def user(self, text: str) -> None:
        """Take a user message."""
        types = sdk("google.genai.types", "genai")
        self._results = None
        self.contents.append(types.Content(role="user", parts=[types.Part(text=text)]))

    def result(self, call_id: str, name: str, text: str) -> None:
        """Take the result of a call."""
        types = sdk("google.genai.types", "genai")
        answer = types.FunctionResponse(
            id=None if call_id.startswith(_NO_ID) else call_id, name=name, response={"output": text}
        )
        if self._results is None:
            self._results = types.Content(role="user", parts=[])
            self.contents.append(self._results)
        self._results.parts.append(types.Part(function_response=answer))

    def said(self, text: str, calls: Sequence[Asked]) -> None:
        """Take an assistant message of somebody else's; what no signature vouches for is said to be so."""
        types = sdk("google.genai.types", "genai")
        self._results = None
        parts = [types.Part(text=text)] if text else []
        for place, asked in enumerate(calls):
            call = types.FunctionCall(
                id=asked.id, name=vendor_name(asked.call.name), args=vendor_arguments(asked.call.arguments)
            )
            parts.append(types.Part(function_call=call, thought_signature=_FOREIGN if place == 0 else None))
        if parts:
            self.contents.append(types.Content(role="model", parts=parts))


_NO_ID: Final = "\0"
"""Before ids that the server did not give and is not sent."""

_FOREIGN: Final = b"skip_thought_signature_validator"
"""Google's documented stand-in for the signature of a call that its model did not make."""


def _tool(tool: ToolSchema) -> dict[str, Any]:
    name, description, parameters = function_of(tool)
    return {"name": name, "description": description, "parameters_json_schema": parameters}


def _name(reason: Any) -> str | None:
    return None if reason is None else str(getattr(reason, "value", reason))


def _finish(reason: str | None, called: bool) -> str:
    if reason in _FILTERED:
        return "content_filter"
    if reason == "MAX_TOKENS":
        return "length"
    if reason == "STOP":
        return "tool_calls" if called else "stop"
    return "other"
