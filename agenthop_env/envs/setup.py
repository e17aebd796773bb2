"""What an environment plays: the corpus, the items, the settings. One per environment, shared by all its episodes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from agenthop_env.actions import FORMATS
from agenthop_env.corpus.sources import DEFAULT_SOURCE, place_and_query, shared_corpus
from agenthop_env.corpus.splits import SPLITS
from agenthop_env.corpus.store import Corpus
from agenthop_env.envs.info import LEVELS
from agenthop_env.envs.prefix import Prefix, PrefixLike
from agenthop_env.envs.rewards import RewardLike, Shaping, make_reward
from agenthop_env.rules import TOOL_NAMES, Limits
from agenthop_env.sandbox.episode import TOOL_MODES, Episode, Message
from agenthop_env.sandbox.prompts import STRATEGIES, PromptSet, prompt_set
from agenthop_env.sandbox.search import RANKINGS
from agenthop_env.text.tokens import token_counter as make_counter

ORDERS: Final = ("random", "sequential")
NO_SEARCH: Final = "none"
CLOSED_BOOK: Final = "closed_book"

DataLike = str | os.PathLike[str] | Corpus | None


class Setup:
    """The settings of an environment, checked once; see `AgentHopEnv` for what they mean.

    Attributes:
        corpus: The corpus; environments of one process that open the same source share it.
        ids: Items that episodes are drawn from.
        order: How `reset` picks items.
        reward: What a step is worth.
        make_info: Makes `info`, at the level asked for.
        level: That level.
    """

    def __init__(
        self,
        data: DataLike = None,
        *,
        items: Sequence[str] | None = None,
        split: str | None = None,
        order: str = "random",
        reward: RewardLike = "outcome",
        shaping: Shaping | Mapping[str, Any] | None = None,
        diagnostics: str = "full",
        limits: Limits | Mapping[str, int] | None = None,
        token_accounting: str = "total",
        token_counter: Any = None,
        tool_format: str = "auto",
        tool_mode: str = "text",
        disabled_tools: Iterable[str] = (),
        search: str = "overlap",
        strategy: str = "full",
        prompts: PromptSet | str | os.PathLike[str] | None = None,
        shuffle_options: bool = False,
        stop_on_evidence: bool = False,
        prefix: PrefixLike | None = None,
    ) -> None:
        one_of("order", order, ORDERS)
        one_of("diagnostics", diagnostics, tuple(LEVELS))
        one_of("tool_format", tool_format, tuple(FORMATS))
        one_of("tool_mode", tool_mode, TOOL_MODES)
        one_of("search", search, (*RANKINGS, NO_SEARCH))
        one_of("strategy", strategy, STRATEGIES)
        one_of("token_accounting", token_accounting, ("total", "uncached"))
        self.reward = make_reward(reward, shaping)
        self.order = order
        self.level = diagnostics
        self.make_info = LEVELS[diagnostics]
        self.shuffle_options = shuffle_options
        self.corpus = _opened(data, split)
        self.prefix = None if prefix is None else Prefix(prefix, self.corpus)
        self._split = split
        self.ids = self._chosen(items)
        disabled = _disabled(disabled_tools, search, strategy)
        self.tool_names = tuple(name for name in TOOL_NAMES if name not in disabled)
        self.prompts = prompt_set(prompts)
        self._settings: dict[str, Any] = {
            "limits": _limits(limits, strategy),
            "token_accounting": token_accounting,
            "disabled_tools": disabled,
            "prompts": self.prompts,
            "strategy": strategy,
            "tool_mode": tool_mode,
            "tool_format": tool_format,
            "search": "overlap" if search == NO_SEARCH else search,
            "shuffle_options": shuffle_options,
            "stop_on_evidence": stop_on_evidence,
            "counter": None if token_counter is None else make_counter(token_counter),
        }

    @property
    def tools(self) -> list[Message]:
        """JSON schemas of the tools in use, in OpenAI's shape."""
        return self.prompts.schemas(self.tool_names)

    def start(self, item_id: str, seed: int | None) -> Episode:
        """A new episode on an item, its prefix replayed.

        Args:
            item_id: The item.
            seed: For the record, and for the order of the options.

        Raises:
            ValueError: If there is no such item, or its prefix ends the episode.
        """
        if self._split is not None and self.corpus.item(item_id).split != self._split:
            raise ValueError(f"item {item_id!r} is not of the {self._split} split")
        episode = Episode(self.corpus, item_id, seed=seed, **self._settings)
        if self.prefix is not None:
            self.prefix.play(episode)
        return episode

    def _chosen(self, items: Sequence[str] | None) -> Sequence[str]:
        """The ids that episodes are drawn from."""
        corpus = self.corpus
        prefixed = None if self.prefix is None else self.prefix.ids
        if items is None:
            ids = corpus.ids if prefixed is None else prefixed
            return ids if self._split is None else _of_split(corpus, ids, self._split)
        if isinstance(items, str):
            raise TypeError(f"items must be a list of item ids, not the string {items!r}")
        ids = tuple(items)
        unknown = [item_id for item_id in ids if item_id not in corpus]
        if unknown or not ids:
            what = (
                "is empty"
                if not ids
                else f"names {', '.join(map(repr, unknown[:5]))}, which {corpus.name} has not"
            )
            raise ValueError(f"items {what}; its {len(corpus)} ids are {', '.join(corpus.ids[:3])}, ...")
        if prefixed is not None and (bare := [item_id for item_id in ids if item_id not in prefixed]):
            raise ValueError(f"items names {', '.join(map(repr, bare[:5]))}, for which there is no prefix")
        if self._split is not None and len(_of_split(corpus, ids, self._split)) < len(ids):
            raise ValueError(f"items names some that are not of the {self._split} split")
        return ids


