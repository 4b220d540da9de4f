# SPDX-License-Identifier: GPL-3.0-or-later
"""The last tests: no second solution at any length, no unnecessary piece, no defect that is not refused."""

from dataclasses import replace
from functools import cache, partial
from itertools import islice

import pytest

from generator.acceptance import Rejection
from generator.acceptance.pipeline import (
    CandidateValidator,
    SoundCandidateValidator,
    judgement_rejection,
    line_destinations,
    positions_with_plain_piece,
    with_plain_pieces,
)
from generator.candidate import Candidate
from generator.constraints.options import FLOOR, ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem
from generator.run.composer import RootResult
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.cooks import decision_points
from solver.judging.given import each_piece_removed, is_same_problem
from solver.judging.judge import Judge, Rigour, mirror_order
from solver.results import Defect, Grade, Judgement, LimitReached, Limits
from solver.solving import tree
from solver.solving.tree import TreeBuilder
from tests.candidates import grown
from tests.generator.finds import compose_roots
from tests.positions import record_of
from tests.tsume.problems import COOKED, CORRECT, LOOSE, NO_MATE
from tsume_rules.kernel.move_generation import differs_in_form_only
from tsume_rules.moves import Move, parse_move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    legal_checks,
    line_played,
    pack,
    pack_move,
    start_faults,
    unpack,
    unpack_move,
)
from tsume_rules.position import HAND_KINDS, Kind, Piece, Position, Side
from tsume_rules.sfen import canonical, format_sfen, parse_sfen

COOKED_LATER = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"
"""Two plies beyond the end."""
ONLY_FUTILE_LASTS = "9/9/9/9/9/9/9/Ss7/R1k1+B4 b rb4g2s4n4l18p 1"
STARTS_IN_CHECK = "9/9/9/9/9/9/7Lk/5+RR1g/8K b 2b3g4s4n3l18p 1"
LEFTOVER_IN_VARIATION = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1"
SAME_POSITION = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"
OTHER_FORM = "5g2l/6k2/5s1Pp/3b5/8B/9/9/9/9 b R2Sr3gs4n3l16p 1"


def validator() -> CandidateValidator:
    return CandidateValidator(DfPnEngine(table_bits=18))


def line_of(packed: PackedPosition, length: int) -> Moves:
    return TreeBuilder(DfPnEngine(table_bits=16)).turn(packed, length).line()


@cache
def settled() -> list[Candidate]:
    """The candidates whose first turn is settled: only these are minimised."""
    fitting = [s for s in candidates() if validator().second_solution(s.packed, s.line) is None]
    return [
        candidate for candidate in fitting if validator().line(candidate.packed, candidate.length) == candidate.line
    ]


@cache
def candidates() -> list[Candidate]:
    return [candidate for length in (1, 3, 5) for candidate in grown(length, 25, seed=8)[:25]]


# --- settled ---------------------------------------------------------------------------------------
def test_what_is_settled_has_no_other_check_that_mates_at_any_length() -> None:
    seen = set()
    for candidate in candidates():
        before = candidate.packed.copy()
        found = validator().second_solution(candidate.packed, candidate.line)
        assert candidate.packed == before
        slowly = slowly_settled(candidate.packed, candidate.length)
        assert Rejection.NOT_EXCLUDED in (found, slowly) or found == slowly, format_sfen(unpack(candidate.packed))
        seen.add((found, slowly))
    assert {(None, None), (Rejection.LONGER_COOK, Rejection.LONGER_COOK)} <= seen


def slowly_settled(packed: PackedPosition, length: int) -> Rejection | None:
    """With a table for each check, at each turn of the main tree."""
    mates = []
    for point in decision_points(packed, TreeBuilder(DfPnEngine(table_bits=16)).turn(packed, length)):
        with line_played(packed, point.path):
            mates += [mates_slowly(packed, check) for check in point.open_checks]
    return Rejection.LONGER_COOK if True in mates else Rejection.NOT_EXCLUDED if None in mates else None


def mates_slowly(packed: PackedPosition, check: int) -> bool | None:
    engine = DfPnEngine(table_bits=16)
    return engine.answered_within(4_000, partial(engine.mates_ever_after, packed, check))


def test_a_second_solution_is_found_with_any_length() -> None:
    packed = record_of(COOKED_LATER)
    line = line_of(packed, 3)
    assert validator().second_solution(packed, line) is Rejection.LONGER_COOK
    engine = DfPnEngine(table_bits=16)
    with pytest.raises(LimitReached), engine.within(Limits(nodes=0)):
        CandidateValidator(engine).second_solution(packed, line)


