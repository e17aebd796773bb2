"""Kinds of sections with their headers, subsection headers and plans."""

from __future__ import annotations

from typing import Final, NamedTuple

from agenthop_env.worlds.stock import words


class SectionKind(NamedTuple):
    """A kind of section.

    Attributes:
        headers: Headers, without numbering; `{name}` is the paper's own name.
        plans: Kinds of passages that its prose is made of, keys into `PASSAGES`.
        heads: Subsection headers that it may have.
        weight: Relative length.
        appendix: Whether it stands after the main text.
    """

    headers: tuple[str, ...]
    plans: tuple[str, ...]
    heads: tuple[str, ...]
    weight: int
    appendix: bool = False


SECTION_KINDS: Final[dict[str, SectionKind]] = {
    "intro": SectionKind(
        ("Introduction", "Introduction and Motivation", "Motivation", "Introduction and Overview"),
        ("intro",),
        (
            "Background of the problem",
            "Aims of this paper",
            "Overview of contributions",
            "Terminology in brief",
        ),
        10,
    ),
    "related": SectionKind(
        ("Related Work", "Prior Work", "Background and Related Work", "Related Literature"),
        ("related",),
        ("Early systems", "Neighbouring fields", "Recent developments", "Evaluation practice elsewhere"),
        9,
    ),
    "prelim": SectionKind(
        ("Preliminaries", "Problem Setting", "Notation and Setting"),
        ("setting",),
        ("Formal setting", "Assumptions made", "Notation used"),
        6,
    ),
    "method": SectionKind(
        ("Method", "Approach", "The {name} Approach", "Proposed Method", "Methodology"),
        ("method",),
        (
            "Overall structure",
            "Encoding the input",
            "Decoding step",
            "Handling long inputs",
            "Inference procedure",
        ),
        15,
    ),
    "data": SectionKind(
        ("Data", "Data and Annotation", "Material and Data", "Data Collection"),
        ("data",),
        ("Selection criteria", "Annotation in practice", "Partition of the data", "Consent and licences"),
        10,
    ),
    "setup": SectionKind(
        ("Experimental Setup", "Setup", "Experimental Design", "Protocol"),
        ("setup",),
        ("Systems compared", "Scores used", "Tuning of baselines", "Hardware and budget"),
        8,
    ),
    "results": SectionKind(
        ("Results", "Main Results", "Experiments", "Results and Findings"),
        ("results",),
        ("Overall comparison", "Results by source", "Results on difficult cases", "Development over time"),
        14,
    ),
    "analysis": SectionKind(
        ("Analysis", "Discussion", "Error Analysis", "A Closer Look"),
        ("analysis",),
        ("Remaining errors", "What the layers store", "Opinions of users", "Controls"),
        10,
    ),
    "limits": SectionKind(
        ("Limitations", "Scope and Limitations", "Limits of This Study"), ("limits",), (), 4
    ),
    "conclusion": SectionKind(("Conclusion", "Conclusions", "Summary and Outlook"), ("conclusion",), (), 4),
    "a_motive": SectionKind(
        ("Extended Motivation", "Additional Background", "Notes on Motivation"),
        ("intro",),
        ("History of the project", "Discussions with users"),
        6,
        appendix=True,
    ),
    "a_method": SectionKind(
        ("Implementation Details", "Training Details", "Details of the Method"),
        ("method", "appendix"),
        ("Settings in full", "Notes on the code", "Numerical stability"),
        9,
        appendix=True,
    ),
    "a_data": SectionKind(
        ("Annotation Details", "Data Statement", "Details on Data and Evaluation"),
        ("data", "appendix"),
        ("Instructions to annotators", "File formats", "Known errors"),
        8,
        appendix=True,
    ),
    "a_results": SectionKind(
        ("Additional Results", "Further Experiments", "Extended Results"),
        ("results", "appendix"),
        ("Results by seed", "Complete breakdown", "Other configurations"),
        9,
        appendix=True,
    ),
    "a_proofs": SectionKind(
        ("Derivations", "Proofs and Derivations"),
        ("setting", "method"),
        ("Auxiliary statements",),
        7,
        appendix=True,
    ),
    "a_examples": SectionKind(
        ("Examples", "Sample Outputs", "Qualitative Examples"),
        ("analysis", "appendix"),
        ("Typical failures",),
        7,
        appendix=True,
    ),
}

HOMES: Final = {
    "MOTIVE": ("intro", "a_motive"),
    "METHOD": ("method", "a_method"),
    "GROUND": ("data", "a_data"),
    "RESULT": ("results", "a_results"),
}
"""Per reasoning type the main section and the appendix in which its facts stand."""

ROMANS: Final = words("I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI")
