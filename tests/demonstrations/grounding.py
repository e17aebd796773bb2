"""Whether a demonstration says only what it has been shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from agenthop_env.corpus.store import Corpus
from agenthop_env.demonstrations import Demonstration

QUOTED = re.compile(r'"([^"]*)"')
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def said(message: dict[str, Any]) -> Iterator[str]:
    """What an assistant message with native calls says, its thoughts included."""
    yield message["content"]
    for call in message.get("tool_calls", ()):
        yield json.loads(call["function"]["arguments"]).get("thought", "")


def ungrounded(played: Demonstration, corpus: Corpus) -> list[str]:
    """What a demonstration says or asks for without having been shown it. It must have native calls."""
    assert played.tool_mode == "native"
    neighborhood = corpus.neighborhood(played.item_id)
    ids = [neighborhood.paper_id(node) for node in range(len(neighborhood))]
    found: list[str] = []
    shown = ""
    for message in played.messages:
        if message["role"] != "assistant":
            shown += "\n" + message["content"]
            continue
        numbers = set(NUMBER.findall(shown))
        for text in said(message):
            found += [f"quotes {piece!r}" for piece in QUOTED.findall(text) if piece not in shown]
            found += [
                f"names {paper}" for paper in ids if stands_in(paper, text) and not stands_in(paper, shown)
            ]
            found += [f"counts {number}" for number in NUMBER.findall(text) if number not in numbers]
        for call in message.get("tool_calls", ()):
            arguments = json.loads(call["function"]["arguments"])
            paper = arguments.get("paper_id")
            if paper is not None and not stands_in(paper, shown):
                found.append(f"calls with {paper}")
            if call["function"]["name"] == "read_section":
                listing = shown.partition(f"Sections for paper '{paper}'")[2]
                if f"  ({arguments['section']}) " not in listing:
                    found.append(f"reads {arguments['section']} of {paper}")
    return found


def stands_in(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
