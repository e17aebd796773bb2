from __future__ import annotations

import copy
import json
import pickle
import shutil
import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordEpisodeStatistics, TimeLimit
from small_release import ALPHA, GAMES, ITEMS, SEED, calls, read, submit

from agenthop_env.corpus.problems import CorpusError
from agenthop_env.corpus.sources import open_corpus
from agenthop_env.corpus.store import Corpus
from agenthop_env.envs import ENVIRONMENTS, AgentHopEnv, StepRecord, register_envs
from agenthop_env.records import Usage
from agenthop_env.rules import Limits
from agenthop_env.sandbox.episode import Episode

IDS = tuple(ENVIRONMENTS)


def points_of_step(step: StepRecord) -> int:
    return step.points


def made(env_id: str, data: Any, **settings: Any) -> AgentHopEnv:
    env = gym.make(env_id, data=data, **settings).unwrapped
    assert isinstance(env, AgentHopEnv)
    return env


@pytest.mark.parametrize("env_id", IDS)
@pytest.mark.parametrize("level", ["full", "none"])
def test_check_env_has_nothing_to_say(
    env_id: str, level: str, data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)  # of a corpus that is let go
        check_env(made(env_id, data, diagnostics=level))


def test_registering_again_changes_nothing() -> None:
    before = {env_id: gym.spec(env_id) for env_id in IDS}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register_envs()
    assert all(gym.spec(env_id) is spec for env_id, spec in before.items())


@pytest.mark.parametrize("env_id", IDS)
def test_specs_pickle_and_go_to_json(env_id: str, data: str) -> None:
    env = gym.make(
        env_id, data=data, limits={"tokens": 50_000}, disabled_tools=["think"], reward={"outcome": 0.5}
    )
    assert env.spec is not None
    for spec in (pickle.loads(pickle.dumps(env.spec)), EnvSpec.from_json(env.spec.to_json())):
        again = gym.make(spec)
        assert again.reset(seed=3)[0] == env.reset(seed=3)[0]
        assert again.unwrapped.tools == env.unwrapped.tools  # type: ignore[attr-defined]


def test_seeds_decide_everything(data: str) -> None:
    def played(env: AgentHopEnv) -> list[Any]:
        seen: list[Any] = [env.reset(seed=11), env.reset(), env.reset()]
        seen += [env.step(message)[:4] for message in GAMES["straight"]]
        return [*seen, env.reset()]

    assert played(made("AgentHop-v0", data)) == played(made("AgentHop-v0", data))
    env = made("AgentHop-v0", data)
    drawn = {env.reset(seed=seed)[1]["item_id"] for seed in range(40)}
    assert drawn == set(ITEMS)


def test_sequential_order_starts_at_the_seed(data: str) -> None:
    env = made("AgentHop-v0", data, order="sequential")
    assert [env.reset()[1]["item_id"] for _ in range(5)] == [*ITEMS, ITEMS[0]]
    assert env.reset(seed=2)[1]["item_id"] == ITEMS[2]
    assert env.reset()[1]["item_id"] == ITEMS[3]


def test_items_are_those_asked_for(data: str) -> None:
    env = made("AgentHop-v0", data, items=["mt_0001"])
    assert {env.reset(seed=seed)[1]["item_id"] for seed in range(8)} == {"mt_0001"}
    observation, info = env.reset(options={"item_id": "st_0002"})
    assert info["item_id"] == env.episode.item_id == "st_0002"
    assert observation == env.episode.opening


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"item_id": "st_9999"}, r'options\["item_id"\].*st_9999.*st_0001'),
        ({"item_id": 3}, "must be a string"),
        ({"item": "st_0001"}, "unknown reset option 'item'; known are item_id"),
    ],
)
def test_wrong_reset_options_are_named(options: dict[str, Any], message: str, data: str) -> None:
    with pytest.raises(ValueError, match=message):
        made("AgentHop-v0", data).reset(options=options)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"reward": "wealth"}, "outcome, outcome_chance_corrected"),
        ({"order": "odd"}, "random, sequential"),
        ({"diagnostics": "some"}, "full, public, none"),
        ({"tool_format": "morse"}, "hermes"),
        ({"tool_mode": "odd"}, "text, native"),
        ({"search": "odd"}, "overlap, bm25, none"),
        ({"strategy": "odd"}, "closed_book"),
        ({"token_accounting": "odd"}, "uncached"),
        ({"disabled_tools": ["fly"]}, "get_paper_info"),
        ({"render_mode": "rgb_array"}, "ansi, human"),
        ({"items": ["st_0001", "nope"]}, "nope"),
        ({"items": []}, "empty"),
        ({"limits": {"turns": 0}}, "at least 1"),
        ({"limits": {"hops": 1}}, "points, turns and tokens"),
        ({"split": "odd"}, "train, validation, test"),
    ],
)
def test_wrong_settings_are_refused_with_the_right_ones(
    settings: dict[str, Any], message: str, data: str
) -> None:
    with pytest.raises(ValueError, match=message):
        AgentHopEnv(data, **settings)


