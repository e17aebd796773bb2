"""Intervals."""

from __future__ import annotations

import math
from typing import Final

Z95: Final = 1.959964
"""Two-sided 95 percent quantile of the normal distribution, to the digits that the paper's tables use."""


def wilson(successes: int, n: int, z: float = Z95) -> tuple[float, float]:
    """Wilson score interval of a proportion (paper Table 10).

    Args:
        successes: Successes, 0 to `n`.
        n: Trials.
        z: Normal quantile; 95 percent by default.

    Returns:
        Lower and upper bound, each in [0, 1]; (0, 1) without a trial, which says nothing.

    Raises:
        ValueError: If there are more successes than trials, or fewer than none.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be between 0 and {n}, not {successes}")
    if n == 0:
        return 0.0, 1.0
    share = successes / n
    spread = z * z / n
    scale = 1 + spread
    center = (share + spread / 2) / scale
    half = z * math.sqrt(share * (1 - share) / n + spread / (4 * n)) / scale
    lower = 0.0 if successes == 0 else center - half
    upper = 1.0 if successes == n else center + half
    return lower, upper
