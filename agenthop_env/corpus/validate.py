"""Validation of a release: every defect of all four files, with its place, in one go.

Rows are read by the readers that the compiler uses, so both agree on what a row is; what only the four files together
show (a gold paper that no graph has, a label of an unknown paper) is checked here. Files are streamed: memory holds
ids and labels, never texts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Final

import msgspec

from agenthop_env.corpus.builder import direct_labels, satisfying
from agenthop_env.corpus.graph_rows import GraphRow, read_graph, read_node
from agenthop_env.corpus.problems import CorpusError, Problem, Problems, Severity
from agenthop_env.corpus.release import (
    FILES,
    GRAPHS_FILE,
    LABELS_FILE,
    PAPERS_FILE,
    QA_FILE,
    Row,
    decode_line,
    file_of,
    read_lines,
    read_object,
)
from agenthop_env.corpus.rows import QUESTION_TYPES, PoolPaper, read_item, read_labels, read_paper
from agenthop_env.records import EvidenceLabel, Item
from agenthop_env.text import layout, sections

KEPT_OF_A_KIND: Final = 100
"""Defects of one kind in one file that are listed; the rest is counted."""

REASONING_TYPES: Final = ("GROUND", "METHOD", "MOTIVE", "RESULT")
CONSENSUS_TIERS: Final = ("gold", "silver", "bronze")

_ROWS_LOOKED_AT: Final = 3
_OPTIONAL_FIELDS: Final = (
    "reasoning_type",
    "venue",
    "consensus_tier",
    "seed_title",
    "distractor_types",
    "gold_arxiv_ids",
)
_NODE_FIELDS: Final = ("title", "arxivId", "year", "venue", "abstract", "authors")
_SPECIFIC: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\d+|\[[^\]]*\]")
_SHOWN_CHARS: Final = 400

Progress = Callable[[str, int, int], None]
"""Called with what is being done, bytes done and bytes in all."""


class _Counted(Problems):
    """Defects, of each kind in each file only the first listed; the rest is counted."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[tuple[str, str, str, str], list[Problem | int]] = {}

    def error(self, file: str, line: int, message: str, *, item: str = "", field: str = "") -> None:
        self._note("error", file, line, message, item, field)

    def warn(self, file: str, line: int, message: str, *, item: str = "", field: str = "") -> None:
        self._note("warning", file, line, message, item, field)

    def _note(self, severity: Severity, file: str, line: int, message: str, item: str, field: str) -> None:
        if len(message) > _SHOWN_CHARS:
            message = message[:_SHOWN_CHARS] + "..."
        kind = (severity, file, _general_field(field), _SPECIFIC.sub("*", message))
        problem = Problem(severity, file, line, item, field, message)
        known = self._kinds.setdefault(kind, [problem, 0])
        assert isinstance(known[1], int)
        known[1] += 1
        if known[1] <= KEPT_OF_A_KIND:
            self.found.append(problem)

    def listed(self) -> Problems:
        """All defects file by file and line by line, with a count under each file of those not listed."""
        places = {file: place for place, file in enumerate(FILES)}
        listed = sorted(self.found, key=lambda problem: (places[problem.file], problem.line))
        for (severity, file, field, _), (first, count) in self._kinds.items():
            assert isinstance(first, Problem)
            assert isinstance(count, int)
            if count > KEPT_OF_A_KIND:
                message = f"{count - KEPT_OF_A_KIND} more like the {count} that begin on line {first.line}: {first.message}"
                listed.append(
                    Problem("error" if severity == "error" else "warning", file, 0, "", field, message)
                )
        return Problems(sorted(listed, key=lambda problem: places[problem.file]))


def _general_field(field: str) -> str:
    """A field without indices and paper ids."""
    head, dot, rest = field.partition(".")
    if dot and head in ("nodes", "edges", "contexts"):
        last = rest.rpartition(".")[2]
        return f"{head}.*.{last}" if last in _NODE_FIELDS else f"{head}.*"
    return _SPECIFIC.sub("[]", field)


def validate_release(folder: str | os.PathLike[str], progress: Progress | None = None) -> Problems:
    """All defects of a release.

    Errors are what makes data unusable or scores wrong; warnings are what play can go on with. Nulls, papers without
    text, citations of papers outside the graph, self-citations and cycles are normal and not listed.

    Args:
        folder: The release.
        progress: Told how far it is.

    Returns:
        The defects in the order of files and lines. After `KEPT_OF_A_KIND` of one kind in a file the rest of them is
        one entry with their count.

    Raises:
        CorpusError: If there is no such folder.
    """
    root = Path(folder)
    if not root.is_dir():
        raise CorpusError(f"{root}: no such folder; name the folder that holds {', '.join(FILES)}")
    return _Validation(root, progress).run()


