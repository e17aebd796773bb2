"""A release on disk to a compiled store: one streaming pass, nothing half-made left behind.

Compiling is lenient where play can go on and refuses only items that cannot be played, by name. The store's folder
appears under its final name only when it is complete, so a killed compile leaves nothing that could be opened.
"""

from __future__ import annotations

import os
import shutil
import time
import zlib
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from agenthop_env.corpus import splits
from agenthop_env.corpus.builder import StoreBuilder, direct_labels
from agenthop_env.corpus.graph_rows import GraphRow, read_graph, read_node
from agenthop_env.corpus.problems import CorpusError, Problem, Problems
from agenthop_env.corpus.release import (
    FILES,
    GRAPHS_FILE,
    LABELS_FILE,
    PAPERS_FILE,
    QA_FILE,
    read_lines,
    read_object,
    read_rows,
)
from agenthop_env.corpus.rows import read_item, read_labels, read_paper
from agenthop_env.records import EvidenceLabel, Item, decode, encode

STORE_VERSION: Final = 4
"""Version of the store's layout; part of its cache name, so an old store is never misread."""

META_FILE: Final = "store.json"

Progress = Callable[[str, int, int], None]
"""Called with what is being done, bytes done and bytes in all."""


class StoreMeta(msgspec.Struct, frozen=True, kw_only=True):
    """What a store says of itself.

    Attributes:
        version: Layout version.
        fingerprint: Hash of the release's content.
        ids: Playable items in the release's order.
        rows: Each item's row in the tables.
        splits: Split of each item.
        papers: Papers with text.
        edges: Citations over all graphs.
        refused: Items that cannot be played, with the reason.
        warnings: First warnings, as text, and how many there were.
        warning_count: Warnings in all.
        components: Sizes of the largest split components, and their number.
        unlabeled: Items with a gold paper without a direct label.
        files: Size in bytes and CRC-32 of each of the store's other files.
    """

    version: int
    fingerprint: str
    ids: list[str]
    rows: list[int]
    splits: list[str]
    papers: int
    edges: int
    refused: dict[str, str]
    warnings: list[str]
    warning_count: int
    component_count: int
    largest_components: list[int]
    unlabeled: list[str]
    files: dict[str, tuple[int, int]] = {}


_WARNINGS_KEPT: Final = 10_000
_WARNINGS_TOLD: Final = 200


