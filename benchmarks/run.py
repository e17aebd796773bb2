"""Measures the package at release scale beside a plain baseline, in one run.

    python benchmarks/run.py                     # makes a release at full scale in a temporary folder, measures, cleans up
    python benchmarks/run.py --scale 0.02 --quick  # a smoke run of seconds
    python benchmarks/run.py --data RELEASE      # measures on a release that is there already

Writes `results/<date>-<machine>.json` and `.md` and prints the latter. What each row means is in README.md.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import runpy
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from episodes import make_games, save_games
from make_release import make_release
from report import markdown

HERE = Path(__file__).resolve().parent
ROUNDS = 12
"""Different games on each item; longer runs play them again."""
CONCURRENT = (1, 16, 256, 1024, 4096)

Figures = dict[str, Any]


class Bench:
    """Runs measures in processes of their own over one release.

    Args:
        release: The release.
        games: File of scripted games.
        cache: Where compiled stores go.
    """

    def __init__(self, release: Path, games: Path, cache: Path) -> None:
        self.release, self.games = release, games
        self.environment = {
            **os.environ,
            "AGENTHOP_CACHE": str(cache),
            "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE.parent), os.environ.get("PYTHONPATH")])),
        }

    def command(self, name: str, value: str = "") -> list[str]:
        """Command line of a measure."""
        return [sys.executable, str(HERE / "measures.py"), name, str(self.release), str(self.games), value]

    def measure(self, name: str, value: str = "") -> Figures:
        """Run a measure in a fresh process; a failure is a figure too."""
        print(f"  {name} {value}".rstrip(), file=sys.stderr, flush=True)
        done = subprocess.run(
            self.command(name, value), env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            return {"error": (done.stderr.strip().splitlines() or ["no message"])[-1]}
        found: Figures = json.loads(done.stdout.splitlines()[-1])
        return found

    def player(self, name: str, value: str = "") -> PlayerProcess:
        """Start a player."""
        print(f"  {name} {value}".rstrip(), file=sys.stderr, flush=True)
        return PlayerProcess(self.command(name, value), self.environment)


class PlayerProcess:
    """A process that plays blocks of games on request.

    Args:
        command: Its command line.
        environment: Its environment variables.
    """

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - closed by `close`
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )
        self.blocks: list[Figures] = []
        self.ready = self.answer()

    def ask(self, number: int, first: int, stop: int) -> None:
        """Have games `first` to `stop` of a round played."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"[{number}, {first}, {stop}]\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer says why

    def answer(self) -> Figures:
        """The next line that the process says."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if line:
            found: Figures = json.loads(line)
            return found
        self.process.wait()
        self.errors.seek(0)
        return {"error": (self.errors.read().strip().splitlines() or ["no message"])[-1]}

    def play(self, number: int, first: int, stop: int) -> None:
        """Play a block and keep its figures."""
        self.ask(number, first, stop)
        self.blocks.append(self.answer())

    def close(self) -> None:
        """End the process."""
        self.process.communicate()
        self.errors.close()


def throughput(bench: Bench, items: int, blocks: int) -> Figures:
    """Episodes per CPU second; the contestants take turns, so that a slow minute of the machine hits all of them.

    The baseline plays every item once, a share in each block; the others play all items in each.
    """
    contestants = {
        "baseline": bench.player("baseline-player"),
        "turn": bench.player("turn-player"),
        "env": bench.player("env-player"),
        "env_bare": bench.player("env-player", "bare"),
    }
    for player in list(contestants.values())[1:]:
        player.play(ROUNDS - 1, 0, items)  # every item is opened once, as in any run longer than a round
    first_round = {name: player.blocks.pop() for name, player in contestants.items() if player.blocks}
    for block in range(blocks):
        for name, player in contestants.items():
            if name == "baseline":
                player.play(0, items * block // blocks, items * (block + 1) // blocks)
            else:
                player.play(block % (ROUNDS - 1), 0, items)
    for player in contestants.values():
        player.close()
    found = {
        name: {"ready": player.ready, "first_round": first_round.get(name), **_rates(player.blocks)}
        for name, player in contestants.items()
    }
    yardstick = found["baseline"].get("blocks_per_cpu_s", [])
    for rates in found.values():
        pairs = zip(rates.get("blocks_per_cpu_s", []), yardstick, strict=False)
        rates["ratios"] = [round(rate / slow, 1) for rate, slow in pairs]
    return found


def _rates(blocks: list[Figures]) -> Figures:
    errors = [block["error"] for block in blocks if "error" in block]
    if errors:
        return {"error": errors[0]}
    rates = [block["episodes"] / block["cpu_s"] for block in blocks]
    return {
        "per_cpu_s": round(
            sum(block["episodes"] for block in blocks) / sum(block["cpu_s"] for block in blocks), 1
        ),
        "blocks_per_cpu_s": [round(rate, 1) for rate in rates],
        "median_block_per_cpu_s": round(statistics.median(rates), 1),
        "blocks": blocks,
    }


def two_processes(bench: Bench, items: int, blocks: int) -> Figures:
    """Two processes on one store, each playing half of the items at the same time."""
    players = [bench.player("env-player"), bench.player("env-player")]
    half = items // 2
    wall, played = 0.0, 0
    for block in range(blocks + 1):  # the first block opens the items and does not count
        for player, (first, stop) in zip(players, ((0, half), (half, items)), strict=True):
            player.ask(block % ROUNDS, first, stop)
        answers = [player.answer() for player in players]
        if block and not any("error" in answer for answer in answers):
            wall += max(answer["wall_s"] for answer in answers)
            played += sum(answer["episodes"] for answer in answers)
            for player, answer in zip(players, answers, strict=True):
                player.blocks.append(answer)
    for player in players:
        player.close()
    found = [block for player in players for block in player.blocks]
    if not found:
        return {"error": players[0].ready.get("error", "no block was played")}
    return {**_rates(found), "per_wall_s": round(played / wall, 1)}


def machine() -> Figures:
    """Processor, cores, memory, system."""
    model, total = platform.processor() or platform.machine(), 0.0
    try:
        text = Path("/proc/cpuinfo").read_text()
        if found := re.search(r"model name\s*: (.*)", text):
            model = found[1]
        if found := re.search(r"MemTotal:\s*(\d+) kB", Path("/proc/meminfo").read_text()):
            total = round(int(found[1]) * 1.024e-6, 1)
    except OSError:
        pass
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "memory_gb": total,
        "system": f"{platform.system()} {platform.machine()}",
    }


def _load_average() -> float:
    """Processes that wanted a core over the last minute: what else the machine had to do."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0


