# SPDX-License-Identifier: GPL-3.0-or-later
"""The readings of futile interpositions, against the slow twin and the cases that separate them."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.readings import Purist, is_grey
from solver.results import Interposition
from solver.solving.solve import best_line
from tests import naive
from tests.places import DATA
from tests.sampling import attacks
from tests.solver.questions import LENGTHS, Mating, expected
from tsume_rules.moves import parse_move
from tsume_rules.packed import Record, legal_checks, pack, pack_move, unpack_move
from tsume_rules.position import (
    HAND_KINDS,
    SQUARES,
    Hand,
    IllegalPosition,
    Kind,
    Piece,
    Position,
    Side,
    structural_faults,
)
from tsume_rules.sfen import format_sfen, parse_sfen

DEFINITIONS = DATA / "futile_definitions.csv"

CASES = [
    # SFEN, narrow, wide, purist
    ("k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1", 3, 3, 3),
    ("9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1", 3, 1, 3),
    ("4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1", 3, 3, 5),
    ("4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1", 3, 3, 3),
    ("9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1", 1, 1, 1),
    ("7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1", 1, 1, 1),
]
READINGS: list[naive.Reading] = ["narrow", "wide", "purist", "count_all"]


def length(record: Record, reading: str, at_most: int) -> int | None:
    """The engine's length by a reading; None if there is no mate within ``at_most`` plies."""
    if reading == "purist":
        purist = Purist(DfPnEngine(table_bits=14))
        return next((n for n in range(1, at_most + 1, 2) if purist.mates(record, n)), None)
    engine = DfPnEngine(table_bits=14, interposition=Interposition[reading.upper()])
    return next((n for n in range(1, at_most + 1, 2) if engine.mates(record, n)), None)


def record_of(sfen: str) -> Record:
    return pack(parse_sfen(sfen).position)


@pytest.mark.parametrize(("sfen", "narrow", "wide", "purist"), CASES)
def test_cases_that_separate_the_definitions(sfen: str, narrow: int, wide: int, purist: int) -> None:
    found = [length(record_of(sfen), reading, 7) for reading in READINGS[:3]]
    assert found == [narrow, wide, purist]


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("sfen", [case[0] for case in CASES])
def test_the_cases_by_the_slow_twin(sfen: str, reading: naive.Reading) -> None:
    assert length(record_of(sfen), reading, 5) == naive.length(sfen, 5, reading)


def test_a_pawn_that_saves_by_moving_between_is_no_futile_drop() -> None:
    record = record_of("9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1")
    engine = DfPnEngine(table_bits=14)
    assert not engine.mates_after(record, pack_move(parse_move("7g7e")), 1)


def test_the_purist_reading_is_that_of_the_slow_twin() -> None:
    for position in attacks(16, seed="purist"):
        record, purist = pack(position), Purist(DfPnEngine(table_bits=14))
        assert _by(purist, record) == expected(position, "purist"), format_sfen(position)


def _by(purist: Purist, record: Record) -> Mating:
    checks = legal_checks(record)
    return {n: {unpack_move(c).usi for c in checks if purist.mates_after(record, c, n)} for n in LENGTHS}


def test_purist_mates_are_narrow_mates_and_these_are_wide_mates() -> None:
    for position in attacks(40, seed="order"):
        record = pack(position)
        for n in LENGTHS:
            purist = Purist(DfPnEngine(table_bits=12)).mates(record, n)
            count_all, narrow, wide = (
                DfPnEngine(table_bits=12, interposition=reading).mates(record, n)
                for reading in (Interposition.COUNT_ALL, Interposition.NARROW, Interposition.WIDE)
            )
            assert count_all <= purist <= narrow <= wide, format_sfen(position)


def test_bounds_below_the_narrow_length_decide_nothing() -> None:
    """A purist search from the exact narrow length upwards has the answers of one from 0 upwards."""
    sfens = [case[0] for case in CASES]
    records = [*map(record_of, sfens), *(pack(position) for position in attacks(30))]
    for record in records:
        engine = DfPnEngine(table_bits=14)
        every, exact = Purist(engine), Purist(engine, from_exact=True)
        for n in LENGTHS:
            if n % 2:
                assert exact.mates(record, n) is every.mates(record, n)


