"""Where an item is: the coordinates that alone decide its content, and the streams drawn from them."""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple, get_args

from agenthop_env.records import Split
from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.difficulty import SIZES, Difficulty

WORLD_VERSION: Final = 2
"""Version of the worlds' content. Any change of what an item holds is a new version."""

SPLITS: Final[tuple[str, ...]] = get_args(Split)

MAX_SEED: Final = 2**64 - 1
MAX_INDEX: Final = 999_999
"""Largest index: ids have six digits. The one behind it is used for what all items share."""

_WORD: Final = 0xFFFF_FFFF


class Stage:
    """Names of the streams of one item; numbers are part of the world version."""

    KIND: Final = 1
    ANATOMY: Final = 2
    FACTS: Final = 3
    QUESTION: Final = 4
    NAMES: Final = 5
    TEXT: Final = 6
    SEARCH: Final = 7
    IDS: Final = 8
    CONTEXT: Final = 9
    NAMING: Final = 10


class Coordinates(NamedTuple):
    """Version, size, split, seed and resolved difficulty: everything but the index.

    Attributes:
        version: World version.
        size: One of `SIZES`.
        split: One of `SPLITS`.
        seed: 0 to `MAX_SEED`.
        difficulty: Knobs, all of them set.
        digest: Four 32-bit words that stand for the difficulty.
    """

    version: int
    size: str
    split: str
    seed: int
    difficulty: Difficulty
    digest: tuple[int, ...]

    def bits(self, index: int, stage: int, part: int = 0) -> Bits:
        """The stream of one stage (and, say, one paper) of one item; always the same twelve words' layout."""
        return Bits(
            (
                self.version,
                SIZES.index(self.size),
                SPLITS.index(self.split),
                self.seed & _WORD,
                self.seed >> 32,
                *self.digest,
                index,
                stage,
                part,
            )
        )

    @property
    def fingerprint(self) -> str:
        """Short hash over version, size, split, seed and difficulty: 16 hex digits."""
        knobs = "&".join(f"{name}={value}" for name, value in self.difficulty.items())
        text = f"world|{self.version}|{self.size}|{self.split}|{self.seed}|{knobs}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def locate(size: str, split: str, seed: int, version: int, difficulty: Difficulty) -> Coordinates:
    """Check coordinates and fill in the size's default difficulty.

    Raises:
        ValueError: If one is out of range; the message names it and lists what is valid.
    """
    if size not in SIZES:
        raise ValueError(f"unknown size {size!r}; sizes: {', '.join(SIZES)}")
    if split not in SPLITS:
        raise ValueError(f"unknown split {split!r}; splits: {', '.join(SPLITS)}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed must be a whole number from 0 to {MAX_SEED}, not {seed!r}")
    if version != WORLD_VERSION:
        raise ValueError(f"unknown world version {version!r}; this package makes version {WORLD_VERSION}")
    resolved = difficulty.resolve(size)
    knobs = "&".join(f"{name}={value}" for name, value in resolved.items())
    hashed = hashlib.sha256(knobs.encode()).digest()
    digest = tuple(int.from_bytes(hashed[at : at + 4], "little") for at in range(0, 16, 4))
    return Coordinates(version, size, split, seed, resolved, digest)
