"""What experts with faults say, and what goes into `think` calls; see `phrases`."""

from __future__ import annotations

from typing import Final

STRAY_PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "hasty_nothing": (
        "I have seen enough; {letter} seems plausible.",
        "Without reading further I say {letter}.",
        "{option} sounds right to me.",
        "I commit early, to {letter}.",
        "I would rather not spend more. {letter}.",
        "My impression is {letter}, though much is left unread.",
        "It is probably {letter}.",
        "No need to read on, I think: {letter}.",
    ),
    "hasty_quote": (
        "{passage}: that will do. {letter}.",
        "From {passage} I conclude {letter}.",
        "{passage} is good enough for {letter}.",
        "Having seen {passage}, I go with {letter} at once.",
        "One look is enough, {passage}. I answer {letter}.",
        "That speaks for {letter}, as {passage} shows. The rest I leave unread.",
    ),
    "wander_info": (
        "What is {title} about?",
        "I am curious about {paper}.",
        "Let me look at {title}.",
        "A look at {paper} cannot hurt.",
        "{title} may be related.",
        "I ask about {paper}, just in case.",
    ),
    "wander_references": (
        "I also look at what {paper} cites.",
        "And the references of {title}?",
        "Perhaps {paper} leads somewhere.",
        "Let me open the list of {title}.",
        "More references: {paper}.",
    ),
    "wander_outline": (
        "The sections of {title} might be of interest.",
        "I list the sections of {paper} as well.",
        "How is {title} organized?",
        "Another outline, that of {paper}.",
        "Let me see the headers of {title}.",
    ),
    "wander_read": (
        "I read ({alias}) {header} of {title}.",
        "{header} of {paper} catches my eye.",
        "Let me read some of {title}, namely {header}.",
        "Maybe {header} says something.",
        "I spend a read on ({alias}) of {paper}.",
    ),
    "wander_search": (
        "I search for {words}.",
        "What comes up for {words}?",
        "A query on {words}.",
        "Let me see who writes about {words}.",
        "Perhaps a query with {words} helps.",
    ),
    "pull_together": (
        "That was a detour. Back to the question.",
        "Enough wandering.",
        "I should return to what was asked.",
        "Let me be more directed now.",
        "None of that was needed; on to the point.",
        "I have spent points without getting nearer.",
    ),
    "guess": (
        "I guess {letter}.",
        "No evidence read, so {letter} by feel.",
        "I pick {letter}: {option}.",
        "It could be any of them; {letter}.",
        "{letter}, at a guess.",
        "Without reading I cannot tell. I say {letter}.",
        "Let it be {letter}.",
        "I take a chance on {letter}.",
        "{option}, perhaps. So {letter}.",
    ),
    "best_effort": (
        "What I could read supports {letter} most.",
        "As far as it goes, {letter}.",
        "I cannot reach more evidence and choose {letter}.",
        "On balance {letter}.",
        "It comes down to {letter}, without certainty.",
    ),
    "think": (
        "Where I stand: {so_far} What remains is to choose.",
        "Summing up. {so_far} The options can be compared with that.",
        "{so_far} I weigh the options against it.",
        "Let me hold on for a moment. {so_far}",
        "To keep it straight: {so_far}",
    ),
    "think_about": (
        "I write down what I am after.",
        "A thought before going on.",
        "Let me collect myself.",
        "One moment to think.",
        "Noting where I am.",
    ),
}
"""Situation -> templates; the slots of each are in braces."""
