"""A release for the environments' tests: four items on a few short papers, and scripted games on them.

`st_0001` has one gold paper that the seed cites, `st_0002` one behind a bridge, `mt_0001` two, `st_0003` one without any
label. Texts hold accents, Greek and an emoji on purpose.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agenthop_env.actions import render_calls
from agenthop_env.corpus.release import write_release
from agenthop_env.records import ToolCall

Row = dict[str, Any]

SEED, ALPHA, BETA, BRIDGE = "p-seed", "p-alpha", "p-beta", "p-bridge"
ARXIV = {SEED: "3001.00001", ALPHA: "3001.00002", BETA: "3001.00003", BRIDGE: "3001.00004"}
ITEMS = ("st_0001", "st_0002", "mt_0001", "st_0003")

NODES: Row = {
    SEED: {"title": "Müon schedules", "arxivId": ARXIV[SEED], "year": 2025, "abstract": "We study λ-schedules.",
           "authors": [{"name": "Ada Ng"}, {"name": "Zoë Kim"}, {"name": "Bo Li"}]},
    ALPHA: {"title": "Alpha warmup", "arxivId": ARXIV[ALPHA], "year": 2023, "venue": "NeurIPS",
            "abstract": "Warmup of 400 steps helps λ.", "authors": [{"name": "Uwe Ost"}]},
    BETA: {"title": "Beta decay", "arxivId": ARXIV[BETA], "year": 2022, "abstract": "Decay schedules 😀 compared.",
           "authors": [{"name": "Ida Ro"}, {"name": "Li Wu"}]},
    BRIDGE: {"title": "A bridge", "arxivId": ARXIV[BRIDGE], "year": 2021, "abstract": None, "authors": []},
    "p-bare": {"title": "No text", "arxivId": None, "year": None, "abstract": None, "authors": None},
}  # fmt: skip

PAPERS: list[Row] = [
    {"arxiv_id": ARXIV[SEED], "title": "Müon schedules", "sections": [
        {"header": "1 Introduction", "text": "Schedules matter; we cite Ost."}]},
    {"arxiv_id": ARXIV[ALPHA], "title": "Alpha warmup", "sections": [
        {"header": "1 Introduction", "text": "We warm up."},
        {"header": "2 Method", "text": "The warmup lasts 400 steps.\n2.1 Rate\nThe peak rate is 0.3."},
        {"header": "3 Results", "text": "Loss falls by 7%."}]},
    {"arxiv_id": ARXIV[BETA], "title": "Beta decay", "sections": [
        {"header": "Abstract", "text": "Decay."}, {"header": "Décroissance", "text": "The decay is cosine."}]},
    {"arxiv_id": ARXIV[BRIDGE], "title": "A bridge", "sections": [{"header": "Text", "text": "It cites Ro and Wu."}]},
]  # fmt: skip

OPTIONS = ["100 steps", "400 steps", "linear", "cosine"]


def _item(item_id: str, golds: list[str], correct: int, depth: int = 1, bridges: tuple[str, ...] = ()) -> Row:
    kinds = ["wrong_paper", "seed_only", "no_context", "no_context"]
    kinds[correct] = "correct"
    return {
        "id": item_id, "question_type": "multi-target" if len(golds) > 1 else "single-target", "depth": depth,
        "reasoning_type": "METHOD", "cognitive_skill": "recall", "venue": "NeurIPS", "consensus_tier": "gold",
        "question": f"What does {' and '.join(NODES[gold]['title'] for gold in golds)} use?", "options": list(OPTIONS),
        "correct_index": correct, "distractor_types": kinds, "seed_paper_id": SEED, "seed_arxiv_id": ARXIV[SEED],
        "seed_title": "Müon schedules", "gold_paper_ids": golds, "gold_arxiv_ids": [ARXIV[gold] for gold in golds],
        "bridge_paper_ids": list(bridges), "bridge_arxiv_ids": [ARXIV[bridge] for bridge in bridges],
        "filter_agreement": None,
    }  # fmt: skip


def _labels(item_id: str, *where: tuple[str, str]) -> Row:
    return {"sample_id": item_id, "analysis": {"section_recall_labels": [
        {"paper": NODES[paper]["title"], "arxiv_id": ARXIV[paper], "section": section, "relevance": "direct",
         "what_it_contains": "the value"} for paper, section in where]}}  # fmt: skip


def rows() -> tuple[list[Row], list[Row], list[Row], list[Row]]:
    """The four files' rows: questions, graphs, papers, labels."""
    qa = [
        _item("st_0001", [ALPHA], 1),
        _item("st_0002", [BETA], 3, depth=2, bridges=(BRIDGE,)),
        _item("mt_0001", [ALPHA, BETA], 3),
        _item("st_0003", [BETA], 3, depth=2, bridges=(BRIDGE,)),
    ]
    edges = {SEED: [ALPHA, BRIDGE, "p-bare"], BRIDGE: [BETA], ALPHA: [], BETA: []}
    contexts = {SEED: {ALPHA: "Ost warms up (2023)."}}
    graphs = [{"sample_id": row["id"], "nodes": NODES, "edges": edges, "contexts": contexts} for row in qa]
    labels = [
        _labels("st_0001", (ALPHA, "Method"), (ALPHA, "Results")),
        _labels("st_0002", (BETA, "Décroissance")),
        _labels("mt_0001", (ALPHA, "2.1 Rate"), (BETA, "Décroissance")),
    ]
    return qa, graphs, [dict(paper) for paper in PAPERS], labels


def write(folder: Path) -> Path:
    """Write the release."""
    return write_release(folder, *rows())


def calls(*wanted: tuple[str, dict[str, Any]], tool_format: str = "hermes") -> str:
    """A message with tool calls."""
    return render_calls([ToolCall(name, arguments) for name, arguments in wanted], tool_format)


def read(paper: str, section: str) -> str:
    """A message that reads a section."""
    return calls(("read_section", {"paper_id": paper, "section": section}))


def submit(option: str) -> str:
    """A message that submits an option."""
    return calls(("submit_answer", {"option": option}))


GAMES: dict[str, list[str]] = {
    "straight": [
        calls(("get_references", {"paper_id": SEED}), ("list_sections", {"paper_id": ALPHA})),
        read(ALPHA, "Method"),
        calls(("read_section", {"paper_id": ALPHA, "section": "C"}), ("think", {"thought": "π is 3"})),
        submit("B"),
    ],
    "malformed": [
        "no call at all",
        '<tool_call>{"name": "read_section", "arguments": {"paper_id": 3}}</tool_call>',
        "<tool_call>{broken",
        '<tool_call>{"name": "fly", "arguments": {}}</tool_call>',
        calls(
            ("search_papers", {"query": "decay schedules", "top_k": "3"}),
            ("get_paper_info", {"paper_id": BETA}),
        ),
        "\ud800 lone and \x00 nul",
        submit("(D)."),
    ],
    "budget": [
        calls(*[("read_section", {"paper_id": ALPHA, "section": letter}) for letter in "ABC"]),
        calls(*[("read_section", {"paper_id": BETA, "section": letter}) for letter in "ABZ"]),
        calls(("read_section", {"paper_id": SEED, "section": "A"}), ("get_references", {"paper_id": SEED})),
    ],
    "unseen": [
        calls(("read_section", {"paper_id": BETA, "section": "B"}), ("submit_answer", {"option": "D"}))
    ],
    "idle": ["..."] * 20,
}
"""Name -> the messages of a game that ends with the last of them."""
