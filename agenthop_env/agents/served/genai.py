"""Google GenAI: contents kept as they came, thought signatures in them; results as function responses with ids."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Final

from agenthop_env.agents.protocol import ToolSchema
from agenthop_env.agents.served.clients import genai_client, genai_models
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
    """An episode's chat as contents, in the form in which they travel."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.instructions: list[str] = []
        self.contents: list[dict[str, Any]] = []
        self._results: list[dict[str, Any]] | None = None
        """The parts that collect the results of one turn: they must stand in one content, right after the calls."""

    async def ask(self, client: Any, tools: Sequence[ToolSchema]) -> Reply:
        """Make one request.

        All fields travel as `extra_body`, which the SDK sends as it is: it would check and convert the whole history
        every time, in more time than all else takes.
        """
        response = await client.aio.models.generate_content(
            model=self.options.model,
            contents="-",  # not sent: the body's contents stand in its place
            config={"http_options": {"extra_body": self.request(tools)}},
        )
        return self.read(response)

    def request(self, tools: Sequence[ToolSchema]) -> dict[str, Any]:
        """The request's fields."""
        options = self.options
        sampled = options.sampling.given()
        thinking: dict[str, Any] = {}
        for name, sent in (("reasoning_budget", "thinkingBudget"), ("reasoning_effort", "thinkingLevel")):
            if name in sampled:
                thinking[sent] = sampled.pop(name)
        if thinking or "gemini" in options.model.lower():
            thinking["includeThoughts"] = True
        config = {_SENT.get(name, name): value for name, value in sampled.items()}
        if thinking:
            config["thinkingConfig"] = thinking
        body: dict[str, Any] = {"contents": self.contents}
        if config:
            body["generationConfig"] = config
        if self.instructions:
            body["systemInstruction"] = {
                "role": "user",
                "parts": [{"text": text} for text in self.instructions],
            }
        if tools:
            body["tools"] = [{"functionDeclarations": [_tool(tool) for tool in tools]}]
        return body | options.extra_body

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
        message = (
            None if content is None else content.model_dump(mode="json", by_alias=True, exclude_none=True)
        )
        finish = _name(candidates[0].finish_reason if candidates else blocked)
        parts = (message or {}).get("parts") or []
        calls = tuple(self._call(part["functionCall"]) for part in parts if "functionCall" in part)
        return Reply(
            "".join(part.get("text") or "" for part in parts if not part.get("thought")),
            calls,
            of_genai(getattr(response, "usage_metadata", None)),
            "\n\n".join(part["text"] for part in parts if part.get("text") and part.get("thought")) or None,
            "content_filter" if blocked is not None and not candidates else _finish(finish, bool(calls)),
            self._kept(parts, calls),
            {
                "api": "genai",
                "id": getattr(response, "response_id", None),
                "model": getattr(response, "model_version", None),
                "finish_reason": finish,
                "message": message,
            },
        )

    def _call(self, call: dict[str, Any]) -> Asked:
        """A call; ids are the server's or none, since results are told apart by their order where there are none."""
        given = call.get("id")
        asked = self.asked(given, call.get("name") or "", call.get("args"))
        return asked if given else asked._replace(id=f"{_NO_ID}{asked.id}", mended=False)

    def _kept(self, parts: list[dict[str, Any]], calls: Sequence[Asked]) -> list[dict[str, Any]]:
        """The parts as the history holds them: verbatim, signatures above all, but for ids that are not the only one."""
        kept = []
        asked = iter(calls)
        for part in parts:
            if "functionCall" in part and (call := next(asked)).mended:
                part = {**part, "functionCall": {**part["functionCall"], "id": call.id}}
            kept.append(part)
        return kept

    def own(self, reply: Reply) -> None:
        """Append a reply; one without parts leaves no content."""
        self._append("model", reply.own)

    def system(self, text: str) -> None:
        """Take a system message."""
        self.instructions.append(text)

    def user(self, text: str) -> None:
        """Take a user message."""
        self._append("user", [{"text": text}])

    def result(self, call_id: str, name: str, text: str) -> None:
        """Take the result of a call."""
        answer: dict[str, Any] = {"name": name, "response": {"output": text}}
        if not call_id.startswith(_NO_ID):
            answer["id"] = call_id
        if self._results is None:
            results: list[dict[str, Any]] = []
            self._append("user", results, empty=True)
            self._results = results
        self._results.append({"functionResponse": answer})

    def said(self, text: str, calls: Sequence[Asked]) -> None:
        """Take an assistant message of somebody else's; what no signature vouches for is said to be so."""
        parts: list[dict[str, Any]] = [{"text": text}] if text else []
        for place, asked in enumerate(calls):
            call = {
                "id": asked.id,
                "name": vendor_name(asked.call.name),
                "args": vendor_arguments(asked.call.arguments),
            }
            parts.append({"functionCall": call} | ({"thoughtSignature": _FOREIGN} if place == 0 else {}))
        self._append("model", parts)

    def _append(self, role: str, parts: list[dict[str, Any]], *, empty: bool = False) -> None:
        self._results = None
        if parts or empty:
            self.contents.append({"role": role, "parts": parts})


_NO_ID: Final = "\0"
"""Before ids that the server did not give and is not sent."""

_FOREIGN: Final = base64.b64encode(b"skip_thought_signature_validator").decode()
"""Google's documented stand-in for the signature of a call that its model did not make."""

_SENT: Final = {
    "top_p": "topP",
    "top_k": "topK",
    "max_tokens": "maxOutputTokens",
    "presence_penalty": "presencePenalty",
    "frequency_penalty": "frequencyPenalty",
}
"""Fields of `Sampling` under Google's names, where they differ."""


def _tool(tool: ToolSchema) -> dict[str, Any]:
    name, description, parameters = function_of(tool)
    return {"name": name, "description": description, "parametersJsonSchema": parameters}


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
