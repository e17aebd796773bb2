"""Random games: whatever a policy sends, the protocol's invariants hold at every step."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from releases import BARE, EMPTY, FAR, GOLD, OTHER, SEED

from agenthop_env import Episode, EpisodeRecord, Limits, ToolCall, Usage, replay
from agenthop_env.actions import render_calls
from agenthop_env.corpus.store import Corpus
from agenthop_env.rules import ENDINGS, OUTCOMES, TOOL_NAMES, TOOL_POINTS
from agenthop_env.sandbox.episode import EpisodeOver, Turn
from agenthop_env.text.tokens import token_counter

OPENED: list[Corpus] = []


@pytest.fixture(autouse=True, scope="module")
def opened(corpus: Corpus) -> None:
    OPENED[:] = [corpus]


PAPERS = st.sampled_from(
    [SEED, GOLD, OTHER, FAR, BARE, EMPTY, "nowhere", "../../etc/passwd", "", "\ud800", "\x00"]
)
SECTIONS = st.sampled_from(["A", "(b)", "Results", "set up", "30", "I", "", "zz", "\udfff", "introduction"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
SOUND = st.one_of(
    st.builds(lambda paper: ToolCall("get_paper_info", {"paper_id": paper}), PAPERS),
    st.builds(lambda paper: ToolCall("get_references", {"paper_id": paper}), PAPERS),
    st.builds(lambda paper: ToolCall("list_sections", {"paper_id": paper}), PAPERS),
    st.builds(
        lambda paper, section: ToolCall("read_section", {"paper_id": paper, "section": section}),
        PAPERS,
        SECTIONS,
    ),
    st.builds(
        lambda query, k: ToolCall("search_papers", {"query": query, "top_k": k}),
        st.text(max_size=8),
        st.integers(),
    ),
    st.builds(lambda text: ToolCall("think", {"thought": text}), st.text(max_size=8)),
)
WILD = st.builds(
    ToolCall, st.sampled_from([*TOOL_NAMES[:-1], "fly", "", "\ud800"]) | st.text(max_size=6), JSON
)
CALLS = st.lists(SOUND | WILD, max_size=4)
TEXTS = st.text(max_size=30) | st.sampled_from(
    ["", "<tool_call>", "\x00\ud800", "<think>x</think>", '{"name": "think"}']
)
USAGES = st.none() | st.builds(
    Usage,
    st.integers(0, 9000),
    st.integers(0, 900),
    st.integers(0, 12_000),
    st.integers(0, 9),
    st.integers(0, 9),
)


class Game(RuleBasedStateMachine):
    """An episode, a shadow ledger kept beside it, and a fork that must stay as it was."""

    @initialize(
        item=st.sampled_from(["st_0001", "mt_0001", "mt_0003", "st_0007"]),
        limits=st.builds(
            Limits, points=st.integers(0, 30), turns=st.integers(1, 12), tokens=st.integers(2000, 120_000)
        ),
        accounting=st.sampled_from(["total", "uncached"]),
        disabled=st.sets(st.sampled_from(TOOL_NAMES), max_size=2),
        mode=st.sampled_from(["text", "native"]),
        shuffle=st.booleans(),
        evidence=st.booleans(),
    )
    def start(
        self,
        item: str,
        limits: Limits,
        accounting: str,
        disabled: set[str],
        mode: str,
        shuffle: bool,
        evidence: bool,
    ) -> None:
        self.corpus = OPENED[0]
        self.episode = Episode(
            self.corpus, item, limits=limits, token_accounting=accounting, disabled_tools=sorted(disabled), seed=1,
            tool_mode=mode, shuffle_options=shuffle, stop_on_evidence=evidence,
        )  # fmt: skip
        self.points = self.turns = self.total = self.uncached = 0
        self.fork: Episode | None = None
        self.fork_was = ""
        self.seen: tuple[int, int, int] = (0, 0, 0)

    @precondition(lambda self: self.episode.ending is None)
    @rule(text=TEXTS, calls=CALLS, usage=USAGES)
    def native_turn(self, text: str, calls: list[ToolCall], usage: Usage | None) -> None:
        self.note(usage, self.episode.turn(text, calls, usage), calls)

    @precondition(lambda self: self.episode.ending is None)
    @rule(
        text=TEXTS,
        calls=st.lists(SOUND, max_size=3),
        usage=USAGES,
        form=st.sampled_from(["hermes", "mistral"]),
    )
    def text_turn(self, text: str, calls: list[ToolCall], usage: Usage | None, form: str) -> None:
        shown = render_calls(calls, form)
        self.note(usage, self.episode.turn(text + "\n" + shown, None, usage), None)

    @precondition(lambda self: self.episode.ending is None)
    @rule(option=st.sampled_from(["A", "b", "E", ""]), before=CALLS, after=CALLS)
    def submit(self, option: str, before: list[ToolCall], after: list[ToolCall]) -> None:
        calls = [*before, ToolCall("submit_answer", {"option": option}), *after]
        self.note(Usage(1, 1), self.episode.turn("", calls, Usage(1, 1)), calls)

    def note(self, usage: Usage | None, turn: Turn, calls: list[ToolCall] | None) -> None:
        record = turn.record
        if usage is not None:
            assert record.usage == usage
        self.turns += 1
        self.points += sum(result.points for result in turn.results)
        self.total += record.usage.prompt + record.usage.completion
        self.uncached += max(0, record.usage.prompt - record.usage.cached) + record.usage.completion
        if calls is not None:
            assert [call.name for call in (*record.calls, *record.dropped)] == [call.name for call in calls]
        for result, call in zip(turn.results, record.calls, strict=True):
            assert result.outcome in OUTCOMES
            assert (call.name, call.outcome, call.points) == (result.name, result.outcome, result.points)
            if result.outcome in ("rejected", "unknown_tool", "disabled"):
                assert result.points == 0
                assert call.read is None
            else:
                assert result.points == TOOL_POINTS[result.name]
            if call.read is not None:
                assert (result.name, result.outcome) == ("read_section", "ok")
                assert call.read.delivered == (turn.ending != "answer")
            elif result.name == "read_section":
                assert result.outcome != "ok"
        assert turn.ending == self.episode.ending
        if turn.ending == "token_limit":
            assert not turn.results
        if turn.ending is None:
            assert self.episode.ledger.tokens_used <= self.episode.limits.tokens
            assert turn.observation.count("  |  Budget used: ") >= max(1, len(turn.results))

    @precondition(lambda self: self.fork is None)
    @rule()
    def fork_it(self) -> None:
        self.fork = self.episode.fork()
        self.fork_was = self.fork.record().to_json()
        assert self.fork_was == self.episode.record().to_json()

    @precondition(lambda self: self.fork is not None)
    @rule()
    def the_fork_is_as_it_was(self) -> None:
        assert self.fork is not None
        assert self.fork.record().to_json() == self.fork_was

    @precondition(lambda self: self.fork is not None and self.fork.ending is None)
    @rule(calls=CALLS)
    def play_on_the_fork(self, calls: list[ToolCall]) -> None:
        assert self.fork is not None
        before, messages = self.episode.record().to_json(), list(self.episode.messages)
        self.fork.turn("on the fork", calls, Usage(5, 5))
        self.fork_was = self.fork.record().to_json()
        assert self.episode.record().to_json() == before
        assert self.episode.messages == messages

    @precondition(lambda self: self.episode.ending is not None)
    @rule(calls=CALLS)
    def nothing_after_the_end(self, calls: list[ToolCall]) -> None:
        before = self.episode.record().to_json()
        with pytest.raises(EpisodeOver):
            self.episode.turn("", calls, Usage(1, 1))
        assert self.episode.record().to_json() == before

    @invariant()
    def the_ledger_adds_up(self) -> None:
        if not hasattr(self, "episode"):
            return
        ledger, limits = self.episode.ledger, self.episode.limits
        assert 0 <= ledger.points_used == self.points <= limits.points
        assert ledger.points_left == limits.points - self.points >= 0
        assert ledger.turns_used == self.turns <= limits.turns
        assert (ledger.tokens_total, ledger.tokens_uncached) == (self.total, self.uncached)
        now = (ledger.points_used, ledger.turns_used, ledger.tokens_total)
        assert all(new >= old for new, old in zip(now, self.seen, strict=True))
        self.seen = now

    @invariant()
    def the_conversation_is_counted(self) -> None:
        if not hasattr(self, "episode") or self.episode.ending is not None:
            return
        counts = token_counter()
        expected = counts.tools(self.episode.tools) + sum(
            counts.message(message) for message in self.episode.messages
        )
        probe = self.episode.fork()
        probe.turn("", [])
        assert probe.turns[-1].usage.prompt == expected

    @invariant()
    def the_record_is_whole(self) -> None:
        if not hasattr(self, "episode"):
            return
        record = self.episode.record()
        text = record.to_json()
        assert EpisodeRecord.from_json(text) == record
        assert EpisodeRecord.from_json(text).to_json() == text
        assert replay(record, self.corpus).to_json() == text
        assert record.ending is None or record.ending in ENDINGS
        assert sum(call.points for turn in record.turns for call in turn.calls) == record.totals.points
        delivered: set[int] = set()
        satisfied: set[int] = set()
        for turn in record.turns:
            for call in turn.calls:
                if call.read is not None and call.read.delivered and call.read.gold is not None:
                    delivered.add(call.read.gold)
                    if call.read.direct_labels:
                        satisfied.add(call.read.gold)
        golds = len(record.gold_paper_ids)
        assert record.gold_delivered == tuple(gold in delivered for gold in range(golds))
        assert record.paper_recall == (len(delivered) == golds)
        assert record.any_gold_read == bool(delivered)
        assert record.section_recall <= record.paper_recall
        assert {gold for gold, is_satisfied in enumerate(record.gold_satisfied) if is_satisfied} == satisfied
        assert record.correct == (record.ending == "answer" and record.option == record.correct_index)


Game.TestCase.settings = settings(
    max_examples=40, stateful_step_count=14, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestGame: Any = pytest.mark.usefixtures("opened")(Game.TestCase)


@pytest.mark.slow
def test_many_more_games(corpus: Corpus) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    OPENED[:] = [corpus]
    run_state_machine_as_test(Game, settings=settings(Game.TestCase.settings, max_examples=200))
