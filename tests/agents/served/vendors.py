"""Four servers that speak the vendors' protocols, with the shapes of the vendors' own types.

Each checks a request as the vendor would (types, order of results, ids), and answers with what a policy says.
"""

from __future__ import annotations

import base64
import itertools
import json
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import pydantic
from loopback import Answer, Request
from policies import Said

Policy = Callable[[str, str], Said]
"""From all the text of a request, and that of its chat without the system prompt, to the message that is due."""

MODEL = "test-model"

_ONE_AT_A_TIME = threading.Lock()
"""The SDKs' types are built when they are first used, and not by several threads at once."""


class Vendor:
    """A vendor's side of a conversation."""

    api = ""
    path = ""

    def __init__(self, policy: Policy, *, in_text: bool = False, usage: bool = True) -> None:
        self.policy = policy
        self.in_text = in_text
        self.usage = usage
        self.asked: list[Any] = []
        self._ids = itertools.count(1)

    def base_url(self, url: str) -> str:
        return url

    def __call__(self, request: Request) -> Answer:
        if request.method == "GET":
            return Answer(body=json.dumps(self.models()))
        with _ONE_AT_A_TIME:
            return self._answered(request)

    def _answered(self, request: Request) -> Answer:
        assert request.path.split("?")[0].endswith(self.path), request.path
        self.check(request.body)
        self.asked.append(request.body)
        chat = {
            name: value for name, value in request.body.items() if name in ("messages", "input", "contents")
        }
        if self.api == "chat":
            chat["messages"] = [message for message in chat["messages"] if message["role"] != "system"]
        said = self.policy(json.dumps(request.body, ensure_ascii=False), json.dumps(chat))
        if self.in_text:
            said = Said(said.as_text(), (), said.reasoning)
        return Answer(body=self.answer(said, request.body))

    def check(self, body: Any) -> None:
        raise NotImplementedError

    def answer(self, said: Said, body: Any) -> str:
        raise NotImplementedError

    def models(self) -> Any:
        return {
            "object": "list",
            "data": [{"id": MODEL, "object": "model", "created": 1, "owned_by": "test"}],
        }

    def number(self) -> int:
        return next(self._ids)


@cache
def adapter(kind: Any) -> pydantic.TypeAdapter[Any]:
    return pydantic.TypeAdapter(kind)


def valid(kind: Any, value: Any) -> None:
    """Check a value against an SDK's type, down to what its lazy iterables hold."""
    _drain(adapter(kind).validate_python(value))


def _drain(value: Any) -> None:
    if isinstance(value, dict):
        for inner in value.values():
            _drain(inner)
    elif hasattr(value, "__iter__") and not isinstance(value, (str, bytes)):
        for inner in value:
            _drain(inner)


class Chat(Vendor):
    api = "chat"
    path = "/v1/chat/completions"

    def base_url(self, url: str) -> str:
        return f"{url}/v1"

    def check(self, body: Any) -> None:
        from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam

        assert body["model"] == MODEL
        for message in body["messages"]:
            valid(ChatCompletionMessageParam, message)
        for tool in body.get("tools", ()):
            valid(ChatCompletionToolParam, tool)
        assert ("tools" in body) == ("tool_choice" in body)
        waiting: list[str] = []
        seen: set[str] = set()
        for message in body["messages"]:
            if message["role"] == "tool":
                assert message["tool_call_id"] == waiting.pop(0), "results stand in the order of the calls"
                continue
            assert not waiting, f"calls without a result: {waiting}"
            for call in message.get("tool_calls", ()):
                assert isinstance(json.loads(call["function"]["arguments"]), dict), "templates read objects"
                assert call["id"] not in seen
                seen.add(call["id"])
                waiting.append(call["id"])
        assert not waiting
        assert body["messages"][-1]["role"] in ("user", "tool")

    def message(self, said: Said) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": said.text or None}
        if said.reasoning is not None:
            message["reasoning_content"] = said.reasoning
        if said.calls:
            message["tool_calls"] = [
                {
                    "id": f"chatcmpl-tool-{self.number():08x}",
                    "type": "function",
                    "function": {"name": one.name, "arguments": json.dumps(one.arguments)},
                }
                for one in said.calls
            ]
        return message

    def answer(self, said: Said, body: Any) -> str:
        from openai.types.chat import ChatCompletion

        usage = {
            "prompt_tokens": 100,
            "completion_tokens": 20,
            "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 64},
            "completion_tokens_details": {"reasoning_tokens": 5},
        }
        whole = {
            "id": f"chatcmpl-{self.number()}",
            "object": "chat.completion",
            "created": 1,
            "model": MODEL,
            "choices": [
                {
                    "index": 0,
                    "message": self.message(said),
                    "finish_reason": "tool_calls" if said.calls else "stop",
                    "logprobs": None,
                }
            ],
            "usage": usage if self.usage else None,
        }
        return ChatCompletion.model_validate(whole).model_dump_json(exclude_unset=True)


