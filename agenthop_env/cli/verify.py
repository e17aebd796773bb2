"""`agenthop verify`: replay a run's records, and list what differs and what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agenthop_env.cli.terminal import FAILED, INCOMPLETE, count, open_run_data, out, plain_errors

_NAMED = 5
"""Missing items that are named."""


def command(
    run: Annotated[Path, typer.Argument(help="Run folder.")],
    data: Annotated[
        str | None, typer.Option(help="The data set, where it is not where the run found it.")
    ] = None,
) -> None:
    """Replay every record of a run against its data, without the agent, and recompute its figures.

    Every difference is listed as `item: field: recorded -> replayed`. Exit code 1 if there is any, 3 if there is none
    but items of the run have no record.
    """
    with plain_errors():
        from agenthop_env.evaluation import verify_run
        from agenthop_env.evaluation.folder import read_run_config

        config = read_run_config(run)
        corpus = open_run_data(config, data)
        result = verify_run(run, corpus)
        console = out()
        for difference in result.differences:
            console.print(f"{difference.item_id or 'run'}: {difference.what}")
        if corpus.fingerprint != config.fingerprint:
            raise typer.Exit(FAILED)
        if not result.complete:
            first = ", ".join(result.missing[:_NAMED])
            more = len(result.missing) - _NAMED
            console.print(
                f"incomplete: {result.episodes} of {count(config.items, 'item')}"
                + (f"; missing {first}" + (f" and {more} more" if more > 0 else "") if first else "")
            )
        found = count(len(result.differences), "difference") if result.differences else "no difference"
        console.print(
            f"{count(result.episodes, 'episode')} replayed on {corpus.name} ({corpus.fingerprint}): {found}"
        )
        if result.differences:
            raise typer.Exit(FAILED)
        if not result.complete:
            raise typer.Exit(INCOMPLETE)
