"""From a loaded row to what a chat template takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple


class Chat(NamedTuple):
    """The first two arguments of `apply_chat_template`.

    Attributes:
        messages: The conversation, without the nulls that Arrow puts where a message lacks a key.
        tools: JSON schemas of the tools; None in `text` mode, where the prompt describes them.
    """

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] | None


def chat(row: Mapping[str, Any], *, objects: bool = False) -> Chat:
    """A row of a data set as chat templates take it.

    Args:
        row: A row as loaded from JSONL or Parquet.
        objects: Whether arguments of calls become JSON objects. Templates of Qwen2.5 and Qwen3 take text or objects,
            those of Qwen3.5 and GLM objects alone.
    """
    messages = [
        {name: value for name, value in message.items() if value is not None} for message in row["messages"]
    ]
    if objects:
        for message in messages:
            if "tool_calls" in message:
                message["tool_calls"] = [_decoded(call) for call in message["tool_calls"]]
    tools = row["tools"]
    return Chat(messages, json.loads(tools) if isinstance(tools, str) else tools)


def _decoded(call: Mapping[str, Any]) -> dict[str, Any]:
    function = dict(call["function"])
    function["arguments"] = json.loads(function["arguments"])
    return {**call, "function": function}
