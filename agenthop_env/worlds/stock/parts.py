"""Parts that a cited work plays for the work that cites it.

A part belongs to a kind of work (a corpus, an encoder, ...). It has phrases for questions, which complete "the ... that
the seed paper ___", and citing sentences for texts, in which `{c}` is the citation. Two parts of one kind never
describe the same use.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from agenthop_env.worlds.stock import phrases


class Part(NamedTuple):
    """One use of a cited work.

    Attributes:
        asked: Third-person phrases with the cited work left out at the end or in the middle.
        cited: Citing sentences in the first person.
    """

    asked: tuple[str, ...]
    cited: tuple[str, ...]


class WorkKind(NamedTuple):
    """A kind of work.

    Attributes:
        nouns: Nouns that titles use, singular.
        plain: Synonyms that share no word with them, for questions.
        titles: Title plans; `{name}`, `{noun}`, `{task}`, `{adjective}` are filled in title case.
        places: Kinds of sections, beside related work, in which such works are cited.
        parts: The parts that works of the kind can play.
    """

    nouns: tuple[str, ...]
    plain: tuple[str, ...]
    titles: tuple[str, ...]
    places: tuple[str, ...]
    parts: tuple[Part, ...]


def _part(asked: str, cited: str) -> Part:
    return Part(phrases(asked), phrases(cited))


CORPUS: Final = WorkKind(
    nouns=("corpus", "collection", "dataset"),
    plain=("data resource", "body of examples"),
    titles=(
        "{name}: A {adjective} {noun} for {task}",
        "{name}, a {noun} of {adjective} {units}",
        "A {adjective} {noun} for {task} from {sources}",
        "Building {name}: A {noun} for {task}",
    ),
    places=("data", "setup"),
    parts=(
        _part(
            "draws its training examples from | learns its parameters on",
            "All parameters are fitted to the material of {c}. | We fit the model to the {units} that {c} released. | "
            "For fitting, we rely on the {units} of {c}.",
        ),
        _part(
            "keeps aside for the final test only | never touches before the last evaluation",
            "The {units} of {c} are opened once, after all choices have been made. | We report final numbers on the "
            "unseen {units} of {c}. | Nothing was tuned on {c}, which we reserve for the closing comparison.",
        ),
        _part(
            "mixes in as a source of disturbances | takes its distortions from",
            "To roughen the inputs, we add distractors from {c}. | Disturbances are sampled from the {units} of {c}. | "
            "We overlay each input with material found in {c}.",
        ),
        _part(
            "turns to when it changes the domain | uses to see whether its findings carry over",
            "As a change of scene, we also run on {c}. | Whether this transfers is checked on the {units} of {c}. | "
            "For a different setting we move to {c}.",
        ),
        _part(
            "faults for unreliable annotation | criticizes because its labels contradict each other",
            "The {labels} of {c} turned out to be inconsistent. | In {c}, we found many {labels} that contradict each "
            "other. | We avoid {c}, whose {labels} are often wrong.",
        ),
        _part(
            "consults only for unlabelled warm-up material | reads without labels before learning proper begins",
            "Before supervision starts, the model sees raw {units} from {c}. | We warm up on the unlabelled half of "
            "{c}. | The first stage needs no labels and uses {c}.",
        ),
    ),
)

ENCODER: Final = WorkKind(
    nouns=("encoder", "representation", "backbone"),
    plain=("feature extractor", "input front end"),
    titles=(
        "{name}: A {adjective} {noun} for {task}",
        "{adjective} {noun} Learning for {task} with {name}",
        "{name}: {adjective} {noun}s for {units}",
        "Towards a {adjective} {noun} for {task}",
    ),
    places=("method", "setup"),
    parts=(
        _part(
            "copies its initial weights from | starts from rather than from random weights",
            "Our weights are initialized from {c}. | We begin with the public checkpoint of {c}. | Instead of starting "
            "from scratch, we load the parameters of {c}.",
        ),
        _part(
            "leaves frozen while everything else is learned | never updates during training",
            "The lower half is that of {c} and stays fixed. | Gradients stop at {c}, which we do not update. | We keep "
            "{c} frozen and learn only what lies above.",
        ),
        _part(
            "distills into a smaller network | treats as the teacher of a compact model",
            "A student a fifth as large imitates {c}. | We compress {c} by matching its outputs. | The teacher is {c}, "
            "whose activations our small model learns to match.",
        ),
        _part(
            "rejects as too slow for its purpose | sets aside on account of its running time",
            "At inference, {c} takes longer than we can afford. | We could not use {c}, which misses our latency "
            "target. | For our hardware, {c} is too slow.",
        ),
        _part(
            "probes to see what its layers store | inspects layer by layer",
            "A linear probe shows which {pieces} survive in {c}. | We look inside {c}, one layer at a time. | To learn "
            "where {pieces} are kept, we dissect {c}.",
        ),
    ),
)

SYSTEM: Final = WorkKind(
    nouns=("model", "network", "architecture"),
    plain=("earlier system", "previous approach"),
    titles=(
        "{name}: {adjective} {task} with a Single {noun}",
        "{name}: A {adjective} {noun} for {task}",
        "{adjective} {task} without {labels}: The {name} {noun}",
        "Rethinking {task} with a {adjective} {noun}",
    ),
    places=("results", "setup", "intro"),
    parts=(
        _part(
            "extends by one more stage | builds on by adding a stage",
            "We add one stage to {c} and leave the rest as it is. | Our design is {c} plus a further stage. | What we "
            "propose is best seen as an extension of {c}.",
        ),
        _part(
            "names as its strongest competitor | finds hardest to beat",
            "The closest rival is {c}. | Among all competitors, {c} comes nearest to our numbers. | Only {c} is within "
            "a point of our result.",
        ),
        _part(
            "failed to reproduce | could not replicate despite the published code",
            "With the published code we did not arrive at the numbers of {c}. | We tried to reproduce {c} and fell "
            "short. | Our runs of {c} stay below what was claimed.",
        ),
        _part(
            "includes mainly for historical reasons | shows only as a point of reference from the past",
            "For context, we also list {c}, which is no longer competitive. | We mention {c} as the first attempt of "
            "its sort. | The oldest entry in our comparison is {c}.",
        ),
        _part(
            "combines with its own output in an ensemble | averages its predictions with",
            "Averaging our scores with those of {c} helps further. | An ensemble with {c} is our largest "
            "configuration. | We also report a blend of our outputs and those of {c}.",
        ),
    ),
)

OBJECTIVE: Final = WorkKind(
    nouns=("objective", "loss", "regularizer"),
    plain=("optimization target", "penalty scheme"),
    titles=(
        "{name}: A {adjective} {noun} for {task}",
        "A {adjective} {noun} for Learning from {labels}",
        "{name}, a {noun} That Respects {pieces}",
        "Choosing a {noun} for {task}: The Case for {name}",
    ),
    places=("method", "setup"),
    parts=(
        _part(
            "adopts unchanged for its main training stage | minimizes exactly as published",
            "In the main stage we minimize what {c} proposed, with no change. | Training follows {c} to the letter. | "
            "We take over the formulation of {c} as it stands.",
        ),
        _part(
            "adds as a minor auxiliary term | gives a small weight beside its main term",
            "A small additional term comes from {c}. | With little weight, we also include what {c} introduced. | On "
            "top of this we add a light penalty after {c}.",
        ),
        _part(
            "shows to be unstable on its data | reports to diverge in its experiments",
            "With {c}, two of our runs diverged. | On our data, training after {c} did not settle. | We saw sudden "
            "spikes when we followed {c}.",
        ),
        _part(
            "proves equivalent to a special case of its own | derives again as a limiting case",
            "Setting one constant to zero gives back {c}. | Our formulation contains {c} as a limit. | It can be shown "
            "that {c} is what remains when the temperature vanishes.",
        ),
    ),
)

BENCHMARK: Final = WorkKind(
    nouns=("benchmark", "challenge", "test suite"),
    plain=("public comparison", "shared yardstick"),
    titles=(
        "{name}: A {adjective} {noun} for {task}",
        "The {name} {noun} on {task}",
        "How Far Are We? A {adjective} {noun} for {task}",
        "{name}: A {noun} of {hard}",
    ),
    places=("setup", "results", "data"),
    parts=(
        _part(
            "follows for its official scoring script | takes its scoring rules from",
            "Scores are computed by the rules of {c}. | We call the official script that came with {c}. | For scoring "
            "we keep to the conventions of {c}.",
        ),
        _part(
            "considers saturated | regards as no longer telling systems apart",
            "On {c} everyone is near the ceiling. | The leaders of {c} differ by less than the noise. | We found {c} "
            "to be saturated.",
        ),
        _part(
            "borrows its hardest cases from | selects its stress cases out of",
            "The most difficult {units} were picked from {c}. | We lift {hard} out of {c} to stress the model. | Our "
            "stress cases come from {c}.",
        ),
        _part(
            "accuses of leaking answers into training data | shows to overlap with common training material",
            "Part of {c} turns up in widely used training material. | We found near-copies of {c} among public "
            "{units}. | Answers of {c} can be looked up in older releases.",
        ),
    ),
)

ANALYSIS: Final = WorkKind(
    nouns=("study", "analysis", "audit"),
    plain=("diagnostic investigation", "critical examination"),
    titles=(
        "What Makes {task} Hard? A {adjective} {noun}",
        "{hard} in {task}: A {noun}",
        "A {adjective} {noun} of {pieces} in {task}",
        "{name}: A {noun} of {task} Systems",
    ),
    places=("intro", "analysis"),
    parts=(
        _part(
            "cites for the observation that prompted it | credits with the puzzle that it sets out to solve",
            "What set us going is an observation of {c}. | The puzzle we address was first described by {c}. | Our "
            "starting point is the finding of {c}.",
        ),
        _part(
            "contradicts on a central point | disagrees with about the cause of errors",
            "Contrary to {c}, we do not find that data size is to blame. | Our numbers speak against the explanation "
            "of {c}. | We come to the opposite conclusion from {c}.",
        ),
        _part(
            "takes its error categories from | sorts mistakes after the scheme of",
            "Mistakes are sorted into the classes of {c}. | For the error breakdown we reuse the scheme of {c}. | We "
            "label failures as {c} did.",
        ),
        _part(
            "quotes for its estimate of human performance | relies on for a human reference figure",
            "The human reference figure is that of {c}. | How well people do was measured by {c}. | We quote {c} for "
            "what trained people achieve.",
        ),
    ),
)

TOOLKIT: Final = WorkKind(
    nouns=("toolkit", "library", "framework"),
    plain=("software package", "code base"),
    titles=(
        "{name}: A {adjective} {noun} for {task}",
        "{name}, an Open {noun} for {units}",
        "A {adjective} {noun} for Reproducible {task}",
        "{task} Made Simple: The {name} {noun}",
    ),
    places=("setup", "method"),
    parts=(
        _part(
            "runs all of its experiments in | implements everything with",
            "Everything is implemented in {c}. | All runs were made with the code of {c}. | Our code is a set of "
            "modules for {c}.",
        ),
        _part(
            "uses only to prepare its inputs | calls for preprocessing alone",
            "Inputs are cleaned with the scripts of {c}. | We preprocess {units} by means of {c}. | Cutting and "
            "filtering was left to {c}.",
        ),
        _part(
            "found to contain a bug that changes results | blames for a defect in earlier numbers",
            "We came across a defect in {c} that raises scores. | Numbers computed with {c} before its repair are too "
            "high. | An indexing error in {c} explains part of the gap.",
        ),
        _part(
            "releases its own code as a plug-in of | contributes its modules back to",
            "Our modules are now part of {c}. | The code has been merged into {c}. | Users of {c} can switch our "
            "method on with one flag.",
        ),
    ),
)

WORK_KINDS: Final = (CORPUS, ENCODER, SYSTEM, OBJECTIVE, BENCHMARK, ANALYSIS, TOOLKIT)
"""All kinds; a work's kind is an index into this tuple."""
