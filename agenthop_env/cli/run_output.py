"""What `agenthop eval` shows: the bar while it plays, the table of each run, the spread over repeats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from agenthop_env.cli.tables import print_summary
from agenthop_env.cli.terminal import FAILED, INTERRUPTED, count, err, fail

if TYPE_CHECKING:
    from rich.console import Console

    from agenthop_env.corpus.store import Corpus
    from agenthop_env.evaluation import Evaluation, Progress
    from agenthop_env.evaluation.progress import OnProgress


def tell_run(console: Console, result: Evaluation, corpus: Corpus) -> None:
    """Print what came of a run."""
    if result.progress.repaired:
        console.print("a torn last line of episodes.jsonl was cut off; its item was played again")
    if result.progress.resumed:
        was = "was" if result.progress.resumed == 1 else "were"
        console.print(f"{count(result.progress.resumed, 'item')} {was} done before")
    for line in defects(corpus):
        console.print(line)
    print_summary(console, result.summary, f"agent {result.config.agent}", result.config.items)
    sessions = result.config.sessions
    cut = sum(session.cut for session in sessions)
    console.print(
        f"wall time: {result.config.seconds:.1f} s"
        + (f" over {len(sessions)} sessions" * (len(sessions) > 1))
        + (f", {cut} of them cut off" * (cut > 0))
    )
    console.print(f"run folder: {result.folder}")


def tell_spread(console: Console, results: Sequence[Evaluation]) -> None:
    """Print how far whole runs lie apart."""
    from statistics import mean, stdev

    found = [result.summary.accuracy for result in results]
    line = f"accuracy over {count(len(found), 'run')}: mean {mean(found):.3f}"
    if len(found) > 1:
        line += f", standard deviation {stdev(found):.3f}, {min(found):.3f} to {max(found):.3f}"
    console.print(line)


def fail_incomplete(result: Evaluation) -> NoReturn:
    """Say why a run is not complete and how it goes on, and exit."""
    goes_on = f"the same command with --output {result.folder} goes on"
    if result.progress.halted:
        fail(f"{result.progress.halted}; {goes_on}", FAILED)
    fail(f"interrupted; {goes_on}", INTERRUPTED)


def defects(corpus: Corpus) -> list[str]:
    """One line on what the compiler found amiss in a release, none where nothing is or it is no release."""
    meta = getattr(corpus, "meta", None)
    if meta is None or not meta.refused:
        return []
    return [f"{count(len(meta.refused), 'item')} refused: `agenthop data validate {corpus.source}` lists why"]


@contextmanager
def run_bar() -> Iterator[OnProgress]:
    """Items done, accuracy and endings so far, time left; quiet where stderr is no terminal."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    console = err()
    bar = Bar(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )
    task = bar.add_task("", start=False)

    def show(progress: Progress) -> None:
        if not progress.done:
            bar.update(task, total=progress.planned)
            bar.start_task(task)
        endings = " ".join(f"{name} {count}" for name, count in sorted(progress.endings.items()))
        state = "stopping, episodes in flight end  " if progress.stopping or progress.halted else ""
        spent = f"  {progress.tokens:,} tokens"
        if progress.cost is not None:
            spent += f"  ${progress.cost:,.2f}"
        bar.update(
            task,
            completed=progress.resumed + progress.done,
            description=f"{state}accuracy {progress.accuracy:.3f}  {endings}{spent}",
        )

    with bar:
        yield show
