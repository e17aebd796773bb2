"""Headline figures from records: by hand, for none, in any order."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import msgspec
import pytest

from agenthop_env import EpisodeRecord, Limits, ToolCall, Usage
from agenthop_env.diagnostics import RunError, load_runs, summarize, wilson
from agenthop_env.records import Attempt, CallRecord, Cuts, Totals, TurnRecord


def record(
    item_id: str = "st_0001",
    kind: str = "single-target",
    *,
    correct: bool = False,
    recall: bool = False,
    **changes: object,
) -> EpisodeRecord:
    values: dict[str, object] = {
        "item_id": item_id, "dataset": "d", "fingerprint": "f", "split": "test", "cuts": Cuts(question_type=kind, depth=1),
        "seed_paper_id": "s", "gold_paper_ids": ("g",), "correct_index": 0, "limits": Limits(), "ending": "answer",
        "option": 0 if correct else 1, "correct": correct, "paper_recall": recall, "any_gold_read": recall,
    }  # fmt: skip
    return EpisodeRecord(**values | changes)  # type: ignore[arg-type]


CALL = CallRecord("think", {}, "ok", 0)
TURNS = (TurnRecord("a", (CALL, CALL)), TurnRecord("b", (CALL,), finish_reason="length"), TurnRecord("c"))


def test_nothing_gives_a_summary_too() -> None:
    summary = summarize([])
    assert (summary.n, summary.accuracy, summary.accuracy_interval) == (0, 0.0, (0.0, 1.0))
    assert summary.axes.conversion == {"st": None, "mt": None, "all": None}
    assert (summary.axes.calls_per_turn, summary.axes.turns, summary.limits) == (0.0, 0.0, None)
    assert summary.endings["answer"] == 0
    assert math.isfinite(json.loads(msgspec.json.encode(summary))["axes"]["tokens"])


def test_records_without_turns_count() -> None:
    summary = summarize(
        [record(ending="max_turns", option=None), record("mt_0001", "multi-target", ending=None)]
    )
    assert (summary.n, summary.axes.calls_per_turn, summary.axes.points) == (2, 0.0, 0.0)
    assert summary.endings["max_turns"] == summary.endings["unfinished"] == 1


def test_figures_by_hand() -> None:
    records = [
        record("st_0001", correct=True, recall=True, turns=TURNS, totals=Totals(3, 3, 10, 1, 2, 300, 200, Usage(250, 50, 100))),
        record("st_0002", correct=False, recall=True, totals=Totals(points=20, tokens=100, usage=Usage(90, 10))),
        record("st_0003", correct=True, section_recall=True, gold_satisfied=(True,)),
        record("mt_0001", "multi-target", correct=True, any_gold_read=True, gold_satisfied=(True, False), scorable_sections=False),
        record("mt_0002", "multi-target", ending="error", error="went wrong", option=None, retries=1, attempts=(Attempt("before", Usage(5, 5)),)),
        record("mt_0003", "multi-target", ending="answer", option=None),
    ]  # fmt: skip
    summary = summarize(records)
    assert (summary.n, summary.correct, summary.accuracy) == (6, 3, 0.5)
    assert summary.accuracy_interval == wilson(3, 6)
    assert summary.accuracy_by_type == {"st": 2 / 3, "mt": 1 / 3, "all": 0.5}
    axes = summary.axes
    assert axes.paper_recall == {"st": 2 / 3, "mt": 0.0, "all": 2 / 6}
    assert axes.section_recall == {"st": 1 / 3, "mt": 0.0, "all": 1 / 6}
    assert axes.conversion == {"st": 0.5, "mt": None, "all": 0.5}
    assert summary.conversion_n == {"st": 2, "mt": 0, "all": 2}
    assert (axes.calls_per_turn, axes.multi_call_share) == (1.0, 1 / 3)
    assert (axes.turns, axes.points, axes.tokens, axes.tokens_uncached) == (0.5, 5.0, 400 / 6, 200 / 6)
    released = summary.released
    assert released.any_gold_recall == {"st": 2 / 3, "mt": 1 / 3, "all": 0.5}
    assert released.any_gold_conversion == {"st": 0.5, "mt": 1.0, "all": 2 / 3}
    assert released.any_gold_section_recall == {"st": 1 / 3, "mt": 1 / 3, "all": 1 / 3}
    assert (summary.rejected, summary.unseen_reads, summary.length_stops) == (1, 2, 1)
    assert (summary.errors, summary.retried, summary.no_option, summary.unscorable_sections) == (1, 1, 1, 1)
    assert summary.failures[0].item_id == "mt_0002"
    assert summary.usage == Usage(345, 65, 100)
    assert summary.dataset.splits == {"test": 6}
    assert summary.limits == Limits()
    random.Random(1).shuffle(records)
    assert summarize(iter(records)) == summary


def test_a_replayed_prefix_is_not_the_policys() -> None:
    summary = summarize([record(turns=TURNS, prefix_turns=1)])
    assert (summary.axes.turns, summary.axes.calls_per_turn) == (2, 0.5)


def test_pooled_runs_name_all_they_were_played_on() -> None:
    summary = summarize([record(), record(dataset="e", fingerprint="h", limits=Limits(points=5))])
    assert (summary.dataset.name, summary.dataset.fingerprint, summary.limits) == ("d + e", "f + h", None)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(0, 0, 0, 1), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (5, 10, 0.2366, 0.7634), (74, 94, 0.694, 0.858)],
)
def test_wilson(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == (pytest.approx(low, abs=6e-4), pytest.approx(high, abs=6e-4))


def test_wilson_refuses_nonsense() -> None:
    with pytest.raises(ValueError, match="between 0 and 3"):
        wilson(4, 3)


def test_runs_stream_and_the_last_record_of_an_item_counts(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "one"
    folder.mkdir(parents=True)
    lines = [
        record("a", ending="error").to_json(),
        record("b").to_json(),
        record("a", correct=True).to_json(),
    ]
    (folder / "episodes.jsonl").write_text("\n".join(lines) + "\n" + lines[0][:50])
    (folder / "run.json").write_text('{"agent": "x"}')
    for path in (folder, [folder], tmp_path / "runs", folder / "episodes.jsonl"):
        runs = load_runs(path)
        assert len(runs) == 1
        for _ in range(2):
            assert [(found.item_id, found.correct) for found in runs[0].records] == [
                ("b", False),
                ("a", True),
            ]
    assert load_runs(folder)[0].config == {"agent": "x"}
    assert load_runs(folder)[0].name == "one"


def test_records_of_one_item_under_two_seeds_are_two(tmp_path: Path) -> None:
    path = tmp_path / "episodes.jsonl"
    path.write_text("".join(record(seed=seed).to_json() + "\n" for seed in (1, 2, 1)))
    assert [found.seed for found in load_runs(path)[0].records] == [2, 1]


def test_lone_surrogates_in_records_are_read(tmp_path: Path) -> None:
    odd = record(turns=(TurnRecord("\ud800", (), dropped=(ToolCall("x", {"n": 10**30}),)),))
    path = tmp_path / "episodes.jsonl"
    path.write_text(odd.to_json() + "\n")
    assert list(load_runs(path)[0].records) == [odd]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("nonsense", r"episodes\.jsonl:2: not a record"),
        ('{"item_id": "x", "schema_version": 99}', r"episodes\.jsonl:2: a record of layout 99"),
        ('{"item_id": "x", "schema_version": 1}', r"episodes\.jsonl:2: not a EpisodeRecord"),
        ("[1]", r"episodes\.jsonl:2: not a record"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "episodes.jsonl"
    path.write_text(record().to_json() + "\n" + line + "\n")
    with pytest.raises(RunError, match=told):
        list(load_runs(path)[0].records)


def test_no_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no such run"):
        load_runs(tmp_path / "nowhere")
    with pytest.raises(RunError, match="no run folder"):
        load_runs(tmp_path)
    (tmp_path / "run.json").write_text("[]")
    with pytest.raises(RunError, match="not a run's settings"):
        load_runs(tmp_path)
