"""Options from a TOML file; what the command line gives goes before it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import typer


def read_config(context: typer.Context, path: Path | None) -> Path | None:
    """Make a file's values the defaults of the command's other options.

    Args:
        context: The command's.
        path: TOML file whose keys are the options' names, with `_` or `-`; None for no file.

    Raises:
        typer.BadParameter: If it cannot be read, or names an option that there is not.
    """
    if path is None:
        return None
    try:
        given: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise typer.BadParameter(f"{path}: cannot be read ({problem})") from None
    except tomllib.TOMLDecodeError as problem:
        raise typer.BadParameter(f"{path}: no TOML ({problem})") from None
    known = {parameter.name: parameter for parameter in context.command.params if parameter.name != "config"}
    values = {}
    for name, value in given.items():
        option = name.replace("-", "_")
        if option not in known:
            raise typer.BadParameter(
                f"{path}: no option {name}; there are {', '.join(sorted(map(str, known)))}"
            )
        if isinstance(value, dict):  # [sampling] as a table
            value = [f"{key}={inner}" for key, inner in value.items()]
        elif (
            isinstance(value, list)
            and known[option].nargs == 1
            and not getattr(known[option], "multiple", False)
        ):
            value = ",".join(map(str, value))
        values[option] = value
    context.default_map = {**(context.default_map or {}), **values}
    return path
