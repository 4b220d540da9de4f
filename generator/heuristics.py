# SPDX-License-Identifier: GPL-3.0-or-later
"""Heuristics: what a line shows by its moves alone, for quality and likeness (docs/themes.md)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from generator.replay import STEP, ReplayedLine, ReplayedPly, are_adjacent_cells, attackers_of_cell, is_strictly_between
from solver.scoring.check_kinds import is_distant_drop, is_quiet, stays_unpromoted
from tsume_rules.kernel.tables import ATT, BISHOP, DEF, KING, KNIGHT, OURS, PROMOTION, ROOK, WALL

# --- heuristics on the attacker's moves ------------------------------------------------------------

BIG = frozenset((BISHOP, ROOK, BISHOP + PROMOTION, ROOK + PROMOTION))
"""Rook, bishop, dragon, horse (大駒)."""


def declines_promotion(replayed: ReplayedLine, check: ReplayedPly) -> bool:
    """Return whether a piece that may promote does not, and for a reason.

    Before the last move there is always a reason: in a correct problem the promotion does not mate. The
    last move may have alternatives; it counts if the promoted piece would not give check.
    """
    if not stays_unpromoted(check):
        return False
    if check is not replayed.plies[-1]:
        return True
    cells = replayed.end.copy()
    cells[check.target] = check.kind + PROMOTION
    return not attackers_of_cell(cells, check.king, ATT)


def discovers_check(check: ReplayedPly) -> bool:
    """Return whether a piece that did not move gives check."""
    return any(cell != check.target for cell in check.checkers)


def is_double_check(check: ReplayedPly) -> bool:
    """Return whether two pieces give check at once."""
    return len(check.checkers) > 1


def passes_cell(check: ReplayedPly, cell: int) -> bool:
    """Return whether a move goes to a cell, over it, or gives check across it."""
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


def is_moved_interposition(check: ReplayedPly, answer: ReplayedPly) -> bool:
    """Return whether a piece other than the king moves in between: unless it captures a checker."""
    return bool(answer.origin) and answer.kind != KING and answer.target not in check.checkers


def is_between(check: ReplayedPly, answer: ReplayedPly) -> bool:
    """Return whether an answer is an interposition, dropped or moved."""
    return answer.is_drop or is_moved_interposition(check, answer)


def guarding_cells(answer: ReplayedPly) -> list[int]:
    """Return the cells of the defender's pieces, the king's too, that guard the one that answered."""
    return attackers_of_cell(answer.cells_after(answer.kind + OURS), answer.target, DEF)


def is_unprotected(check: ReplayedPly, answer: ReplayedPly) -> bool:
    """Return whether a piece is interposed without protection by the king or another piece (中合)."""
    return is_between(check, answer) and not guarding_cells(answer)


def _blocks(replayed: ReplayedLine, answer: ReplayedPly) -> bool:
    """Return whether at the mate the piece is still there, next to its king, on a square not attacked."""
    is_there = replayed.pieces.get(answer.target) == answer.piece
    if not is_there or not are_adjacent_cells(answer.target, replayed.mated_king):
        return False
    cells = replayed.end.copy()
    cells[replayed.mated_king] = 0
    return not attackers_of_cell(cells, answer.target, ATT)


def _removes_obstruction(replayed: ReplayedLine, number: int) -> bool:
    """Return whether a sacrificed piece left its first square, discovering no check, for a later move.

    The cleared way must be used while the king stands where it stood before.
    """
    removal = replayed.turns[number].check
    return (
        replayed.turns[number].is_sacrifice
        and removal.piece == removal.origin
        and not discovers_check(removal)
        and any(
            passes_cell(check, removal.origin)
            for check, _ in replayed.turns[number + 1 :]
            if check.king == removal.king
        )
    )


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
    "sacrifice": lambda line: bool(line.sacrifices),
    "big-piece-sacrifice": lambda line: any(turn.check.kind in BIG for turn in line.sacrifices),
    "promotion-sacrifice": lambda line: any(turn.check.promotes for turn in line.sacrifices),
    "serial-sacrifice": lambda line: any(
        one.is_sacrifice and other.is_sacrifice for one, other in pairwise(line.turns)
    ),
    # Before the last move, where every check from a distance is just the mate.
    "quiet-move": lambda line: any(is_quiet(turn.check, turn.answer_cell) for turn in line.turns[:-1]),
    "non-promotion": lambda line: any(declines_promotion(line, turn.check) for turn in line.turns),
    # Not the last move, which may have alternatives.
    "distant-drop": lambda line: any(is_distant_drop(turn.check) for turn in line.turns[:-1]),
    "discovered-check": lambda line: any(discovers_check(turn.check) for turn in line.turns),
    "double-check": lambda line: any(is_double_check(turn.check) for turn in line.turns),
    "obstruction-removal": lambda line: any(_removes_obstruction(line, number) for number in range(len(line.turns))),
    "switchback": switchback,
    "knight-mate": knight_mate,
    "interposition": lambda line: any(answer.is_drop for answer in line.answers),
    "moved-interposition": lambda line: any(
        is_moved_interposition(check, answer) for check, answer in line.turns if answer
    ),
    "chuai": lambda line: any(is_unprotected(check, answer) for check, answer in line.turns if answer),
    "king-lure": lambda line: any(turn.king_takes and turn.check.target == line.mated_king for turn in line.sacrifices),
    "decoy": lambda line: any(not turn.king_takes for turn in line.sacrifices),
    "block": lambda line: any(
        answer is not None and answer.kind != KING and _blocks(line, answer) for _, answer in line.sacrifices
    ),
    # The king goes to three squares or more.
    "king-hunt": lambda line: len({answer.target for answer in line.answers if answer.kind == KING}) >= 3,
    "king-returns": king_returns,
    "clean-finish": clean_finish,
    "few-pieces": few_pieces,
}
"""In a fixed order."""


def heuristics_of(replayed: ReplayedLine) -> tuple[str, ...]:
    """Return the names of the heuristics that a line satisfies, in the order of `HEURISTICS`."""
    return tuple(name for name, shows in HEURISTICS.items() if shows(replayed))
