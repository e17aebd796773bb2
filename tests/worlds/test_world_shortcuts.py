"""Nothing but evidence tells the options apart: what each shortcut scores, against chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import pytest
from world_reading import Reading, items, numbers, read, words

COUNTS = {"nano": 2400, "tiny": 2000}
Rule = Callable[[Reading], list[float]]


def length(one: Reading) -> list[float]:
    return [len(option) for option in one.qa["options"]]


def digits(one: Reading) -> list[float]:
    return [sum(letter.isdigit() for letter in option) for option in one.qa["options"]]


def firsts(one: Reading) -> list[float]:
    found = [numbers(option) for option in one.qa["options"]]
    return [values[0] if values else 0.0 for values in found]


def lasts(one: Reading) -> list[float]:
    found = [numbers(option) for option in one.qa["options"]]
    return [values[-1] if values else 0.0 for values in found]


def middling(one: Reading) -> list[float]:
    values = firsts(one)
    middle = sum(sorted(values)[1:3]) / 2
    return [-abs(value - middle) for value in values]


def odd(one: Reading) -> list[float]:
    values = firsts(one)
    return [abs(value - sum(values) / 4) for value in values]


def popularity(one: Reading) -> list[float]:
    sets = [set(words(option)) for option in one.qa["options"]]
    counts = Counter(word for option in sets for word in option)
    return [sum(counts[word] for word in option) / len(option) for option in sets]


def distance(one: Reading) -> list[float]:
    sets = [set(words(option)) for option in one.qa["options"]]
    return [float(sum(len(a ^ b) for b in sets)) for a in sets]


def question(one: Reading) -> list[float]:
    asked = set(words(one.qa["question"]))
    return [len(asked & set(words(option))) for option in one.qa["options"]]


def abstracts(one: Reading) -> list[float]:
    seen = Counter(word for paper in one.item.graph["nodes"] for word in set(words(one.document(paper))))
    return [sum(seen[word] for word in set(words(option))) for option in one.qa["options"]]


def contexts(one: Reading) -> list[float]:
    seen = {
        word
        for found in one.item.graph["contexts"].values()
        for text in found.values()
        for word in words(text)
    }
    return [len(seen & set(words(option))) for option in one.qa["options"]]


def alphabet(one: Reading) -> list[float]:
    order = sorted(one.qa["options"])
    return [order.index(option) for option in one.qa["options"]]


def position(one: Reading) -> list[float]:
    return [3, 2, 1, 0]


BLIND: dict[str, Rule] = {
    "longest": length,
    "most digits": digits,
    "largest first number": firsts,
    "largest last number": lasts,
    "middle value": middling,
    "odd value out": odd,
    "most frequent components": popularity,
    "farthest from the others": distance,
    "overlap with the question": question,
    "overlap with all titles and abstracts": abstracts,
    "overlap with citing sentences": contexts,
    "alphabet": alphabet,
    "first position": position,
}


def seed_text(one: Reading) -> list[float]:
    seen = set(words(one.body(one.seed)))
    return [len(seen & set(words(option))) for option in one.qa["options"]]


def score(size: str, rule: Rule, sign: int) -> tuple[float, int]:
    """Expected share of right picks of the option that a rule puts first, ties broken evenly."""
    right = 0.0
    found = [read(item) for item in items(size, COUNTS[size])]
    for one in found:
        values = [sign * value for value in rule(one)]
        best = [index for index, value in enumerate(values) if value == max(values)]
        right += (one.qa["correct_index"] in best) / len(best)
    return right / len(found), len(found)


@pytest.mark.parametrize("size", list(COUNTS))
@pytest.mark.parametrize("sign", [1, -1], ids=["most", "least"])
@pytest.mark.parametrize("name", list(BLIND))
@pytest.mark.slow
def test_rules_that_see_no_gold_text_are_at_chance(size: str, name: str, sign: int) -> None:
    share, count = score(size, BLIND[name], sign)
    # Four standard errors: 52 checks at once, on fixed seeds.
    margin = 4 * math.sqrt(0.25 * 0.75 / count)
    assert abs(share - 0.25) <= margin, f"{name}: {share:.3f}"


@pytest.mark.parametrize("size", list(COUNTS))
@pytest.mark.slow
def test_the_seed_misleads_and_striking_out_its_option_gives_a_third_at_most(size: str) -> None:
    trusting, _ = score(size, seed_text, 1)
    assert trusting < 0.15
    right = 0.0
    found = [read(item) for item in items(size, COUNTS[size])]
    for one in found:
        values = seed_text(one)
        left = [index for index, value in enumerate(values) if value < max(values)] or [0, 1, 2, 3]
        right += (one.qa["correct_index"] in left) / len(left)
    assert right / len(found) < 1 / 3 + 0.035


@pytest.mark.parametrize("size", list(COUNTS))
def test_answers_are_spread_evenly_over_letters_and_types(size: str) -> None:
    found = items(size, 600)
    letters = Counter(item.qa["correct_index"] for item in found)
    assert all(abs(letters[index] - 150) < 45 for index in range(4))
    for role in ("seed_only", "wrong_paper", "no_context"):
        places = Counter(item.qa["distractor_types"].index(role) for item in found)
        assert all(abs(places[index] - 150) < 45 for index in range(4))


@pytest.mark.parametrize("size", list(COUNTS))
def test_one_gold_of_two_leaves_two_options(size: str) -> None:
    """Every component of a pair stands in exactly two options, whatever the roles."""
    for item in items(size, 600):
        if item.qa["question_type"] == "multi-target" and size == "nano":
            halves = [option.split(" ; ") for option in item.qa["options"]]
            for side in (0, 1):
                assert sorted(Counter(half[side] for half in halves).values()) == [2, 2]
            assert not {half[0] for half in halves} & {half[1] for half in halves}


def test_the_search_does_not_give_golds_away_by_their_keywords() -> None:
    """Abstracts with keywords are common, so that those of steered papers do not stand out."""
    shares = {True: [0, 0], False: [0, 0]}
    for item in items("tiny", 600):
        for paper, node in item.graph["nodes"].items():
            if node["abstract"] is not None:
                shares[paper in item.qa["gold_paper_ids"]][0] += "Keywords:" in node["abstract"]
                shares[paper in item.qa["gold_paper_ids"]][1] += 1
    golds, others = (
        with_keywords / all_papers for with_keywords, all_papers in (shares[True], shares[False])
    )
    assert 0.4 < others < 0.7
    assert golds < 0.85
