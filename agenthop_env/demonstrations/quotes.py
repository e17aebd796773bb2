"""Quoting what has been shown: verbatim pieces, and the passage of a text that supports an option."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from agenthop_env.agents.support import STOPWORDS, content_words, tokens
from agenthop_env.rules import OPTION_COUNT

_SENTENCE: Final = re.compile(r"[^\n]+?(?:[.!?;](?=\s)|$)", re.MULTILINE)
_WORD: Final = re.compile(r"\S+")
_CLOSING: Final = ".,;: "
"""Signs that a quotation does not end in: the sentence around it has its own."""
_BEFORE: Final = 14
_AFTER: Final = 12
_MAX_SENTENCE: Final = 4000
_NUMBER_WEIGHT: Final = 2.0
_NEAR_WEIGHT: Final = 0.25


class Passage(NamedTuple):
    """A verbatim piece of a text.

    Attributes:
        text: The piece; without line breaks and double quotes.
        telling: Its words by which options differ, in order.
    """

    text: str
    telling: tuple[str, ...]


def quote(text: str | None, words: int = 14) -> str:
    """The beginning of a text in double quotes, verbatim; empty where there is nothing to quote.

    Args:
        text: The text; it is cut at its first line break or double quote.
        words: At most so many words.
    """
    line = re.split(r'["\n\r]', (text or "").strip(), maxsplit=1)[0]
    found = list(_WORD.finditer(line))[:words]
    if not found:
        return ""
    piece = line[found[0].start() : found[-1].end()].rstrip(_CLOSING)
    return f'"{piece}"' if piece else ""


def as_written(word: str, text: str) -> str:
    """A lower-case word as it first stands in a text."""
    plain = re.escape(word)
    match = re.search(rf"(?<!\w){plain}(?!\w)", text, re.IGNORECASE) or re.search(plain, text, re.IGNORECASE)
    return match[0] if match else word


def deciding(options: Sequence[str], position: int) -> set[str]:
    """The words of an option that not all options share."""
    counts = Counter(word for option in options for word in set(tokens(option)))
    return {
        word for word in tokens(options[position]) if counts[word] < OPTION_COUNT and word not in STOPWORDS
    }


def supporting(text: str, options: Sequence[str], position: int, question: str) -> Passage | None:
    """The passage of a text that supports an option best; None where no sentence holds a word that decides."""
    telling = deciding(options, position)
    asked = set(content_words(question)) | set(content_words(options[position]))
    best, best_score = None, 0.0
    for sentence in _SENTENCE.finditer(text):
        held = set(tokens(sentence[0][:_MAX_SENTENCE]))
        hits = held & telling
        if hits:
            score = sum(_NUMBER_WEIGHT if word[0].isdigit() else 1.0 for word in sorted(hits))
            score *= 1 + _NEAR_WEIGHT * len(held & asked)
            if score > best_score:
                best, best_score = sentence[0][:_MAX_SENTENCE], score
    return None if best is None else _window(best, telling)


def _window(sentence: str, telling: set[str]) -> Passage | None:
    """The part of a sentence around the words that decide."""
    parts = [part for part in re.split(r'["\r]', sentence) if part.strip()]
    if not parts:
        return None
    part = max(parts, key=lambda one: len(set(tokens(one)) & telling))
    words = list(_WORD.finditer(part))
    centre = next((place for place, word in enumerate(words) if telling & set(tokens(word[0]))), 0)
    if len(words) > _BEFORE + _AFTER:
        words = words[max(0, centre - _BEFORE) : centre + _AFTER]
    piece = part[words[0].start() : words[-1].end()].rstrip(_CLOSING)
    return Passage(piece, tuple(dict.fromkeys(word for word in tokens(piece) if word in telling)))
