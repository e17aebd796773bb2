"""One item from its coordinates."""

from __future__ import annotations

from functools import lru_cache

from agenthop_env.worlds.anatomy import draw_anatomy
from agenthop_env.worlds.coordinates import MAX_INDEX, WORLD_VERSION, Coordinates, locate
from agenthop_env.worlds.difficulty import Difficulty
from agenthop_env.worlds.item import Row, WorldItem
from agenthop_env.worlds.nano import generate_nano
from agenthop_env.worlds.prose_item import generate_prose, generate_question

_located = lru_cache(maxsize=64)(locate)


def generate(
    size: str,
    *,
    seed: int,
    split: str,
    index: int,
    version: int = WORLD_VERSION,
    difficulty: Difficulty = Difficulty(),  # noqa: B008 - frozen
) -> WorldItem:
    """Make one item: a pure function of its arguments, the same on every platform and Python.

    Args:
        size: `nano`, `tiny`, `small` or `full`.
        seed: The world's seed, 0 to 2**64 - 1.
        split: `train`, `validation` or `test`; no two splits share an item.
        index: The item's number in its split, 0 to 999,999.
        version: The world version; only the current one can be made.
        difficulty: Knobs; what is left at None takes the size's default.

    Returns:
        The item's rows in the release layout, with a universe of its own (graph, papers, texts).

    Raises:
        ValueError: If a coordinate or knob is out of range; the message names it and lists what is valid.
    """
    return generate_at(_located(size, split, seed, version, difficulty), index)


def generate_at(where: Coordinates, index: int) -> WorldItem:
    """Make one item of a world that was located before.

    Raises:
        ValueError: If the index is out of range.
    """
    _check(index)
    anatomy = draw_anatomy(where, index)
    if where.size == "nano":
        return generate_nano(where, index, anatomy)
    return generate_prose(where, index, anatomy)


def question_at(where: Coordinates, index: int) -> Row:
    """The question's row of one item: what `generate_at` gives, but its papers are not written.

    Raises:
        ValueError: If the index is out of range.
    """
    if where.size == "nano":
        return generate_at(where, index).qa
    _check(index)
    return generate_question(where, index, draw_anatomy(where, index))


def _check(index: int) -> None:
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index <= MAX_INDEX:
        raise ValueError(f"index must be a whole number from 0 to {MAX_INDEX}, not {index!r}")
