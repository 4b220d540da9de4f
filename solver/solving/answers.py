# SPDX-License-Identifier: GPL-3.0-or-later
"""All checks that mate as soon as the main line's, at each of the attacker's turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.engines.base import MateEngine
from solver.solving.form import differs_in_form_only
from tsume_rules.moves import Move
from tsume_rules.packing import pack, pack_move, unpack_move
from tsume_rules.position import Position
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import line_played


@dataclass(frozen=True)
class EqualSolutions:
    """The checks that mate as soon at one turn.

    They come after ``turn`` moves: the main line's ``key``, those that differ from it by
    promotion or distance only (``form``), and those of ``other`` kinds.
    """

    turn: int
    key: Move
    form: tuple[Move, ...]
    other: tuple[Move, ...]


def equal_solutions(
    engine: MateEngine, position: Position, length: int, line: Sequence[Move]
) -> tuple[EqualSolutions, ...]:
    """The answers at each of the attacker's turns of a main line that mates in ``length`` plies.

    Where a futile drop makes the line longer than the mate, those of the first turn only: at the
    others the plies left are not known. Raises `LimitReached`.
    """
    turns = range(0, length, 2) if len(line) == length else range(1)
    return tuple(_equal_solutions_at(engine, position, length - turn, line, turn) for turn in turns)


def _equal_solutions_at(
    engine: MateEngine, position: Position, n: int, line: Sequence[Move], turn: int
) -> EqualSolutions:
    record, key = pack(position), pack_move(line[turn])
    with line_played(record, tuple(map(pack_move, line[:turn]))):
        others = [check for check in legal_checks(record) if check != key]
        mating = engine.mating(record, others, n)
        alike = [check for check in mating if differs_in_form_only(record, key, check)]
    form = tuple(map(unpack_move, alike))
    other = tuple(unpack_move(check) for check in mating if check not in alike)
    return EqualSolutions(turn, line[turn], form, other)
