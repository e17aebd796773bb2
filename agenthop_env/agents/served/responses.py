"""OpenAI Responses: reasoning items kept, by the client (encrypted, nothing stored) or by the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from agenthop_env.agents.protocol import ToolSchema
from agenthop_env.agents.served.clients import openai_client, openai_models
from agenthop_env.agents.served.conversation import (
    Asked,
    Conversation,
    Reply,
    function_of,
    plain,
    vendor_arguments_text,
    vendor_name,
)
from agenthop_env.agents.served.errors import BadAnswer
from agenthop_env.agents.served.usage import of_responses

make_client = openai_client
model_names = openai_models

SAMPLED: Final = frozenset({"temperature", "top_p", "max_tokens", "reasoning_effort"})
"""Fields of `Sampling` that this API takes."""

_FINISH: Final = {"max_output_tokens": "length", "content_filter": "content_filter"}
_FAILURES_THAT_PASS: Final = ("server_error", "rate_limit_exceeded", "vector_store_timeout")


class ResponsesConversation(Conversation):
    """An episode's chat as input items.

    With `state="server"` only what is new is sent, after the id of the last response.
    """

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.instructions: list[str] = []
        self.items: list[dict[str, Any]] = []
        self.previous: str | None = None

    async def ask(self, client: Any, tools: Sequence[ToolSchema]) -> Reply:
        """Make one request, all fields as `extra_body`; see `ChatConversation.ask`."""
        body = self.request(tools)
        return self.read(await client.responses.create(model=body["model"], input=[], extra_body=body))

    def request(self, tools: Sequence[ToolSchema]) -> dict[str, Any]:
        """The request's fields."""
        options = self.options
        sampled = options.sampling.given()
        fields: dict[str, Any] = {"model": options.model, "input": self.items}
        if self.instructions:
            fields["instructions"] = "\n\n".join(self.instructions)
        if "max_tokens" in sampled:
            fields["max_output_tokens"] = sampled.pop("max_tokens")
        effort = sampled.pop("reasoning_effort", None)
        if effort is not None:
            fields["reasoning"] = {"effort": effort}
        fields |= sampled
        if options.state == "server":
            fields["store"] = True
            if self.previous is not None:
                fields["previous_response_id"] = self.previous
        else:
            fields |= {"store": False, "include": ["reasoning.encrypted_content"]}
        if tools:
            fields |= {"tools": [_tool(tool) for tool in tools], "tool_choice": "auto"}
            if options.parallel_calls is not None:
                fields["parallel_tool_calls"] = options.parallel_calls
        extra = dict(options.extra_body)
        if isinstance(extra.get("reasoning"), dict):
            fields["reasoning"] = fields.get("reasoning", {}) | extra.pop("reasoning")
        return fields | extra

    def read(self, response: Any) -> Reply:
        """The reply in a response.

        Raises:
            BadAnswer: If there is none in it.
        """
        output = getattr(response, "output", None)
        status = getattr(response, "status", None)
        if status in ("failed", "cancelled"):
            raise _failed(response)
        if not isinstance(output, list):
            raise BadAnswer("the answer holds no output; is the base URL that of the API (most end in /v1)?")
        items = [plain(item) for item in output]
        calls = tuple(
            self._call(item)
            for item in items
            if isinstance(item, dict) and item.get("type") == "function_call"
        )
        reason = getattr(getattr(response, "incomplete_details", None), "reason", None)
        finish = (
            _FINISH.get(str(reason), "other") if status == "incomplete" else "tool_calls" if calls else "stop"
        )
        text, reasoning = _texts(items)
        return Reply(
            text,
            calls,
            of_responses(getattr(response, "usage", None)),
            reasoning or None,
            finish,
            (getattr(response, "id", None), self._kept(items, calls)),
            {
                "api": "responses",
                "id": getattr(response, "id", None),
                "model": getattr(response, "model", None),
                "finish_reason": reason if status == "incomplete" else status,
                "message": items,
            },
        )

    def _call(self, item: dict[str, Any]) -> Asked:
        asked = self.asked(item.get("call_id"), item.get("name"), item.get("arguments"))
        given = item.get("call_id")
        if self.options.state == "server" and given and asked.mended:
            return asked._replace(id=given)  # the server holds the call under this id and no other
        return asked

    def _kept(self, items: list[Any], calls: Sequence[Asked]) -> list[dict[str, Any]]:
        """The output items as the next input holds them: verbatim but for what no server takes back."""
        kept = []
        asked = iter(calls)
        for item in items:
            if not isinstance(item, dict):
                continue
            one = {name: value for name, value in item.items() if value is not None}
            if one.get("type") == "function_call":
                call = next(asked)
                one |= {
                    "call_id": call.id,
                    "name": vendor_name(call.call.name),
                    "arguments": one["arguments"]
                    if not call.unparsed and one.get("arguments")
                    else vendor_arguments_text(call.call.arguments),
                }
            kept.append(one)
        return kept

    def own(self, reply: Reply) -> None:
        """Append a reply, or start anew after it where the server keeps the state."""
        response_id, items = reply.own
        if self.options.state == "server" and response_id:
            self.previous = response_id
            self.items = []
        else:
            self.items += items

    def system(self, text: str) -> None:
        """Take a system message."""
        self.instructions.append(text)

    def user(self, text: str) -> None:
        """Take a user message."""
        self.items.append({"role": "user", "content": text})

    def result(self, call_id: str, name: str, text: str) -> None:
        """Take the result of a call."""
        self.items.append({"type": "function_call_output", "call_id": call_id, "output": text})

    def said(self, text: str, calls: Sequence[Asked]) -> None:
        """Take an assistant message of somebody else's."""
        if text:
            self.items.append({"role": "assistant", "content": text})
        self.items += [
            {
                "type": "function_call",
                "call_id": asked.id,
                "name": vendor_name(asked.call.name),
                "arguments": vendor_arguments_text(asked.call.arguments),
            }
            for asked in calls
        ]


def _tool(tool: ToolSchema) -> dict[str, Any]:
    name, description, parameters = function_of(tool)
    return {
        "type": "function",
        "name": name,
        "description": description,
        "parameters": parameters,
        "strict": False,
    }


def _texts(items: list[Any]) -> tuple[str, str]:
    """What was said and what was thought."""
    said: list[str] = []
    thought: list[str] = []
    for item in items:
        if not isinstance(item, dict):
            continue
        if item.get("type") == "message":
            parts = item.get("content") or ()
            said += [str(part.get("text") or part.get("refusal") or "") for part in parts]
        elif item.get("type") == "reasoning":
            parts = item.get("content") or item.get("summary") or ()
            thought += [str(part.get("text") or "") for part in parts]
    return "".join(said), "\n\n".join(part for part in thought if part)


def _failed(response: Any) -> BadAnswer:
    error = getattr(response, "error", None)
    code, message = getattr(error, "code", None), getattr(error, "message", None)
    passes = error is None or code in _FAILURES_THAT_PASS
    return BadAnswer(
        f"the response failed: {message or code or 'no reason is given'}",
        transient=passes,
        kind="server" if passes else "bad_request",
    )