@pytest.mark.parametrize("settings", [{"items": "st_0001"}, {"disabled_tools": "think"}])
def test_a_string_is_no_list(settings: dict[str, Any], data: str) -> None:
    with pytest.raises(TypeError, match="not the string"):
        AgentHopEnv(data, **settings)


def test_split_plays_only_that_split(data: str, small: Corpus) -> None:
    split = small.item("st_0001").split
    expected = [item.id for item in small if item.split == split]
    other = next(name for name in ("train", "validation", "test") if name != split)
    for source in (data, small):
        env = AgentHopEnv(source, split=split, order="sequential")
        assert [env.reset()[1]["item_id"] for _ in expected] == expected
    assert len(AgentHopEnv(open_corpus(f"{data}?split={split}"), split=split).setup.ids) == len(expected)
    with pytest.raises(ValueError, match="disagree"):
        AgentHopEnv(f"{data}?split={split}", split=other)
    outside = [item.id for item in small if item.split != split]
    with pytest.raises(ValueError, match="no item of"):
        AgentHopEnv(open_corpus(f"{data}?split={split}"), split=other)
    for item_id in outside[:1]:
        with pytest.raises(ValueError, match="is not of the"):
            AgentHopEnv(small, split=split).reset(options={"item_id": item_id})


def test_only_strings_are_actions(data: str) -> None:
    env = made("AgentHop-v0", data)
    with pytest.raises(ResetNeeded, match="before reset"):
        env.step("hello")
    with pytest.raises(ResetNeeded):
        _ = env.messages
    env.reset()
    for action in (None, 3, b"x", ["x"]):
        with pytest.raises(TypeError, match="an action is a string"):
            env.step(action)  # type: ignore[arg-type]
    assert env.episode.ledger.turns_used == 0
    env.step(np.str_("hello"))
    assert type(env.messages[-2]["content"]) is str


@pytest.mark.parametrize(
    ("game", "item", "ending", "reward"),
    [
        ("straight", "st_0001", "answer", 1.0),
        ("malformed", "st_0002", "answer", 1.0),
        ("malformed", "st_0001", "answer", 0.0),
        ("budget", "mt_0001", "budget", 0.0),
        ("unseen", "st_0002", "answer", 1.0),
        ("idle", "st_0001", "max_turns", 0.0),
    ],
)
def test_games_end_as_they_should(game: str, item: str, ending: str, reward: float, data: str) -> None:
    env = gym.make("AgentHop-v0", data=data)
    env.reset(options={"item_id": item})
    steps = [env.step(message) for message in GAMES[game]]
    assert [step[2] for step in steps] == [False] * (len(steps) - 1) + [True]
    assert not any(step[3] for step in steps)
    assert [step[1] for step in steps] == [0.0] * (len(steps) - 1) + [reward]
    assert all(isinstance(step[1], float) for step in steps)
    assert steps[-1][4]["ending"] == steps[-1][4]["record"].ending == ending
    with pytest.raises(ResetNeeded, match="is over"):
        env.step("more")


def test_the_token_cap_terminates(data: str) -> None:
    env = made("AgentHop-v0", data, limits=Limits(tokens=10))
    env.reset()
    observation, _, terminated, truncated, info = env.step("hello")
    assert (observation, terminated, truncated, info["ending"]) == ("", True, False, "token_limit")


