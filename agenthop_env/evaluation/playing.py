"""One item, from start to record: whatever an agent does, an ending comes of it."""

from __future__ import annotations

import traceback
from typing import Final, NamedTuple

import msgspec

from agenthop_env.agents.adapters import as_agent, as_async
from agenthop_env.agents.protocol import AgentError, AgentFactory, AnyAgent, AsyncAgent, play, take_turn
from agenthop_env.agents.served.errors import ServedError
from agenthop_env.corpus.store import Corpus
from agenthop_env.evaluation.folder import FailedTry
from agenthop_env.evaluation.settings import Protocol
from agenthop_env.records import Attempt, EpisodeRecord, Usage, decode, encode
from agenthop_env.rules import ITEM_RETRIES
from agenthop_env.sandbox.episode import Episode


class Finished(NamedTuple):
    """An episode that is over.

    Attributes:
        item_id: The item.
        line: Its record as one line of JSON.
        ending: Why it is over.
        correct: Whether the answer was right.
        tokens: Tokens that it cost, failed tries included.
        usage: The five token counts of that.
        failed: The tries that failed; the last is the record's own where the ending is `error`.
        hopeless: Why no other item of the run can succeed either (the key is refused, ...), empty where others can.
    """

    item_id: str
    line: bytes
    ending: str
    correct: bool
    tokens: int
    usage: Usage = Usage()
    failed: tuple[FailedTry, ...] = ()
    hopeless: str = ""


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
        """Play one item; whatever the agent raises, an exit of the process too, ends it as `error`."""
        episode = self.start(item_id)
        trace = ""
        try:
            play(episode, as_agent(self.begin(episode)))
        except (Exception, SystemExit, GeneratorExit) as problem:
            trace = traceback.format_exc()[-TRACE_KEPT:]
            episode.abort(last_line(problem))
        return self.finish(episode, trace)

    def finish(self, episode: Episode, trace: str = "") -> Finished:
        """What came of an episode that is over.

        Args:
            episode: The episode.
            trace: Where it failed, if it did.
        """
        return self._finish(episode.record(), trace)

    async def play_async(self, item_id: str) -> Finished:
        """Play one item with an agent that waits for a server.

        A request that fails for good costs the try; the item is begun again `ITEM_RETRIES` times at most, unless no
        request can succeed. What the failed tries cost stays on the record.
        """
        before = self.earlier.get(item_id, ())
        failed: list[FailedTry] = []
        for left in range(ITEM_RETRIES, -1, -1):
            episode = self.start(item_id)
            agent: AsyncAgent | None = None
            hopeless = trace = ""
            try:
                agent = as_async(self.begin(episode))
                while episode.ending is None:
                    take_turn(episode, agent, await agent.act_async(episode.messages, episode.tools))
            except (Exception, SystemExit, GeneratorExit) as problem:
                trace = traceback.format_exc()[-TRACE_KEPT:]
                episode.abort(last_line(problem))
                hopeless = last_line(problem) if getattr(problem, "hopeless", False) else ""
                again = isinstance(problem, ServedError) and not hopeless and left > 0
            else:
                again = False
            faults = tuple(
                msgspec.structs.replace(fault, whole=False)
                for fault in getattr(agent, "problems", ())[-_FAULTS_KEPT:]
            )
            if not again:
                break
            tried = Attempt(episode.error or "", episode.ledger.usage, len(episode.turns))
            before = (*before, *faults, tried)
            failed.append(FailedTry(item_id, tried, trace))
        finished = self._finish(episode.record(), trace, (*before, *faults), hopeless)
        return finished._replace(failed=(*failed, *finished.failed))

    def lose(self, item_id: str, reason: str) -> Finished:
        """The record of an item whose process was lost on the way."""
        episode = self.start(item_id)
        episode.abort(reason)
        return self.finish(episode)

    def start(self, item_id: str) -> Episode:
        """An episode that is about to be played."""
        return self.protocol.episode(self.corpus, item_id, self.factory.name, self.factory.settings)

    def begin(self, episode: Episode) -> AnyAgent:
        """An agent of any kind.

        Raises:
            TypeError: If what the factory gives is none.
        """
        begun = self.factory.begin(episode)
        try:
            as_async(begun)
        except TypeError as problem:
            raise TypeError(f"begin of agent {self.factory.name} returned no agent: {problem}") from None
        return begun

    def _finish(
        self,
        record: EpisodeRecord,
        trace: str,
        attempts: tuple[Attempt, ...] | None = None,
        hopeless: str = "",
    ) -> Finished:
        if attempts is None:
            attempts = self.earlier.get(record.item_id, ())
        if attempts:
            retries = sum(attempt.whole for attempt in attempts)
            record = msgspec.structs.replace(record, retries=retries, attempts=attempts)
        failed: tuple[FailedTry, ...] = ()
        if record.ending == "error":
            attempt = Attempt(record.error or "", record.totals.usage, len(record.turns))
            failed = (FailedTry(record.item_id, attempt, trace),)
        usage = record.totals.usage
        for attempt in attempts:
            usage += attempt.usage
        return Finished(
            record.item_id,
            readable_line(record),
            record.ending or "",
            record.correct,
            usage.total,
            usage,
            failed,
            hopeless,
        )


TRACE_KEPT: Final = 20_000
_LINE_KEPT: Final = 2_000
_FAULTS_KEPT: Final = 50
"""Failed requests of one try that its record tells of."""


def readable_line(record: EpisodeRecord) -> bytes:
    """A record as a line that reads back.

    Raises:
        ValueError: If it does not, for then no one could read the run any more.
    """
    line = encode(record).encode()
    decode(line, EpisodeRecord)
    return line


def last_line(problem: BaseException) -> str:
    """An exception as the last line of its traceback; this package's own words stand for themselves."""
    if isinstance(problem, AgentError):
        return str(problem)
    lines = [line for line in "".join(traceback.format_exception_only(problem)).splitlines() if line.strip()]
    line = lines[-1] if lines else type(problem).__name__
    return line if len(line) <= _LINE_KEPT else f"{line[:_LINE_KEPT]}..."
