"""What `info` holds: its types, and the three levels of it (protocol section 6).

| `diagnostics` | every step | reset adds | last step adds |
|---|---|---|---|
| `"full"` | item, ledger, calls, messages, `diagnostics` | `tools`, `prefix_turns` | `record` |
| `"public"` | the same without `diagnostics`, `fingerprint` and two of the cuts | `tools`, `prefix_turns` | `transcript` |
| `"none"` | item id, data set, split, ending | nothing | nothing |

`"full"` is for the trainer's and the evaluator's eyes: it tells what is gold. At the other levels nothing depends on
the gold labels or the right option, so `info` may be handed to a policy. `fingerprint` is withheld there because it is
a hash over the whole data set, answers included; `question_type` and `depth` because they tell how many gold papers
there are and how far away.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypedDict

import msgspec

from agenthop_env.records import CallRecord, Cuts, EpisodeRecord, ToolResult, Totals, TurnRecord
from agenthop_env.rules import Limits
from agenthop_env.sandbox.episode import Episode, Message
from agenthop_env.sandbox.recording import unseen_reads
from agenthop_env.scoring.evidence import Credit


class LedgerInfo(TypedDict):
    """What is spent and what is left, replayed prefix included.

    Attributes:
        points_used: Points spent, 0 to the cap.
        points_left: Points that calls may still spend.
        turns_used: Assistant messages so far.
        turns_left: Assistant messages that may still come.
        tokens_used: Tokens held against the cap, by the token accounting in use.
        tokens_left: Tokens until the cap; negative once it is passed.
        rejected: Calls rejected for their price, in all.
    """

    points_used: int
    points_left: int
    turns_used: int
    turns_left: int
    tokens_used: int
    tokens_left: int
    rejected: int


class DiagnosticsInfo(TypedDict):
    """How the episode stands with respect to the gold (protocol section 5). Not for agents.

    Attributes:
        paper_recall: Text of every gold paper was delivered.
        section_recall: For every gold paper a delivered section satisfies a direct label.
        golds_delivered: Gold papers delivered so far.
        gold_count: Gold papers of the item, 1 to 3.
        labels_satisfied: Direct labels satisfied so far.
        label_count: Direct labels that some section satisfies; may be 0.
        first_gold_turn: Turn that delivered the first gold paper, from 1; 0 while there is none.
        wrong_reads: Delivered reads of papers that are not gold, in all.
        new_golds: Gold papers first delivered by this step, as indices into `gold_paper_ids`.
        new_labels: Direct labels first satisfied by this step, as indices into the item's labels.
        new_wrong_reads: Delivered reads of papers that are not gold, in this step.
        unseen_reads: Sections read in the turn of the submission: charged, never seen. 0 before the last step.
        correct: The gold option was submitted. False before the last step.
    """

    paper_recall: bool
    section_recall: bool
    golds_delivered: int
    gold_count: int
    labels_satisfied: int
    label_count: int
    first_gold_turn: int
    wrong_reads: int
    new_golds: tuple[int, ...]
    new_labels: tuple[int, ...]
    new_wrong_reads: int
    unseen_reads: int
    correct: bool


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """An `EpisodeRecord` without all that depends on the gold; the fields of its name mean the same.

    Attributes:
        cuts: Without `question_type` and `depth`.
        turns: As in the record, save that no read says whether it is of a gold paper.
        option: Chosen option as an index into the item's own options, None without a valid one.
    """

    item_id: str
    dataset: str
    split: str
    cuts: Cuts
    option_order: tuple[int, ...]
    limits: Limits
    token_accounting: str
    tool_mode: str
    tool_format: str
    search: str
    token_counter: str
    prompts_hash: str
    strategy: str
    disabled_tools: tuple[str, ...]
    seed: int | None
    turns: tuple[TurnRecord, ...]
    ending: str | None
    option: int | None
    letter: str | None
    totals: Totals
    prefix_turns: int


class Info(TypedDict, total=False):
    """`info` of `reset` and `step`; see the table above for which level has which key.

    Attributes:
        item_id: Id of the item.
        dataset: Name of the data set.
        split: `train`, `validation` or `test`.
        ending: Why the episode is over, None while it goes on.
        fingerprint: Hash of the data set's content.
        cuts: The item's attributes by which results are sliced.
        ledger: What is spent and what is left.
        calls: The turn's calls, in order: name, arguments, text, points and outcome of each. Empty at reset.
        messages: Chat messages that this step appended, in OpenAI's shape; at reset all of them.
        diagnostics: How the episode stands with respect to the gold.
        tools: JSON schemas of the tools in use, in OpenAI's shape.
        prefix_turns: Turns that were replayed before the policy's first.
        record: The episode's record.
        transcript: The record without all that depends on the gold.
    """

    item_id: str
    dataset: str
    split: str
    ending: str | None
    fingerprint: str
    cuts: Cuts
    ledger: LedgerInfo
    calls: tuple[ToolResult, ...]
    messages: tuple[Message, ...]
    diagnostics: DiagnosticsInfo
    tools: list[Message]
    prefix_turns: int
    record: EpisodeRecord
    transcript: Transcript


class Facts(NamedTuple):
    """What `info` says of an item in every step; made once an episode."""

    item_id: str
    dataset: str
    split: str
    fingerprint: str
    cuts: Cuts
    public_cuts: Cuts
    gold_count: int
    label_count: int

    @classmethod
    def of(cls, episode: Episode) -> Facts:
        """The facts of an episode's item."""
        item, corpus, evidence = episode.item, episode.corpus, episode.evidence
        return cls(
            item.id,
            corpus.name,
            item.split,
            corpus.fingerprint,
            Cuts(item.question_type, item.depth, item.reasoning_type, item.consensus_tier, item.venue),
            Cuts(reasoning_type=item.reasoning_type, consensus_tier=item.consensus_tier, venue=item.venue),
            evidence.gold_count,
            evidence.label_count,
        )


