"""Worlds on disk are the worlds that are played: exported or compiled, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenthop_env.corpus import CorpusError, open_corpus
from agenthop_env.corpus.release import FILES
from agenthop_env.corpus.validate import validate_release
from agenthop_env.sandbox.episode import Episode
from agenthop_env.worlds import SIZES, make
from agenthop_env.worlds.corpus import WorldCorpus
from agenthop_env.worlds.export import compile_world, export_world


@pytest.mark.parametrize(("size", "count"), [("nano", 200), ("tiny", 40), ("small", 6), ("full", 1)])
def test_an_export_validates_without_a_warning(size: str, count: int, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    folder = export_world(
        make(size, split="test", items=count), tmp_path / "out", progress=lambda *done: told.append(done)
    )
    assert validate_release(folder).found == []
    assert told[-1] == (count, count)
    assert {file for file in FILES if (folder / file).is_file()} == set(FILES)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "count"), [("nano", 5000), ("tiny", 2000), ("small", 150), ("full", 4)])
def test_a_large_export_validates_without_a_warning(size: str, count: int, tmp_path: Path) -> None:
    assert validate_release(export_world(make(size, seed=21, items=count), tmp_path / "out")).found == []


@pytest.mark.parametrize("size", SIZES)
def test_a_compiled_world_plays_as_the_world_does(size: str, tmp_path: Path) -> None:
    world = make(size, seed=5, split="validation", items=2 if size in ("small", "full") else 12)
    meta = compile_world(world, tmp_path / "store")
    stored, made = open_corpus(tmp_path / "store"), WorldCorpus(world)
    assert (tuple(stored.ids), stored.fingerprint) == (tuple(made.ids), made.fingerprint)
    assert meta.unlabeled == []
    for item_id in made.ids:
        assert stored.item(item_id) == made.item(item_id)
        assert stored.item(item_id).split == "validation"
        results = []
        for corpus in (stored, made):
            episode = Episode(corpus, item_id)
            seed = corpus.item(item_id).seed_paper_id
            query = corpus.item(item_id).question
            calls = [
                f'<tool_call>{{"name": "{name}", "arguments": {arguments}}}</tool_call>'
                for name, arguments in (
                    ("get_references", f'{{"paper_id": "{seed}"}}'),
                    ("search_papers", f'{{"query": "{query}"}}'),
                    ("list_sections", f'{{"paper_id": "{seed}"}}'),
                    ("read_section", f'{{"paper_id": "{seed}", "section": "A"}}'),
                )
            ]
            results.append(episode.turn("\n".join(calls)).observation)
        assert results[0] == results[1]


def test_what_is_there_is_not_overwritten_and_nothing_half_made_stays(tmp_path: Path) -> None:
    world = make("nano", items=3)
    export_world(world, tmp_path / "out")
    with pytest.raises(CorpusError, match="there already"):
        export_world(world, tmp_path / "out")
    compile_world(world, tmp_path / "store")
    with pytest.raises(CorpusError, match="there already"):
        compile_world(world, tmp_path / "store")

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    for write, name in ((export_world, "cut"), (compile_world, "cut-store")):
        with pytest.raises(KeyboardInterrupt):
            write(world, tmp_path / name, progress=stop)
        assert not [path for path in (tmp_path / name).rglob("*") if path.is_file()]
    assert not list(tmp_path.glob("*.part-*"))
