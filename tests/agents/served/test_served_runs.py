"""Whole runs over a server: the records of the script, whatever the server does, through the runner and the command."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from canary import CANARY
from loopback import HTML, Answer, Request, error
from policies import assert_same, direct, scripts
from rounds import QUICK, factory_for, policy_of, serve, vendor
from typer.testing import CliRunner
from vendors import MODEL, VENDORS, Vendor

from agenthop_env import EpisodeRecord, open_corpus
from agenthop_env.cli import app
from agenthop_env.corpus.store import Corpus
from agenthop_env.diagnostics import load_runs
from agenthop_env.evaluation import Protocol, evaluate, verify_run

ROOT = Path(__file__).resolve().parents[3]
WORLD = "world:tiny?split=train&items=24"
NATIVE = Protocol(tool_mode="native")


def records(folder: Path) -> dict[str, EpisodeRecord]:
    return {record.item_id: record for record in load_runs(folder)[0].records}


def no_key_in(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            assert CANARY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("api", VENDORS)
def test_a_run_over_a_server_is_the_run_of_the_script(corpus: Corpus, tmp_path: Path, api: str) -> None:
    said = scripts(corpus, "explorer")
    server = vendor(api, policy_of(corpus, said))
    with serve(server) as at:
        factory = factory_for(server, at.url)
        result = evaluate(corpus, factory, tmp_path / "run", protocol=NATIVE, concurrency=8)
    assert result.ok
    found = records(tmp_path / "run")
    for item_id in corpus.ids:
        assert_same(found[item_id], direct(corpus, item_id, said[item_id], "native", seed=0))
    assert result.progress.usage == factory.statistics.usage == result.summary.usage
    assert not verify_run(tmp_path / "run", corpus).differences
    assert found[corpus.ids[0]].turns[0].raw
    no_key_in(tmp_path)


def faulty(server: Vendor, chance: random.Random, share: float, counts: Counter[str]) -> Any:
    """A server that fails in many ways before it answers."""
    kinds: dict[str, Answer] = {
        "429": error(429)._replace(headers={"Retry-After": "0"}),
        "500": error(500),
        "502": Answer(502, HTML, kind="text/html"),
        "503": error(503),
        "529": error(529),
        "reset": Answer(body=json.dumps({"id": "x" * 500}), cut=40),
        "html": Answer(200, HTML, kind="text/html"),
        "empty": Answer(200, ""),
    }

    def respond(request: Request) -> Answer:
        if request.method == "POST" and chance.random() < share:
            kind = chance.choice(list(kinds))
            counts[kind] += 1
            return kinds[kind]
        return server(request)

    return respond


@pytest.mark.parametrize(
    "rounds", [pytest.param(2), pytest.param(60, marks=pytest.mark.slow)], ids=["some", "thousands"]
)
def test_a_bad_server_costs_time_and_nothing_else(tmp_path: Path, rounds: int) -> None:
    corpus = open_corpus(WORLD)
    said = scripts(corpus, "explorer")
    counts: Counter[str] = Counter()
    for number in range(rounds):
        api = tuple(VENDORS)[number % len(VENDORS)]
        server = vendor(api, policy_of(corpus, said))
        with serve(faulty(server, random.Random(number), 0.25, counts)) as at:
            factory = factory_for(server, at.url, retry={**QUICK, "attempts": 30, "total_seconds": 60.0})
            run = tmp_path / f"run{number}"
            result = evaluate(corpus, factory, run, protocol=NATIVE, concurrency=12)
        assert result.ok, [failure.error for failure in result.summary.failures][:3]
        found = records(run)
        for item_id in corpus.ids:
            record = found[item_id]
            assert all(not attempt.whole for attempt in record.attempts)
            assert record.retries == 0
            assert_same(
                msgspec.structs.replace(record, attempts=()),
                direct(corpus, item_id, said[item_id], "native", seed=0),
            )
        no_key_in(run)
    assert len(counts) == 8
    assert sum(counts.values()) > 20 * rounds


def test_a_refused_key_stops_the_run_at_once_and_is_not_told(corpus: Corpus, tmp_path: Path) -> None:
    server = vendor("chat", policy_of(corpus, scripts(corpus)))
    with serve(lambda request: error(401, f"Incorrect API key provided: {CANARY}")) as at:
        factory = factory_for(server, at.url)
        result = evaluate(corpus, factory, tmp_path / "run", protocol=NATIVE, concurrency=2)
    assert not result.complete
    assert result.progress.halted.startswith("401")
    assert CANARY not in result.progress.halted
    no_key_in(tmp_path)


def command(tmp_path: Path, *arguments: Any) -> Any:
    return CliRunner().invoke(app, ["eval", *map(str, arguments)])


def test_the_command_evaluates_a_model(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = scripts(corpus, "oracle")
    server = vendor("chat", policy_of(corpus, said))
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '[[price]]\nmatch = "test-model"\ninput = 2.0\noutput = 10.0\ncached = 0.5\nsource = "our own"\n'
    )
    config = tmp_path / "run.toml"
    with serve(server) as at:
        config.write_text(
            f'model = "{MODEL}"\nbase-url = "{server.base_url(at.url)}"\napi = "chat"\ndata = "{corpus.source}"\n'
            "preflight = false\nconcurrency = 3\n[sampling]\ntemperature = 0.5\n"
        )
        done = command(tmp_path, "--config", config, "--output", "run", "--prices", prices)
        assert done.exit_code == 0, done.output
        again = command(tmp_path, "--config", config, "--output", "run", "--sampling", "temperature=0.7")
        assert again.exit_code == 1
        assert "agent_settings.sampling" in again.output
        spread = command(tmp_path, "--config", config, "--output", "more", "--repeats", 2, "--items", 3)
        assert spread.exit_code == 0, spread.output
    assert "sampling: temperature 0.5" in done.output
    assert "api: chat" in done.output
    assert re.search(
        r"cost: \$0\.\d\d at prices per million tokens: input \$2, output \$10, cached \$0.5 \(our own\)",
        done.output,
    )
    assert "accuracy over 2 runs: mean 1.000" in spread.output
    assert {body["temperature"] for body in server.asked} == {0.5}
    assert [len(records(tmp_path / "more" / f"repeat-{number}")) for number in (1, 2)] == [3, 3]
    assert {record.seed for record in records(tmp_path / "more" / "repeat-2").values()} == {1}
    no_key_in(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--model", "m", "--agent", "oracle"], "--agent: it goes with an agent, not with --model"),
        (["--base-url", "http://127.0.0.1:1/v1"], "--base-url: it goes with --model"),
        (["--model", "m"], "where is 'm' served"),
        (["--model", "m", "--engine", "gpu"], "--engine must be one of"),
        (["--model", "m", "--engine", "vllm", "--base-url", "http://127.0.0.1:1/v1"], "runs in this process"),
        (
            ["--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--sampling", "heat=1"],
            "--sampling: NAME=VALUE",
        ),
        (["--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--sampling", "top_k=x"], "--sampling: "),
        (
            ["--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--max-cost", "1"],
            "--max-cost needs prices",
        ),
        (["--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--repeats", "0"], "--repeats must be"),
        (["--config", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--data", WORLD], "error: "),
    ],
)
def test_wrong_options_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = command(tmp_path, *arguments)
    assert done.exit_code in (1, 2)
    assert said in re.sub(r"\s+", " ", done.output.replace("│", ""))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "kills", [pytest.param(5), pytest.param(50, marks=pytest.mark.slow)], ids=["a few", "fifty"]
)
def test_killed_at_any_moment_a_run_ends_as_if_undisturbed(tmp_path: Path, kills: int) -> None:
    corpus = open_corpus(WORLD)
    said = scripts(corpus, "explorer")
    server = vendor("chat", policy_of(corpus, said))
    chance = random.Random(kills)
    run = tmp_path / "run"

    def slowly(request: Request) -> Answer:
        time.sleep(chance.uniform(0, 0.02 * kills / 5))
        return error(400) if request.body is None else server(request)  # of a process killed as it asked

    with serve(slowly) as at:
        line = [
            sys.executable, "-m", "agenthop_env.cli", "eval", "--model", MODEL, "--base-url", server.base_url(at.url),
            "--api", "chat", "--no-preflight", "--no-preset", "--data", WORLD, "--output", str(run), "--concurrency", "4",
        ]  # fmt: skip
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        for _ in range(kills):
            process = subprocess.Popen(
                line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path
            )
            time.sleep(chance.uniform(1.0, 3.5))
            process.kill()
            process.wait()
        done = subprocess.run(
            line, env=environment, capture_output=True, text=True, cwd=tmp_path, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = (run / "episodes.jsonl").read_text().splitlines()
    assert len(lines) == len(corpus)
    found = records(run)
    for item_id in corpus.ids:
        assert_same(found[item_id], direct(corpus, item_id, said[item_id], "native", seed=0))
    no_key_in(tmp_path)
