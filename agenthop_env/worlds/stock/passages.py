"""All passages by kind."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock import passages_found as found
from agenthop_env.worlds.stock import passages_frame as frame
from agenthop_env.worlds.stock import passages_work as work

PASSAGES: Final[dict[str, tuple[str, ...]]] = {
    "intro": frame.INTRO,
    "related": frame.RELATED,
    "setting": work.SETTING,
    "method": work.METHOD,
    "data": work.DATA,
    "setup": work.SETUP,
    "results": found.RESULTS,
    "analysis": found.ANALYSIS,
    "limits": frame.LIMITS,
    "conclusion": frame.CONCLUSION,
    "appendix": work.APPENDIX,
}
"""Kind -> passages; see `passages_frame` for their form."""
