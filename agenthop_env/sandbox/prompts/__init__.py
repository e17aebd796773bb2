"""Everything that an agent is told, as a folder of plain text files that a user can replace.

A file may hold `{{name}}` for a value and `{{#name}}...{{/name}}` for text that is there only where `name` is true
(a tool in use, text tools); a line with nothing but such a mark is no line of the text. Values are put in as they are and never looked at again, so a question with braces in
it stays a question.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, NamedTuple

from agenthop_env.rules import (
    OPTION_LETTERS,
    TOOL_NAMES,
    TOOL_POINTS,
    TOP_K_DEFAULT,
    TOP_K_MAX,
    TOP_K_MIN,
    Limits,
)

STRATEGIES: Final = ("full", "react", "plan", "closed_book")
"""System prompts: the paper's, step by step, plan first, and without tools."""

MESSAGES: Final = (
    "start",
    "text_tools",
    "nudge_no_call",
    "nudge_nameless",
    "nudge_no_points",
    "rejected",
    "disabled",
    "unknown_tool",
    "bad_arguments",
    "unknown_paper",
    "unknown_section",
    "no_text",
    "empty_references",
    "empty_search",
    "empty_sections",
    "thought",
    "submitted",
    "submitted_invalid",
)

_MARK: Final = re.compile(r"\{\{([#/^]?)(\w+)\}\}")
_ALONE: Final = re.compile(r"^[ \t]*(\{\{[#/^]\w+\}\})[ \t]*\n", re.MULTILINE)
"""A section's mark alone on its line: the line goes with it, so that what is left out leaves no blank line."""

Schema = dict[str, Any]


class PromptError(ValueError):
    """A prompt folder that cannot be used, with the file and the remedy."""


class Template:
    """A text with places for values.

    Args:
        text: The text.
        name: File it came from, for messages.

    Raises:
        PromptError: If a section is not closed.
    """

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.text = _ALONE.sub(r"\1", text)
        self._parts = self._parse()
        self._names: tuple[str, ...] | None = None
        if all(isinstance(part, str) or part[1] is None for part in self._parts):
            # No sections: values are put between texts, since opening an episode renders a long one.
            self._between: list[str] = [""]
            names = []
            for part in self._parts:
                if isinstance(part, str):
                    self._between[-1] = part
                else:
                    names.append(part[0])
                    self._between += ["", ""]
            self._names = tuple(names)

    def _parse(self) -> list[Any]:
        stack: list[tuple[str, list[Any]]] = [("", [])]
        place = 0
        for mark in _MARK.finditer(self.text):
            stack[-1][1].append(self.text[place : mark.start()])
            place = mark.end()
            kind, name = mark[1], mark[2]
            if kind == "/":
                opened, inner = stack.pop()
                if opened[1:] != name:
                    raise PromptError(
                        f"{self.name}: {{{{/{name}}}}} closes nothing; open it with {{{{#{name}}}}}"
                    )
                stack[-1][1].append((opened, inner))
            elif kind:
                stack.append((kind + name, []))
            else:
                stack[-1][1].append((name, None))
        if len(stack) > 1:
            raise PromptError(
                f"{self.name}: {{{{{stack[-1][0]}}}}} is not closed; add {{{{/{stack[-1][0][1:]}}}}}"
            )
        stack[0][1].append(self.text[place:])
        return [part for part in stack[0][1] if part != ""]

    def render(self, values: Mapping[str, Any]) -> str:
        """The text with its values.

        Raises:
            PromptError: If the text asks for a value that there is none of.
        """
        if self._names is not None:
            try:
                shown = self._between.copy()
                shown[1::2] = [str(values[name]) for name in self._names]
                return "".join(shown)
            except KeyError as missing:
                raise PromptError(self._no_value(missing.args[0], values)) from None
        return "".join(self._render(self._parts, values))

    def _render(self, parts: list[Any], values: Mapping[str, Any]) -> list[str]:
        shown: list[str] = []
        for part in parts:
            if isinstance(part, str):
                shown.append(part)
                continue
            name, inner = part
            if inner is None:
                if name not in values:
                    raise PromptError(self._no_value(name, values))
                shown.append(str(values[name]))
            elif bool(values.get(name[1:])) == (name[0] == "#"):
                shown += self._render(inner, values)
        return shown

    def _no_value(self, name: str, values: Mapping[str, Any]) -> str:
        return f"{self.name}: no value for {{{{{name}}}}}; there are {', '.join(sorted(values)) or 'none'}"


