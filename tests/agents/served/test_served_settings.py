"""Settings, presets, prices, serving commands: what is recorded, what is refused, what is known."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from vendors import MODEL

from agenthop_env.agents.protocol import AgentError, checked_factory
from agenthop_env.agents.served import (
    Price,
    Retry,
    Sampling,
    Statistics,
    api_for,
    cost,
    load_prices,
    make_served,
    preset_for,
    price_of,
    serve_command,
)
from agenthop_env.agents.served.conversation import FINISH_REASONS
from agenthop_env.agents.served.serving import gpus_for, weights_gb
from agenthop_env.agents.served.tables import table
from agenthop_env.records import Usage

URL = "http://127.0.0.1:9/v1"


def test_importing_it_imports_no_sdk() -> None:
    code = (
        "import sys, agenthop_env.agents.served\n"
        "print(*[n for n in ('openai', 'anthropic', 'google', 'httpx', 'vllm', 'torch', 'transformers') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize(
    ("model", "base_url", "api"),
    [
        ("claude-sonnet-4-5", None, "messages"),
        ("gemini-2.5-pro", None, "genai"),
        ("models/gemini-2.5-flash", None, "genai"),
        ("gpt-5", None, "responses"),
        ("o3", None, "responses"),
        ("openai/gpt-oss-120b", URL, "chat"),
        ("Qwen/Qwen3-8B", URL, "chat"),
        ("gpt-5", "https://api.openai.com/v1", "responses"),
        ("claude-opus-4-5", "https://api.anthropic.com", "messages"),
        ("claude-opus-4-5", URL, "chat"),
        ("gemini-2.5-pro", "https://generativelanguage.googleapis.com/v1beta/openai", "chat"),
    ],
)
def test_the_api_is_told_from_the_model_and_the_url(model: str, base_url: str | None, api: str) -> None:
    assert api_for(model, base_url) == api


@pytest.mark.parametrize("model", ["Qwen/Qwen3-8B", "gpt-oss-20b"])
def test_a_model_that_no_vendor_serves_needs_a_url(model: str) -> None:
    with pytest.raises(AgentError, match="base_url"):
        api_for(model)


def test_a_factory_pickles_and_records_all_that_changes_results() -> None:
    factory = make_served(
        "Qwen/Qwen3-8B", URL + "/", sampling={"temperature": 0.1}, retry={"attempts": 3}, tool_mode="text"
    )
    assert checked_factory(factory) is factory
    assert json.loads(json.dumps(factory.settings)) == {
        "model": "Qwen/Qwen3-8B",
        "api": "chat",
        "base_url": URL,
        "tool_mode": "text",
        "reasoning_history": "keep",
        "sampling": {"temperature": 0.1, "top_p": 0.95, "top_k": 20, "min_p": 0.0},
        "family": "qwen3",
        "retry": msgspec.to_builtins(Retry(attempts=3)),
    }
    copy = pickle.loads(pickle.dumps(factory))
    assert copy.settings == factory.settings
    assert (copy.name, copy.tool_mode) == ("Qwen/Qwen3-8B", "text")
    assert make_served("Qwen/Qwen3-8B", URL, preset=False).settings["sampling"] == {}
    assert make_served("claude-opus-4-5").settings["caching"] is True
    assert make_served("gpt-5", state="server").settings["state"] == "server"


def test_a_preset_gives_an_api_only_what_it_takes() -> None:
    assert make_served("Qwen/Qwen3-8B", URL, "responses").settings["sampling"] == {
        "temperature": 0.6,
        "top_p": 0.95,
    }


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"api": "soap"}, "api"),
        ({"tool_mode": "magic"}, "tool_mode"),
        ({"state": "mind"}, "state"),
        ({"reasoning_history": "some"}, "reasoning_history"),
        ({"sampling": {"heat": 1}}, "temperature"),
        ({"sampling": {"temperature": "hot"}}, "sampling"),
        ({"retry": {"attempts": "many"}}, "retry"),
        ({"api": "responses", "sampling": {"top_k": 3}}, "top_k"),
        ({"api": "messages", "reasoning_history": "drop"}, "reasoning"),
        ({"base_url": "localhost:8000"}, "http://"),
        ({"base_url": "http://"}, "http://"),
        ({"base_url": "http://host:port/v1"}, "http://"),
        ({"model": " "}, "name"),
    ],
)
def test_settings_that_make_no_sense_are_refused_with_what_would(
    settings: dict[str, object], word: str
) -> None:
    with pytest.raises(AgentError, match=word):
        make_served(**{"model": MODEL, "base_url": URL, **settings})  # type: ignore[arg-type]


def test_a_missing_sdk_says_which_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, api, extra in (
        ("openai", "chat", "openai"),
        ("anthropic", "messages", "anthropic"),
        ("google.genai", "genai", "genai"),
    ):
        monkeypatch.setitem(sys.modules, name, None)
        factory = make_served(MODEL, URL, api)

        async def client(factory: object = factory) -> object:
            return factory.client()  # type: ignore[attr-defined]

        with pytest.raises(AgentError, match=rf"agenthop-env\[{extra}\]"):
            factory.wait_for(client())


def test_every_preset_can_be_used_and_says_where_it_is_from() -> None:
    for entry in table("presets")["family"]:
        assert entry["source"]
        assert entry["reasoning_history"] in ("keep", "drop")
        msgspec.convert(entry["sampling"], Sampling)


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("Qwen/Qwen3-8B", "qwen3"),
        ("Qwen/Qwen3-4B-Instruct-2507", "qwen3-instruct"),
        ("Qwen/Qwen3-235B-A22B-Thinking-2507-FP8", "qwen3-thinking"),
        ("Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3-coder"),
        ("deepseek-chat", "deepseek-v3.2"),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "deepseek-r1"),
        ("LiquidAI/LFM2-1.2B", "lfm2"),
        ("claude-opus-4-5", "claude"),
        ("o3", "openai-reasoning"),
        ("Qwen3.5-9B", ""),
        ("nobody/knows", ""),
    ],
)
def test_families_are_told_from_names(model: str, family: str) -> None:
    preset = preset_for(model)
    assert preset.family == family
    assert preset.lines()


def test_every_price_has_a_date_and_a_source_and_its_parts_are_in_order() -> None:
    for entry in table("prices")["price"]:
        price = msgspec.convert(entry, Price)
        assert price.as_of
        assert price.source
        assert 0 < (price.cached or 0.001) < price.input < price.output
        assert price.cache_write is None or price.cache_write > price.input


def test_costs_are_sums_of_the_parts() -> None:
    price = price_of("claude-sonnet-4-5-20250929")
    assert price is not None
    usage = Usage(prompt=1_000_000, completion=100_000, cached=500_000, cache_write=200_000, reasoning=50_000)
    assert cost(usage, price) == pytest.approx(0.3 * 3 + 0.5 * 0.3 + 0.2 * 3.75 + 0.1 * 15)
    assert cost(usage, None) is None
    assert cost(Usage(10, 1, 5), Price(match="x", input=1, output=2)) is None
    assert cost(Usage(10, 1), Price(match="x", input=1, output=2)) == pytest.approx(12e-6)
    assert price_of("gpt-5-made-up") is None
    assert price_of("claude-opus-4-6") is None


def test_a_file_of_prices_goes_before_the_table(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text('[[price]]\nmatch = "^(gpt-5|mine)$"\ninput = 1.0\noutput = 2.0\ncached = 0.5\n')
    mine = price_of("org/Mine", file)
    assert mine is not None
    assert mine.input == 1.0
    assert price_of("gpt-5", file) == load_prices(file)[0]
    assert price_of("o3", file) == price_of("o3")
    for bad in (
        "[[price]]\nmatch = '('\ninput = 1.0\noutput = 1.0",
        "[[price]]\ninput = 1.0",
        "x = ",
        "[[price]]",
    ):
        file.write_text(bad)
        with pytest.raises(AgentError, match="dollars per million"):
            load_prices(file)
    with pytest.raises(AgentError, match="no file of prices"):
        load_prices(tmp_path / "none.toml")


def test_serving_commands() -> None:
    found = serve_command("Qwen/Qwen3-8B")
    assert found.command.startswith("vllm serve Qwen/Qwen3-8B --port 8000 --enable-auto-tool-choice ")
    assert (found.tool_parser, found.reasoning_parser) == ("hermes", "qwen3")
    big = serve_command("meta-llama/Llama-3.3-70B-Instruct", port=1234, context=32768)
    assert "--tensor-parallel-size 4" in big.command
    assert "--max-model-len 32768" in big.command
    assert "--tensor-parallel-size 2" in serve_command("meta-llama/Llama-3.3-70B-Instruct", gpus=2).command
    assert "tool-call-parser" not in serve_command("nobody/knows").command
    assert any("text tools" in note for note in serve_command("nobody/knows").notes)
    assert "'my model'" in serve_command("my model").command


def test_sizes_are_read_from_names() -> None:
    assert weights_gb("Qwen/Qwen3-8B") == 16
    assert weights_gb("Qwen/Qwen3-30B-A3B-FP8") == 30
    assert weights_gb("x/Y-7B-AWQ") == pytest.approx(4.2)
    assert weights_gb("openai/gpt-oss-120b") == 66
    assert weights_gb("nobody/knows") is None
    assert [gpus_for(size) for size in (None, 60, 70, 140, 690)] == [1, 1, 2, 4, 16]


def test_statistics_add_up() -> None:
    one, two = Statistics(), Statistics()
    for counts in (one, two):
        counts.messages += 2
        counts.usage += Usage(10, 1, 5)
        counts.finish_reasons["length"] += 1
    one.add(two)
    assert one.as_dict()["usage"]["prompt"] == 20
    assert one.as_dict()["finish_reasons"] == {"length": 2}
    assert json.loads(json.dumps(one.as_dict()))["messages"] == 4
    assert any("cut off" in remark for remark in one.remarks())
    assert "length" in FINISH_REASONS
