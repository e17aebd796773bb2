"""An episode: one item, one ledger, one transcript, and the protocol applied to assistant messages.

This is the benchmark. The Gymnasium environments, the evaluation runner, the trainers and the servers all call
`Episode.turn`; none of them has a rule of its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

import msgspec

from agenthop_env.actions import parse, render_calls
from agenthop_env.corpus.store import Corpus
from agenthop_env.records import (
    CallRecord,
    Cuts,
    EpisodeRecord,
    Item,
    SectionRead,
    ToolCall,
    ToolResult,
    Totals,
    TurnRecord,
    Usage,
    plain_json,
)
from agenthop_env.rules import OPTION_COUNT, TOOL_NAMES, TOOL_POINTS, Limits
from agenthop_env.sandbox.ledger import Ledger
from agenthop_env.sandbox.prompts import PromptSet, prompt_set
from agenthop_env.sandbox.search import RANKINGS
from agenthop_env.sandbox.tools import TOOLS, Context, Outcome, bad_arguments
from agenthop_env.scoring.evidence import NOTHING, Credit, Evidence
from agenthop_env.text.letters import letter, parse_option
from agenthop_env.text.tokens import TokenCounter, token_counter

TOOL_MODES: Final = ("text", "native")
DEFAULT_EXAMPLE_FORMAT: Final = "hermes"
"""The form that agents are asked to write calls in where `auto` reads any."""

Message = dict[str, Any]


class EpisodeOver(Exception):  # noqa: N818 - it says what is so, like StopIteration
    """A turn was played on an episode that is over."""


class Turn(msgspec.Struct, frozen=True, gc=False):
    """What one assistant message came to.

    Attributes:
        results: One result per call that was run, in order.
        observation: The text that the agent sees next; results in order, then any nudge.
        messages: What was added to the chat: the assistant's message and the answer to it.
        record: The turn as the episode's record keeps it.
        credit: Gold evidence that reached the agent for the first time.
        ending: Why the episode is over now, None while it goes on.
    """

    results: tuple[ToolResult, ...]
    observation: str
    messages: tuple[Message, ...]
    record: TurnRecord
    credit: Credit
    ending: str | None


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
        disabled = tuple(disabled_tools)
        _one_of("token_accounting", token_accounting, ("total", "uncached"))
        _one_of("tool_mode", tool_mode, TOOL_MODES)
        _one_of("search", search, tuple(RANKINGS))
        neighborhood = corpus.neighborhood(item_id)
        self.corpus = corpus
        self.neighborhood = neighborhood
        self.limits = limits or Limits()
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
        self.messages: list[Message] = self._opening()
        self._prompt_tokens = _tool_tokens(self.counter, self.prompts, self._tools)
        for message in self.messages:
            self._prompt_tokens += self.counter.message(message)
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
        return tuple(self.item.options[index] for index in self.option_order)

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
    ) -> Turn:
        """Play one assistant message.

        Args:
            text: The message's text; any string, or None for an empty one.
            calls: Structured calls, as a server returns them; None to parse them from `text`.
            usage: Tokens of the request; None to count the conversation as it stands.
            reasoning: Reasoning text that came apart from the message, for the record.
            finish_reason: Why the server stopped, for the record.
            seconds: Wall time of the request, for the record.

        Raises:
            EpisodeOver: If the episode is over already.
        """
        if self.ending is not None:
            raise EpisodeOver(f"the episode on {self.item_id} is over ({self.ending}); start another")
        text = text or ""
        native = calls is not None
        if usage is None:
            usage = Usage(self._prompt_tokens, self._completion_tokens(text, calls))
        ledger = self.ledger
        if not ledger.open_turn(usage):
            self.ending = "token_limit"
            dropped = _recordable(calls or ())
            record = TurnRecord(text, (), usage, native, dropped, reasoning, finish_reason, seconds)
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
                records = [_unseen(record) for record in records]
        else:
            if reads:
                credit = self.evidence.credit(reads, ledger.turns_used)
            if self.stop_on_evidence and self.evidence.paper_recall:
                self.ending = "evidence"
            elif results and ledger.exhausted:
                self.ending = "budget"
            elif ledger.turns_used >= self.limits.turns:
                self.ending = "max_turns"
        record = TurnRecord(text, tuple(records), usage, native, dropped, reasoning, finish_reason, seconds)
        shown, nudge = self._shown(results, nameless)
        observation = "\n\n".join([*shown, nudge] if nudge else shown)
        if native:
            messages = _native_messages(ledger.turns_used, text, calls, shown, nudge)
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

    def record(self) -> EpisodeRecord:
        """All that the episode leaves behind, so far."""
        item, ledger, evidence = self.item, self.ledger, self.evidence
        golds = range(evidence.gold_count)
        calls = [call for turn in self.turns for call in turn.calls]
        return EpisodeRecord(
            item_id=item.id,
            dataset=self.corpus.name,
            fingerprint=self.corpus.fingerprint,
            split=item.split,
            cuts=Cuts(item.question_type, item.depth, item.reasoning_type, item.consensus_tier, item.venue),
            seed_paper_id=item.seed_paper_id,
            gold_paper_ids=item.gold_paper_ids,
            gold_arxiv_ids=item.gold_arxiv_ids,
            bridge_paper_ids=item.bridge_paper_ids,
            correct_index=item.correct_index,
            distractor_types=item.distractor_types,
            option_order=self.option_order,
            limits=self.limits,
            token_accounting=ledger.token_accounting,
            tool_mode=self.tool_mode,
            tool_format=self.tool_format,
            search=self.search,
            token_counter=self.counter.name,
            prompts_hash=self.prompts.hash,
            strategy=self.strategy,
            disabled_tools=self.disabled_tools,
            agent=self.agent,
            agent_settings=self.agent_settings,
            seed=self.seed,
            stop_on_evidence=self.stop_on_evidence,
            turns=tuple(self.turns),
            ending=self.ending,
            option=self.option,
            letter=self.letter,
            correct=self.correct,
            paper_recall=evidence.paper_recall,
            section_recall=evidence.section_recall,
            any_gold_read=bool(evidence.golds),
            gold_delivered=tuple(gold in evidence.golds for gold in golds),
            gold_satisfied=tuple(gold in evidence.satisfied for gold in golds),
            scorable_sections=all(self.neighborhood.scorable),
            totals=Totals(
                turns=len(self.turns),
                calls=len(calls),
                points=ledger.points_used,
                rejected=ledger.rejected,
                unseen_reads=sum(call.read is not None and not call.read.delivered for call in calls),
                tokens=ledger.tokens_total,
                tokens_uncached=ledger.tokens_uncached,
                usage=ledger.usage,
            ),
            prefix_turns=self.prefix_turns,
            error=self.error,
        )

    def _opening(self) -> list[Message]:
        item = self.item
        example = None
        if self.tool_mode == "text":
            example = _example(self.tool_format, self._tools)
        shown = {
            "seed_paper_id": item.seed_paper_id,
            "seed_title": item.seed_title,
            "question": item.question,
            "options": self.options,
        }
        system = self.prompts.system(self.strategy, self.limits, self._tools, shown, example)
        return [
            {"role": "system", "content": system},
            {"role": "user", "content": self.prompts.message("start")},
        ]

    def _run(
        self, calls: Sequence[ToolCall]
    ) -> tuple[
        list[ToolResult], list[CallRecord], list[tuple[SectionRead, int]], tuple[ToolCall, ...], str | None
    ]:
        """Run calls in order until a submission; what they came to, and what was not run."""
        results: list[ToolResult] = []
        records: list[CallRecord] = []
        reads: list[tuple[SectionRead, int]] = []
        for place, call in enumerate(calls):
            name, arguments = call.name, _plain(call.arguments)
            outcome, points = self._call(name, arguments)
            read = outcome.read
            if read is not None:
                if read.gold is not None:
                    read = self._labeled(read, outcome.pool)
                reads.append((read, outcome.pool))
            results.append(ToolResult(name, arguments, outcome.text, points, outcome.outcome))
            records.append(CallRecord(name, arguments, outcome.outcome, points, read))
            if outcome.submitted is not None:
                return results, records, reads, _recordable(calls[place + 1 :]), outcome.submitted
        return results, records, reads, (), None

    def _call(self, name: str, arguments: Any) -> tuple[Outcome, int]:
        """Charge for a call and run it."""
        tool = TOOLS.get(name)
        ledger, prompts = self.ledger, self.prompts
        if name in self.disabled_tools:
            return Outcome(
                "disabled", prompts.message("disabled", name=name, names=", ".join(self._tools))
            ), 0
        if tool is None:
            ledger.streak = 0
            text = prompts.message("unknown_tool", name=name[:_NAME_SHOWN], names=", ".join(self._tools))
            return Outcome("unknown_tool", text), 0
        price = TOOL_POINTS[name]
        if not ledger.charge(price):
            left = ledger.points_left
            affordable = [tool for tool in self._tools if 0 < TOOL_POINTS[tool] <= left]
            advice = prompts.message("rejected", can_afford=affordable, affordable=", ".join(affordable))
            text = f"REJECTED: Insufficient budget ({left} remaining, {name} costs {price}). {advice}"
            return Outcome("rejected", text), 0
        usable = arguments
        if isinstance(usable, str):
            usable = _object_in(usable)
        if not isinstance(usable, dict):
            if name == "think":
                usable = {}
            else:
                return bad_arguments(self._context, name, None, arguments), price
        return tool(self._context, usable), price

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
            count = self.counter.message
            for message in messages:
                self._prompt_tokens += count(message)
        return Turn(results, observation, messages, record, credit, self.ending)

    def _completion_tokens(self, text: str, calls: Sequence[ToolCall] | None) -> int:
        count = self.counter.completion(text)
        for call in calls or ():
            count += self.counter.completion(call.name + _as_text(call.arguments))
        return count


_NAME_SHOWN: Final = 100
_SIMPLE: Final = (str, int, bool, type(None))


def option_order(seed: int | None, item_id: str) -> tuple[int, ...]:
    """A permutation of the four options, the same for a seed and an item on every machine."""
    number = int.from_bytes(
        sha256(f"options|{seed}|{item_id}".encode("utf-8", "surrogatepass")).digest()[:8], "big"
    )
    left = list(range(OPTION_COUNT))
    order = []
    for size in range(OPTION_COUNT, 0, -1):
        number, place = divmod(number, size)
        order.append(left.pop(place))
    return tuple(order)


def _plain(arguments: Any) -> Any:
    """Arguments as records keep them; the common case, a flat object, is kept as it is."""
    if type(arguments) is dict:
        for value in arguments.values():
            if type(value) not in _SIMPLE:
                return plain_json(arguments)
        return arguments
    return arguments if type(arguments) in _SIMPLE else plain_json(arguments)


def _native_messages(
    turn: int, text: str, calls: Sequence[ToolCall], shown: list[str], nudge: str
) -> tuple[Message, ...]:
    """A turn with structured calls as chat messages: the calls, a tool message per result, then any nudge."""
    said: Message = {"role": "assistant", "content": text}
    if calls:
        said["tool_calls"] = [
            {
                "id": f"call_{turn}_{place}",
                "type": "function",
                "function": {"name": call.name, "arguments": _as_text(call.arguments)},
            }
            for place, call in enumerate(calls)
        ]
    replies: list[Message] = [
        {"role": "tool", "tool_call_id": f"call_{turn}_{place}", "content": result}
        for place, result in enumerate(shown)
    ]
    if nudge:
        replies.append({"role": "user", "content": nudge})
    return (said, *replies)


def _recordable(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(call.name, _plain(call.arguments)) for call in calls)


def _unseen(record: CallRecord) -> CallRecord:
    """A call of the submission's turn: what it read never reached the agent."""
    if record.read is None:
        return record
    return msgspec.structs.replace(record, read=msgspec.structs.replace(record.read, delivered=False))


