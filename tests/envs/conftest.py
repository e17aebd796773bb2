"""Fixtures of the environments' tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import small_release

from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.envs import register_envs

register_envs()


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory, own_cache: Path) -> str:
    """The folder of the environments' release, as `data` takes it."""
    return str(small_release.write(tmp_path_factory.mktemp("envs") / "release"))


@pytest.fixture(scope="session")
def small(data: str) -> Corpus:
    """The same, opened."""
    return open_corpus(data)
