"""An item is a pure function of its coordinates, on every platform and Python, and shares nothing with its neighbors."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from world_reading import digest

from agenthop_env.worlds import SIZES, SPLITS, Difficulty, WorldItem, generate, make
from agenthop_env.worlds.bits import Bits

GOLDEN = {
    "nano": ["7c6207cbcd490279", "c4a5bf600809468a", "8ec095cbcad2fefa"],
    "tiny": ["349425d70ee7b998", "455cdcc1e29e4790"],
    "small": ["9b0989d34095ccd7", "973523ef77e8ade5"],
    "full": ["5afb3d7e366d59df"],
}
"""Digests of test items of seed 0. They change only with `WORLD_VERSION`."""

_SCRIPT = """
import json, sys
from agenthop_env.worlds import make
sys.path.insert(0, {folder!r})
from world_reading import digest
print(json.dumps({{size: [digest(item) for item in make(size, split="test", items=count)] for size, count in {counts!r}.items()}}))
"""


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_golden_digests_hold_in_another_process_whatever_its_hash_seed(hash_seed: str) -> None:
    counts = {size: len(digests) for size, digests in GOLDEN.items()}
    script = _SCRIPT.format(folder=os.path.dirname(__file__), counts=counts)
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == GOLDEN


def test_raw_bits_are_those_of_pcg64() -> None:
    bits = Bits([1, 2, 3])
    raw = np.random.PCG64(np.random.SeedSequence([1, 2, 3])).random_raw(2000).tolist()
    assert bits.words(2000) == raw


def test_draws_are_even_and_in_range() -> None:
    bits = Bits([7])
    counts = [0] * 10
    for _ in range(20_000):
        counts[bits.below(10)] += 1
    assert max(counts) - min(counts) < 300
    assert sorted(bits.shuffled(range(30))) == list(range(30))
    for count in (0, 1, 3, 30):
        drawn = bits.sample(range(30), count)
        assert len(set(drawn)) == count
    with pytest.raises(ValueError, match="cannot sample"):
        bits.sample(range(3), 4)
    firsts = [Bits([0, n]).shuffled(range(4))[0] for n in range(4000)]
    assert all(abs(firsts.count(value) - 1000) < 120 for value in range(4))
    assert {bits.weighted([0, 5, 0]) for _ in range(20)} == {1}


@pytest.mark.parametrize("size", SIZES)
def test_order_of_generation_and_number_of_items_do_not_matter(size: str) -> None:
    world = make(size, seed=3, items=4)
    backwards = [digest(world[index]) for index in (3, 2, 1, 0)]
    assert backwards[::-1] == [digest(item) for item in make(size, seed=3, items=9)][:4]
    assert backwards[0] == digest(generate(size, seed=3, split="train", index=3))
    assert backwards[0] == digest(world[world.ids[3]])


def signatures(item: WorldItem, size: str) -> list[str]:
    """What must never repeat: the whole item, or where the language is large everything that is read in it."""
    nodes = list(item.graph["nodes"].values())
    texts = [[(section["header"], section["text"]) for section in paper["sections"]] for paper in item.papers]
    if size == "nano":
        # Its language is small: an item is its graph, texts, question and options together.
        shown = [
            (node["title"], node["abstract"], node["year"], [author["name"] for author in node["authors"]])
            for node in nodes
        ]
        return [json.dumps([shown, item.graph["edges"], texts, item.qa["question"], item.qa["options"]])]
    found = [item.qa["question"], *(node["title"] for node in nodes)]
    found += [node["abstract"] for node in nodes if node["abstract"]]
    found += [text for sections in texts for _, text in sections]
    found += [
        label["what_it_contains"]
        for label in item.labels["analysis"]["section_recall_labels"]
        if label["relevance"] == "direct"
    ]
    return found


def assert_nothing_repeats(size: str, count: int) -> None:
    """Over three splits and three seeds, and within them."""
    seen: set[int] = set()
    for split in SPLITS:
        for seed in (0, 1, 2):
            for item in make(size, seed=seed, split=split, items=count // 9):
                for text in signatures(item, size):
                    mark = hash(text)
                    assert mark not in seen, (split, seed, item.qa["id"], text[:200])
                    seen.add(mark)


@pytest.mark.parametrize(("size", "count"), [("nano", 900), ("tiny", 180), ("small", 18), ("full", 9)])
def test_no_item_question_paper_section_or_fact_repeats(size: str, count: int) -> None:
    assert_nothing_repeats(size, count)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "count"), [("nano", 18_000), ("tiny", 6_300), ("small", 900), ("full", 45)])
def test_nothing_repeats_over_thousands_of_items(size: str, count: int) -> None:
    assert_nothing_repeats(size, count)


def test_seed_and_index_are_not_added_up() -> None:
    for size in ("nano", "tiny"):
        one = [generate(size, seed=5, split="train", index=index) for index in range(1, 30)]
        two = [generate(size, seed=6, split="train", index=index) for index in range(29)]
        assert all(a.qa["question"] != b.qa["question"] for a, b in zip(one, two, strict=True))
    large = generate("nano", seed=2**40 + 5, split="train", index=0)
    assert digest(large) != digest(generate("nano", seed=5, split="train", index=0))


def test_facts_of_neighboring_seeds_are_unrelated() -> None:
    """Letters of seed s, item i + 1 agree with those of seed s + 1, item i as often as chance has it."""
    agree = sum(
        generate("nano", seed=seed, split="train", index=index + 1).qa["correct_index"]
        == generate("nano", seed=seed + 1, split="train", index=index).qa["correct_index"]
        for seed in range(20)
        for index in range(20)
    )
    assert 65 < agree < 135


def test_fingerprints_tell_worlds_apart_but_not_by_length() -> None:
    base = make("tiny", seed=1)
    assert base.fingerprint == make("tiny", seed=1, items=5).fingerprint
    others = [
        make("small", seed=1),
        make("tiny", seed=2),
        make("tiny", seed=1, split="test"),
        make("tiny", seed=1, difficulty=Difficulty(lookalikes=4)),
    ]
    assert len({world.fingerprint for world in [base, *others]}) == 5
    explicit = Difficulty(nodes=base.difficulty.nodes)
    assert make("tiny", seed=1, difficulty=explicit) == base


def test_coordinates_out_of_range_are_named() -> None:
    for wrong in ({"size": "huge"}, {"split": "dev"}, {"seed": -1}, {"seed": 2**64}, {"version": 99}):
        arguments = {"size": "nano", "seed": 0, "split": "test", "index": 0, **wrong}
        with pytest.raises(ValueError, match=str(next(iter(wrong)))):
            generate(**arguments)
    for index in (-1, 1_000_000, True):
        with pytest.raises(ValueError, match="index"):
            generate("nano", seed=0, split="test", index=index)


def test_questions_alone_are_those_of_the_items() -> None:
    for size in SIZES:
        world = make(size, seed=4, items=3)
        assert list(world.questions()) == [item.qa for item in world]
