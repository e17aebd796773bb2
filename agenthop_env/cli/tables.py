"""The table of a run's headline figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from agenthop_env.diagnostics.summary import Summary

_FAILURES_SHOWN = 20


def print_summary(console: Console, summary: Summary, title: str, planned: int | None = None) -> None:
    """Print a run's figures.

    Args:
        console: Where to.
        summary: The figures.
        title: What was run.
        planned: Items that the run is to have, where that may be more.
    """
    from rich import box
    from rich.table import Table

    data = summary.dataset
    console.print(f"{title} on {data.name or 'nothing'} (fingerprint {data.fingerprint or 'none'})")
    console.print(_played(summary, planned))
    if summary.limits is not None:
        caps = summary.limits
        console.print(
            f"limits: {caps.points} points, {caps.turns} turns, {caps.tokens:,} tokens ({summary.token_accounting})"
        )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for name in ("ST", "MT", "all"):
        table.add_column(name, justify="right")
    items, recalled, axes = summary.counts["items"], summary.conversion_n, summary.axes
    table.add_row("items", *(str(items[kind]) for kind in ("st", "mt", "all")))
    table.add_row("accuracy", *_shares(summary.accuracy_by_type))
    low, high = summary.accuracy_interval
    table.add_row("  Wilson 95%", "", "", f"{low:.3f}..{high:.3f}")
    table.add_row("paper recall", *_shares(axes.paper_recall))
    table.add_row("section recall", *_shares(axes.section_recall))
    table.add_row("conversion", *_shares(axes.conversion))
    table.add_row("  of (n)", *(str(recalled[kind]) for kind in ("st", "mt", "all")))
    table.add_section()
    table.add_row("any gold read", *_shares(summary.released.any_gold_recall))
    table.add_row("  conversion", *_shares(summary.released.any_gold_conversion))
    table.add_section()
    table.add_row("calls per turn", "", "", f"{axes.calls_per_turn:.2f}")
    table.add_row("turns", "", "", f"{axes.turns:.1f}")
    table.add_row("points", "", "", f"{axes.points:.1f}")
    table.add_row("tokens", "", "", f"{axes.tokens:,.0f}")
    console.print(table)
    console.print(
        "endings: " + ", ".join(f"{name} {count}" for name, count in summary.endings.items() if count)
    )
    for line in _remarks(summary):
        console.print(line)


def _played(summary: Summary, planned: int | None) -> str:
    splits = ", ".join(f"{split} {count}" for split, count in summary.dataset.splits.items())
    of = f" of {planned}" if planned is not None and planned != summary.n else ""
    return f"{summary.n}{of} items ({splits or 'none'})"


def _shares(shares: dict[str, float | None]) -> list[str]:
    return ["-" if shares[kind] is None else f"{shares[kind]:.3f}" for kind in ("st", "mt", "all")]


def _remarks(summary: Summary) -> list[str]:
    lines = []
    if summary.no_option:
        lines.append(f"submitted without a valid option: {summary.no_option}")
    if summary.length_stops:
        lines.append(f"turns cut off for their length: {summary.length_stops}")
    if summary.unscorable_sections:
        lines.append(f"items without a direct label of every gold paper: {summary.unscorable_sections}")
    if summary.errors:
        lines.append(f"ERRORS: {summary.errors} items failed and count as wrong; run again to retry them")
        lines += [f"  {failure.item_id}: {failure.error}" for failure in summary.failures[:_FAILURES_SHOWN]]
        if summary.errors > _FAILURES_SHOWN:
            lines.append(f"  ... and {summary.errors - _FAILURES_SHOWN} more, all in summary.json")
    return lines
