"""Playing a run's records again, without the agent: does the data still give what was recorded, and all of it?"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.diagnostics.runs import RECORDS_FILE, RecordFile
from agenthop_env.diagnostics.summary import Summary, summarize
from agenthop_env.evaluation.folder import SUMMARY_FILE, read_run_config
from agenthop_env.evaluation.selection import digest
from agenthop_env.evaluation.settings import RunConfig
from agenthop_env.records import EpisodeRecord, encode
from agenthop_env.sandbox.replay import replay


class Difference(NamedTuple):
    """One field in which a record and its replay differ.

    Attributes:
        item_id: The item; empty for the run as a whole.
        what: `field: recorded -> replayed`, or what is wrong in words.
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
        missing: Items of the run without a record, in the run's order; empty too where it cannot be told which they are
            (then `episodes` is less than `config.items` all the same).
    """

    config: RunConfig
    episodes: int
    differences: list[Difference]
    summary: Summary
    missing: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every item of the run has its record."""
        return not self.config.settled or (not self.missing and self.episodes >= self.config.items)


def verify_run(
    folder: str | os.PathLike[str],
    data: str | os.PathLike[str] | Corpus | None = None,
    *,
    on_record: Callable[[int], None] | None = None,
) -> Verification:
    """Replay every record of a run, recompute its summary, and look whether all its items are there.

    A data set is known by its fingerprint, whatever its name and wherever it lies. On another one nothing is replayed:
    the fingerprints are the only difference told.

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
    if corpus.fingerprint != config.fingerprint:
        told = (
            f"fingerprint: {config.fingerprint} -> {corpus.fingerprint}, so {corpus.name} is another data set than the "
            f"run's ({config.dataset}) and nothing was replayed; name the run's own with --data"
        )
        return Verification(config, 0, [Difference("", told)], summarize(()))
    records = RecordFile(path / RECORDS_FILE)
    present, differences = _recorded(records)
    missing, strangers = _compared(config, corpus, present) if config.settled else ((), [])
    differences += strangers
    count = 0

    def replayed() -> Iterator[EpisodeRecord]:
        nonlocal count
        for record in records:
            again = record
            try:
                again = msgspec.structs.replace(replay(record, corpus), dataset=record.dataset)
            except (KeyError, ValueError) as problem:
                differences.append(Difference(record.item_id, f"cannot be replayed: {problem.args[0]}"))
            if config.settled:
                differences.extend(Difference(record.item_id, what) for what in _foreign(config, record))
            differences.extend(Difference(record.item_id, what) for what in record.differences(again))
            count += 1
            if on_record:
                on_record(count)
            yield again

    summary = summarize(replayed())
    differences += [
        Difference("", f"summary.{what}") for what in _summary_differences(path / SUMMARY_FILE, summary)
    ]
    return Verification(config, count, differences, summary, missing)


def _recorded(records: RecordFile) -> tuple[list[str], list[Difference]]:
    """Ids of the items with a record, and those recorded again although no error was the reason."""
    earlier: dict[tuple[str, int | None], str | None] = {}
    again: dict[str, None] = {}
    for _, key in records.keys():  # noqa: SIM118 - not a dict's
        place = key.item_id, key.seed
        if earlier.get(place, "error") != "error":
            again[key.item_id] = None
        earlier[place] = key.ending
    what = "was recorded again after a record that is no error; the last counts"
    return list(dict.fromkeys(item_id for item_id, _ in earlier)), [
        Difference(item_id, what) for item_id in again
    ]


def _compared(
    config: RunConfig, corpus: Corpus, present: list[str]
) -> tuple[tuple[str, ...], list[Difference]]:
    """Items of the run without a record, and records of items that are none of its."""
    planned = list(config.item_ids or corpus.ids[: config.items])
    if digest(planned) != config.items_digest:  # which they are is not known, only their hash
        if len(present) < config.items or config.items_digest in _digests(present, corpus):
            return (), []
        return (), [
            Difference("", f"items_digest: the {len(present)} items recorded are not those of the run")
        ]
    found, wanted = set(present), set(planned)
    return (
        tuple(item_id for item_id in planned if item_id not in found),
        [Difference(item_id, "is no item of this run") for item_id in present if item_id not in wanted],
    )


def _digests(present: list[str], corpus: Corpus) -> set[str]:
    """Digests of some items in the orders that a run may have had them in: as recorded, and as in the data set."""
    there = set(present)
    return {digest(present), digest([item_id for item_id in corpus.ids if item_id in there])}


_COMPARED: Final = (
    "limits",
    "token_accounting",
    "disabled_tools",
    "strategy",
    "tool_mode",
    "tool_format",
    "search",
    "seed",
)
"""Settings that every record repeats."""


def _foreign(config: RunConfig, record: EpisodeRecord) -> list[str]:
    """Settings of a record that are not its run's: it was made elsewhere."""
    run: dict[str, Any] = {name: getattr(config.protocol, name) for name in _COMPARED}
    run |= {
        "agent": config.agent,
        "agent_settings": config.agent_settings,
        "prompts_hash": config.prompts_hash or record.prompts_hash,
    }
    return [
        f"{name}: {getattr(record, name)!r}, but the run has {value!r}"
        for name, value in run.items()
        if getattr(record, name) != value
    ]


def _summary_differences(file: Path, summary: Summary) -> list[str]:
    """Figures of `summary.json` that the replayed records do not give; none where a run was killed before it wrote it."""
    try:
        recorded = json.loads(file.read_bytes())
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as problem:
        return [f"cannot be read ({problem})"]
    one, two = _flat(recorded), _flat(json.loads(encode(summary)))
    if one.get("n") != two["n"]:  # with other records every figure is another one
        return [f"n: {one.get('n')} -> {two['n']}; it tells of other records than there are"]
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
