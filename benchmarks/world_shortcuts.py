"""Ways to guess at an item of a world without doing its work: rules, readers, eliminators, trained classifiers.

Each scores the four options; the best is picked, ties are broken by a draw that depends on the item alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from agenthop_env.agents.support import weigh
from agenthop_env.worlds import WorldItem
from agenthop_env.worlds.bits import Bits

Scores = Sequence[float]
Row = dict[str, Any]

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_HASHED = 2**18


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def numbers(text: str) -> list[float]:
    return [float(found) for found in _NUMBER.findall(text)]


def pick(scores: Scores, salt: int, index: int) -> int:
    """The best option; ties are broken by a draw."""
    top = max(scores)
    best = [at for at, score in enumerate(scores) if score == top]
    return best[0] if len(best) == 1 else Bits((0x71E5, salt, index)).choice(best)


# Rules that read the options, or the options and the question.


def _first_numbers(options: Sequence[str]) -> list[float]:
    return [(numbers(option) or [0.0])[0] for option in options]


def _shared(options: Sequence[str]) -> list[float]:
    sets = [set(words(option)) for option in options]
    counts = Counter(word for option in sets for word in option)
    return [sum(counts[word] for word in option) / len(option) for option in sets]


def _middle(options: Sequence[str]) -> list[float]:
    values = _first_numbers(options)
    center = sum(sorted(values)[1:3]) / 2
    return [-abs(value - center) for value in values]


RULES: dict[str, Callable[[Row], Scores]] = {
    "random": lambda qa: [0.0] * 4,
    "longest option": lambda qa: [len(option) for option in qa["options"]],
    "shortest option": lambda qa: [-len(option) for option in qa["options"]],
    "most numbers": lambda qa: [sum(letter.isdigit() for letter in option) for option in qa["options"]],
    "largest number": lambda qa: _first_numbers(qa["options"]),
    "middle number": lambda qa: _middle(qa["options"]),
    "most in common with the other options": lambda qa: _shared(qa["options"]),
    "least in common with the other options": lambda qa: [-one for one in _shared(qa["options"])],
    "words in common with the question": lambda qa: [
        len(set(words(qa["question"])) & set(words(option))) for option in qa["options"]
    ],
}


# Classifiers, trained on other worlds.


def features(qa: Row) -> np.ndarray:
    """Per option what can be counted on it: lengths, digits, ranks of its numbers, place, words in common."""
    options = qa["options"]
    sets = [set(words(option)) for option in options]
    asked = set(words(qa["question"]))
    counts = Counter(word for option in sets for word in option)
    firsts = _first_numbers(options)
    lasts = [(numbers(option) or [0.0])[-1] for option in options]
    order = sorted(options)
    rows = []
    for at, option in enumerate(options):
        found = numbers(option)
        others = [len(sets[at] & other) for which, other in enumerate(sets) if which != at]
        rows.append(
            [
                len(option), len(sets[at]), len(found), sum(letter.isdigit() for letter in option),
                firsts[at], lasts[at], sorted(firsts).index(firsts[at]), sorted(lasts).index(lasts[at]),
                abs(firsts[at] - sum(firsts) / 4), abs(lasts[at] - sum(lasts) / 4), at, order.index(option),
                min(others), max(others), sum(others), sum(counts[word] == 1 for word in sets[at]),
                sum(counts[word] == 2 for word in sets[at]), len(asked & sets[at]),
                len(option) - min(map(len, options)), max(map(len, options)) - len(option),
                float(found[0] % 10) if found else -1.0, float(found[-1] % 10) if found else -1.0,
            ]
        )  # fmt: skip
    return np.array(rows, dtype=np.float64)


def option_tokens(qa: Row) -> list[list[str]]:
    """Per option its words and neighboring pairs of words."""
    found = []
    for option in qa["options"]:
        one = words(option)
        found.append(one + [f"{a} {b}" for a, b in pairwise(one)])
    return found


def paired_tokens(qa: Row) -> list[list[str]]:
    """Per option every pair of a word of the question and a word that not all options share."""
    sets = [set(words(option)) for option in qa["options"]]
    common = set.intersection(*sets)
    asked = sorted(set(words(qa["question"])))
    return [[f"{a}|{b}" for a in asked for b in sorted(option - common)] for option in sets]


class Trained(NamedTuple):
    """A classifier that scores options.

    Attributes:
        fit: Trains on questions.
        score: Scores of all options of some questions, items x 4.
    """

    fit: Callable[[Sequence[Row]], None]
    score: Callable[[Sequence[Row]], np.ndarray]


def _right(questions: Iterable[Row]) -> np.ndarray:
    return np.array([at == qa["correct_index"] for qa in questions for at in range(4)])


def bag_of_words(tokens: Callable[[Row], list[list[str]]]) -> Trained:
    """Logistic regression over hashed tokens of options."""
    from sklearn.feature_extraction import FeatureHasher
    from sklearn.linear_model import LogisticRegression

    hasher = FeatureHasher(_HASHED, input_type="string")
    model = LogisticRegression(C=0.1, max_iter=200, solver="liblinear")

    def matrix(questions: Sequence[Row]) -> Any:
        return hasher.transform(option for qa in questions for option in tokens(qa))

    def fit(questions: Sequence[Row]) -> None:
        model.fit(matrix(questions), _right(questions))

    def score(questions: Sequence[Row]) -> np.ndarray:
        return model.decision_function(matrix(questions)).reshape(-1, 4)

    return Trained(fit, score)


def boosted(rows_of: Callable[[Row], np.ndarray]) -> Trained:
    """Gradient-boosted trees over features of options."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(max_iter=150, learning_rate=0.1, random_state=0)

    def fit(questions: Sequence[Row]) -> None:
        model.fit(np.concatenate([rows_of(qa) for qa in questions]), _right(questions))

    def score(questions: Sequence[Row]) -> np.ndarray:
        rows = np.concatenate([rows_of(qa) for qa in questions])
        return model.predict_proba(rows)[:, 1].reshape(-1, 4)

    return Trained(fit, score)


