"""What counts as delivered, recalled and correct (protocol section 5), decided once, at delivery.

An `Episode` credits each read here as its turn ends; records keep the result, and the analyses read it there.
"""

from __future__ import annotations

from typing import NamedTuple

from agenthop_env.corpus.neighborhood import Neighborhood
from agenthop_env.records import SectionRead


class Credit(NamedTuple):
    """What a turn's reads added.

    Attributes:
        golds: Gold papers delivered for the first time, as indices into `gold_paper_ids`.
        labels: Direct labels satisfied for the first time, as indices into the item's labels.
        wrong_reads: Delivered reads of papers that are not gold, the seed and bridges among them.
    """

    golds: tuple[int, ...] = ()
    labels: tuple[int, ...] = ()
    wrong_reads: int = 0


NOTHING = Credit()


class Evidence:
    """Which gold evidence has reached the agent so far.

    Args:
        neighborhood: The item's.

    Attributes:
        gold_count: Gold papers of the item.
        label_count: Direct labels that some section of the release satisfies.
        golds: Gold papers delivered.
        satisfied: Gold papers of which a direct label is satisfied.
        labels: Direct labels satisfied.
        wrong_reads: Delivered reads of papers that are not gold.
        first_gold_turn: Turn that delivered the first gold paper.
    """

    __slots__ = (
        "_satisfied_by",
        "first_gold_turn",
        "gold_count",
        "golds",
        "label_count",
        "labels",
        "satisfied",
        "wrong_reads",
    )

    def __init__(self, neighborhood: Neighborhood) -> None:
        self._satisfied_by = neighborhood.evidence
        self.gold_count = len(neighborhood.item.gold_paper_ids)
        self.label_count = neighborhood.label_count
        self.golds: frozenset[int] = frozenset()
        self.satisfied: frozenset[int] = frozenset()
        self.labels: frozenset[int] = frozenset()
        self.wrong_reads = 0
        self.first_gold_turn: int | None = None

    def copy(self) -> Evidence:
        """An independent copy."""
        other = Evidence.__new__(Evidence)
        other._satisfied_by, other.gold_count, other.label_count = (
            self._satisfied_by,
            self.gold_count,
            self.label_count,
        )
        other.golds, other.satisfied, other.labels = self.golds, self.satisfied, self.labels
        other.wrong_reads, other.first_gold_turn = self.wrong_reads, self.first_gold_turn
        return other

    def credit(self, reads: list[tuple[SectionRead, int]], turn: int) -> Credit:
        """Credit the reads of one turn, which the agent is about to see.

        Args:
            reads: Each read with the pool paper that it came from.
            turn: Number of the turn, from 1.
        """
        golds: list[int] = []
        labels: list[int] = []
        wrong = 0
        for read, pool in reads:
            gold = read.gold
            if gold is None:
                wrong += 1
                continue
            if gold not in self.golds:
                self.golds |= {gold}
                golds.append(gold)
            for of, label in self._satisfied_by.get((pool, read.section), ()):
                if of not in self.satisfied:
                    self.satisfied |= {of}
                if label not in self.labels:
                    self.labels |= {label}
                    labels.append(label)
        self.wrong_reads += wrong
        if golds and self.first_gold_turn is None:
            self.first_gold_turn = turn
        return Credit(tuple(golds), tuple(labels), wrong)

    @property
    def paper_recall(self) -> bool:
        """Text of every gold paper was delivered."""
        return len(self.golds) == self.gold_count

    @property
    def section_recall(self) -> bool:
        """For every gold paper a delivered section satisfies a direct label."""
        return len(self.satisfied) == self.gold_count
