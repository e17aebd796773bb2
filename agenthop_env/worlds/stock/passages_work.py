"""Passages of the sections in which work is described: setting, method, data, experimental setup; see `passages_frame`."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock import lines

SETTING: Final = lines(
    """
Let every {unit} be given as a sequence of {pieces}. // [The task|What we seek] is a map from such sequences to {labels}. // [Nothing is assumed|No assumption is made] about the number of {pieces} in a {unit}.
{name} is stated for {task}, but nothing in its definition depends on that. // Whenever {pieces} can be [listed|ordered], the same [symbols apply|notation applies].
We write the score of a {unit} as a sum over {pieces}. // This keeps decoding exact, and what {comp} adds can be [read off|computed] from the partial sums.
Two {units} are called alike if they agree in all {pieces}. // For {hard} this [rarely|seldom] happens, which is why {comp} needs a softer [notion|measure] of likeness.
In the notation of {name}, {labels} are indices and {pieces} are vectors. // A {unit} without {labels} is a sequence of vectors [alone|and nothing else].
We assume that {labels} are drawn after {pieces} and depend on nothing else. // {hard} violate this [assumption|condition], as we [discuss|show] later.
The setting of {name} differs from the usual one in a single point. // {comp} may look at the whole {unit} before it commits itself to {labels}.
All [logarithms are natural|vectors are columns], and {units} are numbered from one. // Where {pieces} are missing, the empty sum stands for their contribution to {comp}.
By the [cost|price] of a {unit} we mean the number of {pieces} that a system reads before it answers. // {hard} are [expensive|costly] in this sense.
{name} needs one more [symbol|definition]: the margin between the best and the second-best of the {labels}. // It is [small|narrow] exactly where {users} hesitate.
We call a source clean if all of its {units} carry {labels}. // None of the {sources} considered for {name} is clean in this sense.
A system is a function of {pieces} alone. // It may [use|read] {labels} during training but never afterwards.
In what follows, an upper index refers to the {unit} and a lower one to its {pieces}. // Indices are [dropped|omitted] where no confusion can arise.
The loss of {name} is an average over {units}, not over {pieces}. // [The difference|This] matters for {hard}, which have few of them.
Expectations are taken over {units} from one source at a time. // Averages over several {sources} are [marked|indicated] by a bar.
"""
)

METHOD: Final = lines(
    """
{comp} receives the {pieces} of each {unit} and returns a score. // The score is [compared|weighed] with that of {comp2}, and the larger one is [kept|passed on]. // Ties are [broken|settled] in favour of {comp}.
{model} treats {pieces} and {labels} as two views of the same {unit}. // The first view is [encoded|read] by {comp}, the second by {comp2}. // Both [meet|are joined] in the last layer.
We first locate {pieces} and only then decide on {labels}. // This order [avoids|saves] a second pass over the {unit} and [keeps|leaves] {comp} small.
To handle {hard}, {model} keeps a separate state. // It is reset after every {unit}, so that nothing [leaks|spills over] from one to the next. // The state is [read|used] by {comp} alone.
In contrast to common practice in {task}, {comp} is applied after pooling. // [Pooling first|The change] costs a little {quality} on ordinary {units} and [gains|brings] much on {hard}.
Gradients flow through {comp} but not through {comp2}. // We [tried|tested] the reverse and found that {pieces} were [ignored|forgotten] after a few rounds.
The intuition behind {name} is that {pieces} change slowly while {labels} do not. // {comp} [exploits|uses] this by [averaging|pooling] over neighbouring positions of a {unit}. // [Sharp|Sudden] changes are left to {comp2}.
At [its core|heart], {comp} makes a soft choice among {labels}. // A temperature [controls|decides] how sharply they are separated. // It is learned together with {comp2} and [settles|ends] below one for most {sources}.
During training the true {labels} are fed back with a fixed probability. // At test time {model} uses its own. // The [mismatch|difference] hurts only on {hard}, where early [errors|mistakes] multiply.
{model} needs no change to the input format. // {pieces} enter as vectors of fixed size, and {comp} is added on top. // Existing tools of {users} can [therefore|thus] be kept.
Whenever {pieces} are missing, a learned default takes their place. // The default [differs|is different] for each of the {labels}. // In data from {sources} it is needed for about one {unit} in {tens}.
Where a {unit} has many {pieces}, we process them in windows that overlap by half. // {comp} [carries|hands] information from one window to the next. // [Windows|Those] without {labels} are [skipped|passed over].
{model} abstains when {comp} and {comp2} disagree. // The {unit} is then [passed|handed] to {users}, together with the {pieces} on which the two differ.
Each of the {few} heads looks at {pieces} in its own way. // Their outputs are concatenated and projected to the width of {comp}. // [Removing|Dropping] any one of them [costs|lowers] {quality} on {hard}.
{comp} is initialized so that it has no effect at the start. // As training proceeds, its influence on {labels} grows, [first|earliest] for {hard}. // Residual connections lead around it.
In {model}, positions are encoded relative to the nearest of the {labels}. // Absolute positions say [little|next to nothing] about {units} from {sources}, which [vary|differ] widely in size.
Decoding considers {few} hypotheses at a time. // Hypotheses that differ only in {labels} are merged. // The procedure ends when {comp} has [seen|read] all {pieces} of the {unit}.
{model} keeps a record of the {labels} that it has assigned so far. // Older entries are overwritten when the record is full. // With data from {sources} this [happens|occurs] after a few hundred {units}.
An auxiliary head predicts {pieces} and is discarded after training. // It keeps {comp} from [collapsing|forgetting] on {hard}. // [Its weight|The weight of its loss] is lowered in {few} steps.
The additional cost of {comp} is linear in the number of {pieces}. // For a typical {unit} it is [below|less than] one part in {tens} of the total. // {hard} take [somewhat|a little] longer.
{model} is built from {comp} and {comp2}, which share their parameters. // [Sharing|This] halves the size of the model and makes {labels} from different {sources} comparable.
We normalize {pieces} by their mean over the whole {unit}. // Without this step {comp} would learn which of the {sources} a {unit} comes from, and [nothing else|little more].
The second stage compares {pieces} with a short list of candidates. // Every candidate receives a score between zero and one from {comp}. // Scores below a threshold are set to zero, and the threshold is learned with the rest.
{action} is one of the steps that {model} adds to common practice. // It takes little time and is meant for {units} with {hard}.
{name} leaves the choice of {labels} open until all {pieces} have been read. // [Committing|Deciding] earlier saved time in our trials and cost {quality}.
For {units} from new {sources}, only {comp} is adapted. // A few dozen {units} are enough for this. // The other parts of {model} [stay|remain] as they are.
The order in which {pieces} are read is [fixed|not learned]. // We [compared|tried] {few} orders, and none was better for {hard}.
{comp} can be switched off for single {units}. // {model} does so when {pieces} are [scarce|too few] to [support|justify] it.
Noise is added to {pieces} during training, never to {labels}. // Its strength [grows|rises] with the number of rounds and is largest for {units} from {sources}.
"""
)

DATA: Final = lines(
    """
