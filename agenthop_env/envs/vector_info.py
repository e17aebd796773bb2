"""Many `info` dictionaries as one, in Gymnasium's convention for vector environments.

`VectorEnv._add_info` does this one value at a time, with a new mask array for each. Here values are gathered key by key
and become arrays at the end; each dictionary can be dropped as soon as it is added, so that thousands of environments
do not hold thousands of them at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_SCALARS: Final = (int, float, bool)


class InfoStack:
    """Gathers infos, one environment after the other in ascending order.

    Args:
        count: Number of environments.
    """

    __slots__ = ("_columns", "_count")

    def __init__(self, count: int) -> None:
        self._count = count
        self._columns: dict[str, tuple[list[Any], list[int], InfoStack | None]] = {}

    def add(self, place: int, info: dict[str, Any]) -> None:
        """Add the info of the environment of number `place`."""
        columns = self._columns
        for key, value in info.items():
            column = columns.get(key)
            if column is None:
                inner = InfoStack(self._count) if isinstance(value, dict) and key != "final_obs" else None
                column = columns[key] = ([], [], inner)
            values, places, inner = column
            if inner is None:
                values.append(value)
            else:
                inner.add(place, value)
            places.append(place)

    def stacked(self) -> dict[str, Any]:
        """The infos as one.

        Returns:
            For each key an array over all environments (numbers as numbers, anything else as objects; a dictionary
            again for a dictionary), and under `_key` the mask of the environments that have it.
        """
        count = self._count
        infos: dict[str, Any] = {}
        for key, (values, places, inner) in self._columns.items():
            everywhere = len(places) == count
            infos[key] = _array(values, places, count, everywhere) if inner is None else inner.stacked()
            mask: npt.NDArray[np.bool_] = np.full(count, everywhere, dtype=np.bool_)
            if not everywhere:
                mask[places] = True
            infos[f"_{key}"] = mask
        return infos


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
