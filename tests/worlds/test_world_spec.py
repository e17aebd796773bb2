"""Specifications: what they accept, and what the errors say."""

from __future__ import annotations

import pytest

from agenthop_env.worlds import KNOBS, SIZES, World, index_of, make, parse_spec


def test_a_full_specification_is_read() -> None:
    world = parse_spec("world:small?seed=7&split=test&items=500&lookalikes=3&version=2")
    assert (world.size, world.seed, world.split, len(world), world.version) == ("small", 7, "test", 500, 2)
    assert world.difficulty.lookalikes == 3
    assert world.difficulty.nodes == 83


@pytest.mark.parametrize("size", SIZES)
def test_the_canonical_specification_reads_back(size: str) -> None:
    world = parse_spec(f"world:{size}?seed=12&items=9&lookalikes=2&overlap=0")
    assert parse_spec(world.spec) == world
    assert hash(parse_spec(world.spec)) == hash(world)
    assert world.fingerprint in repr(world)


def test_defaults() -> None:
    assert parse_spec("world:nano") == parse_spec("world:nano?") == make("nano")
    assert (make("nano").seed, make("nano").split, len(make("nano"))) == (0, "train", 1000)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nano", "begins with 'world:'"),
        ("world:", "unknown size ''.*nano, tiny, small, full"),
        ("world:mini?seed=1", "unknown size 'mini'.*nano, tiny, small, full"),
        ("world:nano?sead=1", "unknown key 'sead'.*seed, split, items, version, nodes"),
        ("world:nano?seed=", "seed must be a whole number from 0 to 18446744073709551615, not ''"),
        ("world:nano?seed=-1", "seed must be .*, not '-1'"),
        ("world:nano?seed=1.5", "seed must be .*, not '1.5'"),
        ("world:nano?seed=18446744073709551616", "seed must be a whole number"),
        ("world:nano?seed=1&seed=2", "seed is given twice"),
        ("world:nano?split=dev", "unknown split 'dev'; splits: train, validation, test"),
        ("world:nano?items=0", "items must be a whole number from 1 to 1000000"),
        ("world:nano?items=1000001", "items must be a whole number from 1 to 1000000"),
        ("world:nano?items=many", "items must be a whole number from 1 to 1000000, not 'many'"),
        ("world:nano?version=1", "unknown world version 1; this package makes version 2"),
        ("world:nano?lookalikes=9", "lookalikes must be a whole number from 1 to 2 for size nano, not 9"),
        ("world:tiny?overlap=yes", "overlap must be a whole number from 0 to 100 for size tiny, not 'yes'"),
        ("world:nano?subsections=101", "subsections must be a whole number from 0 to 100"),
        ("world:nano?st_d1=0&st_d2=0&mt_d1=0&mt_d2=0", "at least one of st_d1, st_d2, mt_d1, mt_d2"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_right(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_spec(spec)


def test_every_knob_is_a_key() -> None:
    for name in KNOBS:
        assert getattr(
            parse_spec(f"world:tiny?{name}={20 if name != 'lookalikes' else 2}").difficulty, name
        ) in (20, 2)


def test_worlds_are_sequences_by_index_and_id() -> None:
    world = make("nano", items=20)
    assert len(world.ids) == len(set(world.ids)) == 20
    for index, item_id in enumerate(world.ids):
        assert index_of(item_id) == index
        assert item_id in world
        assert world[item_id] == world[index] == world[index - 20]
        assert world[index].qa["id"] == item_id
    assert [item.qa["id"] for item in world] == list(world.ids)
    for wrong in ("st_000099", "xx_000001", "st_1", "", world.ids[0].replace("st", "xx")):
        assert wrong not in world
        with pytest.raises(KeyError):
            world[wrong]
    other_kind = {"st": "mt", "mt": "st"}[world.ids[0][:2]] + world.ids[0][2:]
    assert other_kind not in world
    with pytest.raises(KeyError):
        world[other_kind]
    for out in (20, -21):
        with pytest.raises(IndexError):
            world[out]


def test_listing_ids_makes_no_item(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("generated")

    monkeypatch.setattr("agenthop_env.worlds.world.generate_at", refuse)
    world = make("full", items=50_000)
    assert len(world.ids) == 50_000
    assert isinstance(world, World)
