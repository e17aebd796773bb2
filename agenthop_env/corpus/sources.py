"""`open_corpus`: one door to every kind of corpus.

Schemes are a registry: procedural worlds add theirs when the package is imported, and a user can add another.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from agenthop_env.corpus import compile as compiling
from agenthop_env.corpus.cache import compiled_folder, open_tables
from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.release import FILES, is_release
from agenthop_env.corpus.splits import SPLITS
from agenthop_env.corpus.store import Corpus, StoreCorpus

DEFAULT_SOURCE: Final = "world:tiny?seed=0&split=test&items=1000&version=2"
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
    path_text, query = place_and_query(text)
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


def place_and_query(source: str) -> tuple[str, str]:
    """What stands before and after the question mark of a source; a folder's own name may hold one too."""
    if "?" not in source or (":" not in source and Path(source).expanduser().is_dir()):
        return source, ""
    place, _, query = source.rpartition("?")
    return place, query


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


def _open_store(folder: Path, source: str, name: str, split: str | None) -> Corpus:
    meta = compiling.read_meta(folder)
    positions = {
        item_id: row
        for item_id, row, own in zip(meta.ids, meta.rows, meta.splits, strict=True)
        if split is None or own == split
    }
    if not positions:
        raise CorpusError(f"{source}: none of its {len(meta.ids)} items is of the {split} split")
    return StoreCorpus(open_tables(folder, meta), positions, name, meta.fingerprint, source, meta, folder)


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
