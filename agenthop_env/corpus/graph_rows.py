"""Rows of a release's graphs file: nodes, citations, citing sentences.

Edges to nodes that are not there, self-citations and cycles are normal; what cannot be used is noted and left out.
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.corpus.problems import Problems
from agenthop_env.corpus.release import GRAPHS_FILE, decode_line, kind_of, read_object
from agenthop_env.corpus.rows import Reader


class Node(NamedTuple):
    """A node of a graph, made whole."""

    title: str | None
    arxiv_id: str | None
    year: int | str | None
    venue: str | None
    abstract: str | None
    authors: tuple[str, ...]


class GraphRow(NamedTuple):
    """A row of the graphs file: nodes stay raw JSON, since most of them were seen before."""

    sample_id: str
    nodes: dict[str, bytes]
    edges: dict[str, list[str]]
    contexts: dict[tuple[str, str], str]


class _RawGraph(msgspec.Struct):
    sample_id: str
    nodes: dict[str, msgspec.Raw]
    edges: dict[str, list[str]] = {}
    contexts: msgspec.Raw = msgspec.Raw(b"null")


_GRAPH_DECODER: Final = msgspec.json.Decoder(_RawGraph)


def read_graph(line: bytes, number: int, problems: Problems) -> GraphRow | None:
    """One line of the graphs file; nodes stay raw JSON."""
    try:
        raw = _GRAPH_DECODER.decode(line)
        contexts = None if raw.contexts == b"null" else decode_line(bytes(raw.contexts))
        return GraphRow(
            raw.sample_id,
            {paper_id: bytes(node) for paper_id, node in raw.nodes.items()},
            raw.edges,
            _contexts(contexts, number, raw.sample_id, problems),
        )
    except (msgspec.MsgspecError, UnicodeError, ValueError, RecursionError):
        return _slow_graph(line, number, problems)


def _slow_graph(line: bytes, number: int, problems: Problems) -> GraphRow | None:
    """As `read_graph`, for a line with something odd in it, noting what."""
    row = read_object(line, GRAPHS_FILE, number, problems)
    if row is None:
        return None
    sample = row.get("sample_id")
    reader = Reader(row, GRAPHS_FILE, number, sample if isinstance(sample, str) else "", problems)
    sample = reader.required_text("sample_id")
    nodes, edges = row.get("nodes"), row.get("edges")
    if not isinstance(nodes, dict):
        reader.error(
            "nodes", f"an object of papers is expected, not {kind_of(nodes)}" if "nodes" in row else "missing"
        )
        nodes = {}
    if not isinstance(edges, dict):
        reader.warn(
            "edges", f"an object of lists is expected, not {kind_of(edges)}; the graph has no citations"
        )
        edges = {}
    kept: dict[str, list[str]] = {}
    for citing, cited in edges.items():
        if isinstance(cited, list):
            kept[citing] = [entry for entry in cited if isinstance(entry, str)]
            if len(kept[citing]) < len(cited):
                reader.warn(f"edges.{citing}", "holds entries that are not strings; they are left out")
        elif cited is not None:
            reader.warn(f"edges.{citing}", f"a list is expected, not {kind_of(cited)}; left out")
    if not reader.usable:
        return None
    return GraphRow(
        sample,
        {paper_id: json.dumps(node).encode() for paper_id, node in nodes.items()},
        kept,
        _contexts(row.get("contexts"), number, sample, problems),
    )


def _contexts(value: Any, line: int, item: str, problems: Problems) -> dict[tuple[str, str], str]:
    """Citing sentences by (citing, cited): from nested objects, or a flat one with `citing->cited` keys."""
    if value is None:
        return {}
    found: dict[tuple[str, str], str] = {}
    if isinstance(value, dict):
        for citing, inner in value.items():
            if isinstance(inner, dict):
                for cited, sentence in inner.items():
                    if (text := _sentence(sentence)) is not None:
                        found[citing, cited] = text
            elif "->" in citing and (text := _sentence(inner)) is not None:
                one, _, two = citing.partition("->")
                found[one.strip(), two.strip()] = text
            elif inner is not None:
                problems.warn(
                    GRAPHS_FILE,
                    line,
                    f"citing sentences per cited paper are expected, not {kind_of(inner)}; left out",
                    item=item,
                    field=f"contexts.{citing}",
                )
    else:
        problems.warn(
            GRAPHS_FILE,
            line,
            f"an object is expected, not {kind_of(value)}; left out",
            item=item,
            field="contexts",
        )
    return found


def _sentence(value: Any) -> str | None:
    """One citing sentence from a string or the first string of a list."""
    if isinstance(value, list):
        value = next((entry for entry in value if isinstance(entry, str) and entry.strip()), None)
    return value if isinstance(value, str) and value.strip() else None


def read_node(raw: bytes, paper_id: str, line: int, item: str, problems: Problems) -> Node:
    """One raw node of a graph; whatever is null or missing stays None."""
    try:
        value = decode_line(raw)
    except ValueError as problem:
        problems.warn(
            GRAPHS_FILE,
            line,
            f"not JSON ({problem}); the paper is shown as Unknown",
            item=item,
            field=f"nodes.{paper_id}",
        )
        value = {}
    if not isinstance(value, dict):
        problems.warn(
            GRAPHS_FILE,
            line,
            f"an object is expected, not {kind_of(value)}; the paper is shown as Unknown",
            item=item,
            field=f"nodes.{paper_id}",
        )
        value = {}

    def text(field: str) -> str | None:
        entry = value.get(field)
        if entry is None or isinstance(entry, str):
            return entry
        problems.warn(
            GRAPHS_FILE,
            line,
            f"a string is expected, not {kind_of(entry)}; read as text",
            item=item,
            field=f"nodes.{paper_id}.{field}",
        )
        return str(entry)

    year = value.get("year")
    if year is not None and (isinstance(year, bool) or not isinstance(year, (int, str))):
        year = int(year) if isinstance(year, float) and year.is_integer() else str(year)
    if isinstance(year, str):
        problems.warn(
            GRAPHS_FILE,
            line,
            "a number is expected, not a string; shown as it stands",
            item=item,
            field=f"nodes.{paper_id}.year",
        )
    authors = value.get("authors")
    if authors is not None and not isinstance(authors, list):
        problems.warn(
            GRAPHS_FILE,
            line,
            f"a list is expected, not {kind_of(authors)}; shown as Unknown",
            item=item,
            field=f"nodes.{paper_id}.authors",
        )
        authors = None
    names = []
    for author in authors or ():
        name = author.get("name") if isinstance(author, dict) else author
        if isinstance(name, str) and name:
            names.append(name)
    return Node(
        text("title"), text("arxivId") or None, year, text("venue") or None, text("abstract"), tuple(names)
    )
