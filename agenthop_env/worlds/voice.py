"""Turning plans and passages into sentences: one voice for each paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from agenthop_env.worlds.bits import Bits
from agenthop_env.worlds.stock import words
from agenthop_env.worlds.stock.areas import ACTIONS, COMPONENTS, Area, areas
from agenthop_env.worlds.stock.passages import PASSAGES

_SLOT: Final = re.compile(r"\{(\w+)\}|\[([^\]]*\|[^\]]*)\]")
_SMALL_WORDS: Final = frozenset(words("a an and as at by for from in of on or the to under with without"))

FEW: Final = ("two", "three", "four", "five", "six")
TENS: Final = ("ten", "twelve", "fifteen", "eighteen", "twenty", "thirty", "forty")

_ACTION_FORMS: Final = 24
"""Forms of each action in its list, so that those with many forms do not crowd out the others."""


class Slot(NamedTuple):
    """A choice that a plan makes: a digit of a raw word in mixed base.

    Attributes:
        phrases: What to choose from.
        divisor: What the digit counts.
        size: How many phrases there are.
    """

    phrases: tuple[str, ...]
    divisor: int
    size: int


class Twin(NamedTuple):
    """A choice that must differ from another one of the same list.

    Attributes:
        slot: Place of the slot, whose size is one less than its list is long.
        other: Place of the slot from which it must differ.
    """

    slot: int
    other: int


class Plan(NamedTuple):
    """A text made ready for one area and task.

    Attributes:
        forms: Per number of sentences the format string of that beginning; its field 0 is the paper's name.
        lengths: Per number of sentences about how many characters it gives.
        slots: Choices, one for each further field.
        twins: Choices that are made once more.
        named: Whether the first sentence has the paper's name.
    """

    forms: tuple[str, ...]
    lengths: tuple[int, ...]
    slots: tuple[Slot, ...]
    twins: tuple[Twin, ...]
    named: bool

    def fields(self, word: int) -> list[str]:
        """What the choices give for one raw word."""
        found = [phrases[word // divisor % size] for phrases, divisor, size in self.slots]
        for at, other in self.twins:
            phrases, divisor, size = self.slots[at]
            _, other_divisor, other_size = self.slots[other]
            found[at] = phrases[
                (word // other_divisor % other_size + 1 + word // divisor % size) % (size + 1)
            ]
        return found


def capitalized(text: str) -> str:
    """The same text with an upper-case first letter."""
    return text[:1].upper() + text[1:]


@cache
def title_case(text: str) -> str:
    """Upper-case first letters, but for small words inside; slots stay as they are."""
    parts = text.split(" ")
    shown = []
    for at, word in enumerate(parts):
        small = word in _SMALL_WORDS and at > 0 and not parts[at - 1].endswith((":", "?"))
        shown.append(
            word
            if small
            else "-".join(part if part == "to" else capitalized(part) for part in word.split("-"))
        )
    return " ".join(shown)


class Choices(NamedTuple):
    """The phrases of a slot.

    Attributes:
        phrases: What to choose from.
        upper: The same with upper-case first letters.
        titled: The same in title case.
        length: Mean length in characters.
    """

    phrases: tuple[str, ...]
    upper: tuple[str, ...]
    titled: tuple[str, ...]
    length: int

    @classmethod
    def of(cls, phrases: tuple[str, ...]) -> Choices:
        """The forms of some phrases."""
        return cls(
            phrases,
            tuple(map(capitalized, phrases)),
            tuple(map(title_case, phrases)),
            sum(map(len, phrases)) // len(phrases),
        )


@cache
def choices_of(number: int, task: int) -> dict[str, Choices]:
    """As `phrases_of`, in every form."""
    found = phrases_of(number, task)
    if task:
        # Tasks of an area differ in nothing but their names.
        return {**choices_of(number, 0), "task": Choices.of(found["task"])}
    return {name: Choices.of(phrases) for name, phrases in found.items()}


@cache
def phrases_of(number: int, task: int) -> dict[str, tuple[str, ...]]:
    """Per slot the phrases that an area offers for one of its tasks."""
    area = areas()[number]
    found = {
        "unit": (area.unit,),
        "units": (area.units,),
        "task": (area.tasks[task],),
        "hard": area.hard,
        "pieces": area.pieces,
        "quality": area.quality,
        "sources": area.sources,
        "labels": area.labels,
        "users": area.users,
        "metric": area.metrics,
        "comp": COMPONENTS,
        "few": FEW,
        "tens": TENS,
    }
    found["action"] = tuple(
        forms[at * len(forms) // _ACTION_FORMS]
        for forms in (_spelled_out(action, found) for action in ACTIONS)
        for at in range(_ACTION_FORMS)
    )
    return found


def _spelled_out(text: str, phrases: dict[str, tuple[str, ...]]) -> list[str]:
    """Every filling of the slots of a short phrase."""
    found = _SLOT.search(text)
    if found is None:
        return [text]
    return [
        done
        for phrase in phrases[found[1]]
        for done in _spelled_out(text[: found.start()] + phrase + text[found.end() :], phrases)
    ]


@cache
def _wordings(text: str) -> Choices:
    """Wordings divided by vertical bars."""
    return Choices.of(tuple(text.split("|")))


_NAMING: Final = ("{0}", "{model}", "{Model}", "{data}", "{Data}")
"""Fields that hold the paper's name."""


