"""Plain transformers: batched generation where no vLLM is, on a CPU for instance."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from agenthop_env.agents.protocol import AgentError, Message, Request
from agenthop_env.agents.served.clients import sdk
from agenthop_env.agents.served.presets import preset_for
from agenthop_env.agents.served.settings import Sampling
from agenthop_env.agents.served.templated import HISTORIES, checked, generated, template_messages
from agenthop_env.records import Json, Usage
from agenthop_env.sandbox.episode import TOOL_MODES, Episode

DEFAULT_MAX_TOKENS = 2_048
_TAKEN = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")


class TransformersAgent:
    """A batch agent over a causal model; keeps nothing of any episode.

    Args:
        model: The model.
        tokenizer: Its tokenizer, with a chat template.
        sampling: How it is sampled; greedily where the temperature is 0 or not given.
        tool_mode: `native` (the chat template gets the tools, results are tool messages) or `text`.
        tool_format: Format that calls are parsed from.
        history: `text` or `calls`; see `templated.template_messages`.
        batch: Conversations at a time.
        template: Keywords for the chat template.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        sampling: Sampling | None = None,
        tool_mode: str = "native",
        tool_format: str = "auto",
        history: str = "text",
        batch: int = 8,
        template: Mapping[str, Any] | None = None,
    ) -> None:
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._sampling = sampling or Sampling()
        self._tool_mode = tool_mode
        self._format = tool_format
        self._history = history
        self._batch = max(batch, 1)
        self._template = dict(template or {})
        if self._sampling.seed is not None:
            sdk("torch", "train").manual_seed(self._sampling.seed)

    def act_batch(self, requests: Sequence[Request]) -> list[Message]:
        """The next message of each conversation, in order."""
        messages: list[Message] = []
        for start in range(0, len(requests), self._batch):
            messages += self._generate(requests[start : start + self._batch])
        return messages

    def _generate(self, requests: Sequence[Request]) -> list[Message]:
        torch = sdk("torch", "train")
        start = time.monotonic()
        prompts = [self._prompt(*request) for request in requests]
        longest = max(len(ids) for ids in prompts)
        filler = self._filler()
        device = getattr(self._model, "device", "cpu")
        inputs = torch.tensor([[filler] * (longest - len(ids)) + ids for ids in prompts], device=device)
        mask = torch.tensor([[0] * (longest - len(ids)) + [1] * len(ids) for ids in prompts], device=device)
        with torch.inference_mode():
            outputs = self._model.generate(input_ids=inputs, attention_mask=mask, **self._how(filler))
        seconds = time.monotonic() - start
        answers = [row[longest:] for row in outputs.tolist()]
        return [self._message(ids, answer, seconds) for ids, answer in zip(prompts, answers, strict=True)]

    def _prompt(self, messages: Any, tools: Any) -> list[int]:
        ids: list[int] = self._tokenizer.apply_chat_template(
            template_messages(messages, self._history),
            tools=[dict(tool) for tool in tools] if self._tool_mode == "native" else None,
            add_generation_prompt=True,
            tokenize=True,
            return_dict=False,
            **self._template,
        )
        return list(ids)

    def _how(self, filler: int) -> dict[str, Any]:
        sampling = self._sampling
        how: dict[str, Any] = {
            "max_new_tokens": sampling.max_tokens or DEFAULT_MAX_TOKENS,
            "pad_token_id": filler,
            "do_sample": bool(sampling.temperature),
        }
        given = sampling.given()
        names = _TAKEN if sampling.temperature else ("repetition_penalty",)
        return how | {name: given[name] for name in names if name in given}

    def _message(self, prompt: list[int], answer: list[int], seconds: float) -> Message:
        """A message of the tokens up to the first that ends one, which counts as generated."""
        ends = self._ends()
        cut = next((place for place, token in enumerate(answer) if token in ends), None)
        said = answer if cut is None else answer[:cut]
        text = self._tokenizer.decode(said, skip_special_tokens=False, clean_up_tokenization_spaces=False)
        usage = Usage(len(prompt), len(answer) if cut is None else cut + 1)
        finish = "length" if cut is None else "stop"
        return generated(text, usage, finish, seconds, self._tool_mode, self._format)

    def _ends(self) -> set[int]:
        """Tokens that end a message."""
        configured = getattr(getattr(self._model, "generation_config", None), "eos_token_id", None)
        listed = configured if isinstance(configured, (list, tuple)) else [configured]
        return {int(token) for token in [*listed, self._tokenizer.eos_token_id] if token is not None}

    def _filler(self) -> int:
        for token in (self._tokenizer.pad_token_id, self._tokenizer.eos_token_id):
            if token is not None:
                return int(token)
        return 0


class TransformersFactory:
    """Gives all episodes of a process one `TransformersAgent`; the model loads at the first `begin` and never pickles.

    Args:
        model: Name or folder of the model.
        sampling: How it is sampled; what is given goes before the preset of its family.
        tool_mode: `native` or `text`.
        tool_format: Format that calls are parsed from.
        history: `text` or `calls`.
        batch: Conversations at a time.
        device: Where the model runs, e.g. `cpu` or `cuda`.
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
        batch: int = 8,
        device: str = "cpu",
        template: Mapping[str, Any] | None = None,
        preset: bool = True,
    ) -> None:
        checked("tool_mode", tool_mode, TOOL_MODES)
        checked("history", history, HISTORIES)
        self._sampling = (sampling or Sampling()).over(preset_for(model).sampling if preset else Sampling())
        self._agent: TransformersAgent | None = None
        self._rest: dict[str, Any] = {
            "tool_mode": tool_mode,
            "tool_format": tool_format,
            "history": history,
            "batch": batch,
            "template": dict(template or {}),
        }
        self._device = device
        self.name = model
        self.tool_mode = tool_mode
        self.settings: dict[str, Json] = {
            "engine": "transformers",
            "model": model,
            "device": device,
            "sampling": self._sampling.given(),
            **self._rest,
        }

    def begin(self, episode: Episode) -> TransformersAgent:
        """The agent of all episodes.

        Raises:
            AgentError: If transformers or torch is not installed, or the episode has another tool mode.
        """
        if episode.tool_mode != self.tool_mode:
            raise AgentError(
                f"the agent is set to {self.tool_mode} tools and the episode to {episode.tool_mode} ones"
            )
        if self._agent is None:
            sdk("torch", "train")
            transformers = sdk("transformers", "train")
            try:
                tokenizer = transformers.AutoTokenizer.from_pretrained(self.name)
                model = transformers.AutoModelForCausalLM.from_pretrained(self.name).to(self._device)
            except (OSError, ValueError) as problem:
                raise AgentError(f"{self.name}: no model that transformers can load ({problem})") from None
            self._agent = TransformersAgent(model, tokenizer, self._sampling, **self._rest)
        return self._agent

    def __getstate__(self) -> dict[str, Any]:
        """All but the model."""
        return {**self.__dict__, "_agent": None}
