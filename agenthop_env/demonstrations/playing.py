"""One demonstration, and streams of them: which item and habit come when, and playing them."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import count as counting
from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.agents.draws import Draws
from agenthop_env.agents.protocol import play
from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.splits import SplitError
from agenthop_env.corpus.store import Corpus
from agenthop_env.demonstrations.mixture import HABITS, Mixture, draw_habit, mixture
from agenthop_env.demonstrations.voice import THOUGHTS
from agenthop_env.diagnostics.runs import RunError
from agenthop_env.evaluation.settings import Protocol
from agenthop_env.records import EpisodeRecord

AGENT: Final = "demonstrator"
"""Name of the policy in the records of demonstrations."""

_SEEDS: Final = 1 << 53
"""Seeds of episodes are below this, so that every JSON reader keeps them whole."""

_AHEAD: Final = 8
"""Demonstrations per process that are asked for before the first of them is taken."""


class World(msgspec.Struct, frozen=True):
    """What a demonstration was played on.

    Attributes:
        name: Name of the data set.
        spec: Source that `open_corpus` opens again; of a folder, its name alone.
        fingerprint: Hash of its content.
        split: The item's split.
    """

    name: str
    spec: str
    fingerprint: str
    split: str


class Demonstration(msgspec.Struct, frozen=True, kw_only=True):
    """One played episode as a training example.

    Attributes:
        messages: The conversation to its end, as the episode holds it: `role`, `content`, and with native calls
            `tool_calls` (whose `arguments` are JSON text) and `tool_call_id`.
        tools: JSON schemas of the tools, for the chat template; None in `text` mode, where the prompt describes
            them.
        item_id: The item.
        habit: One of `HABITS`.
        correct: Whether the right option was submitted.
        paper_recall: Whether text of every gold paper was delivered.
        section_recall: Whether the evidence itself was.
        points: Points spent, 0 to 30 under the paper's limits.
        turns: Assistant messages, 1 to 20.
        seed: Seed of this demonstration; with item and habit it gives the same again.
        world: What it was played on.
        prompts_hash: Hash of the prompts' texts.
        tool_mode: `text` or `native`.
        tool_format: Format of the calls in `text` mode.
        index: Place in its stream, from 0.
        record: The episode's record, which replays.
    """

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]] | None
    item_id: str
    habit: str
    correct: bool
    paper_recall: bool
    section_recall: bool
    points: int
    turns: int
    seed: int
    world: World
    prompts_hash: str
    tool_mode: str
    tool_format: str
    index: int
    record: EpisodeRecord

    def row(self) -> dict[str, Any]:
        """The columns of a data set: plain JSON, `tools` as JSON text, without the record."""
        row: dict[str, Any] = {
            name: getattr(self, name) for name in self.__struct_fields__ if name not in ("record", "world")
        }
        row["tools"] = None if self.tools is None else json.dumps(self.tools, ensure_ascii=False)
        row["world"] = msgspec.to_builtins(self.world)
        return row


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A stream of demonstrations without end: all that decides it, beside the data set.

    Attributes:
        habits: Habit -> share; the shares sum to 1.
        seed: Seed of the stream.
        thoughts: `prose`, `brief` or `none`; see `Expert`.
        protocol: How episodes are played; its `seed` is not used.
        allow_test: Whether test items may be played.
    """

    habits: dict[str, float]
    seed: int = 0
    thoughts: str = "prose"
    protocol: Protocol = Protocol(tool_format="hermes")
    allow_test: bool = False

    def __post_init__(self) -> None:
        """Refuse unknown words."""
        if self.thoughts not in THOUGHTS:
            raise ValueError(f"thoughts must be one of {', '.join(THOUGHTS)}, not {self.thoughts!r}")


class Draw(NamedTuple):
    """What stands at one place of a stream.

    Attributes:
        place: The place, from 0.
        item_id: The item.
        habit: The habit.
        seed: Seed of the demonstration.
    """

    place: int
    item_id: str
    habit: str
    seed: int


def draw(plan: Plan, ids: Sequence[str], place: int) -> Draw:
    """What stands at a place of a stream: every item has its turn before one comes again."""
    draws = Draws("demonstration", plan.seed, place)
    return Draw(place, ids[place % len(ids)], draw_habit(plan.habits, draws), draws.below(_SEEDS))


