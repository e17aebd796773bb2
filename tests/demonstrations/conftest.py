"""The environments' small release, which demonstrations are tested on: it does not change when worlds do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "envs"))

from small_release import write

from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.store import Corpus


@pytest.fixture(scope="session")
def small_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("demonstrations") / "little")


@pytest.fixture(scope="session")
def small(small_folder: Path, own_cache: Path) -> Corpus:
    return open_corpus(small_folder)
