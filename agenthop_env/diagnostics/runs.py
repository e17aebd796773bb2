"""Reading run folders: records stream from disk, one at a time, however long a run was."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.records import SCHEMA_VERSION, EpisodeRecord, Json

CONFIG_FILE: Final = "run.json"
RECORDS_FILE: Final = "episodes.jsonl"


class RunError(Exception):
    """A run folder that cannot be read or written, with the reason and the remedy."""


class RecordKey(msgspec.Struct, frozen=True):
    """What tells the records of one run apart: of two with one item and seed, the later counts.

    Attributes:
        item_id: The item.
        seed: Seed of its run.
        schema_version: Layout of the record.
        ending: How it ended; after an `error` an item is played again.
    """

    item_id: str
    seed: int | None = None
    schema_version: int = 0
    ending: str | None = None


class RecordFile:
    """The records of a file with one record a line, read anew each time they are iterated.

    An item that was played again (after an error, on resume) has several records; the last counts and the others are
    passed over. A last line without its end, left by a run that was killed, is passed over too.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[EpisodeRecord]:
        """The records in order.

        Raises:
            RunError: If a line is no record; the message names file and line.
        """
        last = {(key.item_id, key.seed): number for number, key in self.keys()}
        current = set(last.values())
        for number, line in self._lines():
            if number in current:
                try:
                    yield EpisodeRecord.from_json(line)
                except ValueError as problem:
                    raise RunError(f"{self.path}:{number}: {problem}") from None

    def keys(self) -> Iterator[tuple[int, RecordKey]]:
        """Line number and key of every record, those that a later one replaces among them.

        Raises:
            RunError: If a line is no record of this layout; the message names file and line.
        """
        for number, line in self._lines():
            key = _read_key(line)
            if key is None:
                raise RunError(
                    f"{self.path}:{number}: not a record (damaged line); remove the line to go on without it"
                )
            if key.schema_version != SCHEMA_VERSION:
                raise RunError(
                    f"{self.path}:{number}: a record of layout {key.schema_version}; this package reads {SCHEMA_VERSION}"
                )
            yield number, key

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        try:
            stream = open(self.path, "rb")  # noqa: SIM115 - closed below, after the generator is done
        except FileNotFoundError:
            return
        except OSError as problem:
            raise RunError(f"{self.path}: cannot be read ({problem.strerror})") from None
        with stream:
            for number, line in enumerate(stream, 1):
                if line.endswith(b"\n") and not line.isspace():
                    yield number, line


class Run(NamedTuple):
    """One run.

    Attributes:
        name: Name of its folder.
        path: The folder, or the file of records.
        config: What `run.json` says; empty for a bare file.
        records: Its records; each iteration streams them from disk.
    """

    name: str
    path: Path
    config: dict[str, Json]
    records: Iterable[EpisodeRecord]


def load_runs(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[Run]:
    """Open runs; no record is read before its turn.

    Args:
        paths: Run folders, folders of run folders, or files with a record a line.

    Raises:
        RunError: If a path is none of these.
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    return [run for path in given for run in _runs_at(Path(path))]


def _runs_at(path: Path) -> list[Run]:
    if path.is_file():
        return [Run(path.stem, path, {}, RecordFile(path))]
    if (path / RECORDS_FILE).is_file() or (path / CONFIG_FILE).is_file():
        name = path.name or path.resolve().name
        return [Run(name, path, read_config(path), RecordFile(path / RECORDS_FILE))]
    if not path.is_dir():
        raise RunError(f"{path}: no such run")
    inner = sorted(folder for folder in path.iterdir() if (folder / RECORDS_FILE).is_file())
    if not inner:
        raise RunError(f"{path}: no run folder; one has {CONFIG_FILE} and {RECORDS_FILE}")
    return [run for folder in inner for run in _runs_at(folder)]


def read_config(folder: Path) -> dict[str, Any]:
    """What a run folder's `run.json` says, empty where there is none.

    Raises:
        RunError: If the file cannot be read.
    """
    file = folder / CONFIG_FILE
    try:
        config = json.loads(file.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as problem:
        raise RunError(f"{file}: cannot be read ({problem})") from None
    if not isinstance(config, dict):
        raise RunError(f"{file}: not a run's settings")
    return config


def _read_key(line: bytes) -> RecordKey | None:
    """The key of a record's line, None where the line is no record."""
    try:
        return msgspec.json.decode(line, type=RecordKey)
    except (msgspec.MsgspecError, UnicodeError):
        pass
    try:
        return msgspec.convert(json.loads(line), RecordKey)  # lone surrogates, which the fast reader refuses
    except (ValueError, RecursionError, msgspec.MsgspecError):
        return None
