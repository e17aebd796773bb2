"""Asking again: transient faults in place, with growing waits, within a bounded time; nothing hangs."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from agenthop_env.agents.served.errors import Fault, HardError, TransientExhausted, fault_of
from agenthop_env.agents.served.settings import Retry

T = TypeVar("T")


async def persist(
    ask: Callable[[], Awaitable[T]],
    retry: Retry,
    *,
    redact: Callable[[str], str] = str,
    on_fault: Callable[[Fault], None] | None = None,
    on_retry: Callable[[], None] | None = None,
) -> T:
    """Make a request until it is answered.

    Args:
        ask: Makes the request once.
        retry: How long it is tried.
        redact: Takes keys out of what errors say.
        on_fault: Told of every failed try.
        on_retry: Told before every further try.

    Raises:
        TransientExhausted: If transient faults go on past the retries.
        HardError: If the request is refused for good, or `retry.hard_errors` times in a row.
    """
    end = time.monotonic() + retry.total_seconds
    tries = hard = 0
    while True:
        fault: Fault
        try:
            async with asyncio.timeout(min(retry.request_seconds, max(end - time.monotonic(), 0.001))):
                return await ask()
        except Exception as problem:
            fault = fault_of(problem, redact)
        # Raised out here, the SDK's exception, whose request holds the key, is no context of ours.
        tries += 1
        if on_fault is not None:
            on_fault(fault)
        hard = 0 if fault.transient else hard + 1
        if fault.hopeless or hard >= retry.hard_errors:
            raise _given_up(HardError, fault, tries, "")
        wait = _wait(fault, tries, retry)
        if tries >= retry.attempts:
            raise _given_up(TransientExhausted if fault.transient else HardError, fault, tries, "")
        if time.monotonic() + wait >= end:
            why = f"the wait of {wait:.0f} s is past the {retry.total_seconds:.0f} s for one request"
            raise _given_up(TransientExhausted if fault.transient else HardError, fault, tries, why)
        await asyncio.sleep(wait)
        if on_retry is not None:
            on_retry()


def _wait(fault: Fault, tries: int, retry: Retry) -> float:
    """Seconds before the next try; never less than the server asks for."""
    wait = min(retry.first_wait * 2.0 ** min(tries - 1, 30), retry.longest_wait) * random.uniform(0.5, 1.0)
    return wait if fault.retry_after is None else fault.retry_after + wait * 0.1


def _given_up(
    kind: type[TransientExhausted] | type[HardError], fault: Fault, tries: int, why: str
) -> Exception:
    tried = f" ({tries} tries)" if tries > 1 else ""
    return kind(
        f"{fault.message}{tried}{'; ' if why else ''}{why}",
        status=fault.status,
        kind=fault.kind,
        attempts=tries,
        hopeless=fault.hopeless,
    )
