"""Rows of the release layout for one item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agenthop_env.worlds.anatomy import SEED, Anatomy
from agenthop_env.worlds.options import Deal

Row = dict[str, Any]


class WorldItem(NamedTuple):
    """Everything that one item needs, as rows of the four files of the release layout.

    Attributes:
        qa: The row of `qa/full.jsonl`.
        graph: The row of `graphs/full.jsonl`.
        papers: Rows of `paper_pool/papers.jsonl`: the item's papers that have text.
        labels: The row of `audit/recall_labels.jsonl`.
    """

    qa: Row
    graph: Row
    papers: list[Row]
    labels: Row


class Label(NamedTuple):
    """Where the evidence of a gold stands: a section's or subsection's header, and what it says."""

    paper: int
    section: str
    relevance: str
    note: str


def item_id(prefix: str, index: int) -> str:
    """`st_000012`: the question type and the index."""
    return f"{prefix}_{index:06d}"


def index_of(sample_id: str) -> int:
    """The index in an id.

    Raises:
        ValueError: If the text is not such an id.
    """
    prefix, _, digits = sample_id.partition("_")
    if prefix not in ("st", "mt") or len(digits) != 6 or not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"not an item id: {sample_id!r}; ids look like st_000012 or mt_000012")
    return int(digits)


def qa_row(
    index: int,
    anatomy: Anatomy,
    dealt: Deal,
    *,
    question: str,
    options: Sequence[str],
    ids: Sequence[str],
    arxiv_ids: Sequence[str | None],
    seed_title: str,
    tier: str,
    venue: str,
) -> Row:
    """The question's row, every field of the layout in its order."""
    kind = anatomy.kind
    return {
        "id": item_id(kind.prefix, index),
        "question_type": "single-target" if len(anatomy.golds) == 1 else "multi-target",
        "depth": kind.depth,
        "reasoning_type": anatomy.reasoning,
        "cognitive_skill": "synthesize" if len(anatomy.golds) > 1 else "locate",
        "venue": venue,
        "consensus_tier": tier,
        "question": question,
        "options": list(options),
        "correct_index": dealt.correct_index,
        "distractor_types": list(dealt.roles),
        "seed_paper_id": ids[SEED],
        "seed_arxiv_id": arxiv_ids[SEED],
        "seed_title": seed_title,
        "gold_paper_ids": [ids[gold] for gold in anatomy.golds],
        "gold_arxiv_ids": [arxiv_ids[gold] for gold in anatomy.golds],
        "bridge_paper_ids": [ids[bridge] for bridge in anatomy.bridges],
        "bridge_arxiv_ids": [arxiv_ids[bridge] for bridge in anatomy.bridges],
        "filter_agreement": None,
        "bridge_necessary": bool(anatomy.bridges),
    }


def graph_row(
    sample_id: str,
    anatomy: Anatomy,
    *,
    ids: Sequence[str],
    nodes: Mapping[int, Row],
    contexts: Mapping[int, Mapping[int, str]],
    dangling: Mapping[int, Sequence[str]],
) -> Row:
    """The graph's row: nodes in graph order, edges in bibliography order, citing sentences where known."""
    edges: dict[str, list[str]] = {}
    sentences: dict[str, dict[str, str]] = {}
    for number in anatomy.order:
        cited = [ids[other] for other in anatomy.references[number]] + list(dangling.get(number, ()))
        if cited:
            edges[ids[number]] = cited
        if contexts.get(number):
            sentences[ids[number]] = {ids[other]: text for other, text in contexts[number].items()}
    return {
        "sample_id": sample_id,
        "seed": ids[SEED],
        "nodes": {ids[number]: nodes[number] for number in anatomy.order},
        "edges": edges,
        "contexts": sentences,
    }


def labels_row(
    sample_id: str, labels: Sequence[Label], titles: Sequence[str], arxiv_ids: Sequence[str | None]
) -> Row:
    """The evidence labels' row."""
    return {
        "sample_id": sample_id,
        "analysis": {
            "section_recall_labels": [
                {
                    "paper": titles[label.paper],
                    "arxiv_id": arxiv_ids[label.paper],
                    "section": label.section,
                    "relevance": label.relevance,
                    "what_it_contains": label.note,
                }
                for label in labels
            ]
        },
    }


def node_row(
    title: str,
    arxiv_id: str | None,
    year: int | None,
    abstract: str | None,
    authors: Sequence[str],
    venue: str | None,
) -> Row:
    """One node of a graph."""
    row: Row = {
        "title": title,
        "arxivId": arxiv_id,
        "year": year,
        "abstract": abstract,
        "authors": [{"name": name} for name in authors],
    }
    if venue is not None:
        row["venue"] = venue
    return row
