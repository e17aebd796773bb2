"""Kinds of sections with their headers, subsection headers and plans."""

from __future__ import annotations

from typing import Final, NamedTuple

from agenthop_env.worlds.stock import plans_body as body
from agenthop_env.worlds.stock import plans_frame as frame
from agenthop_env.worlds.stock import words


class SectionKind(NamedTuple):
    """A kind of section.

    Attributes:
        headers: Headers, without numbering; `{name}` is the paper's own name.
        plans: Sentence plans of its prose.
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
        frame.INTRO,
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
        frame.RELATED,
        ("Early systems", "Neighbouring fields", "Recent developments", "Evaluation practice elsewhere"),
        9,
    ),
    "prelim": SectionKind(
        ("Preliminaries", "Problem Setting", "Notation and Setting"),
        body.METHOD,
        ("Formal setting", "Assumptions made", "Notation used"),
        6,
    ),
    "method": SectionKind(
        ("Method", "Approach", "The {name} Approach", "Proposed Method", "Methodology"),
        body.METHOD,
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
        body.DATA,
        ("Selection criteria", "Annotation in practice", "Partition of the data", "Consent and licences"),
        10,
    ),
    "setup": SectionKind(
        ("Experimental Setup", "Setup", "Experimental Design", "Protocol"),
        body.SETUP,
        ("Systems compared", "Scores used", "Tuning of baselines", "Hardware and budget"),
        8,
    ),
    "results": SectionKind(
        ("Results", "Main Results", "Experiments", "Results and Findings"),
        body.RESULTS,
        ("Overall comparison", "Results by source", "Results on difficult cases", "Development over time"),
        14,
    ),
    "analysis": SectionKind(
        ("Analysis", "Discussion", "Error Analysis", "A Closer Look"),
        body.ANALYSIS,
        ("Remaining errors", "What the layers store", "Opinions of users", "Controls"),
        10,
    ),
    "limits": SectionKind(
        ("Limitations", "Scope and Limitations", "Limits of This Study"), frame.LIMITS, (), 4
    ),
    "conclusion": SectionKind(("Conclusion", "Conclusions", "Summary and Outlook"), frame.CONCLUSION, (), 4),
    "a_motive": SectionKind(
        ("Extended Motivation", "Additional Background", "Notes on Motivation"),
        frame.INTRO,
        ("History of the project", "Discussions with users"),
        6,
        appendix=True,
    ),
    "a_method": SectionKind(
        ("Implementation Details", "Training Details", "Details of the Method"),
        body.METHOD + frame.APPENDIX,
        ("Settings in full", "Notes on the code", "Numerical stability"),
        9,
        appendix=True,
    ),
    "a_data": SectionKind(
        ("Annotation Details", "Data Statement", "Details on Data and Evaluation"),
        body.DATA + frame.APPENDIX,
        ("Instructions to annotators", "File formats", "Known errors"),
        8,
        appendix=True,
    ),
    "a_results": SectionKind(
        ("Additional Results", "Further Experiments", "Extended Results"),
        body.RESULTS + frame.APPENDIX,
        ("Results by seed", "Complete breakdown", "Other configurations"),
        9,
        appendix=True,
    ),
    "a_proofs": SectionKind(
        ("Derivations", "Proofs and Derivations"),
        body.METHOD + frame.APPENDIX,
        ("Auxiliary statements",),
        7,
        appendix=True,
    ),
    "a_examples": SectionKind(
        ("Examples", "Sample Outputs", "Qualitative Examples"),
        body.ANALYSIS + frame.APPENDIX,
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
