"""A plain harness over the same data, written the way a research harness is: the yardstick of `run.py`.

It parses the four JSONL files into dicts, rebuilds a token-set index over the item's graph for each episode, scans
it for each search and formats strings. It keeps the ledger: prices, rejections, status lines, endings. It takes
structured calls, so it parses no assistant text, and it keeps no records and scores nothing but the answer.

Nothing here is made slow on purpose: files are parsed once, papers are found through dicts, the index holds sets.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

PRICES = {
    "get_paper_info": 1,
    "get_references": 1,
    "search_papers": 1,
    "list_sections": 1,
    "read_section": 5,
    "think": 0,
    "submit_answer": 0,
}
MAX_POINTS, MAX_TURNS, MAX_TOKENS = 30, 20, 200_000
WORD = re.compile(r"\w+")

Row = dict[str, Any]


def read_jsonl(path: Path) -> list[Row]:
    """All rows of a file."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def normalize(header: str) -> str:
    """A header without numbering and appendix prefix."""
    text = header.lower().strip()
    text = re.sub(r"^apdx(?:_[a-z][\d.]*)?:\s*", "", text)
    text = re.sub(r"^[ivxlcd]+(\.|-[a-z])?\s+", "", text)
    text = re.sub(r"^[\d.]+\s*", "", text)
    return re.sub(r"\s+", " ", re.sub("[:\\-\u2013\u2014]", " ", text)).strip()


def alias(index: int) -> str:
    """A to Z, then AA, AB, ..."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def author_names(node: Row) -> list[str]:
    """Names of a paper's authors."""
    return [author["name"] for author in node.get("authors") or [] if author.get("name")]


def find_section(query: str, headers: list[str]) -> int | None:
    """Index of the section a query names: alias, header, normalized header, the one that contains it."""
    query = query.strip()
    if not query:
        return None
    aliases = [alias(index) for index in range(len(headers))]
    if query.strip("()").upper() in aliases:
        return aliases.index(query.strip("()").upper())
    for wanted, names in (
        (query.lower(), [header.lower() for header in headers]),
        (normalize(query), [normalize(header) for header in headers]),
    ):
        if wanted and wanted in names:
            return names.index(wanted)
    for wanted, names in (
        (query.lower(), [header.lower() for header in headers]),
        (normalize(query), [normalize(header) for header in headers]),
    ):
        found = [index for index, name in enumerate(names) if wanted and wanted in name]
        if len(found) == 1:
            return found[0]
    return None


class Release:
    """A release as dicts.

    Args:
        folder: The release.
    """

    def __init__(self, folder: Path) -> None:
        self.items = {row["id"]: row for row in read_jsonl(folder / "qa/full.jsonl")}
        self.graphs = {row["sample_id"]: row for row in read_jsonl(folder / "graphs/full.jsonl")}
        self.papers = {row["arxiv_id"]: row for row in read_jsonl(folder / "paper_pool/papers.jsonl")}
        self.labels = {
            row["sample_id"]: row["analysis"] for row in read_jsonl(folder / "audit/recall_labels.jsonl")
        }


