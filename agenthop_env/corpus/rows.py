"""Rows of a release as typed values: questions, papers, evidence labels.

Lenient: each defect is noted with its place, and a row that can still be used is. Nulls and papers without text are
normal.
"""

from __future__ import annotations

import difflib
import re
from typing import Final, NamedTuple

from agenthop_env.corpus.problems import Problems
from agenthop_env.corpus.release import LABELS_FILE, PAPERS_FILE, QA_FILE, Row, kind_of
from agenthop_env.records import EvidenceLabel, Item, Section
from agenthop_env.rules import OPTION_COUNT

QUESTION_TYPES: Final = ("single-target", "multi-target")
DISTRACTOR_TYPES: Final = ("correct", "seed_only", "wrong_paper", "no_context")


class PoolPaper(NamedTuple):
    """A row of the paper pool, made whole."""

    arxiv_id: str
    title: str
    sections: tuple[Section, ...]


class Reader:
    """Reads the fields of one row, noting each defect at its place."""

    def __init__(self, row: Row, file: str, line: int, item: str, problems: Problems) -> None:
        self.row, self.file, self.line, self.item, self.problems = row, file, line, item, problems
        self.usable = True

    def error(self, field: str, message: str) -> None:
        """Note a defect that makes the row unusable."""
        self.usable = False
        self.problems.error(self.file, self.line, message, item=self.item, field=field)

    def warn(self, field: str, message: str) -> None:
        """Note a defect that the row can be used with."""
        self.problems.warn(self.file, self.line, message, item=self.item, field=field)

    def required_text(self, field: str) -> str:
        """A string with text in it; an error where there is none."""
        value = self.row.get(field)
        if field not in self.row:
            self.error(field, f"missing; a string is expected{self.meant(field)}")
        elif not isinstance(value, str):
            self.error(field, f"a string is expected, not {kind_of(value)}")
        elif not value.strip():
            self.error(field, "empty; a string with text is expected")
        else:
            return value
        return ""

    def text(self, field: str) -> str:
        """A string, empty where there is none."""
        value = self.row.get(field)
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        self.warn(field, f"a string is expected, not {kind_of(value)}; read as text")
        return str(value)

    def texts(self, field: str, *, required: bool = False) -> tuple[str, ...]:
        """A list of strings, empty where there is none."""
        value = self.row.get(field)
        if value is None and not required:
            return ()
        if value is None:
            self.error(field, f"missing; a list of strings is expected{self.meant(field)}")
            return ()
        if not isinstance(value, list):
            (self.error if required else self.warn)(
                field, f"a list of strings is expected, not {kind_of(value)}"
            )
            return ()
        kept = []
        for index, entry in enumerate(value):
            if isinstance(entry, str):
                kept.append(entry)
            elif required:
                self.error(f"{field}[{index}]", f"a string is expected, not {kind_of(entry)}")
            elif entry is not None:
                self.warn(f"{field}[{index}]", f"a string is expected, not {kind_of(entry)}; read as text")
                kept.append(str(entry))
            else:
                kept.append("")
        return tuple(kept)

    def whole(self, field: str, *, required: bool) -> int | None:
        """A whole number, also from a string or a float of one; None where there is none."""
        value = self.row.get(field)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
            self.warn(field, "a whole number is expected, not a string; read as a number")
            return int(value)
        if isinstance(value, float) and value.is_integer():
            self.warn(field, "a whole number is expected; read as one")
            return int(value)
        if field not in self.row:
            (self.error if required else self.warn)(
                field, f"missing; a whole number is expected{self.meant(field)}"
            )
        else:
            (self.error if required else self.warn)(
                field, f"a whole number is expected, not {kind_of(value)}"
            )
        return None

    def meant(self, field: str) -> str:
        """A hint at a field of the row that may be this one, misspelled."""
        near = difflib.get_close_matches(field, [name for name in self.row if name not in _FIELDS], 1, 0.8)
        return f"; is {near[0]} meant for it?" if near else ""


_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}")

_FIELDS: Final = frozenset(
    (*Item.__struct_fields__, "sample_id", "nodes", "edges", "contexts", "title", "sections", "analysis")
)


