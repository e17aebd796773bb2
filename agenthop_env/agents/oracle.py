"""An agent that knows the gold path: an upper bound, and the proof that an item can be solved within the limits."""

from __future__ import annotations

from typing import Final, NamedTuple

from agenthop_env.agents.scripted import Script, ScriptedAgent, paper_call, read_call, submit_call
from agenthop_env.corpus.neighborhood import Neighborhood
from agenthop_env.records import ToolCall
from agenthop_env.rules import TOOL_POINTS
from agenthop_env.sandbox.episode import Episode
from agenthop_env.text.sections import alias

_PATIENCE: Final = 3
"""Turns of navigation at most: the seed's references, those of bridges, the section lists."""


class GoldRead(NamedTuple):
    """The section to read for one gold paper.

    Attributes:
        paper_id: The gold paper.
        section: Place of the section.
        size: Bytes of its text.
        direct: Whether it satisfies a direct label.
    """

    paper_id: str
    section: int
    size: int
    direct: bool


class Oracle(ScriptedAgent):
    """Walks from the seed over bridges to every gold paper, reads one section of each, submits the right option.

    Where the limits leave no room for the whole way, reads come first and the steps towards them last. Where a gold
    paper cannot be read, or none of its sections satisfies a direct label, the record shows it.
    """

    def __init__(self, episode: Episode, seed: int = 0) -> None:
        super().__init__(episode, seed)
        self.reads = gold_reads(episode.neighborhood)
        self._bridges = bridges(episode.neighborhood)
        self._right = episode.option_order.index(episode.item.correct_index)

    def script(self) -> Script:
        """References of the seed and of bridges, section lists, reads in one turn, the answer."""
        steps = [
            [paper_call("get_references", self.task.seed_paper_id)],
            [paper_call("get_references", bridge) for bridge in self._bridges],
            [paper_call("list_sections", read.paper_id) for read in self.reads],
        ]
        reads = [read_call(read.paper_id, alias(read.section)) for read in self.reads]
        spare = self.points_left - len(reads) * TOOL_POINTS["read_section"]
        turns = self.turns_left - 2
        for step in steps[:_PATIENCE]:
            calls = [call for call in self.usable(step) if TOOL_POINTS[call.name] <= spare]
            if not calls or turns <= 0 or (spare := spare - _price(calls)) < 0:
                continue
            turns -= 1
            yield calls
        reads = self.usable(reads)
        if reads and self.turns_left >= 2:
            yield reads
        yield [submit_call(self._right)]


def _price(calls: list[ToolCall]) -> int:
    return sum(TOOL_POINTS[call.name] for call in calls)


def gold_reads(neighborhood: Neighborhood) -> list[GoldRead]:
    """The cheapest reads that cover an item's evidence: per gold paper that has text, one section.

    A section that satisfies a direct label is taken, of several the shortest; without one, the shortest of all.
    Every read costs the same, and each delivers one gold paper, so no other choice of reads costs less.
    """
    reads: dict[int, GoldRead] = {}
    for node, gold in neighborhood.gold_of.items():
        pool = neighborhood.pool(node)
        count = neighborhood.section_count(pool) if pool >= 0 else 0
        direct = {
            section
            for (of, section), pairs in neighborhood.evidence.items()
            if of == pool and any(covered == gold for covered, _ in pairs)
        }
        choices = sorted(direct) or range(count)
        found = [
            GoldRead(
                neighborhood.paper_id(node), section, neighborhood.section(pool, section).size, bool(direct)
            )
            for section in choices
        ]
        if found:
            best = min(found, key=lambda read: read.size)
            known = reads.get(gold)
            if known is None or (best.direct, -best.size) > (known.direct, -known.size):
                reads[gold] = best
    return [reads[gold] for gold in sorted(reads)]


def bridges(neighborhood: Neighborhood) -> list[str]:
    """Papers between the seed and the gold papers that the seed does not cite: the item's own bridges first."""
    item = neighborhood.item
    seed = neighborhood.find(item.seed_paper_id)
    if seed is None:
        return []
    cited = [node for node in neighborhood.cited(seed) if node >= 0]
    far = [node for node in neighborhood.gold_of if node not in cited and node != seed]
    named = [node for paper in item.bridge_paper_ids if (node := neighborhood.find(paper)) is not None]
    chosen: list[int] = []
    for gold in far:
        ways = [node for node in dict.fromkeys([*named, *cited]) if gold in neighborhood.cited(node)]
        if ways and not any(way in chosen for way in ways):
            chosen.append(ways[0])
    return [neighborhood.paper_id(node) for node in chosen]
