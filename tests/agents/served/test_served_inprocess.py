"""Engines in this process: transformers for real on a tiny model, vLLM against a module with its call signatures."""

from __future__ import annotations

import json
import pickle
import sys
import types
from typing import Any, ClassVar, NamedTuple

import pytest
from policies import Said, assert_same, direct, hand_written, next_turn

from agenthop_env.agents import play
from agenthop_env.agents.adapters import as_batch
from agenthop_env.agents.protocol import AgentError, BatchAgent
from agenthop_env.agents.served import Sampling, TransformersAgent, TransformersFactory, VLLMFactory
from agenthop_env.agents.served.templated import template_messages
from agenthop_env.corpus.store import Corpus
from agenthop_env.records import Usage
from agenthop_env.sandbox.episode import Episode

TEMPLATE = (
    "{% if tools %}tools:{% for tool in tools %}{{ tool.function.name }} {% endfor %}\n{% endif %}"
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}"
    "{% for call in message.tool_calls or [] %}[{{ call.function.name }}]{% endfor %}\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


class FakeOutput(NamedTuple):
    text: str
    token_ids: list[int]
    finish_reason: str | None
    index: int = 0
    cumulative_logprob: float | None = None
    logprobs: None = None
    stop_reason: None = None


class FakeRequestOutput(NamedTuple):
    request_id: str
    prompt_token_ids: list[int]
    outputs: list[FakeOutput]
    num_cached_tokens: int | None
    finished: bool = True


class FakeSamplingParams:
    def __init__(
        self,
        n: int = 1,
        presence_penalty: float = 0.0,
        frequency_penalty: float = 0.0,
        repetition_penalty: float = 1.0,
        temperature: float = 1.0,
        top_p: float = 1.0,
        top_k: int = 0,
        min_p: float = 0.0,
        seed: int | None = None,
        max_tokens: int | None = 16,
        skip_special_tokens: bool = True,
    ) -> None:
        self.temperature, self.max_tokens, self.skip_special_tokens = (
            temperature,
            max_tokens,
            skip_special_tokens,
        )