def test_the_environment_plays_what_an_episode_plays(data: str, small: Corpus) -> None:
    env = made("AgentHop-v0", data)
    for name, game in GAMES.items():
        episode = Episode(small, "mt_0001")
        first, info = env.reset(options={"item_id": "mt_0001"})
        assert first == episode.opening
        assert info["tools"] == env.tools == episode.tools
        for message in game:
            turn = episode.turn(message)
            observation, _, _, _, info = env.step(message)
            assert observation == turn.observation
            assert info["messages"] == turn.messages
            assert info["calls"] == turn.results
        assert env.messages == episode.messages, name
        assert info["record"] == episode.record()


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"reward": "retrieval"},
        {"reward": {"outcome": 1.0, "outcome_gated": 0.5, "commitment": 0.5}},
        {"shaping": {"potential": "recall", "discount": 1.0}},
        {"reward": points_of_step, "token_counter": len},
        {"prefix": "gold", "diagnostics": "public"},
        {"shuffle_options": True, "diagnostics": "none", "order": "sequential"},
    ],
    ids=["plain", "retrieval", "mixture", "shaping", "function", "prefix", "shuffled"],
)
def test_a_running_environment_pickles(settings: dict[str, Any], data: str) -> None:
    """For checkpoints, and for actors in other processes: it goes on where it stood."""
    env = made("AgentHop-v0", data, **settings)
    env.reset(seed=3, options={"item_id": "mt_0001"})
    env.step("one")
    other = pickle.loads(pickle.dumps(env))
    assert other.setup.corpus is env.setup.corpus
    for message in GAMES["straight"]:
        if env.episode.ending is None:
            assert other.step(message) == env.step(message)
    assert other.episode.record() == env.episode.record()
    assert other.reset() == env.reset()


def test_a_pickled_environment_knows_other_data(data: str, tmp_path: Path) -> None:
    folder = tmp_path / "release"
    shutil.copytree(data, folder)
    env = made("AgentHop-v0", str(folder))
    env.reset()
    pickled = pickle.dumps(env)
    assert pickle.loads(pickled).episode.item_id == env.episode.item_id
    env.close()
    del env
    questions = folder / "qa" / "full.jsonl"
    questions.write_text(questions.read_text(encoding="utf-8").replace("?", "??"), encoding="utf-8")
    with pytest.raises(CorpusError, match="other data"):
        pickle.loads(pickled)


def test_wrappers_work(data: str) -> None:
    env = RecordEpisodeStatistics(TimeLimit(gym.make("AgentHop-v0", data=data), 3))
    env.reset(options={"item_id": "st_0001"})
    steps = [env.step(message) for message in GAMES["idle"][:3]]
    assert [step[2:4] for step in steps] == [(False, False), (False, False), (False, True)]
    assert steps[-1][4]["episode"]["l"] == 3
    assert "record" not in steps[-1][4]
    env.reset(options={"item_id": "st_0001"})
    with pytest.raises(ResetNeeded):
        gym.make("AgentHop-v0", data=data).step("early")


def test_reported_usage_holds_for_one_step(data: str) -> None:
    env = made("AgentHop-v0", data)
    env.reset()
    env.report_usage(Usage(1000, 20, cached=900))
    ledger = env.step("one")[4]["ledger"]
    assert ledger["tokens_used"] == 1020
    counted = env.step("two")[4]["ledger"]["tokens_used"] - 1020
    assert 0 < counted != 1020
    env.report_usage(Usage(5, 5))
    env.reset()
    assert env.step("one")[4]["ledger"]["tokens_used"] != 10
    with pytest.raises(TypeError, match="Usage"):
        env.report_usage((1, 2))  # type: ignore[arg-type]


def test_uncached_accounting_and_counters(data: str) -> None:
    env = made("AgentHop-v0", data, token_accounting="uncached", token_counter=lambda text: len(text.split()))
    env.reset()
    env.report_usage(Usage(1000, 20, cached=900))
    assert env.step("one")[4]["ledger"]["tokens_used"] == 120
    assert env.episode.counter.name.endswith("<lambda>")


