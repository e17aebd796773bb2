"""Runs with agents of one's own: in workers, resumed, and refused with what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agenthop_env import Episode
from agenthop_env.agents import AgentError
from agenthop_env.corpus.store import Corpus
from agenthop_env.evaluation import evaluate, verify_run

CODE = """
from agenthop_env.agents import Message

class Guess:
    name = "guess"
    def __init__(self, letter="A"):
        self.settings = {"letter": letter}
    def begin(self, episode):
        return self
    async def act_async(self, messages, tools):
        return Message('<tool_call>{"name": "submit_answer", "arguments": {"option": "%s"}}</tool_call>' % self.settings["letter"])

class Text(Guess):
    def begin(self, episode):
        class Agent:
            def act(self, messages, tools):
                return "B"
        return Agent()

class Nothing(Guess):
    def begin(self, episode):
        return None
"""


@pytest.fixture
def code(tmp_path: Path) -> Path:
    (tmp_path / "own.py").write_text(CODE)
    return tmp_path / "own.py"


def test_workers_load_the_file_and_resume_goes_on(corpus: Corpus, tmp_path: Path, code: Path) -> None:
    settings = {"letter": "C"}
    result = evaluate(corpus, f"{code}:Guess", tmp_path / "two", workers=2, agent_settings=settings)
    assert result.ok
    assert result.config.agent == "guess"
    assert result.config.agent_settings == {"letter": "C"}
    path = tmp_path / "two" / "episodes.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:4]))
    again = evaluate(corpus, f"{code}:Guess", tmp_path / "two", agent_settings=settings)
    assert again.progress.resumed == 4
    assert again.ok
    assert not verify_run(tmp_path / "two").differences
    assert str(tmp_path) not in path.read_text()


def test_what_breaks_the_rules_is_said(corpus: Corpus, tmp_path: Path, code: Path) -> None:
    text = evaluate(corpus, f"{code}:Text", tmp_path / "text", items=2)
    assert text.summary.failures[0].error.startswith("TypeError: Agent.act returned str; an agent returns")
    nothing = evaluate(corpus, f"{code}:Nothing", tmp_path / "nothing", items=2)
    assert "begin of agent guess returned no agent: an agent has act(messages, tools)" in (
        nothing.summary.failures[0].error
    )
    with pytest.raises(TypeError, match=r"is of type int, which is no agent factory: .*begin\(episode\)"):
        evaluate(corpus, 3, tmp_path / "run")  # type: ignore[arg-type]
    with pytest.raises(AgentError, match="no such file"):
        evaluate(corpus, "nowhere/own.py:Guess", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_settings_go_with_a_name(corpus: Corpus, tmp_path: Path) -> None:
    class Factory:
        name = "x"
        settings: dict[str, object] = {}  # noqa: RUF012

        def begin(self, episode: Episode) -> None: ...

    with pytest.raises(ValueError, match="a factory has its own"):
        evaluate(corpus, Factory(), tmp_path / "run", agent_settings={"a": 1})  # type: ignore[arg-type]


def test_a_transcript_of_other_items_says_so_plainly(corpus: Corpus, tmp_path: Path) -> None:
    first = evaluate(corpus, "random", tmp_path / "first", items=2)
    settings = {"run": str(first.folder)}
    result = evaluate(corpus, "transcript", tmp_path / "again", items=3, agent_settings=settings)
    (failure,) = result.summary.failures
    assert failure.error == f"{first.folder} holds no record of {failure.item_id}"
    missing = evaluate(corpus, "transcript", tmp_path / "none", items=1, agent_settings={"run": "nowhere"})
    assert missing.summary.failures[0].error.startswith("nowhere: cannot be read")
    assert json.loads((tmp_path / "none" / "run.json").read_text())["agent"] == "transcript"
