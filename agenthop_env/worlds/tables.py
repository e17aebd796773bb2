"""Tables and lists of papers: headline scores as published, breakdowns, settings, examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.outline import Draft
from agenthop_env.worlds.stock.areas import Area
from agenthop_env.worlds.stock.parts import WORK_KINDS
from agenthop_env.worlds.stock.parts_models import ENCODER, OBJECTIVE, SYSTEM
from agenthop_env.worlds.voice import capitalized
from agenthop_env.worlds.works import Work, tenths

RANKED: Final = tuple(WORK_KINDS.index(kind) for kind in (SYSTEM, ENCODER, OBJECTIVE))
"""Kinds of works that a table of scores lists."""

_ROWS: Final = {"tiny": 0, "small": 5, "full": 9}
_GRID: Final = 800
"""Characters of a breakdown, about."""

_EXAMPLES: Final = (5, 9)

_SETTINGS: Final = (
    ("Weight decay", 5, 90, 3),
    ("Gradient norm at most", 5, 40, 1),
    ("Dropout", 2, 40, 2),
    ("Label smoothing", 1, 20, 2),
    ("Averaged checkpoints", 2, 12, 0),
    ("Validation rounds", 8, 60, 0),
    ("Beam size", 2, 24, 0),
    ("Worker processes", 2, 32, 0),
    ("Decay of averages", 900, 999, 3),
    ("Initial scale", 1, 60, 2),
    ("Threshold", 5, 95, 2),
)
"""Settings that no question asks for: name, least, most, decimals."""


def place_tables(
    bits: Bits, size: str, area: Area, work: Work, cited: Sequence[Work], drafts: Sequence[Draft]
) -> None:
    """Give the sections of a paper their tables.

    Args:
        bits: Where to draw from.
        size: `tiny` (none), `small` (headline scores) or `full` (breakdowns, settings and examples too).
        area: The item's area.
        work: The paper.
        cited: Works that it cites.
        drafts: Its sections.
    """
    limit, count = _ROWS[size], 0
    if not limit:
        return
    rivals = [other for other in cited if other.kind in RANKED][:limit]
    listed = [*bits.shuffled(rivals), work]
    for draft in drafts:
        if draft.kind == "results" and rivals:
            count += 1
            draft.tables.append(_scores(count, area, listed))
        if size != "full":
            continue
        for _ in range(min(24, draft.grid // _GRID)):
            if draft.kind == "a_examples" and bits.percent(60):
                draft.tables.append(_examples(bits, area))
            else:
                count += 1
                draft.tables.append(_breakdown(bits, count, area, listed[-4:]))
        if draft.kind == "a_method":
            count += 1
            draft.tables.append(_settings(bits, count, work))


def _table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with its caption."""
    lines = [caption, f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)


def _scores(number: int, area: Area, listed: Sequence[Work]) -> str:
    """Headline scores, each as its own paper has it."""
    metric = capitalized(area.metrics[listed[0].metric])
    caption = f"Table {number}: {metric} and parameters in millions; figures of other systems as published."
    rows = [(one.name, tenths(one.score), str(one.size)) for one in listed]
    return _table(caption, ("System", metric, "Parameters"), rows)


def _breakdown(bits: Bits, number: int, area: Area, listed: Sequence[Work]) -> str:
    """Scores by kind of case, by source or by annotation; the systems differ by a few points in each row."""
    by, heads = bits.choice(
        (("kind of case", area.hard), ("source", area.sources), ("annotation", area.labels))
    )
    metric = bits.choice(area.metrics)
    where = bits.choice(("the validation part", "a tenth of the test part", "a sample of the training part"))
    rows = []
    for head in heads:
        level = bits.between(250, 800)
        rows.append((capitalized(head), *(tenths(level + bits.below(90)) for _ in listed)))
    caption = f"Table {number}: {capitalized(metric)} by {by}, our own runs on {where}."
    return _table(caption, (capitalized(by), *(one.name for one in listed)), rows)


def _settings(bits: Bits, number: int, work: Work) -> str:
    """Settings beside those that the text gives."""
    rows = []
    for name, low, high, digits in bits.sample(_SETTINGS, bits.between(5, len(_SETTINGS))):
        whole, rest = divmod(bits.between(low, high), 10**digits)
        rows.append((name, f"{whole}.{rest:0{digits}d}" if digits else str(whole)))
    caption = f"Table {number}: Settings of {work.name} that the text does not mention."
    return _table(caption, ("Setting", "Value"), rows)


def _examples(bits: Bits, area: Area) -> str:
    """Single cases with what was expected and what was found, one a line."""
    lines = []
    for _ in range(bits.between(*_EXAMPLES)):
        label, source = bits.choice(area.labels), bits.choice(area.sources)
        expected = sorted(bits.sample(range(2, 400), bits.between(2, 4)))
        found = [place + (bits.below(5) if bits.percent(40) else 0) for place in expected]
        lines.append(
            f"{capitalized(area.unit)} {bits.between(11, 9999)} ({source}): {label} expected at "
            f"{', '.join(map(str, expected))}; found at {', '.join(map(str, sorted(set(found))))}."
        )
    return "\n".join(lines)
