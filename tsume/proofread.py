"""A second opinion on what is published: python-shogi replays the line.

It shares no code with the solver, so a slip in the rules cannot pass twice.
"""

from __future__ import annotations

import shogi

from generator.problem import Problem
from tsume_rules.sfen import format_sfen


class ProofreadError(AssertionError):
    """A problem's line is not legal by python-shogi: a bug, which stops the run."""


def proofread(problem: Problem) -> None:
    """Raise `ProofreadError` unless the line is legal, always checks, and ends with a check.

    Whether the end is mate is not asked: python-shogi counts futile interpositions.
    """
    sfen = format_sfen(problem.position)
    board = shogi.Board(sfen)
    for ply, move in enumerate(problem.line):
        played = shogi.Move.from_usi(move.usi)
        if played not in board.legal_moves:
            raise ProofreadError(f"{sfen}: move {ply + 1}, {move.usi}, is not legal")
        board.push(played)
        if ply % 2 == 0 and not board.is_check():
            raise ProofreadError(f"{sfen}: move {ply + 1}, {move.usi}, gives no check")
