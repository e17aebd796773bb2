"""The headline figures of a run (paper Table 2), from its records alone.

Sums are whole numbers, so the order of records changes nothing. Every figure exists for zero records: shares are 0
and what cannot be said is null.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from agenthop_env.diagnostics.intervals import wilson
from agenthop_env.records import EpisodeRecord, Usage
from agenthop_env.rules import ENDINGS, Limits

SUMMARY_VERSION: Final = 1
"""Version of the layout of `summary.json`."""

ERRORS_LISTED: Final = 1000


ByType = dict[str, float | None]
"""A figure for single-target items (`st`), multi-target items (`mt`) and `all`; null where there are none."""


class Axes(msgspec.Struct, frozen=True):
    """The axes of the paper.

    Attributes:
        paper_recall: Share of items of which text of every gold paper was delivered.
        section_recall: Share of items of which a delivered section satisfies a direct label, for every gold paper.
        conversion: Share of right answers among items with paper recall; null where there is none.
        calls_per_turn: Tool calls over assistant turns, pooled over all episodes.
        multi_call_share: Share of turns with two calls or more.
        tokens: Mean prompt plus completion tokens, cached ones included.
        tokens_uncached: The same without prompt tokens that a cache served.
        turns: Mean assistant messages.
        points: Mean points spent.
    """

    paper_recall: ByType
    section_recall: ByType
    conversion: ByType
    calls_per_turn: float
    multi_call_share: float
    tokens: float
    tokens_uncached: float
    turns: float
    points: float


class Released(msgspec.Struct, frozen=True):
    """The released harness's looser figures, under which one gold paper of several is enough.

    Attributes:
        any_gold_recall: Share of items of which text of any gold paper was delivered.
        any_gold_conversion: Share of right answers among those.
        any_gold_section_recall: Share of items of which a direct label of any gold paper is satisfied, by this
            package's match of labels.
    """

    any_gold_recall: ByType
    any_gold_conversion: ByType
    any_gold_section_recall: ByType


class DataSet(msgspec.Struct, frozen=True):
    """What was played on.

    Attributes:
        name: Name of the data set; several are joined by " + ".
        fingerprint: Hash of its content, likewise.
        splits: Episodes by split.
    """

    name: str = ""
    fingerprint: str = ""
    splits: dict[str, int] = {}


class Failure(msgspec.Struct, frozen=True):
    """An item that ended as `error`."""

    item_id: str
    error: str


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What `summary.json` holds.

    Attributes:
        schema_version: Version of this layout.
        n: Episodes.
        correct: Right answers.
        accuracy: Right answers over all episodes; every other ending is wrong, `error` among them.
        accuracy_interval: Its Wilson 95 percent interval.
        accuracy_by_type: The same for single-target and multi-target items.
        endings: Episodes by ending.
        axes: The paper's axes.
        counts: Episodes behind each figure: `items`, `paper_recall` (items recalled: the n of conversion).
        released: The released harness's looser figures.
        no_option: Submissions without a valid option.
        rejected: Calls rejected for their price, in all.
        unseen_reads: Sections read in the turn of the submission, in all.
        length_stops: Turns that a server cut off for their length.
        unscorable_sections: Episodes on items with a gold paper without a direct label.
        errors: How many episodes ended as `error`; `failures` lists them.
        failures: Those episodes, by item id.
        retried: Episodes that took more than one try.
        usage: Tokens of all episodes, failed tries included.
        dataset: What was played on.
        limits: The caps, null where episodes had different ones.
        token_accounting: Which token sum was held against the cap, null where episodes differ.
    """

    schema_version: int = SUMMARY_VERSION
    n: int
    correct: int
    accuracy: float
    accuracy_interval: tuple[float, float]
    accuracy_by_type: ByType
    endings: dict[str, int]
    axes: Axes
    counts: dict[str, dict[str, int]]
    released: Released
    no_option: int
    rejected: int
    unseen_reads: int
    length_stops: int
    unscorable_sections: int
    errors: int
    failures: list[Failure]
    retried: int
    usage: Usage
    dataset: DataSet
    limits: Limits | None
    token_accounting: str | None

    @property
    def conversion_n(self) -> dict[str, int]:
        """Items with paper recall, by type: the n of conversion."""
        return self.counts["paper_recall"]


