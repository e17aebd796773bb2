"""Turns papers and items into a store's tables, one row at a time.

What an episode needs at each step is made here, once: the text of every listing, normalized headers, search
postings per item, and which sections satisfy which direct label. The same builder serves a release on disk (streams
to files) and a procedural world (one item, in memory).
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from agenthop_env.corpus.graph_rows import Node
from agenthop_env.corpus.rows import PoolPaper
from agenthop_env.corpus.tables import BlobWriter, ColumnWriter, encode
from agenthop_env.records import Item
from agenthop_env.records import encode as encode_record
from agenthop_env.text import layout, sections
from agenthop_env.text.words import search_words

COLUMNS: Final = {
    "item_nodes": "u8",  # first node row of each item, and the end
    "node_meta": "u4",  # paper metadata of each node row
    "node_key": "u4",  # per item the sorted CRC-32 of its paper ids ...
    "node_at": "u4",  # ... and the node that each key stands for
    "node_refs": "u4",  # reference listing of each node row
    "node_edges": "u8",  # first edge of each node row, and the end
    "edge_target": "i4",  # cited node within the item, -1 outside the graph
    "meta_pool": "i4",  # pool paper that holds the text, -1 without
    "refs_count": "u4",
    "pool_sections": "u8",  # first section of each pool paper, and the end
    "section_header_bytes": "u4",
    "section_hash": "u8",
    "item_tokens": "u8",  # first search token of each item, and the end
    "token_id": "u4",  # per item its distinct tokens, sorted ...
    "token_start": "u4",  # ... and where each one's postings begin in the item's bytes, one more for the end
    "item_postings": "u8",  # first byte of each item's postings, and the end
    "postings": "u1",  # see `pack_postings`
    "vocabulary_key": "u4",  # sorted CRC-32 of every token ...
    "vocabulary_id": "u4",  # ... and the token's id
}
BLOBS: Final = (
    "items",
    "ids",
    "metas",
    "infos",
    "cards",
    "refs",
    "listings",
    "arxiv",
    "headers",
    "sections",
    "vocabulary",
)
"""Blobs; each has a column of offsets named `<blob>_offsets`."""


class CompiledItem(msgspec.Struct, frozen=True):
    """An item with what scoring needs, precomputed.

    Attributes:
        item: The item, labels and split included.
        gold_nodes: (node, gold) for every node that counts as a gold paper, by id or arXiv id.
        evidence: (pool paper, section, gold, label) for every section that satisfies a direct label.
        scorable: Per gold paper whether it has a direct label at all.
    """

    item: Item
    gold_nodes: tuple[tuple[int, int], ...]
    evidence: tuple[tuple[int, int, int, int], ...]
    scorable: tuple[bool, ...]


class PaperMeta(msgspec.Struct, frozen=True, array_like=True):
    """A node's metadata as the store keeps it; the abstract stands in the paper's info text alone."""

    title: str | None
    arxiv_id: str | None
    year: int | str | None
    venue: str | None
    authors: tuple[str, ...]
    abstract_chars: int | None


class PoolHeaders(msgspec.Struct, frozen=True, array_like=True):
    """A pool paper's headers, prepared for look-ups."""

    lowered: tuple[str, ...]
    normalized: tuple[str, ...]


class Built(NamedTuple):
    """Tables kept in memory."""

    columns: dict[str, Any]
    blobs: dict[str, bytes]


