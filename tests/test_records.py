"""Records: typed, frozen, and lossless through JSON whatever strings and numbers they hold."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthop_env import EpisodeRecord, Item, Limits, ToolCall, Usage
from agenthop_env.records import (
    SCHEMA_VERSION,
    Attempt,
    CallRecord,
    Cuts,
    EvidenceLabel,
    Paper,
    Section,
    SectionRead,
    ToolResult,
    Totals,
    TurnRecord,
    decode,
    encode,
    plain_json,
)

STRINGS = st.text(st.characters() | st.sampled_from("\ud800\udfff\x00\u2028"), max_size=12)
WHOLE = st.integers() | st.sampled_from([2**63, 2**64, -(2**63) - 1, 10**400])
JSON = st.recursive(
    st.none() | st.booleans() | WHOLE | st.floats(allow_nan=False, allow_infinity=False) | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=8,
)
SMALL = st.integers(0, 10**6)
USAGES = st.builds(Usage, SMALL, SMALL, SMALL, SMALL, SMALL)
READS = st.builds(
    SectionRead, STRINGS, st.none() | STRINGS, SMALL, STRINGS, STRINGS, st.none() | SMALL,
    st.lists(SMALL, max_size=3).map(tuple), st.booleans(),
)  # fmt: skip
CALLS = st.builds(CallRecord, STRINGS, JSON, STRINGS, SMALL, st.none() | READS)
TURNS = st.builds(
    TurnRecord, STRINGS, st.lists(CALLS, max_size=3).map(tuple), USAGES, st.booleans(),
    st.lists(st.builds(ToolCall, STRINGS, JSON), max_size=2).map(tuple), st.none() | STRINGS, st.none() | STRINGS,
    st.none() | st.floats(0, 1e6),
)  # fmt: skip
RECORDS = st.builds(
    EpisodeRecord,
    item_id=STRINGS, dataset=STRINGS, fingerprint=STRINGS, split=st.sampled_from(["train", "test"]),
    cuts=st.builds(Cuts, STRINGS, SMALL, STRINGS, STRINGS, STRINGS), seed_paper_id=STRINGS,
    gold_paper_ids=st.lists(STRINGS, max_size=3).map(tuple), correct_index=st.integers(0, 3),
    limits=st.builds(Limits, points=SMALL, turns=SMALL, tokens=SMALL), agent=STRINGS,
    agent_settings=st.dictionaries(STRINGS, JSON, max_size=3), seed=st.none() | WHOLE,
    turns=st.lists(TURNS, max_size=3).map(tuple), ending=st.none() | st.sampled_from(["answer", "budget"]),
    option=st.none() | st.integers(0, 3), totals=st.builds(Totals, usage=USAGES),
    attempts=st.lists(st.builds(Attempt, STRINGS, USAGES, st.none() | SMALL), max_size=2).map(tuple), error=st.none() | STRINGS,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(RECORDS)
def test_a_record_goes_through_json_without_loss(record: EpisodeRecord) -> None:
    text = record.to_json()
    assert "\n" not in text
    again = EpisodeRecord.from_json(text)
    assert again == record
    assert again.to_json() == text
    assert record.differences(again) == []
    assert EpisodeRecord.from_json(text.encode()) == record
    assert json.loads(text)["schema_version"] == SCHEMA_VERSION
    assert pickle.loads(pickle.dumps(record)) == record


def minimal(**changes: Any) -> EpisodeRecord:
    fields: dict[str, Any] = {
        "item_id": "st_0001", "dataset": "d", "fingerprint": "f", "split": "test", "cuts": Cuts(), "seed_paper_id": "s",
        "gold_paper_ids": ("g",), "correct_index": 0, "limits": Limits(),
    }  # fmt: skip
    return EpisodeRecord(**(fields | changes))


def test_a_record_is_one_readable_line() -> None:
    told = json.loads(minimal().to_json())
    assert told["limits"] == {"points": 30, "turns": 20, "tokens": 200_000}
    assert told["ending"] is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a EpisodeRecord"),
        ("{", "not a EpisodeRecord"),
        ("[]", "not a EpisodeRecord"),
        ("{}", "missing required field `item_id`"),
        (minimal().to_json().replace('"correct_index":0', '"correct_index":"x"'), "correct_index"),
        (
            minimal().to_json().replace('"points":30', '"points":-1'),
            "Limits.points must be a whole number of 0 or more",
        ),
        (minimal().to_json()[:-30], "not a EpisodeRecord"),
    ],
)
def test_what_is_no_record_is_told(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        EpisodeRecord.from_json(text)


def test_fields_of_a_later_version_are_skipped() -> None:
    text = minimal().to_json().replace('"item_id"', '"a_later_field":[1],"item_id"', 1)
    assert EpisodeRecord.from_json(text) == minimal()


def test_differences_name_the_place() -> None:
    one = minimal(turns=(TurnRecord("a", (CallRecord("think", {"thought": "x"}, "ok", 0),)),))
    two = minimal(
        turns=(TurnRecord("a", (CallRecord("think", {"thought": "y"}, "ok", 0),)),), ending="answer"
    )
    assert one.differences(two) == [
        "ending: None -> 'answer'",
        "turns[0].calls[0].arguments.thought: 'x' -> 'y'",
    ]
    assert minimal().differences(one) == ["turns: 0 entries -> 1 entries"]


@pytest.mark.parametrize(
    "value",
    [
        Usage(1, 2), ToolCall("think", {}), ToolResult("t", {}, "x", 0, "ok"), Section("h", "t"), EvidenceLabel("p"), Cuts(),
        Paper(paper_id="p"), Limits(), minimal(),
        Item(id="i", question_type="single-target", depth=1, question="q", options=("a",), correct_index=0,
             seed_paper_id="s", gold_paper_ids=("g",)),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_everything_is_frozen_and_reads_back(value: Any) -> None:
    with pytest.raises(AttributeError):
        setattr(value, value.__struct_fields__[0], None)
    assert decode(encode(value), type(value)) == value
    assert msgspec.convert(msgspec.to_builtins(value), type=type(value)) == value


def test_usage_adds_up() -> None:
    usage = Usage(100, 10, 30, 5, 2) + Usage(1, 2, 3)
    assert usage == Usage(101, 12, 33, 5, 2)
    assert (usage.total, usage.uncached) == (113, 80)
    assert Usage(5, 1, cached=50).uncached == 1


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ((1, (2,)), [1, [2]]),
        ({1: "a", None: "b"}, {"1": "a", "None": "b"}),
        (math.nan, None),
        (-math.inf, None),
        ({1, 2}.__class__, repr(set)),
        (True, True),
        (b"x", "b'x'"),
        (1.5, 1.5),
    ],
)
def test_plain_json(value: Any, plain: Any) -> None:
    assert plain_json(value) == plain
    assert type(plain_json(value)) is type(plain)


def test_plain_json_takes_what_python_alone_can_hold() -> None:
    class Unprintable:
        def __repr__(self) -> str:
            raise RuntimeError

    value = {
        "n": np.int64(3),
        "x": np.float64(0.5),
        "s": np.str_("s"),
        "big": 10**5000,
        10**5000: 1,
        "u": Unprintable(),
    }
    plain = plain_json(value)
    assert [type(inner) for inner in plain.values()] == [int, float, str, str, int, str]
    assert (plain["n"], plain["x"], plain["s"], plain["u"]) == (3, 0.5, "s", "<Unprintable>")
    assert int(plain["big"], 16) == 10**5000
    call = CallRecord("search_papers", plain, "ok", 1)
    assert decode(encode(call), CallRecord) == call


def test_plain_json_is_of_bounded_depth() -> None:
    value: Any = "x"
    for _ in range(100_000):
        value = {"a": value}
    plain = plain_json(value)
    assert json.dumps(plain).count("{") == 64
    assert plain_json(plain) == plain


def test_a_list_that_holds_itself_ends() -> None:
    value: list[Any] = []
    value.append(value)
    assert json.dumps(plain_json(value)).count("[") == 64
