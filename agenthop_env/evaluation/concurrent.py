"""Many episodes at once in one thread: agents that wait for a server, and engines that answer batches.

Episodes are cheap (a tenth of a millisecond a turn) beside the requests they wait for, so one event loop plays
hundreds. Between two steps of the loop the runner writes what has ended; nothing is handed out ahead of its turn.
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from agenthop_env.agents.protocol import BatchAgent, take_turn
from agenthop_env.evaluation.playing import TRACE_KEPT, Finished, Player, last_line
from agenthop_env.sandbox.episode import Episode

_LOOK_SECONDS: Final = 0.2
"""How often a waiting run looks whether it was asked to stop."""

Stop = Callable[[], bool]


def play_in_loop(player: Player, items: list[str], stop: Stop, in_flight: int) -> Iterator[Finished]:
    """Play items side by side in an event loop, in whatever order they end.

    Args:
        player: Plays them; its agents are asked with `act_async`.
        items: Ids.
        stop: Asked before an item is begun; true lets those in flight end and begins no more.
        in_flight: Episodes at a time.
    """
    waiting = deque(items)
    playing: set[asyncio.Task[Finished]] = set()

    async def some() -> set[asyncio.Task[Finished]]:
        while waiting and len(playing) < in_flight and not stop():
            playing.add(asyncio.create_task(player.play_async(waiting.popleft())))
        if not playing:
            return set()
        ended, _ = await asyncio.wait(playing, timeout=_LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        playing.difference_update(ended)
        return ended

    with asyncio.Runner() as runner:
        try:
            while True:
                ended = runner.run(some())
                for task in ended:
                    yield task.result()
                if not playing and (not waiting or stop()):
                    return
        finally:
            runner.run(_end(playing, player))


async def _end(playing: set[asyncio.Task[Finished]], player: Player) -> None:
    """Give up what is in flight, and close what the agents shared."""
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    close = getattr(player.factory, "aclose", None)
    if close is not None:
        await close()


def play_in_batches(
    player: Player, agent: BatchAgent, items: list[str], stop: Stop, in_flight: int
) -> Iterator[Finished]:
    """Play items side by side, one turn of all of them at a time, with an engine that answers batches.

    Args:
        player: Plays them.
        agent: Answers all episodes; keeps nothing of any.
        items: Ids.
        stop: See `play_in_loop`.
        in_flight: Episodes at a time.
    """
    waiting = deque(items)
    live: list[Episode] = []
    while True:
        while waiting and len(live) < in_flight and not stop():
            live.append(player.start(waiting.popleft()))
        if not live:
            return
        traces = _turn_of_all(live, agent)
        for episode, trace in zip(live, traces, strict=True):
            if episode.ending is not None:
                yield player.finish(episode, trace)
        live = [episode for episode in live if episode.ending is None]


def _turn_of_all(live: list[Episode], agent: BatchAgent) -> list[str]:
    """One turn of each episode; what fails ends its episode as `error`, and its trace is returned."""
    try:
        said = agent.act_batch([(episode.messages, episode.tools) for episode in live])
        if len(said) != len(live):
            raise TypeError(f"act_batch returned {len(said)} messages for {len(live)} conversations")
    except Exception as problem:
        for episode in live:
            episode.abort(last_line(problem))
        return [traceback.format_exc()[-TRACE_KEPT:]] * len(live)
    traces = []
    for episode, message in zip(live, said, strict=True):
        traces.append("")
        try:
            take_turn(episode, agent, message)
        except Exception as problem:
            episode.abort(last_line(problem))
            traces[-1] = traceback.format_exc()[-TRACE_KEPT:]
    return traces
