# SPDX-License-Identifier: GPL-3.0-or-later
"""What decides that an answer refutes a check (打歩詰, 千日手, 逆王手) or a check mates (両王手, pins)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

from solver.engines.base import MateEngine
from solver.explaining.explanation import Cause, CauseKind, Fails, Proof, Try
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.state import hand_contains, packed_hand
from tsume_rules.kernel.tables import ATT, CELL, PAWN, SQUARE
from tsume_rules.moves import Move, reached, reaches
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    cells_between,
    dropped,
    forbidden_drop,
    legal_checks,
    legal_evasions,
    pack_move,
    played,
    target_of,
    unpack,
    unpack_move,
)
from tsume_rules.position import Kind, Side, Square

NODES = 300
"""Nodes for the search whether another answer loses."""
MAX_POSITIONS = 1500
"""Positions for all questions whether the attacker can only repeat, and for each of them."""
POSITIONS_EACH = 150
_DEEPEST = 8
"""The most checks of a repetition."""

Failure = TypeVar("Failure", Try, Fails)
_Places = tuple[tuple[int, int], ...]
"""Positions on a path: the key of the board, the attacker's hand."""


class Causes:
    """Finds why checks fail, within a number of positions for all of them. Raises `LimitReached`."""

    def __init__(self, engine: MateEngine, positions: int = MAX_POSITIONS) -> None:
        self._engine = engine
        self._left = positions

    def with_cause(self, packed: PackedPosition, found: Failure, *, cycles: bool = False) -> Failure:
        """Return a failing check with what decides that its answer refutes it, if more than the search does.

        ``packed`` stands before the check. It is mate by a dropped pawn only if a pawn, were it allowed,
        would mate after the answer and every other answer loses or is met alike; a repetition only if the
        attacker can check for ever, or, with ``cycles``, if he has nothing to drop and four plies lead back
        to the position after the answer: these are its line.
        """
        start, answer, proof = _place(packed), pack_move(found.answer), found.proof
        with played(packed, pack_move(found.check), Side.ATTACKER):
            with played(packed, answer, Side.DEFENDER):
                if in_check(packed, ATT):
                    return replace(found, cause=Cause(CauseKind.COUNTER_CHECK))
                line = self._forbidden_line(packed) if proof is not Proof.BOUNDED else ()
                endless = not line and proof is Proof.ANY_LENGTH
                self._least = max(0, self._left - POSITIONS_EACH)
                repeats = endless and self._left > 0 and self._checks_for_ever(packed, (start,))
                idle = endless and cycles and not repeats and not packed_hand(packed)
                cycle = self._cycle(packed) if idle else ()
            if line and self._others_lose(packed, answer):
                return replace(found, cause=Cause(CauseKind.PAWN_DROP_MATE, tuple(map(unpack_move, line))))
        if repeats or cycle:
            return replace(found, cause=Cause(CauseKind.REPETITION, tuple(map(unpack_move, cycle))))
        return replace(found, cause=None)

    def _forbidden_line(self, packed: PackedPosition) -> Moves:
        """Return a forbidden pawn drop at once, or a check, an answer and a forbidden drop, if after each
        answer to the check there is such a drop or a mate in one; empty if there is none."""
        if drop := forbidden_drop(packed):
            return (drop,)
        for check in legal_checks(packed) if packed.hand[ATT, PAWN] and self._left > 0 else ():
            self._left -= 1
            line: Moves = ()
            with played(packed, check, Side.ATTACKER):
                for answer in legal_evasions(packed):
                    with played(packed, answer, Side.DEFENDER):
                        drop = forbidden_drop(packed)
                        if not drop and not self._engine.mates(packed, 1):
                            line = ()
                            break
                    if drop and not line:
                        line = (check, answer, drop)
            if line:
                return line
        return ()

    def _others_lose(self, packed: PackedPosition, answer: int) -> bool:
        """Return whether all other answers lose, or would if the pawn might be dropped."""
        for other in legal_evasions(packed):
            if other == answer:
                continue
            with played(packed, other, Side.DEFENDER):
                if not forbidden_drop(packed) and not self._mates(packed):
                    return False
        return True

    def _mates(self, packed: PackedPosition) -> bool:
        return self._engine.answered_within(NODES, partial(self._engine.mates_ever, packed)) is True

    # --- repetition -----------------------------------------------------------------

    def _checks_for_ever(self, packed: PackedPosition, path: _Places) -> bool:
        key, hand = here = _place(packed)
        if any(key == one and hand_contains(hand, least) for one, least in path):
            return True
        self._left -= 1
        if self._left < self._least or len(path) > _DEEPEST:
            return False
        return any(self._holds(packed, check, (*path, here)) for check in legal_checks(packed))

    def _holds(self, packed: PackedPosition, check: int, path: _Places) -> bool:
        """Return whether after a check each answer lets the attacker check for ever, or mate."""
        with played(packed, check, Side.ATTACKER):
            for answer in legal_evasions(packed):
                with played(packed, answer, Side.DEFENDER):
                    if not self._checks_for_ever(packed, path) and not self._mates(packed):
                        return False
        return True

    def _cycle(self, packed: PackedPosition) -> Moves:
        """Two checks of pieces on the board with answers that lead back to a position; empty if none do."""
        here = _place(packed)
        for first in self._quiet_pairs(packed):
            with played(packed, first[0], Side.ATTACKER), played(packed, first[1], Side.DEFENDER):
                if _place(packed) == here or self._left <= 0:
                    continue
                self._left -= 1
                for second in self._quiet_pairs(packed):
                    with played(packed, second[0], Side.ATTACKER), played(packed, second[1], Side.DEFENDER):
                        back = _place(packed) == here
                    if back:
                        return (*first, *second)
        return ()

    def _quiet_pairs(self, packed: PackedPosition) -> Iterator[tuple[int, int]]:
        """Checks with answers, without drops and captures."""
        for check in legal_checks(packed):
            if dropped(check) or packed.board[target_of(check)]:
                continue
            with played(packed, check, Side.ATTACKER):
                answers = [one for one in legal_evasions(packed) if not dropped(one)]
                quiet = [one for one in answers if not packed.board[target_of(one)]]
            yield from ((check, answer) for answer in quiet)


