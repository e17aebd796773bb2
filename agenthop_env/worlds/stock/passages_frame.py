"""Passages of the sections around the work: introduction, related work, limitations, conclusion, abstracts.

A passage is a run of sentences on one thought, divided by `//`; any of its beginnings can stand alone. Slots in braces
are bound once for a passage (`{hard2}` is another one than `{hard}`), `[one|another]` are wordings to choose from.
A passage whose first sentence has `{name}` can make a section its paper's own.
"""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock import lines

INTRO: Final = lines(
    """
{name} grew out of a [collaboration with|request by|conversation with] {users}. // They [look at|work through] {units} one at a time and [rarely|seldom] get a second chance. // What they [ask for|miss most] is {quality}, and this is what we set out to [improve|provide].
[Most|Much] of the [recent progress|progress of recent years] in {task} has come from larger models. // What this did for {hard} is [less clear|an open question|rarely reported]. // We [study|take up] that question with {sources} as our [main|principal] source of data.
With {name} we ask what {comp} contributes once {hard} are [taken seriously|given their due weight]. // The answer [matters|is of interest] to {users}, who meet such cases [every day|more often than averages suggest].
{users} [increasingly depend on|have come to rely on] {task}, yet {hard} remain a [problem|weak spot]. // An error there is [more than a number in a table|costly and hard to undo]. // [Still|Even so], most studies report {metric} alone.
The usual pipeline treats {pieces} as if they were [independent of each other|all of the same kind]. // This [is convenient|keeps models small], but it [fails|breaks down] on {hard}. // [Earlier|Previous] attempts to repair it [rely on|call for] {labels}, which few {sources} can [afford|supply].
{name} starts from [a simple observation|an everyday experience]: {pieces} are [cheap to obtain|easy to measure] and hard to fake. // [Whoever|Anyone who] works with {units} uses them [without thinking|as a matter of course]. // Models, [by contrast|however], tend to [lose|discard] them in their first layers.
A system that works on data from {sources} need not work [anywhere else|elsewhere]. // Between {hard} and ordinary {units} lies a gap that average scores [conceal|do not show]. // We [measure|describe] this gap and then [narrow|try to close] it.
It is tempting to blame {hard} for every failure in {task}. // The picture that [emerges|we found] is [less simple|more varied]: {labels} play a part as well, and so [does|may] {comp}.
Nobody would judge {task} by {metric} alone, [and still|yet] this is common practice. // If {quality} is what {users} want, it should be [measured|tested] directly. // We [do so|take this seriously] throughout the paper.
{model} is [deliberately|intentionally] simple and adds little to the cost of training. // One of its [less common|few unusual] ingredients is {action}. // Much else in our system for {task} is kept as close to common practice as we could manage.
When {sources} merge their data, inconsistent {labels} come to light. // Even [experienced|trained] {users} disagree about {hard}. // A model that learns from such data will [repeat|inherit] these contradictions unless {comp} can represent them.
{quality} is easily claimed and seldom [measured|tested]. // [Part|Some] of the reason is that {labels} are still produced by hand. // [Besides|In addition], {hard} are [thinly spread|scattered] in what {sources} [have released|publish].
In practice {users} often [correct|rework] the output by hand, which defeats its purpose. // [Asked|When asked] what goes wrong, they [name|mention] {hard} first. // {comp} as it is commonly built has no [means|way] to handle them.
The aim of {name} is to separate what is known about {hard} from what is [merely|only] assumed. // To this end we [vary|change] one thing at a time, beginning with {comp}. // [Two|Several] of the outcomes [surprised us|were not what we expected].
[A closer look|Another look] at material from {sources} shows how much {hard} matter. // They [account for|make up] only a [small|modest] share of all {units}, yet {users} [spend|lose] most of their time on them. // Methods for {task} [should|ought to] reflect this.
{name} makes three contributions: a way of {action}, {units} from {sources}, and figures for {quality} beside {metric}. // All three can be [checked|verified] on a single machine.
Progress on {quality} has been slower than progress on {metric}. // One reason is that {pieces} are [lost|blurred] in the first layers. // Another is that {labels} [reward|favour] systems for the wrong behaviour. // We [address|deal with] both [in turn|together].
Models that have never met {hard} tend to guess with great confidence. // {users} cannot see this from the output and [trust|accept] it. // A [remedy|cure] has to [begin|start] with {pieces}, where doubt is first visible.
The cost of {labels} keeps many {sources} from taking part in studies of {task}. // [Small|Smaller] groups are left with {units} that somebody else has chosen. // {action} [reduces|lowers] this cost, as we show [below|in what follows].
[There are good arguments for|Much speaks for] treating {pieces} and {labels} together. // The literature on {task} [nevertheless|mostly] keeps them apart, for reasons of [convenience|tradition]. // What is lost in this way can be seen in {hard}.
Work on {name} began with a disappointment. // A system that had done well on {metric} was given to {users}, who [returned|abandoned] it within {few} weeks. // [The trouble|What went wrong] could be traced to {hard}.
[Why|The reason why] {hard} are difficult is seldom asked. // In {task} they are usually counted among the noise. // We [show|argue] that they follow from {pieces} and can be [foreseen|predicted] to some extent.
Compared with the attention that {comp} has received, {pieces} have been neglected. // This is [surprising|unfortunate], since {users} look at them first. // {name} [reverses|turns around] the order of importance.
There is no shortage of data for {task}, but there is one of careful data. // Many {units} from {sources} carry {labels} that nobody has [checked|looked at] twice.
{name} addresses {task} as {users} know it, with {hard} and with {labels} that are incomplete. // [Cleaner|Tidier] versions of the problem are [well studied|better understood].
"""
)

