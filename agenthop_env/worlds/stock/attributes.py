"""What papers state and questions ask: attributes with their values and the sentences that carry them.

A value is a pattern of slots. A slot is a range of whole numbers, a decimal range in tenths, or a list of phrases;
`@hard` and the like stand for a list of the item's area. Sentences and options hold the value as `{v}`, so that the
gold's text and the right option share its words and numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple


class Span(NamedTuple):
    """Numbers from `low` to `high` in steps; `digits` decimals are split off when printed."""

    low: int
    high: int
    step: int = 1
    digits: int = 0


Slot = Span | str | tuple[str, ...]


class Attribute(NamedTuple):
    """One thing that a paper can state of itself.

    Attributes:
        key: Short name, unique.
        value: Pattern with one `{}` a slot.
        slots: The slots.
        asked: Noun phrases for questions.
        option: What "its authors" did, past tense, with `{v}`.
        said: Sentences of the paper itself, with `{v}`.
        heads: Subsection headers under which it may stand.
    """

    key: str
    value: str
    slots: tuple[Slot, ...]
    asked: tuple[str, ...]
    option: str
    said: tuple[str, ...]
    heads: tuple[str, ...]


def _lines(text: str) -> tuple[str, ...]:
    return tuple(" ".join(line.split()) for line in text.split("|"))


def _attribute(
    key: str, value: str, slots: Sequence[Slot], asked: str, option: str, said: str, heads: str
) -> Attribute:
    return Attribute(key, value, tuple(slots), _lines(asked), option, _lines(said), _lines(heads))


_TESTS: Final = (
    "a paired bootstrap",
    "a permutation test",
    "a sign test",
    "a rank-sum test",
    "a mixed-effects model",
    "an exact binomial test",
    "a blocked jackknife",
    "a Bayesian t-test",
)
_JUDGES: Final = (
    "domain experts",
    "trained students",
    "paid crowd workers",
    "retired practitioners",
    "the authors' colleagues",
    "two outside agencies",
)

GROUND: Final = (
    _attribute(
        "raters",
        "{} raters and {} sampled outputs",
        (Span(3, 19), Span(120, 980, 10)),
        "the human evaluation behind its main claim | the people who judged outputs, and how much they judged",
        "rested their human evaluation on {v}",
        """The human evaluation involved {v}. | Judgements were collected from {v}. | For the human evaluation we settled
        on {v}. | Outputs were judged blind, with {v}.""",
        "Human evaluation | Judging protocol",
    ),
    _attribute(
        "agreement",
        "a chance-corrected agreement of 0.{} between {}",
        (Span(51, 94), _JUDGES),
        "how well its annotators agreed | the reliability of its annotation",
        "measured {v}",
        """On a doubly annotated part we measured {v}. | Before adjudication there was {v}. | As a check of reliability, we
        obtained {v}. | The annotation rests on {v}.""",
        "Reliability | Agreement",
    ),
    _attribute(
        "sites",
        "{} {} in {} regions",
        (Span(4, 68), "@sources", Span(2, 17)),
        "where its data were gathered | the origin and spread of its material",
        "gathered material from {v}",
        """The material comes from {v}. | Over three years we visited {v}. | All {units} were gathered at {v}. | Collection
        covered {v}, each under the same protocol.""",
        "Provenance | Collection sites",
    ),
    _attribute(
        "heldout",
        "{} held-out {} from {} {}",
        (Span(310, 9890, 10), "@unit_names", Span(3, 48), "@sources"),
        "the evidence held out for its closing test | the size and origin of its final test material",
        "based their closing test on {v}",
        """The closing test uses {v}. | We kept back {v}. | Final numbers are computed on {v}. | Untouched until the end
        were {v}.""",
        "Held-out material | Test partition",
    ),
    _attribute(
        "significance",
        "{} over {} random seeds",
        (_TESTS, Span(3, 41)),
        "how differences were tested for significance | the statistics behind its comparisons",
        "compared systems with {v}",
        """Systems are compared with {v}. | To tell gains from luck, we use {v}. | Every comparison is backed by {v}. |
        Significance was assessed by {v}.""",
        "Statistical testing | Significance",
    ),
    _attribute(
        "discard",
        "{}% of the raw {}, mostly {}",
        (Span(21, 489, 1, 1), "@unit_names", "@hard"),
        "what was discarded from its raw material | the share and kind of material that was thrown out",
        "discarded {v}",
        """During cleaning we discarded {v}. | Two passes of filtering removed {v}. | We threw out {v}. | Dropped from the
        release were {v}.""",
        "Filtering | Cleaning",
    ),
    _attribute(
        "recheck",
        "{} decisions, {} of which were overturned",
        (Span(210, 990, 10), Span(11, 97)),
        "the manual audit of its labels | what a second look at its annotation showed",
        "rechecked {v}",
        """A second team rechecked {v}. | To audit the labels we went back to {v}. | An independent reader looked again at
        {v}. | We revisited {v}.""",
        "Label audit | Quality control",
    ),
)

METHOD: Final = (
    _attribute(
        "schedule",
        "a {} schedule with {} warm-up steps",
        (
            (
                "cosine",
                "linear",
                "stepwise",
                "triangular",
                "polynomial",
                "constant",
                "square-root",
                "exponential",
            ),
            Span(200, 9800, 100),
        ),
        "its learning-rate schedule | how its learning rate was changed over time",
        "trained under {v}",
        """The learning rate follows {v}. | Optimization uses {v}. | We train under {v}. | After some trials we fixed {v}.""",
        "Optimization | Learning-rate schedule",
    ),
    _attribute(
        "shape",
        "{} blocks of width {}",
        (Span(3, 47), Span(96, 1984, 32)),
        "the depth and width of its network | the shape of its main network",
        "built their network from {v}",
        """The network stacks {v}. | Our default configuration has {v}. | The trunk consists of {v}. | We use {v}, chosen on
        the validation part.""",
        "Network shape | Architecture details",
    ),
    _attribute(
        "batches",
        "{} epochs with batches of {} {}",
        (Span(4, 97), Span(16, 992, 8), "@unit_names"),
        "how long and in what portions it trained | its training length and batch size",
        "trained for {v}",
        """Training lasts {v}. | Each run takes {v}. | We train for {v}. | All models see the data for {v}.""",
        "Training length | Training procedure",
    ),
    _attribute(
        "masking",
        "{}% of the {}, in runs of {}",
        (Span(6, 79), "@pieces", Span(2, 29)),
        "its masking scheme | what it hid from the model during training",
        "masked {v}",
        """During training we mask {v}. | The model has to fill in {v}. | Hidden from the encoder are {v}. | We blank out
        {v}, drawn anew for every batch.""",
        "Masking | Corruption scheme",
    ),
    _attribute(
        "weighting",
        "0.{:02d} on {} and the remainder on {}",
        (
            Span(3, 89),
            (
                "the auxiliary loss",
                "the ranking loss",
                "the smoothness penalty",
                "the span loss",
                "the consistency penalty",
            ),
            ("the main loss", "the likelihood", "the margin loss", "the reconstruction", "the label loss"),
        ),
        "how its training terms were weighted | the balance between the terms of its objective",
        "put a weight of {v}",
        """The total puts a weight of {v}. | We balance the terms with a weight of {v}. | Tuning led to a weight of {v}. |
        A weight of {v} worked well throughout.""",
        "Loss balance | Weighting of terms",
    ),
    _attribute(
        "swap",
        "{} in place of {}",
        (
            (
                "gated averaging",
                "a sorted queue",
                "learned anchors",
                "soft thresholds",
                "two-way attention",
                "a trainable kernel",
                "ranked pooling",
                "a sparse lookup",
            ),
            (
                "mean pooling",
                "beam search",
                "fixed windows",
                "hard thresholds",
                "a recurrent layer",
                "nearest neighbours",
                "global pooling",
                "a dense lookup",
            ),
        ),
        "the component that it exchanged | its change to the usual design",
        "employed {v}",
        """At this point we employ {v}. | The main design change is {v}. | We propose {v}. | What distinguishes the model is
        {v}.""",
        "Design change | Departure from common practice",
    ),
    _attribute(
        "neighbours",
        "the {} nearest {} under {}",
        (
            Span(3, 95),
            "@unit_names",
            (
                "cosine distance",
                "edit distance",
                "a learned metric",
                "Hamming distance",
                "earth-mover distance",
                "a kernel score",
                "city-block distance",
                "rank correlation",
            ),
        ),
        "how it selects the examples that it looks up | its retrieval step",
        "retrieved {v}",
        """For every input we retrieve {v}. | The memory returns {v}. | Lookup is limited to {v}. | The model attends to
        {v}.""",
        "Retrieval step | Lookup",
    ),
)

_REASONS: Final = (
    "once labels become scarce",
    "as soon as sources are mixed",
    "when the context is cut short",
    "even with twice the data",
    "after a change of equipment",
    "under realistic time limits",
    "although their averages look fine",
    "when annotators are replaced",
    "outside the original season",
    "as inputs grow longer",
)

MOTIVE: Final = (
    _attribute(
        "breakdown",
        "{} break earlier systems {}",
        ("@hard", _REASONS),
        "the observation that motivated it | the weakness of earlier systems that prompted it",
        "were prompted by the observation that {v}",
        """Our work is prompted by the observation that {v}. | In pilot runs we saw that {v}. | Practitioners kept telling us
        that {v}. | It is a sobering fact that {v}.""",
        "Failures in the field | A recurring failure",
    ),
    _attribute(
        "shortage",
        "no public resource pairs {} with {}",
        ("@hard", "@labels"),
        "the gap that it set out to fill | what it found missing in public resources",
        "set out because {v}",
        """We set out because {v}. | To our surprise, {v}. | The field has long complained that {v}. | As far as we know,
        {v}.""",
        "The gap | What is missing",
    ),
    _attribute(
        "cost",
        "expert {} cost {} minutes per {}",
        ("@labels", Span(6, 98), "@unit"),
        "the cost argument for it | why existing annotation was too expensive for it",
        "argued that {v}",
        """At present, {v}. | Any alternative must reckon with the fact that {v}. | By our own measurement, {v}. | Progress is
        slow because {v}.""",
        "Costs | Why labels are scarce",
    ),
    _attribute(
        "need",
        "{} need {} within {} milliseconds",
        ("@users", "@quality", Span(20, 980, 10)),
        "the practical need that it answers | whose demand it wanted to meet",
        "started from the demand that {v}",
        """In daily use, {v}. | Interviews made plain that {v}. | Our starting point is simple: {v}. | We take it as given
        that {v}.""",
        "Practical demand | Users and needs",
    ),
    _attribute(
        "conflict",
        "two studies disagree on whether {} helps with {}",
        ("@components", "@hard"),
        "the open dispute that it wanted to settle | the contradiction in the literature that it took up",
        "wrote because {v}",
        """We write because {v}. | The literature is undecided: {v}. | This matters since {v}. | Curiously, {v}.""",
        "An open dispute | Conflicting findings",
    ),
    _attribute(
        "suspicion",
        "{} merely memorizes {} typical of {}",
        ("@components", "@pieces", "@sources"),
        "the suspicion that led to it | what its authors doubted about common practice",
        "suspected that {v}",
        """We began with the suspicion that {v}. | An early probe suggested that {v}. | Nothing so far rules out that {v}. |
        There is reason to fear that {v}.""",
        "A suspicion | Doubts about common practice",
    ),
)

RESULT: Final = (
    _attribute(
        "ablation",
        "{} points when {} is removed",
        (Span(11, 149, 1, 1), "@components"),
        "its largest ablation effect | what its ablation found most costly to remove",
        "reported a loss of {v}",
        """The ablation shows a loss of {v}. | We observe a loss of {v}. | Most telling is a loss of {v}. | No other change
        comes near a loss of {v}.""",
        "Ablation | Removing components",
    ),
    _attribute(
        "latency",
        "{} milliseconds per {} on a {}",
        (
            Span(12, 960),
            "@unit",
            ("workstation card", "laptop processor", "server card", "embedded board", "shared node"),
        ),
        "its running time | the speed that it reports",
        "clocked their system at {v}",
        """Inference takes {v}. | We measured {v}. | The full pipeline needs {v}. | At test time we count {v}.""",
        "Running time | Speed",
    ),
    _attribute(
        "stress",
        "{} points on {}",
        (Span(13, 289, 1, 1), "@hard"),
        "its loss under the hardest conditions | where it loses most",
        "reported a drop of {v}",
        """The largest drop is one of {v}. | Performance suffers a drop of {v}. | Under stress we see a drop of {v}. | The
        breakdown reveals a drop of {v}.""",
        "Hard cases | Behaviour under stress",
    ),
    _attribute(
        "frugal",
        "{}% of the {} after {} epochs",
        (Span(4, 68), "@labels", Span(3, 59)),
        "its data efficiency | how few labels suffice for its full score",
        "matched their full score with {v}",
        """The full score is already reached with {v}. | It turns out to be enough to use {v}. | We match the complete run with
        {v}. | Nothing is lost with only {v}.""",
        "Data efficiency | Fewer labels",
    ),
    _attribute(
        "memory",
        "{} GB at a context of {} {}",
        (Span(14, 787, 1, 1), Span(32, 992, 16), "@pieces"),
        "its memory footprint | how much memory it occupies",
        "measured a peak memory of {v}",
        """Peak memory is {v}. | We record a peak of {v}. | The footprint amounts to {v}. | In memory the model takes up
        {v}.""",
        "Memory | Footprint",
    ),
    _attribute(
        "calibration",
        "{}% before and {}% after temperature scaling",
        (Span(61, 199, 1, 1), Span(9, 59, 1, 1)),
        "its calibration error | how well its confidences are calibrated",
        "found a calibration error of {v}",
        """The calibration error is {v}. | Confidences are off by {v}. | We compute an expected calibration error of {v}. | For
        calibration we obtain {v}.""",
        "Calibration | Confidence",
    ),
    _attribute(
        "preference",
        "{}% of {} comparisons",
        (Span(523, 897, 1, 1), Span(140, 990, 10)),
        "how often people preferred its outputs | the outcome of its preference test",
        "won {v}",
        """In the preference test our outputs won {v}. | People chose our outputs in {v}. | Side by side, we win {v}. | The
        judges sided with us in {v}.""",
        "Preference test | Side-by-side comparison",
    ),
)

ATTRIBUTES: Final[dict[str, tuple[Attribute, ...]]] = {
    "GROUND": GROUND,
    "METHOD": METHOD,
    "MOTIVE": MOTIVE,
    "RESULT": RESULT,
}
