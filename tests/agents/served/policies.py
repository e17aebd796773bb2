"""What the servers' model says: scripts of messages, by item and turn, and the same scripts played on an episode."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from agenthop_env.actions import render_calls
from agenthop_env.agents import make_agent, play
from agenthop_env.corpus.store import Corpus
from agenthop_env.records import EpisodeRecord, ToolCall, Totals, TurnRecord, Usage
from agenthop_env.sandbox.episode import Episode

_TURN = re.compile(r"Turn: (\d+)  \|")


class Said(NamedTuple):
    """One scripted message."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    reasoning: str | None = None

    def as_text(self) -> str:
        """The message with its calls written out."""
        written = render_calls(self.calls, "hermes") if self.calls else ""
        return "\n".join(part for part in (self.text, written) if part)


Script = list[Said]


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name, arguments)


def hand_written(seed: str = "seed-1", gold: str = "gold-1") -> Script:
    """Parallel calls, errors of every kind, a message without a call, an empty one, then an answer."""
    return [
        Said(
            "Let me look.",
            (call("get_references", paper_id=seed), call("think", thought="first")),
            "I start.",
        ),
        Said("", (call("search_papers", query="graphs agents", top_k=3),)),
        Said("No call here.", (), "hm"),
        Said("", ()),
        Said("Odd ones.", (call("no_such_tool", x=1), call("read_section", paper_id=gold), call("think"))),
        Said(
            "", (call("list_sections", paper_id=gold), call("get_paper_info", paper_id="absent")), "Now read."
        ),
        Said("Reading \u00e9\u2200.", (call("read_section", paper_id=gold, section="A"),)),
        Said("Done.", (call("submit_answer", option="B"), call("think", thought="too late")), "B it is."),
    ]


def scripts(corpus: Corpus, agent: str = "random", seed: int = 0) -> dict[str, Script]:
    """What a scripted agent says on every item."""
    factory = make_agent(agent, seed=seed)
    found = {}
    for item_id in corpus.ids:
        episode = Episode(corpus, item_id, tool_mode="native")
        record = play(episode, factory.begin(episode)).record()
        found[item_id] = [
            Said(
                f"Turn {number}." if number % 2 else "",
                tuple([ToolCall(one.name, one.arguments) for one in turn.calls] + list(turn.dropped)),
                f"thought {number}" if number % 3 == 0 else None,
            )
            for number, turn in enumerate(record.turns)
        ]
    return found


def next_turn(text: str) -> int:
    """Which message of a script is due, by the last status line in a request."""
    turns = _TURN.findall(text)
    return max(map(int, turns)) if turns else 0


def direct(corpus: Corpus, item_id: str, script: Script, tool_mode: str, **settings: Any) -> EpisodeRecord:
    """The record of a script played on an episode itself."""
    episode = Episode(corpus, item_id, tool_mode=tool_mode, **settings)
    for said in script:
        if episode.ending is not None:
            break
        if tool_mode == "native":
            episode.turn(said.text, said.calls, reasoning=said.reasoning)
        else:
            episode.turn(said.as_text(), reasoning=said.reasoning)
    return episode.record()


def without_server(turn: TurnRecord) -> TurnRecord:
    """A turn without what a server alone can say."""
    return msgspec.structs.replace(turn, usage=Usage(), seconds=None, finish_reason=None, raw=None)


def assert_same(record: EpisodeRecord, expected: EpisodeRecord) -> None:
    """Two records are equal, byte for byte, but for what a server alone can say."""
    one, two = comparable(record), comparable(expected)
    found = EpisodeRecord.from_json(one).differences(EpisodeRecord.from_json(two))
    assert not found, "\n".join(found)
    assert one == two


def comparable(record: EpisodeRecord) -> str:
    """A record without what a server alone can say: tokens, times, its reason to stop."""
    turns = tuple(without_server(turn) for turn in record.turns)
    totals = msgspec.structs.replace(record.totals, tokens=0, tokens_uncached=0, usage=Totals().usage)
    return msgspec.structs.replace(record, turns=turns, totals=totals, agent="", agent_settings={}).to_json()
