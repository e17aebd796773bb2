"""Python literals are read as Python reads them."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthop_env.actions.python_literals import read_arguments, read_literal

LITERALS = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=10,
)


@given(LITERALS)
@settings(deadline=None)
def test_repr_is_read_back(value: Any) -> None:
    text = repr(value)
    assert read_literal(text, 0) == (value, len(text))


@pytest.mark.parametrize(
    "text",
    [
        r"'it\'s'",
        r'"say \"hi\""',
        r"'\n\t\\\x41\u00e9\U0001F600\101\N{BULLET}'",
        r"r'\n'",
        "('a' 'b'\n'c')",
        "'''a 'quoted' line\nand \"another\"'''",
        '"""x"""',
        "'a\\\nb'",
        "u'x'",
        "-5",
        "+2.5e-3",
        ".5",
        "5.",
        "[1, [2, {'a': [3,],}], ]",
        "{}",
        "[]",
        "((1))",
        "(\n  'a'  # comment\n  'b'\n)",
    ],
)
def test_as_python_reads_it(text: str) -> None:
    assert read_literal(text, 0)[0] == ast.literal_eval(text)


def test_lines_of_a_string_and_unknown_escapes_are_kept() -> None:
    assert read_literal("'a\nb'", 0)[0] == "a\nb"
    assert read_literal(r"'\d'", 0)[0] == r"\d"


def test_tuples_become_lists() -> None:
    assert read_literal("(1, 'a')", 0)[0] == [1, "a"]
    assert read_literal("(1,)", 0)[0] == [1]
    assert read_literal("()", 0)[0] == []


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "f()",
        "b'x'",
        "f'x'",
        "1_000",
        "0x10",
        "1+1",
        "{1: 2}",
        "{'a'}",
        "'open",
        "[1",
        "{'a': ",
        "inf",
        "1e999",
        "'\\U00110000'",
        "",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_arguments(f"{text})", 0) if text else read_literal(text, 0)


def test_arguments() -> None:
    text = "a='x', 'dropped', b = [1, 2], **{'c d': None}, if=True,\n) rest"
    arguments, end = read_arguments(text, 0)
    assert arguments == {"a": "x", "b": [1, 2], "c d": None, "if": True}
    assert text[end:] == " rest"