All {units} in {data} were collected with the consent of their owners. // Permission for redistribution was obtained from the {sources}. // {units} whose owners changed their minds were [removed|left out].
{units} from {sources} are over-represented, which we correct by weighting. // After the correction, the share of {hard} is close to what {users} report.
Annotators saw each {unit} in full before marking {labels}. // Disagreements were settled in a meeting with {users}. // {labels} that stayed in dispute are [marked|flagged] as uncertain.
The guidelines of {name} define {labels} by example rather than by rule. // A pilot round showed that {hard} need separate instructions. // These [fill|take up] {few} printed pages.
The training part contains no {unit} from the {sources} used for testing. // We split by source and never by {unit}, since {pieces} of one source [resemble|are like] each other.
For {name}, {labels} were first proposed by a model and then corrected by hand. // Corrections were [most frequent|needed most often] for {hard}. // The model's proposals are [released|published] too.
Every {unit} comes with {pieces} that were computed automatically. // [Spot checks|Checks by hand] found them reliable except for {hard}. // The scripts that compute {pieces} are [included|part of the release].
About {tens} of every hundred {units} in {data} contain {hard}. // They were collected on purpose in a second round among {sources}, which took as long as the first.
The distribution of {labels} is uneven, as one would expect from {sources}. // No attempt was made to balance it. // Rare {labels} are [kept|retained] however few {units} show them.
Each {unit} was seen by at least {few} people. // The first {tens} {units} of every annotator were discarded. // Every tenth {unit} was shown twice to the same person to see whether {labels} [held|stayed the same].
Material for {name} arrived from {sources} in {few} deliveries. // Duplicates were found by comparing {pieces}. // The median {unit} has {tens} of them.
Annotators were paid by the hour and could stop at any time. // They worked on {units} from one of the {sources} only, and [rotated|changed places] every {few} weeks. // {users} [supervised|accompanied] the work.
The tool used for {name} shows {pieces} next to each {unit}. // It records how long each decision about {labels} took. // Decisions on {hard} took [twice|three times] as long as others.
Documentation lists the known errors of {labels}. // Most of them concern {hard}. // [Corrections|Repairs] will be made in [later|numbered] releases, and earlier {units} stay available.
We follow the licence terms of the providing {sources}. // Some of them allow {task} only for research. // The [affected|respective] {units} are kept in a folder of their own.
{units} with only a few {pieces} were joined with their neighbours. // Those that {users} could not interpret were left out. // Both [steps|measures] changed the share of {hard} only slightly.
We divide {data} into parts of unequal size. // The largest comes from {sources} and is meant for training. // A smaller one holds {hard} and [should|is to] be used for testing alone.
The instructions changed once, and earlier {labels} were revised. // The change concerned {hard}, on which {users} had [asked|called] for clearer rules.
Work on {data} took {few} months longer than planned. // Most of the delay was due to {labels}, for which {users} had to be [found|trained].
[Metadata|A short record] for each {unit} names the source and the month of collection. // It does not name the annotators of {labels}.
The share of {hard} was [fixed|set] in advance. // Where {sources} could not supply enough of them, the [quota|place] was left [unfilled|open].
No {units} in {data} were made up or altered. // Where {pieces} are [damaged|missing], this is noted and left as it was.
{labels} were entered twice by different people. // Entries that differ went to a third person, who knew {hard} from [practice|experience].
A sheet for {users} describes what {data} can and cannot be used for. // {task} is the [intended|main] use. // [Drawing|To draw] conclusions about single {sources} is [discouraged|advised against].
"""
)

SETUP: Final = lines(
    """
