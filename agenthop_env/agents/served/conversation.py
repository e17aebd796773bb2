"""One episode's chat in a vendor's form, grown message by message.

The episode keeps the chat in OpenAI's shape and answers every turn with the assistant's message as it understood it,
the results, and any nudge. A conversation takes only what is new, converts it once, and keeps its own assistant
messages as the vendor sent them: reasoning, signatures and ids stand in them that the episode's form has no place for.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from agenthop_env.agents.protocol import ChatMessage, ToolSchema
from agenthop_env.agents.served.settings import Options
from agenthop_env.records import Json, ToolCall, Usage

FINISH_REASONS: Final = ("stop", "length", "tool_calls", "content_filter", "other")
"""What `Message.finish_reason` may be; the server's own word is in `Message.raw`."""

NOT_RUN: Final = "(not run)"
"""The result of a call that no message answers; every API refuses a call without a result."""

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_-]+")


class Asked(NamedTuple):
    """A call as a server returned it.

    Attributes:
        id: Its id, made up where the server's is missing or not the only one.
        call: The call for the episode; arguments that are no JSON object are the string as it came.
        mended: Whether the id had to be made up.
    """

    id: str
    call: ToolCall
    mended: bool = False

    @property
    def unparsed(self) -> bool:
        """Whether the arguments are no JSON object."""
        return not isinstance(self.call.arguments, dict)


class Reply(NamedTuple):
    """An assistant message, read out of a vendor's answer.

    Attributes:
        text: The text for the episode.
        calls: Structured calls, in order.
        usage: Tokens, None where the server reports none.
        reasoning: Reasoning text, where it comes apart.
        finish: One of `FINISH_REASONS`.
        own: What the vendor's history holds of it; the conversation appends it.
        raw: The vendor's message as plain JSON, with the server's own finish reason.
    """

    text: str
    calls: tuple[Asked, ...]
    usage: Usage | None
    reasoning: str | None
    finish: str
    own: Any
    raw: Json


class Conversation(ABC):
    """The vendor's form of one episode's chat.

    Args:
        options: The factory's options.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self._ids: set[str] = set()
        self._asked: dict[str, tuple[str, str]] = {}
        """Id in the episode's chat -> id and name at the vendor, of calls that wait for a result."""
        self._reply: Reply | None = None

    @abstractmethod
    async def ask(self, client: Any, tools: Sequence[ToolSchema]) -> Reply:
        """Make one request; the reply is not part of the conversation until `keep`."""

    @abstractmethod
    def system(self, text: str) -> None:
        """Take a system message."""

    @abstractmethod
    def user(self, text: str) -> None:
        """Take a user message."""

    @abstractmethod
    def result(self, call_id: str, name: str, text: str) -> None:
        """Take the result of a call."""

    @abstractmethod
    def said(self, text: str, calls: Sequence[Asked]) -> None:
        """Take an assistant message that this conversation did not make, such as a replayed prefix."""

    @abstractmethod
    def own(self, reply: Reply) -> None:
        """Append a reply in the vendor's form."""

    def keep(self, reply: Reply) -> None:
        """Make a reply part of the conversation."""
        self._reply = reply
        self.own(reply._replace(own=sendable(reply.own)))

    def take(self, messages: Sequence[ChatMessage]) -> bool:
        """Take what the episode's chat has grown by.

        Args:
            messages: The new messages; after a reply the first is that reply as the episode understood it.

        Returns:
            Whether it fits: False where the first message is not the reply, and all must be read anew.
        """
        if self._reply is not None:
            if not messages or not self._is(messages[0], self._reply):
                return False
            self._pair(messages[0], self._reply.calls)
            self._reply = None
            messages = messages[1:]
        for message in messages:
            self._take(message)
        return True

    def _take(self, message: ChatMessage) -> None:
        role, text = message.get("role"), sendable(message.get("content") or "")
        if role == "tool":
            given = str(message.get("tool_call_id"))
            call_id, name = self._asked.pop(given, (given, ""))
            self.result(call_id, name, text)
            return
        self._answer_the_rest()
        if role == "system":
            self.system(text)
        elif role == "assistant":
            calls = [self._foreign(call) for call in message.get("tool_calls") or ()]
            self.said(text, calls)
            self._pair(message, calls)
        else:
            self.user(text)

    def _answer_the_rest(self) -> None:
        for call_id, name in self._asked.values():
            self.result(call_id, name, NOT_RUN)
        self._asked.clear()

    def _pair(self, message: ChatMessage, calls: Sequence[Asked]) -> None:
        """Note which of the vendor's ids stands behind which of the episode's."""
        shown = [str(call.get("id")) for call in message.get("tool_calls") or ()]
        for place, asked in enumerate(calls):
            given = shown[place] if place < len(shown) else f"not shown {place}"
            self._asked[given] = (asked.id, vendor_name(asked.call.name))

    def _is(self, message: ChatMessage, reply: Reply) -> bool:
        shown = message.get("tool_calls") or ()
        return (
            message.get("role") == "assistant"
            and message.get("content") == reply.text
            and len(shown) in (0, len(reply.calls))
        )

    def _foreign(self, call: Mapping[str, Any]) -> Asked:
        function = call.get("function") or {}
        return self.asked(call.get("id"), function.get("name"), function.get("arguments"))

    def asked(self, call_id: Any, name: Any, arguments: Any) -> Asked:
        """A call with an id of its own; one that is missing or taken is replaced."""
        given = call_id if isinstance(call_id, str) else ""
        mended = not given or given in self._ids
        if mended:
            number = len(self._ids)
            given = f"call{number:05d}"  # nine letters and digits: what the strictest tokenizers take
            while given in self._ids:
                number += 1
                given = f"call{number:05d}"
        self._ids.add(given)
        called = name if isinstance(name, str) else str(name)
        return Asked(given, ToolCall(called, read_arguments(arguments)), mended)


