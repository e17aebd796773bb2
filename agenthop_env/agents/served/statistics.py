"""What a served agent's requests came to, over all its episodes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from agenthop_env.agents.served.errors import Fault
from agenthop_env.records import Usage


class Statistics:
    """Counts over a factory's requests; they add up, so that processes can be summed.

    Attributes:
        messages: Answers that became turns.
        usage: Tokens that servers reported.
        seconds: Wall time of the requests that were answered.
        usage_missing: Answers without token counts, which the episode counted instead.
        calls_from_text: Messages whose calls stood in the content although the server's tool calling was asked for.
        unparsed_arguments: Calls whose arguments are no JSON object, handed on as text.
        mended_ids: Calls whose id was missing or not the only one of its name.
        finish_reasons: Answers by normalized finish reason.
        faults: Failed requests by kind.
        retries: Requests that were made again.
    """

    def __init__(self) -> None:
        self.messages = 0
        self.usage = Usage()
        self.seconds = 0.0
        self.usage_missing = 0
        self.calls_from_text = 0
        self.unparsed_arguments = 0
        self.mended_ids = 0
        self.retries = 0
        self.finish_reasons: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def fault(self, fault: Fault) -> None:
        """Count a failed request."""
        self.faults[fault.kind] += 1

    def add(self, other: Statistics) -> None:
        """Add another process's counts to these."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def as_dict(self) -> dict[str, Any]:
        """The counts as plain JSON."""
        shown = dict(vars(self))
        shown["usage"] = {name: getattr(self.usage, name) for name in Usage.__struct_fields__}
        shown["seconds"] = round(self.seconds, 3)
        return shown | {"finish_reasons": dict(self.finish_reasons), "faults": dict(self.faults)}

    def remarks(self) -> list[str]:
        """What a reader of the results should know, in sentences; empty where all is well."""
        found = []
        if self.usage_missing:
            found.append(
                f"{self.usage_missing} of {self.messages} answers came without token counts; those were counted here, "
                "not by the server"
            )
        if self.calls_from_text:
            found.append(
                f"in {self.calls_from_text} of {self.messages} messages the server left the calls in the content; "
                "they were parsed from it"
            )
        if self.finish_reasons["length"]:
            found.append(f"{self.finish_reasons['length']} messages were cut off at the length limit")
        if self.finish_reasons["content_filter"]:
            found.append(f"{self.finish_reasons['content_filter']} messages were stopped by a content filter")
        return found
