# SPDX-License-Identifier: GPL-3.0-or-later
"""Themes of the defender's answers and of the king's path; `generator.theme_names` has the definitions."""

from __future__ import annotations

from generator.heuristics.defence import guarding_cells, is_between
from generator.replay.board import are_adjacent_cells, attackers_of_cell
from generator.replay.line import ReplayedLine, ReplayedPly
from generator.themes.sacrifices import given_away, gives_away
from tsume_rules.kernel.tables import DEF, KING, PAWN

HUNTED_OVER = 6
"""A hunted king (追い詰) visits at least this many squares, including the first."""
_SACRIFICES_OF_A_HUNT = 0.25


def is_given(check: ReplayedPly, answer: ReplayedPly) -> bool:
    """Whether a piece is interposed next to the king, guarded by the king only."""
    return (
        is_between(check, answer)
        and are_adjacent_cells(answer.target, check.king)
        and all(cell == check.king for cell in guarding_cells(answer))
    )


def gives_between(replayed: ReplayedLine, number: int) -> bool:
    """Whether the answer of a turn is an interposition that is captured at once and not recaptured."""
    check, answer = replayed.turns[number]
    if answer is None or not is_given(check, answer):
        return False
    taking = replayed.turns[number + 1]
    return taking.check.target == answer.target and not taking.is_sacrifice


def interposed_piece_moves(replayed: ReplayedLine, number: int) -> bool:
    """合駒動かし: the piece that answers at a turn was dropped by an earlier answer."""
    answer = replayed.turns[number].answer
    dropped = {earlier.piece for _, earlier in replayed.turns[:number] if earlier and earlier.is_drop}
    return answer is not None and not answer.is_drop and answer.piece in dropped


def lures_pawn_drop(replayed: ReplayedLine, number: int) -> bool:
    """Whether the answer of a turn, not the last, is no king move, and the attacker then holds a pawn."""
    answer = replayed.turns[number].answer
    return (
        number + 1 < len(replayed.turns)
        and answer is not None
        and answer.kind != KING
        and replayed.hand_after(number)[PAWN] > 0
    )


def draws_piece_away(replayed: ReplayedLine, number: int) -> bool:
    """Whether a piece other than the king captures a sacrificed one and is not captured there at once."""
    turn = replayed.turns[number]
    return (
        gives_away(replayed, number)
        and not turn.king_takes
        and replayed.turns[number + 1].check.target != turn.check.target
    )


def answers_by_check(replayed: ReplayedLine, number: int) -> bool:
    """逆王手: after the answer of a turn the attacker's king is attacked."""
    if KING not in replayed.start or replayed.turns[number].answer is None:
        return False
    later = replayed.turns[number + 1 :]
    cells = later[0].check.before if later else replayed.end
    return bool(attackers_of_cell(cells, cells.index(KING), DEF))


def king_hunt(replayed: ReplayedLine) -> bool:
    """追い詰."""
    stood = {replayed.plies[0].king, *(answer.target for answer in replayed.answers if answer.kind == KING)}
    given = len(given_away(replayed))
    return len(stood) >= HUNTED_OVER and given <= _SACRIFICES_OF_A_HUNT * len(replayed.turns)
