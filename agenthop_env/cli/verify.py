"""`agenthop verify`: replay a run's records, and list what differs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agenthop_env.cli.terminal import FAILED, open_data, out, plain_errors


def command(
    run: Annotated[Path, typer.Argument(help="Run folder.")],
    data: Annotated[
        str | None, typer.Option(help="The data set, where it is not where the run found it.")
    ] = None,
) -> None:
    """Replay every record of a run against its data, without the agent, and recompute its figures.

    Every difference is listed as `item: field: recorded -> replayed`. Exit code 1 if there is any.
    """
    with plain_errors():
        from agenthop_env.evaluation import verify_run
        from agenthop_env.evaluation.folder import read_run_config

        corpus = open_data(data if data is not None else read_run_config(run).source)
        result = verify_run(run, corpus)
        console = out()
        for difference in result.differences:
            console.print(f"{difference.item_id or 'run'}: {difference.what}")
        found = f"{len(result.differences)} differences" if result.differences else "no difference"
        console.print(f"{result.episodes} episodes replayed on {corpus.name} ({corpus.fingerprint}): {found}")
        if result.differences:
            raise typer.Exit(FAILED)
