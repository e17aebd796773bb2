"""The command line: `agenthop ...`, one module a command."""

from __future__ import annotations

from typing import Annotated

import typer

from agenthop_env._version import __version__
from agenthop_env.cli import data, demos, evaluate, models, play, show, verify

app = typer.Typer(
    name="agenthop",
    help="AgentHop: LLM agents walk a citation graph under a cost ledger.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"agenthop-env {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """AgentHop: LLM agents walk a citation graph under a cost ledger."""


app.add_typer(data.app, name="data")
app.command("eval")(evaluate.command)
app.command("demos")(demos.command)
app.command("play")(play.command)
app.command("show")(show.command)
app.command("verify")(verify.command)
app.command("serve-command")(models.serve_command)
