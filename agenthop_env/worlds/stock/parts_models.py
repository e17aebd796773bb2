"""Works that are built on: encoders, systems, objectives, toolkits; see `part` for their form."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock.names import ADJECTIVES, PLAIN_ADJECTIVES
from agenthop_env.worlds.stock.part import WorkKind, part

ENCODER: Final = WorkKind(
    nouns=("encoder", "representation", "backbone"),
    plain=("feature extractor", "input front end"),
    titles=(
        "{name}: {A_adjective} {noun} for {task}",
        "{adjective} {noun} Learning for {task} with {name}",
        "{name}: {adjective} {noun}s for {units}",
        "{name}: Towards {a_adjective} {noun} for {task}",
        "What {name} Learns from {sources}: {A_noun} for {task}",
    ),
    endings=("Base", "-XL", "Enc"),
    scored="{name}",
    modelled="{name}",
    gathered="the {name} data",
    adjectives=ADJECTIVES,
    places=("method", "setup"),
    parts=(
        part(
            "copies its initial weights from | starts from instead of random weights",
            "Our weights are initialized from {c}. | We begin with the public checkpoint of {c}. | Instead of starting "
            "from scratch, we load the parameters of {c}.",
            "Initial weights are copied from {c}. | Instead of random weights, we start from {c}.",
        ),
        part(
            "leaves frozen while everything else is learned | never updates during training",
            "The lower half is that of {c} and stays fixed. | Gradients stop at {c}, which we do not update. | We keep "
            "{c} frozen and learn only what lies above.",
            "While everything else is learned, {c} stays frozen. | During training, {c} is not updated.",
        ),
        part(
            "distills into a smaller network | treats as the teacher of a compact model",
            "A student a fifth as large imitates {c}. | We compress {c} by matching its outputs. | The teacher is {c}, "
            "whose activations our small model learns to match.",
            "We distill {c} into a smaller network. | As the teacher of a compact model we take {c}.",
        ),
        part(
            "rejects as too slow for its purpose | sets aside on account of its running time",
            "At inference, {c} takes longer than we can afford. | We could not use {c}, which misses our latency "
            "target. | For our hardware, {c} is too slow.",
            "For our purpose, {c} is too slow. | Its running time made us set {c} aside.",
        ),
        part(
            "probes to see what its layers store | inspects layer by layer",
            "A linear probe shows which {pieces} survive in {c}. | We look inside {c}, one layer at a time. | To learn "
            "where {pieces} are kept, we dissect {c}.",
            "We probe what the layers of {c} store. | We inspect {c} layer by layer.",
        ),
    ),
)


SYSTEM: Final = WorkKind(
    nouns=("model", "network", "architecture"),
    plain=("earlier system", "previous approach"),
    titles=(
        "{name}: {adjective} {task} with a Single {noun}",
        "{name}: {A_adjective} {noun} for {task}",
        "{adjective} {task} without {labels}: The {name} {noun}",
        "{name}: Rethinking {task} with {a_adjective} {noun}",
        "{name}, or {quality} for {hard}",
        "{task} under {hard}: The {name} {noun}",
    ),
    endings=("Net", "-2", "Former"),
    scored="{name}",
    modelled="{name}",
    gathered="the {name} data",
    adjectives=ADJECTIVES,
    places=("results", "setup", "intro"),
    parts=(
        part(
            "extends by one more stage | builds on by adding a stage",
            "We add one stage to {c} and leave the rest as it is. | Our design is {c} plus a further stage. | What we "
            "propose is best seen as an extension of {c}.",
            "We extend {c} by one more stage. | Our work builds on {c} by adding a stage.",
        ),
        part(
            "names as its strongest competitor | finds hardest to beat",
            "The closest rival is {c}. | Among all competitors, {c} comes nearest to our numbers. | Only {c} "
            "comes near our result.",
            "The strongest competitor is {c}. | The system that is hardest to beat is {c}.",
        ),
        part(
            "failed to reproduce | could not replicate despite the published code",
            "With the published code we did not arrive at the numbers of {c}. | We tried to reproduce {c} and fell "
            "short. | Our runs of {c} stay below what was claimed.",
            "We failed to reproduce {c}. | Despite the published code, we could not replicate {c}.",
        ),
        part(
            "includes mainly for historical reasons | shows only as a point of reference from the past",
            "For context, we also list {c}, which is no longer competitive. | We mention {c} as the first attempt of "
            "its sort. | The oldest entry in our comparison is {c}.",
            "For historical reasons we include {c}. | As a point of reference from the past, we show {c}.",
        ),
        part(
            "combines with its own output in an ensemble | averages its predictions with",
            "Averaging our scores with those of {c} helps further. | An ensemble with {c} is our largest "
            "configuration. | We also report a blend of our outputs and those of {c}.",
            "In an ensemble, our output is combined with that of {c}. | We average our predictions with those of {c}.",
        ),
    ),
)


OBJECTIVE: Final = WorkKind(
    nouns=("objective", "loss", "regularizer"),
    plain=("optimization target", "penalty scheme"),
    titles=(
        "{name}: {A_adjective} {noun} for {task}",
        "{name}: {A_adjective} {noun} for Learning from {labels}",
        "{name}, {a_noun} That Respects {pieces}",
        "Choosing {a_noun} for {task}: The Case for {name}",
        "{quality} by Design: {name} as {a_noun} for {task}",
    ),
    endings=("Loss", "-R", "Reg"),
    scored="a model trained with {name}",
    modelled="the {name} model",
    gathered="the {name} data",
    adjectives=ADJECTIVES,
    places=("method", "setup"),
    parts=(
        part(
            "adopts unchanged for its main training stage | minimizes exactly as published",
            "In the main stage we minimize what {c} proposed, with no change. | Training follows {c} to the letter. | "
            "We take over the formulation of {c} as it stands.",
            "The main training stage adopts {c} unchanged. | We minimize {c} exactly as published.",
        ),
        part(
            "adds as a minor auxiliary term | gives a small weight beside its main term",
            "A small additional term comes from {c}. | With little weight, we also include what {c} introduced. | On "
            "top of this we add a light penalty in the manner of {c}.",
            "A minor auxiliary term follows {c}. | Beside the main term, {c} is given a small weight.",
        ),
        part(
            "shows to be unstable on its data | reports to diverge in its experiments",
            "With {c}, two of our runs diverged. | On our data, training with {c} did not settle. | We saw sudden "
            "spikes of the loss when we followed {c}.",
            "On our data, {c} is unstable. | In our experiments, {c} tends to diverge.",
        ),
        part(
            "proves equivalent to a special case of its own | derives again as a limiting case",
            "Setting one constant to zero gives back {c}. | Our formulation contains {c} as a limit. | It can be shown "
            "that {c} is what remains when the temperature vanishes.",
            "We prove that {c} is equivalent to a special case. | As a limiting case, we derive {c} again.",
        ),
    ),
)


TOOLKIT: Final = WorkKind(
    nouns=("toolkit", "library", "framework"),
    plain=("software package", "code base"),
    titles=(
        "{name}: {A_adjective} {noun} for {task}",
        "{name}, an Open {noun} for {units}",
        "{name}: {A_adjective} {noun} for Reproducible {task}",
        "{task} Made Simple: The {name} {noun}",
        "{adjective} Experiments in {task} with {name}",
    ),
    endings=("Kit", "Lib", "Flow"),
    scored="the reference system of {name}",
    modelled="the {name} reference model",
    gathered="the {name} data",
    adjectives=PLAIN_ADJECTIVES,
    places=("setup", "method"),
    parts=(
        part(
            "runs all of its experiments in | implements everything with",
            "Everything is implemented in {c}. | All runs were made with the code of {c}. | Our code is a set of "
            "modules for {c}.",
            "All experiments were run in {c}. | We implement everything with {c}.",
        ),
        part(
            "uses only to prepare its inputs | calls for preprocessing alone",
            "Inputs are cleaned with the scripts of {c}. | We preprocess {units} by means of {c}. | Cutting and "
            "filtering were left to {c}.",
            "To prepare our inputs, we use {c}. | For preprocessing alone we call {c}.",
        ),
        part(
            "found to contain a bug that changes results | blames for a defect in earlier numbers",
            "We came across a defect in {c} that raises scores. | Numbers computed with {c} before its repair are too "
            "high. | An indexing error in {c} explains part of the gap.",
            "We found that {c} contains a bug that changes results. | A defect in {c} is to blame for earlier numbers.",
        ),
        part(
            "releases its own code as a plug-in for | contributes its modules back to",
            "Our modules are now part of {c}. | The code has been merged into {c}. | Users of {c} can switch our "
            "method on with one flag.",
            "Our own code is released as a plug-in for {c}. | We contribute our modules back to {c}.",
        ),
    ),
)
