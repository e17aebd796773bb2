"""The command line, in this process and as users call it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from releases import GOLD, Release, write_lines
from typer.testing import CliRunner

from agenthop_env.cli import app

ROOT = Path(__file__).resolve().parents[2]
WORLD = "world:nano?split=test&items=30"


def invoke(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def call(
    *arguments: object, typed: str | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agenthop_env.cli", *map(str, arguments)],
        input=typed, capture_output=True, text=True, cwd=cwd, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def test_help_is_quick_and_names_the_commands() -> None:
    code, told, _ = invoke("--help")
    assert code == 0
    assert all(name in told for name in ("eval", "verify", "play", "show", "data"))
    heavy = ("rich.progress", "agenthop_env.evaluation", "agenthop_env.agents")
    script = (
        f"import sys, agenthop_env.cli; print([name for name in sys.modules if name.startswith({heavy})])"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT).stdout
        == "[]\n"
    )


def test_eval_prints_the_table(release_folder: Path, tmp_path: Path) -> None:
    code, told, warned = invoke(
        "eval", "--agent", "oracle", "--data", release_folder, "--output", tmp_path / "run"
    )
    assert code == 0
    assert warned == ""
    for part in ("fingerprint", "Wilson 95%", "paper recall", "section recall", "conversion", "calls per turn", "turns",
                 "points", "tokens", "endings: answer 10", "ST", "MT", "30 points, 20 turns, 200,000 tokens"):  # fmt: skip
        assert part in told, part
    code, told, _ = invoke(
        "eval", "--agent", "oracle", "--data", release_folder, "--output", tmp_path / "run"
    )
    assert code == 0
    assert "10 items were done before" in told


def test_eval_on_the_embedded_default(tmp_path: Path) -> None:
    run = call("eval", "--workers", 2, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert "24 items" in run.stdout
    folders = list((tmp_path / "runs").iterdir())
    assert len(folders) == 1
    assert folders[0].name.startswith("explorer-")
    assert call("verify", folders[0], cwd=tmp_path).stdout.rstrip().endswith("no difference")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["--agent", "gpt"], 2, "no agent 'gpt'; there are random, "),
        (["--agent", "oracle", "--agent-option", "x=1"], 2, "takes no settings: not x"),
        (["--agent", "oracle", "--agent-option", "x"], 2, "NAME=VALUE is expected, not 'x'"),
        (["--model", "m"], 2, "where is 'm' served? give base_url"),
        (["--base-url", "http://x"], 2, "--base-url: it goes with --model"),
        (["--data", "nowhere"], 1, "'nowhere': no such folder"),
        (["--disable-tools", "think,fly"], 2, "--disable-tools: no tool fly; there are get_paper_info"),
        (["--type", "xt"], 2, "type is one of multi-target, single-target"),
        (["--points", "-1"], 2, "Limits.points must be a whole number of 0 or more, not -1"),
        (["--workers", "0"], 2, "workers must be 1 or more"),
        (["--items", "0"], 2, "the number of items must be 1 or more"),
        (["--search", "magic"], 2, "search must be one of"),
        (["--strategy", "guess"], 2, "no strategy 'guess'"),
        (["--tool-format", "morse"], 2, "unknown tool format 'morse'"),
        (["--prompts", "nowhere"], 2, "nowhere: no such folder of prompts"),
        (["--ids", "nowhere.txt"], 1, "nowhere.txt: No such file"),
        (["--closed-book", "--turns", "3"], 2, "leave out those options"),
    ],
)
def test_eval_tells_in_a_line_what_is_wrong(
    tmp_path: Path, arguments: list[str], code: int, told: str
) -> None:
    data = [] if "--data" in arguments else ["--data", WORLD]
    found, out, err = invoke("eval", *data, "--output", tmp_path / "run", *arguments)
    assert (found, out) == (code, "")
    assert err.startswith("error: ")
    assert told in err
    assert err.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_eval_refuses_another_configuration(tmp_path: Path) -> None:
    assert (
        invoke("eval", "--data", WORLD, "--agent", "random", "--items", 2, "--output", tmp_path / "run")[0]
        == 0
    )
    code, _, told = invoke(
        "eval", "--data", WORLD, "--agent", "random", "--items", 2, "--seed", 1, "--output", tmp_path / "run"
    )
    assert code == 1
    assert told.splitlines()[1:] == ["  seed: 0 -> 1"]


def test_eval_options_reach_the_records(tmp_path: Path) -> None:
    ids = tmp_path / "ids.txt"
    _, listed, _ = invoke("data", "info", WORLD, "--json")
    assert json.loads(listed)["items"] == 30
    from agenthop_env import open_corpus
    from agenthop_env.diagnostics import load_runs

    chosen = [name for name in open_corpus(WORLD).ids if name.startswith("st")][:3]
    ids.write_text("\n".join(chosen) + "\n\n")
    code, _, err = invoke(
        "eval", "--data", WORLD, "--agent", "explorer", "--ids", ids, "--type", "st", "--limit-points", 12, "--limit-turns", 9,
        "--limit-tokens", 90_000, "--token-accounting", "uncached", "--disable-tools", "search_papers", "--strategy", "react",
        "--tool-format", "mistral", "--search", "bm25", "--shuffle-options", "--seed", 4, "--output", tmp_path / "run",
    )  # fmt: skip
    assert code == 0, err
    records = list(load_runs(tmp_path / "run")[0].records)
    assert [record.item_id for record in records] == chosen
    one = records[0]
    assert (one.limits.points, one.limits.turns, one.limits.tokens) == (12, 9, 90_000)
    assert (one.token_accounting, one.disabled_tools, one.strategy) == (
        "uncached",
        ("search_papers",),
        "react",
    )
    assert (one.tool_format, one.search, one.seed, one.agent) == ("mistral", "bm25", 4, "explorer")
    assert any(record.option_order != (0, 1, 2, 3) for record in records)
    code, _, err = invoke(
        "eval", "--data", WORLD, "--closed-book", "--items", 3, "--output", tmp_path / "closed"
    )
    assert code == 0, err
    again = ["--agent", "transcript", "--agent-option", f"run={tmp_path / 'run'}", "--ids", ids]
    assert invoke("eval", "--data", WORLD, *again, "--output", tmp_path / "again")[0] == 0


def test_errors_that_remain_are_shown_and_exit_1(tmp_path: Path) -> None:
    first = tmp_path / "first"
    assert invoke("eval", "--data", WORLD, "--agent", "random", "--items", 2, "--output", first)[0] == 0
    code, told, _ = invoke(
        "eval",
        "--data",
        WORLD,
        "--items",
        4,
        "--agent",
        "transcript",
        "--agent-option",
        f"run={first}",
        "--output",
        tmp_path / "run",
    )
    assert code == 1
    assert "ERRORS: 2 items failed and count as wrong" in told
    assert "holds no record of" in told
    assert "endings: answer 2, error 2" in told


def test_verify_and_show(release_folder: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert invoke("eval", "--agent", "oracle", "--data", release_folder, "--output", run)[0] == 0
    code, told, _ = invoke("verify", run)
    assert (code, told.splitlines()[-1].endswith("no difference")) == (0, True)
    path = run / "episodes.jsonl"
    path.write_text(path.read_text().replace('"correct":true', '"correct":false', 1))
    code, told, _ = invoke("verify", run)
    assert code == 1
    assert "st_0001: correct: False -> True" in told
    assert ": 1 difference\n" in told
    code, told, _ = invoke("verify", run, "--data", WORLD)
    assert code == 1
    assert told.startswith("run: fingerprint: ")
    assert told.count("\n") == 1

    code, told, _ = invoke("show", run)
    assert code == 0
    assert all(f"st_000{number}" in told for number in range(1, 8))
    code, told, _ = invoke("show", run, "st_0002")
    assert code == 0
    for part in (
        "Question: What of st_0002? {braces} %s",
        "turn 1",
        "=== 2 Part 2 ===",
        "Budget used: 8",
        "gold path: seed-1 -> bridge-1 -> far-1",
    ):
        assert part in told, part
    assert invoke("show", run, "nope")[0] == 2
    for command in ("show", "verify"):
        code, _, told = invoke(command, tmp_path)
        assert code == 1
        assert "no run folder" in told


PLAYED = """\
help
refs seed
list 1
read 1 B
think hm
<tool_call>
{"name": "search_papers", "arguments": {"query": "agents", "top_k": 2}}
</tool_call>