RELATED: Final = lines(
    """
Early work on {task} relied on hand-written rules for {pieces}. // Later systems learned {pieces} from data and lost some {quality} on the way. // [More recent|Current] proposals [try to|aim to] have both.
A second line of research treats {hard} as a matter of data rather than modelling. // Here the [effort|work] goes into {labels}, and the models stay [plain|as they are].
{name} [shares with|takes from] earlier work on {task} an interest in {pieces}. // It [differs|departs] in that {comp} is learned [jointly|together] with [all the rest|everything else].
The role of {comp} in {task} is discussed in several places, mostly without [experiments|figures]. // Studies of {hard} are an exception; there it [was|has been] varied [on purpose|under controlled conditions].
Most comparisons use {metric}, which favours simple {units}. // [Several|Some] authors have [proposed|asked for] measures of {quality} instead. // None of them has [caught on|become standard] among {users}.
Others study {labels} and the people who [produce|make] them. // Their [finding|lesson] that {users} disagree about {hard} [informs|has shaped] our own protocol.
Compared with most of these efforts, the setting of {name} is narrower and easier to reproduce. // We [leave|keep] {comp} fixed where earlier authors tune it. // In return we can [vary|study] {pieces} in isolation.
Unlike most authors, we do not assume that {labels} are complete. // [Missing|Absent] ones are [common|frequent] in data from {sources}, and [dropping|removing] the affected {units} would [distort|bias] any comparison.
A number of systems for {task} combine {comp} with a separate step for {hard}. // The two are [usually|often] trained apart. // Attempts to [join|merge] them exist but need {labels} at test time.
Transfer between {sources} has been studied mainly for large collections. // Whether the [results|conclusions] hold for small ones is [doubtful|unknown]. // {users} [often|typically] have no more than a few hundred {units}.
A different tradition starts from {users} and their habits. // It has [given us|produced] careful descriptions of how {units} are [read|handled], and few [models|systems].
It has been suggested that {comp} and {comp2} do the same work in {task}. // The evidence [comes|stems] from simple {units} only. // On {hard} the two [behave|act] quite differently, [as far as one can tell|judging by published figures].
Where {name} uses {pieces}, several authors [prefer|turn to] {labels}. // The choice depends on [cost|the data at hand]: {labels} [have to be|must be] made by {users}, {pieces} come for free.
Methods that dispense with {labels} have come a long way. // On ordinary {units} they are [close to|within reach of] supervised ones. // For {hard} a [wide|clear] gap remains.
Interest in {sources} as providers of data is more recent. // They [bring|contribute] {hard} in numbers that earlier collections lacked, and {labels} of [uneven|varying] reliability.
We are not the first to question {metric}. // That it says little about {quality} was noticed [early|long ago], and [alternatives|replacements] were proposed more than once.
Work close to {name} can be found in neighbouring fields, where {pieces} go by other names. // We [refer|point] to it where {comp} is concerned and leave a [full|proper] comparison to a survey.
Some authors prefer to mend {labels} rather than models. // Such work is [complementary|orthogonal] to ours: better {labels} would help {comp} [too|as well].
Surveys of {task} divide the field by the kind of {pieces} that systems read. // By that division, {name} belongs to the [smallest|youngest] group.
{comp} was first proposed for problems unrelated to {task}. // Its [transfer|adaptation] to {units} is recent, and {hard} were not considered.
[Reports|Accounts] from practice are rare but [valuable|instructive]. // They agree that {users} [work around|avoid] systems that lack {quality}.
Several groups have released {units} with {labels}, often under terms that [exclude|rule out] further use. // {name} was [planned|designed] with this difficulty in mind.
[Negative|Unfavourable] results are reported less often than they [occur|should be]. // For {comp}, we know of attempts on {hard} that were given up.
The distinction between {pieces} and {labels} that {name} draws is not [universal|shared by everyone]. // Some authors [treat|regard] the former as a weak form of the latter.
Large models have changed the debate about {hard}. // What used to call for {comp} is now often left to scale. // [Evidence|Proof] that this suffices for {quality} is [thin|scarce].
Statistical questions receive more attention than they did. // For {task}, it has been shown that small test parts make {metric} [unreliable|unstable]. // We [follow|heed] this advice where {sources} allow.
Closest to {name} in spirit are studies that let {users} judge single {units}. // They are [small|limited] by necessity and say little about {comp}.
"""
)

