"""A run folder: written so that a kill at any moment loses the episodes in flight and nothing else.

`episodes.jsonl` and `attempts.jsonl` only grow, a line at a time, each in one unbuffered write; the other files are
replaced as a whole. A lock keeps a second run out.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from filelock import FileLock, Timeout

from agenthop_env.diagnostics.runs import CONFIG_FILE, RECORDS_FILE, RecordFile, RunError
from agenthop_env.diagnostics.summary import Summary
from agenthop_env.evaluation.settings import CONFIG_VERSION, RunConfig
from agenthop_env.records import Attempt, EpisodeRecord, decode, encode

ATTEMPTS_FILE: Final = "attempts.jsonl"
SUMMARY_FILE: Final = "summary.json"
LOCK_FILE: Final = "run.lock"

_SYNC_SECONDS: Final = 1.0
"""How often finished episodes are forced to the disk: a power cut loses this much, a kill loses none of it."""


_NOT_EXTENDED: Final = (
    "a run's items are settled when it starts; play others into a folder of their own (eval --ids FILE names them) and "
    "read both with agenthop_env.diagnostics.load_runs"
)


class FailedTry(msgspec.Struct, frozen=True):
    """A line of `attempts.jsonl`: a try of an item that failed.

    Attributes:
        item_id: The item.
        attempt: What failed and what it had cost.
        traceback: Where, for whoever looks for the cause.
    """

    item_id: str
    attempt: Attempt
    traceback: str = ""


class LineFile:
    """A file that only grows, a line at a time.

    Args:
        path: The file; a last line without its end is cut off when it is opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cut = _cut_torn_line(path)
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        self._synced = time.monotonic()

    def append(self, line: bytes) -> None:
        """Add a line; it is the operating system's once this returns."""
        rest = memoryview(line + b"\n")
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError as problem:
            raise RunError(
                f"{self.path}: cannot be written ({problem.strerror}); make room, then give the same command to go on"
            ) from problem
        if time.monotonic() - self._synced > _SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        """Force what was added to the disk."""
        os.fsync(self._descriptor)
        self._synced = time.monotonic()

    def close(self) -> None:
        """Force what was added to the disk, and close."""
        self.sync()
        os.close(self._descriptor)


class RunFolder:
    """One run on disk; make it with `open_run`.

    Args:
        path: The folder.
        config: Its settings.
        items: Ids that the run plays, where they are known.

    Raises:
        RunError: If a record in it is not of this run.
    """

    def __init__(self, path: Path, config: RunConfig, items: Collection[str] | None = None) -> None:
        self.path = path
        self.config = config
        self.records = RecordFile(path / RECORDS_FILE)
        self.done: set[str] = set()
        self.failed: dict[str, EpisodeRecord] = {}
        self._episodes = LineFile(path / RECORDS_FILE)
        self._attempts = LineFile(path / ATTEMPTS_FILE)
        for record in self.records:
            self._check_own(record, items)
            if record.ending == "error":
                self.failed[record.item_id] = record
            else:
                self.done.add(record.item_id)

    def _check_own(self, record: EpisodeRecord, items: Collection[str] | None) -> None:
        config = self.config
        wrong = ""
        if record.fingerprint != config.fingerprint:
            wrong = f"of data with fingerprint {record.fingerprint}, the run's is {config.fingerprint}"
        elif items is not None and record.item_id not in items:
            wrong = "which this run does not play"
        if wrong:
            raise RunError(
                f"{self.path / RECORDS_FILE}: holds a record of item {record.item_id}, {wrong}; remove the line, "
                "or name another folder"
            )

    @property
    def repaired(self) -> bool:
        """Whether a torn last line was cut off."""
        return bool(self._episodes.cut)

    def add(self, line: bytes) -> None:
        """Append a record."""
        self._episodes.append(line)

    def add_failed_try(self, failed: FailedTry) -> None:
        """Append a failed try."""
        self._attempts.append(encode(failed).encode())

    def write_config(self, config: RunConfig) -> None:
        """Replace `run.json`."""
        self.config = config
        write_json(self.path / CONFIG_FILE, config)

    def write_summary(self, summary: Summary) -> None:
        """Replace `summary.json`."""
        write_json(self.path / SUMMARY_FILE, summary)

    def drop_summary(self) -> None:
        """Remove `summary.json`, which episodes to come would make untrue."""
        (self.path / SUMMARY_FILE).unlink(missing_ok=True)

    def close(self) -> None:
        """Force everything to the disk."""
        self._episodes.close()
        self._attempts.close()


