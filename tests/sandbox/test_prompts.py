"""The built-in prompts, pinned as golden files, and prompt folders that replace them.

Run `python tests/sandbox/test_prompts.py` to write the golden files anew after a deliberate change.
"""

from __future__ import annotations

import difflib
import pickle
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pytest
from releases import small_release

from agenthop_env import Episode, Limits, open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.rules import TOOL_NAMES, TOOL_POINTS
from agenthop_env.sandbox.ledger import Ledger
from agenthop_env.sandbox.prompts import MESSAGES, STRATEGIES, PromptError, PromptSet, Template, prompt_set

GOLDEN = Path(__file__).resolve().parent / "golden"
NO_TOOLS_BUT_SUBMISSION = tuple(name for name in TOOL_NAMES if name != "submit_answer")
VARIANTS: dict[str, dict[str, Any]] = {
    "full": {},
    "react": {"strategy": "react"},
    "plan": {"strategy": "plan"},
    "no_search": {"disabled_tools": ("search_papers",)},
    "closed_book": {
        "strategy": "closed_book", "disabled_tools": NO_TOOLS_BUT_SUBMISSION, "limits": Limits(turns=1),
    },
}  # fmt: skip


def opening(corpus: Corpus, variant: str, mode: str) -> str:
    return Episode(corpus, "st_0001", tool_mode=mode, **VARIANTS[variant]).opening + "\n"


