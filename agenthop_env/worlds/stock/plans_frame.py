"""Sentence plans of the sections around the work, with openers, tails and claims; see `plans_body` for their form."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock import closed, lines

INTRO: Final = closed(
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
much of the difficulty lies in {hard}, which are rare in training material
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
an approach that fails on {hard} will not be trusted by {users}
{sources} have opened their archives, but {labels} are still produced by hand
the literature offers many answers and few comparisons between them
progress on {quality} has been slower than progress on {metric}
models that have never met {hard} tend to guess with great confidence
one reason is that {pieces} are lost in the first layers
another reason is that {labels} reward systems for the wrong behaviour
there are good arguments for treating {pieces} and {labels} together
small groups cannot afford {labels} for every new source
in many cases {users} correct the output by hand, which defeats its purpose
the aim of this paper is to separate what is known from what is merely assumed
our contribution is empirical and can be verified on a single machine
we make three contributions, of which the last may be the most useful
we describe when the approach works and when it does not
what follows is organized around a simple question about {pieces}
{quality} is easily claimed and seldom measured
when {sources} merge their data, inconsistent {labels} come to light
even experienced {users} disagree about {hard}
it is not obvious that more {units} would help
the present study is restricted to {task} on purpose
public discussion has centred on size, while {users} ask for {quality}
"""
)

RELATED: Final = lines(
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
before {metric} became common, systems were compared by inspection
the first systematic studies of {hard} are less than ten years old
a recurring theme is the loss of {quality} under new conditions
several authors model {pieces} explicitly, though with other aims
it has been suggested that {comp} and {comp2} do the same work
transfer between {sources} has been studied mainly for large collections
a different tradition starts from {users} and their habits
work on {labels} is often published outside our field
there is agreement about the goal and little agreement about the means
the connection between {pieces} and {quality} was noticed early
systems for {hard} tend to be built for one source only
negative results are rarely reported, which makes comparisons difficult
methods that dispense with {labels} have come a long way
we are not the first to question {metric}
a few studies vary the amount of data and keep everything else fixed
some authors prefer to mend {labels} rather than models
attempts to unify these views exist but have not caught on
what these approaches have in common is their reliance on {pieces}
"""
)

LIMITS: Final = closed(
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
all experiments were run on one kind of hardware
our readers of {units} share a similar training
the study ends where {hard} begin to dominate
{quality} was judged on a small sample
results for {sources} outside the study may differ
no attempt was made to measure the energy that was used
the comparison leaves out systems that are not public
"""
)

CONCLUSION: Final = closed(
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
a careful choice of {pieces} made the largest difference
the results invite a second look at older systems
for {sources}, the practical message is encouraging
we see room for better {labels} rather than for larger models
the next step is a test with {users} at work
nothing in the approach is tied to a single source
"""
)

APPENDIX: Final = closed(
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
our scripts treat empty {units} as errors
storage and transfer followed the rules of the {sources}
times are averages over {tens} runs on an idle machine
all scores in this part were computed after the main experiments
symbols have the same meaning as in the main text
the listing omits settings that were left at their defaults
a checklist for {users} is part of the release
we also tried to replace {comp} by {comp2}, with mixed results
larger values made training unstable on {hard}
smaller values had no visible effect
the order of {units} was fixed by a random seed
each table in this part has the same layout
standard deviations are given in the accompanying files
we thank the {sources} for their patience with our questions
two typing errors in the instructions were corrected during the project
the remaining {labels} are defined by exclusion
a version of this analysis for each source is available on request
we checked by hand that {tens} random {units} had been read correctly
"""
)

OPENERS: Final = lines(
    """
in practice,
as a rule,
across seeds,
on closer inspection,
in our experience,
at the same time,
in this setting,
on the whole,
more often than not,
seen from this angle,
strictly speaking,
as expected,
in most cases,
in general,
for the time being,
broadly speaking,
in the end,
"""
)

TAILS: Final = lines(
    """
, as others have noted
, at least for {units} of this kind
, though the evidence is thin
, which agrees with what {users} report
, whatever the source
, with few exceptions
, as far as we can tell
, as long as {pieces} are available
, to the best of our knowledge
, on average
, in line with expectation
, judging by the validation part
, much as in earlier studies
"""
)

CLAIMS: Final = lines(
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