class StoreBuilder:
    """Builds a store. Pool papers first, then items, then `finish`.

    Args:
        folder: Folder to stream into, or None to build in memory.
        labels: Direct labels by arXiv id (see `direct_labels`), so that texts need not be kept.
    """

    def __init__(self, folder: Path | None, labels: Mapping[str, set[str]]) -> None:
        def path(name: str) -> Path | None:
            return None if folder is None else folder / name

        self._folder = folder
        self._labels = labels
        self._satisfied: dict[tuple[int, str], list[int]] = {}
        self._columns = {name: ColumnWriter(kind, path(f"{name}.npy")) for name, kind in COLUMNS.items()}
        self._blobs = {name: BlobWriter(path(f"{name}.bin")) for name in BLOBS}
        for name in ("item_nodes", "pool_sections", "item_tokens", "item_postings", "node_edges"):
            self._columns[name].append([0])
        self._pool: dict[str, int] = {}
        self._metas: dict[bytes, int] = {}
        self._meta_pool = array("i")
        self._cards: list[str] = []
        self._arxiv: list[str | None] = []
        self._tokens = array("I")
        self._token_offsets = array("Q", [0])
        self._vocabulary: dict[str, int] = {}
        self._refs: dict[bytes, int] = {}
        self.edge_count = 0
        self.unlabeled: set[str] = set()

    @property
    def paper_count(self) -> int:
        """Papers with text so far."""
        return len(self._pool)

    @property
    def item_count(self) -> int:
        """Items so far."""
        return len(self._blobs["items"].offsets) - 1

    def has_paper(self, arxiv_id: str) -> bool:
        """Whether the pool holds a paper."""
        return arxiv_id in self._pool

    def add_paper(self, paper: PoolPaper) -> None:
        """Add a paper's text; of several with one arXiv id the last counts, as in the release's own reader."""
        pool = self._pool[paper.arxiv_id] = self._columns["pool_sections"].count - 1
        texts = self._blobs["sections"]
        sizes, hashes = [], []
        for section in paper.sections:
            header, body = encode(section.header), encode(section.text)
            texts.append(encode(layout.section_heading(section.header)) + body)
            sizes.append(len(header))
            hashes.append(int.from_bytes(sha256(body).digest()[:8], "big"))
        self._columns["section_header_bytes"].append(sizes)
        self._columns["section_hash"].append(hashes)
        self._columns["pool_sections"].append([len(texts.offsets) - 1])
        headers = [section.header for section in paper.sections]
        normalized = tuple(sections.normalize(header) for header in headers)
        lowered = tuple(header.lower() for header in headers)
        self._blobs["headers"].append(_pack(PoolHeaders(lowered, normalized)))
        self._blobs["arxiv"].append(encode(paper.arxiv_id))
        self._blobs["listings"].append(
            encode(layout.section_list(headers, [len(section.text) for section in paper.sections]))
        )
        for label in self._labels.get(paper.arxiv_id, ()):
            shown = [layout.section_heading(section.header) + section.text for section in paper.sections]
            self._satisfied[pool, label] = satisfying(label, normalized, shown)

    def add_item(
        self,
        item: Item,
        nodes: Mapping[str, Node | None],
        edges: Mapping[str, Sequence[str]],
        contexts: Mapping[tuple[str, str], str],
        keys: Mapping[str, bytes] | None = None,
    ) -> None:
        """Add an item with its graph.

        Args:
            item: The item.
            nodes: Papers of the graph in order; None for one that is `known` under its key.
            edges: Citing paper -> cited papers.
            contexts: (citing, cited) -> citing sentence.
            keys: Digest of each node's raw JSON, by which equal nodes are stored once.
        """
        metas = [
            self._add_meta(paper_id, node, keys[paper_id] if keys else None)
            for paper_id, node in nodes.items()
        ]
        local = {paper_id: index for index, paper_id in enumerate(nodes)}
        self._add_nodes(nodes, metas)
        self._add_edges(local, metas, edges, contexts)
        self._add_search(metas)
        self._blobs["items"].append(_pack(self._compile_item(item, local, metas)))

    def known(self, key: bytes) -> bool:
        """Whether a node with this key is stored already."""
        return key in self._metas

    def finish(self) -> Built | None:
        """Close all tables; returns them where they were built in memory."""
        self._columns["meta_pool"].append(self._meta_pool)
        self._write_vocabulary()
        columns = {name: column.finish() for name, column in self._columns.items()}
        for name, blob in self._blobs.items():
            offsets = ColumnWriter(
                "u8", None if self._folder is None else self._folder / f"{name}_offsets.npy"
            )
            offsets.append(blob.offsets)
            columns[f"{name}_offsets"] = offsets.finish()
        blobs = {name: blob.finish() for name, blob in self._blobs.items()}
        if self._folder is not None:
            return None
        return Built(columns, {name: data or b"" for name, data in blobs.items()})

    def _add_meta(self, paper_id: str, node: Node | None, key: bytes | None) -> int:
        index = self._metas.get(key) if key else None
        if index is not None:
            return index
        if node is None:
            raise ValueError(f"the node of {paper_id} is neither given nor known")
        index = len(self._meta_pool)
        if key:
            self._metas[key] = index
        pool = self._pool.get(node.arxiv_id, -1) if node.arxiv_id else -1
        has_text = pool >= 0
        self._meta_pool.append(pool)
        self._arxiv.append(node.arxiv_id)
        self._blobs["ids"].append(encode(paper_id))
        size = None if node.abstract is None else len(node.abstract)
        meta = PaperMeta(node.title, node.arxiv_id, node.year, node.venue, node.authors, size)
        self._blobs["metas"].append(_pack(meta))
        self._blobs["infos"].append(
            encode(
                layout.paper_info(node.title, node.authors, node.year, node.venue, node.abstract, has_text)
            )
        )
        self._cards.append(layout.reference_card(paper_id, node.title, node.authors, node.year, has_text))
        self._blobs["cards"].append(
            encode(layout.search_card(paper_id, node.title, node.authors, node.year, node.abstract, has_text))
        )
        vocabulary = self._vocabulary
        self._tokens.extend(
            [vocabulary.setdefault(word, len(vocabulary)) for word in search_words(node.title, node.abstract)]
        )
        self._token_offsets.append(len(self._tokens))
        return index

    def _add_nodes(self, nodes: Iterable[str], metas: list[int]) -> None:
        column = self._columns
        column["node_meta"].append(metas)
        column["item_nodes"].append([column["node_meta"].count])
        keys = np.fromiter(
            (zlib.crc32(encode(paper_id)) for paper_id in nodes), dtype=np.uint32, count=len(metas)
        )
        order = np.argsort(keys, kind="stable")
        column["node_key"].append(keys[order])
        column["node_at"].append(order)

    def _add_edges(
        self,
        local: Mapping[str, int],
        metas: list[int],
        edges: Mapping[str, Sequence[str]],
        contexts: Mapping[tuple[str, str], str],
    ) -> None:
        targets: list[int] = []
        ends: list[int] = []
        listings: list[int] = []
        for citing in local:
            cited = edges.get(citing, ())
            nodes = [local.get(paper_id, -1) for paper_id in cited]
            targets.extend(nodes)
            ends.append(self.edge_count + len(targets))
            cards = [
                self._cards[metas[node]]
                if node >= 0
                else layout.reference_card(paper_id, None, (), None, False)
                for paper_id, node in zip(cited, nodes, strict=True)
            ]
            if contexts:
                for index, paper_id in enumerate(cited):
                    sentence = contexts.get((citing, paper_id))
                    if sentence:
                        cards[index] += layout.context_line(sentence)
            listings.append(self._add_listing(cards))
        self.edge_count += len(targets)
        self._columns["edge_target"].append(targets)
        self._columns["node_edges"].append(ends)
        self._columns["node_refs"].append(listings)

    def _add_listing(self, cards: list[str]) -> int:
        body = encode(layout.numbered(cards))
        digest = blake2b(body, digest_size=16).digest()
        index = self._refs.get(digest)
        if index is None:
            index = self._refs[digest] = self._blobs["refs"].append(body)
            self._columns["refs_count"].append([len(cards)])
        return index

    def _add_search(self, metas: list[int]) -> None:
        """Postings of the item: per distinct token the nodes that hold it, in graph order."""
        offsets = self._token_offsets
        parts = [
            np.frombuffer(self._tokens, dtype=np.uint32)[offsets[meta] : offsets[meta + 1]] for meta in metas
        ]
        lengths = [len(part) for part in parts]
        tokens = np.concatenate(parts) if parts else np.empty(0, dtype=np.uint32)
        del parts  # they hold the growing array's buffer
        order = np.argsort(tokens, kind="stable")
        nodes = np.repeat(np.arange(len(metas), dtype=np.uint32), lengths)[order]
        tokens = tokens[order]
        starts = (
            np.flatnonzero(np.diff(tokens, prepend=tokens[:1] - 1) != 0)
            if tokens.size
            else np.empty(0, dtype=np.int64)
        )
        column = self._columns
        packed, begins = pack_postings(nodes, np.append(starts, tokens.size), len(metas))
        column["token_id"].append(tokens[starts])
        column["token_start"].append(begins)
        column["item_tokens"].append([column["token_id"].count])
        column["postings"].append(packed)
        column["item_postings"].append([column["postings"].count])

    def _compile_item(self, item: Item, local: Mapping[str, int], metas: list[int]) -> CompiledItem:
        golds = range(len(item.gold_paper_ids))
        names = [self._gold_names(item, gold, local, metas) for gold in golds]
        by_id = {paper_id: gold for gold, paper_id in reversed(list(enumerate(item.gold_paper_ids)))}
        by_arxiv = {name: gold for gold in reversed(golds) for name in names[gold]}
        gold_nodes = []
        for paper_id, node in local.items():
            gold_or_none = by_id.get(paper_id, by_arxiv.get(self._arxiv[metas[node]] or ""))
            if gold_or_none is not None:
                gold_nodes.append((node, gold_or_none))
        evidence: list[tuple[int, int, int, int]] = []
        scorable = [False] * len(golds)
        for index, label in enumerate(item.labels):
            if label.relevance != "direct" or not label.section.strip():
                continue
            for gold in golds:
                if label.arxiv_id not in names[gold]:
                    continue
                scorable[gold] = True
                pools = {self._meta_pool[metas[node]] for node, of in gold_nodes if of == gold} - {-1}
                for pool in sorted(pools):
                    satisfied = self._satisfied.get((pool, label.section), ())
                    evidence.extend((pool, section, gold, index) for section in satisfied)
        if not all(scorable):
            self.unlabeled.add(item.id)
        return CompiledItem(item, tuple(gold_nodes), tuple(evidence), tuple(scorable))

    def _gold_names(self, item: Item, gold: int, local: Mapping[str, int], metas: list[int]) -> set[str]:
        """ArXiv ids by which a gold paper is known: the item's own and its node's; never an empty one."""
        names = set(item.gold_arxiv_ids[gold : gold + 1])
        node = local.get(item.gold_paper_ids[gold])
        if node is not None:
            names.add(self._arxiv[metas[node]] or "")
        return names - {""}

    def _write_vocabulary(self) -> None:
        words = [encode(word) for word in self._vocabulary]
        keys = np.fromiter((zlib.crc32(word) for word in words), dtype=np.uint32, count=len(words))
        order = np.argsort(keys, kind="stable")
        self._columns["vocabulary_key"].append(keys[order])
        self._columns["vocabulary_id"].append(order)
        for index in order.tolist():
            self._blobs["vocabulary"].append(words[index])


