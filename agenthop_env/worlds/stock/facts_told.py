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
        """Work on {name} was prompted by the observation that {v}.
        | In pilot runs for {name} we saw that {v}.
        | While we planned {name}, practitioners kept telling us that {v}.
        | It is a sobering fact, and the reason for {name}, that {v}.""",
        "Failures in the field | A recurring failure",
    ),
    attribute(
        "shortage",
        "no public resource pairs {} with {}",
        ("@hard", "@labels"),
        "the motivation it draws from a gap in public resources | what it found missing before it began",
        "began their work because {v}",
        """We began work on {name} because {v}.
        | It surprised us, when {name} was planned, that {v}.
        | A complaint heard often before {name} is that {v}.
        | As far as we know, and this is why {name} exists, {v}.""",
        "The gap | What is missing",
    ),
    attribute(
        "cost",
        "{} made by experts cost {} minutes per {}",
        ("@labels", Span(6, 98), "@unit"),
        "the cost argument of its introduction | why labels were too expensive before it",
        "argued that {v}",
        """At the outset of {name}, {v}.
        | Any alternative to {name} must reckon with the fact that {v}.
        | By a measurement made for {name}, {v}.
        | Progress before {name} was slow because {v}.""",
        "Costs | Why labels are scarce",
    ),
    attribute(
        "need",
        "{} expect {} within the first {} {}",
        ("@users", "@quality", Span(20, 980, 10), "@unit_names"),
        "the practical need named as its motivation | whose demand it wanted to meet",
        "started from the fact that {v}",
        """As daily use taught us before {name}, {v}.
        | Interviews made for {name} left no doubt that {v}.
        | The starting point of {name} is simple: {v}.
        | {name} takes it as given that {v}.""",
        "Practical demand | Users and needs",
    ),
    attribute(
        "conflict",
        "two studies disagree on whether {} helps with {}",
        ("@components", "@hard"),
        "the open dispute named in its introduction | the contradiction in the literature that it took up",
        "took up the question because {v}",
        """The reason for {name} is that {v}.
        | The literature before {name} is undecided: {v}.
        | The occasion for {name} was that {v}.
        | Curiously, and to the point of {name}, {v}.""",
        "An open dispute | Conflicting findings",
    ),
    attribute(
        "suspicion",
        "{} merely memorizes {} typical of {}",
        ("@components", "@pieces", "@sources"),
        "the suspicion voiced in its introduction | what its authors doubted about common practice",
        "suspected that {v}",
        """{name} began with the suspicion that {v}.
        | An early probe for {name} suggested that {v}.
        | Nothing so far, {name} apart, rules out that {v}.
        | There is reason to fear, and {name} was made to test it, that {v}.""",
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
        """The ablation of {model} shows a loss of {v}.
        | For {model} we observe a loss of {v}.
        | Most telling for {model} is a loss of {v}.
        | No other change to {model} comes near a loss of {v}.""",
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
        "the running time among its results | how fast its system is",
        "clocked their system at {v}",
        """Inference with {model} takes {v}.
        | For {model} we measured {v}.
        | The full pipeline of {model} needs {v}.
        | At test time, {model} spends {v}.""",
        "Running time | Speed",
    ),
    attribute(
        "stress",
        "{} points on {}",
        (Span(13, 289, 1, 1), "@hard"),
        "its results under the hardest conditions | where its system loses most",
        "reported a drop of {v}",
        """The largest drop of {model} is one of {v}.
        | The performance of {model} suffers a drop of {v}.
        | Under stress, {model} shows a drop of {v}.
        | A breakdown of the scores of {model} reveals a drop of {v}.""",
        "Hard cases | Behaviour under stress",
    ),
    attribute(
        "frugal",
        "{}% of the {} in {} epochs",
        (Span(4, 68), "@labels", Span(3, 59)),
        "the labels that suffice for its results | how frugal its training can be",
        "matched their full score with {v}",
        """As it turns out, {model} reaches its full score with {v}.
        | For {model} it is enough to use {v}.
        | We match the complete run of {model} with {v}.
        | Nothing is lost when {model} is trained on only {v}.""",
        "Data efficiency | Fewer labels",
    ),
    attribute(
        "memory",
        "{} GB at a context of {} {}",
        (Span(14, 787, 1, 1), Span(32, 992, 16), "@pieces"),
        "the memory footprint in its experiments | how much storage its system occupies at work",
        "measured a peak memory of {v}",
        """Peak memory of {model} is {v}.
        | For {model} we record a peak of {v}.
        | The footprint of {model} amounts to {v}.
        | In memory, {model} takes up {v}.""",
        "Memory | Footprint",
    ),
    attribute(
        "calibration",
        "{}% before and {}% after temperature scaling",
        (Span(61, 199, 1, 1), Span(9, 59, 1, 1)),
        "the calibration found in its experiments | how well its confidences are founded",
        "found a calibration error of {v}",
        """The calibration error of {model} is {v}.
        | Confidences of {model} are off by {v}.
        | We compute an expected calibration error of {v} for {model}.
        | In calibration, {model} shows an error of {v}.""",
        "Calibration | Confidence",
    ),
    attribute(
        "preference",
        "{}% of {} comparisons",
        (Span(52, 89), Span(200, 4900, 100)),
        "how often its outputs were preferred in its results | the outcome of its side-by-side test",
        "won {v}",
        """In the preference test, outputs of {model} won {v}.
        | People chose the outputs of {model} in {v}.
        | Side by side with its rivals, {model} wins {v}.
        | The judges sided with {model} in {v}.""",
        "Preference test | Side-by-side comparison",
    ),
)
