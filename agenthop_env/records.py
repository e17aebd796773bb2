"""Plain data: papers, items, calls, and the record that an episode leaves behind.

Everything here is a frozen, typed `msgspec.Struct`: cheap to make, compared by value, and turned into JSON and
back without loss. Records hold no text that a tool delivered; that text is in the corpus, found by its hash.
"""

from __future__ import annotations

import json
import math
from numbers import Integral, Real
from typing import Any, Final, Literal, TypeVar

import msgspec

from agenthop_env.rules import Limits

SCHEMA_VERSION: Final = 1
"""Version of `EpisodeRecord`'s layout; raised when a field changes meaning or goes away."""

Split = Literal["train", "validation", "test"]
Json = Any
"""Any JSON value."""


class Section(msgspec.Struct, frozen=True):
    """One top-level section of a paper.

    Attributes:
        header: Header as the release has it; subsection headers stand inside the text.
        text: Full text of the section.
    """

    header: str
    text: str


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """One node of an item's graph, with its text where the release has it.

    Attributes:
        paper_id: The graph's id of the paper.
        arxiv_id: arXiv id, which joins a node to its text; None where unknown.
        title: Title, None where unknown.
        authors: Names in order; may be empty.
        year: Publication year as the release prints it (a number or a string), None where unknown.
        venue: Venue, None where unknown.
        abstract: Abstract, None where unknown.
        has_text: Whether the paper's full text is in the release.
        sections: Top-level sections; empty without text.
    """

    paper_id: str
    arxiv_id: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | str | None = None
    venue: str | None = None
    abstract: str | None = None
    has_text: bool = False
    sections: tuple[Section, ...] = ()


class EvidenceLabel(msgspec.Struct, frozen=True):
    """One audited statement of where the evidence for an item stands.

    Attributes:
        paper: Title as the auditor wrote it.
        arxiv_id: arXiv id of the paper; may be empty.
        section: Section or subsection header, verbatim.
        relevance: `direct` labels count for section recall; `supporting` ones do not.
        what_it_contains: The auditor's note.
    """

    paper: str = ""
    arxiv_id: str = ""
    section: str = ""
    relevance: str = "direct"
    what_it_contains: str = ""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One four-option question, under the release's own field names (paper section 3).

    Attributes:
        id: `st_0001`, `mt_0001`, ...
        question_type: `single-target` (one gold paper) or `multi-target` (two, sometimes three).
        depth: 1 where the seed cites the gold, 2 where a bridge paper lies between.
        reasoning_type: GROUND, METHOD, MOTIVE or RESULT.
        question: The question.
        options: The four options in the release's order.
        correct_index: Index of the right option, 0..3.
        distractor_types: Per option `correct`, `seed_only`, `wrong_paper` or `no_context`.
        seed_paper_id: Where the agent starts.
        gold_paper_ids: The papers that hold the evidence.
        labels: The audit's evidence labels, direct and supporting.
        split: `train`, `validation` or `test`.
    """

    id: str
    question_type: str
    depth: int
    reasoning_type: str = ""
    cognitive_skill: str = ""
    venue: str = ""
    consensus_tier: str = ""
    question: str
    options: tuple[str, ...]
    correct_index: int
    distractor_types: tuple[str, ...] = ()
    seed_paper_id: str
    seed_arxiv_id: str = ""
    seed_title: str = ""
    gold_paper_ids: tuple[str, ...]
    gold_arxiv_ids: tuple[str, ...] = ()
    bridge_paper_ids: tuple[str, ...] = ()
    bridge_arxiv_ids: tuple[str, ...] = ()
    filter_agreement: Json = None
    bridge_necessary: bool | None = None
    labels: tuple[EvidenceLabel, ...] = ()
    split: Split = "test"


class ToolCall(msgspec.Struct, frozen=True, gc=False):
    """One tool call that a policy asks for.

    Attributes:
        name: Name as the policy wrote it; need not be a tool's.
        arguments: Any JSON value. Only an object (or a string that holds one as JSON) can be valid; anything
            else becomes a `bad_arguments` result.
    """

    name: str
    arguments: Json = msgspec.field(default_factory=dict)


class ToolResult(msgspec.Struct, frozen=True, gc=False):
    """What one tool call came to.

    Attributes:
        name: Tool name as called.
        arguments: Arguments as given.
        text: What the tool says, without the status line.
        points: Points charged, 0 to 5.
        outcome: One of `rules.OUTCOMES`.
    """

    name: str
    arguments: Json
    text: str
    points: int
    outcome: str


class Usage(msgspec.Struct, frozen=True, gc=False):
    """Tokens of one model request.

    Attributes:
        prompt: Prompt tokens, those served from a cache included.
        completion: Tokens generated, reasoning included.
        cached: The part of `prompt` that a prefix cache served.
        cache_write: The part of `prompt` written to a cache, where a server reports it.
        reasoning: The part of `completion` spent on reasoning, where a server reports it.
    """

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cache_write: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        """Prompt plus completion tokens: the paper's count."""
        return self.prompt + self.completion

    @property
    def uncached(self) -> int:
        """As `total`, without the prompt tokens that a cache served: the released harness's count."""
        return max(self.prompt - self.cached, 0) + self.completion

    def __add__(self, other: Usage) -> Usage:
        """Sum, field by field."""
        return Usage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.cached + other.cached,
            self.cache_write + other.cache_write,
            self.reasoning + other.reasoning,
        )


