"""Faults of every kind: each ends as the protocol says, nothing hangs, and no key is told."""

from __future__ import annotations

import json
import logging
import pickle
import random
import threading
import time
import traceback
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from canary import CANARY
from loopback import HTML, Answer, Loopback, Request, error
from policies import Said, assert_same, call, direct, hand_written, scripts
from rounds import QUICK, factory_for, needs, play_all, policy_of, serve, vendor
from vendors import MODEL, VENDORS, Vendor

from agenthop_env.agents import play
from agenthop_env.agents.protocol import AgentError
from agenthop_env.agents.served import HardError, ServedFactory, TransientExhausted, make_served
from agenthop_env.agents.served.errors import seconds_until
from agenthop_env.corpus.store import Corpus
from agenthop_env.sandbox.episode import Episode

APIS = tuple(VENDORS)


def soon() -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=1), usegmt=True)


TRANSIENT: dict[str, Callable[[], Answer]] = {
    "429": lambda: error(429),
    "429 with seconds": lambda: error(429)._replace(headers={"Retry-After": "0"}),
    "429 with a date": lambda: error(429)._replace(headers={"Retry-After": soon()}),
    "408": lambda: error(408),
    "500": lambda: error(500),
    "502 in HTML": lambda: Answer(502, HTML, kind="text/html"),
    "503": lambda: error(503),
    "529": lambda: error(529),
    "reset": lambda: Answer(body=json.dumps({"id": "x" * 500}), cut=40),
    "reset before anything": lambda: Answer(body="", cut=0, status=200),
    "HTML": lambda: Answer(body=HTML, kind="text/html"),
    "HTML that says it is JSON": lambda: Answer(body=HTML),
    "empty": lambda: Answer(body=""),
    "torn JSON": lambda: Answer(body='{"id": "x", "choi'),
    "empty object": lambda: Answer(body="{}"),
    "hang": lambda: Answer(body="{}", hang=30.0),
}


class Faulty:
    """Answers with faults first, then as the vendor."""

    def __init__(self, server: Vendor, faults: Iterator[Answer | None]) -> None:
        self.server = server
        self.faults = faults
        self.times: list[float] = []
        self.lock = threading.Lock()

    def __call__(self, request: Request) -> Answer:
        with self.lock:
            self.times.append(time.monotonic())
            fault = next(self.faults, None)
        return self.server(request) if fault is None else fault


def once(
    api: str, faults: list[Answer], retry: dict[str, Any] | None = None, **settings: Any
) -> tuple[Any, Faulty]:
    """One request against some faults: the message or the exception, and the server."""
    faulty = Faulty(vendor(api, lambda text, chat: Said("", (call("think", thought="x"),))), iter(faults))
    with serve(faulty) as at:
        factory = factory_for(faulty.server, at.url, retry={**QUICK, **(retry or {})}, **settings)
        conversation = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
        agent = factory.begin(_Anything())
        try:
            return agent.act(conversation, []), faulty
        except AgentError as problem:
            return problem, faulty
        finally:
            factory.close()


class _Anything(Episode):
    """An episode that is asked for its modes alone."""

    def __init__(self) -> None:
        self.tool_mode = "native"
        self.tool_format = "auto"


@pytest.mark.parametrize("kind", TRANSIENT)
@pytest.mark.parametrize("api", APIS)
def test_what_passes_is_tried_again(api: str, kind: str) -> None:
    said, faulty = once(
        api, [TRANSIENT[kind](), TRANSIENT[kind]()], {"request_seconds": 0.4 if kind == "hang" else 5.0}
    )
    assert said.calls is not None, said
    assert said.calls[0].name == "think"
    assert len(faulty.times) == 3


@pytest.mark.parametrize("kind", TRANSIENT)
def test_what_does_not_pass_ends_in_time_as_exhausted(kind: str) -> None:
    retry = {"attempts": 3, "request_seconds": 0.4 if kind == "hang" else 5.0}
    said, faulty = once("chat", [TRANSIENT[kind]() for _ in range(9)], retry)
    assert isinstance(said, TransientExhausted), repr(said)
    assert said.attempts == len(faulty.times) == 3
    assert not said.hopeless
    assert pickle.loads(pickle.dumps(said)).kind == said.kind


