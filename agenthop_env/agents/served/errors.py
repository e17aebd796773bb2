"""What can go wrong between an agent and a server, and whether to ask again.

Transient faults (429, 408, 409, 5xx, dropped connections, time-outs, an answer that is no JSON) pass by themselves;
hard ones (400, 401, 403, 404, 422, ...) do not, and of those some are hopeless: no request of the run can succeed.
The three SDKs name their exceptions alike, so that they are told apart by what they carry and not by their classes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, NamedTuple

from agenthop_env.agents.protocol import AgentError

TRANSIENT_STATUS: Final = frozenset({408, 409, 425, 429, 460, 499})
"""Beside all from 500 up."""

HOPELESS_STATUS: Final = frozenset({401, 402, 404, 405})
"""403 is not among them: some gateways refuse a single prompt so."""

_MESSAGE_SHOWN: Final = 600
_QUOTA: Final = (
    "insufficient_quota",
    "billing_hard_limit",
    "credit balance is too low",
    "exceeded your current quota",
)
_CONTEXT: Final = (
    "context length",
    "context_length",
    "maximum context",
    "context window",
    "prompt is too long",
    "too many tokens",
    "input token count",
    "max_model_len",
)


class ServedError(AgentError):
    """A request that got no answer.

    Attributes:
        status: HTTP status, None where there was none.
        kind: `rate_limit`, `timeout`, `connection`, `server`, `unreadable`, `auth`, `not_found`, `quota`,
            `context_length`, `bad_request` or `other`.
        attempts: Requests that were made.
        hopeless: Whether no other request of the run can succeed either (key refused, no such model, quota spent).
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        kind: str = "other",
        attempts: int = 1,
        hopeless: bool = False,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.attempts = attempts
        self.hopeless = hopeless


class TransientExhausted(ServedError):  # noqa: N818 - it says what is so
    """Transient faults went on for longer than the retries last."""


class HardError(ServedError):
    """The server refuses the request, or refused five in a row."""


class BadAnswer(Exception):  # noqa: N818 - internal to this room
    """An answer that came whole and is none.

    Args:
        message: What is amiss.
        transient: Whether asking again may help.
        kind: As in `ServedError`.
    """

    def __init__(self, message: str, *, transient: bool = True, kind: str = "unreadable") -> None:
        super().__init__(message)
        self.transient = transient
        self.kind = kind


class Fault(NamedTuple):
    """One failed request.

    Attributes:
        message: What failed, in a line, without any key.
        kind: As in `ServedError`.
        status: HTTP status, None where there was none.
        transient: Whether asking again may help.
        hopeless: Whether no other request of the run can succeed either.
        retry_after: Seconds that the server asks to wait, None where it does not say.
    """

    message: str
    kind: str
    status: int | None = None
    transient: bool = True
    hopeless: bool = False
    retry_after: float | None = None


def fault_of(problem: Exception, redact: Callable[[str], str] = str) -> Fault:
    """What an SDK's exception says.

    Args:
        problem: The exception.
        redact: Takes keys out of a text.
    """
    message = _shortened(redact(_message(problem)))
    if isinstance(problem, BadAnswer):
        return Fault(message, problem.kind, None, problem.transient)
    status = _status(problem)
    if status is not None and not (status == 200 and type(problem).__name__ == "APIResponseValidationError"):
        return _of_status(status, message, _retry_after(problem))
    names = {kind.__name__ for kind in type(problem).__mro__}
    if isinstance(problem, TimeoutError) or any("Timeout" in name for name in names):
        return Fault(message, "timeout")
    if isinstance(problem, OSError) or names & _CONNECTION:
        return Fault(message, "connection")
    if isinstance(problem, json.JSONDecodeError) or names & _UNREADABLE:
        return Fault(f"the answer is no JSON of the expected shape ({message})", "unreadable")
    return Fault(message, "other", None, transient=False)


_CONNECTION: Final = frozenset(
    {"APIConnectionError", "TransportError", "ProtocolError", "NetworkError", "ClientError", "StreamError"}
)
_UNREADABLE: Final = frozenset(
    {
        "APIResponseValidationError",
        "DecodingError",
        "UnicodeDecodeError",
        "UnknownApiResponseError",
        "ValidationError",
    }
)


def _of_status(status: int, message: str, retry_after: float | None) -> Fault:
    lower = message.lower()
    shown = f"{status}: {message}"
    if status in (402, 429) and any(mark in lower for mark in _QUOTA):
        return Fault(shown, "quota", status, transient=False, hopeless=True)
    if status == 429:
        return Fault(shown, "rate_limit", status, retry_after=retry_after)
    if status in (400, 413, 422) and any(mark in lower for mark in _CONTEXT):
        return Fault(shown, "context_length", status, transient=False)
    if status >= 500 or status in TRANSIENT_STATUS or status < 400:
        return Fault(shown, "timeout" if status == 408 else "server", status, retry_after=retry_after)
    kind = {401: "auth", 403: "auth", 404: "not_found"}.get(status, "bad_request")
    return Fault(shown, kind, status, transient=False, hopeless=status in HOPELESS_STATUS)


def _status(problem: Exception) -> int | None:
    for name in ("status_code", "code"):
        value = getattr(problem, name, None)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def _message(problem: Exception) -> str:
    """What an exception says, in one line."""
    text = _body_message(problem) or str(problem) or type(problem).__name__
    if isinstance(problem, TimeoutError) and not str(problem):
        text = "no answer within the time for one request"
    if "<html" in text[:2000].lower() or "<!doctype" in text[:2000].lower():
        text = "HTML instead of JSON; is the base URL that of the API?"
    cause = problem.__cause__
    if cause is not None and type(problem).__name__ == "APIConnectionError":
        text = f"{text.rstrip('.')} ({type(cause).__name__}: {cause})"
    return " ".join(text.split())


def _shortened(text: str) -> str:
    """A text of bearable length; keys are out of it by now, since a part of one would not be found."""
    return text if len(text) <= _MESSAGE_SHOWN else text[:_MESSAGE_SHOWN] + "..."


def _body_message(problem: Exception) -> str:
    """The message in an error's body, in the three shapes that servers use."""
    body = getattr(problem, "body", None) or getattr(problem, "details", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            parts = [inner.get("message"), inner.get("code") if isinstance(inner.get("code"), str) else None]
            return " ".join(str(part) for part in parts if part)
        return str(inner)
    return body if isinstance(body, str) else ""


def _retry_after(problem: Exception) -> float | None:
    """Seconds to wait, from the headers or from Google's `RetryInfo`."""
    headers = getattr(getattr(problem, "response", None), "headers", None)
    if headers is not None:
        for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
            value = headers.get(name)
            found = None if value is None else seconds_until(str(value), unit)
            if found is not None:
                return found
    for value in _retry_delays(getattr(problem, "details", None)):
        found = seconds_until(value.removesuffix("s"))
        if found is not None:
            return found
    return None


def _retry_delays(details: Any) -> Iterator[str]:
    inner = details.get("error", details) if isinstance(details, dict) else None
    entries = inner.get("details") if isinstance(inner, dict) else None
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("retryDelay"), str):
            yield entry["retryDelay"]


def seconds_until(value: str, unit: float = 1.0) -> float | None:
    """A `Retry-After` as seconds from now, 0 or more; None where it cannot be read.

    Args:
        value: A number, or an HTTP date.
        unit: How many of the number make a second.
    """
    try:
        seconds = float(value) / unit
    except ValueError:
        try:
            when = parsedate_to_datetime(value)
        except (TypeError, ValueError):
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        seconds = (when - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if seconds == seconds and seconds != float("inf") else None
