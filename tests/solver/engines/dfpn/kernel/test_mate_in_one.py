# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate in one without generating moves, against twins that generate them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
import shogi

from solver.engines.dfpn.kernel.mate_in_one import CHECKING_KINDS, TAKEN_AWAY, mate_in_one
from solver.engines.kernel.mate import is_mated
from solver.results import Interposition
from tests import naive
from tests.sampling import attacks, crowded, starts
from tests.solver.questions import READINGS, expected
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.move_generation import checks
from tsume_rules.kernel.state import count_in_hand, do, undo
from tsume_rules.kernel.tables import ATT
from tsume_rules.packed import Record, pack, unpack_move
from tsume_rules.position import HAND_KINDS, Hand, Position
from tsume_rules.sfen import format_sfen, parse_sfen

ROOM = 1 << 13
START = 700
"""The start of the kernel's scratch space; it must not write before."""

MATES = {
    "gold before the king": "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    "supported by a slider behind the piece that moves": "4k4/9/4S4/4L4/9/9/9/9/9 b 2r2b4g3s4n3l18p 1",
    "double check by a knight": "3gkg3/3p1p3/9/9/4N4/9/9/9/4R4 b r2b2g4s3n4l16p 1",
    "smothered by a knight that is dropped": "7nk/7bl/9/9/9/9/9/9/9 b N2rb4g4s2n3l18p 1",
    "what could take is pinned": "R6gk/9/8P/9/9/9/9/9/9 b Gr2b2g4s4n4l17p 1",
    "a slider stands behind the piece that is captured": "4Rp1k1/8l/5+R+S1l/9/6p1p/7P1/9/9/9 b"
    " 2b4g3s4n2l14p 1",
    "the checking piece is taken and a line opened": "R5Grk/9/8P/9/9/9/9/9/7K1 b 2b3g4s4n4l17p 1",
}
"""By the narrow reading at least."""
NO_MATES = {
    "a pawn dropped must not mate": "3lkl3/3p1p3/4G4/9/9/9/9/9/9 b P2r2b3g4s4n2l15p 1",
    "the mating piece is pinned": "6l1k/6G2/6K2/9/9/9/9/9/9 b 2r2b3g4s4n3l18p 1",
    "what could take is not pinned": "7gk/9/8P/9/9/9/9/9/9 b G2r2b2g4s4n4l17p 1",
    "nothing to check with": "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1",
    "the attacker's king stays in check": "4k4/9/4P4/9/9/9/9/9/4K3r b Gr2b3g4s4n4l17p 1",
}


class Found:
    """The kernel's answer, and the hand it leaves."""

    def __init__(self, record: Record, mode: int, out: np.ndarray) -> None:
        before = np.asarray(record).tobytes()
        out[:START] = -1
        move, checks_counted, liberties = mate_in_one(record, mode, out, START)
        assert np.asarray(record).tobytes() == before
        assert (out[:START] == -1).all()
        self.mates = move != 0
        self.usi = unpack_move(int(move)).usi if move else ""
        self.hand = int(out[START]) if move else 0
        self.checks = int(checks_counted)
        self.liberties = int(liberties)


@pytest.fixture
def out() -> np.ndarray:
    return np.zeros(ROOM, dtype=np.int64)


def holding(position: Position, hand: int) -> Position:
    """The position with a packed hand for the attacker; the defender holds the rest."""
    return position.with_attacker_hand(Hand.of({kind: int(count_in_hand(hand, kind)) for kind in HAND_KINDS}))


# --- by the twin ----------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("draw", [attacks, crowded, starts])
def test_mates_in_one_are_those_of_the_slow_twin(
    draw: Callable[..., Iterator[Position]], reading: Interposition, out: np.ndarray
) -> None:
    mates = 0
    for position in draw(60, seed=f"mate in one {reading.name}"):
        found = Found(pack(position), reading.value, out)
        twin = expected(position, READINGS[reading], (1,))[1]
        assert found.mates == bool(twin), format_sfen(position)
        if found.mates:
            mates += 1
            assert found.usi in twin, format_sfen(position)
            assert_hand_proves(position, found, READINGS[reading])
    assert mates > 2


def assert_hand_proves(position: Position, found: Found, reading: naive.Reading) -> None:
    """With only the proof's hand the same check is legal and mates."""
    for kind in HAND_KINDS:
        assert count_in_hand(found.hand, kind) <= position.attacker_hand[kind], format_sfen(position)
    fewer = holding(position, found.hand)
    assert found.usi in expected(fewer, reading, (1,))[1], format_sfen(fewer)


@pytest.mark.parametrize("draw", [attacks, crowded, starts])
def test_checks_and_liberties_where_there_is_no_mate(
    draw: Callable[..., Iterator[Position]], out: np.ndarray
) -> None:
    """All checks except unpromoted twins are counted, also those that leave one's own king attacked."""
    none = 0
    for position in draw(50, seed="liberties"):
        found = Found(pack(position), Interposition.NARROW.value, out)
        if found.mates:
            assert found.checks == found.liberties == 0
            continue
        board = naive.board_of(format_sfen(position))
        pseudo = pseudo_checks(board)
        twins = {usi for usi in pseudo if usi + "+" in pseudo and gains_all(pseudo[usi])}
        assert found.checks == len(pseudo) - len(twins), format_sfen(position)
        for usi, kind in pseudo.items():
            if kind != shogi.KNIGHT or usi.endswith("+"):  # see the test that is expected to fail
                assert found.liberties <= king_moves_after(board, usi), (format_sfen(position), usi)
        none += not pseudo
    assert none or draw is crowded