@pytest.mark.parametrize(("sfen", "narrow", "wide", "purist"), CASES)
def test_grey_is_what_the_readings_differ_on(sfen: str, narrow: int, wide: int, purist: int) -> None:
    engine, record = DfPnEngine(table_bits=14), record_of(sfen)
    line = best_line(engine, record, narrow)
    if len(line) > narrow:  # a futile drop is played: grey by itself, see the judge
        assert narrow != purist
        return
    assert is_grey(engine, record, line) == _differs_along(sfen, line, narrow)
    assert is_grey(engine, record, line) >= (narrow != wide or narrow != purist)


def _differs_along(sfen: str, line: tuple[int, ...], n: int) -> bool:
    """Whether the twin's readings disagree on the mating first moves at a turn of the line."""
    board = naive.board_of(sfen)
    for ply in range(0, n, 2):
        left = n - ply
        text = board.sfen()
        found = [
            (naive.length(text, left, reading), naive.mating_moves(text, left, reading))
            for reading in READINGS[:3]
        ]
        if found[0] != found[1] or found[0] != found[2]:
            return True
        for move in line[ply : ply + 2]:
            board.push_usi(unpack_move(move).usi)
    return False


DEFENDERS_KING = Piece(Side.DEFENDER, Kind.KING)
CIRCLES = [
    # The rook goes to and fro, from one bishop's line to the other's, taking what is dropped there.
    "9/1B5B1/2R6/4p4/4k4/2S1N1S2/4G4/9/9 b r3g2s3n4l17p 1",
    "9/1B5B1/2R6/4p4/4k4/2S1N1S2/9/4L4/9 b r4g2s3n3l17p 1",
    "9/1B5B1/2R6/4p4/4k4/2S3S2/4G4/9/9 b r3g2s4n4l17p 1",
    "7nR/9/7n1/9/4R1B1k/6SN1/7G1/9/9 b b3g3sn4l18p 1",
]


@pytest.mark.parametrize("n", [0, 2, 4])
@pytest.mark.parametrize("sfen", CIRCLES)
def test_captures_that_run_in_a_circle_end(sfen: str, n: int) -> None:
    """By the wide reading pieces may uncover each other for ever: that shows no drop to be futile."""
    engine, checked = DfPnEngine(table_bits=14, interposition=Interposition.WIDE), parse_sfen(sfen).position
    board = naive.board_of(format_sfen(replace(checked, side_to_move=Side.DEFENDER)))
    assert engine.is_mated(pack(checked), n) == naive.mated_within(board, n, "wide")


def test_circles_with_other_pieces_about_end_rightly_too() -> None:
    shared, tiny = (DfPnEngine(table_bits=bits, interposition=Interposition.WIDE) for bits in (14, 5))
    for position in _varied(10):
        board, twin = naive.board_of(format_sfen(position)), naive.Search("wide")
        for n in (4, 0, 2):
            mated = twin.mated_within(board, n)
            assert shared.is_mated(pack(position), n) == mated, format_sfen(position)
            assert tiny.is_mated(pack(position), n) == mated, format_sfen(position)


def _varied(number: int) -> Iterator[Position]:
    """Circles with up to four squares changed, the defender to move and in check."""
    rng = random.Random(1)
    while number:
        board = list(parse_sfen(rng.choice(CIRCLES)).position.board)
        for sq in rng.sample(range(SQUARES), rng.randint(1, 4)):
            kind = rng.choice(HAND_KINDS)
            put = rng.choice((None, Piece(Side.ATTACKER, kind), Piece(Side.DEFENDER, kind)))
            board[sq] = board[sq] if board[sq] == DEFENDERS_KING else put
        with suppress(IllegalPosition):  # more of a kind than a set has
            position = Position.completed(tuple(board), Hand(), Side.DEFENDER)
            if not structural_faults(position) and naive.is_check(naive.board_of(format_sfen(position))):
                number -= 1
                yield position


@pytest.mark.skipif(not DEFINITIONS.exists(), reason=f"no {DEFINITIONS}: set TSUME_DATA to the data's folder")
@pytest.mark.parametrize("reading", READINGS)
def test_lengths_under_each_definition(reading: str) -> None:
    with DEFINITIONS.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) > 100
    column, at_most = ("count_all(<=7)", 7) if reading == "count_all" else (reading, 3)
    for row in rows:
        if row[column]:
            said = int(row[column])
            assert (length(record_of(row["sfen"]), reading, max(said, at_most)) or 0) == said, row["sfen"]
