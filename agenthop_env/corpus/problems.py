"""Defects of a release, each with the place where it stands and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One defect.

    Attributes:
        severity: `error` where data is unusable or scores would be wrong, `warning` where play can go on as is.
        file: File, relative to the release's folder.
        line: Line in it, from 1; 0 for the file as a whole.
        item: Item or paper concerned, empty where none is known.
        field: Field concerned, dotted, empty for the row as a whole.
        message: What is wrong and what to do.
    """

    severity: Severity
    file: str
    line: int
    item: str
    field: str
    message: str

    def __str__(self) -> str:
        """`error qa/full.jsonl:12 st_0004 options: ...`."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return (
            " ".join(part for part in (self.severity, place, self.item, self.field) if part)
            + f": {self.message}"
        )


@dataclass(slots=True)
class Problems:
    """All defects found so far, in order.

    Attributes:
        found: The defects.
        most_warnings: Warnings after which more are only counted; None to keep all.
        only_counted: Warnings that were only counted.
    """

    found: list[Problem] = field(default_factory=list)
    most_warnings: int | None = None
    only_counted: int = 0
    _warned: int = 0

    def error(self, file: str, line: int, message: str, *, item: str = "", field: str = "") -> None:
        """Note an error."""
        self.found.append(Problem("error", file, line, item, field, message))

    def warn(self, file: str, line: int, message: str, *, item: str = "", field: str = "") -> None:
        """Note a warning."""
        if self._warned == self.most_warnings:
            self.only_counted += 1
            return
        self._warned += 1
        self.found.append(Problem("warning", file, line, item, field, message))

    @property
    def errors(self) -> list[Problem]:
        """The errors among the defects."""
        return [problem for problem in self.found if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """The warnings among the defects."""
        return [problem for problem in self.found if problem.severity == "warning"]


class CorpusError(Exception):
    """A corpus that cannot be opened, with the reason and the remedy.

    Attributes:
        problems: The defects behind it, where rows are to blame.
    """

    def __init__(self, message: str, problems: list[Problem] | None = None) -> None:
        super().__init__(message)
        self.problems = problems or []