def summarize(records: Iterable[EpisodeRecord]) -> Summary:
    """The headline figures of some records; they are read once, in any order.

    Args:
        records: Records of one run, or of several to be pooled.
    """
    sums: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    splits: Counter[str] = Counter()
    names: set[str] = set()
    fingerprints: set[str] = set()
    limits: set[Limits] = set()
    accounting: set[str] = set()
    failures: list[Failure] = []
    usage = Usage()
    for record in records:
        _count(record, sums)
        endings[record.ending or "unfinished"] += 1
        splits[record.split] += 1
        names.add(record.dataset)
        fingerprints.add(record.fingerprint)
        limits.add(record.limits)
        accounting.add(record.token_accounting)
        usage += record.totals.usage
        for attempt in record.attempts:
            usage += attempt.usage
        if record.ending == "error":
            failures.append(Failure(record.item_id, record.error or ""))
    n = sums["n all"]
    failures.sort(key=lambda failure: (failure.item_id, failure.error))
    return Summary(
        n=n,
        correct=sums["correct all"],
        accuracy=sums["correct all"] / n if n else 0.0,
        accuracy_interval=wilson(sums["correct all"], n),
        accuracy_by_type=_share(sums, "correct", "n"),
        endings={
            ending: endings[ending]
            for ending in (*ENDINGS, "unfinished")
            if endings[ending] or ending in ENDINGS
        },
        axes=_axes(sums),
        counts={name: _by_type(sums, key) for name, key in (("items", "n"), ("paper_recall", "recalled"))},
        released=Released(
            _share(sums, "any gold", "n"),
            _share(sums, "any gold correct", "any gold"),
            _share(sums, "any satisfied", "n"),
        ),
        no_option=sums["no option"],
        rejected=sums["rejected"],
        unseen_reads=sums["unseen"],
        length_stops=sums["length"],
        unscorable_sections=sums["unscorable"],
        errors=len(failures),
        failures=failures[:ERRORS_LISTED],
        retried=sums["retried"],
        usage=usage,
        dataset=DataSet(
            " + ".join(sorted(names)),
            " + ".join(sorted(fingerprints)),
            dict(sorted(splits.items())),
        ),
        limits=limits.pop() if len(limits) == 1 else None,
        token_accounting=accounting.pop() if len(accounting) == 1 else None,
    )


def _count(record: EpisodeRecord, sums: Counter[str]) -> None:
    """Add one record to the sums."""
    kinds = ["all"]
    if record.cuts.question_type == "single-target":
        kinds.append("st")
    elif record.cuts.question_type == "multi-target":
        kinds.append("mt")
    facts = {
        "n": True,
        "correct": record.correct,
        "recalled": record.paper_recall,
        "recalled correct": record.paper_recall and record.correct,
        "section": record.section_recall,
        "any gold": record.any_gold_read,
        "any gold correct": record.any_gold_read and record.correct,
        "any satisfied": any(record.gold_satisfied),
    }
    for kind in kinds:
        sums.update(f"{name} {kind}" for name, holds in facts.items() if holds)
    own = record.turns[record.prefix_turns :]
    totals = record.totals
    sums["turns"] += len(own)
    sums["calls"] += sum(len(turn.calls) for turn in own)
    sums["multi"] += sum(len(turn.calls) > 1 for turn in own)
    sums["length"] += sum(turn.finish_reason == "length" for turn in own)
    sums["points"] += totals.points
    sums["tokens"] += totals.tokens
    sums["uncached"] += totals.tokens_uncached
    sums["rejected"] += totals.rejected
    sums["unseen"] += totals.unseen_reads
    sums["unscorable"] += not record.scorable_sections
    sums["retried"] += record.retries > 0
    sums["no option"] += record.ending == "answer" and record.option is None


def _axes(sums: Counter[str]) -> Axes:
    n, turns = sums["n all"] or 1, sums["turns"] or 1
    return Axes(
        paper_recall=_share(sums, "recalled", "n"),
        section_recall=_share(sums, "section", "n"),
        conversion=_share(sums, "recalled correct", "recalled"),
        calls_per_turn=sums["calls"] / turns,
        multi_call_share=sums["multi"] / turns,
        tokens=sums["tokens"] / n,
        tokens_uncached=sums["uncached"] / n,
        turns=sums["turns"] / n,
        points=sums["points"] / n,
    )


_KINDS: Final = ("st", "mt", "all")


def _by_type(sums: Counter[str], name: str) -> dict[str, int]:
    return {kind: sums[f"{name} {kind}"] for kind in _KINDS}


def _share(sums: Counter[str], part: str, whole: str) -> ByType:
    """A share by type, null where there is nothing to share in."""
    return {
        kind: sums[f"{part} {kind}"] / sums[f"{whole} {kind}"] if sums[f"{whole} {kind}"] else None
        for kind in _KINDS
    }
