"""How the scripted agents play: rates, limits, formats, and that none but the oracle knows more than it is told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from releases import SHARED, Release, needs_papers

from agenthop_env import Episode, EpisodeRecord, Limits, open_corpus, replay
from agenthop_env.actions import FORMATS
from agenthop_env.agents import make_agent, play
from agenthop_env.corpus.store import Corpus
from agenthop_env.diagnostics import Summary, summarize

SCRIPTED = ["random", "closed-book", "seed-only", "explorer", "oracle"]
WORLD = "world:nano?split=test&items=400"


def played(
    corpus: Corpus, agent: str, ids: Sequence[str] | None = None, seed: int = 0, **settings: object
) -> list[EpisodeRecord]:
    factory = make_agent(agent, seed=seed)
    records = []
    for item_id in ids or corpus.ids:
        episode = Episode(corpus, item_id, seed=seed, agent=agent, **settings)  # type: ignore[arg-type]
        records.append(play(episode, factory.begin(episode)).record())
    return records


def rate(corpus: Corpus, agent: str, ids: Sequence[str] | None = None, **settings: object) -> Summary:
    return summarize(played(corpus, agent, ids, **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("agent", SCRIPTED)
@pytest.mark.parametrize("tool_format", [*FORMATS, "native"])
def test_every_agent_plays_in_every_format(corpus: Corpus, agent: str, tool_format: str) -> None:
    settings = {"tool_mode": "native"} if tool_format == "native" else {"tool_format": tool_format}
    records = played(corpus, agent, **settings)
    plain = played(corpus, agent)
    for record, expected in zip(records, plain, strict=True):
        assert record.ending == "answer"
        assert record.option is not None
        assert [[(call.name, call.arguments) for call in turn.calls] for turn in record.turns] == [
            [(call.name, call.arguments) for call in turn.calls] for turn in expected.turns
        ]
        assert replay(record, corpus) == record


@pytest.mark.parametrize("agent", SCRIPTED)
@pytest.mark.parametrize(
    "limits",
    [
        Limits(turns=1),
        Limits(turns=2),
        Limits(turns=3),
        Limits(points=0),
        Limits(points=1),
        Limits(points=6),
        Limits(points=11),
        Limits(tokens=12_000),
    ],
    ids=str,
)
def test_agents_keep_within_the_limits(corpus: Corpus, agent: str, limits: Limits) -> None:
    for record in played(corpus, agent, limits=limits):
        assert record.ending == "answer"
        assert record.totals.rejected == 0
        assert record.totals.unseen_reads == 0


@pytest.mark.parametrize("agent", SCRIPTED)
@pytest.mark.parametrize("tool", ["get_references", "search_papers", "list_sections", "read_section"])
def test_agents_do_without_a_tool(corpus: Corpus, agent: str, tool: str) -> None:
    for record in played(corpus, agent, disabled_tools=(tool,)):
        assert record.ending == "answer"
        assert all(call.outcome != "disabled" for turn in record.turns for call in turn.calls)


@pytest.mark.parametrize("agent", SCRIPTED)
def test_a_seed_gives_the_same_play_and_another_seed_another(corpus: Corpus, agent: str) -> None:
    assert played(corpus, agent, seed=1) == played(corpus, agent, seed=1)
    if agent in ("random", "closed-book"):
        one, two = played(corpus, agent, seed=1), played(corpus, agent, seed=2)
        assert [record.turns for record in one] != [record.turns for record in two]


_IN_ANOTHER_PROCESS = """
import hashlib, sys
from agenthop_env import Episode, open_corpus
from agenthop_env.agents import make_agent, play
corpus = open_corpus("world:nano?split=test&items=30")
said = []
for name in ("random", "closed-book", "seed-only", "explorer", "oracle"):
    for item_id in corpus.ids:
        episode = Episode(corpus, item_id)
        said.append(play(episode, make_agent(name, seed=5).begin(episode)).record().to_json())