class ToolText(NamedTuple):
    """What a tool's file says: its description and that of each argument."""

    description: str
    arguments: dict[str, str]


class PromptSet:
    """The texts of one prompt folder.

    Args:
        folder: Folder with the built-in one's file names; None for the built-in one. A file that the folder does
            not have is taken from the built-in one.

    Raises:
        PromptError: If the folder is not there, or a file of it cannot be used.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        built_in = resources.files(__name__)
        self.folder = None if folder is None else Path(folder)
        if self.folder is not None and not self.folder.is_dir():
            raise PromptError(f"{self.folder}: no such folder of prompts")
        names = [
            *(f"system_{strategy}.txt" for strategy in STRATEGIES),
            *(f"{name}.txt" for name in MESSAGES),
        ]
        names += [f"tools/{name}.txt" for name in TOOL_NAMES]
        texts = {name: _read(self.folder, built_in, name) for name in names}
        if self.folder is not None:
            known = set(names)
            for path in self.folder.rglob("*.txt"):
                relative = path.relative_to(self.folder).as_posix()
                if relative not in known:
                    raise PromptError(
                        f"{path}: no prompt of this name; the names are {', '.join(sorted(known))}"
                    )
        self.hash = sha256(
            "".join(f"{name}\0{text}\0" for name, text in texts.items()).encode("utf-8", "replace")
        ).hexdigest()[:16]
        self._templates = {name.removesuffix(".txt"): Template(text, name) for name, text in texts.items()}
        self.tools = {name: _tool_text(texts[f"tools/{name}.txt"], name) for name in TOOL_NAMES}
        self._system: dict[Any, Template] = {}
        self._schemas: dict[tuple[str, ...], list[Schema]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as its folder."""
        return prompt_set, (self.folder,)

    def message(self, which: str, /, **values: Any) -> str:
        """One of `MESSAGES` with its values."""
        return self._templates[which].render(values)

    def system(
        self,
        strategy: str,
        limits: Limits,
        tools: Sequence[str],
        item: Mapping[str, Any],
        text_tools_example: str | None,
    ) -> str:
        """The system prompt of an episode.

        Args:
            strategy: One of `STRATEGIES`.
            limits: The caps, whose numbers it tells.
            tools: Tools in use.
            item: `seed_paper_id`, `seed_title`, `question` and `options` (a sequence of four).
            text_tools_example: A call in the format that is asked for, None where the server takes the calls.

        Raises:
            PromptError: If there is no such strategy.
        """
        key = (strategy, limits, tuple(tools), text_tools_example)
        template = self._system.get(key)
        if template is None:
            template = self._system[key] = self._common(strategy, limits, tools, text_tools_example)
        lettered = "\n".join(
            f"{letter}) {option}" for letter, option in zip(OPTION_LETTERS, item["options"], strict=True)
        )
        return template.render({**item, "options": lettered})

    def _common(self, strategy: str, limits: Limits, tools: Sequence[str], example: str | None) -> Template:
        """The strategy's template with all filled in that does not depend on the item."""
        if strategy not in STRATEGIES:
            raise PromptError(f"no strategy {strategy!r}; there are {', '.join(STRATEGIES)}")
        values: dict[str, Any] = dict.fromkeys(tools, True)
        values |= {
            "tools": "\n".join(self._tool_line(name) for name in tools),
            "tool_count": _NUMBERS.get(len(tools), str(len(tools))),
            "points": limits.points,
            "turns": limits.turns,
            "tokens": f"{limits.tokens:,}",
            "text_tools": example is not None,
            "text_tools_help": ""
            if example is None
            else self.message("text_tools", example=example, more_turns=limits.turns > 1),
        }
        values |= {name: f"{{{{{name}}}}}" for name in ("seed_paper_id", "seed_title", "question", "options")}
        return Template(self._templates[f"system_{strategy}"].render(values), f"system_{strategy}.txt")

    def _tool_line(self, name: str) -> str:
        arguments = ", ".join(self.tools[name].arguments)
        return f"- {name}({arguments}), {_price(name)}: {self.tools[name].description}"

    def schemas(self, tools: Sequence[str]) -> list[Schema]:
        """JSON schemas of some tools, in OpenAI's shape."""
        key = tuple(tools)
        found = self._schemas.get(key)
        if found is None:
            found = self._schemas[key] = [self._schema(name) for name in tools]
        return found

    def _schema(self, name: str) -> Schema:
        text = self.tools[name]
        properties: dict[str, Schema] = {
            argument: {"type": "string", "description": described}
            for argument, described in text.arguments.items()
        }
        if name == "search_papers":
            properties["top_k"] |= {
                "type": "integer",
                "minimum": TOP_K_MIN,
                "maximum": TOP_K_MAX,
                "default": TOP_K_DEFAULT,
            }
        if name == "submit_answer":
            properties["option"]["enum"] = list(OPTION_LETTERS)
        return {
            "type": "function",
            "function": {
                "name": name,
                "description": f"{text.description} Price: {_price(name)}.",
                "parameters": {"type": "object", "properties": properties, "required": list(REQUIRED[name])},
            },
        }

    @cached_property
    def is_built_in(self) -> bool:
        """Whether these are the package's own texts."""
        return self.folder is None