All systems see the same {units} in the same order. // Hyperparameters were chosen on a validation part drawn from other {sources}. // {model} was given no more tuning than its competitors.
Baselines were retrained with the code of their authors. // Where one needs {labels} that we lack, we leave the cell empty. // Those that need {pieces} receive the same ones as {model}.
{metric} is computed per {unit} and then averaged. // [Training stops|We stop] when it has not improved for {few} rounds. // {quality} is reported [beside|next to] it wherever {users} could be asked.
For {model}, the search over settings was kept small on purpose. // We tried {few} values for each setting of {comp} and kept the best by {metric}. // {hard} played no part in the choice.
Inputs are cut at a fixed number of {pieces}. // This affects few {units}, [nearly all|most] of them from {sources}.
Every run of {model} fits on a single machine. // Failed runs were restarted once and are included in the averages. // Runs on {hard} were [logged|recorded] every {tens} minutes.
The evaluation covers {hard} separately. // They are shown next to the overall figures, with the same settings of {comp}.
No {unit} of the test part was inspected during the development of {name}. // The test part is scored once for each system. // Scripts for {metric} were fixed before the first experiment.
A baseline without {comp} serves as a lower bound. // An oracle that knows {pieces} serves as an upper bound. // [Somewhere between|In between] lies what {users} achieve by hand.
In a second setting, training and test data from {sources} change places. // {model} is [retrained|trained anew] in this case, and {labels} are mapped to a common set.
We disable {comp} in all baselines for a fair comparison. // Figures with {comp} enabled are [given|listed] in the appendix. // They [differ|deviate] mainly on {hard}.
Random seeds and configuration files of {name} are part of the release. // So are the predictions of all systems on {hard}, which {users} may [inspect|look at] without rerunning anything.
The number of steps is the same for large and small models. // Gradients are clipped, and weights are averaged over the last {few} rounds. // {comp} is kept out of the average.
We use the official partition of {units} wherever there is one. // Otherwise we draw our own, keeping {sources} apart. // {labels} of the validation part were [checked|verified] a second time.
Every comparison with {model} was planned before the first run. // Additions that came later are [marked|listed] as such, among them those on {hard}.
Ties in {metric} are [broken|decided] by {quality}. // They are rare, and {units} from {sources} cause [most|half] of them.
Systems that read {pieces} from files of their own are given ours. // Where this is [impossible|not possible], we [say so|note it] in the table.
We report {metric} on all {units}, and once more without {hard}. // {model} was not [trained|tuned] again for the second figure.
Runs were [scheduled|started] in random order on the same machines. // This [guards|protects] against drift that would favour {comp} in late runs.
"""
)

APPENDIX: Final = lines(
    """
