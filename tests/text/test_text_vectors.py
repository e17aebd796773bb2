"""Section names, aliases and letters against the released harness, row by row."""

from __future__ import annotations

from releases import needs_vectors, vector_rows

from agenthop_env.text import letters, sections

pytestmark = needs_vectors


def test_every_query_finds_the_released_section() -> None:
    for row in vector_rows("sections.jsonl"):
        assert sections.resolve(row["query"], row["headers"]) == row["index"], row


def test_every_header_normalizes_as_released() -> None:
    for row in vector_rows("headers.jsonl"):
        assert sections.normalize(row["header"]) == row["normalized"], row


def test_every_alias_is_the_released_one_both_ways() -> None:
    for row in vector_rows("aliases.jsonl"):
        assert sections.alias(row["index"]) == row["alias"]
        if len(row["alias"]) <= 3:  # as a query, an alias has one to three letters
            assert sections.alias_index(row["alias"]) == row["index"]


def test_every_letter_is_read_as_released() -> None:
    for row in vector_rows("letters.jsonl"):
        found = letters.parse_option(row["text"])
        assert (-1 if found is None else found) == row["index"], row
