from __future__ import annotations

import pickle
import warnings
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, VectorEnv
from small_release import ALPHA, GAMES, ITEMS, calls, read, submit

from agenthop_env.envs import AgentHopVectorEnv
from agenthop_env.envs.vector_info import InfoStack
from agenthop_env.records import Usage

NUM = 4
SCRIPTS = [GAMES["straight"], GAMES["malformed"], GAMES["budget"], GAMES["unseen"]]
STEPS = 24
KINDS = {
    "sync": {"vectorization_mode": "sync"},
    "async": {"vectorization_mode": "async"},
    "ours": {"vectorization_mode": "vector_entry_point"},
}


def vector(
    kind: str, mode: AutoresetMode, data: str, env_id: str = "AgentHop-v0", **settings: Any
) -> VectorEnv[Any, Any, Any]:
    if kind == "ours":
        settings["autoreset_mode"] = mode
    else:
        settings["vector_kwargs"] = {"autoreset_mode": mode}
        if kind == "async":
            settings["vector_kwargs"]["shared_memory"] = False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)
        return gym.make_vec(env_id, num_envs=NUM, data=data, **KINDS[kind], **settings)


def rollout(envs: VectorEnv[Any, Any, Any], mode: AutoresetMode) -> list[Any]:
    """All that a scripted game shows: each environment plays its script over and over."""
    seen: list[Any] = [envs.reset(seed=5)]
    places = [0] * NUM
    over = np.zeros(NUM, dtype=np.bool_)
    for _ in range(STEPS):
        actions = tuple(SCRIPTS[env][places[env] % len(SCRIPTS[env])] for env in range(NUM))
        step = envs.step(actions)
        seen.append(step)
        for env in range(NUM):
            was_reset = mode is AutoresetMode.NEXT_STEP and over[env]
            places[env] = 0 if was_reset else places[env] + 1
        over = step[2] | step[3]
        if mode is AutoresetMode.SAME_STEP:
            places = [0 if over[env] else places[env] for env in range(NUM)]
        if mode is AutoresetMode.DISABLED and over.any():
            seen.append(envs.reset(options={"reset_mask": over.copy()}))
            places = [0 if over[env] else places[env] for env in range(NUM)]
    envs.close()
    return seen


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.name)
@pytest.mark.parametrize(
    ("env_id", "settings"),
    [
        ("AgentHop-v0", {}),
        (
            "AgentHop-v0",
            {"diagnostics": "public", "shuffle_options": True, "reward": {"outcome": 1.0, "retrieval": 0.2}},
        ),
        ("AgentHop-v0", {"diagnostics": "none", "max_episode_steps": 3}),
        ("AgentHopRetrieval-v0", {"order": "sequential"}),
        ("AgentHopCommit-v0", {}),
    ],
    ids=["full", "public", "none", "retrieval", "commit"],
)
def test_all_vector_environments_play_the_same_games(
    mode: AutoresetMode, env_id: str, settings: dict[str, Any], data: str
) -> None:
    ours = rollout(vector("ours", mode, data, env_id, **settings), mode)
    ends = sum(int((step[2] | step[3]).sum()) for step in ours if len(step) == 5)
    assert ends >= 8
    for kind in ("sync", "async"):
        theirs = rollout(vector(kind, mode, data, env_id, **settings), mode)
        assert len(ours) == len(theirs)
        for number, (one, two) in enumerate(zip(ours, theirs, strict=True)):
            assert data_equivalence(one[0], two[0], exact=True), (kind, number, "observations")
            for left, right in zip(one[1:-1], two[1:-1], strict=True):
                assert data_equivalence(left, right, exact=True), (kind, number)
            assert set(one[-1]) == set(two[-1]), (kind, number)
            for key in one[-1]:
                assert data_equivalence(one[-1][key], two[-1][key], exact=True), (kind, number, key)


def test_spaces_are_those_of_gymnasiums_own(data: str) -> None:
    ours, sync = (vector(kind, AutoresetMode.NEXT_STEP, data) for kind in ("ours", "sync"))
    for name in ("single_observation_space", "single_action_space", "observation_space", "action_space"):
        assert getattr(ours, name) == getattr(sync, name)
    observations, _ = ours.reset(seed=1)
    assert observations in ours.observation_space
    assert ours.action_space.sample() in ours.action_space
    assert ours.num_envs == sync.num_envs == NUM
    assert ours.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def test_the_default_vectorization_is_ours(data: str) -> None:
    envs = gym.make_vec("AgentHop-v0", num_envs=2, data=data)
    assert isinstance(envs.unwrapped, AgentHopVectorEnv)
    assert envs.spec is not None
    again = gym.make_vec(pickle.loads(pickle.dumps(envs.spec)))
    assert again.reset(seed=3)[0] == envs.reset(seed=3)[0]
    assert "AgentHop-v0" in repr(envs)


