"""Word stock of the prose worlds: areas, parts that works play, attributes and sentence plans. All fictional."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """Words separated by white space."""
    return tuple(text.split())


def phrases(text: str) -> tuple[str, ...]:
    """Phrases separated by vertical bars; line breaks and indentation inside them do not count."""
    return tuple(" ".join(part.split()) for part in text.split("|"))


def lines(text: str) -> tuple[str, ...]:
    """One phrase a line."""
    return tuple(line.strip() for line in text.strip().splitlines())


def closed(text: str) -> tuple[str, ...]:
    """One phrase a line, each closed with a period."""
    return tuple(f"{line}." for line in lines(text))
