# SPDX-License-Identifier: GPL-3.0-or-later
"""Every defect and every remark: a problem that has it, and one that does not."""

import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.judging import cooks, evidence
from solver.judging.cooks import CookKind
from solver.judging.findings import StartFault
from solver.judging.given import MARGINS, contains_line, cook_at_any_length, each_piece_removed, is_same_problem
from solver.judging.grade import JudgementState
from solver.judging.interpositions import MovedReading, MovedReadingLine, moved_reading_line
from solver.judging.judge import CrossCheckResult, Judge, Rigour, cross_check
from solver.results import WITHOUT_FAULT, Defect, Grade, Interposition, Judgement, LimitReached, Limits, Mate, Reason
from solver.solving import deepening
from solver.solving.solve import best_line, solve
from solver.solving.tree import TreeBuilder
from tests import naive
from tests.sampling import attacks, drawn
from tests.tsume.problems import CORRECT
from tsume_rules.packed import legal_checks, pack, unpack_move
from tsume_rules.position import SQUARES, Position, structural_faults
from tsume_rules.sfen import format_sfen, parse_sfen

PROBLEMS = [
    ("8k/9/8P/8L/9/9/9/9/9 b 2r2b4g4s3n3l17p 1", 1),
    ("9/9/6S2/8k/9/7R1/9/9/9 b r2b4g3s3n4l18p 1", 3),
    ("9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1", 3),
    ("5S1k1/9/9/6R2/9/9/9/9/9 b Lr2b4g3s4n3l18p 1", 3),
    ("9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1", 5),
    ("6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1", 5),
]
UNDETERMINED = "8k/6G2/9/9/9/9/9/9/9 b B2rb3g3s4n4l18p 1"
COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
COOKED_LATER = "7G1/8k/9/9/9/9/7R1/9/9 b r2b3g4s4n4l18p 1"
MIRRORED = "4k4/9/9/2N3N2/9/9/9/9/9 b GS2r2b3g3s2n4l18p 1"
GREY = "6Brk/9/6G2/9/9/9/9/9/9 b 2Lrb3g4s4n2l18p 1"
LEAVES_A_PIECE = "8k/9/8P/8L/9/9/9/9/9 b P2r2b4g4s4n3l16p 1"
NEEDLESS = "7k1/8P/6S2/8+B/9/9/9/9/9 b 2rb4g3s4n4l17p 1"
LIMITS = Limits(nodes=300_000)


@cache
def judged(sfen: str, expected: int | None = None) -> Judgement:
    return Judge(DfPnEngine(table_bits=16)).judge(parse_sfen(sfen).position, expected, LIMITS)


