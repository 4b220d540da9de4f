# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways in which a df-pn search may treat a new node (Kaneko2005, section 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from solver.engines.dfpn.kernel import arena


class Frontier(Enum):
    """The fixed-depth search at a new node: plies with the attacker (A, 4.1) or defender (D, 4.2) to move."""

    NOTHING = arena.NOTHING
    A1 = arena.A1
    """Mate in one at the first visit of a node with the attacker to move, before its checks are generated."""
    A3 = arena.A3
    """Likewise mate in three. Both return proof and disproof number of the searched tree."""
    D2 = arena.D2
    """Mate in one after each answer, when a node with the defender to move is expanded."""
    A3_FEW = arena.A3_FEW
    """As A3, by the four checks that are the likeliest to mate."""


class Estimate(Enum):
    """The initial proof and disproof number of a new node."""

    ONES = arena.ONES
    """1 and 1 (Nagai2002; table 1); after a fixed-depth search H' (4.4)."""
    MOVES = arena.MOVES
    """The number of answers, and the number of checks."""
    PLUS = arena.PLUS
    """Fewest cells that a check leaves to the king and number of checks, a tighter H', and the cost of moves."""
    QUIET_TWICE = arena.QUIET_TWICE
    """As MOVES, but after an answer that captures nothing twice the number of checks."""
    ANSWERS_THRICE = arena.ANSWERS_THRICE
    """As MOVES, but each answer after the first counts three times: few answers are best."""
    FLIGHTS = arena.FLIGHTS
    """H, the king's flights after a check, and the cost of moves (3.2, 5.1, table 2): df-pn+. As ONES otherwise."""


class Leaves(Enum):
    """How the checks of the last three plies are searched: it changes numbers of nodes, not answers."""

    TIGHTEST = arena.TIGHTEST
    """In the order of moves; at the root those first that leave the king the fewest cells. Scores and seeds
    rest on these numbers of nodes."""
    LIKELIEST = arena.LIKELIEST
    """Those first that are likely to mate; drops on a cell are refuted together."""


class Extension(Enum):
    """By how much the number of the best child may exceed that of the second-best before the search switches."""

    ONE = arena.ONE
    TWO = arena.TWO
    """By the children's average, from one to two (p2d2, 5.5.1.2)."""
    QUARTER = arena.QUARTER
    """By a quarter plus one."""
    CHECKS_TWICE = arena.CHECKS_TWICE
    """Of a check by as much again, of an answer by a quarter, plus one."""


class Loops(Enum):
    """The treatment of repeated positions, and of search cycles."""

    TIES = arena.TIES
    """Without a bound repetitions are failures, verified afterwards (`solver.engines.dfpn.unbounded_search`).
    Of checks with equal numbers the one that is the easier to refute is searched."""
    TCA = arena.TCA
    """Repetitions are failures, under a bound too; what rests on one holds as long as its first position is on the path
    (`repetition`). A node with a child seen nearer to the root is left only after a new node was searched below it
    (threshold controlling, see docs/search.md). What is known of an open node is shared by all bounds."""


class Sums(Enum):
    """Over which children the number that all children must give is a sum."""

    ALL = arena.ALL
    MIXED = arena.MIXED
    """Of answers, but of drops between the largest number only; of checks, and where a sum becomes very large, the
    largest number and one for each other move. Through transpositions a sum counts the same leaves many times."""


@dataclass(frozen=True)
class Method:
    """A variant of df-pn; `DEFAULT_METHOD` is the fastest (docs/papers/kaneko2005.md, docs/search.md)."""

    frontier: Frontier = Frontier.D2
    estimate: Estimate = Estimate.PLUS
    extension: Extension = Extension.QUARTER
    leaves: Leaves = Leaves.TIGHTEST
    sums: Sums = Sums.ALL
    loops: Loops = Loops.TIES


DEFAULT_METHOD = Method(leaves=Leaves.LIKELIEST)
REPEATABLE = Method()
"""The method with the node counts of generator version 7; the problems of a seed depend on its limits."""
FOR_REFUTATIONS = Method(
    estimate=Estimate.QUIET_TWICE, extension=Extension.CHECKS_TWICE, leaves=Leaves.LIKELIEST, loops=Loops.TCA
)
"""The method for unbounded queries that are mostly refuted (docs/search.md, "Refuting at any length")."""
FOR_LONG_WORKS = Method(estimate=Estimate.ANSWERS_THRICE, leaves=Leaves.LIKELIEST, sums=Sums.MIXED, loops=Loops.TCA)
"""The method for mates in dozens of moves and more (docs/search.md)."""
FOR_RESISTANCE = replace(FOR_LONG_WORKS, estimate=Estimate.MOVES)
"""The method that counts how hard checks are to refute: scores were fitted to its numbers of nodes."""
