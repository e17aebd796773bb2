"""Many episodes at once: the records are those of one at a time, whatever goes wrong beside them."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agenthop_env import Episode, EpisodeRecord, Usage
from agenthop_env.agents import ChatMessage, Message, ToolSchema, make_agent
from agenthop_env.agents.served import HardError, TransientExhausted
from agenthop_env.corpus.store import Corpus
from agenthop_env.diagnostics import load_runs
from agenthop_env.evaluation import Caps, evaluate

WORLD = "world:nano?split=test&items=60"


class Waiting:
    """The oracle behind a server that takes its time, and fails when it is told to.

    Args:
        faults: Errors of each item's tries, in order; tries beyond them succeed.
    """

    name = "oracle"

    def __init__(self, faults: dict[str, list[Exception]] | None = None) -> None:
        self.settings = make_agent("oracle").settings
        self.faults = faults or {}
        self.at_once = self.most = 0
        self.closed = False

    def begin(self, episode: Episode) -> WaitingAgent:
        return WaitingAgent(self, episode)

    async def aclose(self) -> None:
        self.closed = True


class WaitingAgent:
    def __init__(self, factory: Waiting, episode: Episode) -> None:
        self.factory, self.item_id = factory, episode.item_id
        self.agent = make_agent("oracle").begin(episode)
        self.turns = 0

    async def act_async(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        factory = self.factory
        factory.at_once += 1
        factory.most = max(factory.most, factory.at_once)
        try:
            await asyncio.sleep(random.uniform(0, 0.003))
        finally:
            factory.at_once -= 1
        self.turns += 1
        faults = factory.faults.get(self.item_id)
        if faults and self.turns == 2:
            raise faults.pop(0)
        return self.agent.act(messages, tools)


class Engine:
    """The oracle as an engine that answers batches; keeps agents by the chat that they answer."""

    name = "oracle"

    def __init__(self, corpus: Corpus, fails_at: int = 0) -> None:
        self.settings = make_agent("oracle").settings
        self.corpus, self.fails_at = corpus, fails_at
        self.agents: dict[str, Any] = {}
        self.sizes: list[int] = []

    def begin(self, episode: Episode) -> Engine:
        return self

    def act_batch(
        self, requests: Sequence[tuple[Sequence[ChatMessage], Sequence[ToolSchema]]]
    ) -> list[Message]:
        self.sizes.append(len(requests))
        if self.fails_at == len(self.sizes):
            raise RuntimeError("out of memory")
        return [self._agent(messages).act(messages, tools) for messages, tools in requests]

    def _agent(self, messages: Sequence[ChatMessage]) -> Any:
        prompt = messages[0]["content"]
        if prompt not in self.agents:
            item = next(
                item
                for item in self.corpus
                if item.question in prompt and all(option in prompt for option in item.options)
            )
            self.agents[prompt] = make_agent("oracle").begin(Episode(self.corpus, item.id))
        return self.agents[prompt]


def lines(folder: Path) -> list[str]:
    return sorted((folder / "episodes.jsonl").read_text(encoding="utf-8").splitlines())


def records(folder: Path) -> dict[str, EpisodeRecord]:
    return {record.item_id: record for record in load_runs(folder)[0].records}


@pytest.mark.parametrize("concurrency", [1, 7, 100])
def test_records_do_not_depend_on_how_many_are_played_at_once(tmp_path: Path, concurrency: int) -> None:
    evaluate(WORLD, "oracle", tmp_path / "one by one")
    factory = Waiting()
    result = evaluate(WORLD, factory, tmp_path / "at once", concurrency=concurrency)
    assert result.ok
    assert lines(tmp_path / "at once") == lines(tmp_path / "one by one")
    assert factory.most == min(concurrency, 60)
    assert factory.closed


@pytest.mark.parametrize("concurrency", [1, 16])
def test_an_engine_answers_all_episodes_at_once(corpus: Corpus, tmp_path: Path, concurrency: int) -> None:
    evaluate(corpus, "oracle", tmp_path / "one by one")
    engine = Engine(corpus)
    assert evaluate(corpus, engine, tmp_path / "batches", concurrency=concurrency).ok
    assert lines(tmp_path / "batches") == lines(tmp_path / "one by one")
    assert max(engine.sizes) == min(concurrency, len(corpus))


def test_an_engine_that_fails_costs_the_episodes_in_it(corpus: Corpus, tmp_path: Path) -> None:
    result = evaluate(corpus, Engine(corpus, fails_at=2), tmp_path / "run", concurrency=4)
    assert result.complete
    assert result.summary.errors == 4
    assert result.summary.endings["answer"] == len(corpus) - 4
    assert evaluate(corpus, Engine(corpus), tmp_path / "run", concurrency=4).ok


def test_hard_errors_are_tried_again_and_their_costs_kept(corpus: Corpus, tmp_path: Path) -> None:
    once, thrice = corpus.ids[0], corpus.ids[1]
    faults: dict[str, list[Exception]] = {
        once: [HardError("400: no")],
        thrice: [TransientExhausted("503: busy"), HardError("400: no"), HardError("422: never")],
    }
    result = evaluate(corpus, Waiting(faults), tmp_path / "run")
    assert [failure.item_id for failure in result.summary.failures] == [thrice]
    found = records(tmp_path / "run")
    assert (found[once].ending, found[once].retries) == ("answer", 1)
    assert [attempt.error for attempt in found[once].attempts] == ["400: no"]
    assert found[once].attempts[0].usage.total > 0
    assert (found[thrice].ending, found[thrice].error, found[thrice].retries) == ("error", "422: never", 2)
    plain = evaluate(corpus, "oracle", tmp_path / "plain", ids=[once]).summary
    assert result.summary.usage.total > plain.usage.total
    failed = (tmp_path / "run" / "attempts.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["attempt"]["error"] for line in failed) == [
        "400: no", "400: no", "422: never", "503: busy",
    ]  # fmt: skip
    again = evaluate(corpus, Waiting(), tmp_path / "run")
    assert again.ok
    assert records(tmp_path / "run")[thrice].retries == 3


def test_other_exceptions_are_not_tried_again(corpus: Corpus, tmp_path: Path) -> None:
    factory = Waiting({corpus.ids[0]: [ValueError("a fault of the agent's own"), ValueError("again")]})
    evaluate(corpus, factory, tmp_path / "run")
    assert records(tmp_path / "run")[corpus.ids[0]].error == "ValueError: a fault of the agent's own"
    assert len(factory.faults[corpus.ids[0]]) == 1


def test_a_run_without_hope_begins_no_more(tmp_path: Path) -> None:
    faults = {f"{kind}_{number:06}": [HardError("401: key refused", status=401, hopeless=True)]
              for kind in ("st", "mt") for number in range(60)}  # fmt: skip
    result = evaluate(WORLD, Waiting(faults), tmp_path / "run", concurrency=4)
    assert not result.complete
    assert result.progress.halted == "401: key refused"
    assert 1 <= result.progress.done <= 8
    assert all(record.retries == 0 for record in records(tmp_path / "run").values())
    assert evaluate(WORLD, Waiting(), tmp_path / "run", concurrency=4).ok


def test_caps_hold_over_sessions(tmp_path: Path) -> None:
    run = tmp_path / "run"
    first = evaluate(WORLD, Waiting(), run, concurrency=2, caps=Caps(tokens=20_000))
    assert not first.complete
    assert "20,000 tokens" in first.progress.halted
    assert 20_000 <= first.progress.tokens < 60_000
    second = evaluate(WORLD, Waiting(), run, concurrency=2, caps=Caps(tokens=20_000))
    assert second.progress.done == 0
    assert second.progress.tokens == first.progress.tokens

    def pricing(usage: Usage) -> float:
        return usage.total / 10_000

    third = evaluate(WORLD, Waiting(), run, concurrency=2, caps=Caps(cost=5.0), pricing=pricing)
    assert "$5.00" in third.progress.halted
    assert third.progress.cost is not None
    assert 5.0 <= third.progress.cost < 9.0
    assert evaluate(WORLD, Waiting(), run).ok
    with pytest.raises(ValueError, match="cap on tokens"):
        Caps(tokens=-1)


def test_stopping_lets_episodes_in_flight_end(tmp_path: Path) -> None:
    def ask(progress: Any) -> None:
        progress.stopping = progress.done >= 3

    run = tmp_path / "run"
    result = evaluate(WORLD, Waiting(), run, concurrency=5, on_progress=ask)
    assert not result.complete
    assert 3 <= len(lines(run)) <= 12
    assert evaluate(WORLD, Waiting(), run).ok
    evaluate(WORLD, "oracle", tmp_path / "undisturbed")
    assert lines(run) == lines(tmp_path / "undisturbed")


def test_an_interrupt_within_leaves_what_is_done(tmp_path: Path) -> None:
    def interrupt(progress: Any) -> None:
        if progress.done == 5:
            raise KeyboardInterrupt

    factory = Waiting()
    with pytest.raises(KeyboardInterrupt):
        evaluate(WORLD, factory, tmp_path / "run", concurrency=8, on_progress=interrupt)
    assert factory.closed
    assert len(lines(tmp_path / "run")) == 5
    assert evaluate(WORLD, Waiting(), tmp_path / "run").ok


def test_the_log_tells_of_every_item_once(corpus: Corpus, tmp_path: Path) -> None:
    evaluate(corpus, Waiting({corpus.ids[0]: [HardError("400: no")]}), tmp_path / "run")
    log = [json.loads(line) for line in (tmp_path / "run" / "run.log").read_text().splitlines()]
    assert [line["event"] for line in log] == ["start", *["item"] * len(corpus), "end"]
    assert {line["item_id"] for line in log if line["event"] == "item"} == set(corpus.ids)
    assert [line["failed"] for line in log if "failed" in line] == [["400: no"]]
    assert log[-1]["tokens"] == sum(line.get("tokens", 0) for line in log[:-1])
