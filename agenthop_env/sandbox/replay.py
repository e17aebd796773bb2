"""Playing a record again: the same item and the same messages give the same record, byte for byte."""

from __future__ import annotations

import os
from typing import Any

import msgspec

from agenthop_env.corpus.store import Corpus
from agenthop_env.records import EpisodeRecord, ToolCall
from agenthop_env.sandbox.episode import Episode
from agenthop_env.sandbox.prompts import PromptSet


def replay_episode(
    record: EpisodeRecord, corpus: Corpus, *, prompts: PromptSet | str | os.PathLike[str] | None = None
) -> Episode:
    """The episode that a record tells of, played again to where the record ends.

    Args:
        record: What was played.
        corpus: Where its item is.
        prompts: The texts that were used, where they were not the built-in ones; they change what agents see,
            never what is scored.

    Raises:
        KeyError: If the corpus has no such item.
        ValueError: If the items' options or the order of the options cannot be the record's.
    """
    episode = Episode(
        corpus,
        record.item_id,
        limits=record.limits,
        token_accounting=record.token_accounting,
        disabled_tools=record.disabled_tools,
        prompts=prompts,
        strategy=record.strategy,
        tool_mode=record.tool_mode,
        tool_format=record.tool_format,
        search=record.search,
        shuffle_options=record.option_order != (0, 1, 2, 3),
        seed=record.seed,
        stop_on_evidence=record.stop_on_evidence,
        agent=record.agent,
        agent_settings=dict(record.agent_settings),
    )
    for number, turn in enumerate(record.turns):
        if episode.ending is not None:
            break
        if number == record.prefix_turns:
            episode.mark_prefix()
        calls = None
        if turn.native:
            calls = [ToolCall(call.name, call.arguments) for call in turn.calls] + list(turn.dropped)
        episode.turn(
            turn.text,
            calls,
            turn.usage,
            reasoning=turn.reasoning,
            finish_reason=turn.finish_reason,
            seconds=turn.seconds,
            raw=turn.raw,
        )
    if record.prefix_turns and record.prefix_turns == len(record.turns):
        episode.mark_prefix()
    if record.ending == "error":
        episode.abort(record.error or "")
    return episode


def replay(
    record: EpisodeRecord, corpus: Corpus, *, prompts: PromptSet | str | os.PathLike[str] | None = None
) -> EpisodeRecord:
    """A record played again.

    `record.differences(replay(record, corpus))` lists what differs; it is empty where data and rules are the same.
    What only the evaluator knows (retries, failed attempts, the counter's name, the prompts' hash where `prompts`
    is not given) is carried over.

    Args:
        record: What was played.
        corpus: Where its item is.
        prompts: The texts that were used; given, their hash is compared too.

    Raises:
        KeyError: If the corpus has no such item.
    """
    carried: dict[str, Any] = {
        "schema_version": record.schema_version,
        "retries": record.retries,
        "attempts": record.attempts,
        "token_counter": record.token_counter,
    }
    if prompts is None:
        carried["prompts_hash"] = record.prompts_hash
    return msgspec.structs.replace(replay_episode(record, corpus, prompts=prompts).record(), **carried)
