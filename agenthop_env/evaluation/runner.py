"""A run: items played one by one, each recorded as it ends, until all are done or somebody says stop."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.agents import AgentFactory, make_agent
from agenthop_env.agents.protocol import checked_factory
from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.diagnostics.summary import Summary, summarize
from agenthop_env.evaluation.folder import RunFolder, open_run
from agenthop_env.evaluation.playing import Finished, Player
from agenthop_env.evaluation.processes import Stop, play_here, play_in_processes
from agenthop_env.evaluation.selection import EMBEDDED_ITEMS, Filters, digest, select
from agenthop_env.evaluation.settings import Protocol, RunConfig, Session, versions
from agenthop_env.records import Attempt, EpisodeRecord
from agenthop_env.sandbox.prompts import prompt_set

_NOTE_SECONDS: Final = 5.0
"""How often the wall time so far is noted in `run.json`."""


@dataclass
class Progress:
    """How far a run is.

    Attributes:
        planned: Items in all.
        resumed: Items that earlier sessions finished.
        done: Items finished in this session.
        correct: Right answers, earlier sessions' among them.
        endings: Items by ending, likewise.
        repaired: Whether a torn last line was cut off, whose item is played again.
        stopping: Whether the run was asked to stop and is waiting for episodes in flight.
    """

    planned: int
    resumed: int = 0
    done: int = 0
    correct: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    repaired: bool = False
    stopping: bool = False

    @property
    def accuracy(self) -> float:
        """Share of right answers so far."""
        return self.correct / max(self.resumed + self.done, 1)

    def count(self, finished: Finished) -> None:
        """Count an episode of this session."""
        self.done += 1
        self.correct += finished.correct
        self.endings[finished.ending] += 1


class Evaluation(NamedTuple):
    """What came of a run.

    Attributes:
        folder: The run folder.
        config: Its settings and sessions.
        summary: The headline figures.
        complete: Whether every item has a record; False after an interrupt.
        progress: How far it came.
    """

    folder: Path
    config: RunConfig
    summary: Summary
    complete: bool
    progress: Progress

    @property
    def ok(self) -> bool:
        """Whether every item has a record and none ended as `error`."""
        return self.complete and not self.summary.errors


OnProgress = Callable[[Progress], None]


def evaluate(
    data: str | os.PathLike[str] | Corpus | None = None,
    agent: str | AgentFactory = "random",
    output: str | os.PathLike[str] = "runs/run",
    *,
    items: int | None = None,
    ids: Sequence[str] | None = None,
    filters: Filters | None = None,
    workers: int = 1,
    protocol: Protocol | None = None,
    agent_settings: dict[str, Any] | None = None,
    on_progress: OnProgress | None = None,
    **settings: Any,
) -> Evaluation:
    """Play items of a data set with an agent, and record them in a run folder.

    A folder that holds a part of the same run is resumed: what is done is skipped, and items that ended as `error`
    are played again. The first interrupt (SIGINT or SIGTERM) lets episodes in flight end; the second does not wait.

    Args:
        data: See `open_corpus`.
        agent: Name of a registered agent, `module:Factory` or `path/to/file.py:Factory`, or a factory of one's own,
            which must pickle where there are several workers.
        output: Run folder.
        items: Number of items, after the filters; None for all, of the embedded default for 24.
        ids: Only these items.
        filters: Only items that pass.
        workers: Processes. Records do not depend on their number; the order of lines does.
        protocol: How episodes are played.
        agent_settings: Settings of an agent that is given by name.
        on_progress: Told after every episode.
        settings: Fields of `Protocol`, instead of `protocol` or on top of it: `limits=`, `seed=`, `strategy=`, ...

    Returns:
        The figures, and whether the run is complete.

    Raises:
        RunError: If the folder is in use or holds another run.
        SelectionError: If no item is left to play.
        AgentError: If there is no such agent.
        TypeError: If `agent` is no agent factory.
        CorpusError: If there is no such data set.
        ValueError: If a setting is none of the known ones.
    """
    if workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")
    protocol = msgspec.structs.replace(protocol or Protocol(), **settings)
    if data is None and items is None and ids is None:
        items = EMBEDDED_ITEMS
    corpus = open_corpus(data)
    chosen = select(corpus, items=items, ids=ids, filters=filters)
    if isinstance(agent, str):
        agent = make_agent(agent, seed=protocol.seed, **(agent_settings or {}))
    elif agent_settings:
        raise ValueError("agent_settings are for an agent that is given by name; a factory has its own")
    agent = checked_factory(agent)
    config = RunConfig(
        agent=agent.name,
        agent_settings=agent.settings,
        dataset=corpus.name,
        fingerprint=corpus.fingerprint,
        source=corpus.source,
        items=len(chosen),
        items_digest=digest(chosen),
        item_ids=() if chosen == list(corpus.ids[: len(chosen)]) else tuple(chosen),
        filters="" if filters is None else str(filters),
        protocol=protocol,
        prompts_hash=prompt_set(protocol.prompts).hash,
        versions=versions(),
    )
    protocol.episode(
        corpus, chosen[0], agent.name, agent.settings
    )  # refuses settings before a folder is made
    with open_run(Path(output), config, frozenset(chosen)) as run:
        progress = Progress(len(chosen), len(run.done), repaired=run.repaired)
        earlier = {item_id: _tries(record) for item_id, record in run.failed.items()}
        player = Player(corpus, agent, protocol, earlier)
        left = [item_id for item_id in chosen if item_id not in run.done]
        if left:
            run.drop_summary()
            _count_earlier(run, progress)
            with _interrupts(progress) as stop:
                _play(run, player, left, workers, progress, stop, on_progress)
        summary = summarize(run.records)
        run.write_summary(summary)
        complete = summary.n == len(chosen)
        return Evaluation(run.path, run.config, summary, complete, progress)


def _play(
    run: RunFolder,
    player: Player,
    left: list[str],
    workers: int,
    progress: Progress,
    stop: Stop,
    on_progress: OnProgress | None,
) -> None:
    """Play what is left, each record on disk before the next is waited for."""
    clock = _Clock(run, workers)
    if on_progress:
        on_progress(progress)
    episodes = (
        play_here(player, left, stop) if workers == 1 else play_in_processes(player, left, stop, workers)
    )
    try:
        for finished in episodes:
            run.add(finished.line)
            for failed in finished.failed:
                run.add_failed_try(failed)
            progress.count(finished)
            clock.note(progress.done)
            if on_progress:
                on_progress(progress)
    finally:
        clock.note(progress.done, last=True)


class _Clock:
    """Keeps a run's wall time: it adds up over sessions, and a kill loses a few seconds of it.

    The session is noted as cut off from its start, and as ended at its end, so that a killed one is told from others.
    """

    def __init__(self, run: RunFolder, workers: int) -> None:
        self._run = run
        self._before = run.config.sessions
        self._session = Session(datetime.now(UTC).isoformat(timespec="seconds"), workers=workers)
        self._start = time.monotonic()
        self._write(self._start, 0, cut=True)

    def note(self, episodes: int, *, last: bool = False) -> None:
        time_now = time.monotonic()
        if last or time_now - self._noted >= _NOTE_SECONDS:
            self._write(time_now, episodes, cut=not last)

    def _write(self, time_now: float, episodes: int, *, cut: bool) -> None:
        self._noted = time_now
        session = msgspec.structs.replace(
            self._session, seconds=round(time_now - self._start, 3), episodes=episodes, cut=cut
        )
        self._run.write_config(msgspec.structs.replace(self._run.config, sessions=(*self._before, session)))


def _count_earlier(run: RunFolder, progress: Progress) -> None:
    for record in run.records:
        if record.item_id in run.done:
            progress.correct += record.correct
            progress.endings[record.ending or ""] += 1


def _tries(failed: EpisodeRecord) -> tuple[Attempt, ...]:
    """The tries of an item so far: those that its failed record tells of, and that record itself."""
    return (*failed.attempts, Attempt(failed.error or "", failed.totals.usage, len(failed.turns)))


@contextmanager
def _interrupts(progress: Progress) -> Iterator[Stop]:
    """Make the first interrupt a request to stop; the second is one as usual."""
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {}

    def ask(number: int, frame: object) -> None:
        if progress.stopping:
            raise KeyboardInterrupt
        progress.stopping = True

    if threading.current_thread() is threading.main_thread():
        before = {number: signal.signal(number, ask) for number in signals}
    try:
        yield lambda: progress.stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
