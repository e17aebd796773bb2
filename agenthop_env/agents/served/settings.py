"""What a served agent is told: the model, how it is sampled, how long it is asked again."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from agenthop_env.records import Json

APIS: Final = ("chat", "responses", "messages", "genai")
REASONING_HISTORIES: Final = ("auto", "keep", "drop")
STATES: Final = ("client", "server")


class Sampling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a model is sampled. What is None is not sent: the server's own default holds, which records cannot know.

    Attributes:
        temperature: 0 to 2.
        top_p: 0 to 1.
        top_k: 1 and up.
        min_p: 0 to 1.
        max_tokens: Tokens that one message may have, reasoning included.
        presence_penalty: -2 to 2.
        frequency_penalty: -2 to 2.
        repetition_penalty: Above 0; 1 is none.
        seed: Seed of the server's sampling.
        reasoning_effort: E.g. `low`, `medium`, `high`; the server says which there are.
        reasoning_budget: Tokens that thinking may take (messages, genai).
        thinking: `adaptive`, `enabled` or `disabled` (messages).
    """

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    max_tokens: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    repetition_penalty: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    reasoning_budget: int | None = None
    thinking: Literal["adaptive", "enabled", "disabled"] | None = None

    def given(self) -> dict[str, Any]:
        """What is set."""
        return {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not None}

    def over(self, other: Sampling) -> Sampling:
        """This one's values, and another's where this one has none."""
        return Sampling(**(other.given() | self.given()))


class Retry(msgspec.Struct, frozen=True, kw_only=True):
    """How long a request is tried.

    Attributes:
        request_seconds: The deadline of one try, from sending to the last byte.
        total_seconds: The deadline of all tries of one request, waits included.
        attempts: Tries at most.
        first_wait: Seconds before the second try; doubled each time, shortened by up to half by chance.
        longest_wait: Seconds of the longest wait of our own; a server's Retry-After may ask for more.
        hard_errors: Consecutive errors that are not transient, after which the agent gives up.
    """

    request_seconds: float = 600.0
    total_seconds: float = 1800.0
    attempts: int = 16
    first_wait: float = 1.0
    longest_wait: float = 60.0
    hard_errors: int = 5


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """All that changes what a served agent does; recorded whole, and never a key.

    Attributes:
        model: Name that the server knows the model by.
        api: `chat`, `responses`, `messages` or `genai`.
        base_url: The server, None for the vendor's own.
        tool_mode: `native` (the server's tool calling) or `text`.
        reasoning_history: `keep` or `drop` reasoning text of earlier turns; never `auto` here.
        sampling: How the model is sampled.
        extra_body: Fields added to every request as they are.
        state: Who keeps the conversation (responses): `client`, or `server` by `previous_response_id`.
        caching: Whether prompt caching is asked for (messages).
        parallel_calls: Whether several calls a message are allowed; None leaves it to the server.
        family: Model family whose preset was used, empty for none.
        retry: How long a request is tried.
    """

    model: str
    api: str
    base_url: str | None = None
    tool_mode: str = "native"
    reasoning_history: str = "keep"
    sampling: Sampling = Sampling()
    extra_body: dict[str, Any] = {}
    state: str = "client"
    caching: bool = True
    parallel_calls: bool | None = None
    family: str = ""
    retry: Retry = Retry()

    def recorded(self) -> dict[str, Json]:
        """The options as records keep them: what is None or does not matter for the API is left out."""
        shown: dict[str, Json] = msgspec.to_builtins(self)
        shown["sampling"] = self.sampling.given()
        for name, api in (("state", "responses"), ("caching", "messages")):
            if self.api != api:
                del shown[name]
        if not self.extra_body:
            del shown["extra_body"]
        return {name: value for name, value in shown.items() if value is not None and value != ""}
