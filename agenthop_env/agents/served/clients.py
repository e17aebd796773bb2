"""The vendors' SDKs, imported where they are used; their own retries are off, since ours know the protocol's endings."""

from __future__ import annotations

import importlib
from typing import Any, Final

from agenthop_env.agents.protocol import AgentError
from agenthop_env.agents.served.settings import Options

CONNECTIONS: Final = 1024
"""Connections at most; hundreds of episodes are in flight at a time."""

OPENAI_URL: Final = "https://api.openai.com/v1"
ANTHROPIC_URL: Final = "https://api.anthropic.com"


def sdk(module: str, extra: str) -> Any:
    """An SDK's module.

    Raises:
        AgentError: If it is not installed; the message says which extra to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError as problem:
        raise AgentError(f"this needs {module} ({problem}): pip install 'agenthop-env[{extra}]'") from None


def openai_client(options: Options, key: str) -> Any:
    """A client for chat completions and responses."""
    openai = sdk("openai", "openai")
    return openai.AsyncOpenAI(
        api_key=key,
        base_url=options.base_url or OPENAI_URL,
        max_retries=0,
        timeout=options.retry.request_seconds,
        http_client=openai.DefaultAsyncHttpxClient(limits=_limits(openai)),
    )


def anthropic_client(options: Options, key: str) -> Any:
    """A client for messages."""
    anthropic = sdk("anthropic", "anthropic")
    return anthropic.AsyncAnthropic(
        api_key=key,
        base_url=options.base_url or ANTHROPIC_URL,
        max_retries=0,
        timeout=options.retry.request_seconds,
        http_client=anthropic.DefaultAsyncHttpxClient(limits=_limits(anthropic)),
    )


def genai_client(options: Options, key: str) -> Any:
    """A client for Gemini."""
    genai = sdk("google.genai", "genai")
    http: dict[str, Any] = {
        "timeout": int(options.retry.request_seconds * 1000),
        "retry_options": {"attempts": 1},
        "async_client_args": {"limits": _limits(genai)},
    }
    if options.base_url is not None:
        http["base_url"] = options.base_url
    return genai.Client(api_key=key, vertexai=False, http_options=http)


async def openai_models(client: Any) -> list[str]:
    """Names of the models that a server has."""
    return [model.id async for model in client.models.list()]


async def genai_models(client: Any) -> list[str]:
    """Names of the models that the server has."""
    return [str(model.name).removeprefix("models/") async for model in await client.aio.models.list()]


async def close(client: Any) -> None:
    """Close a client's connections."""
    one = getattr(client, "aio", client)
    ending = getattr(one, "aclose", None) or getattr(one, "close", None)
    if ending is not None:
        await ending()


def _limits(owner: Any) -> Any:
    """Connection limits, of the HTTP library that an SDK uses."""
    base = getattr(owner, "DefaultAsyncHttpxClient", None)
    names = [kind.__module__.partition(".")[0] for kind in base.__mro__] if base is not None else []
    for name in [*(name for name in names if name in ("httpx", "httpx2")), "httpx2", "httpx"]:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        return module.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS // 4)
    return None
