# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine that is none of ours: what cshogi says of the length of a problem."""

from __future__ import annotations

from collections.abc import Iterator

try:
    import cshogi
except ImportError:  # it has no wheels for every Python
    cshogi = None

from generator.problem import Problem
from tsume_rules.sfen import format_sfen


def has_outside_engine() -> bool:
    """Whether cshogi is installed."""
    return cshogi is not None


def outside_faults(problem: Problem) -> Iterator[str]:
    """What cshogi denies of a problem's length.

    It counts every interposition, futile ones too, by which a mate can only become longer.
    """
    board, length = cshogi.Board(format_sfen(problem.position)), problem.length
    if length > 1 and _mates_within(board, length - 2):
        yield f"cshogi finds a mate in {length - 2}"
    if problem.same_when_counted and not _mates_within(board, length):
        yield f"cshogi finds no mate in {length}"


def _mates_within(board: cshogi.Board, plies: int) -> bool:
    return bool(board.mate_move_in_1ply() if plies == 1 else board.mate_move(plies))
