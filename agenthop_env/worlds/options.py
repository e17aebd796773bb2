"""Which option is what: a draw in which nothing but evidence tells the four options apart.

Single-target options are four values of one attribute. Multi-target options are the four pairs of a 2 x 2 design,
two values of each of two attributes, so that every component occurs exactly twice. In both designs the roles
(correct, seed_only, wrong_paper, no_context) are dealt to the options uniformly and independently of the values,
which the caller draws exchangeably. So every rule that looks at the options alone is at chance, by symmetry and not
by tuning; and who strikes out the seed's option, or the wrong paper's too, is left with three, or two, equals.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from agenthop_env.worlds.bits import Bits

ROLES: Final = ("correct", "seed_only", "wrong_paper", "no_context")


class Deal(NamedTuple):
    """Roles and components of the four options.

    Attributes:
        roles: Per option its distractor type, `correct` for the answer.
        cells: Per option the index of its value, one index for each asked attribute.
    """

    roles: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]

    @property
    def correct_index(self) -> int:
        """Position of the answer."""
        return self.roles.index("correct")

    def cell(self, role: str) -> tuple[int, ...]:
        """Value indices of the option of a role."""
        return self.cells[self.roles.index(role)]


def deal(bits: Bits, golds: int) -> Deal:
    """Deal roles and components.

    Args:
        bits: Where to draw from.
        golds: 1 for four single values, 2 for four pairs.
    """
    cells: tuple[tuple[int, ...], ...] = (
        ((0,), (1,), (2,), (3,)) if golds == 1 else ((0, 0), (0, 1), (1, 0), (1, 1))
    )
    return Deal(tuple(bits.shuffled(ROLES)), tuple(bits.shuffled(cells)))


def values_needed(golds: int) -> int:
    """Distinct values to draw for each asked attribute: 4 for one gold, 2 each for two."""
    return 4 if golds == 1 else 2
