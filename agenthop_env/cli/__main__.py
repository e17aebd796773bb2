"""`python -m agenthop_env.cli`."""

from agenthop_env.cli import app

if __name__ == "__main__":
    app(prog_name="agenthop")
