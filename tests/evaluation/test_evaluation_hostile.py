"""Agents, folders and disks at their worst: an item may be lost, a run never."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agenthop_env import Episode, EpisodeRecord, ToolCall, Usage
from agenthop_env.agents import Agent, ChatMessage, Message, ToolSchema
from agenthop_env.corpus.store import Corpus
from agenthop_env.diagnostics import load_runs
from agenthop_env.evaluation import RunError, evaluate, folder, verify_run

SUBMIT = ToolCall("submit_answer", {"option": "A"})


class Saying:
    """An agent that always says the same, or does the same instead of saying anything."""

    name = "saying"
    settings: dict[str, object] = {}  # noqa: RUF012

    def __init__(self, said: Any) -> None:
        self.said = said

    def begin(self, episode: Episode) -> Agent:
        return self

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        if isinstance(self.said, BaseException):
            raise self.said
        return self.said  # type: ignore[no-any-return]


TAKEN = {
    "a call without a name": Message(calls=(SUBMIT, ToolCall(None, {}))),  # type: ignore[arg-type]
    "odd keys": Message(calls=(ToolCall("think", {None: 1, True: 2}), SUBMIT)),
    "a surrogate": Message(text="\ud800", calls=(SUBMIT,), reasoning="\udfff"),
    "a number too long to print": Message(calls=(ToolCall("think", {"thought": 10**5000}), SUBMIT)),
}
REFUSED = {
    "no cache count": Message(calls=(SUBMIT,), usage=Usage(5, 5, cached=None)),  # type: ignore[arg-type]
    "half a token": Message(calls=(SUBMIT,), usage=Usage(1.5, 1)),  # type: ignore[arg-type]
    "less than nothing": Message(calls=(SUBMIT,), usage=Usage(-5, 1)),
    "no usage at all": Message(calls=(SUBMIT,), usage={"prompt": 1}),  # type: ignore[arg-type]
    "a number for a reason": Message(calls=(SUBMIT,), finish_reason=5),  # type: ignore[arg-type]
    "a list for reasoning": Message(calls=(SUBMIT,), reasoning=["x"]),  # type: ignore[arg-type]
    "a text for seconds": Message(calls=(SUBMIT,), seconds="1"),  # type: ignore[arg-type]
    "bytes": Message(text=b"x"),  # type: ignore[arg-type]
    "nothing": None,
    "a text": "answer: A",
    "an exit": SystemExit(0),
    "the end of a generator": GeneratorExit(),
    "a surrogate in an error": RuntimeError("bad \ud800"),
    "a long error": RuntimeError("x" * 5_000_000),
}


@pytest.mark.parametrize("said", TAKEN.values(), ids=TAKEN)
def test_what_a_server_may_send_is_recorded(corpus: Corpus, tmp_path: Path, said: Any) -> None:
    result = evaluate(corpus, Saying(said), tmp_path / "run", items=2)
    assert result.ok
    assert result.summary.endings["answer"] == 2
    assert not verify_run(tmp_path / "run", corpus).differences


@pytest.mark.parametrize("said", REFUSED.values(), ids=REFUSED)
def test_what_no_record_can_hold_costs_its_item_alone(corpus: Corpus, tmp_path: Path, said: Any) -> None:
    for _ in range(2):
        result = evaluate(corpus, Saying(said), tmp_path / "run", items=2)
        assert result.complete
        assert result.summary.endings["error"] == 2
    assert len(list(load_runs(tmp_path / "run")[0].records)) == 2
    assert (tmp_path / "run" / "summary.json").is_file()
    assert not list((tmp_path / "run").glob("*.part"))
    assert sum(path.stat().st_size for path in (tmp_path / "run").iterdir()) < 500_000


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"item_id": "zz"}, "a record of item zz, which this run does not play"),
        ({"fingerprint": "0" * 16}, "a record of item .*, of data with fingerprint 0000"),
    ],
)
def test_a_record_of_another_run_is_named(
    corpus: Corpus, tmp_path: Path, change: dict[str, str], said: str
) -> None:
    evaluate(corpus, "random", tmp_path / "run", items=2)
    file = tmp_path / "run" / "episodes.jsonl"
    stranger = {**json.loads(file.read_text().splitlines()[0]), **change}
    with open(file, "a") as stream:
        stream.write(json.dumps(stranger) + "\n")
    with pytest.raises(RunError, match=said):
        evaluate(corpus, "random", tmp_path / "run", items=2)


def test_a_full_disk_names_the_file_and_loses_nothing(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    real, written = folder.os.write, []

    def limited(descriptor: int, data: Any) -> int:
        if sum(written) > 4000:
            raise OSError(28, "No space left on device")
        written.append(real(descriptor, data[:1000]))
        return written[-1]

    with monkeypatch.context() as patch:
        patch.setattr(folder.os, "write", limited)
        with pytest.raises(
            RunError, match=r"(episodes.jsonl|run.log): cannot be written \(No space left on device\)"
        ):
            evaluate(corpus, "oracle", run)
    assert evaluate(corpus, "oracle", run).ok
    undisturbed = tmp_path / "undisturbed"
    evaluate(corpus, "oracle", undisturbed)
    assert sorted(_lines(run)) == sorted(_lines(undisturbed))


def _lines(run: Path) -> list[str]:
    return [
        EpisodeRecord.from_json(line).to_json()
        for line in (run / "episodes.jsonl").read_text(encoding="utf-8").splitlines()
    ]