def demonstrate(corpus: Corpus, wanted: Draw, plan: Plan) -> Demonstration:
    """Play one demonstration.

    Args:
        corpus: The data set.
        wanted: What to play.
        plan: How.

    Raises:
        SplitError: If the item is of the test split and the plan does not allow that.
        KeyError: If the corpus has no such item.
    """
    protocol = msgspec.structs.replace(plan.protocol, seed=wanted.seed)
    settings = {"habit": wanted.habit, "thoughts": plan.thoughts}
    episode = protocol.episode(corpus, wanted.item_id, AGENT, dict(settings))
    if episode.item.split == "test" and not plan.allow_test:
        raise SplitError(
            f"item {wanted.item_id} of {corpus.name} is of the test split, which is kept out of training; choose "
            f"another split (?split=train), or allow test items if you mean to"
        )
    play(episode, HABITS[wanted.habit].expert(episode, wanted.seed, plan.thoughts))
    record = episode.record()
    return Demonstration(
        messages=episode.messages,
        tools=episode.tools if episode.tool_mode == "native" else None,
        item_id=wanted.item_id,
        habit=wanted.habit,
        correct=record.correct,
        paper_recall=record.paper_recall,
        section_recall=record.section_recall,
        points=record.totals.points,
        turns=record.totals.turns,
        seed=wanted.seed,
        world=World(corpus.name, public_source(corpus), corpus.fingerprint, record.split),
        prompts_hash=record.prompts_hash,
        tool_mode=record.tool_mode,
        tool_format=record.tool_format,
        index=wanted.place,
        record=record,
    )


def public_source(corpus: Corpus) -> str:
    """A corpus's source as it may leave this machine: of a folder its name alone, anything else as it is."""
    return os.path.basename(corpus.source) if os.path.isabs(corpus.source) else corpus.source


def generate(
    data: str | os.PathLike[str] | Corpus | None = None,
    habits: Mixture | str | None = None,
    seed: int = 0,
    *,
    count: int | None = None,
    start: int = 0,
    thoughts: str = "prose",
    protocol: Protocol | None = None,
    allow_test: bool = False,
    workers: int = 1,
) -> Iterator[Demonstration]:
    """A stream of demonstrations, the same for the same arguments whatever `workers` is.

    Args:
        data: See `open_corpus`. Items come in their order; after the last the first comes again, with another seed.
        habits: Habit -> weight, or text such as ``"verify=2,early=1"``; None for the default mixture.
        seed: Seed of the stream.
        count: Demonstrations; None for no end.
        start: Place in the stream to begin at, from 0.
        thoughts: What stands before calls: `prose`, `brief` (two or three key words) or `none`.
        protocol: How episodes are played; text mode with `hermes` calls by default. Its seed is not used.
        allow_test: Play test items too. Benchmark items must stay out of training.
        workers: Processes, 1 or more.

    Raises:
        SplitError: At the first test item, unless allowed.
        ValueError: If a setting is none of the known ones.
    """
    corpus = open_corpus(data)
    plan = Plan(
        habits=mixture(habits),
        seed=seed,
        thoughts=thoughts,
        protocol=protocol or Protocol(tool_format="hermes"),
        allow_test=allow_test,
    )
    return stream(corpus, plan, start=start, count=count, workers=workers)


def stream(
    corpus: Corpus, plan: Plan, *, start: int = 0, count: int | None = None, workers: int = 1
) -> Iterator[Demonstration]:
    """The demonstrations of a plan; see `generate`."""
    if workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")
    if start < 0 or (count is not None and count < 0):
        raise ValueError("start and count must be 0 or more")
    places = counting(start) if count is None else iter(range(start, start + count))
    if workers == 1:
        return (demonstrate(corpus, draw(plan, corpus.ids, index), plan) for index in places)
    return _in_processes(corpus, plan, places, workers)


def _in_processes(corpus: Corpus, plan: Plan, places: Iterator[int], workers: int) -> Iterator[Demonstration]:
    """Play in worker processes, which open the corpus by its source; results come in order."""
    pool = ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin_worker,
        initargs=(corpus.source, corpus.fingerprint, plan),
    )
    waiting: deque[Future[Demonstration]] = deque()
    try:
        while True:
            while len(waiting) < workers * _AHEAD and (index := next(places, None)) is not None:
                with _signals_held():  # the first call starts the processes
                    waiting.append(pool.submit(_play_at, index))
            if not waiting:
                return
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise RunError(
            f"a worker process ended by itself, or could not open {corpus.source}; run again to go on"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold interrupts back, here and in processes started meanwhile, until those can ignore them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM)

_HERE: dict[str, Any] = {}
"""What a worker process plays with."""


def _begin_worker(source: str, fingerprint: str, plan: Plan) -> None:
    for number in _INTERRUPTS:  # the parent decides what they mean
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    corpus = open_corpus(source)
    if corpus.fingerprint != fingerprint:
        raise RunError(f"{source} has changed since the run began")
    _HERE.update(corpus=corpus, plan=plan)


def _leave_with_parent() -> None:
    """End this process when its parent is gone, killed or not: nobody else would."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play_at(index: int) -> Demonstration:
    corpus, plan = _HERE["corpus"], _HERE["plan"]
    return demonstrate(corpus, draw(plan, corpus.ids, index), plan)