def read_item(row: Row, line: int, problems: Problems) -> Item | None:
    """One row of the questions file, or None with the defects noted if it cannot be played."""
    item_id = row.get("id")
    reader = Reader(row, QA_FILE, line, item_id if isinstance(item_id, str) else "", problems)
    item_id = reader.required_text("id")
    question = reader.required_text("question")
    seed = reader.required_text("seed_paper_id")
    options = reader.texts("options", required=True)
    if len(options) != OPTION_COUNT and isinstance(row.get("options"), list):
        reader.error("options", f"{OPTION_COUNT} options are expected, not {len(row['options'])}")
    correct = reader.whole("correct_index", required=True)
    if correct is not None and not 0 <= correct < OPTION_COUNT:
        reader.error("correct_index", f"0 to {OPTION_COUNT - 1} is expected, not {correct}")
    golds = reader.texts("gold_paper_ids", required=True)
    if not golds and row.get("gold_paper_ids") == []:
        reader.error("gold_paper_ids", "empty; at least one gold paper is expected")
    kind = reader.text("question_type")
    if kind not in QUESTION_TYPES:
        guess = QUESTION_TYPES[len(golds) > 1]
        found = f", not {kind!r}" if kind else f"{reader.meant('question_type')}"
        reader.warn(
            "question_type",
            f"{'' if kind else 'missing; '}{QUESTION_TYPES[0]} or {QUESTION_TYPES[1]} is expected{found}; {guess} taken",
        )
        kind = guess
    depth = reader.whole("depth", required=False)
    if depth is None:
        depth = 2 if row.get("bridge_paper_ids") else 1
    elif depth not in (1, 2):
        reader.warn("depth", f"1 or 2 is expected, not {depth}")
    types = reader.texts("distractor_types")
    if (
        correct is not None
        and 0 <= correct < OPTION_COUNT
        and types
        and (
            len(types) != OPTION_COUNT
            or any(kind_ not in DISTRACTOR_TYPES for kind_ in types)
            or [kind_ == "correct" for kind_ in types] != [index == correct for index in range(OPTION_COUNT)]
        )
    ):
        reader.warn(
            "distractor_types",
            f"one of {', '.join(DISTRACTOR_TYPES)} per option, `correct` at the gold, is expected, not {list(types)}",
        )
    gold_arxiv = reader.texts("gold_arxiv_ids")
    if gold_arxiv and len(gold_arxiv) != len(golds):
        reader.warn(
            "gold_arxiv_ids", f"{len(golds)} ids are expected, one per gold paper, not {len(gold_arxiv)}"
        )
    if not reader.usable or correct is None:
        return None
    necessary = row.get("bridge_necessary")
    return Item(
        id=item_id,
        question_type=kind,
        depth=depth,
        reasoning_type=reader.text("reasoning_type"),
        cognitive_skill=reader.text("cognitive_skill"),
        venue=reader.text("venue"),
        consensus_tier=reader.text("consensus_tier"),
        question=question,
        options=options,
        correct_index=correct,
        distractor_types=types,
        seed_paper_id=seed,
        seed_arxiv_id=reader.text("seed_arxiv_id"),
        seed_title=reader.text("seed_title"),
        gold_paper_ids=golds,
        gold_arxiv_ids=gold_arxiv,
        bridge_paper_ids=reader.texts("bridge_paper_ids"),
        bridge_arxiv_ids=reader.texts("bridge_arxiv_ids"),
        filter_agreement=row.get("filter_agreement"),
        bridge_necessary=necessary if isinstance(necessary, bool) else None,
    )


def read_paper(row: Row, line: int, problems: Problems) -> PoolPaper | None:
    """One row of the paper pool; a missing header is named by its place, a null text is empty."""
    arxiv = row.get("arxiv_id")
    reader = Reader(row, PAPERS_FILE, line, arxiv if isinstance(arxiv, str) else "", problems)
    arxiv = reader.required_text("arxiv_id")
    raw = row.get("sections")
    if raw is not None and not isinstance(raw, list):
        reader.warn("sections", f"a list is expected, not {kind_of(raw)}; the paper has no sections")
        raw = None
    sections = []
    for index, entry in enumerate(raw or ()):
        if not isinstance(entry, dict):
            reader.warn(
                f"sections[{index}]",
                f"an object is expected, not {kind_of(entry)}; an empty section stands in",
            )
            entry = {}
        header, text = entry.get("header"), entry.get("text")
        if header is None:
            reader.warn(f"sections[{index}].header", f"missing; named Section {index + 1}")
            header = f"Section {index + 1}"
        if text is None:
            reader.warn(f"sections[{index}].text", "missing; the section is empty")
            text = ""
        sections.append(Section(str(header), str(text)))
    if not reader.usable:
        return None
    return PoolPaper(arxiv, reader.text("title"), tuple(sections))


def read_labels(row: Row, line: int, problems: Problems) -> tuple[str, tuple[EvidenceLabel, ...]] | None:
    """One row of the audit file as the item's id and its labels."""
    sample = row.get("sample_id")
    reader = Reader(row, LABELS_FILE, line, sample if isinstance(sample, str) else "", problems)
    sample = reader.required_text("sample_id")
    analysis = row.get("analysis")
    if not isinstance(analysis, dict):
        reader.error(
            "analysis", f"an object is expected, not {kind_of(analysis)}" if "analysis" in row else "missing"
        )
        return None
    raw = analysis.get("section_recall_labels")
    if raw is not None and not isinstance(raw, list):
        reader.error("analysis.section_recall_labels", f"a list is expected, not {kind_of(raw)}")
        return None
    labels = []
    for index, entry in enumerate(raw or ()):
        place = f"analysis.section_recall_labels[{index}]"
        if not isinstance(entry, dict):
            reader.warn(place, f"an object is expected, not {kind_of(entry)}; left out")
            continue
        values = [
            entry.get(name) for name in ("paper", "arxiv_id", "section", "relevance", "what_it_contains")
        ]
        texts = ["" if value is None else str(value) for value in values]
        if texts[3] not in ("direct", "supporting"):
            reader.warn(
                f"{place}.relevance",
                f"direct or supporting is expected, not {texts[3]!r}; it counts for nothing",
            )
        labels.append(EvidenceLabel(*texts))
    return (sample, tuple(labels)) if reader.usable else None
