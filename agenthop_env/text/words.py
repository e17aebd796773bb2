"""Search tokens."""

from __future__ import annotations

import re
from typing import Final

WORD: Final = re.compile(r"\w+")


def words(text: str) -> list[str]:
    r"""The `\w+` tokens of `text` in lower case, in order, repeats kept."""
    return WORD.findall(text.lower())


def search_words(title: str | None, abstract: str | None) -> list[str]:
    """Distinct tokens by which a paper is found, in order of first appearance; nulls add none."""
    return list(dict.fromkeys(words(f"{title or ''} {abstract or ''}")))
