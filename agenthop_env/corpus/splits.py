"""Train, validation and test, and the guard that keeps test items out of training.

Items that share a seed or a gold paper share evidence, so they stay together: a release is divided by connected
components. The published set is never divided; all of it is `test`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple, get_args

from agenthop_env.records import Item, Split

SPLITS: Final[tuple[Split, ...]] = get_args(Split)
SHARES: Final[dict[Split, float]] = {"train": 0.8, "validation": 0.1, "test": 0.1}
PUBLISHED_MARK: Final = "agenthop-published.json"
"""Written beside a release fetched from the hub."""

PUBLISHED_CELLS: Final = {
    ("single-target", 1): 90,
    ("single-target", 2): 478,
    ("multi-target", 1): 396,
    ("multi-target", 2): 47,
}
"""Items of the published set by type and depth (paper Table 10): a copy is known by them without the mark."""


class SplitError(Exception):
    """Test items were about to be trained on."""


class Division(NamedTuple):
    """How a release is divided.

    Attributes:
        of: Item id -> split.
        components: Sizes of the connected components, largest first; empty where nothing was divided.
    """

    of: dict[str, Split]
    components: list[int]


def is_published(items: Iterable[Item], folder: Path, claimed: bool | None = None) -> bool:
    """Whether a release is the published set: as claimed, else by its mark, else by its cells."""
    if claimed is not None:
        return claimed
    if (folder / PUBLISHED_MARK).is_file():
        return True
    return dict(Counter((item.question_type, item.depth) for item in items)) == PUBLISHED_CELLS


def assign(items: Collection[Item], *, published: bool) -> Division:
    """Divide items by connected components over shared seed and gold papers.

    Components go, largest first, to the split that is furthest below its share; equals are ordered by a hash of
    their first item, so the division is the same everywhere. A giant component stays whole.

    Args:
        items: Items of one release.
        published: Whether they are the published set: then all are `test`.
    """
    if published:
        return Division({item.id: "test" for item in items}, [])
    parent: dict[str, str] = {}

    def root(paper: str) -> str:
        while parent[paper] != paper:
            parent[paper] = parent[parent[paper]]
            paper = parent[paper]
        return paper

    for item in items:
        papers = [f"id:{paper}" for paper in (item.seed_paper_id, *item.gold_paper_ids)]
        papers += [f"arxiv:{name}" for name in (item.seed_arxiv_id, *item.gold_arxiv_ids) if name]
        for paper in papers:
            parent.setdefault(paper, paper)
            parent[root(paper)] = root(papers[0])
    groups: dict[str, list[str]] = {}
    for item in items:
        groups.setdefault(root(f"id:{item.seed_paper_id}"), []).append(item.id)
    ordered = sorted(
        groups.values(),
        key=lambda group: (-len(group), sha256(min(group).encode("utf-8", "replace")).digest()),
    )
    of: dict[str, Split] = {}
    filled = dict.fromkeys(SPLITS, 0)
    for group in ordered:
        split = max(SPLITS, key=lambda name: SHARES[name] * len(items) - filled[name])
        filled[split] += len(group)
        of.update(dict.fromkeys(group, split))
    return Division(of, [len(group) for group in ordered])


def require_trainable(
    splits: Iterable[str], *, allow_test: bool = False, source: str = "this data set"
) -> None:
    """Refuse to train on test items.

    Args:
        splits: Splits of the items about to be trained on.
        allow_test: Whether the user said so in so many words.
        source: Name for the message.

    Raises:
        SplitError: If any of them is `test` and that was not allowed.
    """
    count = sum(split == "test" for split in splits)
    if count and not allow_test:
        raise SplitError(
            f"{count} items of {source} are of the test split and are not for training; choose split='train', or pass "
            "allow_test=True if you mean to train on the test set"
        )
