"""Worlds on disk: the four files of the release layout, or a compiled store, written item by item.

Neither keeps more than one item in memory, beside the store's own tables of words.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import msgspec

from agenthop_env.corpus.builder import StoreBuilder, direct_labels
from agenthop_env.corpus.compile import META_FILE, STORE_VERSION, StoreMeta
from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.release import FILES, GRAPHS_FILE, LABELS_FILE, PAPERS_FILE, QA_FILE
from agenthop_env.worlds.corpus import add_to, read_rows_of
from agenthop_env.worlds.world import World

Progress = Callable[[int, int], None]
"""Called with the items that are done and those that there are."""


def export_world(world: World, folder: str | os.PathLike[str], *, progress: Progress | None = None) -> Path:
    """Write a world in the release layout.

    The layout has no place for a split: whoever opens the folder finds its items divided anew, so say which split of
    which world it is, or compile the world instead.

    Args:
        world: The world; all its items are written.
        folder: Folder to make; the layout's four files must not be in it yet.
        progress: Told how far it is.

    Returns:
        The folder.

    Raises:
        CorpusError: If one of the files is there already.
    """
    folder = Path(folder)
    there = [file for file in FILES if (folder / file).exists()]
    if there:
        raise CorpusError(f"{folder / there[0]}: there already; name another folder")
    encoder = msgspec.json.Encoder()
    parts = {file: folder / f"{file}.part" for file in FILES}
    try:
        with ExitStack() as stack:
            streams = {}
            for file, part in parts.items():
                part.parent.mkdir(parents=True, exist_ok=True)
                streams[file] = stack.enter_context(open(part, "wb"))
            for done, rows in enumerate(world, 1):
                for file, found in (
                    (QA_FILE, [rows.qa]),
                    (GRAPHS_FILE, [rows.graph]),
                    (PAPERS_FILE, rows.papers),
                    (LABELS_FILE, [rows.labels]),
                ):
                    streams[file].writelines(encoder.encode(row) + b"\n" for row in found)
                if progress:
                    progress(done, len(world))
        for file, part in parts.items():
            os.replace(part, folder / file)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    return folder


def compile_world(
    world: World, target: str | os.PathLike[str], *, progress: Progress | None = None
) -> StoreMeta:
    """Compile a world into a store, which opens in milliseconds; its items keep their split.

    Args:
        world: The world; all its items are compiled.
        target: Folder to make; nothing is there until the store is complete.
        progress: Told how far it is.

    Returns:
        What the store says of itself.

    Raises:
        CorpusError: If the folder is there already.
    """
    target = Path(target)
    if target.exists():
        raise CorpusError(f"{target}: there already; name another folder")
    work = target.with_name(f"{target.name}.part-{os.getpid()}-{time.monotonic_ns()}")
    work.mkdir(parents=True)
    try:
        labels: dict[str, set[str]] = {}
        builder = StoreBuilder(work, labels)
        for done, rows in enumerate(world, 1):
            read = read_rows_of(rows, world.split)
            # Only this item's papers can hold its evidence.
            labels.clear()
            labels.update(direct_labels([read.item]))
            add_to(builder, read)
            if progress:
                progress(done, len(world))
        builder.finish()
        meta = StoreMeta(
            version=STORE_VERSION,
            fingerprint=world.fingerprint,
            ids=list(world.ids),
            rows=list(range(len(world))),
            splits=[world.split] * len(world),
            papers=builder.paper_count,
            edges=builder.edge_count,
            refused={},
            warnings=[],
            warning_count=0,
            component_count=0,
            largest_components=[],
            unlabeled=list(builder.unlabeled),
        )
        (work / META_FILE).write_bytes(msgspec.json.encode(meta))
        os.rename(work, target)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    return meta
