"""From drafts to the text of sections: facts and citations among prose, tables, subsections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.outline import Draft
from agenthop_env.worlds.voice import Voice, paragraphs

_SUBSECTION_ROOM: Final = 1700
"""About how many characters a subsection has."""

_CITES_TOGETHER: Final = 3
"""Most citing sentences in a row in a long section."""


def written(bits: Bits, voice: Voice, draft: Draft, heads: Sequence[str]) -> str:
    """The text of one section; the paper's name stands in it, so that no other paper has the same.

    Args:
        bits: Where to draw from.
        voice: The paper's voice.
        draft: What must stand in the section, and how long it should be.
        heads: Subsection headers that may be used, in order.
    """
    kinds = draft.stock.plans
    facts = [sentence for sentence, head in draft.facts if head is None]
    headed = [(head, sentence) for sentence, head in draft.facts if head is not None]
    taken = sum(len(sentence) + 1 for sentence in facts) + sum(len(one) + 1 for one in draft.cites)
    taken += sum(len(head) + len(one) + 4 for head, one in headed) + sum(map(len, draft.tables))
    room = draft.room - taken
    filler = []
    if not facts and not headed:
        filler.append(voice.passage(kinds[0], max(room, 90), named=True))
        room -= len(filler[0]) + 1
    filler += voice.passages(kinds, room)
    if not filler and not headed and not draft.tables and len(facts) + len(draft.cites) == 1:
        # A section is never its one fact alone.
        filler.append(voice.passage(kinds[0], 90))
    if not filler and facts:
        # No section opens with a citation.
        filler.append(facts.pop(bits.below(len(facts))))
    if not headed and not draft.tables and draft.room < 600:
        return " ".join(_strewn(bits, filler, facts + draft.cites))
    long = draft.room > 1000
    mixed = _strewn(bits, filler, facts + (_grouped(bits, draft.cites) if long else draft.cites))
    blocks = paragraphs(bits, mixed) if long else [" ".join(mixed)] if mixed else []
    last = len(blocks)
    places = sorted(bits.between(1, last) if last else 0 for _ in draft.tables)
    for place, table in reversed(list(zip(places, draft.tables, strict=True))):
        blocks.insert(place, table)
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
    for sentence in bits.shuffled(placed) if len(placed) > 1 else placed:
        # What opens a section is prose where there is any.
        mixed.insert(bits.between(1, len(mixed)) if mixed else 0, sentence)
    return mixed


def _grouped(bits: Bits, sentences: list[str]) -> list[str]:
    """Citing sentences joined to small groups."""
    found, at = [], 0
    while at < len(sentences):
        size = bits.between(1, _CITES_TOGETHER)
        found.append(" ".join(sentences[at : at + size]))
        at += size
    return found


def _with_subsection(
    bits: Bits, voice: Voice, draft: Draft, blocks: list[str], head: str, sentence: str, long: bool
) -> list[str]:
    """The blocks with a headed one among them, behind the first where there is one."""
    around = [voice.passage(draft.stock.plans[0], 260)] if long else []
    around.insert(bits.between(0, len(around)), sentence)
    place = bits.between(1, len(blocks)) if blocks else 0
    return [*blocks[:place], f"{head}\n{' '.join(around)}", *blocks[place:]]
