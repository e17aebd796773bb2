"""Attributes of GROUND and METHOD items: what a work rests on and how it is made."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock.attribute import Span, attribute

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
    attribute(
        "raters",
        "{} raters and {} sampled outputs",
        (Span(3, 19), Span(120, 980, 10)),
        "the human evaluation described with its data | the people who judged outputs, and how much they judged",
        "rested their human evaluation on {v}",
        """The human evaluation of {model} involved {v}.
        | Judgements of {model} rest on {v}.
        | For the human evaluation of {model} we settled on {v}.
        | A blind test of {model} was made with {v}.""",
        "Human evaluation | Judging protocol",
    ),
    attribute(
        "agreement",
        "a chance-corrected agreement of 0.{} between {}",
        (Span(51, 94), _JUDGES),
        "how well the annotation of its data agrees | how far its judges were of one mind",
        "measured {v}",
        """On a doubly annotated part of {data} we measured {v}.
        | Before adjudication, {data} showed {v}.
        | As a check of reliability, we obtained {v} for {data}.
        | The annotation behind {name} rests on {v}.""",
        "Reliability | Agreement",
    ),
    attribute(
        "sites",
        "{} {} in {} regions",
        (Span(21, 98), "@sources", Span(2, 17)),
        "where the data were gathered | the origin and spread of its examples",
        "gathered material from {v}",
        """The material of {name} comes from {v}.
        | For {name} we worked with {v} over three years.
        | All {units} used for {name} were gathered by {v}.
        | Collection for {name} covered {v}, each under the same protocol.""",
        "Provenance | Collection sites",
    ),
    attribute(
        "heldout",
        "{} held-out {} from {} {}",
        (Span(310, 9890, 10), "@unit_names", Span(3, 48), "@sources"),
        "the data held out for its closing test | the size and origin of what it saved for the end",
        "based their closing test on {v}",
        """The closing test of {model} uses {v}.
        | For the closing test of {model} we kept back {v}.
        | Final numbers for {model} are computed on {v}.
        | Kept untouched until work on {name} was over were {v}.""",
        "Held-out material | Test partition",
    ),
    attribute(
        "significance",
        "{} over {} random seeds",
        (_TESTS, Span(3, 41)),
        "how its evaluation data were tested for significance | the statistics behind its comparisons",
        "compared systems with {v}",
        """Other systems and {model} are compared with {v}.
        | To tell gains of {model} from luck, we use {v}.
        | Every comparison with {model} is backed by {v}.
        | For {model}, significance was assessed by {v}.""",
        "Statistical testing | Significance",
    ),
    attribute(
        "discard",
        "{}% of the raw {}, mostly {}",
        (Span(21, 489, 1, 1), "@unit_names", "@hard"),
        "what was discarded from its raw data | the share and kind of examples that were thrown out",
        "discarded {v}",
        """While cleaning the data of {name} we discarded {v}.
        | Two rounds of filtering for {name} removed {v}.
        | For {name} we threw out {v}.
        | Dropped from {data} were {v}.""",
        "Filtering | Cleaning",
    ),
    attribute(
        "recheck",
        "{} decisions, {} of which were overturned",
        (Span(210, 990, 10), Span(11, 97)),
        "the manual audit of its data annotation | what a second look at its labels showed",
        "rechecked {v}",
        """For {name}, a second team rechecked {v}.
        | To audit the labels of {name} we went back to {v}.
        | An independent reader of {data} looked again at {v}.
        | Before releasing {name} we revisited {v}.""",
        "Label audit | Quality control",
    ),
)

METHOD: Final = (
    attribute(
        "schedule",
        "{} schedule with {} warm-up steps",
        (
            (
                "a cosine",
                "a linear",
                "a stepwise",
                "a triangular",
                "a polynomial",
                "a constant",
                "a square-root",
                "an exponential",
            ),
            Span(200, 9800, 100),
        ),
        "the learning-rate schedule of its method | how its learning rate was changed over time",
        "trained under {v}",
        """In {model}, the learning rate follows {v}.
        | Optimization of {model} uses {v}.
        | We train {model} under {v}.
        | After some trials we fixed {v} for {model}.""",
        "Optimization | Learning-rate schedule",
    ),
    attribute(
        "shape",
        "{} blocks of width {}",
        (Span(3, 47), Span(96, 1984, 32)),
        "the depth and width that its method prescribes | the shape of its main network",
        "built their network from {v}",
        """The network of {model} stacks {v}.
        | The default configuration of {model} has {v}.
        | In {model}, the trunk consists of {v}.
        | For {model} we use {v}, chosen on the validation part.""",
        "Network shape | Architecture details",
    ),
    attribute(
        "batches",
        "{} epochs with batches of {} {}",
        (Span(4, 97), Span(16, 992, 8), "@unit_names"),
        "the training length and batch size of its method | how long and in what portions its model learned",
        "trained for {v}",
        """Training of {model} lasts {v}.
        | Each run of {model} takes {v}.
        | We train {model} for {v}.
        | All variants of {model} see the data for {v}.""",
        "Training length | Training procedure",
    ),
    attribute(
        "masking",
        "{}% of the {}, in runs of {}",
        (Span(6, 79), "@pieces", Span(2, 29)),
        "the masking scheme of its method | what it hid from its model during learning",
        "masked {v}",
        """During the training of {model} we mask {v}.
        | In training, {model} has to fill in {v}.
        | Hidden from the encoder of {model} are {v}.
        | For {model} we blank out {v}, drawn anew for every batch.""",
        "Masking | Corruption scheme",
    ),
    attribute(
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
        "how its training approach weighted the terms | the balance between the terms that it minimizes",
        "put a weight of {v}",
        """The total loss of {model} puts a weight of {v}.
        | We balance the terms of {model} with a weight of {v}.
        | Tuning of {model} led to a weight of {v}.
        | For {model}, a weight of {v} worked well throughout.""",
        "Loss balance | Weighting of terms",
    ),
    attribute(
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
        "the component that its approach exchanged | its change to the usual design",
        "employed {v}",
        """By design, {model} employs {v}.
        | The main design change of {model} is {v}.
        | For {model} we propose {v}.
        | What distinguishes {model} is {v}.""",
        "Design change | Departure from common practice",
    ),
    attribute(
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
        "how its method selects the examples to retrieve | which examples it looks up",
        "retrieved {v}",
        """For every input, {model} retrieves {v}.
        | The memory of {model} returns {v}.
        | Lookup in {model} is limited to {v}.
        | To complete an input, {model} attends to {v}.""",
        "Retrieval step | Lookup",
    ),
)