again
info
read 1
fly away
{"name": "nothing"}

submit B
"""


def test_a_person_plays_through_a_pipe(release_folder: Path, tmp_path: Path) -> None:
    run = call(
        "play", "--data", release_folder, "--item", "st_0004", "--output", tmp_path / "played", typed=PLAYED
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    for part in ("Question: What of st_0004?", f"[1] {GOLD}", "(B) II-A  Set\u2014up", "We collect 42 graphs", "Search results for 'agents'",
                 "info needs a paper", "read needs a paper and a section", "not understood: fly", "no tool call in that",
                 "ending: answer; answer: B (correct)", "paper recall: yes; section recall: yes", "gold path: seed-1 -> gold-1"):  # fmt: skip
        assert part in run.stdout, part
    record = json.loads((tmp_path / "played" / "episodes.jsonl").read_text())
    assert [call["name"] for turn in record["turns"] for call in turn["calls"]] == [
        "get_references", "list_sections", "read_section", "think", "search_papers", "submit_answer",
    ]  # fmt: skip
    assert record["agent"] == "human"
    assert call("verify", tmp_path / "played").returncode == 0
    assert call("show", tmp_path / "played", "st_0004").returncode == 0
    taken = call(
        "play", "--data", release_folder, "--item", "st_0004", "--output", tmp_path / "played", typed=""
    )
    assert taken.returncode == 1
    assert "holds something already" in taken.stderr


@pytest.mark.parametrize("typed", ["refs seed\n", "quit\n", ""])
def test_a_person_may_leave(tmp_path: Path, typed: str) -> None:
    run = call("play", typed=typed, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "nothing is saved" in run.stdout
    assert not (tmp_path / "runs").exists()


def test_play_ends_with_the_limits_of_any_agent(release_folder: Path, tmp_path: Path) -> None:
    typed = "read seed A\n" * 8
    run = call(
        "play", "--data", release_folder, "--item", "st_0001", "--output", tmp_path / "played", typed=typed
    )
    assert run.returncode == 0, run.stderr
    assert "REJECTED: Insufficient budget" in run.stdout
    assert "ending: budget; answer: none (wrong)" in run.stdout
    code, _, told = invoke("play", "--data", release_folder, "--item", "nope")
    assert code == 2
    assert "has no item nope" in told


def test_data_info_and_compile(release_folder: Path, tmp_path: Path) -> None:
    code, told, _ = invoke("data", "info", release_folder, "--json")
    assert code == 0
    described = json.loads(told)
    assert described["type"] == {"multi-target": 3, "single-target": 7}
    assert described["items_without_direct_label"] == ["st_0003", "st_0006", "st_0007"]
    code, told, _ = invoke("data", "info", release_folder)
    assert "depth: 1 7, 2 3" in told
    for force in ([], ["--force"]):
        code, told, _ = invoke("data", "compile", release_folder, *force)
        assert code == 0
        assert "10 items" in told
    code, _, told = invoke("data", "compile", tmp_path)
    assert code == 1
    assert "not a release" in told


def test_data_pull_tells_what_it_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from agenthop_env.corpus import hub

    asked: list[object] = []
    report = hub.PullReport(
        name="a/b", repo="a/b", revision="main", sha="abc", folder=tmp_path, files={"qa/full.jsonl": 1200}, complete=True,
        notes=["a note"], differences=["qa/full.jsonl: field x is new"],
    )  # fmt: skip

    def pull(*arguments: object, **options: object) -> hub.PullReport:
        asked.extend(arguments)
        return report

    monkeypatch.setattr(hub, "pull", pull)
    code, told, _ = invoke("data", "pull", "a/b", "--revision", "main")
    assert (code, asked[0], asked[2]) == (0, "a/b", "main")
    for part in (
        "a/b at abc: 1 file, 1,200 bytes",
        "a note",
        "differs from the expected layout: qa/full.jsonl: field x",
    ):
        assert part in told
    monkeypatch.setattr(
        hub, "pull", lambda *_, **__: report.__class__(**{**_fields(report), "complete": False})
    )
    code, _, warned = invoke("data", "pull")
    assert code == 1
    assert "no complete release" in warned


def _fields(report: object) -> dict[str, object]:
    return {name: getattr(report, name) for name in report.__struct_fields__}  # type: ignore[attr-defined]


def test_data_pull_without_a_hub(tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub")
    run = call("data", "pull", "a/b", "--endpoint", "http://127.0.0.1:9", "--folder", tmp_path / "copy")
    assert run.returncode == 1
    assert run.stderr.startswith("error: ")
    assert "Traceback" not in run.stderr


def test_data_validate(release_folder: Path, tmp_path: Path) -> None:
    code, told, _ = invoke("data", "validate", release_folder, "--json")
    assert code == (1 if json.loads(told)["errors"] else 0)
    release = Release()
    release.qa[0]["options"] = ["a", "b"]
    broken = release.write(tmp_path / "broken")
    code, told, _ = invoke("data", "validate", broken)
    assert code == 1
    assert "qa/full.jsonl:1" in told
    assert "options" in told
    last = told.splitlines()[-1]
    assert "error" in last
    assert "warning" in last
    code, told, _ = invoke("data", "validate", broken, "--json")
    assert code == 1
    assert {"severity", "file", "line", "item", "field", "message"} == set(json.loads(told)["problems"][0])
    empty = write_lines(tmp_path / "empty", {})
    assert invoke("data", "validate", empty)[0] == 1
