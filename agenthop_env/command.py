"""The `agenthop` command's way in: Ctrl-C is answered also while the command line itself is being loaded."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; an interrupt exits with 130."""
    try:
        from agenthop_env.cli import app

        app(prog_name="agenthop")
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
