"""Works that are measured with: corpora, benchmarks, analyses; see `part` for their form."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock.names import PLAIN_ADJECTIVES
from agenthop_env.worlds.stock.part import WorkKind, part

CORPUS: Final = WorkKind(
    nouns=("corpus", "collection", "dataset"),
    plain=("data resource", "body of examples"),
    titles=(
        "{name}: {A_adjective} {noun} for {task}",
        "{name}, {a_noun} of {units} from {sources}",
        "{name}: {A_adjective} {noun} for {task} from {sources}",
        "Building {name}: {A_noun} for {task}",
        "{adjective} {task} Needs Better Data: The {name} {noun}",
        "From {sources} to {name}: Collecting {units} for {task}",
    ),
    endings=("Set", "Bank", "-1K"),
    scored="a model trained on {name}",
    modelled="the {name} baseline",
    gathered="{name}",
    adjectives=PLAIN_ADJECTIVES,
    places=("data", "setup"),
    parts=(
        part(
            "draws its training examples from | learns its parameters on",
            "All parameters are fitted to the material of {c}. | We fit the model to the {units} that {c} released. | "
            "For fitting, we rely on the {units} of {c}.",
            "Our training examples are drawn from {c}. | The parameters are learned on {c}.",
        ),
        part(
            "keeps aside for the final test only | never touches before the last evaluation",
            "The {units} of {c} are opened once, after all choices have been made. | We report final numbers on the "
            "unseen {units} of {c}. | Nothing was tuned on {c}, which we reserve for the closing comparison.",
            "We keep {c} aside for the final test. | Before the last evaluation, {c} is never touched.",
        ),
        part(
            "mixes in as a source of disturbances | takes its distortions from",
            "To roughen the inputs, we add distractors from {c}. | Disturbances are sampled from the {units} of {c}. | "
            "We overlay each input with material found in {c}.",
            "As a source of disturbances we mix in {units} from {c}. | The distortions are taken from {c}.",
        ),
        part(
            "turns to when it changes the domain | uses to see whether its findings carry over",
            "As a change of scene, we also run on {c}. | Whether this transfers is checked on the {units} of {c}. | "
            "For a different setting we move to {c}.",
            "To change the domain, we turn to {c}. | Whether our findings carry over is tested on {c}.",
        ),
        part(
            "faults for unreliable annotation | criticizes because its labels contradict each other",
            "The {labels} of {c} turned out to be inconsistent. | In {c}, we found many {labels} that contradict each "
            "other. | We avoid {c}, whose {labels} are often wrong.",
            "The annotation of {c} is unreliable, as we show below. | In {c}, labels often contradict each other.",
        ),
        part(
            "consults only for unlabelled warm-up material | reads without labels before learning proper begins",
            "Before supervision starts, the model sees raw {units} from {c}. | We warm up on the unlabelled half of "
            "{c}. | The first stage needs no labels and uses {c}.",
            "For warm-up we take unlabelled material from {c}. | Before learning proper begins, the model reads {c} without labels.",
        ),
    ),
)


BENCHMARK: Final = WorkKind(
    nouns=("benchmark", "challenge", "test suite"),
    plain=("public comparison", "shared yardstick"),
    titles=(
        "{name}: {A_adjective} {noun} for {task}",
        "The {name} {noun} on {task}",
        "How Far Are We? {name}, {a_adjective} {noun} for {task}",
        "{name}: {A_noun} of {hard}",
        "Beyond {metric}: {name}, {a_noun} for {task}",
        "Testing {task} on {hard} with {name}",
    ),
    endings=("Bench", "Eval", "-Hard"),
    scored="the best baseline of {name}",
    modelled="the {name} baseline",
    gathered="{name}",
    adjectives=PLAIN_ADJECTIVES,
    places=("setup", "results", "data"),
    parts=(
        part(
            "follows for its official scoring script | takes its scoring rules from",
            "Scores are computed by the rules of {c}. | We call the official script that came with {c}. | For scoring "
            "we keep to the conventions of {c}.",
            "The official scoring script is that of {c}. | Our scoring rules are taken from {c}.",
        ),
        part(
            "considers saturated | regards as no longer telling systems apart",
            "On {c} everyone is near the ceiling. | The leaders of {c} differ by less than the noise. | We found {c} "
            "to be saturated.",
            "We consider {c} saturated. | We regard {c} as no longer able to tell systems apart.",
        ),
        part(
            "borrows its hardest cases from | selects its stress cases out of",
            "The most difficult {units} were picked from {c}. | We lift {hard} out of {c} to stress the model. | Our "
            "stress cases come from {c}.",
            "The hardest cases are borrowed from {c}. | Stress cases were selected from {c}.",
        ),
        part(
            "accuses of leaking answers into training data | shows to overlap with common training material",
            "Part of {c} turns up in widely used training material. | We found near-copies of {c} among public "
            "{units}. | Answers of {c} can be looked up in older releases.",
            "Answers of {c} are leaking into training data. | We show that {c} overlaps with common training material.",
        ),
    ),
)


ANALYSIS: Final = WorkKind(
    nouns=("study", "analysis", "audit"),
    plain=("diagnostic investigation", "critical examination"),
    titles=(
        "What Makes {task} Hard? {name}, {a_adjective} {noun}",
        "{name}: {hard} in {task}, {a_noun}",
        "{name}: {A_adjective} {noun} of {pieces} in {task}",
        "{name}: {A_noun} of {task} Systems",
        "On {hard} and {quality}: Lessons from {name}",
    ),
    endings=("-Probe", "Lens", "Scope"),
    scored="the system examined in {name}",
    modelled="the {name} model",
    gathered="the {name} data",
    adjectives=PLAIN_ADJECTIVES,
    about="of",
    places=("intro", "analysis"),
    parts=(
        part(
            "cites for the observation that prompted it | credits with the puzzle that it sets out to solve",
            "What set us going is an observation of {c}. | The puzzle we address was first described by {c}. | Our "
            "starting point is the finding of {c}.",
            "This paper was prompted by an observation of {c}. | The puzzle that we set out to solve is that of {c}.",
        ),
        part(
            "contradicts on a central point | disagrees with about the cause of errors",
            "Contrary to {c}, we do not find that data size is to blame. | Our numbers speak against the explanation "
            "of {c}. | We come to the opposite conclusion from {c}.",
            "On a central point, our results contradict {c}. | About the cause of errors we disagree with {c}.",
        ),
        part(
            "takes its error categories from | borrows its scheme for sorting mistakes from",
            "Mistakes are sorted into the classes of {c}. | For the error breakdown we reuse the scheme of {c}. | We "
            "label failures as {c} did.",
            "Our error categories are taken from {c}. | Our scheme for sorting mistakes is borrowed from {c}.",
        ),
        part(
            "quotes for its estimate of human performance | relies on for a human reference figure",
            "The human reference figure is that of {c}. | How well people do was measured by {c}. | We quote {c} for "
            "what trained people achieve.",
            "The estimate of human performance is quoted from {c}. | As a human reference figure, we rely on {c}.",
        ),
    ),
)
