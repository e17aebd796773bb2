"""Ranking of an item's papers for a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from agenthop_env.corpus.store import Neighborhood
from agenthop_env.text.words import WORD, words

Ranking = Callable[[Neighborhood, str, int], list[int]]
"""Neighborhood, query and number of results wanted -> nodes, best first."""

BM25_K1: Final = 1.5
BM25_B: Final = 0.75


def overlap(neighborhood: Neighborhood, query: str, top_k: int) -> list[int]:
    """Papers by how many distinct query tokens their title and abstract hold; ties keep graph order.

    This is the protocol's search. Papers that share no token are no match.
    """
    found = neighborhood.matches(list(set(WORD.findall(query.lower()))))
    if not found:
        return []
    if len(found) == 1:
        return found[0][:top_k].tolist()
    counts = np.bincount(np.concatenate(found))
    best: list[int] = []
    for level in range(int(counts.max()), 0, -1):
        best += np.flatnonzero(counts == level)[: top_k - len(best)].tolist()
        if len(best) == top_k:
            break
    return best


def bm25(neighborhood: Neighborhood, query: str, top_k: int) -> list[int]:
    """Papers by Okapi BM25 over title and abstract (k1 1.5, b 0.75); ties keep graph order.

    An option for experiments; it changes scores, so it is never the default.
    """
    texts = [neighborhood.meta(node) for node in range(len(neighborhood))]
    counted = [Counter(words(f"{meta.title or ''} {meta.abstract or ''}")) for meta in texts]
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
