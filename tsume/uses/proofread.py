# SPDX-License-Identifier: GPL-3.0-or-later
"""A last test before a problem is stored: python-shogi replays its line.

It shares no code with the solver, so an error in our rules does not pass unnoticed.
"""

from __future__ import annotations

import shogi

from generator.problem import Problem
from tsume_rules.sfen import format_sfen


class ProofreadError(AssertionError):
    """python-shogi refuses the line of a problem: a bug."""


def proofread(problem: Problem) -> None:
    """Raise `ProofreadError` unless every move is legal and every move of the attacker gives check.

    Whether the end is mate is not tested: python-shogi counts futile interpositions.
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
