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
_GRID: Final = 300
"""Characters that are left to prose where they would be too few for a breakdown."""

_EXAMPLES: Final = (5, 9)

_BY: Final = (
    "kind of case",
    "source",
    "annotation",
    "kind of case and source",
    "source and annotation",
    "annotation and kind of case",
)
_WHERE: Final = (
    "on the validation part",
    "on a tenth of the test part",
    "on a sample of the training part",
    "with half of the training data",
    "with a smaller model",
    "with another seed",
    "without tuning",
)
_CAPTIONS: Final = tuple(
    (by, metric, where) for by in range(len(_BY)) for metric in range(3) for where in range(len(_WHERE))
)
"""What a breakdown is by, the metric, and where: each paper has each of them once at most."""

_SETTINGS: Final = (
    ("Weight decay", 5, 90, 3),
    ("Gradient norm at most", 5, 40, 1),
    ("Dropout", 2, 40, 2),
    ("Label smoothing", 1, 20, 2),
    ("Rounds between checkpoints", 2, 12, 0),
    ("Validation rounds", 8, 60, 0),
    ("Steps of accumulation", 2, 24, 0),
    ("Worker processes", 2, 32, 0),
    ("Decay of averages", 900, 999, 3),
    ("Initial scale", 1, 60, 2),
    ("Share of validation data", 5, 25, 2),
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
    # No caption returns within a paper, or its numbers would contradict the earlier ones.
    captions = bits.shuffled(_CAPTIONS) if size == "full" else []
    for draft in drafts:
        if draft.kind == "results" and rivals:
            count += 1
            draft.tables.append(_scores(count, area, listed))
        if size != "full":
            continue
        left = draft.grid
        while left > _GRID:
            if not captions or (draft.kind == "a_examples" and bits.percent(60)):
                table = _examples(bits, area)
            else:
                count += 1
                table = _breakdown(bits, count, area, listed[-4:], captions.pop())
            draft.tables.append(table)
            left -= len(table) + 2
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


def _breakdown(
    bits: Bits, number: int, area: Area, listed: Sequence[Work], caption: tuple[int, int, int]
) -> str:
    """Scores by kind of case, by source or by annotation; the systems differ by a few points in each row.

    In the metric of the headline scores, rows lie around these, and below them for difficult cases.
    """
    which, metric, where = caption
    by = _BY[which]
    lists = (area.hard, area.sources, area.labels)
    heads = lists[which % 3]
    if which > 2:
        heads = tuple(f"{head}, {other}" for head in heads for other in lists[(which + 1) % 3])
    low, high = (-190, -20) if which in (0, 3, 5) else (-70, 50)
    rows = []
    for head in heads:
        shift, level = bits.between(low, high), bits.between(250, 800)
        levels = [one.score + shift if metric == one.metric else level + 30 for one in listed]
        rows.append((capitalized(head), *(tenths(min(989, base + bits.between(-30, 30))) for base in levels)))
    shown = capitalized(area.metrics[metric])
    return _table(
        f"Table {number}: {shown} by {by}, our own runs {_WHERE[where]}.",
        (capitalized(by), *(one.name for one in listed)),
        rows,
    )


def _settings(bits: Bits, number: int, work: Work) -> str:
    """Settings beside those that the text gives."""
    rows = []
    for name, low, high, digits in bits.sample(_SETTINGS, bits.between(5, len(_SETTINGS))):
        whole, rest = divmod(bits.between(low, high), 10**digits)
        rows.append((name, f"{whole}.{rest:0{digits}d}" if digits else str(whole)))
    caption = f"Table {number}: Settings of {work.model} that the text does not mention."
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
