"""Episodes in several processes; each opens the corpus by its source, so that all share its pages.

The parent hands out items one by one and alone writes what comes back. A process that dies costs the episode that
it was playing, which ends as `error`, and is replaced.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final

from agenthop_env.agents.protocol import AgentFactory
from agenthop_env.corpus.sources import open_corpus
from agenthop_env.diagnostics.runs import RunError
from agenthop_env.evaluation.playing import Finished, Player, last_line
from agenthop_env.evaluation.settings import Protocol
from agenthop_env.records import Attempt

_AHEAD: Final = 2
"""Items with a process at a time: the one that it plays and the next, so that it never waits for the parent."""

_PATIENCE: Final = 10.0

Stop = Callable[[], bool]


def play_here(player: Player, items: list[str], stop: Stop) -> Iterator[Finished]:
    """Play items one after another in this process.

    Args:
        player: Plays them.
        items: Ids.
        stop: Asked before each item; true ends the run there.
    """
    for item_id in items:
        if stop():
            return
        yield player.play(item_id)


def play_in_processes(player: Player, items: list[str], stop: Stop, workers: int) -> Iterator[Finished]:
    """Play items in worker processes, in whatever order they end.

    Args:
        player: What to play with; each process makes its own like it.
        items: Ids.
        stop: Asked before an item is handed out; true lets the ones handed out end and hands out no more.
        workers: Processes.

    Raises:
        RunError: If a process cannot start.
    """
    waiting = deque(items)
    crew = [_Worker(player) for _ in range(min(workers, len(items)))]
    try:
        while True:
            for worker in crew:
                while waiting and not stop() and len(worker.items) < _AHEAD and worker.is_ready:
                    worker.hand(waiting.popleft())
            busy = [worker for worker in crew if worker.items or not worker.is_ready]
            if not any(worker.items for worker in crew) and (not waiting or stop()):
                return
            for channel in wait([worker.channel for worker in busy], timeout=0.2):
                worker = next(worker for worker in crew if worker.channel is channel)
                try:
                    yield from worker.receive()
                except (EOFError, OSError):
                    reason = worker.reason()
                    if not worker.was_ready:
                        raise RunError(f"a worker process could not start: {reason}") from None
                    waiting.extendleft(reversed(worker.items[1:]))
                    crew[crew.index(worker)] = _Worker(player)
                    if worker.items:
                        yield player.lose(worker.items[0], reason)
    finally:
        for worker in crew:
            worker.dismiss()
        for worker in crew:
            worker.end()


class _Worker:
    """The parent's end of one process."""

    def __init__(self, player: Player) -> None:
        context = multiprocessing.get_context("spawn")
        self.channel, theirs = context.Pipe()
        self.items: list[str] = []
        self.is_ready = self.was_ready = False
        self.failure = ""
        corpus = player.corpus
        self.process: SpawnProcess = context.Process(
            target=_work,
            args=(theirs, corpus.source, corpus.fingerprint, player.factory, player.protocol, player.earlier),
            daemon=True,
        )
        self.process.start()
        theirs.close()

    def hand(self, item_id: str) -> None:
        self.items.append(item_id)
        try:
            self.channel.send(item_id)
        except OSError:  # it has died; `receive` will say so
            self.is_ready = False

    def receive(self) -> Iterator[Finished]:
        message = self.channel.recv()
        if isinstance(message, Finished):
            self.items.remove(message.item_id)
            yield message
        elif message is None:
            self.is_ready = self.was_ready = True
        else:
            self.failure = str(message)

    def reason(self) -> str:
        self.process.join(_PATIENCE)
        return self.failure or f"the process ended by itself (exit code {self.process.exitcode})"

    def dismiss(self) -> None:
        self.channel.close()

    def end(self) -> None:
        self.process.join(0 if self.items else _PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _work(
    channel: Connection[object, object],
    source: str,
    fingerprint: str,
    factory: AgentFactory,
    protocol: Protocol,
    earlier: dict[str, tuple[Attempt, ...]],
) -> None:
    """A worker process: plays what it is handed until the parent's end of the channel is gone."""
    for number in (
        signal.SIGINT,
        signal.SIGTERM,
    ):  # the parent decides what they mean; it is gone when the channel is
        signal.signal(number, signal.SIG_IGN)
    try:
        try:
            corpus = open_corpus(source)
            if corpus.fingerprint != fingerprint:
                raise RunError(f"{source} has changed since the run began")
        except Exception as problem:
            channel.send(last_line(problem))
            return
        player = Player(corpus, factory, protocol, earlier)
        channel.send(None)
        while True:
            channel.send(player.play(str(channel.recv())))
    except (EOFError, OSError):
        return
