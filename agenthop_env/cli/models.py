"""What `agenthop eval` needs for models: the agents, a check of the server, prices; and `agenthop serve-command`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agenthop_env.cli.terminal import FAILED, err, fail, out, plain_errors

if TYPE_CHECKING:
    from agenthop_env.agents import AgentFactory
    from agenthop_env.agents.served import Sampling, ServedFactory
    from agenthop_env.evaluation.progress import Pricing

ENGINES = ("server", "vllm", "transformers")


def model_factory(
    model: str,
    *,
    engine: str,
    base_url: str | None,
    api: str,
    tool_mode: str,
    tool_format: str,
    sampling: Sequence[str],
    preset: bool,
    reasoning_history: str,
    request_seconds: float | None,
    api_key_env: str | None,
    api_key_file: Path | None,
) -> AgentFactory:
    """The factory of agents over a model, behind a server or in this process.

    Raises:
        ValueError: If an option is none of the known ones, or not for that engine.
    """
    from agenthop_env.agents.served import TransformersFactory, VLLMFactory, make_served

    if engine not in ENGINES:
        raise ValueError(f"--engine must be one of {', '.join(ENGINES)}, not {engine!r}")
    sampled = read_sampling(sampling)
    if engine == "server":
        return make_served(
            model,
            base_url,
            api,
            tool_mode=tool_mode,
            preset=preset,
            sampling=sampled,
            reasoning_history=reasoning_history,
            retry=None if request_seconds is None else {"request_seconds": request_seconds},
            api_key_env=api_key_env,
            api_key_file=api_key_file,
        )
    if base_url is not None or api != "auto":
        raise ValueError(f"--base-url and --api are for a server; --engine {engine} runs in this process")
    if engine == "vllm":
        return VLLMFactory(model, sampled, tool_mode=tool_mode, tool_format=tool_format, preset=preset)
    return TransformersFactory(model, sampled, tool_mode=tool_mode, tool_format=tool_format, preset=preset)


def read_sampling(given: Sequence[str]) -> Sampling:
    """Sampling from `NAME=VALUE` words.

    Raises:
        ValueError: If a word is none, or names what there is not.
    """
    import msgspec

    from agenthop_env.agents.served import Sampling

    values = {}
    for word in given:
        name, equals, value = word.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or name not in Sampling.__struct_fields__:
            raise ValueError(
                f"--sampling: NAME=VALUE is expected, with one of {', '.join(Sampling.__struct_fields__)}, not {word!r}"
            )
        values[name] = value.strip()
    try:
        return msgspec.convert(values, Sampling, strict=False)
    except msgspec.ValidationError as problem:
        raise ValueError(f"--sampling: {problem}") from None


def look_at_server(factory: ServedFactory) -> None:
    """Check the server with one small call; say what to change, and stop, where a run would be for nothing."""
    from agenthop_env.agents.served import preflight

    found = preflight(factory)
    factory.close()
    console = err()
    for remark in found.remarks:
        console.print(f"note: {remark}")
    if not found.ok:
        fail("\n".join([*found.problems, "(--no-preflight goes on without this check)"]), FAILED)


def told(factory: AgentFactory) -> str:
    """The model's settings in a line, so that what was sampled with stands above the figures."""
    settings: dict[str, Any] = dict(factory.settings)
    sampling = settings.get("sampling") or {}
    shown = ", ".join(f"{name} {value}" for name, value in sampling.items()) or "the server's own defaults"
    family = settings.get("family")
    source = f" (preset {family})" if family else ""
    parts = [f"sampling{source}: {shown}", f"{settings.get('tool_mode', 'text')} tools"]
    for name in ("api", "engine"):
        if name in settings:
            parts.insert(0, f"{name}: {settings[name]}")
    return "; ".join(parts)


def pricing_for(model: str, prices: Path | None) -> tuple[Pricing | None, str]:
    """What a model's tokens cost, and a line on where that is from."""
    from agenthop_env.agents.served import cost, price_of

    price = price_of(model, prices)
    if price is None:
        return None, f"no price of {model} is known; --prices FILE gives one"
    line = f"prices per million tokens: input ${price.input:g}, output ${price.output:g}"
    if price.cached is not None:
        line += f", cached ${price.cached:g}"
    origin = ", ".join(part for part in (price.source, price.as_of) if part)
    return (lambda usage: cost(usage, price)), f"{line} ({origin})" if origin else line


def serve_command(
    model: Annotated[str, typer.Argument(help="Name or folder of the model.")],
    gpus: Annotated[
        int | None, typer.Option(help="GPUs to spread it over; by default what its weights need.")
    ] = None,
    gpu_gb: Annotated[float, typer.Option(help="Memory of one GPU in GB.")] = 80.0,
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
    context: Annotated[int | None, typer.Option(help="Tokens of context at most.")] = None,
) -> None:
    """Print the vLLM command that serves a model so that it returns tool calls, token counts and reasoning."""
    with plain_errors():
        from agenthop_env.agents.served import serve_command as serving

        found = serving(model, gpus, gpu_gb=gpu_gb, port=port, context=context)
        out().print(found.command)
        for note in found.notes:
            err().print(f"note: {note}")
