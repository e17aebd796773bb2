"""An episode as the record that it leaves behind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agenthop_env.records import Cuts, EpisodeRecord, Totals, TurnRecord

if TYPE_CHECKING:
    from agenthop_env.sandbox.episode import Episode


def episode_record(episode: Episode) -> EpisodeRecord:
    """All that an episode leaves behind, so far."""
    item, ledger, evidence = episode.item, episode.ledger, episode.evidence
    golds = range(evidence.gold_count)
    usage = ledger.usage
    turns = tuple(episode.turns)
    return EpisodeRecord(
        item_id=item.id,
        dataset=episode.corpus.name,
        fingerprint=episode.corpus.fingerprint,
        split=item.split,
        cuts=Cuts(item.question_type, item.depth, item.reasoning_type, item.consensus_tier, item.venue),
        seed_paper_id=item.seed_paper_id,
        gold_paper_ids=item.gold_paper_ids,
        gold_arxiv_ids=item.gold_arxiv_ids,
        bridge_paper_ids=item.bridge_paper_ids,
        correct_index=item.correct_index,
        distractor_types=item.distractor_types,
        option_order=episode.option_order,
        limits=episode.limits,
        token_accounting=ledger.token_accounting,
        tool_mode=episode.tool_mode,
        tool_format=episode.tool_format,
        search=episode.search,
        token_counter=episode.counter.name,
        prompts_hash=episode.prompts.hash,
        strategy=episode.strategy,
        disabled_tools=episode.disabled_tools,
        agent=episode.agent,
        agent_settings=episode.agent_settings,
        seed=episode.seed,
        stop_on_evidence=episode.stop_on_evidence,
        turns=turns,
        ending=episode.ending,
        option=episode.option,
        letter=episode.letter,
        correct=episode.correct,
        paper_recall=evidence.paper_recall,
        section_recall=evidence.section_recall,
        any_gold_read=bool(evidence.golds),
        gold_delivered=tuple([gold in evidence.golds for gold in golds]),
        gold_satisfied=tuple([gold in evidence.satisfied for gold in golds]),
        scorable_sections=all(episode.neighborhood.scorable),
        totals=Totals(
            turns=len(turns),
            calls=sum([len(turn.calls) for turn in turns]),
            points=ledger.points_used,
            rejected=ledger.rejected,
            unseen_reads=unseen_reads(turns),
            tokens=usage.total,
            tokens_uncached=ledger.tokens_uncached if usage.cached else usage.total,
            usage=usage,
        ),
        prefix_turns=episode.prefix_turns,
        error=episode.error,
    )


def unseen_reads(turns: Sequence[TurnRecord]) -> int:
    """Sections read in the turn of the submission, which no agent saw; only the last turn can have any."""
    calls = turns[-1].calls if turns else ()
    return len([call for call in calls if call.read is not None and not call.read.delivered])
