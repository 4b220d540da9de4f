# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate in one for the last plies against the one with estimates; what it builds on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from solver.engines.dfpn.kernel.mate_in_one import COVERED, PLACE, TAKEN_AWAY, covered_from, mate_in_one
from solver.engines.dfpn.kernel.quick_mate import quick_mate
from solver.engines.kernel.mate import is_mated
from solver.results import Interposition
from tests.sampling import attacks, crowded, promotable, starts
from tests.solver.engines.dfpn.kernel.test_mate_in_one import MATES, NO_MATES
from tests.solver.questions import READINGS
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.move_generation import checks
from tsume_rules.kernel.state import do, lift, undo
from tsume_rules.kernel.tables import ATT, CELL, DEF, DIST, LINE
from tsume_rules.packed import Record, dropped, pack, pack_codes, unpack
from tsume_rules.position import Kind, Position
from tsume_rules.sfen import format_sfen, parse_sfen

ROOM = 1 << 13
START = 700
"""The start of the kernels' scratch space; they must not write before."""


@pytest.fixture
def out() -> np.ndarray:
    return np.zeros(ROOM, dtype=np.int64)


def assert_same(record: Record, mode: int, out: np.ndarray, name: str) -> bool:
    """Both kernels find the same mate with the same hand; what is certain is true. Whether there is one."""
    before = np.asarray(record).tobytes()
    out[:START] = -1
    move, number, _ = mate_in_one(record, mode, out, START)
    hand = int(out[START])
    found, certain = quick_mate(record, mode, out, START)
    assert np.asarray(record).tobytes() == before
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


@pytest.mark.parametrize("sfen", [*MATES.values(), *NO_MATES.values()], ids=[*MATES, *NO_MATES])
def test_known_positions(sfen: str, out: np.ndarray) -> None:
    record = pack(parse_sfen(sfen).position)
    for reading in READINGS:
        assert_same(record, reading.value, out, sfen)


def _mates(record: Record, reading: Interposition, out: np.ndarray) -> bool:
    """Whether any legal check mates, tried on the board."""
    end = int(checks(record, out, 0))
    for move in out[:end].tolist():
        captured = do(record, move, ATT)
        mated = bool(is_mated(record, reading.value, out, end)) and dropped(move) != Kind.PAWN
        undo(record, move, ATT, captured)
        if mated:
            return True
    return False


@pytest.mark.parametrize("reading", READINGS)
def test_every_check_that_mates_is_tried(reading: Interposition, out: np.ndarray) -> None:
    """The conditions on the king's neighbourhood pass over no mate: tried on all legal checks."""
    for position in attacks(75, seed=f"tried {reading.name}"):
        record = pack(position)
        mates = _mates(record, reading, out)
        assert bool(quick_mate(record, reading.value, out, START)[0]) == mates, format_sfen(position)


def _shielded(rng: random.Random) -> Record:
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
        record = pack_codes(codes, np.array([[0] * 8, [0, 3, 1, 1, 1, 1, 0, 0]], dtype=np.int8))
        if not in_check(record, DEF):
            return record


_AROUND = (Kind.GOLD, Kind.SILVER, Kind.TOKIN, 16 + Kind.PAWN, 16 + Kind.LANCE, 16 + Kind.SILVER)
_MOVERS = (Kind.BISHOP, Kind.ROOK, Kind.HORSE, Kind.DRAGON, Kind.SILVER, Kind.GOLD, Kind.KNIGHT)
_GUARDS = (Kind.KNIGHT, Kind.SILVER, Kind.GOLD, Kind.BISHOP, Kind.ROOK)


@pytest.mark.parametrize("reading", READINGS)
def test_what_could_take_may_be_pinned_by_the_check(reading: Interposition, out: np.ndarray) -> None:
    rng, found = random.Random("pinned by the check"), 0
    for _ in range(3000):
        record = _shielded(rng)
        mates = _mates(record, reading, out)
        assert assert_same(record, reading.value, out, format_sfen(unpack(record))) == mates, format_sfen(
            unpack(record)
        )
        found += mates
    assert found > 100


def test_cells_covered_from_a_distance_agree_with_those_on_rays() -> None:
    king = int(CELL[40])
    for cell in (int(cell) for cell in CELL if cell != king):
        d, far = int(LINE[king, cell]), int(DIST[king, cell])
        if 0 <= d < 8:
            for kind in range(1, 15):
                covered = int(covered_from(kind, cell, king))
                assert covered & ~int(TAKEN_AWAY[kind, d, min(far, 3)]) == 0, (kind, cell)
                assert far > 3 or covered == TAKEN_AWAY[kind, d, far], (kind, cell)
    offsets = {int(PLACE[a] - PLACE[king]) for a in CELL}
    assert len(offsets) == len(CELL)
    assert COVERED.shape == (16, 17 * 17)


def test_what_a_piece_covers_includes_what_it_attacks() -> None:
    """A check's new effects beside the king are all foreseen."""
    seen = 0
    for position in crowded(60, seed="covered"):
        record: Any = pack(position)
        king = int(record.king[DEF])
        for cell in (int(cell) for cell in CELL):
            kind = int(record.board[cell])
            if 0 < kind < 15 and kind != 8:
                attacked = attacked_beside(record, cell, king)
                assert attacked & ~int(covered_from(kind, cell, king)) == 0, format_sfen(position)
                seen += attacked != 0
    assert seen > 20


def attacked_beside(record: Any, cell: int, king: int) -> int:
    """The king's neighbours that lose an effect of the attacker's when the piece on a cell is lifted."""
    bits = 0
    before = record.effects.copy()
    board = record.board.copy()
    lifted = record.copy()
    lift(lifted, cell)
    for neighbour in range(128):
        d = int(LINE[king, neighbour])
        if 0 <= d < 8 and DIST[king, neighbour] == 1:
            gone = int(before[neighbour]) & ~int(lifted.effects[neighbour]) & ((1 << 20) - 1)
            if gone:
                bits |= 1 << d
    assert (board == record.board).all()
    return bits
