"""What the tests of worlds read off an item, without the package's own reading code where it could hide a fault."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from agenthop_env.text.sections import normalize
from agenthop_env.worlds import Difficulty, WorldItem, make

PROSE_SIZES = ("tiny", "small", "full")

_TOKEN = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def words(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


def numbers(text: str) -> list[float]:
    return [float(found) for found in _NUMBER.findall(text)]


def digest(item: WorldItem) -> str:
    return hashlib.sha256(json.dumps(item, ensure_ascii=True).encode()).hexdigest()[:16]


@cache
def items(size: str, count: int, seed: int = 0, split: str = "test") -> tuple[WorldItem, ...]:
    return tuple(make(size, seed=seed, split=split, items=count))


def measured(size: str, count: int, **knobs: int) -> Iterator[WorldItem]:
    return iter(make(size, seed=9, items=count, difficulty=Difficulty(**knobs)))


class Reading(NamedTuple):
    """One item, looked up by paper id."""

    item: WorldItem
    texts: dict[str, dict[str, Any]]

    @property
    def qa(self) -> dict[str, Any]:
        return self.item.qa

    @property
    def seed(self) -> str:
        return str(self.qa["seed_paper_id"])

    def sections(self, paper_id: str) -> list[dict[str, str]]:
        found: list[dict[str, str]] = self.texts[paper_id]["sections"]
        return found

    def body(self, paper_id: str) -> str:
        return "\n".join(section["text"] for section in self.sections(paper_id))

    def cited(self, paper_id: str) -> list[str]:
        found: list[str] = self.item.graph["edges"].get(paper_id, [])
        return found

    def document(self, paper_id: str) -> str:
        node = self.item.graph["nodes"][paper_id]
        return f"{node['title']} {node['abstract'] or ''}"

    def labels(self, relevance: str) -> list[tuple[str, dict[str, str]]]:
        by_arxiv = {node["arxivId"]: paper_id for paper_id, node in self.item.graph["nodes"].items()}
        rows = self.item.labels["analysis"]["section_recall_labels"]
        return [(by_arxiv[row["arxiv_id"]], row) for row in rows if row["relevance"] == relevance]

    def satisfying(self, paper_id: str, label: str) -> list[dict[str, str]]:
        """Sections that satisfy a label, by the protocol's section 5."""
        sections = self.sections(paper_id)
        by_header = [one for one in sections if normalize(one["header"]) == normalize(label)]
        return by_header or [one for one in sections if label in one["text"]]


def read(item: WorldItem) -> Reading:
    pool = {paper["arxiv_id"]: paper for paper in item.papers}
    nodes = item.graph["nodes"]
    return Reading(
        item, {key: pool[node["arxivId"]] for key, node in nodes.items() if node["arxivId"] in pool}
    )