print(hashlib.sha256("".join(said).encode()).hexdigest())
"""


def test_play_does_not_depend_on_the_order_of_sets() -> None:
    digests = set()
    for hash_seed in ("1", "2", "3"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(Path(__file__).parents[2])}
        run = subprocess.run(
            [sys.executable, "-c", _IN_ANOTHER_PROCESS],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(run.stdout)
    assert len(digests) == 1


def test_the_oracle_solves_what_can_be_solved(corpus: Corpus) -> None:
    for record in played(corpus, "oracle"):
        assert record.correct
        assert record.paper_recall == all(_readable(corpus, record.item_id))
        assert record.section_recall == (record.paper_recall and record.scorable_sections)
        assert record.totals.points <= 30
    unsolved = {record.item_id for record in played(corpus, "oracle") if not record.section_recall}
    assert unsolved == {"st_0003", "st_0006", "st_0007"}


def _readable(corpus: Corpus, item_id: str) -> list[bool]:
    neighborhood = corpus.neighborhood(item_id)
    golds = {neighborhood.gold_of[node] for node in neighborhood.gold_of if neighborhood.pool(node) >= 0}
    return [gold in golds for gold in range(len(neighborhood.item.gold_paper_ids))]


def test_the_oracle_walks_before_it_reads(corpus: Corpus) -> None:
    record = played(corpus, "oracle", ["st_0002"])[0]
    calls = [[call.name for call in turn.calls] for turn in record.turns]
    assert calls == [
        ["get_references"],
        ["get_references"],
        ["list_sections"],
        ["read_section"],
        ["submit_answer"],
    ]
    assert record.turns[1].calls[0].arguments == {"paper_id": "bridge-1"}


def test_the_oracle_reads_rather_than_walks_where_points_are_few(corpus: Corpus) -> None:
    for record in played(corpus, "oracle", ["mt_0001"], limits=Limits(points=10)):
        assert record.section_recall
        assert record.totals.points == 10


def test_the_oracle_knows_shuffled_options(corpus: Corpus) -> None:
    records = played(corpus, "oracle", seed=5, shuffle_options=True)
    assert all(record.correct for record in records)
    assert any(record.option_order != (0, 1, 2, 3) for record in records)


@pytest.mark.parametrize("agent", [name for name in SCRIPTED if name != "oracle"])
def test_only_the_oracle_sees_the_gold(corpus: Corpus, tmp_path: Path, agent: str) -> None:
    """Other golds, other labels, another right answer: the same messages."""
    changed = Release()
    for row in changed.qa:
        row["correct_index"] = (row["correct_index"] + 1) % 4
        row["gold_paper_ids"] = ["bridge-1"]
        row["gold_arxiv_ids"], row["bridge_paper_ids"], row["bridge_arxiv_ids"] = [], [], []
        row["distractor_types"] = row["distractor_types"][::-1]
    changed.labels = []
    other = open_corpus(changed.write(tmp_path / "changed"))
    texts = [[turn.text for turn in record.turns] for record in played(corpus, agent)]
    assert [[turn.text for turn in record.turns] for record in played(other, agent)] == texts


def test_rates_on_a_world() -> None:
    corpus = open_corpus(WORLD)
    assert 0.17 <= rate(corpus, "random").accuracy <= 0.33
    assert 0.17 <= rate(corpus, "closed-book").accuracy <= 0.33
    oracle = rate(corpus, "oracle", corpus.ids[:100])
    assert (oracle.accuracy, oracle.axes.paper_recall["all"], oracle.axes.section_recall["all"]) == (
        1.0,
        1.0,
        1.0,
    )
    explorer = rate(corpus, "explorer", corpus.ids[:100])
    assert (
        explorer.axes.paper_recall["all"] > rate(corpus, "random", corpus.ids[:100]).axes.paper_recall["all"]
    )


@needs_papers
@pytest.mark.slow
def test_rates_on_real_papers() -> None:
    corpus = open_corpus(SHARED / "data" / "papers")
    oracle = rate(corpus, "oracle")
    assert (oracle.accuracy, oracle.axes.paper_recall["all"], oracle.axes.section_recall["all"]) == (
        1.0,
        1.0,
        1.0,
    )
    random = rate(corpus, "random")
    assert 0.13 <= random.accuracy <= 0.37
    explorer = rate(corpus, "explorer")
    assert random.accuracy + 0.2 < explorer.accuracy < 0.9
    assert explorer.axes.paper_recall["all"] > 0.6
