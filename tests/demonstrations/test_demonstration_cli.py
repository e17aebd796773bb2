"""`agenthop demos` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agenthop_env.cli import app
from agenthop_env.corpus.store import Corpus


def demos(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["demos", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_writes_and_tells(small: Corpus, small_folder: Path, tmp_path: Path) -> None:
    folder = str(tmp_path / "demos")
    code, told, _ = demos(
        "--data", str(small_folder), "--count", "30", "--out", folder, "--habits", "verify=2,guesser=1",
        "--format", "jsonl,parquet", "--tool-mode", "native",
    )  # fmt: skip
    assert code == 0
    assert "verify" in told
    assert "section recall" in told
    assert "demonstrations.parquet" in told
    manifest = json.loads((tmp_path / "demos" / "manifest.json").read_text())
    assert manifest["figures"]["kept"] == 30
    assert set(manifest["habits"]) == {"verify", "guesser"}
    assert set(manifest["files"]) == {"demonstrations.jsonl", "demonstrations.parquet"}
    assert CliRunner().invoke(app, ["verify", folder]).exit_code == 0
    record = json.loads((tmp_path / "demos" / "demonstrations.jsonl").read_text().splitlines()[0])
    assert CliRunner().invoke(app, ["show", folder, record["item_id"]]).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--habits", "sleepy=1"), 2, "no habit 'sleepy'; there are verify"),
        (("--habits", "verify=much"), 2, "expected is NAME=NUMBER"),
        (("--format", "csv"), 2, "no format 'csv'; there are jsonl, parquet"),
        (("--count", "0"), 2, "count must be 1 or more"),
        (("--max-points", "-1"), 2, "max_points must be 0 or more"),
        (("--workers", "0"), 2, "workers must be 1 or more"),
        (("--thoughts", "loud"), 2, "thoughts must be one of prose, brief, none"),
        (("--tool-mode", "morse"), 2, "tool_mode must be one of text, native"),
        (("--tool-format", "morse"), 2, "unknown tool format 'morse'"),
        (("--data", "nowhere-at-all"), 1, "no such folder"),
        (("--data", "world:nano?split=test&items=3"), 2, "--allow-test"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_errors_are_one_line(
    small: Corpus, small_folder: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    given = ["--data", str(small_folder)] if "--data" not in arguments else []
    status, _, told = demos("--out", str(tmp_path / "demos"), *given, *arguments)
    assert status == code
    assert told.startswith("error: ")
    assert words in told
    assert told.count("\n") == 1
    assert not (tmp_path / "demos").exists()


def test_test_items_take_a_loud_word(tmp_path: Path) -> None:
    status, _, told = demos(
        "--data", "world:nano?split=test&items=3", "--count", "3", "--out", str(tmp_path / "demos"), "--allow-test"
    )  # fmt: skip
    assert status == 0
    assert "warning: --allow-test" in told


def test_too_strict_a_filter_is_told(small: Corpus, small_folder: Path, tmp_path: Path) -> None:
    status, _, told = demos(
        "--data", str(small_folder), "--count", "2", "--out", str(tmp_path / "demos"), "--max-points", "0",
        "--habits", "early",
    )  # fmt: skip
    assert status == 1
    assert "0 of 2 demonstrations passed" in told