def test_long_works_are_judged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every problem here as if it were one."""
    problems = [*(sfen for sfen, _ in PROBLEMS), COOKED, COOKED_LATER, MIRRORED, GREY, LEAVES_A_PIECE, NEEDLESS]
    before = [judged(sfen) for sfen in problems]
    monkeypatch.setattr(deepening, "LAST_RAISED", 0)
    for sfen, known in zip(problems, before, strict=True):
        found = Judge(DfPnEngine(table_bits=16)).judge(parse_sfen(sfen).position, None, LIMITS)
        assert (found.defects, found.length, found.line) == (known.defects, known.length, known.line)
        assert (found.grade, found.unresolved) == (known.grade, known.unresolved)


@pytest.mark.parametrize(("sfen", "length"), PROBLEMS)
def test_correct_problems_have_no_defect(sfen: str, length: int) -> None:
    found = judged(sfen, length)
    assert found.defects is Defect.NONE
    assert (found.correct, found.grade, found.given) == (True, Grade.PERFECT, None)
    assert (found.length, len(found.line), found.cooks, found.faults) == (length, length, (), Defect.NONE)
    assert found.searched is None or found.searched >= length + 8


@pytest.mark.parametrize(("flag", "sfen", "expected"), [
    (Defect.ILLEGAL_START, "4k4/4R4/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1", None),
    (Defect.NO_MATE, "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1", None),
    (Defect.WRONG_LENGTH, PROBLEMS[1][0], 5),
    (Defect.COOK, COOKED, 3),
    (Defect.COOK, COOKED_LATER, 1),
    (Defect.UNDETERMINED_FORM, "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1", 3),
    (Defect.MIRROR_KEY, MIRRORED, 5),
    (Defect.LEFTOVER, LEAVES_A_PIECE, None),
    (Defect.UNDETERMINED_FORM, UNDETERMINED, 3),
    (Defect.UNDETERMINED_FORM, "9/8k/7R1/7R1/9/9/9/9/9 b 2b4g4s4n4l18p 1", 1),
    (Defect.UNNECESSARY_PIECE, NEEDLESS, 3),
    (Defect.UNNECESSARY_PIECE, "5B1b1/8k/8g/8G/8G/9/9/9/9 b 2rg4s4n4l18p 1", 3),
    (Defect.GREY_INTERPOSITION, GREY, 3),
    (Defect.GREY_INTERPOSITION, "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1", 3),
])  # fmt: skip
def test_each_defect_is_found(flag: Defect, sfen: str, expected: int | None) -> None:
    found = judged(sfen, expected)
    assert flag in found.defects
    assert flag.name in found.defects.names
    assert not found.correct


def test_an_illegal_start_says_why_and_is_not_searched() -> None:
    found = judged(IN_CHECK)
    assert (found.defects, found.faults, found.length) == (Defect.ILLEGAL_START, Defect.ILLEGAL_START, None)
    (shown,) = (one for one in found.findings if isinstance(one, StartFault))
    assert shown.fault == "the defender's king is in check with the attacker to move"


def test_cooks_are_shown_with_their_lines() -> None:
    found = judged(COOKED, 3)
    assert found.defects is Defect.COOK
    assert [[move.usi for move in cook] for cook in found.cooks] == [["3b2a+", "1a1b", "2d2b+"]]
    assert {len(cook) for cook in judged(COOKED_LATER, 1).cooks} == {3}
    assert Defect.COOK not in judged(UNDETERMINED, 3).defects


@pytest.mark.parametrize(("remark", "with_it", "without"), [
    (Defect.LEFTOVER_IN_VARIATION, "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1", PROBLEMS[2][0]),
    (Defect.EQUAL_DEFENCES, PROBLEMS[2][0], PROBLEMS[1][0]),
    (Defect.LAST_MOVE_ALTERNATIVES, PROBLEMS[3][0], PROBLEMS[2][0]),
])  # fmt: skip
def test_remarks_refuse_nothing(remark: Defect, with_it: str, without: str) -> None:
    assert remark in judged(with_it).remarks
    assert judged(with_it).defects is Defect.NONE
    assert remark not in judged(without).remarks


STARTS_IN_CHECK = "9/9/9/9/9/9/7Lk/5+RR1g/8K b 2b3g4s4n3l18p 1"


def test_a_start_in_check_is_a_blemish() -> None:
    found = judged(STARTS_IN_CHECK)
    assert found.grade is Grade.PERFECT
    assert Defect.STARTS_IN_CHECK in found.blemishes
    assert [one for one in found.findings if one.of is Defect.STARTS_IN_CHECK]
    without_king = judged(STARTS_IN_CHECK.replace("8K", "9"))
    assert Defect.STARTS_IN_CHECK not in without_king.blemishes


@pytest.mark.parametrize("nodes", [0, 1, 20, 200])
def test_out_of_nodes_is_unresolved_and_never_correct(nodes: int) -> None:
    position = parse_sfen("6R2/8k/8r/8G/9/9/9/9/9 b N2b3g4s3n4l18p 1").position
    found = Judge(DfPnEngine(table_bits=16)).judge(position, 5, Limits(nodes=nodes))
    assert found.unresolved
    assert not found.correct
    assert Defect.NO_MATE not in found.defects


def test_one_defect_is_enough_when_asked_so() -> None:
    """Then there is neither a grade nor anything to show."""
    judge = Judge(DfPnEngine(table_bits=16), Rigour(first_defect=True))
    assert judge.judge(parse_sfen(GREY).position, 5, LIMITS).defects is Defect.WRONG_LENGTH
    perfect = PROBLEMS[1][0]
    assert judge.judge(parse_sfen(perfect).position, 3, LIMITS).correct
    for sfen in (perfect, COOKED, WIDE, PROBLEMS[-1][0]):
        found = judge.judge(parse_sfen(sfen).position, None, LIMITS)
        assert (found.grade, found.findings, found.readings) == (None, (), None)
    graded = Judge(DfPnEngine(table_bits=16), Rigour(grades=False))
    assert graded.judge(parse_sfen(perfect).position, 3, LIMITS).grade is None


@pytest.mark.parametrize("sfen", [PROBLEMS[2][0], COOKED, UNDETERMINED, NEEDLESS, GREY])
def test_mirror_images_are_judged_alike(sfen: str) -> None:
    found = judged(sfen)
    image = Judge(DfPnEngine(table_bits=16)).judge(parse_sfen(sfen).position.mirrored, None, LIMITS)
    assert (image.defects, image.length, image.unresolved) == (found.defects, found.length, found.unresolved)


def test_a_used_judge_judges_as_a_new_one() -> None:
    used = Judge(DfPnEngine(table_bits=16))
    sfens = [sfen for sfen, _ in PROBLEMS] + [COOKED, UNDETERMINED, NEEDLESS, GREY]
    for sfen in sfens + sfens[::-1]:
        found = used.judge(parse_sfen(sfen).position, None, LIMITS)
        assert (found.defects, found.length, found.correct) == (
            judged(sfen).defects,
            judged(sfen).length,
            judged(sfen).correct,
        )


def test_a_cook_found_with_the_last_nodes_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The nodes for longer cooks run out while it is looked at: it must not be lost."""
    looked = []

    def cook_kind(*arguments: Any) -> CookKind:
        looked.append(arguments)
        if len(looked) == 1:
            raise LimitReached(Reason.NODES)
        return cooks.cook_kind(*arguments)

    monkeypatch.setattr(evidence, "cook_kind", cook_kind)
    rigour = Rigour(margins=(0, 2), required=1, unbounded_nodes=0, grades=False)
    found = Judge(DfPnEngine(table_bits=16), rigour).judge(parse_sfen(COOKED_LATER).position)
    assert Defect.COOK in found.defects
    assert len(looked) > 1


