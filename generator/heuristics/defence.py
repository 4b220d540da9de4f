# SPDX-License-Identifier: GPL-3.0-or-later
"""Heuristics on the defender's answers and on the path of the king."""

from __future__ import annotations

from generator.replay.board import are_adjacent_cells, attackers_of_cell
from generator.replay.line import ReplayedLine, ReplayedPly
from tsume_rules.kernel.tables import ATT, DEF, KING, OURS


def interposition(replayed: ReplayedLine) -> bool:
    """合駒: a drop that answers a check is always one."""
    return any(answer.is_drop for answer in replayed.answers)


def is_moved_interposition(check: ReplayedPly, answer: ReplayedPly) -> bool:
    """Whether a piece other than the king moves in between: any such answer that does not capture a
    checker."""
    return bool(answer.origin) and answer.kind != KING and answer.target not in check.checkers


def moved_interposition(replayed: ReplayedLine) -> bool:
    """移動合."""
    return any(is_moved_interposition(check, answer) for check, answer in replayed.turns if answer)


def is_between(check: ReplayedPly, answer: ReplayedPly) -> bool:
    """Whether an answer is an interposition, dropped or moved."""
    return answer.is_drop or is_moved_interposition(check, answer)


def guarding_cells(answer: ReplayedPly) -> list[int]:
    """The cells of the defender's pieces, the king's too, that guard the one that answered."""
    return attackers_of_cell(answer.cells_after(answer.kind + OURS), answer.target, DEF)


def is_unprotected(check: ReplayedPly, answer: ReplayedPly) -> bool:
    """Whether a piece is interposed without protection by the king or another piece (中合)."""
    return is_between(check, answer) and not guarding_cells(answer)


def chuai(replayed: ReplayedLine) -> bool:
    """中合."""
    return any(is_unprotected(check, answer) for check, answer in replayed.turns if answer)


def king_lure(replayed: ReplayedLine) -> bool:
    """玉の呼び寄せ."""
    return any(turn.king_takes and turn.check.target == replayed.mated_king for turn in replayed.sacrifices)


def decoy(replayed: ReplayedLine) -> bool:
    """守備駒の誘導."""
    return any(not turn.king_takes for turn in replayed.sacrifices)


def block(replayed: ReplayedLine) -> bool:
    """退路封鎖."""
    return any(
        answer is not None and answer.kind != KING and _blocks(replayed, answer)
        for _, answer in replayed.sacrifices
    )


def _blocks(replayed: ReplayedLine, answer: ReplayedPly) -> bool:
    """Whether at the mate the piece is still there, next to its king, on a square that is not attacked."""
    if replayed.pieces.get(answer.target) != answer.piece or not are_adjacent_cells(
        answer.target, replayed.mated_king
    ):
        return False
    cells = replayed.end.copy()
    cells[replayed.mated_king] = 0
    return not attackers_of_cell(cells, answer.target, ATT)


def king_hunt(replayed: ReplayedLine) -> bool:
    """追い詰: the king goes to three squares or more."""
    return len({answer.target for answer in replayed.answers if answer.kind == KING}) >= 3


def king_returns(replayed: ReplayedLine) -> bool:
    """還元玉."""
    moved = any(answer.kind == KING for answer in replayed.answers)
    return moved and replayed.mated_king == replayed.plies[0].king
