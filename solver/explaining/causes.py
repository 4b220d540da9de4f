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
from tsume_rules.legality import reached, reaches
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    Record,
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

    def with_cause(self, record: Record, found: Failure, *, cycles: bool = False) -> Failure:
        """Return a failing check with what decides that its answer refutes it, if more than the search does.

        ``record`` stands before the check. It is mate by a dropped pawn only if a pawn, were it allowed,
        would mate after the answer and every other answer loses or is met alike; a repetition only if the
        attacker can check for ever, or, with ``cycles``, if he has nothing to drop and four plies lead back
        to the position after the answer: these are its line.
        """
        start, answer, proof = _place(record), pack_move(found.answer), found.proof
        with played(record, pack_move(found.check), Side.ATTACKER):
            with played(record, answer, Side.DEFENDER):
                if in_check(record, ATT):
                    return replace(found, cause=Cause(CauseKind.COUNTER_CHECK))
                line = self._forbidden_line(record) if proof is not Proof.BOUNDED else ()
                endless = not line and proof is Proof.ANY_LENGTH
                self._least = max(0, self._left - POSITIONS_EACH)
                repeats = endless and self._left > 0 and self._checks_for_ever(record, (start,))
                idle = endless and cycles and not repeats and not packed_hand(record)
                cycle = self._cycle(record) if idle else ()
            if line and self._others_lose(record, answer):
                return replace(found, cause=Cause(CauseKind.PAWN_DROP_MATE, tuple(map(unpack_move, line))))
        if repeats or cycle:
            return replace(found, cause=Cause(CauseKind.REPETITION, tuple(map(unpack_move, cycle))))
        return replace(found, cause=None)

    def _forbidden_line(self, record: Record) -> Moves:
        """Return a forbidden pawn drop at once, or a check, an answer and a forbidden drop, if after each
        answer to the check there is such a drop or a mate in one; empty if there is none."""
        if drop := forbidden_drop(record):
            return (drop,)
        for check in legal_checks(record) if record.hand[ATT, PAWN] and self._left > 0 else ():
            self._left -= 1
            line: Moves = ()
            with played(record, check, Side.ATTACKER):
                for answer in legal_evasions(record):
                    with played(record, answer, Side.DEFENDER):
                        drop = forbidden_drop(record)
                        if not drop and not self._engine.mates(record, 1):
                            line = ()
                            break
                    if drop and not line:
                        line = (check, answer, drop)
            if line:
                return line
        return ()

    def _others_lose(self, record: Record, answer: int) -> bool:
        """Return whether all other answers lose, or would if the pawn might be dropped."""
        for other in legal_evasions(record):
            if other == answer:
                continue
            with played(record, other, Side.DEFENDER):
                if not forbidden_drop(record) and not self._mates(record):
                    return False
        return True

    def _mates(self, record: Record) -> bool:
        return self._engine.answered_within(NODES, partial(self._engine.mates_ever, record)) is True

    # --- repetition -----------------------------------------------------------------

    def _checks_for_ever(self, record: Record, path: _Places) -> bool:
        key, hand = here = _place(record)
        if any(key == one and hand_contains(hand, least) for one, least in path):
            return True
        self._left -= 1
        if self._left < self._least or len(path) > _DEEPEST:
            return False
        return any(self._holds(record, check, (*path, here)) for check in legal_checks(record))

    def _holds(self, record: Record, check: int, path: _Places) -> bool:
        """Return whether after a check each answer lets the attacker check for ever, or mate."""
        with played(record, check, Side.ATTACKER):
            for answer in legal_evasions(record):
                with played(record, answer, Side.DEFENDER):
                    if not self._checks_for_ever(record, path) and not self._mates(record):
                        return False
        return True

    def _cycle(self, record: Record) -> Moves:
        """Two checks of pieces on the board with answers that lead back to a position; empty if none do."""
        here = _place(record)
        for first in self._quiet_pairs(record):
            with played(record, first[0], Side.ATTACKER), played(record, first[1], Side.DEFENDER):
                if _place(record) == here or self._left <= 0:
                    continue
                self._left -= 1
                for second in self._quiet_pairs(record):
                    with played(record, second[0], Side.ATTACKER), played(record, second[1], Side.DEFENDER):
                        back = _place(record) == here
                    if back:
                        return (*first, *second)
        return ()

    def _quiet_pairs(self, record: Record) -> Iterator[tuple[int, int]]:
        """Checks with answers, without drops and captures."""
        for check in legal_checks(record):
            if dropped(check) or record.board[target_of(check)]:
                continue
            with played(record, check, Side.ATTACKER):
                answers = [one for one in legal_evasions(record) if not dropped(one)]
                quiet = [one for one in answers if not record.board[target_of(one)]]
            yield from ((check, answer) for answer in quiet)


def _place(record: Record) -> tuple[int, int]:
    return int(record.key), int(packed_hand(record))


def forbidden_move(record: Record) -> Move | None:
    """Return the pawn drop that is forbidden because it would be mate (打歩詰); None if there is none."""
    drop = forbidden_drop(record)
    return unpack_move(drop) if drop else None


# --- what decides a mate --------------------------------------------------------------------------


def causes_of_mate(record: Record) -> tuple[Cause, ...]:
    """Return what keeps the defender, who is mated, from an answer: pinned pieces, or a double check."""
    position = unpack(record, Side.DEFENDER)
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
