from __future__ import annotations

import json
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector.utils import (
    batch_differing_spaces,
    batch_space,
    concatenate,
    create_empty_array,
    create_shared_memory,
    iterate,
    read_from_shared_memory,
    write_to_shared_memory,
)

from agenthop_env.envs.spaces import MAX_LENGTH, UnicodeText

ODD = ["", "naïve λ ∀x 😀", "\x00\x1b", "\ud800 lone", "a" * 1_000_000]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_any_string_is_in_the_space(text: str) -> None:
    assert text in UnicodeText()


@pytest.mark.parametrize("thing", [None, 3, b"bytes", ["a"], np.array("a")])
def test_nothing_else_is(thing: Any) -> None:
    assert thing not in UnicodeText()


def test_the_bound_is_inclusive() -> None:
    assert "abc" in UnicodeText(3)
    assert "abcd" not in UnicodeText(3)
    with pytest.raises(ValueError, match="max_length"):
        UnicodeText(-1)


def test_samples_are_seeded_and_go_beyond_ascii() -> None:
    one, two = UnicodeText(seed=7), UnicodeText(seed=7)
    samples = [one.sample() for _ in range(200)]
    assert samples == [two.sample() for _ in range(200)]
    assert all(sample in one for sample in samples)
    assert any(not sample.isascii() for sample in samples)
    assert "" in [UnicodeText(0).sample()]
    with pytest.raises(ValueError, match="mask"):
        one.sample(mask=np.ones(3))  # type: ignore[arg-type]


def test_equality_repr_pickle_json() -> None:
    space = UnicodeText(seed=3)
    assert space == UnicodeText()
    assert hash(space) == hash(UnicodeText())
    assert space != UnicodeText(5)
    assert space != gym.spaces.Text(5)
    assert repr(space) == "UnicodeText()"
    assert repr(UnicodeText(5)) == "UnicodeText(5)"
    assert space.max_length == MAX_LENGTH
    assert not space.is_np_flattenable
    copy = pickle.loads(pickle.dumps(space))
    assert copy == space
    assert copy.sample() == space.sample()
    assert space.from_jsonable(json.loads(json.dumps(space.to_jsonable(ODD)))) == ODD


def test_a_batch_is_a_tuple_of_strings() -> None:
    space = UnicodeText(seed=1)
    batch = batch_space(space, 3)
    assert isinstance(batch, gym.spaces.Tuple)
    assert batch == batch_space(UnicodeText(), 3)
    assert ("a", "β", "") in batch
    assert list(iterate(batch, ("a", "β", ""))) == ["a", "β", ""]
    empty = create_empty_array(space, 3)
    assert empty in batch
    assert concatenate(space, ["a", "b", "c"], empty) == ("a", "b", "c")
    assert batch.sample() == batch_space(UnicodeText(seed=1), 3).sample()
    assert batch_differing_spaces([space, UnicodeText(9)])[1] == UnicodeText(9)


@pytest.mark.parametrize("function", [create_shared_memory, read_from_shared_memory, write_to_shared_memory])
def test_shared_memory_is_refused(function: Any) -> None:
    arguments = [0, "text", None] if function is write_to_shared_memory else [None]
    with pytest.raises(ValueError, match="shared_memory=False"):
        function(UnicodeText(), *arguments)
