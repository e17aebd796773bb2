"""One small call before a long run: does the server return tool calls and usage, and if not, what to change."""

from __future__ import annotations

import difflib
import time
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from agenthop_env.actions import parse
from agenthop_env.agents.protocol import AgentError
from agenthop_env.agents.served.conversation import Reply
from agenthop_env.agents.served.errors import HardError, ServedError
from agenthop_env.agents.served.factory import ServedFactory
from agenthop_env.agents.served.retrying import persist
from agenthop_env.agents.served.serving import serve_command
from agenthop_env.agents.served.settings import Retry
from agenthop_env.records import Usage
from agenthop_env.sandbox.opening import example_call
from agenthop_env.sandbox.prompts import prompt_set

_TOOL: Final = "get_paper_info"
_ASK: Final = 'Call the tool get_paper_info with the paper_id "2001.00001" now. Answer with that one call and nothing else.'
_QUICK: Final = Retry(request_seconds=120.0, total_seconds=180.0, attempts=3, hard_errors=1)
_SHOWN: Final = 12


class Preflight(NamedTuple):
    """What the call showed.

    Attributes:
        ok: Whether a run can start.
        problems: What must be changed, in sentences; empty where all is well.
        remarks: What else to know.
        usage: Tokens of the call, None where the server reports none.
        seconds: Wall time of the call.
        calls: How calls come: `native`, `text`, or None where none came.
    """

    ok: bool
    problems: tuple[str, ...]
    remarks: tuple[str, ...]
    usage: Usage | None
    seconds: float
    calls: str | None


def preflight(factory: ServedFactory) -> Preflight:
    """Check a server with one small call; never raises for what the server does.

    Args:
        factory: The factory of the agents that will run.
    """
    return factory.wait_for(preflight_async(factory))


async def preflight_async(factory: ServedFactory) -> Preflight:
    """As `preflight`, in an event loop."""
    start = time.monotonic()
    try:
        reply = await _asked(factory)
    except AgentError as problem:
        advice = await _advice(factory, problem)
        return Preflight(False, (advice,), (), None, time.monotonic() - start, None)
    seconds = time.monotonic() - start
    parsed = parse(reply.text).calls
    calls = "native" if reply.calls else "text" if parsed else None
    problems, remarks = _calls_seen(factory, calls, reply)
    if reply.usage is None:
        remarks.append(
            "the server reports no token counts, so they will be counted here, by characters unless a tokenizer is given"
        )
    if "<think>" in reply.text or "</think>" in reply.text:
        parser = serve_command(factory.name).reasoning_parser
        remarks.append(
            "the reasoning comes inside the content; vLLM sets it apart with --reasoning-parser "
            f"{parser or 'NAME'} (calls are found either way)"
        )
    return Preflight(not problems, tuple(problems), tuple(remarks), reply.usage, seconds, calls)


async def _asked(factory: ServedFactory) -> Reply:
    """The reply to a tiny chat, in the factory's own tool mode."""
    conversation = factory.conversation()
    native = factory.tool_mode == "native"
    how = "" if native else f" Write a tool call like this one:\n{example_call('auto', (_TOOL,))}"
    conversation.take(
        [
            {"role": "system", "content": f"You look up papers with the tool {_TOOL}(paper_id).{how}"},
            {"role": "user", "content": _ASK},
        ]
    )
    client = factory.client()
    tools = prompt_set().schemas((_TOOL,)) if native else ()
    own = factory.options.retry
    retry = msgspec.structs.replace(_QUICK, request_seconds=min(own.request_seconds, _QUICK.request_seconds))
    return await persist(lambda: conversation.ask(client, tools), retry, redact=factory.redact)


def _calls_seen(factory: ServedFactory, calls: str | None, reply: Reply) -> tuple[list[str], list[str]]:
    """Problems and remarks on how the call came."""
    native = factory.tool_mode == "native"
    if calls == ("native" if native else "text"):
        return [], []
    if calls == "text":
        return [], [
            "the server leaves tool calls in the content; they are parsed from it and counted. To get them structured: "
            + _flags(factory)
        ]
    if calls == "native":
        return [], [
            "the server returns structured calls though text tools are asked for; they are taken as they are"
        ]
    if reply.finish == "length":
        return [], ["the answer was cut off at max_tokens before any call; raise it for a reasoning model"]
    shown = " ".join((reply.text or reply.reasoning or "").split())[:160]
    advice = f" {_flags(factory)}; or evaluate with text tools" if native else ""
    return [f"no tool call came back, only {shown!r}.{advice}"], []


def _flags(factory: ServedFactory) -> str:
    serving = serve_command(factory.name)
    if serving.tool_parser is None:
        return (
            "start vLLM with --enable-auto-tool-choice --tool-call-parser NAME (none is known for this model; "
            "`agenthop serve-command` tells more)"
        )
    return f"start vLLM with --enable-auto-tool-choice --tool-call-parser {serving.tool_parser}"


async def _advice(factory: ServedFactory, problem: AgentError) -> str:
    """What an error means and what to do."""
    if not isinstance(problem, ServedError):
        return str(problem)
    url = factory.options.base_url or "the vendor's API"
    if problem.kind == "auth":
        return (
            f"{url} refused the key ({problem}); set AGENTHOP_API_KEY or the vendor's own variable, or name a file with "
            "--api-key-file"
        )
    if problem.kind == "quota":
        return f"the account at {url} has no credit left ({problem})"
    if (
        "tool-call-parser" in str(problem)
        or "auto-tool-choice" in str(problem)
        or "tool choice" in str(problem)
    ):
        return (
            f"the server does not take tool calls ({problem}); {_flags(factory)}; or evaluate with text tools"
        )
    if problem.kind == "not_found" or _names_the_model(problem):
        return await _not_found(factory, problem, url)
    if problem.kind == "connection":
        return (
            f"nothing answers at {url} ({problem}); is the server up, and the port right?{_slash_v1(factory)}"
        )
    if problem.kind == "timeout":
        return f"{url} took longer than the time for one call ({problem}); is the model still loading?"
    if problem.kind == "unreadable":
        return (
            f"{url} answers, but not as the {factory.options.api} API does ({problem}).{_slash_v1(factory)}"
        )
    if isinstance(problem, HardError):
        return f"{url} refuses the request ({problem})"
    return f"{url} cannot answer now ({problem})"


def _names_the_model(problem: ServedError) -> bool:
    text = str(problem).lower()
    return isinstance(problem, HardError) and "model" in text and ("not" in text or "unknown" in text)


async def _not_found(factory: ServedFactory, problem: ServedError, url: str) -> str:
    """Either the model or the path is wrong: what the server says it has tells which."""
    try:
        names = await persist(factory.models, _QUICK, redact=factory.redact)
    except AgentError:
        return f"{url} knows no such place ({problem}).{_slash_v1(factory)}"
    if factory.name in names:
        return f"{url} has the model but refuses the request ({problem}).{_slash_v1(factory)}"
    near = difflib.get_close_matches(factory.name, names, _SHOWN, cutoff=0.0)
    more = "" if len(names) <= len(near) else f" and {len(names) - len(near)} more"
    return f"{url} has no model {factory.name!r}; it serves {', '.join(near) or 'none'}{more}"


def _slash_v1(factory: ServedFactory) -> str:
    base_url = factory.options.base_url
    if base_url is None or factory.options.api not in ("chat", "responses"):
        return ""
    if urlsplit(base_url).path.rstrip("/").endswith("/v1"):
        return ""
    return f" Most servers want /v1 at the end: {base_url}/v1"
