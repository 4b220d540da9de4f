# SPDX-License-Identifier: GPL-3.0-or-later
"""The readings of futile interpositions, against the slow twin and the cases that separate them."""

import csv
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import TypeVar

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.explaining.explanation import Proof
from solver.judging import findings
from solver.judging.interpositions import RestoringReadingResult, restoring_length
from solver.judging.judge import Judge, Rigour, same_when_counted
from solver.judging.readings import PuristReading, ReadingComparer, is_in_grey_zone
from solver.results import (
    REMARKS,
    Defect,
    Finding,
    Interposition,
    Judgement,
    LimitReached,
    Limits,
    Mate,
    ReadingChoices,
    Readings,
)
from solver.solving.solve import best_line, solve
from solver.solving.tree import TreeBuilder
from tests import naive, naive_restoring
from tests.places import DATA
from tests.positions import position_of, record_of
from tests.sampling import attacks
from tests.solver.questions import LENGTHS, Mating, expected
from tests.solver.replay import is_mate, replayed
from tsume_rules.moves import parse_move
from tsume_rules.packed import PackedPosition, dropped, legal_checks, pack, pack_move, unpack_move
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


def length(packed: PackedPosition, reading: str, at_most: int) -> int | None:
    """The engine's length by a reading; None if there is no mate within ``at_most`` plies."""
    if reading == "purist":
        purist = PuristReading(DfPnEngine(table_bits=14))
        return next((n for n in range(1, at_most + 1, 2) if purist.mates(packed, n)), None)
    engine = DfPnEngine(table_bits=14, interposition=Interposition[reading.upper()])
    return next((n for n in range(1, at_most + 1, 2) if engine.mates(packed, n)), None)


def test_the_cases_by_the_slow_twin() -> None:
    failures = []
    for sfen, *known in CASES:
        found = [length(record_of(sfen), reading, 5) for reading in READINGS]
        twin = [naive.length(sfen, 5, reading) for reading in READINGS]
        failures += [(sfen, found, twin)] if found != twin or found[:3] != known else []
    assert failures == []


def test_a_pawn_that_saves_by_moving_between_is_no_futile_drop() -> None:
    packed = record_of("9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1")
    engine = DfPnEngine(table_bits=14)
    assert not engine.mates_after(packed, pack_move(parse_move("7g7e")), 1)


def test_the_purist_reading_is_that_of_the_slow_twin() -> None:
    for position in attacks(16, seed="purist"):
        packed, purist = pack(position), PuristReading(DfPnEngine(table_bits=14))
        assert _by(purist, packed) == expected(position, "purist"), format_sfen(position)


def _by(purist: PuristReading, packed: PackedPosition) -> Mating:
    checks = legal_checks(packed)
    return {n: {unpack_move(c).usi for c in checks if purist.mates_after(packed, c, n)} for n in LENGTHS}


def test_purist_mates_are_narrow_mates_and_these_are_wide_mates() -> None:
    for position in attacks(40, seed="order"):
        packed = pack(position)
        for n in LENGTHS:
            purist = PuristReading(DfPnEngine(table_bits=12)).mates(packed, n)
            count_all, narrow, wide = (
                DfPnEngine(table_bits=12, interposition=reading).mates(packed, n)
                for reading in (Interposition.COUNT_ALL, Interposition.NARROW, Interposition.WIDE)
            )
            assert count_all <= purist <= narrow <= wide, format_sfen(position)


def test_bounds_below_the_narrow_length_decide_nothing() -> None:
    """A purist search from the exact narrow length upwards has the answers of one from 0 upwards."""
    sfens = [case[0] for case in CASES]
    packed_positions = [*map(record_of, sfens), *(pack(position) for position in attacks(30))]
    for packed in packed_positions:
        engine = DfPnEngine(table_bits=14)
        every, exact = PuristReading(engine), PuristReading(engine, from_exact=True)
        for n in LENGTHS:
            if n % 2:
                assert exact.mates(packed, n) is every.mates(packed, n)


