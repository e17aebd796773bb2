"""What a person types while playing: short commands for tool calls, and numbers for papers just listed.

What cannot be a call is answered here and costs nothing: a missing argument, a number beyond the list, a submission
that is no letter. Whatever a policy could mean (an id that there is none of, a section that there is none of) is
played as it is. A tool call written as text is never looked at here.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from agenthop_env.agents import delivered
from agenthop_env.records import ToolCall
from agenthop_env.rules import OPTION_LETTERS
from agenthop_env.text.letters import parse_option

HELP: Final = """\
info ID        get_paper_info (1 point)      list ID        list_sections (1 point)
refs ID        get_references (1 point)      read ID B      read_section (5 points); a letter or a header
search WORDS   search_papers (1 point)       think WORDS    free
submit B       your answer, ends the game    quit           leave without an answer
ID is a paper's id, a number of the last list of papers, or `seed`. Tool calls as text work too.
again shows the question; help shows this."""

_PAPER_TOOLS: Final = {"info": "get_paper_info", "refs": "get_references", "list": "list_sections"}
_OPENED: Final = re.compile(r"<(?=[a-z])")
_OPENERS: Final = ("<", "[", "{", "`")
_NUMBER_DIGITS: Final = 4
"""Digits up to which a number is meant as a place in the last list; longer ones are ids."""


class Typed(NamedTuple):
    """What a line comes to: calls to play, or words to answer it with."""

    calls: list[ToolCall]
    reply: str = ""


class _RefusedError(Exception):
    """A line that cannot be a call, with a hint."""


class Shorthand:
    """Turns short commands into calls.

    Args:
        seed_paper_id: What `seed` stands for.
    """

    def __init__(self, seed_paper_id: str) -> None:
        self._seed = seed_paper_id
        self._listed: list[str] = []

    def note(self, result: str) -> None:
        """Remember the papers of a listing, so that their numbers name them."""
        papers = delivered.papers(result)
        if papers:
            self._listed = [paper.paper_id for paper in papers]

    def calls(self, line: str) -> Typed:
        """The calls that a line asks for, or a hint where it cannot be one."""
        verb, _, rest = line.strip().partition(" ")
        try:
            return Typed([self._call(verb.lower(), rest.strip())])
        except _RefusedError as refused:
            return Typed([], str(refused))

    def _call(self, verb: str, rest: str) -> ToolCall:
        if verb in _PAPER_TOOLS:
            if not rest:
                raise _RefusedError(f"{verb} needs a paper: {verb} ID")
            if len(rest.split()) > 1:
                raise _RefusedError(f"{verb} takes one paper: {verb} ID; search finds papers by words")
            return ToolCall(_PAPER_TOOLS[verb], {"paper_id": self._paper(rest)})
        if verb == "read":
            paper, _, section = rest.partition(" ")
            if not section.strip():
                raise _RefusedError("read needs a paper and a section: read ID B; list ID shows the sections")
            return ToolCall("read_section", {"paper_id": self._paper(paper), "section": section.strip()})
        if verb == "search":
            if not rest:
                raise _RefusedError("search needs words: search WORDS")
            return ToolCall("search_papers", {"query": rest})
        if verb == "think":
            if not rest:
                raise _RefusedError("think needs words: think WORDS")
            return ToolCall("think", {"thought": rest})
        if verb == "submit":
            if parse_option(rest) is None:
                letters = ", ".join(OPTION_LETTERS)
                raise _RefusedError(f"submit needs one letter of {letters}: submit {OPTION_LETTERS[1]}")
            return ToolCall("submit_answer", {"option": rest})
        raise _RefusedError(f"not understood: {verb}; help shows what there is")

    def _paper(self, given: str) -> str:
        if given.lower() == "seed":
            return self._seed
        if not given.isdecimal() or len(given) > _NUMBER_DIGITS:
            return given
        if not self._listed:
            raise _RefusedError(f"no list of papers yet that {given} could be in; refs seed shows one")
        if not 1 <= int(given) <= len(self._listed):
            raise _RefusedError(
                f"no paper {given} in the last list, which goes from 1 to {len(self._listed)}"
            )
        return self._listed[int(given) - 1]


def may_be_call_text(line: str) -> bool:
    """Whether a line looks like the start of a tool call as text."""
    return line.lstrip().startswith(_OPENERS)


def complete(text: str) -> bool:
    """Whether a call as text has its end: every tag, fence and bracket that was opened is closed."""
    tags = len(_OPENED.findall(text)) <= text.count("</")
    return (
        tags
        and text.count("```") % 2 == 0
        and all(text.count(one) <= text.count(two) for one, two in ("[]", "{}"))
    )
