"""One item, from start to record: whatever an agent does, an ending comes of it."""

from __future__ import annotations

import traceback
from typing import NamedTuple

import msgspec

from agenthop_env.agents.protocol import AgentFactory, play
from agenthop_env.corpus.store import Corpus
from agenthop_env.evaluation.folder import FailedTry
from agenthop_env.evaluation.settings import Protocol
from agenthop_env.records import Attempt, EpisodeRecord, encode


class Finished(NamedTuple):
    """An episode that is over.

    Attributes:
        item_id: The item.
        line: Its record as one line of JSON.
        ending: Why it is over.
        correct: Whether the answer was right.
        tokens: Tokens that it cost.
        failed: What went wrong, where the ending is `error`.
    """

    item_id: str
    line: bytes
    ending: str
    correct: bool
    tokens: int
    failed: FailedTry | None = None


class Player:
    """Plays items of one corpus with one agent, always in the same way.

    Args:
        corpus: The data set.
        factory: Makes the agents.
        protocol: How episodes are played.
        earlier: Failed records of earlier sessions, by item: what those tries cost is kept.
    """

    def __init__(
        self,
        corpus: Corpus,
        factory: AgentFactory,
        protocol: Protocol,
        earlier: dict[str, tuple[Attempt, ...]] | None = None,
    ) -> None:
        self.corpus = corpus
        self.factory = factory
        self.protocol = protocol
        self.earlier = earlier or {}

    def play(self, item_id: str) -> Finished:
        """Play one item; an exception of the agent ends it as `error`."""
        episode = self.protocol.episode(self.corpus, item_id, self.factory.name, self.factory.settings)
        trace = ""
        try:
            play(episode, self.factory.begin(episode))
        except Exception as problem:
            trace = traceback.format_exc()
            episode.abort(last_line(problem))
        return self._finish(episode.record(), trace)

    def lose(self, item_id: str, reason: str) -> Finished:
        """The record of an item whose process was lost on the way."""
        episode = self.protocol.episode(self.corpus, item_id, self.factory.name, self.factory.settings)
        episode.abort(reason)
        return self._finish(episode.record(), "")

    def _finish(self, record: EpisodeRecord, trace: str) -> Finished:
        before = self.earlier.get(record.item_id, ())
        if before:
            record = msgspec.structs.replace(record, retries=len(before), attempts=before)
        failed = None
        if record.ending == "error":
            attempt = Attempt(record.error or "", record.totals.usage, len(record.turns))
            failed = FailedTry(record.item_id, attempt, trace)
        line = encode(record).encode()
        return Finished(
            record.item_id, line, record.ending or "", record.correct, record.totals.tokens, failed
        )


def last_line(problem: BaseException) -> str:
    """An exception as the last line of its traceback."""
    lines = [line for line in "".join(traceback.format_exception_only(problem)).splitlines() if line.strip()]
    return lines[-1] if lines else type(problem).__name__
