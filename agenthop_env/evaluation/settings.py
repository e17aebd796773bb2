"""The settings of a run: what `run.json` holds, and what must be the same for a run to be resumed."""

from __future__ import annotations

import platform
from typing import Any, Final

import msgspec

from agenthop_env._version import __version__
from agenthop_env.corpus.store import Corpus
from agenthop_env.records import SCHEMA_VERSION, Json
from agenthop_env.rules import TOOL_NAMES, Limits
from agenthop_env.sandbox.episode import Episode

CONFIG_VERSION: Final = 1
"""Version of the layout of `run.json`."""


class Protocol(msgspec.Struct, frozen=True, kw_only=True):
    """How episodes are played: the settings of `Episode`, each named as there.

    Attributes:
        limits: The caps.
        token_accounting: `total` or `uncached`.
        disabled_tools: Tools that are refused and not offered.
        prompts: Folder of prompts, None for the built-in ones.
        strategy: System prompt.
        tool_mode: `text` or `native`.
        tool_format: Format of calls in text.
        search: Ranking of `search_papers`.
        shuffle_options: Whether options are shown in an order drawn from the seed and the item.
        seed: Seed of the run.
    """

    limits: Limits = Limits()
    token_accounting: str = "total"
    disabled_tools: tuple[str, ...] = ()
    prompts: str | None = None
    strategy: str = "full"
    tool_mode: str = "text"
    tool_format: str = "auto"
    search: str = "overlap"
    shuffle_options: bool = False
    seed: int = 0

    def closed_book(self) -> Protocol:
        """The same without tools: one turn, `submit_answer` only, and prompts that say so."""
        return msgspec.structs.replace(
            self,
            limits=msgspec.structs.replace(self.limits, turns=1),
            disabled_tools=tuple(name for name in TOOL_NAMES if name != "submit_answer"),
            strategy="closed_book",
        )

    def episode(self, corpus: Corpus, item_id: str, agent: str, settings: dict[str, Json]) -> Episode:
        """An episode under these settings."""
        values: dict[str, Any] = {name: getattr(self, name) for name in self.__struct_fields__}
        return Episode(corpus, item_id, agent=agent, agent_settings=settings, **values)


class Session(msgspec.Struct, frozen=True):
    """One stretch of a run, from start or resume to its end.

    Attributes:
        started: When, in UTC, ISO 8601.
        seconds: Wall time, as of the last note taken.
        episodes: Episodes finished in it.
        workers: Processes that played.
        cut: Whether it has no end: killed, or still at work. Its seconds and episodes are then those of the last note
            taken; its episodes are in `episodes.jsonl` all the same.
    """

    started: str
    seconds: float = 0.0
    episodes: int = 0
    workers: int = 1
    cut: bool = False


class RunConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What `run.json` holds; never a key.

    Attributes:
        agent: Name of the agent.
        agent_settings: Its settings.
        dataset: Name of the data set.
        fingerprint: Hash of its content.
        source: What `open_corpus` opens again.
        items: Number of items.
        items_digest: Hash of their ids in order.
        item_ids: Their ids, where they are not simply the data set's first ones.
        filters: The slices that were chosen, as text.
        protocol: How episodes are played.
        prompts_hash: Hash of the prompts' texts.
        record_version: Layout of the records.
        versions: The package's version and Python's.
        sessions: Stretches of the run; their seconds add up.
    """

    schema_version: int = CONFIG_VERSION
    agent: str
    agent_settings: dict[str, Json] = {}
    dataset: str
    fingerprint: str
    source: str
    items: int
    items_digest: str
    item_ids: tuple[str, ...] = ()
    filters: str = ""
    protocol: Protocol = Protocol()
    prompts_hash: str = ""
    record_version: int = SCHEMA_VERSION
    versions: dict[str, str] = {}
    sessions: tuple[Session, ...] = ()

    @property
    def seconds(self) -> float:
        """Wall time over all sessions."""
        return sum(session.seconds for session in self.sessions)

    @property
    def settled(self) -> bool:
        """Whether items and settings were settled before the first episode, as the runner does, which notes sessions.

        A stream of demonstrations notes none: it goes on through the items until there are enough.
        """
        return bool(self.sessions)

    def differences(self, other: RunConfig) -> list[str]:
        """Settings by which two runs would not be one, as `name: this -> other`; empty where they are one run."""
        mine, theirs = _comparable(self), _comparable(other)
        if self.items != other.items:  # said in numbers already
            del mine["items_digest"], theirs["items_digest"]
        return [
            f"{name}: {_shown(mine.get(name))} -> {_shown(theirs.get(name))}"
            for name in sorted(mine.keys() | theirs.keys())
            if mine.get(name) != theirs.get(name)
        ]


def versions() -> dict[str, str]:
    """Versions that a run's figures may depend on."""
    return {"agenthop_env": __version__, "python": platform.python_version()}


_FREE: Final = ("dataset", "source", "sessions", "item_ids", "filters", "prompts", "versions.python")
"""What may change from one session to the next: names and places, and the chronicle itself."""


def _comparable(config: RunConfig) -> dict[str, Json]:
    flat: dict[str, Json] = {}
    for name, value in msgspec.to_builtins(config).items():
        if name == "protocol":
            for inner, setting in value.items():
                if inner == "limits":
                    flat |= {f"limits.{cap}": number for cap, number in setting.items()}
                else:
                    flat[inner] = setting
        elif name in ("versions", "agent_settings"):
            flat |= {f"{name}.{key}": setting for key, setting in value.items()}
        else:
            flat[name] = value
    return {name: value for name, value in flat.items() if name not in _FREE}


def _shown(value: Json) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value)) or "(none)"
    return "(none)" if value is None or value == "" else str(value)