def content_fingerprint(folder: Path, progress: Progress | None = None) -> str:
    """Hash of a release's four files: 16 hex digits that name the data set wherever it lies.

    Raises:
        CorpusError: If a file is missing.
    """
    digest = blake2b(digest_size=8)
    total = sum(_size(folder / file) for file in FILES)
    done = 0
    for file in FILES:
        digest.update(file.encode() + b"\0")
        path = folder / file
        if not path.is_file():
            if file == LABELS_FILE:
                continue
            raise CorpusError(f"{path}: missing; a release has {', '.join(FILES)}")
        with open(path, "rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
                done += len(block)
                if progress:
                    progress("fingerprint", done, total)
    return digest.hexdigest()


def compile_release(
    folder: Path,
    target: Path,
    *,
    fingerprint: str | None = None,
    fingerprinted: tuple[tuple[int, int, int] | None, ...] | None = None,
    published: bool | None = None,
    progress: Progress | None = None,
) -> StoreMeta:
    """Compile a release into a store folder.

    Args:
        folder: The release.
        target: Folder to make; nothing is there until the store is complete.
        fingerprint: `content_fingerprint`, where the caller knows it.
        fingerprinted: `states` of the files when that was taken.
        published: Whether this is the published set, whose items are all `test`; None to look (see `splits`).
        progress: Told how far it is.

    Returns:
        What the store says of itself.

    Raises:
        CorpusError: If no item can be played (the defects are listed), if the release is changed meanwhile, or if
            the store cannot be written.
    """
    folder, target = Path(folder), Path(target)
    before = states(folder)
    if fingerprint is None:
        fingerprint = content_fingerprint(folder, progress)
    elif fingerprinted is not None and before != fingerprinted:
        raise _changed(folder)
    problems = Problems(most_warnings=_WARNINGS_KEPT)
    items = _read_items(folder, problems)
    work = target.with_name(f"{target.name}.part-{os.getpid()}-{time.monotonic_ns()}")
    try:
        work.mkdir(parents=True)
        meta = _stream(folder, work, items, problems, fingerprint, published, progress)
        files = {path.name: (path.stat().st_size, _checksum(path)) for path in sorted(work.iterdir())}
        meta = msgspec.structs.replace(meta, files=files)
        with open(work / META_FILE, "wb") as stream:
            stream.write(encode(meta).encode())
            stream.flush()
            os.fsync(stream.fileno())
        if states(folder) != before:
            raise _changed(folder)
        try:
            os.rename(work, target)
        except OSError:
            if not (target / META_FILE).is_file():
                raise
            shutil.rmtree(work)  # another process was first; its store holds the same
    except BaseException as problem:
        shutil.rmtree(work, ignore_errors=True)
        if isinstance(problem, OSError):
            raise CorpusError(
                f"{target}: cannot be written ({problem.strerror}); make room there, or name another cache folder "
                "with AGENTHOP_CACHE"
            ) from problem
        raise
    return meta


def states(folder: Path) -> tuple[tuple[int, int, int] | None, ...]:
    """Size, time of change and inode of each file of a release; None for one that is not there."""
    found: list[tuple[int, int, int] | None] = []
    for file in (*FILES, splits.PUBLISHED_MARK):
        try:
            status = (folder / file).stat()
        except OSError:
            found.append(None)
        else:
            found.append((status.st_size, status.st_mtime_ns, status.st_ino))
    return tuple(found)


def _changed(folder: Path) -> CorpusError:
    return CorpusError(f"{folder}: changed while it was compiled; open it again once nothing writes to it")


def damaged_files(folder: Path) -> list[str]:
    """Files of a compiled store that are not as they were written, each with what is wrong.

    Reads all of it: about a second per gigabyte.

    Raises:
        CorpusError: If the folder holds no store.
    """
    found = []
    for name, (size, checksum) in read_meta(folder).files.items():
        path = folder / name
        try:
            now = path.stat().st_size
            wrong = f"{now} bytes, not {size}" if now != size else ""
            if not wrong and _checksum(path) != checksum:
                wrong = "other content than was written"
        except OSError as problem:
            wrong = str(problem.strerror)
        if wrong:
            found.append(f"{path}: {wrong}")
    return found


def _checksum(path: Path) -> int:
    checksum = 0
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            checksum = zlib.crc32(block, checksum)
    return checksum


def read_meta(folder: Path) -> StoreMeta:
    """What a compiled store says of itself.

    Raises:
        CorpusError: If the folder holds no store of this version.
    """
    try:
        meta = decode((folder / META_FILE).read_bytes(), StoreMeta)
    except OSError as problem:
        raise CorpusError(f"{folder}: not a compiled store ({problem.strerror})") from None
    except ValueError as problem:
        raise CorpusError(
            f"{folder / META_FILE}: damaged ({problem}); remove the folder and compile again"
        ) from None
    if meta.version != STORE_VERSION:
        raise CorpusError(
            f"{folder}: a store of layout {meta.version}, this package reads {STORE_VERSION}; compile the release again"
        )
    return meta


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _read_items(folder: Path, problems: Problems) -> dict[str, Item]:
    """Items with their labels, by id; of two with one id the first stays."""
    items: dict[str, Item] = {}
    for line, row in read_rows(folder, QA_FILE, problems):
        item = read_item(row, line, problems)
        if item is None:
            continue
        if item.id in items:
            problems.error(
                QA_FILE,
                line,
                "this id stands on an earlier line too; the first counts",
                item=item.id,
                field="id",
            )
            continue
        items[item.id] = item
    if not (folder / LABELS_FILE).is_file():
        problems.warn(LABELS_FILE, 0, "missing; section recall cannot be scored")
        return items
    labels: dict[str, tuple[EvidenceLabel, ...]] = {}
    for line, row in read_rows(folder, LABELS_FILE, problems):
        if (read := read_labels(row, line, problems)) is None:
            continue
        labels[read[0]] = (*labels.get(read[0], ()), *read[1])
    return {
        item_id: msgspec.structs.replace(item, labels=labels.get(item_id, ()))
        for item_id, item in items.items()
    }


def _stream(
    folder: Path,
    work: Path,
    items: dict[str, Item],
    problems: Problems,
    fingerprint: str,
    published: bool | None,
    progress: Progress | None,
) -> StoreMeta:
    unusable = [
        problem for problem in problems.errors if problem.file == QA_FILE and problem.item not in items
    ]
    refused = {problem.item: str(problem) for problem in reversed(unusable)}
    division = splits.assign(
        list(items.values()), published=splits.is_published(items.values(), folder, published)
    )
    builder = StoreBuilder(work, direct_labels(items.values()))
    total = _size(folder / PAPERS_FILE) + _size(folder / GRAPHS_FILE)
    done = 0
    for line, raw in read_lines(folder, PAPERS_FILE):
        row = read_object(raw, PAPERS_FILE, line, problems)
        paper = None if row is None else read_paper(row, line, problems)
        if paper is not None:
            builder.add_paper(paper)
        done += len(raw)
        if progress:
            progress("compile", done, total)
    rows: dict[str, int] = {}
    for line, raw in read_lines(folder, GRAPHS_FILE):
        graph = read_graph(raw, line, problems)
        done += len(raw)
        if progress:
            progress("compile", done, total)
        item = items.get(graph.sample_id) if graph else None
        if graph is None or item is None or item.id in rows or item.id in refused:
            continue
        if item.seed_paper_id not in graph.nodes:
            refused[item.id] = (
                f"{GRAPHS_FILE}:{line}: the seed paper {item.seed_paper_id} is not among the nodes"
            )
            problems.error(GRAPHS_FILE, line, refused[item.id], item=item.id, field="nodes")
            continue
        rows[item.id] = builder.item_count
        _add_item(builder, msgspec.structs.replace(item, split=division.of[item.id]), graph, line, problems)
    for item_id in items:
        if item_id not in rows and item_id not in refused:
            refused[item_id] = f"{GRAPHS_FILE}: no row for this item"
            problems.error(GRAPHS_FILE, 0, "no row for this item; it cannot be played", item=item_id)
    if not rows:
        raise CorpusError(
            f"{folder}: no item can be played; `agenthop data validate {folder}` lists all defects. The first: "
            + "; ".join(str(problem) for problem in problems.errors[:3]),
            problems.errors,
        )
    builder.finish()
    ids = [item_id for item_id in items if item_id in rows]
    notes: list[Problem] = [problem for problem in problems.found if problem.item not in refused]
    return StoreMeta(
        version=STORE_VERSION,
        fingerprint=fingerprint,
        ids=ids,
        rows=[rows[item_id] for item_id in ids],
        splits=[division.of[item_id] for item_id in ids],
        papers=builder.paper_count,
        edges=builder.edge_count,
        refused=refused,
        warnings=[str(problem) for problem in notes[:_WARNINGS_TOLD]],
        warning_count=len(notes) + problems.only_counted,
        component_count=len(division.components),
        largest_components=division.components[:10],
        unlabeled=[item_id for item_id in ids if item_id in builder.unlabeled],
    )


def _add_item(builder: StoreBuilder, item: Item, graph: GraphRow, line: int, problems: Problems) -> None:
    """Add an item; nodes seen before, equal to the byte, are not read again."""
    keys, nodes = {}, {}
    for paper_id, raw in graph.nodes.items():
        key = keys[paper_id] = blake2b(
            paper_id.encode("utf-8", "surrogatepass") + b"\0" + raw, digest_size=16
        ).digest()
        nodes[paper_id] = None if builder.known(key) else read_node(raw, paper_id, line, item.id, problems)
    builder.add_item(item, nodes, graph.edges, graph.contexts, keys)