COMMON_NODES: Final = 8
"""Nodes from which on a token's postings are a mask even where a list would be shorter."""


def node_width(node_count: int) -> int:
    """Bytes of a node number in a list of postings."""
    return 2 if node_count <= 1 << 16 else 4


def pack_postings(
    nodes: npt.NDArray[np.uint32], starts: npt.NDArray[np.int64], node_count: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Each token's nodes in one of two forms, told apart by their length.

    A rare token's are a list of little-endian numbers of `node_width` bytes, shorter than a mask; a common one's are
    a bit mask, lowest node first, of one bit a node. Search adds masks up, so a mask is also what it wants.

    Args:
        nodes: Nodes of all tokens, token by token, ascending within each.
        starts: Where each token's begin, and the end.
        node_count: Papers of the item.

    Returns:
        The bytes, and where each token's begin, and the end.
    """
    width, mask_bytes = node_width(node_count), -(-node_count // 8)
    counts = np.diff(starts)
    common = (counts * width >= mask_bytes) | (counts >= COMMON_NODES)
    begins = np.concatenate(([0], np.cumsum(np.where(common, mask_bytes, counts * width))))
    packed = np.zeros(int(begins[-1]), dtype=np.uint8)
    token = np.repeat(np.arange(len(counts)), counts)
    rank = np.arange(len(nodes)) - starts[token]
    rare = ~common[token]
    places = begins[token[rare]] + rank[rare] * width
    for byte in range(width):
        packed[places + byte] = (nodes[rare] >> (8 * byte)) & 0xFF
    if common.any():
        row = np.cumsum(common) - 1
        bits = np.zeros((int(common.sum()), node_count), dtype=np.uint8)
        bits[row[token[~rare]], nodes[~rare]] = 1
        masks = np.packbits(bits, axis=1, bitorder="little")
        packed[begins[:-1][common][:, None] + np.arange(mask_bytes)] = masks
    return packed, begins


def satisfying(label: str, headers: Sequence[str], texts: Sequence[str]) -> list[int]:
    """Sections of a paper that satisfy a direct label (protocol section 5).

    A section whose header equals the label after normalization does; where the label equals no header of the paper
    (it names a subsection), a section does whose text holds the label verbatim.

    Args:
        label: The label's section.
        headers: The paper's headers after `sections.normalize`.
        texts: The paper's sections as delivered, heading and text.
    """
    name = sections.normalize(label)
    if name in headers:
        return [index for index, header in enumerate(headers) if header == name]
    verbatim = label.strip()
    return [index for index, text in enumerate(texts) if verbatim and verbatim in text]


def direct_labels(items: Iterable[Item]) -> dict[str, set[str]]:
    """Direct labels' sections by arXiv id of the paper that they may stand in."""
    found: dict[str, set[str]] = {}
    for item in items:
        for label in item.labels:
            if label.relevance == "direct" and label.arxiv_id and label.section.strip():
                for name in {label.arxiv_id, *item.gold_arxiv_ids} - {""}:
                    found.setdefault(name, set()).add(label.section)
    return found


def _pack(value: msgspec.Struct) -> bytes:
    return encode(encode_record(value))
