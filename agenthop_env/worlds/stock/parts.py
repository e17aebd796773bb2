"""All kinds of works."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock.parts_data import ANALYSIS, BENCHMARK, CORPUS
from agenthop_env.worlds.stock.parts_models import ENCODER, OBJECTIVE, SYSTEM, TOOLKIT

WORK_KINDS: Final = (CORPUS, ENCODER, SYSTEM, OBJECTIVE, BENCHMARK, ANALYSIS, TOOLKIT)
"""All kinds; a work's kind is an index into this tuple."""
