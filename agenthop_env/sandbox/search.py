"""Ranking of an item's papers for a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from agenthop_env.corpus.neighborhood import Neighborhood
from agenthop_env.text.words import WORD, words

Ranking = Callable[[Neighborhood, str, int], list[int]]
"""Neighborhood, query and number of results wanted -> nodes, best first."""

BM25_K1: Final = 1.5
BM25_B: Final = 0.75


def overlap(neighborhood: Neighborhood, query: str, top_k: int) -> list[int]:
    """Papers by how many distinct query tokens their title and abstract hold; ties keep graph order.

    This is the protocol's search. Papers that share no token are no match.
    """
    # Counts of all nodes at once, as a binary number per node: bit i of each count is a bit of planes[i].
    planes: list[int] = []
    for mask in neighborhood.holders(set(WORD.findall(query.lower()))):
        for place, plane in enumerate(planes):
            planes[place] = plane ^ mask
            mask &= plane
            if not mask:
                break
        else:
            planes.append(mask)
    matched = 0
    for plane in planes:
        matched |= plane
    # Nodes with a higher bit set come first; within equal counts the lowest node does.
    best: list[int] = []
    groups = [(len(planes), matched)]
    while groups and len(best) < top_k:
        place, mask = groups.pop()
        if place:
            high = mask & planes[place - 1]
            if mask != high:
                groups.append((place - 1, mask ^ high))
            if high:
                groups.append((place - 1, high))
            continue
        while mask and len(best) < top_k:
            lowest = mask & -mask
            best.append(lowest.bit_length() - 1)
            mask ^= lowest
    return best


def bm25(neighborhood: Neighborhood, query: str, top_k: int) -> list[int]:
    """Papers by Okapi BM25 over title and abstract (k1 1.5, b 0.75); ties keep graph order.

    An option for experiments; it changes scores, so it is never the default.
    """
    counted = [
        Counter(words(f"{neighborhood.meta(node).title or ''} {neighborhood.abstract(node) or ''}"))
        for node in range(len(neighborhood))
    ]
    lengths = np.array([sum(counts.values()) for counts in counted], dtype=np.float64)
    norm = BM25_K1 * (1 - BM25_B + BM25_B * lengths / max(lengths.mean(), 1.0))
    scores: npt.NDArray[np.float64] = np.zeros(len(counted))
    for word in dict.fromkeys(words(query)):
        frequency = np.array([counts[word] for counts in counted], dtype=np.float64)
        holders = int((frequency > 0).sum())
        weight = np.log(1 + (len(counted) - holders + 0.5) / (holders + 0.5))
        scores += weight * frequency * (BM25_K1 + 1) / (frequency + norm)
    order = np.argsort(-scores, kind="stable")[:top_k]
    return [int(node) for node in order if scores[node] > 0]


RANKINGS: Final[dict[str, Ranking]] = {"overlap": overlap, "bm25": bm25}
