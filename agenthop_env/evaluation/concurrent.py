"""Many episodes at once in one thread: agents that wait for a server, and engines that answer batches.

Episodes are cheap (a tenth of a millisecond a turn) beside the requests they wait for, so one event loop plays
hundreds. Between two steps of the loop the runner writes what has ended; nothing is handed out ahead of its turn.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from agenthop_env.evaluation.playing import Finished, Player

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
