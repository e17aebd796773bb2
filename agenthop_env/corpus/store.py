"""What episodes are played on: a corpus of items, each with its neighborhood of papers.

A `Neighborhood` answers everything the tools ask, straight from memory-mapped tables: starting an episode rebuilds
nothing, and processes that play the same store share its pages.
"""

from __future__ import annotations

import threading
import zlib
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy.typing as npt

from agenthop_env.corpus.builder import BLOBS, COLUMNS, Built
from agenthop_env.corpus.neighborhood import Neighborhood
from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.tables import Blob, FileBlob, MappedFile, MemoryBlob, encode
from agenthop_env.records import Item

SEARCHES_RESIDENT: Final = 512
"""Searches after which a mapped store gives its pages back, so that long runs stay small."""

MAPPED_BLOBS: Final = ("ids", "arxiv", "vocabulary")
"""Small blobs that every look-up compares with: mapped, not read."""

UNREADABLE: Final = (IndexError, ValueError, OverflowError, OSError, msgspec.MsgspecError)
"""What reading a damaged store raises."""

_WORDS_KEPT: Final = 1 << 16
_ITEMS_KEPT: Final = 4096


class Tables:
    """A store's columns and blobs.

    Args:
        columns: Column name -> array.
        blobs: Blob name -> blob.
        files: The maps behind them, where they are on disk.
    """

    def __init__(
        self,
        columns: dict[str, npt.NDArray[Any]],
        blobs: Mapping[str, Blob],
        files: Sequence[MappedFile] = (),
    ) -> None:
        self._files = tuple(files)
        self._searches = 0
        self._words: dict[str, int] = {}
        # Scalars are read through memory views: they give Python integers, at half the cost of NumPy's.
        views = {name: column.data for name, column in columns.items()}
        for name in (*COLUMNS, *(f"{blob}_offsets" for blob in BLOBS)):
            setattr(self, name, views[name])
        for name in BLOBS:
            setattr(self, name, blobs[name])

    item_nodes: memoryview
    node_meta: memoryview
    node_key: memoryview
    node_at: memoryview
    node_refs: memoryview
    node_edges: memoryview
    edge_target: memoryview
    meta_pool: memoryview
    refs_count: memoryview
    pool_sections: memoryview
    section_header_bytes: memoryview
    section_hash: memoryview
    item_tokens: memoryview
    token_id: memoryview
    token_start: memoryview
    item_postings: memoryview
    postings: memoryview
    vocabulary_key: memoryview
    vocabulary_id: memoryview
    items: Blob
    items_offsets: memoryview
    ids: Blob
    ids_offsets: memoryview
    metas: Blob
    metas_offsets: memoryview
    infos: Blob
    infos_offsets: memoryview
    cards: Blob
    cards_offsets: memoryview
    refs: Blob
    refs_offsets: memoryview
    listings: Blob
    listings_offsets: memoryview
    arxiv: Blob
    arxiv_offsets: memoryview
    headers: Blob
    headers_offsets: memoryview
    sections: Blob
    sections_offsets: memoryview
    vocabulary: Blob
    vocabulary_offsets: memoryview

    @classmethod
    def open(cls, folder: Path) -> Tables:
        """Map the tables of a compiled store.

        Raises:
            OSError: If a file cannot be read.
            ValueError: If a file is not what the builder wrote.
        """
        files: list[MappedFile] = []

        def mapped(name: str) -> MappedFile:
            files.append(MappedFile(folder / name))
            return files[-1]

        kinds = COLUMNS | {f"{blob}_offsets": "u8" for blob in BLOBS}
        columns = {name: mapped(f"{name}.npy").column(kind) for name, kind in kinds.items()}
        blobs: dict[str, Blob] = {}
        for name in BLOBS:
            size = int(columns[f"{name}_offsets"][-1])
            blob = FileBlob(folder / f"{name}.bin", size)
            blobs[name] = MemoryBlob(mapped(f"{name}.bin").data) if name in MAPPED_BLOBS else blob
        return cls(columns, blobs, files)

    @classmethod
    def from_memory(cls, built: Built) -> Tables:
        """Wrap tables that were built in memory."""
        return cls(built.columns, {name: MemoryBlob(data) for name, data in built.blobs.items()})

    def word_id(self, word: str) -> int:
        """Id of a search token, -1 where no paper holds it."""
        found = self._words.get(word)
        if found is None:
            if len(self._words) >= _WORDS_KEPT:
                self._words.clear()
            found = self._words[word] = self._find_word(encode(word))
        return found

    def _find_word(self, word: bytes) -> int:
        key, keys, offsets = zlib.crc32(word), self.vocabulary_key, self.vocabulary_offsets
        index = bisect_left(keys, key)
        while index < len(keys) and keys[index] == key:
            if self.vocabulary.read(offsets[index], offsets[index + 1]) == word:
                return int(self.vocabulary_id[index])
            index += 1
        return -1

    def count_search(self) -> None:
        """Note a search; now and then the mapped pages go back to the operating system."""
        self._searches += 1
        if self._searches > SEARCHES_RESIDENT and self._files:
            self._searches = 0
            for file in self._files:
                file.forget_pages()


