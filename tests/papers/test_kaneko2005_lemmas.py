# SPDX-License-Identifier: GPL-3.0-or-later
"""What Kaneko2005 states of its parts, on random positions and small numbers.

That a mate in one is that of move generation, and that a3 and d2 are searches of three and
two plies, is tested beside the kernels (tests/solver/engines/dfpn/kernel).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from solver.engines.dfpn.kernel import outcome
from solver.engines.dfpn.kernel.arena import CHILD, FRAME, ONE, SEARCH, TWO
from solver.engines.dfpn.kernel.mate_in_one import mate_in_one
from solver.engines.dfpn.kernel.search import _farther
from solver.results import Interposition
from tests.sampling import attacks, crowded
from tsume_rules.moves import Move
from tsume_rules.packed import Record, legal_checks, legal_evasions, pack, pack_move, record_after
from tsume_rules.position import Kind, Piece, Position, Side
from tsume_rules.sfen import format_sfen

PIECES = ("+p", "+l", "+n", "+s", "+b", "+r", "g", "p", "l", "n", "s", "b", "r")
TABLE_2 = {
    "attacker": dict(zip(PIECES, (2, 4, 4, 4, 8, 8, 8, 1, 4, 4, 4, 6, 6), strict=True)),
    "defender": dict(zip(PIECES, (0, -2, -2, -2, -3, -3, -2, 0, -1, -1, -2, -2, -2), strict=True)),
}
KING = Piece(Side.DEFENDER, Kind.KING)
KINDS = ("", "p", "l", "n", "s", "b", "r", "g", "", "+p", "+l", "+n", "+s", "+b", "+r")


@pytest.mark.parametrize(
    ("side", "costs"), [("attacker", outcome._ATTACKER), ("defender", outcome._DEFENDER)]
)
def test_moves_cost_what_table_2_says(side: str, costs: np.ndarray) -> None:
    assert {kind: int(costs[code]) for code, kind in enumerate(KINDS) if kind} == TABLE_2[side]


def numbers_two_plies_deep(record: Record) -> tuple[int, int]:
    """Proof and disproof number of the tree of all checks and all answers, its leaves 1 and 1."""
    below = [len(legal_evasions(record_after(record, (check,)))) for check in legal_checks(record)]
    return min(below), len(below)


def pawn_is_not_allowed(position: Position, record: Record) -> bool:
    """Whether a pawn in hand cannot check from a free cell before the king: it may be that it would mate."""
    front = position.board.index(KING) + 1
    free = front % 9 != 0 and position.board[front] is None
    drop = Move(front, drop=Kind.PAWN)
    return bool(position.attacker_hand[Kind.PAWN]) and free and pack_move(drop) not in legal_checks(record)


@pytest.mark.parametrize("draw", [attacks, crowded])
def test_the_estimate_never_exceeds_the_numbers_of_the_tree_it_stands_for(
    draw: Callable[..., Iterator[Position]],
) -> None:
    """Section 4.4: H' is admissible, that is, bounds both from below.

    Two kinds of check are counted that are not allowed: those that leave the attacker's own
    king attacked (he has none here), and the pawn dropped that would mate.
    """
    out, looked_at = np.zeros(1 << 13, dtype=np.int64), 0
    for position in draw(300, seed="admissible"):
        record = pack(position)
        move, dn, pn = mate_in_one(record, Interposition.COUNT_ALL.value, out, 0)
        if move or record.king[0] or not legal_checks(record):
            continue
        looked_at += 1
        true_pn, true_dn = numbers_two_plies_deep(record)
        assert max(int(pn), 1) <= true_pn, format_sfen(position)
        assert int(dn) <= true_dn + pawn_is_not_allowed(position, record), format_sfen(position)
    assert looked_at > 30


def farther(extension: int, numbers: list[int], *, attacker: bool) -> int:
    """The threshold of the best of some children beside the runner-up."""
    search, frame = np.zeros(1, SEARCH).view(np.recarray)[0], np.zeros(1, FRAME).view(np.recarray)[0]
    kids = np.zeros(len(numbers), CHILD).view(np.recarray)
    search.extension, frame.count, frame.attacker = extension, len(numbers), attacker
    for kid, number in zip(kids, numbers, strict=True):
        kid.pn, kid.dn = (number, 1) if attacker else (1, number)
    return int(_farther(search, frame, kids, sorted(numbers)[1]))


@pytest.mark.parametrize("attacker", [True, False])
def test_a_threshold_is_extended_by_the_children_s_average_at_most_two(attacker: bool) -> None:
    """p2d2 (5.5.1.2); without it a child is left as soon as its number passes the runner-up's."""
    rng = random.Random(3)
    for _ in range(200):
        numbers = [rng.randint(1, 9) for _ in range(rng.randint(2, 6))]
        second = sorted(numbers)[1]
        by_average = min(sum(numbers) // len(numbers), 2)
        assert farther(TWO, numbers, attacker=attacker) == second + by_average
        assert farther(ONE, numbers, attacker=attacker) == second + 1
