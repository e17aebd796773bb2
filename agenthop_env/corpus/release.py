"""The release layout: four JSONL files, read leniently row by row and written back.

Reading never stops at a defect: each is noted with its place, a row that can still be used is, and the caller
decides. Nulls, papers without text, edges to nodes that are not there, self-citations and cycles are normal.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.corpus.problems import CorpusError, Problems
from agenthop_env.records import EvidenceLabel, Item, Section
from agenthop_env.rules import OPTION_COUNT

QA_FILE: Final = "qa/full.jsonl"
GRAPHS_FILE: Final = "graphs/full.jsonl"
PAPERS_FILE: Final = "paper_pool/papers.jsonl"
LABELS_FILE: Final = "audit/recall_labels.jsonl"
FILES: Final = (QA_FILE, GRAPHS_FILE, PAPERS_FILE, LABELS_FILE)

QUESTION_TYPES: Final = ("single-target", "multi-target")
DISTRACTOR_TYPES: Final = ("correct", "seed_only", "wrong_paper", "no_context")
MAX_DEPTH: Final = 200
"""Nesting at which a JSON line is refused, before a parser would run out of stack."""

Row = dict[str, Any]

_SIGNATURES: Final[dict[str, set[str]]] = {
    QA_FILE: {"question", "options"},
    GRAPHS_FILE: {"nodes", "edges"},
    PAPERS_FILE: {"sections"},
    LABELS_FILE: {"analysis"},
}
"""Fields that tell whose row a row is."""

_NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))


class PoolPaper(NamedTuple):
    """A row of the paper pool, made whole."""

    arxiv_id: str
    title: str
    sections: tuple[Section, ...]


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


def is_release(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder is in the release layout."""
    return Path(folder, QA_FILE).is_file()


def decode_line(line: bytes) -> Any:
    """A JSON line as Python values; falls back to the slower reader for what the fast one refuses.

    Raises:
        ValueError: If the line is not JSON, or nested too deep.
    """
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as first:
        if _depth(line) > MAX_DEPTH:
            raise ValueError(f"nested more than {MAX_DEPTH} levels deep") from None
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            raise ValueError(str(first)) from None


def _depth(line: bytes) -> int:
    """An upper bound of a line's nesting, brackets in strings included."""
    depth = deepest = 0
    for char in line.translate(None, _NOT_BRACKETS):
        if char in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in b"]}":
            depth -= 1
    return deepest


def file_of(row: Row) -> str | None:
    """The one file whose rows look like this one, None where that cannot be told."""
    found = [file for file, fields in _SIGNATURES.items() if fields <= row.keys()]
    return found[0] if len(found) == 1 else None


def read_rows(folder: Path, file: str, problems: Problems) -> Iterator[tuple[int, Row]]:
    """Rows of one file with their line numbers; defects are noted and skipped.

    Args:
        folder: The release.
        file: One of `FILES`.
        problems: Where defects are noted.

    Raises:
        CorpusError: If the file cannot be opened.
    """
    for number, line in read_lines(folder, file):
        row = read_object(line, file, number, problems)
        if row is not None:
            yield number, row


def read_lines(folder: Path, file: str) -> Iterator[tuple[int, bytes]]:
    """Lines of one file that are not blank, with their numbers."""
    try:
        stream = open(folder / file, "rb")  # noqa: SIM115 - closed below, after the generator is done
    except OSError as problem:
        raise CorpusError(f"{folder / file}: cannot be opened ({problem.strerror})") from None
    with stream:
        for number, raw in enumerate(stream, 1):
            line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if not line.strip():
                continue
            yield number, line


def read_object(line: bytes, file: str, number: int, problems: Problems) -> Row | None:
    """One line as an object, or None with the defect noted."""
    try:
        row = decode_line(line)
    except ValueError as problem:
        if line.endswith(b"\n"):
            problems.error(file, number, f"not JSON ({problem}); one object a line is expected")
        else:
            problems.error(
                file, number, "the last line is cut off: the file is incomplete, fetch or write it again"
            )
        return None
    if not isinstance(row, dict):
        problems.error(file, number, f"an object is expected, not {_kind(row)}")
        return None
    for other, fields in _SIGNATURES.items():
        if other != file and fields <= row.keys() and not _SIGNATURES[file] & row.keys():
            problems.error(file, number, f"a row of {other} stands here; are the files swapped?")
            return None
    return row


