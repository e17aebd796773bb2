"""Single measures, each run by `run.py` in a process of its own.

    python benchmarks/measures.py NAME RELEASE GAMES [VALUE]

prints one JSON object. Names that end in `-player` answer instead: after a line of JSON that says they are ready they
read one line for each block of games to play, so that `run.py` can let contestants take turns on a noisy machine.
"""

from __future__ import annotations

import cProfile
import gc
import json
import os
import pstats
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import baseline
import numpy as np
from episodes import COMPLETION_TOKENS, PROMPT_TOKENS, Game, load_games, read_round

Figures = dict[str, Any]
CPU = time.process_time
FORK_AFTER = 6
"""Turns played before an episode is forked: one section has been read."""


def memory() -> dict[str, float]:
    """Resident memory of this process in MB: all of it, its own (`anon`) and mapped files (`file`)."""
    names = {"VmRSS": "rss", "RssAnon": "anon", "RssFile": "file"}
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        import psutil

        return {"rss": psutil.Process().memory_info().rss / 1e6}
    fields = (line.split() for line in lines)
    return {
        names[field[0][:-1]]: int(field[1]) * 1.024e-3 for field in fields if field and field[0][:-1] in names
    }


AT_START = memory()
"""What the interpreter and numpy take, before anything of the package is imported."""


def beyond_start() -> dict[str, float]:
    """Resident memory beyond that."""
    return {name: round(value - AT_START.get(name, 0.0), 1) for name, value in memory().items()}


def mapped_files() -> dict[str, float]:
    """The mapped files that take most of the resident memory, in MB, by name."""
    found: dict[str, float] = defaultdict(float)
    name = ""
    try:
        lines = Path("/proc/self/smaps").read_text().splitlines()
    except OSError:
        return {}
    for line in lines:
        fields = line.split()
        if not fields[0].endswith(":"):
            name = Path(fields[5]).name if len(fields) > 5 else ""
        elif fields[0] == "Rss:" and name:
            found[name] += int(fields[1]) * 1.024e-3
    largest = sorted(found.items(), key=lambda entry: -entry[1])[:6]
    return {name: round(size, 1) for name, size in largest if size >= 1 and "[" not in name}


def peak() -> float:
    """Highest resident memory so far, in MB."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1.024e-3, 1)


def spread(nanoseconds: Iterable[int]) -> Figures:
    """Median and tail of some durations, in microseconds."""
    values = np.fromiter(nanoseconds, dtype=np.float64) / 1000
    if not len(values):
        return {"n": 0}
    p50, p99 = np.percentile(values, [50, 99]).tolist()
    return {
        "n": len(values),
        "p50_us": round(p50, 2),
        "p99_us": round(p99, 2),
        "mean_us": round(values.mean().item(), 2),
    }


# The package, through its public names


def open_release(folder: Path) -> Any:
    """The corpus, from the cache where it was compiled before."""
    from agenthop_env import open_corpus

    return open_corpus(folder)


def make_env(folder: Path, **options: Any) -> Any:
    """The environment as a user makes it."""
    import gymnasium

    import agenthop_env  # noqa: F401 - registers the environments

    return gymnasium.make("AgentHop-v0", data=str(folder), diagnostics="full", **options)


def play_env(env: Any, games: list[tuple[str, list[str]]]) -> Any:
    """Play games through `reset` and `step`; the last step's info holds the record."""
    record = None
    for item_id, texts in games:
        env.reset(options={"item_id": item_id})
        for text in texts:
            _, _, terminated, _, info = env.step(text)
        if not terminated:
            raise RuntimeError(f"the game on {item_id} did not end")
        record = info["record"]
    return record


def play_turns(corpus: Any, games: list[tuple[str, list[str]]]) -> Any:
    """Play games through `Episode.turn`, records made."""
    from agenthop_env import Episode

    record = None
    for item_id, texts in games:
        episode = Episode(corpus, item_id)
        for text in texts:
            episode.turn(text)
        record = episode.record()
    return record


def play_baseline(release: baseline.Release, games: list[Game]) -> None:
    """Play games on the baseline: structured calls, no records."""
    for game in games:
        harness = baseline.Harness(release, game.item_id)
        for call in game.calls:
            harness.turn([call], PROMPT_TOKENS, COMPLETION_TOKENS)


