"""How fast worlds are made: items per CPU second by size, with and without compiling, and memory while streaming.

    python benchmarks/world_speed.py                      # a few minutes, then 1,000 `full` items into a store
    python benchmarks/world_speed.py --stream 0           # without the stream

Adds its figures to those of `world_validity.py` in `results/`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from run import machine, versions
from world_report import markdown

from agenthop_env.worlds import SIZES, World, make
from agenthop_env.worlds.corpus import compile_item
from agenthop_env.worlds.export import compile_world

HERE = Path(__file__).parent
ITEMS = {"nano": 2_000, "tiny": 1_000, "small": 150, "full": 8}
BLOCKS = 5
WARM = 60


def characters(world: World) -> int:
    """Characters of text of an item, on average."""
    some = [world[index] for index in range(min(8, len(world)))]
    return sum(
        len(section["text"]) for item in some for paper in item.papers for section in paper["sections"]
    ) // len(some)


def rates(size: str) -> dict[str, Any]:
    """Items per CPU second: the median and the best of some blocks, once the stock of phrases is ready."""
    count = ITEMS[size]
    world = make(size, seed=3, items=count)
    for index in range(min(WARM, count)):
        world[index]
    made, compiled = [], []
    share = max(1, count // BLOCKS)
    for block in range(BLOCKS):
        places = [at % count for at in range(block * share, (block + 1) * share)]
        started = time.process_time()
        for index in places:
            world[index]
        between = time.process_time()
        for index in places:
            compile_item(world[index], world.split)
        made.append(share / (between - started))
        compiled.append(share / (time.process_time() - between))
    return {
        "items": count,
        "made_per_s": round(sorted(made)[BLOCKS // 2], 1),
        "made_per_s_best": round(max(made), 1),
        "compiled_per_s": round(sorted(compiled)[BLOCKS // 2], 1),
        "compiled_per_s_best": round(max(compiled), 1),
        "characters": characters(world),
    }


def resident_mb() -> float:
    """Resident memory of this process."""
    found = re.search(r"VmRSS:\s*(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def stream(items: int) -> dict[str, Any]:
    """A `full` world into a store, watching memory."""
    before, most, readings = resident_mb(), 0.0, []
    started, spent = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory(prefix="agenthop-bench-") as folder:

        def watch(done: int, of: int) -> None:
            nonlocal most
            most = max(most, resident_mb())
            if done % max(1, of // 20) == 0:
                readings.append([done, round(resident_mb() - before, 1)])
                print(f"streamed {done} of {of}: {readings[-1][1]} MB", file=sys.stderr, flush=True)

        target = Path(folder) / "store"
        compile_world(make("full", seed=3, items=items), target, progress=watch)
        size = sum(file.stat().st_size for file in target.rglob("*") if file.is_file())
    return {
        "items": items,
        "seconds": round(time.perf_counter() - started, 1),
        "cpu_seconds": round(time.process_time() - spent, 1),
        "store_gb": round(size / 1e9, 3),
        "peak_mb": round(most - before, 1),
        "readings_mb": readings,
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stream", type=int, default=1000, help="`full` items to stream; 0 for none")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--name", default=re.sub(r"[^a-z0-9]+", "-", machine()["cpu"].lower()).strip("-"))
    args = parser.parse_args()
    stem = args.results / f"world-validity-{args.name}"
    file = stem.with_suffix(".json")
    load = os.getloadavg()[0]
    speed: dict[str, Any] = {"sizes": {size: rates(size) for size in SIZES}, "load_average": round(load, 2)}
    if args.stream:
        speed["stream"] = stream(args.stream)
    figures: dict[str, Any] = json.loads(file.read_text()) if file.is_file() else {"sizes": {}}
    figures |= {"speed": speed, "machine": machine(), "versions": versions()}
    args.results.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    stem.with_suffix(".md").write_text(markdown(figures), encoding="utf-8")
    print(json.dumps(speed, indent=1))


if __name__ == "__main__":
    main()
