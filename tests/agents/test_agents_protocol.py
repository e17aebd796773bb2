"""One protocol: sync, async and batch agents stand for one another; the registry says what is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from agenthop_env import Episode, ToolCall, Usage, replay
from agenthop_env.agents import (
    AGENTS,
    AgentError,
    ChatMessage,
    Message,
    Request,
    ToolSchema,
    Transcript,
    TranscriptEndError,
    as_agent,
    as_async,
    as_batch,
    batch_of,
    make_agent,
    play,
    play_turn,
    register_agent,
)
from agenthop_env.agents.draws import Draws
from agenthop_env.corpus.store import Corpus


class Echo:
    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        return Message(f"{messages[-1]['content']} {len(tools)}")


class AsyncEcho:
    async def act_async(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        await asyncio.sleep(0)
        return Echo().act(messages, tools)


class BatchEcho:
    def act_batch(self, requests: Sequence[Request]) -> list[Message]:
        return [Echo().act(messages, tools) for messages, tools in requests]


REQUESTS: list[Request] = [([{"role": "user", "content": text}], []) for text in "abc"]


@pytest.mark.parametrize("agent", [Echo(), AsyncEcho(), BatchEcho()])
def test_every_kind_stands_for_every_other(agent: Echo | AsyncEcho | BatchEcho) -> None:
    expected = [Message("a 0"), Message("b 0"), Message("c 0")]
    assert [as_agent(agent).act(*request) for request in REQUESTS] == expected
    assert as_batch(agent).act_batch(REQUESTS) == expected
    for threaded in (False, True):
        waiting = as_async(agent, threaded=threaded)
        if isinstance(agent, AsyncEcho) or not threaded or isinstance(agent, Echo):
            assert asyncio.run(_all(waiting)) == expected


async def _all(agent: object) -> list[Message]:
    return [await agent.act_async(*request) for request in REQUESTS]  # type: ignore[attr-defined]


def test_what_is_one_already_stays_as_it_is() -> None:
    one, two, three = Echo(), AsyncEcho(), BatchEcho()
    assert as_agent(one) is one
    assert as_async(two) is two
    assert as_batch(three) is three
    with pytest.raises(TypeError, match="act_async or act_batch; int has none"):
        as_agent(3)  # type: ignore[arg-type]


def test_many_episodes_side_by_side(corpus: Corpus) -> None:
    factory = make_agent("explorer", seed=3)
    alone = [play(episode, factory.begin(episode)).record() for episode in _episodes(corpus)]
    episodes = _episodes(corpus)
    agents = [factory.begin(episode) for episode in episodes]
    while live := [place for place, episode in enumerate(episodes) if episode.ending is None]:
        batch = batch_of([agents[place] for place in live])
        requests = [(episodes[place].messages, episodes[place].tools) for place in live]
        for place, said in zip(live, batch.act_batch(requests), strict=True):
            episodes[place].turn(said.text, said.calls, said.usage)
    assert [episode.record() for episode in episodes] == alone


def _episodes(corpus: Corpus) -> list[Episode]:
    return [Episode(corpus, item_id) for item_id in corpus.ids]


def test_usage_reasoning_and_finish_reason_reach_the_record(corpus: Corpus) -> None:
    class Served:
        def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
            return Message("x", (), Usage(70, 7, cached=60), "because", "length", 1.5)

    episode = Episode(corpus, "st_0001")
    turn = play_turn(episode, Served())
    assert turn.record.usage == Usage(70, 7, cached=60)
    assert (turn.record.reasoning, turn.record.finish_reason, turn.record.seconds) == (
        "because",
        "length",
        1.5,
    )
    assert turn.record.native


def test_registry_says_what_is_wrong() -> None:
    with pytest.raises(AgentError, match="no agent 'gpt'; there are random, closed-book"):
        make_agent("gpt")
    with pytest.raises(AgentError, match="oracle takes no settings: not depth"):
        make_agent("oracle", depth=3)
    with pytest.raises(AgentError, match="transcript takes run: run is missing"):
        make_agent("transcript")


def test_an_agent_can_be_registered(corpus: Corpus) -> None:
    class Factory:
        name = "first"
        settings: dict[str, object] = {}  # noqa: RUF012

        def begin(self, episode: Episode) -> Transcript:
            return Transcript(
                [
                    {
                        "role": "assistant",
                        "content": '<tool_call>{"name": "submit_answer", "arguments": {"option": "A"}}</tool_call>',
                    }
                ]
            )

    register_agent("first", Factory, "always A")
    try:
        episode = Episode(corpus, "st_0001")
        assert play(episode, make_agent("first").begin(episode)).record().letter == "A"
    finally:
        del AGENTS["first"]


@pytest.mark.parametrize("mode", ["text", "native"])
def test_a_transcript_plays_a_record_again(corpus: Corpus, mode: str) -> None:
    for item_id in corpus.ids:
        first = Episode(corpus, item_id, tool_mode=mode, agent="explorer")
        record = play(first, make_agent("explorer").begin(first)).record()
        again = Episode(corpus, item_id, tool_mode=mode, agent="explorer")
        assert play(again, Transcript(record)).record() == record
        assert replay(record, corpus) == record


def test_a_transcript_plays_chat_messages(corpus: Corpus) -> None:
    first = Episode(corpus, "st_0001", tool_mode="native")
    play(first, make_agent("oracle").begin(first))
    again = Episode(corpus, "st_0001", tool_mode="native")
    played = play(again, Transcript(first.messages))
    assert played.messages == first.messages


def test_a_transcript_that_ends_early_says_so(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001")
    with pytest.raises(TranscriptEndError, match="ends after 1 message, and"):
        play(episode, Transcript([{"role": "assistant", "content": None}]))


def test_draws_are_the_same_everywhere() -> None:
    draws = Draws("random", 7, "st_0001")
    assert [draws.below(1000) for _ in range(6)] == [_PINNED[place] for place in range(6)]
    counts = [0] * 4
    for _ in range(4000):
        counts[draws.below(4)] += 1
    assert all(900 < count < 1100 for count in counts)
    with pytest.raises(ValueError, match="1 possibility"):
        draws.below(0)


_PINNED = [931, 307, 283, 201, 770, 583]


def test_calls_survive_odd_arguments(corpus: Corpus) -> None:
    said = Transcript(
        [
            {
                "role": "assistant",
                "content": 3,
                "tool_calls": [{"function": {"name": "think", "arguments": "{bad"}}],
            }
        ]
    )
    assert said.act([], []) == Message("", (ToolCall("think", "{bad"),))
