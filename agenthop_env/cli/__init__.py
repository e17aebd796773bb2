"""The command line: `agenthop ...`, one module a command."""

from __future__ import annotations

import typer

from agenthop_env.cli import data, evaluate, play, show, verify

app = typer.Typer(
    name="agenthop",
    help="AgentHop: LLM agents walk a citation graph under a cost ledger.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(data.app, name="data")
app.command("eval")(evaluate.command)
app.command("play")(play.command)
app.command("show")(show.command)
app.command("verify")(verify.command)
