"""What a person types while playing: short commands for tool calls, and numbers for papers just listed."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from agenthop_env.agents import delivered
from agenthop_env.records import ToolCall

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


class Typed(NamedTuple):
    """What a line comes to: calls to play, or words to answer it with."""

    calls: list[ToolCall]
    reply: str = ""


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
        """The calls that a line asks for."""
        verb, _, rest = line.strip().partition(" ")
        verb, rest = verb.lower(), rest.strip()
        if verb in _PAPER_TOOLS:
            if not rest:
                return Typed([], f"{verb} needs a paper: {verb} ID")
            return Typed([ToolCall(_PAPER_TOOLS[verb], {"paper_id": self._paper(rest)})])
        if verb == "read":
            paper, _, section = rest.partition(" ")
            if not section.strip():
                return Typed([], "read needs a paper and a section: read ID B")
            return Typed(
                [ToolCall("read_section", {"paper_id": self._paper(paper), "section": section.strip()})]
            )
        if verb == "search":
            return Typed([ToolCall("search_papers", {"query": rest})])
        if verb == "think":
            return Typed([ToolCall("think", {"thought": rest})])
        if verb == "submit":
            if not rest:
                return Typed([], "submit needs a letter: submit B")
            return Typed([ToolCall("submit_answer", {"option": rest})])
        return Typed([], f"not understood: {verb}; help shows what there is")

    def _paper(self, given: str) -> str:
        if given.lower() == "seed":
            return self._seed
        if given.isdecimal() and len(given) <= 4 and 1 <= int(given) <= len(self._listed):
            return self._listed[int(given) - 1]
        return given


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