@pytest.mark.parametrize("api", APIS)
def test_the_whole_of_a_request_has_a_deadline(api: str) -> None:
    needs(api)
    retry = {"attempts": 100, "request_seconds": 0.3, "total_seconds": 0.9}
    said, faulty = once(api, [TRANSIENT["hang"]() for _ in range(9)], retry)
    assert isinstance(said, TransientExhausted)
    assert said.kind == "timeout"
    assert 1 <= len(faulty.times) <= 4


def test_the_server_is_given_the_time_that_it_asks_for() -> None:
    said, faulty = once("chat", [error(429)._replace(headers={"Retry-After": "0.6"})])
    assert said.calls
    assert faulty.times[1] - faulty.times[0] >= 0.6
    said, faulty = once(
        "genai", [error(429, details=[{"@type": "x/google.rpc.RetryInfo", "retryDelay": "0.6s"}])]
    )
    assert said.calls
    assert faulty.times[1] - faulty.times[0] >= 0.6


def test_a_wait_past_the_deadline_is_not_waited() -> None:
    said, faulty = once("chat", [error(429)._replace(headers={"Retry-After": "3600"})])
    assert isinstance(said, TransientExhausted)
    assert said.kind == "rate_limit"
    assert len(faulty.times) == 1
    assert "3600" in str(said)


@pytest.mark.parametrize("value", ["nan", "inf", "never", "", "-5", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_retry_after_that_makes_no_sense_is_no_wait(value: str) -> None:
    assert not seconds_until(value)


@pytest.mark.parametrize("api", APIS)
def test_five_refusals_in_a_row_are_enough(api: str) -> None:
    said, faulty = once(api, [error(400, "bad field") for _ in range(9)])
    assert isinstance(said, HardError)
    assert (said.status, said.kind, said.attempts, said.hopeless) == (400, "bad_request", 5, False)
    assert len(faulty.times) == 5
    assert "bad field" in str(said)


def test_refusals_that_are_not_in_a_row_are_not_enough() -> None:
    faults = [error(400)] * 4 + [error(500)] + [error(422)] * 4
    said, faulty = once("chat", faults, {"attempts": 20})
    assert said.calls
    assert len(faulty.times) == 10


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (error(401), "auth"),
        (error(404), "not_found"),
        (error(429, "You exceeded your current quota", code="insufficient_quota"), "quota"),
    ],
)
@pytest.mark.parametrize("api", APIS)
def test_what_can_never_succeed_is_asked_once(api: str, fault: Answer, kind: str) -> None:
    said, faulty = once(api, [fault] * 9)
    assert isinstance(said, HardError)
    assert (said.kind, said.hopeless, len(faulty.times)) == (kind, True, 1)


def test_a_context_that_is_too_long_says_so() -> None:
    said, _ = once("chat", [error(400, "This model's maximum context length is 4096 tokens.")] * 9)
    assert isinstance(said, HardError)
    assert said.kind == "context_length"


def test_a_key_at_the_end_of_a_long_message_is_not_told_in_part() -> None:
    said, _ = once("chat", [error(400, "x" * 590 + CANARY)] * 9)
    assert CANARY[:8] not in str(said)


def test_nobody_at_the_other_end() -> None:
    needs("chat")
    with serve(lambda request: Answer()) as at:
        url = at.url
    factory = make_served(MODEL, f"{url}/v1", retry={**QUICK, "attempts": 2})
    agent = factory.begin(_Anything())
    with pytest.raises(TransientExhausted) as caught:
        agent.act([{"role": "user", "content": "u"}], [])
    assert caught.value.kind == "connection"
    assert len(agent.problems) == 2


def random_faults(seed: int, share: float, kinds: list[str]) -> Iterator[Answer | None]:
    chance = random.Random(seed)
    while True:
        yield TRANSIENT[chance.choice(kinds)]() if chance.random() < share else None


@pytest.mark.parametrize("api", APIS)
def test_records_are_the_same_through_faults(corpus: Corpus, api: str) -> None:
    through_faults(corpus, api, "random", range(1))


@pytest.mark.slow
@pytest.mark.parametrize("api", APIS)
def test_records_are_the_same_through_thousands_of_faults(corpus: Corpus, api: str) -> None:
    through_faults(corpus, api, "random", range(12))


