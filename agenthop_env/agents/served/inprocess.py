"""vLLM in this process: one batched call for many live episodes, without a server between."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from agenthop_env.agents.protocol import AgentError, Message, Request
from agenthop_env.agents.served.clients import sdk
from agenthop_env.agents.served.presets import preset_for
from agenthop_env.agents.served.settings import Sampling
from agenthop_env.agents.served.templated import (
    HISTORIES,
    checked,
    generated,
    template_messages,
    text_arguments,
)
from agenthop_env.records import Json, Usage
from agenthop_env.sandbox.episode import TOOL_MODES, Episode

_TAKEN = (
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "max_tokens",
    "presence_penalty",
    "frequency_penalty",
    "repetition_penalty",
    "seed",
)
_FINISH = {"stop": "stop", "length": "length"}


class VLLMAgent:
    """A batch agent over `vllm.LLM`; keeps nothing of any episode.

    Args:
        model: Name or folder of the model.
        sampling: How it is sampled.
        tool_mode: `native` (the chat template gets the tools, results are tool messages) or `text`.
        tool_format: Format that calls are parsed from.
        history: `text` or `calls`; see `templated.template_messages`.
        engine: Keywords for `vllm.LLM`.
        template: Keywords for the chat template, e.g. ``{"enable_thinking": False}``.
    """

    def __init__(
        self,
        model: str,
        sampling: Sampling,
        tool_mode: str = "native",
        tool_format: str = "auto",
        history: str = "text",
        engine: Mapping[str, Any] | None = None,
        template: Mapping[str, Any] | None = None,
    ) -> None:
        vllm = sdk("vllm", "vllm")
        given = {name: value for name, value in sampling.given().items() if name in _TAKEN}
        given.setdefault("max_tokens", None)  # up to the context's end; the library's own default is 16
        self._parameters = vllm.SamplingParams(**given, skip_special_tokens=False)
        self._llm = vllm.LLM(model=model, **{"enable_prefix_caching": True, **(engine or {})})
        self._tool_mode = tool_mode
        self._format = tool_format
        self._history = history
        self._template = dict(template or {})

    def act_batch(self, requests: Sequence[Request]) -> list[Message]:
        """The next message of each conversation; those with the same tools are generated together."""
        answers: list[Message | None] = [None] * len(requests)
        groups: dict[tuple[str, ...], list[int]] = {}
        for place, (_, tools) in enumerate(requests):
            groups.setdefault(tuple(tool["function"]["name"] for tool in tools), []).append(place)
        for places in groups.values():
            start = time.monotonic()
            outputs = self._llm.chat(
                [text_arguments(template_messages(requests[place][0], self._history)) for place in places],
                sampling_params=self._parameters,
                use_tqdm=False,
                add_generation_prompt=True,
                tools=[dict(tool) for tool in requests[places[0]][1]]
                if self._tool_mode == "native"
                else None,
                chat_template_kwargs=self._template or None,
            )
            seconds = time.monotonic() - start
            for place, output in zip(places, outputs, strict=True):
                answers[place] = self._message(output, seconds)
        return [answer for answer in answers if answer is not None]

    def _message(self, output: Any, seconds: float) -> Message:
        one = output.outputs[0]
        usage = Usage(
            len(output.prompt_token_ids or ()),
            len(one.token_ids),
            cached=getattr(output, "num_cached_tokens", None) or 0,
        )
        finish = _FINISH.get(str(one.finish_reason), "other")
        text = _without_end(one.text, self._llm)
        return generated(text, usage, finish, seconds, self._tool_mode, self._format)


class VLLMFactory:
    """Gives all episodes of a process one `VLLMAgent`; pickles as its settings, the engine starts at the first `begin`.

    Args:
        model: Name or folder of the model.
        sampling: How it is sampled; what is given goes before the preset of its family.
        tool_mode: `native` or `text`.
        tool_format: Format that calls are parsed from.
        history: `text` or `calls`.
        engine: Keywords for `vllm.LLM`.
        template: Keywords for the chat template.
        preset: Whether the family's preset applies where no sampling is given.
    """

    def __init__(
        self,
        model: str,
        sampling: Sampling | None = None,
        *,
        tool_mode: str = "native",
        tool_format: str = "auto",
        history: str = "text",
        engine: Mapping[str, Any] | None = None,
        template: Mapping[str, Any] | None = None,
        preset: bool = True,
    ) -> None:
        checked("tool_mode", tool_mode, TOOL_MODES)
        checked("history", history, HISTORIES)
        sampled = (sampling or Sampling()).over(preset_for(model).sampling if preset else Sampling())
        self._agent: VLLMAgent | None = None
        self._given = (
            model,
            sampled,
            tool_mode,
            tool_format,
            history,
            dict(engine or {}),
            dict(template or {}),
        )
        self.name = model
        self.tool_mode = tool_mode
        self.settings: dict[str, Json] = {
            "engine": "vllm",
            "model": model,
            "tool_mode": tool_mode,
            "history": history,
            "sampling": sampled.given(),
            "engine_options": {name: str(value) for name, value in sorted((engine or {}).items())},
            "template_options": dict(template or {}),
        }

    def begin(self, episode: Episode) -> VLLMAgent:
        """The agent of all episodes.

        Raises:
            AgentError: If vLLM is not installed, or the episode has another tool mode.
        """
        if episode.tool_mode != self.tool_mode:
            raise AgentError(
                f"the agent is set to {self.tool_mode} tools and the episode to {episode.tool_mode} ones"
            )
        if self._agent is None:
            self._agent = VLLMAgent(*self._given)
        return self._agent

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as its settings."""
        return _vllm_factory, self._given


def _vllm_factory(
    model: str,
    sampling: Sampling,
    tool_mode: str,
    tool_format: str,
    history: str,
    engine: dict[str, Any],
    template: dict[str, Any],
) -> VLLMFactory:
    return VLLMFactory(
        model,
        sampling,
        tool_mode=tool_mode,
        tool_format=tool_format,
        history=history,
        engine=engine,
        template=template,
        preset=False,
    )


def _without_end(text: str, llm: Any) -> str:
    """A text without the token that ended it; special tokens stay, since some formats of calls are made of them."""
    tokenizer = llm.get_tokenizer()
    end = getattr(tokenizer, "eos_token", None)
    return text.removesuffix(end) if isinstance(end, str) and end else text
