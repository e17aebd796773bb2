"""Folders of demonstrations: mixture, splits, formats, resume, kills, two at once."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agenthop_env import open_corpus
from agenthop_env.corpus.splits import SplitError
from agenthop_env.corpus.store import Corpus
from agenthop_env.demonstrations import DEFAULT_MIXTURE, HABITS, chat, generate, mixture, write
from agenthop_env.diagnostics import load_runs
from agenthop_env.evaluation import Protocol, RunError, verify_run

ROWS = "demonstrations.jsonl"
COLUMNS = {
    "messages", "tools", "item_id", "habit", "correct", "paper_recall", "section_recall", "points", "turns", "seed",
    "world", "prompts_hash", "tool_mode", "tool_format", "index",
}  # fmt: skip


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / ROWS).read_text(encoding="utf-8").splitlines()]


def test_mixtures() -> None:
    assert mixture("verify=3, early") == {"verify": 0.75, "early": 0.25}
    assert mixture({"early": 2, "guesser": 0}) == {"early": 1.0}
    assert set(mixture()) == set(HABITS) == set(DEFAULT_MIXTURE)
    for wrong in ("sleepy=1", "verify=x", "verify=-1", "verify=0", "", "verify,verify", "verify=nan"):
        with pytest.raises(ValueError, match="habit"):
            mixture(wrong)


def test_the_mixture_is_what_comes_out(small: Corpus) -> None:
    found = Counter(one.habit for one in generate(small, "early=3,guesser=1", count=400))
    assert set(found) == {"early", "guesser"}
    assert 250 < found["early"] < 350


def test_every_item_has_its_turn(small: Corpus) -> None:
    found = list(generate(small, "early", count=8))
    assert [one.item_id for one in found] == list(small.ids) * 2
    assert len({one.seed for one in found}) == 8


def test_a_stream_can_be_entered_anywhere_and_played_by_workers(small: Corpus) -> None:
    whole = list(generate(small, count=24))
    assert list(generate(small, start=10, count=14)) == whole[10:]
    assert list(generate(small, count=24, workers=2)) == whole


def test_test_items_are_refused(corpus: Corpus, tmp_path: Path) -> None:
    world = "world:nano?split=test&items=5"
    with pytest.raises(SplitError, match="test split"):
        next(generate(world))
    with pytest.raises(SplitError, match="not for training"):
        write(world, tmp_path / "no", 5)
    assert not (tmp_path / "no").exists()
    assert write(world, tmp_path / "yes", 5, allow_test=True).manifest.splits == {"test": 5}


def test_test_items_are_refused_in_workers(tmp_path: Path) -> None:
    with pytest.raises(SplitError, match="test split"):
        list(generate("world:nano?split=test&items=5", count=4, workers=2))


def test_a_folder_holds_rows_records_and_a_manifest(small: Corpus, tmp_path: Path) -> None:
    written = write(small, tmp_path / "demos", 20, seed=3)
    manifest = written.manifest
    found = rows(written.folder)
    assert [set(row) for row in found] == [COLUMNS] * 20
    assert [row["index"] for row in found] == list(range(20))
    assert manifest.complete
    assert (manifest.figures.kept, manifest.figures.played) == (20, 20)
    assert sum(figures.kept for figures in manifest.habits.values()) == 20
    assert manifest.figures.accuracy == pytest.approx(sum(row["correct"] for row in found) / 20)
    assert manifest.spec == found[0]["world"]["spec"] == "little"
    assert json.loads((written.folder / "manifest.json").read_text())["fingerprint"] == small.fingerprint
    assert str(written.folder.parent) not in (written.folder / ROWS).read_text()
    for row, one in zip(found, generate(small, seed=3, count=20), strict=True):
        assert row["messages"] == one.messages
        assert row == one.row()
    verification = verify_run(written.folder, small)
    assert verification.episodes == 20
    assert verification.differences == []


def test_only_what_passes_is_kept(small: Corpus, tmp_path: Path) -> None:
    written = write(
        small, tmp_path / "demos", 30, "guesser=1,early=1,verify=1", only_correct=True, max_points=12
    )
    found = rows(written.folder)
    assert len(found) == 30
    assert all(row["correct"] and row["points"] <= 12 for row in found)
    figures = written.manifest.figures
    assert figures.accuracy == 1.0 > figures.accuracy_played
    assert figures.played == found[-1]["index"] + 1 > 30


def test_a_filter_that_nothing_passes_ends(small: Corpus, tmp_path: Path) -> None:
    written = write(small, tmp_path / "demos", 2, "early", max_points=0)
    assert not written.manifest.complete
    assert written.manifest.figures.kept == 0
    assert not write(small, tmp_path / "demos", 2, "early", max_points=0).manifest.complete


@pytest.mark.parametrize("tool_mode", ["text", "native"])
def test_round_trips_through_datasets(small: Corpus, tmp_path: Path, tool_mode: str) -> None:
    datasets = pytest.importorskip("datasets")
    folder = tmp_path / "demos"
    protocol = Protocol(tool_mode=tool_mode, tool_format="hermes")
    write(small, folder, 40, protocol=protocol, formats=("jsonl", "parquet"))
    original = rows(folder)
    for kind, file in (("json", ROWS), ("parquet", "demonstrations.parquet")):
        loaded = datasets.load_dataset(
            kind, data_files=str(folder / file), split="train", cache_dir=str(tmp_path / kind)
        )
        assert set(loaded.column_names) == COLUMNS
        for row, expected in zip(loaded, original, strict=True):
            assert {name: value for name, value in row.items() if name != "messages"} == {
                name: value for name, value in expected.items() if name != "messages"
            }
            assert [_without_nulls(message) for message in row["messages"]] == expected["messages"]
        if tool_mode == "native":
            assert len(json.loads(loaded[0]["tools"])) == 7
            texts = [
                call["function"]["arguments"]
                for message in loaded[0]["messages"]
                for call in message.get("tool_calls") or ()
            ]
            assert texts
            assert all(isinstance(json.loads(text), dict) for text in texts)
        else:
            assert loaded[0]["tools"] is None


def _without_nulls(message: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in message.items() if value is not None}


def test_parquet_names_its_remedy(small: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"agenthop-env\[demos\]"):
        write(small, tmp_path / "demos", 2, formats=("jsonl", "parquet"))
    assert not (tmp_path / "demos").exists()


def test_a_larger_count_extends_and_another_setting_is_refused(small: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "demos"
    write(small, folder, 10)
    first = (folder / ROWS).read_bytes()
    longer = write(small, folder, 25, workers=2)
    assert longer.resumed == 10
    assert (folder / ROWS).read_bytes().startswith(first)
    write(small, tmp_path / "at_once", 25)
    assert (folder / ROWS).read_bytes() == (tmp_path / "at_once" / ROWS).read_bytes()
    assert write(small, folder, 25).resumed == 25
    with pytest.raises(RunError, match="more than the 5 asked for"):
        write(small, folder, 5)
    for other in ({"seed": 1}, {"habits": "early"}, {"only_correct": True}, {"thoughts": "brief"}):
        with pytest.raises(RunError, match="other settings"):
            write(small, folder, 25, **other)  # type: ignore[arg-type]
    with pytest.raises(RunError, match="other settings"):
        write(small, folder, 25, protocol=Protocol(tool_mode="native"))


def test_torn_and_surplus_rows_are_mended(small: Corpus, tmp_path: Path) -> None:
    folder = tmp_path / "demos"
    write(small, folder, 12)
    whole = (folder / ROWS).read_bytes()
    records = (folder / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    for kept_records, kept_rows in ((7, 8), (7, 7)):
        torn = b"".join(whole.splitlines(keepends=True)[:kept_rows]) + b'{"messages": [{"role'
        (folder / ROWS).write_bytes(torn)
        (folder / "episodes.jsonl").write_bytes(b"".join(records[:kept_records]) + records[kept_records][:30])
        write(small, folder, 12)
        assert (folder / ROWS).read_bytes() == whole
        assert (folder / "episodes.jsonl").read_bytes() == b"".join(records)
    (folder / ROWS).write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    with pytest.raises(RunError, match="damaged"):
        write(small, folder, 14)


def start(folder: Path, source: Path, count: int, workers: int = 1) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "agenthop_env.cli", "demos", "--data", str(source), "--out", str(folder)]
    command += ["--count", str(count), "--workers", str(workers)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def wait_for(path: Path, count: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if path.exists() and path.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.005)
    raise AssertionError(f"{count} rows did not come")


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_killed_again_and_again_it_ends_as_if_undisturbed(
    small: Corpus, small_folder: Path, tmp_path: Path, workers: int
) -> None:
    count = 800
    chance = random.Random(workers)
    folder = tmp_path / "demos"
    for kill in range(4):
        process = start(folder, small_folder, count, workers)
        wait_for(folder / ROWS, 1 + 150 * kill)
        time.sleep(chance.random() * 0.1)
        process.kill()
        process.communicate()
    assert not (folder / "manifest.json").exists()
    assert write(small, folder, count).resumed > 450
    write(small, tmp_path / "undisturbed", count)
    for file in (ROWS, "episodes.jsonl", "manifest.json"):
        assert (folder / file).read_bytes() == (tmp_path / "undisturbed" / file).read_bytes()


@pytest.mark.slow
def test_an_interrupt_says_how_to_go_on(small: Corpus, small_folder: Path, tmp_path: Path) -> None:
    process = start(tmp_path / "demos", small_folder, 5000, 2)
    wait_for(tmp_path / "demos" / ROWS, 5)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"the same command goes on" in told
    assert b"Traceback" not in told


@pytest.mark.slow
def test_two_processes_cannot_share_a_folder(small: Corpus, small_folder: Path, tmp_path: Path) -> None:
    first = start(tmp_path / "demos", small_folder, 4000)
    wait_for(tmp_path / "demos" / ROWS, 1)
    second = start(tmp_path / "demos", small_folder, 4000)
    _, told = second.communicate(timeout=30)
    assert second.returncode == 1
    assert b"another run is at work in this folder" in told
    assert b"Traceback" not in told
    first.kill()
    first.communicate()


def test_a_demos_folder_loads_as_a_run(small: Corpus, tmp_path: Path) -> None:
    write(small, tmp_path / "demos", 9)
    (run,) = load_runs(tmp_path / "demos")
    assert len(list(run.records)) == 9
    assert open_corpus(run.config["source"]).fingerprint == small.fingerprint


@pytest.mark.parametrize("tool_mode", ["text", "native"])
@pytest.mark.parametrize("objects", [False, True])
def test_rows_become_chats(small: Corpus, tmp_path: Path, tool_mode: str, objects: bool) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write(small, tmp_path / "demos", 10, protocol=Protocol(tool_mode=tool_mode), formats=("parquet",))
    loaded = parquet.read_table(tmp_path / "demos" / "demonstrations.parquet").to_pylist()
    for row, original in zip(loaded, rows(tmp_path / "demos"), strict=True):
        messages, tools = chat(row, objects=objects)
        if objects:
            for message in original["messages"]:
                for call in message.get("tool_calls", ()):
                    call["function"]["arguments"] = json.loads(call["function"]["arguments"])
        assert messages == original["messages"]
        assert (tools is None) == (tool_mode == "text")


TEMPLATE = (
    "{% if tools %}{{ tools | tojson }}{% endif %}{% for message in messages %}<|{{ message.role }}|>"
    "{% if message.role == 'assistant' %}{% generation %}{{ message.content }}{% for call in message.tool_calls or [] %}"
    "{{ '\\n' + call.function.name + ' ' + call.function.arguments }}{% endfor %}<|end|>{% endgeneration %}"
    "{% else %}{{ message.content }}<|end|>{% endif %}{% endfor %}"
)


@pytest.mark.parametrize("tool_mode", ["text", "native"])
def test_a_chat_template_masks_what_the_expert_said(small: Corpus, tool_mode: str) -> None:
    """With a template that marks generations, the loss falls on the expert's words and calls, and nothing else."""
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    made = tokenizers.Tokenizer(
        tokenizers.models.BPE({sign: at for at, sign in enumerate(sorted(alphabet))}, [])
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=made)
    for one in generate(small, count=20, protocol=Protocol(tool_mode=tool_mode, tool_format="hermes")):
        messages, tools = chat(one.row())
        found = tokenizer.apply_chat_template(
            messages, tools=tools, chat_template=TEMPLATE, return_dict=True, return_assistant_tokens_mask=True
        )
        marks = zip(found["input_ids"], found["assistant_masks"], strict=True)
        said = tokenizer.decode([token for token, marked in marks if marked])
        expected = [
            message["content"]
            + "".join(
                f"\n{call['function']['name']} {call['function']['arguments']}"
                for call in message.get("tool_calls", ())
            )
            for message in messages
            if message["role"] == "assistant"
        ]
        assert said == "".join(f"{text}<|end|>" for text in expected)