def _given(name: str, raised: bool) -> str:
    """The field of a slot that no area fills."""
    if name == "name":
        return "{0}"
    return f"{{{name.capitalize() if raised and name in ('model', 'data') else name}}}"


class _Maker:
    """Makes one plan ready."""

    def __init__(self, choices: dict[str, Choices], titled: bool) -> None:
        self._choices = choices
        self._titled = titled
        self._keys: list[str] = []
        self._lists: list[Choices] = []
        self._raised: set[int] = set()
        self._lengths: list[int] = []

    def make(self, text: str, sentences: bool) -> Plan:
        """The plan of a text: sentences divided by `//`, or a phrase."""
        shown = title_case(text) if self._titled else text
        pieces = [self._parsed(part, sentences) for part in shown.split(" // ")]
        forms = ["".join(self._shown(one) for one in piece) for piece in pieces]
        return Plan(
            tuple(" ".join(forms[: count + 1]) for count in range(len(forms))),
            tuple(sum(self._lengths[: count + 1]) + count for count in range(len(forms))),
            *self._drawn(),
            any(mark in forms[0] for mark in _NAMING),
        )

    def _shown(self, piece: str | tuple[int, int]) -> str:
        """A piece of a format string."""
        if isinstance(piece, str):
            return piece
        which, upper = piece
        return f"{{{self._place(which) + upper}}}"

    def _place(self, which: int) -> int:
        """The field of a choice; one with upper-case phrases has the next field too."""
        return 1 + which + sum(1 for raised in self._raised if raised < which)

    def _drawn(self) -> tuple[tuple[Slot, ...], tuple[Twin, ...]]:
        """Slots in the order of their fields, and twins."""
        slots: list[Slot] = []
        twins: list[Twin] = []
        divisor = 1
        for which, found in enumerate(self._lists):
            other = self._twin(which)
            size = len(found.phrases) - (other >= 0)
            raised = which in self._raised
            for phrases in (found.titled if self._titled else found.phrases, found.upper)[: 1 + raised]:
                if other >= 0:
                    twins.append(Twin(len(slots), self._place(other) - 1))
                slots.append(Slot(phrases, divisor, size))
            divisor *= size
        return tuple(slots), tuple(twins)

    def _parsed(self, text: str, sentence: bool) -> list[str | tuple[int, int]]:
        """Fixed pieces and, as (slot, 1 where upper-case), choices."""
        parts: list[str | tuple[int, int]] = []
        at, length = 0, 0
        for found in _SLOT.finditer(text):
            parts.append(text[at : found.start()])
            at = found.end()
            name, wordings = found[1], found[2]
            if wordings is None and name.rstrip("2") not in self._choices:
                parts.append(_given(name, sentence and found.start() == 0))
                length += 10
                continue
            which = self._slot(name, wordings)
            raised = sentence and found.start() == 0 and wordings is None
            if raised:
                self._raised.add(which)
            parts.append((which, int(raised)))
            length += self._lists[which].length
        parts.append(text[at:])
        self._lengths.append(length + sum(len(part) for part in parts if isinstance(part, str)))
        return parts

    def _slot(self, name: str | None, wordings: str | None) -> int:
        key = name if name is not None else f"#{len(self._keys)}"
        if key not in self._keys:
            self._keys.append(key)
            self._lists.append(self._choices[key.rstrip("2")] if wordings is None else _wordings(wordings))
        return self._keys.index(key)

    def _twin(self, which: int) -> int:
        key = self._keys[which]
        base = key.rstrip("2")
        return self._keys.index(base) if key != base and base in self._keys[:which] else -1


