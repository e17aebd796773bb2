"""An item and the papers in its agent's reach: all that the tools ask, straight from a store's tables."""

from __future__ import annotations

import sys
import zlib
from bisect import bisect_left
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from agenthop_env.corpus.builder import CompiledItem, PaperMeta, PoolHeaders, node_width
from agenthop_env.corpus.tables import ENCODING, ERRORS, Blob, encode
from agenthop_env.records import Item, Paper, Section, decode
from agenthop_env.text import sections

if TYPE_CHECKING:
    from agenthop_env.corpus.store import Tables

_FOUND_KEPT: Final = 64
"""Ids that a neighborhood remembers: a policy asks for the same few papers again and again."""


class SectionText(NamedTuple):
    """A section as a tool delivers it.

    Attributes:
        shown: Heading and text.
        header: The header alone.
        text_hash: First 16 hex digits of the SHA-256 of the text.
        size: Bytes of the text.
    """

    shown: str
    header: str
    text_hash: str
    size: int


class Neighborhood:
    """An item and the papers that its agent can reach, by node number in graph order.

    Args:
        tables: The store.
        index: The item's number in it.
    """

    __slots__ = (
        "_found",
        "_mask_bytes",
        "_node_width",
        "_post",
        "_starts",
        "_tables",
        "_tok_hi",
        "_tok_lo",
        "base",
        "evidence",
        "gold_of",
        "item",
        "label_count",
        "node_count",
        "scorable",
    )

    def __init__(self, tables: Tables, index: int) -> None:
        offsets = tables.items_offsets
        compiled = decode(tables.items.read(offsets[index], offsets[index + 1]), CompiledItem)
        self._tables = tables
        self.item: Item = compiled.item
        self.gold_of: dict[int, int] = dict(compiled.gold_nodes)
        self.scorable: tuple[bool, ...] = compiled.scorable
        self.evidence: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
        for pool, section, gold, label in compiled.evidence:
            self.evidence[pool, section] = (*self.evidence.get((pool, section), ()), (gold, label))
        self.label_count = len({label for _, _, _, label in compiled.evidence})
        self.base: int = tables.item_nodes[index]
        self.node_count: int = tables.item_nodes[index + 1] - self.base
        self._tok_lo: int = tables.item_tokens[index]
        self._tok_hi: int = tables.item_tokens[index + 1]
        self._post: int = tables.item_postings[index]
        self._starts = index
        self._found: dict[str, int] = {}
        self._mask_bytes = -(-self.node_count // 8)
        self._node_width = node_width(self.node_count)

    def __len__(self) -> int:
        """Number of papers."""
        return self.node_count

    def find(self, paper_id: str) -> int | None:
        """Node of a paper id, None where the graph has no such paper."""
        known = self._found.get(paper_id)
        if known is not None:
            return known
        tables, raw = self._tables, encode(paper_id)
        key, keys = zlib.crc32(raw), tables.node_key
        end = self.base + self.node_count
        place = bisect_left(keys, key, self.base, end)
        while place < end and keys[place] == key:
            node: int = tables.node_at[place]
            meta = tables.node_meta[self.base + node]
            if tables.ids.read(tables.ids_offsets[meta], tables.ids_offsets[meta + 1]) == raw:
                if len(self._found) >= _FOUND_KEPT:
                    self._found.clear()
                self._found[paper_id] = node
                return node
            place += 1
        return None

    def paper_id(self, node: int) -> str:
        """The paper's id."""
        tables = self._tables
        meta = tables.node_meta[self.base + node]
        return _text(tables.ids, tables.ids_offsets, meta)

    def info(self, node: int) -> str:
        """What `get_paper_info` says of the paper."""
        tables = self._tables
        return _text(tables.infos, tables.infos_offsets, tables.node_meta[self.base + node])

    def meta(self, node: int) -> PaperMeta:
        """The paper's metadata, without its abstract."""
        tables = self._tables
        meta = tables.node_meta[self.base + node]
        return decode(
            tables.metas.read(tables.metas_offsets[meta], tables.metas_offsets[meta + 1]), PaperMeta
        )

    def abstract(self, node: int) -> str | None:
        """The paper's abstract, None where unknown."""
        size = self.meta(node).abstract_chars
        if not size:
            return None if size is None else ""
        text = self.info(node)
        end = text.rindex("\n")
        return text[end - size : end]

    def pool(self, node: int) -> int:
        """Pool paper with the node's text, -1 without text."""
        tables = self._tables
        return int(tables.meta_pool[tables.node_meta[self.base + node]])

    def references(self, node: int) -> tuple[int, str]:
        """Number of papers cited, and their listing."""
        tables = self._tables
        listing = tables.node_refs[self.base + node]
        return tables.refs_count[listing], _text(tables.refs, tables.refs_offsets, listing)

    def cited(self, node: int) -> list[int]:
        """Nodes that a paper cites, in order; -1 for a paper outside the graph."""
        edges = self._tables.node_edges
        row = self.base + node
        return self._tables.edge_target[edges[row] : edges[row + 1]].tolist()

    def holders(self, words: Iterable[str]) -> list[int]:
        """For each of some distinct tokens that any paper here holds, a bit mask of the nodes that do."""
        tables = self._tables
        word_id, ids, starts, postings = tables.word_id, tables.token_id, tables.token_start, tables.postings
        low, high, first, mask_bytes = self._tok_lo, self._tok_hi, self._post, self._mask_bytes
        masks = []
        for word in words:
            token = word_id(word)
            if token < 0:
                continue
            place = bisect_left(ids, token, low, high)
            if place < high and ids[place] == token:
                place += self._starts  # each item before has one more posting start than it has tokens
                packed = postings[first + starts[place] : first + starts[place + 1]]
                if len(packed) == mask_bytes:
                    masks.append(int.from_bytes(packed, "little"))
                    continue
                mask = 0
                for node in _nodes(packed, self._node_width):
                    mask |= 1 << node
                masks.append(mask)
        tables.count_search()
        return masks

    def card(self, node: int) -> str:
        """A search result's lines."""
        tables = self._tables
        return _text(tables.cards, tables.cards_offsets, tables.node_meta[self.base + node])

    def section_count(self, pool: int) -> int:
        """Number of sections of a pool paper; 0 for -1, a paper without text."""
        if pool < 0:
            return 0
        return int(self._tables.pool_sections[pool + 1] - self._tables.pool_sections[pool])

    def section_list(self, pool: int) -> str:
        """Listing of a pool paper's sections."""
        return _text(self._tables.listings, self._tables.listings_offsets, pool)

    def arxiv_id(self, pool: int) -> str:
        """ArXiv id of a pool paper."""
        return _text(self._tables.arxiv, self._tables.arxiv_offsets, pool)

    def resolve(self, pool: int, query: str) -> int | None:
        """Section of a pool paper that a query names; see `text.sections.resolve`."""
        index = sections.alias_index(query.strip())
        if index is not None and index < self.section_count(pool):
            return index
        tables = self._tables
        raw = tables.headers.read(tables.headers_offsets[pool], tables.headers_offsets[pool + 1])
        headers = decode(raw, PoolHeaders)
        return sections.resolve_prepared(query, headers.lowered, headers.normalized)

    def section(self, pool: int, index: int) -> SectionText:
        """A section of a pool paper."""
        tables = self._tables
        row = tables.pool_sections[pool] + index
        begin, end = tables.sections_offsets[row], tables.sections_offsets[row + 1]
        raw = tables.sections.read(begin, end)
        header_bytes = tables.section_header_bytes[row]
        return SectionText(
            raw.decode(ENCODING, ERRORS),
            raw[4 : 4 + header_bytes].decode(ENCODING, ERRORS),
            f"{tables.section_hash[row]:016x}",
            len(raw) - header_bytes - 10,
        )

    def header_texts(self, pool: int) -> list[str]:
        """A pool paper's headers as written."""
        return [self.section(pool, index).header for index in range(self.section_count(pool))]

    def paper(self, node: int) -> Paper:
        """The whole paper of a node, sections included."""
        meta, pool = self.meta(node), self.pool(node)
        parts = [] if pool < 0 else [self.section(pool, index) for index in range(self.section_count(pool))]
        return Paper(
            paper_id=self.paper_id(node),
            arxiv_id=meta.arxiv_id,
            title=meta.title,
            authors=meta.authors,
            year=meta.year,
            venue=meta.venue,
            abstract=self.abstract(node),
            has_text=pool >= 0,
            sections=tuple(Section(part.header, part.shown[len(part.header) + 10 :]) for part in parts),
        )


def _nodes(packed: memoryview, width: int) -> memoryview | list[int]:
    """The little-endian node numbers in a list of postings."""
    if sys.byteorder == "little":
        return packed.cast("H" if width == 2 else "I")
    return [int.from_bytes(packed[place : place + width], "little") for place in range(0, len(packed), width)]


def _text(blob: Blob, offsets: memoryview, index: int) -> str:
    return blob.read(offsets[index], offsets[index + 1]).decode(ENCODING, ERRORS)
