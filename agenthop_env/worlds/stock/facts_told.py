"""Attributes of MOTIVE and RESULT items: why a work was done and what came of it."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock.attribute import Span, attribute

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
    attribute(
        "breakdown",
        "{} break earlier systems {}",
        ("@hard", _REASONS),
        "the observation in its introduction that motivated it | the weakness of earlier systems that prompted it",
        "were prompted by the observation that {v}",
        """Our work is prompted by the observation that {v}. | In pilot runs we saw that {v}. | Practitioners kept telling us
        that {v}. | It is a sobering fact that {v}.""",
        "Failures in the field | A recurring failure",
    ),
    attribute(
        "shortage",
        "no public resource pairs {} with {}",
        ("@hard", "@labels"),
        "the motivation it draws from a gap in public resources | what it found missing before it began",
        "set out because {v}",
        """We set out because {v}. | To our surprise, {v}. | The field has long complained that {v}. | As far as we know,
        {v}.""",
        "The gap | What is missing",
    ),
    attribute(
        "cost",
        "expert {} cost {} minutes per {}",
        ("@labels", Span(6, 98), "@unit"),
        "the cost argument of its introduction | why labels were too expensive before it",
        "argued that {v}",
        """At present, {v}. | Any alternative must reckon with the fact that {v}. | By our own measurement, {v}. | Progress is
        slow because {v}.""",
        "Costs | Why labels are scarce",
    ),
    attribute(
        "need",
        "{} need {} within {} milliseconds",
        ("@users", "@quality", Span(20, 980, 10)),
        "the practical need named as its motivation | whose demand it wanted to meet",
        "started from the demand that {v}",
        """In daily use, {v}. | Interviews made plain that {v}. | Our starting point is simple: {v}. | We take it as given
        that {v}.""",
        "Practical demand | Users and needs",
    ),
    attribute(
        "conflict",
        "two studies disagree on whether {} helps with {}",
        ("@components", "@hard"),
        "the open dispute of its introduction | the contradiction in the literature that it took up",
        "wrote because {v}",
        """We write because {v}. | The literature is undecided: {v}. | This matters since {v}. | Curiously, {v}.""",
        "An open dispute | Conflicting findings",
    ),
    attribute(
        "suspicion",
        "{} merely memorizes {} typical of {}",
        ("@components", "@pieces", "@sources"),
        "the suspicion voiced in its introduction | what its authors doubted about common practice",
        "suspected that {v}",
        """We began with the suspicion that {v}. | An early probe suggested that {v}. | Nothing so far rules out that {v}. |
        There is reason to fear that {v}.""",
        "A suspicion | Doubts about common practice",
    ),
)

RESULT: Final = (
    attribute(
        "ablation",
        "{} points when {} is removed",
        (Span(11, 149, 1, 1), "@components"),
        "the largest ablation effect among its results | what proved most costly to remove from it",
        "reported a loss of {v}",
        """The ablation shows a loss of {v}. | We observe a loss of {v}. | Most telling is a loss of {v}. | No other change
        comes near a loss of {v}.""",
        "Ablation | Removing components",
    ),
    attribute(
        "latency",
        "{} milliseconds per {} on {}",
        (
            Span(12, 960),
            "@unit",
            (
                "a workstation card",
                "a laptop processor",
                "a server card",
                "an embedded board",
                "a shared node",
            ),
        ),
        "the running time among its results | how fast it is",
        "clocked their system at {v}",
        """Inference takes {v}. | We measured {v}. | The full pipeline needs {v}. | At test time we count {v}.""",
        "Running time | Speed",
    ),
    attribute(
        "stress",
        "{} points on {}",
        (Span(13, 289, 1, 1), "@hard"),
        "its results under the hardest conditions | where it loses most",
        "reported a drop of {v}",
        """The largest drop is one of {v}. | Performance suffers a drop of {v}. | Under stress we see a drop of {v}. | The
        breakdown reveals a drop of {v}.""",
        "Hard cases | Behaviour under stress",
    ),
    attribute(
        "frugal",
        "{}% of the {} after {} epochs",
        (Span(4, 68), "@labels", Span(3, 59)),
        "the labels that suffice for its results | how frugal it is",
        "matched their full score with {v}",
        """The full score is already reached with {v}. | It turns out to be enough to use {v}. | We match the complete run with
        {v}. | Nothing is lost with only {v}.""",
        "Data efficiency | Fewer labels",
    ),
    attribute(
        "memory",
        "{} GB at a context of {} {}",
        (Span(14, 787, 1, 1), Span(32, 992, 16), "@pieces"),
        "the memory footprint in its experiments | how much storage it occupies at work",
        "measured a peak memory of {v}",
        """Peak memory is {v}. | We record a peak of {v}. | The footprint amounts to {v}. | In memory the model takes up
        {v}.""",
        "Memory | Footprint",
    ),
    attribute(
        "calibration",
        "{}% before and {}% after temperature scaling",
        (Span(61, 199, 1, 1), Span(9, 59, 1, 1)),
        "the calibration found in its experiments | how well its confidences are founded",
        "found a calibration error of {v}",
        """The calibration error is {v}. | Confidences are off by {v}. | We compute an expected calibration error of {v}. | For
        calibration we obtain {v}.""",
        "Calibration | Confidence",
    ),
    attribute(
        "preference",
        "{}% of {} comparisons",
        (Span(523, 897, 1, 1), Span(140, 990, 10)),
        "how often people preferred it in its results | the outcome of its side-by-side test",
        "won {v}",
        """In the preference test our outputs won {v}. | People chose our outputs in {v}. | Side by side, we win {v}. | The
        judges sided with us in {v}.""",
        "Preference test | Side-by-side comparison",
    ),
)
