"""A small release made by the tests: every odd thing that real releases hold, in ten items and a dozen papers.

Beside it, where the shared data lies, on machines that have it beside the repository.

`small_release` writes it; `Release` is the same as rows, for a test that changes one thing before it writes.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from agenthop_env.corpus.release import FILES, write_release

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
VECTORS = SHARED / "vectors"
PAPERS = SHARED / "data" / "papers"

needs_vectors = pytest.mark.skipif(not VECTORS.is_dir(), reason="../shared/vectors is not on this machine")
needs_papers = pytest.mark.skipif(not PAPERS.is_dir(), reason="../shared/data/papers is not on this machine")


def vector_rows(name: str) -> list[dict[str, Any]]:
    """Rows of one vector file; none where it is not there."""
    path = VECTORS / name
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []
    )


Row = dict[str, Any]

SEED, GOLD, OTHER, BRIDGE, FAR = "seed-1", "gold-1", "gold-2", "bridge-1", "far-1"
TWIN, BARE, NULLS, EMPTY = "twin-1", "bare-1", "nulls-1", "empty-1"
ABSENT = "not-in-the-graph"

ARXIV = {SEED: "2001.00001", GOLD: "2001.00002", OTHER: "2001.00003", BRIDGE: "2001.00004", FAR: "2001.00005"}
LONG_ABSTRACT = "A long abstract on graphs. " + "word " * 70
CONTEXT = "We build on the gold method of Gold et al."

NODES: Row = {
    SEED: {
        "title": "Seed of citation graphs", "arxivId": ARXIV[SEED], "year": 2024,
        "abstract": "We study citation graphs with agents.",
        "authors": [{"authorId": "1", "name": "Ada Smith"}, {"name": "Bo Ng"}, {"name": "Cy Ito"}],
    },
    GOLD: {
        "title": "Gold methods: \u00e9tude \u2200x", "arxivId": ARXIV[GOLD], "year": 2022, "venue": "NeurIPS",
        "abstract": "Agents hop over graphs.", "authors": [{"name": "Zo\u00eb Kim"}, {"name": "Bj\u00f6rn Rao"}],
    },
    OTHER: {
        "title": "Second gold", "arxivId": ARXIV[OTHER], "year": "2021", "abstract": LONG_ABSTRACT,
        "authors": [{"name": "Solo Author"}],
    },
    BRIDGE: {
        "title": "Bridge of graphs", "arxivId": ARXIV[BRIDGE], "year": 2020, "abstract": "agents agents agents",
        "authors": [],
    },
    FAR: {
        "title": "Far gold", "arxivId": ARXIV[FAR], "year": 2019, "abstract": "Behind the bridge.",
        "authors": [{"name": None}, {"name": "Kept Name"}],
    },
    TWIN: {"title": "Twin of gold", "arxivId": ARXIV[GOLD], "year": 2022, "abstract": "same text", "authors": []},
    BARE: {"title": "No text at all", "arxivId": "", "year": 2018, "abstract": "None here", "authors": None},
    NULLS: {"title": None, "arxivId": None, "year": None, "abstract": None, "authors": None},
    EMPTY: {"title": "Text without sections", "arxivId": "2001.00006", "year": 2017, "abstract": ""},
    "../../etc/passwd": {"title": "A paper id like a path", "arxivId": None, "year": 2016},
    "(B)": {},
}  # fmt: skip

EDGES: dict[str, list[str]] = {
    SEED: [GOLD, OTHER, BRIDGE, ABSENT, SEED, BARE, NULLS],
    BRIDGE: [FAR, SEED],
    FAR: [BRIDGE],
    GOLD: [],
}

PAPERS: list[Row] = [
    {
        "arxiv_id": ARXIV[SEED], "title": "Seed of citation graphs",
        "sections": [
            {"header": "1 Introduction", "text": "The seed introduces graphs."},
            {"header": "2 Related Work", "text": CONTEXT},
        ],
    },
    {
        "arxiv_id": ARXIV[GOLD], "title": "Gold methods",
        "sections": [
            {"header": "I. Introduction", "text": "Gold introduction."},
            {"header": "II-A  Set\u2014up", "text": "3.1 Data collection\nWe collect 42 graphs \U0001f600."},
            {"header": "Results", "text": "Gold results: 97.3%."},
            {"header": "Results and Discussion", "text": "More results."},
            {"header": "Apdx_B1: Proofs", "text": "A proof by \u2200x."},
            {"header": "results", "text": "A header twice."},
        ],
    },
    {
        "arxiv_id": ARXIV[OTHER], "title": "Second gold",
        "sections": [
            {"header": "3. Method", "text": "The second method.\n3.2 Training Details\nWe train for 7 days."},
            {"header": "4. Evaluation", "text": "We evaluate. See 3.2 Training Details above."},
        ],
    },
    {
        "arxiv_id": ARXIV[BRIDGE], "title": "Bridge of graphs",
        "sections": [{"header": "Overview", "text": "The bridge cites the far paper."}],
    },
    {
        "arxiv_id": ARXIV[FAR], "title": "Far gold",
        "sections": [{"header": f"{number} Part {number}", "text": f"part {number}"} for number in range(1, 31)],
    },
    {"arxiv_id": "2001.00006", "title": "Text without sections", "sections": []},
]  # fmt: skip


def item(item_id: str, golds: list[str], depth: int, correct: int = 1, **changes: Any) -> Row:
    """A row of the questions file."""
    multi = item_id.startswith("mt_")
    row = {
        "id": item_id,
        "question_type": "multi-target" if multi else "single-target",
        "depth": depth,
        "reasoning_type": "GROUND",
        "cognitive_skill": "comparison",
        "venue": "ICML",
        "consensus_tier": "gold",
        "question": f"What of {item_id}? {{braces}} %s \u00e9\u03b1",
        "options": [f"{item_id} one", f"{item_id} two {{x}}", f"{item_id} three", f"{item_id} four"],
        "correct_index": correct,
        "distractor_types": [
            "correct" if index == correct else ("seed_only", "wrong_paper", "no_context")[index % 3]
            for index in range(4)
        ],
        "seed_paper_id": SEED,
        "seed_arxiv_id": ARXIV[SEED],
        "seed_title": "Seed of citation graphs",
        "gold_paper_ids": golds,
        "gold_arxiv_ids": [ARXIV.get(gold, "") for gold in golds],
        "bridge_paper_ids": [BRIDGE] if depth == 2 else [],
        "bridge_arxiv_ids": [ARXIV[BRIDGE]] if depth == 2 else [],
        "filter_agreement": None,
    }
    return row | changes


def label(arxiv_id: str, section: str, relevance: str = "direct") -> Row:
    """One evidence label."""
    return {
        "paper": "", "arxiv_id": arxiv_id, "section": section, "relevance": relevance, "what_it_contains": "",
    }  # fmt: skip


LABELS: dict[str, list[Row]] = {
    "st_0001": [label(ARXIV[GOLD], "3 RESULTS"), label(ARXIV[SEED], "Introduction", "supporting")],
    "st_0002": [label(ARXIV[FAR], "2. Part 2")],
    "mt_0001": [label(ARXIV[GOLD], "Set-up"), label(ARXIV[OTHER], "3.2 Training Details")],
    "mt_0002": [label(ARXIV[GOLD], "Introduction"), label(ARXIV[FAR], "30 Part 30")],
    "st_0003": [label(ARXIV[GOLD], ""), label("", "Results")],
    "st_0004": [label(ARXIV[GOLD], "3.1 Data collection")],
    "st_0005": [label(ARXIV[GOLD], "Results"), label(ARXIV[GOLD], "Proofs")],
    "st_0006": [label(ARXIV[OTHER], "Method", "supporting")],
    "mt_0003": [
        label(ARXIV[GOLD], "Proofs"),
        label(ARXIV[OTHER], "Evaluation"),
        label(ARXIV[FAR], "1 Part 1"),
    ],
}
"""st_0003 has empty labels alone, st_0006 a supporting one alone, st_0007 no row at all."""


class Release:
    """The small release as rows; change them, then `write`."""

    def __init__(self) -> None:
        self.qa: list[Row] = [
            item("st_0001", [GOLD], 1),
            item("st_0002", [FAR], 2, correct=0, consensus_tier="silver", reasoning_type="METHOD"),
            item("mt_0001", [GOLD, OTHER], 1, correct=3, reasoning_type="RESULT"),
            item("mt_0002", [GOLD, FAR], 2, correct=2, consensus_tier="bronze", reasoning_type="MOTIVE"),
            item("st_0003", [GOLD], 1),
            item("st_0004", [GOLD], 1),
            item("st_0005", [GOLD], 1, gold_arxiv_ids=[]),
            item("st_0006", [OTHER], 1),
            item("mt_0003", [GOLD, OTHER, FAR], 2),
            item("st_0007", ["gold-elsewhere"], 1, gold_arxiv_ids=[ARXIV[GOLD]]),
        ]
        self.graphs: list[Row] = []
        for row in self.qa:
            graph = {"sample_id": row["id"], "nodes": copy.deepcopy(NODES), "edges": copy.deepcopy(EDGES)}
            if row["id"] == "st_0004":
                graph["contexts"] = {SEED: {GOLD: CONTEXT}}
            self.graphs.append(graph)
        self.papers = copy.deepcopy(PAPERS)
        self.labels: list[Row] = [
            {"sample_id": item_id, "analysis": {"section_recall_labels": copy.deepcopy(labels)}}
            for item_id, labels in LABELS.items()
        ]

    def question(self, item_id: str) -> Row:
        return next(row for row in self.qa if row["id"] == item_id)

    def graph(self, item_id: str) -> Row:
        return next(row for row in self.graphs if row["sample_id"] == item_id)

    def paper(self, arxiv_id: str) -> Row:
        return next(row for row in self.papers if row["arxiv_id"] == arxiv_id)

    def only(self, *item_ids: str) -> Release:
        """This release with some items alone."""
        self.qa = [row for row in self.qa if row["id"] in item_ids]
        self.graphs = [row for row in self.graphs if row["sample_id"] in item_ids]
        self.labels = [row for row in self.labels if row["sample_id"] in item_ids]
        return self

    def write(self, folder: Path) -> Path:
        return write_release(folder, self.qa, self.graphs, self.papers, self.labels)


def small_release(folder: Path) -> Path:
    """Write the small release."""
    return Release().write(folder)


def write_lines(folder: Path, lines: dict[str, list[str | bytes | Row]]) -> Path:
    """Write raw lines, broken ones too; a file not named is left out."""
    for file in FILES:
        if file not in lines:
            continue
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as stream:
            for line in lines[file]:
                if isinstance(line, dict):
                    line = json.dumps(line)
                stream.write(
                    line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass") + b"\n"
                )
    return folder
