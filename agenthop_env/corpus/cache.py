"""The cache of compiled stores: each release compiled once, by its content, and checked as it is opened."""

from __future__ import annotations

import os
import shutil
from hashlib import blake2b
from pathlib import Path

import msgspec

from agenthop_env.corpus import compile as compiling
from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.splits import PUBLISHED_MARK
from agenthop_env.corpus.store import Tables


def cache_folder() -> Path:
    """Where compiled stores are kept: `AGENTHOP_CACHE`, else the platform's cache directory."""
    named = os.environ.get("AGENTHOP_CACHE")
    if named:
        return Path(named).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("agenthop"))


def compiled_folder(
    release: Path,
    *,
    published: bool | None = None,
    force: bool = False,
    progress: compiling.Progress | None = None,
) -> Path:
    """The compiled form of a release, compiled now unless the cache holds it.

    The cache is by content: a copy of a release elsewhere needs no second compile. What a folder's content is, is
    remembered by its files' sizes and times, so that opening again reads nothing.

    Args:
        release: Folder in the release layout.
        published: See `compile_release`.
        force: Compile even if the cache holds it.
        progress: Told how far it is.

    Raises:
        CorpusError: If the release cannot be compiled, or the cache cannot be written.
    """
    from filelock import FileLock

    cache = cache_folder()
    states = compiling.states(release)
    signature = _signature(release, published, states)
    remembered = cache / f"seen-{signature}.json"
    if not force and (folder := _remembered_store(remembered, cache)) is not None:
        return folder
    fingerprint = compiling.content_fingerprint(release, progress)
    kind = "" if published is None else ("-published" if published else "-own")
    mark = "-marked" if (release / PUBLISHED_MARK).is_file() else ""
    target = cache / f"store-{compiling.STORE_VERSION}-{fingerprint}{kind}{mark}"
    try:
        if force or not (target / compiling.META_FILE).is_file():
            cache.mkdir(parents=True, exist_ok=True)
            _sweep(cache)
            with FileLock(_lock_of(target)):
                for left in cache.glob(f"{target.name}.part-*"):
                    shutil.rmtree(left, ignore_errors=True)  # of a compile that was killed: we hold the lock
                if force or not (target / compiling.META_FILE).is_file():
                    shutil.rmtree(
                        target, ignore_errors=True
                    )  # also what is left of a store that lost its files
                    compiling.compile_release(
                        release,
                        target,
                        fingerprint=fingerprint,
                        fingerprinted=states,
                        published=published,
                        progress=progress,
                    )
    except OSError as problem:
        raise CorpusError(
            f"{cache}: cannot be written ({problem.strerror}); name another cache folder with AGENTHOP_CACHE"
        ) from problem
    if compiling.states(release) == states:
        _remember(remembered, target)
    return target


def _lock_of(target: Path) -> Path:
    return target.with_name(f"{target.name}.lock")


def _sweep(cache: Path) -> None:
    """Remove what killed compiles left: half-made stores whose lock nobody holds."""
    from filelock import FileLock, Timeout

    for name in {part.name.partition(".part-")[0] for part in cache.glob("store-*.part-*")}:
        try:
            with FileLock(_lock_of(cache / name), timeout=0):
                for left in cache.glob(f"{name}.part-*"):
                    shutil.rmtree(left, ignore_errors=True)
        except (Timeout, OSError):
            continue  # being compiled now, or not ours to remove


def _remember(remembered: Path, target: Path) -> None:
    """Note that files in this state are this store; a cache that cannot be written goes without."""
    part = remembered.with_suffix(f".part-{os.getpid()}")
    try:
        part.write_bytes(msgspec.json.encode(target.name))
        os.replace(part, remembered)
    except OSError:
        part.unlink(missing_ok=True)


def _remembered_store(remembered: Path, cache: Path) -> Path | None:
    try:
        name = msgspec.json.decode(remembered.read_bytes(), type=str)
    except (OSError, msgspec.MsgspecError):
        return None
    folder = cache / name
    return folder if (folder / compiling.META_FILE).is_file() else None


def _signature(release: Path, published: bool | None, states: tuple[tuple[int, int, int] | None, ...]) -> str:
    """A short name for a folder's files as they are now, from their places, sizes and times."""
    place = f"{compiling.STORE_VERSION}|{published}|{release.resolve()}|{states}"
    return blake2b(place.encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()


def open_tables(folder: Path, meta: compiling.StoreMeta) -> Tables:
    """Map a store's tables, checked as far as that costs next to nothing: files, sizes, types, rows.

    Raises:
        CorpusError: If they are not what was written.
    """
    try:
        for name, (size, _) in meta.files.items():
            now = (folder / name).stat().st_size
            if now != size:
                raise ValueError(f"{name} has {now} bytes, not {size}")
        tables = Tables.open(folder)
        rows = len(tables.item_nodes) - 1
        if not len(meta.ids) == len(meta.rows) == len(meta.splits) or not all(
            0 <= row < rows for row in meta.rows
        ):
            raise ValueError(f"{compiling.META_FILE} does not fit the tables")
    except (OSError, ValueError, IndexError, TypeError, NotImplementedError) as problem:
        raise CorpusError(
            f"{folder}: damaged ({problem}); remove the folder and open the release again"
        ) from None
    return tables