def test_an_examination_may_leave_time_to_its_caller() -> None:
    """With no share of the time for the examination the line is known, and the caller's time is left."""
    engine, (sfen, length) = DfPnEngine(table_bits=16), PROBLEMS[-1]
    position = parse_sfen(sfen).position
    with engine.within(Limits(seconds=600)):
        found = Judge(engine, Rigour(examining=0.0)).judge(position)
        assert engine.seconds_left is not None
        assert engine.seconds_left > 0
        engine.check_limits()
    assert found.unresolved
    assert (found.length, len(found.line), found.grade) == (length, length, None)
    assert engine.seconds_left is None
    assert not Judge(engine, Rigour(examining=0.0)).judge(position).unresolved


def test_rules_without_a_fault_that_are_not_settled_leave_the_rest_settled() -> None:
    """With no nodes for rules 7 and 8 the grade is known; neither rule is claimed to hold."""
    position = parse_sfen(PROBLEMS[-1][0]).position
    for rule, examine in ((Defect.GREY_INTERPOSITION, "_examine_grey_zone"), (Defect.UNNECESSARY_PIECE, "_minimal")):
        judge = Judge(DfPnEngine(table_bits=16))
        setattr(judge, examine, _out_of_nodes)
        found = judge.judge(position)
        assert (found.unresolved, found.settled, found.correct) == (False, False, False)
        assert (found.grade, found.not_settled, found.defects) == (Grade.SOUND, rule, Defect.NONE)
        assert (found.readings is None) is (rule is Defect.GREY_INTERPOSITION)
    whole = Judge(DfPnEngine(table_bits=16)).judge(position)
    assert (whole.grade, whole.not_settled, whole.settled) == (Grade.PERFECT, Defect.NONE, True)


def _out_of_nodes(*_arguments: object) -> bool:
    raise LimitReached(Reason.NODES)


def test_an_outer_limit_in_the_last_rules_leaves_the_judgement_unresolved() -> None:
    """Whatever the limit, a rule that is not examined to the end is named or the judgement is unresolved.

    As the limit rises there is no grade, then sound, and perfect only with every condition settled.
    """
    position, seen, grades = parse_sfen(PROBLEMS[-1][0]).position, set(), {}
    rising = (0, 1, 10, 100, 1000, 3000, 10_000, 30_000, 100_000, 1_000_000)
    for nodes in {*rising, *range(0, 4000, 100)}:
        found = Judge(DfPnEngine(table_bits=16)).judge(position, 5, Limits(nodes=nodes))
        assert found.settled or not found.correct
        assert found.grade in ((None, Grade.SOUND) if found.unresolved else (Grade.PERFECT,))
        seen.add(found.not_settled)
        grades[nodes] = found.grade
    known = [grades[nodes] for nodes in rising]
    assert known[-1] is Grade.PERFECT
    assert known == sorted(known, key=(None, Grade.SOUND, Grade.PERFECT).index)
    assert Defect.NONE in seen
    assert WITHOUT_FAULT in seen


