"""Passages of the sections in which work is measured: results and analysis; see `passages_frame`."""

from __future__ import annotations

from typing import Final

from agenthop_env.worlds.stock import lines

RESULTS: Final = lines(
    """
{model} is ahead on ordinary {units} and keeps its lead on {hard}. // The margin over the strongest rival exceeds the spread between seeds. // For {users} the difference would be [noticeable|visible].
The gain is largest where {pieces} are dense. // It shrinks on data from {sources}, as [expected|one would expect]. // [Nowhere|In no case] does it turn into a loss of {quality}.
Differences between the best systems are small but stable. // The ranking by {metric} is the same for every seed we tried. // On {hard} the distances are wider.
In {model}, {comp} accounts for much of the improvement. // Without it the scores fall towards the level of older systems. // {comp2} [contributes|adds] little on ordinary {units} and more on {hard}.
Older systems hold up surprisingly well on simple {units}. // Their weakness shows on {hard}, where {pieces} have to be [combined|held in mind].
As more {units} are added, {model} keeps improving. // Other systems level off after {few} doublings. // Whether this continues beyond the data of {sources} remains to be seen.
Errors of {model} concentrate on {hard} and on {hard2}. // A look at single {units} confirms the picture. // The two have little in common except [sparse|faint] {pieces}.
{quality} improves along with {metric}. // What is gained in one is not lost in the other. // {users} who compared outputs [side by side|without knowing their origin] agree.
Some {hard} resist every system in the comparison. // About {tens} of a hundred such {units} are solved by none. // An oracle with access to {pieces} solves [nearly all|most] of them.
{model} needs fewer {labels} to arrive at the same level. // The saving is largest for data from {sources}. // With {hard} removed from training it [disappears|vanishes].
Two of the older systems trade places when {hard} are left out. // [This|The exchange] suggests that their published figures depend on the mix of {sources}.
Complex {units} are handled no worse than simple ones by {model}. // This is due to {comp}, which sees all {pieces} at once. // Disabling it [reverses|undoes] the effect.
Moving from one of the {sources} to another costs every system about the same. // {model} loses a little less on {hard} and a little more on ordinary {units}. // The [sum|balance] is [close to|near] zero.
Small models gain more from {comp} than large ones. // On {hard} the [smallest|second smallest] one with {comp} is level with the largest without. // This [matters to|is good news for] {users} with little hardware.
Systems that agree on {pieces} also agree on {labels}. // The converse does not hold: on {hard}, equal {labels} are often reached in different ways.
Precision rises early in training, while recall follows later. // For {hard} the [delay|lag] is [about twice as long|longer]. // {comp} shortens it by {few} rounds.
{metric} and {quality} rank the systems in the same order. // The distances differ: by the first, {model} is [slightly|a little] ahead, by the second clearly so.
{model} is slower than the simplest system in the comparison and faster than all others. // Most of the time goes into {pieces}. // Caching them for all {units} of a source would halve that time.
On data from {sources} all systems come close to each other. // There, {hard} are rare and {labels} [generous|coarse]. // We [report|show] these figures for the sake of completeness.
The advantage of {model} is significant on {hard} for all {sources}. // On ordinary {units} it is for all but one. // No system is best on every kind of {unit}.
Doubling the context of {model} brings next to nothing on ordinary {units}. // On {hard} it helps, provided that {comp} is trained along. // Elsewhere we [therefore|for this reason] use the short context.
Scores on {units} with few {pieces} vary most from run to run. // Those of {model} do so [less|no more] than others. // Averages over {few} runs are [stable|steady] enough for our conclusions.
Figures for {hard} have to be read with care. // There are few such {units}, and {sources} supply them unevenly.
Adding {labels} of a second kind to {model} changes {metric} by less than the spread between seeds. // {quality} rises [a little|slightly]. // We [keep|stay with] the simpler version.
[By hand|Without any system], {users} need about {tens} minutes for a {unit}. // With the output of {model} before them they need [half|a third] of that.
The order of the systems does not depend on the threshold for {labels}. // We varied it in {few} steps. // Curves for {hard} run below the others and parallel to them.
"""
)

ANALYSIS: Final = lines(
    """
To see where {comp} matters in {model}, we looked at {units} one by one. // Its effect is strongest on the first {pieces} that are read. // Later ones speak for themselves.
Most remaining errors of {model} involve {hard}. // They fall into {few} groups, of which confusions between {labels} are the largest. // {users} find the same cases hard.
Removing {pieces} from the input changes little on ordinary {units}. // On {hard} it is [ruinous|fatal]. // A control experiment with random {pieces} [removes|cancels] the effect.
When the output of {comp} is shuffled, {quality} drops at once. // Shuffling that of {comp2} has a [slower|milder] effect, seen [mainly|above all] on {hard}.
A probe recovers {pieces} from the middle layers of {model}. // In the last layer they are gone, and {labels} have taken their place. // The [transition|change] is gradual except for {hard}.
Some errors vanish once {labels} are corrected. // About {tens} of a hundred can be traced to the annotation of {sources}. // The others are due to {model} itself.
{users} rated a small sample of {units}. // Their scores and {metric} are well correlated. // They [differ|part ways] on {hard}, which {users} judge more [kindly|leniently].
{model} tends to be cautious where {pieces} are faint. // Other systems err in the other direction and produce too many {labels}. // {users} prefer caution, as far as {hard} are concerned.
Interactions between {comp} and {comp2} are weak. // Replacing either by a constant hurts {hard} most. // Replacing both is no worse than the sum of the two.
Failures on {hard} are often preceded by low confidence. // On other {units}, confidence says [little|less]. // [Together|Combined] with {pieces} it could serve as a warning for {users}.
We drew {tens} {units} at random from the errors of {model}. // {users} sorted them by cause without seeing each other's work. // They agreed on all but {few}.
Half of the errors could be repaired by {users} within seconds. // The remaining ones [need|require] a look at the neighbouring {units}. // {model} has no access to these.
We varied {pieces} artificially and observed the response of {model}. // It is almost linear for {comp} and [abrupt|sudden] for {comp2}. // {hard} lie [on|near] the edge between the two regimes.
When {labels} are hidden during training, {model} falls back on {pieces}. // It then [matches|equals] systems that never had {labels}. // What is lost is {quality} on data from {sources}.
A smaller model makes the same errors as {model} and some of its own. // The additional ones concern {hard} almost without exception. // More {units} would [probably|presumably] remove them.
We see no relation between the size of a {unit} and the reliability of its {labels}. // [Such a relation|One] was reported for other {sources}, where annotators of {hard} were in a hurry.
In {model}, one direction in {comp} responds to {hard}. // Moving along it changes {labels} and leaves {pieces} as they are. // [Nothing|No constraint] in the training objective asks for this.
Correct answers for wrong reasons do occur, but seldom. // We found them where {pieces} of two {units} are [equal|nearly equal]. // {model} is [less|no more] prone to them than its competitors.
Errors on {units} from {sources} come in clusters. // One misread passage in the guidelines for {labels} [explains|is behind] several of them.
We asked {users} which errors of {model} they would [mind|notice]. // Those on {hard} were named most often, those on {pieces} hardly at all.
[Predictions|Outputs] of {model} change little when {units} are presented in another order. // Where they do, {comp} is nearly always [involved|the cause].
{comp} and {labels} are linked more closely than we [thought|assumed]. // Where the former is certain, the latter are [right|correct] in all but a few cases. // {hard} are the exception.
Comparing early and late checkpoints of {model} shows what is learned when. // {pieces} come first, {labels} later, and {hard} last of all.
"""
)
