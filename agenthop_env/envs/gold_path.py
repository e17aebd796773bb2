"""The scripted way to an item's direct evidence, which `AgentHopCommit-v0` replays by default."""

from __future__ import annotations

from typing import Final, NamedTuple

from agenthop_env.actions import render_calls
from agenthop_env.corpus.neighborhood import Neighborhood
from agenthop_env.records import ToolCall
from agenthop_env.rules import TOOL_POINTS
from agenthop_env.sandbox.episode import Episode
from agenthop_env.sandbox.opening import DEFAULT_EXAMPLE_FORMAT
from agenthop_env.text.sections import alias

Written = tuple[str, tuple[ToolCall, ...] | None]
"""A message's text, and its calls where they are given structured."""

_READ: Final = "read_section"


class _Section(NamedTuple):
    """A section worth reading, with the gold papers it is of and the direct labels it satisfies."""

    paper_id: str
    section: int
    golds: frozenset[int]
    labels: frozenset[int]

    @property
    def call(self) -> ToolCall:
        return ToolCall(_READ, {"paper_id": self.paper_id, "section": alias(self.section)})


def gold_path(episode: Episode) -> list[Written]:
    """The messages that deliver an item's direct evidence in an episode that has just begun.

    References of the seed, those of the bridges together with the gold papers' section lists, then all reads in one
    turn. Reads come first where points are short: a section of every gold paper, then every other direct label.
    Where turns are short the navigation is left out; where the tokens of all reads would leave none for the policy's
    turn, the last reads are. Tools that are disabled are not called.

    Args:
        episode: The episode; it is not changed.
    """
    limits = episode.limits
    wanted = _covering(episode.neighborhood) if _READ in episode.tool_names else []
    wanted = wanted[: limits.points // TOOL_POINTS[_READ]]
    while True:
        steps = _navigation(episode, wanted, limits.points - len(wanted) * TOOL_POINTS[_READ])
        if wanted:
            steps.append([section.call for section in wanted])
        messages = [
            _written(episode, calls) for calls in steps[max(0, len(steps) - limits.turns + 1) :] if calls
        ]
        if not wanted or not _exhausts_tokens(episode, messages):
            return messages
        wanted = wanted[:-1]


def _covering(neighborhood: Neighborhood) -> list[_Section]:
    """Few sections that deliver every gold paper and satisfy every direct label that can be, the most useful first."""
    offered: list[_Section] = []
    for node, gold in sorted(neighborhood.gold_of.items(), key=lambda pair: (pair[1], pair[0])):
        pool = neighborhood.pool(node)
        if pool < 0:
            continue
        paper_id = neighborhood.paper_id(node)
        labeled = {section for of, section in neighborhood.evidence if of == pool}
        for section in sorted(labeled) or range(min(1, neighborhood.section_count(pool))):
            pairs = neighborhood.evidence.get((pool, section), ())
            labels = frozenset(label for _, label in pairs)
            offered.append(_Section(paper_id, section, frozenset({gold}), labels))
    chosen: list[_Section] = []
    golds: frozenset[int] = frozenset()
    labels = frozenset[int]()
    while offered:
        best = max(offered, key=lambda one: (len(one.golds - golds), len(one.labels - labels)))
        if not (best.golds - golds or best.labels - labels):
            break
        chosen.append(best)
        golds, labels = golds | best.golds, labels | best.labels
        offered.remove(best)
    return chosen


def _navigation(episode: Episode, wanted: list[_Section], points: int) -> list[list[ToolCall]]:
    """What an agent would call to find those sections, as far as the points reach."""
    item, tools = episode.item, episode.tool_names
    papers = dict.fromkeys(section.paper_id for section in wanted)
    steps = [
        [("get_references", item.seed_paper_id)],
        [("get_references", bridge) for bridge in item.bridge_paper_ids]
        + [("list_sections", paper) for paper in papers],
    ]
    kept: list[list[ToolCall]] = []
    for step in steps:
        calls = []
        for name, paper in step:
            if name in tools and TOOL_POINTS[name] <= points:
                points -= TOOL_POINTS[name]
                calls.append(ToolCall(name, {"paper_id": paper}))
        kept.append(calls)
    return kept


def _written(episode: Episode, calls: list[ToolCall]) -> Written:
    if episode.tool_mode == "native":
        return "", tuple(calls)
    tool_format = DEFAULT_EXAMPLE_FORMAT if episode.tool_format == "auto" else episode.tool_format
    return render_calls(calls, tool_format), None


def _exhausts_tokens(episode: Episode, messages: list[Written]) -> bool:
    """Whether an empty message after these would already be over the token cap."""
    probe = episode.fork()
    for text, calls in [*messages, ("", None)]:
        if probe.ending is None:
            probe.turn(text, calls)
    return probe.ending == "token_limit"