def test_shuffled_options_change_with_each_reset(data: str) -> None:
    env = made("AgentHop-v0", data, shuffle_options=True)
    item = {"item_id": "st_0001"}
    orders = [env.reset(seed=5, options=item) and env.episode.option_order]
    orders += [env.reset(options=item) and env.episode.option_order for _ in range(12)]
    assert len(set(orders)) > 3
    env.reset(seed=5, options=item)
    assert env.episode.option_order == orders[0]
    right = "ABCD"[env.episode.option_order.index(1)]
    record = env.step(submit(right))[4]["record"]
    assert (record.correct, record.option, record.option_order) == (True, 1, orders[0])


@pytest.mark.parametrize("disabled", [[], ["think"]])
def test_no_search_goes_without_search(disabled: list[str], data: str) -> None:
    env = made("AgentHopNoSearch-v0", data, disabled_tools=disabled)
    first, info = env.reset()
    names = [schema["function"]["name"] for schema in info["tools"]]
    assert "search_papers" not in names
    assert "search_papers" not in first
    assert len(names) == 6 - len(disabled)
    assert env.step(calls(("search_papers", {"query": "x"})))[4]["calls"][0].outcome == "disabled"


def test_closed_book_has_one_turn_and_one_tool(data: str) -> None:
    env = made("AgentHopClosedBook-v0", data, limits={"tokens": 90_000})
    _, info = env.reset(options={"item_id": "st_0001"})
    assert [schema["function"]["name"] for schema in info["tools"]] == ["submit_answer"]
    assert info["ledger"]["turns_left"] == 1
    assert env.step("I think that it is B.")[2:4] == (True, False)
    env.reset(options={"item_id": "st_0001"})
    assert env.step(submit("B"))[1:3] == (1.0, True)


def test_retrieval_ends_on_the_evidence(data: str) -> None:
    env = made("AgentHopRetrieval-v0", data)
    env.reset(options={"item_id": "mt_0001"})
    assert env.step(read(ALPHA, "B"))[1:3] == (0.5, False)
    step = env.step(read("p-beta", "B"))
    assert step[1:3] == (0.5, True)
    assert step[4]["ending"] == "evidence"


def test_render_ansi(data: str) -> None:
    env = made("AgentHop-v0", data, render_mode="ansi")
    env.reset(options={"item_id": "st_0001"})
    for message in GAMES["straight"]:
        env.step(message + "\x1b[31m")
    shown = env.render()
    assert isinstance(shown, str)
    for part in ("--- system ---", "--- assistant ---", "Alpha warmup", "400 steps", "\u241b[31m"):
        assert part in shown
    assert "\x1b" not in shown


def test_render_human_prints_what_is_new(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = made("AgentHop-v0", data, render_mode="human")
    env.reset(options={"item_id": "st_0001"})
    assert "Müon schedules" in capsys.readouterr().out
    env.step("hello \ud800")
    shown = capsys.readouterr().out
    assert shown.count("--- assistant ---") == 1
    assert "--- system ---" not in shown
    assert env.render() is None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("copied", [AgentHopEnv.fork, copy.deepcopy])
def test_a_fork_goes_its_own_way(copied: Any, data: str) -> None:
    env = made("AgentHop-v0", data, reward="commitment")
    env.reset(seed=1, options={"item_id": "st_0001"})
    for message in GAMES["straight"][:3]:
        env.step(message)
    fork = copied(env)
    assert fork.step(submit("B"))[1:3] == (1.0, True)
    assert env.episode.ending is None
    assert env.step(read(SEED, "A"))[1] == pytest.approx(-0.05)
    assert fork.reset()[1]["item_id"] == env.reset()[1]["item_id"]


def test_environments_of_one_source_share_a_corpus(data: str) -> None:
    assert made("AgentHop-v0", data).setup.corpus is made("AgentHopRetrieval-v0", data).setup.corpus


def test_a_corpus_can_be_given(small: Corpus, tmp_path: Path) -> None:
    env = gym.make("AgentHop-v0", data=small)
    assert env.unwrapped.setup.corpus is small  # type: ignore[attr-defined]
    assert env.spec is not None
    assert gym.make(pickle.loads(pickle.dumps(env.spec))).reset(seed=1)[0] == env.reset(seed=1)[0]
    assert json.loads(json.dumps(env.unwrapped.tools)) == env.unwrapped.tools  # type: ignore[attr-defined]
