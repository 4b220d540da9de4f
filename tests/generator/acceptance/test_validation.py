# SPDX-License-Identifier: GPL-3.0-or-later
"""The last tests: no second solution at any length, no unnecessary piece, no defect that is not refused."""

from __future__ import annotations

from functools import cache, partial

import pytest

from generator.acceptance import validation as acceptance
from generator.acceptance.reasons import Rejection
from generator.acceptance.validation import CandidateValidator, judgement_rejection
from generator.candidate import Candidate
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge, mirror_order
from solver.judging.minimal import is_same_problem, reductions
from solver.limits import LimitReached
from solver.results import Defect, Judgement, Limits
from solver.solving.tree import TreeBuilder
from tests.grown import grown
from tsume_rules.game import start_faults
from tsume_rules.packed import Moves, Record, legal_checks, pack, pack_move, unpack, unpack_move
from tsume_rules.position import Position
from tsume_rules.sfen import canonical, format_sfen, parse_sfen

CORRECT = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
COOKED_LATER = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"
"""Two plies beyond the end."""
ONLY_FUTILE_LASTS = "9/9/9/9/9/9/9/Ss7/R1k1+B4 b rb4g2s4n4l18p 1"
STARTS_IN_CHECK = "9/9/9/9/9/9/7Lk/5+RR1g/8K b 2b3g4s4n3l18p 1"
LEFTOVER_IN_VARIATION = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1"


SAME_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
OTHER_FORM = "5g2l/6k2/5s1Pp/3b5/8B/9/9/9/9 b R2Sr3gs4n3l16p 1"


def validator() -> CandidateValidator:
    return CandidateValidator(DfPnEngine(table_bits=18))


def record_of(sfen: str) -> Record:
    return pack(parse_sfen(sfen).position)


def line_of(record: Record, length: int) -> Moves:
    return TreeBuilder(DfPnEngine(table_bits=16)).turn(record, length).line()


@cache
def settled() -> list[Candidate]:
    """The candidates whose first turn is settled: only these are minimised."""
    fitting = [s for s in candidates() if validator().second_solution(s.record, s.line[0], s.length) is None]
    return [
        candidate
        for candidate in fitting
        if validator().line(candidate.record, candidate.length) == candidate.line
    ]


@cache
def candidates() -> list[Candidate]:
    return [candidate for length in (1, 3, 5) for candidate in grown(length, 25, seed=8)[:25]]


# --- settled ---------------------------------------------------------------------------------------


def test_a_first_turn_is_settled_where_no_other_check_mates_at_any_length() -> None:
    seen = set()
    for candidate in candidates():
        before, key = candidate.record.copy(), candidate.line[0]
        found = validator().second_solution(candidate.record, key, candidate.length)
        assert candidate.record == before
        slowly = slowly_settled(candidate.record, key)
        assert Rejection.NOT_EXCLUDED in (found, slowly) or found == slowly, format_sfen(
            unpack(candidate.record)
        )
        seen.add((found, slowly))
    assert {(None, None), (Rejection.LONGER_COOK, Rejection.LONGER_COOK)} <= seen


def slowly_settled(record: Record, key: int) -> Rejection | None:
    """With a table for each check."""
    mates = [mates_slowly(record, check) for check in legal_checks(record) if check != key]
    return Rejection.LONGER_COOK if True in mates else Rejection.NOT_EXCLUDED if None in mates else None


def mates_slowly(record: Record, check: int) -> bool | None:
    engine = DfPnEngine(table_bits=16)
    return engine.answered_within(4_000, partial(engine.mates_ever_after, record, check))


def test_a_second_solution_is_found_with_any_length() -> None:
    record = record_of(COOKED_LATER)
    key, *_ = line_of(record, 3)
    assert validator().second_solution(record, key, 3) is Rejection.LONGER_COOK


