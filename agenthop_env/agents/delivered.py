"""Reading what the tools deliver, as an agent sees it: results apart, entries of a listing, status lines.

The layout is the protocol's (section 2 there). Titles and texts may hold anything, line breaks included, so a
listing is followed by the running number of its entries, and results by the status line that closes their turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from agenthop_env.agents.protocol import ChatMessage
from agenthop_env.records import ToolCall

_STATUS: Final = re.compile(r"Turn: (\d+)  \|  Tokens used: ([\d,]+)  \|  Budget used: (\d+)(?=\n\n|\s*\Z)")
_ENTRY: Final = re.compile(r"^  \[(\d+)\] (.*)$", re.MULTILINE)
_LABEL: Final = re.compile(r"^      (Title|Authors|Abstract|Full text|Context): ", re.MULTILINE)
_SECTION: Final = re.compile(r"^  \(([A-Z]{1,3})\) (.*) \((\d+) chars\)$", re.MULTILINE)
_HEADING: Final = re.compile(r"\A=== .*? ===\n\n", re.DOTALL)


class Status(NamedTuple):
    """What the last status line says was used."""

    turns: int = 0
    tokens: int = 0
    points: int = 0


class Result(NamedTuple):
    """One call and what came back, without the status line."""

    call: ToolCall
    text: str


class Listed(NamedTuple):
    """A paper as a listing shows it.

    Attributes:
        paper_id: Id to call tools with.
        title: Title, `Unknown` where the graph has none.
        has_text: Whether sections can be read.
        context: The citing sentence, empty where unknown.
        abstract: Start of the abstract, empty where the listing shows none.
    """

    paper_id: str
    title: str
    has_text: bool
    context: str = ""
    abstract: str = ""


class SectionLine(NamedTuple):
    """A section as `list_sections` shows it."""

    alias: str
    header: str
    chars: int


def results(messages: Sequence[ChatMessage], calls: Sequence[ToolCall]) -> list[Result]:
    """What came back for the calls of the last assistant message.

    Args:
        messages: The conversation so far.
        calls: The calls that were made in that message, in order.

    Returns:
        One result per call; a call that nothing came back for has an empty text.
    """
    start = _after_last_assistant(messages)
    parts: list[str] = []
    for message in messages[start:]:
        content = _text_of(message)
        if message.get("role") == "tool":
            parts.append(_without_status(content))
        elif not parts:
            parts += split_results(content)
    parts += [""] * (len(calls) - len(parts))
    return [Result(call, part) for call, part in zip(calls, parts, strict=False)]


def split_results(observation: str) -> list[str]:
    """The results in one observation, in order, without status lines; a nudge after them is left out.

    All results of a turn end in one and the same status line, which the last one that is seen decides.
    """
    closing = None
    for closing in _STATUS.finditer(observation):  # noqa: B007 - the last one counts
        pass
    if closing is None:
        return [observation] if observation else []
    parts = observation[: closing.end()].split(closing.group())
    return [part.removeprefix("\n\n").removesuffix("\n") for part in parts[:-1]]


def status(messages: Sequence[ChatMessage]) -> Status:
    """The last status line since the last assistant message; zeros before the first turn."""
    for message in reversed(messages[_after_last_assistant(messages) :]):
        lines = _STATUS.findall(_text_of(message))
        if lines:
            turns, tokens, points = lines[-1]
            return Status(int(turns), int(tokens.replace(",", "")), int(points))
    return Status()


def papers(text: str) -> list[Listed]:
    """The papers in what `get_references` or `search_papers` delivered, in order; none in any other text."""
    if not text.startswith(("References for paper ", "Search results for ")):
        return []
    starts: list[re.Match[str]] = []
    for entry in _ENTRY.finditer(text):
        if int(entry[1]) == len(starts) + 1:
            starts.append(entry)
    ends = [entry.start() for entry in starts[1:]] + [len(text)]
    return [_listed(entry[2], text[entry.end() : end]) for entry, end in zip(starts, ends, strict=True)]


def sections(text: str) -> list[SectionLine]:
    """The sections in what `list_sections` delivered, in order; none in any other text."""
    if not text.startswith("Sections for paper "):
        return []
    return [SectionLine(found[1], found[2], int(found[3])) for found in _SECTION.finditer(text)]


def section_text(text: str) -> str | None:
    """The text that `read_section` delivered, without its heading; None for any other text."""
    heading = _HEADING.match(text)
    return text[heading.end() :] if heading else None


def _listed(paper_id: str, body: str) -> Listed:
    values: dict[str, str] = {}
    marks = list(_LABEL.finditer(body))
    for mark, end in zip(marks, [mark.start() for mark in marks[1:]] + [len(body)], strict=True):
        values.setdefault(mark[1], body[mark.end() : end].strip("\n"))
    abstract = values.get("Abstract", "")
    return Listed(
        paper_id,
        values.get("Title", ""),
        values.get("Full text", "") == "Available",
        values.get("Context", "").removeprefix('"').removesuffix('"'),
        "" if abstract == "(no abstract)" else abstract,
    )


def _without_status(content: str) -> str:
    lines = list(_STATUS.finditer(content))
    return content[: lines[-1].start()].removesuffix("\n") if lines else content


def _after_last_assistant(messages: Sequence[ChatMessage]) -> int:
    for place in range(len(messages) - 1, -1, -1):
        if messages[place].get("role") == "assistant":
            return place + 1
    return len(messages)


def _text_of(message: ChatMessage) -> str:
    content: Any = message.get("content")
    return content if isinstance(content, str) else ""
