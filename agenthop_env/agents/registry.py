"""Agents by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from agenthop_env.agents.explorer import Explorer, SeedOnly
from agenthop_env.agents.guessing import ClosedBook, RandomWalk
from agenthop_env.agents.oracle import Oracle
from agenthop_env.agents.own import HOW_TO_NAME, OwnFactory, fitting
from agenthop_env.agents.protocol import AgentError as AgentError
from agenthop_env.agents.protocol import AgentFactory, checked_factory
from agenthop_env.agents.scripted import ScriptedAgent, ScriptedFactory
from agenthop_env.agents.transcript import TranscriptFactory

Maker = Callable[..., AgentFactory]


class AgentKind(NamedTuple):
    """A registered agent.

    Attributes:
        description: One line on what it does.
        make: Makes its factory from settings, `seed` among them where it takes one.
    """

    description: str
    make: Maker


def _scripted(name: str, agent: type[ScriptedAgent]) -> Maker:
    return partial(_scripted_factory, name, agent)


def _scripted_factory(name: str, agent: type[ScriptedAgent], /, *, seed: int = 0) -> AgentFactory:
    return ScriptedFactory(name, agent, seed)


def _transcript(*, run: str) -> AgentFactory:
    return TranscriptFactory(run)


AGENTS: Final[dict[str, AgentKind]] = {
    "random": AgentKind("calls tools at random, then guesses", _scripted("random", RandomWalk)),
    "closed-book": AgentKind("guesses without a look at anything", _scripted("closed-book", ClosedBook)),
    "seed-only": AgentKind("reads the seed paper only", _scripted("seed-only", SeedOnly)),
    "explorer": AgentKind(
        "follows word overlap, reads, answers what the text supports", _scripted("explorer", Explorer)
    ),
    "oracle": AgentKind("knows the gold path: an upper bound", _scripted("oracle", Oracle)),
    "transcript": AgentKind("plays the episodes of a run folder again (run=FOLDER)", _transcript),
}
"""Agents by name; `register_agent` adds to them."""


def register_agent(name: str, make: Maker, description: str = "") -> None:
    """Add an agent to the registry, or replace one.

    Args:
        name: Name to call it by.
        make: Makes its factory; takes settings as keywords, and `seed` if chance plays a part.
        description: One line on what it does.
    """
    AGENTS[name] = AgentKind(description, make)


def make_agent(name: str, *, seed: int = 0, **settings: Any) -> AgentFactory:
    """The factory of a registered agent, or of one's own.

    Args:
        name: One of `AGENTS`, or `module:Factory` or `path/to/file.py:Factory` (see `agents.own`).
        seed: Seed of the run, for agents that take chances.
        settings: What else the agent takes.

    Raises:
        AgentError: If there is no such agent, or it does not take such settings.
    """
    kind = AGENTS.get(name)
    if kind is None and ":" in name:
        return OwnFactory(name, seed, settings)
    if kind is None:
        raise AgentError(f"no agent {name!r}; there are {', '.join(AGENTS)}, and one's own: {HOW_TO_NAME}")
    try:
        return checked_factory(kind.make(**fitting(name, kind.make, seed, settings)), f"agent {name}")
    except TypeError as problem:
        raise AgentError(str(problem)) from problem
