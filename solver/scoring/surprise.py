# SPDX-License-Identifier: GPL-3.0-or-later
"""How surprising the key is to a player who goes by habit.

A weak player does not calculate. He sees what each check does at once and takes one by habit: the habits are
the weights of a softmax over the checks, fitted to mates that occurred in games, where the key mostly is the
obvious move. The surprise is -log2 of the chance that he gives the key.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tsume_rules.kernel.effects import by_side, source
from tsume_rules.kernel.placement import can_promote
from tsume_rules.kernel.tables import ATT, DEF, KING, OURS, SQUARE
from tsume_rules.packing import Record, dropped, origin_of, promotes, target_of
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_evasions
from tsume_rules.record_play import played

WEIGHTS: dict[str, float] = {
    "captures": 0.57,
    "captured_value": 2.3,
    "promotes": 0.13,
    "stays_unpromoted": -1.69,
    "drops": 0.06,
    "pawn": -0.6,
    "lance": -0.22,
    "knight": 0.15,
    "gold": -0.17,
    "bishop": 0.71,
    "rook": 0.5,
    "horse": 0.62,
    "dragon": 0.76,
    "distance": -0.2,
    "withdraws": -0.89,
    "supported": 0.34,
    "may_be_taken": -0.13,
    "gives_value": -2.95,
    "king_moves": -0.88,
    "other_answers": -0.99,
    "may_be_blocked": -1.39,
    "discovers": 1.13,
    "double": 0.67,
}
"""The weight of each trait of a check; a silver has none. Fitted by ``scripts/fit surprise``."""
_VALUES = (0, 1, 3, 3, 5, 7, 8, 5, 0, 5, 5, 5, 5, 9, 10)
"""Of the kinds, pawn to dragon, as beginners are taught."""
_KINDS = {1: "pawn", 2: "lance", 3: "knight", 5: "bishop", 6: "rook", 7: "gold", 13: "horse", 14: "dragon"}
_FARTHEST = 3
_MOST_ANSWERS = 4


def surprise(record: Record, key: int, checks: Sequence[int]) -> float:
    """-log2 of the chance of the key among all legal checks, the key one of them."""
    sums = {check: weighed(check_traits(record, check)) for check in checks}
    largest = max(sums.values())
    total = math.fsum(math.exp(one - largest) for one in sums.values())
    return max(0.0, (math.log(total) + largest - sums[key]) / math.log(2))


def weighed(traits: Mapping[str, float]) -> float:
    """The weighted sum of traits."""
    return math.fsum(WEIGHTS[name] * value for name, value in traits.items())


def check_traits(record: Record, check: int) -> dict[str, float]:
    """What is seen of a check at once, by names of `WEIGHTS`; what is left out is 0."""
    origin, target, king = origin_of(check), target_of(check), int(record.king[DEF])
    piece = dropped(check) or int(record.board[origin])
    captured = int(record.board[target]) % OURS
    with played(record, check, Side.ATTACKER):
        seen = _seen_afterwards(record, target, king)
        after = int(record.board[target])
    taken = seen["may_be_taken"]
    far = _steps(target, king)
    traits = {
        **seen,
        "captures": float(captured != 0),
        "captured_value": _VALUES[captured] / 10,
        "promotes": float(promotes(check)),
        "stays_unpromoted": float(
            origin != 0 and not promotes(check) and bool(can_promote(piece, origin, target, ATT))
        ),
        "drops": float(origin == 0),
        "distance": float(min(far, _FARTHEST)),
        "withdraws": float(origin != 0 and far > _steps(origin, king)),
        "gives_value": taken * _VALUES[after] / 10,
    }
    name = _KINDS.get(piece, "gold" if piece > KING else "")
    return {**traits, name: 1.0} if name else traits


def _seen_afterwards(record: Record, target: int, king: int) -> dict[str, float]:
    """The traits that show once the check is on the board, the defender to move."""
    answers = legal_evasions(record)
    checkers = _attackers(record, king)
    on_board = [move for move in answers if not dropped(move)]
    by_king = sum(origin_of(move) == king for move in on_board)
    return {
        "supported": float(bool(_attackers(record, target))),
        "may_be_taken": float(any(target_of(move) == target for move in on_board)),
        "king_moves": float(min(by_king, _MOST_ANSWERS)),
        "other_answers": float(min(len(on_board) - by_king, _MOST_ANSWERS)),
        "may_be_blocked": float(len(answers) > len(on_board)),
        "discovers": float(target not in checkers),
        "double": float(len(checkers) > 1),
    }


def _attackers(record: Record, cell: int) -> list[int]:
    """The cells of the attacker's pieces that attack a cell."""
    found, cells = int(by_side(int(record.effects[cell]), ATT)), []
    while found:
        cells.append(int(source(record, cell, (found & -found).bit_length() - 1)))
        found &= found - 1
    return cells


def _steps(cell: int, other: int) -> int:
    """A king's moves from one cell to another on an empty board."""
    (file, rank), (other_file, other_rank) = divmod(int(SQUARE[cell]), 9), divmod(int(SQUARE[other]), 9)
    return max(abs(file - other_file), abs(rank - other_rank))
