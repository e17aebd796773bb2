"""An episode: one item, one ledger, one transcript, and the protocol applied to assistant messages.

This is the benchmark. The Gymnasium environments, the evaluation runner, the trainers and the servers all call
`Episode.turn`; none of them has a rule of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from agenthop_env.actions import parse
from agenthop_env.corpus.store import UNREADABLE, Corpus
from agenthop_env.records import (
    CallRecord,
    EpisodeRecord,
    Item,
    Json,
    SectionRead,
    ToolCall,
    ToolResult,
    TurnRecord,
    Usage,
    plain_json,
)
from agenthop_env.rules import OPTION_COUNT, PAPER_LIMITS, TOOL_NAMES, TOOL_POINTS, Limits
from agenthop_env.sandbox.ledger import Ledger
from agenthop_env.sandbox.opening import opening_messages, tool_tokens
from agenthop_env.sandbox.prompts import PromptSet, prompt_set
from agenthop_env.sandbox.recording import episode_record
from agenthop_env.sandbox.search import RANKINGS
from agenthop_env.sandbox.tools import TOOLS, Context, Outcome, bad_arguments
from agenthop_env.sandbox.turn import Message as Message
from agenthop_env.sandbox.turn import Turn as Turn
from agenthop_env.sandbox.turn import (
    arguments_text,
    native_messages,
    object_in,
    plain_calls,
    plain_seconds,
    plain_text,
    plain_usage,
    unseen,
)
from agenthop_env.scoring.evidence import NOTHING, Credit, Evidence
from agenthop_env.text.letters import letter, option_order, parse_option
from agenthop_env.text.tokens import TokenCounter, message_count, token_counter

TOOL_MODES: Final = ("text", "native")


class EpisodeOver(Exception):  # noqa: N818 - it says what is so, like StopIteration
    """A turn was played on an episode that is over."""


class Episode:
    """One run over one item.

    Args:
        corpus: Where the item is.
        item_id: The item.
        limits: The caps; the paper's by default.
        token_accounting: `total` (the paper's) or `uncached` (prompt tokens that a cache served do not count).
        disabled_tools: Tools that are refused and not offered.
        prompts: A `PromptSet`, a folder of texts, or None for the built-in ones.
        strategy: System prompt: `full`, `react`, `plan` or `closed_book`.
        tool_mode: `text` where the prompt says how to write calls, `native` where a server takes them.
        tool_format: Format that calls are parsed from when a turn brings text alone; see `actions.FORMATS`.
        search: Ranking of `search_papers`: `overlap` (the protocol's) or `bm25`.
        shuffle_options: Show the options in an order drawn from `seed` and the item.
        seed: For the record, and for `shuffle_options`.
        counter: Counts tokens where a turn brings no usage; see `text.tokens.token_counter`.
        stop_on_evidence: End as `evidence` once every gold paper is delivered.
        agent: Name of the policy, for the record.
        agent_settings: Its settings, for the record.

    Attributes:
        messages: The chat so far, in OpenAI's shape.
        ledger: What has been spent.
        evidence: What gold evidence has reached the agent. Not for agents.
        ending: None while the episode goes on, else `answer`, `budget`, `token_limit`, `max_turns`, `evidence` or
            `error`.

    Raises:
        KeyError: If the corpus has no such item.
        ValueError: If a setting is none of the known ones; the message lists them.
    """

    def __init__(
        self,
        corpus: Corpus,
        item_id: str,
        *,
        limits: Limits | None = None,
        token_accounting: str = "total",
        disabled_tools: Iterable[str] = (),
        prompts: PromptSet | str | os.PathLike[str] | None = None,
        strategy: str = "full",
        tool_mode: str = "text",
        tool_format: str = "auto",
        search: str = "overlap",
        shuffle_options: bool = False,
        seed: int | None = None,
        counter: Any = None,
        stop_on_evidence: bool = False,
        agent: str = "",
        agent_settings: dict[str, Any] | None = None,
    ) -> None:
        disabled = (disabled_tools,) if isinstance(disabled_tools, str) else tuple(disabled_tools)
        _one_of("token_accounting", token_accounting, ("total", "uncached"))
        _one_of("tool_mode", tool_mode, TOOL_MODES)
        _one_of("search", search, tuple(RANKINGS))
        neighborhood = corpus.neighborhood(item_id)
        self.corpus = corpus
        self.neighborhood = neighborhood
        self.limits = PAPER_LIMITS if limits is None else limits
        self.ledger = Ledger(self.limits, token_accounting)
        self.disabled_tools = disabled
        self.prompts = prompt_set(prompts)
        self.strategy = strategy
        self.tool_mode = tool_mode
        self.tool_format = tool_format
        self.search = search
        self.seed = seed
        self.stop_on_evidence = stop_on_evidence
        self.agent = agent
        self.agent_settings = agent_settings or {}
        self.counter: TokenCounter = token_counter(counter)
        self.evidence = Evidence(neighborhood)
        self.option_order = option_order(seed, item_id) if shuffle_options else tuple(range(OPTION_COUNT))
        self.ending: str | None = None
        self.option: int | None = None
        self.letter: str | None = None
        self.error: str | None = None
        self.prefix_turns = 0
        self.turns: list[TurnRecord] = []
        self._context = Context(neighborhood, self.prompts, RANKINGS[search])
        self._tools = tuple(name for name in TOOL_NAMES if name not in disabled)
        self.messages: list[Message] = opening_messages(
            self.prompts, strategy, self.limits, self._tools, self.item, self.options, tool_mode, tool_format
        )
        self._count = message_count(self.counter)
        self._prompt_tokens = tool_tokens(self.counter, self.prompts, self._tools) + self._count(
            self.messages
        )
        if self.limits.turns == 0:
            self.ending = "max_turns"

    @property
    def item(self) -> Item:
        """The item, gold and all. Not for agents."""
        return self.neighborhood.item

    @property
    def item_id(self) -> str:
        """The item's id."""
        return self.neighborhood.item.id

    @property
    def tools(self) -> list[Message]:
        """JSON schemas of the tools in use, in OpenAI's shape."""
        return self.prompts.schemas(self._tools)

    @property
    def tool_names(self) -> tuple[str, ...]:
        """Tools in use."""
        return self._tools

    @property
    def options(self) -> tuple[str, ...]:
        """The options as shown."""
        shown = self.item.options
        return tuple([shown[index] for index in self.option_order])

    @property
    def correct(self) -> bool:
        """Whether the gold option was submitted."""
        return self.option is not None and self.option == self.item.correct_index

    @property
    def opening(self) -> str:
        """The system prompt and the first user message, joined by a blank line."""
        return f"{self.messages[0]['content']}\n\n{self.messages[1]['content']}"

    def turn(
        self,
        text: str | None,
        calls: Sequence[ToolCall] | None = None,
        usage: Usage | None = None,
        *,
        reasoning: str | None = None,
        finish_reason: str | None = None,
        seconds: float | None = None,
        raw: Json = None,
    ) -> Turn:
        """Play one assistant message.

        Args:
            text: The message's text; any string, or None for an empty one.
            calls: Structured calls, as a server returns them; None to parse them from `text`.
            usage: Tokens of the request; None to count the conversation as it stands.
            reasoning: Reasoning text that came apart from the message, for the record.
            finish_reason: Why the server stopped, for the record.
            seconds: Wall time of the request, for the record.
            raw: The server's message as it came, for the record.

        Raises:
            EpisodeOver: If the episode is over already.
            TypeError: If an argument is of another type; nothing has been played then.
            ValueError: If the usage holds anything but whole numbers of 0 or more; likewise.
            CorpusError: If the corpus turns out to be damaged.
        """
        if self.ending is not None:
            raise EpisodeOver(f"the episode on {self.item_id} is over ({self.ending}); start another")
        if type(text) is not str:
            text = "" if text is None else plain_text(text, "text")
        native = calls is not None
        if calls is not None:
            calls = plain_calls(calls)
        if reasoning is not None:
            reasoning = plain_text(reasoning, "reasoning")
        if finish_reason is not None:
            finish_reason = plain_text(finish_reason, "finish_reason")
        if seconds is not None:
            seconds = plain_seconds(seconds)
        if raw is not None:
            raw = plain_json(raw)
        ledger = self.ledger
        if usage is not None:
            usage = plain_usage(usage)
        else:
            completion = self.counter.completion(text)
            if calls:
                completion += self._call_tokens(calls)
            usage = Usage(self._prompt_tokens, completion)
        if not ledger.open_turn(usage):
            self.ending = "token_limit"
            dropped = tuple(calls or ())
            record = TurnRecord(text, (), usage, native, dropped, reasoning, finish_reason, seconds, raw)
            return self._close((), ({"role": "assistant", "content": text},), record, NOTHING, "")
        nameless = 0
        if calls is None:
            parsed = parse(text, self.tool_format)
            calls, nameless = parsed.calls, parsed.nameless
        results, records, reads, dropped, submitted = self._run(calls)
        credit = NOTHING
        if submitted is not None:
            self._submit(submitted)
            if reads:
                records = [unseen(record) for record in records]
        else:
            if reads:
                credit = self.evidence.credit(reads, ledger.turns_used)
            if self.stop_on_evidence and self.evidence.paper_recall:
                self.ending = "evidence"
            elif results and ledger.exhausted:
                self.ending = "budget"
            elif ledger.turns_used >= self.limits.turns:
                self.ending = "max_turns"
        record = TurnRecord(
            text, tuple(records), usage, native, dropped, reasoning, finish_reason, seconds, raw
        )
        shown, nudge = self._shown(results, nameless)
        observation = "\n\n".join([*shown, nudge] if nudge else shown)
        messages: tuple[Message, ...]
        if native:
            messages = native_messages(ledger.turns_used, text, calls, shown, nudge)
        else:
            messages = ({"role": "assistant", "content": text}, {"role": "user", "content": observation})
        return self._close(tuple(results), messages, record, credit, observation)

    def abort(self, error: str) -> None:
        """End the episode as `error`: something outside the task failed.

        Args:
            error: What failed, for the record.
        """
        if self.ending is None:
            self.ending = "error"
            self.error = error

    def mark_prefix(self) -> None:
        """Count the turns so far as a replayed prefix, not as the policy's own."""
        self.prefix_turns = len(self.turns)

    def fork(self) -> Episode:
        """An independent copy: playing on either changes nothing in the other."""
        other = Episode.__new__(Episode)
        other.__dict__.update(self.__dict__)
        other.ledger = self.ledger.copy()
        other.evidence = self.evidence.copy()
        other.messages = self.messages.copy()
        other.turns = self.turns.copy()
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        """As `fork`."""
        return self.fork()

    __copy__ = fork

    def __getstate__(self) -> dict[str, Any]:
        """All but the papers, which the corpus has."""
        state = {**self.__dict__, "item_id": self.item_id}
        del state["neighborhood"], state["_context"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on where the pickled episode stood, on the corpus that its source names here."""
        self.neighborhood = state["corpus"].neighborhood(state.pop("item_id"))
        self.__dict__.update(state)
        self._context = Context(self.neighborhood, self.prompts, RANKINGS[self.search])

    def record(self) -> EpisodeRecord:
        """All that the episode leaves behind, so far."""
        return episode_record(self)

    def _run(
        self, calls: Sequence[ToolCall]
    ) -> tuple[
        list[ToolResult], list[CallRecord], list[tuple[SectionRead, int]], tuple[ToolCall, ...], str | None
    ]:
        """Run calls, whose arguments are plain, in order until a submission; what they came to, and what was not run."""
        results: list[ToolResult] = []
        records: list[CallRecord] = []
        reads: list[tuple[SectionRead, int]] = []
        for place, call in enumerate(calls):
            name, arguments = call.name, call.arguments
            (outcome, text, read, pool, submitted), points = self._call(name, arguments)
            if read is not None:
                if read.gold is not None:
                    read = self._labeled(read, pool)
                reads.append((read, pool))
            results.append(ToolResult(name, arguments, text, points, outcome))
            records.append(CallRecord(name, arguments, outcome, points, read))
            if submitted is not None:
                return results, records, reads, tuple(calls[place + 1 :]), submitted
        return results, records, reads, (), None

    def _call(self, name: str, arguments: Any) -> tuple[Outcome, int]:
        """Charge for a call and run it."""
        tool = TOOLS.get(name)
        if tool is None or name in self.disabled_tools:
            return self._not_offered(name), 0
        price = TOOL_POINTS[name]
        if not self.ledger.charge(price):
            return self._rejected(name, price), 0
        usable = object_in(arguments) if type(arguments) is str else arguments
        if type(usable) is not dict:
            if name != "think":
                return bad_arguments(self._context, name, None, arguments), price
            usable = {}
        try:
            return tool(self._context, usable), price
        except UNREADABLE as problem:
            raise self.corpus.damaged(problem) from problem

    def _not_offered(self, name: str) -> Outcome:
        names = ", ".join(self._tools)
        if name in self.disabled_tools:
            return Outcome("disabled", self.prompts.message("disabled", name=name, names=names))
        self.ledger.streak = 0
        text = self.prompts.message("unknown_tool", name=name[:_NAME_SHOWN], names=names)
        return Outcome("unknown_tool", text)

    def _rejected(self, name: str, price: int) -> Outcome:
        left = self.ledger.points_left
        affordable = [tool for tool in self._tools if 0 < TOOL_POINTS[tool] <= left]
        advice = self.prompts.message("rejected", can_afford=affordable, affordable=", ".join(affordable))
        text = f"REJECTED: Insufficient budget ({left} remaining, {name} costs {price}). {advice}"
        return Outcome("rejected", text)

    def _labeled(self, read: SectionRead, pool: int) -> SectionRead:
        """A read of a gold paper with the direct labels that it satisfies."""
        pairs = self.neighborhood.evidence.get((pool, read.section), ())
        labels = tuple(sorted({label for _, label in pairs}))
        return msgspec.structs.replace(read, direct_labels=labels) if labels else read

    def _submit(self, submitted: str) -> None:
        self.ending = "answer"
        shown = parse_option(submitted)
        if shown is not None:
            self.letter = letter(shown)
            self.option = self.option_order[shown]

    def _shown(self, results: list[ToolResult], nameless: int) -> tuple[list[str], str]:
        """The results as the agent sees them, and a nudge where one is due."""
        if self.ending == "answer":
            return [
                result.text for result in results
            ], ""  # no agent sees them: no status line stands under them
        status = "\n" + self.ledger.status_line()
        if not results:
            kind = "nudge_nameless" if nameless else "nudge_no_call"
            return [], self.prompts.message(kind, names=", ".join(self._tools)) + status
        shown = [result.text + status for result in results]
        if self.ending is None and self.ledger.points_left <= 0:
            return shown, self.prompts.message("nudge_no_points")
        return shown, ""

    def _close(
        self,
        results: tuple[ToolResult, ...],
        messages: tuple[Message, ...],
        record: TurnRecord,
        credit: Credit,
        observation: str,
    ) -> Turn:
        """Add the turn to the transcript."""
        self.turns.append(record)
        self.messages += messages
        if self.ending is None:
            self._prompt_tokens += self._count(messages)
        return Turn(results, observation, messages, record, credit, self.ending)

    def _call_tokens(self, calls: Sequence[ToolCall]) -> int:
        count = self.counter.completion
        return sum([count(f"{call.name}{arguments_text(call.arguments)}") for call in calls])


_NAME_SHOWN: Final = 100


def _one_of(setting: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ValueError(f"{setting} must be one of {', '.join(known)}, not {value!r}")
