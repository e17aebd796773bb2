"""Splits: items that share evidence stay together, the published set is test, and the guard keeps it so."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from releases import Release, small_release

from agenthop_env import open_corpus
from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.splits import (
    PUBLISHED_CELLS,
    PUBLISHED_MARK,
    SPLITS,
    SplitError,
    assign,
    is_published,
    require_trainable,
)
from agenthop_env.records import Item


def item(
    item_id: str,
    seed: str,
    *golds: str,
    arxiv: tuple[str, ...] = (),
    kind: str = "single-target",
    depth: int = 1,
) -> Item:
    return Item(
        id=item_id, question_type=kind, depth=depth, question="q", options=("a", "b", "c", "d"), correct_index=0,
        seed_paper_id=seed, gold_paper_ids=golds or ("g" + item_id,), gold_arxiv_ids=arxiv,
    )  # fmt: skip


@given(
    st.lists(st.tuples(st.integers(0, 30), st.lists(st.integers(0, 30), min_size=1, max_size=3)), max_size=60)
)
def test_no_seed_and_no_gold_is_in_two_splits(drawn: list[tuple[int, list[int]]]) -> None:
    items = [
        item(f"i{place}", f"p{seed}", *(f"p{gold}" for gold in golds))
        for place, (seed, golds) in enumerate(drawn)
    ]
    division = assign(items, published=False)
    assert division.of.keys() == {one.id for one in items}
    where: dict[str, set[str]] = {}
    for one in items:
        for paper in (one.seed_paper_id, *one.gold_paper_ids):
            where.setdefault(paper, set()).add(division.of[one.id])
    assert all(len(found) == 1 for found in where.values())
    assert sum(division.components) == len(items)
    assert division.components == sorted(division.components, reverse=True)
    assert assign(items[::-1], published=False).of == division.of


def test_papers_of_one_arxiv_id_count_as_one() -> None:
    items = [item("a", "s1", "g1", arxiv=("2001.1",)), item("b", "s2", "g2", arxiv=("2001.1",))]
    assert assign(items, published=False).components == [2]
    assert assign(
        [item("a", "s1", "g1", arxiv=("",)), item("b", "s2", "g2", arxiv=("",))], published=False
    ).components == [1, 1]


def test_a_giant_component_stays_whole() -> None:
    items = [item(f"i{number}", "hub") for number in range(90)] + [
        item(f"j{number}", f"s{number}") for number in range(10)
    ]
    division = assign(items, published=False)
    assert division.components == [90] + [1] * 10
    assert {division.of[f"i{number}"] for number in range(90)} == {"train"}
    assert {division.of[f"j{number}"] for number in range(10)} == {"validation", "test"}


def test_shares_are_near_80_10_10() -> None:
    items = [item(f"i{number}", f"s{number // 2}") for number in range(1000)]
    counts = [list(assign(items, published=False).of.values()).count(split) for split in SPLITS]
    assert counts == [800, 100, 100]


def test_the_published_set_is_all_test(tmp_path: Path) -> None:
    folder = small_release(tmp_path / "release")
    (folder / PUBLISHED_MARK).write_text("{}")
    corpus = open_corpus(folder)
    assert {one.split for one in corpus} == {"test"}
    with pytest.raises(CorpusError, match="of the train split"):
        open_corpus(f"{folder}?split=train")


def test_the_mark_decides_although_the_content_is_the_same(tmp_path: Path) -> None:
    own, marked = small_release(tmp_path / "own"), small_release(tmp_path / "marked")
    (marked / PUBLISHED_MARK).write_text("{}")
    assert {one.split for one in open_corpus(marked)} == {"test"}
    assert {one.split for one in open_corpus(own)} != {"test"}


def test_a_copy_of_the_published_set_is_known_by_its_cells(tmp_path: Path) -> None:
    items = [
        item(f"{kind}{depth}{number}", f"s{kind}{depth}{number}", kind=kind, depth=depth)
        for (kind, depth), count in PUBLISHED_CELLS.items()
        for number in range(count)
    ]
    assert len(items) == 1011
    assert is_published(items, tmp_path)
    assert not is_published(items[1:], tmp_path)
    assert not is_published(items, tmp_path, claimed=False)


def test_a_split_is_a_part_of_the_items_in_order(tmp_path: Path) -> None:
    release = Release()
    for number, row in enumerate(release.qa):  # no two share a paper
        seed = f"only-{number}"
        row |= {
            "seed_paper_id": seed,
            "seed_arxiv_id": "",
            "gold_paper_ids": [f"gold-{number}"],
            "gold_arxiv_ids": [""],
        }
        nodes = release.graphs[number]["nodes"]
        nodes[seed], nodes[f"gold-{number}"] = {"title": seed}, {"title": "g"}
    folder = release.write(tmp_path / "release")
    whole = open_corpus(folder)
    parts = {split: list(open_corpus(f"{folder}?split={split}").ids) for split in SPLITS}
    assert sorted(one for ids in parts.values() for one in ids) == sorted(whole.ids)
    for split, ids in parts.items():
        assert ids == [item_id for item_id in whole.ids if whole.item(item_id).split == split]
        assert ids
    assert open_corpus(f"{folder}?split=test").name == whole.name


def test_the_guard_refuses_test_items_unless_told_so() -> None:
    require_trainable(["train", "validation"])
    require_trainable([])
    with pytest.raises(SplitError, match=r"2 items of mine are of the test split.*allow_test=True"):
        require_trainable(["train", "test", "test"], source="mine")
    require_trainable(["test"], allow_test=True)
