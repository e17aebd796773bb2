"""Whether the tool's search finds a gold: measured by the protocol's ranking, moved by words in abstracts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from agenthop_env.rules import TOP_K_DEFAULT
from agenthop_env.worlds.stock import words

_SEPARATORS: Final = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
"""Worlds are plain ASCII, so that splitting at these is the tool's `\\w+`, only faster."""

COMMON: Final = frozenset(
    words("""a about according all also an and any are as at be been before between both but by can claims cites cited did
    do does each for from given gives had has have how in into is it its itself later more most of on one only option
    or other out over paper papers per reports same says second seed should so some such than that the their them then
    these they this those through to two under use used uses was were what where whether which while who whose why
    with within work works would first states stated following which statement""")
)
"""Words that an abstract never gains on purpose."""


def tokens(text: str) -> set[str]:
    """Distinct lower-cased word tokens: what the search compares."""
    return set(_split(text))


def _split(text: str) -> list[str]:
    return text.lower().translate(_SEPARATORS).split()


def ranks(overlaps: Sequence[int], order: Sequence[int]) -> list[int]:
    """Per paper its place among the search results, from 0.

    Args:
        overlaps: Per paper the number of tokens shared with the query.
        order: Papers in graph order, which breaks ties.
    """
    ranked = sorted(order, key=lambda number: -overlaps[number])
    places = [0] * len(overlaps)
    for place, number in enumerate(ranked):
        places[number] = place
    return places


def steer(
    query: str,
    documents: Sequence[str],
    order: Sequence[int],
    golds: Sequence[int],
    found: bool,
    movable: Sequence[int],
    barred: Collection[str] = (),
    preferred: Collection[str] = (),
) -> dict[int, list[str]]:
    """Words of the query that abstracts must gain so that the search finds every gold, or none.

    Args:
        query: The question, as a query.
        documents: Per paper its title and abstract in one string.
        order: Papers in graph order.
        golds: The gold papers.
        found: Whether every gold must be among the first `TOP_K_DEFAULT` results; otherwise none may be.
        movable: Papers other than golds whose abstract may grow, best first.
        barred: Words that abstracts never gain, such as names.
        preferred: Words that abstracts gain before others, such as nouns.

    Returns:
        Paper -> words to add; empty where the ranking is already as asked.
    """
    asked = tokens(query)
    shared = [asked.intersection(_split(document)) for document in documents]
    overlaps = [len(words_shared) for words_shared in shared]
    spare = sorted(word for word in asked if word not in COMMON and len(word) > 2 and word not in barred)
    # First what abstracts speak of anyway: it does not stand out.
    known = set().union(*shared)
    spare.sort(key=lambda word: (word not in preferred, word not in known))
    added: dict[int, list[str]] = {}

    def lift(number: int, level: int) -> bool:
        """Raise a paper's overlap to `level` if the words suffice."""
        fresh = [word for word in spare if word not in shared[number]][: max(0, level - overlaps[number])]
        if overlaps[number] + len(fresh) < level:
            return False
        if fresh:
            added.setdefault(number, []).extend(fresh)
            shared[number] |= set(fresh)
            overlaps[number] += len(fresh)
        return True

    places = ranks(overlaps, order)
    if found:
        rivals = sorted((count for number, count in enumerate(overlaps) if number not in golds), reverse=True)
        room = TOP_K_DEFAULT - len(golds)
        level = rivals[room] + 1 if len(rivals) > room else 1
        if max(places[gold] for gold in golds) >= TOP_K_DEFAULT:
            # All of them: a gold that was in place may be pushed out by another.
            for gold in golds:
                lift(gold, level)
        return added
    level = max(overlaps[gold] for gold in golds) + 1
    ahead = sum(1 for number, count in enumerate(overlaps) if count >= level)
    for number in movable:
        if ahead >= TOP_K_DEFAULT:
            break
        if overlaps[number] < level and lift(number, level):
            ahead += 1
    return added
