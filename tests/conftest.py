"""What all tests share: a cache folder of their own, the small release, and the shared data where it lies beside us."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS))  # so that every folder of tests finds `releases`, whatever the import mode

from releases import small_release  # noqa: E402

from agenthop_env.corpus.sources import open_corpus  # noqa: E402
from agenthop_env.corpus.store import Corpus  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test reads or fills the user's cache."""
    folder = tmp_path_factory.mktemp("agenthop-cache")
    before = os.environ.get("AGENTHOP_CACHE")
    os.environ["AGENTHOP_CACHE"] = str(folder)
    yield folder
    if before is None:
        del os.environ["AGENTHOP_CACHE"]
    else:
        os.environ["AGENTHOP_CACHE"] = before


@pytest.fixture(scope="session")
def release_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small release of `releases.py`, on disk."""
    return small_release(tmp_path_factory.mktemp("small") / "release")


@pytest.fixture(scope="session")
def corpus(release_folder: Path, own_cache: Path) -> Corpus:
    """The small release, compiled and opened."""
    return open_corpus(release_folder)
