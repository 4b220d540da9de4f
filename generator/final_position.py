"""Given final positions."""

from __future__ import annotations

import numpy as np

from solver.engines.dfpn.kernel.sound import STACK
from solver.engines.kernel.mate import NARROW, is_mated
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.packing import pack
from tsume_rules.pieces import Side
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

_OTHER = {"b": "w", "w": "b"}
"""The other side, as SFEN names sides."""


class GivenError(ValueError):
    """A position from which nothing can be composed; the text says why."""


def final_of(sfen: str) -> Position:
    """The final position of an SFEN whose side to move is mated, the attacker as Black.

    Raises ``ValueError`` if ``sfen`` is no SFEN, `GivenError` if it is not mate, or with
    pieces in the attacker's hand: a problem uses them up.
    """
    fields = sfen.split()
    turn = 2 if fields[:1] == ["sfen"] else 1
    fields[turn : turn + 1] = [_OTHER.get(side, side) for side in fields[turn : turn + 1]]
    position = parse_sfen(" ".join(fields)).position
    if position.attacker_hand:
        raise GivenError("pieces are left in the attacker's hand")
    if not is_mate(position):
        raise GivenError("its side to move is not mated")
    return position


def is_mate(position: Position) -> bool:
    """Whether the defender is in check and has no answer but futile interpositions."""
    record = pack(position)
    stack = np.zeros(STACK, dtype=np.int64)
    checkers, _ = find_checkers(record, int(Side.DEFENDER))
    return bool(checkers > 0 and is_mated(record, NARROW, stack, 0))
