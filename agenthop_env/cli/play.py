"""`agenthop play`: a person plays one item in the terminal, by the same rules as any agent."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthop_env.cli.terminal import as_file_name, fail, open_data, out, plain_errors, timestamp

if TYPE_CHECKING:
    from rich.console import Console

    from agenthop_env.evaluation import Protocol
    from agenthop_env.sandbox.episode import Episode, Turn

_SEEDS = 1_000_000
"""Seeds that are drawn from where none is given: short enough to type again."""

Note = Callable[[str], None]
"""Told the text of every result."""


def command(
    data: Annotated[
        str | None, typer.Option(help="Folder, store, world or data set; the embedded default if not given.")
    ] = None,
    item: Annotated[str | None, typer.Option(help="Item; one by --seed if not given.")] = None,
    output: Annotated[
        Path | None, typer.Option(help="Folder for the record; by default a new one in runs/.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Chooses the item where --item does not, and the order of options; any if not given."
        ),
    ] = None,
    shuffle_options: Annotated[
        bool, typer.Option("--shuffle-options", help="Show options in a seeded order.")
    ] = False,
) -> None:
    """Play one item yourself: same tools, same prices, same limits.

    Works with commands from a pipe too.
    """
    with plain_errors():
        from agenthop_env.agents.draws import Draws
        from agenthop_env.cli.show import print_outcome
        from agenthop_env.evaluation import Protocol, select

        if output is not None and output.exists() and any(output.iterdir()):
            fail(f"{output} holds something already; name another folder")
        corpus = open_data(data)
        seed = random.randrange(_SEEDS) if seed is None else seed
        item_id = Draws("play", seed).pick(corpus.ids) if item is None else select(corpus, ids=[item])[0]
        protocol = Protocol(tool_mode="native", shuffle_options=shuffle_options, seed=seed)
        episode = protocol.episode(corpus, item_id, "human", {})
        console = out()
        console.print(f"item {item_id} of {corpus.name}, seed {seed}\n")
        started = time.time()
        if not _play(console, episode):
            console.print("left without an answer; nothing is saved")
            return
        record = episode.record()
        console.rule("outcome")
        print_outcome(console, record)
        folder = output or Path(
            "runs", f"human-{as_file_name(corpus.name)}-{as_file_name(item_id)}-{timestamp()}"
        )
        _save(folder, episode, protocol, time.time() - started)
        console.print(f"saved in {folder}; `agenthop show {folder} {item_id}` shows it again")


def _play(console: Console, episode: Episode) -> bool:
    """Play until the episode is over; False where the player leaves."""
    from agenthop_env.cli.short_commands import HELP, Shorthand, may_be_call_text

    shorthand = Shorthand(episode.item.seed_paper_id)
    console.print(episode.opening)
    console.rule()
    console.print(HELP)
    while episode.ending is None:
        line = _ask()
        if line is None or line.strip().lower() in ("quit", "exit", "q"):
            return False
        word = line.strip().lower()
        if word in ("help", "?"):
            console.print(HELP)
        elif word == "again":
            console.print(_question(episode))
        elif may_be_call_text(line):
            _play_text(console, episode, line, shorthand.note)
        elif word:
            typed = shorthand.calls(line)
            if typed.calls:
                _show(console, episode.turn("", typed.calls), shorthand.note)
            else:
                console.print(typed.reply)
    return True


def _play_text(console: Console, episode: Episode, line: str, note: Note) -> None:
    """Play a call written as text, which may run over several lines up to an empty one."""
    from agenthop_env.actions import parse_actions
    from agenthop_env.cli.short_commands import complete

    text = line
    while not complete(text):
        more = _ask("... ")
        if more is None or not more.strip():
            break
        text += "\n" + more
    calls = parse_actions(text)
    if calls:
        _show(console, episode.turn("", calls), note)
    else:
        console.print("no tool call in that; help shows what there is")


def _show(console: Console, turn: Turn, note: Note) -> None:
    for result in turn.results:
        note(result.text)
    console.print(turn.observation)


def _question(episode: Episode) -> str:
    options = "\n".join(f"{letter}) {option}" for letter, option in zip("ABCD", episode.options, strict=True))
    return f"Seed paper: {episode.item.seed_paper_id}\n\nQuestion: {episode.item.question}\n\n{options}"


def _ask(prompt: str = "> ") -> str | None:
    """The next line that is typed, None at the end of input."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 - gives `input` a history
    try:
        return input(prompt)
    except EOFError:
        print()
        return None


def _save(folder: Path, episode: Episode, protocol: Protocol, seconds: float) -> None:
    from datetime import UTC, datetime

    from agenthop_env.diagnostics import summarize
    from agenthop_env.evaluation.folder import open_run
    from agenthop_env.evaluation.selection import digest
    from agenthop_env.evaluation.settings import RunConfig, Session, versions
    from agenthop_env.records import encode

    corpus, record = episode.corpus, episode.record()
    config = RunConfig(
        agent="human",
        dataset=corpus.name,
        fingerprint=corpus.fingerprint,
        source=corpus.source,
        items=1,
        items_digest=digest([record.item_id]),
        protocol=protocol,
        prompts_hash=record.prompts_hash,
        versions=versions(),
        sessions=(Session(datetime.now(UTC).isoformat(timespec="seconds"), round(seconds, 3), 1),),
    )
    with open_run(folder, config) as run:
        run.add(encode(record).encode())
        run.write_summary(summarize([record]))