@contextmanager
def open_run(path: Path, config: RunConfig, items: Collection[str] | None = None) -> Iterator[RunFolder]:
    """Open a folder for a run, new or to be resumed, and keep others out of it.

    Args:
        path: The folder; made where it is not there.
        config: The settings; those of a folder that is there must be the same.
        items: Ids that the run plays; records of others are refused.

    Raises:
        RunError: If another process is at work in it, if it holds a run with other settings, or something else.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise RunError(f"{path}: cannot be made ({problem.strerror})") from None
    lock = FileLock(path / LOCK_FILE, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise RunError(
            f"{path}: another run is at work in this folder; wait for it or name another folder"
        ) from None
    except OSError as problem:
        raise RunError(f"{path}: cannot be written ({problem.strerror})") from None
    try:
        run = RunFolder(path, _settle(path, config), items)
        try:
            yield run
        finally:
            run.close()
    finally:
        lock.release()


def read_run_config(path: Path) -> RunConfig:
    """A run's settings.

    Raises:
        RunError: If the folder holds no run, or one of another layout.
    """
    file = path / CONFIG_FILE
    try:
        config = decode(file.read_bytes(), RunConfig)
    except FileNotFoundError:
        raise RunError(f"{path}: no run folder; one has {CONFIG_FILE} and {RECORDS_FILE}") from None
    except (OSError, ValueError) as problem:
        raise RunError(f"{file}: {problem}") from None
    if config.schema_version != CONFIG_VERSION:
        raise RunError(f"{file}: layout {config.schema_version}; this package reads {CONFIG_VERSION}")
    return config


def write_json(path: Path, value: msgspec.Struct) -> None:
    """Write a struct to a file of its own, all of it or nothing."""
    part = path.with_name(f"{path.name}.part")
    plain = msgspec.to_builtins(value)
    try:
        text = json.dumps(plain, indent=2, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # a lone surrogate, which is legal in JSON as an escape only
        text = json.dumps(plain, indent=2).encode()
    try:
        with open(part, "wb") as stream:
            stream.write(text + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(part, path)
    except OSError as problem:
        part.unlink(missing_ok=True)
        raise RunError(
            f"{path}: cannot be written ({problem.strerror}); make room, then give the same command to go on"
        ) from problem


def _settle(path: Path, config: RunConfig) -> RunConfig:
    """The settings to go on with: those of the run that is there, if they are the same."""
    if not (path / CONFIG_FILE).is_file():
        if (path / RECORDS_FILE).exists() and (path / RECORDS_FILE).stat().st_size:
            raise RunError(f"{path}: holds episodes but no {CONFIG_FILE}; name another folder")
        write_json(path / CONFIG_FILE, config)
        return config
    earlier = read_run_config(path)
    differences = earlier.differences(config)
    if differences:
        listed = "\n".join(f"  {difference}" for difference in differences)
        if earlier.items_digest != config.items_digest and earlier.fingerprint == config.fingerprint:
            listed += f"\n{_NOT_EXTENDED}"
        raise RunError(
            f"{path}: holds a run with other settings; name another folder or give the same\n{listed}"
        )
    return msgspec.structs.replace(config, sessions=earlier.sessions, filters=earlier.filters)


def _cut_torn_line(path: Path) -> int:
    """Cut off a last line that has no end; how many bytes that were."""
    try:
        stream = open(path, "r+b")  # noqa: SIM115 - closed below
    except FileNotFoundError:
        return 0
    with stream:
        size = stream.seek(0, os.SEEK_END)
        end = size
        while end > 0:
            start = max(0, end - (1 << 16))
            stream.seek(start)
            place = stream.read(end - start).rfind(b"\n")
            if place >= 0:
                end = start + place + 1
                break
            end = start
        if end < size:
            stream.truncate(end)
            os.fsync(stream.fileno())
        return size - end