LIMITS: Final = lines(
    """
Our findings about {name} are limited to {units} of the kind that {sources} provide. // [Other|Further] collections may contain {hard} that we have not [seen|met].
We have not tested {model} on {hard} from other regions. // The people we spoke to, {users} above all, expect [differences|surprises] there.
{metric} captures only part of what {users} need. // {quality} was judged on a small sample, and the judges [knew|had met] each other.
The data contain few {hard}, so the corresponding numbers are uncertain. // Intervals for {model} are [wide|wider than we would like] in this part.
We cannot exclude that some {labels} are wrong. // A second look at [a sample|some of them] changed [few|hardly any] of our conclusions, but {hard} deserve [more|another look].
Training {model} remains costly for groups without access to large machines. // {action} helps, though not [enough|as much] as {users} would wish.
{comp} has settings that we did not explore. // [Larger|Other] values might help {model} on {hard} or [harm|hurt] it elsewhere.
The method behind {name} assumes that {pieces} can be observed. // Where they are [missing|hidden], it falls back on a default that [serves|suits] ordinary {units} best.
{users} should not rely on {model} where errors are dangerous. // Its confidence on {hard} is a [poor|weak] guide to its correctness.
Results for {sources} outside the study may differ. // Their {labels} follow conventions of their own, to which {name} has [never|not] been adapted.
No attempt was made to measure the energy that {model} uses. // All runs were [made|carried out] on one kind of hardware, shared with other projects on {task}.
The comparison leaves out systems for {task} that are not public. // Some of them are said to handle {hard} [well|better than ours].
{name} has been used by {few} groups of {users} so far, all of them in touch with us. // Strangers may find it less [natural|easy] to use.
Figures for {model} depend on the version of {labels}. // Earlier versions give lower values of {metric}.
{pieces} were computed with a single tool. // An error in it would affect {model} and its [rivals|competitors] alike.
What {model} does on {units} that mix several {hard} was not studied. // Such {units} are rare in data from {sources}.
Costs for {users} were estimated and not measured. // We [expect|suspect] that {name} saves them time, but cannot prove it.
"""
)