def through_faults(corpus: Corpus, api: str, agent: str, seeds: range) -> None:
    kinds = [kind for kind in TRANSIENT if kind not in ("hang", "429 with a date")]
    for seed in seeds:
        said = scripts(corpus, agent, seed)
        faulty = Faulty(vendor(api, policy_of(corpus, said)), random_faults(seed, 0.4, kinds))
        with serve(faulty) as at:
            factory = factory_for(
                faulty.server, at.url, retry={**QUICK, "attempts": 40, "total_seconds": 60.0}
            )
            for episode in play_all(corpus, factory, list(said)):
                assert_same(
                    episode.record(), direct(corpus, episode.item_id, said[episode.item_id], "native")
                )
        counts = factory.statistics
        assert sum(counts.faults.values()) == counts.retries == len(faulty.times) - counts.messages
        assert counts.retries > 0


@pytest.mark.parametrize("api", APIS)
def test_the_key_is_told_to_the_server_and_to_nobody_else(
    corpus: Corpus, api: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[str] = []
    faults = iter([echo, echo, None] * 3 + [echo] * 20)
    server = vendor(api, policy_of(corpus, {"st_0001": hand_written()}))

    def respond(request: Request) -> Answer:
        fault = next(faults)
        return server(request) if fault is None else fault(request)

    with serve(respond) as at:
        factory = factory_for(server, at.url)
        episode = Episode(
            corpus, "st_0001", tool_mode="native", agent=factory.name, agent_settings=factory.settings
        )
        agent = factory.begin(episode)
        with pytest.raises(HardError) as caught:
            play(episode, agent)
        factory.close()
        headers = [request.headers for request in at.requests]
    told += ["".join(traceback.format_exception(caught.value)), repr(caught.value), str(vars(caught.value))]
    told += [
        repr(factory),
        json.dumps(factory.settings),
        repr(factory.options),
        repr(agent),
        repr(vars(agent)),
    ]
    told += [
        episode.record().to_json(),
        repr(agent.problems),
        repr(factory.statistics.as_dict()),
        caplog.text,
    ]
    told += [repr(pickle.dumps(factory)), repr(pickle.dumps(caught.value)), *capfd.readouterr()]
    assert [place for place, text in enumerate(told) if CANARY in text] == []
    assert all(CANARY in repr(one) for one in headers), "the server got it"
    assert "[key]" in str(caught.value)
    assert caught.value.__context__ is None
    assert len(agent.problems) == 2 * 3 + 5


def echo(request: Request) -> Answer:
    """A server that tells what it was sent, key and all."""
    return error(400, f"you sent {request.headers}")


def test_a_key_file_is_read_when_it_is_needed_and_never_told(tmp_path: Path) -> None:
    needs("chat")
    file = tmp_path / "key"
    factory = make_served(MODEL, "http://127.0.0.1:9/v1", api_key_file=file)
    with pytest.raises(AgentError, match="cannot be read"):
        factory.wait_for(_client(factory))
    file.write_text(f"{CANARY}\n")
    copy = pickle.loads(pickle.dumps(factory))
    assert copy.wait_for(_client(copy)).api_key == CANARY
    assert CANARY not in repr(pickle.dumps(copy)) + repr(copy) + json.dumps(copy.settings)
    assert str(file) not in json.dumps(copy.settings)
    file.write_text("two keys")
    with pytest.raises(AgentError, match="one key"):
        factory.wait_for(_client(factory))


async def _client(factory: ServedFactory) -> Any:
    return factory.client()


@pytest.mark.parametrize(
    "url", ["http://user:sk-canary-7f3a91c2d5e84b60@host/v1", "http://host/v1?key=sk-canary-7f3a91c2d5e84b60"]
)
def test_a_base_url_with_a_key_in_it_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(AgentError, match="--api-key-file") as caught:
        make_served(MODEL, url)
    assert CANARY not in str(caught.value)


def test_a_vendors_key_goes_to_that_vendor_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("chat")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai-only")
    monkeypatch.delenv("AGENTHOP_API_KEY")
    mine = make_served(MODEL, "http://127.0.0.1:9/v1")
    theirs = make_served("gpt-5")
    assert mine.wait_for(_client(mine)).api_key == "EMPTY"
    assert theirs.wait_for(_client(theirs)).api_key == "sk-of-openai-only"
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(AgentError, match="OPENAI_API_KEY"):
        make_served("gpt-5").wait_for(_client(make_served("gpt-5")))


def test_loopback_servers_do_not_hide_failed_checks() -> None:
    def refuse(request: Request) -> Answer:
        raise AssertionError("as a vendor would")

    def ask() -> None:
        with Loopback(refuse) as at, pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(at.url)

    with pytest.raises(AssertionError, match="as a vendor would"):
        ask()
