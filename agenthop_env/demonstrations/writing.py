"""Demonstrations on disk: a run folder with its records, and beside them the rows for training.

A row is written before its record, each in one go, so a kill at any moment leaves at most one row too many, which is
cut off when the folder is opened again. The number of records says where in the stream to go on.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.splits import require_trainable
from agenthop_env.corpus.store import Corpus
from agenthop_env.demonstrations.mixture import HABITS, Mixture, mixture
from agenthop_env.demonstrations.parquet import require_pyarrow, write_parquet
from agenthop_env.demonstrations.playing import AGENT, Demonstration, Plan, public_source, stream
from agenthop_env.diagnostics.runs import RunError
from agenthop_env.diagnostics.summary import summarize
from agenthop_env.evaluation.folder import LineFile, RunFolder, open_run, write_json
from agenthop_env.evaluation.selection import digest
from agenthop_env.evaluation.settings import Protocol, RunConfig, versions
from agenthop_env.records import EpisodeRecord, Json, encode
from agenthop_env.sandbox.prompts import prompt_set

FORMATS: Final = ("jsonl", "parquet")
ROWS_FILE: Final = "demonstrations.jsonl"
PARQUET_FILE: Final = "demonstrations.parquet"
MANIFEST_FILE: Final = "manifest.json"
MANIFEST_VERSION: Final = 1

_TRIES: Final = 20
"""Episodes played at most for each demonstration asked for, where some are left out."""


class HabitFigures(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a habit, or of all together.

    Attributes:
        played: Episodes played.
        kept: Demonstrations written.
        accuracy: Share of right answers among the kept, 0 to 1; likewise:
        paper_recall: Share with text of every gold paper delivered.
        section_recall: Share with the evidence itself delivered.
        points: Mean points spent.
        turns: Mean assistant messages.
        accuracy_played: Share of right answers among all played.
    """

    played: int = 0
    kept: int = 0
    accuracy: float = 0.0
    paper_recall: float = 0.0
    section_recall: float = 0.0
    points: float = 0.0
    turns: float = 0.0
    accuracy_played: float = 0.0


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What `manifest.json` holds.

    Attributes:
        complete: Whether as many demonstrations as asked for are there.
        count: Demonstrations asked for.
        figures: Those of all demonstrations.
        habits: Those of each habit.
        settings: The mixture's shares, the seed, what was kept, how episodes were played.
        dataset: Name of the data set.
        spec: Source to open it by.
        fingerprint: Hash of its content.
        splits: Demonstrations kept by split.
        prompts_hash: Hash of the prompts' texts.
        versions: The package's version and Python's.
        tools: JSON schemas of the tools in use, in every tool mode.
        files: SHA-256 of the files with rows.
    """

    schema_version: int = MANIFEST_VERSION
    complete: bool
    count: int
    figures: HabitFigures
    habits: dict[str, HabitFigures]
    settings: dict[str, Json]
    dataset: str
    spec: str
    fingerprint: str
    splits: dict[str, int]
    prompts_hash: str
    versions: dict[str, str]
    tools: list[Json]
    files: dict[str, str]


class Written(NamedTuple):
    """What `write` leaves.

    Attributes:
        folder: The folder.
        manifest: What it holds.
        resumed: Demonstrations that were there before.
    """

    folder: Path
    manifest: Manifest
    resumed: int


OnProgress = Callable[[int, int], None]
"""Told after every episode how many demonstrations are kept and how many episodes were played."""


class _Keep(NamedTuple):
    """Which episodes become demonstrations."""

    only_correct: bool
    max_points: int | None

    def __call__(self, played: Demonstration | EpisodeRecord) -> bool:
        points = played.points if isinstance(played, Demonstration) else played.totals.points
        return (played.correct or not self.only_correct) and (
            self.max_points is None or points <= self.max_points
        )


def write(
    data: str | os.PathLike[str] | Corpus | None,
    output: str | os.PathLike[str],
    count: int,
    habits: Mixture | str | None = None,
    seed: int = 0,
    *,
    only_correct: bool = False,
    max_points: int | None = None,
    thoughts: str = "prose",
    protocol: Protocol | None = None,
    allow_test: bool = False,
    formats: Sequence[str] = ("jsonl",),
    workers: int = 1,
    on_progress: OnProgress | None = None,
) -> Written:
    """Write demonstrations to a folder; one that holds a part of the same is gone on with.

    The same arguments give the same rows, byte for byte, however often the work was interrupted and whatever
    `workers` is. A larger `count` than before extends what is there.

    Args:
        data: See `open_corpus`; items of the test split are refused.
        output: The folder. It is a run folder, so that `agenthop verify` replays it.
        count: Demonstrations, 1 or more.
        habits: See `generate`.
        seed: Seed of the stream.
        only_correct: Keep only episodes with the right answer.
        max_points: Keep only episodes that spent at most so many points.
        thoughts: `prose`, `brief` or `none`.
        protocol: How episodes are played; text mode with `hermes` calls by default.
        allow_test: Play test items too. Benchmark items must stay out of training.
        formats: `jsonl` is always written, `parquet` beside it where named.
        workers: Processes.
        on_progress: Told after every episode.

    Raises:
        SplitError: If items are of the test split and that is not allowed.
        RunError: If the folder is in use, or holds something else.
        ImportError: If Parquet is asked for and pyarrow is not installed.
        ValueError: If a setting is none of the known ones.
    """
    _check(count, max_points, formats, workers)
    corpus = open_corpus(data)
    plan = Plan(
        habits=mixture(habits),
        seed=seed,
        thoughts=thoughts,
        protocol=msgspec.structs.replace(protocol or Protocol(tool_format="hermes"), seed=seed),
        allow_test=allow_test,
    )
    _refuse_test(corpus, count, allow_test)
    keep = _Keep(only_correct, max_points)
    config = _config(corpus, plan, keep)
    plan.protocol.episode(corpus, corpus.ids[0], AGENT, {})  # refuses settings before a folder is made
    with open_run(Path(output), config) as run:
        rows = LineFile(run.path / ROWS_FILE)
        try:
            played, kept = _settled(run, rows, keep, count)
            resumed = kept
            if kept < count:
                run.drop_summary()
                (run.path / MANIFEST_FILE).unlink(missing_ok=True)
                left = (count - kept) if keep == _Keep(False, None) else count * _TRIES - played
                for demonstration in _until(
                    stream(corpus, plan, start=played, count=max(left, 0), workers=workers)
                ):
                    if keep(demonstration):
                        rows.append(_line(demonstration.row()))
                        kept += 1
                    run.add(encode(demonstration.record).encode())
                    played += 1
                    if on_progress:
                        on_progress(kept, played)
                    if kept == count:
                        break
        finally:
            rows.close()
        run.write_summary(summarize(run.records))
        if "parquet" in formats:
            write_parquet(run.path / ROWS_FILE, run.path / PARQUET_FILE)
        else:
            (run.path / PARQUET_FILE).unlink(missing_ok=True)  # it would tell of fewer rows
        manifest = _manifest(run, corpus, plan, keep, count)
        write_json(run.path / MANIFEST_FILE, manifest)
        return Written(run.path, manifest, resumed)


def _until(demonstrations: Iterator[Demonstration]) -> Iterator[Demonstration]:
    """The same, closed when it is left early: worker processes end with it."""
    try:
        yield from demonstrations
    finally:
        close = getattr(demonstrations, "close", None)
        if close is not None:
            close()


def _check(count: int, max_points: int | None, formats: Sequence[str], workers: int) -> None:
    unknown = [name for name in formats if name not in FORMATS]
    if unknown:
        raise ValueError(f"no format {', '.join(map(repr, unknown))}; there are {', '.join(FORMATS)}")
    if count < 1:
        raise ValueError(f"count must be 1 or more, not {count}")
    if max_points is not None and max_points < 0:
        raise ValueError(f"max_points must be 0 or more, not {max_points}")
    if workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers}")
    if "parquet" in formats:
        require_pyarrow()


def _refuse_test(corpus: Corpus, count: int, allow_test: bool) -> None:
    """Refuse before anything is played where the first items that would be are of the test split.

    Items of a world are all of one split, and opening many to see that takes time; the others are looked at when
    their turn comes.
    """
    if not allow_test:
        first = corpus.ids[: min(count, 1 if corpus.source.startswith("world:") else len(corpus.ids))]
        require_trainable((corpus.item(item_id).split for item_id in first), source=corpus.name)


def _config(corpus: Corpus, plan: Plan, keep: _Keep) -> RunConfig:
    return RunConfig(
        agent=AGENT,
        agent_settings={
            "habits": {name: round(share, 12) for name, share in plan.habits.items()},
            "thoughts": plan.thoughts,
            "only_correct": keep.only_correct,
            "max_points": keep.max_points,
        },
        dataset=corpus.name,
        fingerprint=corpus.fingerprint,
        source=corpus.source,
        items=len(corpus.ids),
        items_digest=digest(corpus.ids),
        protocol=plan.protocol,
        prompts_hash=prompt_set(plan.protocol.prompts).hash,
        versions=versions(),
    )


def _settled(run: RunFolder, rows: LineFile, keep: _Keep, count: int) -> tuple[int, int]:
    """How many episodes and demonstrations are there, after a row without its record has been cut off."""
    played = kept = 0
    for record in run.records:
        played += 1
        kept += keep(record)
    size = lines = 0
    with open(rows.path, "rb") as stream:
        for line in stream:
            lines += 1
            if lines <= kept:
                size += len(line)
    if lines < kept:
        raise RunError(
            f"{rows.path}: holds {lines} rows for {kept} episodes; it was damaged, so name another folder"
        )
    if lines > kept:
        os.truncate(rows.path, size)
    if kept > count:
        raise RunError(
            f"{run.path}: holds {kept} demonstrations, more than the {count} asked for; name another folder"
        )
    return played, kept


def _line(row: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(row)
    except UnicodeEncodeError:  # lone surrogates, which no reader of Arrow's takes
        return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")


def _manifest(run: RunFolder, corpus: Corpus, plan: Plan, keep: _Keep, count: int) -> Manifest:
    tallies: dict[str, list[tuple[bool, EpisodeRecord]]] = defaultdict(list)
    splits: dict[str, int] = defaultdict(int)
    for record in run.records:
        record_kept = keep(record)
        splits[record.split] += record_kept
        slim = msgspec.structs.replace(record, turns=())
        tallies[str(record.agent_settings["habit"])].append((record_kept, slim))
    figures = _figures([entry for entries in tallies.values() for entry in entries])
    episode = plan.protocol.episode(corpus, corpus.ids[0], AGENT, {})
    files = [name for name in (ROWS_FILE, PARQUET_FILE) if (run.path / name).is_file()]
    return Manifest(
        complete=figures.kept >= count,
        count=count,
        figures=figures,
        habits={name: _figures(tallies[name]) for name in HABITS if name in tallies},
        settings=run.config.agent_settings
        | {"seed": plan.seed, "allow_test": plan.allow_test, "protocol": msgspec.to_builtins(plan.protocol)},
        dataset=corpus.name,
        spec=public_source(corpus),
        fingerprint=corpus.fingerprint,
        splits=dict(splits),
        prompts_hash=run.config.prompts_hash,
        versions=versions(),
        tools=list(episode.tools),
        files={name: _hash(run.path / name) for name in files},
    )


def _figures(entries: list[tuple[bool, EpisodeRecord]]) -> HabitFigures:
    kept = [record for record_kept, record in entries if record_kept]

    def mean(values: list[float], of: int) -> float:
        return round(sum(values) / max(of, 1), 4)

    size = len(kept)
    return HabitFigures(
        played=len(entries),
        kept=size,
        accuracy=mean([record.correct for record in kept], size),
        paper_recall=mean([record.paper_recall for record in kept], size),
        section_recall=mean([record.section_recall for record in kept], size),
        points=mean([record.totals.points for record in kept], size),
        turns=mean([record.totals.turns for record in kept], size),
        accuracy_played=mean([record.correct for _, record in entries], len(entries)),
    )


def _hash(path: Path) -> str:
    digest = sha256()
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
