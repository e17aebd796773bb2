from __future__ import annotations

from typing import Any

import pytest
from small_release import ALPHA, BETA, BRIDGE, GAMES, SEED, calls, read, submit

from agenthop_env.envs import REWARDS, AgentHopEnv, Shaping, StepRecord
from agenthop_env.envs.rewards import make_reward


def rewards(data: str, item: str, game: list[str], reward: Any, **settings: Any) -> list[float]:
    env = AgentHopEnv(data, reward=reward, **settings)
    env.reset(options={"item_id": item})
    steps = [env.step(message)[1] for message in game]
    assert all(type(step) is float for step in steps)
    return steps


def total(*arguments: Any, **settings: Any) -> float:
    return sum(rewards(*arguments, **settings))


GIVE_UP = calls(*[("read_section", {"paper_id": SEED, "section": "A"})] * 8)


@pytest.mark.parametrize(
    ("reward", "right", "wrong", "unsubmitted", "guessed"),
    [
        ("outcome", 1.0, 0.0, 0.0, 1.0),
        ("outcome_chance_corrected", 1.0, -1 / 3, -1 / 3, 1.0),
        ("outcome_gated", 1.0, 0.0, 0.0, 0.0),
        ("commitment", 1.0, -0.5, -0.5, 1.0),
        ("retrieval", 1.0, 0.0, 0.0, 0.0),
    ],
)
def test_what_each_reward_pays(
    reward: str, right: float, wrong: float, unsubmitted: float, guessed: float, data: str
) -> None:
    straight = [GAMES["straight"][0], GAMES["straight"][1] + GAMES["straight"][2], submit("B")]
    assert total(data, "st_0001", straight, reward) == pytest.approx(right)
    assert total(data, "st_0001", [submit("A")], reward) == pytest.approx(wrong)
    assert total(data, "st_0001", [GIVE_UP], reward) == pytest.approx(unsubmitted)
    assert total(data, "st_0001", [submit("B")], reward) == pytest.approx(guessed)


def test_retrieval_pays_first_deliveries_only(data: str) -> None:
    game = [
        read(ALPHA, "A"),
        read(ALPHA, "B"),
        read(ALPHA, "B"),
        read(BETA, "A"),
        read(BETA, "B"),
        submit("A"),
    ]
    assert rewards(data, "mt_0001", game, "retrieval") == pytest.approx([0.25, 0.25, 0, 0.25, 0.25, 0])
    assert rewards(data, "st_0003", game, "retrieval") == pytest.approx([0, 0, 0, 1, 0, 0])
    assert rewards(data, "st_0002", GAMES["unseen"], "retrieval") == [0.0]


def test_commitment_charges_search_after_full_section_recall(data: str) -> None:
    found = [read(BETA, "B")]
    more = read(SEED, "A")
    assert rewards(data, "st_0002", [*found, more, submit("D")], "commitment") == pytest.approx([0, -0.05, 1])
    assert rewards(data, "st_0002", [*found, submit("A")], "commitment") == pytest.approx([0, 0])
    assert rewards(data, "st_0002", [*found, more, GIVE_UP], "commitment") == pytest.approx([0, -0.05, -0.7])
    endless = [*found, *[more] * 11, submit("D")]
    assert total(data, "st_0002", endless, "commitment", limits={"points": 100}) == pytest.approx(0.7)
    assert total(data, "st_0002", GAMES["idle"], "commitment") == pytest.approx(-0.5)
    ended = rewards(data, "st_0002", found, "commitment", stop_on_evidence=True)
    assert ended == [0.0]


def test_mixtures_are_weighted_sums(data: str) -> None:
    game = [read(ALPHA, "B"), read(ALPHA, "C"), submit("B")]
    mixed = rewards(data, "st_0001", game, {"outcome": 1.0, "retrieval": 0.2})
    assert mixed == pytest.approx([0.15, 0.05, 1.0])
    reward = make_reward({"outcome": 2, "retrieval": -0.5})
    assert (reward.low, reward.high) == (-0.5, 2.0)


