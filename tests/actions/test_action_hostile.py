"""No text raises, and no text costs more than its length."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthop_env.actions import FORMATS, parse, parse_actions, render_calls
from agenthop_env.actions.json_values import decode, value_end
from agenthop_env.actions.python_literals import read_arguments, read_literal
from agenthop_env.records import ToolCall

UNITS = [
    *"{[(\"'\\`<>=,# \n\0a",
    "\ud800",
    "<tool_call>",
    "</tool_call>",
    "<tool_call>{",
    '<tool_call>{"',
    '<tool_call>{"name": "think", "arguments": {',
    '<tool_call>{"name" ',
    "<tool_call>think<arg_key>",
    "<tool_call>a(",
    "<tool_call>```",
    '{"',
    '[{"',
    '{"name": "think", "arguments": ',
    '{"name": "think", "arguments": {}, ',
    '{"a": "\\"',
    '{"a": [',
    "think(",
    "think(a=",
    "think(),",
    "think(); ",
    "\nthink(a='",
    "\nthink(a=[",
    "\n[think(a={'b': [",
    "[think(",
    "[think(a='b'), ",
    "```json\n{",
    "```tool_code\n",
    "```tool_code\nthink(a=",
    "```tool_call\n{",
    "[TOOL_CALLS]",
    "[TOOL_CALLS][{",
    "[TOOL_CALLS]think{",
    "<|python_tag|>{",
    "<|channel|>analysis<|message|>",
    "<|channel|>commentary to=functions.get_references<|message|>{",
    "<\uff5ctool▁call▁begin\uff5c>think<\uff5ctool▁sep\uff5c>{",
    "<|tool_call_begin|>functions.think:0<|tool_call_argument_begin|>{",
    "<function=",
    "<function=think><parameter=a>",
    "<invoke name=",
    '<invoke name="think"><parameter name="a">',
    "<tool_calls>{",
    "<think>",
    "</think>",
    "<think></think>",
    "1,",
    "'''",
]
HEADS = [
    "",
    '<tool_call>{"name": "x", ',
    "```tool_code\n",
    '{"name": "think", "arguments": {"a": "',
    "think(a=",
    '"name" (<',
]


def seconds(text: str) -> float:
    """Processor time, which other processes disturb less than they do the clock."""
    begin = time.process_time()
    parse(text)
    return time.process_time() - begin


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_length(unit: str) -> None:
    """Eight times the length must not cost over thirty times the time; what is quick is not compared."""
    for head in HEADS:
        short = head + unit * (8_000 // len(unit))
        long = head + unit * (64_000 // len(unit))
        after = seconds(long)
        if after > 0.1:
            before = min(seconds(short) for _ in range(3))
            after = min(after, seconds(long), seconds(long))
            assert after < 30 * before + 0.1, head


@pytest.mark.parametrize("format", FORMATS)
def test_no_repetition_raises_in_any_format(format: str) -> None:
    for unit in UNITS:
        for tail in ("", '"}</tool_call>'):
            assert isinstance(parse_actions(unit * 2_000 + tail, format), list)


@pytest.mark.parametrize(
    "unit", ["<tool_call>", "{", "[", '"', "\\", "[TOOL_CALLS]", "</think>", "\ud800", "think("]
)
def test_ten_megabytes(unit: str) -> None:
    assert parse_actions(unit * (10_000_000 // len(unit))) == []


def test_a_call_behind_a_megabyte_is_found() -> None:
    text = (
        "x" * 1_000_000
        + '\n<tool_call>{"name": "think", "arguments": {"thought": "'
        + "y" * 1_000_000
        + '"}}</tool_call>'
    )
    assert len(parse_actions(text)[0].arguments["thought"]) == 1_000_000


def test_depth_does_not_depend_on_the_recursion_limit() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        for opener in ("[", "{", '{"a":', "(", "[[", "{'a':"):
            deep = opener * 100_000
            for text in (
                deep,
                f"<tool_call>{deep}",
                f"think(a={deep}",
                f"[think(a={deep}",
                f'{{"name": "think", "arguments": {deep}',
            ):
                parse_actions(text)
                parse_actions(text, "pythonic")
        for reader in (
            decode,
            lambda text: value_end(text, 0, len(text)),
            lambda text: read_literal(text, 0),
        ):
            with pytest.raises(ValueError, match="deep"):
                reader("[" * 100_000 + "]" * 100_000)
        with pytest.raises(ValueError, match="deep"):
            read_arguments("a=" + "(" * 100_000, 0)
    finally:
        sys.setrecursionlimit(limit)


@given(st.text(st.characters(codec=None)), st.sampled_from(sorted(FORMATS)))
@settings(deadline=None)
def test_no_text_raises(text: str, format: str) -> None:
    assert all(isinstance(call, ToolCall) for call in parse_actions(text, format))


@given(
    st.lists(st.one_of(st.sampled_from(UNITS), st.text(max_size=3)), max_size=20).map("".join),
    st.sampled_from(sorted(FORMATS)),
)
@settings(deadline=None, max_examples=300)
def test_no_mixture_of_markers_raises(text: str, format: str) -> None:
    assert all(isinstance(call.name, str) and call.name for call in parse_actions(text, format))


@given(st.data(), st.sampled_from(sorted(FORMATS)))
@settings(deadline=None, max_examples=300)
def test_no_mutation_of_a_rendered_message_raises(data: st.DataObject, format: str) -> None:
    calls = [
        ToolCall("read_section", {"paper_id": "x", "section": 'it\'s "(B)"\n'}),
        ToolCall("search_papers", {"query": "</tool_call>", "top_k": 3}),
    ]
    text = render_calls(calls, format)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        stop = data.draw(st.integers(start, min(len(text), start + 8)))
        text = (
            text[:start]
            + data.draw(st.one_of(st.just(""), st.sampled_from(UNITS), st.text(max_size=2)))
            + text[stop:]
        )
    for chosen in (format, "auto"):
        assert all(isinstance(call, ToolCall) for call in parse_actions(text, chosen))
