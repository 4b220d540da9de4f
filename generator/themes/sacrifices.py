# SPDX-License-Identifier: GPL-3.0-or-later
"""Themes of sacrifices in the composers' sense: not every captured piece is one."""

from __future__ import annotations

from generator.heuristics.attack import BIG, discovers_check, passes_cell
from generator.replay.board import are_adjacent_cells, attackers_of_cell
from generator.replay.line import ReplayedLine, ReplayedTurn
from tsume_rules.kernel.tables import (
    BISHOP,
    DEF,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTION,
    ROOK,
    SILVER,
)

_WORTH = {PAWN: 1, LANCE: 2, KNIGHT: 2, SILVER: 3, GOLD: 4, BISHOP: 5, ROOK: 5}
"""The usual order of the kinds in hand, where a taken piece goes."""


def piece_worth(code: int) -> int:
    """The worth of a piece's unpromoted kind; ``code``: of either side."""
    kind = code & 15
    return _WORTH[kind - PROMOTION if kind > KING else kind]


def gives_away(replayed: ReplayedLine, number: int) -> bool:
    """Whether the next answer captures the piece moved at a turn, and it is not an exchange.

    An exchange recaptures, or captures a piece of the same worth.
    """
    turn = replayed.turns[number]
    if not turn.is_sacrifice:
        return False
    check = turn.check
    if not check.captured:
        return True
    takes_back = number > 0 and replayed.turns[number - 1].answer_cell == check.target
    return not takes_back and piece_worth(check.captured) < piece_worth(check.kind)


def given_away(replayed: ReplayedLine) -> list[ReplayedTurn]:
    """The turns with a sacrifice."""
    return [turn for number, turn in enumerate(replayed.turns) if gives_away(replayed, number)]


def gives_big_piece(replayed: ReplayedLine, number: int) -> bool:
    """大駒捨て."""
    return gives_away(replayed, number) and replayed.turns[number].check.kind in BIG


def gives_by_promoting(replayed: ReplayedLine, number: int) -> bool:
    """成捨て."""
    return gives_away(replayed, number) and replayed.turns[number].check.promotes


def gives_twice(replayed: ReplayedLine, number: int) -> bool:
    """連続捨駒: the sacrifice of a turn and that of the next."""
    return (
        number + 1 < len(replayed.turns) and gives_away(replayed, number) and gives_away(replayed, number + 1)
    )


def is_on_a_focus(replayed: ReplayedLine, number: int) -> bool:
    """Whether two pieces other than the king guard the square of the sacrifice at a turn."""
    if not gives_away(replayed, number):
        return False
    check = replayed.turns[number].check
    cells = check.cells_after(check.piece_after)
    return sum(cells[cell] & 15 != KING for cell in attackers_of_cell(cells, check.target, DEF)) > 1


def lures_king(replayed: ReplayedLine, number: int) -> bool:
    """Whether the king captures a sacrificed piece on the square where it is mated later (玉の呼び寄せ)."""
    turn = replayed.turns[number]
    return turn.king_takes and turn.check.target == replayed.mated_king and gives_away(replayed, number)


def blocks_flight(replayed: ReplayedLine, number: int) -> bool:
    """Whether the capturing piece stands next to its king at the mate (退路封鎖)."""
    answer = replayed.turns[number].answer
    return (
        answer is not None
        and answer.kind != KING
        and gives_away(replayed, number)
        and replayed.pieces.get(answer.target) == answer.piece
        and are_adjacent_cells(answer.target, replayed.mated_king)
    )


def turn_of_leaving(replayed: ReplayedLine, number: int) -> int | None:
    """The turn at which a piece sacrificed at turn ``number`` last left the square where it began.

    None if it was dropped, has discovered a check since, or the square is not used after the sacrifice.
    """
    given = replayed.turns[number].check
    if not gives_away(replayed, number) or given.piece <= 0:
        return None
    checks = [turn.check for turn in replayed.turns]
    left = max(turn for turn, check in enumerate(checks[: number + 1]) if check.origin == given.piece)
    is_plain = not any(
        discovers_check(check) for check in checks[left : number + 1] if check.piece == given.piece
    )
    is_used = any(passes_cell(check, given.piece) for check in checks[number + 1 :])
    return left if is_plain and is_used else None


def removes_obstruction(replayed: ReplayedLine, number: int) -> bool:
    """邪魔駒消去: the piece sacrificed at a turn was in the way."""
    return turn_of_leaving(replayed, number) is not None


def is_replacement(replayed: ReplayedLine, number: int) -> bool:
    """Whether another kind is dropped later where the piece sacrificed at a turn came from (打ち換え)."""
    turn = replayed.turns[number]
    left = turn.check.origin
    return (
        gives_away(replayed, number)
        and left != 0
        and any(
            check.is_drop and check.target == left and check.kind != turn.check.kind
            for check, _ in replayed.turns[number + 1 :]
        )
    )
