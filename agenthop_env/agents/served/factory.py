"""The factory of served agents: one client for all episodes of an event loop, and what their requests came to."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Coroutine, Mapping
from types import ModuleType
from typing import Any, Final, TypeVar

import msgspec

from agenthop_env.agents.protocol import AgentError
from agenthop_env.agents.served import chat, clients, genai, messages, responses
from agenthop_env.agents.served.agent import ServedAgent
from agenthop_env.agents.served.conversation import Conversation, Reply
from agenthop_env.agents.served.errors import Fault
from agenthop_env.agents.served.keys import KeySource, checked_url, key_source
from agenthop_env.agents.served.presets import NO_PRESET, preset_for
from agenthop_env.agents.served.settings import APIS, REASONING_HISTORIES, STATES, Options, Retry, Sampling
from agenthop_env.agents.served.statistics import Statistics
from agenthop_env.records import Json
from agenthop_env.sandbox.episode import TOOL_MODES, Episode

T = TypeVar("T")

_MODULES: Final[dict[str, tuple[ModuleType, type[Conversation]]]] = {
    "chat": (chat, chat.ChatConversation),
    "responses": (responses, responses.ResponsesConversation),
    "messages": (messages, messages.MessagesConversation),
    "genai": (genai, genai.GenAIConversation),
}


class ServedFactory:
    """Makes agents over one served model; pickles as its options, never with a key or a client.

    Args:
        options: What the agents do.
        key: Where the key is read when the first client is made.

    Attributes:
        name: The model's name.
        settings: The options, for records.
        options: The options.
        statistics: What the requests came to, in this process.
    """

    def __init__(self, options: Options, key: KeySource) -> None:
        self.name = options.model
        self.settings: dict[str, Json] = options.recorded()
        self.options = options
        self.statistics = Statistics()
        self._key = key
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = weakref.WeakKeyDictionary()

    @property
    def tool_mode(self) -> str:
        """The tool mode that episodes must have: `native` or `text`."""
        return self.options.tool_mode

    def begin(self, episode: Episode) -> ServedAgent:
        """An agent for an episode that is about to start.

        Raises:
            AgentError: If the episode has another tool mode.
        """
        if episode.tool_mode != self.tool_mode:
            raise AgentError(
                f"the agent is set to {self.tool_mode} tools and the episode to {episode.tool_mode} ones; give both the "
                "same tool_mode"
            )
        return ServedAgent(self, episode.tool_format)

    def conversation(self) -> Conversation:
        """An empty conversation."""
        return _MODULES[self.options.api][1](self.options)

    def client(self) -> Any:
        """The SDK's client of the running event loop, made at the first call.

        Raises:
            AgentError: If the SDK or the key is missing.
        """
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = _MODULES[self.options.api][0].make_client(self.options, self._key.read())
            self._clients[loop] = client
        return client

    async def models(self) -> list[str]:
        """Names of the models that the server says it has."""
        names: list[str] = await _MODULES[self.options.api][0].model_names(self.client())
        return names

    async def aclose(self) -> None:
        """Close the running event loop's client."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await clients.close(client)

    def close(self) -> None:
        """Close the client that `act` used."""
        self.wait_for(self.aclose())

    def redact(self, text: str) -> str:
        """A text without the key."""
        return self._key.redact(text)

    def wait_for(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine that runs in a loop of its own thread, shared by all that wait in this process."""
        return asyncio.run_coroutine_threadsafe(coroutine, _loop()).result()

    def count(self, reply: Reply, seconds: float, from_text: bool) -> None:
        """Count an answer."""
        counts = self.statistics
        counts.messages += 1
        counts.seconds += seconds
        counts.calls_from_text += from_text
        counts.finish_reasons[reply.finish] += 1
        counts.unparsed_arguments += sum(asked.unparsed for asked in reply.calls)
        counts.mended_ids += sum(asked.mended for asked in reply.calls)
        if reply.usage is None:
            counts.usage_missing += 1
        else:
            counts.usage += reply.usage

    def count_fault(self, fault: Fault) -> None:
        """Count a failed request."""
        self.statistics.fault(fault)

    def count_retry(self) -> None:
        """Count a request that is made again."""
        self.statistics.retries += 1

    def __repr__(self) -> str:
        return f"ServedFactory({self.name!r}, api={self.options.api!r}, base_url={self.options.base_url!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as its options and where its key is."""
        return ServedFactory, (self.options, self._key)


def make_served(
    model: str,
    base_url: str | None = None,
    api: str = "auto",
    *,
    tool_mode: str = "native",
    preset: bool = True,
    sampling: Sampling | Mapping[str, Any] | None = None,
    reasoning_history: str = "auto",
    extra_body: Mapping[str, Any] | None = None,
    state: str = "client",
    caching: bool = True,
    parallel_calls: bool | None = None,
    retry: Retry | Mapping[str, Any] | None = None,
    api_key_env: str | None = None,
    api_key_file: str | os.PathLike[str] | None = None,
) -> ServedFactory:
    """The factory of agents over a served model.

    Args:
        model: Name that the server knows the model by.
        base_url: The server, e.g. ``http://localhost:8000/v1``; None for the vendor's own.
        api: `chat`, `responses`, `messages` or `genai`; `auto` tells it from the model's name and the base URL.
        tool_mode: `native` (the server's tool calling) or `text` (calls are parsed from the content).
        preset: Whether the sampling of the model's family applies where none is given.
        sampling: How the model is sampled; what is given goes before the preset.
        reasoning_history: `keep` or `drop` reasoning text of earlier turns; `auto` does what the family needs.
        extra_body: Fields added to every request as they are, on top of the preset's.
        state: Who keeps the conversation (responses): `client`, or `server` by `previous_response_id`.
        caching: Whether prompt caching is asked for (messages).
        parallel_calls: Whether several calls a message are allowed; None leaves it to the server.
        retry: How long a request is tried.
        api_key_env: Environment variable to read the key from, instead of the usual one.
        api_key_file: File that holds the key and nothing else.

    Raises:
        AgentError: If a setting is none of the known ones, or not one of that API's.
    """
    if not model.strip():
        raise AgentError("a served agent needs the model's name, as the server knows it")
    base_url = None if base_url is None else checked_url(base_url)
    if api == "auto":
        api = api_for(model, base_url)
    _one_of("api", api, APIS)
    _one_of("tool_mode", tool_mode, TOOL_MODES)
    _one_of("reasoning_history", reasoning_history, REASONING_HISTORIES)
    _one_of("state", state, STATES)
    found = preset_for(model) if preset else NO_PRESET
    chosen = _struct(sampling, Sampling, "sampling")
    sampled = _MODULES[api][0].SAMPLED
    beyond = [name for name in chosen.given() if name not in sampled]
    if beyond:
        raise AgentError(f"the {api} API takes no {', '.join(beyond)}; it takes {', '.join(sorted(sampled))}")
    fitting = {name: value for name, value in found.sampling.given().items() if name in sampled}
    history = found.reasoning_history if reasoning_history == "auto" else reasoning_history
    if api != "chat":
        if reasoning_history == "drop":
            raise AgentError(
                f"the {api} API wants its reasoning back; reasoning_history=drop is for chat alone"
            )
        history = "keep"
    body = {**(found.extra_body if api == "chat" else {}), **(extra_body or {})}
    options = Options(
        model=model,
        api=api,
        base_url=base_url,
        tool_mode=tool_mode,
        reasoning_history=history,
        sampling=chosen.over(Sampling(**fitting)),
        extra_body=body,
        state=state,
        caching=caching,
        parallel_calls=parallel_calls,
        family=found.family,
        retry=_struct(retry, Retry, "retry"),
    )
    return ServedFactory(options, key_source(api, base_url, api_key_env, api_key_file))


def api_for(model: str, base_url: str | None = None) -> str:
    """The API that a model is spoken to by: the vendor's own for its models, chat completions for all else."""
    host = (base_url or "").lower()
    name = model.lower()
    if base_url is None:
        if name.startswith("claude"):
            return "messages"
        if name.startswith(("gemini", "models/gemini")):
            return "genai"
        if name.startswith(("gpt-", "o1", "o3", "o4", "chatgpt", "codex")) and "gpt-oss" not in name:
            return "responses"
        raise AgentError(f"where is {model!r} served? give base_url, e.g. http://localhost:8000/v1")
    if "anthropic" in host:
        return "messages"
    if "googleapis" in host and "openai" not in host:
        return "genai"
    return "responses" if "api.openai.com" in host else "chat"


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise AgentError(f"{name} must be one of {', '.join(known)}, not {value!r}")


S = TypeVar("S", bound=msgspec.Struct)


def _struct(given: Any, kind: type[S], name: str) -> S:
    if isinstance(given, kind):
        return given
    try:
        return msgspec.convert(dict(given or {}), kind)
    except (msgspec.ValidationError, TypeError, ValueError) as problem:
        raise AgentError(f"{name}: {problem}; it takes {', '.join(kind.__struct_fields__)}") from None


_LOOPS: dict[int, asyncio.AbstractEventLoop] = {}
_STARTING: Final = threading.Lock()


def _loop() -> asyncio.AbstractEventLoop:
    """This process's loop for those that wait; a forked one gets its own."""
    with _STARTING:
        loop = _LOOPS.get(os.getpid())
        if loop is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="agenthop-served", daemon=True).start()
            _LOOPS[os.getpid()] = loop
        return loop
