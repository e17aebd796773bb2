"""Token counts as each vendor reports them, as one `Usage`; None where a server reports nothing.

Vendors disagree on what a prompt is: Anthropic's `input_tokens` leaves out what a cache served or stored, OpenAI's
and Google's counts include it; Google counts thoughts apart from the answer.
"""

from __future__ import annotations

from typing import Any

from agenthop_env.records import Usage


def of_chat(usage: Any) -> Usage | None:
    """From a chat completion; DeepSeek's own cache fields are read too."""
    if usage is None:
        return None
    prompt, completion = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    details = _get(usage, "prompt_tokens_details")
    cached = _count(details, "cached_tokens") or _count(usage, "prompt_cache_hit_tokens")
    reasoning = _count(_get(usage, "completion_tokens_details"), "reasoning_tokens")
    return _usage(prompt, completion, cached, _count(details, "cache_write_tokens"), reasoning)


def of_responses(usage: Any) -> Usage | None:
    """From a response."""
    if usage is None:
        return None
    details = _get(usage, "input_tokens_details")
    return _usage(
        _count(usage, "input_tokens"),
        _count(usage, "output_tokens"),
        _count(details, "cached_tokens"),
        _count(details, "cache_write_tokens"),
        _count(_get(usage, "output_tokens_details"), "reasoning_tokens"),
    )


def of_messages(usage: Any) -> Usage | None:
    """From an Anthropic message."""
    if usage is None:
        return None
    read, written = _count(usage, "cache_read_input_tokens"), _count(usage, "cache_creation_input_tokens")
    return _usage(
        _count(usage, "input_tokens") + read + written,
        _count(usage, "output_tokens"),
        read,
        written,
        _count(_get(usage, "output_tokens_details"), "thinking_tokens"),
    )


def of_genai(usage: Any) -> Usage | None:
    """From a Gemini answer."""
    if usage is None:
        return None
    thoughts = _count(usage, "thoughts_token_count")
    return _usage(
        _count(usage, "prompt_token_count") + _count(usage, "tool_use_prompt_token_count"),
        _count(usage, "candidates_token_count") + thoughts,
        _count(usage, "cached_content_token_count"),
        0,
        thoughts,
    )


def _usage(prompt: int, completion: int, cached: int, written: int, reasoning: int) -> Usage | None:
    """The counts, kept within what they are parts of; None where the prompt is counted as nothing, which none is."""
    if prompt <= 0:
        return None
    cached = min(cached, prompt)
    return Usage(prompt, completion, cached, min(written, prompt - cached), min(reasoning, completion))


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _count(value: Any, name: str) -> int:
    found = _get(value, name)
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0 < found < float("inf"):
        return 0
    return int(found)