def test_shared_memory_is_refused_with_the_remedy(data: str) -> None:
    with pytest.raises(ValueError, match="shared_memory=False"):
        gym.make_vec("AgentHop-v0", num_envs=2, vectorization_mode="async", data=data)


def test_seeds_are_per_environment(data: str) -> None:
    envs = AgentHopVectorEnv(3, data)
    single = gym.make("AgentHop-v0", data=data)
    first, infos = envs.reset(seed=7)
    assert first == tuple(single.reset(seed=7 + place)[0] for place in range(3))
    listed, _ = envs.reset(seed=[7, 8, 9])
    assert listed == first
    assert infos["item_id"].dtype == object
    again, _ = envs.reset(seed=[7, None, 9])
    assert (again[0], again[2]) == (first[0], first[2])
    with pytest.raises(ValueError, match="one seed per environment"):
        envs.reset(seed=[1, 2])


def test_each_environment_can_be_given_its_item(data: str) -> None:
    envs = AgentHopVectorEnv(4, data)
    _, infos = envs.reset(options={"item_ids": list(ITEMS)})
    assert list(infos["item_id"]) == list(ITEMS)
    assert [episode.item_id for episode in envs.episodes] == list(ITEMS)
    mask = np.array([True, False, False, True])
    _, infos = envs.reset(options={"reset_mask": mask, "item_ids": ["mt_0001"] * 4})
    assert list(infos["item_id"]) == ["mt_0001", None, None, "mt_0001"]
    assert list(infos["_item_id"]) == list(mask)
    for options in ({"item_ids": ["st_0001"]}, {"item_ids": ["st_0001"] * 4, "item_id": "st_0001"}):
        with pytest.raises(ValueError, match="must be 4 ids"):
            envs.reset(options=options)
    with pytest.raises(ValueError, match="unknown reset option"):
        envs.reset(options={"odd": 1})


@pytest.mark.parametrize(
    "mask", [[True] * 3, [1, 0, 1, 0], "yes", np.ones(3, dtype=bool), np.ones(4), np.zeros(4, dtype=bool)]
)
def test_odd_masks_are_refused(mask: Any, data: str) -> None:
    envs = AgentHopVectorEnv(4, data)
    envs.reset()
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": mask})


def test_the_callers_options_stay_as_they_were(data: str) -> None:
    envs = AgentHopVectorEnv(2, data)
    options = {"reset_mask": np.ones(2, dtype=bool)}
    envs.reset(options=options)
    assert "reset_mask" in options


