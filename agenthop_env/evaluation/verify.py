"""Playing a run's records again, without the agent: does the data still give what was recorded?"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.diagnostics.runs import RECORDS_FILE, RecordFile
from agenthop_env.diagnostics.summary import Summary, summarize
from agenthop_env.evaluation.folder import SUMMARY_FILE, read_run_config
from agenthop_env.evaluation.settings import RunConfig
from agenthop_env.records import EpisodeRecord, encode
from agenthop_env.sandbox.replay import replay


class Difference(NamedTuple):
    """One field in which a record and its replay differ.

    Attributes:
        item_id: The item; empty for the run as a whole.
        what: `field: recorded -> replayed`.
    """

    item_id: str
    what: str


class Verification(NamedTuple):
    """What came of replaying a run.

    Attributes:
        config: The run's settings.
        episodes: Records replayed.
        differences: All differences, in the records' order.
        summary: The figures of the replayed records.
    """

    config: RunConfig
    episodes: int
    differences: list[Difference]
    summary: Summary


def verify_run(
    folder: str | os.PathLike[str],
    data: str | os.PathLike[str] | Corpus | None = None,
    *,
    on_record: Callable[[int], None] | None = None,
) -> Verification:
    """Replay every record of a run and recompute its summary.

    Args:
        folder: The run folder.
        data: The data set, where it is not where the run found it.
        on_record: Told how many records are done.

    Raises:
        RunError: If the folder holds no run, or a line of it is no record.
        CorpusError: If there is no such data set.
    """
    path = Path(folder)
    config = read_run_config(path)
    corpus = open_corpus(config.source if data is None else data)
    differences: list[Difference] = []
    if corpus.fingerprint != config.fingerprint:
        differences.append(Difference("", f"fingerprint: {config.fingerprint} -> {corpus.fingerprint}"))
    count = 0

    def replayed() -> Iterator[EpisodeRecord]:
        nonlocal count
        for record in RecordFile(path / RECORDS_FILE):
            again = record
            try:
                again = replay(record, corpus)
            except (KeyError, ValueError) as problem:
                differences.append(Difference(record.item_id, f"cannot be replayed: {problem.args[0]}"))
            differences.extend(Difference(record.item_id, what) for what in record.differences(again))
            count += 1
            if on_record:
                on_record(count)
            yield again

    summary = summarize(replayed())
    differences += [
        Difference("", f"summary.{what}") for what in _summary_differences(path / SUMMARY_FILE, summary)
    ]
    return Verification(config, count, differences, summary)


def _summary_differences(file: Path, summary: Summary) -> list[str]:
    """Figures of `summary.json` that the replayed records do not give; none where a run was killed before it wrote it."""
    try:
        recorded = json.loads(file.read_bytes())
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as problem:
        return [f"cannot be read ({problem})"]
    one, two = _flat(recorded), _flat(json.loads(encode(summary)))
    return [
        f"{name}: {one.get(name)} -> {two.get(name)}"
        for name in sorted(one.keys() | two.keys())
        if one.get(name) != two.get(name)
    ]


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    if isinstance(value, dict):
        return {
            path: leaf
            for key, inner in value.items()
            for path, leaf in _flat(inner, f"{name}.{key}" if name else key).items()
        }
    return {name: value}
