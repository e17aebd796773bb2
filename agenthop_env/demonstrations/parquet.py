"""The rows of a JSONL file as Parquet, with a schema that does not depend on which rows come first."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

_ROWS_A_GROUP: Final = 256


def require_pyarrow() -> None:
    """Raise ImportError, with the remedy, where pyarrow is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise ImportError("Parquet needs pyarrow: pip install 'agenthop-env[demos]'") from None


def write_parquet(rows: Path, target: Path) -> None:
    """Write the rows of a JSONL file as Parquet, all of them or nothing.

    Args:
        rows: JSONL file of demonstrations.
        target: The file to write; replaced where it is there.
    """
    require_pyarrow()
    import pyarrow
    import pyarrow.parquet

    schema = _schema(pyarrow)
    part = target.with_name(f"{target.name}.part")
    with open(rows, "rb") as lines, pyarrow.parquet.ParquetWriter(part, schema, compression="zstd") as writer:
        for group in _groups(lines):
            writer.write_table(pyarrow.Table.from_pylist(group, schema=schema))
    with open(part, "rb") as written:
        os.fsync(written.fileno())
    os.replace(part, target)


def _groups(lines: Iterator[bytes]) -> Iterator[list[dict[str, Any]]]:
    while group := [json.loads(line) for line in islice(lines, _ROWS_A_GROUP)]:
        yield group


def _schema(arrow: Any) -> Any:
    text, whole, truth = arrow.string(), arrow.int64(), arrow.bool_()
    function = arrow.struct([("name", text), ("arguments", text)])
    call = arrow.struct([("id", text), ("type", text), ("function", function)])
    message = arrow.struct(
        [("role", text), ("content", text), ("tool_calls", arrow.list_(call)), ("tool_call_id", text)]
    )
    world = arrow.struct([("name", text), ("spec", text), ("fingerprint", text), ("split", text)])
    return arrow.schema(
        [
            ("messages", arrow.list_(message)),
            ("tools", text),
            ("item_id", text),
            ("habit", text),
            ("correct", truth),
            ("paper_recall", truth),
            ("section_recall", truth),
            ("points", whole),
            ("turns", whole),
            ("seed", whole),
            ("prompts_hash", text),
            ("tool_mode", text),
            ("tool_format", text),
            ("index", whole),
            ("world", world),
        ]
    )