def test_a_function_gets_the_record_of_the_step(data: str) -> None:
    seen: list[StepRecord] = []

    def points(step: StepRecord) -> int:
        seen.append(step)
        return -step.points

    game = [read(ALPHA, "B"), calls(("get_references", {"paper_id": BRIDGE}), ("think", {})), submit("B")]
    assert rewards(data, "st_0001", game, points) == [-5.0, -1.0, 0.0]
    first, second, last = seen
    assert (first.number, first.credit.golds, first.golds_delivered, first.paper_recall) == (1, (0,), 1, True)
    assert (first.section_recall, first.labels_satisfied, first.label_count) == (True, 1, 2)
    assert (second.points_used, second.points_left, second.turns_left) == (6, 24, 18)
    assert [call.name for call in second.turn.calls] == ["get_references", "think"]
    assert (last.ending, last.option, last.correct, last.item.id) == ("answer", 1, True, "st_0001")


def test_shaping_sums_to_nothing_at_discount_one(data: str) -> None:
    game = [read(ALPHA, "B"), read(BETA, "B"), submit("D")]
    shaping = {"potential": "recall", "discount": 1.0}
    assert rewards(data, "mt_0001", game, "outcome", shaping=shaping) == pytest.approx([0.5, 0.5, 0.0])
    assert rewards(data, "mt_0001", [*game[:2], submit("A")], "outcome", shaping=shaping)[
        -1
    ] == pytest.approx(-1.0)
    discounted = rewards(
        data, "mt_0001", game, "outcome", shaping=Shaping(potential="retrieval", discount=0.9, scale=2.0)
    )
    assert discounted == pytest.approx([2 * 0.9 * 0.5, 2 * (0.9 * 1 - 0.5), 1 - 2])
    sections = rewards(
        data, "mt_0001", game, "outcome", shaping={"potential": "section_recall", "discount": 1}
    )
    assert sections == pytest.approx([0.5, 0.5, 0.0])


def test_shaping_starts_from_what_a_prefix_delivered(data: str) -> None:
    shaping = {"potential": "recall", "discount": 1.0}
    env = AgentHopEnv(data, prefix="gold", shaping=shaping)
    env.reset(options={"item_id": "st_0001"})
    assert env.step(submit("B"))[1] == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("reward", "shaping", "message"),
    [
        ("wealth", None, ", ".join(REWARDS)),
        ({"wealth": 1.0}, None, ", ".join(REWARDS)),
        ({}, None, "at least one"),
        ({"outcome": float("nan")}, None, "finite"),
        ({"outcome": True}, None, "finite"),
        ("retrieval", {"potential": "recall", "discount": 1.0}, "outcome"),
        ("outcome", {"potential": "recall"}, "discount"),
        ("outcome", {"potential": "wealth", "discount": 1.0}, "section_recall"),
        ("outcome", {"potential": "recall", "discount": 0}, "discount"),
        ("outcome", {"potential": "recall", "discount": 1.0, "scale": -1}, "scale"),
        ("outcome", {"potential": "recall", "discount": 1.0, "speed": 1}, "speed"),
    ],
)
def test_unknown_rewards_are_refused(reward: Any, shaping: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_reward(reward, shaping)


def test_a_number_is_no_reward() -> None:
    with pytest.raises(TypeError, match="reward must be"):
        make_reward(3)  # type: ignore[arg-type]


def test_a_reward_function_must_give_a_number(data: str) -> None:
    def forgetful(step: StepRecord) -> float:
        return None  # type: ignore[return-value]

    env = AgentHopEnv(data, reward=forgetful)
    env.reset()
    with pytest.raises(TypeError, match=r"reward function .*forgetful must return a number, not None"):
        env.step("hm")
