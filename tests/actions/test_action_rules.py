"""The protocol's rules on text: precedence, names, arguments, reasoning."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from agenthop_env.actions import FORMATS, Parsed, parse, parse_actions
from agenthop_env.actions.reading import MAX_CALLS
from agenthop_env.actions.xml_calls import TEXT_ARGUMENTS
from agenthop_env.records import ToolCall
from agenthop_env.rules import ARGUMENT_ALIASES, TOOL_NAMES

INFO = '{"name": "get_paper_info", "arguments": {"paper_id": "x"}}'
THINK = '{"name": "think", "arguments": {"thought": "y"}}'


def found(text: str, format: str = "auto") -> list[tuple[str, Any]]:
    return [(call.name, call.arguments) for call in parse_actions(text, format)]


def names(text: str, format: str = "auto") -> list[str]:
    return [call.name for call in parse_actions(text, format)]


class TestPrecedence:
    def test_an_envelope_comes_before_json(self) -> None:
        assert names(f"```json\n{THINK}\n```\n<tool_call>{INFO}</tool_call>") == ["get_paper_info"]

    def test_json_comes_before_python(self) -> None:
        assert names(f"think(thought='y')\n{INFO}") == ["get_paper_info"]

    def test_a_kind_that_yields_nothing_gives_way(self) -> None:
        assert names(f"<tool_call>bad</tool_call>\n{INFO}") == ["get_paper_info"]
        assert names("[TOOL_CALLS] are what I make:\nthink(thought='y')") == ["think"]

    def test_all_calls_of_the_kind_count_in_order(self) -> None:
        text = f"{THINK}\nand [{INFO}, {THINK}]\n```json\n{INFO}\n```"
        assert names(text) == ["think", "get_paper_info", "think", "get_paper_info"]

    def test_lists_and_lines_are_one_kind(self) -> None:
        assert names("[think(thought='a')]\nget_paper_info(paper_id='x')\n[think()]") == [
            "think",
            "get_paper_info",
            "think",
        ]

    def test_fences_of_both_kinds_count_together(self) -> None:
        text = (
            f"```json\n{INFO}\n```\n```tool_code\nthink(thought='y')\n```\n```python\nget_references()\n```"
        )
        assert names(text) == ["get_paper_info", "think"]

    def test_a_named_format_reads_nothing_else(self) -> None:
        assert parse_actions(f"<tool_call>{INFO}</tool_call>", "mistral") == []
        assert parse_actions(INFO, "hermes") == []
        assert parse_actions("think()", "json") == []


class TestNames:
    @pytest.mark.parametrize(
        ("text", "calls"),
        [
            ('<tool_call>{"name": "nope", "arguments": {"a": 1}}</tool_call>', [("nope", {"a": 1})]),
            ('[TOOL_CALLS][{"name": "nope", "arguments": {}}]', [("nope", {})]),
            ("[TOOL_CALLS]nope[ARGS]{}", [("nope", {})]),
            ('<|python_tag|>{"name": "nope", "parameters": {}}', [("nope", {})]),
            ("<function=nope><parameter=a>b</parameter></function>", [("nope", {"a": "b"})]),
            ('<invoke name="nope"></invoke>', [("nope", {})]),
            (
                "<|tool_call_begin|>functions.nope:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
                [("nope", {})],
            ),
            (
                "<tool_call>nope\n<arg_key>a</arg_key>\n<arg_value>b</arg_value>\n</tool_call>",
                [("nope", {"a": "b"})],
            ),
            ("```tool_code\nnope(a='b')\n```", [("nope", {"a": "b"})]),
            ('```tool_call\n{"name": "nope"}\n```', [("nope", {})]),
            ("<|channel|>commentary to=functions.nope<|message|>{}", []),
            ('```json\n{"name": "nope", "arguments": {}}\n```', []),
            ("nope(a='b')", []),
            ("[nope(a='b')]", []),
        ],
    )
    def test_an_unknown_name_needs_an_envelope(self, text: str, calls: list[tuple[str, Any]]) -> None:
        assert found(text) == calls

    @pytest.mark.parametrize(
        "text",
        [
            '<tool_call>{"name": "", "arguments": {}}</tool_call>',
            '<tool_call>{"name": 5}</tool_call>',
            '<tool_call>{"name": null}</tool_call>',
            '<tool_call>{"arguments": {}}</tool_call>',
            "<tool_call></tool_call>",
            "<tool_call>",
            "<tool_call>I think about it</tool_call>",
            "<tool_call>{oops}</tool_call>",
            '[TOOL_CALLS][{"arguments": {}}]',
            "<function=></function>",
            '<invoke name=""></invoke>',
            "```tool_code\n\n```",
            "```tool_call\n{}\n```",
            "<|tool_call_begin|>oops",
        ],
    )
    def test_an_envelope_without_a_name_is_counted(self, text: str) -> None:
        assert parse(text) == Parsed([], None, 1)

    def test_nameless_envelopes_are_counted_beside_calls(self) -> None:
        parsed = parse(
            f'<tool_call>{{"name": ""}}</tool_call><tool_call>{INFO}</tool_call><tool_call>-</tool_call>'
        )
        assert (len(parsed.calls), parsed.kind, parsed.nameless) == (1, "hermes", 2)

    def test_other_tools_can_be_known(self) -> None:
        assert parse_actions("look(at='x')", tools=["look"]) == [ToolCall("look", {"at": "x"})]
        assert parse_actions("think(thought='x')", tools={"look"}) == []

    @pytest.mark.parametrize("name", ["functions.think", " think ", "default_api.think", "think.call"])
    def test_what_models_put_around_a_name_is_dropped(self, name: str) -> None:
        assert names(f'<tool_call>{{"name": "{name}", "arguments": {{"thought": "x"}}}}</tool_call>') == [
            "think"
        ]


class TestArguments:
    @pytest.mark.parametrize(
        ("written", "arguments"),
        [
            ("{bad}", "{bad}"),
            ("{'paper_id': 'x'}", "{'paper_id': 'x'}"),
            ('{"paper_id": "x"', {"paper_id": "x"}),
            ('{"paper_id": "x', '{"paper_id": "x'),
            ('{"paper_id": NaN}', '{"paper_id": NaN}'),
            ('"oops"', "oops"),
            ('"{\\"paper_id\\": \\"x\\"}"', {"paper_id": "x"}),
            ('"[1, 2]"', [1, 2]),
            ("[1]", [1]),
            ("5", 5),
            ("null", {}),
            ('{"paper_id": "\\ud800"}', {"paper_id": "\ud800"}),
            ('{"paper_id": "a\tb"}', {"paper_id": "a\tb"}),
            ('{"paper_id": 123456789012345678901234567890}', {"paper_id": 123456789012345678901234567890}),
        ],
    )
    def test_unparsable_arguments_are_kept_as_text(self, written: str, arguments: Any) -> None:
        for text in (
            f'<tool_call>{{"name": "get_paper_info", "arguments": {written}}}</tool_call>',
            f'```tool_call\n{{"name": "get_paper_info", "arguments": {written}}}\n```',
            f'[TOOL_CALLS][{{"name": "get_paper_info", "arguments": {written}}}]',
        ):
            assert found(text) == [("get_paper_info", arguments)], text

    def test_a_broken_list_gives_its_calls_up_to_the_broken_one(self) -> None:
        assert found(f'[TOOL_CALLS][{INFO}, {{"name": "think", "arguments": {{bad}}}}, {INFO}]') == [
            ("get_paper_info", {"paper_id": "x"}),
            ("think", f"{{bad}}}}, {INFO[:-1]}"),
        ]

    @pytest.mark.parametrize("written", ["{bad}", '{"paper_id": "x"', "oops", '{"paper_id": "x'])
    def test_so_they_are_between_special_tokens(self, written: str) -> None:
        for text in (
            f"<|channel|>commentary to=functions.get_references<|message|>{written}<|call|>",
            f"[TOOL_CALLS]get_references[ARGS]{written}",
            f"<|tool_call_begin|>functions.get_references:0<|tool_call_argument_begin|>{written}<|tool_call_end|>",
            f"<|tool_call_begin|>get_references<|tool_sep|>{written}<|tool_call_end|>",
            f"<function=get_references>{written}</function>",
        ):
            assert found(text) == [("get_references", written)], text

    def test_deep_json_is_unparsable(self) -> None:
        def call(levels: int) -> str:
            inner = "[" * levels + "]" * levels
            return f'<tool_call>{{"name": "think", "arguments": {{"thought": {inner}}}}}</tool_call>'

        assert isinstance(parse_actions(call(60))[0].arguments, dict)
        assert isinstance(parse_actions(call(65))[0].arguments, str)
        assert isinstance(parse_actions(call(100_000))[0].arguments, str)

    def test_text_arguments_of_xml_stay_text(self) -> None:
        text = (
            "<function=search_papers><parameter=query>2301.00001</parameter><parameter=top_k>7</parameter>"
            "<parameter=paper_id>true</parameter><parameter=extra>[1, 2]</parameter></function>"
        )
        assert found(text) == [
            ("search_papers", {"query": "2301.00001", "top_k": 7, "paper_id": "true", "extra": [1, 2]})
        ]

    def test_harmony_reads_every_tool_but_think_properly(self) -> None:
        brace = '{"query": "a } b", "thought": "{"}'
        for name, arguments in (("search_papers", {"query": "a } b", "thought": "{"}), ("think", {})):
            assert found(f"<|channel|>commentary to=functions.{name}<|message|>{brace}<|call|>") == [
                (name, arguments)
            ]
        assert found(f"<|channel|>commentary to=functions.think<|message|>{brace}<|call|>", "harmony") == [
            ("think", {"query": "a } b", "thought": "{"})
        ]

    def test_harmony_arguments_may_hold_its_own_tokens(self) -> None:
        text = '<|channel|>commentary to=functions.search_papers<|message|>{"query": "the <|end|> token"}<|call|>'
        assert found(text) == [("search_papers", {"query": "the <|end|> token"})]


class TestPython:
    def test_a_line_gets_the_released_reading_unless_asked_for_by_name(self) -> None:
        line = "search_papers(query='it\\'s', top_k=-5, exact=True, weights=[1, 2.5])"
        assert found(line) == [("search_papers", {"query": "it\\"})]
        exact = {"query": "it's", "top_k": -5, "exact": True, "weights": [1, 2.5]}
        assert found(line, "pythonic") == [("search_papers", exact)]
        assert found(f"[{line}]") == [("search_papers", exact)]

    @pytest.mark.parametrize(
        "text",
        [
            "I think (about it).",
            "think (about the options)",
            "think(x)",
            "To think(thought='x') is best",
            "think(thought='x') is best",
            "think(thought='x'), then stop",
            "1. think(thought='x')",
            "* think(thought='x')",
            "> think(thought='x')",
            "`think(thought='x')`",
            "x = think(thought='x')",
            "# [1] think(thought='x')",
            "think",
            "[think]",
            "[1] think(thought='x')",
            "unthink(thought='x')",
        ],
    )
    def test_prose_is_no_call(self, text: str) -> None:
        assert parse_actions(text) == []

    @pytest.mark.parametrize(
        "text",
        [
            "think(thought='x')",
            "\tthink(thought='x')\r\n",
            "I will:\n\nthink(thought='x');  # first\n",
            "```python\nthink(thought='x')\n```",
            "Now [think(thought='x')] it is.",
            "think (thought = 'x')",
        ],
    )
    def test_a_call_alone_on_its_line_is_one(self, text: str) -> None:
        assert found(text) == [("think", {"thought": "x"})]

    def test_several_on_a_line_need_semicolons(self) -> None:
        assert names("think(thought='a'); get_paper_info(paper_id='x');") == ["think", "get_paper_info"]

    def test_statements_that_are_no_calls_are_passed_over_in_a_block(self) -> None:
        block = (
            "```tool_code\nfor x in y:\nif (x):\nprint('hello')\nprint(x)\n[think(thought='a')]\nlen(x)\n```"
        )
        assert found(block) == [("think", {"thought": "a"}), ("len", "x")]


class TestReasoning:
    @pytest.mark.parametrize(
        ("text", "calls"),
        [
            (f"<think>{INFO}</think>{THINK}", ["think"]),
            (f"<think>a</think>{INFO}<think>{THINK}</think>", ["get_paper_info"]),
            (f"{INFO}<think>{THINK}", ["get_paper_info"]),
            (f"<think>{INFO}", []),
            (f"<think>\n<tool_call>{INFO}</tool_call>\n</think>", []),
            (f"{INFO}</think>{THINK}", ["think"]),
            (f"{INFO}</think>", []),
            (f"{INFO}</think>{THINK}</think>", ["think"]),
            (f"<think>a</think>{INFO}</think>", ["get_paper_info"]),
            (f"<think><think>{INFO}</think>{THINK}", ["think"]),
            (f"<thinking>{INFO}</thinking>", ["get_paper_info"]),
            (f"[thinking]\n{INFO}", ["get_paper_info"]),
            (f"<|channel|>analysis<|message|>{INFO}<|end|>", []),
            (f"<|channel|>analysis<|message|>{INFO}", []),
            (
                f"<|channel|>analysis<|message|>{INFO}<|end|><|start|>assistant<|channel|>final<|message|>{THINK}",
                ["think"],
            ),
        ],
    )
    def test_reasoning_is_never_searched(self, text: str, calls: list[str]) -> None:
        assert names(text) == calls

    @pytest.mark.parametrize("format", FORMATS)
    def test_not_by_name_either(self, format: str) -> None:
        assert (
            parse_actions(
                f"<think>\n<tool_call>{INFO}</tool_call>\n{INFO}\nthink(thought='x')\n</think>", format
            )
            == []
        )

    def test_what_was_cut_out_separates_lines(self) -> None:
        assert names("Well.<think>hm</think>think(thought='x')") == ["think"]


def test_calls_have_a_bound() -> None:
    text = f"<tool_call>{INFO}</tool_call>" * (MAX_CALLS + 5)
    assert len(parse_actions(text)) == MAX_CALLS
    assert len(parse_actions("think()\n" * (MAX_CALLS + 5))) == MAX_CALLS
    assert len(parse_actions(f"[{', '.join([INFO] * (MAX_CALLS + 5))}]")) == MAX_CALLS


def test_parsed_is_frozen() -> None:
    with pytest.raises(AttributeError):
        parse("").kind = "hermes"  # type: ignore[misc]
    assert msgspec.structs.asdict(parse("")) == {"calls": [], "kind": None, "nameless": 0}


def test_text_arguments_are_those_that_the_schemas_call_strings() -> None:
    prompts = pytest.importorskip("agenthop_env.sandbox.prompts")
    strings: set[str] = set()
    others: set[str] = set()
    for schema in prompts.PromptSet().schemas(TOOL_NAMES):
        for argument, described in schema["function"]["parameters"]["properties"].items():
            (strings if described["type"] == "string" else others).add(argument)
    aliases = {alias for tool in ARGUMENT_ALIASES.values() for alias in tool.values()}
    assert strings | aliases == TEXT_ARGUMENTS
    assert not others & TEXT_ARGUMENTS