class Harness:
    """One episode.

    Args:
        release: The data.
        item_id: The item.
    """

    def __init__(self, release: Release, item_id: str) -> None:
        self.item = release.items[item_id]
        graph = release.graphs[item_id]
        self.nodes: dict[str, Row] = graph["nodes"]
        self.edges: dict[str, list[str]] = graph["edges"]
        self.papers = {
            paper_id: release.papers[node["arxivId"]]
            for paper_id, node in self.nodes.items()
            if node.get("arxivId") in release.papers
        }
        self.index = {
            paper_id: set(
                WORD.findall(((node.get("title") or "") + " " + (node.get("abstract") or "")).lower())
            )
            for paper_id, node in self.nodes.items()
        }
        letters = "\n".join(
            f"{letter}. {text}" for letter, text in zip("ABCD", self.item["options"], strict=True)
        )
        self.first_message = f"Seed paper: {self.item['seed_paper_id']} ({self.item['seed_title']})\n\n{self.item['question']}\n\n{letters}"
        self.points_used = self.turns_used = self.tokens_used = self.rejections = 0
        self.ending: str | None = None
        self.option: str | None = None

    @property
    def correct(self) -> bool:
        """Whether the submitted option is the right one."""
        return self.option == "ABCD"[self.item["correct_index"]]

    def turn(self, calls: list[tuple[str, Row]], prompt_tokens: int, completion_tokens: int) -> list[str]:
        """Run the calls of one assistant message; returns what the agent sees for each."""
        self.turns_used += 1
        self.tokens_used += prompt_tokens + completion_tokens
        if self.tokens_used > MAX_TOKENS:
            self.ending = "token_limit"
            return []
        results = []
        for name, arguments in calls:
            results.append(self.call(name, arguments))
            if self.ending:
                break
        status = f"\nTurn: {self.turns_used}  |  Tokens used: {self.tokens_used:,}  |  Budget used: {self.points_used}"
        if self.ending is None and self.rejections >= 2:
            self.ending = "budget"
        elif self.ending is None and self.turns_used >= MAX_TURNS:
            self.ending = "max_turns"
        return [result + status for result in results]

    def call(self, name: str, arguments: Row) -> str:
        """Charge and run one call."""
        price = PRICES.get(name)
        if price is None:
            self.rejections = 0
            return f"Error: unknown tool {name}"
        left = MAX_POINTS - self.points_used
        if price > left:
            self.rejections += 1
            return f"REJECTED: Insufficient budget ({left} remaining, {name} costs {price})."
        self.rejections = 0
        self.points_used += price
        try:
            return str(getattr(self, name)(**arguments))
        except TypeError as error:
            return f"Error: {error}"

    def get_paper_info(self, paper_id: str) -> str:
        """Metadata and abstract."""
        node = self.nodes.get(paper_id)
        if node is None:
            return f"Error: unknown paper {paper_id}"
        authors = ", ".join(author_names(node)) or "Unknown"
        return (
            f"Title: {node.get('title') or 'Unknown'}\nAuthors: {authors}\nYear: {node.get('year') or 'Unknown'}\n"
            f"Abstract: {node.get('abstract') or '(not available)'}\n"
            f"Full text available: {'Yes' if paper_id in self.papers else 'No'}"
        )

    def _heading(self, number: int, paper_id: str) -> str:
        node = self.nodes.get(paper_id, {})
        names = author_names(node)
        if not names:
            authors = "Unknown"
        elif len(names) <= 2:
            authors = " and ".join(names)
        else:
            authors = f"{names[0]} et al."
        return (
            f"  [{number}] {paper_id}\n      Title: {node.get('title') or 'Unknown'}\n"
            f"      Authors: {authors} ({node.get('year') or 'Unknown'})\n"
        )

    def get_references(self, paper_id: str) -> str:
        """Cited papers."""
        if paper_id not in self.nodes:
            return f"Error: unknown paper {paper_id}"
        cited = self.edges.get(paper_id) or []
        if not cited:
            return f"No references for paper '{paper_id}'."
        lines = [
            f"{self._heading(number, other)}"
            f"      Full text: {'Available' if other in self.papers else 'Not available'}"
            for number, other in enumerate(cited, 1)
        ]
        return f"References for paper '{paper_id}' ({len(cited)} papers):\n\n" + "\n".join(lines)

    def search_papers(self, query: str, top_k: int = 5) -> str:
        """Papers by the number of distinct words shared with title and abstract."""
        words = set(WORD.findall(query.lower()))
        scored = [(len(words & tokens), paper_id) for paper_id, tokens in self.index.items()]
        scored = [entry for entry in scored if entry[0]]
        scored.sort(key=lambda entry: -entry[0])
        found = scored[: max(1, min(10, int(top_k)))]
        if not found:
            return f"No papers found for '{query}'."
        lines = []
        for number, (_, paper_id) in enumerate(found, 1):
            abstract = self.nodes[paper_id].get("abstract") or "(no abstract)"
            if len(abstract) > 300:
                abstract = abstract[:300] + "..."
            lines.append(
                f"{self._heading(number, paper_id)}      Abstract: {abstract}\n"
                f"      Full text: {'Available' if paper_id in self.papers else 'Not available'}"
            )
        return f"Search results for '{query}' ({len(found)} matches):\n\n" + "\n".join(lines)

    def list_sections(self, paper_id: str) -> str:
        """Aliases, headers and sizes."""
        if paper_id not in self.papers:
            return f"Error: no text for paper {paper_id}"
        sections = self.papers[paper_id]["sections"]
        if not sections:
            return f"No sections in paper '{paper_id}'."
        lines = [
            f"  ({alias(index)}) {section['header']} ({len(section['text'])} chars)"
            for index, section in enumerate(sections)
        ]
        return f"Sections for paper '{paper_id}' ({len(sections)} sections):\n\n" + "\n".join(lines)

    def read_section(self, paper_id: str, section: str) -> str:
        """A section's text."""
        if paper_id not in self.papers:
            return f"Error: no text for paper {paper_id}"
        sections = self.papers[paper_id]["sections"]
        index = find_section(section, [entry["header"] for entry in sections])
        if index is None:
            return "Error: no such section. " + "; ".join(
                f"({alias(place)}) {entry['header']}" for place, entry in enumerate(sections)
            )
        return f"=== {sections[index]['header']} ===\n\n{sections[index]['text']}"

    def think(self, thought: str = "") -> str:
        """Nothing changes."""
        return "Noted."

    def submit_answer(self, option: str, reasoning: str = "") -> str:
        """End the run."""
        self.ending, self.option = "answer", option.strip().upper()[:1]
        return "Answer submitted."
