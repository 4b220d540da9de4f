# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate in one without generating moves, against twins that generate them."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import shogi

from solver.certificates.writer import EngineOracle
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import DISPROVEN, PROVEN, UNKNOWN
from solver.engines.dfpn.kernel.frontier import (
    sort_likeliest_first,
    sort_tightest_first,
    try_mate_in_one,
    try_mate_in_three,
    try_mated_in_two,
)
from solver.engines.dfpn.kernel.mate_in_one import (
    CHECKING_KINDS,
    COVERED,
    PLACE,
    TAKEN_AWAY,
    covered_king_neighbours,
    liberties_after,
    mate_in_one,
    quick_mate,
)
from solver.engines.dfpn.kernel.table import FOREVER
from solver.engines.kernel.mate import is_mated, may_be_futile
from solver.results import Interposition
from tests import naive
from tests.positions import evasions, in_bytes, random_attack
from tests.sampling import attacks, checked, crowded, promotable, starts
from tests.solver.questions import READINGS, expected
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.move_generation import MAX_MOVES, checks, king_flight_directions, pseudo_checks
from tsume_rules.kernel.state import count_in_hand, do, hand_contains, lift, packed_hand, undo
from tsume_rules.kernel.tables import ATT, CELL, DEF, DIST, LINE
from tsume_rules.packed import (
    PackedPosition,
    legal_checks,
    pack,
    pack_codes,
    pack_move,
    played,
    record_after,
    target_of,
    unpack,
    unpack_move,
)
from tsume_rules.position import HAND_KINDS, Hand, Kind, Position, Side
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
    "a slider stands behind the piece that is captured": "4Rp1k1/8l/5+R+S1l/9/6p1p/7P1/9/9/9 b 2b4g3s4n2l14p 1",
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

    def __init__(self, packed: PackedPosition, mode: int, out: np.ndarray) -> None:
        before = np.asarray(packed).tobytes()
        out[:START] = -1
        move, checks_counted, liberties = mate_in_one(packed, mode, out, START)
        assert np.asarray(packed).tobytes() == before
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
def test_checks_and_liberties_where_there_is_no_mate(draw: Callable[..., Iterator[Position]], out: np.ndarray) -> None:
    """All checks except unpromoted twins are counted, also those that leave one's own king attacked."""
    none = 0
    for position in draw(50, seed="liberties"):
        found = Found(pack(position), Interposition.NARROW.value, out)
        if found.mates:
            assert found.checks == found.liberties == 0
            continue
        board = naive.board_of(format_sfen(position))
        pseudo = all_checks(board)
        twins = {usi for usi in pseudo if usi + "+" in pseudo and gains_all(pseudo[usi])}
        assert found.checks == len(pseudo) - len(twins), format_sfen(position)
        for usi, kind in pseudo.items():
            if kind != shogi.KNIGHT or usi.endswith("+"):  # see the test that is expected to fail
                assert found.liberties <= king_moves_after(board, usi), (format_sfen(position), usi)
        none += not pseudo
    assert none or draw is crowded


def all_checks(board: naive.Board) -> dict[str, int]:
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
    assert list(all_checks(board)) == ["7e6c"]
    found = Found(pack(parse_sfen(sfen).position), Interposition.NARROW.value, out)
    assert found.checks == 1
    assert found.liberties <= king_moves_after(board, "7e6c")


