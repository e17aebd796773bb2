"""What shortcuts score on procedural worlds, beside agents that do the work; and how fast worlds are made.

    python benchmarks/world_validity.py                                # all sizes: hours on one core
    python benchmarks/world_validity.py --sizes nano,tiny --scale 0.02 # a smoke run

The four kinds of items (single or multi target, depth 1 or 2) come in equal numbers. Writes
`results/world-validity-<date>-<machine>.json` and `.md` after each size, so that sizes can be run one by one.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from run import machine, versions
from world_report import markdown
from world_shortcuts import (
    RULES,
    Row,
    Texts,
    boosted,
    classifiers,
    pick,
    read_scores,
    texts_of,
    told_features,
)

from agenthop_env.agents.explorer import Explorer, Reader, SeedOnly
from agenthop_env.agents.guessing import ClosedBook, RandomWalk
from agenthop_env.agents.oracle import Oracle
from agenthop_env.agents.protocol import play_turn
from agenthop_env.agents.scripted import Script, search_call
from agenthop_env.corpus.neighborhood import Neighborhood
from agenthop_env.rules import TOP_K_MAX
from agenthop_env.sandbox.episode import Episode
from agenthop_env.worlds import SIZES, Difficulty, WorldItem, make
from agenthop_env.worlds.corpus import WorldCorpus, compile_item

HERE = Path(__file__).parent
EVEN = Difficulty(st_d1=1, st_d2=1, mt_d1=1, mt_d2=1)
TRAINED_ON = {"nano": 12_000, "tiny": 12_000, "small": 12_000, "full": 6_000}
QUESTIONS = {"nano": 24_000, "tiny": 24_000, "small": 24_000, "full": 24_000}
READ = {"nano": 8_000, "tiny": 5_000, "small": 5_000, "full": 1_000}
PLAYED = {"nano": 5_000, "tiny": 5_000, "small": 5_000, "full": 1_000}
ELIMINATORS_TRAINED_ON = {"nano": 2_000, "tiny": 1_500, "small": 300, "full": 40}


class SearchReader(Explorer):
    """Searches and reads what it finds, without a look at citations."""

    def script(self) -> Script:
        self.leads = {}
        found = self.usable([search_call(" ".join(self.query[:40]), TOP_K_MAX)])
        if found and self.turns_left >= 2:
            for _, text in (yield found):
                self._note(text, 1)
        yield from self.list_sections([lead for lead, _ in self.ranked()][:4])
        while choices := self.best(self._listed(), 2):
            yield from self.read(choices)
        yield [self.answer()]


class Shared(WorldCorpus):
    """A world whose items are made once, for readers and agents alike."""

    item_made: WorldItem

    def _open(self, item_id: str) -> Neighborhood:
        if self.item_made.qa["id"] != item_id:
            return super()._open(item_id)
        return compile_item(self.item_made, self.world.split)


AGENTS: dict[str, type[Reader] | Any] = {
    "agent: random": RandomWalk,
    "agent: closed-book": ClosedBook,
    "agent: seed-only": SeedOnly,
    "agent: search and read, no citations": SearchReader,
    "agent: explorer": Explorer,
    "agent: oracle": Oracle,
}


class Tally:
    """Right answers and trials by strategy and cell."""

    def __init__(self) -> None:
        self.counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))

    def add(self, name: str, cell: str, right: bool) -> None:
        for key in (cell, "all"):
            count = self.counts[name][key]
            count[0] += right
            count[1] += 1

    def rows(self) -> dict[str, dict[str, list[int]]]:
        return {
            name: {key: list(count) for key, count in cells.items()} for name, cells in self.counts.items()
        }


def cell_of(qa: Row) -> str:
    return f"{qa['id'][:2]} d{qa['depth']}"


def blind(size: str, scale: float, tally: Tally) -> None:
    """Rules and classifiers that see questions and options only."""
    count, trained_on = (max(80, int(number * scale)) for number in (QUESTIONS[size], TRAINED_ON[size]))
    learned = list(make(size, seed=101, split="train", items=trained_on, difficulty=EVEN).questions())
    asked = list(make(size, seed=7, split="test", items=count, difficulty=EVEN).questions())
    for salt, (name, rule) in enumerate(RULES.items()):
        for index, qa in enumerate(asked):
            tally.add(name, cell_of(qa), pick(rule(qa), salt, index) == qa["correct_index"])
    for salt, (name, model) in enumerate(classifiers().items(), 100):
        model.fit(learned)
        for at in range(0, len(asked), 2000):
            part = asked[at : at + 2000]
            for index, (qa, scores) in enumerate(zip(part, model.score(part), strict=True), at):
                tally.add(name, cell_of(qa), pick(scores.tolist(), salt, index) == qa["correct_index"])


def played(corpus: WorldCorpus, item_id: str, agent: Any) -> Any:
    """The record of one game."""
    episode = Episode(corpus, item_id)
    player = agent(episode, 1)
    while episode.ending is None:
        play_turn(episode, player)
    return episode.record()


def reading(size: str, scale: float, tally: Tally) -> dict[str, Any]:
    """Readers, eliminators and agents; items are made once and shared."""
    told: dict[int, np.ndarray] = {}

    def rows_of(qa: Row) -> np.ndarray:
        return told[id(qa)]

    eliminator = boosted(rows_of)
    learned = []
    for item in make(
        size,
        seed=102,
        split="train",
        items=max(30, int(ELIMINATORS_TRAINED_ON[size] * scale)),
        difficulty=EVEN,
    ):
        told[id(item.qa)] = told_features(item.qa, texts_of(item))
        learned.append(item.qa)
    eliminator.fit(learned)
    read, play = (max(40, int(number * scale)) for number in (READ[size], PLAYED[size]))
    corpus = Shared(make(size, seed=8, split="test", items=max(read, play), difficulty=EVEN))
    asked: list[Row] = []
    most, recalled = 0, 0
    for index, item_id in enumerate(corpus.ids):
        item = corpus.item_made = corpus.world[index]
        qa, cell = item.qa, cell_of(item.qa)
        if index < read:
            texts: Texts = texts_of(item)
            for salt, (name, scores) in enumerate(read_scores(qa, texts).items(), 200):
                tally.add(name, cell, pick(scores, salt, index) == qa["correct_index"])
            told[id(qa)] = told_features(qa, texts)
            asked.append(qa)
        if index < play:
            for name, agent in AGENTS.items():
                record = played(corpus, item_id, agent)
                tally.add(name, cell, bool(record.correct))
                if agent is Oracle:
                    most = max(most, record.totals.points)
                    recalled += bool(record.paper_recall and record.section_recall)
        if index % 100 == 99:
            print(f"{size}: {index + 1} of {max(read, play)} read and played", file=sys.stderr, flush=True)
    for index, (qa, row) in enumerate(zip(asked, eliminator.score(asked).tolist(), strict=True)):
        right = pick(row, 300, index) == qa["correct_index"]
        tally.add("trained eliminator, seed and neighbors", cell_of(qa), right)
    return {"most_points": most, "full_recall": recalled, "played": play}


def measured(size: str, scale: float) -> dict[str, Any]:
    started, tally = time.perf_counter(), Tally()
    blind(size, scale, tally)
    oracle = reading(size, scale, tally)
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "fingerprint": make(size, seed=8, split="test", difficulty=EVEN).fingerprint,
        "version": make(size).version,
        "rows": tally.rows(),
        "oracle": oracle,
        "seconds": round(time.perf_counter() - started, 1),
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default=",".join(SIZES), help="sizes, comma-separated")
    parser.add_argument("--scale", type=float, default=1.0, help="share of the items; default 1.0")
    parser.add_argument("--results", type=Path, default=HERE / "results")
    parser.add_argument("--name", default=re.sub(r"[^a-z0-9]+", "-", machine()["cpu"].lower()).strip("-"))
    args = parser.parse_args()
    stem = args.results / f"world-validity-{args.name}"
    file = stem.with_suffix(".json")
    figures: dict[str, Any] = json.loads(file.read_text()) if file.is_file() else {"sizes": {}}
    for size in args.sizes.split(","):
        figures |= {"machine": machine(), "versions": versions()}
        figures["sizes"][size] = measured(size, args.scale)
        args.results.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        stem.with_suffix(".md").write_text(markdown(figures), encoding="utf-8")
        print(f"{size}: done in {figures['sizes'][size]['seconds']} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
