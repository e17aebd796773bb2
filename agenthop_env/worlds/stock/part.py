"""Parts that a cited work plays for the work that cites it.

A part belongs to a kind of work (a corpus, an encoder, ...). It has phrases for questions, which complete "the ... that
the seed paper ___", and citing sentences for texts, in which `{c}` is the citation. Two parts of one kind never
describe the same use.
"""

from __future__ import annotations

from typing import NamedTuple

from agenthop_env.worlds.stock import phrases


class Part(NamedTuple):
    """One use of a cited work.

    Attributes:
        asked: Third-person phrases with the cited work left out at the end or in the middle.
        cited: Citing sentences in the first person.
        echoed: Per phrase for questions a citing sentence in the same words.
    """

    asked: tuple[str, ...]
    cited: tuple[str, ...]
    echoed: tuple[str, ...]


class WorkKind(NamedTuple):
    """A kind of work.

    Attributes:
        nouns: Nouns that titles use, singular.
        plain: Synonyms that share no word with them, for questions.
        titles: Title plans, each with `{name}`; `{noun}`, `{task}`, `{adjective}` are filled in title case.
        places: Kinds of sections, beside related work, in which such works are cited.
        parts: The parts that works of the kind can play.
        endings: What names of such works may end in.
        scored: What its headline score is the score of.
        modelled: The model that it is or comes with.
        gathered: The data that it is or rests on.
        adjectives: Adjectives for its titles.
        about: What stands between the noun and the task.
    """

    nouns: tuple[str, ...]
    plain: tuple[str, ...]
    titles: tuple[str, ...]
    places: tuple[str, ...]
    parts: tuple[Part, ...]
    endings: tuple[str, ...]
    scored: str
    modelled: str
    gathered: str
    adjectives: tuple[str, ...]
    about: str = "for"


def part(asked: str, cited: str, echoed: str) -> Part:
    """A part whose lists are given as texts with vertical bars."""
    return Part(phrases(asked), phrases(cited), phrases(echoed))