def pseudo_checks(board: naive.Board) -> dict[str, int]:
    """All checks, whether or not they leave the attacker's king attacked, with the kinds that move."""
    found = {}
    for move in naive._maybe_checks(board):
        with naive._after(board, move):
            king = board.king_squares[shogi.BLACK]
            checkers = naive.checkers(board)
        if any(sq != king for sq in checkers):
            drop = move.drop_piece_type
            found[move.usi()] = board.piece_type_at(move.from_square) if drop is None else drop
    return found


def gains_all(piece_type: int) -> bool:
    return piece_type in (shogi.PAWN, shogi.BISHOP, shogi.ROOK)


def king_moves_after(board: naive.Board, usi: str) -> int:
    with naive._after(board, shogi.Move.from_usi(usi)):
        king = board.king_squares[shogi.WHITE]
        moves = [move for move in naive._board_moves(board) if move.from_square == king]
        return sum(not naive._leaves_own_king(board, move) for move in moves)


def test_liberties_where_a_knight_opens_a_line(out: np.ndarray) -> None:
    """The knight's check at 6c opens the bishop's line to 4b."""
    sfen = "4k4/9/9/9/P1N6/1B7/9/9/9 b 2rb4g4s3n4l17p 1"
    board = naive.board_of(sfen)
    assert list(pseudo_checks(board)) == ["7e6c"]
    found = Found(pack(parse_sfen(sfen).position), Interposition.NARROW.value, out)
    assert found.checks == 1
    assert found.liberties <= king_moves_after(board, "7e6c")


# --- by the paper's table --------------------------------------------------------------------------

NEIGHBOURS = [(1, -1), (0, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (0, 1), (-1, 1)]
"""Of the king, as figure 1 numbers them from 1 on: files and ranks away, files counted to the left."""
DIRECTIONS = [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (0, 1)]
HAND_LETTERS = " PLNSBRG"


@pytest.mark.parametrize(
    ("drops", "flights", "kinds"),
    [([7], [4, 5, 6, 8], "G"), ([5, 6], [4], "RGS"), ([7], [1, 2, 3], "")],
)
def test_a_dropped_piece_takes_away_what_figure_1_says(
    drops: list[int], flights: list[int], kinds: str
) -> None:
    """Kaneko2005, 4.3.1: which kinds, dropped on a cell of ``drops``, leave none of ``flights``."""
    ways = [DIRECTIONS.index(NEIGHBOURS[number - 1]) for number in range(1, 9)]
    free = sum(1 << ways[number - 1] for number in flights)
    found = {
        HAND_LETTERS[kind]
        for kind in range(1, 8)
        for d in (ways[number - 1] for number in drops)
        if CHECKING_KINDS[0, 7 - d] >> kind & 1 and not free & ~TAKEN_AWAY[kind, d, 1]
    }
    assert found == set(kinds)


# --- by the kernels that generate moves -----------------------------------------------------------


@jit
def mates_by_trying(pos: Record, mode: int, out: np.ndarray) -> int:
    """The number of legal checks that mate."""
    end = checks(pos, out, 0)
    found = 0
    for i in range(end):
        captured = do(pos, out[i], ATT)
        found += is_mated(pos, mode, out, end)
        undo(pos, out[i], ATT, captured)
    return found


@pytest.mark.parametrize("draw", [attacks, crowded, starts])
def test_no_mate_is_missed_in_many_positions(
    draw: Callable[..., Iterator[Position]], out: np.ndarray
) -> None:
    mates = 0
    for position in draw(175, seed="many"):
        record = pack(position)
        for reading in READINGS:
            number = mates_by_trying(record, reading.value, out)
            mates += number > 0
            assert Found(record, reading.value, out).mates == (number > 0), format_sfen(position)
    assert mates


@pytest.mark.parametrize("reading", READINGS)
def test_left_and_right_are_alike(reading: Interposition, out: np.ndarray) -> None:
    for position in [*attacks(30, seed="mirrored"), *crowded(30, seed="mirrored")]:
        one = Found(pack(position), reading.value, out)
        other = Found(pack(position.mirrored), reading.value, out)
        assert (one.mates, one.checks, one.liberties) == (other.mates, other.checks, other.liberties)


# --- examples -----------------------------------------------------------------------------------


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("sfen", [*MATES.values(), *NO_MATES.values()], ids=[*MATES, *NO_MATES])
def test_cases(sfen: str, reading: Interposition, out: np.ndarray) -> None:
    position = parse_sfen(sfen).position
    found = Found(pack(position), reading.value, out)
    twin = expected(position, READINGS[reading], (1,))[1]
    assert found.mates == bool(twin)
    if reading is Interposition.NARROW:
        assert found.mates == (sfen in MATES.values())
    if found.mates:
        assert found.usi in twin
        assert_hand_proves(position, found, READINGS[reading])


def test_readings_differ_in_what_may_come_between(out: np.ndarray) -> None:
    """The rook can take any piece dropped between."""
    record = pack(parse_sfen("k8/1P7/G8/9/9/9/9/9/8R b r2b3g4s4n4l17p 1").position)
    found = {reading: Found(record, reading.value, out).mates for reading in READINGS}
    assert found == {Interposition.NARROW: True, Interposition.COUNT_ALL: False, Interposition.WIDE: True}


def test_what_the_defender_must_not_get_is_in_the_proof_hand(out: np.ndarray) -> None:
    """He has nothing to drop between and must not get any piece that the attacker holds."""
    position = parse_sfen("k8/1P7/G8/9/9/9/9/9/8R b R2B3G4S4N4L17P 1").position
    found = Found(pack(position), Interposition.COUNT_ALL.value, out)
    assert found.mates
    assert_hand_proves(position, found, "count_all")
