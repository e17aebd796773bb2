"""The text that navigation tools deliver: labels, order and indentation of the protocol (section 2).

The corpus compiles these once per paper; the tools only join them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from agenthop_env.rules import SEARCH_ABSTRACT_CHARS
from agenthop_env.text import sections

UNKNOWN: Final = "Unknown"


def short_authors(names: Sequence[str]) -> str:
    """One name; two joined by "and"; more: the first and "et al."; none: Unknown."""
    if not names:
        return UNKNOWN
    if len(names) == 1:
        return names[0]
    return f"{names[0]} and {names[1]}" if len(names) == 2 else f"{names[0]} et al."


def year(value: int | str | None) -> str:
    """The year as shown; Unknown where it is missing."""
    return UNKNOWN if value is None or value == "" else str(value)


def paper_info(
    title: str | None,
    authors: Sequence[str],
    published: int | str | None,
    venue: str | None,
    abstract: str | None,
    has_text: bool,
) -> str:
    """What `get_paper_info` says."""
    return (
        f"Title: {title or UNKNOWN}\n"
        f"Authors: {', '.join(authors) or UNKNOWN}\n"
        f"Year: {year(published)}\n"
        + (f"Venue: {venue}\n" if venue else "")
        + f"Abstract: {abstract or '(not available)'}\n"
        f"Full text available: {'Yes' if has_text else 'No'}"
    )


def _availability(has_text: bool) -> str:
    return "Available" if has_text else "Not available"


def _heading(paper_id: str, title: str | None, authors: Sequence[str], published: int | str | None) -> str:
    return f"{paper_id}\n      Title: {title or UNKNOWN}\n      Authors: {short_authors(authors)} ({year(published)})\n"


def reference_card(
    paper_id: str, title: str | None, authors: Sequence[str], published: int | str | None, has_text: bool
) -> str:
    """One entry of `get_references`, without its number and citation context."""
    return f"{_heading(paper_id, title, authors, published)}      Full text: {_availability(has_text)}"


def search_card(
    paper_id: str,
    title: str | None,
    authors: Sequence[str],
    published: int | str | None,
    abstract: str | None,
    has_text: bool,
) -> str:
    """One entry of `search_papers`, without its number."""
    shown = abstract or "(no abstract)"
    if len(shown) > SEARCH_ABSTRACT_CHARS:
        shown = shown[:SEARCH_ABSTRACT_CHARS] + "..."
    return (
        f"{_heading(paper_id, title, authors, published)}"
        f"      Abstract: {shown}\n      Full text: {_availability(has_text)}"
    )


def context_line(sentence: str) -> str:
    """The citing sentence under a reference."""
    return f'\n      Context: "{sentence}"'


def numbered(cards: Iterable[str]) -> str:
    """Cards under their numbers, one after another."""
    return "\n".join([f"  [{number}] {card}" for number, card in enumerate(cards, 1)])


def section_list(headers: Sequence[str], lengths: Sequence[int]) -> str:
    """The lines of `list_sections`: alias, header, characters."""
    return "\n".join(
        f"  ({sections.alias(index)}) {header} ({size} chars)"
        for index, (header, size) in enumerate(zip(headers, lengths, strict=True))
    )


def section_heading(header: str) -> str:
    """What stands above a section's text."""
    return f"=== {header} ===\n\n"
