"""From records to figures: run folders read as streams, headline figures, intervals."""

from agenthop_env.diagnostics.intervals import wilson
from agenthop_env.diagnostics.runs import RecordFile, Run, RunError, load_runs
from agenthop_env.diagnostics.summary import Summary, summarize

__all__ = ["RecordFile", "Run", "RunError", "Summary", "load_runs", "summarize", "wilson"]
