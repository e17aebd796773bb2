"""What holds whatever the coordinates: sampled seeds here, thousands of them in the slow test."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from world_reading import read

from agenthop_env.agents.oracle import Oracle
from agenthop_env.agents.protocol import play_turn
from agenthop_env.sandbox.episode import Episode
from agenthop_env.worlds import SPLITS, WORLD_VERSION, Difficulty, generate, make
from agenthop_env.worlds.coordinates import locate
from agenthop_env.worlds.corpus import WorldCorpus
from agenthop_env.worlds.naming import namer, spelled
from agenthop_env.worlds.stock import names

COUNTS = {"nano": 3000, "tiny": 1500, "small": 120, "full": 6}


def check(size: str, seed: int, split: str, index: int) -> None:
    """Everything that an item of any size and seed promises."""
    one = read(generate(size, seed=seed, split=split, index=index))
    qa, nodes = one.qa, one.item.graph["nodes"]
    assert len(set(qa["options"])) == 4
    assert len({paper["arxiv_id"] for paper in one.item.papers}) == len(one.item.papers)
    question = qa["question"].lower()
    for paper in qa["gold_paper_ids"] + qa["bridge_paper_ids"]:
        assert nodes[paper]["title"].lower() not in question
    if size != "nano":
        name = namer(locate(size, split, seed, WORLD_VERSION, Difficulty()), index)
        assert name(0).lower() in question
        assert not any(name(number).lower() in question for number in range(1, len(nodes)))
    golds = []
    for paper, label in one.labels("direct"):
        found = one.satisfying(paper, label["section"])
        assert len(found) == 1
        assert label["what_it_contains"] in found[0]["text"]
        golds.append(paper)
    assert golds == qa["gold_paper_ids"]
    for citing, cited in one.item.graph["edges"].items():
        assert len(set(cited)) == len(cited)
        assert citing not in cited
    for node in nodes.values():
        families = [author["name"].rsplit(" ", 1)[-1] for author in node["authors"]]
        assert len(set(families)) == len(families)
    if size != "nano":
        abstracts = [node["abstract"] for node in nodes.values() if node["abstract"]]
        for text in [*abstracts, *(one.body(paper) for paper in one.texts)]:
            # Rules of tables may have several columns.
            prose = re.sub(r"\|(?: --- \|)+", "", text)
            assert not re.search(r"[{}\[\]]\|?[a-z]|  |\.\.| ,|\b([a-z]+) \1\b", prose)
            for share in re.findall(r"(\d+(?:\.\d+)?)%", text):
                assert float(share) <= 100


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**64 - 1), index=st.integers(0, 999_999), split=st.sampled_from(SPLITS),
    size=st.sampled_from(["nano", "tiny"]),
)  # fmt: skip
def test_any_coordinates_give_a_sound_item(seed: int, index: int, split: str, size: str) -> None:
    check(size, seed, split, index)


@pytest.mark.slow
@pytest.mark.parametrize("size", list(COUNTS))
def test_thousands_of_seeds_give_sound_items(size: str) -> None:
    for seed in range(COUNTS[size]):
        check(size, seed * 977, SPLITS[seed % 3], seed)


@pytest.mark.slow
@pytest.mark.parametrize("size", list(COUNTS))
def test_the_oracle_solves_every_item_within_thirty_points(size: str) -> None:
    corpus = WorldCorpus(make(size, seed=31, items=COUNTS[size] // 3))
    for item_id in corpus.ids:
        episode = Episode(corpus, item_id)
        oracle = Oracle(episode, 0)
        while episode.ending is None:
            play_turn(episode, oracle)
        record = episode.record()
        assert record.correct
        assert record.section_recall
        assert record.totals.points <= 30


def test_every_paper_of_a_world_has_a_name_of_its_own() -> None:
    found: set[str] = set()
    for split in SPLITS:
        where = locate("tiny", split, 3, WORLD_VERSION, Difficulty())
        for index in [*range(300), 999_999]:
            name = namer(where, index)
            found |= {name(number) for number in range(40)}
    assert len(found) == 3 * 301 * 40


def test_names_can_be_read_in_one_way_only() -> None:
    sizes = [len(sounds) for sounds in names.SYLLABLES]
    total = 1
    for sounds, size in zip(names.SYLLABLES, sizes, strict=True):
        assert len(set(sounds)) == size
        total *= size
    assert total == 2**34
    vowels = set("aeiouy")
    for place, sounds in enumerate(names.SYLLABLES[:-1]):
        for sound in sounds:
            assert {letter in vowels for letter in sound} == {place % 2 == 1}, sound
    assert all(not ending or ending[0] in vowels for ending in names.SYLLABLES[-1])
    assert len({spelled(code * 7919 % 2**34) for code in range(50_000)}) == 50_000