def one_of(setting: str, value: Any, known: Sequence[str]) -> None:
    """Refuse a setting that is none of the known ones.

    Raises:
        ValueError: With the known ones listed.
    """
    if value not in known:
        raise ValueError(f"{setting} must be one of {', '.join(known)}, not {value!r}")


def _opened(data: DataLike, split: str | None) -> Corpus:
    """The corpus of a source, of which a process opens each only once; a `Corpus` is taken as it is."""
    if split is not None:
        one_of("split", split, SPLITS)
    if isinstance(data, Corpus):
        return data
    return shared_corpus(_with_split(DEFAULT_SOURCE if data is None else os.fspath(data), split))


def _with_split(source: str, split: str | None) -> str:
    """A source with its split; one that is written in it must agree, save for the default's."""
    if split is None:
        return source
    written = _written_split(source)
    if written not in (None, split) and source != DEFAULT_SOURCE:
        raise ValueError(f"data {source!r} and split={split!r} disagree; give the split once")
    name, query = place_and_query(source)
    parts = [part for part in query.split("&") if part and part != f"split={written}"]
    return f"{name}?{'&'.join([*parts, f'split={split}'])}"


def _written_split(source: str) -> str | None:
    """The split that a source names, None where it names none."""
    for part in place_and_query(source)[1].split("&"):
        if part.startswith("split="):
            return part.removeprefix("split=")
    return None


def _of_split(corpus: Corpus, ids: Sequence[str], split: str) -> Sequence[str]:
    """Those of some items that are of a split, found without opening an item where the corpus knows."""
    written = _written_split(corpus.source)
    meta = getattr(corpus, "meta", None)
    if written is not None:
        chosen = ids if written == split else ()
    elif meta is not None:
        known = dict(zip(meta.ids, meta.splits, strict=True))
        chosen = [item_id for item_id in ids if known[item_id] == split]
    else:
        chosen = [item_id for item_id in ids if corpus.item(item_id).split == split]
    if not chosen:
        raise ValueError(f"{corpus.name} has no item of the {split} split")
    return chosen


def _limits(limits: Limits | Mapping[str, int] | None, strategy: str) -> Limits:
    if limits is None:
        limits = Limits()
    elif not isinstance(limits, Limits):
        try:
            limits = Limits(**limits)
        except TypeError as problem:
            raise ValueError(f"limits: {problem}; they are points, turns and tokens") from None
    if limits.turns < 1:
        raise ValueError(
            "limits.turns must be at least 1: an episode that is over before it begins has no step"
        )
    return msgspec.structs.replace(limits, turns=1) if strategy == CLOSED_BOOK else limits


def _disabled(disabled_tools: Iterable[str], search: str, strategy: str) -> tuple[str, ...]:
    """The tools that are refused: those named, and those that an ablation goes without."""
    if isinstance(disabled_tools, str):
        raise TypeError(f"disabled_tools must be a list of tool names, not the string {disabled_tools!r}")
    disabled = dict.fromkeys(disabled_tools)
    for name in disabled:
        one_of("disabled_tools", name, TOOL_NAMES)
    if search == NO_SEARCH:
        disabled["search_papers"] = None
    if strategy == CLOSED_BOOK:
        disabled |= dict.fromkeys(name for name in TOOL_NAMES if name != "submit_answer")
    return tuple(disabled)
