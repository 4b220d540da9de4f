"""The ways in which a df-pn search may treat a new node (Kaneko2005, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from solver.engines.dfpn.kernel import arena


class Frontier(Enum):
    """The fixed-depth search at a new node: plies at the attacker's (a, 4.1), the defender's (d, 4.2)."""

    NOTHING = arena.NOTHING
    A1 = arena.A1
    """A mate in one, when the node is generated: its own expansion would find it as well."""
    A3 = arena.A3
    """That, and a mate in three when the node is first visited."""
    D2 = arena.D2
    """A mate in one, and at the defender's turn mated in two, when the node is generated."""


class Estimate(Enum):
    """The proof and disproof number a new node begins with."""

    ONES = arena.ONES
    """1 and 1 (Nagai2002; table 1)."""
    MOVES = arena.MOVES
    """The number of answers, the number of checks."""
    PLUS = arena.PLUS
    """H' (4.4) and the cost of moves (3.2, table 2): df-pn+."""


class Extension(Enum):
    """How far the best child's number may pass the runner-up's before the search turns to that one."""

    ONE = arena.ONE
    TWO = arena.TWO
    """By the children's average, at most two (p2d2, 5.5.1.2)."""
    QUARTER = arena.QUARTER
    """By a quarter and one."""


@dataclass(frozen=True)
class Method:
    """One df-pn of the many; the default is the quickest of them (docs/papers/kaneko2005.md)."""

    frontier: Frontier = Frontier.A1
    estimate: Estimate = Estimate.PLUS
    extension: Extension = Extension.QUARTER


DEFAULT_METHOD = Method()