class SectionRead(msgspec.Struct, frozen=True, gc=False):
    """The section that a `read_section` call returned.

    Attributes:
        paper_id: Id of the paper.
        arxiv_id: Its arXiv id, None where unknown.
        section: Index of the section in its paper, from 0.
        header: The section's header.
        text_hash: First 16 hex digits of the SHA-256 of the section's text.
        gold: Index into `gold_paper_ids` of the gold paper that this is, None for any other paper.
        direct_labels: Indices (into the item's labels) of the direct labels that this section satisfies.
        delivered: Whether the agent got to see it: False in the turn of the submission.
    """

    paper_id: str
    arxiv_id: str | None
    section: int
    header: str
    text_hash: str
    gold: int | None = None
    direct_labels: tuple[int, ...] = ()
    delivered: bool = True


class CallRecord(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One executed tool call in an `EpisodeRecord`.

    Attributes:
        name: Tool name as called.
        arguments: Arguments as given.
        outcome: One of `rules.OUTCOMES`.
        points: Points charged.
        read: What was read, for a `read_section` call that returned text.
    """

    name: str
    arguments: Json
    outcome: str
    points: int
    read: SectionRead | None = None


class TurnRecord(msgspec.Struct, frozen=True, gc=False):
    """One assistant message and what came of it.

    Attributes:
        text: The assistant message's text, as it came.
        calls: The calls that were executed, in order.
        usage: Tokens of the request.
        native: Whether the calls came structured from a server rather than parsed from `text`.
        dropped: Calls of this turn that were not run (after a submission, or past the token cap).
        reasoning: Reasoning text where the server returns it apart.
        finish_reason: The server's reason for stopping, where known.
        seconds: Wall time of the request, where measured.
        raw: The server's message as it came, where there was a server.
    """

    text: str
    calls: tuple[CallRecord, ...] = ()
    usage: Usage = Usage()
    native: bool = False
    dropped: tuple[ToolCall, ...] = ()
    reasoning: str | None = None
    finish_reason: str | None = None
    seconds: float | None = None
    raw: Json = None


class Cuts(msgspec.Struct, frozen=True):
    """The item's attributes by which results are sliced."""

    question_type: str = ""
    depth: int = 0
    reasoning_type: str = ""
    consensus_tier: str = ""
    venue: str = ""


class Totals(msgspec.Struct, frozen=True):
    """Sums over a record's own turns and its replayed prefix.

    Attributes:
        turns: Assistant messages.
        calls: Executed calls.
        points: Points spent.
        rejected: Calls rejected for their price.
        unseen_reads: Sections read in the turn of the submission: charged, never seen.
        tokens: Prompt plus completion tokens, cached ones included.
        tokens_uncached: The same without prompt tokens that a cache served.
        usage: The five token counts, summed.
    """

    turns: int = 0
    calls: int = 0
    points: int = 0
    rejected: int = 0
    unseen_reads: int = 0
    tokens: int = 0
    tokens_uncached: int = 0
    usage: Usage = Usage()


class Attempt(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that failed on the way to a record.

    Attributes:
        error: What failed.
        usage: Tokens that it cost.
        turn: For a try of the item, how many turns it had had; for a request, of which turn it was.
        whole: Whether it is a whole try of the item, and not a single request.
    """

    error: str
    usage: Usage = Usage()
    turn: int | None = None
    whole: bool = True


class EpisodeRecord(msgspec.Struct, frozen=True, kw_only=True):
    """All that an episode leaves behind: enough to score, analyze and replay it.

    Attributes:
        schema_version: Version of this layout.
        option: Chosen option as an index into the item's own options (0..3), None without a valid one.
        letter: The letter that the agent submitted, in the order shown to it.
        option_order: Shown position -> index of the item's option; (0, 1, 2, 3) unless shuffled.
        correct: Whether `option` is the gold one; every other ending is False.
        paper_recall: Text of every gold paper was delivered (protocol section 5).
        section_recall: For every gold paper a delivered section satisfies a direct label.
        any_gold_read: Text of at least one gold paper was delivered (the released harness's looser figure).
        gold_delivered: Per gold paper whether it was delivered.
        gold_satisfied: Per gold paper whether a direct label of it was satisfied.
        scorable_sections: Whether every gold paper has a direct label at all.
        prefix_turns: Turns replayed before the policy's own (`AgentHopCommit-v0`), not counted as its actions.
        retries: Whole tries of the item that failed before this one.
        attempts: Those tries, and requests that failed on the way; their tokens are not in `totals`.
    """

    schema_version: int = SCHEMA_VERSION
    item_id: str
    dataset: str
    fingerprint: str
    split: str
    cuts: Cuts
    seed_paper_id: str
    gold_paper_ids: tuple[str, ...]
    gold_arxiv_ids: tuple[str, ...] = ()
    bridge_paper_ids: tuple[str, ...] = ()
    correct_index: int
    distractor_types: tuple[str, ...] = ()
    option_order: tuple[int, ...] = (0, 1, 2, 3)
    limits: Limits
    token_accounting: str = "total"
    tool_mode: str = "text"
    tool_format: str = "auto"
    search: str = "overlap"
    token_counter: str = "chars/4"
    prompts_hash: str = ""
    strategy: str = "full"
    disabled_tools: tuple[str, ...] = ()
    agent: str = ""
    agent_settings: dict[str, Json] = msgspec.field(default_factory=dict)
    seed: int | None = None
    stop_on_evidence: bool = False
    turns: tuple[TurnRecord, ...] = ()
    ending: str | None = None
    option: int | None = None
    letter: str | None = None
    correct: bool = False
    paper_recall: bool = False
    section_recall: bool = False
    any_gold_read: bool = False
    gold_delivered: tuple[bool, ...] = ()
    gold_satisfied: tuple[bool, ...] = ()
    scorable_sections: bool = True
    totals: Totals = Totals()
    prefix_turns: int = 0
    retries: int = 0
    attempts: tuple[Attempt, ...] = ()
    error: str | None = None

    def to_json(self) -> str:
        """The record as one line of JSON; `from_json` gives an equal record back."""
        return encode(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> EpisodeRecord:
        """Read what `to_json` wrote.

        Raises:
            ValueError: If the text is not such a record; the message names the field.
        """
        return decode(text, cls)

    def differences(self, other: EpisodeRecord) -> list[str]:
        """Fields in which two records differ, as `path: this -> other`, empty when they are equal."""
        found: list[str] = []
        _compare(msgspec.to_builtins(self), msgspec.to_builtins(other), "", found)
        return found


T = TypeVar("T", bound=msgspec.Struct)

_ENCODER = msgspec.json.Encoder()


def encode(record: msgspec.Struct) -> str:
    """A struct as one line of JSON, whatever its strings and numbers hold.

    Lone surrogates and whole numbers beyond 64 bits, which a model can emit, are not representable in the fast
    path; they take the standard library's, whose escapes read back the same.
    """
    try:
        return _ENCODER.encode(record).decode()
    except (UnicodeEncodeError, OverflowError, msgspec.MsgspecError):
        return json.dumps(msgspec.to_builtins(record), ensure_ascii=True, separators=(",", ":"))


def decode(text: str | bytes, kind: type[T]) -> T:
    """Read a struct that `encode` wrote.

    Raises:
        ValueError: If the text is not JSON of that struct's layout; the message names the field.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as problem:
        raise ValueError(f"not a {kind.__name__}: {problem}") from None
    except (msgspec.DecodeError, UnicodeError):
        try:
            return msgspec.convert(json.loads(text), type=kind)
        except (ValueError, msgspec.ValidationError) as problem:
            raise ValueError(f"not a {kind.__name__}: {problem}") from None


_BITS_PRINTED: Final = 8192
"""Python refuses to print longer whole numbers, at about 14,000 bits."""


_NODES_KEPT: Final = 100_000
"""Values within values that a plain copy holds at most: lists that share lists can stand for any number."""


def plain_json(value: Json, depth: int = 64) -> Json:
    """A copy of a JSON value that every JSON reader accepts.

    NaN and infinities become None, tuples lists, keys strings, whole numbers too long to print in decimal their
    hexadecimal form, anything of another type its `repr`, and whatever is deeper than `depth` or comes after 100,000
    others "...", so that a record never fails to serialize because of what a policy sent.
    """
    return _plain(value, depth, [_NODES_KEPT])


def _plain(value: Json, depth: int, left: list[int]) -> Json:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Integral):  # NumPy's are
        number = int(value)
        return number if number.bit_length() <= _BITS_PRINTED else hex(number)
    if isinstance(value, Real):
        try:
            real = float(value)
        except OverflowError:  # a fraction's
            return None
        return real if math.isfinite(real) else None
    left[0] -= 1
    if depth == 0 or left[0] < 0:
        return "..."
    if isinstance(value, dict):
        return {str(_plain(key, 1, left)): _plain(inner, depth - 1, left) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner, depth - 1, left) for inner in value]
    try:
        return repr(value)
    except Exception:
        return f"<{type(value).__name__}>"


def _compare(one: Json, two: Json, path: str, found: list[str]) -> None:
    if isinstance(one, dict) and isinstance(two, dict):
        for key in sorted(one.keys() | two.keys()):
            _compare(one.get(key), two.get(key), f"{path}.{key}" if path else str(key), found)
    elif isinstance(one, (list, tuple)) and isinstance(two, (list, tuple)):
        if len(one) != len(two):
            found.append(f"{path}: {len(one)} entries -> {len(two)} entries")
        for index, (left, right) in enumerate(zip(one, two, strict=False)):
            _compare(left, right, f"{path}[{index}]", found)
    elif one != two:
        found.append(f"{path}: {one!r} -> {two!r}")
