"""`agenthop data`: check, compile, describe and fetch data sets."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agenthop_env.cli.terminal import (
    FAILED,
    MISUSED,
    count,
    err,
    fail,
    open_data,
    out,
    plain_errors,
    work_bar,
)

if TYPE_CHECKING:
    from rich.console import Console

    from agenthop_env.corpus.store import Corpus

app = typer.Typer(help="Check, compile, describe and fetch data sets.", no_args_is_help=True)

_LISTED = 20
_REFUSED_LISTED = 10
_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")


@app.command()
def validate(
    path: Annotated[Path, typer.Argument(help="Folder in the release layout, or a fetched data set's name.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check a release: every defect with file, line, item and field, errors apart from warnings.

    It checks more than `compile` does, which notes only what it meets on the way to a playable store. Exit code 1 if
    there are errors.
    """
    with plain_errors():
        from agenthop_env.corpus.validate import validate_release

        path = _release(path)
        problems = validate_release(path)
        errors, warnings = problems.errors, problems.warnings
        if as_json:
            rows = [
                {
                    name: getattr(problem, name)
                    for name in ("severity", "file", "line", "item", "field", "message")
                }
                for problem in (*errors, *warnings)
            ]
            typer.echo(json.dumps({"errors": len(errors), "warnings": len(warnings), "problems": rows}))
        else:
            for problem in (*errors, *warnings):
                typer.echo(str(problem))
            typer.echo(f"{path}: {count(len(errors), 'error')}, {count(len(warnings), 'warning')}")
        if errors:
            raise typer.Exit(FAILED)


@app.command("compile")
def compile_data(
    path: Annotated[Path, typer.Argument(help="Folder in the release layout, or a fetched data set's name.")],
    force: Annotated[bool, typer.Option("--force", help="Compile even if the cache holds it.")] = False,
) -> None:
    """Compile a release into the cache, from where it opens in milliseconds.

    Defects are counted; `validate` lists them.
    """
    with plain_errors():
        from agenthop_env.corpus.cache import compiled_folder
        from agenthop_env.corpus.compile import read_meta
        from agenthop_env.corpus.release import FILES, is_release

        named, path = path, _release(path)
        if not is_release(path):
            fail(f"{path}: not a release; one has {', '.join(FILES)}")
        with work_bar() as report:
            folder = compiled_folder(
                path.resolve(), published=True if path != named else None, force=force, progress=report
            )
        meta = read_meta(folder)
        typer.echo(
            f"{count(len(meta.ids), 'item')}, {count(meta.papers, 'paper')} with text, fingerprint {meta.fingerprint}"
        )
        if meta.refused or meta.warning_count:
            typer.echo(
                f"{count(len(meta.refused), 'item')} refused, {count(meta.warning_count, 'warning')}: "
                f"`agenthop data validate {named}` lists why, and checks more"
            )
        typer.echo(f"store: {folder}")


