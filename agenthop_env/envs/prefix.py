"""Prefixes: turns that are replayed before a policy's first (`AgentHopCommit-v0`).

A prefix goes through `Episode.turn` like any other turn, so the ledger is charged and the evidence delivered by the one
implementation of the rules. It is marked as a prefix afterwards, which leaves it out of action counts and of any loss.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from agenthop_env.corpus.store import Corpus
from agenthop_env.envs.gold_path import gold_path
from agenthop_env.records import EpisodeRecord, Item, ToolCall, Usage
from agenthop_env.sandbox.episode import Episode

GOLD: Final = "gold"
"""The default: the shortest way to all direct evidence, so that what is left is to commit."""

RECORDS_FILE: Final = "episodes.jsonl"
_ENDED_BY_ITS_TURN: Final = ("answer", "budget", "token_limit", "max_turns")


class PrefixTurn(NamedTuple):
    """One replayed assistant message.

    Attributes:
        text: The message.
        calls: Structured calls, as a server returned them; None to parse them from `text`.
        usage: Tokens of the request; None to count the conversation as it stands.
    """

    text: str
    calls: tuple[ToolCall, ...] | None = None
    usage: Usage | None = None


PrefixLike = (
    str
    | os.PathLike[str]
    | Mapping[str, Sequence[Any]]
    | EpisodeRecord
    | Sequence[EpisodeRecord]
    | Callable[[Item], Iterable[Any]]
)
"""`"gold"`, a run folder or its `episodes.jsonl`, item id -> messages, records, or a function from item to messages."""


class Prefix:
    """Where an environment's prefixes come from.

    A message is a string, a `PrefixTurn`, or a chat message in OpenAI's shape, of which only those of the assistant
    count: what tools and users answered is played again. A record gives its turns without the one that ended it.

    Args:
        source: See `PrefixLike`.
        corpus: The corpus that is played on; records of another one are refused.

    Attributes:
        ids: Items that have a prefix; None where every item has one.

    Raises:
        ValueError: If there are no records, or they are of another data set.
        TypeError: If the source is of none of the kinds.
    """

    def __init__(self, source: PrefixLike, corpus: Corpus) -> None:
        self.ids: tuple[str, ...] | None = None
        self._function: Callable[[Item], Iterable[Any]] | None = None
        self._listed: dict[str, tuple[PrefixTurn, ...]] = {}
        if source == GOLD:
            return
        if isinstance(source, (str, os.PathLike)):
            self._listed = _from_records(read_records(source), corpus)
        elif isinstance(source, EpisodeRecord):
            self._listed = _from_records((source,), corpus)
        elif isinstance(source, Mapping):
            self._listed = {item_id: tuple(_turns(messages)) for item_id, messages in source.items()}
        elif isinstance(source, Sequence):
            self._listed = _from_records(tuple(source), corpus)
        elif callable(source):
            self._function = source
            return
        else:
            raise TypeError(
                "prefix must be 'gold', a run folder, a mapping from item ids to messages, records, or a function of "
                f"an item, not {type(source).__name__}"
            )
        self.ids = tuple(item_id for item_id in self._listed if item_id in corpus)
        if not self.ids:
            raise ValueError(f"prefix: none of its {len(self._listed)} items is in {corpus.name}")

    def play(self, episode: Episode) -> None:
        """Replay the prefix of an episode's item and mark it as such.

        Raises:
            ValueError: If the prefix ends the episode, or the item has none.
        """
        for text, calls, usage in self._of(episode):
            if episode.ending is None:
                episode.turn(text, calls, usage)
        if episode.ending is not None:
            raise ValueError(
                f"the prefix of {episode.item_id} ends the episode ({episode.ending}), so nothing is left to play; "
                "shorten it or raise the limits"
            )
        episode.mark_prefix()

    def _of(self, episode: Episode) -> Iterable[PrefixTurn]:
        if self._function is not None:
            return _turns(self._function(episode.item))
        if self.ids is None:
            return [PrefixTurn(text, calls) for text, calls in gold_path(episode)]
        if episode.item_id not in self._listed:
            raise ValueError(f"item {episode.item_id} has no prefix; {len(self.ids)} items have one")
        return self._listed[episode.item_id]


def read_records(path: str | os.PathLike[str]) -> tuple[EpisodeRecord, ...]:
    """The records of a run.

    Args:
        path: A run folder, or a file with one record a line. A torn last line is passed over.

    Raises:
        ValueError: If there is no such file, or a line of it is no record; the message names the line.
    """
    file = Path(path)
    if file.is_dir():
        file = file / RECORDS_FILE
    if not file.is_file():
        raise ValueError(
            f"prefix: there is no run at {os.fspath(path)!r}; name a run folder, its file, or 'gold'"
        )
    lines = file.read_bytes().split(b"\n")
    lines.pop()  # what follows the last line break: nothing, or a torn line
    records = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(EpisodeRecord.from_json(line))
        except ValueError as problem:
            raise ValueError(f"{file}, line {number}: {problem}") from None
    return tuple(records)


def _from_records(records: Sequence[Any], corpus: Corpus) -> dict[str, tuple[PrefixTurn, ...]]:
    """Item -> its prefix; of several records of an item the first counts."""
    found: dict[str, tuple[PrefixTurn, ...]] = {}
    for record in records:
        if not isinstance(record, EpisodeRecord):
            raise TypeError(f"prefix: records are expected, not {type(record).__name__}")
        if record.fingerprint != corpus.fingerprint:
            raise ValueError(
                f"prefix: the record of {record.item_id} is of {record.dataset} ({record.fingerprint}), not of "
                f"{corpus.name} ({corpus.fingerprint})"
            )
        turns = record.turns[:-1] if record.ending in _ENDED_BY_ITS_TURN else record.turns
        found.setdefault(
            record.item_id,
            tuple(
                PrefixTurn(
                    turn.text,
                    (*(ToolCall(call.name, call.arguments) for call in turn.calls), *turn.dropped)
                    if turn.native
                    else None,
                    turn.usage,
                )
                for turn in turns
            ),
        )
    return found


def _turns(messages: Iterable[Any]) -> Iterable[PrefixTurn]:
    for message in messages:
        if isinstance(message, PrefixTurn):
            yield message
        elif isinstance(message, str):
            yield PrefixTurn(message)
        elif isinstance(message, Mapping):
            if message.get("role") == "assistant":
                yield PrefixTurn(message.get("content") or "", _structured(message.get("tool_calls")))
        else:
            raise TypeError(
                f"a prefix holds strings, PrefixTurns and chat messages, not {type(message).__name__}"
            )


def _structured(tool_calls: Any) -> tuple[ToolCall, ...] | None:
    """The calls of a chat message; their arguments may be JSON as text, which `Episode` reads."""
    if not tool_calls:
        return None
    functions = [call["function"] for call in tool_calls]
    return tuple(ToolCall(function["name"], function["arguments"]) for function in functions)