class _Reader:
    """Reads the fields of one row, noting each defect at its place."""

    def __init__(self, row: Row, file: str, line: int, item: str, problems: Problems) -> None:
        self.row, self.file, self.line, self.item, self.problems = row, file, line, item, problems
        self.usable = True

    def error(self, field: str, message: str) -> None:
        self.usable = False
        self.problems.error(self.file, self.line, message, item=self.item, field=field)

    def warn(self, field: str, message: str) -> None:
        self.problems.warn(self.file, self.line, message, item=self.item, field=field)

    def required_text(self, field: str) -> str:
        value = self.row.get(field)
        if field not in self.row:
            self.error(field, "missing; a string is expected")
        elif not isinstance(value, str):
            self.error(field, f"a string is expected, not {_kind(value)}")
        elif not value.strip():
            self.error(field, "empty; a string with text is expected")
        else:
            return value
        return ""

    def text(self, field: str) -> str:
        value = self.row.get(field)
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        self.warn(field, f"a string is expected, not {_kind(value)}; read as text")
        return str(value)

    def texts(self, field: str, *, required: bool = False) -> tuple[str, ...]:
        value = self.row.get(field)
        if value is None and not required:
            return ()
        if value is None:
            self.error(field, "missing; a list of strings is expected")
            return ()
        if not isinstance(value, list):
            (self.error if required else self.warn)(
                field, f"a list of strings is expected, not {_kind(value)}"
            )
            return ()
        kept = []
        for index, entry in enumerate(value):
            if isinstance(entry, str):
                kept.append(entry)
            elif required:
                self.error(f"{field}[{index}]", f"a string is expected, not {_kind(entry)}")
            elif entry is not None:
                self.warn(f"{field}[{index}]", f"a string is expected, not {_kind(entry)}; read as text")
                kept.append(str(entry))
            else:
                kept.append("")
        return tuple(kept)

    def whole(self, field: str, *, required: bool) -> int | None:
        value = self.row.get(field)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().lstrip("-").isdecimal():
            self.warn(field, "a whole number is expected, not a string; read as a number")
            return int(value)
        if isinstance(value, float) and value.is_integer():
            self.warn(field, "a whole number is expected; read as one")
            return int(value)
        if field not in self.row:
            (self.error if required else self.warn)(field, "missing; a whole number is expected")
        else:
            (self.error if required else self.warn)(field, f"a whole number is expected, not {_kind(value)}")
        return None


