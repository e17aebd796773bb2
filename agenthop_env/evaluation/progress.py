"""How far a run is, what it has cost, and why it begins no more items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from agenthop_env.evaluation.playing import Finished
from agenthop_env.records import EpisodeRecord, Usage


class Caps(msgspec.Struct, frozen=True, kw_only=True):
    """What a whole run may cost; once it has, no item is begun and those in flight end.

    Attributes:
        tokens: Prompt plus completion tokens of all items and failed tries; None for any number.
        cost: US dollars of them; None for any sum.

    Raises:
        ValueError: If a cap is negative.
    """

    tokens: int | None = None
    cost: float | None = None

    def __post_init__(self) -> None:
        """Refuse caps that no run could keep."""
        for name in ("tokens", "cost"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ValueError(f"the cap on {name} must be 0 or more, not {value!r}")


class Pricing(Protocol):
    """What tokens cost."""

    def __call__(self, usage: Usage) -> float | None:
        """US dollars that some tokens cost, None where that is not known."""
        ...


@dataclass
class Progress:
    """How far a run is.

    Attributes:
        planned: Items in all.
        resumed: Items that earlier sessions finished.
        done: Items finished in this session.
        correct: Right answers, earlier sessions' among them.
        endings: Items by ending, likewise.
        usage: Tokens of all sessions, failed tries included.
        cost: US dollars of them; None where a price is not known.
        repaired: Whether a torn last line was cut off, whose item is played again.
        stopping: Whether the run was asked to stop and is waiting for episodes in flight.
        halted: Why no further item is begun (a cap is reached, the key is refused, ...), empty while they are.
    """

    planned: int
    resumed: int = 0
    done: int = 0
    correct: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    repaired: bool = False
    stopping: bool = False
    halted: str = ""
    caps: Caps = field(default_factory=Caps)
    pricing: Pricing | None = None

    @property
    def accuracy(self) -> float:
        """Share of right answers so far."""
        return self.correct / max(self.resumed + self.done, 1)

    @property
    def tokens(self) -> int:
        """Prompt plus completion tokens so far."""
        return self.usage.total

    def count(self, finished: Finished) -> None:
        """Count an episode of this session."""
        self.done += 1
        self.correct += finished.correct
        self.endings[finished.ending] += 1
        self.spend(finished.usage)
        if finished.hopeless:
            self.halted = finished.hopeless

    def count_earlier(self, record: EpisodeRecord) -> None:
        """Count the record of an earlier session; one that is to be played again only for what it cost."""
        if record.ending != "error":
            self.correct += record.correct
            self.endings[record.ending or ""] += 1
            self.spend(usage_of(record))

    def spend(self, usage: Usage) -> None:
        """Add what an item cost, and look at the caps."""
        self.usage += usage
        if self.pricing is not None:
            self.cost = self.pricing(self.usage)
        caps = self.caps
        if caps.tokens is not None and self.usage.total >= caps.tokens:
            self.halted = f"the cap of {caps.tokens:,} tokens is reached"
        elif caps.cost is not None and self.cost is not None and self.cost >= caps.cost:
            self.halted = f"the cap of ${caps.cost:,.2f} is reached"


def usage_of(record: EpisodeRecord) -> Usage:
    """Tokens of a record and of the failed tries before it."""
    usage = record.totals.usage
    for attempt in record.attempts:
        usage += attempt.usage
    return usage


OnProgress = Callable[[Progress], None]
