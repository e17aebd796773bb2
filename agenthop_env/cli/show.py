"""`agenthop show`: a recorded trajectory, readable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthop_env.cli.terminal import MISUSED, count, fail, open_run_data, out, plain_errors

if TYPE_CHECKING:
    from rich.console import Console

    from agenthop_env.diagnostics.runs import RecordFile
    from agenthop_env.records import EpisodeRecord
    from agenthop_env.sandbox.episode import Episode

_SHOWN_CHARS = 1500
_TYPES = {"single-target": "ST", "multi-target": "MT"}


def command(
    run: Annotated[Path, typer.Argument(help="Run folder.")],
    item: Annotated[str | None, typer.Argument(help="Item; without one the run's items are listed.")] = None,
    data: Annotated[
        str | None, typer.Option(help="The data set, where it is not where the run found it.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Show long texts whole.")] = False,
) -> None:
    """Show what happened in one episode of a run, or list its episodes."""
    with plain_errors():
        from agenthop_env.diagnostics import runs
        from agenthop_env.evaluation.folder import read_run_config
        from agenthop_env.sandbox.replay import replay_episode

        config = read_run_config(run)
        records = runs.RecordFile(run / runs.RECORDS_FILE)
        console = out()
        if item is None:
            _print_list(console, records)
            return
        record = next((record for record in records if record.item_id == item), None)
        if record is None:
            fail(f"{run} has no record of {item!r}; `agenthop show {run}` lists its items", MISUSED)
        corpus = open_run_data(config, data)
        if item not in corpus:
            fail(f"{corpus.name} ({corpus.source}) has no item {item!r}; name the run's data set with --data")
        episode = replay_episode(record, corpus, prompts=config.protocol.prompts)
        _print_episode(console, record, episode, None if full else _SHOWN_CHARS)


def _print_list(console: Console, records: RecordFile) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("item", "type", "depth", "ending", "answer", "right", "paper", "section"):
        table.add_column(name, no_wrap=True)
    for name in ("turns", "points", "tokens"):
        table.add_column(name, justify="right", no_wrap=True)
    for record in records:
        totals = record.totals
        table.add_row(
            record.item_id,
            _TYPES.get(record.cuts.question_type, record.cuts.question_type),
            str(record.cuts.depth),
            record.ending or "",
            record.letter or "-",
            *("yes" if yes else "no" for yes in (record.correct, record.paper_recall, record.section_recall)),
            str(totals.turns),
            str(totals.points),
            f"{totals.tokens:,}",
        )
    console.print(table)
    console.print("paper, section: paper recall and section recall")


def _print_episode(console: Console, record: EpisodeRecord, episode: Episode, limit: int | None) -> None:
    console.print(
        f"{record.item_id} of {record.dataset} ({record.fingerprint}), {record.split}, agent {record.agent}\n"
    )
    console.print(_cut(episode.opening, None))
    for number, turn in enumerate(record.turns, 1):
        console.rule(f"turn {number}" + (" (replayed prefix)" if number <= record.prefix_turns else ""))
        if turn.reasoning:
            console.print(f"(reasoning) {_cut(turn.reasoning, limit)}\n")
        if turn.text:
            console.print(_cut(turn.text, limit))
        if turn.native:
            for call in turn.calls:
                console.print(f"-> {call.name} {json.dumps(call.arguments, ensure_ascii=False)}")
        for text in _answers(episode, number):
            console.print(f"\n{_cut(text, limit)}")
    console.rule("outcome")
    print_outcome(console, record)


def print_outcome(console: Console, record: EpisodeRecord) -> None:
    """How an episode ended, and the gold path."""
    from agenthop_env.text.letters import letter

    right = letter(record.option_order.index(record.correct_index))
    verdict = "correct" if record.correct else "wrong"
    console.print(
        f"ending: {record.ending or 'unfinished'}; answer: {record.letter or 'none'} ({verdict}); right: {right}"
    )
    if record.error:
        console.print(f"error: {record.error}")
    totals = record.totals
    console.print(
        "used: "
        + ", ".join(
            count(getattr(totals, what), what.removesuffix("s"))
            for what in ("points", "turns", "tokens", "calls")
        )
    )
    recall = [
        f"{name}: {'yes' if met else 'no'}"
        for name, met in (("paper recall", record.paper_recall), ("section recall", record.section_recall))
    ]
    console.print("; ".join(recall))
    path = " -> ".join(
        filter(
            None, (record.seed_paper_id, ", ".join(record.bridge_paper_ids), ", ".join(record.gold_paper_ids))
        )
    )
    console.print(f"gold path: {path}")


def _answers(episode: Episode, number: int) -> list[str]:
    """The messages that answered a turn."""
    turn = 0
    found = []
    for message in episode.messages[2:]:
        if message["role"] == "assistant":
            turn += 1
        elif turn == number:
            found.append(str(message["content"]))
    return found


def _cut(text: str, limit: int | None) -> str:
    if limit is None or len(text) <= limit:
        return text
    return (
        f"{text[: limit - 300]}\n[... {len(text) - limit:,} characters; --full shows them ...]\n{text[-300:]}"
    )
