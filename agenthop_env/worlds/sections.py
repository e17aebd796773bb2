"""From drafts to the text of sections: facts and citations among prose, tables, subsections."""

from __future__ import annotations

from collections.abc import Sequence

from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.outline import Draft
from agenthop_env.worlds.voice import Voice, paragraphs

_SUBSECTION_ROOM = 1700
"""About how many characters a subsection has."""


def written(bits: Bits, voice: Voice, draft: Draft, heads: Sequence[str]) -> str:
    """The text of one section.

    Args:
        bits: Where to draw from.
        voice: The paper's voice.
        draft: What must stand in the section, and how long it should be.
        heads: Subsection headers that may be used, in order.
    """
    plain = [sentence for sentence, head in draft.facts if head is None] + draft.cites
    headed = [(head, sentence) for sentence, head in draft.facts if head is not None]
    taken = sum(len(sentence) + 1 for sentence in plain) + sum(
        len(head) + len(one) + 4 for head, one in headed
    )
    filler = voice.sentences(draft.stock.plans, draft.room - taken - len(draft.table))
    if not filler and not plain and not headed:
        filler = [voice.sentence(draft.stock.plans)]
    if not headed and not draft.table and draft.room < 600:
        return " ".join(_strewn(bits, filler, plain))
    long = draft.room > 1000
    mixed = _strewn(bits, filler, plain)
    blocks = paragraphs(bits, mixed) if long else [" ".join(mixed)] if mixed else []
    if draft.table:
        blocks.insert(bits.between(1, len(blocks)) if blocks else 0, draft.table)
    for head, sentence in headed:
        blocks = _with_subsection(bits, voice, draft, blocks, head, sentence, long)
    count = min(len(heads), len(blocks) - 1, draft.room // _SUBSECTION_ROOM)
    if count > 0:
        places = sorted(bits.sample(range(1, len(blocks)), count))
        for place, head in reversed(list(zip(places, heads[:count], strict=True))):
            # A header before another header would leave an empty subsection.
            if "\n" not in blocks[place]:
                blocks[place] = f"{head}\n{blocks[place]}"
    return "\n\n".join(blocks)


def _strewn(bits: Bits, filler: list[str], placed: list[str]) -> list[str]:
    """Sentences that must appear at random places among the others, in random order."""
    mixed = list(filler)
    for sentence in bits.shuffled(placed):
        mixed.insert(bits.between(0, len(mixed)), sentence)
    return mixed


def _with_subsection(
    bits: Bits, voice: Voice, draft: Draft, blocks: list[str], head: str, sentence: str, long: bool
) -> list[str]:
    """The blocks with a headed one among them, behind the first where there is one."""
    around = [voice.sentence(draft.stock.plans) for _ in range(bits.between(1, 3))] if long else []
    around.insert(bits.between(0, len(around)), sentence)
    place = bits.between(1, len(blocks)) if blocks else 0
    return [*blocks[:place], f"{head}\n{' '.join(around)}", *blocks[place:]]


def score_table(number: int, metric: str, rows: Sequence[tuple[str, str, str]]) -> str:
    """A Markdown table of headline scores with its caption."""
    lines = [f"Table {number}: {metric} and parameters in millions; figures of other systems as published."]
    lines += [f"| System | {metric} | Parameters |", "| --- | --- | --- |"]
    lines += [f"| {name} | {score} | {size} |" for name, score, size in rows]
    return "\n".join(lines)
