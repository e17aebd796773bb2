"""A run: items played one by one, each recorded as it ends, until all are done or somebody says stop."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.agents import AgentFactory, make_agent
from agenthop_env.agents.protocol import Agent, AsyncAgent, BatchAgent, checked_factory
from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.diagnostics.summary import Summary, summarize
from agenthop_env.evaluation.concurrent import play_in_batches, play_in_loop
from agenthop_env.evaluation.folder import RunFolder, open_run
from agenthop_env.evaluation.log import RunLog
from agenthop_env.evaluation.playing import Finished, Player
from agenthop_env.evaluation.processes import Stop, play_here, play_in_processes
from agenthop_env.evaluation.progress import Caps, OnProgress, Pricing, Progress
from agenthop_env.evaluation.selection import EMBEDDED_ITEMS, Filters, digest, select
from agenthop_env.evaluation.settings import Protocol, RunConfig, Session, versions
from agenthop_env.records import Attempt, EpisodeRecord
from agenthop_env.sandbox.episode import Episode
from agenthop_env.sandbox.prompts import prompt_set

CONCURRENCY: Final = 64
"""Episodes at a time of an agent that waits for a server, unless the caller says otherwise."""

_NOTE_SECONDS: Final = 5.0
"""How often the wall time so far is noted in `run.json`."""


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


def evaluate(
    data: str | os.PathLike[str] | Corpus | None = None,
    agent: str | AgentFactory = "random",
    output: str | os.PathLike[str] = "runs/run",
    *,
    items: int | None = None,
    ids: Sequence[str] | None = None,
    filters: Filters | None = None,
    workers: int = 1,
    concurrency: int | None = None,
    caps: Caps | None = None,
    pricing: Pricing | None = None,
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
        workers: Processes. Records do not depend on their number; the order of lines does. An agent that waits for
            a server needs one: it plays many episodes in an event loop.
        concurrency: Episodes at a time of such an agent, or of an engine that answers batches; 64 by default.
        caps: What the whole run may cost, over all its sessions.
        pricing: What tokens cost, for the progress and for `caps`.
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
    if concurrency is not None and concurrency < 1:
        raise ValueError(f"concurrency must be 1 or more, not {concurrency}")
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
    # Refuses settings before a folder is made.
    probe = protocol.episode(corpus, chosen[0], agent.name, agent.settings)
    with open_run(Path(output), config, frozenset(chosen)) as run:
        progress = Progress(
            len(chosen), len(run.done), repaired=run.repaired, caps=caps or Caps(), pricing=pricing
        )
        earlier = {item_id: _tries(record) for item_id, record in run.failed.items()}
        player = Player(corpus, agent, protocol, earlier)
        left = [item_id for item_id in chosen if item_id not in run.done]
        if left:
            run.drop_summary()
            for record in run.records:
                progress.count_earlier(record)
            with _interrupts(progress) as stop:
                episodes = _episodes(player, left, stop, workers, concurrency, probe)
                _play(run, episodes, len(left), workers, progress, on_progress)
        summary = summarize(run.records)
        run.write_summary(summary)
        complete = summary.n == len(chosen)
        return Evaluation(run.path, run.config, summary, complete, progress)


def _episodes(
    player: Player, left: list[str], stop: Stop, workers: int, concurrency: int | None, probe: Episode
) -> Iterator[Finished]:
    """What is left to play, played in the way that suits the agent."""
    if workers > 1:
        return play_in_processes(player, left, stop, workers)
    in_flight = concurrency or CONCURRENCY
    try:
        agent: object = player.begin(probe)
    except Exception:  # each item will say so
        return play_here(player, left, stop)
    if isinstance(agent, AsyncAgent):
        return play_in_loop(player, left, stop, in_flight)
    if isinstance(agent, BatchAgent) and not isinstance(agent, Agent):
        return play_in_batches(player, agent, left, stop, in_flight)
    return play_here(player, left, stop)


def _play(
    run: RunFolder,
    episodes: Iterator[Finished],
    planned: int,
    workers: int,
    progress: Progress,
    on_progress: OnProgress | None,
) -> None:
    """Play what is left, each record on disk before the next is waited for."""
    clock = _Clock(run, workers)
    with RunLog(run.path) as log:
        log.note(
            "start", agent=run.config.agent, dataset=run.config.dataset, items=planned, done=len(run.done)
        )
        if on_progress:
            on_progress(progress)
        try:
            for finished in episodes:
                run.add(finished.line)
                for failed in finished.failed:
                    run.add_failed_try(failed)
                progress.count(finished)
                log.item(finished)
                clock.note(progress.done)
                if on_progress:
                    on_progress(progress)
        finally:
            clock.note(progress.done, last=True)
            if progress.halted:
                log.note("halt", why=progress.halted)
            log.note(
                "stop" if progress.stopping else "end",
                done=progress.done,
                correct=progress.correct,
                endings=dict(sorted(progress.endings.items())),
                tokens=progress.tokens,
                cost=progress.cost,
            )


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
        yield lambda: progress.stopping or bool(progress.halted)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
