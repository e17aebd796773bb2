"""All attributes by reasoning type."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock.attribute import Attribute
from agenthop_env.worlds.stock.facts_made import GROUND, METHOD
from agenthop_env.worlds.stock.facts_told import MOTIVE, RESULT

ATTRIBUTES: Final[dict[str, tuple[Attribute, ...]]] = {
    "GROUND": GROUND,
    "METHOD": METHOD,
    "MOTIVE": MOTIVE,
    "RESULT": RESULT,
}