class Corpus(ABC):
    """Items to play, in order, with their neighborhoods.

    Args:
        name: Name of the data set, shown in every report.
        fingerprint: Hash of its content.
        source: What `open_corpus` opens again, here or in another process.
        ids: Item ids in order.
    """

    def __init__(self, name: str, fingerprint: str, source: str, ids: Sequence[str]) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.source = source
        self._ids = ids
        self._kept: dict[str, Neighborhood] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Number of items."""
        return len(self._ids)

    def __iter__(self) -> Iterator[Item]:
        """The items in order."""
        return (self.item(item_id) for item_id in self._ids)

    def __contains__(self, item_id: object) -> bool:
        """Whether there is an item of this id."""
        return item_id in self.index

    def __repr__(self) -> str:
        """Name, size and fingerprint."""
        return f"<{type(self).__name__} {self.name}: {len(self)} items, {self.fingerprint}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Corpus:
        """Itself: a corpus is read-only."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as its source, so that another process maps the same pages instead of copying them."""
        from agenthop_env.corpus.sources import reopened

        return reopened, (self.source, self.fingerprint)

    @property
    def ids(self) -> Sequence[str]:
        """Item ids in order."""
        return self._ids

    @cached_property
    def index(self) -> Any:
        """Item id -> position."""
        return {item_id: position for position, item_id in enumerate(self._ids)}

    def item(self, item_id: str) -> Item:
        """An item.

        Raises:
            KeyError: If there is none of this id.
        """
        return self.neighborhood(item_id).item

    def neighborhood(self, item_id: str) -> Neighborhood:
        """An item with its graph, kept for the next call.

        Raises:
            KeyError: If there is none of this id; the message gives examples.
        """
        found = self._kept.get(item_id)
        if found is None:
            found = self._open(item_id)
            with self._lock:
                if len(self._kept) >= self.items_kept:
                    del self._kept[next(iter(self._kept))]
                self._kept[item_id] = found
        return found

    items_kept: int = _ITEMS_KEPT
    """How many neighborhoods stay open at a time."""

    @abstractmethod
    def _open(self, item_id: str) -> Neighborhood:
        """Make the neighborhood of an item; KeyError where there is none of this id."""

    def damaged(self, problem: Exception) -> CorpusError:
        """What to raise where the tables turn out not to be what was written."""
        return CorpusError(f"{self.source}: cannot be read ({type(problem).__name__}: {problem})")

    def _missing(self, item_id: str) -> KeyError:
        shown = ", ".join(self._ids[:3])
        return KeyError(f"{self.name} has no item {item_id!r}; its {len(self)} ids are {shown}, ...")


class StoreCorpus(Corpus):
    """A corpus over a compiled store.

    Args:
        tables: The store's tables.
        positions: Item id -> row in the store.
        name: See `Corpus`.
        fingerprint: See `Corpus`.
        source: See `Corpus`.
        meta: What the store says of itself.
        folder: Where it is on disk.
    """

    def __init__(
        self,
        tables: Tables,
        positions: dict[str, int],
        name: str,
        fingerprint: str,
        source: str,
        meta: Any = None,
        folder: Path | None = None,
    ) -> None:
        super().__init__(name, fingerprint, source, list(positions))
        self.meta = meta
        self.folder = folder
        self._tables = tables
        self._positions = positions

    def _open(self, item_id: str) -> Neighborhood:
        position = self._positions.get(item_id)
        if position is None:
            raise self._missing(item_id)
        try:
            return Neighborhood(self._tables, position)
        except UNREADABLE as problem:
            raise self.damaged(problem) from problem

    def damaged(self, problem: Exception) -> CorpusError:
        """What to raise where the tables turn out not to be what was written."""
        return CorpusError(
            f"{self.folder or self.source}: damaged ({type(problem).__name__}: {problem}); `agenthop data info "
            f"{self.folder or self.source} --check` names the files; remove the folder and open the release again"
        )