def test_what_takes_too_long_is_not_excluded() -> None:
    """Nor is it taken for settled."""
    hurried = {validator().second_solution(candidate.packed, candidate.line, nodes=1) for candidate in candidates()}
    assert Rejection.NOT_EXCLUDED in hurried
    for candidate in candidates():
        if validator().second_solution(candidate.packed, candidate.line, nodes=1_000) is None:
            assert slowly_settled(candidate.packed, candidate.length) is not Rejection.LONGER_COOK


# --- the line --------------------------------------------------------------------------------------
def test_the_line_is_the_best_one() -> None:
    for candidate in candidates():
        order = mirror_order(unpack(candidate.packed))
        twin = TreeBuilder(DfPnEngine(table_bits=16), order=order).turn(candidate.packed, candidate.length)
        assert validator().line(candidate.packed, candidate.length) == twin.line()
    assert validator().line(record_of(ONLY_FUTILE_LASTS), 3) is None


# --- minimal ---------------------------------------------------------------------------------------
def mirrored(line: Moves) -> Moves:
    return tuple(pack_move(unpack_move(move).mirrored) for move in line)


def padded(position: Position) -> Position:
    """The position with one more defender's piece, as far away as possible."""
    king = next(sq for sq, piece in enumerate(position.board) if piece is not None and piece.kind.name == "KING")
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
        position, line = unpack(candidate.packed), candidate.line
        found = canonical(validator().minimised(candidate.packed, line))
        line = line if DfPnEngine().keeps_line(pack(found), line) else mirrored(line)
        assert DfPnEngine().keeps_line(pack(found), line), format_sfen(position)
        assert found.piece_count() <= position.piece_count()
        smaller += found.piece_count() < position.piece_count()
        for name, reduced in each_piece_removed(found):
            assert not is_same_problem(DfPnEngine(table_bits=16), reduced, line), (format_sfen(found), name)
    assert smaller > 3


def test_a_piece_too_many_is_taken_away() -> None:
    position = parse_sfen(CORRECT).position
    line = line_of(pack(position), 3)
    assert canonical(validator().minimised(pack(padded(position)), line)) == canonical(position)


def test_no_start_is_left_illegal() -> None:
    """Taking a piece away may open a line to the king."""
    opened = 0
    for candidate in (candidate for seed in range(1, 7) for length in (3, 5) for candidate in grown(length, 12, seed)):
        if any(start_faults(reduced) for _, reduced in each_piece_removed(unpack(candidate.packed))):
            assert not start_faults(validator().minimised(candidate.packed, candidate.line))
            opened += 1
    assert opened


# --- the judgement ---------------------------------------------------------------------------------
def judged(sfen: str, length: int) -> Judgement:
    return validator().judge(parse_sfen(sfen).position, length, 400_000)


def test_a_correct_problem_is_not_refused() -> None:
    assert judgement_rejection(judged(CORRECT, 3)) is None
    judgement = validator().judge(parse_sfen(CORRECT).position, 3, 1)
    assert judgement_rejection(judgement) in (Rejection.UNRESOLVED, Rejection.NOT_EXCLUDED)


@pytest.mark.parametrize(("sfen", "length", "why"), [
    (COOKED_LATER, 3, Rejection.NOT_CORRECT),
    (LEFTOVER_IN_VARIATION, 3, Rejection.LEFTOVER),
    (ONLY_FUTILE_LASTS, 3, Rejection.NOT_CORRECT),
    (STARTS_IN_CHECK, 3, Rejection.STARTS_IN_CHECK),
])  # fmt: skip
def test_what_is_refused(sfen: str, length: int, why: Rejection) -> None:
    found = judgement_rejection(judged(sfen, length))
    assert found in (why, Rejection.NOT_CORRECT)
    assert found is not None


def test_what_is_not_refused_is_correct_by_the_full_judge() -> None:
    accepted = 0
    for candidate in settled():
        position = validator().minimised(candidate.packed, candidate.line)
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
    packed, length = pack(position), judgement.length
    assert length is not None
    accepting = validator()
    assert accepting.has_one_solution(packed, length)
    assert accepting.second_solution(packed, tuple(map(pack_move, judgement.line))) is None
    found = accepting.judge(position, length, 400_000)
    assert (found.defects, found.remarks & Defect.SAME_POSITION) == (Defect.NONE, Defect.SAME_POSITION)
    assert accepting.refusal(position, found) is None
    assert not accepting.has_one_solution(pack(parse_sfen(OTHER_FORM).position), 9)


# --- sound problems --------------------------------------------------------------------------------

