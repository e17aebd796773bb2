"""What every item of every size holds to, over many items."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from world_reading import PROSE_SIZES, Reading, items, read, words

from agenthop_env.worlds import SIZES, make
from agenthop_env.worlds.stock.attributes import ATTRIBUTES

COUNTS = {"nano": 400, "tiny": 250, "small": 30, "full": 3}

many = pytest.mark.parametrize("size", SIZES)


def readings(size: str) -> list[Reading]:
    return [read(item) for item in items(size, COUNTS[size])]


@many
def test_seed_bridge_and_gold_are_linked_as_the_depth_says(size: str) -> None:
    for one in readings(size):
        qa = one.qa
        assert len(qa["gold_paper_ids"]) == {"single-target": 1, "multi-target": 2}[qa["question_type"]]
        assert qa["id"][:2] == {"single-target": "st", "multi-target": "mt"}[qa["question_type"]]
        direct = set(one.cited(one.seed))
        if qa["depth"] == 1:
            assert not qa["bridge_paper_ids"]
            assert direct >= set(qa["gold_paper_ids"])
            continue
        assert direct >= set(qa["bridge_paper_ids"])
        for gold in qa["gold_paper_ids"]:
            citers = {citing for citing, cited in one.item.graph["edges"].items() if gold in cited}
            assert len(citers) == 1
            assert citers <= set(qa["bridge_paper_ids"])
        assert not direct & set(qa["gold_paper_ids"])


@many
def test_the_graph_is_the_two_hop_neighborhood_and_years_do_not_run_backwards(size: str) -> None:
    for one in readings(size):
        nodes, edges = one.item.graph["nodes"], one.item.graph["edges"]
        reached = {one.seed, *one.cited(one.seed)}
        reached |= {cited for citing in list(reached) for cited in one.cited(citing)}
        assert reached == set(nodes)
        assert next(iter(nodes)) == one.seed
        for citing, cited_list in edges.items():
            assert len(set(cited_list)) == len(cited_list)
            for cited in cited_list:
                assert cited != citing
                years = nodes[citing]["year"], nodes[cited]["year"]
                assert None in years or years[0] >= years[1]
                assert citing not in edges.get(cited, [])


@many
def test_ids_are_unique_and_papers_join_their_nodes(size: str) -> None:
    seen: set[str] = set()
    for one in readings(size):
        nodes = one.item.graph["nodes"]
        pool = [paper["arxiv_id"] for paper in one.item.papers]
        known = [node["arxivId"] for node in nodes.values() if node["arxivId"]]
        assert len(set(pool)) == len(pool)
        assert len(set(known)) == len(known)
        assert not seen & set(known)
        seen |= set(known)
        assert set(pool) <= set(known)
        for paper_id, paper in one.texts.items():
            assert paper["title"] == nodes[paper_id]["title"]
        assert len({node["title"] for node in nodes.values()}) == len(nodes) or size == "nano"
        assert one.item.labels["sample_id"] == one.item.graph["sample_id"] == one.qa["id"]
        assert one.item.graph["seed"] == one.seed


@many
def test_labels_are_found_verbatim_and_the_evidence_stands_there(size: str) -> None:
    for one in readings(size):
        direct = one.labels("direct")
        assert [paper for paper, _ in direct] == one.qa["gold_paper_ids"]
        for paper, label in direct:
            found = one.satisfying(paper, label["section"])
            assert len(found) == 1, (one.qa["id"], label)
            assert label["what_it_contains"] in found[0]["text"]
        for paper, label in one.labels("supporting"):
            assert one.satisfying(paper, label["section"])


@many
def test_options_are_four_and_their_types_fit(size: str) -> None:
    for one in readings(size):
        qa = one.qa
        assert len(set(qa["options"])) == 4
        assert sorted(qa["distractor_types"]) == ["correct", "no_context", "seed_only", "wrong_paper"]
        assert qa["distractor_types"][qa["correct_index"]] == "correct"


def components(options: list[str]) -> list[set[str]]:
    """Per option the words that not all options share."""
    sets = [set(re.findall(r"[\w.%-]+", option)) for option in options]
    return [one - set.intersection(*sets) for one in sets]


@many
def test_the_gold_section_supports_the_answer_alone(size: str) -> None:
    for one in readings(size):
        evidence: set[str] = set()
        for paper, label in one.labels("direct"):
            evidence |= set(re.findall(r"[\w.%-]+", one.satisfying(paper, label["section"])[0]["text"]))
        told = components(
            [option.replace(".", " . ") if size == "nano" else option for option in one.qa["options"]]
        )
        right = one.qa["correct_index"]
        stripped = [{word.strip(".") for word in option} for option in told]
        known = {word.strip(".") for word in evidence}
        assert stripped[right] <= known, (one.qa["id"], stripped[right] - known)


def stated(option: str) -> list[str]:
    """The values in an option, in order of its halves."""
    found = []
    for half in re.split(r"; those of B |; in B, they |\. B: its authors ", option):
        prefixes = {one.option.split("{v}")[0] for group in ATTRIBUTES.values() for one in group}
        prefix = max((one for one in prefixes if f" {one}" in f" {half}"), key=len)
        found.append(half.split(prefix, 1)[1].rstrip("."))
    return found


@pytest.mark.parametrize("size", PROSE_SIZES)
def test_each_distractor_is_true_where_it_says_and_the_answer_stands_nowhere_else(size: str) -> None:
    for one in readings(size):
        qa = one.qa
        options = [stated(option) for option in qa["options"]]
        by_role = dict(zip(qa["distractor_types"], options, strict=True))
        holders = {
            value: {paper for paper in one.texts if _states(one.body(paper), value)}
            for option in options
            for value in option
        }
        for half, gold in enumerate(qa["gold_paper_ids"]):
            assert gold in holders[by_role["correct"][half]]
            # In pairs a value is shared by two options, so its other holder may be the seed or a look-alike.
            allowed = {gold} if len(qa["gold_paper_ids"]) == 1 else None
            assert allowed is None or holders[by_role["correct"][half]] == allowed, qa["id"]
        assert all(one.seed in holders[value] for value in by_role["seed_only"])
        for half, value in enumerate(by_role["wrong_paper"]):
            assert holders[value] - {one.seed, qa["gold_paper_ids"][half]}
        if len(qa["gold_paper_ids"]) == 1:
            assert holders[by_role["seed_only"][0]] == {one.seed}
            assert len(holders[by_role["wrong_paper"][0]]) == 1
            assert not holders[by_role["no_context"][0]]
        else:
            assert sorted(options) == sorted(
                [x, y] for x in {o[0] for o in options} for y in {o[1] for o in options}
            )
            halves = [holders[value] for value in by_role["no_context"]]
            assert not halves[0] & halves[1], "no paper may state both halves of the false pair"


def _states(body: str, value: str) -> bool:
    """Whether a text has the value, not as the end of a longer number or word."""
    return re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", body) is not None


@pytest.mark.parametrize("size", PROSE_SIZES)
def test_the_answer_is_in_no_abstract_and_no_citing_sentence(size: str) -> None:
    for one in readings(size):
        for value in stated(one.qa["options"][one.qa["correct_index"]]):
            assert all(value not in one.document(paper) for paper in one.item.graph["nodes"])
            contexts = one.item.graph["contexts"].values()
            assert all(value not in sentence for sentences in contexts for sentence in sentences.values())


@many
def test_a_question_names_neither_title_nor_name_of_a_gold_or_bridge(size: str) -> None:
    for one in readings(size):
        question = one.qa["question"].lower()
        for paper in one.qa["gold_paper_ids"] + one.qa["bridge_paper_ids"]:
            title = one.item.graph["nodes"][paper]["title"].lower()
            assert title not in question
            if size != "nano":
                name = title.split(":")[0].split(",")[0]
                coined = [
                    word for word in re.findall(r"[\w-]+", title) if one.body(paper).lower().count(word) > 0
                ]
                assert name not in question
                assert not any(
                    word in words(question) for word in coined if len(word) > 3 and _is_coined(word)
                )


def _is_coined(word: str) -> bool:
    return bool(re.fullmatch(r"[a-z]{5,}(net|base|former|-2|-x|-s)", word))


@many
def test_the_known_path_is_within_thirty_points(size: str) -> None:
    for one in readings(size):
        points = 1 + len(one.qa["bridge_paper_ids"]) + len(one.qa["gold_paper_ids"]) * (1 + 5)
        assert points <= 30


@pytest.mark.parametrize("size", PROSE_SIZES)
def test_citing_sentences_stand_in_the_text(size: str) -> None:
    for one in readings(size):
        for citing, sentences in one.item.graph["contexts"].items():
            body = one.body(citing)
            assert set(sentences) <= set(one.cited(citing))
            assert all(sentence in body for sentence in sentences.values())


@pytest.mark.parametrize("size", ["small", "full"])
def test_quoted_scores_are_those_that_their_papers_report(size: str) -> None:
    quoted = 0
    for one in readings(size):
        own: dict[str, str] = {}
        rows: list[tuple[str, str]] = []
        for paper in one.texts:
            table = re.findall(r"^\| ([^|]+) \| ([\d.]+) \| \d+ \|$", one.body(paper), re.MULTILINE)
            for name, score in table:
                if name in one.item.graph["nodes"][paper]["title"] or score in _claimed(
                    one.body(paper), name
                ):
                    own[name] = score
                rows.append((name, score))
        for name, score in rows:
            if name in own:
                assert own[name] == score
                quoted += 1
        by_name: dict[str, set[str]] = {}
        for name, score in rows:
            by_name.setdefault(name, set()).add(score)
        assert all(len(scores) == 1 for scores in by_name.values())
    assert quoted > 20


def _claimed(body: str, name: str) -> set[str]:
    return set(re.findall(rf"{re.escape(name)} (?:reaches|arrives at) (\d+\.\d)", body))


@many
def test_a_headline_score_is_the_same_wherever_it_is_repeated(size: str) -> None:
    for one in readings(size):
        for paper in one.texts:
            text = f"{one.document(paper)} {one.body(paper)}"
            names = re.findall(r"([A-Z][\w-]+) reaches (\d+\.\d)", text)
            names += re.findall(r"([A-Z][\w-]+) arrives at (\d+\.\d)", text)
            for name in {name for name, _ in names}:
                assert len({score for other, score in names if other == name}) == 1


def test_kinds_come_in_the_proportions_of_the_release() -> None:
    counts = Counter(item_id[:2] for item_id in make("nano", items=20_000).ids)
    assert counts["mt"] / 20_000 == pytest.approx(443 / 1011, abs=0.015)
    depths = Counter((item.qa["id"][:2], item.qa["depth"]) for item in items("nano", COUNTS["nano"]))
    assert set(depths) == {("st", 1), ("st", 2), ("mt", 1), ("mt", 2)}
    reasoning = Counter(item.qa["reasoning_type"] for item in items("nano", COUNTS["nano"]))
    assert set(reasoning) == {"GROUND", "METHOD", "MOTIVE", "RESULT"}
    assert min(reasoning.values()) > COUNTS["nano"] // 6


def test_sizes_are_what_they_claim() -> None:
    for size, nodes, texts, sections in (
        ("nano", (8, 15), (5, 15), (5, 80)),
        ("tiny", (18, 41), (4, 25), (80, 480)),
        ("small", (55, 125), (20, 60), (400, 3000)),
        ("full", (75, 670), (30, 300), (500, 32_000)),
    ):
        for one in readings(size):
            assert nodes[0] <= len(one.item.graph["nodes"]) <= nodes[1]
            assert texts[0] <= len(one.item.papers) <= texts[1]
            for paper in one.item.papers:
                for section in paper["sections"]:
                    assert sections[0] <= len(section["text"]) <= sections[1], (size, section)
