"""Every knob moves what it names, and little else."""

from __future__ import annotations

from collections import Counter
from statistics import mean

import pytest
from world_reading import measured, read, words

from agenthop_env.worlds import KNOBS, SIZES, Difficulty, WorldItem, generate, knob_of
from agenthop_env.worlds.search import COMMON, ranks, tokens

COUNT = 150
SMALLER = ("nano", "tiny")


def golds_rank(item: WorldItem) -> list[int]:
    nodes = list(item.graph["nodes"])
    one = read(item)
    query = tokens(item.qa["question"])
    places = ranks([len(query & tokens(one.document(paper))) for paper in nodes], range(len(nodes)))
    return [places[nodes.index(gold)] for gold in item.qa["gold_paper_ids"]]


def title_overlap(item: WorldItem) -> float:
    asked = set(words(item.qa["question"])) - COMMON
    titles = [item.graph["nodes"][gold]["title"] for gold in item.qa["gold_paper_ids"]]
    return mean(len(asked & set(words(title))) for title in titles)


@pytest.mark.parametrize("size", SIZES)
def test_every_knob_is_documented_with_its_range(size: str) -> None:
    for name in KNOBS:
        knob = knob_of(name, size)
        assert knob.low <= knob.default <= knob.high
        assert f"{name}:" in str(Difficulty.__doc__)
        for wrong in (knob.low - 1, knob.high + 1):
            with pytest.raises(
                ValueError, match=f"{name} must be a whole number from {knob.low} to {knob.high}"
            ):
                Difficulty(**{name: wrong}).resolve(size)
    with pytest.raises(ValueError, match="at least one of st_d1"):
        Difficulty(st_d1=0, st_d2=0, mt_d1=0, mt_d2=0).resolve(size)


@pytest.mark.parametrize("size", SIZES)
def test_the_ends_of_every_knob_make_items(size: str) -> None:
    ends = (lambda knob: knob.low), (lambda knob: knob.high)
    for name in KNOBS:
        if name in ("st_d1", "st_d2", "mt_d1", "mt_d2", "ground", "method", "motive", "result"):
            continue
        if size == "full" and name not in ("lookalikes", "nodes"):
            continue
        for end in ends:
            generate(
                size,
                seed=1,
                split="train",
                index=0,
                difficulty=Difficulty(**{name: end(knob_of(name, size))}),
            )


@pytest.mark.parametrize("size", SMALLER)
def test_nodes(size: str) -> None:
    low, high = {"nano": (9, 14), "tiny": (20, 50)}[size]
    few = mean(len(item.graph["nodes"]) for item in measured(size, COUNT, nodes=low))
    many = mean(len(item.graph["nodes"]) for item in measured(size, COUNT, nodes=high))
    assert few == pytest.approx(low, rel=0.25)
    assert many == pytest.approx(high, rel=0.15)


@pytest.mark.parametrize("size", SMALLER)
def test_text_share(size: str) -> None:
    def share(percent: int) -> float:
        return mean(
            len(one.papers) / len(one.graph["nodes"]) for one in measured(size, COUNT, text_share=percent)
        )

    assert share(100) == 1
    assert share(20) < share(70) < 1


def test_lookalikes() -> None:
    def same_task(count: int) -> float:
        return mean(
            len(read(item).cited(item.qa["seed_paper_id"]))
            for item in measured("tiny", COUNT, lookalikes=count, st_d2=0, mt_d2=0)
        )

    assert same_task(5) - same_task(1) > 2


@pytest.mark.parametrize("size", SMALLER)
def test_overlap(size: str) -> None:
    shares = [
        mean(title_overlap(item) for item in measured(size, COUNT, overlap=percent))
        for percent in (0, 50, 100)
    ]
    assert shares[0] + 0.3 < shares[1] < shares[2] - 0.3


@pytest.mark.parametrize("size", SMALLER)
def test_appendix(size: str) -> None:
    def share(percent: int) -> float:
        found = []
        for item in measured(size, COUNT, appendix=percent, subsections=0):
            found += [
                label["section"].lower().startswith(("appendix", "apdx"))
                for _, label in read(item).labels("direct")
            ]
        return mean(found)

    assert (share(0), share(100)) == (0, 1)
    assert 0.35 < share(50) < 0.65


@pytest.mark.parametrize("size", SMALLER)
def test_subsections(size: str) -> None:
    def share(percent: int) -> float:
        found = []
        for item in measured(size, COUNT, subsections=percent):
            one = read(item)
            found += [
                all(label["section"] != section["header"] for section in one.sections(paper))
                for paper, label in one.labels("direct")
            ]
        return mean(found)

    assert share(0) == 0
    assert share(100) > 0.9
    assert 0.35 < share(50) < 0.65


def test_closeness() -> None:
    def spread(percent: int) -> float:
        found = []
        for item in measured("tiny", 300, closeness=percent, mt_d1=0, mt_d2=0):
            sets = [set(words(option)) for option in item.qa["options"]]
            found.append(len(set.union(*sets) - set.intersection(*sets)))
        return mean(found)

    assert spread(0) > spread(50) + 0.5 > spread(100) + 1.0

    def width(percent: int) -> float:
        return mean(
            max(values) - min(values)
            for values in (
                [int(option[1:]) for option in item.qa["options"]]
                for item in measured("nano", 300, closeness=percent, mt_d1=0, mt_d2=0)
            )
        )

    assert width(0) > 10
    assert width(100) == 3


@pytest.mark.parametrize("size", ["nano", "tiny", "small"])
def test_search_finds_gold(size: str) -> None:
    count = 20 if size == "small" else COUNT

    def share(percent: int) -> float:
        return mean(max(golds_rank(item)) < 5 for item in measured(size, count, search_finds_gold=percent))

    assert share(100) == 1
    assert mean(min(golds_rank(item)) < 5 for item in measured(size, count, search_finds_gold=0)) == 0
    assert 0.25 < share(50) < 0.75


@pytest.mark.parametrize("size", SMALLER)
def test_contexts(size: str) -> None:
    def known(percent: int) -> float:
        return mean(
            sum(map(len, item.graph["contexts"].values())) for item in measured(size, COUNT, contexts=percent)
        )

    assert known(0) == 0 < known(40) < known(100)


@pytest.mark.parametrize("size", SMALLER)
def test_missing(size: str) -> None:
    def nulls(percent: int) -> float:
        return mean(
            sum(
                (node["abstract"] is None) + (node["year"] is None) + (not node["authors"])
                for node in item.graph["nodes"].values()
            )
            for item in measured(size, COUNT, missing=percent, text_share=40)
        )

    assert nulls(0) == 0 < nulls(50) < nulls(100)


@pytest.mark.parametrize("size", SMALLER)
def test_dangling(size: str) -> None:
    for count in (0, 2):
        for item in measured(size, 30, dangling=count):
            absent = [
                paper
                for cited in item.graph["edges"].values()
                for paper in cited
                if paper not in item.graph["nodes"]
            ]
            assert len(absent) == count


def test_kinds_and_reasoning_types_as_asked_for() -> None:
    only = Counter(
        (item.qa["id"][:2], item.qa["depth"])
        for item in measured("nano", COUNT, st_d1=1, st_d2=0, mt_d1=0, mt_d2=0)
    )
    assert set(only) == {("st", 1)}
    types = Counter(
        item.qa["reasoning_type"] for item in measured("tiny", COUNT, ground=0, method=3, motive=0, result=1)
    )
    assert set(types) == {"METHOD", "RESULT"}
    assert types["METHOD"] > types["RESULT"]