@pytest.mark.parametrize("mode", ["text", "native"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_opening_is_the_golden_one(corpus: Corpus, variant: str, mode: str) -> None:
    golden = (GOLDEN / f"{variant}_{mode}.txt").read_text(encoding="utf-8")
    assert opening(corpus, variant, mode) == golden


@pytest.mark.parametrize("mode", ["text", "native"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_opening_is_tidy(corpus: Corpus, variant: str, mode: str) -> None:
    text = opening(corpus, variant, mode)
    assert "\n\n\n" not in text
    assert "{{" not in text.replace("{braces}", "")
    assert not re.search(r"[ \t]\n", text)
    assert not re.search(r"  +(?![| ])(?!Tokens|Budget)", text.replace("  |  ", ""))


@pytest.mark.parametrize("mode", ["text", "native"])
def test_no_search_differs_by_the_search_parts_and_the_count_alone(corpus: Corpus, mode: str) -> None:
    full, without = opening(corpus, "full", mode), opening(corpus, "no_search", mode)
    expected = re.sub(r"^- search_papers\(.*\n", "", full, flags=re.MULTILINE)
    expected = expected.replace("You have seven tools", "You have six tools")
    expected = re.sub(r"; a search compares [^.]*", "", expected)
    assert list(difflib.unified_diff(expected.splitlines(), without.splitlines())) == []
    assert "search" not in without.replace("a research agent", "")


@pytest.mark.parametrize("variant", ["full", "react", "plan", "no_search"])
def test_the_prompt_tells_what_the_protocol_demands(corpus: Corpus, variant: str) -> None:
    episode = Episode(corpus, "st_0001", **VARIANTS[variant])
    text = episode.messages[0]["content"]
    for name in episode.tool_names:
        points = TOOL_POINTS[name]
        price = {0: "free", 1: "1 point", 5: "5 points"}[points]
        assert re.search(rf"^- {name}\([\w, ]+\), {price}: \S", text, flags=re.MULTILINE)
    assert "research agent" in text
    assert "two citation steps" in text
    assert "30 points" in text
    assert "20 turns" in text
    assert "200,000 tokens" in text
    assert "two rejected calls in a row end the run" in text
    status = re.search(r"^Turn: .*$", text, flags=re.MULTILINE)
    assert status
    assert re.fullmatch(r"Turn: \d+  \|  Tokens used: [\d,]+  \|  Budget used: \d+", status[0])
    assert re.sub(r"[\d,]+", "0", status[0]) == re.sub(r"[\d,]+", "0", Ledger(Limits()).status_line())
    assert "Nobody else keeps track" in text
    assert "cheap tools before you read" in text
    assert "Submit as soon as the evidence decides" in text
    item = corpus.item("st_0001")
    assert f"Seed paper: {item.seed_paper_id}\nTitle: {item.seed_title}" in text
    assert f"Question: {item.question}" in text
    assert (
        "\n".join(f"{letter}) {option}" for letter, option in zip("ABCD", item.options, strict=True)) in text
    )


def test_closed_book_says_that_there_is_one_turn_and_one_tool(corpus: Corpus) -> None:
    episode = Episode(corpus, "st_0001", **VARIANTS["closed_book"])
    text = episode.messages[0]["content"]
    assert [tool["function"]["name"] for tool in episode.tools] == ["submit_answer"]
    assert "You cannot look anything up" in text
    assert "You have one message" in text
    assert "1 turn " in text
    assert all(name not in text for name in NO_TOOLS_BUT_SUBMISSION)


def test_the_agent_is_told_nothing_of_gold_bridges_or_labels(corpus: Corpus) -> None:
    for item in corpus:
        shown = Episode(corpus, item.id).opening
        hidden = {*item.gold_paper_ids, *item.bridge_paper_ids, *item.gold_arxiv_ids} - {
            "",
            item.seed_paper_id,
        }
        assert not [name for name in hidden if name in shown]
        assert not [label.section for label in item.labels if label.section and f"{label.section}\n" in shown]


def test_other_limits_are_told(corpus: Corpus) -> None:
    text = Episode(corpus, "st_0001", limits=Limits(points=7, turns=3, tokens=1_234_567)).opening
    assert "7 points" in text
    assert "3 turns" in text
    assert "1,234,567 tokens" in text


def test_schemas_are_openais_shape(corpus: Corpus) -> None:
    for tool in Episode(corpus, "st_0001").tools:
        assert tool["type"] == "function"
        parameters = tool["function"]["parameters"]
        assert parameters["type"] == "object"
        assert set(parameters["required"]) <= set(parameters["properties"])
        assert tool["function"]["description"]
    names = {
        tool["function"]["name"]: tool["function"]["parameters"] for tool in Episode(corpus, "st_0001").tools
    }
    assert tuple(names) == TOOL_NAMES
    assert names["search_papers"]["properties"]["top_k"]["maximum"] == 10
    assert names["submit_answer"]["properties"]["option"]["enum"] == ["A", "B", "C", "D"]
    assert list(names["think"]["properties"]) == ["thought"]


def test_a_folder_replaces_the_texts_it_has(corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "system_full.txt").write_text(
        "Seed {{seed_paper_id}}: {{question}} {{options}} %s {x}\n", encoding="utf-8"
    )
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "think.txt").write_text("My think.\n\nthought: mine\n", encoding="utf-8")
    episode = Episode(corpus, "st_0001", prompts=tmp_path)
    item = corpus.item("st_0001")
    assert episode.messages[0]["content"].startswith(f"Seed {item.seed_paper_id}: {item.question} A) ")
    assert episode.messages[0]["content"].endswith("%s {x}")
    assert episode.tools[5]["function"]["description"].startswith("My think.")
    assert episode.record().prompts_hash == PromptSet(tmp_path).hash != prompt_set().hash
    assert pickle.loads(pickle.dumps(PromptSet(tmp_path))).hash == PromptSet(tmp_path).hash


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("system_ful.txt", "x", "no prompt of this name; the names are"),
        ("system_full.txt", "{{no_such}}", "no value for {{no_such}}; there are"),
        ("system_full.txt", "{{#think}}", "{{#think}} is not closed"),
        ("system_full.txt", "{{/think}}", "closes nothing"),
        ("tools/think.txt", "Only a description", "no line for thought"),
        ("start.txt", "\udcff", "cannot be read as UTF-8"),
    ],
)
def test_a_folder_that_cannot_be_used_says_why(
    corpus: Corpus, tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(PromptError, match=re.escape(said)):
        Episode(corpus, "st_0001", prompts=tmp_path)


def test_no_such_folder_or_strategy(corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(PromptError, match="no such folder of prompts"):
        PromptSet(tmp_path / "nothing")
    with pytest.raises(PromptError, match="full, react, plan, closed_book"):
        Episode(corpus, "st_0001", strategy="best")


def test_templates() -> None:
    text = "a\n{{#one}}\nb {{x}}\n{{/one}}\nc{{^one}} d{{/one}}\n{{#two}}e{{/two}}f"
    assert Template(text, "t").render({"one": True, "two": False, "x": "{{y}} %s"}) == "a\nb {{y}} %s\nc\nf"
    assert Template(text, "t").render({"one": False, "two": True}) == "a\nc d\nef"
    assert Template("100% {{x}}", "t").render({"x": 1}) == "100% 1"
    assert Template("", "t").render({}) == ""


def test_every_message_renders() -> None:
    values = dict.fromkeys(
        ("example", "names", "name", "problem", "expected", "paper_id", "section", "sections", "query", "letter",
         "submitted", "can_afford", "affordable"),
        "VALUE",
    )  # fmt: skip
    for which in MESSAGES:
        text = prompt_set().message(which, **values)
        assert text.strip() == text
        assert text
        assert "{{" not in text


def test_the_strategies_are_all_there() -> None:
    assert STRATEGIES == ("full", "react", "plan", "closed_book")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = open_corpus(small_release(Path(folder) / "release"))
        for one in VARIANTS:
            for how in ("text", "native"):
                (GOLDEN / f"{one}_{how}.txt").write_text(opening(made, one, how), encoding="utf-8")
