"""What all experts share: a notebook of what tools have shown, moves with words to them, and the commitment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from agenthop_env.actions import parse
from agenthop_env.agents import delivered
from agenthop_env.agents.delivered import Listed, SectionLine
from agenthop_env.agents.draws import Draws
from agenthop_env.agents.explorer import Reader
from agenthop_env.agents.protocol import ChatMessage, Message, ToolSchema
from agenthop_env.agents.scripted import Script, paper_call, read_call, search_call, submit_call
from agenthop_env.agents.support import content_words, tokens, weigh
from agenthop_env.demonstrations.hint import Hint, Target, hint_of
from agenthop_env.demonstrations.quotes import as_written, quote, supporting
from agenthop_env.demonstrations.voice import Voice, joined, listed
from agenthop_env.records import ToolCall
from agenthop_env.rules import TOOL_POINTS
from agenthop_env.sandbox.episode import Episode
from agenthop_env.text.letters import letter
from agenthop_env.text.sections import alias

READ_PRICE: Final = TOOL_POINTS["read_section"]
_TOP_K: Final = (5, 8, 10)


class Expert(Reader):
    """A scripted demonstrator. It sees what any agent sees, and a hint that steers its choices.

    It calls tools only on papers and sections that it has been shown, and its words hold only what stands in the
    messages before them.

    Args:
        episode: The episode that it will play.
        seed: Seed of its chance, together with the item.
        thoughts: What stands before the calls: `prose`, `brief` or `none`. Moves do not depend on it.
    """

    def __init__(self, episode: Episode, seed: int = 0, thoughts: str = "prose") -> None:
        super().__init__(episode, seed)
        self.hint: Hint = hint_of(episode)
        self.voice = Voice(Draws("words", type(self).__name__, seed, self.task.item_id))
        self.thoughts = thoughts
        self.seed_title = quote(episode.item.seed_title, 20)
        self.seen: dict[str, Listed] = {}
        self.cited: set[str] = set()
        self.outlines: dict[str, list[SectionLine]] = {}
        self.abstracts: dict[str, str] = {}
        self.bodies: dict[tuple[str, str], str] = {}
        self.unread: list[Target] = list(self.hint.targets)
        self.remark = ""
        self.quoted = False
        self._said = ""

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        """The next assistant message: what the expert says, and its calls."""
        if self.seed_title.strip('"') not in str(messages[0].get("content")):
            self.seed_title = ""  # prompts of one's own need not show it
        self._said = ""
        said = super().act(messages, tools)
        if said.calls is not None:
            return msgspec.structs.replace(said, text=self._said)
        text = "\n".join(part for part in (self._said, said.text) if part)
        if list(parse(text, self._format).calls) != self._asked:
            text = said.text  # a format whose calls cannot stand beside these words
        return Message(text)

    @property
    def reserve(self) -> int:
        """Points that the evidence still costs."""
        return READ_PRICE * len(self.unread)

    @property
    def hidden(self) -> list[Target]:
        """Evidence in papers that nothing has shown yet."""
        return [target for target in self.unread if target.paper_id not in self.seen]

    def payable(self, calls: Sequence[ToolCall]) -> list[ToolCall]:
        """The calls among some that can be paid and leave what the evidence costs; none where a cap is near."""
        left = self.points_left - self.reserve
        chosen = []
        for call in self.usable(calls) if self.turns_left >= 2 and self._fits(0) else ():
            left -= TOOL_POINTS[call.name]
            if left >= 0:
                chosen.append(call)
        return chosen

    def turn(self, calls: Sequence[ToolCall], text: str, brief: str = "") -> Script:
        """One message: words and calls; what comes back is noted. Nothing happens without a call."""
        if not calls:
            return
        remark, self.remark = self.remark, ""
        self._said = {"prose": joined((remark, text)), "brief": brief}.get(self.thoughts, "")
        for call, shown in (yield list(calls)):
            self.note(call, shown)

    def note(self, call: ToolCall, shown: str) -> None:
        """Note what a call brought."""
        paper = str(call.arguments.get("paper_id", ""))
        for entry in delivered.papers(shown):
            known = self.seen.get(entry.paper_id, entry)
            self.seen[entry.paper_id] = known._replace(
                context=known.context or entry.context, abstract=known.abstract or entry.abstract
            )
        if call.name == "get_references":
            self.cited.add(paper)
        elif call.name == "list_sections":
            self.outlines[paper] = delivered.sections(shown)
        elif call.name == "get_paper_info":
            _, _, rest = shown.partition("\nAbstract: ")
            abstract, _, _ = rest.rpartition("\nFull text available:")
            self.abstracts[paper] = "" if abstract == "(not available)" else abstract
        elif call.name == "read_section":
            body = delivered.section_text(shown)
            if body is not None:
                section = str(call.arguments["section"])
                self.texts.append(body)
                self.bodies[paper, section] = body
                self.unread = [
                    one for one in self.unread if (one.paper_id, alias(one.section)) != (paper, section)
                ]

    # Words

    def title(self, paper: str) -> str:
        """A paper's title in quotes, empty where none was shown."""
        if paper == self.task.seed_paper_id:
            return self.seed_title
        return quote(self.seen[paper].title, 16) if paper in self.seen else ""

    def shared(self, paper: str) -> list[str]:
        """Words that a paper's title shares with the question."""
        title = self.seen[paper].title if paper in self.seen else ""
        asked = set(self.query)
        return [word for word in content_words(title) if word in asked]

    def focus(self, target: Target | None = None) -> str:
        """The words of the question that matter for a target (by default the first), in quotes."""
        target = target or (self.hint.targets[0] if self.hint.targets else None)
        words = target.focus[:2] if target else ()
        return listed(f'"{as_written(word, self.task.question)}"' for word in words)

    def match(self, paper: str) -> str:
        """Why a paper that was listed is taken for the one meant."""
        known = self.seen.get(paper)
        if known is None:
            return ""
        slots = {"paper": paper, "title": self.title(paper)}
        context = quote(known.context, 16)
        shared = listed(f'"{as_written(word, known.title)}"' for word in self.shared(paper)[:2])
        if context and (not shared or not self.voice.sometimes(3)):
            return self.voice.say("match_context", context=context, **slots)
        if shared:
            return self.voice.say("match_words", shared=shared, **slots)
        return self.voice.say("match_nothing", **slots)

    def key_words(self, paper: str) -> str:
        """Two or three words on a paper, for brief thoughts."""
        return " ".join([*self.shared(paper)[:2], paper])

    def header(self, paper: str, section: str) -> str:
        """A listed section's header in quotes."""
        return next(
            (quote(line.header) for line in self.outlines.get(paper, ()) if line.alias == section), ""
        )

    def terms(self, count: int) -> str:
        """A query of words of the question, in their order; those that lead nowhere are dropped first."""
        words = list(self.query) or ["paper"]
        while len(words) > count:
            idle = [word for word in words if word not in self.hint.useful]
            words.remove(self.draws.pick(idle or words))
        return " ".join(words)

    def some_words(self, query: str) -> str:
        """Two words of a query, in quotes, as the question writes them."""
        return listed(f'"{as_written(word, self.task.question)}"' for word in query.split()[:2])

    # Moves

    def begin(self, also: Sequence[ToolCall] = (), text: str = "") -> Script:
        """The seed's references, and whatever goes along with them."""
        seed = self.task.seed_paper_id
        calls = self.payable([paper_call("get_references", seed), *also])
        wanted = self.voice.say("wanted", focus=self.focus()) if not self.voice.sometimes(3) else ""
        opening = self.voice.say("begin", seed=seed, title=self.seed_title)
        parts = (opening, wanted) if self.voice.sometimes(2) else (wanted, opening)
        yield from self.turn(calls, joined((*parts, text)), f"references {seed}")

    def search(self, query: str, text: str) -> Script:
        """One search."""
        calls = self.payable([search_call(query, self.draws.pick(_TOP_K))])
        yield from self.turn(calls, text, f"search {' '.join(query.split()[:2])}")

    def cite(self, papers: Sequence[str], also: Sequence[ToolCall] = ()) -> Script:
        """References of papers that were listed."""
        asked = [paper_call("get_references", paper) for paper in papers if paper not in self.cited]
        calls = self.payable([*asked, *also])
        if calls and asked:
            first = papers[0]
            text = joined((self.match(first), self.voice.say("follow", paper=first)))
            yield from self.turn(calls, text, self.key_words(first))

    def reach(self) -> Script:
        """Follow citations, and in the end a search, until every target has been shown."""
        if self.hidden and self.task.seed_paper_id not in self.cited:
            yield from self.begin()
        for bridge in self.hint.bridges:
            if self.hidden and bridge in self.seen:
                yield from self.cite([bridge])
        if self.hidden:
            query = " ".join(self.query)
            text = joined(
                (self.voice.say("nothing_yet"), self.voice.say("search", words=self.some_words(query)))
            )
            yield from self.search(query, text)

    def outline(self, papers: Sequence[str], text: str = "") -> Script:
        """Section lists of papers."""
        wanted = [paper for paper in dict.fromkeys(papers) if paper not in self.outlines]
        calls = self.payable([paper_call("list_sections", paper) for paper in wanted])
        shown = [str(call.arguments["paper_id"]) for call in calls]
        if len(shown) > 1:
            text = joined((text, self.voice.say("outlines", papers=listed(shown))))
        elif shown:
            text = joined((text, self.voice.say("outline", paper=shown[0])))
        yield from self.turn(calls, text, " ".join(self.key_words(paper) for paper in shown))

    def read_places(self, places: Sequence[tuple[str, str]], text: str, brief: str) -> Script:
        """Read sections; `reserve` must leave the points to it."""
        calls = self.usable([read_call(paper, section) for paper, section in places])
        sizes = [
            line.chars
            for paper, section in places
            for line in self.outlines.get(paper, ())
            if line.alias == section
        ]
        if self.turns_left >= 2 and self._fits(sum(sizes)):
            yield from self.turn(calls, text, brief)

    def read_targets(self, targets: Sequence[Target]) -> Script:
        """Read the evidence of some targets in one message, and keep a remark on what it says."""
        ready = [target for target in targets if target in self.unread and target.paper_id in self.seen]
        if not ready:
            return
        first, places = ready[0], [(target.paper_id, alias(target.section)) for target in ready]
        headers = [self.header(*place) for place in places]
        if len(ready) > 1 and all(headers):
            sections = listed(
                f"{header} of {paper}" for header, (paper, _) in zip(headers, places, strict=True)
            )
            text = self.voice.say("reads", sections=sections)
        elif headers[0]:
            text = self.voice.say(
                "read",
                alias=places[0][1],
                header=headers[0],
                paper=first.paper_id,
                focus=self.focus(first) if first.focus else "",
            )
        else:
            text = self.voice.say("read_blind", paper=first.paper_id)
        brief = " ".join(f"{' '.join(target.focus[:1])} {alias(target.section)}".strip() for target in ready)
        yield from self.read_places(places, text, brief)
        self.remark = joined((self.remark, *(self.found(target) for target in ready)))
        if self.unread and self.bodies:
            self.remark = joined((self.remark, self.voice.say("one_down")))

    def pursue(self, target: Target) -> Script:
        """List the sections of one target's paper, and read the one that counts."""
        if target in self.unread and target.paper_id in self.seen:
            yield from self.outline([target.paper_id], self.match(target.paper_id))
            yield from self.read_targets([target])

    def found(self, target: Target) -> str:
        """What a target's section says, once it has been read."""
        section = alias(target.section)
        body = self.bodies.get((target.paper_id, section))
        passage = (
            supporting(body, self.task.options, self.hint.right, self.task.question)
            if body is not None
            else None
        )
        self.quoted = passage is not None
        if passage is None:
            return ""
        return self.voice.say(
            "found",
            header=self.header(target.paper_id, section),
            paper=target.paper_id,
            passage=f'"{passage.text}"',
        )

    def decoys(self, *, readable: bool = False) -> list[str]:
        """Papers listed that are not on the gold path, those that resemble the question first."""
        others = [
            paper
            for paper, known in self.seen.items()
            if paper not in self.hint.golds
            and paper not in self.hint.bridges
            and paper != self.task.seed_paper_id
            and (known.has_text or not readable)
        ]
        asked = set(self.query)
        likeness = {
            paper: len(asked & set(content_words(f"{self.seen[paper].title} {self.seen[paper].context}")))
            for paper in others
        }
        return sorted(others, key=lambda paper: -likeness[paper])

    def verdict(self) -> tuple[int, bool]:
        """The option to submit and whether all evidence for it has been read."""
        if self.hint.complete and not self.unread:
            return self.hint.right, True
        return self.impression(self.texts), False

    def impression(self, texts: Sequence[str]) -> int:
        """The option that some texts support best, one of several where they support them alike."""
        scores = weigh(self.task.question, self.task.options, texts).scores
        return self.draws.pick([place for place, score in enumerate(scores) if score == max(scores)])

    def commit(self, text: str = "") -> Script:
        """Submit."""
        position, sure = self.verdict()
        slots = {"letter": letter(position), "option": quote(self.task.options[position], 12)}
        situation = "settled" if self.quoted else "settled_unquoted"
        if not sure:
            situation = "best_effort" if self.texts else "guess"
        yield from self.turn(
            [submit_call(position)],
            text or self.voice.say(situation, **slots),
            joined((*self._telling(position), slots["letter"])),
        )

    def _telling(self, position: int) -> list[str]:
        """Words of what was read by which the option is known, for brief thoughts."""
        found: list[str] = []
        for body in self.texts:
            passage = supporting(body, self.task.options, position, self.task.question)
            if passage is not None:
                telling = set(passage.telling)
                words = [word.strip(".,;:()") for word in passage.text.split() if telling & set(tokens(word))]
                found += words[:2]
        return list(dict.fromkeys(found))[:4]