class FakeLLM:
    """`vllm.LLM` as far as it is used: the names and kinds of its arguments are those of the real one."""

    made: ClassVar[list[FakeLLM]] = []
    script: ClassVar[list[Said]] = []

    def __init__(
        self, model: str, *, enable_prefix_caching: bool | None = None, max_model_len: int | None = None
    ) -> None:
        self.model = model
        self.options = {"enable_prefix_caching": enable_prefix_caching, "max_model_len": max_model_len}
        self.batches: list[list[Any]] = []
        self.tools: list[Any] = []
        FakeLLM.made.append(self)

    def get_tokenizer(self) -> Any:
        return types.SimpleNamespace(eos_token="<|im_end|>")

    def chat(
        self,
        messages: list[list[dict[str, Any]]],
        sampling_params: FakeSamplingParams | None = None,
        use_tqdm: bool = True,
        lora_request: None = None,
        chat_template: str | None = None,
        chat_template_content_format: str = "auto",
        add_generation_prompt: bool = True,
        continue_final_message: bool = False,
        tools: list[dict[str, Any]] | None = None,
        chat_template_kwargs: dict[str, Any] | None = None,
        mm_processor_kwargs: dict[str, Any] | None = None,
    ) -> list[FakeRequestOutput]:
        assert sampling_params is not None
        assert sampling_params.max_tokens is None
        assert not sampling_params.skip_special_tokens
        self.batches.append(messages)
        self.tools.append(tools)
        return [self._one(chat) for chat in messages]

    def _one(self, chat: list[dict[str, Any]]) -> FakeRequestOutput:
        for message in chat:
            assert isinstance(message["content"], str)
            for call in message.get("tool_calls", ()):
                assert isinstance(json.loads(call["function"]["arguments"]), dict)
        turn = next_turn(json.dumps(chat[1:]))
        said = FakeLLM.script[turn].as_text()
        prompt = list(range(len(json.dumps(chat)) // 4))
        return FakeRequestOutput("0", prompt, [FakeOutput(said + "<|im_end|>", [1] * 9, "stop")], 3)


@pytest.fixture
def fake_vllm(monkeypatch: pytest.MonkeyPatch) -> type[FakeLLM]:
    module = types.ModuleType("vllm")
    module.LLM, module.SamplingParams = FakeLLM, FakeSamplingParams  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "vllm", module)
    FakeLLM.made, FakeLLM.script = [], hand_written()
    return FakeLLM


@pytest.mark.parametrize("history", ["text", "calls"])
@pytest.mark.parametrize("tool_mode", ["native", "text"])
def test_vllm_plays_many_episodes_in_batches(
    corpus: Corpus, fake_vllm: type[FakeLLM], tool_mode: str, history: str
) -> None:
    factory = VLLMFactory(
        "Qwen/Qwen3-8B", tool_mode=tool_mode, history=history, engine={"max_model_len": 4096}
    )
    factory = pickle.loads(pickle.dumps(factory))
    episodes = [Episode(corpus, "st_0001", tool_mode=tool_mode) for _ in range(3)]
    agents = [factory.begin(episode) for episode in episodes]
    assert len({id(agent) for agent in agents}) == 1
    batch = as_batch(agents[0])
    assert isinstance(batch, BatchAgent)
    while live := [episode for episode in episodes if episode.ending is None]:
        for episode, said in zip(
            live, batch.act_batch([(one.messages, one.tools) for one in live]), strict=True
        ):
            episode.turn(said.text, said.calls, said.usage, finish_reason=said.finish_reason)
    script = [Said(said.as_text(), said.calls) for said in hand_written()]
    written = script if tool_mode == "native" else [Said(said.text) for said in script]
    for episode in episodes:
        assert_same(episode.record(), direct(corpus, "st_0001", written, tool_mode))
        assert {turn.usage.completion for turn in episode.turns} == {9}
        assert {turn.usage.cached for turn in episode.turns} == {3}
    (llm,) = fake_vllm.made
    assert [len(chats) for chats in llm.batches] == [3] * len(script)
    assert all(bool(tools) == (tool_mode == "native") for tools in llm.tools)
    assert llm.options == {"enable_prefix_caching": True, "max_model_len": 4096}
    answered = [message for message in llm.batches[-1][0] if message["role"] == "assistant"]
    structured = any("tool_calls" in message for message in answered)
    assert structured == (tool_mode == "native" and history == "calls")


def test_without_vllm_the_extra_is_named(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(AgentError, match=r"agenthop-env\[vllm\]"):
        VLLMFactory("x").begin(Episode(corpus, "st_0001", tool_mode="native"))
    with pytest.raises(AgentError, match="tools"):
        VLLMFactory("x").begin(Episode(corpus, "st_0001"))


def test_histories_for_templates(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001", tool_mode="native")
    said = hand_written()[0]
    episode.turn(said.as_text(), said.calls)
    as_text = template_messages(episode.messages, "text")
    as_calls = template_messages(episode.messages, "calls")
    assert as_text[2] == {"role": "assistant", "content": said.as_text()}
    assert as_calls[2]["content"] == ""
    assert as_calls[2]["tool_calls"][0]["function"]["arguments"] == {"paper_id": "seed-1"}
    assert [message["role"] for message in as_text] == [message["role"] for message in episode.messages]


@pytest.fixture(scope="module")
def tiny() -> Any:
    """A model of a stock architecture with random weights, and a byte tokenizer with a chat template."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: place for place, letter in enumerate(["<pad>", "<eos>", *alphabet])}
    inner = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    inner.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = tokenizers.decoders.ByteLevel()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token="<eos>", pad_token="<pad>"
    )
    tokenizer.chat_template = TEMPLATE
    torch.manual_seed(0)
    config = transformers.Qwen3Config(
        vocab_size=len(vocabulary),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=32768,
        eos_token_id=1,
        pad_token_id=0,
    )
    return transformers.Qwen3ForCausalLM(config), tokenizer


@pytest.mark.parametrize("tool_mode", ["native", "text"])
def test_transformers_plays_with_exact_token_counts(corpus: Corpus, tiny: Any, tool_mode: str) -> None:
    model, tokenizer = tiny
    agent = TransformersAgent(model, tokenizer, Sampling(max_tokens=12), tool_mode)
    episodes = [Episode(corpus, item_id, tool_mode=tool_mode) for item_id in ("st_0001", "mt_0001")]
    for _ in range(2):
        chats = [template_messages(episode.messages, "text") for episode in episodes]
        tools = [list(episode.tools) if tool_mode == "native" else None for episode in episodes]
        said = agent.act_batch([(episode.messages, episode.tools) for episode in episodes])
        for episode, message, chat, offered in zip(episodes, said, chats, tools, strict=True):
            prompt = tokenizer.apply_chat_template(
                chat, tools=offered, add_generation_prompt=True, return_dict=False
            )
            assert message.usage == Usage(len(prompt), message.usage.completion if message.usage else 0)
            assert message.usage is not None
            assert 0 < message.usage.completion <= 12
            assert message.finish_reason == ("length" if message.usage.completion == 12 else "stop")
            assert (message.calls is None) == (tool_mode == "text")
            episode.turn(message.text, message.calls, message.usage)
    assert all(len(episode.turns) == 2 for episode in episodes)


def test_transformers_answers_the_same_alone_and_in_a_batch(corpus: Corpus, tiny: Any) -> None:
    agent = TransformersAgent(*tiny, Sampling(max_tokens=8), batch=2)
    episodes = [Episode(corpus, item_id, tool_mode="native") for item_id in ("st_0001", "mt_0001", "st_0002")]
    requests = [(episode.messages, episode.tools) for episode in episodes]
    together = [message.text for message in agent.act_batch(requests)]
    assert together == [agent.act_batch([request])[0].text for request in requests]


def test_transformers_cuts_at_the_end_and_keeps_special_tokens(tiny: Any) -> None:
    model, tokenizer = tiny
    agent = TransformersAgent(model, tokenizer)
    ids = tokenizer.encode("<tool_call>{}</tool_call>", add_special_tokens=False)
    message = agent._message([5, 6], [*ids, 1, 0, 0], 0.5)
    assert message.text == "<tool_call>{}</tool_call>"
    assert message.usage == Usage(2, len(ids) + 1)
    assert message.finish_reason == "stop"
    cut = agent._message([5, 6], ids, 0.5)
    assert cut.finish_reason == "length"
    assert cut.usage == Usage(2, len(ids))


def test_a_folder_with_a_model_plays_a_whole_episode(corpus: Corpus, tiny: Any, tmp_path: Any) -> None:
    model, tokenizer = tiny
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    factory = TransformersFactory(str(tmp_path), Sampling(max_tokens=4, temperature=1.0, seed=1))
    factory = pickle.loads(pickle.dumps(factory))
    episode = Episode(
        corpus, "st_0001", tool_mode="native", agent=factory.name, agent_settings=factory.settings
    )
    play(episode, as_agent_of(factory, episode))
    assert episode.ending == "max_turns"
    assert json.loads(json.dumps(factory.settings))["engine"] == "transformers"
    with pytest.raises(AgentError, match="no model"):
        TransformersFactory(str(tmp_path / "none")).begin(episode)


def as_agent_of(factory: TransformersFactory, episode: Episode) -> Any:
    from agenthop_env.agents.adapters import as_agent

    return as_agent(factory.begin(episode))
