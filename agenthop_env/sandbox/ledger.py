"""The ledger: what an episode has spent, and when that ends it (protocol section 2)."""

from __future__ import annotations

from agenthop_env.records import Usage
from agenthop_env.rules import REJECTIONS_TO_END, Limits


class Ledger:
    """Points, turns and tokens of one episode.

    Args:
        limits: The caps.
        token_accounting: `total` or `uncached`: which token sum is held against the cap.

    Attributes:
        points_used: Points spent.
        turns_used: Assistant messages so far.
        tokens_total: Prompt plus completion tokens.
        tokens_uncached: The same without prompt tokens that a cache served.
        tokens_used: Whichever of the two is held against the cap.
        streak: Rejected calls since the last call that was not.
        rejected: Rejected calls in all.
    """

    __slots__ = (
        "cache_write_tokens",
        "cached_tokens",
        "completion_tokens",
        "limits",
        "points_used",
        "prompt_tokens",
        "reasoning_tokens",
        "rejected",
        "streak",
        "token_accounting",
        "tokens_total",
        "tokens_uncached",
        "tokens_used",
        "turns_used",
    )

    def __init__(self, limits: Limits, token_accounting: str = "total") -> None:
        self.limits = limits
        self.token_accounting = token_accounting
        self.points_used = 0
        self.turns_used = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.cached_tokens = 0
        self.cache_write_tokens = 0
        self.reasoning_tokens = 0
        self.tokens_total = 0
        self.tokens_uncached = 0
        self.tokens_used = 0
        self.streak = 0
        self.rejected = 0

    def copy(self) -> Ledger:
        """An independent copy."""
        other = Ledger.__new__(Ledger)
        for name in Ledger.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    @property
    def points_left(self) -> int:
        """Points that calls may still spend."""
        return self.limits.points - self.points_used

    @property
    def turns_left(self) -> int:
        """Assistant messages that may still come."""
        return self.limits.turns - self.turns_used

    @property
    def tokens_left(self) -> int:
        """Tokens until the cap; negative once it is passed."""
        return self.limits.tokens - self.tokens_used

    def open_turn(self, usage: Usage) -> bool:
        """Count an assistant message and its tokens; whether the run may go on."""
        self.turns_used += 1
        prompt, completion, cached = usage.prompt, usage.completion, usage.cached
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self.cached_tokens += cached
        self.cache_write_tokens += usage.cache_write
        self.reasoning_tokens += usage.reasoning
        self.tokens_total += prompt + completion
        self.tokens_uncached += completion + (prompt - cached if prompt > cached else 0)
        self.tokens_used = self.tokens_uncached if self.token_accounting == "uncached" else self.tokens_total
        return self.tokens_used <= self.limits.tokens

    @property
    def usage(self) -> Usage:
        """The five token counts, summed."""
        return Usage(
            self.prompt_tokens,
            self.completion_tokens,
            self.cached_tokens,
            self.cache_write_tokens,
            self.reasoning_tokens,
        )

    def charge(self, price: int) -> bool:
        """Pay for a call; False, with nothing paid, if the price exceeds what is left."""
        if price > self.limits.points - self.points_used:
            self.streak += 1
            self.rejected += 1
            return False
        self.points_used += price
        self.streak = 0
        return True

    @property
    def exhausted(self) -> bool:
        """Whether two calls in a row have been rejected."""
        return self.streak >= REJECTIONS_TO_END

    def status_line(self) -> str:
        """The line under every result: `Turn: T  |  Tokens used: 23,379  |  Budget used: 20`."""
        return f"Turn: {self.turns_used}  |  Tokens used: {self.tokens_used:,}  |  Budget used: {self.points_used}"