def read_item(row: Row, line: int, problems: Problems) -> Item | None:
    """One row of the questions file, or None with the defects noted if it cannot be played."""
    item_id = row.get("id")
    reader = _Reader(row, QA_FILE, line, item_id if isinstance(item_id, str) else "", problems)
    item_id = reader.required_text("id")
    question = reader.required_text("question")
    seed = reader.required_text("seed_paper_id")
    options = reader.texts("options", required=True)
    if len(options) != OPTION_COUNT and isinstance(row.get("options"), list):
        reader.error("options", f"{OPTION_COUNT} options are expected, not {len(row['options'])}")
    correct = reader.whole("correct_index", required=True)
    if correct is not None and not 0 <= correct < OPTION_COUNT:
        reader.error("correct_index", f"0 to {OPTION_COUNT - 1} is expected, not {correct}")
    golds = reader.texts("gold_paper_ids", required=True)
    if not golds and row.get("gold_paper_ids") == []:
        reader.error("gold_paper_ids", "empty; at least one gold paper is expected")
    kind = reader.text("question_type")
    if kind not in QUESTION_TYPES:
        guess = QUESTION_TYPES[len(golds) > 1]
        reader.warn(
            "question_type",
            f"{QUESTION_TYPES[0]} or {QUESTION_TYPES[1]} is expected, not {kind!r}; {guess} taken",
        )
        kind = guess
    depth = reader.whole("depth", required=False)
    if depth is None:
        depth = 2 if row.get("bridge_paper_ids") else 1
    elif depth not in (1, 2):
        reader.warn("depth", f"1 or 2 is expected, not {depth}")
    types = reader.texts("distractor_types")
    if (
        correct is not None
        and types
        and (
            len(types) != OPTION_COUNT
            or any(kind_ not in DISTRACTOR_TYPES for kind_ in types)
            or [kind_ == "correct" for kind_ in types] != [index == correct for index in range(OPTION_COUNT)]
        )
    ):
        reader.warn(
            "distractor_types",
            f"one of {', '.join(DISTRACTOR_TYPES)} per option, `correct` at the gold, is expected, not {list(types)}",
        )
    gold_arxiv = reader.texts("gold_arxiv_ids")
    if gold_arxiv and len(gold_arxiv) != len(golds):
        reader.warn(
            "gold_arxiv_ids", f"{len(golds)} ids are expected, one per gold paper, not {len(gold_arxiv)}"
        )
    if not reader.usable or correct is None:
        return None
    necessary = row.get("bridge_necessary")
    return Item(
        id=item_id,
        question_type=kind,
        depth=depth,
        reasoning_type=reader.text("reasoning_type"),
        cognitive_skill=reader.text("cognitive_skill"),
        venue=reader.text("venue"),
        consensus_tier=reader.text("consensus_tier"),
        question=question,
        options=options,
        correct_index=correct,
        distractor_types=types,
        seed_paper_id=seed,
        seed_arxiv_id=reader.text("seed_arxiv_id"),
        seed_title=reader.text("seed_title"),
        gold_paper_ids=golds,
        gold_arxiv_ids=gold_arxiv,
        bridge_paper_ids=reader.texts("bridge_paper_ids"),
        bridge_arxiv_ids=reader.texts("bridge_arxiv_ids"),
        filter_agreement=row.get("filter_agreement"),
        bridge_necessary=necessary if isinstance(necessary, bool) else None,
    )