def test_resets_that_are_due_are_asked_for(data: str) -> None:
    envs = AgentHopVectorEnv(2, data, autoreset_mode="Disabled")
    with pytest.raises(ResetNeeded, match="before reset"):
        envs.step(("a", "b"))
    with pytest.raises(ResetNeeded, match="first reset"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    envs.reset(seed=1)
    envs.step((submit("A"), "hm"))
    with pytest.raises(ResetNeeded, match=r"1 environments are over \(0\)"):
        envs.step(("a", "b"))


def test_a_list_is_a_mask_too(data: str) -> None:
    envs = AgentHopVectorEnv(4, data)
    envs.reset(seed=1)
    _, infos = envs.reset(options={"reset_mask": [True, False, False, True]})
    assert list(infos["_item_id"]) == [True, False, False, True]


def test_a_group_waits_for_its_longest_episode(data: str) -> None:
    """Rollouts of one item of unequal length, each as it would go alone."""
    envs = AgentHopVectorEnv(3, data, autoreset_mode="Disabled")
    envs.reset(seed=[5] * 3, options={"item_ids": ["st_0001"] * 3})
    observations, rewards, over, _, infos = envs.step((submit("A"), "hm", "hm"))
    assert list(over) == [True, False, False]
    observations, rewards, over, _, infos = envs.step((None, submit("B"), "hm"))
    assert list(over) == [True, True, False]
    assert list(rewards) == [0.0, 1.0, 0.0]
    assert observations[0].startswith("Answer A")
    assert list(infos["_item_id"]) == [False, True, True]
    with pytest.raises(ResetNeeded, match=r"1 environments are over \(1\)"):
        envs.step((None, "again", "hm"))
    *_, over, _, _ = envs.step((None, None, submit("A")))
    assert over.all()
    with pytest.raises(ResetNeeded, match="all episodes are over"):
        envs.step((None, None, None))
    envs.reset(options={"reset_mask": np.array([True, False, False])})
    *_, over, _, _ = envs.step(("hm", None, None))
    assert list(over) == [False, True, True]
    with pytest.raises(TypeError, match="NoneType"):
        envs.step((None, None, None))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_nothing_is_no_action_where_environments_reset_themselves(mode: str, data: str) -> None:
    envs = AgentHopVectorEnv(2, data, autoreset_mode=mode)
    envs.reset()
    with pytest.raises(TypeError, match="NoneType"):
        envs.step((submit("A"), None))


def test_odd_resets_leave_everything_as_it_was(data: str) -> None:
    envs = AgentHopVectorEnv(3, data)
    envs.reset(seed=np.int64(3))  # type: ignore[arg-type]
    before = [episode.record() for episode in envs.episodes]
    assert before == [episode.record() for episode in _reset(AgentHopVectorEnv(3, data), 3).episodes]
    with pytest.raises(ValueError, match="no item 'zz'"):
        envs.reset(options={"item_ids": [None, "st_0001", "zz"]})
    with pytest.raises(TypeError, match="not one string"):
        envs.step("abc")
    assert [episode.record() for episode in envs.episodes] == before


def _reset(envs: AgentHopVectorEnv, seed: int) -> AgentHopVectorEnv:
    envs.reset(seed=seed)
    return envs


def test_odd_actions_leave_everything_as_it_was(data: str) -> None:
    envs = AgentHopVectorEnv(2, data)
    envs.reset()
    with pytest.raises(ValueError, match="one action per environment"):
        envs.step(("a",))
    with pytest.raises(TypeError, match="an action is a string"):
        envs.step(("a", 3))  # type: ignore[arg-type]
    assert [episode.ledger.turns_used for episode in envs.episodes] == [0, 0]
    envs.step(np.array(["a", "b"]))  # type: ignore[arg-type]
    assert [episode.ledger.turns_used for episode in envs.episodes] == [1, 1]


@pytest.mark.parametrize(
    "settings", [{"num_envs": 0}, {"max_episode_steps": 0}, {"render_mode": "odd"}, {"autoreset_mode": "odd"}]
)
def test_odd_settings_are_refused(settings: dict[str, Any], data: str) -> None:
    with pytest.raises(ValueError, match=r"must be|is not a valid"):
        AgentHopVectorEnv(data=data, **settings)


def test_usage_is_reported_per_environment(data: str) -> None:
    envs = AgentHopVectorEnv(2, data)
    envs.reset(options={"item_id": "st_0001"})
    envs.report_usage([Usage(100, 10), None])
    ledger = envs.step(("a", "a"))[4]["ledger"]
    assert ledger["tokens_used"][0] == 110 != ledger["tokens_used"][1]
    with pytest.raises(ValueError, match="one usage per environment"):
        envs.report_usage([None])


def test_messages_tools_and_rendering(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    envs = AgentHopVectorEnv(2, data, render_mode="ansi")
    _, infos = envs.reset(seed=1)
    assert infos["tools"][0] == envs.tools
    envs.step(("hello", calls(("get_references", {"paper_id": ALPHA}))))
    assert [len(messages) for messages in envs.messages] == [4, 4]
    shown = envs.render()
    assert "hello" in str(shown[0])
    assert capsys.readouterr().out == ""
    envs = AgentHopVectorEnv(2, data, render_mode="human")
    envs.reset(seed=1)
    envs.step(("hello", "there"))
    assert envs.render() == (None, None)
    out = capsys.readouterr().out
    assert (out.count("--- system ---"), out.count("--- assistant ---")) == (2, 2)
    envs.close()


def test_gymnasiums_vector_wrapper_keeps_statistics(data: str) -> None:
    envs = gym.wrappers.vector.RecordEpisodeStatistics(AgentHopVectorEnv(2, data))
    envs.reset(options={"item_id": "st_0001"})
    envs.step((read(ALPHA, "B"), submit("A")))
    infos = envs.step((submit("B"), "passed over"))[4]
    assert list(infos["_episode"]) == [True, False]
    assert infos["episode"]["r"][0] == 1.0


def test_thousands_of_episodes_share_one_corpus(data: str) -> None:
    envs = AgentHopVectorEnv(2000, data, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=0)
    assert len({id(episode.corpus) for episode in envs.episodes}) == 1
    _, rewards, terminated, _, infos = envs.step([submit("D")] * 2000)
    assert terminated.all()
    assert 0 < rewards.mean() < 1
    assert infos["record"][0].ending == "answer"


def test_infos_are_stacked_as_gymnasium_stacks_them() -> None:
    infos: list[dict[str, Any]] = [
        {"a": 1, "b": {"c": (1, 2), "d": 0.5}, "e": None},
        {"b": {"c": (), "x": np.float32(2)}, "f": True},
        {"a": 3, "b": {"c": (1, 2)}, "e": "text", "final_obs": {"kept": "whole"}},
    ]
    theirs: dict[str, Any] = {}
    envs = VectorEnv[Any, Any, Any]()
    envs.num_envs = 4
    stack = InfoStack(4)
    for place, info in zip((0, 1, 3), infos, strict=True):
        theirs = envs._add_info(theirs, info, place)
        stack.add(place, info)
    envs.closed = True
    assert data_equivalence(stack.stacked(), theirs, exact=True)