REQUIRED: Final[dict[str, tuple[str, ...]]] = {
    "get_paper_info": ("paper_id",),
    "get_references": ("paper_id",),
    "search_papers": ("query",),
    "list_sections": ("paper_id",),
    "read_section": ("paper_id", "section"),
    "think": ("thought",),
    "submit_answer": ("option",),
}
"""Arguments without which a call is `bad_arguments` (`think` never is)."""

ARGUMENTS: Final[dict[str, tuple[str, ...]]] = {
    **REQUIRED,
    "search_papers": ("query", "top_k"),
    "submit_answer": ("option", "reasoning"),
}
"""All arguments of each tool, under the paper's names."""

_NUMBERS: Final = dict(enumerate(("no", "one", "two", "three", "four", "five", "six", "seven")))
_BUILT_IN: list[PromptSet] = []


def prompt_set(prompts: PromptSet | str | os.PathLike[str] | None = None) -> PromptSet:
    """A `PromptSet` from what a user gives: one, a folder, or None for the built-in one."""
    if isinstance(prompts, PromptSet):
        return prompts
    if prompts is not None:
        return PromptSet(prompts)
    if not _BUILT_IN:
        _BUILT_IN.append(PromptSet())
    return _BUILT_IN[0]


def _price(name: str) -> str:
    points = TOOL_POINTS[name]
    return "free" if points == 0 else f"{points} point{'s' if points > 1 else ''}"


def _read(folder: Path | None, built_in: Traversable, name: str) -> str:
    if folder is not None and (folder / name).is_file():
        try:
            return (folder / name).read_text(encoding="utf-8").removesuffix("\n")
        except (OSError, UnicodeError) as problem:
            raise PromptError(f"{folder / name}: cannot be read as UTF-8 text ({problem})") from None
    return built_in.joinpath(*name.split("/")).read_text(encoding="utf-8").removesuffix("\n")


def _tool_text(text: str, name: str) -> ToolText:
    """A tool's file: the description, a blank line, then `argument: description` lines."""
    description, _, rest = text.strip().partition("\n\n")
    arguments = {}
    for line in rest.splitlines():
        argument, colon, described = line.partition(":")
        if colon and argument.strip() in ARGUMENTS[name]:
            arguments[argument.strip()] = described.strip()
    missing = set(ARGUMENTS[name]) - arguments.keys()
    if missing:
        raise PromptError(
            f"tools/{name}.txt: no line for {', '.join(sorted(missing))}; write `{missing.pop()}: ...`"
        )
    return ToolText(
        " ".join(description.split()), {argument: arguments[argument] for argument in ARGUMENTS[name]}
    )