def read_paper(row: Row, line: int, problems: Problems) -> PoolPaper | None:
    """One row of the paper pool; a missing header is named by its place, a null text is empty."""
    arxiv = row.get("arxiv_id")
    reader = _Reader(row, PAPERS_FILE, line, arxiv if isinstance(arxiv, str) else "", problems)
    arxiv = reader.required_text("arxiv_id")
    raw = row.get("sections")
    if raw is not None and not isinstance(raw, list):
        reader.warn("sections", f"a list is expected, not {_kind(raw)}; the paper has no sections")
        raw = None
    sections = []
    for index, entry in enumerate(raw or ()):
        if not isinstance(entry, dict):
            reader.warn(
                f"sections[{index}]", f"an object is expected, not {_kind(entry)}; an empty section stands in"
            )
            entry = {}
        header, text = entry.get("header"), entry.get("text")
        if header is None:
            reader.warn(f"sections[{index}].header", f"missing; named Section {index + 1}")
            header = f"Section {index + 1}"
        if text is None:
            reader.warn(f"sections[{index}].text", "missing; the section is empty")
            text = ""
        sections.append(Section(str(header), str(text)))
    if not reader.usable:
        return None
    return PoolPaper(arxiv, reader.text("title"), tuple(sections))


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
    reader = _Reader(row, GRAPHS_FILE, number, sample if isinstance(sample, str) else "", problems)
    sample = reader.required_text("sample_id")
    nodes, edges = row.get("nodes"), row.get("edges")
    if not isinstance(nodes, dict):
        reader.error(
            "nodes", f"an object of papers is expected, not {_kind(nodes)}" if "nodes" in row else "missing"
        )
        nodes = {}
    if not isinstance(edges, dict):
        reader.warn(
            "edges", f"an object of lists is expected, not {_kind(edges)}; the graph has no citations"
        )
        edges = {}
    kept: dict[str, list[str]] = {}
    for citing, cited in edges.items():
        if isinstance(cited, list):
            kept[citing] = [entry for entry in cited if isinstance(entry, str)]
            if len(kept[citing]) < len(cited):
                reader.warn(f"edges.{citing}", "holds entries that are not strings; they are left out")
        elif cited is not None:
            reader.warn(f"edges.{citing}", f"a list is expected, not {_kind(cited)}; left out")
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
                    f"citing sentences per cited paper are expected, not {_kind(inner)}; left out",
                    item=item,
                    field=f"contexts.{citing}",
                )
    else:
        problems.warn(
            GRAPHS_FILE,
            line,
            f"an object is expected, not {_kind(value)}; left out",
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
    value = decode_line(raw)
    if not isinstance(value, dict):
        problems.warn(
            GRAPHS_FILE,
            line,
            f"an object is expected, not {_kind(value)}; the paper is shown as Unknown",
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
            f"a string is expected, not {_kind(entry)}; read as text",
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
            f"a list is expected, not {_kind(authors)}; shown as Unknown",
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


def read_labels(row: Row, line: int, problems: Problems) -> tuple[str, tuple[EvidenceLabel, ...]] | None:
    """One row of the audit file as the item's id and its labels."""
    sample = row.get("sample_id")
    reader = _Reader(row, LABELS_FILE, line, sample if isinstance(sample, str) else "", problems)
    sample = reader.required_text("sample_id")
    analysis = row.get("analysis")
    if not isinstance(analysis, dict):
        reader.error(
            "analysis", f"an object is expected, not {_kind(analysis)}" if "analysis" in row else "missing"
        )
        return None
    raw = analysis.get("section_recall_labels")
    if raw is not None and not isinstance(raw, list):
        reader.error("analysis.section_recall_labels", f"a list is expected, not {_kind(raw)}")
        return None
    labels = []
    for index, entry in enumerate(raw or ()):
        place = f"analysis.section_recall_labels[{index}]"
        if not isinstance(entry, dict):
            reader.warn(place, f"an object is expected, not {_kind(entry)}; left out")
            continue
        values = [
            entry.get(name) for name in ("paper", "arxiv_id", "section", "relevance", "what_it_contains")
        ]
        texts = ["" if value is None else str(value) for value in values]
        if texts[3] not in ("direct", "supporting"):
            reader.warn(
                f"{place}.relevance",
                f"direct or supporting is expected, not {texts[3]!r}; it counts for nothing",
            )
        labels.append(EvidenceLabel(*texts))
    return (sample, tuple(labels)) if reader.usable else None


def write_release(
    folder: str | os.PathLike[str],
    qa: Iterable[Mapping[str, Any]],
    graphs: Iterable[Mapping[str, Any]],
    papers: Iterable[Mapping[str, Any]],
    labels: Iterable[Mapping[str, Any]],
) -> Path:
    """Write rows in the release layout; the four files appear only when all are complete.

    Args:
        folder: A folder that is not a release yet.
        qa: Rows of the questions file.
        graphs: Rows of the graphs file.
        papers: Rows of the paper pool.
        labels: Rows of the audit file.

    Raises:
        CorpusError: If the folder holds a release already.
    """
    root = Path(folder)
    if is_release(root):
        raise CorpusError(f"{root} holds a release already; name another folder or remove it first")
    parts = []
    for file, rows in zip(FILES, (qa, graphs, papers, labels), strict=True):
        target = root / file
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_suffix(".part")
        with open(part, "wb") as stream:
            for row in rows:
                try:
                    line = msgspec.json.encode(row)
                except (UnicodeEncodeError, OverflowError):
                    line = json.dumps(row).encode()
                stream.write(line + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        parts.append((part, target))
    for part, target in reversed(parts):  # the questions last: `is_release` looks for them
        os.replace(part, target)
    return root


def item_row(item: Item) -> Row:
    """An item as its row of the questions file."""
    row: Row = msgspec.to_builtins(item)
    for field in ("labels", "split"):
        del row[field]
    if row["bridge_necessary"] is None:
        del row["bridge_necessary"]
    return row


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
