"""Compiling: atomic, cached by content, safe against other processes, and honest about damage."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from releases import GOLD, SEED, Release, small_release

from agenthop_env import Corpus, Episode, Limits, ToolCall, open_corpus
from agenthop_env.corpus import compile as compiling
from agenthop_env.corpus import tables
from agenthop_env.corpus.cache import compiled_folder
from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.release import FILES, LABELS_FILE, PAPERS_FILE, QA_FILE, write_release

KILLED_WHILE_COMPILING = """
import os, signal, sys
from agenthop_env.corpus import builder, compile
from agenthop_env.corpus.sources import open_corpus

where = sys.argv[2]
count = 0

def die(*args, **settings):
    os.kill(os.getpid(), signal.SIGKILL)

if where == "rename":
    compile.os.rename = die
elif where == "finish":
    builder.StoreBuilder.finish = die
elif where == "item":
    builder.StoreBuilder.add_item = die
else:
    builder.StoreBuilder.add_paper = die
open_corpus(sys.argv[1])
"""

OPEN = """
import sys
from agenthop_env import Episode, ToolCall, open_corpus
corpus = open_corpus(sys.argv[1])
call = ToolCall("read_section", {"paper_id": "gold-1", "section": "Results"})
print(corpus.fingerprint, len(corpus), Episode(corpus, corpus.ids[0]).turn("", [call]).results[0].outcome)
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("AGENTHOP_CACHE", str(folder))
    return folder


def stores(cache: Path) -> list[Path]:
    return sorted(path for path in cache.glob("store-*") if path.is_dir())


def opened(folder: Path) -> str:
    corpus = open_corpus(folder)
    call = ToolCall("read_section", {"paper_id": GOLD, "section": "Results"})
    return Episode(corpus, "st_0001").turn("", [call]).results[0].outcome


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
@pytest.mark.parametrize("where", ["paper", "item", "finish", "rename"])
def test_a_killed_compile_leaves_nothing_that_opens_and_the_next_one_cleans_up(
    tmp_path: Path, cache: Path, where: str
) -> None:
    folder = small_release(tmp_path / "release")
    done = subprocess.run([sys.executable, "-c", KILLED_WHILE_COMPILING, str(folder), where], check=False)
    assert done.returncode == -signal.SIGKILL
    left = stores(cache)
    assert len(left) == 1
    assert ".part-" in left[0].name
    if where != "rename":
        with pytest.raises(CorpusError):
            open_corpus(left[0])
    assert not (folder / "store.json").exists()
    assert opened(folder) == "ok"
    assert len(stores(cache)) == 1
    assert ".part-" not in stores(cache)[0].name


