"""`agenthop demos`: write expert demonstrations for supervised training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agenthop_env.cli.terminal import (
    FAILED,
    INTERRUPTED,
    MISUSED,
    err,
    fail,
    listed,
    open_data,
    out,
    plain_errors,
)

if TYPE_CHECKING:
    from rich.console import Console

    from agenthop_env.demonstrations import HabitFigures, Written

PROTOCOL = "Protocol"


def command(
    output: Annotated[
        Path,
        typer.Option("--out", "--output", help="Folder; one that holds a part of the same is gone on with."),
    ],
    data: Annotated[
        str | None,
        typer.Option(help='Folder, store, world or data set, such as "world:tiny?split=train&items=5000".'),
    ] = None,
    count: Annotated[int, typer.Option(help="Demonstrations.")] = 1000,
    habits: Annotated[
        str | None,
        typer.Option(
            help="Mixture, NAME=WEIGHT,...: verify, parallel, early, recover, search_first, citations_first, hasty, "
            "wanderer, guesser. All of them by default."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the stream.")] = 0,
    only_correct: Annotated[
        bool, typer.Option("--only-correct", help="Keep only episodes with the right answer.")
    ] = False,
    max_points: Annotated[
        int | None, typer.Option(help="Keep only episodes that spent at most so many points.")
    ] = None,
    thoughts: Annotated[str, typer.Option(help="What stands before calls: prose, brief or none.")] = "prose",
    format: Annotated[str, typer.Option(help="jsonl, or jsonl,parquet.")] = "jsonl",
    workers: Annotated[int, typer.Option(help="Processes.")] = 1,
    allow_test: Annotated[
        bool,
        typer.Option("--allow-test", help="Play test items too. Benchmark items must stay out of training."),
    ] = False,
    tool_mode: Annotated[str, typer.Option(help="text or native.", rich_help_panel=PROTOCOL)] = "text",
    tool_format: Annotated[
        str, typer.Option(help="Format of calls in text.", rich_help_panel=PROTOCOL)
    ] = "hermes",
    strategy: Annotated[str, typer.Option(help="full, react or plan.", rich_help_panel=PROTOCOL)] = "full",
    prompts: Annotated[Path | None, typer.Option(help="Folder of prompts.", rich_help_panel=PROTOCOL)] = None,
    shuffle_options: Annotated[
        bool,
        typer.Option("--shuffle-options", help="Show options in a seeded order.", rich_help_panel=PROTOCOL),
    ] = False,
) -> None:
    """Write expert demonstrations in chat format, and print a table of them by habit.

    The folder is a run folder as well: `agenthop verify` replays every episode, `agenthop show` shows one. Exit code 0
    where as many demonstrations as asked for were written.
    """
    with plain_errors():
        from agenthop_env.corpus.splits import SplitError
        from agenthop_env.demonstrations import write
        from agenthop_env.evaluation import Protocol

        protocol = Protocol(
            tool_mode=tool_mode,
            tool_format=tool_format,
            strategy=strategy,
            prompts=None if prompts is None else str(prompts),
            shuffle_options=shuffle_options,
        )
        corpus = open_data("world:tiny?split=train" if data is None else data)
        if allow_test:
            err().print(
                "warning: --allow-test: items of the test split may be among these demonstrations; a model trained on "
                "them cannot be evaluated on that data"
            )
        try:
            with _bar(count) as on_progress:
                result = write(
                    corpus,
                    output,
                    count,
                    habits,
                    seed,
                    only_correct=only_correct,
                    max_points=max_points,
                    thoughts=thoughts,
                    protocol=protocol,
                    allow_test=allow_test,
                    formats=listed(format) or ("jsonl",),
                    workers=workers,
                    on_progress=on_progress,
                )
        except SplitError:
            fail(
                f"--data: {corpus.name} holds items of the test split, which are kept out of training; choose another "
                f"split (?split=train), or pass --allow-test if you mean to train on them",
                MISUSED,
            )
        except KeyboardInterrupt:
            fail(f"interrupted; the same command goes on in {output}", INTERRUPTED)
        _print(out(), result)
        if not result.manifest.complete:
            figures = result.manifest.figures
            fail(
                f"{figures.kept} of {count} demonstrations passed --only-correct and --max-points in {figures.played} "
                "episodes; loosen them, or choose habits that succeed more often",
                FAILED,
            )


def _print(console: Console, result: Written) -> None:
    """The table by habit, and where things are."""
    from rich import box
    from rich.table import Table

    manifest = result.manifest
    console.print(f"demonstrations on {manifest.dataset} (fingerprint {manifest.fingerprint})")
    if result.resumed:
        console.print(f"{result.resumed} were there before")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("habit")
    for name in ("played", "kept", "accuracy", "paper recall", "section recall", "points", "turns"):
        table.add_column(name, justify="right")
    for name, figures in manifest.habits.items():
        table.add_row(name, *_cells(figures))
    table.add_section()
    table.add_row("all", *_cells(manifest.figures))
    console.print(table)
    played = manifest.figures
    if played.played > played.kept:
        console.print(f"right answers among all {played.played} played: {played.accuracy_played:.3f}")
    for name in manifest.files:
        console.print(f"{result.folder / name}")


def _cells(figures: HabitFigures) -> list[str]:
    shares = (figures.accuracy, figures.paper_recall, figures.section_recall)
    return [
        str(figures.played),
        str(figures.kept),
        *(f"{share:.3f}" if figures.kept else "-" for share in shares),
        *(f"{mean:.1f}" if figures.kept else "-" for mean in (figures.points, figures.turns)),
    ]


@contextmanager
def _bar(count: int) -> Iterator[Callable[[int, int], None]]:
    """Demonstrations kept so far, time left; quiet where stderr is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = err()
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )
    task = bar.add_task("", total=count)
    with bar:
        yield lambda kept, played: bar.update(task, completed=kept, description=f"{played} played")
