"""A script over a server gives the record that the same script gives on an episode itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from policies import Said, assert_same, call, direct, hand_written, scripts
from rounds import factory_for, play_all, policy_of, serve, vendor
from vendors import VENDORS

from agenthop_env.agents import play
from agenthop_env.corpus.store import Corpus
from agenthop_env.records import Usage
from agenthop_env.sandbox.episode import Episode
from agenthop_env.sandbox.replay import replay_episode

APIS = tuple(VENDORS)
REPORTED = {
    "chat": Usage(100, 20, 64, 0, 5),
    "responses": Usage(100, 20, 60, 10, 5),
    "messages": Usage(100, 20, 60, 30, 0),
    "genai": Usage(100, 20, 64, 0, 5),
}


@pytest.mark.parametrize("tool_mode", ["native", "text"])
@pytest.mark.parametrize("api", APIS)
def test_the_record_is_that_of_the_script_played_directly(corpus: Corpus, api: str, tool_mode: str) -> None:
    script = hand_written()
    server = vendor(api, policy_of(corpus, {"st_0001": script}), in_text=tool_mode == "text")
    with serve(server) as at:
        (episode,) = play_all(corpus, factory_for(server, at.url, tool_mode=tool_mode), ["st_0001"])
    expected = direct(corpus, "st_0001", script, tool_mode)
    assert_same(episode.record(), expected)
    assert expected.ending == "answer"
    assert {turn.usage for turn in episode.turns} == {REPORTED[api]}
    finishes = {turn.finish_reason for turn in episode.turns}
    assert finishes == ({"tool_calls", "stop"} if tool_mode == "native" else {"stop"})


@pytest.mark.parametrize("agent", ["random", "explorer"])
@pytest.mark.parametrize("api", APIS)
def test_many_episodes_at_once_keep_apart(corpus: Corpus, api: str, agent: str) -> None:
    said = scripts(corpus, agent)
    server = vendor(api, policy_of(corpus, said))
    with serve(server) as at:
        factory = factory_for(server, at.url)
        episodes = play_all(corpus, factory, list(said))
    for episode in episodes:
        expected = direct(corpus, episode.item_id, said[episode.item_id], "native")
        assert_same(episode.record(), expected)
        assert_same(replay_episode(episode.record(), corpus).record(), expected)
    turns = sum(len(episode.turns) for episode in episodes)
    assert factory.statistics.messages == turns == len(server.asked)
    assert factory.statistics.usage == sum([REPORTED[api]] * turns, Usage())
    assert factory.statistics.faults == {}


def test_state_at_the_server_gives_the_same_record_and_sends_only_what_is_new(corpus: Corpus) -> None:
    script = hand_written()
    server = vendor("responses", policy_of(corpus, {"st_0001": script}))
    with serve(server) as at:
        (episode,) = play_all(corpus, factory_for(server, at.url, state="server"), ["st_0001"])
    assert_same(episode.record(), direct(corpus, "st_0001", script, "native"))
    assert [len(body["input"]) for body in server.asked] == [1, 2, 1, 1, 1, 3, 2, 1]
    assert all(body["instructions"] for body in server.asked)


@pytest.mark.parametrize("api", APIS)
def test_calls_left_in_the_content_count_and_are_counted(corpus: Corpus, api: str) -> None:
    script = hand_written()
    server = vendor(api, policy_of(corpus, {"st_0001": script}), in_text=True)
    with serve(server) as at:
        factory = factory_for(server, at.url)
        (episode,) = play_all(corpus, factory, ["st_0001"])
    expected = direct(corpus, "st_0001", script, "text")
    assert [turn.calls for turn in episode.turns] == [turn.calls for turn in expected.turns]
    assert episode.record().ending == "answer"
    called = [bool(said.calls) for said in script]
    assert [turn.native for turn in episode.turns] == [not one for one in called]
    assert factory.statistics.calls_from_text == sum(called)
    assert any("parsed from it" in remark for remark in factory.statistics.remarks())


@pytest.mark.parametrize("api", APIS)
def test_a_runner_that_waits_gets_the_same(corpus: Corpus, api: str) -> None:
    script = hand_written()
    server = vendor(api, policy_of(corpus, {"st_0001": script}))
    with serve(server) as at:
        factory = factory_for(server, at.url)
        episode = Episode(corpus, "st_0001", tool_mode="native")
        play(episode, factory.begin(episode))
        factory.close()
    assert_same(episode.record(), direct(corpus, "st_0001", script, "native"))


@pytest.mark.parametrize("api", APIS)
def test_a_replayed_prefix_and_a_forked_chat_are_read_from_their_start(corpus: Corpus, api: str) -> None:
    script = hand_written()
    server = vendor(api, policy_of(corpus, {"st_0001": script}))
    if api == "genai":
        server.check = lambda body: None  # type: ignore[method-assign]  # a prefix has no signatures of its own
    with serve(server) as at:
        factory = factory_for(server, at.url)
        episode = Episode(corpus, "st_0001", tool_mode="native")
        for said in script[:2]:
            episode.turn(said.text, said.calls, reasoning=said.reasoning)
        agent = factory.begin(episode)
        other = episode.fork()
        first = agent.act(episode.messages, episode.tools)
        episode.turn(first.text, first.calls, first.usage, reasoning=first.reasoning)
        other.turn("Something else.", ())
        again = agent.act(other.messages, other.tools)
        assert (first.text, again.text) == (script[2].text, script[3].text)
        play(episode, factory.begin(episode))
        factory.close()
    assert_same(episode.record(), direct(corpus, "st_0001", script, "native"))


@pytest.mark.parametrize("api", APIS)
def test_raw_messages_are_plain_json_and_tell_the_servers_own_reason(corpus: Corpus, api: str) -> None:
    server = vendor(api, lambda text, chat: Said("Hm.", (call("think", thought="x"),), "why"))
    with serve(server) as at:
        factory = factory_for(server, at.url)
        episode = Episode(corpus, "st_0001", tool_mode="native")
        message = factory.begin(episode).act(episode.messages, episode.tools)
        factory.close()
    raw: Any = json.loads(json.dumps(message.raw))
    assert raw["api"] == api
    own = {"chat": "tool_calls", "responses": "completed", "messages": "tool_use", "genai": "STOP"}
    assert raw["finish_reason"] == own[api]
    assert "why" in json.dumps(raw["message"])
    assert message.reasoning == "why"


@pytest.mark.parametrize("api", APIS)
def test_usage_that_is_missing_is_counted_by_the_episode_and_said(corpus: Corpus, api: str) -> None:
    script = hand_written()
    server = vendor(api, policy_of(corpus, {"st_0001": script}), usage=False)
    with serve(server) as at:
        factory = factory_for(server, at.url)
        (episode,) = play_all(corpus, factory, ["st_0001"])
    expected = direct(corpus, "st_0001", script, "native")
    assert_same(episode.record(), expected)
    assert [turn.usage for turn in episode.turns] == [turn.usage for turn in expected.turns]
    assert factory.statistics.usage_missing == len(script)
    assert any("without token counts" in remark for remark in factory.statistics.remarks())
