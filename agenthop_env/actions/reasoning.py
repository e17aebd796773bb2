"""Which part of a message is searched for calls: never its reasoning.

Hidden are: what stands between ``<think>`` and the next ``</think>``; all that follows a ``<think>`` that is never
closed; all that precedes a ``</think>`` if it is the first of these tags (chat templates open the tag in the prompt,
so the message holds only its end); and messages of Harmony's analysis channel. Blocks do not nest, a further
``</think>`` is passed over, and other tags (``<thinking>``, ``[thinking]``) hide nothing.
"""

from __future__ import annotations

import re
from typing import Final

_ANALYSIS: Final = re.compile(r"<\|channel\|>\s*+analysis\s*+<\|message\|>")
_MESSAGE_END: Final = re.compile(r"<\|(?:end|return|call|start|channel)\|>")


def visible(text: str) -> str:
    """`text` without its reasoning; a line break stands for each part that was taken out."""
    if "</think>" in text or "<think>" in text:
        text = _without_thinking(text)
    if "<|channel|>" in text:
        text = _without_analysis(text)
    return text


def _without_thinking(text: str) -> str:
    opening = text.find("<think>")
    closing = text.find("</think>")
    parts = []
    position = 0
    if closing >= 0 and not 0 <= opening < closing:
        position = closing + len("</think>")
        opening = text.find("<think>", position)
    while opening >= 0:
        parts.append(text[position:opening])
        closing = text.find("</think>", opening)
        if closing < 0:
            return "\n".join(parts)
        position = closing + len("</think>")
        opening = text.find("<think>", position)
    parts.append(text[position:])
    return "\n".join(parts)


def _without_analysis(text: str) -> str:
    parts = []
    position = 0
    while analysis := _ANALYSIS.search(text, position):
        parts.append(text[position : analysis.start()])
        end = _MESSAGE_END.search(text, analysis.end())
        if end is None:
            return "\n".join(parts)
        position = end.start()
    parts.append(text[position:])
    return "\n".join(parts)
