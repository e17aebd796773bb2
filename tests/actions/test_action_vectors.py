"""The released harness's results, row by row; where the row allows another result, ours is pinned with its reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agenthop_env.actions import parse_actions

VECTORS = Path(__file__).resolve().parents[2].parent / "shared" / "vectors" / "text_calls.jsonl"
ROWS: list[dict[str, Any]] = (
    [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]
    if VECTORS.is_file()
    else []
)

ID = "0123456789abcdef0123456789abcdef01234567"
INFO = [("get_paper_info", {"paper_id": ID})]
REFERENCES = [("get_references", {"paper_id": ID})]
SECTIONS = [("list_sections", {"paper_id": ID})]
READ = [("read_section", {"paper_id": ID, "section": "(B)"})]
SEARCH = [("search_papers", {"query": 'multi-hop "QA" it\'s', "top_k": 3})]
LINES = [("think", {"reasoning": "Line one\nline (two) [x] {y}"})]
X = [("think", {"reasoning": "x"})]

PRINTED = "print() around a call in tool_code is how Gemma asks for its result"
PARAMETERS = "the protocol takes `parameters` for `arguments`"
KEY_ORDER = "the order of JSON keys means nothing"
COMMENT = "a comment is no call"
BULLET = "a list of plans is prose: the call does not stand alone on its line"
PROSE = "words stand before it on the line"
SEMICOLON = "a semicolon ends a statement and changes nothing"
PARENTHESIS = "a parenthesis inside a string is part of the string"
BRACES = "braces inside a string are part of the string"
LINE_BREAK = "a call may run over several lines, a string in it too"
NOT_CLOSED = "it is cut off, and nothing says what follows"

PINNED: dict[str, tuple[list[tuple[str, Any]], str]] = {
    f"```tool_code\nprint(get_paper_info(paper_id='{ID}'))\n```": (INFO, PRINTED),
    f"```tool_code\nprint(get_references(paper_id='{ID}'))\n```": (REFERENCES, PRINTED),
    "```tool_code\nprint(search_papers(query='multi-hop \"QA\" it's', top_k=3))\n```": (
        [("search_papers", {"query": 'multi-hop "QA" it', "top_k": 3})],
        PRINTED + "; not Python, so the released pattern reads the arguments",
    ),
    f'{{"name": "get_paper_info", "parameters": {{"paper_id": "{ID}"}}}}': (INFO, PARAMETERS),
    f'{{"name": "list_sections", "parameters": {{"paper_id": "{ID}"}}}}': (SECTIONS, PARAMETERS),
    '{"name": "search_papers", "parameters": {"query": "multi-hop \\"QA\\" it\'s", "top_k": 3}}': (
        SEARCH,
        PARAMETERS,
    ),
    f'{{"arguments": {{"paper_id": "{ID}"}}, "name": "get_paper_info"}}': (INFO, KEY_ORDER),
    '{"arguments": {"query": "multi-hop \\"QA\\" it\'s", "top_k": 3}, "name": "search_papers"}': (
        SEARCH,
        KEY_ORDER,
    ),
    '{"arguments": {"reasoning": "Line one\\nline (two) [x] {y}"}, "name": "think"}': (LINES, KEY_ORDER),
    f"# get_paper_info(paper_id='{ID}')": ([], COMMENT),
    f"# list_sections(paper_id='{ID}')": ([], COMMENT),
    f"# read_section(paper_id='{ID}', section='(B)')": ([], COMMENT),
    "# think(reasoning='Line one\nline (two) [x] {y}')": ([], COMMENT),
    f"- get_paper_info(paper_id='{ID}')": ([], BULLET),
    f"- get_references(paper_id='{ID}')": ([], BULLET),
    "- submit_answer(answer='C', reasoning='because, it's \"so\"')": ([], BULLET),
    f"Calling get_references(paper_id='{ID}')": ([], PROSE),
    f"Calling read_section(paper_id='{ID}', section='(B)')": ([], PROSE),
    "Calling submit_answer(answer='C', reasoning='because, it's \"so\"')": ([], PROSE),
    "[thinking] submit_answer(answer='A')\n[answer] no": ([], PROSE),
    "[thinking] plan\nsubmit_answer(answer='A')\n[answer] no": (
        [("submit_answer", {"answer": "A"})],
        "[thinking] is not the <think> tag, and the call stands on its own line",
    ),
    f"get_references(paper_id='{ID}');": (REFERENCES, SEMICOLON),
    "think(reasoning='Line one\nline (two) [x] {y}');": (LINES, SEMICOLON),
    "submit_answer(answer='C', reasoning='because, it's \"so\"');": (
        [("submit_answer", {"answer": "C", "reasoning": "because, it"})],
        SEMICOLON + "; not Python, so the released pattern reads the arguments",
    ),
    f"[read_section(paper_id='{ID}', section='(B)')]": (READ, PARENTHESIS),
    f'[read_section(paper_id="{ID}", section="(B)")]': (READ, PARENTHESIS),
    "[think(reasoning='a (paren) b')]": ([("think", {"reasoning": "a (paren) b"})], PARENTHESIS),
    '```\n{"name": "think", "arguments": {"reasoning": "Line one\\nline (two) [x] {y}"}}\n```': (
        LINES,
        BRACES,
    ),
    'I will call:\n{"name": "think", "arguments": {"reasoning": "Line one\\nline (two) [x] {y}"}}\nnow': (
        LINES,
        BRACES,
    ),
    '{"name": "think", "arguments": {"reasoning": {"nested": 1}}}': (
        [("think", {"reasoning": {"nested": 1}})],
        "arguments may nest; what becomes of them is the tool's business",
    ),
    "```tool_code\nthink(reasoning='Line one\nline (two) [x] {y}')\n```": (LINES, LINE_BREAK),
    '```tool_code\nthink(reasoning="Line one\nline (two) [x] {y}")\n```': (LINES, LINE_BREAK),
    "```tool_code\nprint(think(reasoning='Line one\nline (two) [x] {y}'))\n```": (LINES, LINE_BREAK),
    '  think(reasoning="Line one\nline (two) [x] {y}")  ': (LINES, LINE_BREAK),
    '[think(reasoning="Line one\nline (two) [x] {y}")]': (LINES, LINE_BREAK),
    "```tool_code\nget_paper_info(\n  paper_id='x'\n)\n```": (
        [("get_paper_info", {"paper_id": "x"})],
        LINE_BREAK,
    ),
    '<tool_call>{"name": "get_paper_info", "arguments": "oops"}</tool_call>': (
        [("get_paper_info", "oops")],
        "unparsable arguments stay a string, which the episode answers with bad_arguments",
    ),
    '<tool_call>{"name": "", "arguments": {}}</tool_call>': ([], "an empty name is no readable name"),
    '<tool_call>{"name": 5}</tool_call>': ([], "a number is no readable name"),
    "<function=get_paper_info><parameter=paper_id>x</parameter></function>": (
        [("get_paper_info", {"paper_id": "x"})],
        "the protocol lists XML functions among the explicit envelopes",
    ),
    '{"name":"nope","arguments":{}}': ([], "an unknown name is a call only in an explicit envelope"),
    '{"name": "think", "arguments": {"reasoning": "x"}': ([], NOT_CLOSED),
    "submit_answer(answer='A'": ([], NOT_CLOSED),
    "submit_answer answer='A'": ([], "there are no parentheses, so it is no call"),
    "submit_answer": ([], "a name alone is no call"),
    "functions.think(reasoning='x')": (X, "a namespace before a known name is dropped"),
    "think(reasoning='x') # comment": (X, "a comment behind a statement changes nothing"),
    "think(reasoning='x').": ([], "a full stop makes it a sentence about a call"),
    '[think(reasoning="a"), nope]': ([("think", {"reasoning": "a"})], "the list plainly holds one call"),
}

needs_vectors = pytest.mark.skipif(not ROWS, reason="the shared vectors are not beside this checkout")


def found(text: str) -> list[tuple[str, Any]]:
    return [(call.name, call.arguments) for call in parse_actions(text)]


@needs_vectors
@pytest.mark.parametrize(
    "row", [row for row in ROWS if "override" not in row], ids=lambda row: row["text"][:60]
)
def test_released_results_are_reproduced(row: dict[str, Any]) -> None:
    assert found(row["text"]) == [(call["name"], call["args"]) for call in row["calls"]]


@pytest.mark.parametrize("text", PINNED, ids=lambda text: text[:60])
def test_results_that_differ_by_intent(text: str) -> None:
    calls, reason = PINNED[text]
    assert found(text) == calls, reason


@needs_vectors
def test_every_row_that_may_differ_is_pinned() -> None:
    assert {row["text"] for row in ROWS if "override" in row} == set(PINNED)
