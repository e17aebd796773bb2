"""What scores an episode step by step: the parts that rewards are made of.

A scorer belongs to one episode. It reads what `Episode` ran and credited, and keeps only what it needs to tell a
change from one step to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from agenthop_env.records import Item, TurnRecord
from agenthop_env.rules import CHANCE
from agenthop_env.sandbox.episode import Episode, Turn
from agenthop_env.scoring.evidence import Credit

RewardFunction = Callable[["StepRecord"], float]

PREMATURE_COMMIT: Final = 0.5
"""Cost of submitting a wrong option, or none, before every gold paper was delivered."""

OVER_SEARCH: Final = 0.01
"""Cost of each point spent in a turn that began with full section recall."""

OVER_SEARCH_MOST: Final = 0.3
"""What over-search costs an episode at most, whatever the caps."""

NON_SUBMISSION: Final = 0.5
"""Cost of an ending without a submission: `budget`, `max_turns` or `token_limit`."""


class StepRecord(msgspec.Struct, frozen=True):
    """One step as a reward function sees it. All counts are after the step unless they say otherwise.

    Attributes:
        item: The item, gold and all.
        turn: The turn as the episode's record keeps it: message, calls with outcomes and points, usage.
        number: Number of the turn, from 1, a replayed prefix included.
        credit: Gold papers and direct labels delivered for the first time, and wrong reads, in this step.
        points: Points spent in this step.
        points_used: Points spent so far.
        points_left: Points that calls may still spend.
        turns_left: Assistant messages that may still come.
        tokens_used: Tokens held against the cap.
        golds_delivered: Gold papers delivered so far.
        labels_satisfied: Direct labels satisfied so far.
        label_count: Direct labels that some section satisfies; may be 0.
        paper_recall: Every gold paper was delivered.
        section_recall: For every gold paper a delivered section satisfies a direct label.
        ending: Why the episode is over, None while it goes on.
        option: Submitted option as an index into the item's options, None without a valid one.
        correct: The gold option was submitted.
    """

    item: Item
    turn: TurnRecord
    number: int
    credit: Credit
    points: int
    points_used: int
    points_left: int
    turns_left: int
    tokens_used: int
    golds_delivered: int
    labels_satisfied: int
    label_count: int
    paper_recall: bool
    section_recall: bool
    ending: str | None
    option: int | None
    correct: bool

    @classmethod
    def of(cls, episode: Episode, turn: Turn) -> StepRecord:
        """The step that an episode has just taken."""
        ledger, evidence = episode.ledger, episode.evidence
        return cls(
            item=episode.item,
            turn=turn.record,
            number=ledger.turns_used,
            credit=turn.credit,
            points=points_of(turn),
            points_used=ledger.points_used,
            points_left=ledger.points_left,
            turns_left=ledger.turns_left,
            tokens_used=ledger.tokens_used,
            golds_delivered=len(evidence.golds),
            labels_satisfied=len(evidence.labels),
            label_count=evidence.label_count,
            paper_recall=evidence.paper_recall,
            section_recall=evidence.section_recall,
            ending=turn.ending,
            option=episode.option,
            correct=episode.correct,
        )


class Scorer(Protocol):
    """Gives the rewards of one episode, step by step."""

    def step(self, episode: Episode, turn: Turn) -> float:
        """The reward of the turn that the episode has just played."""
        ...


class Outcome:
    """c on the last step: 1 for the gold option, 0 for every other ending. The default."""

    __slots__ = ()

    def step(self, episode: Episode, turn: Turn) -> float:
        """See the class."""
        return 1.0 if turn.ending is not None and episode.correct else 0.0


class ChanceCorrectedOutcome:
    """(c - 1/4) / (3/4) on the last step: a guess is worth 0 on average, every wrong ending -1/3."""

    __slots__ = ()

    def step(self, episode: Episode, turn: Turn) -> float:
        """See the class."""
        return 0.0 if turn.ending is None else (float(episode.correct) - CHANCE) / (1 - CHANCE)


class GatedOutcome:
    """c on the last step, if text of every gold paper was delivered before; else 0."""

    __slots__ = ()

    def step(self, episode: Episode, turn: Turn) -> float:
        """See the class."""
        return 1.0 if turn.ending is not None and episode.correct and episode.evidence.paper_recall else 0.0


class Retrieval:
    """What first deliveries are worth: half over the gold papers, half over the direct labels.

    An item without direct labels gives all to its gold papers. Evidence that a prefix delivered is not paid for.
    """

    __slots__ = ("per_gold", "per_label")

    def __init__(self, episode: Episode) -> None:
        golds, labels = episode.evidence.gold_count, episode.evidence.label_count
        self.per_gold = (0.5 if labels else 1.0) / golds if golds else 0.0
        self.per_label = 0.5 / labels if labels else 0.0

    def step(self, episode: Episode, turn: Turn) -> float:
        """See the class."""
        golds, labels, _ = turn.credit
        return len(golds) * self.per_gold + len(labels) * self.per_label

    def value(self, episode: Episode) -> float:
        """Worth of all that has been delivered so far, 0 to 1."""
        evidence = episode.evidence
        return len(evidence.golds) * self.per_gold + len(evidence.labels) * self.per_label


class Commitment:
    """Outcome less the costs of committing too early, too late or never.

    1 for the gold option. A wrong submission before full paper recall costs `PREMATURE_COMMIT`, after it nothing
    more. Each point spent in a turn that began with full section recall costs `OVER_SEARCH`, `OVER_SEARCH_MOST` at
    most. An ending without a submission costs `NON_SUBMISSION`; the ending `evidence`, which is not the policy's
    choice, costs nothing.
    """

    __slots__ = ("charged", "section_recall")

    def __init__(self, episode: Episode) -> None:
        self.section_recall = episode.evidence.section_recall
        self.charged = 0.0

    def step(self, episode: Episode, turn: Turn) -> float:
        """See the class."""
        reward = 0.0
        if self.section_recall:
            due = min(OVER_SEARCH * points_of(turn), OVER_SEARCH_MOST - self.charged)
            self.charged += due
            reward -= due
        self.section_recall = episode.evidence.section_recall
        if turn.ending == "answer":
            if episode.correct:
                reward += 1.0
            elif not episode.evidence.paper_recall:
                reward -= PREMATURE_COMMIT
        elif turn.ending is not None and turn.ending != "evidence":
            reward -= NON_SUBMISSION
        return reward


class Mixture:
    """A weighted sum of rewards."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[tuple[float, Scorer]]) -> None:
        self.parts = parts

    def step(self, episode: Episode, turn: Turn) -> float:
        """See the class."""
        return sum(weight * scorer.step(episode, turn) for weight, scorer in self.parts)


class FromFunction:
    """A reward that a function of the step's record gives."""

    __slots__ = ("function",)

    def __init__(self, function: RewardFunction) -> None:
        self.function = function

    def step(self, episode: Episode, turn: Turn) -> float:
        """See the class."""
        reward = self.function(StepRecord.of(episode, turn))
        try:
            return float(reward)
        except (TypeError, ValueError):
            name = getattr(self.function, "__qualname__", type(self.function).__name__)
            raise TypeError(f"the reward function {name} must return a number, not {reward!r:.100}") from None


def points_of(turn: Turn) -> int:
    """Points that a turn spent."""
    return sum([result.points for result in turn.results])
