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
        tokens_used: Tokens held against the cap.
        usages: Usage of each message.
        streak: Rejected calls since the last call that was not.
        rejected: Rejected calls in all.
    """

    __slots__ = (
        "limits",
        "points_used",
        "rejected",
        "streak",
        "token_accounting",
        "tokens_used",
        "turns_used",
        "usages",
    )

    def __init__(self, limits: Limits, token_accounting: str = "total") -> None:
        self.limits = limits
        self.token_accounting = token_accounting
        self.points_used = 0
        self.turns_used = 0
        self.tokens_used = 0
        self.usages: list[Usage] = []
        self.streak = 0
        self.rejected = 0

    def copy(self) -> Ledger:
        """An independent copy."""
        other = Ledger.__new__(Ledger)
        other.limits, other.token_accounting = self.limits, self.token_accounting
        other.points_used, other.turns_used, other.tokens_used = (
            self.points_used,
            self.turns_used,
            self.tokens_used,
        )
        other.streak, other.rejected = self.streak, self.rejected
        other.usages = self.usages.copy()
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
        self.usages.append(usage)
        self.tokens_used += (
            usage.uncached if self.token_accounting == "uncached" else usage.prompt + usage.completion
        )
        return self.tokens_used <= self.limits.tokens

    @property
    def usage(self) -> Usage:
        """The five token counts, summed."""
        prompt = completion = cached = cache_write = reasoning = 0
        for usage in self.usages:
            prompt += usage.prompt
            completion += usage.completion
            if usage.cached or usage.cache_write or usage.reasoning:
                cached += usage.cached
                cache_write += usage.cache_write
                reasoning += usage.reasoning
        return Usage(prompt, completion, cached, cache_write, reasoning)

    @property
    def tokens_total(self) -> int:
        """Prompt plus completion tokens."""
        return sum([usage.prompt + usage.completion for usage in self.usages])

    @property
    def tokens_uncached(self) -> int:
        """The same without prompt tokens that a cache served."""
        return sum(
            [usage.uncached if usage.cached else usage.prompt + usage.completion for usage in self.usages]
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
