"""Sentence plans of the sections in which work is described and measured.

A plan begins in lower case unless it begins with `{name}`. A closed one ends with a period; others may be followed by
one of `TAILS` or preceded by one of `OPENERS`. Slots are filled from the item's area (`units`, `hard`, ...), from the
system parts (`comp`) and from short number ranges (`few`, `tens`).
"""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock import lines

METHOD: Final = lines(
    """
{comp} receives the {pieces} of each {unit} and returns a score
let every {unit} be given as a sequence of {pieces}
{comp} and {comp2} share their parameters
the output of {comp} is passed on without normalization
we first locate {pieces} and only then decide on {labels}
in contrast to common practice, {comp} is applied after pooling
gradients flow through {comp} but not through {comp2}
ties between {labels} are broken by the order in which they occur
the intuition is that {pieces} change slowly while {labels} do not
{comp} can be seen as a soft choice among {labels}
to handle {hard}, the model keeps a separate state, which is reset at the end of every {unit}
nothing in the construction depends on {task} itself
the additional cost is linear in the number of {pieces}
we found it useful to let {comp} see the whole {unit}
a simple recursion updates {comp} from one step to the next
during training the true {labels} are fed back with a fixed probability
at test time the model uses its own {labels}
{name} treats {pieces} and {labels} as two views of the same {unit}
{name} needs no change to the input format
the parameters of {comp} are shared between all {sources}
whenever {pieces} are missing, a learned default takes their place
the order in which {units} are presented does not matter
we write the score as a sum over {pieces}, which keeps decoding exact
{comp} is trained jointly with the rest
for long {units} we process {pieces} in windows that overlap by half
this choice avoids a second pass over the data
the model abstains when {comp} and {comp2} disagree
a temperature controls how sharply {labels} are separated
the derivation is elementary and makes no use of {hard}
the first stage reads each {unit} from left to right
the second stage compares {pieces} with a short list of candidates
every candidate receives a score between zero and one
scores below a threshold are set to zero and ignored thereafter
the threshold is learned together with all other parameters
we bound the number of {pieces} that {comp} can hold
older entries are overwritten when {comp} is full
each of the {few} heads looks at a different kind of {pieces}
their outputs are concatenated and projected back
{comp} is initialized so that it has no effect at the start
residual connections lead around {comp}
a dropout of one in {tens} is applied to {pieces}
{pieces} enter the model as vectors of fixed size
positions are encoded relative to the nearest of the {labels}
the model never sees which of the {sources} a {unit} comes from
decoding considers {few} hypotheses at a time
hypotheses that differ only in {labels} are merged
the procedure ends when no score changes by more than a small constant
in the worst case the number of steps equals the number of {pieces}
{comp} is a plain linear map followed by a squashing function
all logarithms are natural and all vectors are columns
{name} can be trained on a single machine within {few} days
{name} stores one vector for each kind of {labels}
the construction generalizes to several {units} without difficulty
replacing {comp} by {comp2} would be possible but slower
an auxiliary head predicts {pieces} and is discarded after training
we normalize {pieces} by their mean over the whole {unit}
"""
)

DATA: Final = lines(
    """
all {units} were collected with the consent of those concerned
{units} from {sources} are over-represented, which we correct by weighting
annotators saw each {unit} in full before marking {labels}
disagreements about {labels} were settled in a meeting
we removed {units} that could identify a person
the guidelines define {labels} by example rather than by rule
a pilot round showed that {hard} need separate instructions
the share of {hard} is close to what {sources} report
files are named after the day of collection and carry no other information
{units} shorter than a few {pieces} were joined with their neighbours
the training part contains no {unit} from the sources used for testing
every {unit} comes with {pieces} that were computed automatically
we follow the licence terms of the providing {sources}
the annotation tool shows {pieces} next to each {unit}
annotators were paid by the hour and could stop at any time
about {tens} of every hundred {units} contain {hard}
we split the material by source and never by {unit}
documentation lists known errors of {labels}
{labels} were first proposed by a model and then corrected by hand
for {hard} a second opinion was sought in every case
the distribution of {labels} is uneven, as one would expect from {sources}
no attempt was made to balance {labels}
each {unit} was seen by at least {few} people
the first {tens} {units} of every annotator were discarded
annotators could mark {labels} as uncertain
uncertain {labels} were passed to a supervisor
material from {sources} arrived in {few} deliveries
duplicates were found by comparing {pieces}
the collection grew by about {tens} {units} a week
permission for redistribution was obtained from all {sources}
{hard} were collected on purpose in a second round
the second round took as long as the first
we publish {labels} but not the names of those who made them
the tool records how long each decision took
{units} that nobody could interpret were left out
every tenth {unit} was shown twice to the same person
the instructions changed once, and earlier {labels} were revised
the median {unit} contains {tens} {pieces}
original files are kept beside the cleaned ones
"""
)

