"""A world as a corpus: items are generated and compiled in memory as they are asked for."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.corpus.builder import StoreBuilder, direct_labels
from agenthop_env.corpus.graph_rows import Node
from agenthop_env.corpus.neighborhood import Neighborhood
from agenthop_env.corpus.problems import CorpusError, Problems
from agenthop_env.corpus.rows import PoolPaper, read_item, read_labels, read_paper
from agenthop_env.corpus.store import Corpus, Tables
from agenthop_env.records import Item
from agenthop_env.worlds.item import WorldItem
from agenthop_env.worlds.world import World, parse_spec

ITEMS_KEPT: Final = {"nano": 4096, "tiny": 2048, "small": 256, "full": 32}
"""Items that stay open, by size: a quarter of a gigabyte at the most. Making one again costs milliseconds or more."""


class WorldCorpus(Corpus):
    """The items of a world.

    Args:
        world: The world.
    """

    def __init__(self, world: World) -> None:
        size, _, _ = world.spec.partition("?")
        super().__init__(f"{size} v{world.version} {world.split}", world.fingerprint, world.spec, world.ids)
        self.world = world
        self.items_kept = ITEMS_KEPT[world.size]

    def _open(self, item_id: str) -> Neighborhood:
        if item_id not in self.world:
            raise self._missing(item_id)
        return compile_item(self.world[item_id], self.world.split)


class ReadItem(NamedTuple):
    """A generated item as the builder takes it.

    Attributes:
        item: The item, with labels and split.
        papers: Its papers with text.
        nodes: Metadata by paper id.
        edges: Cited papers by citing paper.
        contexts: Citing sentences by citing and cited paper.
    """

    item: Item
    papers: list[PoolPaper]
    nodes: dict[str, Node]
    edges: dict[str, list[str]]
    contexts: dict[tuple[str, str], str]


def read_rows_of(rows: WorldItem, split: str) -> ReadItem:
    """Read the rows of a generated item as those of a release are read.

    Args:
        rows: The item's rows of the four release files.
        split: Its split.

    Raises:
        CorpusError: If the generator made something that no release may hold.
    """
    problems = Problems()
    item = read_item(rows.qa, 0, problems)
    labels = read_labels(rows.labels, 0, problems)
    papers = [read_paper(row, 0, problems) for row in rows.papers]
    if item is None or labels is None or problems.found:
        raise CorpusError(
            "a generated item is not in the release layout: " + "; ".join(map(str, problems.found[:5]))
        )
    return ReadItem(
        msgspec.structs.replace(item, labels=labels[1], split=split),
        [paper for paper in papers if paper is not None],
        {paper_id: _node(row) for paper_id, row in rows.graph["nodes"].items()},
        rows.graph["edges"],
        {
            (citing, cited): sentence
            for citing, sentences in rows.graph.get("contexts", {}).items()
            for cited, sentence in sentences.items()
        },
    )


def add_to(builder: StoreBuilder, read: ReadItem) -> None:
    """Add an item and its papers to a store."""
    for paper in read.papers:
        builder.add_paper(paper)
    builder.add_item(read.item, read.nodes, read.edges, read.contexts)


def compile_item(rows: WorldItem, split: str) -> Neighborhood:
    """A generated item as a neighborhood, by the same builder that compiles a release.

    Args:
        rows: The item's rows of the four release files.
        split: Its split.

    Raises:
        CorpusError: If the generator made something that no release may hold.
    """
    read = read_rows_of(rows, split)
    builder = StoreBuilder(None, direct_labels([read.item]))
    add_to(builder, read)
    built = builder.finish()
    if built is None:
        raise CorpusError("the builder kept no tables")
    return Neighborhood(Tables.from_memory(built), 0)


def _node(row: dict[str, Any]) -> Node:
    authors = tuple(author["name"] for author in row.get("authors") or () if author.get("name"))
    return Node(
        row.get("title"),
        row.get("arxivId") or None,
        row.get("year"),
        row.get("venue"),
        row.get("abstract"),
        authors,
    )


def open_world(source: str) -> WorldCorpus:
    """Open `world:small?seed=7&split=test&items=500`.

    Raises:
        CorpusError: If the specification names what there is not.
    """
    try:
        return WorldCorpus(parse_spec(source))
    except ValueError as problem:
        raise CorpusError(str(problem)) from None