@app.command()
def info(
    source: Annotated[
        str | None,
        typer.Argument(help="Folder, store, world or data set; the embedded default if not given."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Read the whole compiled store and name files that are damaged.")
    ] = False,
) -> None:
    """Describe a data set: size, slices, splits, and what is amiss in it.

    Exit code 1 with `--check` if a file of the compiled store is not as it was written.
    """
    with plain_errors():
        if check:
            _check_store(source)
        described = describe(open_data(source))
        if as_json:
            typer.echo(json.dumps(described))
            return
        console = out()
        for name, value in described.items():
            if name == "items_refused" and value:
                _print_refused(console, value)
                continue
            if isinstance(value, dict):
                shown = ", ".join(f"{key or '(empty)'} {count}" for key, count in value.items()) or "none"
            elif isinstance(value, list):
                shown = ", ".join(map(str, value[:_LISTED])) or "none"
                shown += f" and {len(value) - _LISTED} more" if len(value) > _LISTED else ""
            else:
                shown = str(value)
            console.print(f"{name.replace('_', ' ')}: {shown}")
        if described.get("items_refused") or described.get("warnings"):
            console.print(
                f"refused items and warnings are the compiler's; `agenthop data validate {source}` checks more and lists all"
            )


def _check_store(source: str | None) -> None:
    """Compare each file of a compiled store with what was written.

    Raises:
        ValueError: If the source is no folder.
    """
    from agenthop_env.corpus.cache import compiled_folder
    from agenthop_env.corpus.compile import damaged_files
    from agenthop_env.corpus.release import is_release
    from agenthop_env.corpus.sources import place_and_query

    folder = Path(place_and_query(source or "")[0]).expanduser()
    if source is None or not folder.is_dir():
        raise ValueError(
            f"--check is for a release or a compiled store; {source or 'the default'} is neither"
        )
    store = compiled_folder(folder) if is_release(folder) else folder
    damaged = damaged_files(store)
    if damaged:
        fail("\n".join([*damaged, f"remove {store} and open the release again"]), FAILED)
    err().print(f"{store}: every file is as it was written")


@app.command()
def pull(
    name: Annotated[str, typer.Argument(help="Name of the data set on the hub.")] = "nlpai-lab/agenthop",
    folder: Annotated[
        Path | None, typer.Option(help="Where to put it; the cache if not given, where its name opens it.")
    ] = None,
    revision: Annotated[str | None, typer.Option(help="Branch, tag or commit.")] = None,
    endpoint: Annotated[str | None, typer.Option(help="Address of the hub.")] = None,
) -> None:
    """Fetch a published data set, and compare its layout with the one that is expected.

    Exit code 1 if the copy cannot be opened.
    """
    with plain_errors():
        from agenthop_env.corpus import hub

        report = hub.pull(name, folder, revision, endpoint, progress=sys.stderr.isatty())
        size = sum(report.files.values())
        typer.echo(
            f"{report.repo} at {report.sha}: {count(len(report.files), 'file')}, {count(size, 'byte')}"
        )
        typer.echo(f"folder: {report.folder}")
        for note in report.notes:
            typer.echo(note)
        for difference in report.differences:
            typer.echo(f"differs from the expected layout: {difference}")
        if not report.complete:
            fail(f"{report.repo} is no complete release; what came lies in {report.folder}")


@app.command()
def export(
    world: Annotated[str, typer.Argument(help="A world, such as world:small?seed=7&split=test&items=500.")],
    folder: Annotated[Path, typer.Argument(help="Folder to make.")],
    store: Annotated[
        bool,
        typer.Option(
            "--store", help="A compiled store, which keeps the split, instead of the release layout."
        ),
    ] = False,
) -> None:
    """Write a world to disk: in the release layout, or compiled. Items are made one by one."""
    with plain_errors():
        from agenthop_env.worlds import parse_spec
        from agenthop_env.worlds.export import compile_world, export_world

        try:
            made = parse_spec(world)
        except ValueError as problem:
            fail(str(problem), MISUSED)
        if store:
            compile_world(made, folder)
        else:
            export_world(made, folder)
        typer.echo(f"{count(len(made), 'item')} of {made.spec}, fingerprint {made.fingerprint}")
        typer.echo(f"{'store' if store else 'release'}: {folder}")


def describe(corpus: Corpus) -> dict[str, Any]:
    """What there is to say of a data set, as JSON values."""
    cuts: dict[str, Counter[str]] = {
        name: Counter() for name in ("type", "depth", "reasoning", "tier", "split")
    }
    for item in corpus:
        cuts["type"][item.question_type] += 1
        cuts["depth"][str(item.depth)] += 1
        cuts["reasoning"][item.reasoning_type] += 1
        cuts["tier"][item.consensus_tier] += 1
        cuts["split"][item.split] += 1
    described: dict[str, Any] = {
        "name": corpus.name,
        "fingerprint": corpus.fingerprint,
        "source": corpus.source,
        "items": len(corpus),
        **{name: dict(sorted(counts.items())) for name, counts in cuts.items()},
    }
    meta = getattr(corpus, "meta", None)
    if meta is not None:
        described |= {
            "papers_with_text": meta.papers,
            "citations": meta.edges,
            "split_components": meta.component_count,
            "largest_components": meta.largest_components,
            "items_without_direct_label": meta.unlabeled,
            "items_refused": [_refusal(item_id, reason) for item_id, reason in sorted(meta.refused.items())],
            "warnings": meta.warning_count,
        }
    return described


def _refusal(item_id: str, reason: str) -> str:
    """`st_0004: qa/full.jsonl:12 options: ...`, whichever part of the compiler found the reason."""
    return f"{item_id}: {reason.removeprefix('error ').replace(f' {item_id}', '', 1)}"


def _print_refused(console: Console, refused: list[str]) -> None:
    """The first refused items, a line each, and how many more there are."""
    console.print(f"items refused: {len(refused)}")
    for told in refused[:_REFUSED_LISTED]:
        console.print(f"  {told}")
    if len(refused) > _REFUSED_LISTED:
        console.print(f"  ... and {len(refused) - _REFUSED_LISTED} more")


def _release(path: Path) -> Path:
    """The folder of a release that is named by its folder or by its name on the hub."""
    from agenthop_env.corpus.hub import pulled_folder

    text = path.as_posix()
    if text.startswith("world:"):
        fail(
            f"{text}: a world's items are made as they are played and need neither validate nor compile; "
            f"`agenthop data info {text}` describes it",
            MISUSED,
        )
    return pulled_folder(text) if not path.exists() and _HUB_NAME.fullmatch(text) else path
