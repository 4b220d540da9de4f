# SPDX-License-Identifier: GPL-3.0-or-later
"""Heuristics on the attacker's moves."""

from __future__ import annotations

from itertools import pairwise

from generator.replay.board import STEP, attackers_of_cell, is_strictly_between
from generator.replay.line import ReplayedLine, ReplayedPly, ReplayedTurn
from solver.scoring.check_kinds import is_distant_drop, is_quiet, stays_unpromoted
from tsume_rules.kernel.tables import ATT, BISHOP, KNIGHT, OURS, PROMOTION, ROOK, WALL

BIG = frozenset((BISHOP, ROOK, BISHOP + PROMOTION, ROOK + PROMOTION))
"""Rook, bishop, dragon, horse (大駒)."""


def sacrifice(replayed: ReplayedLine) -> bool:
    """捨駒."""
    return bool(replayed.sacrifices)


def big_piece_sacrifice(replayed: ReplayedLine) -> bool:
    """大駒捨て."""
    return any(turn.check.kind in BIG for turn in replayed.sacrifices)


def promotion_sacrifice(replayed: ReplayedLine) -> bool:
    """成捨て."""
    return any(turn.check.promotes for turn in replayed.sacrifices)


def serial_sacrifice(replayed: ReplayedLine) -> bool:
    """連続捨駒."""
    return any(one.is_sacrifice and other.is_sacrifice for one, other in pairwise(replayed.turns))


def quiet_move(replayed: ReplayedLine) -> bool:
    """静かな王手, before the last move, where every check from a distance is just the mate."""
    return any(is_quiet(turn.check, turn.answer_cell) for turn in replayed.turns[:-1])


def declines_promotion(replayed: ReplayedLine, check: ReplayedPly) -> bool:
    """Whether a piece that may promote does not, and for a reason.

    Before the last move there is always a reason: in a correct problem the promotion does not mate. The
    last move may have alternatives; it counts if the promoted piece would not give check.
    """
    if not stays_unpromoted(check):
        return False
    return check is not replayed.plies[-1] or not _checks_promoted(replayed, check)


def _checks_promoted(replayed: ReplayedLine, check: ReplayedPly) -> bool:
    cells = replayed.end.copy()
    cells[check.target] = check.kind + PROMOTION
    return bool(attackers_of_cell(cells, check.king, ATT))


def non_promotion(replayed: ReplayedLine) -> bool:
    """不成."""
    return any(declines_promotion(replayed, turn.check) for turn in replayed.turns)


def distant_drop(replayed: ReplayedLine) -> bool:
    """限定打: not the last move, which may have alternatives."""
    return any(is_distant_drop(turn.check) for turn in replayed.turns[:-1])


def discovers_check(check: ReplayedPly) -> bool:
    """Whether a piece that did not move gives check."""
    return any(cell != check.target for cell in check.checkers)


def discovered_check(replayed: ReplayedLine) -> bool:
    """開き王手."""
    return any(discovers_check(turn.check) for turn in replayed.turns)


def is_double_check(check: ReplayedPly) -> bool:
    """Whether two pieces give check at once."""
    return len(check.checkers) > 1


def double_check(replayed: ReplayedLine) -> bool:
    """両王手."""
    return any(is_double_check(turn.check) for turn in replayed.turns)


def obstruction_removal(replayed: ReplayedLine) -> bool:
    """邪魔駒消去; the cleared way must be used while the king stands where it stood before."""
    return any(
        _was_in_the_way(turn.check) and _is_used(turn.check, replayed.turns[number + 1 :])
        for number, turn in enumerate(replayed.turns)
        if turn.is_sacrifice
    )


def _was_in_the_way(check: ReplayedPly) -> bool:
    """Whether a piece leaves the square where it stood at the start without discovering a check."""
    return check.piece == check.origin and not discovers_check(check)


def _is_used(removal: ReplayedPly, later: tuple[ReplayedTurn, ...]) -> bool:
    """Whether a later move goes to the square that was left, over it, or gives check across it."""
    return any(passes_cell(check, removal.origin) for check, _ in later if check.king == removal.king)


def passes_cell(check: ReplayedPly, cell: int) -> bool:
    """Whether a move goes to a cell, over it, or gives check across it."""
    return (
        check.target == cell
        or bool(check.origin and is_strictly_between(check.origin, check.target, cell))
        or any(is_strictly_between(checker, check.king, cell) for checker in check.checkers)
    )


def switchback(replayed: ReplayedLine) -> bool:
    """スイッチバック."""
    left: set[tuple[int, int]] = set()
    for check, _ in replayed.turns:
        if (check.piece, check.target) in left:
            return True
        left.add((check.piece, check.origin))
    return False


def knight_mate(replayed: ReplayedLine) -> bool:
    """吊し桂."""
    last = replayed.plies[-1]
    return last.piece_after == KNIGHT and last.target in last.checkers


def smothered_mate(replayed: ReplayedLine) -> bool:
    """窒息詰: a knight's mate where the king cannot move for its own pieces."""
    around = (replayed.end[replayed.mated_king + step] for step in STEP[:8])
    return knight_mate(replayed) and all(code == WALL or code > OURS for code in around)
