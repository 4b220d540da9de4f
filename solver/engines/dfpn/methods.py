"""The ways in which a df-pn search may treat a new node (Kaneko2005, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from solver.engines.dfpn.kernel import arena


class Frontier(Enum):
    """The fixed-depth search at a new node: plies with the attacker (A, 4.1) or defender (D, 4.2) to move."""

    NOTHING = arena.NOTHING
    A1 = arena.A1
    """Mate in one, when the node is generated; its expansion would find it too."""
    A3 = arena.A3
    """As A1, and mate in three when the node is first visited."""
    D2 = arena.D2
    """As A1, and mated in two, when a node with the defender to move is generated."""


class Estimate(Enum):
    """The initial proof and disproof number of a new node."""

    ONES = arena.ONES
    """1 and 1 (Nagai2002; table 1)."""
    MOVES = arena.MOVES
    """The number of answers, and the number of checks."""
    PLUS = arena.PLUS
    """H' (4.4) and the cost of moves (3.2, table 2): df-pn+."""


class Leaves(Enum):
    """How the checks of the last three plies are searched: it changes numbers of nodes, not answers."""

    TIGHTEST = arena.TIGHTEST
    """In the order of moves; at the root those first that leave the king the fewest cells. Scores and seeds
    rest on these numbers of nodes."""
    LIKELIEST = arena.LIKELIEST
    """Those first that are likely to mate; drops on a cell are refuted together."""


class Extension(Enum):
    """By how much the best child's number may exceed the runner-up's before the search leaves it."""

    ONE = arena.ONE
    TWO = arena.TWO
    """By the children's average, from one to two (p2d2, 5.5.1.2)."""
    QUARTER = arena.QUARTER
    """By a quarter plus one."""


@dataclass(frozen=True)
class Method:
    """One variant of df-pn; `DEFAULT_METHOD` is the quickest (docs/papers/kaneko2005.md, docs/search.md)."""

    frontier: Frontier = Frontier.A1
    estimate: Estimate = Estimate.PLUS
    extension: Extension = Extension.QUARTER
    leaves: Leaves = Leaves.TIGHTEST


DEFAULT_METHOD = Method(leaves=Leaves.LIKELIEST)
REPEATABLE = Method()
"""The method with the numbers of nodes of recipe 7, on whose limits the problems of a seed rest."""
FOR_REFUTATIONS = Method(estimate=Estimate.MOVES)
"""The method for questions about any length whose answer is mostly no.

Of 113 checks of published problems that took more than 10,000 nodes, 34 were refuted within 60,000, 25 by the
default method, in the same time.
"""