def test_two_processes_compile_at_once(tmp_path: Path, cache: Path) -> None:
    folder = small_release(tmp_path / "release")
    running = [
        subprocess.Popen([sys.executable, "-c", OPEN, str(folder)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    told = {process.communicate(timeout=120)[0] for process in running}
    assert all(process.returncode == 0 for process in running)
    assert len(told) == 1
    assert told.pop().endswith(" 10 ok\n")
    assert len(stores(cache)) == 1


def test_a_copied_folder_uses_the_same_store(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_release(tmp_path / "release")
    assert opened(folder) == "ok"
    shutil.copytree(folder, tmp_path / "copy")

    def never(*args: object, **settings: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(compiling, "compile_release", never)
    assert opened(tmp_path / "copy") == "ok"
    assert len(stores(cache)) == 1


def test_opening_again_reads_nothing_of_the_release(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_release(tmp_path / "release")
    assert opened(folder) == "ok"

    def never(*args: object, **settings: object) -> None:
        raise AssertionError("read the release again")

    monkeypatch.setattr(compiling, "content_fingerprint", never)
    assert opened(folder) == "ok"


def test_a_changed_file_compiles_anew(tmp_path: Path, cache: Path) -> None:
    folder = small_release(tmp_path / "release")
    before = open_corpus(folder)
    text = (folder / QA_FILE).read_text(encoding="utf-8")
    (folder / QA_FILE).write_text(text.replace("What of st_0001?", "What of ST_0001?"), encoding="utf-8")
    os.utime(folder / QA_FILE, ns=(1, 1))
    after = open_corpus(folder)
    assert before.fingerprint != after.fingerprint
    assert after.item("st_0001").question.startswith("What of ST_0001?")
    assert before.item("st_0001").question.startswith("What of st_0001?")
    assert len(stores(cache)) == 2


def test_the_fingerprint_is_of_the_content_alone(tmp_path: Path, cache: Path) -> None:
    one = small_release(tmp_path / "one")
    two = small_release(tmp_path / "elsewhere" / "two")
    assert open_corpus(one).fingerprint == open_corpus(two).fingerprint
    release = Release()
    release.labels.pop()
    assert open_corpus(release.write(tmp_path / "three")).fingerprint != open_corpus(one).fingerprint


def test_the_store_is_never_beside_the_data(tmp_path: Path, cache: Path) -> None:
    folder = small_release(tmp_path / "release")
    before = sorted(path.name for path in folder.rglob("*"))
    opened(folder)
    assert sorted(path.name for path in folder.rglob("*")) == before


def test_a_compiled_store_opens_by_its_own_folder(tmp_path: Path, cache: Path) -> None:
    folder = small_release(tmp_path / "release")
    opened(folder)
    corpus = open_corpus(stores(cache)[0])
    assert len(corpus) == 10
    assert corpus.fingerprint == open_corpus(folder).fingerprint


def damaged_names() -> list[str]:
    return [
        "store.json",
        "node_meta.npy",
        "items_offsets.npy",
        "sections.bin",
        "ids.bin",
        "vocabulary.bin",
        "items.bin",
    ]


@pytest.mark.parametrize("name", damaged_names())
@pytest.mark.parametrize("how", ["empty", "half", "gone", "noise"])
def test_a_damaged_store_is_told(tmp_path: Path, cache: Path, name: str, how: str) -> None:
    folder = small_release(tmp_path / "release")
    opened(folder)
    store = stores(cache)[0]
    path = store / name
    data = path.read_bytes()
    if how == "gone":
        path.unlink()
    else:
        path.write_bytes(
            {"empty": b"", "half": data[: len(data) // 2], "noise": b"\xff" * 50 + data[50:]}[how]
        )
    if how == "noise" and name.endswith(".bin"):
        return  # the same size: what stands in it shows when it is read
    if name == "store.json" and how == "gone":
        assert opened(folder) == "ok"  # without it there is no store: it is compiled anew
        return
    with pytest.raises(CorpusError, match=r"damaged|not a compiled store") as caught:
        opened(folder)
    assert "remove the folder" in str(caught.value)
    shutil.rmtree(store)
    assert opened(folder) == "ok"


def test_a_store_of_another_layout_is_refused(tmp_path: Path, cache: Path) -> None:
    folder = small_release(tmp_path / "release")
    opened(folder)
    store = stores(cache)[0]
    meta = json.loads((store / "store.json").read_text())
    (store / "store.json").write_text(json.dumps(meta | {"version": 999}))
    with pytest.raises(CorpusError, match=r"layout 999.*compile the release again"):
        open_corpus(store)


def test_force_compiles_again(tmp_path: Path, cache: Path) -> None:
    folder = small_release(tmp_path / "release")
    opened(folder)
    path = stores(cache)[0] / "sections.bin"
    path.write_bytes(b"")
    compiled_folder(folder, force=True)
    assert opened(folder) == "ok"


@pytest.mark.parametrize("file", [file for file in FILES if file != QA_FILE])
def test_a_release_without_a_file(tmp_path: Path, cache: Path, file: str) -> None:
    folder = small_release(tmp_path / "release")
    (folder / file).unlink()
    if file == LABELS_FILE:
        corpus = open_corpus(folder)
        assert len(corpus) == 10
        assert not any(item.labels for item in corpus)
    else:
        with pytest.raises(CorpusError, match="missing; a release has"):
            open_corpus(folder)


@pytest.mark.parametrize(
    "source", ["", ".", "/nowhere/at/all", "world", "a:b", "?split=test", "x?split=nope", "\x00"]
)
def test_a_source_that_is_none_is_told(
    tmp_path: Path, cache: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorpusError):
        open_corpus(source)


def test_a_folder_that_is_no_release_is_told(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(
        CorpusError, match=r"neither a release nor a compiled store; a release has qa/full\.jsonl"
    ):
        open_corpus(tmp_path)


def test_swapped_files_are_told(tmp_path: Path, cache: Path) -> None:
    folder = small_release(tmp_path / "release")
    (folder / QA_FILE).rename(folder / "tmp")
    (folder / PAPERS_FILE).rename(folder / QA_FILE)
    (folder / "tmp").rename(folder / PAPERS_FILE)
    with pytest.raises(CorpusError, match="are the files swapped"):
        open_corpus(folder)


def test_write_release_writes_what_it_was_given_and_never_over_a_release(tmp_path: Path) -> None:
    folder = small_release(tmp_path / "release")
    rows = [json.loads(line) for line in (folder / QA_FILE).read_text(encoding="utf-8").splitlines()]
    assert rows == Release().qa
    with pytest.raises(CorpusError, match="holds a release already"):
        small_release(folder)

    def broken() -> object:
        yield {"id": "st_0001"}
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        write_release(tmp_path / "half", broken(), [], [], [])  # type: ignore[arg-type]
    assert not (tmp_path / "half" / QA_FILE).exists()


def test_compiling_tells_how_far_it_is(tmp_path: Path, cache: Path) -> None:
    folder = small_release(tmp_path / "release")
    seen: list[tuple[str, int, int]] = []
    open_corpus(folder, progress=lambda *state: seen.append(state))
    assert {what for what, _, _ in seen} == {"fingerprint", "compile"}
    assert all(done <= total for _, done, total in seen)
    assert seen[-1][1] == seen[-1][2]


def test_a_store_read_while_it_is_compiled_anew_stays_readable(tmp_path: Path, cache: Path) -> None:
    folder = small_release(tmp_path / "release")
    corpus = open_corpus(folder)
    compiled_folder(folder, force=True)
    call = ToolCall("read_section", {"paper_id": GOLD, "section": "Results"})
    assert Episode(corpus, "st_0001").turn("", [call]).results[0].outcome == "ok"


def test_killed_by_hand_at_any_time(tmp_path: Path, cache: Path) -> None:
    """Kills compiles after growing delays: whatever they leave, the next one ends well."""
    release = Release()
    for number in range(300):
        release.papers.append(
            {"arxiv_id": f"9{number}", "title": "", "sections": [{"header": "H", "text": "text " * 2000}]}
        )
    folder = release.write(tmp_path / "release")
    for delay in (0.15, 0.25, 0.35):
        process = subprocess.Popen([sys.executable, "-c", OPEN, str(folder)], stdout=subprocess.DEVNULL)
        time.sleep(delay)
        process.kill()
        process.wait()
    assert opened(folder) == "ok"
    assert len(stores(cache)) == 1


def test_a_release_changed_while_it_is_compiled_makes_no_store(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_release(tmp_path / "release")
    questions = folder / QA_FILE
    content = questions.read_bytes()
    fingerprint = compiling.content_fingerprint(folder)

    def change_after(folder: Path, progress: object = None) -> str:
        questions.write_bytes(content.replace(b"?", b"!"))
        return fingerprint

    with monkeypatch.context() as patch:
        patch.setattr(compiling, "content_fingerprint", change_after)
        with pytest.raises(CorpusError, match="changed while it was compiled"):
            open_corpus(folder)
    real_stream = compiling._stream

    def change_during(*arguments: Any) -> Any:
        meta = real_stream(*arguments)
        questions.write_bytes(content)
        return meta

    with monkeypatch.context() as patch:
        patch.setattr(compiling, "_stream", change_during)
        with pytest.raises(CorpusError, match="changed while it was compiled"):
            open_corpus(folder)
    assert stores(cache) == []
    assert open_corpus(folder).fingerprint == fingerprint


def test_what_killed_compiles_of_other_content_left_is_swept(tmp_path: Path, cache: Path) -> None:
    left = cache / "store-4-0123456789abcdef.part-1-2"
    held = cache / "store-4-fedcba9876543210.part-1-2"
    for part in (left, held):
        part.mkdir(parents=True)
        (part / "sections.bin").write_bytes(b"x")
    with FileLock(cache / "store-4-fedcba9876543210.lock"):
        opened(small_release(tmp_path / "release"))
        assert not left.exists()
        assert held.exists()


def test_every_damage_is_told_or_harmless(tmp_path: Path, cache: Path) -> None:
    """Each file of a store cut, grown, emptied, zeroed and with another type: never another exception."""
    folder = small_release(tmp_path / "release")
    opened(folder)
    store = stores(cache)[0]
    assert compiling.damaged_files(store) == []
    said: set[str] = set()
    for path in sorted(store.iterdir()):
        whole = path.read_bytes()
        for bad in (
            b"",
            whole[:-1],
            whole + b"x",
            b"\0" * len(whole),
            whole.replace(b"<u", b"<f"),
            whole[::-1],
        ):
            if bad == whole:
                continue
            path.write_bytes(bad)
            if path.name != compiling.META_FILE:
                assert [line for line in compiling.damaged_files(store) if path.name in line]
            try:
                corpus = open_corpus(store)
                for item_id in corpus.ids:
                    play_everything(corpus, item_id)
            except CorpusError as problem:
                said.add(str(problem))
        path.write_bytes(whole)
    assert said
    assert all(
        str(store) in text and re.search("remove the folder|not a compiled|layout", text) for text in said
    )
    assert opened(folder) == "ok"


def play_everything(corpus: Corpus, item_id: str) -> None:
    episode = Episode(corpus, item_id, limits=Limits(points=10**6, turns=1000, tokens=10**9))
    for paper_id in (SEED, GOLD, "nowhere"):
        calls = [
            ToolCall("get_paper_info", {"paper_id": paper_id}),
            ToolCall("get_references", {"paper_id": paper_id}),
            ToolCall("search_papers", {"query": "the graph of results", "top_k": 20}),
            ToolCall("list_sections", {"paper_id": paper_id}),
            *[
                ToolCall("read_section", {"paper_id": paper_id, "section": name})
                for name in ("A", "Results", "zz")
            ],
        ]
        episode.turn("", calls)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_cache_that_cannot_be_written_names_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = small_release(tmp_path / "release")
    monkeypatch.setenv("AGENTHOP_CACHE", "/dev/full/cache")
    with pytest.raises(CorpusError, match="AGENTHOP_CACHE"):
        open_corpus(folder)


def test_a_full_disk_is_told_and_leaves_nothing(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(tables, "_sync_and_close", full)
        with pytest.raises(CorpusError, match=r"No space left on device\); make room there"):
            opened(small_release(tmp_path / "release"))
    assert not list(cache.glob("store-*.part-*"))
    assert opened(tmp_path / "release") == "ok"
