"""The numbers and names of the protocol, and nothing else.

Every constant of an episode (paper section 3, appendix F.2) is written here once; the rest of the
package imports it. There is no behavior in this module.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

ToolName = Literal[
    "get_paper_info",
    "get_references",
    "search_papers",
    "list_sections",
    "read_section",
    "think",
    "submit_answer",
]
"""The seven tools, in the order in which schemas and transition matrices list them."""

TOOL_NAMES: Final[tuple[str, ...]] = get_args(ToolName)

TOOL_POINTS: Final[dict[str, int]] = {
    "get_paper_info": 1,
    "get_references": 1,
    "search_papers": 1,
    "list_sections": 1,
    "read_section": 5,
    "think": 0,
    "submit_answer": 0,
}
"""Price of one call of each tool, in points."""

ARGUMENT_ALIASES: Final[dict[str, dict[str, str]]] = {
    "think": {"thought": "reasoning"},
    "submit_answer": {"option": "answer"},
}
"""Per tool, the paper's argument name and the released harness's name for the same argument."""

Outcome = Literal[
    "ok",
    "rejected",
    "unknown_tool",
    "bad_arguments",
    "unknown_paper",
    "unknown_section",
    "no_text",
    "empty",
    "disabled",
]
"""What became of one tool call."""

OUTCOMES: Final[tuple[str, ...]] = get_args(Outcome)

Ending = Literal["answer", "budget", "token_limit", "max_turns", "error", "evidence"]
"""Why an episode is over. `error` is the evaluator's, `evidence` that of `AgentHopRetrieval-v0`."""

ENDINGS: Final[tuple[str, ...]] = get_args(Ending)

TokenAccounting = Literal["total", "uncached"]
"""Whether prompt tokens served from a cache count towards the token cap (`total`, the paper's rule)."""

TOP_K_DEFAULT: Final = 5
TOP_K_MIN: Final = 1
TOP_K_MAX: Final = 10
SEARCH_ABSTRACT_CHARS: Final = 300
REJECTIONS_TO_END: Final = 2
OPTION_COUNT: Final = 4
OPTION_LETTERS: Final = "ABCD"
CHANCE: Final = 1 / OPTION_COUNT

HARD_ERRORS_TO_END: Final = 5
"""Consecutive non-transient API errors after which the evaluator ends a run as `error`."""

ITEM_RETRIES: Final = 2
"""Whole retries of an item after a hard error."""


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The three caps of one episode.

    Args:
        points: Points that tool calls may spend; 30 in the paper.
        turns: Assistant messages; 20 in the paper. 0 makes an episode that is over before it begins.
        tokens: Prompt plus completion tokens summed over all turns; 200,000 in the paper. The episode ends
            when the sum is over the cap; a sum equal to it goes on.

    Raises:
        ValueError: If a cap is negative or not a whole number.
    """

    points: int = 30
    turns: int = 20
    tokens: int = 200_000

    def __post_init__(self) -> None:
        """Refuse caps that no episode could keep."""
        for name in ("points", "turns", "tokens"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise ValueError(f"Limits.{name} must be a whole number of 0 or more, not {value!r}")


PAPER_LIMITS: Final = Limits()
"""The caps of the paper."""