def _object_in(text: str) -> Any:
    """The JSON object that a string holds, else the string: servers hand arguments over as text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return plain_json(value) if isinstance(value, dict) else text


def _as_text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(_plain(arguments), ensure_ascii=False)


@lru_cache(maxsize=256)
def _example(tool_format: str, tools: tuple[str, ...]) -> str:
    """A call in the format that the policy is asked for."""
    name = next(
        (name for name in ("get_references", "get_paper_info") if name in tools), tools[-1] if tools else ""
    )
    if not name:
        return ""
    arguments = {"option": "A"} if name == "submit_answer" else {"paper_id": "ID"}
    return render_calls(
        [ToolCall(name, arguments)], DEFAULT_EXAMPLE_FORMAT if tool_format == "auto" else tool_format
    )


_TOOL_TOKENS: dict[tuple[int, int, tuple[str, ...]], tuple[Any, Any, int]] = {}


def _tool_tokens(counter: TokenCounter, prompts: PromptSet, tools: tuple[str, ...]) -> int:
    """Tokens of the schemas; counted once, since they are the same in every episode."""
    key = (id(counter) if counter.name != "chars/4" else 0, id(prompts), tools)
    found = _TOOL_TOKENS.get(key)
    if found is None or found[1] is not prompts:
        if len(_TOOL_TOKENS) > 256:
            _TOOL_TOKENS.clear()
        found = _TOOL_TOKENS[key] = (counter, prompts, counter.tools(prompts.schemas(tools)))
    return found[2]


def _one_of(setting: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ValueError(f"{setting} must be one of {', '.join(known)}, not {value!r}")