class Responses(Vendor):
    api = "responses"
    path = "/v1/responses"

    def __init__(self, policy: Policy, **options: Any) -> None:
        super().__init__(policy, **options)
        self.stored: dict[str, list[Any]] = {}

    def base_url(self, url: str) -> str:
        return f"{url}/v1"

    def check(self, body: Any) -> None:
        from openai.types.responses import FunctionToolParam, ResponseInputItemParam

        for item in body["input"]:
            valid(ResponseInputItemParam, item)
        for tool in body.get("tools", ()):
            valid(FunctionToolParam, tool)
        before: list[Any] = []
        if body["store"]:
            if "previous_response_id" in body:
                before = self.stored[body["previous_response_id"]]
        else:
            assert body["include"] == ["reasoning.encrypted_content"]
            assert "previous_response_id" not in body
        items = before + body["input"]
        waiting: list[str] = []
        for place, item in enumerate(items):
            if item.get("type") == "function_call_output":
                assert item["call_id"] == waiting.pop(0)
            elif item.get("type") == "function_call":
                waiting.append(item["call_id"])
            elif item.get("type") == "reasoning":
                assert item["encrypted_content"].startswith("sealed-")
                assert place + 1 < len(items), "reasoning is followed by what it led to"
        assert not waiting, f"calls without a result: {waiting}"
        body["_items"] = items

    def answer(self, said: Said, body: Any) -> str:
        from openai.types.responses import Response

        output: list[dict[str, Any]] = []
        if said.reasoning is not None:
            output.append(
                {
                    "type": "reasoning",
                    "id": f"rs_{self.number()}",
                    "summary": [{"type": "summary_text", "text": said.reasoning}],
                    "encrypted_content": f"sealed-{self.number()}",
                    "status": None,
                }
            )
        if said.text or not said.calls:
            part = {"type": "output_text", "text": said.text, "annotations": [], "logprobs": []}
            output.append(
                {
                    "type": "message",
                    "id": f"msg_{self.number()}",
                    "role": "assistant",
                    "status": "completed",
                    "content": [part],
                }
            )
        output += [
            {
                "type": "function_call",
                "id": f"fc_{self.number()}",
                "call_id": f"call_{self.number()}",
                "name": one.name,
                "arguments": json.dumps(one.arguments),
                "status": "completed",
            }
            for one in said.calls
        ]
        whole = {
            "id": f"resp_{self.number()}",
            "object": "response",
            "created_at": 1.0,
            "model": MODEL,
            "status": "completed",
            "error": None,
            "incomplete_details": None,
            "instructions": body.get("instructions"),
            "metadata": {},
            "output": output,
            "parallel_tool_calls": True,
            "temperature": 1.0,
            "top_p": 1.0,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": 100,
                "input_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
                "output_tokens": 20,
                "output_tokens_details": {"reasoning_tokens": 5},
                "total_tokens": 120,
            }
            if self.usage
            else None,
        }
        self.stored[str(whole["id"])] = body.pop("_items") + output
        return Response.model_validate(whole).model_dump_json(exclude_unset=True)


