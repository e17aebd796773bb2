"""The space of texts: any Unicode string, of any length.

`gymnasium.spaces.Text` holds the characters of a fixed set up to a fixed length, which no paper keeps to. `UnicodeText`
asks for a string and nothing more, and says so to Gymnasium's vector environments: a batch of texts is a tuple of
strings, and texts of no fixed size cannot lie in shared memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import Any, Final, NoReturn

import numpy as np
from gymnasium.spaces import Space, Tuple
from gymnasium.spaces.utils import is_space_dtype_shape_equiv
from gymnasium.vector.utils import (
    batch_differing_spaces,
    batch_space,
    create_empty_array,
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)

MAX_LENGTH: Final = 1 << 30
"""Characters that a text may have: more than any memory holds, so that the bound is only a formality."""

SAMPLE_LENGTH: Final = 64
"""Characters of a sample at most."""

_LETTERS: Final = "àéîõüßñçøÅαβγδεΔΣω∀∃∈≤≥≠±×→ЖяДщ中文日本語한국אبञ😀🧪𝔸"  # noqa: RUF001 - letters that look alike are the point
_ALPHABET: Final = "".join(map(chr, range(32, 127))) + "\n\t\u200d\u0301" + _LETTERS


class UnicodeText(Space[str]):
    """All strings, whatever characters they hold.

    A sample is a short string over a mixed alphabet (ASCII, accents, Greek, Cyrillic, Asian scripts, emoji, combining
    marks), so that code which samples actions meets more than ASCII.

    Args:
        max_length: Length bound in characters, inclusive; generous by default.
        seed: Seed or generator for `sample`.

    Raises:
        ValueError: If the bound is negative.
    """

    def __init__(
        self, max_length: int = MAX_LENGTH, *, seed: int | np.random.Generator | None = None
    ) -> None:
        if max_length < 0:
            raise ValueError(f"max_length must be 0 or more, not {max_length}")
        self.max_length = int(max_length)
        super().__init__(dtype=str, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """False: a text of any length has no array of fixed size."""
        return False

    def sample(self, mask: None = None, probability: None = None) -> str:
        """A random string of at most `SAMPLE_LENGTH` characters.

        Args:
            mask: Must be None; texts take no mask.
            probability: Must be None.

        Raises:
            ValueError: If a mask or probabilities are given.
        """
        if mask is not None or probability is not None:
            raise ValueError("UnicodeText samples without a mask and without probabilities")
        length = int(self.np_random.integers(0, min(SAMPLE_LENGTH, self.max_length) + 1))
        places = self.np_random.integers(0, len(_ALPHABET), size=length)
        return "".join([_ALPHABET[place] for place in places])

    def contains(self, x: Any) -> bool:
        """Whether `x` is a string within the length bound."""
        return isinstance(x, str) and len(x) <= self.max_length

    def to_jsonable(self, sample_n: Iterable[str]) -> list[str]:
        """The strings themselves."""
        return list(sample_n)

    def from_jsonable(self, sample_n: list[Any]) -> list[str]:
        """The strings themselves."""
        return list(sample_n)

    def __eq__(self, other: object) -> bool:
        """Whether the other is a space of the same strings."""
        return isinstance(other, UnicodeText) and self.max_length == other.max_length

    def __hash__(self) -> int:
        """Equal spaces hash alike."""
        return hash((UnicodeText, self.max_length))

    def __repr__(self) -> str:
        """The class, and the bound where it is not the default."""
        return "UnicodeText()" if self.max_length == MAX_LENGTH else f"UnicodeText({self.max_length})"


# `iterate` and `concatenate` are not registered on purpose. Gymnasium iterates over a batch of an unregistered space
# item by item and concatenates to a tuple, which is what a batch of texts needs; a registered `iterate` would be asked
# to go through the letters of each string.


@batch_space.register(UnicodeText)
def _batch_space(space: UnicodeText, n: int = 1) -> Tuple[str]:
    """A tuple of `n` texts.

    As Gymnasium's own, its parts are seeded from the space's generator, but only where that has been made: seeding
    thousands of generators that nobody draws from would take longer than the rest of a vector environment.
    """
    batch = Tuple(tuple(UnicodeText(space.max_length) for _ in range(n)))
    if space._np_random is not None:
        batch.seed([int(seed) for seed in deepcopy(space._np_random).integers(0, int(1e8), n)])
    return batch


@batch_differing_spaces.register(UnicodeText)
def _batch_differing_spaces(spaces: Sequence[UnicodeText]) -> Tuple[str]:  # type: ignore[misc]
    return Tuple([deepcopy(space) for space in spaces])


@is_space_dtype_shape_equiv.register(UnicodeText)
def _is_equivalent(space_1: UnicodeText, space_2: Space[Any]) -> bool:
    return isinstance(space_2, UnicodeText)


@create_empty_array.register(UnicodeText)
def _create_empty_array(space: UnicodeText, n: int = 1, fn: Callable[..., Any] = np.zeros) -> tuple[str, ...]:
    return ("",) * n


def _refuse_shared_memory(*_: Any, **__: Any) -> NoReturn:
    raise ValueError(
        "texts have no fixed size, so they cannot lie in shared memory; use shared_memory=False: "
        "AsyncVectorEnv(..., shared_memory=False), or gymnasium.make_vec(..., vectorization_mode='async', "
        "vector_kwargs={'shared_memory': False})"
    )


create_shared_memory.register(UnicodeText, _refuse_shared_memory)
read_from_shared_memory.register(UnicodeText, _refuse_shared_memory)
write_to_shared_memory.register(UnicodeText, _refuse_shared_memory)
