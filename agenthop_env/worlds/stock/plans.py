"""Sentence plans by kind of section.

A plan begins in lower case unless it begins with `{name}`; a trailing period closes it, other plans may be followed by
one of `TAILS` and preceded by one of `OPENERS`. Slots are filled from the item's area (`units`, `hard`, ...), from the
system parts (`comp`) and from short number ranges (`few`, `tens`).
"""

from __future__ import annotations

from typing import Final


def _plans(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


INTRO: Final = _plans(
    """
{task} has moved from a curiosity to a service that {users} take for granted
{users} increasingly depend on {task}, yet {hard} remain a problem
for {users}, an error on {hard} is more than a number in a table
most progress has come from larger models rather than from a better grasp of {pieces}
the usual pipeline treats {pieces} as if they were independent of each other
it is tempting to blame {hard} for every failure, but the picture is less simple
a system that works on data from {sources} need not work anywhere else
between {hard} and ordinary {units} lies a gap that average scores conceal
we ask what {comp} contributes once {hard} are taken seriously
the question is not whether {pieces} carry information but whether a model can reach it
nobody would judge {task} by {metric} alone, and still this is common practice
if {quality} is what {users} want, it should be measured directly
the difficulty lies in {hard}, which are rare in training material
our answer is deliberately simple and adds little to the cost of training
the idea rests on {pieces}, which are cheap to obtain and hard to fake
earlier attempts either ignore {hard} or handle them by rules that few can maintain
this paper takes one step back and looks at {units} as they occur in practice
we argue that {quality} deserves the same attention as raw scores
readers who only care for numbers may turn to the tables at once
several groups have noted that {labels} drift over time
a closer look at material from {sources} shows how much {hard} matter
what looks like noise is often a regularity that {comp} could exploit
the cost of {labels} keeps many {sources} from taking part
we make no attempt to cover every variant of {task}
two observations guide the design and both can be checked by hand
the first observation concerns {pieces}, the second concerns {labels}
a model that relies on {pieces} will fail silently when they are missing
it helps to recall how {users} work: they look at {units} one at a time
much of the literature assumes clean {units}, which {sources} rarely provide
the present work grew out of a collaboration with {users}
"""
)

RELATED: Final = _plans(
    """
early work on {task} relied on hand-written rules for {pieces}
later systems learned {pieces} from data and lost some {quality} on the way
a second line of research treats {hard} as a matter of data rather than modelling
surveys agree that {quality} has received too little attention
the role of {comp} is discussed in several places, mostly without experiments
work on {hard} is scattered over neighbouring fields
most comparisons use {metric}, which favours long {units}
others study {labels} and the people who produce them
there is also a tradition of theory, which seldom touches real {units}
compared with these efforts, our setting is narrower and easier to reproduce
where earlier authors tune {comp}, we leave it fixed
the idea of using {pieces} in this way is older than neural models
interest in {sources} as providers of data is more recent
our work is closest in spirit to studies of {hard}
unlike these authors we do not assume that {labels} are complete
a number of systems combine {comp} with a separate step for {hard}
the distinction between {pieces} and {labels} is not always drawn
research on {quality} has been slowed by the lack of shared data
we share the goals of this line of work but not its assumptions
some of these methods need {labels} at test time, which rules them out here
parallel efforts in industry are hard to assess, since {units} are not released
recent proposals replace {comp} altogether
for lack of space we do not review the literature on {hard} in full
the trade-off between {quality} and cost runs through all of these papers
"""
)

METHOD: Final = _plans(
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
to handle {hard}, the model keeps a separate state
this state is reset at the end of every {unit}
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
"""
)

DATA: Final = _plans(
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
"""
)

SETUP: Final = _plans(
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
"""
)

RESULTS: Final = _plans(
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
"""
)

ANALYSIS: Final = _plans(
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
the first group consists of {hard}
we could not find a single cause for the rest
the effect of {comp} is strongest at the beginning of a {unit}
interactions between {comp} and {comp2} are weak
a control experiment with random {pieces} removes the effect
nothing suggests that the model exploits the order of {units}
failures on {hard} are often preceded by low confidence
replacing {comp} by a constant hurts {hard} most
the pattern repeats across {sources}
scores by {users} and by {metric} are well correlated
"""
)

LIMITS: Final = _plans(
    """
our findings are limited to {units} of the kind that {sources} provide
we have not tested the approach on {hard} from other regions
{metric} captures only part of what {users} need
the data contain few {hard}, so the corresponding numbers are uncertain
we cannot exclude that some {labels} are wrong
training remains costly for groups without access to large machines
{comp} has settings that we did not explore
automatic {labels} may encode the habits of their annotators
the method assumes that {pieces} can be observed
users should not rely on {name} where errors are dangerous
a different choice of {sources} might lead to other conclusions
we did not study how the system ages
{hard} remain unsolved and need other ideas
the licence forbids some uses of the {units}
"""
)

CONCLUSION: Final = _plans(
    """
we have presented {name} and shown what it does for {task}
the main lesson is that {pieces} deserve more attention
future work should look at {hard} in their own right
we hope that {users} will find the release useful
much remains to be done for {hard}
the approach carries over to neighbouring problems without change
{name} is a small step towards {quality} for {users}
whether the same holds for other {sources} is an open question
code and {units} will be available with the final version
we close with a plea for reporting {quality} next to {metric}
simple changes to {comp} go further than expected
the limits of {metric} became visible on the way
"""
)

APPENDIX: Final = _plans(
    """
this appendix collects details that would interrupt the main text
the settings below were used unless stated otherwise
we list the choices that a re-implementation has to make
runs with other seeds gave nearly the same figures
the values were found by a coarse search followed by a finer one
none of these choices changes the order of the systems
for completeness we describe how {units} were prepared
{units} with missing {pieces} were kept
the instructions for {labels} fill {few} printed pages
examples of {hard} are shown to every annotator
we give the full breakdown by source
the numbers for {hard} should be read with care
further examples can be found in the accompanying files
the proof follows from the definition of {comp}
we repeat the main experiment with {comp} removed
the outcome is in line with the main text
where two settings tied, the cheaper one was taken
{metric} was recomputed with an independent script
the script treats empty {units} as errors
storage and transfer followed the rules of the {sources}
"""
)

OPENERS: Final = _plans(
    """
in practice,
as a rule,
for most {units},
across seeds,
on closer inspection,
in our experience,
at the same time,
by design,
for the same reason,
taken together,
in this setting,
on the whole,
more often than not,
seen from this angle,
even so,
"""
)

TAILS: Final = _plans(
    """
, as others have noted
, at least for {units} of this kind
, which came as a surprise
, and this holds for {hard} too
, though the evidence is thin
, which agrees with what {users} report
, whatever the source
, with few exceptions
, as far as we can tell
, and the appendix gives details
, which keeps the design simple
, as long as {pieces} are available
, for reasons discussed below
, if only by a little
"""
)

CLAIMS: Final = _plans(
    """
{action} reduces errors on {hard}
{action} improves {quality} without any loss on ordinary {units}
{action} matters more for {quality} than the size of the model
{action} makes {comp} unnecessary for {units} from {sources}
{action} closes most of the gap between {hard} and ordinary {units}
{action} keeps {quality} stable when {sources} change
{action} helps even where {labels} are scarce
{action} is enough to bring {hard} within reach
{quality} depends more on {pieces} than on {labels}
{hard} become manageable through {action}
{comp} can be dropped once {pieces} are modelled well
gains from {action} persist when {labels} are noisy
most errors on {hard} go back to {comp}
{action} lets small models keep up on {hard}
"""
)
"""What a paper claims: statements without final period, true of the paper that makes them."""
