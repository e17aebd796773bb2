"""The validity table as Markdown."""

from __future__ import annotations

from typing import Any

from agenthop_env.diagnostics.intervals import wilson

Z99 = 2.575829
CELLS = ("all", "st d1", "st d2", "mt d1", "mt d2")
SIZES = ("nano", "tiny", "small", "full")
BLIND_LIMIT = 0.28
"""What shortcuts that see no gold text may reach, as the upper bound of a 99% interval."""


def _share(count: list[int] | None) -> str:
    if not count or not count[1]:
        return ""
    low, high = wilson(count[0], count[1], Z99)
    return f"{count[0] / count[1]:.3f} ({low:.3f} to {high:.3f})"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _size(name: str, figures: dict[str, Any]) -> str:
    rows = []
    for strategy, cells in figures["rows"].items():
        rows.append([strategy, str(cells["all"][1]), *(_share(cells.get(cell)) for cell in CELLS)])
    oracle = figures["oracle"]
    return (
        f"## {name}\n\n"
        f"World version {figures['version']}, fingerprint {figures['fingerprint']}, {figures['date']}, "
        f"{figures['seconds']:.0f} s. The oracle spends at most {oracle['most_points']} points, with full paper and section "
        f"recall in {oracle['full_recall']:,} of {oracle['played']:,} games.\n\n"
        + _table(["strategy", "items", *CELLS], rows)
    )


def markdown(figures: dict[str, Any]) -> str:
    """The report."""
    machine = figures["machine"]
    shown = ", ".join(f"{name} {version}" for name, version in figures["versions"].items())
    parts = [
        "# What shortcuts score on procedural worlds",
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gb']} GB, {machine['system']}; {shown}.",
        "Share of right answers with its 99% interval (Wilson). The four kinds of items come in equal numbers. Chance is "
        f"0.250; shortcuts that see no gold text should have an upper bound of at most {BLIND_LIMIT} over all items. "
        "What each row is, `benchmarks/README.md` says.",
    ]
    parts += [_size(name, figures["sizes"][name]) for name in SIZES if name in figures["sizes"]]
    if "speed" in figures:
        parts.append(_speed(figures["speed"]))
    return "\n\n".join(parts) + "\n"


def _speed(speed: dict[str, Any]) -> str:
    rows = [
        [
            name,
            f"{one['items']:,}",
            f"{one['made_per_s']:,.1f}",
            f"{one['compiled_per_s']:,.1f}",
            f"{one['characters'] / 1e6:,.2f}",
        ]
        for name, one in speed["sizes"].items()
    ]
    text = "## Speed\n\n" + _table(
        [
            "size",
            "items",
            "items per CPU second",
            "with compiling into a neighborhood",
            "million characters an item",
        ],
        rows,
    )
    if "stream" in speed:
        stream = speed["stream"]
        text += (
            f"\n\nStreaming {stream['items']:,} `full` items into a store: {stream['seconds']:,.0f} s, store of "
            f"{stream['store_gb']:.2f} GB, at most {stream['peak_mb']:,.0f} MB resident beyond the interpreter."
        )
    return text
