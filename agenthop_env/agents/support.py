"""Which option a text supports: words and numbers in common, weighed by how well they tell the options apart.

An option is taken apart into clauses. In each clause the words that not all options share decide (the numbers above
all), and they count in a sentence only as far as the rest of the clause, or of the question, stands there too: a
number alone is found everywhere.

Sums are exact (`math.fsum`), so they do not depend on the order in which a set happens to give its members.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+|\s(?=\(\d\)\s)")
_MAX_SENTENCE: Final = 1200
_NUMBER_WEIGHT: Final = 2.0
_BARE: Final = 0.15
"""What a deciding word is worth in a sentence that shares nothing else with the clause."""

_COMMON: Final = """
    a about above after all also an and any are as at be because been before being below between both but by can
    cited could did do does doing down during each few following for from further had has have having he her here his
    how i if in into is it its itself just like may me might more most must my no nor not now of off on once only
    option or other our out over own paper papers per same seed should so some states such than that the their them
    then there these they this those through to too under until up use used uses using very was we were what when
    where which while who whom why will with within without work works would writes you your et al eg ie"""
STOPWORDS: Final = frozenset(_COMMON.split())


class Verdict(NamedTuple):
    """What a text says of the options.

    Attributes:
        best: Position of the best supported option, None where none is supported more than the others.
        scores: Support of each option, 0 to about 1.
        margin: How far the best is ahead of the next.
    """

    best: int | None
    scores: tuple[float, ...]
    margin: float


def tokens(text: str) -> list[str]:
    """Words and whole numbers (`1,200`, `88.99`) in lower case, in order."""
    return _TOKEN.findall(text.lower())


def content_words(text: str) -> list[str]:
    """Distinct tokens that carry meaning, in order of first appearance."""
    found = dict.fromkeys(tokens(text))
    return [word for word in found if word not in STOPWORDS and (len(word) > 1 or word.isdigit())]


def sentences(text: str) -> list[frozenset[str]]:
    """The tokens of each sentence or line."""
    return [
        frozenset(tokens(part[:_MAX_SENTENCE]))
        for part in _SENTENCE.split(text)
        if part and not part.isspace()
    ]


def rarity(groups: Sequence[Iterable[str]]) -> dict[str, float]:
    """Inverse document frequency of each token over some groups of tokens."""
    counts = Counter(word for group in groups for word in set(group))
    return {word: math.log(1 + len(groups) / count) for word, count in counts.items()}


def weigh(question: str, options: Sequence[str], texts: Sequence[str]) -> Verdict:
    """Weigh options by what some texts say.

    Args:
        question: The question, whose words say what a sentence should be about.
        options: The options.
        texts: What was read.
    """
    found = [sentence for text in texts for sentence in sentences(text)]
    if not found:
        return Verdict(None, (0.0,) * len(options), 0.0)
    rare = rarity(found)
    unknown = math.log(1 + len(found))
    sets = [set(tokens(option)) for option in options]
    counts = Counter(word for words in sets for word in words)
    asked = set(content_words(question))
    scores = tuple(
        math.fsum(
            _clause(set(tokens(part)), counts, len(options), asked, found, rare, unknown) for part in parts
        )
        / len(parts)
        for parts in (_parts(option, counts, len(options)) for option in options)
    )
    ranked = sorted(scores, reverse=True)
    margin = ranked[0] - ranked[1] if len(ranked) > 1 else ranked[0]
    return Verdict(scores.index(ranked[0]) if margin > 0 else None, scores, margin)


def _parts(option: str, counts: Counter[str], options: int) -> list[str]:
    """The clauses of an option that hold a word by which options differ; the whole where none does."""
    parts = [part for part in _SENTENCE.split(option) if any(counts[word] < options for word in tokens(part))]
    return parts or [option]


def _clause(
    words: set[str],
    counts: Counter[str],
    options: int,
    asked: set[str],
    found: Sequence[frozenset[str]],
    rare: dict[str, float],
    unknown: float,
) -> float:
    """Support of one clause by the sentence that supports it best."""
    telling = {
        word: math.log(1 + options / counts[word]) * (_NUMBER_WEIGHT if _NUMBER.fullmatch(word) else 1.0)
        for word in words
        if counts[word] < options and word not in STOPWORDS
    }
    total = math.fsum(telling.values())
    if not total:
        return 0.0
    shared = {word for word in words if word not in telling and word not in STOPWORDS} or asked
    about = {word: rare.get(word, unknown) for word in shared}
    about_total = math.fsum(about.values()) or 1.0
    best = 0.0
    for sentence in found:
        hit = math.fsum(weight for word, weight in telling.items() if word in sentence)
        if hit:
            near = math.fsum(weight for word, weight in about.items() if word in sentence) / about_total
            best = max(best, hit / total * (_BARE + (1 - _BARE) * near))
    return best
