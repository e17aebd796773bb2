"""`agenthop eval`: play items with an agent, and print the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from agenthop_env.cli.config_file import read_config
from agenthop_env.cli.models import look_at_server, model_factory, pricing_for, told
from agenthop_env.cli.run_output import fail_incomplete, run_bar, tell_run, tell_spread
from agenthop_env.cli.terminal import (
    FAILED,
    as_file_name,
    err,
    listed,
    open_data,
    out,
    plain_errors,
    timestamp,
)

if TYPE_CHECKING:
    from agenthop_env.evaluation import Evaluation, Protocol
    from agenthop_env.evaluation.progress import Pricing

MODEL = "Models"
SLICES = "Slices"
PROTOCOL = "Protocol"

_NO_SEARCH = "none"
"""As in the environments: `search_papers` is not offered."""


def command(
    context: typer.Context,
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
    config: Annotated[
        Path | None,
        typer.Option(
            help="TOML file with these options by their names (base_url = ...); the command line goes before it.",
            is_eager=True,
            callback=read_config,
        ),
    ] = None,
    repeats: Annotated[
        int, typer.Option(help="Whole runs, with seeds from --seed on, each in a folder of its own.")
    ] = 1,
    model: Annotated[
        str | None, typer.Option(help="Evaluate this model instead of an agent.", rich_help_panel=MODEL)
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            help="Its server, e.g. http://localhost:8000/v1; the vendor's own if not given.",
            rich_help_panel=MODEL,
        ),
    ] = None,
    api: Annotated[
        str, typer.Option(help="auto, chat, responses, messages or genai.", rich_help_panel=MODEL)
    ] = "auto",
    engine: Annotated[
        str,
        typer.Option(help="server, or in this process: vllm or transformers.", rich_help_panel=MODEL),
    ] = "server",
    concurrency: Annotated[
        int | None, typer.Option(help="Episodes at a time; 64 by default.", rich_help_panel=MODEL)
    ] = None,
    sampling: Annotated[
        list[str] | None,
        typer.Option(help="NAME=VALUE, before the preset of the model's family.", rich_help_panel=MODEL),
    ] = None,
    preset: Annotated[
        bool, typer.Option(help="Sample as the model's family is meant to be.", rich_help_panel=MODEL)
    ] = True,
    reasoning_history: Annotated[
        str, typer.Option(help="auto, keep or drop reasoning of earlier turns.", rich_help_panel=MODEL)
    ] = "auto",
    request_seconds: Annotated[
        float | None, typer.Option(help="Deadline of one request; 600 by default.", rich_help_panel=MODEL)
    ] = None,
    api_key_env: Annotated[
        str | None, typer.Option(help="Environment variable with the key.", rich_help_panel=MODEL)
    ] = None,
    api_key_file: Annotated[
        Path | None, typer.Option(help="File with the key.", rich_help_panel=MODEL)
    ] = None,
    preflight: Annotated[
        bool, typer.Option(help="Check the server with one small call first.", rich_help_panel=MODEL)
    ] = True,
    prices: Annotated[Path | None, typer.Option(help="TOML file of prices.", rich_help_panel=MODEL)] = None,
    max_total_tokens: Annotated[
        int | None, typer.Option(help="Tokens of the whole run, after which no item is begun.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="US dollars of the whole run, after which no item is begun.")
    ] = None,
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
    tool_mode: Annotated[
        str | None,
        typer.Option(help="text or native; native for models, else text.", rich_help_panel=PROTOCOL),
    ] = None,
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
    """Play items with an agent or a model, record them in a run folder, and print the table.

    A folder that is there is resumed: what is done is skipped, and errors are tried again. Exit code 0 where every
    item has a record and none is an error, 1 where some are errors, 130 after Ctrl-C.
    """
    with plain_errors():
        from agenthop_env.agents import make_agent
        from agenthop_env.agents.served import ServedFactory
        from agenthop_env.evaluation import Caps, Filters, Protocol, evaluate
        from agenthop_env.evaluation.selection import EMBEDDED_ITEMS
        from agenthop_env.rules import Limits

        if repeats < 1:
            raise ValueError(f"--repeats must be 1 or more, not {repeats}")
        _check_options(context, model)
        caps = Caps(tokens=max_total_tokens, cost=max_cost)
        mode = tool_mode or ("native" if model is not None else "text")
        given = {"points": points, "turns": turns, "tokens": tokens}
        protocol = Protocol(
            limits=Limits(**{name: value for name, value in given.items() if value is not None}),
            token_accounting=token_accounting,
            disabled_tools=_tools(disable_tools, search),
            prompts=None if prompts is None else str(prompts),
            strategy=strategy or "full",
            tool_mode=mode,
            tool_format=tool_format,
            search="overlap" if search == _NO_SEARCH else search,
            shuffle_options=shuffle_options,
            seed=seed,
        )
        if closed_book:
            protocol = _closed_book(protocol, strategy, turns)
        _look_at_prompts(prompts)
        pricing: Pricing | None = None
        price_line: str | None = None
        if model is None:
            factory = make_agent(agent, seed=seed, **_options(agent_option or []))
        else:
            factory = model_factory(
                model,
                engine=engine,
                base_url=base_url,
                api=api,
                tool_mode=mode,
                tool_format=tool_format,
                sampling=sampling or [],
                preset=preset,
                reasoning_history=reasoning_history,
                request_seconds=request_seconds,
                api_key_env=api_key_env,
                api_key_file=api_key_file,
            )
            pricing, price_line = pricing_for(model, prices)
            if max_cost is not None and pricing is None:
                raise ValueError(f"--max-cost needs prices: {price_line}")
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
        console = out()
        if model is not None:
            console.print(told(factory))
        if isinstance(factory, ServedFactory) and preflight:
            look_at_server(factory)
        results: list[Evaluation] = []
        for number in range(repeats):
            with run_bar() as on_progress:
                result = evaluate(
                    corpus,
                    factory,
                    folder if repeats == 1 else folder / f"repeat-{number + 1}",
                    items=items,
                    ids=None if ids is None else _read_ids(ids),
                    filters=slices,
                    workers=workers,
                    concurrency=concurrency,
                    caps=caps,
                    pricing=pricing,
                    protocol=msgspec.structs.replace(protocol, seed=seed + number),
                    on_progress=on_progress,
                )
            results.append(result)
            tell_run(console, result, corpus)
            if isinstance(factory, ServedFactory):
                for remark in factory.statistics.remarks():
                    console.print(f"note: {remark}")
            if price_line is not None:
                spent = result.progress.cost
                console.print(price_line if spent is None else f"cost: ${spent:,.2f} at {price_line}")
            if not result.complete:
                break
        if repeats > 1:
            tell_spread(console, results)
        if not results[-1].complete:
            fail_incomplete(results[-1])
        if not all(result.ok for result in results):
            raise typer.Exit(FAILED)


def _look_at_prompts(folder: Path | None) -> None:
    """Warn of a folder of prompts that changes nothing: its files may have other names than they need."""
    from agenthop_env.sandbox.prompts import prompt_set

    if folder is not None and prompt_set(folder).hash == prompt_set(None).hash:
        err().print(
            f"warning: --prompts {folder} changes nothing: it holds no file that differs from the built-in one of its "
            "name (system_full.txt, start.txt, tools/think.txt, ...)"
        )


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


_OF_MODELS = (
    "base_url",
    "api",
    "sampling",
    "reasoning_history",
    "request_seconds",
    "api_key_env",
    "api_key_file",
    "prices",
)
_OF_AGENTS = ("agent", "agent_option")


def _check_options(context: typer.Context, model: str | None) -> None:
    """Refuse options that would do nothing: a model's for an agent, and an agent's for a model."""
    names, why = (
        (_OF_AGENTS, "it goes with an agent, not with --model")
        if model
        else (_OF_MODELS, "it goes with --model")
    )
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name not in ("DEFAULT", "DEFAULT_MAP"):
            raise ValueError(f"--{name.replace('_', '-')}: {why}")