This part collects details of {name} that would interrupt the main text. // The settings below were used unless {hard} are mentioned.
We list the choices that a re-implementation of {name} has to make. // None of them changes the order of the systems on ordinary {units}. // On {hard}, the setting of {comp} matters [most|more than the others].
Runs of {model} with other seeds gave nearly the same figures. // The spread in {metric} is [small|slight], and {hard} are no exception.
The values for {comp} were found by a coarse search followed by a finer one. // Larger values made training unstable on {hard}. // Smaller ones had no visible effect on {quality}.
For completeness we describe how {units} were prepared. // Those with missing {pieces} were kept. // Our scripts treat empty {units} as errors and name the {sources} they came from.
Examples of {hard} were shown to every annotator of {name}. // Two errors in the instructions were corrected during the project. // {labels} made before that were [checked|looked at] again.
We repeat the main experiment with {comp} removed from {model}. // The outcome is in line with the main text: {hard} suffer, ordinary {units} do not.
{metric} was recomputed with an independent script. // The two agree on all but a handful of {units}, which turned out to have empty {labels}.
Times are averages over {tens} runs on an idle machine. // Loading {units} is included, writing {labels} is not.
We also tried to replace {comp} by {comp2} in {model}, with mixed results. // {quality} rose on data from {sources} and fell on {hard}.
A version of this analysis for each of the {sources} is available on request. // {model} ranks the same in all of them. // The [gap|distance] between {hard} and other {units} varies.
We thank the {sources} for their patience with our questions about {labels}. // Storage and transfer of {units} followed their rules.
A checklist for {users} is part of the release of {name}. // It asks about {pieces} first and about {hard} last. // Filling it in takes {tens} minutes.
We checked by hand that {tens} random {units} had been read correctly. // In [one|two] of them, {pieces} had been [shifted|lost] on the way. // The cause was found and [removed|repaired].
Where two settings of {model} tied, the cheaper one was taken. // This [happened|was the case] {few} times, always for {comp}.
The code of {name} writes a log for every run. // It [names|lists] the {units} that were skipped and the {pieces} that could not be [read|found].
[Readers|Those] who want to repeat only a part of the work may start from stored {pieces}. // They were computed once and are the same for all runs of {model}.
A small test with {tens} {units} comes with {name}. // It [takes|needs] {few} minutes and should be run before [anything|everything] else.
Files are named after {sources} and numbered by {unit}. // {labels} are kept in a second file of the same name.
Earlier drafts of this paper used another version of {metric}. // The change affects no conclusion; figures for {hard} became [a little|slightly] lower.
Questions that {users} asked about {name} are answered in a separate note. // Most of them concern {labels}.
"""
)
