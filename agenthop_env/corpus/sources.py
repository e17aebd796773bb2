"""`open_corpus`: one door to every kind of corpus.

Schemes are a registry: procedural worlds add theirs when the package is imported, and a user can add another.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

import msgspec

from agenthop_env.corpus import compile as compiling
from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.release import FILES, is_release
from agenthop_env.corpus.splits import PUBLISHED_MARK, SPLITS
from agenthop_env.corpus.store import Corpus, StoreCorpus, Tables

DEFAULT_SOURCE: Final = "world:tiny?seed=0&split=test&items=1000&version=1"
"""The embedded default: a procedural world, no data and no network needed."""

_HUB_NAME: Final = re.compile(r"[\w.-]+/[\w.-]+")

_SCHEMES: dict[str, Callable[[str], Corpus]] = {}


def register_scheme(scheme: str, opener: Callable[[str], Corpus]) -> None:
    """Let `open_corpus` open `<scheme>:...`.

    Args:
        scheme: Name before the colon.
        opener: Makes the corpus from the whole source string.
    """
    _SCHEMES[scheme] = opener


def cache_folder() -> Path:
    """Where compiled stores are kept: `AGENTHOP_CACHE`, else the platform's cache directory."""
    named = os.environ.get("AGENTHOP_CACHE")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("agenthop"))


def open_corpus(
    source: str | os.PathLike[str] | Corpus | None = None,
    *,
    progress: compiling.Progress | None = None,
) -> Corpus:
    """Open a corpus.

    Args:
        source: A folder in the release layout, a compiled store, a world such as
            ``"world:small?seed=7&split=test&items=500"``, or a data set's name on the hub such as
            ``"nlpai-lab/agenthop"``. A folder or name may carry ``?split=train``. None opens the embedded default;
            a `Corpus` is returned as it is.
        progress: Told how far compiling is; by default long compiles report on a terminal only through the CLI.

    Raises:
        CorpusError: If there is nothing to open, or nothing in it can be played.
    """
    if isinstance(source, Corpus):
        return source
    text = DEFAULT_SOURCE if source is None else os.fspath(source)
    scheme, colon, _ = text.partition(":")
    if colon and scheme in _SCHEMES:
        return _SCHEMES[scheme](text)
    path_text, _, query = text.partition("?")
    split = _split_of(query, text)
    path = Path(path_text).expanduser()
    if (path / compiling.META_FILE).is_file():
        path = path.resolve()
        return _open_store(path, _source(str(path), split), path.name, split)
    if is_release(path):
        path = path.resolve()
        return _open_store(
            compiled_folder(path, progress=progress), _source(str(path), split), path.name, split
        )
    if path.exists():
        raise CorpusError(
            f"{path}: neither a release nor a compiled store; a release has {', '.join(FILES)}. "
            f"Name the folder that holds them"
        )
    if _HUB_NAME.fullmatch(path_text):
        from agenthop_env.corpus.hub import pulled_folder

        folder = pulled_folder(path_text)
        return _open_store(compiled_folder(folder, published=True, progress=progress), text, path_text, split)
    known = ", ".join(f"{name}:..." for name in sorted(_SCHEMES))
    raise CorpusError(
        f"{text!r}: no such folder; a source is a folder, a data set's name on the hub, or {known}"
    )


_OPEN: WeakValueDictionary[tuple[str, str], Corpus] = WeakValueDictionary()
"""Corpora that this process has open, by source and fingerprint."""


def shared_corpus(source: str | os.PathLike[str] | None = None) -> Corpus:
    """As `open_corpus`, but a source that this process has open already is not opened again."""
    corpus = open_corpus(source)
    return _OPEN.setdefault((corpus.source, corpus.fingerprint), corpus)


def reopened(source: str, fingerprint: str) -> Corpus:
    """The corpus that was pickled elsewhere.

    Raises:
        CorpusError: If the source holds other data here.
    """
    corpus = _OPEN.get((source, fingerprint)) or shared_corpus(source)
    if corpus.fingerprint != fingerprint:
        raise CorpusError(
            f"{source}: holds other data (fingerprint {corpus.fingerprint}) than what was pickled ({fingerprint})"
        )
    return corpus


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
    """
    from filelock import FileLock

    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    signature = _signature(release, published)
    remembered = cache / f"seen-{signature}.json"
    if not force and (folder := _remembered_store(remembered, cache)) is not None:
        return folder
    fingerprint = compiling.content_fingerprint(release, progress)
    kind = "" if published is None else ("-published" if published else "-own")
    mark = "-marked" if (release / PUBLISHED_MARK).is_file() else ""
    target = cache / f"store-{compiling.STORE_VERSION}-{fingerprint}{kind}{mark}"
    with FileLock(cache / f"{target.name}.lock"):
        for left in cache.glob(f"{target.name}.part-*"):
            shutil.rmtree(left, ignore_errors=True)  # of a compile that was killed: we hold the lock
        if force or not (target / compiling.META_FILE).is_file():
            shutil.rmtree(target, ignore_errors=True)  # also what is left of a store that lost its files
        if not (target / compiling.META_FILE).is_file():
            compiling.compile_release(
                release, target, fingerprint=fingerprint, published=published, progress=progress
            )
    if _signature(release, published) == signature:
        part = remembered.with_suffix(f".part-{os.getpid()}")
        part.write_bytes(msgspec.json.encode(target.name))
        os.replace(part, remembered)
    return target


def _remembered_store(remembered: Path, cache: Path) -> Path | None:
    try:
        name = msgspec.json.decode(remembered.read_bytes(), type=str)
    except (OSError, msgspec.MsgspecError):
        return None
    folder = cache / name
    return folder if (folder / compiling.META_FILE).is_file() else None


def _signature(release: Path, published: bool | None) -> str:
    """A short name for a folder's files as they are now, from their places, sizes and times."""
    digest = blake2b(digest_size=10)
    digest.update(
        f"{compiling.STORE_VERSION}|{published}|{release.resolve()}".encode("utf-8", "surrogateescape")
    )
    for file in (*FILES, PUBLISHED_MARK):
        try:
            status = (release / file).stat()
        except OSError:
            digest.update(b"|none")
        else:
            digest.update(f"|{status.st_size},{status.st_mtime_ns},{status.st_ino}".encode())
    return digest.hexdigest()


def _open_store(folder: Path, source: str, name: str, split: str | None) -> Corpus:
    meta = compiling.read_meta(folder)
    positions = {
        item_id: row
        for item_id, row, own in zip(meta.ids, meta.rows, meta.splits, strict=True)
        if split is None or own == split
    }
    if not positions:
        raise CorpusError(f"{source}: none of its {len(meta.ids)} items is of the {split} split")
    try:
        tables = Tables.open(folder)
    except (OSError, ValueError) as problem:
        raise CorpusError(
            f"{folder}: damaged ({problem}); remove the folder and open the release again"
        ) from None
    return StoreCorpus(tables, positions, name, meta.fingerprint, source, meta)


def _split_of(query: str, source: str) -> str | None:
    split: str | None = None
    for part in filter(None, query.split("&")):
        key, _, value = part.partition("=")
        if key != "split" or value not in SPLITS:
            raise CorpusError(
                f"{source!r}: after the question mark only split={'|'.join(SPLITS)} may stand, not {part!r}"
            )
        split = value
    return split


def _source(path: str, split: str | None) -> str:
    return path if split is None else f"{path}?split={split}"
