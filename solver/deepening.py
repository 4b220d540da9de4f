"""The exact shortest length, by raising the bound two plies at a time."""

from __future__ import annotations

from rules.packing import Record
from solver.engine import LimitReached, Solver
from solver.results import Limits, Mate, NoMate, Reason, SearchResult, Unresolved


def defence_length(solver: Solver, record: Record, at_most: int) -> int:
    """The exact length for the defender to move, known to be at most ``at_most`` plies."""
    n = 0
    while n < at_most and not solver.is_mated(record, n):
        n += 2
    return n


def search_length(solver: Solver, record: Record, limits: Limits) -> SearchResult:
    """The shortest mate as a result, without its line."""
    known = 0
    try:
        with solver.within(limits):
            length = 1
            while limits.max_length is None or length <= limits.max_length:
                if solver.mates(record, length):
                    return Mate(length)
                if solver.refuted_for_good:
                    return NoMate()
                known, length = length, length + 2
            return Unresolved(Reason.LENGTH, known)
    except LimitReached as limit:
        return Unresolved(limit.reason, known)
