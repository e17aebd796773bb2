"""Runs in this process and in workers: records, resume, errors, settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from odd_agents import FailingFactory, UnstartableFactory

from agenthop_env import EpisodeRecord, Limits, Usage
from agenthop_env.corpus.store import Corpus
from agenthop_env.diagnostics import load_runs
from agenthop_env.evaluation import (
    Filters,
    Progress,
    Protocol,
    RunError,
    SelectionError,
    evaluate,
    select,
    verify_run,
)

WORLD = "world:nano?split=test&items=40"


def records(folder: Path) -> dict[str, EpisodeRecord]:
    return {record.item_id: record for record in load_runs(folder)[0].records}


def lines(folder: Path) -> list[str]:
    return (folder / "episodes.jsonl").read_text().splitlines()


def test_a_run_leaves_its_folder(corpus: Corpus, tmp_path: Path) -> None:
    seen: list[int] = []
    result = evaluate(
        corpus, "oracle", tmp_path / "run", on_progress=lambda progress: seen.append(progress.done)
    )
    assert result.ok
    assert seen == list(range(len(corpus) + 1))
    assert {path.name for path in (tmp_path / "run").iterdir()} - {"run.lock"} == {
        "run.json", "episodes.jsonl", "attempts.jsonl", "summary.json", "run.log",
    }  # fmt: skip
    config = json.loads((tmp_path / "run" / "run.json").read_text())
    assert config["agent"] == "oracle"
    assert config["fingerprint"] == corpus.fingerprint
    assert config["items"] == len(corpus)
    assert config["protocol"]["limits"] == {"points": 30, "turns": 20, "tokens": 200_000}
    assert config["versions"]["agenthop_env"]
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["n"] == len(corpus)
    assert summary["accuracy"] == 1.0
    assert summary["endings"]["answer"] == len(corpus)
    assert set(summary["axes"]) >= {
        "paper_recall", "section_recall", "conversion", "calls_per_turn", "tokens", "turns", "points",
    }  # fmt: skip
    assert all(set(summary["axes"][name]) == {"st", "mt", "all"} for name in ("paper_recall", "conversion"))
    assert summary["dataset"]["name"] == corpus.name
    assert not verify_run(tmp_path / "run").differences


@pytest.mark.parametrize("agent", ["random", "explorer", "oracle"])
def test_records_do_not_depend_on_the_number_of_processes(tmp_path: Path, agent: str) -> None:
    settings: dict[str, Any] = {"seed": 4, "shuffle_options": True}
    one = evaluate(WORLD, agent, tmp_path / "one", **settings)
    two = evaluate(WORLD, agent, tmp_path / "two", workers=2, **settings)
    assert records(tmp_path / "one") == records(tmp_path / "two")
    assert one.summary == two.summary
    assert sorted(lines(tmp_path / "one")) == sorted(lines(tmp_path / "two"))
    assert not verify_run(tmp_path / "two").differences


def test_a_release_is_shared_with_processes(corpus: Corpus, tmp_path: Path) -> None:
    evaluate(corpus, "oracle", tmp_path / "two", workers=3)
    evaluate(corpus, "oracle", tmp_path / "one")
    assert records(tmp_path / "two") == records(tmp_path / "one")


def test_a_complete_run_is_not_played_again(corpus: Corpus, tmp_path: Path) -> None:
    first = evaluate(corpus, "random", tmp_path / "run")
    before = lines(tmp_path / "run")
    config = (tmp_path / "run" / "run.json").read_bytes()
    again = evaluate(corpus, "random", tmp_path / "run", workers=2)
    assert again.ok
    assert again.progress.resumed == len(corpus)
    assert again.summary == first.summary
    assert lines(tmp_path / "run") == before
    assert (tmp_path / "run" / "run.json").read_bytes() == config


def test_a_torn_line_costs_its_episode_alone(corpus: Corpus, tmp_path: Path) -> None:
    whole = evaluate(corpus, "explorer", tmp_path / "run")
    expected = records(tmp_path / "run")
    path = tmp_path / "run" / "episodes.jsonl"
    data = path.read_bytes()
    for keep in (len(data) - 1, len(data) - 500, data.rfind(b"\n", 0, -1) + 1, 10, 0):
        path.write_bytes(data[:keep])
        result = evaluate(corpus, "explorer", tmp_path / "run")
        assert result.ok
        assert result.progress.repaired == (keep > 0 and data[keep - 1 : keep] != b"\n")
        assert result.progress.resumed == data[:keep].count(b"\n")
        assert records(tmp_path / "run") == expected
        assert result.summary == whole.summary


def test_a_damaged_line_is_named(corpus: Corpus, tmp_path: Path) -> None:
    evaluate(corpus, "random", tmp_path / "run")
    path = tmp_path / "run" / "episodes.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\nnot a record\n", 1))
    with pytest.raises(RunError, match=r"episodes\.jsonl:2: not a record"):
        evaluate(corpus, "random", tmp_path / "run")


def test_another_configuration_is_refused_with_what_differs(corpus: Corpus, tmp_path: Path) -> None:
    evaluate(corpus, "random", tmp_path / "run", items=3)
    before = lines(tmp_path / "run")
    with pytest.raises(RunError) as refused:
        evaluate(
            corpus,
            "oracle",
            tmp_path / "run",
            items=4,
            seed=3,
            limits=Limits(points=20),
            disabled_tools=("think",),
        )
    told = str(refused.value).splitlines()[1:]
    assert "  agent: random -> oracle" in told
    assert "  items: 3 -> 4" in told
    assert "  seed: 0 -> 3" in told
    assert "  limits.points: 30 -> 20" in told
    assert "  disabled_tools: (none) -> think" in told
    assert not any("limits.turns" in line or "source" in line for line in told)
    with pytest.raises(RunError, match="fingerprint: "):
        evaluate("world:nano?split=test&items=3", "random", tmp_path / "run", items=3)
    assert lines(tmp_path / "run") == before


def test_a_folder_with_something_else_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "episodes.jsonl").write_text("{}\n")
    with pytest.raises(RunError, match=r"no run\.json"):
        evaluate(corpus, "random", tmp_path)
    with pytest.raises(RunError, match="cannot be made"):
        evaluate(corpus, "random", tmp_path / "episodes.jsonl" / "run")


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_is_contained_listed_and_tried_again(corpus: Corpus, tmp_path: Path, workers: int) -> None:
    mended = tmp_path / "mended"
    agent = FailingFactory(["st_0002", "mt_0001"], mended=str(mended))
    result = evaluate(corpus, agent, tmp_path / "run", workers=workers)
    assert result.complete
    assert not result.ok
    assert result.summary.errors == 2
    assert result.summary.accuracy == (len(corpus) - 2) / len(corpus)
    assert [failure.item_id for failure in result.summary.failures] == ["mt_0001", "st_0002"]
    assert result.summary.failures[0].error == "the server said no"
    failed = records(tmp_path / "run")["st_0002"]
    assert (failed.ending, failed.error, failed.correct, len(failed.turns)) == (
        "error",
        "the server said no",
        False,
        1,
    )
    tries = [json.loads(line) for line in (tmp_path / "run" / "attempts.jsonl").read_text().splitlines()]
    assert sorted(entry["item_id"] for entry in tries) == ["mt_0001", "st_0002"]
    assert "RuntimeError: first line" in tries[0]["traceback"]
    assert not verify_run(tmp_path / "run").differences

    still = evaluate(corpus, agent, tmp_path / "run", workers=workers)
    assert still.progress.done == 2
    assert still.summary.errors == 2
    mended.touch()
    final = evaluate(corpus, agent, tmp_path / "run", workers=workers)
    assert final.ok
    assert final.summary.accuracy == 1.0
    record = records(tmp_path / "run")["st_0002"]
    assert record.retries == 2
    assert [attempt.error for attempt in record.attempts] == ["the server said no"] * 2
    assert record.attempts[0].usage == failed.totals.usage != Usage()
    assert final.summary.usage.prompt > sum(
        one.totals.usage.prompt for one in records(tmp_path / "run").values()
    )
    assert not verify_run(tmp_path / "run").differences


def test_a_dead_process_costs_its_episode_alone(corpus: Corpus, tmp_path: Path) -> None:
    result = evaluate(
        corpus, FailingFactory(["st_0002", "mt_0001"], deadly=True), tmp_path / "run", workers=2
    )
    assert result.complete
    assert [failure.item_id for failure in result.summary.failures] == ["mt_0001", "st_0002"]
    assert "exit code 9" in result.summary.failures[0].error
    assert result.summary.correct == len(corpus) - 2


def test_processes_that_cannot_start_are_an_error(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="could not start"):
        evaluate(corpus, UnstartableFactory(), tmp_path / "run", workers=2)


def test_settings_are_refused_before_a_folder_is_made(corpus: Corpus, tmp_path: Path) -> None:
    for settings in ({"search": "magic"}, {"tool_mode": "x"}, {"token_accounting": "y"}, {"workers": 0}):
        with pytest.raises(ValueError, match="must be"):
            evaluate(corpus, "random", tmp_path / "run", **settings)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        evaluate(corpus, "random", tmp_path / "run", limit=3)
    assert not (tmp_path / "run").exists()


def test_time_and_sessions_add_up(corpus: Corpus, tmp_path: Path) -> None:
    first = evaluate(corpus, "random", tmp_path / "run")
    path = tmp_path / "run" / "episodes.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:4]))
    second = evaluate(corpus, "random", tmp_path / "run")
    assert [session.episodes for session in second.config.sessions] == [len(corpus), len(corpus) - 4]
    assert second.config.seconds >= first.config.seconds
    assert second.summary.usage == first.summary.usage


def test_stopping_from_within_keeps_what_is_done(corpus: Corpus, tmp_path: Path) -> None:
    def after_three(progress: Progress) -> None:
        progress.stopping = progress.done >= 3

    for workers in (1, 2):
        folder = tmp_path / f"run{workers}"
        result = evaluate(corpus, "random", folder, workers=workers, on_progress=after_three)
        assert not result.complete
        assert 3 <= result.summary.n < len(corpus)
        final = evaluate(corpus, "random", folder, workers=workers)
        assert final.ok
    assert records(tmp_path / "run1") == records(tmp_path / "run2")


def test_closed_book(corpus: Corpus, tmp_path: Path) -> None:
    result = evaluate(corpus, "explorer", tmp_path / "run", protocol=Protocol().closed_book())
    assert result.ok
    for record in records(tmp_path / "run").values():
        assert record.limits.turns == 1
        assert [call.name for turn in record.turns for call in turn.calls] == ["submit_answer"]


def test_selection(corpus: Corpus) -> None:
    every = list(corpus.ids)
    assert select(corpus) == every
    assert select(corpus, items=2) == every[:2]
    assert select(corpus, ids=["mt_0002", "st_0001", "mt_0002"]) == ["mt_0002", "st_0001"]
    assert select(corpus, filters=Filters(type=("MT",))) == [name for name in every if name.startswith("mt")]
    assert select(corpus, filters=Filters(type=("multi-target",), depth=("2",)), items=1) == ["mt_0002"]
    assert select(corpus, filters=Filters(tier=("silver", "bronze"))) == ["st_0002", "mt_0002"]
    assert select(corpus, filters=Filters(reasoning=("result",))) == ["mt_0001"]
    with pytest.raises(SelectionError, match=r"tier is one of bronze, gold, silver"):
        select(corpus, filters=Filters(tier=("iron",)))
    with pytest.raises(SelectionError, match="has no item nope; its ids are st_0001"):
        select(corpus, ids=["st_0001", "nope"])
    with pytest.raises(SelectionError, match="1 or more"):
        select(corpus, items=0)


def test_the_embedded_default_plays_twenty_four_items(tmp_path: Path) -> None:
    result = evaluate(agent="oracle", output=tmp_path / "run")
    assert result.summary.n == 24
    assert result.summary.accuracy == 1.0


@pytest.mark.parametrize(
    ("field", "change", "told"),
    [
        ("correct", lambda row: row | {"correct": not row["correct"]}, "st_0001: correct: False -> True"),
        (
            "points",
            lambda row: row | {"totals": row["totals"] | {"points": 3}},
            "st_0001: totals.points: 3 -> ",
        ),
        ("item", lambda row: row | {"item_id": "gone"}, "gone: cannot be replayed"),
    ],
)
def test_verify_lists_what_differs(
    corpus: Corpus, tmp_path: Path, field: str, change: Any, told: str
) -> None:
    evaluate(corpus, "oracle", tmp_path / "run", ids=["st_0001"])
    path = tmp_path / "run" / "episodes.jsonl"
    row = json.loads(path.read_text())
    path.write_text(json.dumps(change(row)) + "\n")
    result = verify_run(tmp_path / "run")
    assert any(f"{found.item_id}: {found.what}".startswith(told) for found in result.differences)


def test_verify_recomputes_the_summary(corpus: Corpus, tmp_path: Path) -> None:
    evaluate(corpus, "oracle", tmp_path / "run")
    path = tmp_path / "run" / "summary.json"
    path.write_text(path.read_text().replace('"accuracy": 1.0', '"accuracy": 0.5'))
    assert [found.what for found in verify_run(tmp_path / "run").differences] == [
        "summary.accuracy: 0.5 -> 1.0"
    ]
    other = verify_run(tmp_path / "run", "world:nano?items=2")
    assert other.differences[0].what.startswith("fingerprint: ")
