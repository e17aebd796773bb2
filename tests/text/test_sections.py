"""Section names: normalization, aliases and resolution, rule by rule."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthop_env.text import sections


@pytest.mark.parametrize(
    ("header", "normalized"),
    [
        ("Introduction", "introduction"),
        ("  1. Introduction ", "introduction"),
        ("1.2.3 Set-up", "set up"),
        ("I. Introduction", "introduction"),
        ("IV Method", "method"),
        ("II-A Setup", "setup"),
        ("ii-ab Setup", "ii ab setup"),
        ("Apdx: Proofs", "proofs"),
        ("apdx_b1.2:Proofs", "proofs"),
        ("Apdx_B: IV. Proofs", "proofs"),
        ("Apdx_B: 4.1 Proofs", "proofs"),
        ("IV. 4.1 Proofs", "proofs"),
        ("4.1 IV. Proofs", "iv. proofs"),
        ("A\u2014B: C \u2013 D", "a b c d"),
        ("I", "i"),
        ("3", ""),
        ("...", ""),
        ("", ""),
        ("-:-", ""),
        ("Did we", "we"),  # as the rule is written: a first word of the letters ivxlcd goes
        ("civil law", "law"),
        ("Mild cases", "mild cases"),
        ("\u0130stanbul", "i\u0307stanbul"),
        ("a\tb\nc\u00a0d", "a b c d"),
    ],
)  # fmt: skip
def test_normalize(header: str, normalized: str) -> None:
    assert sections.normalize(header) == normalized


@given(st.text())
def test_a_normal_form_is_one_line_of_single_blanks(text: str) -> None:
    normal = sections.normalize(text)
    assert normal == " ".join(normal.split())


@given(st.integers(0, 26 + 26**2 + 26**3 - 1))
def test_an_alias_reads_back(index: int) -> None:
    name = sections.alias(index)
    for shown in (name, name.lower(), f"({name})", f"({name.lower()}"):
        assert sections.alias_index(shown) == index


def test_aliases_run_a_to_z_then_aa() -> None:
    assert [sections.alias(index) for index in (0, 1, 25, 26, 27, 51, 52, 701, 702)] == [
        "A", "B", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="0 or more"):
        sections.alias(-1)


@pytest.mark.parametrize("name", ["", "ABCD", "1", "(", "()", "A1", "((A))", "A B", "\u00c4", " A"])
def test_no_alias(name: str) -> None:
    assert sections.alias_index(name) is None


HEADERS = [
    "1 Introduction",
    "2 Method",
    "3 Results",
    "Results and Discussion",
    "A",
    "method",
    "IV. Limits of B",
]


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("A", 0),  # an alias comes before the header that is called so
        ("(G)", 6),
        ("g", 6),
        ("H", None),  # out of range, no header holds an h alone
        ("method", 5),  # an equal header comes before one that is equal after normalization
        ("2 METHOD", 1),
        ("3. results", 2),
        ("Discussion", 3),
        ("intro", 0),
        ("result", None),  # two headers contain it
        ("limits", 6),
        ("limits: of-B", 6),
        ("9. Limits of", 6),  # contained after normalization alone
        ("", None),
        ("  \n", None),
        ("3.", None),  # nothing is left after normalization, and no header contains it
        ("2", 1),  # contained in one header as it stands
    ],
)
def test_resolve_in_order(query: str, index: int | None) -> None:
    assert sections.resolve(query, HEADERS) == index


def test_of_equal_headers_the_first() -> None:
    assert sections.resolve("same", ["Same", "same", "SAME"]) == 0
    assert sections.resolve("1. same", ["2. Same", "3. Same"]) == 0
    assert sections.resolve("sam", ["Same", "same"]) is None


def test_i_is_the_ninth_section() -> None:
    headers = [f"{number} Part" for number in range(1, 12)]
    assert sections.resolve("I", headers) == 8
    assert sections.resolve("I", headers[:8]) is None


def test_no_headers() -> None:
    assert sections.resolve("A", []) is None
    assert sections.resolve("Introduction", []) is None


@given(st.text(), st.lists(st.text(), max_size=6))
def test_resolve_never_raises_and_stays_in_range(query: str, headers: list[str]) -> None:
    index = sections.resolve(query, headers)
    assert index is None or 0 <= index < len(headers)


@given(st.lists(st.text(min_size=4), min_size=1, max_size=6), st.data())
def test_a_header_finds_itself_or_an_equal_one_before(headers: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(headers) - 1))
    header = headers[place].strip()
    if headers[place] != header or not header or sections.alias_index(header) is not None:
        return
    index = sections.resolve(header, headers)
    assert index is not None
    assert headers[index].lower() == header.lower()


@pytest.mark.parametrize(
    "text",
    ["i" * 3_000_000, "1." * 2_000_000, " " * 3_000_000 + "x", "apdx_b" + "1." * 2_000_000, "-" * 3_000_000],
)
def test_long_text_takes_no_long_time(text: str) -> None:
    begun = time.perf_counter()
    sections.normalize(text)
    sections.resolve(text, ["Introduction"])
    assert time.perf_counter() - begun < 5