InfoBuilder = Callable[[Facts, Episode, tuple[ToolResult, ...], tuple[Message, ...], Credit], dict[str, Any]]
"""Makes `info` from an item's facts, the episode after the step, and what the step ran, appended and was credited."""


def _ledger(episode: Episode) -> dict[str, int]:
    ledger = episode.ledger
    limits = ledger.limits
    points, turns, tokens = ledger.points_used, ledger.turns_used, ledger.tokens_used
    return {
        "points_used": points,
        "points_left": limits.points - points,
        "turns_used": turns,
        "turns_left": limits.turns - turns,
        "tokens_used": tokens,
        "tokens_left": limits.tokens - tokens,
        "rejected": ledger.rejected,
    }


def full_info(
    facts: Facts,
    episode: Episode,
    calls: tuple[ToolResult, ...],
    messages: tuple[Message, ...],
    credit: Credit,
) -> dict[str, Any]:
    """`info` with everything in it."""
    item_id, dataset, split, fingerprint, cuts, _, gold_count, label_count = facts
    evidence, ending, ledger = episode.evidence, episode.ending, episode.ledger
    limits, points, turns, tokens = ledger.limits, ledger.points_used, ledger.turns_used, ledger.tokens_used
    delivered = len(evidence.golds)
    new_golds, new_labels, new_wrong_reads = credit
    info: dict[str, Any] = {
        "item_id": item_id,
        "dataset": dataset,
        "split": split,
        "ending": ending,
        "fingerprint": fingerprint,
        "cuts": cuts,
        "ledger": {
            "points_used": points,
            "points_left": limits.points - points,
            "turns_used": turns,
            "turns_left": limits.turns - turns,
            "tokens_used": tokens,
            "tokens_left": limits.tokens - tokens,
            "rejected": ledger.rejected,
        },
        "calls": calls,
        "messages": messages,
        "diagnostics": {
            "paper_recall": delivered == gold_count,
            "section_recall": len(evidence.satisfied) == gold_count,
            "golds_delivered": delivered,
            "gold_count": gold_count,
            "labels_satisfied": len(evidence.labels),
            "label_count": label_count,
            "first_gold_turn": evidence.first_gold_turn or 0,
            "wrong_reads": evidence.wrong_reads,
            "new_golds": new_golds,
            "new_labels": new_labels,
            "new_wrong_reads": new_wrong_reads,
            "unseen_reads": 0 if ending is None else unseen_reads(episode.turns),
            "correct": ending is not None and episode.correct,
        },
    }
    if ending is not None:
        info["record"] = episode.record()
    return info


def public_info(
    facts: Facts,
    episode: Episode,
    calls: tuple[ToolResult, ...],
    messages: tuple[Message, ...],
    credit: Credit,
) -> dict[str, Any]:
    """`info` with nothing in it that depends on the gold."""
    ending = episode.ending
    info: dict[str, Any] = {
        "item_id": facts.item_id,
        "dataset": facts.dataset,
        "split": facts.split,
        "ending": ending,
        "cuts": facts.public_cuts,
        "ledger": _ledger(episode),
        "calls": calls,
        "messages": messages,
    }
    if ending is not None:
        info["transcript"] = transcript(episode)
    return info


def least_info(
    facts: Facts,
    episode: Episode,
    calls: tuple[ToolResult, ...],
    messages: tuple[Message, ...],
    credit: Credit,
) -> dict[str, Any]:
    """`info` that only names what is played and how it ended."""
    return {
        "item_id": facts.item_id,
        "dataset": facts.dataset,
        "split": facts.split,
        "ending": episode.ending,
    }


LEVELS: Final[dict[str, InfoBuilder]] = {"full": full_info, "public": public_info, "none": least_info}
"""Level -> what makes its `info`."""


def transcript(episode: Episode) -> Transcript:
    """An episode so far, without all that depends on the gold."""
    record = episode.record()
    carried = {name: getattr(record, name) for name in Transcript.__struct_fields__}
    carried["cuts"] = msgspec.structs.replace(record.cuts, question_type="", depth=0)
    carried["turns"] = tuple(
        msgspec.structs.replace(turn, calls=tuple(_without_gold(call) for call in turn.calls))
        for turn in record.turns
    )
    return Transcript(**carried)


def _without_gold(call: CallRecord) -> CallRecord:
    if call.read is None:
        return call
    return msgspec.structs.replace(call, read=msgspec.structs.replace(call.read, gold=None, direct_labels=()))
