"""How an episode begins: the first messages, and what the tool schemas add to every prompt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from agenthop_env.actions import render_calls
from agenthop_env.records import Item, ToolCall
from agenthop_env.rules import Limits
from agenthop_env.sandbox.prompts import PromptSet
from agenthop_env.sandbox.turn import Message
from agenthop_env.text.tokens import TokenCounter

DEFAULT_EXAMPLE_FORMAT: Final = "hermes"
"""The form that agents are asked to write calls in where `auto` reads any."""


def opening_messages(
    prompts: PromptSet,
    strategy: str,
    limits: Limits,
    tools: tuple[str, ...],
    item: Item,
    options: Sequence[str],
    tool_mode: str,
    tool_format: str,
) -> list[Message]:
    """The system prompt, which holds the question, and the first user message."""
    shown = {
        "seed_paper_id": item.seed_paper_id,
        "seed_title": item.seed_title,
        "question": item.question,
        "options": options,
    }
    example = example_call(tool_format, tools) if tool_mode == "text" else None
    system = prompts.system(strategy, limits, tools, shown, example)
    return [{"role": "system", "content": system}, {"role": "user", "content": prompts.message("start")}]


@lru_cache(maxsize=256)
def example_call(tool_format: str, tools: tuple[str, ...]) -> str:
    """A call in the format that the policy is asked for."""
    name = next(
        (name for name in ("get_references", "get_paper_info") if name in tools), tools[-1] if tools else ""
    )
    if not name:
        return ""
    arguments = {"option": "A"} if name == "submit_answer" else {"paper_id": "ID"}
    return render_calls(
        [ToolCall(name, arguments)], DEFAULT_EXAMPLE_FORMAT if tool_format == "auto" else tool_format
    )


_KNOWN: dict[tuple[int, int, tuple[str, ...]], tuple[Any, Any, int]] = {}


def tool_tokens(counter: TokenCounter, prompts: PromptSet, tools: tuple[str, ...]) -> int:
    """Tokens of the schemas; counted once, since they are the same in every episode."""
    key = (id(counter) if counter.name != "chars/4" else 0, id(prompts), tools)
    found = _KNOWN.get(key)
    if found is None or found[1] is not prompts:
        if len(_KNOWN) > 256:
            _KNOWN.clear()
        found = _KNOWN[key] = (counter, prompts, counter.tools(prompts.schemas(tools)))
    return found[2]