ROOTS = {3: 24, 5: 48, 7: 12}
NEEDLESS = "7k1/8P/6S2/8+B/9/9/9/9/9 b 2rb4g3s4n4l17p 1"
BEHIND_EQUAL_DEFENCE = "8S/6R1S/7Lk/9/6S2/8N/9/9/9 b r2b4gs3n3l18p 1"


def composed(length: int, grade: Grade) -> list[Problem]:
    results = islice(compose_roots(6, ComposingOptions.of(length, grade=grade), "test"), ROOTS[length])
    return [problem for result in results for problem in result.problems]


@pytest.fixture(scope="module")
def sound() -> dict[int, list[Problem]]:
    return {length: composed(length, Grade.SOUND) for length in ROOTS}


def test_sound_problems_have_their_grade_and_blemishes_from_the_full_judge(sound: dict[int, list[Problem]]) -> None:
    for length in ROOTS:
        perfect = composed(length, Grade.PERFECT)
        assert {problem.grade for problem in perfect} == {Grade.PERFECT}
        assert len(sound[length]) > len(perfect), length
    for problem in (one for of_length in sound.values() for one in of_length):
        found = Judge(DfPnEngine(), Rigour(evidence=False)).judge(problem.position, problem.length)
        assert not found.unresolved
        assert (found.grade, found.faults) == (problem.grade, Defect.NONE), format_sfen(problem.position)
        assert (found.line, found.length) == (problem.line, problem.length)
        assert found.blemishes == problem.blemishes
    problems = [one for of_length in sound.values() for one in of_length if one.grade is Grade.SOUND]
    shown = {blemish for problem in problems for blemish in problem.blemishes}
    assert {Defect.UNDETERMINED_FORM, Defect.COOK_IN_EQUAL_DEFENCE} <= shown


@pytest.mark.parametrize("sfen", [CORRECT, LOOSE, NEEDLESS, LEFTOVER_IN_VARIATION, BEHIND_EQUAL_DEFENCE])
def test_blemishes_are_not_refused(sfen: str) -> None:
    position = parse_sfen(sfen).position
    validator = SoundCandidateValidator(DfPnEngine())
    length = 7 if sfen == BEHIND_EQUAL_DEFENCE else 3
    judgement = validator.judge(position, length, 2_000_000)
    assert Defect.COOK not in judgement.faults
    if judgement.grade is not Grade.UNSOUND:
        assert validator.refusal(position, judgement) is None
    assert (judgement.grade is Grade.UNSOUND) is (validator.refusal(position, judgement) is not None)


@pytest.mark.parametrize("sfen", [COOKED, NO_MATE])
def test_faults_are_refused(sfen: str) -> None:
    position = parse_sfen(sfen).position
    validator = SoundCandidateValidator(DfPnEngine())
    assert validator.refusal(position, validator.judge(position, 3, 400_000)) is Rejection.NOT_CORRECT
    assert validator.refusal(position, validator.judge(position, 3, 1)) is Rejection.UNRESOLVED


def test_another_form_of_the_key_is_no_second_solution() -> None:
    packed, engine = pack(parse_sfen(LOOSE).position), DfPnEngine()
    line = TreeBuilder(engine).turn(packed, 3).line()
    assert CandidateValidator(engine).second_solution(packed, line) is Rejection.LONGER_COOK
    assert SoundCandidateValidator(engine).second_solution(packed, line) is None


@pytest.mark.parametrize("sfen", [CORRECT, LOOSE, NEEDLESS, BEHIND_EQUAL_DEFENCE])
def test_no_piece_that_can_go_adds_a_form(sfen: str) -> None:
    """A needless piece comes off as long as the same checks mate at every turn."""
    position = parse_sfen(sfen).position
    engine = DfPnEngine()
    packed = pack(position)
    length = 7 if sfen == BEHIND_EQUAL_DEFENCE else 3
    line = TreeBuilder(engine).turn(packed, length).line()
    validator = SoundCandidateValidator(engine)
    smaller = pack(validator.minimised(packed, line))
    assert validator._checks_in_time(smaller, line) == validator._checks_in_time(packed, line)


def test_the_kernel_and_its_twin_agree_on_forms() -> None:
    seen = set()
    for sfen in (CORRECT, LOOSE, NEEDLESS, "3k5/9/9/9/9/9/9/9/4RB3 b Rb4g4s4n4l18p 1",
                 "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b Srb4g3s3n3l15p 1"):  # fmt: skip
        packed = pack(parse_sfen(sfen).position)
        checks = legal_checks(packed)
        for one in checks:
            for other in checks:
                twin = tree.differs_in_form_only(packed, one, other)
                assert bool(differs_in_form_only(packed, one, other)) == twin, (
                    unpack_move(one), unpack_move(other),
                )  # fmt: skip
                seen.add(twin)
    assert seen == {True, False}