@cache
def plan_of(number: int, task: int, text: str, sentences: bool = False, titled: bool = False) -> Plan:
    """A text made ready for an area and task; what does not name the task is the same for all of them."""
    if task and "{task}" not in text:
        return plan_of(number, 0, text, sentences, titled)
    return _Maker(choices_of(number, task), titled).make(text, sentences)


@cache
def _passages(number: int, task: int, kind: str) -> tuple[tuple[Plan, ...], int, int]:
    """All passages of a kind; as bits all of them, and those that have the paper's name in their first sentence."""
    plans = tuple(plan_of(number, task, text, True) for text in PASSAGES[kind])
    return plans, (1 << len(plans)) - 1, sum(1 << at for at, plan in enumerate(plans) if plan.named)


class Voice:
    """Fills plans with the words of one paper; no passage of a kind returns before all of it were used.

    Args:
        bits: Where to draw from.
        area: The paper's area.
        task: Index of its task.
        name: What its authors call their work.
        model: The model that the work is or comes with; the name where it is not given.
        data: The data that the work is or rests on; the name where they are not given.
    """

    __slots__ = ("_free", "_number", "_task", "_whole", "_word", "name")

    def __init__(self, bits: Bits, area: Area, task: int, name: str, model: str = "", data: str = "") -> None:
        self._word = bits.word
        self._number = area.number
        self._task = task
        self.name = name
        model, data = model or name, data or name
        self._whole = {
            "model": model,
            "Model": capitalized(model),
            "data": data,
            "Data": capitalized(data),
        }
        self._free: dict[str, int] = {}

    def fill(self, text: str, **given: str) -> str:
        """A phrase with its slots filled; `given` fills slots of its own."""
        return self._filled(plan_of(self._number, self._task, text), given)

    def sentence(self, text: str, **given: str) -> str:
        """A sentence, or several, with slots filled."""
        return self._filled(plan_of(self._number, self._task, text, True), given)

    def title(self, text: str, **given: str) -> str:
        """As `fill`, in title case."""
        return self._filled(plan_of(self._number, self._task, text, False, True), given)

    def _filled(self, plan: Plan, given: dict[str, str]) -> str:
        forms, _, slots, twins, _ = plan
        word = self._word()
        fields = (
            plan.fields(word)
            if twins
            else [phrases[word // divisor % size] for phrases, divisor, size in slots]
        )
        return forms[-1].format(self.name, *fields, **given, **self._whole)

    def passage(self, kind: str, room: int, named: bool = False) -> str:
        """A passage of a kind, or the beginning of one.

        Args:
            kind: Key into `PASSAGES`.
            room: Characters that it should not exceed, about; one sentence comes anyway.
            named: Whether it must have the paper's name.
        """
        plans, everything, with_name = _passages(self._number, self._task, kind)
        free = self._free.get(kind) or everything
        if named and not free & with_name:
            free |= with_name
        word = self._word()
        # The low 20 bits choose the passage and its length, the others fill its slots.
        low = word & 0xFFFFF
        at = low % len(plans)
        open_now = free & with_name if named else free
        behind = open_now >> at
        at = at + (behind & -behind).bit_length() - 1 if behind else (open_now & -open_now).bit_length() - 1
        self._free[kind] = free & ~(1 << at)
        plan = plans[at]
        forms, lengths, slots, twins, _ = plan
        count = len(forms) - 1
        if count and low >> 18 == 0:
            count -= 1
        while count and lengths[count] > room:
            count -= 1
        word >>= 20
        if twins:
            return forms[count].format(self.name, *plan.fields(word), **self._whole)
        return forms[count].format(
            self.name,
            *[phrases[word // divisor % size] for phrases, divisor, size in slots],
            **self._whole,
        )

    def passages(self, kinds: Sequence[str], room: int) -> list[str]:
        """Passages whose joint length stays about within `room` characters, blanks included."""
        found: list[str] = []
        kind, many, passage = kinds[0], len(kinds) > 1, self.passage
        while room > 70:
            if many:
                fresh = [one for one in kinds if self._free.get(one, 1)] or kinds
                kind = fresh[self._word() % len(fresh)]
            text = passage(kind, room)
            room -= len(text) + 1
            found.append(text)
        return found


def paragraphs(bits: Bits, parts: Sequence[str]) -> list[str]:
    """Passages and sentences joined to paragraphs of 250 to 750 characters."""
    found: list[str] = []
    waiting: list[str] = []
    length, enough = 0, bits.between(250, 600)
    for part in parts:
        waiting.append(part)
        length += len(part)
        if length >= enough:
            found.append(" ".join(waiting))
            waiting, length, enough = [], 0, bits.between(250, 600)
    if waiting:
        found.append(" ".join(waiting))
    return found
