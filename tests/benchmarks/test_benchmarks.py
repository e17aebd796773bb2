"""The benchmark's own parts: the made release, the baseline, the scripted games, a run from end to end."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = ROOT / "benchmarks"
VECTORS = ROOT.parent / "shared" / "vectors"
FILES = ("qa/full.jsonl", "graphs/full.jsonl", "paper_pool/papers.jsonl", "audit/recall_labels.jsonl")

sys.path.append(str(BENCHMARKS))

import baseline  # noqa: E402 - the folder is put on the path first
import episodes  # noqa: E402
from make_release import make_release  # noqa: E402

needs_vectors = pytest.mark.skipif(not VECTORS.is_dir(), reason="../shared/vectors is not on this machine")


def make_tiny(folder: Path, seed: int = 0) -> dict[str, Any]:
    return make_release(folder, items=12, papers=60, nodes=60, characters=900, seed=seed)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny") / "release"
    make_tiny(folder)
    return folder


def digests(folder: Path) -> list[str]:
    return [hashlib.sha256((folder / file).read_bytes()).hexdigest() for file in FILES]


def rows(folder: Path, file: str) -> Iterator[dict[str, Any]]:
    with open(folder / file, encoding="utf-8") as stream:
        yield from map(json.loads, stream)


class TestRelease:
    def test_a_seed_gives_the_same_bytes(self, tiny: Path, tmp_path: Path) -> None:
        make_tiny(tmp_path / "again")
        make_tiny(tmp_path / "other", seed=1)
        assert digests(tmp_path / "again") == digests(tiny)
        assert all(
            one != other for one, other in zip(digests(tmp_path / "other"), digests(tiny), strict=True)
        )

    def test_it_holds_no_defect(self, tiny: Path) -> None:
        from agenthop_env.corpus.compile import compile_release

        meta = compile_release(tiny, tiny.parent / "store")
        assert meta.warnings == []
        assert meta.refused == {}
        assert meta.unlabeled == []
        assert len(meta.ids) == 12

    def test_golds_are_where_their_cell_says(self, tiny: Path) -> None:
        graphs = {row["sample_id"]: row for row in rows(tiny, FILES[1])}
        for item in rows(tiny, FILES[0]):
            edges = graphs[item["id"]]["edges"]
            cited = edges[item["seed_paper_id"]]
            bridges = item["bridge_paper_ids"]
            assert bool(bridges) == (item["depth"] == 2)
            assert all(bridge in cited for bridge in bridges)
            for gold in item["gold_paper_ids"]:
                assert (gold in cited) == (item["depth"] == 1)
                assert item["depth"] == 1 or any(gold in edges[bridge] for bridge in bridges)
            assert (len(item["gold_paper_ids"]) > 1) == (item["question_type"] == "multi-target")
            assert item["distractor_types"][item["correct_index"]] == "correct"

    def test_labels_name_a_header_or_stand_in_the_text(self, tiny: Path) -> None:
        from agenthop_env.text.sections import normalize

        papers = {row["arxiv_id"]: row["sections"] for row in rows(tiny, FILES[2])}
        kinds = {True: 0, False: 0}
        for row in rows(tiny, FILES[3]):
            for label in row["analysis"]["section_recall_labels"]:
                sections = papers[label["arxiv_id"]]
                is_header = normalize(label["section"]) in {
                    normalize(section["header"]) for section in sections
                }
                assert is_header or any(label["section"] in section["text"] for section in sections)
                assert any(label["what_it_contains"] in section["text"] for section in sections)
                kinds[is_header] += label["relevance"] == "direct"
        assert min(kinds.values()) > 0

    def test_a_paper_is_the_same_in_every_graph(self, tiny: Path) -> None:
        seen: dict[str, Any] = {}
        shared = 0
        for graph in rows(tiny, FILES[1]):
            for paper_id, node in graph["nodes"].items():
                shared += paper_id in seen
                assert seen.setdefault(paper_id, node) == node
        assert shared > 0

    def test_nulls_occur(self, tiny: Path) -> None:
        nodes = [node for graph in rows(tiny, FILES[1]) for node in graph["nodes"].values()]
        for field in ("abstract", "year", "arxivId"):
            assert any(node[field] is None for node in nodes), field
        assert any(not node["authors"] for node in nodes)

    def test_a_folder_in_use_is_refused(self, tiny: Path) -> None:
        with pytest.raises(SystemExit, match="not empty"):
            make_tiny(tiny)


class TestGames:
    def test_plans_are_legal_and_differ(self, tiny: Path) -> None:
        first, second = episodes.make_games(tiny, 2)
        release = baseline.Release(tiny)
        assert [game.item_id for game in first] == [game.item_id for game in second] == list(release.graphs)
        assert all(one.calls != two.calls for one, two in zip(first, second, strict=True))
        for game in (*first, *second):
            harness = baseline.Harness(release, game.item_id)
            for call in game.calls:
                (seen,) = harness.turn([call], 100, 10)
                assert not seen.startswith(("Error", "REJECTED", "No papers")), call
            assert (harness.ending, harness.turns_used, harness.points_used) == ("answer", 8, 15)

    def test_the_same_seed_gives_the_same_plans(self, tiny: Path, tmp_path: Path) -> None:
        games = episodes.make_games(tiny, 2, seed=3)
        assert games == episodes.make_games(tiny, 2, seed=3)
        assert games != episodes.make_games(tiny, 2, seed=4)
        episodes.save_games(tmp_path / "games", games)
        assert episodes.load_games(tmp_path / "games", 2) == games

    def test_texts_are_the_calls(self, tiny: Path) -> None:
        from agenthop_env import parse_actions

        for game in episodes.make_games(tiny, 1)[0]:
            parsed = [parse_actions(text) for text in game.texts()]
            assert [(call.name, call.arguments) for (call,) in parsed] == [tuple(call) for call in game.calls]

    def test_package_and_baseline_deliver_the_same_text(
        self, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from agenthop_env import Episode, open_corpus

        monkeypatch.setenv("AGENTHOP_CACHE", str(tmp_path))
        corpus, release = open_corpus(tiny), baseline.Release(tiny)
        for game in episodes.make_games(tiny, 1)[0]:
            episode, harness = Episode(corpus, game.item_id), baseline.Harness(release, game.item_id)
            for call, text in zip(game.calls[:-1], game.texts(), strict=False):
                result = episode.turn(text).results[0]
                assert (result.outcome, result.text) == ("ok", harness.call(call.name, call.arguments))
            episode.turn(game.texts()[-1])
            harness.call(*game.calls[-1])
            assert (episode.ending, episode.correct) == (harness.ending, harness.correct)
            assert episode.ledger.points_used == harness.points_used


@needs_vectors
class TestBaseline:
    def test_it_delivers_what_the_vectors_expect(self) -> None:
        release = baseline.Release(VECTORS / "release")
        compared: dict[str, int] = {}
        with open(VECTORS / "tools.jsonl", encoding="utf-8") as file:
            for row in map(json.loads, file):
                if (
                    "text" not in row
                    or "override" in row
                    or row["item"] == "mt_9999"
                    or " (None)" in row["text"]
                ):
                    continue
                if "\nYear: None" in row["text"] or " (?)" in row["text"]:
                    continue  # a missing year: what is shown for it is a choice
                harness = baseline.Harness(release, row["item"])
                assert harness.call(row["tool"], row["args"]) == row["text"], row
                compared[row["tool"]] = compared.get(row["tool"], 0) + 1
        assert set(compared) == {
            "get_paper_info",
            "get_references",
            "search_papers",
            "list_sections",
            "read_section",
        }
        assert sum(compared.values()) > 100

    def test_it_keeps_the_ledger(self) -> None:
        harness = baseline.Harness(baseline.Release(VECTORS / "release"), "st_0001")
        read = ("read_section", {"paper_id": "none", "section": "A"})
        for _ in range(6):
            harness.turn([read], 1000, 100)
        (seen,) = harness.turn([read], 1000, 100)
        assert seen.startswith("REJECTED: Insufficient budget (0 remaining, read_section costs 5).")
        assert seen.endswith("\nTurn: 7  |  Tokens used: 7,700  |  Budget used: 30")
        assert harness.ending is None
        harness.turn([read], 1000, 100)
        assert harness.ending == "budget"


@pytest.mark.slow
def test_a_quick_run_measures_everything(tmp_path: Path) -> None:
    command = [
        sys.executable,
        str(BENCHMARKS / "run.py"),
        "--scale",
        "0.005",
        "--quick",
        "--results",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Not measured" not in done.stdout
    (found,) = tmp_path.glob("*.json")
    figures = json.loads(found.read_text())
    assert figures["throughput"]["env"]["per_cpu_s"] > figures["throughput"]["baseline"]["per_cpu_s"]
    assert found.with_suffix(".md").read_text() == done.stdout.removesuffix("\n")
