# SPDX-License-Identifier: GPL-3.0-or-later
"""Heuristics: what a line shows by its moves alone, for quality and likeness (docs/themes.md)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from generator.replay import (
    STEP,
    ReplayedLine,
    ReplayedPly,
    ReplayedTurn,
    are_adjacent_cells,
    attackers_of_cell,
    is_strictly_between,
)
from solver.scoring.check_kinds import is_distant_drop, is_quiet, stays_unpromoted
from tsume_rules.kernel.tables import ATT, BISHOP, DEF, KING, KNIGHT, OURS, PROMOTION, ROOK, WALL

# --- heuristics on the attacker's moves ------------------------------------------------------------

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


# --- heuristics on the defender's answers and on the path of the king ------------------------------


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


# --- heuristics on the first and the final position ------------------------------------------------

FEW_PIECES = 4
"""At most this many pieces on the board and in the attacker's hand, kings counted, are few."""
CLEAN = 2
"""At most this many of the attacker's pieces at the mate make a clean finish (清涼詰)."""


def few_pieces(replayed: ReplayedLine) -> bool:
    """少駒数."""
    return replayed.position.piece_count() <= FEW_PIECES


def clean_finish(replayed: ReplayedLine) -> bool:
    """清涼詰."""
    return len(replayed.final_attackers) <= CLEAN


# --- the heuristics by name; quality and likeness are fitted to them -------------------------------
#
# A heuristic does not ask for a purpose; the theme of the same name may require more
# (`generator.themes.table`). Fit the quality and the likeness again (`scripts/fit`) after changing one.

HEURISTICS: dict[str, Callable[[ReplayedLine], bool]] = {
    "sacrifice": sacrifice,
    "big-piece-sacrifice": big_piece_sacrifice,
    "promotion-sacrifice": promotion_sacrifice,
    "serial-sacrifice": serial_sacrifice,
    "quiet-move": quiet_move,
    "non-promotion": non_promotion,
    "distant-drop": distant_drop,
    "discovered-check": discovered_check,
    "double-check": double_check,
    "obstruction-removal": obstruction_removal,
    "switchback": switchback,
    "knight-mate": knight_mate,
    "interposition": interposition,
    "moved-interposition": moved_interposition,
    "chuai": chuai,
    "king-lure": king_lure,
    "decoy": decoy,
    "block": block,
    "king-hunt": king_hunt,
    "king-returns": king_returns,
    "clean-finish": clean_finish,
    "few-pieces": few_pieces,
}
"""In a fixed order."""


def heuristics_of(replayed: ReplayedLine) -> tuple[str, ...]:
    """The names of the heuristics that a line satisfies, in the order of `HEURISTICS`."""
    return tuple(name for name, shows in HEURISTICS.items() if shows(replayed))
