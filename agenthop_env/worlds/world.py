"""A world: a lazy sequence of items under one set of coordinates, and its textual specification."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl

import msgspec

from agenthop_env.worlds.anatomy import kinds_in_block
from agenthop_env.worlds.coordinates import MAX_INDEX, MAX_SEED, WORLD_VERSION, Coordinates, locate
from agenthop_env.worlds.difficulty import KNOBS, SIZES, Difficulty, knob_of
from agenthop_env.worlds.generate import generate_at, question_at
from agenthop_env.worlds.item import Row, WorldItem, index_of, item_id

DEFAULT_ITEMS: Final = 1000
DEFAULT_SPLIT: Final = "train"

_SCHEME: Final = "world:"
_KEYS: Final = ("seed", "split", "items", "version", *KNOBS)
_BLOCK: Final = 512


class World:
    """A lazy description of `items` items; nothing is generated until an item is asked for.

    Indexing takes an index (negative ones count from the end) or an id. Iterating yields the items in order, each
    generated as it is reached and kept by nobody.

    Args:
        where: Coordinates, as `make` builds them.
        items: Number of items. More items never change the earlier ones.
    """

    __slots__ = ("_ids", "_where", "items")

    def __init__(self, where: Coordinates, items: int) -> None:
        if isinstance(items, bool) or not isinstance(items, int) or not 1 <= items <= MAX_INDEX + 1:
            raise ValueError(f"items must be a whole number from 1 to {MAX_INDEX + 1}, not {items!r}")
        self._where = where
        self.items = items
        self._ids: tuple[str, ...] | None = None

    @property
    def size(self) -> str:
        """`nano`, `tiny`, `small` or `full`."""
        return self._where.size

    @property
    def split(self) -> str:
        """`train`, `validation` or `test`."""
        return self._where.split

    @property
    def seed(self) -> int:
        """The world's seed."""
        return self._where.seed

    @property
    def version(self) -> int:
        """The world version."""
        return self._where.version

    @property
    def difficulty(self) -> Difficulty:
        """All knobs, resolved for the size."""
        return self._where.difficulty

    @property
    def fingerprint(self) -> str:
        """Short hash over version, size, split, seed and difficulty; the number of items is not in it."""
        return self._where.fingerprint

    @property
    def spec(self) -> str:
        """The canonical specification: `parse_spec` of it gives an equal world."""
        parts = [f"seed={self.seed}", f"split={self.split}", f"items={self.items}", f"version={self.version}"]
        for name, value in self.difficulty.items():
            if value != knob_of(name, self.size).default:
                parts.append(f"{name}={value}")
        return f"{_SCHEME}{self.size}?{'&'.join(parts)}"

    @property
    def ids(self) -> tuple[str, ...]:
        """All ids in order; listed without making an item."""
        if self._ids is None:
            blocks = range((self.items + _BLOCK - 1) // _BLOCK)
            kinds = [kind for block in blocks for kind in kinds_in_block(self._where, block)]
            self._ids = tuple(item_id(kind.prefix, index) for index, kind in enumerate(kinds[: self.items]))
        return self._ids

    def __len__(self) -> int:
        return self.items

    def __getitem__(self, key: int | str) -> WorldItem:
        if isinstance(key, str):
            try:
                index = index_of(key)
            except ValueError as problem:
                raise KeyError(str(problem)) from None
            if index >= self.items or self.ids[index] != key:
                raise KeyError(f"no item {key!r} in {self.spec}")
            return generate_at(self._where, index)
        index = key + self.items if key < 0 else key
        if not 0 <= index < self.items:
            raise IndexError(f"item {key} of a world of {self.items}")
        return generate_at(self._where, index)

    def __iter__(self) -> Iterator[WorldItem]:
        return (generate_at(self._where, index) for index in range(self.items))

    def questions(self) -> Iterator[Row]:
        """The `qa` rows of all items in order, each made as it is reached, without the papers' texts."""
        return (question_at(self._where, index) for index in range(self.items))

    def __contains__(self, key: object) -> bool:
        try:
            return isinstance(key, str) and self.ids[index_of(key)] == key
        except (ValueError, IndexError):
            return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, World) and (self._where, self.items) == (other._where, other.items)

    def __hash__(self) -> int:
        return hash((self._where, self.items))

    def __repr__(self) -> str:
        return f"<World {self.spec} {self.fingerprint}>"


def make(
    size: str,
    *,
    seed: int = 0,
    split: str = DEFAULT_SPLIT,
    items: int = DEFAULT_ITEMS,
    version: int = WORLD_VERSION,
    difficulty: Difficulty = Difficulty(),  # noqa: B008 - frozen
) -> World:
    """Describe a world.

    Args:
        size: `nano`, `tiny`, `small` or `full`.
        seed: 0 to 2**64 - 1.
        split: `train`, `validation` or `test`.
        items: 1 to 1,000,000.
        version: The world version.
        difficulty: Knobs; what is left at None takes the size's default.

    Raises:
        ValueError: If an argument is out of range; the message names it and lists what is valid.
    """
    return World(locate(size, split, seed, version, difficulty), items)


def parse_spec(spec: str) -> World:
    """Read `world:small?seed=7&split=test&items=500&lookalikes=3`.

    Args:
        spec: The scheme, a size, and after a question mark any of seed, split, items, version and the knobs of
            `Difficulty`; what is not given takes the default of `make`.

    Raises:
        ValueError: If a key or value is unknown; the message names it and lists the valid ones.
    """
    if not spec.startswith(_SCHEME):
        raise ValueError(f"a world's specification begins with {_SCHEME!r}, not {spec!r}")
    size, _, query = spec.removeprefix(_SCHEME).partition("?")
    if size not in SIZES:
        raise ValueError(f"unknown size {size!r} in {spec!r}; sizes: {', '.join(SIZES)}")
    numbers: dict[str, int] = {}
    split = DEFAULT_SPLIT
    seen: set[str] = set()
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key not in _KEYS:
            raise ValueError(f"unknown key {key!r} in {spec!r}; keys: {', '.join(_KEYS)}")
        if key in seen:
            raise ValueError(f"{key} is given twice in {spec!r}")
        seen.add(key)
        if key == "split":
            split = value
        elif re.fullmatch(r"[0-9]{1,20}", value):
            numbers[key] = int(value)
        else:
            raise ValueError(f"{key} must be {_valid(key, size)}, not {value!r}")
    knobs = {name: number for name, number in numbers.items() if name in KNOBS}
    return make(
        size,
        seed=numbers.get("seed", 0),
        split=split,
        items=numbers.get("items", DEFAULT_ITEMS),
        version=numbers.get("version", WORLD_VERSION),
        difficulty=msgspec.convert(knobs, Difficulty),
    )


def _valid(key: str, size: str) -> str:
    """What a numeric key accepts."""
    if key == "seed":
        return f"a whole number from 0 to {MAX_SEED}"
    if key == "items":
        return f"a whole number from 1 to {MAX_INDEX + 1}"
    if key == "version":
        return f"{WORLD_VERSION}"
    knob = knob_of(key, size)
    return f"a whole number from {knob.low} to {knob.high} for size {size}"