def rendered(games: Iterable[Game]) -> list[tuple[str, list[str]]]:
    """Games as assistant messages."""
    return [(game.item_id, game.texts()) for game in games]


# Single measures


def compile_store(folder: Path, games: Path, value: str) -> Figures:
    """Open a release that was never opened: fingerprint, compile, map."""
    import agenthop_env  # noqa: F401 - import time is a figure of its own

    wall, cpu = time.perf_counter(), CPU()
    corpus = open_release(folder)
    figures = {
        "wall_s": time.perf_counter() - wall,
        "cpu_s": CPU() - cpu,
        "peak_mb": peak(),
        "items": len(corpus),
    }
    cache = os.environ.get("AGENTHOP_CACHE")
    if cache:
        files = [path for path in Path(cache).rglob("*") if path.is_file()]
        figures["store_mb"] = round(sum(path.stat().st_size for path in files) / 1e6, 1)
    return figures


def open_store(folder: Path, games: Path, value: str) -> Figures:
    """Import, open a compiled release, play one round; memory after each."""
    wall = time.perf_counter()
    import agenthop_env  # noqa: F401

    imported, memory_imported = time.perf_counter() - wall, beyond_start()
    wall, cpu = time.perf_counter(), CPU()
    corpus = open_release(folder)
    figures = {
        "import_s": imported,
        "open_s": time.perf_counter() - wall,
        "open_cpu_s": CPU() - cpu,
        "imported_mb": memory_imported,
        "opened_mb": beyond_start(),
    }
    play_turns(corpus, rendered(load_games(games, 1)[0]))
    return {
        **figures,
        "played_mb": beyond_start(),
        "peak_mb": round(peak() - AT_START["rss"], 1),
        "mapped_mb": mapped_files(),
    }


def reset_and_fork(folder: Path, games: Path, value: str) -> Figures:
    """Starting an episode, as `Episode(...)` and as `env.reset`, the first time on an item and later; `fork()`."""
    from agenthop_env import Episode

    clock = time.perf_counter_ns
    corpus = open_release(folder)
    found: dict[str, list[int]] = defaultdict(list)
    played = rendered(load_games(games, 1)[0])
    for visit in ("first visit", "later visits"):
        for item_id, texts in played:
            start = clock()
            episode = Episode(corpus, item_id)
            found[f"Episode(), {visit}"].append(clock() - start)
            if visit == "later visits":
                for text in texts[:FORK_AFTER]:
                    episode.turn(text)
                start = clock()
                copy = episode.fork()
                found["Episode.fork()"].append(clock() - start)
                start = clock()
                copy.record()
                found["Episode.record()"].append(clock() - start)
    env = make_env(folder)
    for visit in ("first visit", "later visits"):
        for item_id, _ in played:
            start = clock()
            env.reset(options={"item_id": item_id})
            found[f"env.reset(), {visit}"].append(clock() - start)
    return {name: spread(times) for name, times in found.items()}


def tools(folder: Path, games: Path, value: str) -> Figures:
    """Time of each tool's turn: structured call with usage given, text through `Episode.turn`, text through `step`."""
    from agenthop_env import Episode, ToolCall, Usage

    corpus, env = open_release(folder), make_env(folder)
    usage = Usage(PROMPT_TOKENS, COMPLETION_TOKENS)
    play_turns(corpus, rendered(load_games(games, 1)[0]))
    found: dict[str, list[int]] = defaultdict(list)
    clock = time.perf_counter_ns
    for game in load_games(games, 2)[1]:
        episode = Episode(corpus, game.item_id)
        for name, arguments in game.calls:
            call = ToolCall(name, arguments)
            start = clock()
            episode.turn("", [call], usage)
            found[f"call: {name}"].append(clock() - start)
    for game in load_games(games, 3)[2]:
        episode = Episode(corpus, game.item_id)
        for (name, _), text in zip(game.calls, game.texts(), strict=True):
            start = clock()
            episode.turn(text)
            found[f"text: {name}"].append(clock() - start)
    for game in load_games(games, 4)[3]:
        env.reset(options={"item_id": game.item_id})
        for (name, _), text in zip(game.calls, game.texts(), strict=True):
            start = clock()
            env.step(text)
            found[f"step: {name}"].append(clock() - start)
    return {name: spread(times) for name, times in found.items()}


