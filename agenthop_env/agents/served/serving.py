"""The command that serves a model with vLLM so that it returns tool calls."""

from __future__ import annotations

import re
import shlex
from typing import Any, Final, NamedTuple

from agenthop_env.agents.served.tables import entry_for, short_name, table

_SIZE: Final = re.compile(r"(?<![a-z\d.])(\d+(?:\.\d+)?)b(?![a-z\d])")
_BYTES: Final = ((re.compile("fp8|int8|w8a8"), 1.0), (re.compile("awq|gptq|int4|w4a16|fp4|4bit"), 0.6))
_ROOM: Final = 0.85
"""Share of a GPU's memory that weights may take; the rest is for the caches of many conversations."""

_NODE: Final = 8
"""GPUs of one machine, as a rule."""


class Serving(NamedTuple):
    """How a model is served.

    Attributes:
        command: The command, to be pasted into a shell.
        family: Name of the model family, empty where it is not known.
        tool_parser: vLLM's tool parser, None where none is known: then evaluate with text tools.
        reasoning_parser: vLLM's reasoning parser, None where none is needed or known.
        notes: What else to know, in sentences.
    """

    command: str
    family: str
    tool_parser: str | None
    reasoning_parser: str | None
    notes: tuple[str, ...]


def serve_command(
    model: str, gpus: int | None = None, *, gpu_gb: float = 80.0, port: int = 8000, context: int | None = None
) -> Serving:
    """How vLLM serves a model with tool calls.

    Args:
        model: Name or folder of the model.
        gpus: GPUs to spread it over; None takes as many as its weights need.
        gpu_gb: Memory of one GPU in GB.
        port: Port to listen on.
        context: Tokens of context at most; None takes what the model is made for.
    """
    known = table("serving")
    entry: Any = entry_for(known["family"], model) or {}
    notes = [entry["note"]] if "note" in entry else []
    weights = weights_gb(model)
    parts = ["vllm", "serve", shlex.quote(model), f"--port {port}"]
    if context is not None:
        parts.append(f"--max-model-len {context}")
    spread = gpus or gpus_for(weights, gpu_gb)
    if spread > 1:
        parts.append(f"--tensor-parallel-size {spread}")
    if spread > _NODE:
        notes.append(
            f"{spread} GPUs are more than most machines have: spread it over several as vLLM's guide says"
        )
    if weights is None and gpus is None:
        notes.append(
            "the name does not tell the model's size: set --tensor-parallel-size if it needs several GPUs"
        )
    if "tool_parser" in entry:
        parts.append(f"--enable-auto-tool-choice --tool-call-parser {entry['tool_parser']}")
    elif not entry:
        notes.append(
            "no tool parser is known for this model: evaluate with text tools, or pick one of vLLM's"
        )
    if "reasoning_parser" in entry:
        parts.append(f"--reasoning-parser {entry['reasoning_parser']}")
    if "chat_template" in entry:
        parts.append(f"--chat-template {entry['chat_template']}")
        notes.append(f"{entry['chat_template']} is in vLLM's source; give the path to your copy")
    parts += entry.get("options", [])
    parts.append("--enable-prompt-tokens-details")
    notes.append("--enable-prompt-tokens-details reports which prompt tokens the prefix cache served")
    return Serving(
        " ".join(parts),
        entry.get("name", ""),
        entry.get("tool_parser"),
        entry.get("reasoning_parser"),
        tuple(notes),
    )


def weights_gb(model: str) -> float | None:
    """GB of a model's weights by its name, None where the name does not tell."""
    name = short_name(model)
    for pattern, size in table("serving")["weights"].items():
        if re.search(pattern, name):
            return float(size)
    found = _SIZE.search(name)
    if found is None:
        return None
    per = next((size for pattern, size in _BYTES if pattern.search(name)), 2.0)
    return float(found[1]) * per


def gpus_for(weights: float | None, gpu_gb: float = 80.0) -> int:
    """GPUs that weights need, a power of two; 1 where their size is not known."""
    gpus = 1
    while weights is not None and weights > gpus * gpu_gb * _ROOM and gpus < 64:
        gpus *= 2
    return gpus