def test_options_keep_the_grade() -> None:
    options = ComposingOptions.of(3, grade=Grade.SOUND)
    assert ComposingOptions.from_dict(options.to_dict()) == options
    old = {name: value for name, value in ComposingOptions.of(3).to_dict().items() if name != "grade"}
    assert ComposingOptions.from_dict(old).grade is Grade.PERFECT
    assert options.to_dict()["grade"] == "sound"


# --- promoted pieces become plain where the problem stays correct ----------------------------------

REVERSE_ROOTS = {3: 18, 5: 24, 7: 2}
ALL = frozenset(HAND_KINDS)


def position_of(board: str, hands: str = "-") -> Position:
    return parse_sfen(f"{board} b {hands} 1").position


def composed_of(length: int, style: Style, grade: Grade = Grade.PERFECT) -> list[Problem]:
    """Problems of reverse construction: far more of its pieces are promoted than of what is sampled."""
    options = replace(ComposingOptions.of(length), style=style, grade=grade, wishes=ProblemConstraints(max_pieces=38))
    results = islice(compose_roots(7, options, "test"), REVERSE_ROOTS[length])
    return [problem for result in results for problem in result.problems]


@cache
def usually(length: int) -> list[Problem]:
    return composed_of(length, Style.NATURAL)


@pytest.fixture(scope="module")
def natural() -> list[Problem]:
    return [problem for length in REVERSE_ROOTS for problem in usually(length)]


def changes(position: Position) -> list[Position]:
    """The slow twin of `positions_with_plain_piece`: each promoted piece as the plain one."""
    found = []
    for sq, piece in enumerate(position.board):
        if piece is None or not piece.kind.is_promoted:
            continue
        changed = position.with_piece(sq, Piece(piece.side, piece.kind.base))
        if not start_faults(changed):
            found.append(changed)
    return found


def perfect_line(position: Position, length: int) -> tuple[Move, ...] | None:
    """The main line as a judge with an engine of his own gives it, of a perfect problem."""
    found = Judge(DfPnEngine(table_bits=18), Rigour(evidence=False)).judge(position, length)
    good = found.grade is Grade.PERFECT and found.length == length and judgement_rejection(found) is None
    return found.line if good else None


def test_natural_problems_are_perfect_and_no_promoted_piece_could_be_plain(natural: list[Problem]) -> None:
    tried = 0
    for problem in natural:
        for changed in changes(problem.position):
            line = perfect_line(changed, problem.length)
            assert line is None or line_destinations(line) != line_destinations(problem.line), format_sfen(changed)
            tried += 1
    assert tried >= 10
    assert len(natural) > 40
    for problem in natural:
        assert perfect_line(problem.position, problem.length) == problem.line, format_sfen(problem.position)
    for problem in natural:
        found = [changed for _, changed in positions_with_plain_piece(problem.position)]
        assert {format_sfen(one) for one in found} == {format_sfen(one) for one in changes(problem.position)}


def test_so_do_sampled_ones() -> None:
    results = islice(compose_roots(7, ComposingOptions.of(3, style=Style.NATURAL), "test"), 60)
    problems = [problem for result in results for problem in result.problems]
    assert len(problems) > 3
    judge = Judge(DfPnEngine(table_bits=20), Rigour(evidence=False))
    for problem in problems:
        found = judge.judge(problem.position, 3)
        assert (found.grade, found.length, found.line) == (Grade.PERFECT, 3, problem.line)
        for changed in changes(problem.position):
            line = perfect_line(changed, 3)
            assert line is None or line_destinations(line) != line_destinations(problem.line), format_sfen(changed)


def test_free_problems_keep_their_promoted_pieces(natural: list[Problem]) -> None:
    free = [problem for length in REVERSE_ROOTS for problem in composed_of(length, Style.FREE)]

    def share(problems: list[Problem]) -> float:
        pieces = [piece for problem in problems for piece in problem.position.board]
        return sum(piece is not None and piece.kind.is_promoted for piece in pieces) / len(problems)

    assert share(natural) < 0.6 * share(free)


def test_sound_problems_get_plain_pieces_too() -> None:
    problems = composed_of(3, Style.NATURAL, Grade.SOUND)
    assert Grade.SOUND in {problem.grade for problem in problems}
    for problem in problems:
        found = Judge(DfPnEngine(table_bits=18), Rigour(evidence=False)).judge(problem.position, 3)
        assert found.grade is problem.grade
        assert found.line == problem.line


