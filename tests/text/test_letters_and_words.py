"""Answer letters, search words, and the texts of listings."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthop_env.text import layout
from agenthop_env.text.letters import letter, parse_option
from agenthop_env.text.words import search_words, words


@pytest.mark.parametrize("text", ["A", "a", "(A)", "(a", "A)", "A.", "A:", "A).", " A ", "\n(a):\t", "A )."])
def test_a_letter(text: str) -> None:
    assert parse_option(text) == (0 if text != "A )." else None)


@pytest.mark.parametrize(
    "text", ["", " ", "E", "AB", "A B", "Option A", "A..", "((A))", "1", "\u0410", "\uff21", "A\x00", "a, b"]
)
def test_no_letter(text: str) -> None:
    assert parse_option(text) is None


@given(st.integers(0, 3), st.sampled_from(["{}", "({})", "{}.", " {} :", "({}) )"]))
def test_every_letter_reads_back(index: int, form: str) -> None:
    assert parse_option(form.format(letter(index))) == index
    assert parse_option(form.format(letter(index).lower())) == index


@given(st.text())
def test_any_string_is_legal(text: str) -> None:
    assert parse_option(text) in (None, 0, 1, 2, 3)


def test_long_blanks_take_no_long_time() -> None:
    begun = time.perf_counter()
    assert parse_option(" " * 1_000_000 + "A" + " " * 1_000_000 + "x") is None
    assert time.perf_counter() - begun < 5


def test_words_are_lower_case_and_whole() -> None:
    assert words("Hop-ping_agents, 3.14 x\u00b2 \u00c9t\u00e9!") == [
        "hop",
        "ping_agents",
        "3",
        "14",
        "x\u00b2",
        "\u00e9t\u00e9",
    ]
    assert search_words("B a", "a c") == ["b", "a", "c"]
    assert search_words(None, None) == search_words("", "") == []
    assert search_words(None, "None") == ["none"]


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ([], "Unknown"),
        (["A B"], "A B"),
        (["A", "B"], "A and B"),
        (["A", "B", "C"], "A et al."),
        (["A"] * 9, "A et al."),
    ],
)
def test_short_authors(names: list[str], shown: str) -> None:
    assert layout.short_authors(names) == shown


def test_year_forms() -> None:
    assert [layout.year(value) for value in (2020, "2020", 0, None, "")] == [
        "2020",
        "2020",
        "0",
        "Unknown",
        "Unknown",
    ]