@pytest.mark.parametrize(("sfen", "narrow", "wide", "purist"), CASES)
def test_grey_is_what_the_readings_differ_on(sfen: str, narrow: int, wide: int, purist: int) -> None:
    engine, packed = DfPnEngine(table_bits=14), record_of(sfen)
    line = best_line(engine, packed, narrow)
    if len(line) > narrow:  # a futile drop is played: grey by itself, see the judge
        assert narrow != purist
        return
    assert is_in_grey_zone(engine, packed, line) == _differs_along(sfen, line, narrow)
    assert is_in_grey_zone(engine, packed, line) >= (narrow != wide or narrow != purist)


def _differs_along(sfen: str, line: tuple[int, ...], n: int) -> bool:
    """Whether the twin's readings disagree on the mating first moves at a turn of the line."""
    board = naive.board_of(sfen)
    for ply in range(0, n, 2):
        left = n - ply
        text = board.sfen()
        found = [
            (naive.length(text, left, reading), naive.mating_moves(text, left, reading)) for reading in READINGS[:3]
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


def test_captures_that_run_in_a_circle_end() -> None:
    """By the wide reading pieces may uncover each other for ever: that shows no drop to be futile."""
    for sfen in CIRCLES:
        engine, checked = (DfPnEngine(table_bits=14, interposition=Interposition.WIDE), parse_sfen(sfen).position)
        board = naive.board_of(format_sfen(replace(checked, side_to_move=Side.DEFENDER)))
        for n in (0, 2, 4):
            assert engine.is_mated(pack(checked), n) == naive.mated_within(board, n, "wide"), (sfen, n)


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


# --- The readings side by side, against the slow twin ----------------------------------------------

GREY = [sfen for sfen, narrow, wide, purist in CASES if not narrow == wide == purist]
MORE_GREY = [
    "9/7s1/6G1k/7p1/7R1/8P/9/9/9 b Lr2b3g3s4n3l16p 1",
    "1+R7/9/9/k3+B4/9/9/9/3R5/9 b B4g4s4n4l18p 1",
    "1k7/+p8/+Pg1+S5/9/9/9/9/9/9 b RGr2b2g3s4n4l16p 1",
    "3k5/R3+s4/3+S5/9/9/9/9/9/9 b BGrb3g2s4n4l18p 1",
    "6Brk/9/6G2/9/9/9/9/9/9 b 2Lrb3g4s4n2l18p 1",
]
NAMES: list[naive.Reading] = ["narrow", "purist", "wide"]


def compared(sfen: str) -> tuple[ReadingComparer, Readings]:
    engine, packed = DfPnEngine(table_bits=16), pack(parse_sfen(sfen).position)
    found = solve(parse_sfen(sfen).position, Limits(), engine)
    assert isinstance(found, Mate)
    comparer = ReadingComparer(engine, packed, TreeBuilder(engine).turn(packed, found.length))
    return comparer, comparer.readings(comparer.split())


@pytest.mark.parametrize(("sfen", "narrow", "wide", "purist"), CASES)
def test_the_lengths_that_separate_the_definitions(sfen: str, narrow: int, wide: int, purist: int) -> None:
    _, readings = compared(sfen)
    assert (readings.narrow, readings.wide, readings.purist) == (narrow, wide, purist)
    assert readings.agree == (sfen not in GREY)


@pytest.mark.parametrize("sfen", [*GREY, *MORE_GREY])
def test_where_the_readings_part_is_where_the_slow_twin_s_do(sfen: str) -> None:
    comparer, readings = compared(sfen)
    assert not readings.agree
    parting, board = readings.parting, naive.board_of(sfen)
    assert parting is not None
    for move in parting.path:
        board.push_usi(move.usi)
    there = board.sfen()
    for name, choices in zip(NAMES, (parting.narrow, parting.purist, parting.wide), strict=True):
        assert isinstance(choices, ReadingChoices)
        assert {move.usi for move in choices.moves} == naive.mating_moves(there, parting.plies, name), name
        if choices.length is not None and choices.length <= 5:
            assert naive.length(there, 5, name) == choices.length, name
    line, futile_by = comparer.disputed_drop(comparer.split())
    assert line
    assert dropped(line[-1])
    assert len(line) % 2 == 0
    assert futile_by in (("wide",), ("narrow", "wide"))
    assert readings.wide == readings.narrow or futile_by == ("wide",)


def test_readings_agree_where_those_of_the_slow_twin_do() -> None:
    for position in attacks(60, seed="readings"):
        sfen = format_sfen(position)
        found = solve(position, Limits(nodes=2000, max_length=3), DfPnEngine(table_bits=14))
        if isinstance(found, Mate):
            _, readings = compared(sfen)
            lengths = {naive.length(sfen, found.length, name) for name in NAMES}
            assert not readings.agree or lengths == {found.length}, sfen


def test_a_purist_length_out_of_reach_is_not_invented() -> None:
    engine, (sfen, *_) = DfPnEngine(table_bits=16), CASES[2]
    judgement = Judge(engine).judge(parse_sfen(sfen).position)
    assert judgement.readings is not None
    assert judgement.readings.purist == judgement.readings.searched == 5
    comparer, _ = compared(sfen)
    split = comparer.split()
    comparer._engine.forget()
    with comparer._engine.within(Limits(nodes=0)), pytest.raises(LimitReached):
        comparer.readings(split)


# --- The restoring reading, on a small case of its own and against the slow twin -------------------

TO_AND_FRO = "5+P2k/9/7Gs/9/2+B4+p+p/s1l4l+p/nnnnlpppl/+p+p+p+p+p+p+p+p+p/rrbgggss+p b - 1"
"""The horse fetches the lance on 7f. A pawn on 5e brings it nearer, from where it goes back to 6f."""
NARROW = "7e6f P*5e 6f5e 1a2a 5e6e 2a1a 6e6f 1a2a 6f7f 2a1a L*1b"
RESTORING = "7e6f 1a2a 6f7f 2a1a L*1b"


def read(sfen: str, engine: DfPnEngine) -> tuple[Mate, RestoringReadingResult]:
    found = solve(parse_sfen(sfen).position, Limits(), engine)
    assert isinstance(found, Mate)
    line = tuple(map(pack_move, found.line))
    return found, restoring_length(engine, pack(parse_sfen(sfen).position), found.length, line)


def usi(moves: tuple[int, ...]) -> str:
    return " ".join(unpack_move(move).usi for move in moves)


def test_a_drop_after_which_the_horse_comes_back_does_not_count() -> None:
    narrow, found = read(TO_AND_FRO, DfPnEngine(table_bits=16))
    assert " ".join(move.usi for move in narrow.line) == NARROW
    assert (found.length, usi(found.line)) == (5, RESTORING)
    assert [usi(path) for path in found.drops] == ["7e6f P*5e"]
    assert naive_restoring.length(TO_AND_FRO, 11) == 5


def test_without_restoring_drops_the_length_is_the_narrow_one_and_nothing_is_searched() -> None:
    for position in attacks(30, seed="restoring"):
        engine, packed = DfPnEngine(table_bits=14), pack(position)
        found = solve(position, Limits(nodes=2000, max_length=3), engine)
        if isinstance(found, Mate):
            line, before = tuple(map(pack_move, found.line)), engine.nodes
            assert restoring_length(engine, packed, found.length, line) == RestoringReadingResult(found.length, line)
            assert engine.nodes == before
            assert naive_restoring.length(format_sfen(position), found.length) == found.length


def test_a_judgement_gives_the_reading_beside_the_others_and_does_not_rest_on_it() -> None:
    readings = Judge(DfPnEngine(table_bits=16)).judge(parse_sfen(TO_AND_FRO).position).readings
    assert readings is not None
    assert (readings.narrow, readings.restoring) == (11, 5)
    assert [move.usi for move in readings.restoring_line] == RESTORING.split()
    assert [move.usi for move in readings.restoring_drop] == ["7e6f", "P*5e"]


def test_an_engine_that_cannot_leave_out_drops_gives_no_such_length() -> None:
    readings = Judge(IterativeEngine()).judge(parse_sfen(TO_AND_FRO).position).readings
    assert readings is None or readings.restoring is None


def test_a_limit_ends_the_search() -> None:
    engine = DfPnEngine(table_bits=16)
    found = solve(parse_sfen(TO_AND_FRO).position, Limits(), engine)
    assert isinstance(found, Mate)
    line = tuple(map(pack_move, found.line))
    with engine.within(Limits(nodes=1)), pytest.raises(LimitReached):
        restoring_length(engine, pack(parse_sfen(TO_AND_FRO).position), found.length, line)


# --- Whether a problem stays the same when every interposition counts ------------------------------

COUNTED = [
    ("k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1", 3, True),  # drops count, but do not last longer
    ("4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1", 3, False),
    ("9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1", 1, False),
    ("9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1", 3, True),
    ("9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1", 5, True),
]


def test_cases_that_separate_the_readings() -> None:
    for sfen, length, same in COUNTED:
        position, engine = parse_sfen(sfen).position, DfPnEngine(table_bits=14)
        for one in (position, position.mirrored):
            assert same_when_counted(engine, one, length) is same, sfen


def test_it_agrees_with_a_search_that_counts_everything() -> None:
    path = DATA / "published_daily.tsv"
    if not path.exists():
        pytest.skip(f"{path} is absent")
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    plain, counting = (
        DfPnEngine(table_bits=16, interposition=reading) for reading in (Interposition.NARROW, Interposition.COUNT_ALL)
    )
    differing = 0
    for row in rows[:60]:
        position = parse_sfen(row.split("\t")[0]).position
        length = int(row.split("\t")[2])
        if length > 7:
            continue
        one = solve(position, Limits(nodes=1_000_000), plain)
        other = solve(position, Limits(nodes=1_000_000, max_length=length), counting)
        assert isinstance(one, Mate)
        same = isinstance(other, Mate) and other.length == one.length
        found = same_when_counted(plain, position, one.length)
        assert found is not None
        assert not found or same
        differing += not found
    assert 0 < differing < 30


def test_without_nodes_it_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = DfPnEngine(table_bits=14)
    position = parse_sfen(COUNTED[0][0]).position
    with pytest.raises(LimitReached), engine.within(Limits(nodes=0)):
        same_when_counted(engine, position, 3)
    monkeypatch.setattr("solver.judging.judge.COUNTING_NODES", 0)
    assert same_when_counted(DfPnEngine(table_bits=14), parse_sfen(COUNTED[0][0]).position, 3) is None


# --- Findings: every line is legal, every cook mates, every smaller problem is a problem --------


LABELLED = DATA / "labelled_valid_invalid.tsv"
CORRECT = "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1"
COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
COOKED_LATER = "7G1/8k/9/9/9/9/7R1/9/9 b r2b3g4s4n4l18p 1"
LOOSE = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"
NEEDLESS = "7k1/8P/6S2/8+B/9/9/9/9/9 b 2rb4g3s4n4l17p 1"
NEEDLESS_IN_HAND = "8k/9/8P/8L/9/9/9/9/9 b P2r2b4g4s4n3l16p 1"
WIDE = "9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1"
PURIST = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"
NO_MATE = "9/1k7/P8/2S6/+B8/9/9/9/9 b 2rb4g3s4n4l17p 1"
IN_CHECK = "4k4/4R4/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1"
DETOUR = "7S1/6G2/5B1k1/8N/9/9/9/9/9 b G2rb2g3s3n4l18p 1"
EQUAL = "9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1"
LEAVES = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s4n3l18p 1"
VARIATION = "9/7pk/9/7sG/9/8N/8R/9/9 b r2b3g3s2n4l17p 1"
BOOK = [CORRECT, COOKED, COOKED_LATER, LOOSE, NEEDLESS, NEEDLESS_IN_HAND, WIDE, PURIST]
BOOK += [NO_MATE, DETOUR, EQUAL, LEAVES, VARIATION, IN_CHECK]


@cache
def judged(sfen: str, expected: int | None = None) -> Judgement:
    return Judge(DfPnEngine(table_bits=16)).judge(position_of(sfen), expected, Limits(nodes=400_000))


F = TypeVar("F", bound=Finding)


def found(judgement: Judgement, kind: type[F], of: Defect) -> list[F]:
    return [one for one in judgement.findings if isinstance(one, kind) and one.of is of]


def check_findings(sfen: str, judgement: Judgement) -> None:
    """What holds for any judgement."""
    start = position_of(sfen)
    shown = {finding.of for finding in judgement.findings}
    if not judgement.unresolved:
        assert shown >= set(judgement.defects)
        assert shown >= set(judgement.remarks)
    for finding in judgement.findings:
        replayed(start, finding.line)
        if isinstance(finding, findings.ReadingsDiffer):
            assert not finding.line or finding.line[-1].drop is not None
        elif isinstance(finding, findings.SecondSolution) and finding.length is None:
            assert finding.line[-1] == finding.check
        elif finding.line:
            assert is_mate(start, finding.line), finding
        if isinstance(finding, findings.LeftInHand):
            board = replayed(start, finding.line)
            hand = {kind: finding.hand[kind] for kind in finding.hand}
            assert sum(board.pieces_in_hand[shogi.BLACK].values()) == sum(hand.values()) > 0


@pytest.mark.parametrize("sfen", BOOK)
def test_every_line_is_legal_and_ends_as_it_says(sfen: str) -> None:
    check_findings(sfen, judged(sfen))


def test_findings_of_any_position_hold() -> None:
    judge = Judge(DfPnEngine(table_bits=16), Rigour(nodes=5000, unbounded_nodes=2000))
    for start in attacks(30, seed="findings"):
        check_findings(format_sfen(start), judge.judge(start, 3, Limits(nodes=30_000)))


@pytest.mark.skipif(not LABELLED.exists(), reason=f"no {LABELLED}: set TSUME_DATA to the data's folder")
def test_every_labelled_problem_that_is_wrong_is_shown_to_be() -> None:
    for row in LABELLED.read_text(encoding="utf-8").splitlines():
        label, _, sfen, *_ = row.split("\t")
        if label == "INVALID" and int(row.split("\t")[1]) <= 3:
            judgement = judged(sfen)
            assert judgement.findings, sfen
            check_findings(sfen, judgement)


def test_a_correct_problem_shows_remarks_only() -> None:
    assert all(finding.of in REMARKS for finding in judged(CORRECT).findings)
    (last,) = found(judged(CORRECT), findings.LastMoves, Defect.LAST_MOVE_ALTERNATIVES)
    assert (last.line, [move.usi for move in last.moves]) == (judged(CORRECT).line, ["1c2c"])


def test_a_cook_says_where_it_leaves_the_line_and_how_long_it_takes() -> None:
    (cook,) = found(judged(COOKED), findings.SecondSolution, Defect.COOK)
    assert (cook.turn, cook.length, cook.late) == (0, 3, 0)
    assert cook.line[0] == cook.check != cook.key == judged(COOKED).line[0]
    assert cook.check is not None
    assert cook.check.usi in naive.mating_moves(COOKED, 3)


def test_later_cooks_say_how_much_later() -> None:
    for sfen, of, n in ((COOKED_LATER, Defect.COOK, 1), (LOOSE, Defect.UNDETERMINED_FORM, 3)):
        cooks = found(judged(sfen), findings.SecondSolution, of)
        assert cooks
        assert {cook.late for cook in cooks} == {2}
        for cook in cooks:
            assert cook.check is not None
            assert cook.check.usi in naive.mating_moves(sfen, n + 2) - naive.mating_moves(sfen, n)


@pytest.mark.parametrize("sfen", [NEEDLESS, NEEDLESS_IN_HAND])
def test_without_a_needless_piece_the_line_is_the_same(sfen: str) -> None:
    judgement = judged(sfen)
    needless = found(judgement, findings.NeedlessPiece, Defect.UNNECESSARY_PIECE)
    for one in needless:
        assert one.smaller is not None
        assert one.line == judgement.line
        assert is_mate(one.smaller, judgement.line)
        assert one.smaller.piece_count() == position_of(sfen).piece_count() - 1
        smaller = Judge(DfPnEngine(table_bits=16)).judge(one.smaller, judgement.length)
        assert not smaller.defects & ~Defect.UNNECESSARY_PIECE
    assert bool(needless) == (Defect.UNNECESSARY_PIECE in judgement.defects)


def test_needless_pieces_and_hands_left_over_are_shown() -> None:
    (one,) = found(judged(NEEDLESS), findings.NeedlessPiece, Defect.UNNECESSARY_PIECE)
    assert one.piece == position_of(NEEDLESS).board[one.square if one.square is not None else 0]
    assert one.smaller == position_of(format_sfen(position_of(NEEDLESS).with_piece(one.square or 0, None)))
    (left,) = found(judged(NEEDLESS_IN_HAND), findings.LeftInHand, Defect.LEFTOVER)
    assert [kind.name for kind in left.hand] == ["PAWN"]
    (way,) = found(judged(LEAVES), findings.LeftInHand, Defect.LEFTOVER_IN_VARIATION)
    assert len(way.hand) == 1
    assert way.line != judged(LEAVES).line


def test_a_wrong_length_is_shown_with_the_shortest_line() -> None:
    (other,) = found(judged(CORRECT, 7), findings.OtherLength, Defect.WRONG_LENGTH)
    assert (other.expected, other.actual, other.line) == (7, 5, judged(CORRECT).line)


def test_without_a_mate_each_check_has_an_answer_that_refutes_it() -> None:
    (fail,) = found(judged(NO_MATE), findings.AllChecksFail, Defect.NO_MATE)
    assert fail.checks == len(fail.tries) == len(naive.checks(NO_MATE))
    for one in fail.tries:
        board = replayed(position_of(NO_MATE), (one.check, one.answer))
        assert not naive.mate_within(board, 3)
        assert (one.proof is Proof.NO_CHECK) == (not naive.check_moves(board))


def test_equal_defences_and_detours_have_lines() -> None:
    (equal,) = found(judged(EQUAL), findings.EqualDefence, Defect.EQUAL_DEFENCES)[:1]
    assert len(equal.line) == judged(EQUAL).length
    assert equal.line[equal.turn] == equal.answers[0] != judged(EQUAL).line[equal.turn]
    (detour,) = found(judged(DETOUR), findings.SecondSolution, Defect.DETOUR)
    assert detour.late is not None
    assert detour.late > 0


def test_a_long_mate_in_a_variation_has_a_line() -> None:
    (one,) = found(judged(VARIATION), findings.VariationMate, Defect.VARIATION_COOK)
    assert len(one.line) == judged(VARIATION).length == 5
    assert one.line[: one.turn - 1] == judged(VARIATION).line[: one.turn - 1]
    board = replayed(position_of(VARIATION), one.line[: one.turn + 1])
    assert naive.mate_within(board, len(one.line) - one.turn - 3)  # the defence is shorter
    mating = naive.Search()
    assert not mating.mates(board, shogi.Move.from_usi(one.line[one.turn + 1].usi), 1)


@pytest.mark.parametrize("nodes", [1, 30, 300, 3000])
def test_limits_take_lines_but_add_no_defect(nodes: int) -> None:
    for sfen in (COOKED, LOOSE, WIDE, NO_MATE):
        short = Judge(DfPnEngine(table_bits=16)).judge(position_of(sfen), None, Limits(nodes=nodes))
        assert short.defects & ~judged(sfen).defects == Defect.NONE
        for finding in short.findings:
            replayed(position_of(sfen), finding.line)
