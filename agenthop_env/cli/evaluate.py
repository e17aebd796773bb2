"""`agenthop eval`: play items with an agent, and print the table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agenthop_env.cli.terminal import (
    FAILED,
    INTERRUPTED,
    MISUSED,
    as_file_name,
    count,
    err,
    fail,
    listed,
    open_data,
    out,
    plain_errors,
    timestamp,
)

if TYPE_CHECKING:
    from agenthop_env.corpus.store import Corpus
    from agenthop_env.evaluation import Progress, Protocol
    from agenthop_env.evaluation.progress import OnProgress

SLICES = "Slices"
PROTOCOL = "Protocol"

_NO_SEARCH = "none"
"""As in the environments: `search_papers` is not offered."""


def command(
    agent: Annotated[
        str,
        typer.Option(
            help="random, closed-book, seed-only, explorer, oracle, transcript, or one's own: module:Factory or "
            "path/to/file.py:Factory."
        ),
    ] = "explorer",
    data: Annotated[
        str | None, typer.Option(help="Folder, store, world or data set; the embedded default if not given.")
    ] = None,
    items: Annotated[
        int | None, typer.Option(help="At most so many items; all by default, 24 on the embedded default.")
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes.")] = 1,
    output: Annotated[
        Path | None,
        typer.Option(help="Run folder; one that is there is resumed. By default a new one in runs/."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 0,
    agent_option: Annotated[list[str] | None, typer.Option(help="Setting of the agent, NAME=VALUE.")] = None,
    model: Annotated[str | None, typer.Option(help="Served models arrive in a later version.")] = None,
    base_url: Annotated[str | None, typer.Option(help="Served models arrive in a later version.")] = None,
    points: Annotated[
        int | None, typer.Option("--points", "--limit-points", rich_help_panel=PROTOCOL)
    ] = None,
    turns: Annotated[int | None, typer.Option("--turns", "--limit-turns", rich_help_panel=PROTOCOL)] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", "--limit-tokens", rich_help_panel=PROTOCOL)
    ] = None,
    token_accounting: Annotated[
        str, typer.Option(help="total or uncached.", rich_help_panel=PROTOCOL)
    ] = "total",
    disable_tools: Annotated[
        str | None, typer.Option(help="Tools to do without, separated by commas.", rich_help_panel=PROTOCOL)
    ] = None,
    closed_book: Annotated[
        bool, typer.Option("--closed-book", help="One turn, submit_answer only.", rich_help_panel=PROTOCOL)
    ] = False,
    strategy: Annotated[
        str | None, typer.Option(help="full, react, plan or closed_book.", rich_help_panel=PROTOCOL)
    ] = None,
    prompts: Annotated[Path | None, typer.Option(help="Folder of prompts.", rich_help_panel=PROTOCOL)] = None,
    tool_mode: Annotated[str, typer.Option(help="text or native.", rich_help_panel=PROTOCOL)] = "text",
    tool_format: Annotated[
        str, typer.Option(help="Format of calls in text.", rich_help_panel=PROTOCOL)
    ] = "auto",
    search: Annotated[str, typer.Option(help="overlap, bm25 or none.", rich_help_panel=PROTOCOL)] = "overlap",
    shuffle_options: Annotated[
        bool,
        typer.Option("--shuffle-options", help="Show options in a seeded order.", rich_help_panel=PROTOCOL),
    ] = False,
    type: Annotated[str | None, typer.Option(help="st or mt.", rich_help_panel=SLICES)] = None,
    depth: Annotated[str | None, typer.Option(help="1 or 2.", rich_help_panel=SLICES)] = None,
    reasoning: Annotated[
        str | None, typer.Option(help="GROUND, METHOD, MOTIVE, RESULT.", rich_help_panel=SLICES)
    ] = None,
    tier: Annotated[str | None, typer.Option(help="gold, silver, bronze.", rich_help_panel=SLICES)] = None,
    venue: Annotated[str | None, typer.Option(help="Venues.", rich_help_panel=SLICES)] = None,
    split: Annotated[
        str | None, typer.Option(help="train, validation, test.", rich_help_panel=SLICES)
    ] = None,
    ids: Annotated[
        Path | None, typer.Option(help="File with an item id a line.", rich_help_panel=SLICES)
    ] = None,
) -> None:
    """Play items with an agent, record them in a run folder, and print the table.

    A folder that is there is resumed: what is done is skipped, and errors are tried again. Exit code 0 where every
    item has a record and none is an error, 1 where some are errors, 130 after Ctrl-C.
    """
    if model is not None or base_url is not None:
        fail(
            "served models (--model, --base-url) are not in this version yet; it evaluates scripted agents (--agent NAME) "
            "and one's own (--agent path/to/file.py:Factory)",
            MISUSED,
        )
    with plain_errors():
        from agenthop_env.agents import make_agent
        from agenthop_env.cli.tables import print_summary
        from agenthop_env.evaluation import Filters, Protocol, evaluate
        from agenthop_env.evaluation.selection import EMBEDDED_ITEMS
        from agenthop_env.rules import Limits

        given = {"points": points, "turns": turns, "tokens": tokens}
        protocol = Protocol(
            limits=Limits(**{name: value for name, value in given.items() if value is not None}),
            token_accounting=token_accounting,
            disabled_tools=_tools(disable_tools, search),
            prompts=None if prompts is None else str(prompts),
            strategy=strategy or "full",
            tool_mode=tool_mode,
            tool_format=tool_format,
            search="overlap" if search == _NO_SEARCH else search,
            shuffle_options=shuffle_options,
            seed=seed,
        )
        if closed_book:
            protocol = _closed_book(protocol, strategy, turns)
        _look_at_prompts(prompts)
        factory = make_agent(agent, seed=seed, **_options(agent_option or []))
        corpus = open_data(data)
        if data is None and items is None and ids is None:
            items = EMBEDDED_ITEMS
        folder = output or Path(
            "runs", f"{as_file_name(factory.name)}-{as_file_name(corpus.name)}-{timestamp()}"
        )
        slices = Filters(
            type=listed(type),
            depth=listed(depth),
            reasoning=listed(reasoning),
            tier=listed(tier),
            venue=listed(venue),
            split=listed(split),
        )
        with _bar() as on_progress:
            result = evaluate(
                corpus,
                factory,
                folder,
                items=items,
                ids=None if ids is None else _read_ids(ids),
                filters=slices,
                workers=workers,
                protocol=protocol,
                on_progress=on_progress,
            )
        console = out()
        if result.progress.repaired:
            console.print("a torn last line of episodes.jsonl was cut off; its item was played again")
        if result.progress.resumed:
            was = "was" if result.progress.resumed == 1 else "were"
            console.print(f"{count(result.progress.resumed, 'item')} {was} done before")
        for line in _defects(corpus):
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
        if not result.complete:
            fail(f"interrupted; the same command with --output {result.folder} goes on", INTERRUPTED)
        if not result.ok:
            raise typer.Exit(FAILED)


def _look_at_prompts(folder: Path | None) -> None:
    """Warn of a folder of prompts that changes nothing: its files may have other names than they need."""
    from agenthop_env.sandbox.prompts import prompt_set

    if folder is not None and prompt_set(folder).hash == prompt_set(None).hash:
        err().print(
            f"warning: --prompts {folder} changes nothing: it holds no file that differs from the built-in one of its "
            "name (system_full.txt, start.txt, tools/think.txt, ...)"
        )


def _defects(corpus: Corpus) -> list[str]:
    """One line on what the compiler found amiss in a release, none where nothing is or it is no release."""
    meta = getattr(corpus, "meta", None)
    if meta is None or not meta.refused:
        return []
    return [f"{count(len(meta.refused), 'item')} refused: `agenthop data validate {corpus.source}` lists why"]


def _tools(names: str | None, search: str) -> tuple[str, ...]:
    from agenthop_env.rules import TOOL_NAMES

    chosen = listed(names)
    unknown = [name for name in chosen if name not in TOOL_NAMES]
    if unknown:
        raise ValueError(f"--disable-tools: no tool {', '.join(unknown)}; there are {', '.join(TOOL_NAMES)}")
    if search == _NO_SEARCH:
        chosen = (*chosen, "search_papers")
    return tuple(name for name in TOOL_NAMES if name in chosen)


def _closed_book(protocol: Protocol, strategy: str | None, turns: int | None) -> Protocol:
    if strategy not in (None, "closed_book") or protocol.disabled_tools or turns not in (None, 1):
        raise ValueError("--closed-book sets the strategy, the tools and the turns; leave out those options")
    return protocol.closed_book()


def _read_ids(path: Path) -> list[str]:
    ids = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return [item_id for item_id in ids if item_id]


def _options(given: list[str]) -> dict[str, Any]:
    settings = {}
    for option in given:
        name, equals, value = option.partition("=")
        if not equals or not name:
            raise ValueError(f"--agent-option: NAME=VALUE is expected, not {option!r}")
        settings[name.replace("-", "_")] = value
    return settings


@contextmanager
def _bar() -> Iterator[OnProgress]:
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
        state = "stopping, episodes in flight end  " if progress.stopping else ""
        bar.update(
            task,
            completed=progress.resumed + progress.done,
            description=f"{state}accuracy {progress.accuracy:.3f}  {endings}",
        )

    with bar:
        yield show