def vector(folder: Path, games: Path, value: str) -> Figures:
    """`value` episodes at once in the package's vector environment, all stepped together, game after game."""
    import gymnasium

    import agenthop_env  # noqa: F401 - registers the environments

    count = int(value)
    rounds = [rendered(played) for played in load_games(games, 6)]
    stream = [game for played in rounds for game in played]
    corpus = open_release(folder)
    play_turns(corpus, rounds[-1])
    gc.collect()
    before = memory()
    env = gymnasium.make_vec(
        "AgentHop-v0",
        count,
        data=str(folder),
        diagnostics="full",
        autoreset_mode=gymnasium.vector.AutoresetMode.DISABLED,
    )
    cycles = -(-max(len(rounds[0]), count) // count)
    clock = time.perf_counter_ns
    steps: list[int] = []
    resets: list[int] = []
    cpu = 0.0
    during: dict[str, float] = {}
    for cycle in range(cycles + 1):  # the first does not count
        batch = [stream[(cycle * count + place) % len(stream)] for place in range(count)]
        actions = list(zip(*(texts for _, texts in batch), strict=True))
        started, start = CPU(), clock()
        env.reset(options={"item_ids": [item_id for item_id, _ in batch]})
        resets.append(clock() - start)
        for number, action in enumerate(actions):
            if cycle == 0 and number == FORK_AFTER:
                during = memory()
            start = clock()
            _, _, over, _, info = env.step(action)
            steps.append(clock() - start)
        if cycle:
            cpu += CPU() - started
        if not over.all() or any(record is None for record in info["record"]):
            raise RuntimeError("not all games ended with a record")
    played = cycles * count
    own = "anon" if "anon" in during else "rss"
    step, reset = spread(steps[len(actions) :]), spread(resets[1:])
    return {
        "episodes": played,
        "episodes_per_cpu_s": round(played / cpu, 1),
        "steps_per_cpu_s": round(played * len(actions) / cpu, 1),
        "step_p50_us": step["p50_us"],
        "step_p99_us": step["p99_us"],
        "reset_p50_us": reset["p50_us"],
        "kb_per_episode": round((during[own] - before[own]) * 1000 / count, 1),
        "rss_mb": round(during["rss"] - AT_START["rss"], 1),
    }


def long_run(folder: Path, games: Path, value: str) -> Figures:
    """Memory over many episodes through the environment: `value` rounds over all items, a reading every tenth."""
    env = make_env(folder)
    played, readings = 0, []
    for number in range(int(value)):
        batch = read_round(games, number)
        play_env(env, rendered(batch))
        played += len(batch)
        del batch
        readings.append({"episodes": played, **beyond_start()})
    return {"readings": readings, "peak_mb": round(peak() - AT_START["rss"], 1)}


def profile(folder: Path, games: Path, value: str) -> Figures:
    """Where the time of text-action episodes through the environment goes."""
    env = make_env(folder)
    rounds = load_games(games, 3)
    play_env(env, rendered(rounds[0]))
    gc.collect()
    work = rendered(games_now for games_now in rounds[1])
    profiler = cProfile.Profile()
    profiler.runcall(play_env, env, work)
    return {"episodes": len(work), **_where(pstats.Stats(profiler))}


def _where(stats: pstats.Stats) -> Figures:
    """Own time by room of the package (a builtin's counts for its caller) and the functions that take most."""
    rooms: dict[str, float] = defaultdict(float)
    functions = []
    for place, (_, calls, own, total, callers) in stats.stats.items():  # type: ignore[attr-defined]
        functions.append((own, calls, total, _named(place)))
        if place[0] == "~":
            for caller, (_, _, caller_own, _) in callers.items():
                rooms[_room(caller)] += caller_own
        else:
            rooms[_room(place)] += own
    everything = sum(rooms.values())
    functions.sort(reverse=True)
    return {
        "profiled_s": round(everything, 4),
        "rooms": {
            room: round(100 * own / everything, 1)
            for room, own in sorted(rooms.items(), key=lambda entry: -entry[1])
            if own / everything > 0.001
        },
        "functions": [
            {"function": name, "calls": calls, "own_percent": round(100 * own / everything, 1),
             "total_percent": round(100 * total / everything, 1)}
            for own, calls, total, name in functions[:25]
        ],
    }  # fmt: skip


def _named(place: tuple[str, int, str]) -> str:
    file, line, function = place
    if file == "~":
        return function
    parts = Path(file).parts
    for package in ("agenthop_env", "gymnasium"):
        if package in parts:
            return f"{'/'.join(parts[parts.index(package) :])}:{line} {function}"
    return f"{parts[-1]}:{line} {function}"


def _room(place: tuple[str, int, str]) -> str:
    parts = Path(place[0]).parts
    if "agenthop_env" in parts:
        inner = parts[parts.index("agenthop_env") + 1 :]
        return inner[0].removesuffix(".py")
    if "gymnasium" in parts:
        return "gymnasium"
    return "the benchmark's loop" if parts and parts[-1] == Path(__file__).name else "others"


# Players: blocks of games on request


class Player:
    """Plays blocks of games and says how long they took.

    Args:
        play: Plays what `prepare` made.
        prepare: Makes games ready, outside the clock.
    """

    def __init__(self, play: Callable[[Any], Any], prepare: Callable[[list[Game]], Any]) -> None:
        self.play, self.prepare = play, prepare

    def serve(self, path: Path) -> None:
        """Answer requests until the input ends: a round, first and stop item."""
        for request in sys.stdin:
            number, first, stop = json.loads(request)
            block = read_round(path, number)[first:stop]
            work = self.prepare(block)
            gc.collect()
            wall, cpu = time.perf_counter(), CPU()
            self.play(work)
            figures = {"episodes": len(block), "cpu_s": CPU() - cpu, "wall_s": time.perf_counter() - wall}
            _say({**figures, **{f"{name}_mb": value for name, value in beyond_start().items()}})


def baseline_player(folder: Path, games: Path, value: str) -> Player:
    """The plain baseline; says what loading took and, per tool, how long turns take."""
    wall, cpu = time.perf_counter(), CPU()
    release = baseline.Release(folder)
    figures: Figures = {
        "load_s": time.perf_counter() - wall,
        "load_cpu_s": CPU() - cpu,
        "loaded_mb": beyond_start(),
    }
    clock = time.perf_counter_ns
    found: dict[str, list[int]] = defaultdict(list)
    for game in load_games(games, 1)[0][:100]:
        start = clock()
        harness = baseline.Harness(release, game.item_id)
        found["start"].append(clock() - start)
        for call in game.calls:
            start = clock()
            harness.turn([call], PROMPT_TOKENS, COMPLETION_TOKENS)
            found[call.name].append(clock() - start)
    _say({**figures, "times": {name: spread(times) for name, times in found.items()}})
    return Player(lambda work: play_baseline(release, work), list)


def turn_player(folder: Path, games: Path, value: str) -> Player:
    """`Episode.turn` with text."""
    corpus = open_release(folder)
    _say({"opened_mb": beyond_start()})
    return Player(lambda work: play_turns(corpus, work), rendered)


def env_player(folder: Path, games: Path, value: str) -> Player:
    """The environment as `gym.make` makes it; with the value `bare`, without Gymnasium's own wrappers."""
    env = make_env(folder)
    if value == "bare":
        env = env.unwrapped
    _say({"opened_mb": beyond_start()})
    return Player(lambda work: play_env(env, work), rendered)


MEASURES: dict[str, Callable[[Path, Path, str], Figures]] = {
    "compile": compile_store,
    "open": open_store,
    "reset": reset_and_fork,
    "tools": tools,
    "vector": vector,
    "long": long_run,
    "profile": profile,
}
PLAYERS: dict[str, Callable[[Path, Path, str], Player]] = {
    "baseline-player": baseline_player,
    "turn-player": turn_player,
    "env-player": env_player,
}


def _say(figures: Figures) -> None:
    print(json.dumps(figures), flush=True)


def main() -> None:
    """Command line."""
    name, folder, games, value = (*sys.argv[1:], "")[:4]
    if name in PLAYERS:
        PLAYERS[name](Path(folder), Path(games), value).serve(Path(games))
    else:
        _say(MEASURES[name](Path(folder), Path(games), value))


if __name__ == "__main__":
    main()
