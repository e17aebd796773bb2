"""Many `info` dictionaries as one, in Gymnasium's convention for vector environments.

`VectorEnv._add_info` does this one value at a time, with a new mask array for each. Here infos are gathered and become
arrays key by key at the end, since nearly all of them have the same keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_SCALARS: Final = (int, float, bool)


class InfoStack:
    """Gathers infos, one environment after the other in ascending order.

    Args:
        count: Number of environments.
    """

    __slots__ = ("_count", "_infos", "_places")

    def __init__(self, count: int) -> None:
        self._count = count
        self._infos: list[dict[str, Any]] = []
        self._places: list[int] = []

    def add(self, place: int, info: dict[str, Any]) -> None:
        """Add the info of the environment of number `place`."""
        self._infos.append(info)
        self._places.append(place)

    def stacked(self) -> dict[str, Any]:
        """The infos as one.

        Returns:
            For each key an array over all environments (numbers as numbers, anything else as objects; a dictionary
            again for a dictionary), and under `_key` the mask of the environments that have it.
        """
        return _stacked(self._infos, self._places, self._count)


def _stacked(infos: Sequence[dict[str, Any]], places: Sequence[int], count: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    layouts = dict.fromkeys(map(tuple, infos))
    for key in dict.fromkeys([key for layout in layouts for key in layout]):
        if all(key in layout for layout in layouts):
            values, having = list(map(itemgetter(key), infos)), places
        else:
            having = [place for place, info in zip(places, infos, strict=True) if key in info]
            values = [info[key] for info in infos if key in info]
        everywhere = len(having) == count
        if isinstance(values[0], dict) and key != "final_obs":
            found[key] = _stacked(values, having, count)
        else:
            found[key] = _array(values, having, count, everywhere)
        mask: npt.NDArray[np.bool_] = np.full(count, everywhere, dtype=np.bool_)
        if not everywhere:
            mask[having] = True
        found[f"_{key}"] = mask
    return found


def _array(values: list[Any], places: Sequence[int], count: int, everywhere: bool) -> npt.NDArray[Any]:
    first = values[0]
    if type(first) in _SCALARS or isinstance(first, np.number):
        if everywhere:
            return np.array(values, dtype=type(first))
        numbers = np.zeros(count, dtype=type(first))
        numbers[places] = values
        return numbers
    if everywhere:
        return np.fromiter(values, dtype=object, count=count)
    objects: npt.NDArray[np.object_] = np.full(count, None, dtype=object)
    for place, value in zip(places, values, strict=True):  # one by one: a slice would unpack tuples
        objects[place] = value
    return objects
