"""Figures of a run as Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

Figures = dict[str, Any]
TOOLS = (
    "get_paper_info",
    "get_references",
    "search_papers",
    "list_sections",
    "read_section",
    "submit_answer",
)


def markdown(figures: Figures) -> str:
    """A run's report."""
    parts = [_head(figures)]
    for title, section in (
        ("Summary", _summary),
        ("Episodes per CPU second", _throughput),
        ("Memory", _memory),
        ("Starting and copying an episode", _starts),
        ("Tools", _tools),
        ("Concurrent episodes in one vector environment", _concurrent),
        ("Memory over many episodes", _long),
        ("Where the time goes", _profile),
    ):
        parts.append(f"## {title}\n\n{_guarded(section, figures)}")
    return "\n\n".join(parts) + "\n"


def _guarded(section: Callable[[Figures], str], figures: Figures) -> str:
    """A section, or which figure of it is not there."""
    try:
        return section(figures)
    except (KeyError, TypeError, ZeroDivisionError) as missing:
        return f"Not measured ({missing!r}); the JSON beside this file says what failed."


def _table(head: list[str], rows: list[list[Any]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def _head(figures: Figures) -> str:
    machine, release = figures["machine"], figures["release"]
    versions = ", ".join(f"{name} {version}" for name, version in figures["versions"].items())
    size = f", {release['total_bytes'] / 1e9:.2f} GB of JSONL" if "total_bytes" in release else ""
    shape = (
        f", {release['papers']:,} papers with text, {release['nodes_mean']} nodes a graph, {release['edges_total']:,} edges"
        if "papers" in release
        else ""
    )
    return (
        f"# Benchmark of {figures['date'][:10]}\n\n"
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB, {machine['system']}; {versions}.\n\n"
        f"Release: {figures['items']:,} items{shape}{size}. The run took {figures['seconds']:.0f} s; "
        f"load average {figures['load_average'][0]} before, {figures['load_average'][1]} after."
    )


def _opened(figures: Figures, name: str) -> float:
    return float(statistics.median(opened[name] for opened in figures["open"]))


def _resident(figures: Figures, name: str, kind: str = "rss") -> float:
    return float(statistics.median(opened[name][kind] for opened in figures["open"]))


def _summary(figures: Figures) -> str:
    rates = figures["throughput"]
    base, turn, env = (rates[name]["per_cpu_s"] for name in ("baseline", "turn", "env"))
    ready = rates["baseline"]["ready"]
    played, opened = _resident(figures, "played_mb"), _opened(figures, "open_s")
    return _table(
        ["what", "package", "baseline", "ratio", "aim"],
        [
            ["open a release (compiled before)", f"{opened * 1e3:.1f} ms", f"{ready['load_s']:.2f} s",
             f"{ready['load_s'] / opened:,.0f}x", "< 100 ms"],
            ["CPU time of that", f"{_opened(figures, 'open_cpu_s') * 1e3:.1f} ms", f"{ready['load_cpu_s']:.2f} s",
             f"{ready['load_cpu_s'] / _opened(figures, 'open_cpu_s'):,.0f}x", ""],
            ["compile, once per release", f"{figures['compile']['wall_s']:.1f} s", "", "", ""],
            ["resident after opening", f"{_resident(figures, 'opened_mb'):.0f} MB", f"{ready['loaded_mb']['rss']:,.0f} MB",
             f"{ready['loaded_mb']['rss'] / _resident(figures, 'opened_mb'):,.0f}x", "< 150 MB"],
            ["resident after a round over all items", f"{played:.0f} MB", "", "", "< 150 MB"],
            ["start an episode, p50", f"{figures['reset']['Episode(), later visits']['p50_us']:.0f} µs",
             f"{ready['times']['start']['p50_us'] / 1e3:.1f} ms",
             f"{ready['times']['start']['p50_us'] / figures['reset']['Episode(), later visits']['p50_us']:,.0f}x", ""],
            ["eight-call episodes per CPU second, `Episode.turn`", f"{turn:,.0f}", f"{base:,.1f}", f"{turn / base:.1f}x", ""],
            ["eight-call episodes per CPU second, `gym.make`", f"{env:,.0f}", f"{base:,.1f}", f"{env / base:.1f}x",
             "100x, at least 50x"],
        ],
    )  # fmt: skip


def _throughput(figures: Figures) -> str:
    rates, two = figures["throughput"], figures["two_processes"]
    base = rates["baseline"]["per_cpu_s"]
    names = {
        "baseline": "plain baseline, structured calls, no records",
        "turn": "`Episode.turn` with text, records made",
        "env": "`gym.make(\"AgentHop-v0\", diagnostics=\"full\")`, text, records made",
        "env_bare": "the same without Gymnasium's wrappers (`env.unwrapped`)",
    }  # fmt: skip
    yardstick = rates["baseline"]["blocks_per_cpu_s"]
    rows = []
    for name, title in names.items():
        found = rates[name]
        blocks, pairs = found["blocks_per_cpu_s"], found["ratios"]
        rows.append(
            [title, f"{found['per_cpu_s']:,.1f}", f"{found['per_cpu_s'] / base:.1f}x",
             f"{min(pairs):.0f}x, {statistics.median(pairs):.0f}x, {max(pairs):.0f}x",
             f"{max(blocks):,.0f}", f"{max(blocks) / max(yardstick):.1f}x"]
        )  # fmt: skip
    rows.append(
        ["`gym.make`, two processes at once", f"{two['per_cpu_s']:,.1f}", f"{two['per_cpu_s'] / base:.1f}x", "",
         f"{max(two['blocks_per_cpu_s']):,.0f}", f"{max(two['blocks_per_cpu_s']) / max(yardstick):.1f}x"]
    )  # fmt: skip
    first = rates["env"]["first_round"]
    note = (
        f"The two processes together play {two['per_wall_s']:,.0f} episodes per second of wall time. "
        f"The very first round of `gym.make`, in which each item is opened: {first['episodes'] / first['cpu_s']:,.0f}."
    )
    head = ["contestant", "episodes per CPU second", "to baseline", "block by block: least, median, most"]
    return _table([*head, "best block", "to baseline's best block"], rows) + f"\n\n{note}"


def _memory(figures: Figures) -> str:
    def row(title: str, found: Figures) -> list[Any]:
        return [title, *(f"{found.get(kind, float('nan')):,.1f}" for kind in ("rss", "anon", "file"))]

    rows = [
        row(title, {kind: _resident(figures, name, kind) for kind in figures["open"][0][name]})
        for title, name in (
            ("package imported", "imported_mb"),
            ("release opened", "opened_mb"),
            ("all items played once", "played_mb"),
        )
    ]
    rows.append(row("baseline, loaded", figures["throughput"]["baseline"]["ready"]["loaded_mb"]))
    peaks = (
        f"Highest at any time: {max(opened['peak_mb'] for opened in figures['open']):,.0f} MB while opening and playing, "
        f"{figures['compile']['peak_mb']:,.0f} MB while compiling (interpreter included); "
        f"the compiled store takes {figures['compile']['store_mb']:,.0f} MB on disk."
    )
    mapped = ", ".join(f"{name} {size:.0f} MB" for name, size in figures["open"][-1]["mapped_mb"].items())
    if mapped:
        peaks += f" Largest mapped files after playing: {mapped}."
    head = ["beyond the interpreter and numpy, MB", "resident", "of it own", "of it mapped files, shared"]
    return _table(head, rows) + f"\n\n{peaks}"


def _spreads(found: Figures, names: list[str]) -> list[list[Any]]:
    return [
        [name, f"{found[name]['p50_us']:.1f}", f"{found[name]['p99_us']:.1f}", found[name]["n"]]
        for name in names
    ]


def _starts(figures: Figures) -> str:
    found = figures["reset"]
    return _table(["what", "p50 µs", "p99 µs", "n"], _spreads(found, list(found)))


def _tools(figures: Figures) -> str:
    found, base = figures["tools"], figures["throughput"]["baseline"]["ready"]["times"]
    rows = []
    for tool in TOOLS:
        cells = [
            f"{found[f'{kind}: {tool}'][p]:.1f}"
            for kind in ("call", "text", "step")
            for p in ("p50_us", "p99_us")
        ]
        rows.append([tool, *cells, f"{base[tool]['p50_us']:.1f}", f"{base[tool]['p99_us']:.1f}"])
    head = ["tool, µs", "call p50", "p99", "text p50", "p99", "`step` p50", "p99", "baseline p50", "p99"]
    return _table(head, rows)


def _concurrent(figures: Figures) -> str:
    base = figures["throughput"]["baseline"]["per_cpu_s"]
    rows = []
    for count, found in figures["concurrent"].items():
        if "error" in found:
            rows.append([count, found["error"], "", "", "", ""])
            continue
        rate, step = found["episodes_per_cpu_s"], (found["step_p50_us"] / 1e3, found["step_p99_us"] / 1e3)
        rows.append(
            [f"{int(count):,}", f"{found['steps_per_cpu_s']:,.0f}", f"{rate:,.0f}", f"{rate / base:.1f}x",
             f"{step[0]:.2f} / {step[1]:.2f}", f"{found['kb_per_episode']:.0f}" if int(count) >= 256 else ""]
        )  # fmt: skip
    head = ["episodes at once", "turns per CPU second", "episodes per CPU second", "to baseline"]
    return _table([*head, "vector step p50 / p99, ms", "kB each"], rows)


def _long(figures: Figures) -> str:
    readings = figures["long"]["readings"]
    rows = [
        [f"{one['episodes']:,}", *(f"{one.get(kind, float('nan')):.1f}" for kind in ("rss", "anon", "file"))]
        for one in readings
    ]
    kind = "anon" if "anon" in readings[0] else "rss"
    middle = readings[(len(readings) - 1) // 2]
    note = (
        f"Own memory grew by {middle[kind] - readings[0][kind]:.1f} MB up to {middle['episodes']:,} episodes and by "
        f"{readings[-1][kind] - middle[kind]:.1f} MB from there to {readings[-1]['episodes']:,}."
    )
    return _table(["episodes", "resident MB", "of it own", "of it mapped files"], rows) + f"\n\n{note}"


def _profile(figures: Figures) -> str:
    found = figures["profile"]
    rooms = _table(
        ["room of the package", "own time, %"], [[room, share] for room, share in found["rooms"].items()]
    )
    functions = _table(
        ["function", "calls per episode", "own, %", "with what it calls, %"],
        [[f"`{one['function']}`", f"{one['calls'] / found['episodes']:.1f}", one["own_percent"], one["total_percent"]]
         for one in found["functions"]],
    )  # fmt: skip
    note = (
        f"cProfile over {found['episodes']:,} episodes through `gym.make`. A builtin's time counts for the room that calls "
        "it. Profiling makes small Python functions look larger than they are; the shares are for orientation."
    )
    return f"{note}\n\n{rooms}\n\n{functions}"