def classifiers() -> dict[str, Trained]:
    return {
        "bag of words of the option": bag_of_words(option_tokens),
        "bag of word pairs, question and option": bag_of_words(paired_tokens),
        "boosted trees over option features": boosted(features),
    }


# Readers of some of the text.


class Texts(NamedTuple):
    """An item's texts as the readers see them.

    Attributes:
        seed: The seed's sections.
        golds: Per gold the section that a direct label names.
        others: All sections of each other paper, joined.
        abstracts: Titles and abstracts of all papers.
    """

    seed: list[str]
    golds: list[str]
    others: list[str]
    abstracts: list[str]


def texts_of(item: WorldItem) -> Texts:
    nodes = item.graph["nodes"]
    by_arxiv = {
        paper["arxiv_id"]: [section["text"] for section in paper["sections"]] for paper in item.papers
    }
    golds = [
        next(text for text in by_arxiv[label["arxiv_id"]] if label["what_it_contains"] in text)
        for label in item.labels["analysis"]["section_recall_labels"]
        if label["relevance"] == "direct"
    ]
    own = {item.qa["seed_arxiv_id"], *item.qa["gold_arxiv_ids"]}
    return Texts(
        by_arxiv[item.qa["seed_arxiv_id"]],
        golds,
        ["\n".join(sections) for arxiv_id, sections in by_arxiv.items() if arxiv_id not in own],
        [f"{node['title']}. {node['abstract'] or ''}" for node in nodes.values()],
    )


def halves(options: Sequence[str]) -> list[list[str]]:
    """Per option its values, one for each gold: what is left of each half without the words that all halves share."""
    parts = [re.split(r" ; |; those of B |; in B, they |\. B: ", option.rstrip(".")) for option in options]
    found: list[list[str]] = [[] for _ in options]
    for which in range(len(parts[0])):
        column = [part[which] for part in parts]
        start = _common(column)
        end = _common([text[start:][::-1] for text in column])
        # Whole words only, so that 12 is not found in 112.
        for at, text in enumerate(column):
            left = text.rfind(" ", 0, start) + 1
            tail = text[len(text) - end :]
            right = len(text) - end + (tail.find(" ") if " " in tail else len(tail))
            found[at].append(text[left:right])
    return found


def _common(texts: Sequence[str]) -> int:
    length = 0
    for letters in zip(*texts, strict=False):
        if len(set(letters)) > 1:
            break
        length += 1
    return length


def states(text: str, value: str) -> bool:
    """Whether a text has a value, not as part of a longer number or word."""
    at = text.find(value)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(value) : at + len(value) + 1]
        if not (before.isalnum() or before == ".") and not after.isalnum():
            return True
        at = text.find(value, at + 1)
    return False


def read_scores(qa: Row, texts: Texts) -> dict[str, Scores]:
    """Scores of options by readers of some of the text."""
    values = halves(qa["options"])
    seed = "\n".join(texts.seed)
    told = [[states(seed, value) for value in option] for option in values]
    near = [[any(states(text, value) for text in texts.others) for value in option] for option in values]
    struck = [-float(all(one)) for one in told]
    found: dict[str, Scores] = {
        "abstracts only": weigh(qa["question"], qa["options"], texts.abstracts).scores,
        "seed only, trusting it": weigh(qa["question"], qa["options"], texts.seed).scores,
        "seed's option struck out": struck,
        "what neighbors say struck out too": [
            min(out, -float(all(one))) for out, one in zip(struck, near, strict=True)
        ],
        "all golds' sections (check of the reader)": weigh(qa["question"], qa["options"], texts.golds).scores,
    }
    if len(texts.golds) > 1:
        for which, name in enumerate(("first", "second")):
            found[f"{name} gold of two only"] = [
                float(states(texts.golds[which], option[which])) for option in values
            ]
    return found


def told_features(qa: Row, texts: Texts) -> np.ndarray:
    """Per option what the seed and the papers beside the golds state of its halves: for trained eliminators."""
    values = halves(qa["options"])
    seed = "\n".join(texts.seed)
    rows = []
    for option in values:
        told = [states(seed, value) for value in option]
        near = [sum(states(text, value) for text in texts.others) for value in option]
        rows.append(
            [all(told), sum(told), told[0], told[-1], sum(map(bool, near)), near[0], near[-1], sum(near)]
        )
    found = np.array(rows, dtype=np.float64)
    return np.concatenate([found, found - found.mean(axis=0)], axis=1)
