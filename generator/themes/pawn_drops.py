# SPDX-License-Identifier: GPL-3.0-or-later
"""The forbidden pawn-drop mate (打歩詰): how the attacker avoids it and the defender lures into it."""

from __future__ import annotations

from generator.themes import checks
from generator.themes.probe import LineProbe
from tsume_rules.kernel.state import PROMOTES
from tsume_rules.kernel.tables import DEF
from tsume_rules.packed import (
    Record,
    forbidden_drop,
    legal_checks,
    legal_evasions,
    origin_of,
    played,
    record_after,
)
from tsume_rules.position import Side


def avoids_pawn_drop_mate(probe: LineProbe, turn: int) -> bool:
    """Whether the piece of a turn stays unpromoted to avoid a pawn-drop mate.

    This is the only possible reason for a rook, a bishop or a pawn, which lose no move by promotion. The
    promotion of a lance must turn a pawn drop of the line, or one after an answer, into a mate.
    """
    promoting = probe.moves[2 * turn] | PROMOTES
    before = probe.record_before(turn)
    if promoting not in legal_checks(before) or probe.engine.mates_after(
        before, promoting, probe.plies_left(turn)
    ):
        return False
    if probe.turns[turn].check.kind in checks.GAINING:
        return True
    with played(before, promoting, Side.ATTACKER):
        return _is_forbidden_in_the_line(probe, turn, before.copy()) or _is_forbidden_at_once(
            probe, turn, before
        )


def _is_forbidden_in_the_line(probe: LineProbe, turn: int, record: Record) -> bool:
    """Whether a pawn drop of the line is forbidden after a promotion; ``record``: after it."""
    for later in range(turn + 1, len(probe.turns)):
        answer, check = probe.moves[2 * later - 1], probe.moves[2 * later]
        if answer not in legal_evasions(record):
            return False
        record = record_after_answer(record, answer)
        if check == forbidden_drop(record):
            return True
        if check not in legal_checks(record):
            return False
        record = record_after(record, (check,))
    return False


def record_after_answer(record: Record, answer: int) -> Record:
    """A copy of a record after an answer."""
    with played(record, answer, Side.DEFENDER):
        return record.copy()


def _is_forbidden_at_once(probe: LineProbe, turn: int, record: Record) -> bool:
    """Whether after an answer a pawn drop mates in the line's position and is forbidden in ``record``."""
    own = probe.record_after_check(turn)
    allowed = set(legal_evasions(own))
    for answer in legal_evasions(record):
        drop = forbidden_drop(record_after_answer(record, answer)) if answer in allowed else 0
        if drop and probe.mates_by(record_after_answer(own, answer), drop, probe.plies_left(turn) - 2):
            return True
    return False


def lures_into_pawn_drop_mate(probe: LineProbe, turn: int) -> bool:
    """Whether after the answer of a turn a pawn drop is forbidden that mates sooner after another answer."""
    record, played_answer = probe.record_after_check(turn), probe.moves[2 * turn + 1]
    drop = forbidden_drop(record_after_answer(record, played_answer))
    if not drop:
        return False
    king = int(record.king[DEF])
    others = (r for r in legal_evasions(record) if r != played_answer and origin_of(r) != king)
    return any(
        probe.mates_by(record_after_answer(record, other), drop, probe.plies_left(turn) - 4)
        for other in others
    )
