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


def given_interposition(replayed: ReplayedLine) -> bool:
    """捨合."""
    return any(gives_between(replayed, number) for number in range(len(replayed.turns)))


def interposed_piece_moves(replayed: ReplayedLine) -> bool:
    """合駒動かし."""
    dropped: set[int] = set()
    for answer in replayed.answers:
        if answer.piece in dropped:
            return True
        if answer.is_drop:
            dropped.add(answer.piece)
    return False


def pawn_drop_lure(replayed: ReplayedLine) -> bool:
    """打歩詰誘致: an answer other than a king's move while the attacker holds a pawn."""
    return any(lures_pawn_drop(replayed, number) for number in range(len(replayed.turns)))


def lures_pawn_drop(replayed: ReplayedLine, number: int) -> bool:
    """Whether the answer of a turn is not a king move and the attacker then holds a pawn."""
    answer = replayed.turns[number].answer
    return answer is not None and answer.kind != KING and replayed.hand_after(number)[PAWN] > 0


def draws_piece_away(replayed: ReplayedLine, number: int) -> bool:
    """Whether a piece other than the king captures a sacrificed one and is not captured there at once."""
    turn = replayed.turns[number]
    return (
        gives_away(replayed, number)
        and not turn.king_takes
        and replayed.turns[number + 1].check.target != turn.check.target
    )


def decoy(replayed: ReplayedLine) -> bool:
    """守備駒の誘導."""
    return any(draws_piece_away(replayed, number) for number in range(len(replayed.turns)))


def reverse_check(replayed: ReplayedLine) -> bool:
    """逆王手: an answer after which the attacker's king is attacked."""
    if KING not in replayed.start:
        return False
    boards = [*(ply.before for ply in replayed.plies[2::2]), replayed.end]
    return any(
        attackers_of_cell(cells, cells.index(KING), DEF)
        for cells, _ in zip(boards, replayed.answers, strict=False)
    )


def king_hunt(replayed: ReplayedLine) -> bool:
    """追い詰."""
    stood = {replayed.plies[0].king, *(answer.target for answer in replayed.answers if answer.kind == KING)}
    given = len(given_away(replayed))
    return len(stood) >= HUNTED_OVER and given <= _SACRIFICES_OF_A_HUNT * len(replayed.turns)
