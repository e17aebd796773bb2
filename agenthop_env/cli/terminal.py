"""What all commands share: where text goes, how errors are told, how long work shows that it goes on."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from agenthop_env.corpus.store import Corpus
    from agenthop_env.evaluation import RunConfig

FAILED = 1
"""Exit code of a command that found something wrong, or could not read or write what it needs."""

MISUSED = 2
"""Exit code of a command that was called wrongly."""

INCOMPLETE = 3
"""Exit code of `verify` where all that is recorded is right and items are missing."""

INTERRUPTED = 130
"""Exit code of a command that was interrupted (Ctrl-C)."""

PIPED_WIDTH = 100
"""Columns of tables where output is no terminal."""


def out() -> Console:
    """Where results go. Text is printed as it is: brackets in it are no markup."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PIPED_WIDTH
    return Console(markup=False, highlight=False, soft_wrap=True, width=width)


def err() -> Console:
    """Where progress and errors go."""
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, soft_wrap=True)


def fail(message: str, code: int = FAILED) -> NoReturn:
    """Say what is wrong on stderr, and exit."""
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(code)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Tell what a user can mend in one line, without a traceback."""
    try:
        with _told_errors():
            yield
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def _told_errors() -> Iterator[None]:
    from agenthop_env.agents import AgentError
    from agenthop_env.corpus.problems import CorpusError
    from agenthop_env.diagnostics import RunError
    from agenthop_env.evaluation import SelectionError
    from agenthop_env.sandbox.prompts import PromptError

    try:
        yield
    except (AgentError, SelectionError, PromptError, ValueError) as problem:
        fail(str(problem), MISUSED)
    except (CorpusError, RunError) as problem:
        fail(str(problem))
    except ImportError as problem:  # an extra that is not installed; the message says which
        fail(str(problem))
    except OSError as problem:
        place = f"{problem.filename}: " if problem.filename else ""
        fail(f"{place}{problem.strerror or problem}")


def count(number: int, what: str) -> str:
    """`1 item`, `2 items`."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def open_run_data(config: RunConfig, data: str | None) -> Corpus:
    """Open the data set of a run: where it was, or where the user says that it is now."""
    from agenthop_env.corpus import CorpusError

    if data is not None:
        return open_data(data)
    try:
        return open_data(config.source)
    except CorpusError as problem:
        fail(f"{problem}; if the run's data has moved, say with --data where it is")


def open_data(source: str | None) -> Corpus:
    """Open a data set, with a bar while a release is compiled."""
    from agenthop_env.corpus import open_corpus

    with work_bar() as report:
        return open_corpus(source, progress=report)


@contextmanager
def work_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar for work counted in bytes; nothing where stderr is no terminal, or before there is work."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    console = err()
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )
    tasks: dict[str, int] = {}

    def report(what: str, done: int, total: int) -> None:
        if what not in tasks:
            bar.start()
            tasks[what] = bar.add_task(what, total=total)
        bar.update(tasks[what], completed=done)  # type: ignore[arg-type]

    try:
        yield report
    finally:
        bar.stop()


def as_file_name(text: str) -> str:
    """A text as part of a file name."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-.") or "data"


def timestamp() -> str:
    """Now, for names of folders."""
    from datetime import datetime

    return datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")


def listed(text: str | None) -> tuple[str, ...]:
    """The values of a comma-separated option."""
    return tuple(part.strip() for part in (text or "").split(",") if part.strip())