CONCLUSION: Final = lines(
    """
We have presented {name} and shown what it does for {task}. // The main lesson is that {pieces} deserve more attention than they [get|receive].
{name} is a small step towards {quality} for {users}. // Much remains to be done for {hard}, which [need|call for] other ideas.
Whether the findings on {name} hold for {sources} beyond our own is an open question. // We [hope|expect] to answer part of it with {units} [collected|gathered] over a longer period.
Code and {units} for {name} will be available with the final version. // [We hope|It is our hope] that {users} will find them useful and tell us where they [fail|fall short].
Simple changes to {comp} go further than [expected|one might think]. // [In|For] {model}, they made the largest difference on {hard}.
The limits of {metric} became visible on the way. // We close with a plea for reporting {quality} next to it, as we did for {model}.
For {sources}, the practical message of {name} is encouraging. // With a [moderate|modest] effort on {labels}, {hard} come [within reach|closer].
The results invite a second look at older systems for {task}. // [Given|With] the same {pieces}, several of them would come closer to {model} than their [published|printed] figures suggest.
We see room for better {labels} rather than for larger models. // The next step for {name} is a test with {users} at work.
Nothing in {name} is tied to a single source. // It should [carry over|extend] to other {units}, provided that {pieces} can be [measured|observed] there.
Work on {task} need not wait for larger collections. // What {name} shows is that the {units} at hand have more to [give|offer] once {hard} are looked at closely.
{users} have been part of {name} from the start. // We [recommend|suggest] this to others, since it [saved|spared] us several detours.
A release of {name} with {labels} of a second kind is in preparation. // It will cover {hard} that are [missing|absent] so far.
Three questions remain open. // One concerns {comp}, whose part in the success of {model} is not fully understood; the others concern {labels}.
{hard} were the touchstone of this work and will stay difficult for some time. // With {name} they can at least be [counted|measured].
For {task} in general, {name} suggests [patience|modesty]. // Gains in {metric} are [easier to come by|cheaper] than gains in {quality}.
The cost of {name} was moderate. // Most of it went into {labels}, and little into machines.
If there is one thing to take away, it is that {pieces} and {labels} should not be studied apart. // {name} treats them as one problem.
"""
)

ABSTRACT_OPEN: Final = lines(
    """
{task} has moved from a curiosity to a service that {users} take for granted.
{users} rely on {task}, yet {hard} remain a [problem|challenge].
Most work on {task} reports {metric} and says little about {quality}.
[Although|While] {task} has improved, {hard} still cause many errors.
Data for {task} are costly because {labels} are made by hand.
Systems for {task} often fail on {hard}.
Little is known about how {task} copes with {hard}.
How much {task} depends on {pieces} is poorly understood.
{sources} hold many {units} that nobody has used for {task} so far.
What {users} expect of {task} is {quality}, and few systems offer it.
Studies of {task} rarely say what becomes of {hard}.
{pieces} are at hand in most data for {task}, yet few systems [use|exploit] them.
In {task}, {comp} is often taken over without asking what it is good for.
Averages over {units} from {sources} hide how {task} fares on {hard}.
"""
)

ABSTRACT_LEAD: Final = lines(
    """
We present {name}, {a_noun} {about} {task}.
This paper introduces {name}, {a_noun} {about} {task}.
{name} is {a_noun} {about} {task} that takes {hard} into account.
To address this, we [develop|propose|describe] {name}, {a_noun} [built on|designed around] {pieces}.
Here we [describe|report on] {name}, our {noun} {about} {task}.
In response, we offer {name}, {a_noun} made with {users} in mind.
The subject of this paper is {name}, {a_noun} {about} {task}.
We [contribute|put forward] {name}, {a_noun} {about} {task} on data from {sources}.
"""
)
"""Sentences that present the work; `{noun}` is the noun of its kind, `{a_noun}` the same with its article, `{about}` a preposition."""

ABSTRACT_CLOSE: Final = lines(
    """
An analysis of {hard} shows where [errors remain|there is work left to do].
We discuss what this means for {users}.
Code and {units} will be released.
Gains are [largest|clearest] on {hard}.
The effect holds across {sources}.
We also examine how {quality} depends on {comp}.
Errors that remain can be traced to {labels}.
Further experiments separate the roles of {pieces} and {labels}.
A second study asks {users} for their judgement.
We close with advice for {sources} that [collect|gather] {labels}.
Limits of the approach are [illustrated|shown] with {hard}.
"""
)

CLAIMS: Final = lines(
    """
{action} reduces errors on {hard}
{action} improves {quality} without any loss on ordinary {units}
{action} matters more for {quality} than the size of the model
{action} makes a larger model unnecessary for {units} from {sources}
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
{action} pays off for {hard} long before it does for ordinary {units}
{pieces} carry what systems need to know about {hard}
{quality} suffers less from {hard} after {action}
"""
)
"""What a paper claims: statements without final period, true of the paper that makes them."""
