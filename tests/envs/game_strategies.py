"""Hypothesis strategies for what a policy may send."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from small_release import NODES, calls

from agenthop_env.rules import TOOL_NAMES

PAPERS = st.sampled_from([*NODES, "p-nowhere", "", "../x"])
SECTIONS = st.sampled_from(["A", "b", "(C)", "Method", "2.1 Rate", "Décroissance", "none", ""])
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.just([1]),
)


def _calls_of(papers: Any, sections: Any) -> Any:
    return st.one_of(
        st.builds(
            lambda paper, section: ("read_section", {"paper_id": paper, "section": section}), papers, sections
        ),
        st.builds(
            lambda name, paper: (name, {"paper_id": paper}),
            st.sampled_from(["get_references", "get_paper_info", "list_sections"]),
            papers,
        ),
        st.builds(
            lambda query, k: ("search_papers", {"query": query, "top_k": k}), st.text(max_size=12), ODD
        ),
        st.builds(lambda thought: ("think", {"thought": thought}), st.text(max_size=12)),
    )


WELL_FORMED = st.lists(_calls_of(PAPERS, SECTIONS), min_size=1, max_size=4).map(lambda wanted: calls(*wanted))
ODD_CALLS = st.builds(
    lambda name, arguments: calls((name, arguments)),
    st.sampled_from([*TOOL_NAMES, "fly"]),
    st.dictionaries(st.sampled_from(["paper_id", "section", "query", "option", "top_k"]), ODD, max_size=3),
)
SUBMISSIONS = st.sampled_from(["A", "b)", "(C)", "D.", "E", "", "the second"]).map(
    lambda option: calls(("submit_answer", {"option": option}))
)
TEXTS = st.one_of(
    st.text(max_size=40),
    st.text(alphabet=st.characters(), max_size=20),
    st.just(
        '<tool_call>{"name": "search_papers", "arguments": {"query": "a", "top_k": NaN, "x": 1e999}}</tool_call>'
    ),
    st.sampled_from(
        ["<tool_call>", '<tool_call>{"name": "think"', "\ud800", "```json\n{}\n```", "[[[[", "</think>"]
    ),
)
MESSAGES = st.one_of(WELL_FORMED, WELL_FORMED, WELL_FORMED, ODD_CALLS, TEXTS)
GAMES = st.tuples(st.lists(MESSAGES, max_size=8), st.one_of(st.none(), SUBMISSIONS)).map(
    lambda parts: parts[0] + ([] if parts[1] is None else [parts[1]])
)
"""A few messages and, mostly, a submission."""
