"""The log of a run: one JSON object a line, from start to end, over all its sessions."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from agenthop_env.evaluation.folder import LineFile
from agenthop_env.evaluation.playing import Finished

LOG_FILE: Final = "run.log"


class RunLog:
    """Appends to a run's log; never a key, never a message's text.

    Args:
        folder: The run folder.
    """

    def __init__(self, folder: Path) -> None:
        self._file = LineFile(folder / LOG_FILE)

    def note(self, event: str, **facts: Any) -> None:
        """Add a line.

        Args:
            event: `start`, `item`, `halt`, `stop` or `end`.
            facts: What there is to say, as JSON.
        """
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": time, "event": event, **facts}, separators=(",", ":"))
        self._file.append(line.encode())

    def item(self, finished: Finished) -> None:
        """Add a finished item."""
        failed = [failed.attempt.error for failed in finished.failed]
        self.note(
            "item",
            item_id=finished.item_id,
            ending=finished.ending,
            correct=finished.correct,
            tokens=finished.tokens,
            **({"failed": failed} if failed else {}),
        )

    def __enter__(self) -> RunLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
