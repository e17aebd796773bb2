"""The formats by name: who writes them, what reads them, what renders them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from agenthop_env.actions import (
    bare_json,
    fences,
    harmony,
    invoke,
    llama,
    mistral,
    pythonic,
    special_tokens,
    tagged,
)
from agenthop_env.actions.reading import Reading
from agenthop_env.actions.xml_calls import FUNCTION, read_all
from agenthop_env.records import ToolCall


class Format(NamedTuple):
    """One way to write tool calls as text.

    Attributes:
        description: What a call looks like.
        families: Model families that are trained on it.
    """

    description: str
    families: tuple[str, ...]


FORMATS: Final[dict[str, Format]] = {
    "auto": Format("whichever of the others the message is in; rendered as hermes", ("any",)),
    "hermes": Format(
        '<tool_call>{"name": ..., "arguments": {...}}</tool_call>',
        ("Qwen2.5", "Qwen3", "Hermes 2 and 3", "SmolLM3"),
    ),
    "qwen3_coder": Format(
        "<tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></tool_call>",
        ("Qwen3-Coder", "Qwen3.5", "Nemotron 3", "Step 3.5"),
    ),
    "glm": Format(
        "<tool_call>NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value></tool_call>",
        ("GLM-4.5", "GLM-4.6", "GLM-4.7"),
    ),
    "llama3_json": Format(
        '{"name": ..., "parameters": {...}}, after <|python_tag|> or bare, separated by ;',
        ("Llama 3.1", "Llama 3.3"),
    ),
    "pythonic": Format('[name(key="value"), ...]', ("Llama 3.2", "Llama 4", "ToolACE", "Olmo 3")),
    "mistral": Format(
        "[TOOL_CALLS]NAME[ARGS]{...}, or [TOOL_CALLS] and a JSON array",
        ("Mistral", "Ministral", "Magistral", "Devstral"),
    ),
    "gemma": Format('a ```tool_code fence of name(key="value") lines', ("Gemma 2", "Gemma 3")),
    "harmony": Format("<|channel|>commentary to=functions.NAME<|message|>{...}<|call|>", ("gpt-oss",)),
    "deepseek": Format(
        "<\uff5ctool▁call▁begin\uff5c>NAME<\uff5ctool▁sep\uff5c>{...}<\uff5ctool▁call▁end\uff5c>, older and newer layouts as well",
        ("DeepSeek V3", "DeepSeek R1", "DeepSeek V3.1", "DeepSeek V3.2"),
    ),
    "kimi": Format(
        "<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{...}<|tool_call_end|>", ("Kimi K2",)
    ),
    "minimax": Format(
        '<minimax:tool_call><invoke name="NAME"><parameter name="KEY">VALUE</parameter></invoke>'
        "</minimax:tool_call>, or JSON lines in <tool_calls>",
        ("MiniMax M1", "MiniMax M2"),
    ),
    "invoke": Format(
        '<function_calls><invoke name="NAME"><parameter name="KEY">VALUE</parameter></invoke></function_calls>',
        ("Claude",),
    ),
    "json": Format('a ```json fence, or bare JSON: {"name": ..., "arguments": {...}}', ("any, by prompt",)),
}
"""The formats, by the names that `parse_actions`, `render_calls` and ``tool_format`` take."""


def _read_tagged(text: str, reading: Reading) -> None:
    tagged.read(text, reading)
    if not reading.calls:
        read_all(text, FUNCTION, reading, "qwen3_coder")


def _read_deepseek(text: str, reading: Reading) -> None:
    special_tokens.read(text, reading)
    if not reading.calls:
        invoke.read_invokes(text, reading, "deepseek")


def _read_json(text: str, reading: Reading) -> None:
    if fences.has_explicit(text):
        fences.read(text, reading)
    if not reading.calls:
        bare_json.read(text, reading)


READERS: Final[dict[str, Callable[[str, Reading], None]]] = {
    "hermes": _read_tagged,
    "qwen3_coder": _read_tagged,
    "glm": _read_tagged,
    "llama3_json": llama.read,
    "pythonic": pythonic.read,
    "mistral": mistral.read,
    "gemma": fences.read,
    "harmony": harmony.read,
    "deepseek": _read_deepseek,
    "kimi": special_tokens.read,
    "minimax": invoke.read_minimax,
    "invoke": invoke.read_invokes,
    "json": _read_json,
}

RENDERERS: Final[dict[str, Callable[[list[ToolCall]], str]]] = {
    "auto": tagged.render_hermes,
    "hermes": tagged.render_hermes,
    "qwen3_coder": tagged.render_qwen3_coder,
    "glm": tagged.render_glm,
    "llama3_json": llama.render,
    "pythonic": pythonic.render,
    "mistral": mistral.render,
    "gemma": fences.render,
    "harmony": harmony.render,
    "deepseek": special_tokens.render_deepseek,
    "kimi": special_tokens.render_kimi,
    "minimax": invoke.render_minimax,
    "invoke": invoke.render_invoke,
    "json": bare_json.render,
}


def unknown_format(name: str) -> ValueError:
    """The error for a format that does not exist; it names those that do."""
    return ValueError(f"unknown tool format {name!r}; known are {', '.join(FORMATS)}")