# --- by the paper's table --------------------------------------------------------------------------
NEIGHBOURS = [(1, -1), (0, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (0, 1), (-1, 1)]
"""Of the king, as figure 1 numbers them from 1 on: files and ranks away, files counted to the left."""
DIRECTIONS = [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (0, 1)]
HAND_LETTERS = " PLNSBRG"


@pytest.mark.parametrize(
    ("drops", "flights", "kinds"), [([7], [4, 5, 6, 8], "G"), ([5, 6], [4], "RGS"), ([7], [1, 2, 3], "")]
)
def test_a_dropped_piece_takes_away_what_figure_1_says(drops: list[int], flights: list[int], kinds: str) -> None:
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
def mates_by_trying(pos: PackedPosition, mode: int, out: np.ndarray) -> int:
    """The number of legal checks that mate."""
    end = checks(pos, out, 0)
    found = 0
    for i in range(end):
        captured = do(pos, out[i], ATT)
        found += is_mated(pos, mode, out, end)
        undo(pos, out[i], ATT, captured)
    return found


@pytest.mark.parametrize("draw", [attacks, crowded, starts])
def test_no_mate_is_missed_in_many_positions(draw: Callable[..., Iterator[Position]], out: np.ndarray) -> None:
    mates = 0
    for position in draw(175, seed="many"):
        packed = pack(position)
        for reading in READINGS:
            number = mates_by_trying(packed, reading.value, out)
            mates += number > 0
            assert Found(packed, reading.value, out).mates == (number > 0), format_sfen(position)
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
    assert_same(pack(position), reading.value, out, sfen)


def test_readings_differ_in_what_may_come_between(out: np.ndarray) -> None:
    """The rook can take any piece dropped between."""
    packed = pack(parse_sfen("k8/1P7/G8/9/9/9/9/9/8R b r2b3g4s4n4l17p 1").position)
    mates = {reading: Found(packed, reading.value, out).mates for reading in READINGS}
    assert mates == {Interposition.NARROW: True, Interposition.COUNT_ALL: False, Interposition.WIDE: True}
    # He has nothing to drop between and must not get any piece that the attacker holds.
    position = parse_sfen("k8/1P7/G8/9/9/9/9/9/8R b R2B3G4S4N4L17P 1").position
    found = Found(pack(position), Interposition.COUNT_ALL.value, out)
    assert found.mates
    assert_hand_proves(position, found, "count_all")


# --- Mate in one for the last plies against the one with estimates; what it builds on --------------


def assert_same(packed: PackedPosition, mode: int, out: np.ndarray, name: str) -> bool:
    """Both kernels find the same mate with the same hand; what is certain is true. Whether there is one."""
    before = np.asarray(packed).tobytes()
    out[:START] = -1
    move, number, _ = mate_in_one(packed, mode, out, START)
    hand = int(out[START])
    found, certain = quick_mate(packed, mode, out, START)
    assert np.asarray(packed).tobytes() == before
    assert (out[:START] == -1).all()
    assert found == move, name
    if move:
        assert out[START] == hand, name
    elif certain:
        assert number > 0, name
    return bool(move)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("draw", [attacks, crowded, starts, promotable])
def test_it_finds_what_the_one_with_estimates_finds(
    draw: Callable[..., Iterator[Position]], reading: Interposition, out: np.ndarray
) -> None:
    mates = sum(
        assert_same(pack(position), reading.value, out, format_sfen(position))
        for position in draw(75, seed=f"quick {reading.name}")
    )
    assert mates > 0


def _shielded(rng: random.Random) -> PackedPosition:
    """A king, and on a ray from it an attacker's piece, a defender's and an attacker's slider.

    When the attacker's piece moves away, the defender's is pinned. Others are scattered around the king.
    """
    while True:
        file, rank = rng.randrange(9), rng.randrange(9)
        step = rng.choice([(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)])
        far = sorted(rng.sample(range(1, 6), 3))
        cells = [(file + n * step[0], rank + n * step[1]) for n in far]
        if not all(0 <= x < 9 and 0 <= y < 9 for x, y in cells):
            continue
        slider = Kind.BISHOP if all(step) else Kind.ROOK
        codes = np.zeros(81, dtype=np.int8)
        codes[9 * file + rank] = 16 + Kind.KING
        for x, y in rng.sample([(file + i, rank + j) for i in range(-2, 3) for j in range(-2, 3)], 8):
            if 0 <= x < 9 and 0 <= y < 9 and codes[9 * x + y] == 0:
                codes[9 * x + y] = rng.choice(_AROUND)
        for n in range(1, far[2]):
            codes[9 * (file + n * step[0]) + rank + n * step[1]] = 0
        for (x, y), code in zip(cells, (rng.choice(_MOVERS), 16 + rng.choice(_GUARDS), slider), strict=True):
            codes[9 * x + y] = code
        packed = pack_codes(codes, np.array([[0] * 8, [0, 3, 1, 1, 1, 1, 0, 0]], dtype=np.int8))
        if not in_check(packed, DEF):
            return packed


_AROUND = (Kind.GOLD, Kind.SILVER, Kind.TOKIN, 16 + Kind.PAWN, 16 + Kind.LANCE, 16 + Kind.SILVER)
_MOVERS = (Kind.BISHOP, Kind.ROOK, Kind.HORSE, Kind.DRAGON, Kind.SILVER, Kind.GOLD, Kind.KNIGHT)
_GUARDS = (Kind.KNIGHT, Kind.SILVER, Kind.GOLD, Kind.BISHOP, Kind.ROOK)


@pytest.mark.parametrize("reading", READINGS)
def test_what_could_take_may_be_pinned_by_the_check(reading: Interposition, out: np.ndarray) -> None:
    rng, found = random.Random("pinned by the check"), 0
    for _ in range(3000):
        packed = _shielded(rng)
        mates = mates_by_trying(packed, reading.value, out) > 0
        assert assert_same(packed, reading.value, out, format_sfen(unpack(packed))) == mates, format_sfen(
            unpack(packed)
        )
        found += mates
    assert found > 100


def test_cells_covered_from_a_distance_agree_with_those_on_rays() -> None:
    king = int(CELL[40])
    for cell in (int(cell) for cell in CELL if cell != king):
        d, far = int(LINE[king, cell]), int(DIST[king, cell])
        if 0 <= d < 8:
            for kind in range(1, 15):
                covered = int(covered_king_neighbours(kind, cell, king))
                assert covered & ~int(TAKEN_AWAY[kind, d, min(far, 3)]) == 0, (kind, cell)
                assert far > 3 or covered == TAKEN_AWAY[kind, d, far], (kind, cell)
    offsets = {int(PLACE[a] - PLACE[king]) for a in CELL}
    assert len(offsets) == len(CELL)
    assert COVERED.shape == (16, 17 * 17)


def test_what_a_piece_covers_includes_what_it_attacks() -> None:
    """A check's new effects beside the king are all foreseen."""
    seen = 0
    for position in crowded(60, seed="covered"):
        packed: Any = pack(position)
        king = int(packed.king[DEF])
        for cell in (int(cell) for cell in CELL):
            kind = int(packed.board[cell])
            if 0 < kind < 15 and kind != 8:
                attacked = attacked_beside(packed, cell, king)
                assert attacked & ~int(covered_king_neighbours(kind, cell, king)) == 0, format_sfen(position)
                seen += attacked != 0
    assert seen > 20


def attacked_beside(packed: Any, cell: int, king: int) -> int:
    """The king's neighbours that lose an effect of the attacker's when the piece on a cell is lifted."""
    bits = 0
    before = packed.effects.copy()
    board = packed.board.copy()
    lifted = packed.copy()
    lift(lifted, cell)
    for neighbour in range(128):
        d = int(LINE[king, neighbour])
        if 0 <= d < 8 and DIST[king, neighbour] == 1:
            gone = int(before[neighbour]) & ~int(lifted.effects[neighbour]) & ((1 << 20) - 1)
            if gone:
                bits |= 1 << d
    assert (board == packed.board).all()
    return bits


# --- The fixed-depth search at new nodes against the slow twin and against longer searches ---------

FRONTIER_START = 100
"""The start of the kernels' scratch space."""


class Tried:
    """A kernel's answer for a position, and what it leaves in the search state."""

    def __init__(self, engine: DfPnEngine, kernel: Callable[..., int], packed: PackedPosition, *more: int) -> None:
        before = np.asarray(packed).tobytes()
        engine._scratch[:FRONTIER_START] = -1
        arena = engine.arena(packed)
        self.found = int(kernel(arena, FRONTIER_START, *more))
        assert np.asarray(packed).tobytes() == before
        assert (engine._scratch[:FRONTIER_START] == -1).all()
        search = arena.search
        self.numbers = int(search.pn), int(search.dn)
        self.length = int(search.length)
        self.hand = int(search.hand)


def three(engine: DfPnEngine, packed: PackedPosition) -> Tried:
    """Mate in one first, as in the search."""
    one = Tried(engine, try_mate_in_one, packed)
    return one if one.found == PROVEN else Tried(engine, try_mate_in_three, packed)


def filled(position: Position, hand: int) -> Position:
    """The position with a packed hand for the attacker, capped at what the board leaves of a set."""
    total = {kind: position.attacker_hand[kind] + position.defender_hand[kind] for kind in HAND_KINDS}
    most = {kind: min(int(count_in_hand(hand, kind)), total[kind]) for kind in HAND_KINDS}
    return position.with_attacker_hand(Hand.of(most))


def attacker_mates(position: Position, n: int, reading: naive.Reading) -> bool:
    return naive.mate_within(naive.board_of(format_sfen(position)), n, reading)


def defender_is_mated(position: Position, n: int, reading: naive.Reading) -> bool:
    return naive.mated_within(naive.board_of(format_sfen(position)), n, reading)


def may_be_open(position: Position, reading: Interposition) -> bool:
    """Whether the kernel may answer UNKNOWN: there are drops that may be futile."""
    return reading is not Interposition.COUNT_ALL and bool(position.defender_hand)


# --- the attacker to move --------------------------------------------------------------------------
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(("draw", "number"), [(attacks, 25), (starts, 20), (crowded, 6), (promotable, 16)])
def test_mates_in_three_are_those_of_the_slow_twin(
    draw: Callable[..., Iterator[Position]], number: int, reading: Interposition
) -> None:
    """Many pieces near the zone: within three plies a pawn, bishop or rook never mates by not promoting."""
    engine, twin = DfPnEngine(table_bits=8, interposition=reading), READINGS[reading]
    seen = set()
    for position in draw(number, seed=f"three {reading.name}"):
        tried = three(engine, pack(position))
        seen.add(tried.found)
        if tried.found == PROVEN:
            assert tried.numbers[0] == 0
            assert tried.length in (1, 3)
            assert hand_contains(packed_hand(pack(position)), tried.hand), format_sfen(position)
            assert attacker_mates(position, tried.length, twin), format_sfen(position)
            assert attacker_mates(holding(position, tried.hand), tried.length, twin), format_sfen(position)
        elif tried.found == DISPROVEN:
            assert tried.numbers[1] == 0
            assert tried.length in (3, FOREVER)
            assert not attacker_mates(position, 3, twin), format_sfen(position)
            larger = filled(position, tried.hand)
            assert not attacker_mates(larger, 3, twin), format_sfen(larger)
            if tried.length == FOREVER:
                assert_no_mate_at_all(larger, reading)
        else:
            assert may_be_open(position, reading), format_sfen(position)
    assert {PROVEN, DISPROVEN} <= seen
    assert (UNKNOWN in seen) <= (reading is not Interposition.COUNT_ALL)


def assert_no_mate_at_all(position: Position, reading: Interposition) -> None:
    longer = DfPnEngine(table_bits=12, interposition=reading)
    assert not any(longer.mates(pack(position), n) for n in (5, 7)), format_sfen(position)


@pytest.mark.parametrize("reading", READINGS)
def test_no_mate_in_one_is_no_mate_within_one(reading: Interposition) -> None:
    engine, twin = DfPnEngine(table_bits=8, interposition=reading), READINGS[reading]
    for position in [*attacks(30, seed="one"), *crowded(20, seed="one")]:
        tried = Tried(engine, try_mate_in_one, pack(position))
        assert (tried.found == PROVEN) == attacker_mates(position, 1, twin), format_sfen(position)
        if tried.found == DISPROVEN:
            assert not attacker_mates(filled(position, tried.hand), 1, twin), format_sfen(position)
            if tried.length == FOREVER:
                assert not legal_checks(pack(filled(position, tried.hand))), format_sfen(position)


# --- the defender to move --------------------------------------------------------------------------
@pytest.mark.parametrize("reading", READINGS)
def test_mated_in_two_agrees_with_the_slow_twin(reading: Interposition) -> None:
    engine, twin = DfPnEngine(table_bits=8, interposition=reading), READINGS[reading]
    seen = set()
    for position in [*checked(50, seed=f"two {reading.name}"), *after_checks(25, f"two {reading.name}")]:
        tried = Tried(engine, try_mated_in_two, pack(position), 0)
        seen.add(tried.found)
        if tried.found == PROVEN:
            assert tried.length in (0, 2)
            assert defender_is_mated(position, tried.length, twin), format_sfen(position)
            assert hand_contains(packed_hand(pack(position)), tried.hand), format_sfen(position)
            fewer = holding(position, tried.hand)
            assert defender_is_mated(fewer, tried.length, twin), format_sfen(fewer)
        elif tried.found == DISPROVEN:
            assert tried.length in (2, FOREVER)
            assert not defender_is_mated(position, 2, twin), format_sfen(position)
            if tried.length == FOREVER:
                longer = DfPnEngine(table_bits=12, interposition=reading)
                assert not any(longer.is_mated(pack(position), n) for n in (4, 6)), format_sfen(position)
        else:
            assert may_be_open(position, reading), format_sfen(position)
            assert naive.interposition_squares(naive.board_of(format_sfen(position)))
    assert {PROVEN, DISPROVEN} <= seen


def after_checks(number: int, seed: str) -> Iterator[Position]:
    """Positions after the first check of problems."""

    for position in attacks(number, seed=seed):
        packed = pack(position)
        for check in legal_checks(packed)[:2]:
            yield unpack(record_after(packed, (check,)), Side.DEFENDER)


def test_whatever_answer_is_tried_first_the_outcome_is_the_same() -> None:
    engine = DfPnEngine(table_bits=8)
    for position in checked(60, seed="killer"):
        packed = pack(position)
        plain = Tried(engine, try_mated_in_two, packed, 0)
        for answer in [pack_move(move) for move in evasions(position)][:6]:
            other = Tried(engine, try_mated_in_two, packed, answer)
            assert other.found == plain.found, format_sfen(position)
            if plain.found == PROVEN:
                assert (other.length, other.hand) == (plain.length, plain.hand), format_sfen(position)


def test_checks_are_sorted_by_what_they_leave_the_king_and_what_they_give_away() -> None:
    out = np.zeros(2 * MAX_MOVES, dtype=np.int64)
    for position in [*attacks(60, seed="sorted"), *crowded(30, seed="sorted")]:
        packed: Any = pack(position)
        king, free = int(packed.king[Side.DEFENDER]), king_flight_directions(packed)
        for sort in (sort_tightest_first, sort_likeliest_first):
            end = pseudo_checks(packed, False, out, 0)
            before = out[:end].tolist()
            sort(packed, out, 0, end)
            moves = out[:end].tolist()
            assert sorted(moves) == sorted(before)
            left = [int(liberties_after(packed, move, king, free)) for move in moves]
            ranks = left if sort is sort_tightest_first else [rank(packed, move) for move in moves]
            assert ranks == sorted(ranks), format_sfen(position)


def rank(packed: Any, check: int) -> int:
    """Two for each cell left to the king; more for a check from afar, one that is given away, no capture."""
    king, cell = int(packed.king[Side.DEFENDER]), check & 127
    beside = int(DIST[king, cell]) == 1 and int(LINE[king, cell]) < 8
    by_defender = int(packed.effects[cell]) >> 20
    by_attacker = (int(packed.effects[cell]) & 0xFFFFF).bit_count()
    total = 2 * int(liberties_after(packed, check, king, king_flight_directions(packed)))
    if beside:
        by_defender &= ~(1 << int(LINE[king, cell]))
        total += 5 if by_attacker == (0 if check >> 15 else 1) else 0
    elif 0 <= int(LINE[king, cell]) < 8:
        total += 2
    return total + (2 if by_defender else 0) - (2 if packed.board[cell] else 0)


@pytest.mark.parametrize("reading", READINGS)
def test_a_disproof_with_many_pieces_in_hand_holds_for_each_of_them(reading: Interposition) -> None:
    """Drops on a cell are refuted together; one of them may still mate."""
    engine = DfPnEngine(table_bits=10, interposition=reading)
    lone = DfPnEngine(table_bits=10, interposition=reading)
    proven = 0
    for position in attacks(80, seed=f"together {reading.name}"):
        packed = pack(position)
        found = three(engine, packed)
        if found.found == UNKNOWN:
            continue
        mating = [c for c in legal_checks(packed) if lone.mates_after(packed, c, 3)]
        assert (found.found == PROVEN) == bool(mating), format_sfen(position)
        proven += found.found == PROVEN
    assert proven > 0


# --- unpromoted moves -------------------------------------------------------------------------------
FIVE = {
    "a rook beside the king that does not promote": "5R3/6+P2/7k1/9/6R2/9/9/9/9 b P2b4g4s4n4l16p 1",
    "a rook that does not promote with a bishop about": "8k/8B/5R3/6R2/9/9/9/9/9 b Pb4g4s4n4l17p 1",
    "a bishop that does not promote": "3B3l1/6kn1/3B5/6+P2/9/9/9/9/9 b P2r4g4s3n3l16p 1",
}


def first_moves(engine: DfPnEngine, packed: PackedPosition, n: int) -> set[str]:
    checks = legal_checks(packed)
    return {unpack_move(check).usi for check in checks if engine.mates_after(packed, check, n)}


@pytest.mark.parametrize("sfen", FIVE.values(), ids=FIVE)
def test_an_unpromoted_move_is_found_if_only_that_mates(sfen: str) -> None:
    """With the piece promoted, the pawn drop that follows would mate (打歩詰)."""
    packed = pack(parse_sfen(sfen).position)
    engine = DfPnEngine(table_bits=12)
    assert three(engine, packed).found != PROVEN
    assert not engine.mates(packed, 3)
    mating = first_moves(engine, packed, 5)
    assert mating == naive.mating_moves(sfen, 5)
    assert len(mating) == 1
    assert not any(usi.endswith("+") for usi in mating)
    assert next(iter(mating)) + "+" in {unpack_move(check).usi for check in legal_checks(packed)}


# --- Moves known without a search, against the engine asked about each -----------------------------


def refutes(engine: DfPnEngine, packed: PackedPosition, answer: int, n: int) -> bool:
    """Whether there is no mate within n plies after an answer, and it is not a futile drop."""
    futile = may_be_futile(packed, answer) and engine.is_futile(packed, target_of(answer), n)
    with played(packed, answer, Side.DEFENDER):
        return not futile and (n < 2 or not engine.mates(packed, n - 1))


def test_known_refutations_refute_and_known_mates_mate() -> None:
    rng = random.Random(5)
    asked, twin = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16)
    oracle = EngineOracle(asked)
    refuted = mating = 0
    for _ in range(60):
        packed = pack(random_attack(rng, rng.random() < 0.3))
        before = in_bytes(packed)
        checks = legal_checks(packed)
        for n in (1, 3, 5):
            asked.mates(packed, n)
            answers = oracle.refutations(packed, checks, n - 1)
            lengths = oracle.lengths(packed, checks, n - 1)
            for check, answer, length in zip(checks, answers, lengths, strict=True):
                with played(packed, check, Side.ATTACKER):
                    assert not answer or refutes(twin, packed, answer, n - 1)
                    assert length < 0 or (length < n and twin.is_mated(packed, length))
                assert not (answer and length >= 0)
                refuted += answer != 0
                mating += length >= 0
        assert in_bytes(packed) == before
    assert refuted > 100
    assert mating > 10
