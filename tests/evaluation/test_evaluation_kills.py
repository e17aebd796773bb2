"""Runs in processes of their own: killed, interrupted, and two at once in one folder."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from slow_run import SlowFactory

from agenthop_env import EpisodeRecord
from agenthop_env.diagnostics import load_runs
from agenthop_env.evaluation import evaluate

SCRIPT = Path(__file__).with_name("slow_run.py")
ROOT = Path(__file__).resolve().parents[2]
WORLD = "world:nano?split=test&items=24"


def start(folder: Path, delay: float, workers: int) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(SCRIPT), str(folder), WORLD, str(delay), str(workers)]
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, start_new_session=True)


def wait_for(folder: Path, count: int) -> None:
    path = folder / "episodes.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if path.exists() and path.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.005)
    raise AssertionError(f"{count} episodes did not come")


def records(folder: Path) -> dict[str, EpisodeRecord]:
    return {record.item_id: record for record in load_runs(folder)[0].records}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EpisodeRecord]:
    folder = tmp_path_factory.mktemp("undisturbed")
    evaluate(WORLD, SlowFactory(0), folder)
    return records(folder)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_killed_again_and_again_a_run_ends_as_if_undisturbed(
    tmp_path: Path, undisturbed: dict[str, EpisodeRecord], workers: int
) -> None:
    chance = random.Random(workers)
    folder = tmp_path / "run"
    for kill in range(4):
        process = start(folder, 0.01, workers)
        wait_for(folder, 1 + 4 * kill)
        time.sleep(chance.random() * 0.2)
        before = (folder / "episodes.jsonl").read_bytes()
        process.kill()
        process.communicate()
        after = (folder / "episodes.jsonl").read_bytes()
        assert after.startswith(before), "what was written is lost"
        found = records(folder)
        assert found == {item_id: undisturbed[item_id] for item_id in found}
    time.sleep(0.5)  # the workers of a killed run see that it is gone, and leave
    result = evaluate(WORLD, SlowFactory(0.01), folder, workers=workers)
    assert result.ok
    assert records(folder) == undisturbed
    assert len((folder / "episodes.jsonl").read_bytes().splitlines()) == len(undisturbed), (
        "an item was played twice"
    )
    sessions = result.config.sessions
    assert len(sessions) >= 4, "a killed session is missing"  # the last kill may come after the end
    assert [session.cut for session in sessions[:3]] == [True] * 3
    assert not sessions[-1].cut


@pytest.mark.slow
def test_the_workers_of_a_killed_run_leave(tmp_path: Path) -> None:
    process = start(tmp_path / "run", 0.01, 2)
    wait_for(tmp_path / "run", 2)
    workers = _children(process.pid)
    assert len(workers) >= 2
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 20
    while any(_alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if _alive(pid)]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_lets_episodes_in_flight_end(
    tmp_path: Path, undisturbed: dict[str, EpisodeRecord], workers: int, number: signal.Signals
) -> None:
    process = start(tmp_path / "run", 0.02, workers)
    wait_for(tmp_path / "run", 3)
    os.killpg(process.pid, number)  # as a terminal does: to every process of the run
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert (tmp_path / "run" / "summary.json").exists()
    found = records(tmp_path / "run")
    assert 3 <= len(found) < len(undisturbed)
    assert found == {item_id: undisturbed[item_id] for item_id in found}
    assert evaluate(WORLD, SlowFactory(0), tmp_path / "run").ok
    assert records(tmp_path / "run") == undisturbed


@pytest.mark.slow
def test_two_runs_cannot_share_a_folder(tmp_path: Path) -> None:
    first = start(tmp_path / "run", 0.02, 1)
    wait_for(tmp_path / "run", 1)
    second = start(tmp_path / "run", 0.02, 1)
    _, told = second.communicate(timeout=30)
    assert second.returncode == 1
    assert b"another run is at work in this folder" in told
    first.communicate(timeout=60)
    assert first.returncode == 0
    assert len((tmp_path / "run" / "episodes.jsonl").read_bytes().splitlines()) == 24


def _children(pid: int) -> list[int]:
    if not Path("/proc").is_dir():
        pytest.skip("needs /proc")
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(status.parent.name))
    return found


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