def read_arguments(arguments: Any) -> Json:
    """Arguments as the episode takes them: an object, or the string as it came where it holds none."""
    if not isinstance(arguments, str):
        return {} if arguments is None else arguments
    if not arguments.strip():
        return {}
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    if isinstance(value, str):  # encoded twice; the episode reads a string that holds an object
        return value
    return value if isinstance(value, dict) else arguments


def vendor_name(name: str) -> str:
    """A tool's name as a history may hold it; servers refuse a history with any other."""
    if _NAME.fullmatch(name):
        return name
    return _NOT_IN_NAMES.sub("_", name)[:64] or "unnamed"


def vendor_arguments(arguments: Json) -> dict[str, Json]:
    """Arguments as a history may hold them: an object, since chat templates read no other.

    What is no object is kept as the text that it came as, under a name that says so.
    """
    if isinstance(arguments, str):
        value = read_arguments(arguments)
        return value if isinstance(value, dict) else {"malformed_arguments": arguments}
    return arguments if isinstance(arguments, dict) else {"malformed_arguments": json.dumps(arguments)}


def vendor_arguments_text(arguments: Json) -> str:
    """`vendor_arguments` as JSON text."""
    return json.dumps(vendor_arguments(arguments))


def sendable(value: Any) -> Any:
    """JSON that can be sent: lone surrogates, which a server can send in an escape and none takes back, are replaced."""
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        return _replaced(value)
    except (TypeError, OverflowError):  # no JSON, such as an SDK's own object
        return value
    return value


def _replaced(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if isinstance(value, dict):
        return {_replaced(name): _replaced(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(_replaced, value))
    return value


def plain(value: Any) -> Json:
    """An SDK's object as plain JSON, without what was not set."""
    dump = getattr(value, "model_dump", None)
    return value if dump is None else dump(mode="json", exclude_unset=True, by_alias=True, warnings=False)


def function_of(tool: ToolSchema) -> tuple[str, str, dict[str, Any]]:
    """Name, description and parameters of a tool's schema."""
    function = tool["function"]
    return function["name"], function.get("description", ""), function["parameters"]