class Messages(Vendor):
    api = "messages"
    path = "/v1/messages"

    def models(self) -> Any:
        one = {"id": MODEL, "type": "model", "display_name": MODEL, "created_at": "2025-01-01T00:00:00Z"}
        return {"data": [one], "has_more": False, "first_id": MODEL, "last_id": MODEL}

    def check(self, body: Any) -> None:
        from anthropic.types import ContentBlockParam, MessageParam, TextBlockParam, ToolParam

        assert body["max_tokens"] > 0
        marks = 0
        for block in body.get("system", ()):
            valid(TextBlockParam, block)
            marks += "cache_control" in block
        for tool in body.get("tools", ()):
            valid(ToolParam, tool)
            marks += "cache_control" in tool
        roles = [message["role"] for message in body["messages"]]
        assert roles == [("user", "assistant")[place % 2] for place in range(len(roles))], roles
        assert roles[-1] == "user"
        waiting: list[str] = []
        for message in body["messages"]:
            valid(MessageParam, message)
            blocks = message["content"]
            assert blocks
            for place, block in enumerate(blocks):
                valid(ContentBlockParam, block)
                marks += "cache_control" in block
                if block["type"] == "text":
                    assert block["text"].strip(), "blank text blocks are refused"
                elif block["type"] == "tool_result":
                    assert all(one["type"] == "tool_result" for one in blocks[:place]), "results stand first"
                    assert block["tool_use_id"] == waiting.pop(0)
                elif block["type"] == "tool_use":
                    assert isinstance(block["input"], dict)
                    waiting.append(block["id"])
                elif block["type"] == "thinking":
                    assert block["signature"] == f"signed:{block['thinking']}", "signatures are kept"
                    assert "cache_control" not in block
            if message["role"] == "user":
                assert not waiting, f"calls without a result in the next message: {waiting}"
        assert marks <= 4, f"{marks} breakpoints"

    def answer(self, said: Said, body: Any) -> str:
        from anthropic.types import Message

        content: list[dict[str, Any]] = []
        if said.reasoning is not None:
            content.append(
                {"type": "thinking", "thinking": said.reasoning, "signature": f"signed:{said.reasoning}"}
            )
        if said.text:
            content.append({"type": "text", "text": said.text, "citations": None})
        content += [
            {"type": "tool_use", "id": f"toolu_{self.number()}", "name": one.name, "input": one.arguments}
            for one in said.calls
        ]
        whole = {
            "id": f"msg_{self.number()}",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": content,
            "stop_reason": "tool_use" if said.calls else "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": 10,
                "cache_creation_input_tokens": 30,
                "cache_read_input_tokens": 60,
                "output_tokens": 20,
            },
        }
        checked = Message.model_validate(whole).model_dump(mode="json", exclude_unset=True)
        if not self.usage:
            del checked["usage"]
        return json.dumps(checked)


class GenAI(Vendor):
    api = "genai"
    path = f"/models/{MODEL}:generateContent"

    def models(self) -> Any:
        return {"models": [{"name": f"models/{MODEL}", "displayName": MODEL}]}

    def check(self, body: Any) -> None:
        from google.genai import types

        assert body["systemInstruction"]
        for tool in body.get("tools", ()):
            types.Tool.model_validate(tool)
        waiting: list[tuple[Any, str]] = []
        for content in body["contents"]:
            types.Content.model_validate(content)
            assert content["parts"]
            for part in content["parts"]:
                if "functionResponse" in part:
                    response = part["functionResponse"]
                    assert (response.get("id"), response["name"]) == waiting.pop(0)
                    assert isinstance(response["response"], dict)
                elif "functionCall" in part:
                    waiting.append((part["functionCall"].get("id"), part["functionCall"]["name"]))
                    if part is next(one for one in content["parts"] if "functionCall" in one):
                        signature = base64.b64decode(part["thoughtSignature"], altchars=b"-_")
                        assert signature.startswith(b"\xff\xfesigned"), "signatures are kept"
            if content["role"] == "user":
                assert not waiting, f"calls without a response in the next content: {waiting}"

    def answer(self, said: Said, body: Any) -> str:
        from google.genai import types

        parts: list[types.Part] = []
        if said.reasoning is not None:
            parts.append(types.Part(text=said.reasoning, thought=True))
        if said.text:
            parts.append(types.Part(text=said.text))
        for place, one in enumerate(said.calls):
            number = self.number()
            signature = b"\xff\xfesigned" + str(number).encode() if place == 0 else None
            call = types.FunctionCall(
                name=one.name, args=one.arguments, id=f"fc-{number}" if number % 2 else None
            )
            parts.append(types.Part(function_call=call, thought_signature=signature))
        usage = types.GenerateContentResponseUsageMetadata(
            prompt_token_count=100,
            cached_content_token_count=64,
            candidates_token_count=15,
            thoughts_token_count=5,
            total_token_count=120,
        )
        content = types.Content(role="model", parts=parts) if parts else types.Content(role="model")
        whole = types.GenerateContentResponse(
            candidates=[types.Candidate(content=content, finish_reason=types.FinishReason.STOP, index=0)],
            usage_metadata=usage if self.usage else None,
            model_version=MODEL,
            response_id=f"r{self.number()}",
        )
        return whole.model_dump_json(by_alias=True, exclude_none=True)


VENDORS: dict[str, type[Vendor]] = {
    "chat": Chat,
    "responses": Responses,
    "messages": Messages,
    "genai": GenAI,
}
