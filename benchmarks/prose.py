"""Made-up prose with the word frequencies of real papers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

TOPICS, TOPIC_WORDS = 40, 512
VOCABULARY, TABLE = 45_000, 1 << 21
LONGEST_SENTENCE = 48


def _words(text: str) -> list[str]:
    return text.split()


def _names(text: str) -> list[str]:
    return text.split("|")


COMMON = _words(
    "the of and to a in we for is that with as on our are by this from it be which at or can an model models each data "
    "not have these results more using both than method training learning performance their used show between such all "
    "task tasks where set language based two given when also one other figure different table number over only into but "
    "approach input methods while its then most time first been any use they i experiments proposed large new neural "
    "evaluation network graph attention reward agent citation benchmark policy search query evidence section paper work "
    "however through information features error loss function distribution samples parameters representation gradient"
)
ACCENTED = _words(
    "naïve Schrödinger Poincaré Erdős Gödel Rényi Itô Hölder Müller façade rôle Šidák Łukasiewicz Fréchet"
)
SYMBOLS = _words("α β γ δ ε θ λ μ π σ τ φ ω Δ Ω Σ ∈ ℝ → ≤ ≥ ≈ × ± ∇ ∑ ∞ ⊤ ∥ ℓ")  # noqa: RUF001
BODY = _names(
    "Introduction|Related Work|Background|Preliminaries|Problem Setup|Method|Model Architecture|"
    "Theoretical Analysis|Datasets|Experimental Setup|Experiments|Results|Ablation Study|Discussion|"
    "Limitations|Broader Impact|Conclusion"
)
APPENDIX = _names(
    "Proofs|Implementation Details|Additional Experimental Results|Related Works|Prompts|"
    "Case Studies|Data Collection|Hyperparameter Search|Limitations and Future Work|"
    "Compute Resources|Human Evaluation|Notation"
)
SUBSECTIONS = _names(
    "Main Results|Baselines|Evaluation Metrics|Training Objective|Dataset Statistics|Error Breakdown|"
    "Scaling Behavior|Sensitivity to Hyperparameters|Complexity|Inference|Transfer to Unseen Domains|"
    "Annotation Protocol|Optimization|Comparison with Prior Work|Robustness Checks|"
    "Qualitative Examples|Retrieval Quality|Reward Design"
)
ROMAN = _words("I II III IV V VI VII VIII IX")
FIRST = _words(
    "Ada Anna Björn Chen Chloé Ivan Jürgen Kofi Maria Minh Noor Omar Priya Søren Wei Yuki Zoë Łukasz"
)
LAST = _words(
    "García Haddad Kim Mensah Müller Nguyen Nowak O'Neil Petrov Rao Şahin Smith Tanaka Wang Zhang Ångström"
)

START, COMMA, END, PARAGRAPH = 1, 2, 3, 4
"""Places of a word in its sentence; 0 is anywhere else."""


class Prose:
    """Made-up text with realistic word frequencies.

    Args:
        rng: Source of all chance.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        words = self._vocabulary()
        size = self.size = len(words)
        symbols = [word in SYMBOLS or not word[0].isalpha() for word in words]
        starts = [
            word if keep else word[0].upper() + word[1:] for word, keep in zip(words, symbols, strict=True)
        ]
        endings = [(words, " "), (starts, " "), (words, ", "), (words, ". "), (words, ".\n\n")]
        self.forms = np.array([word + end for form, end in endings for word in form], dtype=object)
        self.odd = np.array([not word.isalpha() for word in words])
        self.symbol_ids = np.arange(size - len(SYMBOLS), size)
        weights = (np.arange(1, size - len(SYMBOLS) + 1) + 1.2) ** -1.18
        counts = np.maximum(1, np.round(weights / weights.sum() * TABLE)).astype(np.int64)
        self.table = np.repeat(np.arange(len(counts)), counts)
        self.topic_ids = rng.integers(150, 12_000, (TOPICS, TOPIC_WORDS))
        self.places = self._sentence_pattern(1 << 21)
        self.starts = np.flatnonzero(self.places == START)
        self.characters_per_word = len("".join(self.draw(50_000, 0)[0])) / 50_000

    def _vocabulary(self) -> list[str]:
        onsets = _words("b br c cl d dr f fl g gr h j k l m n p pl pr qu r s sp st t tr v w z")
        vowels = _words("a e i o u ai ea io ou")
        codas = ["", *_words("n r s l m t ng nt st ck tion ment ing ed")]
        seen = dict.fromkeys(COMMON)
        while len(seen) < VOCABULARY - len(SYMBOLS):
            syllables = 1 + (len(seen) > 300) + (len(seen) > 3000)
            parts = self.rng.integers(0, 1 << 30, (512, syllables, 3))
            for word in parts.tolist():
                last = len(word) - 1
                seen["".join(
                    onsets[a % len(onsets)] + vowels[b % len(vowels)] + (codas[c % len(codas)] if i == last else "")
                    for i, (a, b, c) in enumerate(word)
                )] = None  # fmt: skip
        words = list(seen)[: VOCABULARY - len(SYMBOLS)]
        rare = (
            [f"{n / 10}%" for n in range(101, 999, 7)]
            + [f"[{n}]" for n in range(1, 90)]
            + [str(n) for n in range(2, 99)]
        )
        rare += [f"({name} et al., {year})" for name in LAST for year in range(2016, 2026)] + ACCENTED
        for place, word in zip(range(200, 200 + 9 * len(rare), 9), rare, strict=True):
            words[place] = word
        return words + list(SYMBOLS)

    def _sentence_pattern(self, size: int) -> npt.NDArray[np.int8]:
        lengths = np.clip(self.rng.normal(22, 8, size // 15), 5, LONGEST_SENTENCE).astype(np.int64)
        ends = np.cumsum(lengths)
        ends = ends[ends < size]
        places = np.where(self.rng.random(size) < 0.06, COMMA, 0).astype(np.int8)
        places[0] = START
        places[ends[:-1]] = START
        places[ends - 1] = np.where(self.rng.random(len(ends)) < 0.2, PARAGRAPH, END)
        return places[: ends[-1]]

    def draw(self, count: int, topic: int, symbols: float = 0.0) -> tuple[list[str], npt.NDArray[np.int8]]:
        """Words in sentences, each with the blank after it, and their places."""
        rng = self.rng
        ids = self.table[rng.integers(0, len(self.table), count)]
        chance = rng.random(count, dtype=np.float32)
        own = np.flatnonzero(chance < 0.2)
        ids[own] = self.topic_ids[topic, (rng.random(len(own)) ** 4 * TOPIC_WORDS).astype(np.int64)]
        if symbols:
            signs = np.flatnonzero(chance > 1 - symbols)
            ids[signs] = self.symbol_ids[rng.integers(0, len(SYMBOLS), len(signs))]
        latest = len(self.places) - count - LONGEST_SENTENCE
        first = int(self.starts[np.searchsorted(self.starts, rng.integers(0, latest))])
        places = self.places[first : first + count].copy()
        places[0], places[-1] = START, END
        return self.forms[ids + places.astype(np.int64) * self.size].tolist(), places

    def text(self, characters: float, topic: int, symbols: float = 0.0) -> str:
        """Running text of about so many characters, in one paragraph."""
        words, _ = self.draw(max(4, int(characters / self.characters_per_word)), topic, symbols)
        return "".join(words).replace(".\n\n", ". ").rstrip()

    def phrase(self, count: int, topic: int) -> str:
        """Words of the topic without punctuation."""
        ids = self.topic_ids[topic, (self.rng.random(count) ** 2 * TOPIC_WORDS).astype(np.int64)]
        return "".join(self.forms[ids + self.odd[ids]].tolist()).rstrip()

    def title(self, topic: int) -> str:
        """A title: words of the topic and some that every title has."""
        count = int(self.rng.integers(4, 11))
        ids = self.table[self.rng.integers(0, len(self.table), count)]
        own = self.rng.random(count) < 0.5
        ids[own] = self.topic_ids[topic, self.rng.integers(0, TOPIC_WORDS, int(own.sum()))]
        title = "".join(self.forms[ids + self.odd[ids] + self.size].tolist()).rstrip()
        return title.replace(" ", ": ", 1) if self.rng.random() < 0.35 else title