class _Validation:
    """One pass over each file: questions, labels, papers, graphs; each needs what stands in those before it."""

    def __init__(self, folder: Path, progress: Progress | None) -> None:
        self.folder = folder
        self.progress = progress
        self.problems = _Counted()
        self.items: dict[str, Item] = {}
        self.item_lines: dict[str, int] = {}  # of all ids, those of unusable rows too
        self.labels: dict[str, list[tuple[int, tuple[EvidenceLabel, ...]]]] = {}
        self.papers: dict[str, tuple[int, int]] = {}  # arXiv id -> line, number of sections
        self.found_labels: set[tuple[str, str]] = set()
        self.nodes: dict[bytes, str] = {}  # digest of a node -> its arXiv id
        self.graphs: dict[str, int] = {}
        self.done = 0
        self.total = sum((folder / file).stat().st_size for file in FILES if (folder / file).is_file())
        self.usable = {file for file in FILES if self._file_is_usable(file)}

    def run(self) -> Problems:
        if QA_FILE in self.usable:
            for line, row in self._rows(QA_FILE):
                self._question(line, row)
        if LABELS_FILE in self.usable:
            for line, row in self._rows(LABELS_FILE):
                self._label_row(line, row)
        if PAPERS_FILE in self.usable:
            wanted = direct_labels(self._labeled_items())
            for line, row in self._rows(PAPERS_FILE):
                paper = read_paper(row, line, self.problems)
                if paper is not None:
                    self._paper(line, paper, wanted.get(paper.arxiv_id, set()))
        if GRAPHS_FILE in self.usable:
            for line, raw in self._lines(GRAPHS_FILE):
                graph = read_graph(raw, line, self.problems)
                if graph is not None:
                    self._graph(line, graph)
            for item_id in self.items:
                if item_id not in self.graphs:
                    self.problems.error(
                        GRAPHS_FILE,
                        0,
                        "no row for this item; it cannot be played",
                        item=item_id,
                        field="sample_id",
                    )
        return self.problems.listed()

    def _file_is_usable(self, file: str) -> bool:
        """Whether a file is there and holds rows of its own; else says so once."""
        path = self.folder / file
        if not path.is_file():
            if file == LABELS_FILE:
                self.problems.warn(file, 0, "missing; section recall cannot be scored")
            else:
                self.problems.error(file, 0, f"missing; a release has {', '.join(FILES)}")
            return False
        strangers: list[str | None] = []
        for _, line in read_lines(self.folder, file):
            try:
                row = decode_line(line)
            except ValueError:
                continue
            strangers.append(file_of(row) if isinstance(row, dict) else None)
            if len(strangers) == _ROWS_LOOKED_AT:
                break
        if strangers and all(other not in (None, file) for other in strangers):
            self.problems.error(
                file,
                0,
                f"rows of {strangers[0]} stand here: the files are swapped; put each in its place and validate again",
            )
            return False
        if path.stat().st_size == 0:
            if file == LABELS_FILE:
                self.problems.warn(file, 0, "empty; section recall cannot be scored")
            else:
                self.problems.error(file, 0, "empty; fetch or write it again")
            return False
        return True

    def _lines(self, file: str) -> Iterator[tuple[int, bytes]]:
        for number, line in read_lines(self.folder, file):
            yield number, line
            self.done += len(line)
            if self.progress:
                self.progress("validate", self.done, self.total)

    def _rows(self, file: str) -> Iterator[tuple[int, Row]]:
        for number, line in self._lines(file):
            row = read_object(line, file, number, self.problems)
            if row is not None:
                yield number, row

    def _question(self, line: int, row: Row) -> None:
        problems = self.problems
        item = read_item(row, line, problems)
        item_id = row.get("id")
        if not isinstance(item_id, str):
            return
        if item_id in self.item_lines:
            first = self.item_lines[item_id]
            problems.error(
                QA_FILE,
                line,
                f"this id stands on line {first} too; the first counts",
                item=item_id,
                field="id",
            )
            return
        self.item_lines[item_id] = line
        if item is None:
            return
        self.items[item_id] = item
        for field in _OPTIONAL_FIELDS:
            if field not in row:
                problems.warn(QA_FILE, line, "missing", item=item_id, field=field)
        for field, value, known in (
            ("reasoning_type", item.reasoning_type, REASONING_TYPES),
            ("consensus_tier", item.consensus_tier, CONSENSUS_TIERS),
        ):
            if value and value not in known:
                problems.warn(
                    QA_FILE,
                    line,
                    f"one of {', '.join(known)} is expected, not {value!r}",
                    item=item_id,
                    field=field,
                )
        shown = [option.strip() for option in item.options]
        for index, option in enumerate(shown):
            if not option:
                problems.error(
                    QA_FILE, line, "empty; every option needs a text", item=item_id, field=f"options[{index}]"
                )
            elif option in shown[:index]:
                first = shown.index(option)
                message = f"equal to option {first}; only one of them could be right"
                problems.error(QA_FILE, line, message, item=item_id, field=f"options[{index}]")
        golds = len(item.gold_paper_ids)
        if row.get("question_type") in QUESTION_TYPES and (item.question_type == QUESTION_TYPES[0]) != (
            golds == 1
        ):
            message = f"{item.question_type} with {golds} gold paper{'s' if golds > 1 else ''}"
            problems.warn(QA_FILE, line, message, item=item_id, field="question_type")
        if len(set(item.gold_paper_ids)) < golds:
            message = "the same paper twice; paper recall could never be 1"
            problems.error(QA_FILE, line, message, item=item_id, field="gold_paper_ids")

    def _label_row(self, line: int, row: Row) -> None:
        read = read_labels(row, line, self.problems)
        if read is None:
            return
        item_id, labels = read
        if item_id in self.labels:
            first = self.labels[item_id][0][0]
            message = f"this id stands on line {first} too; the labels of both count"
            self.problems.error(LABELS_FILE, line, message, item=item_id, field="sample_id")
        elif item_id not in self.item_lines and QA_FILE in self.usable:
            message = f"{QA_FILE} has no such item; the row counts for nothing"
            self.problems.warn(LABELS_FILE, line, message, item=item_id, field="sample_id")
        self.labels.setdefault(item_id, []).append((line, labels))

    def _labeled_items(self) -> Iterator[Item]:
        for item_id, item in self.items.items():
            labels = tuple(label for _, row in self.labels.get(item_id, ()) for label in row)
            yield msgspec.structs.replace(item, labels=labels)

    def _paper(self, line: int, paper: PoolPaper, wanted: set[str]) -> None:
        if paper.arxiv_id in self.papers:
            first = self.papers[paper.arxiv_id][0]
            message = f"this arXiv id stands on line {first} too; the last counts"
            self.problems.error(PAPERS_FILE, line, message, item=paper.arxiv_id, field="arxiv_id")
        self.papers[paper.arxiv_id] = line, len(paper.sections)
        if wanted:
            normalized = [sections.normalize(section.header) for section in paper.sections]
            shown = [layout.section_heading(section.header) + section.text for section in paper.sections]
            self.found_labels.update(
                (paper.arxiv_id, label) for label in wanted if satisfying(label, normalized, shown)
            )

    def _graph(self, line: int, graph: GraphRow) -> None:
        problems, item_id = self.problems, graph.sample_id
        if item_id in self.graphs:
            first = self.graphs[item_id]
            message = f"this id stands on line {first} too; the first counts"
            problems.error(GRAPHS_FILE, line, message, item=item_id, field="sample_id")
            return
        self.graphs[item_id] = line
        if item_id not in self.item_lines and QA_FILE in self.usable:
            message = f"{QA_FILE} has no such item; the row counts for nothing"
            problems.warn(GRAPHS_FILE, line, message, item=item_id, field="sample_id")
        arxiv = {paper_id: self._node(raw, paper_id, line, item_id) for paper_id, raw in graph.nodes.items()}
        item = self.items.get(item_id)
        if item is None:
            return
        if item.seed_paper_id not in arxiv:
            message = (
                f"the seed paper {item.seed_paper_id!r} is not among the nodes; the item cannot be played"
            )
            problems.error(GRAPHS_FILE, line, message, item=item_id, field="nodes")
        for paper_id in item.bridge_paper_ids:
            if paper_id not in arxiv:
                message = f"the bridge paper {paper_id!r} is not among the graph's nodes"
                problems.warn(
                    QA_FILE, self.item_lines[item_id], message, item=item_id, field="bridge_paper_ids"
                )
        rows = self.labels.get(item_id, [])
        names = [_gold_names(item, gold, arxiv) for gold in range(len(item.gold_paper_ids))]
        for gold, _ in enumerate(names):
            self._gold(item, gold, arxiv, names[gold], graph.edges)
        if LABELS_FILE in self.usable:
            self._direct_labels(item, names, rows)
            reachable = {
                *arxiv.values(),
                *item.gold_arxiv_ids,
                *item.bridge_arxiv_ids,
                item.seed_arxiv_id,
            } - {""}
            for label_line, labels in rows:
                self._labels(item, label_line, labels, reachable)

    def _node(self, raw: bytes, paper_id: str, line: int, item_id: str) -> str:
        """A node's arXiv id, empty without one; a node seen before, equal to the byte, is not read again."""
        digest = blake2b(paper_id.encode("utf-8", "surrogatepass") + b"\0" + raw, digest_size=16).digest()
        known = self.nodes.get(digest)
        if known is None:
            node = read_node(raw, paper_id, line, item_id, self.problems)
            known = self.nodes[digest] = node.arxiv_id or ""
        return known

    def _gold(
        self, item: Item, gold: int, arxiv: dict[str, str], names: set[str], edges: dict[str, list[str]]
    ) -> None:
        paper_id, line = item.gold_paper_ids[gold], self.item_lines[item.id]
        field = f"gold_paper_ids[{gold}]"

        def warn(message: str) -> None:
            self.problems.warn(QA_FILE, line, message, item=item.id, field=field)

        nodes = {node for node, name in arxiv.items() if node == paper_id or name in names}
        if not nodes:
            message = f"{paper_id!r} is not in the item's graph, neither by its id nor by an arXiv id"
            self.problems.error(QA_FILE, line, message, item=item.id, field=field)
            return
        if PAPERS_FILE in self.usable and not any(self.papers.get(arxiv[node], (0, 0))[1] for node in nodes):
            warn(f"{paper_id!r} has no text in {PAPERS_FILE}; the item cannot be recalled")
        stated, own = item.gold_arxiv_ids[gold : gold + 1], arxiv.get(paper_id, "")
        if own and stated and stated[0] and stated[0] != own:
            warn(f"gold_arxiv_ids has {stated[0]!r} and the graph {own!r} for it")
        # The depth is the length of the chain that made the item: a shorter way may exist and is no defect.
        first = set(edges.get(item.seed_paper_id, ()))
        if item.depth == 1:
            if not nodes & first:
                warn(f"depth 1, but the seed does not cite {paper_id!r}")
        elif (
            item.depth == 2
            and not nodes & first
            and not any(nodes & set(edges.get(paper, ())) for paper in first)
        ):
            warn(f"depth 2, but neither the seed nor a paper that it cites cites {paper_id!r}")

    def _direct_labels(
        self, item: Item, names: list[set[str]], rows: list[tuple[int, tuple[EvidenceLabel, ...]]]
    ) -> None:
        """Warn of gold papers whose section recall cannot be scored."""
        if not rows:
            message = f"no row for item {item.id!r}; its section recall cannot be scored"
            self.problems.warn(LABELS_FILE, 0, message, item=item.id, field="sample_id")
            return
        labeled = {
            label.arxiv_id
            for _, labels in rows
            for label in labels
            if label.relevance == "direct" and label.section.strip()
        }
        for paper_id, known in zip(item.gold_paper_ids, names, strict=True):
            if not known & labeled:
                message = f"no direct label for the gold paper {paper_id!r}; section recall cannot be 1"
                field = "analysis.section_recall_labels"
                self.problems.warn(LABELS_FILE, rows[0][0], message, item=item.id, field=field)

    def _labels(self, item: Item, line: int, labels: tuple[EvidenceLabel, ...], reachable: set[str]) -> None:
        for index, label in enumerate(labels):
            place = f"analysis.section_recall_labels[{index}]"
            direct = label.relevance == "direct"
            if not label.arxiv_id or not label.section.strip():
                if direct:
                    field = "section" if label.arxiv_id else "arxiv_id"
                    message = "empty; the label counts for nothing"
                    self.problems.warn(LABELS_FILE, line, message, item=item.id, field=f"{place}.{field}")
            elif label.arxiv_id not in reachable:
                note = self.problems.error if direct else self.problems.warn
                message = f"{label.arxiv_id!r} names no paper of the item's graph"
                note(LABELS_FILE, line, message, item=item.id, field=f"{place}.arxiv_id")
            elif (
                direct
                and label.arxiv_id in self.papers
                and (label.arxiv_id, label.section) not in self.found_labels
            ):
                message = (
                    f"{label.section!r} is neither a header of {label.arxiv_id!r} nor stands in its text"
                )
                self.problems.warn(LABELS_FILE, line, message, item=item.id, field=f"{place}.section")


def _gold_names(item: Item, gold: int, arxiv: dict[str, str]) -> set[str]:
    """ArXiv ids by which a gold paper is known: the item's own and its node's; never an empty one."""
    return {*item.gold_arxiv_ids[gold : gold + 1], arxiv.get(item.gold_paper_ids[gold], "")} - {""}
