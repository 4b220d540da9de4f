"""Long mates in short variations (変化別詰): reported, never refused."""

from __future__ import annotations

from rules.making import line_played, played
from rules.packing import Record
from rules.pieces import Side
from solver.cooks import Station
from solver.engine import Solver
from solver.tree import TreeBuilder, legal_checks


def has_variation_cook(solver: Solver, record: Record, station: Station) -> bool:
    """Whether, after a defence shorter than the longest, a check mates as late as the main line.

    The mate must leave nothing in hand: then it could be taken for the main line.
    ``record`` stands at the start. Raises `LimitReached`.
    """
    n = station.turn.n
    if n < 5:
        return False
    longest = {reply.moves[0] for reply in station.turn.replies}
    with line_played(record, (*station.path, station.turn.key)):
        for answer in TreeBuilder(solver).defences(record, n - 1):
            if answer in longest:
                continue
            with played(record, answer, Side.DEFENDER):
                if any(_mates_as_late(solver, record, check, n - 2) for check in legal_checks(record)):
                    return True
    return False


def _mates_as_late(solver: Solver, record: Record, check: int, n: int) -> bool:
    """Whether a check mates in exactly n plies and leaves nothing in hand."""
    if not solver.mates_after(record, check, n) or solver.mates_after(record, check, n - 2):
        return False
    return not TreeBuilder(solver, complete=False).after(record, check, n).leftover
