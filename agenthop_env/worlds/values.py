"""Values of attributes: drawn exchangeably, so that the options' own looks carry no information."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.stock.areas import COMPONENTS, Area, areas
from agenthop_env.worlds.stock.attribute import Attribute, Slot, Span


def candidates(slot: Slot, area: Area) -> Sequence[int | str]:
    """What a slot may hold: whole numbers or phrases."""
    if isinstance(slot, Span):
        return range(slot.low, slot.high + 1, slot.step)
    if isinstance(slot, tuple):
        return slot
    if slot == "@components":
        return COMPONENTS
    if slot == "@unit":
        return (area.unit,)
    if slot == "@unit_names":
        return (area.units,)
    found: tuple[str, ...] = getattr(area, slot[1:])
    return found


@cache
def _lists(attribute: Attribute, number: int) -> tuple[Sequence[int | str], ...]:
    """Candidates of all slots of an attribute in an area."""
    return tuple(candidates(slot, areas()[number]) for slot in attribute.slots)


def printed(attribute: Attribute, filled: Sequence[int | str]) -> str:
    """The value as text; decimals are split off whole numbers, so no float is ever printed."""
    shown: list[int | str] = []
    for slot, content in zip(attribute.slots, filled, strict=True):
        if isinstance(slot, Span) and slot.digits and isinstance(content, int):
            whole, rest = divmod(content, 10**slot.digits)
            shown.append(f"{whole}.{rest:0{slot.digits}d}")
        else:
            shown.append(content)
    return attribute.value.format(*shown)


def option_values(bits: Bits, attribute: Attribute, area: Area, count: int, closeness: int) -> list[str]:
    """Distinct values for the options, exchangeable: any permutation of them is as likely.

    Args:
        bits: Where to draw from.
        attribute: What is asked.
        area: The item's area.
        count: Number of values.
        closeness: 0 to 100. Raises the chance that a slot is the same in all values, and narrows the window of
            numbers from which differing ones are taken.
    """
    lists = _lists(attribute, area.number)
    wide = [at for at, found in enumerate(lists) if len(found) >= count + 2]
    leading = bits.choice(wide)
    columns: list[list[int | str]] = []
    for at, found in enumerate(lists):
        if at != leading and (len(found) == 1 or bits.percent(closeness)):
            columns.append([bits.choice(found)] * count)
            continue
        if isinstance(attribute.slots[at], Span):
            width = max(2 * count, len(found) * (100 - closeness) // 100)
            start = bits.below(max(1, len(found) - width + 1))
            found = found[start : start + width]
        if at == leading:
            columns.append(list(bits.sample(found, count)))
        else:
            columns.append([bits.choice(found) for _ in range(count)])
    return [printed(attribute, [column[row] for column in columns]) for row in range(count)]


def other_value(bits: Bits, attribute: Attribute, area: Area, taken: Collection[str] = ()) -> str:
    """A value for a paper whose truth is no option.

    Args:
        bits: Where to draw from.
        attribute: The attribute.
        area: The item's area.
        taken: The options' values, which it must not be.
    """
    lists = _lists(attribute, area.number)
    while True:
        value = printed(attribute, [bits.choice(found) for found in lists])
        if value not in taken:
            return value
