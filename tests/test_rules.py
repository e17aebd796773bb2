"""The protocol's numbers, as the paper has them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from agenthop_env import Limits, rules


def test_the_seven_tools_and_their_prices() -> None:
    assert rules.TOOL_POINTS == {
        "get_paper_info": 1, "get_references": 1, "search_papers": 1, "list_sections": 1, "read_section": 5, "think": 0,
        "submit_answer": 0,
    }  # fmt: skip
    assert tuple(rules.TOOL_POINTS) == rules.TOOL_NAMES


def test_the_caps() -> None:
    assert (Limits().points, Limits().turns, Limits().tokens) == (30, 20, 200_000)
    assert (rules.TOP_K_DEFAULT, rules.TOP_K_MIN, rules.TOP_K_MAX) == (5, 1, 10)
    assert (rules.REJECTIONS_TO_END, rules.SEARCH_ABSTRACT_CHARS) == (2, 300)
    assert (rules.OPTION_COUNT, rules.OPTION_LETTERS, rules.CHANCE) == (4, "ABCD", 0.25)
    assert (rules.HARD_ERRORS_TO_END, rules.ITEM_RETRIES) == (5, 2)


def test_the_endings_and_outcomes() -> None:
    assert set(rules.ENDINGS) == {"answer", "budget", "token_limit", "max_turns", "error", "evidence"}
    assert set(rules.OUTCOMES) == {
        "ok", "rejected", "unknown_tool", "bad_arguments", "unknown_paper", "unknown_section", "no_text", "empty", "disabled",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["points", "turns", "tokens"])
@pytest.mark.parametrize("value", [-1, 1.5, "30", None, True, float("nan")])
def test_a_cap_that_none_could_keep_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"Limits.{name} must be a whole number of 0 or more"):
        Limits(**{name: value})


def test_limits_are_frozen_and_known_by_value() -> None:
    with pytest.raises(AttributeError):
        Limits().points = 1  # type: ignore[misc]
    assert Limits(points=3) == Limits(points=3) != Limits()
    assert len({Limits(), Limits(), Limits(turns=3)}) == 2
    assert msgspec.json.decode(msgspec.json.encode(Limits(turns=0)), type=Limits) == Limits(turns=0)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"pionts": 3}', type=Limits)
