"""Questions and options: the seed's claim, the gold by the part it plays, what is asked; never a title or name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from agenthop_env.worlds.anatomy import SEED, Anatomy
from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.options import Deal
from agenthop_env.worlds.stock.areas import Area
from agenthop_env.worlds.stock.attribute import Attribute
from agenthop_env.worlds.stock.parts import WORK_KINDS
from agenthop_env.worlds.works import Work

Parts = Mapping[tuple[int, int], int]
"""(citing, cited) -> index of the part among those of the cited work's kind."""

_CLAIMS: Final = (
    "The seed paper, which presents {seed}, claims that {claim}.",
    "According to the seed paper on {seed}, {claim}.",
    "The seed paper concludes from its work on {seed} that {claim}.",
    "In the seed paper, the one on {seed}, it is argued that {claim}.",
    "That {claim} is what the seed paper on {seed} sets out to show.",
    "The authors of {seed}, the seed paper, maintain that {claim}.",
)
"""They have the seed's name, so that no question is found in two items."""

_NEAR: Final = (
    "Its bibliography includes the {role} that it {use}.",
    "It cites the {role} that it {use}.",
    "Consider the {role} that it {use}.",
    "One of its references is the {role} that it {use}.",
)
_FAR: Final = (
    "Its bibliography includes the {bridge} that it {by}; that work in turn cites the {role} that it {use}.",
    "Start from the {bridge} that it {by}, and go on to the {role} that this second paper {use}.",
    "It cites the {bridge} that it {by}. Among the references of that work is the {role} that it {use}.",
)
_ASK_ONE: Final = (
    "Which statement about {asked} holds for {target}?",
    "What does {target} say about {asked}?",
    "Concerning {asked}, which option agrees with {target}?",
    "For {target}, which option is right about {asked}?",
)
_NEAR_TWO: Final = (
    "It cites the {role} that it {use} (work A) and the {role2} that it {use2} (work B).",
    "Take as work A the {role} that it {use}, and as work B the {role2} that it {use2}.",
    "Among its references are the {role} that it {use}, called A below, and the {role2} that it {use2}, called B.",
)
_FAR_TWO: Final = (
    "It cites the {bridge} that it {by}. That paper in turn cites the {role} that it {use} (work A) and the {role2} that it {use2} (work B).",
    "Start from the {bridge} that it {by}. In the bibliography of that paper, work A is the {role} that it {use}, and work B the {role2} that it {use2}.",
)
_FAR_SPLIT: Final = (
    "It cites the {bridge} that it {by}; that work in turn cites the {role} that it {use} (work A). The seed paper also cites the {bridge2} that it {by2}, and this second work cites the {role2} that it {use2} (work B).",
    "Start from the {bridge} that it {by}: work A is the {role} that this paper {use}. Then start from the {bridge2} that the seed paper {by2}: work B is the {role2} that this other paper {use2}.",
)
_ASK_TWO: Final = (
    "Which option is right for both works: A, concerning {asked}, and B, concerning {asked2}?",
    "What holds for A with regard to {asked}, and for B with regard to {asked2}?",
    "Which option correctly combines {asked} (A) with {asked2} (B)?",
)
_OPTION_ONE: Final = ("Its authors {one}.", "The authors {one}.", "The paper's authors {one}.")
_OPTION_TWO: Final = (
    "The authors of A {one}; those of B {two}.",
    "In A, the authors {one}; in B, they {two}.",
    "A: its authors {one}. B: its authors {two}.",
)


class QuestionWriter:
    """Writes one question.

    Args:
        bits: Where to draw from.
        anatomy: The item's skeleton.
        works: All works.
        area: The item's area.
        parts: What cited works are to their citers.
        phrasing: For the citations on the path, which of their part's phrases to use.
        literal: Whether golds and bridges are described in the words of their titles, and what is asked in those of
            section headers.
    """

    def __init__(
        self,
        bits: Bits,
        anatomy: Anatomy,
        works: Sequence[Work],
        area: Area,
        parts: Parts,
        phrasing: Parts,
        literal: bool,
    ) -> None:
        self._bits = bits
        self._anatomy = anatomy
        self._works = works
        self._area = area
        self._parts = parts
        self._phrasing = phrasing
        self._literal = literal

    def question(self, asked: Sequence[Attribute]) -> str:
        """The question's text."""
        bits, anatomy = self._bits, self._anatomy
        fields = {"claim": self._works[SEED].claim, "seed": self._works[SEED].name}
        for at, (gold, citer) in enumerate(zip(anatomy.golds, anatomy.citers, strict=True)):
            mark = "2" if at else ""
            fields[f"role{mark}"], fields[f"use{mark}"] = self._role(citer, gold)
            fields[f"asked{mark}"] = asked[at].asked[0] if self._literal else bits.choice(asked[at].asked)
            if citer != SEED:
                fields[f"bridge{mark}"], fields[f"by{mark}"] = self._role(SEED, citer)
        if len(anatomy.golds) == 1:
            path = _NEAR if anatomy.kind.depth == 1 else _FAR
            fields["target"] = bits.choice(
                ("that work", "the work in question")
                if path is _NEAR
                else ("the latter work", "the last-named work")
            )
            frames = (bits.choice(_CLAIMS), bits.choice(path), bits.choice(_ASK_ONE))
        else:
            two = (
                _NEAR_TWO
                if anatomy.kind.depth == 1
                else _FAR_TWO
                if len(set(anatomy.citers)) == 1
                else _FAR_SPLIT
            )
            frames = (bits.choice(_CLAIMS), bits.choice(two), bits.choice(_ASK_TWO))
        return " ".join(frame.format(**fields) for frame in frames)

    def options(self, asked: Sequence[Attribute], values: Sequence[Sequence[str]], dealt: Deal) -> list[str]:
        """The four options' texts: one frame for all of them."""
        frame = self._bits.choice(_OPTION_ONE if len(asked) == 1 else _OPTION_TWO)
        texts = []
        for cell in dealt.cells:
            done = [
                attribute.option.format(v=values[at][index])
                for at, (attribute, index) in enumerate(zip(asked, cell, strict=True))
            ]
            texts.append(frame.format(one=done[0], two=done[-1]))
        return texts

    def _role(self, citing: int, cited: int) -> tuple[str, str]:
        """What a cited work is called, and what its citer does with it."""
        work = self._works[cited]
        stock = WORK_KINDS[work.kind]
        part = stock.parts[self._parts[citing, cited]]
        asked = part.asked[self._phrasing[citing, cited]]
        if self._literal:
            return f"{work.noun} {stock.about} {self._area.tasks[work.task]}", asked
        return self._bits.choice(stock.plain), asked
