"""Which option a text supports."""

from __future__ import annotations

import pytest

from agenthop_env.agents.support import content_words, sentences, tokens, weigh

QUESTION = "What accuracy does the cited work report on the hair localization task?"
OPTIONS = ("88.99% accuracy", "85% accuracy", "66.62% accuracy", "7.5% accuracy")


def test_the_number_in_the_right_sentence_decides() -> None:
    text = "We trained for 85 hours on 7.5 GPUs. The hair localization accuracy reached 88.99%. Table 66.62 is empty."
    verdict = weigh(QUESTION, OPTIONS, [text])
    assert verdict.best == 0
    assert verdict.margin > 0


def test_nothing_read_supports_nothing() -> None:
    assert weigh(QUESTION, OPTIONS, []).best is None
    assert weigh(QUESTION, OPTIONS, [""]).best is None
    assert weigh(QUESTION, OPTIONS, ["Nothing of the kind."]).best is None
    assert weigh("", ("", "", "", ""), ["Some text."]).best is None
    assert weigh(QUESTION, ("same", "same", "same", "same"), ["the same text"]).best is None


def test_both_clauses_of_an_option_count() -> None:
    options = tuple(
        f"(1) The method reaches {first} points. (2) The corpus holds {second} images."
        for first in (10, 20)
        for second in (300, 400)
    )
    texts = ["In the end the method reaches 20 points here.", "The corpus holds 300 images."]
    assert weigh("Which option completes both?", options, texts).best == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A 1,200-word essay, 88.99%!", ["a", "1,200", "word", "essay", "88.99"]),
        ("", []),
        ("Étude ξ_2", ["étude", "ξ", "2"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_words_and_sentences() -> None:
    assert content_words("The cited paper states the Loss, the loss") == ["loss"]
    assert sentences("One. Two!\n\nThree") == [frozenset({"one"}), frozenset({"two"}), frozenset({"three"})]
    assert len(sentences("word " * 100_000)) == 1