def versions() -> Figures:
    """Versions of what was measured and of what it stands on."""
    found = {"python": platform.python_version()}
    for name in ("numpy", "gymnasium", "msgspec"):
        found[name] = metadata.version(name)
    found["agenthop-env"] = runpy.run_path(str(HERE.parent / "agenthop_env/_version.py"))["__version__"]
    return found


def run(release: Path, work: Path, *, quick: bool = False) -> Figures:
    """All measures over one release; `quick` tries each measure on little, to see that all of them run."""
    opens, blocks, long_rounds, concurrent = (1, 2, 2, (1, 16)) if quick else (5, 10, 10, CONCURRENT)
    started, load = time.perf_counter(), _load_average()
    games = make_games(release, ROUNDS)
    items = len(games[0])
    save_games(work / "games.jsonl", games)
    del games
    bench = Bench(release, work / "games.jsonl", work / "cache")
    manifest = release / "manifest.json"
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": versions(),
        "release": json.loads(manifest.read_text()) if manifest.is_file() else {"items": items},
        "items": items,
        "compile": bench.measure("compile"),
        "open": [bench.measure("open") for _ in range(opens)],
        "throughput": throughput(bench, items, blocks),
        "two_processes": two_processes(bench, items, blocks // 2),
        "reset": bench.measure("reset"),
        "tools": bench.measure("tools"),
        "concurrent": {str(count): bench.measure("vector", str(count)) for count in concurrent},
        "long": bench.measure("long", str(long_rounds)),
        "profile": bench.measure("profile"),
        "load_average": [load, _load_average()],
        "seconds": round(time.perf_counter() - started, 1),
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--scale", type=float, default=1.0, help="share of the published set's size; default 1.0"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, help="measure on this release instead of a made one")
    parser.add_argument("--quick", action="store_true", help="less of each measure: to see that all run")
    parser.add_argument(
        "--work", type=Path, help="folder for the release and the cache; default a temporary one"
    )
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument(
        "--name", default=re.sub(r"[^a-z0-9]+", "-", platform.machine().lower()), help="machine's name"
    )
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="agenthop-bench-", dir=args.work) as folder:
        work, release = Path(folder), args.data
        if release is None:
            release = work / "release"
            print(f"making a release at scale {args.scale}", file=sys.stderr, flush=True)
            make_release(release, scale=args.scale, seed=args.seed)
        figures = run(release, work, quick=args.quick)
    args.results.mkdir(parents=True, exist_ok=True)
    stem = args.results / f"{figures['date'][:10]}-{args.name}"
    stem.with_suffix(".json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    text = markdown(figures)
    stem.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)
    print(f"written to {stem}.json and .md", file=sys.stderr)
    if failed := sorted(_errors(figures)):
        raise SystemExit("not measured: " + "; ".join(failed))


def _errors(figures: Any, place: str = "") -> Iterator[str]:
    """What failed, with its place among the figures."""
    if isinstance(figures, dict):
        if "error" in figures:
            yield f"{place}: {figures['error']}"
        for name, inner in figures.items():
            yield from _errors(inner, f"{place}.{name}".lstrip("."))
    elif isinstance(figures, list):
        for index, inner in enumerate(figures):
            yield from _errors(inner, f"{place}[{index}]")


if __name__ == "__main__":
    main()
