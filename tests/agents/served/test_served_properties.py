"""Whatever servers report and episodes say, counts stay counts and histories stay such as servers take."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rounds import needs
from vendors import Chat, Messages, Responses

from agenthop_env.agents.served.conversation import (
    Conversation,
    Reply,
    read_arguments,
    vendor_arguments,
    vendor_name,
)
from agenthop_env.agents.served.factory import make_served
from agenthop_env.agents.served.usage import of_chat, of_genai, of_messages, of_responses
from agenthop_env.records import ToolCall
from agenthop_env.sandbox.turn import native_messages

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
COUNTS = st.none() | st.integers(-5, 10**6) | st.text(max_size=3) | st.floats() | st.booleans()
NAMES = (
    "prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "prompt_token_count",
    "candidates_token_count", "thoughts_token_count", "cached_content_token_count", "cache_read_input_tokens",
    "cache_creation_input_tokens", "prompt_cache_hit_tokens", "tool_use_prompt_token_count",
)  # fmt: skip
DETAILS = st.none() | st.dictionaries(
    st.sampled_from(("cached_tokens", "reasoning_tokens", "cache_write_tokens", "thinking_tokens")), COUNTS
)
REPORTED = st.builds(
    lambda counts, details: counts | details,
    st.dictionaries(st.sampled_from(NAMES), COUNTS),
    st.dictionaries(
        st.sampled_from(
            (
                "prompt_tokens_details",
                "completion_tokens_details",
                "input_tokens_details",
                "output_tokens_details",
            )
        ),
        DETAILS,
    ),
)


@given(REPORTED)
def test_counts_are_counts_whatever_a_server_reports(reported: dict[str, Any]) -> None:
    for read in (of_chat, of_responses, of_messages, of_genai):
        usage = read(reported)
        if usage is None:
            continue
        assert usage.prompt > 0
        assert min(usage.completion, usage.cached, usage.cache_write, usage.reasoning) >= 0
        assert usage.cached + usage.cache_write <= usage.prompt
        assert usage.reasoning <= usage.completion


@given(st.integers(1, 10**6), *[st.integers(0, 10**6)] * 3)
def test_anthropics_prompt_is_the_sum_of_its_parts(fresh: int, read: int, written: int, out: int) -> None:
    reported = {
        "input_tokens": fresh, "cache_read_input_tokens": read, "cache_creation_input_tokens": written,
        "output_tokens": out,
    }  # fmt: skip
    usage = of_messages(reported)
    assert usage is not None
    assert (usage.prompt, usage.cached, usage.cache_write) == (fresh + read + written, read, written)
    assert usage.total == fresh + read + written + out


@given(*[st.integers(0, 10**6)] * 2, st.integers(1, 10**6))
def test_googles_completion_holds_its_thoughts(answer: int, thoughts: int, prompt: int) -> None:
    usage = of_genai(
        {"prompt_token_count": prompt, "candidates_token_count": answer, "thoughts_token_count": thoughts}
    )
    assert usage is not None
    assert (usage.completion, usage.reasoning) == (answer + thoughts, thoughts)


def test_deepseeks_own_cache_fields_count() -> None:
    usage = of_chat({"prompt_tokens": 10, "completion_tokens": 2, "prompt_cache_hit_tokens": 6})
    assert usage is not None
    assert usage.cached == 6


@given(JSON | st.text())
def test_arguments_that_go_back_are_objects(arguments: Any) -> None:
    assert isinstance(vendor_arguments(arguments), dict)
    text = json.dumps(arguments)
    read = read_arguments(text)
    if isinstance(arguments, dict) and not _nan(text):
        assert read == arguments
    else:
        assert isinstance(read, (dict, str))


def _nan(text: str) -> bool:
    return "NaN" in text or "Infinity" in text


@given(st.text())
def test_names_that_go_back_are_such_as_servers_take(name: str) -> None:
    kept = vendor_name(name)
    assert 0 < len(kept) <= 64
    assert kept.isascii()
    assert vendor_name(kept) == kept


CALLS = st.builds(ToolCall, st.text(max_size=8), JSON)
TURNS = st.lists(
    st.tuples(st.text(max_size=12), st.lists(CALLS, max_size=3), st.booleans(), st.booleans()), max_size=5
)


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
@given(turns=TURNS)
def test_any_chat_becomes_one_that_servers_take(api: str, turns: list[Any]) -> None:
    """Own replies and foreign messages, in any order, with any calls, make requests that the vendor's checks pass."""
    needs(api)
    conversation = make_served("test-model", "http://127.0.0.1:9/v1", api).conversation()
    conversation.take([{"role": "system", "content": "s"}, {"role": "user", "content": "u"}])
    for number, (text, calls, nudge, own) in enumerate(turns):
        shown = native_messages(
            number, text, calls, [f"r{place}" for place in range(len(calls))], "n" if nudge else ""
        )
        if not (calls or nudge):
            shown = (*shown, {"role": "user", "content": "go on"})
        if own:
            conversation.keep(reply(api, conversation, number, text, calls))
        assert conversation.take(shown)
        body = json.loads(json.dumps(conversation.request([]), default=str))
        {"chat": Chat, "responses": Responses, "messages": Messages}[api](lambda text, chat: None).check(body)  # type: ignore[arg-type,return-value]


def reply(api: str, conversation: Conversation, number: int, text: str, calls: list[ToolCall]) -> Reply:
    """A reply as the API's own reading makes it, with ids that clash every now and then."""
    ids = [f"id{(number + place) % 3}" for place in range(len(calls))]
    made = [(one, json.dumps(call.arguments), call) for one, call in zip(ids, calls, strict=True)]
    if api == "chat":
        message = {
            "role": "assistant",
            "content": text,
            "tool_calls": [
                {"id": one, "type": "function", "function": {"name": call.name, "arguments": arguments}}
                for one, arguments, call in made
            ],
        }
        return conversation.read(_Thing(choices=[_Thing(message=message, finish_reason="stop")]))  # type: ignore[attr-defined,no-any-return]
    if api == "messages":
        blocks = [{"type": "text", "text": text}] + [
            {"type": "tool_use", "id": one, "name": call.name, "input": vendor_arguments(call.arguments)}
            for one, _, call in made
        ]
        return conversation.read(_Thing(content=blocks, stop_reason="tool_use"))  # type: ignore[attr-defined,no-any-return]
    items: list[dict[str, Any]] = [
        {
            "type": "message", "id": "m", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }
    ]  # fmt: skip
    items += [
        {"type": "function_call", "call_id": one, "name": call.name, "arguments": arguments}
        for one, arguments, call in made
    ]
    return conversation.read(_Thing(output=items, status="completed"))  # type: ignore[attr-defined,no-any-return]


class _Thing:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)
