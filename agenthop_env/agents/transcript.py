"""An agent that says again what was said: a recorded episode, or the assistant messages of any chat."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agenthop_env.agents.protocol import AgentError, ChatMessage, Message, ToolSchema
from agenthop_env.records import EpisodeRecord, Json, ToolCall
from agenthop_env.sandbox.episode import Episode


class TranscriptEndError(AgentError):
    """A transcript has no further message, and the episode goes on."""


class Transcript:
    """Plays recorded messages in order, usage and all.

    Args:
        source: A record, or chat messages in OpenAI's shape, of which the assistant's are played; a `content` that
            is no string counts as empty.
    """

    def __init__(self, source: EpisodeRecord | Iterable[Mapping[str, Any]]) -> None:
        said = _of_record(source) if isinstance(source, EpisodeRecord) else _of_chat(source)
        self._said: Iterator[Message] = iter(list(said))
        self._played = 0

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        """The next recorded message.

        Raises:
            TranscriptEndError: If there is none.
        """
        for message in self._said:
            self._played += 1
            return message
        raise TranscriptEndError(
            f"the transcript ends after {self._played} message{'s' * (self._played != 1)}, and the episode does not"
        )


class TranscriptFactory:
    """Plays the episodes of a run folder again, item by item.

    Args:
        run: Run folder, or a file with a record a line.
    """

    name = "transcript"

    def __init__(self, run: str | os.PathLike[str]) -> None:
        self.settings: dict[str, Json] = {"run": Path(run).name}
        self._run = os.fspath(run)
        self._records: dict[str, EpisodeRecord] | None = None

    def begin(self, episode: Episode) -> Transcript:
        """The transcript of the episode's item.

        Raises:
            AgentError: If the run has no record of it, or cannot be read.
        """
        if self._records is None:
            self._records = _records_of(Path(self._run))
        record = self._records.get(episode.item_id)
        if record is None:
            raise AgentError(f"{self._run} holds no record of {episode.item_id}")
        return Transcript(record)


def _records_of(path: Path) -> dict[str, EpisodeRecord]:
    """Records by item; of several of one item the last counts, as in a resumed run."""
    found = {}
    file = path / "episodes.jsonl" if path.is_dir() else path
    try:
        with open(file, "rb") as lines:
            for line in lines:
                record = EpisodeRecord.from_json(line)
                found[record.item_id] = record
    except OSError as problem:
        raise AgentError(f"{file}: cannot be read ({problem.strerror}); run= names a run folder") from None
    return found


def _of_record(record: EpisodeRecord) -> Iterator[Message]:
    for turn in record.turns:
        calls = None
        if turn.native:
            calls = (*(ToolCall(call.name, call.arguments) for call in turn.calls), *turn.dropped)
        yield Message(turn.text, calls, turn.usage, turn.reasoning, turn.finish_reason, turn.seconds)


def _of_chat(messages: Iterable[Mapping[str, Any]]) -> Iterator[Message]:
    for message in messages:
        if message.get("role") != "assistant":
            continue
        content = message.get("content")
        calls = None
        if message.get("tool_calls"):
            asked = [entry["function"] for entry in message["tool_calls"]]
            calls = tuple(ToolCall(call["name"], _arguments(call.get("arguments"))) for call in asked)
        yield Message(content if isinstance(content, str) else "", calls)


def _arguments(value: Any) -> Any:
    """Arguments as a value; servers hand them over as JSON text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