def test_where_the_quick_tests_say_too_much_the_judge_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    def credulous(self: CandidateValidator, packed: PackedPosition, length: int) -> Moves | None:
        return self.line(packed, length) if self.mates_in(packed, length) else None

    usual = usually(3)
    monkeypatch.setattr(CandidateValidator, "solution", credulous)
    found = composed_of(3, Style.NATURAL)
    assert len(found) > 0.9 * len(usual)
    for problem in found:
        assert perfect_line(problem.position, 3) == problem.line
        for changed in changes(problem.position):
            line = perfect_line(changed, 3)
            assert line is None or line_destinations(line) != line_destinations(problem.line), format_sfen(changed)


def test_changes_that_are_left_out() -> None:
    position = position_of("k3+L4/4+P4/9/9/4P4/9/9/9/9")  # a lance on the first rank, two pawns on a file
    assert not list(positions_with_plain_piece(position))
    position = position_of("9/4k4/9/4+P+B3/9/9/4+L4/9/9")  # the tokin hides the king from the lance
    found = {(sq, piece.kind) for sq, changed in positions_with_plain_piece(position) if (piece := changed.board[sq])}
    assert {kind for sq, kind in found if sq == 39} == {Kind.PAWN}


def test_pieces_are_changed_one_after_the_other_until_none_can_be() -> None:
    position = position_of("k8/9/9/3+p1+S3/9/9/4+R4/9/9")
    line = (parse_move("5g5a+"),)

    def solve(changed: Position) -> tuple[Move, ...] | None:
        """The silver has to stay as it is until the pawn is a plain one."""
        silver, pawn = changed.board[square_of("4d")], changed.board[square_of("6d")]
        assert silver is not None
        assert pawn is not None
        return line if silver.kind is Kind.PROMOTED_SILVER or pawn.kind is Kind.PAWN else None

    plain, found = with_plain_pieces(position, line, solve, ALL)
    assert found == line
    assert format_sfen(plain).split()[0] == "k8/9/9/3p1S3/9/9/4R4/9/9"


def square_of(name: str) -> int:
    return parse_move(f"P*{name}").target


def test_the_line_must_go_to_the_same_squares() -> None:
    position, line = position_of("k8/9/9/9/4+P4/9/9/9/9"), (parse_move("5e5d"),)
    promoted, elsewhere = (parse_move("5e5d+"),), (parse_move("5e5c"),)
    assert with_plain_pieces(position, line, lambda _: elsewhere, ALL) == (position, line)
    plain, found = with_plain_pieces(position, line, lambda _: promoted, ALL)
    assert found == promoted
    assert plain.board[40] == Piece(Side.ATTACKER, Kind.PAWN)
    assert with_plain_pieces(position, line, lambda _: line, frozenset())[0] == position


# --- the least quality -----------------------------------------------------------------------------

FLOOR_ROOTS = {Style.NATURAL: 40, Style.FREE: 12}
HIGH = 45.0
"""A floor that many problems do not reach."""


def composed_above(style: Style, floor: float | None) -> list[RootResult]:
    return list(islice(compose_roots(3, ComposingOptions.of(3, style=style, floor=floor), "test"), FLOOR_ROOTS[style]))


@pytest.mark.parametrize("style", Style)
def test_each_style_has_its_floor_unless_one_is_given(style: Style) -> None:
    assert ComposingOptions(3, style=style).minimum_quality == (FLOOR if style is Style.NATURAL else 0)
    assert ComposingOptions(3, style=style, floor=7.5).minimum_quality == 7.5
    given = ComposingOptions(3, style=style, floor=0.0)
    assert given.minimum_quality == 0
    assert ComposingOptions.from_dict(given.to_dict()) == given


def test_no_natural_problem_is_below_the_floor() -> None:
    all_of_them, good = (composed_above(Style.NATURAL, floor) for floor in (0.0, HIGH))
    low = [one for result in all_of_them for one in result.problems if one.quality < HIGH]
    assert low
    assert all(one.quality >= HIGH for result in good for one in result.problems)
    assert sum(result.counts[Rejection.PLAIN_QUALITY] for result in good) >= len(low)
    assert not any(result.counts[Rejection.PLAIN_QUALITY] for result in all_of_them)


def test_free_problems_may_be_of_any_quality() -> None:
    results = composed_above(Style.FREE, None)
    assert any(one.quality < FLOOR for result in results for one in result.problems)
    assert not any(result.counts[Rejection.PLAIN_QUALITY] for result in results)