def test_what_takes_too_long_is_not_excluded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is it taken for settled."""
    monkeypatch.setattr(acceptance, "EXCLUSION_NODES", 1)
    hurried = {
        validator().second_solution(candidate.record, candidate.line[0], candidate.length)
        for candidate in candidates()
    }
    assert Rejection.NOT_EXCLUDED in hurried
    for candidate in candidates():
        if validator().second_solution(candidate.record, candidate.line[0], candidate.length) is None:
            assert slowly_settled(candidate.record, candidate.line[0]) is not Rejection.LONGER_COOK


def test_limits_from_outside_are_raised() -> None:
    engine = DfPnEngine(table_bits=16)
    record = record_of(COOKED_LATER)
    with pytest.raises(LimitReached), engine.within(Limits(nodes=0)):
        CandidateValidator(engine).second_solution(record, line_of(record, 3)[0], 3)


# --- the line --------------------------------------------------------------------------------------


def test_the_line_is_the_best_one() -> None:
    for candidate in candidates():
        order = mirror_order(unpack(candidate.record))
        twin = TreeBuilder(DfPnEngine(table_bits=16), order=order).turn(candidate.record, candidate.length)
        assert validator().line(candidate.record, candidate.length) == twin.line()


def test_where_only_a_futile_drop_lasts_there_is_no_line() -> None:
    assert validator().line(record_of(ONLY_FUTILE_LASTS), 3) is None


# --- minimal ---------------------------------------------------------------------------------------


def mirrored(line: Moves) -> Moves:
    return tuple(pack_move(unpack_move(move).mirrored) for move in line)


def padded(position: Position) -> Position:
    """The position with one more defender's piece, as far away as possible."""
    king = next(
        sq for sq, piece in enumerate(position.board) if piece is not None and piece.kind.name == "KING"
    )
    free = [sq for sq, piece in enumerate(position.board) if piece is None]
    far = max(free, key=lambda sq: (abs(sq // 9 - king // 9) + abs(sq % 9 - king % 9), sq))
    board = list(position.board)
    board[far] = next(piece for piece in DEFENDERS if position.defender_hand[piece.kind])
    return Position.completed(tuple(board), position.attacker_hand, position.side_to_move)


DEFENDERS = [
    piece for piece in parse_sfen("k8/9/9/ppp6/ggg6/9/9/9/9 b - 1").position.board
    if piece is not None and piece.kind.name == "GOLD"
]  # fmt: skip


def test_no_piece_of_what_is_left_can_go() -> None:
    """By the judge's own test, which asks for more than the generator's."""
    smaller = 0
    for candidate in settled():
        position, line = unpack(candidate.record), candidate.line
        found = canonical(validator().minimised(candidate.record, line))
        line = line if DfPnEngine().keeps_line(pack(found), line) else mirrored(line)
        assert DfPnEngine().keeps_line(pack(found), line), format_sfen(position)
        assert found.piece_count() <= position.piece_count()
        smaller += found.piece_count() < position.piece_count()
        for name, reduced in reductions(found):
            assert not is_same_problem(DfPnEngine(table_bits=16), reduced, line), (format_sfen(found), name)
    assert smaller > 3


def test_a_piece_too_many_is_taken_away() -> None:
    position = parse_sfen(CORRECT).position
    line = line_of(pack(position), 3)
    assert canonical(validator().minimised(pack(padded(position)), line)) == canonical(position)


def test_no_start_is_left_illegal() -> None:
    """Taking a piece away may open a line to the king."""
    opened = 0
    for candidate in (
        candidate for seed in range(1, 7) for length in (3, 5) for candidate in grown(length, 12, seed)
    ):
        if any(start_faults(reduced) for _, reduced in reductions(unpack(candidate.record))):
            assert not start_faults(validator().minimised(candidate.record, candidate.line))
            opened += 1
    assert opened


# --- the judgement ---------------------------------------------------------------------------------


def judged(sfen: str, length: int) -> Judgement:
    return validator().judge(parse_sfen(sfen).position, length, 400_000)


def test_a_correct_problem_is_not_refused() -> None:
    assert judgement_rejection(judged(CORRECT, 3)) is None


@pytest.mark.parametrize(
    ("sfen", "length", "why"),
    [
        (COOKED_LATER, 3, Rejection.NOT_CORRECT),
        (LEFTOVER_IN_VARIATION, 3, Rejection.LEFTOVER),
        (ONLY_FUTILE_LASTS, 3, Rejection.NOT_CORRECT),
        (STARTS_IN_CHECK, 3, Rejection.STARTS_IN_CHECK),
    ],
)
def test_what_is_refused(sfen: str, length: int, why: Rejection) -> None:
    found = judgement_rejection(judged(sfen, length))
    assert found in (why, Rejection.NOT_CORRECT)
    assert found is not None


def test_without_nodes_nothing_is_accepted() -> None:
    judgement = validator().judge(parse_sfen(CORRECT).position, 3, 1)
    assert judgement_rejection(judgement) in (Rejection.UNRESOLVED, Rejection.NOT_EXCLUDED)


def test_what_is_not_refused_is_correct_by_the_full_judge() -> None:
    accepted = 0
    for candidate in settled():
        position = validator().minimised(candidate.record, candidate.line)
        if judgement_rejection(validator().judge(position, candidate.length, 400_000)) is None:
            full = Judge().judge(position, candidate.length)
            assert full.correct, full
            assert full.defects == Defect.NONE
            assert not full.remarks & Defect.LEFTOVER_IN_VARIATION
            accepted += 1
    assert accepted > 10


def test_a_promotion_of_a_piece_that_is_captured_at_once_is_accepted() -> None:
    position = parse_sfen(SAME_POSITION).position
    judgement = Judge(DfPnEngine(table_bits=18)).judge(position)
    record, length = pack(position), judgement.length
    assert length is not None
    accepting = validator()
    assert accepting.has_one_solution(record, length)
    assert accepting.second_solution(record, pack_move(judgement.line[0]), length) is None
    found = accepting.judge(position, length, 400_000)
    assert (found.defects, found.remarks & Defect.SAME_POSITION) == (Defect.NONE, Defect.SAME_POSITION)
    assert accepting.refusal(position, found) is None
    assert not accepting.has_one_solution(pack(parse_sfen(OTHER_FORM).position), 9)
