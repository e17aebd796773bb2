"""Counting tokens where no server reports them.

A counter is anything that gives the number of tokens of one chat message; the episode counts each message once and
keeps the running sum, so a conversation of n messages costs n counts and not n squared.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol, runtime_checkable

CHARACTERS_PER_TOKEN: Final = 4
Message = Mapping[str, Any]


@runtime_checkable
class TokenCounter(Protocol):
    """Counts the tokens of a conversation, message by message."""

    name: str

    def message(self, message: Message) -> int:
        """Tokens that `message` adds to a prompt."""
        ...

    def tools(self, schemas: Sequence[Message]) -> int:
        """Tokens that the tool schemas add to a prompt."""
        ...

    def completion(self, text: str) -> int:
        """Tokens of a generated message."""
        ...


class CharacterCounter:
    """The default: a quarter of the characters, rounded up per message. Cheap and the same everywhere."""

    name = "chars/4"

    def message(self, message: Message) -> int:
        """Tokens of the message's text and of its calls' names and arguments."""
        size = len(message["content"] or "")
        if "tool_calls" in message:
            for call in message["tool_calls"]:
                size += len(call["function"]["name"]) + len(call["function"]["arguments"])
        return -(-size // CHARACTERS_PER_TOKEN)

    def tools(self, schemas: Sequence[Message]) -> int:
        """Tokens of the schemas, each as compact JSON."""
        return sum(self.completion(json.dumps(schema, separators=(",", ":"))) for schema in schemas)

    def completion(self, text: str) -> int:
        """Tokens of a generated message."""
        return -(-len(text) // CHARACTERS_PER_TOKEN)


class CallableCounter:
    """A counter from any function of a text.

    Args:
        count: Number of tokens of a text.
        name: Name for the records.
    """

    def __init__(self, count: Callable[[str], int], name: str | None = None) -> None:
        self._count = count
        self.name: str = name or str(getattr(count, "__qualname__", type(count).__name__))

    def message(self, message: Message) -> int:
        """Tokens of the message's text and of its calls."""
        size = self._count(message["content"] or "")
        for call in message.get("tool_calls", ()):
            size += self._count(call["function"]["name"]) + self._count(call["function"]["arguments"])
        return size

    def tools(self, schemas: Sequence[Message]) -> int:
        """Tokens of the schemas, each as compact JSON."""
        return sum(self._count(json.dumps(schema, separators=(",", ":"))) for schema in schemas)

    def completion(self, text: str) -> int:
        """Tokens of a generated message."""
        return self._count(text)


class TemplateCounter:
    """A counter over a Hugging Face tokenizer and its chat template.

    A message counts as what it adds to the template's rendering, measured once per role as the frame around an
    empty message, plus the tokens of its text.

    Args:
        tokenizer: A tokenizer with a chat template.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.name = str(getattr(tokenizer, "name_or_path", "") or type(tokenizer).__name__)
        self._frames: dict[str, int] = {}

    def message(self, message: Message) -> int:
        """Tokens of the role's frame and of the message's text and calls."""
        size = self._frame(str(message["role"])) + self.completion(message["content"] or "")
        for call in message.get("tool_calls", ()):
            size += self.completion(json.dumps(call["function"]))
        return size

    def tools(self, schemas: Sequence[Message]) -> int:
        """Tokens that the template spends on the schemas."""
        base: list[Message] = [{"role": "system", "content": "x"}, {"role": "user", "content": "x"}]
        return max(0, self._rendered(base, tools=list(schemas)) - self._rendered(base))

    def completion(self, text: str) -> int:
        """Tokens of a generated message."""
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def _frame(self, role: str) -> int:
        if role not in self._frames:
            before: list[Message] = [{"role": "system", "content": "x"}, {"role": "user", "content": "x"}]
            if role == "system":
                size = self._rendered(before) - self._rendered(before[1:])
            elif role == "user":
                size = self._rendered(before[1:])
            else:
                shown = "assistant" if role == "assistant" else "user"
                size = self._rendered([*before, {"role": shown, "content": "x"}]) - self._rendered(before)
            self._frames[role] = max(0, size - self.completion("x"))
        return self._frames[role]

    def _rendered(self, messages: list[Message], tools: list[Message] | None = None) -> int:
        ids = self._tokenizer.apply_chat_template(messages, tools=tools, tokenize=True, return_dict=False)
        return len(ids)


def token_counter(counter: Any = None) -> TokenCounter:
    """A `TokenCounter` from what a user gives.

    Args:
        counter: None (characters / 4), a `TokenCounter`, a Hugging Face tokenizer, or a function from a text to
            its number of tokens.

    Raises:
        TypeError: If it is none of these.
    """
    if counter is None:
        return _CHARACTERS
    if isinstance(counter, TokenCounter):
        return counter
    if hasattr(counter, "apply_chat_template"):
        return TemplateCounter(counter)
    if callable(counter):
        return CallableCounter(counter)
    raise TypeError(
        "token_counter must be None, a TokenCounter, a tokenizer with a chat template, or a function from str to "
        f"int, not {type(counter).__name__}"
    )


def message_count(counter: TokenCounter) -> Callable[[Iterable[Message]], int]:
    """A function of some messages that gives their tokens together."""
    if type(counter) is CharacterCounter:
        return _count_characters
    return partial(_count_each, counter)


def _count_each(counter: TokenCounter, messages: Iterable[Message]) -> int:
    return sum([counter.message(message) for message in messages])


def _count_characters(messages: Iterable[Message]) -> int:
    """The default counter's tokens of some messages, without a call for each."""
    size = 0
    for message in messages:
        if "tool_calls" in message:
            size += _CHARACTERS.message(message)
        else:
            size -= -len(message["content"] or "") // CHARACTERS_PER_TOKEN
    return size


_CHARACTERS: Final = CharacterCounter()
