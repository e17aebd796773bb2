"""The table of a run's headline figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agenthop_env.cli.terminal import count

if TYPE_CHECKING:
    from rich.console import Console

    from agenthop_env.diagnostics.summary import Summary

_FAILURES_SHOWN = 10
_ITEMS_NAMED = 3


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
            f"limits: {count(caps.points, 'point')}, {count(caps.turns, 'turn')}, {count(caps.tokens, 'token')} "
            f"({summary.token_accounting})"
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
        "endings: " + ", ".join(f"{name} {number}" for name, number in summary.endings.items() if number)
    )
    for line in _remarks(summary):
        console.print(line)


def _played(summary: Summary, planned: int | None) -> str:
    splits = ", ".join(f"{split} {number}" for split, number in summary.dataset.splits.items())
    if planned is not None and planned != summary.n:
        return f"{summary.n} of {count(planned, 'item')} ({splits or 'none'})"
    return f"{count(summary.n, 'item')} ({splits or 'none'})"


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
        failed = "item failed and counts" if summary.errors == 1 else "items failed and count"
        lines.append(f"ERRORS: {summary.errors} {failed} as wrong; the same command tries them again")
        lines += _failures(summary)
    return lines


def _failures(summary: Summary) -> list[str]:
    """What went wrong, items with one and the same error together."""
    items: dict[str, list[str]] = {}
    for failure in summary.failures:
        items.setdefault(failure.error, []).append(failure.item_id)
    lines = []
    for error, failed in list(items.items())[:_FAILURES_SHOWN]:
        more = len(failed) - _ITEMS_NAMED
        named = ", ".join(failed[:_ITEMS_NAMED]) + (f" and {more} more" if more > 0 else "")
        lines.append(f"  {named}: {error}")
    if len(items) > _FAILURES_SHOWN:
        lines.append(f"  ... and {len(items) - _FAILURES_SHOWN} other errors, all in summary.json")
    return lines
