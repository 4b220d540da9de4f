# SPDX-License-Identifier: GPL-3.0-or-later
"""Given final positions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solver.engines.dfpn.kernel.sound import STACK
from solver.engines.kernel.mate import NARROW, is_mated
from tsume_rules.game import is_in_check
from tsume_rules.moves import Move, position_after
from tsume_rules.packed import legal_checks, legal_evasions, pack, unpack_move
from tsume_rules.position import Position, Side
from tsume_rules.sfen import ParsedSfen, parse_sfen

_OTHER = {"b": "w", "w": "b"}
"""The other side, as SFEN names sides."""


class GivenError(ValueError):
    """A position from which nothing can be composed; the text says why."""


def parse_final_position(sfen: str) -> Position:
    """The final position of an SFEN whose side to move is mated, the attacker as Black.

    Raises ``ValueError`` if ``sfen`` is no SFEN, `GivenError` if it is not mate (the text names an answer,
    in USI as ``sfen`` is given), or with pieces in the attacker's hand: a problem uses them up.
    """
    fields = sfen.split()
    turn = 2 if fields[:1] == ["sfen"] else 1
    fields[turn : turn + 1] = [_OTHER.get(side, side) for side in fields[turn : turn + 1]]
    parsed = parse_sfen(" ".join(fields))
    position = parsed.position
    if position.attacker_hand:
        raise GivenError("pieces are left in the attacker's hand")
    if not is_mate(position):
        raise GivenError(f"the side to move is not mated: {_escape_text(parsed)}")
    return position


def _escape_text(parsed: ParsedSfen) -> str:
    """How the defender gets away."""
    answer = escape_from_mate(parsed.position)
    return "it is not in check" if answer is None else f"{parsed.outward(answer).usi} answers the check"


def escape_from_mate(position: Position) -> Move | None:
    """The defender's answer to a check that is no mate, a move on the board if there is one; else None."""
    if is_mate(position) or not is_in_check(position, Side.DEFENDER):
        return None
    turned = replace(position, side_to_move=Side.DEFENDER)
    moves = [unpack_move(code) for code in legal_evasions(pack(position))]
    return next((move for move in moves if not move.drop or not _is_futile(turned, move)), moves[0])


def _is_futile(position: Position, drop: Move) -> bool:
    """Whether some check that takes a piece just dropped is mate."""
    after = position_after(position, drop)
    taking = (check for check in map(unpack_move, legal_checks(pack(after))) if check.target == drop.target)
    return any(is_mate(position_after(after, check)) for check in taking)


def is_mate(position: Position) -> bool:
    """Whether the defender is in check and has no answer but futile interpositions."""
    record = pack(position)
    stack = np.zeros(STACK, dtype=np.int64)
    return is_in_check(position, Side.DEFENDER) and bool(is_mated(record, NARROW, stack, 0))