def test_an_unnecessary_piece_is_found_behind_one_that_takes_all_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The easy pieces come first, so the budget of all is not spent on a hard one before them."""
    asked: list[int | None] = []

    def is_needless(_judge: Judge, _case: JudgementState, _reduced: Position, nodes: int | None) -> bool | None:
        asked.append(nodes)
        return None if len(asked) == 1 else len(asked) == 3

    monkeypatch.setattr(Judge, "_is_needless", is_needless)
    found = Judge(DfPnEngine(table_bits=16), Rigour(all_findings=False)).judge(parse_sfen(PROBLEMS[-1][0]).position)
    assert found.defects == Defect.UNNECESSARY_PIECE
    assert len(asked) == 3
    assert len(set(asked)) == 1


# --- Moved interpositions that are only captured, on small cases and against a slow twin -----------

PUBLISHED_IN_3 = "7ls/6P1k/3+r2G2/7p1/5R1N1/9/3B5/9/9 b b3g3s3n3l16p 1"
"""The lance steps between, is captured, and its loss changes nothing."""
ONLY_CAPTURED = [
    # SFEN, length, the line without the moves that do not count, a line to one of these
    (PUBLISHED_IN_3, 5, "4e4f 6c6g 4f1f", "4e4f 2a2c"),
    ("8k/5P3/4b1P2/9/9/9/2B6/9/9 b G2r3g4s4n4l16p 1", 5, "3c3b+ 1a1b 7g2b+", "3c3b+ 5c4d"),
    ("9/6n1k/8r/6P2/9/9/9/9/1+B7 b Grb3g4s3n4l17p 1", 5, "3d3c+ 1b1a G*2b", "3d3c+ 1c2c"),
]
WITH_A_POINT = [
    # SFEN, length; the main line has a moved interposition that the checking piece takes
    ("9/8k/6+Pn1/9/9/9/9/3+R5/9 b Gr2b3g4s3n4l17p 1", 5),  # without the knight the mate is later
    ("8S/8k/4n4/7l1/5N3/9/9/9/1+B7 b S2rb4g2s2n3l18p 1", 5),  # the same
    ("5g1k1/9/2R4G1/9/5P3/9/9/9/9 b R2b2g4s4n4l17p 1", 5),  # the gold leaves the king its square
]


def read(sfen: str, engine: DfPnEngine) -> tuple[int, MovedReadingLine]:
    found = solve(parse_sfen(sfen).position, Limits(), engine)
    assert isinstance(found, Mate)
    packed = pack(parse_sfen(sfen).position)
    return found.length, moved_reading_line(engine, packed, TreeBuilder(engine).turn(packed, found.length))


def usi(moves: tuple[int, ...]) -> str:
    return " ".join(unpack_move(move).usi for move in moves)


def test_what_is_only_captured_does_not_count() -> None:
    for sfen, length, line, example in ONLY_CAPTURED:
        narrow, found = read(sfen, DfPnEngine(table_bits=14))
        assert (narrow, usi(found.line), usi(found.example)) == (length, line, example)
        assert twin_length(sfen, length) == len(found.line)
    for sfen, length in WITH_A_POINT:
        assert read(sfen, DfPnEngine(table_bits=14)) == (length, MovedReadingLine())
        assert twin_length(sfen, length) == length


def test_a_judgement_remarks_it_and_does_not_rest_on_it() -> None:
    found = Judge(DfPnEngine(table_bits=16)).judge(parse_sfen(PUBLISHED_IN_3).position)
    assert found.length == 5
    assert [move.usi for move in found.without_moved] == ["4e4f", "6c6g", "4f1f"]
    assert [move.usi for move in found.moved_between] == ["4e4f", "2a2c"]


def test_without_such_a_move_on_the_main_line_nothing_is_searched() -> None:
    for position in attacks(30, seed="moved"):
        engine, packed = DfPnEngine(table_bits=14), pack(position)
        found = solve(position, Limits(nodes=2000, max_length=3), engine)
        if isinstance(found, Mate):
            root, before = TreeBuilder(engine).turn(packed, found.length), engine.nodes
            if not any("*" not in move.usi for move in found.line[1::2]):
                assert moved_reading_line(engine, packed, root) == MovedReadingLine()
                assert engine.nodes == before


def test_a_limit_ends_the_search() -> None:
    engine = DfPnEngine(table_bits=14)
    packed = pack(parse_sfen(PUBLISHED_IN_3).position)
    root = TreeBuilder(engine).turn(packed, 5)
    engine.forget()
    with engine.within(Limits(nodes=1)), pytest.raises(LimitReached):
        moved_reading_line(engine, packed, root)


def test_the_reading_is_that_of_the_slow_twin() -> None:
    shorter = 0
    for position in (*attacks(20, seed="moved"), *drawn(_varied, 30, seed="moved")):
        sfen, packed, twin = format_sfen(position), pack(position), Twin()
        board, reading = naive.board_of(sfen), MovedReading(DfPnEngine(table_bits=14))
        for n in (1, 3):
            ours = {unpack_move(c).usi for c in legal_checks(packed) if reading.mates_after(packed, c, n)}
            theirs = {move.usi() for move in naive.check_moves(board) if twin.mates(board, move, n)}
            assert ours == theirs, sfen
            shorter += ours != naive.mating_moves(sfen, n)
    assert shorter


def _varied(rng: random.Random, _own_king: bool) -> Position:
    """One of the positions above with up to two pieces elsewhere."""
    position = parse_sfen(rng.choice(ONLY_CAPTURED)[0]).position
    while True:
        board = list(position.board)
        for _ in range(rng.randint(0, 2)):
            here, there = rng.choice([sq for sq in range(SQUARES) if board[sq]]), rng.randrange(SQUARES)
            board[here], board[there] = board[there], board[here]
        varied = Position.completed(tuple(board), position.attacker_hand)
        if not structural_faults(varied) and not naive.is_check(naive.board_of(format_sfen(varied))):
            return varied


# --- the twin ----------------------------------------------------------------------------------------
def twin_length(sfen: str, most: int) -> int | None:
    """The length by this reading, up to ``most`` plies."""
    board, search = naive.board_of(sfen), Twin()
    return next((n for n in range(1, most + 1, 2) if search.mate_within(board, n)), None)


class Twin(naive.Search):
    """The narrow reading without moved interpositions that are only captured, as docs/rules.md says it."""

    def _all_answers_fail(self, board: naive.Board, n: int) -> bool:
        answers = list(naive.evasion_moves(board))
        captured = {answer.usi(): list(_after_capture(board, answer)) for answer in answers}
        others = [answer for answer in answers if not captured[answer.usi()]]
        for m in range(0, n + 1, 2):
            if all(self._fails(board, answer, m) for answer in others):
                return all(
                    any(self.mated_within(after, m) for after in captured[answer.usi()])
                    or self._loses(board, answer, n)
                    for answer in answers
                    if captured[answer.usi()]
                )
        return False


def _after_capture(board: naive.Board, answer: Any) -> list[naive.Board]:
    """The positions after the only checking piece takes a piece moved between, which its owner gets back."""
    found: list[naive.Board] = []
    checkers, king = naive.checkers(board), board.king_squares[shogi.WHITE]
    if answer.drop_piece_type or answer.from_square == king or len(checkers) != 1:
        return found
    if answer.to_square not in naive.interposition_squares(board):
        return found
    board.push(answer)
    kind = board.piece_type_at(answer.to_square)
    for check in naive.check_moves(board) if not naive.attackers_king_attacked(board) else ():
        if (check.from_square, check.to_square) == (checkers[0], answer.to_square):
            board.push(check)
            after = naive.board_of(board.sfen())
            board.pop()
            kind_in_hand = shogi.PIECE_PROMOTED.index(kind) if kind in shogi.PIECE_PROMOTED else kind
            after.remove_piece_from_hand(kind_in_hand, shogi.BLACK)
            after.add_piece_into_hand(kind_in_hand, shogi.WHITE)
            found.append(after)
    board.pop()
    return found


# --- Two engines on one problem --------------------------------------------------------------------

WIDE = "9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1"
LOOSE = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1"
ONE = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
IN_CHECK = "4k4/4G4/9/9/9/9/9/9/9 b 2r2b3g4s4n4l18p 1"


def judged_with_engine(sfen: str) -> tuple[DfPnEngine, Position, Judgement]:
    engine, position = DfPnEngine(table_bits=16), parse_sfen(sfen).position
    return engine, position, Judge(engine).judge(position)


def crossed(sfen: str, **changes: object) -> CrossCheckResult:
    """The result of asking the second engine about a judgement that was changed."""
    engine, position, judgement = judged_with_engine(sfen)
    changed = replace(judgement, **changes)  # type: ignore[arg-type]
    return cross_check(engine, IterativeEngine(table_bits=16), position, changed)


def test_the_engines_agree() -> None:
    for sfen in (CORRECT, WIDE, COOKED_LATER, LOOSE, NO_MATE, ONE, IN_CHECK):
        cross = crossed(sfen)
        assert (cross, cross.agrees) == (CrossCheckResult(), True), sfen


def test_a_judgement_that_the_second_engine_does_not_confirm_is_reported() -> None:
    changes: list[tuple[str, dict[str, object], str]] = [
        (CORRECT, {"length": 5}, "length 5 and 3"),
        (NO_MATE, {"length": 3}, "length 3 and None"),
        (CORRECT, {"defects": Defect.COOK}, "defects COOK and none"),
        (COOKED_LATER, {"defects": Defect.NONE}, "defects none and COOK"),
        (LOOSE, {"defects": Defect.NONE}, "defects none and UNDETERMINED_FORM"),
        (CORRECT, {"grade": Grade.UNSOUND, "faults": Defect.LEFTOVER}, "faults LEFTOVER and none"),
    ]
    for sfen, changed, part in changes:
        cross = crossed(sfen, **changed)
        assert cross.agrees is False
        assert part in cross.differences


def test_a_detour_that_is_called_a_cook_is_not_confirmed() -> None:
    engine, position, judgement = judged_with_engine("7S1/6G2/5B1k1/8N/9/9/9/9/9 b G2rb2g3s3n4l18p 1")
    assert judgement.remarks & Defect.DETOUR
    cooks = tuple(replace(found, of=Defect.COOK) for found in judgement.findings if found.of is Defect.DETOUR)
    wrong = replace(judgement, defects=Defect.COOK, findings=cooks)
    assert cooks
    assert cross_check(engine, IterativeEngine(table_bits=16), position, wrong).agrees is False


def test_a_second_engine_that_runs_out_is_no_agreement() -> None:
    engine, position, judgement = judged_with_engine(CORRECT)
    cross = cross_check(engine, IterativeEngine(table_bits=16), position, judgement, limits=Limits(nodes=5))
    assert cross.agrees is None
    assert cross.unheard is Reason.NODES
    engine, position, judgement = judged_with_engine(ONE)
    second = IterativeEngine(table_bits=16, interposition=Interposition.COUNT_ALL)
    cross = cross_check(engine, second, position, judgement, limits=Limits(nodes=500_000))
    assert cross.agrees is not True


def test_what_both_engines_see_is_confirmed() -> None:
    engine, position = DfPnEngine(table_bits=16), parse_sfen(CORRECT).position
    judgement = Judge(engine).judge(position, 5)
    assert judgement.defects & Defect.WRONG_LENGTH
    assert cross_check(engine, IterativeEngine(table_bits=16), position, judgement, 5).agrees is True
    engine, second = DfPnEngine(), IterativeEngine(table_bits=18)
    position = parse_sfen("8n/9/6B1k/9/7R1/9/9/9/9 b rb4g4s3n4l18p 1").position
    judgement = Judge(engine).judge(position)
    assert judgement.grade is Grade.PERFECT  # only without a bound is the knight on 1a needed
    assert cross_check(engine, second, position, judgement).agrees


# --- minimal ---------------------------------------------------------------------------------------

NEEDLESS_BISHOP = "5B1b1/8k/8g/8G/8G/9/9/9/9 b 2rg4s4n4l18p 1"


def line_of(sfen: str, length: int) -> tuple[int, ...]:
    packed = pack(parse_sfen(sfen).position)
    return best_line(DfPnEngine(table_bits=14), packed, length)


def test_every_piece_but_the_kings_is_taken_away_once() -> None:
    position = parse_sfen("4k4/4+r4/9/9/9/9/9/9/4K4 b 2GPr2b2g4s4n4l17p 1").position
    names = [removed.name for removed, _ in each_piece_removed(position)]
    assert names == ["defender's dragon on 5b", "pawn in hand", "gold in hand"]
    for _, reduced in each_piece_removed(position):
        assert reduced.piece_count() == position.piece_count() - 1
        assert len(reduced.defender_hand) == len(position.defender_hand) + 1


@pytest.mark.parametrize(
    ("sfen", "needless"), [(NEEDLESS, "attacker's pawn on 1b"), (NEEDLESS_BISHOP, "defender's bishop on 2a")]
)
def test_a_needless_piece_can_go(sfen: str, needless: str) -> None:
    engine, line = DfPnEngine(table_bits=14), line_of(sfen, 3)
    position = parse_sfen(sfen).position
    found = {removed.name: is_same_problem(engine, reduced, line) for removed, reduced in each_piece_removed(position)}
    assert found[needless]
    smaller = next(reduced for removed, reduced in each_piece_removed(position) if found[removed.name])
    assert contains_line(TreeBuilder(DfPnEngine(table_bits=14)).turn(pack(smaller), 3), line)


def test_a_minimal_problem_stays() -> None:
    engine, position = DfPnEngine(table_bits=14), parse_sfen(PROBLEMS[2][0]).position
    line = line_of(PROBLEMS[2][0], 3)
    assert is_same_problem(engine, position, line)
    assert not any(is_same_problem(engine, reduced, line) for _, reduced in each_piece_removed(position))
    assert not is_same_problem(engine, position, line_of(NEEDLESS, 3))
    assert not is_same_problem(engine, position, line_of(PROBLEMS[2][0], 3)[:1])
    assert not is_same_problem(engine, parse_sfen("4k4/4R4/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1").position, line), (
        "an illegal start"
    )


def test_best_lines_are_in_the_tree() -> None:
    packed, line = pack(parse_sfen(PROBLEMS[2][0]).position), line_of(PROBLEMS[2][0], 3)
    root = TreeBuilder(DfPnEngine(table_bits=14)).turn(packed, 3)
    assert contains_line(root, line)
    assert all(contains_line(root, (root.key, *r.moves, *r.turn.line())) for r in root.replies if r.turn)
    assert not contains_line(root, line[:1])
    assert not contains_line(root, line[:2])
    assert not contains_line(root, (*line, line[0]))
    assert not contains_line(root, (line[1], *line[1:]))


@pytest.mark.parametrize(("sfen", "length"), [
    ("8n/9/6B1k/9/7R1/9/9/9/9 b rb4g4s3n4l18p 1", 3),
    ("3+B5/1k1g5/2s6/9/9/9/9/9/9 b 2Rb3g3s4n4l18p 1", 5),
    ("1k1n5/9/1Ss6/4+R4/9/9/9/9/9 b R2b4g2s3n4l18p 1", 7),
])  # fmt: skip
def test_a_piece_that_prevents_only_a_longer_second_solution_is_needed(sfen: str, length: int) -> None:
    engine, position, line = DfPnEngine(), parse_sfen(sfen).position, line_of(sfen, length)
    without = [reduced for _, reduced in each_piece_removed(position) if is_same_problem(engine, reduced, line)]
    assert without
    limits = Limits(nodes=1_000_000)
    for reduced in without:
        assert not is_same_problem(engine, reduced, line, unbounded=limits)
        cook = cook_at_any_length(engine, reduced, line, limits)
        assert cook is not None
        assert cook.bound > length + MARGINS[-1]
    judgement = Judge(engine).judge(position)
    assert judgement.grade is Grade.PERFECT
    without_nodes = Judge(engine, Rigour(reduced_nodes=10)).judge(position)
    assert not without_nodes.unresolved
    assert Defect.UNNECESSARY_PIECE in without_nodes.not_settled
    assert not without_nodes.correct
    assert without_nodes.grade is Grade.SOUND
    assert Judge(engine, Rigour(reduced_nodes=10, evidence=False)).judge(position).unresolved