def _place(packed: PackedPosition) -> tuple[int, int]:
    return int(packed.key), int(packed_hand(packed))


def forbidden_move(packed: PackedPosition) -> Move | None:
    """Return the pawn drop that is forbidden because it would be mate (打歩詰); None if there is none."""
    drop = forbidden_drop(packed)
    return unpack_move(drop) if drop else None


# --- what decides a mate --------------------------------------------------------------------------


def causes_of_mate(packed: PackedPosition) -> tuple[Cause, ...]:
    """Return what keeps the defender, who is mated, from an answer: pinned pieces, or a double check."""
    position = unpack(packed, Side.DEFENDER)
    king = position.king(Side.DEFENDER)
    assert king is not None
    board = position.board
    attackers = [sq for sq, piece in enumerate(board) if piece and piece.side is Side.ATTACKER]
    checkers = [sq for sq in attackers if reaches(board, sq, king)]
    # The defender's pieces, but the king, that reach a checking piece or a square before it.
    targets = [{checker, *_between(checker, king)} for checker in checkers]
    defenders = [sq for sq, one in enumerate(board) if one and one.side is Side.DEFENDER and sq != king]
    reach = {sq: set(reached(board, sq)) for sq in defenders}
    helpers = tuple(sq for sq in defenders if any(reach[sq] & wanted for wanted in targets))
    if len(checkers) > 1:
        drops = any(kind is not Kind.PAWN for kind in position.defender_hand)
        between = any(_between(checker, king) for checker in checkers)
        return (Cause(CauseKind.DOUBLE_CHECK),) if helpers or (drops and between) else ()
    return (Cause(CauseKind.PIN, squares=helpers),) if helpers else ()


def _between(checker: Square, king: Square) -> list[Square]:
    """Return the squares strictly between a checking piece and the king."""
    return [int(SQUARE[cell]) for cell in cells_between(int(CELL[checker]), int(CELL[king]))]
