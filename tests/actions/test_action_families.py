"""What models of each family write, after their chat templates."""

from __future__ import annotations

from typing import Any

import pytest

from agenthop_env.actions import FORMATS, parse, parse_actions, render_calls
from agenthop_env.records import ToolCall

BAR = "\uff5c"
READ = ("read_section", {"paper_id": "2301.00001", "section": "(B)"})
SEARCH = ("search_papers", {"query": "multi-hop QA", "top_k": 3})
THINK = ("think", {"thought": "First the references."})
NOTHING: tuple[str, dict[str, Any]] = ("think", {})

READ_JSON = '{"paper_id": "2301.00001", "section": "(B)"}'
SEARCH_JSON = '{"query": "multi-hop QA", "top_k": 3}'


def deepseek(token: str) -> str:
    return f"<{BAR}{token.replace(' ', '▁')}{BAR}>"


SAMPLES: list[tuple[str, str, str, list[tuple[str, Any]]]] = [
    (
        "Qwen3, with its empty thinking block",
        "hermes",
        "<think>\n\n</think>\n\nLet me see.\n<tool_call>\n"
        f'{{"name": "read_section", "arguments": {READ_JSON}}}\n</tool_call>\n<tool_call>\n'
        f'{{"name": "search_papers", "arguments": {SEARCH_JSON}}}\n</tool_call><|im_end|>',
        [READ, SEARCH],
    ),
    (
        "Qwen2.5, final brace forgotten",
        "hermes",
        f'<tool_call>\n{{"name": "read_section", "arguments": {READ_JSON}\n</tool_call>',
        [READ],
    ),
    (
        "Qwen2.5, a brace too many",
        "hermes",
        f'<tool_call>\n{{"name": "read_section", "arguments": {READ_JSON}}}}}\n</tool_call>',
        [READ],
    ),
    (
        "Qwen2.5, a line break inside a string",
        "hermes",
        '<tool_call>\n{"name": "think", "arguments": {"thought": "one\ntwo"}}\n</tool_call>',
        [("think", {"thought": "one\ntwo"})],
    ),
    (
        "Hermes, the closing tag inside a string",
        "hermes",
        '<tool_call>{"name": "think", "arguments": {"thought": "then </tool_call> ends it"}}</tool_call>'
        f'<tool_call>{{"name": "search_papers", "arguments": {SEARCH_JSON}}}</tool_call>',
        [("think", {"thought": "then </tool_call> ends it"}), SEARCH],
    ),
    (
        "OpenAI's shape inside an envelope",
        "hermes",
        '<tool_call>{"type": "function", "function": {"name": "think", "arguments": "{\\"thought\\": \\"x\\"}"}}</tool_call>',
        [("think", {"thought": "x"})],
    ),
    (
        "Qwen3-Coder",
        "qwen3_coder",
        "<tool_call>\n<function=read_section>\n<parameter=paper_id>\n2301.00001\n</parameter>\n"
        "<parameter=section>\n(B)\n</parameter>\n</function>\n</tool_call>\n"
        "<tool_call>\n<function=search_papers>\n<parameter=query>\nmulti-hop QA\n</parameter>\n"
        "<parameter=top_k>\n3\n</parameter>\n</function>\n</tool_call>",
        [READ, SEARCH],
    ),
    (
        "Qwen3-Coder, a closing tag forgotten and the envelope as well",
        "qwen3_coder",
        "<function=read_section><parameter=paper_id>2301.00001<parameter=section>(B)</parameter></function>",
        [READ],
    ),
    (
        "Qwen3-Coder, tags inside a value",
        "qwen3_coder",
        "<function=think><parameter=thought>use </function> or </tool_call> here</parameter></function>",
        [("think", {"thought": "use </function> or </tool_call> here"})],
    ),
    (
        "Llama 3.1, custom function with JSON",
        "qwen3_coder",
        f"<function=read_section>{READ_JSON}</function>",
        [READ],
    ),
    (
        "GLM-4.5",
        "glm",
        "<think>Which section?</think>\n<tool_call>read_section\n<arg_key>paper_id</arg_key>\n"
        "<arg_value>2301.00001</arg_value>\n<arg_key>section</arg_key>\n<arg_value>(B)</arg_value>\n</tool_call>",
        [READ],
    ),
    (
        "GLM-4.7, on one line and without arguments",
        "glm",
        "<tool_call>search_papers<arg_key>query</arg_key><arg_value>multi-hop QA</arg_value>"
        "<arg_key>top_k</arg_key><arg_value>3</arg_value></tool_call><tool_call>think</tool_call>",
        [SEARCH, NOTHING],
    ),
    (
        "Llama 3.1, bare",
        "llama3_json",
        f'{{"name": "read_section", "parameters": {READ_JSON}}}',
        [READ],
    ),
    (
        "Llama 3.1, tagged, two calls",
        "llama3_json",
        f'<|python_tag|>{{"name": "read_section", "parameters": {READ_JSON}}}; '
        f'{{"name": "search_papers", "parameters": {SEARCH_JSON}}}<|eom_id|>',
        [READ, SEARCH],
    ),
    (
        "Llama 3.1, tagged Python",
        "llama3_json",
        '<|python_tag|>search_papers.call(query="multi-hop QA")',
        [("search_papers", {"query": "multi-hop QA"})],
    ),
    (
        "Llama 4",
        "pythonic",
        '[read_section(paper_id="2301.00001", section="(B)"), search_papers(query=\'multi-hop QA\', top_k=3)]',
        [READ, SEARCH],
    ),
    (
        "Llama 4, between its tokens",
        "pythonic",
        '<|python_start|>[read_section(paper_id="2301.00001", section="(B)")]<|python_end|>',
        [READ],
    ),
    (
        "Mistral 7B v0.3",
        "mistral",
        f'[TOOL_CALLS] [{{"name": "read_section", "arguments": {READ_JSON}, "id": "AbCdEfGhI"}}, '
        f'{{"name": "search_papers", "arguments": {SEARCH_JSON}}}]',
        [READ, SEARCH],
    ),
    (
        "Mistral Small 3.2",
        "mistral",
        f"Let me see.[TOOL_CALLS]read_section[ARGS]{READ_JSON}[TOOL_CALLS]search_papers[CALL_ID]AbCdEfGhI[ARGS]{SEARCH_JSON}",
        [READ, SEARCH],
    ),
    (
        "Mistral, special tokens lost",
        "mistral",
        f"[TOOL_CALLS]read_section{READ_JSON}",
        [READ],
    ),
    (
        "Gemma 3",
        "gemma",
        "I look at it.\n```tool_code\nread_section(paper_id='2301.00001', section='(B)')\n```\n",
        [READ],
    ),
    (
        "Gemma 3, as a script",
        "gemma",
        "```tool_code\n# first\nimport json\nresult = default_api.search_papers(query='multi-hop QA', top_k=3)\n"
        "print(result)\nprint(think(thought='First the references.'))\n```",
        [SEARCH, THINK],
    ),
    (
        "gpt-oss",
        "harmony",
        "<|channel|>analysis<|message|>I could call get_paper_info.<|end|><|start|>assistant<|channel|>commentary "
        f"to=functions.read_section <|constrain|>json<|message|>{READ_JSON}<|call|>",
        [READ],
    ),
    (
        "gpt-oss, recipient before the channel",
        "harmony",
        f"<|start|>assistant to=functions.read_section<|channel|>commentary json<|message|>{READ_JSON}<|call|>"
        f"<|start|>assistant to=functions.search_papers<|channel|>analysis json<|message|>{SEARCH_JSON}<|call|>",
        [READ, SEARCH],
    ),
    (
        "gpt-oss, as the completion of its prompt",
        "harmony",
        f" to=functions.search_papers<|channel|>commentary json<|message|>{SEARCH_JSON}",
        [SEARCH],
    ),
    (
        "DeepSeek V3 and R1",
        "deepseek",
        f"{deepseek('tool calls begin')}{deepseek('tool call begin')}function{deepseek('tool sep')}read_section\n"
        f"```json\n{READ_JSON}\n```{deepseek('tool call end')}\n{deepseek('tool call begin')}function"
        f"{deepseek('tool sep')}search_papers\n```json\n{SEARCH_JSON}\n```{deepseek('tool call end')}"
        f"{deepseek('tool calls end')}",
        [READ, SEARCH],
    ),
    (
        "DeepSeek V3.1",
        "deepseek",
        f"Let me see.{deepseek('tool calls begin')}{deepseek('tool call begin')}read_section{deepseek('tool sep')}{READ_JSON}"
        f"{deepseek('tool call end')}{deepseek('tool call begin')}search_papers{deepseek('tool sep')}{SEARCH_JSON}"
        f"{deepseek('tool call end')}{deepseek('tool calls end')}",
        [READ, SEARCH],
    ),
    (
        "DeepSeek V3.1, plain bars",
        "deepseek",
        f"<|tool_calls_begin|><|tool_call_begin|>read_section<|tool_sep|>{READ_JSON}<|tool_call_end|><|tool_calls_end|>",
        [READ],
    ),
    (
        "DeepSeek V3.2",
        "deepseek",
        f'<{BAR}DSML{BAR}function_calls>\n<{BAR}DSML{BAR}invoke name="search_papers">\n'
        f'<{BAR}DSML{BAR}parameter name="query" string="true">multi-hop QA</{BAR}DSML{BAR}parameter>\n'
        f'<{BAR}DSML{BAR}parameter name="top_k" string="false">3</{BAR}DSML{BAR}parameter>\n'
        f"</{BAR}DSML{BAR}invoke>\n</{BAR}DSML{BAR}function_calls>",
        [SEARCH],
    ),
    (
        "Kimi K2",
        "kimi",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_section:0<|tool_call_argument_begin|>"
        f"{READ_JSON}<|tool_call_end|><|tool_call_begin|>functions.search_papers:1<|tool_call_argument_begin|>"
        f"{SEARCH_JSON}<|tool_call_end|><|tool_calls_section_end|>",
        [READ, SEARCH],
    ),
    (
        "MiniMax M1",
        "minimax",
        f'<tool_calls>\n{{"name": "read_section", "arguments": {READ_JSON}}}\n'
        f'{{"name": "search_papers", "arguments": {SEARCH_JSON}}}\n</tool_calls>',
        [READ, SEARCH],
    ),
    (
        "MiniMax M2",
        "minimax",
        '<minimax:tool_call>\n<invoke name="read_section">\n<parameter name="paper_id">2301.00001</parameter>\n'
        "<parameter name=\"section\">(B)</parameter>\n</invoke>\n<invoke name='search_papers'>\n"
        "<parameter name='query'>multi-hop QA</parameter>\n<parameter name=top_k>3</parameter>\n</invoke>\n"
        "</minimax:tool_call>",
        [READ, SEARCH],
    ),
    (
        "Claude",
        "invoke",
        '<function_calls>\n<invoke name="search_papers">\n<parameter name="query">multi-hop QA</parameter>\n'
        '<parameter name="top_k">3</parameter>\n</invoke>\n</function_calls>',
        [SEARCH],
    ),
    (
        "a fence by prompt",
        "json",
        f'Next:\n```json\n{{"name": "read_section", "arguments": {READ_JSON}}}\n```',
        [READ],
    ),
    (
        "bare JSON in prose",
        "json",
        f'I will [carefully] call {{this}}: {{"action": {{"name": "search_papers", "arguments": {SEARCH_JSON}}}}} now.',
        [SEARCH],
    ),
    (
        "a tool_call fence",
        "json",
        f'```tool_call\n{{"name": "read_section", "arguments": {READ_JSON}}}\n{{"name": "think"}}\n```',
        [READ, NOTHING],
    ),
]


@pytest.mark.parametrize(
    ("family", "format", "text", "calls"), SAMPLES, ids=[sample[0] for sample in SAMPLES]
)
def test_samples_are_read_by_name_and_recognized(
    family: str, format: str, text: str, calls: list[tuple[str, Any]]
) -> None:
    for chosen in (format, "auto"):
        assert [(call.name, call.arguments) for call in parse_actions(text, chosen)] == calls, chosen


def test_every_format_has_a_sample_and_a_family() -> None:
    assert {sample[1] for sample in SAMPLES} == FORMATS.keys() - {"auto"}
    assert all(format.description and format.families for format in FORMATS.values())


@pytest.mark.parametrize("format", sorted(FORMATS.keys() - {"auto"}))
def test_kind_is_the_format(format: str) -> None:
    parsed = parse(render_calls([ToolCall(*READ)], format), format)
    assert parsed.kind == ("json" if format == "llama3_json" else format)
