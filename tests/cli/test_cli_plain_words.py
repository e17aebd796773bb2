"""What the commands say and how they exit: defects, warnings, versions, plurals, interrupts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from releases import Release, small_release
from test_cli_commands import WORLD, invoke
from typer.testing import CliRunner

from agenthop_env import open_corpus
from agenthop_env._version import __version__
from agenthop_env.cli import app
from agenthop_env.diagnostics import load_runs

ROOT = Path(__file__).resolve().parents[2]


def broken_release(folder: Path, count: int = 2) -> Path:
    """The small release with its first items unplayable."""
    release = Release()
    for row in release.qa[:count]:
        row["options"] = ["a", "b"]
    return release.write(folder)


def test_version() -> None:
    assert invoke("--version") == (0, f"agenthop-env {__version__}\n", "")


def test_refused_items_are_told_wherever_data_is_opened(tmp_path: Path) -> None:
    data = broken_release(tmp_path / "broken")
    code, told, _ = invoke("eval", "--agent", "oracle", "--data", data, "--output", tmp_path / "run")
    assert code == 0
    assert told.startswith(f"2 items refused: `agenthop data validate {data}` lists why\n")
    code, told, _ = invoke("data", "compile", data)
    assert code == 0
    assert "2 items refused, " in told
    assert f"`agenthop data validate {data}` lists why, and checks more" in told
    code, told, _ = invoke("data", "info", data)
    assert code == 0
    lines = told.splitlines()
    place = lines.index("items refused: 2")
    assert lines[place + 1] == "  st_0001: qa/full.jsonl:1 options: 4 options are expected, not 2"
    assert lines[-1].startswith("refused items and warnings are the compiler's; `agenthop data validate")
    many = Release()
    for row in many.qa[1:]:
        del row["options"]
    for number in range(4):
        many.qa.append({**many.qa[1], "id": f"st_9{number}"})
    many.graphs = [graph for graph in many.graphs if graph["sample_id"] == "st_0001"]
    code, told, _ = invoke("data", "info", many.write(tmp_path / "many"))
    assert "items refused: 13" in told
    assert "  ... and 3 more" in told


def test_whole_data_says_nothing_of_defects(release_folder: Path, tmp_path: Path) -> None:
    _, told, _ = invoke(
        "eval", "--agent", "random", "--data", WORLD, "--items", 1, "--output", tmp_path / "run"
    )
    assert "refused" not in told
    assert "\n1 item (test 1)\n" in told
    assert "1 episode replayed on" in invoke("verify", tmp_path / "run")[1]


@pytest.mark.parametrize("command", ["validate", "compile"])
def test_worlds_need_neither_check_nor_compiling(command: str) -> None:
    code, told, warned = invoke("data", command, "world:tiny")
    assert (code, told) == (2, "")
    assert "need neither validate nor compile; `agenthop data info world:tiny` describes it" in warned


def test_a_name_that_was_not_fetched(tmp_path: Path) -> None:
    code, _, warned = invoke("data", "validate", "somebody/something")
    assert code == 1
    assert "agenthop data pull somebody/something" in warned


def test_verify_of_an_incomplete_run_has_its_own_exit_code(release_folder: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert invoke("eval", "--agent", "oracle", "--data", release_folder, "--output", run)[0] == 0
    path = run / "episodes.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-7]))
    ids = open_corpus(release_folder).ids
    code, told, _ = invoke("verify", run)
    assert code == 1  # summary.json tells of more
    (run / "summary.json").unlink()
    code, told, _ = invoke("verify", run)
    assert code == 3
    assert told.splitlines()[0] == f"incomplete: 3 of 10 items; missing {', '.join(ids[3:8])} and 2 more"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:1]))
    assert "1 of 10 items" in invoke("verify", run)[1]


def test_verify_and_show_say_how_to_name_data_that_has_moved(tmp_path: Path) -> None:
    data, run = small_release(tmp_path / "here"), tmp_path / "run"
    assert invoke("eval", "--agent", "oracle", "--data", data, "--output", run, "--items", 2)[0] == 0
    data.rename(tmp_path / "there")
    item = open_corpus(tmp_path / "there").ids[0]
    for words in (("verify", run), ("show", run, item)):
        code, _, warned = invoke(*words)
        assert code == 1
        assert "if the run's data has moved, say with --data where it is" in warned
        assert warned.count("\n") == 1
        assert invoke(*words, "--data", tmp_path / "there")[0] == 0
    assert "no difference" in invoke("verify", run, "--data", tmp_path / "there")[1]
    assert invoke("verify", run, "--data", tmp_path / "nowhere")[2].count("--data") == 0


def test_search_none_is_a_search_less_run(tmp_path: Path) -> None:
    code, _, _ = invoke(
        "eval", "--data", WORLD, "--items", 2, "--search", "none", "--disable-tools", "think", "--output", tmp_path / "run"
    )  # fmt: skip
    assert code == 0
    record = next(iter(load_runs(tmp_path / "run")[0].records))
    assert (record.search, record.disabled_tools) == ("overlap", ("search_papers", "think"))


def test_prompts_that_change_nothing_are_warned_of(tmp_path: Path) -> None:
    folder = tmp_path / "prompts"
    folder.mkdir()
    arguments = ("eval", "--data", WORLD, "--items", 1, "--prompts", folder)
    code, _, warned = invoke(*arguments, "--output", tmp_path / "one")
    assert code == 0
    assert f"warning: --prompts {folder} changes nothing" in warned
    (folder / "start.txt").write_text("Go.\n")
    assert invoke(*arguments, "--output", tmp_path / "two")[::2] == (0, "")


def test_an_own_agent_names_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    own = f"{ROOT / 'examples' / 'own_agent.py'}:Factory"
    assert invoke("eval", "--agent", own, "--data", WORLD, "--items", 1)[0] == 0
    (run,) = (tmp_path / "runs").iterdir()
    assert run.name.startswith("one-read-")
    code, _, warned = invoke("eval", "--agent", own, "--agent-option", "depth=1", "--data", WORLD)
    assert code == 2
    assert "takes letter: not depth" in warned


def test_equal_errors_are_told_together(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "class F:\n    name = 'bad'\n    settings = {}\n    def begin(self, episode):\n        return 3\n"
    )
    code, told, _ = invoke(
        "eval",
        "--agent",
        f"{tmp_path / 'bad.py'}:F",
        "--data",
        WORLD,
        "--items",
        9,
        "--output",
        tmp_path / "run",
    )
    assert code == 1
    assert "ERRORS: 9 items failed and count as wrong; the same command tries them again" in told
    assert told.count("begin of agent bad returned no agent") == 1
    assert " and 6 more: TypeError: " in told


def play(tmp_path: Path, *arguments: object, typed: str, monkeypatch: pytest.MonkeyPatch) -> str:
    from typer.testing import CliRunner

    from agenthop_env.cli import app

    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["play", *map(str, arguments)], input=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_play_names_its_item_and_the_seed_chooses_it(
    release_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def head(*arguments: object) -> str:
        told = play(tmp_path, "--data", release_folder, *arguments, typed="quit\n", monkeypatch=monkeypatch)
        return told.splitlines()[0]

    assert head("--seed", 3) == head("--seed", 3)
    assert len({head("--seed", seed).split()[1] for seed in range(12)}) > 3
    assert head("--item", "st_0004", "--seed", 3) == "item st_0004 of release, seed 3"
    seed = head().rpartition(" ")[2]
    assert head("--seed", seed).endswith(f"seed {seed}")


HOPELESS = """\
submit
submit maybe
submit E
submit A B
refs 1
refs seed
refs 99
refs 0
info 1 2
search
think
read 99 B
read seed
submit (b)
"""


def test_play_refuses_what_cannot_be_a_call_at_no_cost(
    release_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = play(
        tmp_path, "--data", release_folder, "--item", "st_0004", "--output", tmp_path / "run", typed=HOPELESS,
        monkeypatch=monkeypatch,
    )  # fmt: skip
    for part, count in (
        ("submit needs one letter of A, B, C, D: submit B", 4),
        ("no list of papers yet that 1 could be in; refs seed shows one", 1),
        ("no paper 99 in the last list, which goes from 1 to", 2),
        ("no paper 0 in the last list", 1),
        ("info takes one paper", 1),
        ("search needs words", 1),
        ("think needs words", 1),
        ("read needs a paper and a section", 1),
    ):
        assert told.count(part) == count, part
    record = next(iter(load_runs(tmp_path / "run")[0].records))
    assert [call.name for turn in record.turns for call in turn.calls] == ["get_references", "submit_answer"]
    assert record.totals.points == 1
    assert "used: 1 point, 2 turns" in told


def test_play_leaves_the_games_own_business_to_the_game(
    release_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "read seed Nowhere\ninfo nobody\nrefs 12345\nsubmit A\n"
    play(
        tmp_path, "--data", release_folder, "--item", "st_0004", "--output", tmp_path / "run", typed=typed,
        monkeypatch=monkeypatch,
    )  # fmt: skip
    record = next(iter(load_runs(tmp_path / "run")[0].records))
    assert [call.outcome for turn in record.turns for call in turn.calls] == [
        "unknown_section",
        "unknown_paper",
        "unknown_paper",
        "ok",
    ]


@pytest.mark.parametrize("module", ["typer", "agenthop_env.cli", "agenthop_env.evaluation", "rich.table"])
def test_an_interrupt_is_answered_from_the_first_moment(module: str, tmp_path: Path) -> None:
    """Ctrl-C while a module is loaded, whichever it is."""
    script = f"""
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
sys.argv = ["agenthop", "eval", "--agent", "random", "--data", {WORLD!r}, "--items", "1", "--output", "run"]
from agenthop_env.command import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )  # fmt: skip
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1


def test_a_damaged_store_is_named_file_by_file(release_folder: Path, own_cache: Path, tmp_path: Path) -> None:
    from agenthop_env.corpus.cache import compiled_folder

    store = tmp_path / "store"
    shutil.copytree(compiled_folder(release_folder), store)
    whole = CliRunner().invoke(app, ["data", "info", str(store), "--check"])
    assert whole.exit_code == 0
    assert "every file is as it was written" in whole.output
    sections = store / "sections.bin"
    sections.write_bytes(b"\0" * sections.stat().st_size)
    damaged = CliRunner().invoke(app, ["data", "info", str(store), "--check"])
    assert damaged.exit_code == 1
    assert "sections.bin: other content than was written" in damaged.output
    assert CliRunner().invoke(app, ["data", "info", "world:nano", "--check"]).exit_code == 2
