"""What an expert is told beforehand: the gold path, and which words of the question it turns on.

A hint steers an expert's choices among what it has been shown. It never lets an expert name a paper, a section or a
fact before a tool has shown it: only words of the question come out of it directly.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from agenthop_env.agents.delivered import section_text
from agenthop_env.agents.oracle import GoldRead, bridges, gold_reads
from agenthop_env.agents.support import content_words, tokens
from agenthop_env.demonstrations.quotes import supporting
from agenthop_env.sandbox.episode import Episode

_FOCUS_WORDS: Final = 3


class Target(NamedTuple):
    """A section that holds evidence.

    Attributes:
        paper_id: The gold paper.
        section: Place of the section.
        focus: Words of the question that the evidence there is about, as the question writes them; may be empty.
    """

    paper_id: str
    section: int
    focus: tuple[str, ...]


class Hint(NamedTuple):
    """The gold path of an item.

    Attributes:
        targets: One section for each gold paper that can be read.
        bridges: Papers that lead to gold papers which the seed does not cite.
        right: Position of the right option, 0..3, as shown.
        complete: Whether every gold paper can be read.
        useful: Words of the question that titles and abstracts of gold papers hold: good for a search.
        golds: Ids under which the gold papers are known; experts never take them for wrong papers.
    """

    targets: tuple[Target, ...]
    bridges: tuple[str, ...]
    right: int
    complete: bool
    useful: frozenset[str]
    golds: frozenset[str]


def hint_of(episode: Episode) -> Hint:
    """The gold path of an episode's item."""
    neighborhood, item = episode.neighborhood, episode.item
    right = episode.option_order.index(item.correct_index)
    reads = gold_reads(neighborhood)
    targets = [Target(read.paper_id, read.section, _focus(episode, read, right)) for read in reads]
    return Hint(
        tuple(targets),
        tuple(bridges(neighborhood)),
        right,
        len(reads) == len(item.gold_paper_ids),
        frozenset(content_words(item.question)) & _announced(episode),
        frozenset(neighborhood.paper_id(node) for node in neighborhood.gold_of),
    )


def _focus(episode: Episode, read: GoldRead, right: int) -> tuple[str, ...]:
    """Words that the question and the supporting passage of a section have in common."""
    neighborhood = episode.neighborhood
    node = neighborhood.find(read.paper_id)
    if node is None:
        return ()
    shown = neighborhood.section(neighborhood.pool(node), read.section).shown
    passage = supporting(section_text(shown) or "", episode.options, right, episode.item.question)
    held = set(tokens(passage.text)) if passage else set()
    found = [word for word in content_words(episode.item.question) if word in held and word.isalpha()]
    return tuple(found[:_FOCUS_WORDS])


def _announced(episode: Episode) -> set[str]:
    """The words of the gold papers' titles and abstracts."""
    neighborhood = episode.neighborhood
    return {
        word
        for node in neighborhood.gold_of
        for word in tokens(f"{neighborhood.meta(node).title or ''} {neighborhood.abstract(node) or ''}")
    }
