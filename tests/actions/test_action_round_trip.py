"""What is rendered is read back: by the format's name, and recognized among all of them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthop_env.actions import FORMATS, parse_actions, render_calls
from agenthop_env.actions.json_values import RENDERED_DEPTH
from agenthop_env.actions.reading import MAX_CALLS
from agenthop_env.records import ToolCall
from agenthop_env.rules import TOOL_NAMES

WORDS = (
    "<tool_call> </tool_call> </parameter> </function> <think> </think> ``` [TOOL_CALLS] [ARGS] <|message|> <|end|> <|call|> "
    '</arg_value> <arg_key> </invoke> <|python_tag|> to=functions.think string="false" <|tool_call_end|> <function=think> '
    "&lt; \\u003c \\n \\ \" ' \"\"\" ''' { } [ ] # ; 5 -2.5 true null <tool_calls> minimax: <\uff5ctool▁sep\uff5c>"
)
BLANKS = [" ", "\n", "\r\n", "\x00", "\u2028", "\ud800"]
CALLS_IN_TEXT = ['{"name": "think", "arguments": {}}', "\nthink(thought='x')\n"]
MARKERS = st.sampled_from([*WORDS.split(), *BLANKS, *CALLS_IN_TEXT])
TEXT = st.lists(st.one_of(MARKERS, st.text(max_size=5)), max_size=6).map("".join)
KEYS = st.one_of(
    st.sampled_from(["paper_id", "query", "section", "thought", "option", "top_k", "name"]), TEXT
)
JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXT
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=6,
)
CALLS = st.lists(
    st.builds(ToolCall, st.sampled_from(TOOL_NAMES), st.dictionaries(KEYS, JSON, max_size=3)), max_size=4
)


def exactly(calls: list[ToolCall]) -> str:
    """A form in which 1, 1.0 and True differ."""
    return json.dumps([[call.name, call.arguments] for call in calls])


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=40, deadline=None)
@given(calls=CALLS)
def test_by_name(format: str, calls: list[ToolCall]) -> None:
    assert exactly(parse_actions(render_calls(calls, format), format)) == exactly(calls)


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=40, deadline=None)
@given(calls=CALLS)
def test_recognized(format: str, calls: list[ToolCall]) -> None:
    assert exactly(parse_actions(render_calls(calls, format))) == exactly(calls)


@pytest.mark.parametrize("format", sorted(FORMATS.keys() - {"pythonic"}))
@settings(max_examples=40, deadline=None)
@given(calls=CALLS)
def test_recognized_beside_prose(format: str, calls: list[ToolCall]) -> None:
    text = f"<think>Which one?</think>\nI look at (one of) the papers, e.g. [1].\n{render_calls(calls, format)}\n"
    assert exactly(parse_actions(text)) == exactly(calls)


def test_exception_a_pythonic_list_beside_prose_whose_argument_is_shaped_like_a_json_call() -> None:
    inner = {"name": "think", "arguments": {}}
    text = "Now:\n" + render_calls([ToolCall("get_paper_info", {"paper_id": inner})], "pythonic")
    assert parse_actions(text) == [ToolCall("think", {})]
    assert parse_actions(text, "pythonic") == [ToolCall("get_paper_info", {"paper_id": inner})]


@pytest.mark.parametrize("format", FORMATS)
def test_depth_has_a_bound_that_every_format_reads(format: str) -> None:
    def nested(levels: int) -> dict[str, Any]:
        value: Any = "x"
        for _ in range(levels):
            value = [value]
        return {"query": value}

    deepest = [ToolCall("search_papers", nested(RENDERED_DEPTH - 1))]
    assert parse_actions(render_calls(deepest, format), format) == deepest
    assert parse_actions(render_calls(deepest, format)) == deepest
    with pytest.raises(ValueError, match="levels"):
        render_calls([ToolCall("search_papers", nested(RENDERED_DEPTH + 1))], format)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "arguments",
    ["text", [1], None, {"query": math.nan}, {"query": math.inf}, {"query": {1: 2}}, {"query": {1}}],
)
def test_what_json_cannot_hold_is_refused(format: str, arguments: Any) -> None:
    with pytest.raises(ValueError, match=r"JSON|key"):
        render_calls([ToolCall("search_papers", arguments)], format)


def test_names_that_a_tag_cannot_hold_are_refused() -> None:
    odd = [ToolCall("a <b>", {})]
    assert parse_actions(render_calls(odd, "hermes"), "hermes") == odd
    with pytest.raises(ValueError, match="name"):
        render_calls(odd, "qwen3_coder")


def test_no_more_calls_than_are_read() -> None:
    calls = [ToolCall("think", {"thought": str(index)}) for index in range(MAX_CALLS)]
    assert parse_actions(render_calls(calls)) == calls
    with pytest.raises(ValueError, match="at most"):
        render_calls([*calls, calls[0]])


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    for refused in (lambda: render_calls([], "yaml"), lambda: parse_actions("", "yaml")):
        with pytest.raises(ValueError, match=r"yaml.*hermes.*harmony"):
            refused()


def test_no_call_renders_as_no_text() -> None:
    assert {render_calls([], format) for format in FORMATS} == {""}


def test_plain_values_look_as_the_templates_write_them() -> None:
    calls = [ToolCall("search_papers", {"query": 'p < 0.05, it\'s "so"', "top_k": 3})]
    assert render_calls(calls) == (
        '<tool_call>\n{"name": "search_papers", "arguments": {"query": "p < 0.05, it\'s \\"so\\"", "top_k": 3}}\n</tool_call>'
    )
    assert render_calls(calls, "qwen3_coder") == (
        '<tool_call>\n<function=search_papers>\n<parameter=query>\np < 0.05, it\'s "so"\n</parameter>\n'
        "<parameter=top_k>\n3\n</parameter>\n</function>\n</tool_call>"
    )
    assert render_calls(calls, "pythonic") == '[search_papers(query="p < 0.05, it\'s \\"so\\"", top_k=3)]'
