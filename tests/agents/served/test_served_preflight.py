"""The call before a run says plainly what is wrong and what to change."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from canary import CANARY
from loopback import HTML, Answer, Request, error
from policies import Said, call
from rounds import QUICK, factory_for, needs, serve, vendor
from vendors import MODEL, VENDORS, Policy

from agenthop_env.agents.served import Preflight, make_served, preflight
from agenthop_env.agents.served.preflight import preflight_async

LOOK = call("get_paper_info", paper_id="2001.00001")


def calls(text: str, chat: str) -> Said:
    return Said("", (LOOK,))


def checked(
    api: str = "chat",
    policy: Policy = calls,
    respond: Callable[[Request], Answer] | None = None,
    *,
    path: str = "/v1",
    model: str = MODEL,
    usage: bool = True,
    in_text: bool = False,
    tool_mode: str = "native",
) -> Preflight:
    server = vendor(api, policy, usage=usage, in_text=in_text)
    with serve(respond or server) as at:
        url = at.url + (path if api in ("chat", "responses") else "")
        factory = make_served(model, url, api, tool_mode=tool_mode, retry={**QUICK, "request_seconds": 2.0})
        found = preflight(factory)
        factory.close()
    told = " ".join([*found.problems, *found.remarks])
    assert CANARY not in told
    return found


@pytest.mark.parametrize("tool_mode", ["native", "text"])
@pytest.mark.parametrize("api", VENDORS)
def test_a_server_that_does_what_it_should_passes(api: str, tool_mode: str) -> None:
    found = checked(api, in_text=tool_mode == "text", tool_mode=tool_mode)
    assert found.ok
    assert (found.problems, found.remarks, found.calls) == ((), (), tool_mode)
    assert found.usage is not None
    assert found.seconds > 0


def test_calls_in_the_content_are_remarked_with_the_flags() -> None:
    server = vendor("chat", calls, in_text=True)
    server.check = lambda body: None  # type: ignore[method-assign]
    found = checked(respond=server, model="Qwen/Qwen3-8B")
    assert found.ok
    assert found.calls == "text"
    assert "--enable-auto-tool-choice --tool-call-parser hermes" in found.remarks[0]


def test_no_call_at_all_is_a_problem_with_a_way_out() -> None:
    found = checked(policy=lambda text, chat: Said("I cannot call tools."))
    assert not found.ok
    assert "I cannot call tools." in found.problems[0]
    assert "text tools" in found.problems[0]


def test_usage_that_is_missing_is_remarked() -> None:
    found = checked(usage=False)
    assert found.ok
    assert found.usage is None
    assert "no token counts" in found.remarks[0]


def test_reasoning_in_the_content_is_remarked() -> None:
    server = vendor("chat", lambda text, chat: Said("<think>hm</think>", (LOOK,)))
    server.check = lambda body: None  # type: ignore[method-assign]
    found = checked(respond=server, model="Qwen/Qwen3-8B")
    assert any("--reasoning-parser qwen3" in remark for remark in found.remarks)


def test_vllm_without_its_flags() -> None:
    message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
    found = checked(respond=lambda request: error(400, message), model="Qwen/Qwen3-8B")
    assert not found.ok
    assert "--tool-call-parser hermes" in found.problems[0]


def test_a_wrong_model_lists_those_that_are_served() -> None:
    server = vendor("chat", calls)

    def respond(request: Request) -> Answer:
        return (
            server(request)
            if request.method == "GET"
            else error(404, "The model `tset-model` does not exist.")
        )

    found = checked(respond=respond, model="tset-model")
    assert f"it serves {MODEL}" in found.problems[0]


def test_a_url_without_v1() -> None:
    found = checked(respond=lambda request: Answer(404, json.dumps({"detail": "Not Found"})), path="")
    assert "/v1" in found.problems[0]
    found = checked(respond=lambda request: Answer(200, HTML, kind="text/html"), path="/ui")
    assert "/v1" in found.problems[0]


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("api", VENDORS)
def test_a_key_that_is_refused(api: str, status: int) -> None:
    found = checked(api, respond=lambda request: error(status, f"bad key {request.headers}"))
    assert "refused the key" in found.problems[0]
    assert "--api-key-file" in found.problems[0]


def test_nobody_there_and_no_credit() -> None:
    needs("chat")
    with serve(lambda request: Answer()) as at:
        url = at.url
    found = preflight(make_served(MODEL, f"{url}/v1", retry=QUICK))
    assert "is the server up" in found.problems[0]
    found = checked(
        respond=lambda request: error(429, "exceeded your current quota", code="insufficient_quota")
    )
    assert "no credit" in found.problems[0]


def test_no_key_says_which_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("chat")
    monkeypatch.delenv("AGENTHOP_API_KEY")
    found = preflight(make_served("gpt-5"))
    assert not found.ok
    assert "OPENAI_API_KEY" in found.problems[0]


def test_it_can_be_awaited() -> None:
    import asyncio

    server = vendor("chat", calls)
    with serve(server) as at:
        factory = factory_for(server, at.url)

        async def run() -> Preflight:
            try:
                return await preflight_async(factory)
            finally:
                await factory.aclose()

        assert asyncio.run(run()).ok
