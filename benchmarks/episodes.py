"""The measured workload: a scripted game of eight calls, one a turn, over all items in turn.

    get_paper_info(seed)  get_references(seed)  search_papers(4 to 8 words)  get_paper_info(a cited paper)
    list_sections(p)  read_section(p)  read_section(q)  submit_answer(a letter)

15 points, eight turns. Every round draws another query (words of the question, of titles in the graph and of the
whole vocabulary), other papers and other sections, so that no cache of answers helps; half of the time `p` is a gold
paper, so that scoring has something to score. A section is named by its header, its alias or a number in front, as
policies do. The same seed gives the same games.

The games are made before any clock starts and written to a file that all measured processes read: structured calls
for the baseline, the same calls as assistant text (one sentence, then the `<tool_call>` envelope) for the package.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

PROMPT_TOKENS, COMPLETION_TOKENS = 2_000, 60
"""What the baseline is told that each request cost; the package counts for itself."""

SENTENCES = {
    "get_paper_info": "Let me look at what this paper is about.",
    "get_references": "The answer is likely in a cited paper, so I list the references.",
    "search_papers": "I search the neighborhood for the terms of the question.",
    "list_sections": "This one has full text; I check how it is organized before I pay for a section.",
    "read_section": "This section should hold the evidence.",
    "submit_answer": "The evidence suffices, I submit.",
}


class Call(NamedTuple):
    """One structured call."""

    name: str
    arguments: dict[str, Any]


class Game(NamedTuple):
    """One scripted episode."""

    item_id: str
    calls: list[Call]

    def texts(self) -> list[str]:
        """The calls as assistant messages."""
        return [
            f"{SENTENCES[name]}\n<tool_call>\n"
            f"{json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False)}\n</tool_call>"
            for name, arguments in self.calls
        ]


class _Board(NamedTuple):
    """What the games of one item are drawn from."""

    item: dict[str, Any]
    cited: list[str]
    readable: list[str]
    golds: list[str]
    titles: list[str]


def _boards(folder: Path, headers: dict[str, list[str]]) -> Iterator[_Board]:
    with open(folder / "qa/full.jsonl", encoding="utf-8") as file:
        items = {row["id"]: row for row in map(json.loads, file)}
    with open(folder / "graphs/full.jsonl", encoding="utf-8") as file:
        for graph in map(json.loads, file):
            item, nodes = items[graph["sample_id"]], graph["nodes"]
            arxiv = {paper_id: node.get("arxivId") or "" for paper_id, node in nodes.items()}
            for paper_id, number in arxiv.items():
                if number in headers:
                    headers[paper_id] = headers[number]
            yield _Board(
                item,
                [cited for cited in graph["edges"].get(item["seed_paper_id"], ()) if cited in nodes],
                [paper_id for paper_id in nodes if headers.get(paper_id)],
                [paper_id for paper_id in item["gold_paper_ids"] if headers.get(paper_id)],
                [node["title"] for node in nodes.values() if node.get("title")],
            )


def _query(rng: random.Random, board: _Board, vocabulary: list[str]) -> str:
    question = re.findall(r"\w+", board.item["question"])
    titles = " ".join(rng.choices(board.titles, k=2)).split()
    words = rng.choices(question, k=3) + rng.choices(titles, k=3) + rng.choices(vocabulary, k=2)
    rng.shuffle(words)
    return " ".join(words[: rng.randint(4, 8)])


def _section(rng: random.Random, headers: list[str]) -> str:
    index = rng.randrange(len(headers))
    style = rng.random()
    if style < 0.4 and index < 26:
        return chr(65 + index)
    if style < 0.9:
        return headers[index]
    plain = headers[index].split(" ")[0].isalpha() and not headers[index].startswith(("I ", "V ", "X "))
    return f"{index + 1}. {headers[index]}" if plain else headers[index].lower()


def _game(rng: random.Random, board: _Board, headers: dict[str, list[str]], vocabulary: list[str]) -> Game:
    seed = board.item["seed_paper_id"]
    first = rng.choice(board.golds if board.golds and rng.random() < 0.5 else board.readable)
    second = rng.choice(board.readable)
    return Game(
        board.item["id"],
        [
            Call("get_paper_info", {"paper_id": seed}),
            Call("get_references", {"paper_id": seed}),
            Call("search_papers", {"query": _query(rng, board, vocabulary), "top_k": 5}),
            Call("get_paper_info", {"paper_id": rng.choice(board.cited or [seed])}),
            Call("list_sections", {"paper_id": first}),
            Call("read_section", {"paper_id": first, "section": _section(rng, headers[first])}),
            Call("read_section", {"paper_id": second, "section": _section(rng, headers[second])}),
            Call("submit_answer", {"option": rng.choice("ABCD")}),
        ],
    )


def make_games(folder: Path, rounds: int, seed: int = 0) -> list[list[Game]]:
    """Games on every item of a release, in rounds.

    Args:
        folder: The release.
        rounds: Times that each item is played.
        seed: Seed of all draws.

    Returns:
        One list of games a round, items in the graphs file's order.
    """
    headers: dict[str, list[str]] = {}
    vocabulary: list[str] = []
    with open(folder / "paper_pool/papers.jsonl", encoding="utf-8") as file:
        for number, line in enumerate(file):
            paper = json.loads(line)
            headers[paper["arxiv_id"]] = [section["header"] for section in paper["sections"]]
            if number % 16 == 0 and paper["sections"]:
                vocabulary += re.findall(r"\w+", paper["sections"][0]["text"])[:200]
    games: list[list[Game]] = [[] for _ in range(rounds)]
    for board in _boards(folder, headers):
        if not board.readable:
            continue
        for number in range(rounds):
            rng = random.Random(f"{seed}/{number}/{board.item['id']}")
            games[number].append(_game(rng, board, headers, vocabulary))
    return games


def save_games(path: Path, games: list[list[Game]]) -> None:
    """Write rounds of games, one round a line."""
    with open(path, "w", encoding="utf-8") as file:
        for played in games:
            file.write(json.dumps(played, ensure_ascii=False) + "\n")


def read_round(path: Path, number: int) -> list[Game]:
    """Read back one round, and no other; after the last the first comes again."""
    with open(path, encoding="utf-8") as file:
        rounds = sum(1 for _ in file)
        file.seek(0)
        line = next(itertools.islice(file, number % rounds, None))
    return [Game(item, [Call(*call) for call in calls]) for item, calls in json.loads(line)]


def load_games(path: Path, rounds: int) -> list[list[Game]]:
    """Read back the first so many rounds."""
    return [read_round(path, number) for number in range(rounds)]
