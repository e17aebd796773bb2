"""Procedural citation worlds: fictional papers with true, consistent facts, made item by item.

`generate` makes one item from its coordinates; `make` and `parse_spec` describe a lazy sequence of them.
"""

from agenthop_env.worlds.coordinates import SPLITS, WORLD_VERSION
from agenthop_env.worlds.difficulty import KNOBS, SIZES, Difficulty, Knob, knob_of
from agenthop_env.worlds.generate import generate
from agenthop_env.worlds.item import WorldItem, index_of
from agenthop_env.worlds.world import World, make, parse_spec

__all__ = [
    "KNOBS",
    "SIZES",
    "SPLITS",
    "WORLD_VERSION",
    "Difficulty",
    "Knob",
    "World",
    "WorldItem",
    "generate",
    "index_of",
    "knob_of",
    "make",
    "parse_spec",
]
