"""An agent of one's own: it looks at what the seed paper cites, reads the first section of one paper, and answers.

agenthop eval --agent examples/own_agent.py:Factory --items 5
agenthop eval --agent examples/own_agent.py:Factory --agent-option letter=C --items 5
"""

from collections.abc import Sequence

from agenthop_env import Episode, ToolCall
from agenthop_env.actions import render_calls
from agenthop_env.agents import ChatMessage, Message, ToolSchema
from agenthop_env.agents.delivered import papers


class OneRead:
    """Sees the conversation and the tools, as a model does, and what the prompt says of the item."""

    def __init__(self, seed_paper_id: str, letter: str) -> None:
        self.seed_paper_id = seed_paper_id
        self.letter = letter
        self.turns = 0

    def act(self, messages: Sequence[ChatMessage], tools: Sequence[ToolSchema]) -> Message:
        self.turns += 1
        if self.turns == 1:
            return say("get_references", paper_id=self.seed_paper_id)
        if self.turns == 2:
            readable = [paper.paper_id for paper in papers(messages[-1]["content"]) if paper.has_text]
            if readable:
                return say("read_section", paper_id=readable[0], section="A")
        return say("submit_answer", option=self.letter)


def say(tool: str, **arguments: str) -> Message:
    """One tool call as text, as a model would write it."""
    return Message(render_calls([ToolCall(tool, arguments)]))


class Factory:
    """Makes an agent for each episode; `settings` go into every record."""

    name = "one-read"

    def __init__(self, letter: str = "A") -> None:
        self.settings = {"letter": letter}

    def begin(self, episode: Episode) -> OneRead:
        return OneRead(episode.item.seed_paper_id, str(self.settings["letter"]))
