"""What verify approves and what it does not: moved data, other data, missing, foreign and doubled records."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from releases import small_release

from agenthop_env import Limits, open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.evaluation import Filters, RunError, evaluate, verify_run
from agenthop_env.evaluation.folder import read_run_config, write_json

Rows = list[dict[str, Any]]


def change(run: Path, how: Callable[[Rows], Rows]) -> None:
    path = run / "episodes.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(row) + "\n" for row in how(rows)))


def told(run: Path, data: Any = None) -> list[str]:
    return [f"{found.item_id}: {found.what}" for found in verify_run(run, data).differences]


def test_moved_data_is_the_same_data(tmp_path: Path) -> None:
    release = small_release(tmp_path / "here")
    evaluate(release, "oracle", tmp_path / "run", items=3)
    moved = tmp_path / "there"
    shutil.move(release, moved)
    assert open_corpus(moved).name != "here"
    result = verify_run(tmp_path / "run", moved)
    assert result.differences == []
    assert result.complete
    path = tmp_path / "run" / "episodes.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:1]))
    again = evaluate(moved, "oracle", tmp_path / "run", items=3)
    assert again.ok
    assert again.summary.dataset.name == "here + there"
    assert again.summary.dataset.fingerprint == open_corpus(moved).fingerprint
    assert verify_run(tmp_path / "run").differences == []


def test_other_data_is_told_in_a_sentence(corpus: Corpus, tmp_path: Path) -> None:
    evaluate(corpus, "oracle", tmp_path / "run")
    result = verify_run(tmp_path / "run", "world:nano?items=2")
    assert result.episodes == 0
    (difference,) = result.differences
    assert difference.what.startswith(f"fingerprint: {corpus.fingerprint} -> ")
    assert "nothing was replayed; name the run's own with --data" in difference.what


@pytest.mark.parametrize(
    "choice",
    [{}, {"items": 6}, {"ids": ["mt_0002", "st_0001", "st_0004"]}, {"filters": Filters(type=("st",))}],
    ids=["all", "first", "ids", "slice"],
)
def test_missing_items_are_named(corpus: Corpus, tmp_path: Path, choice: dict[str, Any]) -> None:
    run = tmp_path / "run"
    evaluate(corpus, "oracle", run, workers=2, **choice)
    assert verify_run(run).complete
    present = [json.loads(line)["item_id"] for line in (run / "episodes.jsonl").read_text().splitlines()]
    gone = sorted(present)[1]
    change(run, lambda rows: [row for row in rows if row["item_id"] != gone])
    result = verify_run(run)
    assert result.missing == (gone,)
    assert not result.complete
    assert [found.what for found in result.differences] == [
        f"summary.n: {len(present)} -> {len(present) - 1}; it tells of other records than there are"
    ]
    (run / "summary.json").unlink()
    assert verify_run(run).differences == []


def test_items_that_are_only_known_by_their_hash(corpus: Corpus, tmp_path: Path) -> None:
    run = tmp_path / "run"
    evaluate(corpus, "oracle", run, ids=["mt_0002", "st_0001", "st_0004"])
    config = read_run_config(run)
    assert config.item_ids == ("mt_0002", "st_0001", "st_0004")
    write_json(run / "run.json", msgspec.structs.replace(config, item_ids=()))
    assert verify_run(run).complete
    assert verify_run(run).differences == []
    other = tmp_path / "other"
    evaluate(corpus, "oracle", other, ids=["mt_0002", "st_0001", "st_0002"])
    shutil.copy(other / "episodes.jsonl", run / "episodes.jsonl")
    assert told(run)[0] == ": items_digest: the 3 items recorded are not those of the run"
    change(run, lambda rows: rows[:2])
    result = verify_run(run)
    assert (result.complete, result.missing) == (False, ())


def test_foreign_and_doubled_records_are_told(corpus: Corpus, tmp_path: Path) -> None:
    run, other = tmp_path / "run", tmp_path / "other"
    evaluate(corpus, "random", run, items=3, seed=1)
    evaluate(corpus, "oracle", other, items=4, seed=2, limits=Limits(points=20))
    better = [json.loads(line) for line in (other / "episodes.jsonl").read_text().splitlines()]
    (run / "summary.json").unlink()
    change(run, lambda rows: [*rows[:2], better[2]])
    found = told(run)
    item = better[2]["item_id"]
    assert f"{item}: agent: 'oracle', but the run has 'random'" in found
    assert f"{item}: seed: 2, but the run has 1" in found
    assert any(line.startswith(f"{item}: limits: ") for line in found)
    change(run, lambda rows: [*rows, better[3]])
    assert f"{better[3]['item_id']}: is no item of this run" in told(run)

    again = tmp_path / "again"
    evaluate(corpus, "random", again, items=3)
    change(again, lambda rows: [*rows, rows[0]])
    assert told(again) == [
        f"{corpus.ids[0]}: was recorded again after a record that is no error; the last counts"
    ]


def test_a_run_is_not_extended_and_the_message_says_how_to_go_on(corpus: Corpus, tmp_path: Path) -> None:
    evaluate(corpus, "random", tmp_path / "run", items=3)
    with pytest.raises(RunError, match=r"items: 3 -> 4") as refused:
        evaluate(corpus, "random", tmp_path / "run", items=4)
    assert "items_digest" not in str(refused.value)
    assert "play others into a folder of their own" in str(refused.value)
    with pytest.raises(RunError, match="items_digest: "):
        evaluate(corpus, "random", tmp_path / "run", ids=corpus.ids[1:4])


def test_a_session_is_noted_from_its_start(corpus: Corpus, tmp_path: Path) -> None:
    run = tmp_path / "run"
    seen = []

    def look(progress: object) -> None:
        seen.append(read_run_config(run).sessions)

    evaluate(corpus, "random", run, items=3, on_progress=look)
    assert all(len(sessions) == 1 and sessions[0].cut for sessions in seen)
    (ended,) = read_run_config(run).sessions
    assert (ended.cut, ended.episodes) == (False, 3)
