"""The release layout: four JSONL files, read line by line and written back.

Reading never stops at a defect: each is noted with its place, and the caller decides. What the lines mean is in
`rows` and `graph_rows`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from agenthop_env.corpus.problems import CorpusError, Problems
from agenthop_env.records import Item

QA_FILE: Final = "qa/full.jsonl"
GRAPHS_FILE: Final = "graphs/full.jsonl"
PAPERS_FILE: Final = "paper_pool/papers.jsonl"
LABELS_FILE: Final = "audit/recall_labels.jsonl"
FILES: Final = (QA_FILE, GRAPHS_FILE, PAPERS_FILE, LABELS_FILE)
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
        problems.error(file, number, f"an object is expected, not {kind_of(row)}")
        return None
    for other, fields in _SIGNATURES.items():
        if other != file and fields <= row.keys() and not _SIGNATURES[file] & row.keys():
            problems.error(file, number, f"a row of {other} stands here; are the files swapped?")
            return None
    return row


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


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
