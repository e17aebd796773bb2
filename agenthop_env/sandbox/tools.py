"""The seven tools: one call in, one outcome and its text out (protocol section 2).

A tool never raises because of what a policy sent. Prices, rejections and disabled tools are the episode's; a tool
only says what its call comes to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from agenthop_env.corpus.neighborhood import Neighborhood
from agenthop_env.records import SectionRead
from agenthop_env.rules import TOP_K_DEFAULT, TOP_K_MAX, TOP_K_MIN
from agenthop_env.sandbox.prompts import ARGUMENTS, REQUIRED, PromptSet
from agenthop_env.sandbox.search import Ranking
from agenthop_env.text import layout
from agenthop_env.text.letters import letter, parse_option

_WHOLE: Final = re.compile(r"[+-]?[0-9]+")
_SHOWN_CHARS: Final = 200


class Context(NamedTuple):
    """What the tools of one episode work with."""

    neighborhood: Neighborhood
    prompts: PromptSet
    rank: Ranking


class Outcome(NamedTuple):
    """What a call came to.

    Attributes:
        outcome: One of `rules.OUTCOMES`.
        text: What the agent is told.
        read: The section read, where one was.
        pool: The pool paper it is of.
        submitted: The submitted string, for a valid `submit_answer`.
    """

    outcome: str
    text: str
    read: SectionRead | None = None
    pool: int = -1
    submitted: str | None = None


Arguments = Mapping[str, Any]


def get_paper_info(context: Context, arguments: Arguments) -> Outcome:
    """Metadata and abstract of a paper."""
    paper_id = arguments.get("paper_id")
    if not isinstance(paper_id, str):
        return bad_arguments(context, "get_paper_info", "paper_id", paper_id)
    neighborhood = context.neighborhood
    node = neighborhood.find(paper_id)
    if node is None:
        return _unknown_paper(context, paper_id)
    return Outcome("ok", neighborhood.info(node))


def get_references(context: Context, arguments: Arguments) -> Outcome:
    """Papers that a paper cites."""
    paper_id = arguments.get("paper_id")
    if not isinstance(paper_id, str):
        return bad_arguments(context, "get_references", "paper_id", paper_id)
    node = context.neighborhood.find(paper_id)
    if node is None:
        return _unknown_paper(context, paper_id)
    count, listing = context.neighborhood.references(node)
    if not count:
        return Outcome("empty", context.prompts.message("empty_references", paper_id=paper_id))
    return Outcome("ok", f"References for paper '{paper_id}' ({count} papers):\n\n{listing}")


def search_papers(context: Context, arguments: Arguments) -> Outcome:
    """Papers in reach whose title or abstract shares words with a query."""
    query = arguments.get("query")
    if not isinstance(query, str):
        return bad_arguments(context, "search_papers", "query", query)
    top_k = TOP_K_DEFAULT
    if "top_k" in arguments:
        wanted = _whole(arguments["top_k"])
        if wanted is None:
            return bad_arguments(context, "search_papers", "top_k", arguments["top_k"])
        top_k = min(max(wanted, TOP_K_MIN), TOP_K_MAX)
    neighborhood = context.neighborhood
    nodes = context.rank(neighborhood, query, top_k)
    if not nodes:
        return Outcome("empty", context.prompts.message("empty_search", query=_shown(query)))
    listing = layout.numbered([neighborhood.card(node) for node in nodes])
    return Outcome("ok", f"Search results for '{query}' ({len(nodes)} matches):\n\n{listing}")


def list_sections(context: Context, arguments: Arguments) -> Outcome:
    """Sections of a paper: alias, header, length."""
    paper_id = arguments.get("paper_id")
    if not isinstance(paper_id, str):
        return bad_arguments(context, "list_sections", "paper_id", paper_id)
    neighborhood = context.neighborhood
    node = neighborhood.find(paper_id)
    if node is None:
        return _unknown_paper(context, paper_id)
    pool = neighborhood.pool(node)
    count = neighborhood.section_count(pool)
    if not count:
        return _no_sections(context, paper_id, pool)
    return Outcome(
        "ok", f"Sections for paper '{paper_id}' ({count} sections):\n\n{neighborhood.section_list(pool)}"
    )


def read_section(context: Context, arguments: Arguments) -> Outcome:
    """Full text of one section."""
    paper_id, section = arguments.get("paper_id"), arguments.get("section")
    if not isinstance(paper_id, str):
        return bad_arguments(context, "read_section", "paper_id", paper_id)
    if not isinstance(section, str):
        return bad_arguments(context, "read_section", "section", section)
    neighborhood = context.neighborhood
    node = neighborhood.find(paper_id)
    if node is None:
        return _unknown_paper(context, paper_id)
    pool = neighborhood.pool(node)
    if not neighborhood.section_count(pool):
        return _no_sections(context, paper_id, pool)
    index = neighborhood.resolve(pool, section)
    if index is None:
        listing = neighborhood.section_list(pool)
        text = context.prompts.message(
            "unknown_section", section=_shown(section), paper_id=paper_id, sections=listing
        )
        return Outcome("unknown_section", text)
    found = neighborhood.section(pool, index)
    read = SectionRead(
        paper_id,
        neighborhood.arxiv_id(pool),
        index,
        found.header,
        found.text_hash,
        neighborhood.gold_of.get(node),
    )
    return Outcome("ok", found.shown, read, pool)


def think(context: Context, arguments: Arguments) -> Outcome:
    """A thought; nothing happens."""
    return Outcome("ok", context.prompts.message("thought"))


def submit_answer(context: Context, arguments: Arguments) -> Outcome:
    """The answer, which ends the run."""
    option = arguments.get("option")
    if option is None:
        option = arguments.get("answer")
    if not isinstance(option, str):
        return bad_arguments(context, "submit_answer", "option", option)
    index = parse_option(option)
    if index is None:
        text = context.prompts.message("submitted_invalid", submitted=_shown(option))
    else:
        text = context.prompts.message("submitted", letter=letter(index))
    return Outcome("ok", text, submitted=option)


TOOLS: Final[dict[str, Callable[[Context, Arguments], Outcome]]] = {
    "get_paper_info": get_paper_info,
    "get_references": get_references,
    "search_papers": search_papers,
    "list_sections": list_sections,
    "read_section": read_section,
    "think": think,
    "submit_answer": submit_answer,
}


def bad_arguments(context: Context, name: str, argument: str | None, value: Any) -> Outcome:
    """The outcome of a call whose arguments cannot be used.

    Args:
        context: The episode's.
        name: Tool.
        argument: The argument at fault, None where the arguments as a whole are no object.
        value: What stood there.
    """
    if argument is None:
        problem = f"a JSON object is expected, not {_kind(value)}"
    elif argument == "top_k":
        problem = f"top_k must be a whole number, not {_shown(repr(value))}"
    elif value is None:
        problem = f"{argument} is missing"
    else:
        problem = f"{argument} must be a string, not {_kind(value)}"
    expected = ", ".join(
        argument if argument in REQUIRED[name] else f"{argument} (optional)" for argument in ARGUMENTS[name]
    )
    return Outcome(
        "bad_arguments",
        context.prompts.message("bad_arguments", name=name, problem=problem, expected=expected),
    )


def _unknown_paper(context: Context, paper_id: str) -> Outcome:
    return Outcome("unknown_paper", context.prompts.message("unknown_paper", paper_id=_shown(paper_id)))


def _no_sections(context: Context, paper_id: str, pool: int) -> Outcome:
    if pool < 0:
        return Outcome("no_text", context.prompts.message("no_text", paper_id=paper_id))
    return Outcome("empty", context.prompts.message("empty_sections", paper_id=paper_id))


def _whole(value: Any) -> int | None:
    """A whole number from one or from a string of one; None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and _WHOLE.fullmatch(text := value.strip()):
        size = int(text.lstrip("+-0")[:_DIGITS_READ] or "0")
        return -size if text[0] == "-" else size
    return None


_DIGITS_READ: Final = 20
"""Digits of a number in a string that are read: any more changes nothing once it is clamped."""


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "..."


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
