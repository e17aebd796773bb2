"""Sampling by model family, as the models' cards recommend it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.agents.served.settings import Sampling
from agenthop_env.agents.served.tables import entry_for, table


class Preset(NamedTuple):
    """What a model family is sampled with.

    Attributes:
        family: Name of the family, empty where the model is of none.
        sampling: The sampling.
        reasoning_history: `keep` or `drop` the reasoning of earlier turns.
        extra_body: Fields added to every request (chat).
        source: Where this is from, in words.
        as_of: Month that it was looked up in.
    """

    family: str
    sampling: Sampling
    reasoning_history: str
    extra_body: dict[str, Any]
    source: str
    as_of: str

    def lines(self) -> list[str]:
        """The preset as text, for people."""
        shown = ", ".join(f"{name} {value}" for name, value in self.sampling.given().items())
        return [
            f"family: {self.family or 'none known; the server decides'}",
            f"sampling: {shown or 'left to the server'}",
            f"reasoning of earlier turns: {self.reasoning_history}",
            *([f"source: {self.source} ({self.as_of})"] if self.source else []),
        ]


NO_PRESET: Final = Preset("", Sampling(), "keep", {}, "", "")
"""For models of no known family: the server decides, and what reasoning it sends apart goes back to it."""


def preset_for(model: str) -> Preset:
    """The preset of a model's family; `NO_PRESET` where the family is not known.

    Args:
        model: Name of the model; an organization or folder before the last slash does not matter.
    """
    known = table("presets")
    entry = entry_for(known["family"], model)
    if entry is None:
        return NO_PRESET
    return Preset(
        entry["name"],
        msgspec.convert(entry["sampling"], Sampling),
        entry["reasoning_history"],
        dict(entry.get("extra_body", {})),
        entry["source"],
        entry.get("as_of", known["as_of"]),
    )