SETUP: Final = lines(
    """
all systems see the same {units} in the same order
hyperparameters were chosen on a validation part drawn from other {sources}
we report the mean of several runs
baselines were retrained with the code of their authors
the same preprocessing is used for every system
{metric} is computed per {unit} and then averaged
we stop when {metric} has not improved for {few} rounds
the search over settings was kept small on purpose
each configuration was given the same amount of tuning
where a baseline needs {labels} that we lack, we leave the cell empty
inputs are cut at a fixed number of {pieces}
we use the official partition wherever there is one
numbers for older systems are quoted from their papers
every run fits on a single machine
random seeds and configuration files are part of the release
we disable {comp} in all baselines for a fair comparison
the evaluation covers {hard} separately
results on {hard} are shown next to the overall figures
no {unit} of the test part was inspected during development
a time limit of {tens} minutes was imposed on every run
the number of steps is the same for large and small models
we select the best of {few} settings by {metric} on the validation part
gradients are clipped and weights are averaged over the last rounds
for {hard} we use the same settings as for all other {units}
baselines that need {pieces} receive the same ones as our model
failed runs were restarted once and are included in the averages
evaluation scripts were fixed before the first experiment
every system may use up to {tens} candidates per {unit}
we log intermediate scores every {tens} minutes
the test part is scored once for each system
a baseline without {comp} serves as a lower bound
an oracle that knows {pieces} serves as an upper bound
in a second setting, {sources} of training and test data are exchanged
reported intervals cover nineteen of twenty repetitions
precision of arithmetic is the same for all systems
"""
)

RESULTS: Final = lines(
    """
{name} is ahead on ordinary {units} and keeps its lead on {hard}
the gain is largest where {pieces} are dense
the advantage shrinks on data from {sources}, as expected
differences between the best systems are small but stable
{comp} accounts for most of the improvement
on {hard} the order of the systems changes
older systems hold up surprisingly well on short {units}
we see no sign of saturation as more {units} are added
a look at single {units} confirms the picture
errors concentrate on {hard} and on {hard2}
{quality} improves along with the main score
what is gained in {quality} is not lost elsewhere
the ranking is the same for every seed we tried
results on the validation part tell the same story
the margin over the strongest baseline exceeds the spread between seeds
for {users} the difference would be noticeable
only {hard} resist every system in the comparison
the curve flattens after {few} passes over the data
gains on {hard} come at no cost for other {units}
in absolute terms the figures remain modest
{name} needs fewer {labels} to arrive at the same level
two of the baselines trade places when {hard} are left out
longer {units} are handled no worse than short ones
the improvement does not depend on the choice of {sources}
{name} profits more from additional {units} than the baselines do
without {comp} the scores fall to the level of the baselines
the lower bound is surprisingly strong on ordinary {units}
the distance to the upper bound is largest for {hard}
exchanging {sources} costs every system about the same
the variance between seeds is highest on {hard}
small models gain more from {comp} than large ones
about {tens} of a hundred {units} are solved by no system
systems that agree on {pieces} also agree on {labels}
precision rises early in training, while recall follows later
{metric} and {quality} rank the systems in the same order
two systems tie on ordinary {units} and differ on {hard}
the strongest baseline makes {few} times as many errors on {hard}
doubling the context brings next to nothing
most of the benefit is visible after {few} rounds
{name} is slower than the simplest baseline and faster than all others
on data from {sources} all systems come close to each other
the scores of {users} confirm the automatic ones
no system is best on every kind of {hard}
improvements on {hard} are significant for all {sources}
"""
)

ANALYSIS: Final = lines(
    """
to see where {comp} matters, we looked at {units} one by one
most remaining errors involve {hard}
the model confuses {labels} that people also find hard to tell apart
removing {pieces} from the input changes little
when {comp} is shuffled, {quality} drops at once
a probe recovers {pieces} from the middle layers
attention to {pieces} grows as training proceeds
some errors vanish once {labels} are corrected
{users} rated a small sample and agreed with the automatic score
about {tens} of a hundred errors trace back to {labels}
the remaining cases fall into {few} groups
the largest group of errors consists of {hard}
no single cause explains the errors on {hard}
the effect of {comp} is strongest at the beginning of each {unit}
interactions between {comp} and {comp2} are weak
a control experiment with random {pieces} removes the effect
nothing suggests that the model exploits the order of {units}
failures on {hard} are often preceded by low confidence
replacing {comp} by a constant hurts {hard} most
the pattern repeats across {sources}
scores by {users} and by {metric} are well correlated
we drew {tens} {units} at random and classified the errors by hand
confusions between {labels} are symmetric for the most part
long {units} contain more errors but not more per piece
{name} tends to be cautious where {pieces} are faint
the baselines err on the side of too many {labels}
confidence is a good guide to correctness except on {hard}
we varied {pieces} artificially and observed the response
the response of {comp} is almost linear
nothing changes when {sources} are renamed
when {labels} are hidden, the model falls back on {pieces}
half of the errors could be repaired by {users} within seconds
errors come in runs, which suggests a common cause
inspection of {comp} shows one unit that responds to {hard}
the model has learned an order of {pieces} that nobody told it about
a smaller model makes the same errors and some of its own
the correlation between {pieces} and errors is weak
two readers classified the same errors and agreed on most of them
we see no relation between the length of a {unit} and the quality of its {labels}
correct answers for wrong reasons do occur, but seldom
cases in which {users} and model differ are listed in the release
"""
)
