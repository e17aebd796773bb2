"""A synthetic release at the published set's scale, written in under a minute.

    python benchmarks/make_release.py OUT --scale 1.0 --seed 0

Full scale is 1,011 items (cells st_d1 90, st_d2 478, mt_d1 396, mt_d2 47), 7,205 papers with text (about 60,000
characters each), graphs of 311 nodes on average (82 to 667, of which a median of 137 have text), over 450,000 edges,
0.97 GB of JSONL. The words are made up; their frequencies, the sizes and the nulls are those of real releases:

* Words follow a Zipf-Mandelbrot law over about 45,000 types, a fifth of them drawn from the paper's topic; function
  words are English, the rest syllables. Half of the sections carry Greek letters and mathematical signs, as real ones do.
* Papers occur in several graphs with the same metadata. Some lack an abstract, a year, authors or an arXiv id; graphs
  hold self-citations, cycles and edges to papers that are not there.
* Direct labels equal a top-level header half the time (one in five of these with a number in front); the others are
  subsection headings that stand verbatim in the text. The right option shares words with the evidence.

The same arguments give the same bytes. Papers and graphs are streamed; what stays in memory is the nodes' JSON.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from prose import APPENDIX, BODY, END, FIRST, LAST, PARAGRAPH, ROMAN, SUBSECTIONS, TOPICS, Prose

ITEMS, PAPERS, NODES = 1011, 7205, 311
CELLS = {"st_d1": 90, "st_d2": 478, "mt_d1": 396, "mt_d2": 47}
METADATA_ONLY_PER_PAPER = 5.0
"""Distinct papers without text for each one with text."""
EDGES_PER_NODE = 1.49


Ints = npt.NDArray[np.int64]


class Evidence(NamedTuple):
    """A place that a label may name, with a sentence that stands there."""

    label: str
    is_header: bool
    sentence: str


class Node(NamedTuple):
    """A paper of the citation graph."""

    paper_id: str
    arxiv_id: str
    title: str
    topic: int
    abstract: str
    evidence: tuple[Evidence, ...]


class ReleaseMaker:
    """Writes one release.

    Args:
        items: Items.
        papers: Papers with text.
        seed: Seed of everything.
        nodes: Mean number of nodes of a graph.
        characters: Mean characters of a section.
    """

    def __init__(
        self, items: int, papers: int, seed: int, nodes: int = NODES, characters: int = 5900
    ) -> None:
        if items < 1 or papers < 40 or nodes < 30:
            raise SystemExit("a release needs at least 1 item, 40 papers and 30 nodes a graph")
        self.items, self.papers, self.mean_nodes, self.characters = items, papers, nodes, characters
        self.rng = np.random.default_rng(np.random.SeedSequence([20_260_901, seed]))
        self.prose = Prose(self.rng)
        self.nodes: list[Node] = []
        self.node_json: list[bytes] = []
        self.sizes: list[tuple[int, int, int]] = []

    def write(self, out: Path) -> dict[str, Any]:
        """Write the four files; returns figures about them."""
        names = ("paper_pool/papers.jsonl", "graphs/full.jsonl", "audit/recall_labels.jsonl", "qa/full.jsonl")
        for name in names:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
        with open(out / names[0], "wb", buffering=1 << 20) as file:
            for index in range(self.papers):
                self._write_paper(file, index)
        others = max(3 * self.mean_nodes, int(self.papers * METADATA_ONLY_PER_PAPER))
        for index in range(self.papers, self.papers + others):
            topic = int(self.rng.integers(TOPICS))
            self._add_node(index, topic, self.prose.title(topic), ())
        self._prepare_graphs()
        with (
            open(out / names[1], "wb", buffering=1 << 20) as graphs,
            open(out / names[2], "wb") as labels,
            open(out / names[3], "wb") as questions,
        ):
            for index, (item_id, cell) in enumerate(self._cells()):
                graph, label, question = self._item(index, item_id, cell)
                graphs.write(graph)
                labels.write(label)
                questions.write(question)
        counts, parsed, edges = np.array(self.sizes).T
        return {
            "items": self.items,
            "papers": self.papers,
            "distinct_nodes": len(self.nodes),
            "nodes_mean": round(float(counts.mean()), 1),
            "nodes_min": int(counts.min()),
            "nodes_max": int(counts.max()),
            "parsed_median": int(np.median(parsed)),
            "edges_total": int(edges.sum()),
            "bytes": {name: (out / name).stat().st_size for name in names},
        }

    # Papers

    def _write_paper(self, file: BinaryIO, index: int) -> None:
        rng = self.rng
        topic = int(rng.integers(TOPICS))
        title = self.prose.title(topic)
        headers = self._headers(topic)
        sizes = np.clip(rng.lognormal(np.log(self.characters * 0.66), 0.94, len(headers)), 150, 64_000)
        sections, evidence = [], []
        for number, (header, size) in enumerate(zip(headers, sizes.tolist(), strict=True), 1):
            text, places = self._section(number, size, topic)
            sections.append({"header": header, "text": text})
            evidence.append(Evidence(header, True, places[0].sentence))
            evidence.extend(places[1:])
        node = self._add_node(index, topic, title, tuple(evidence))
        row = {"arxiv_id": node.arxiv_id, "title": title, "sections": sections}
        file.write(msgspec.json.encode(row) + b"\n")

    def _headers(self, topic: int) -> list[str]:
        rng = self.rng
        kept = np.sort(rng.choice(np.arange(1, len(BODY) - 1), int(rng.integers(3, 8)), replace=False))
        body = [BODY[0], *(BODY[i] for i in kept), BODY[-1]]
        if rng.random() < 0.5:
            body[len(body) // 2] = self.prose.phrase(3, topic).title()
        style = rng.random()
        if style < 0.15:
            body = [f"{number} {header}" for number, header in enumerate(body, 1)]
        elif style < 0.2:
            body = [f"{roman}. {header}" for roman, header in zip(ROMAN, body, strict=False)]
        if rng.random() < 0.85:
            names = rng.choice(len(APPENDIX), int(rng.integers(1, 8)), replace=False)
            body += [f"Apdx_{chr(65 + i)}: {APPENDIX[name]}" for i, name in enumerate(names)]
        return body

    def _section(self, number: int, characters: float, topic: int) -> tuple[str, list[Evidence]]:
        """A section's text, and its first sentence and its subsections as evidence."""
        rng, prose = self.rng, self.prose
        words, places = prose.draw(
            max(8, int(characters / prose.characters_per_word)), topic, 0.02 * (rng.random() < 0.55)
        )
        ends = np.flatnonzero(places >= END)
        found = [Evidence("", True, "".join(words[: int(ends[0]) + 1]).rstrip())]
        breaks = np.flatnonzero(places[:-1] == PARAGRAPH)
        count = min(len(breaks), int(characters / 2500), 6)
        if count:
            chosen = np.sort(rng.choice(breaks, count, replace=False)).tolist()
            names = rng.choice(len(SUBSECTIONS), count, replace=False)
            stops = ends[np.searchsorted(ends, np.array(chosen) + 1)].tolist()
            for order, (place, stop, name) in enumerate(zip(chosen, stops, names, strict=True), 1):
                heading = f"{number}.{order} {SUBSECTIONS[name]}"
                found.append(Evidence(heading, False, "".join(words[place + 1 : stop + 1]).rstrip()))
                words[place] += heading + "\n"
        return "".join(words).rstrip(), found

    def _add_node(self, index: int, topic: int, title: str, evidence: tuple[Evidence, ...]) -> Node:
        rng = self.rng
        luck = rng.random(5)
        with_text = bool(evidence)
        abstract = None if luck[0] < (0.01 if with_text else 0.06) else ""
        if abstract is not None:
            abstract = self.prose.text(
                float(np.clip(rng.normal(1060, 220), 280, 1900)), topic, 0.01 * (luck[1] < 0.2)
            )
        year = int(2025 - min(18, rng.exponential(3.5)))
        arxiv = f"{year % 100:02d}{rng.integers(1, 13):02d}.{index:05d}"
        authors: list[dict[str, str]] | None = [
            {
                "authorId": str(number),
                "name": f"{FIRST[number % len(FIRST)]} {LAST[number // 100 % len(LAST)]}",
            }
            for number in rng.integers(
                10_000_000, 2_000_000_000, 1 + min(30, int(rng.gamma(2.4, 2.5)))
            ).tolist()
        ]
        row: dict[str, Any] = {
            "title": title,
            "arxivId": arxiv,
            "year": year,
            "abstract": abstract,
            "authors": authors,
        }
        if not with_text and luck[2] < 0.45:
            row["arxivId"] = arxiv = "" if luck[2] < 0.3 else None  # type: ignore[assignment]
        if luck[3] < 0.04:
            row["year"] = None
        if luck[4] < 0.03:
            row["authors"] = None if luck[4] < 0.015 else []
        node = Node(rng.bytes(20).hex(), arxiv or "", title, topic, abstract or "", evidence)
        self.nodes.append(node)
        self.node_json.append(b'"%s": ' % node.paper_id.encode() + msgspec.json.encode(row))
        return node

    # Items

    def _cells(self) -> list[tuple[str, str]]:
        shares = np.array(list(CELLS.values())) * self.items / ITEMS
        counts = np.floor(shares).astype(int)
        counts[np.argsort(counts - shares, kind="stable")[: self.items - int(counts.sum())]] += 1
        cells = np.repeat(list(CELLS), counts)
        numbers = {"st": 0, "mt": 0}
        named = []
        for cell in self.rng.permutation(cells).tolist():
            numbers[cell[:2]] += 1
            named.append((f"{cell[:2]}_{numbers[cell[:2]]:04d}", cell))
        return named

    def _prepare_graphs(self) -> None:
        ranks = self.rng.permutation(len(self.nodes))
        self.popularity = 1.0 / (ranks + 0.02 * len(self.nodes)) ** 0.7
        self.topics = np.array([node.topic for node in self.nodes])
        self.dealt = np.array_split(self.rng.permutation(self.papers), self.items)

    def _sample(self, topic: int, first: int, stop: int, count: int, must: Ints) -> Ints:
        """So many nodes of a range, rather those of the topic and popular ones; `must` are among them."""
        weights = self.popularity[first:stop] * np.where(self.topics[first:stop] == topic, 8.0, 1.0)
        order = self.rng.exponential(size=stop - first) / weights
        order[must - first] = -1.0
        count = min(count, stop - first)
        return self.rng.permutation(np.argpartition(order, count - 1)[:count] + first)

    def _item(self, index: int, item_id: str, cell: str) -> tuple[bytes, bytes, bytes]:
        rng, total = self.rng, len(self.nodes)
        scale = self.mean_nodes / NODES
        count = int(np.clip(rng.normal(NODES, 104), 82, 667) * scale)
        parsed = int(np.clip(rng.normal(0.468, 0.12) * count, 8, min(274, self.papers)))
        must = self.dealt[index][: parsed // 2]
        seed = int(must[0]) if len(must) else int(rng.integers(self.papers))
        topic = self.nodes[seed].topic
        with_text = self._sample(topic, 0, self.papers, parsed, np.array([seed, *must]))
        with_text = with_text[with_text != seed]
        without = self._sample(topic, self.papers, total, count - parsed, np.array([], dtype=np.int64))
        first_hop = int(np.clip(rng.normal(26, 6), 8, max(8, count // 4)))
        near_text = min(len(with_text) - 3, max(3, first_hop // 2))
        near = np.concatenate([with_text[:near_text], without[: first_hop - near_text]])
        far = np.concatenate([with_text[near_text:], without[first_hop - near_text :]])
        references, golds, bridges = self._citations(
            seed, near, far, near_text, len(with_text) - near_text, cell
        )
        order = list(dict.fromkeys([seed, *itertools.chain.from_iterable(references.values())]))
        order = [node for node in order if node >= 0]
        edges = self._edge_ids(references)
        self.sizes.append((len(order), 1 + len(with_text), sum(map(len, edges.values()))))
        graph = b'{"sample_id": "%s", "seed": "%s", "nodes": {%s}, "edges": %s}\n' % (
            item_id.encode(),
            self.nodes[seed].paper_id.encode(),
            b", ".join([self.node_json[node] for node in order]),
            json.dumps(edges).encode(),
        )
        return graph, *self._question(item_id, cell, seed, golds, bridges, with_text)

    def _citations(
        self, seed: int, near: Ints, far: Ints, near_text: int, far_text: int, cell: str
    ) -> tuple[dict[int, list[int]], list[int], list[int]]:
        """References by citing node (-1 for a paper that is not there), the gold papers and the bridges."""
        rng = self.rng
        parents = near[: max(near_text, int(len(near) * 0.7))].tolist()
        references: dict[int, list[int]] = {seed: rng.permutation(near).tolist()}
        references.update((parent, []) for parent in sorted(parents, key=references[seed].index))
        for node, parent in zip(far.tolist(), rng.integers(0, len(parents), len(far)).tolist(), strict=True):
            references[parents[parent]].append(node)
        everything = np.concatenate([near, far, [seed, -1, -1]])
        extra = int(EDGES_PER_NODE * (1 + len(near) + len(far))) - len(near) - len(far)
        for node, parent in zip(
            everything[rng.integers(0, len(everything), extra)].tolist(),
            rng.integers(0, len(parents), extra).tolist(),
            strict=True,
        ):
            references[parents[parent]].append(node)
        count = 1 if cell.startswith("st") else 2 + (rng.random() < 0.05)
        if cell.endswith("d1"):
            return references, rng.choice(near[:near_text], count, replace=False).tolist(), []
        golds = rng.choice(far[:far_text], min(count, far_text), replace=False).tolist()
        bridges = rng.choice(
            near[:near_text], len(golds) if rng.random() < 0.7 else 1, replace=False
        ).tolist()
        for place, gold in enumerate(golds):
            cited = references[bridges[place % len(bridges)]]
            if gold not in cited:
                cited.append(gold)
        return references, golds, bridges

    def _edge_ids(self, references: dict[int, list[int]]) -> dict[str, list[str]]:
        absent = self.rng.bytes(20).hex()
        return {
            self.nodes[citing].paper_id: [
                self.nodes[node].paper_id if node >= 0 else absent for node in cited
            ]
            for citing, cited in references.items()
        }

    def _question(
        self, item_id: str, cell: str, seed: int, golds: list[int], bridges: list[int], with_text: Ints
    ) -> tuple[bytes, bytes]:
        rng, prose, nodes = self.rng, self.prose, self.nodes
        topic = nodes[seed].topic
        labels, direct = [], []
        for gold in golds:
            for nth in range(1 + (rng.random() < 0.3)):
                direct.append(self._pick(gold, header=rng.random() < 0.5))
                labels.append(
                    self._label(
                        gold, direct[-1], "direct" if nth == 0 or rng.random() < 0.6 else "supporting"
                    )
                )
        labels += [
            self._label(node, self._pick(node, header=True), "supporting")
            for node in (*bridges, seed)[: int(rng.integers(0, 3))]
        ]
        other = int(rng.choice(with_text))
        distractors = {
            "correct": direct[0].sentence,
            "seed_only": nodes[seed].evidence[int(rng.integers(len(nodes[seed].evidence)))].sentence,
            "wrong_paper": nodes[other].evidence[int(rng.integers(len(nodes[other].evidence)))].sentence,
            "no_context": prose.text(160, int(rng.integers(TOPICS))),
        }
        kinds = rng.permutation(list(distractors)).tolist()
        options = [f"{prose.text(90, topic)} {distractors[kind][:180]}" for kind in kinds]
        hint = " ".join(direct[0].sentence.split()[:9])
        question = (
            f"{prose.text(190, topic)} The authors build on cited work about {prose.phrase(5, nodes[golds[0]].topic)}. "
            f"What does it report on {hint} and {prose.phrase(4, topic)}?"
        )
        row: dict[str, Any] = {
            "id": item_id,
            "question_type": "single-target" if cell.startswith("st") else "multi-target",
            "depth": int(cell[-1]),
            "reasoning_type": ("GROUND", "METHOD", "MOTIVE", "RESULT")[int(rng.integers(4))],
            "cognitive_skill": ("recall", "comparison", "synthesize", "infer")[int(rng.integers(4))],
            "venue": ("NeurIPS", "ICML", "ICLR", "ACL")[int(rng.integers(4))],
            "consensus_tier": ("gold", "silver", "bronze")[int(rng.integers(3))],
            "question": question,
            "options": options,
            "correct_index": kinds.index("correct"),
            "distractor_types": kinds,
            "seed_paper_id": nodes[seed].paper_id,
            "seed_arxiv_id": nodes[seed].arxiv_id,
            "seed_title": nodes[seed].title,
            "gold_paper_ids": [nodes[node].paper_id for node in golds],
            "gold_arxiv_ids": [nodes[node].arxiv_id for node in golds],
            "bridge_paper_ids": [nodes[node].paper_id for node in bridges],
            "bridge_arxiv_ids": [nodes[node].arxiv_id for node in bridges],
            "filter_agreement": None if rng.random() < 0.2 else int(rng.integers(2, 4)),
        }
        analysis = {
            "query_quality": {"verdict": "pass", "note": ""},
            "answer_validity": {
                "claims": [
                    {"claim": label["what_it_contains"], "source_paper": label["paper"],
                     "source_section": label["section"], "verified": True}
                    for label in labels
                ]
            },
            "section_recall_labels": labels,
        }  # fmt: skip
        audit = msgspec.json.encode({"sample_id": item_id, "analysis": analysis}) + b"\n"
        return audit, msgspec.json.encode(row) + b"\n"

    def _pick(self, node: int, *, header: bool) -> Evidence:
        """A section of a paper, or a subsection where there is one."""
        places = self.nodes[node].evidence
        fitting = [place for place in places if place.is_header == header] or places
        return fitting[int(self.rng.integers(len(fitting)))]

    def _label(self, node: int, place: Evidence, relevance: str) -> dict[str, str]:
        section = place.label
        if (
            place.is_header
            and section[0].isalpha()
            and not section.startswith("Apdx")
            and self.rng.random() < 0.2
        ):
            section = f"{self.rng.integers(1, 9)}. {section}"
        return {
            "paper": self.nodes[node].title,
            "arxiv_id": self.nodes[node].arxiv_id,
            "section": section,
            "relevance": relevance,
            "what_it_contains": place.sentence,
        }


def make_release(
    out: Path,
    *,
    scale: float = 1.0,
    seed: int = 0,
    items: int | None = None,
    papers: int | None = None,
    nodes: int = NODES,
    characters: int = 5900,
) -> dict[str, Any]:
    """Write a release and its `manifest.json`.

    Args:
        out: Folder, new or empty.
        scale: Share of the published set's items and papers; graphs keep their size, so an episode costs the same.
        seed: Seed of everything.
        items: Items, instead of the scaled number.
        papers: Papers with text, instead of the scaled number.
        nodes: Mean number of nodes of a graph.
        characters: Mean characters of a section.

    Returns:
        What `manifest.json` holds: arguments, counts, bytes of each file.
    """
    if out.exists() and any(out.iterdir()):
        raise SystemExit(f"{out} is not empty; name a new folder")
    items = items if items is not None else max(4, round(ITEMS * scale))
    papers = papers if papers is not None else max(60, round(PAPERS * scale))
    figures = ReleaseMaker(items, papers, seed, nodes, characters).write(out)
    manifest = {
        "seed": seed,
        "scale": scale,
        "mean_nodes": nodes,
        "mean_section_characters": characters,
        **figures,
    }
    manifest["total_bytes"] = sum(figures["bytes"].values())
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return manifest


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--items", type=int)
    parser.add_argument("--papers", type=int)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--characters", type=int, default=5900)
    args = vars(parser.parse_args())
    started = time.perf_counter()
    manifest = make_release(args.pop("out"), **args)
    print(json.dumps(manifest, indent=1))
    print(f"{manifest['total_bytes'] / 1e9:.3f} GB in {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
