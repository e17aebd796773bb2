"""Agents of one's own by reference: found, made of settings, pickled; whatever is amiss is said in a line."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agenthop_env import Episode
from agenthop_env.agents import AgentError, Message, make_agent, play, play_turn
from agenthop_env.agents.own import OwnFactory
from agenthop_env.agents.protocol import checked_factory
from agenthop_env.corpus.store import Corpus

CODE = """
from agenthop_env.agents import Message
from neighbor import CALL

class Factory:
    name = "mine"
    def __init__(self, letter="A", depth: int = 1, careful: bool = False, *, scale=1.0, seed=0):
        self.settings = {"letter": letter, "depth": depth, "careful": careful, "scale": scale, "seed": seed}
    def begin(self, episode):
        return self
    def act(self, messages, tools):
        return Message(CALL % self.settings["letter"])

ready = Factory("D")

def made(letter):
    return Factory(letter)

def failing():
    raise RuntimeError("no model")

def nothing():
    return 3

class NoFactory:
    def act(self, messages, tools):
        return Message("")

class Unnamed:
    settings = {}
    def begin(self, episode): ...
"""
NEIGHBOR = """CALL = '<tool_call>{"name": "submit_answer", "arguments": {"option": "%s"}}</tool_call>'\n"""


@pytest.fixture
def code(tmp_path: Path) -> Iterator[Path]:
    before, modules = sys.path.copy(), set(sys.modules)
    (tmp_path / "mine.py").write_text(CODE)
    (tmp_path / "neighbor.py").write_text(NEIGHBOR)
    yield tmp_path / "mine.py"
    sys.path[:] = before
    for name in set(sys.modules) - modules:
        if name.startswith(("own_agent_", "neighbor", "mine")):
            del sys.modules[name]


def letter_of(corpus: Corpus, factory: object) -> str | None:
    episode = Episode(corpus, "st_0001")
    return play(episode, checked_factory(factory).begin(episode)).record().letter


def test_a_factory_of_a_file(code: Path, corpus: Corpus) -> None:
    factory = make_agent(f"{code}:Factory", seed=7, letter="C", depth="4", careful="true", scale="2")
    assert isinstance(factory, OwnFactory)
    assert factory.name == "mine"
    assert factory.settings == {"letter": "C", "depth": 4, "careful": True, "scale": 2.0, "seed": 7}
    assert letter_of(corpus, factory) == "C"
    again = pickle.loads(pickle.dumps(factory))
    assert again.settings == factory.settings
    assert letter_of(corpus, again) == "C"


def test_what_else_may_stand_there(code: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    assert letter_of(corpus, make_agent(f"{code}:ready")) == "D"
    assert letter_of(corpus, make_agent(f"{code}:made", letter="B")) == "B"
    monkeypatch.chdir(code.parent)
    assert letter_of(corpus, make_agent("mine:Factory")) == "A"
    assert letter_of(corpus, make_agent("mine.py:Factory")) == "A"


@pytest.mark.parametrize(
    ("reference", "settings", "told"),
    [
        ("nowhere.py:Factory", {}, "nowhere.py: no such file"),
        ("nowhere:Factory", {}, "no module 'nowhere' in .*path/to/nowhere.py:Factory"),
        (":Factory", {}, "names no factory; write module:Factory or path/to/file.py:Factory"),
        ("mine.py:", {}, "names no factory"),
        ("mine.py:Nobody", {}, "has no Nobody; its factories are Factory, ready, Unnamed"),
        ("mine.py:NoFactory", {}, r"a class without begin\(episode\)"),
        ("mine.py:Unnamed", {}, r"it has no name; a factory has name \(a text\), settings"),
        (
            "mine.py:nothing",
            {},
            r"is of type int, which is no agent factory: it has no name and no settings and no begin",
        ),
        ("mine.py:failing", {}, r"RuntimeError: no model \(mine.py, line 20\)"),
        ("mine.py:Factory", {"color": "red"}, "takes letter, depth, careful, scale: not color"),
        ("mine.py:Factory", {"depth": "x"}, "depth must be a whole number, not 'x'"),
        ("mine.py:Factory", {"scale": "x"}, "scale must be a number, not 'x'"),
        ("mine.py:Factory", {"careful": "x"}, "careful must be true or false, not 'x'"),
        ("mine.py:made", {}, "takes letter: letter is missing"),
        ("mine.py:ready", {"letter": "A"}, "is a factory already and takes no settings: not letter"),
        ("broken.py:Factory", {}, r"broken.py: .*\(line 1\)"),
        ("wrong.py:Factory", {}, r"ZeroDivisionError: division by zero \(wrong.py, line 1\)"),
    ],
)
def test_what_is_amiss_is_said(
    code: Path, monkeypatch: pytest.MonkeyPatch, reference: str, settings: dict[str, str], told: str
) -> None:
    (code.parent / "broken.py").write_text("def (")
    (code.parent / "wrong.py").write_text("1 / 0")
    monkeypatch.chdir(code.parent)
    with pytest.raises(AgentError, match=told) as refused:
        make_agent(reference, **settings)
    assert "\n" not in str(refused.value)


def test_what_a_factory_and_an_agent_are_is_said(corpus: Corpus) -> None:
    class Named:
        name = "x"
        settings = {"a": object()}  # noqa: RUF012

        def begin(self, episode: Episode) -> None: ...

    for wrong, told in (
        (3, "of type int"),
        (Named, "the class Named"),
        (Named(), "its settings are no JSON"),
    ):
        with pytest.raises(TypeError, match=f"{told}.*a factory has name"):
            checked_factory(wrong)

    class Text:
        def act(self, messages: object, tools: object) -> str:
            return "B"

    with pytest.raises(
        TypeError, match=r"Text.act returned str; an agent returns agenthop_env.agents.Message"
    ):
        play_turn(Episode(corpus, "st_0001"), Text())  # type: ignore[arg-type]
    assert Message("x").text == "x"
