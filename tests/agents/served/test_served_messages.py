"""What goes to the servers and what comes back: odd calls, reasoning in the history, caching, the fields that are sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from policies import Said, assert_same, call, direct, hand_written
from rounds import factory_for, needs, play_all, policy_of, serve, vendor
from vendors import MODEL, Chat, Messages

from agenthop_env.agents import play
from agenthop_env.agents.protocol import AgentError
from agenthop_env.agents.served import Sampling, make_served
from agenthop_env.agents.served.messages import HEAVY
from agenthop_env.corpus.store import Corpus
from agenthop_env.records import ToolCall
from agenthop_env.sandbox.episode import Episode

Raw = dict[str, Any]


class OddChat(Chat):
    """A chat server whose messages are given as they are, one a turn; then it submits."""

    def __init__(self, messages: list[Raw], finishes: list[str] | None = None) -> None:
        super().__init__(lambda text, chat: Said("", (call("submit_answer", option="A"),)))
        self.odd = messages
        self.finishes = finishes or []

    def answer(self, said: Said, body: Any) -> str:
        whole = json.loads(super().answer(said, body))
        turn = len(self.asked) - 1
        if turn < len(self.odd):
            whole["choices"][0]["message"] = {"role": "assistant", **self.odd[turn]}
            whole["choices"][0]["finish_reason"] = (self.finishes[turn:] or ["tool_calls"])[0]
        return json.dumps(whole)


def asked(arguments: Any, name: Any = "get_paper_info", call_id: Any = "a", **more: Any) -> Raw:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}, **more}


def played(corpus: Corpus, messages: list[Raw], finishes: list[str] | None = None, **settings: Any) -> Any:
    needs("chat")
    server = OddChat(messages, finishes)
    with serve(server) as at:
        factory = factory_for(server, at.url, **settings)
        (episode,) = play_all(corpus, factory, ["st_0001"])
    return episode, server, factory


def test_arguments_that_are_no_object_are_bad_arguments_and_go_back_as_json(corpus: Corpus) -> None:
    torn = '{"paper_id": "see'
    calls = [
        asked(torn, call_id="a"),
        asked("[1]", call_id="b"),
        asked("", call_id="c"),
        asked(None, call_id="d"),
        asked('"{\\"paper_id\\": \\"seed-1\\"}"', call_id="e"),
        asked("not json", name="think", call_id="f"),
    ]
    episode, server, factory = played(corpus, [{"content": None, "tool_calls": calls}])
    outcomes = [one.outcome for one in episode.turns[0].calls]
    assert outcomes == ["bad_arguments"] * 4 + ["ok", "ok"]
    assert episode.turns[0].calls[0].arguments == torn
    assert factory.statistics.unparsed_arguments == 4
    kept = [json.loads(one["function"]["arguments"]) for one in server.asked[1]["messages"][2]["tool_calls"]]
    assert kept[0] == {"malformed_arguments": torn}
    assert kept[2:5] == [{}, {}, {"paper_id": "seed-1"}]


def test_ids_that_are_missing_or_taken_are_mended(corpus: Corpus) -> None:
    good = '{"paper_id": "seed-1"}'
    first = [
        asked(good, call_id="a"),
        asked(good, call_id="a"),
        asked(good, call_id=None),
        asked(good, call_id=""),
    ]
    episode, server, factory = played(
        corpus,
        [{"content": "x", "tool_calls": first}, {"content": "", "tool_calls": [asked(good, call_id="a")]}],
    )
    assert [len(turn.calls) for turn in episode.turns] == [4, 1, 1]
    assert factory.statistics.mended_ids == 4
    ids = [one["id"] for message in server.asked[-1]["messages"] for one in message.get("tool_calls", ())]
    assert len(set(ids)) == 5
    assert ids[0] == "a"


def test_names_that_no_history_may_hold_are_unknown_tools_and_go_back_mended(corpus: Corpus) -> None:
    calls = [
        asked("{}", name="read section!", call_id="a"),
        asked("{}", name=None, call_id="b"),
        asked("{}", name=""),
    ]
    episode, server, _ = played(corpus, [{"content": "", "tool_calls": calls}])
    assert [one.outcome for one in episode.turns[0].calls] == ["unknown_tool"] * 3
    assert episode.turns[0].calls[0].name == "read section!"
    kept = [one["function"]["name"] for one in server.asked[1]["messages"][2]["tool_calls"]]
    assert kept == ["read_section_", "None", "unnamed"]


def test_lone_surrogates_are_kept_in_the_record_and_not_sent_back(corpus: Corpus) -> None:
    calls = [asked('{"paper_id": "\\ud800"}')]
    episode, server, _ = played(corpus, [{"content": "a\ud800b", "tool_calls": calls}])
    assert episode.turns[0].text == "a\ud800b"
    assert episode.turns[0].calls[0].arguments == {"paper_id": "\ud800"}
    assert episode.record().from_json(episode.record().to_json()) == episode.record()
    assert server.asked[1]["messages"][2]["content"] == "a\ufffd\ufffd\ufffdb"


def test_contents_in_parts_and_refusals_are_text(corpus: Corpus) -> None:
    parts = [
        {"type": "thinking", "thinking": []},
        {"type": "text", "text": "one "},
        {"type": "text", "text": "two"},
    ]
    episode, _, _ = played(
        corpus, [{"content": parts}, {"content": None, "refusal": "I will not."}], ["stop", "content_filter"]
    )
    assert [turn.text for turn in episode.turns[:2]] == ["one two", "I will not."]
    assert episode.turns[1].finish_reason == "content_filter"


@pytest.mark.parametrize(
    ("finish", "normal"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("eos", "other"),
        (None, "other"),
    ],
)
def test_finish_reasons_are_normalized(corpus: Corpus, finish: str, normal: str) -> None:
    episode, _, factory = played(corpus, [{"content": "hm"}], [finish])
    assert episode.turns[0].finish_reason == normal
    assert factory.statistics.finish_reasons[normal] == 1


def test_a_broken_envelope_in_the_content_gets_the_nudge_that_says_so(corpus: Corpus) -> None:
    text = "<tool_call>\n{oops\n</tool_call>"
    episode, _, factory = played(corpus, [{"content": text}], ["stop"])
    expected = Episode(corpus, "st_0001", tool_mode="native")
    expected.turn(text)
    nudge = expected.messages[3]["content"].partition("\nTurn:")[0]
    assert "readable" in nudge
    assert episode.messages[3]["content"].startswith(nudge)
    assert factory.statistics.calls_from_text == 0


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("history", ["keep", "drop"])
def test_reasoning_goes_back_under_the_name_that_it_came_by_or_not_at_all(
    corpus: Corpus, field: str, history: str
) -> None:
    message = {"content": "<think>inner</think>Hello", field: "because"}
    episode, server, _ = played(corpus, [message], ["stop"], reasoning_history=history)
    assert episode.turns[0].reasoning == "because"
    assert episode.turns[0].text == message["content"]
    sent = server.asked[1]["messages"][2]
    assert sent.get(field) == ("because" if history == "keep" else None)
    assert ("inner" in sent["content"]) == (history == "keep")


def test_structured_calls_count_in_text_mode_too(corpus: Corpus) -> None:
    calls = [asked('{"paper_id": "seed-1"}')]
    episode, server, _ = played(corpus, [{"content": "", "tool_calls": calls}], tool_mode="text")
    assert [one.outcome for one in episode.turns[0].calls] == ["ok"]
    assert episode.turns[0].native
    assert "tools" not in server.asked[0]


def test_a_history_grows_and_is_never_rewritten(corpus: Corpus) -> None:
    server = vendor("chat", policy_of(corpus, {"st_0001": hand_written()}))
    with serve(server) as at:
        play_all(corpus, factory_for(server, at.url), ["st_0001"])
    for before, after in zip(server.asked, server.asked[1:], strict=False):
        assert after["messages"][: len(before["messages"])] == before["messages"]
        assert after["tools"] == before["tools"]


def test_sampling_reaches_the_server(corpus: Corpus) -> None:
    sampling = {
        "temperature": 0.5,
        "top_k": 20,
        "min_p": 0.1,
        "max_tokens": 99,
        "seed": 7,
        "reasoning_effort": "low",
    }
    _, server, factory = played(
        corpus, [], sampling=sampling, extra_body={"chat_template_kwargs": {"x": 1}}, parallel_calls=False
    )
    body = server.asked[0]
    assert {name: body[name] for name in sampling} == sampling
    assert body["chat_template_kwargs"] == {"x": 1}
    assert body["parallel_tool_calls"] is False
    assert "top_p" not in body
    assert factory.settings["sampling"] == sampling


def test_responses_send_reasoning_and_limits_by_their_own_names(corpus: Corpus) -> None:
    server = vendor("responses", policy_of(corpus, {"st_0001": hand_written()}))
    with serve(server) as at:
        factory = factory_for(
            server,
            at.url,
            sampling={"max_tokens": 50, "reasoning_effort": "high"},
            extra_body={"reasoning": {"summary": "auto"}},
        )
        play_all(corpus, factory, ["st_0001"])
    body = server.asked[0]
    assert body["max_output_tokens"] == 50
    assert body["reasoning"] == {"effort": "high", "summary": "auto"}


def test_breakpoints_stand_on_tools_system_the_last_heavy_result_and_the_newest_block(corpus: Corpus) -> None:
    needs("messages")
    script = [Said("", (call("get_references", paper_id="seed-1"),)) for _ in range(3)]
    script += [Said("Nothing."), Said("", (call("submit_answer", option="A"),))]
    server = Messages(policy_of(corpus, {"st_0001": script}))
    with serve(server) as at:
        factory = factory_for(server, at.url)
        agent = factory.begin(episode := Episode(corpus, "st_0001", tool_mode="native"))
        conversation = agent._conversation
        play(episode, agent)
        factory.close()
    for body in server.asked:
        assert body["system"][-1]["cache_control"]
        assert body["tools"][-1]["cache_control"]
        marked = [
            block for message in body["messages"] for block in message["content"] if "cache_control" in block
        ]
        assert len(marked) <= 2
        assert marked[-1] is body["messages"][-1]["content"][-1]
    conversation.take([conversation_said(agent)])
    conversation.user("u" * HEAVY)
    for text in ("light", "x" * HEAVY, "light", "lighter"):
        conversation.user(text)
        conversation.request([])
    blocks = [block for message in conversation.messages for block in message["content"]]
    assert [block["text"][:6] for block in blocks if "cache_control" in block] == ["xxxxxx", "lighter"[:6]]


def conversation_said(agent: Any) -> dict[str, Any]:
    """The last reply as an episode would give it back."""
    reply = agent._conversation._reply
    return {"role": "assistant", "content": reply.text if reply else ""}


def test_without_caching_nothing_is_marked(corpus: Corpus) -> None:
    server = vendor("messages", policy_of(corpus, {"st_0001": hand_written()}))
    with serve(server) as at:
        (episode,) = play_all(corpus, factory_for(server, at.url, caching=False), ["st_0001"])
    assert "cache_control" not in json.dumps(server.asked)
    assert_same(episode.record(), direct(corpus, "st_0001", hand_written(), "native"))


@pytest.mark.parametrize(
    ("sampling", "sent"),
    [
        ({"reasoning_budget": 2048}, {"thinking": {"type": "enabled", "budget_tokens": 2048}}),
        ({"thinking": "adaptive"}, {"thinking": {"type": "adaptive"}}),
        ({"reasoning_effort": "high"}, {"output_config": {"effort": "high"}}),
        ({}, {"max_tokens": 16384}),
    ],
)
def test_messages_say_how_to_think(corpus: Corpus, sampling: Raw, sent: Raw) -> None:
    server = vendor("messages", policy_of(corpus, {"st_0001": hand_written()[-1:]}))
    with serve(server) as at:
        play_all(corpus, factory_for(server, at.url, sampling=sampling), ["st_0001"])
    body = server.asked[0]
    assert {name: body.get(name) for name in sent} == sent


def test_gemini_is_told_how_to_think_and_what_tools_there_are(corpus: Corpus) -> None:
    server = vendor("genai", policy_of(corpus, {"st_0001": hand_written()[-1:]}))
    with serve(server) as at:
        sampling = Sampling(temperature=1.0, max_tokens=77, reasoning_budget=512, seed=3)
        play_all(corpus, factory_for(server, at.url, sampling=sampling), ["st_0001"])
    body = server.asked[0]
    config = body["generationConfig"]
    assert (config["temperature"], config["maxOutputTokens"], config["seed"]) == (1.0, 77, 3)
    assert sorted(map(str, config["thinkingConfig"].values())) == ["512", "True"]
    declared = body["tools"][0]["functionDeclarations"]
    schema = declared[0].get("parametersJsonSchema") or declared[0]["parameters_json_schema"]
    assert schema["required"] == ["paper_id"]


def test_a_blocked_prompt_is_a_turn_without_a_call(corpus: Corpus) -> None:
    needs("genai")
    server = vendor("genai", lambda text, chat: Said("", (call("submit_answer", option="A"),)))
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 5}}
    answers = iter([json.dumps(blocked)])
    vendors_own = server.answer
    server.answer = lambda said, body: next(answers, None) or vendors_own(said, body)  # type: ignore[method-assign]
    with serve(server) as at:
        (episode,) = play_all(corpus, factory_for(server, at.url), ["st_0001"])
    assert [turn.finish_reason for turn in episode.turns] == ["content_filter", "tool_calls"]
    assert episode.ending == "answer"


def test_an_episode_in_another_tool_mode_is_refused(corpus: Corpus) -> None:
    with pytest.raises(AgentError, match="same tool_mode"):
        make_served(MODEL, "http://127.0.0.1:9/v1").begin(Episode(corpus, "st_0001"))


def test_calls_of_a_record_hold_what_the_server_said(corpus: Corpus) -> None:
    episode, _, _ = played(
        corpus, [{"content": "x", "tool_calls": [asked('{"paper_id": "seed-1", "n": 1e400}')]}]
    )
    assert episode.turns[0].calls[0].name == ToolCall("get_paper_info").name
    assert json.loads(episode.record().to_json())["turns"][0]["calls"][0]["outcome"] == "ok"
