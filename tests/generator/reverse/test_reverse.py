# SPDX-License-Identifier: GPL-3.0-or-later
"""The growth: each child mates in two plies more, with one solution, by a legal and best line."""

import math
from collections import Counter
from functools import cache

import numpy as np
import pytest

from generator.acceptance import Rejection
from generator.acceptance.pipeline import may_meet_constraints
from generator.candidate import EMPTY, Candidate
from generator.changes import changes_of
from generator.constraints.options import ROOTS_OF_CHANGES, ROOTS_PER_START, ComposingOptions, Effort
from generator.constraints.position import is_mate
from generator.constraints.problem import KingRegion, ProblemConstraints
from generator.kernel.positions import KINDS
from generator.problem import Problem, line_key
from generator.reverse import seeds as starts
from generator.reverse.construction import (
    BIASED_ROOTS,
    material_limits,
    merit,
    select_varied,
    similarity_labels,
    theme_bias,
)
from generator.reverse.extender import FAILED, NODES, OF_CANDIDATE, OPEN, TESTED, Extender, MaterialLimits, Stage
from generator.reverse.kernel.final_positions import (
    BORDER,
    FAR_CORNER,
    FAR_RANKS,
    MIDDLE,
    NO_MATE,
    WHOLE_BOARD,
    draw_mate_on_cells,
)
from generator.reverse.seeds import PictureSampler, _cells_of, given_problem, king_regions, variants_of_given_problem
from generator.run.composer import Composer, RootResult
from generator.themes import THEMES, find_themes
from generator.themes.predicates import PICTURE_NAMES, patterns_of
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from solver.judging.given import contains_line
from solver.solving.tree import all_turns
from tests import naive
from tests.candidates import (
    FEW,
    assert_exact_lengths,
    assert_lines_mate,
    assert_no_second_solution,
    assert_the_slow_twin_agrees,
    extender,
    generations,
    grown,
    mates_in_one,
    root_of,
    shown,
)
from tests.positions import in_bytes
from tsume_rules.kernel.tables import PAWN, POSITION, ROOK, SQUARE
from tsume_rules.moves import parse_move
from tsume_rules.packed import (
    is_in_check,
    legal_checks,
    line_played,
    pack,
    pack_move,
    played,
    record_after,
    unpack,
    unpack_move,
)
from tsume_rules.position import SET_COUNT, Kind, Position, Side, file_of, rank_of, structural_faults
from tsume_rules.sfen import SfenError, canonical, format_sfen, parse_sfen

FINAL = "k8/G8/P8/9/9/9/9/9/9 b 2r2b3g4s4n4l17p 1"
MARGIN = FEW.margin


@cache
def candidates() -> tuple[Candidate, ...]:
    """Some candidates of 1, 3, 5 and 7 plies."""
    return tuple(
        candidate
        for seed in (1, 2)
        for population in generations(extender(seed), 10, 7)
        for candidate in population[:: max(1, len(population) // 8)]
    )


# --- what a candidate is ------------------------------------------------------------------------------
def test_candidates_have_one_solution_of_exactly_their_length() -> None:
    assert_exact_lengths(candidates())
    assert {candidate.length for candidate in candidates()} == {1, 3, 5, 7}
    assert_the_slow_twin_agrees(candidate for candidate in candidates() if candidate.length == 3)
    assert_lines_mate(candidates())
    assert_no_second_solution((candidate for candidate in candidates() if candidate.length > 1), MARGIN)


def test_a_candidate_has_a_best_line_that_leaves_nothing_in_hand() -> None:
    for candidate in candidates():
        root = root_of(candidate)
        assert contains_line(root, candidate.line), shown(candidate)
        for turn in all_turns(root):
            assert not any(turn.final_leftovers), shown(candidate)
            assert turn.n == 1 or all(len(reply.moves) == 1 for reply in turn.replies), shown(candidate)
        assert candidate.line_key == line_key(tuple(unpack_move(move) for move in candidate.line))


def test_its_counts_are_those_of_its_first_turn() -> None:
    for candidate in (candidate for candidate in candidates() if candidate.length > 1):
        others = [check for check in legal_checks(candidate.packed) if check != candidate.line[0]]
        engine = DfPnEngine(table_bits=16)
        assert candidate.checks == len(others) + 1
        assert 0 <= candidate.open_checks <= len(others)
        with line_played(candidate.packed, candidate.line[:1]):
            assert candidate.defences == len(engine.longest_defences(candidate.packed, candidate.length - 1))


def test_a_child_ends_as_its_parent_does() -> None:
    place = extender(3)
    parents = [parent for population in generations(place, 8, 3) for parent in population[:10]]
    grown_of = [(parent, child) for parent in parents for child in place.children(parent)]
    assert grown_of
    for parent, child in grown_of:
        assert (child.line[2:], child.family) == (parent.line, parent.family)
        assert child.length == parent.length + 2
        assert in_bytes(record_after(child.packed, child.line[:2])) == in_bytes(parent.packed)


# --- the first moves -------------------------------------------------------------------------------
def test_first_moves_mate_at_once_and_leave_nothing() -> None:
    place = extender(1)
    final = pack(parse_sfen(FINAL).position)
    found = place.first_moves(final, 7)
    assert len(found) > 1
    for candidate in found:
        assert (candidate.length, len(candidate.line), candidate.family) == (1, 1, 7)
        assert in_bytes(record_after(candidate.packed, candidate.line)) == in_bytes(final)
        assert unpack_move(candidate.line[0]).usi in naive.mating_moves(format_sfen(unpack(candidate.packed)), 1)
    place = extender(5)
    for _ in range(20):
        drawn = place.draw_final()
        assert drawn is not None
        position = unpack(drawn, Side.DEFENDER)
        assert naive.mated_within(naive.board_of(format_sfen(position)), 0)
        assert not position.attacker_hand


# --- bounds ----------------------------------------------------------------------------------------
BOUNDS = {
    "pieces": MaterialLimits(pieces=5),
    "kinds": MaterialLimits(kinds=KINDS & ~(1 << PAWN) & ~(1 << ROOK)),
    "hand": MaterialLimits(hand=(0,) * 8),
}


def keeps_to(position: Position, bounds: MaterialLimits) -> bool:
    kinds = {piece.kind.base for piece in position.board if piece is not None} | set(position.attacker_hand)
    return (
        position.piece_count() <= bounds.pieces
        and all(bounds.kinds >> kind & 1 for kind in kinds - {Kind.KING})
        and all(position.attacker_hand[kind] <= bounds.hand[kind] for kind in position.attacker_hand)
    )


@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_are_kept_at_every_length(name: str) -> None:
    kept = list(generations(extender(1, bounds=BOUNDS[name]), 20, 5))
    assert all(kept)
    positions = [unpack(candidate.packed) for population in kept for candidate in population]
    assert all(keeps_to(position, BOUNDS[name]) for position in positions)
    free = [unpack(candidate.packed) for candidate in candidates()]
    assert not all(keeps_to(position, BOUNDS[name]) for position in free)


def test_bounds_can_be_lifted_and_what_was_seen_forgotten() -> None:
    place = extender(1, bounds=MaterialLimits(pieces=1))
    final = pack(parse_sfen(FINAL).position)
    assert place.first_moves(final, 0) == []
    place.keep_to(MaterialLimits())
    number = len(place.first_moves(final, 0))
    assert number
    assert place.first_moves(final, 0) == []
    place.forget()
    assert len(place.first_moves(final, 0)) == number


def test_a_parent_has_no_more_children_than_asked_for() -> None:
    for effort in (Effort(children=1), Effort(children=3, per_answer=1), Effort(answers=1, per_answer=2)):
        place = extender(1, effort)
        families = [place.children(parent) for parent in mates_in_one(place, 60)]
        most = effort.children + effort.per_answer - 1  # an answer is finished once begun
        assert 0 < max(map(len, families)) <= most
        if effort.answers == 1:
            assert max(map(len, families)) <= effort.per_answer


# --- what stays as it was --------------------------------------------------------------------------
@pytest.mark.parametrize("effort", [Effort(), Effort(nodes=1), Effort(nodes=40), Effort(parent_nodes=1)])
def test_what_things_grow_from_is_left_unchanged(effort: Effort) -> None:
    place = extender(1, effort)
    first = mates_in_one(place, 3)
    before = [in_bytes(candidate.packed) for candidate in (*first, *candidates())]
    for candidate in (*first, *candidates()):
        place.children(candidate)
    assert [in_bytes(candidate.packed) for candidate in (*first, *candidates())] == before
    assert effort.nodes != 1 or place.tally[:, OPEN].sum() > 0, "without nodes unanswered, not failed"
    final = pack(parse_sfen(FINAL).position)
    as_given = in_bytes(final)
    place.first_moves(final, 0)
    assert in_bytes(final) == as_given


def test_the_same_random_numbers_grow_the_same_children() -> None:
    def made(seed: int) -> list[tuple[bytes, tuple[int, ...]]]:
        *_, fives = generations(extender(seed), 6, 5)
        return [(in_bytes(candidate.packed), candidate.line) for candidate in fives]

    assert made(5) == made(5)
    assert made(5) != made(6)


# --- what is counted -------------------------------------------------------------------------------
@pytest.mark.parametrize("effort", [FEW, Effort(nodes=3), Effort(nodes=60)])
def test_the_tally_adds_up(effort: Effort) -> None:
    place = extender(1, effort)
    firsts = mates_in_one(place, 12)
    assert not place.tally.any()
    children = [child for parent in firsts for child in place.children(parent)]
    children += [child for parent in children for child in place.children(parent)]
    passed = place.tally[:, TESTED] - place.tally[:, FAILED] - place.tally[:, OPEN]
    tested = place.tally[:, TESTED]
    assert (place.tally >= 0).all()
    assert tested[Stage.ANSWER_LASTS] == passed[Stage.ANSWER_HOLDS]
    assert tested[Stage.OTHER_ANSWERS] <= passed[Stage.ANSWER_LASTS]
    assert tested[Stage.NO_MATE_IN_ONE] == passed[Stage.NEW]
    assert tested[Stage.NO_MATE_IN_THREE] <= passed[Stage.NO_MATE_IN_ONE]
    assert tested[Stage.ONE_KEY] == tested[Stage.NEW] - sum(
        place.tally[stage, FAILED] + place.tally[stage, OPEN] for stage in OF_CANDIDATE if stage is not Stage.ONE_KEY
    )
    assert passed[Stage.ONE_KEY] == len(children)
    assert place.tally[:, NODES].sum() <= place.engine.nodes


def test_nodes_bound_each_test() -> None:
    few, many = extender(1, Effort(nodes=20)), extender(1, Effort(nodes=2000))
    for place in (few, many):
        for candidate in candidates():
            place.children(candidate)
    assert few.engine.nodes < many.engine.nodes
    assert few.tally[:, OPEN].sum() > many.tally[:, OPEN].sum()


# --- Where a root begins: one count of what is drawn, whether a final position is given or not -----

HEAD_GOLD = "4k4/4G4/4P4/9/9/9/9/9/9 w - 1"
NO_WAY_BACK = "7k1/6+RG1/9/9/9/9/9/9/9 w - 1"
CORRECT = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
COOKED = "7k1/9/7P1/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"


@pytest.mark.parametrize(
    "options",
    [
        ComposingOptions.of(1),
        ComposingOptions.of(1, final=HEAD_GOLD),
        ComposingOptions.of(1, final=HEAD_GOLD, exact=True),
    ],
    ids=["drawn", "given", "exact"],
)
def test_mates_in_one_are_candidates_whatever_they_come_from(options: ComposingOptions) -> None:
    for index in range(4):
        one, other = (Composer(1, options, "test") for _ in range(2))
        counts = one.root(index).counts
        found = len(other.candidates(index))
        assert counts["candidates"] == found
        assert counts["finalists"] <= found


@pytest.mark.parametrize("length", [1, 3])
@pytest.mark.parametrize("exact", [True, False])
def test_a_given_final_position_without_a_way_back_is_counted(length: int, exact: bool) -> None:
    options = ComposingOptions.of(length, final=NO_WAY_BACK, exact=exact)
    composer = Composer(1, options, "test")
    assert composer.root(0).counts == {"roots": 1, Rejection.NO_WAY_BACK: 1}
    later = composer.root(1).counts
    assert later[Rejection.NO_WAY_BACK] <= (1 if exact else options.finals)
    assert later[Rejection.NO_FINAL] == 0


def test_the_starts_take_turns_each_as_it_is_and_then_its_variants() -> None:
    options = ComposingOptions.of(3, starts=(CORRECT, COOKED))
    composer, engine = Composer(1, options, "test"), DfPnEngine(table_bits=options.table_bits)

    def texts(index: int) -> list[str]:
        return [format_sfen(unpack(candidate.packed)) for candidate in composer.candidates(index)]

    one_pass = options.pass_of_roots
    assert one_pass == 2 * ROOTS_PER_START
    assert texts(0) == texts(one_pass) == [CORRECT]
    start = given_problem(engine, CORRECT).candidate
    assert start is not None
    for batch in (0, 30, ROOTS_PER_START - 2):
        engine.forget()
        variants = [format_sfen(unpack(one.packed)) for one in variants_of_given_problem(engine, start, batch)]
        assert texts(2 * (1 + batch)) == texts(one_pass + 2 * (1 + batch)) == variants
    assert texts(1) == texts(3) == texts(one_pass + 1) == []


# --- A varied choice: it prefers merit, avoids what is alike, and is the same for the same random numbers ---

ALONE = [(i,) for i in range(10)]
"""Labels that no two items share."""


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_as_many_as_asked_for_are_chosen_each_once_and_without_chance_the_merits_decide() -> None:
    for most in (0, 1, 4, 10, 30):
        chosen = select_varied(range(10), ALONE, [0.0] * 10, most, rng())
        assert len(chosen) == len(set(chosen)) == min(most, 10)
    assert select_varied([], [], [], 3, rng()) == []
    merits = [float((7 * i) % 10) for i in range(10)]
    chosen = select_varied(range(10), ALONE, merits, 10, rng(), temperature=0.0)
    assert [merits[i] for i in chosen] == sorted(merits, reverse=True)


def test_items_that_share_a_label_crowd_each_other() -> None:
    """An equal label costs a unit of merit: a little better is then not enough, much better is."""
    labels = [("a", 1), ("a", 1), ("b", 2)]
    assert select_varied(range(3), labels, [3.0, 2.0, 0.5], 2, rng(), 0.0) == [0, 2]
    assert select_varied(range(3), labels, [3.0, 2.9, 0.5], 2, rng(), 0.0) == [0, 1]
    other = [("a", "b"), ("b", "a"), ("c", "c")]  # a label counts in its place only
    assert select_varied(range(3), other, [3.0, 2.0, 1.5], 2, rng(), 0.0) == [0, 1]


def test_the_same_numbers_give_the_same_choice() -> None:
    def chosen(seed: int) -> list[int]:
        return select_varied(range(10), ALONE, [0.0] * 10, 5, rng(seed))

    assert chosen(3) == chosen(3)
    assert len({tuple(chosen(seed)) for seed in range(10)}) > 5


def test_without_crowding_it_is_a_sample_with_exponential_weights() -> None:
    """So a merit of one temperature more makes an item e times as likely to be first."""
    first = Counter(select_varied([0, 1], [(0,), (1,)], [1.0, 0.0], 1, rng(i))[0] for i in range(3000))
    assert first[0] / first[1] == pytest.approx(math.e, rel=0.15)


# --- unnecessary pieces, counted by the kernel and one at a time -----------------------------------


def without_each_piece(position: Position) -> list[Position]:
    """The position without each of its pieces but the king."""
    board = position.board
    pieces = [square for square, piece in enumerate(board) if piece and piece.kind is not Kind.KING]
    return [Position.completed((*board[:gone], None, *board[gone + 1 :]), position.attacker_hand) for gone in pieces]


def unnecessary_by_hand(engine: DfPnEngine, candidate: Candidate) -> int:
    return sum(
        not is_in_check(position, Side.DEFENDER)
        and engine.keeps_line(pack(position), candidate.line)
        and engine.is_sound(pack(position), candidate.length, 2, 40) == SOUND
        for position in without_each_piece(candidate.readable[0])
    )


def test_unnecessary_pieces_are_those_without_which_the_line_stays_the_only_solution() -> None:
    composer = Composer(2, ComposingOptions.of(3), "test")
    engine = DfPnEngine(table_bits=16)
    extender = Extender(engine, Effort(nodes=100_000), np.array([1], dtype=np.uint64))
    candidates = [one for index in range(6) for one in composer.candidates(index)[::5]]
    numbers = [extender.unnecessary_pieces(candidate) for candidate in candidates]
    assert numbers == [unnecessary_by_hand(engine, candidate) for candidate in candidates]
    assert len(set(numbers)) > 1


def test_pieces_that_a_drawn_mate_does_not_need_are_counted() -> None:
    rng, state = np.random.default_rng(3), np.array([3], dtype=np.uint64)
    pos = pack(parse_sfen(EMPTY).position)
    saved, scratch = np.zeros(1, dtype=POSITION).view(np.recarray), np.zeros(8192, dtype=np.int64)
    mates = 0
    for name in "ト口T" * 10:
        cells = _cells_of(patterns_of(name)[0], rng)
        cost = draw_mate_on_cells(pos, cells, saved, state, scratch, 300)
        position = unpack(pos)
        assert is_mate(position) == (cost < NO_MATE)
        if cost < NO_MATE:
            mates += 1
            assert cost == sum(map(is_mate, without_each_piece(position)))
    assert mates > 10


# --- Given problems with one change: the line stays, the changes are all tried, each once ----------

SFEN = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"


def test_all_batches_together_hold_every_variant_once() -> None:
    engine = DfPnEngine(table_bits=16)
    start = given_problem(engine, SFEN).candidate
    assert start is not None
    found = [
        variant for batch in range(ROOTS_OF_CHANGES) for variant in variants_of_given_problem(engine, start, batch)
    ]
    texts = [format_sfen(unpack(variant.packed)) for variant in found]
    one_change = {format_sfen(after) for _, after in changes_of(unpack(start.packed))}
    assert len(found) > 100
    assert set(texts) <= one_change
    assert len(texts) == len(set(texts))
    assert not variants_of_given_problem(engine, start, ROOTS_OF_CHANGES)
    assert all(variant.line == start.line and variant.length == 3 for variant in found)
    assert_exact_lengths(found[::10])
    assert_lines_mate(found[::10])
    assert not any(is_in_check(unpack(variant.packed), Side.DEFENDER) for variant in found)


def test_the_changes_of_a_batch_do_not_depend_on_what_was_asked_before() -> None:
    one, other = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16)
    for candidate in grown(3)[:4]:
        start = given_problem(one, format_sfen(unpack(candidate.packed))).candidate
        if start is None:
            continue
        variants_of_given_problem(one, start, 0)
        texts = [
            [format_sfen(unpack(variant.packed)) for variant in variants_of_given_problem(engine, start, 3)]
            for engine in (one, other)
        ]
        assert texts[0] == texts[1]


# --- Given problems: what grows from them, and why nothing grows from others -----------------------

LEFTOVER = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1"
WITHOUT_MATE = "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1"
LONG = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"


def engine() -> DfPnEngine:
    return DfPnEngine(table_bits=16)


def test_a_problem_starts_with_its_length_and_line() -> None:
    start = given_problem(engine(), CORRECT)
    assert start.candidate is not None
    assert start.why == ""
    assert unpack(start.candidate.packed) == parse_sfen(CORRECT).position
    assert start.candidate.length == 3
    assert [unpack_move(move).usi for move in start.candidate.line] == ["3d2c", "1b1a", "2c2b"]
    with played(start.candidate.packed, start.candidate.line[0], Side.ATTACKER):
        assert start.candidate.packed != pack(parse_sfen(CORRECT).position)
    assert start.candidate.packed == pack(parse_sfen(CORRECT).position)


def test_what_has_grown_may_start_again() -> None:
    for candidate in grown(5)[:10]:
        start = given_problem(engine(), format_sfen(unpack(candidate.packed)))
        assert start.candidate is not None
        assert start.candidate.length == len(start.candidate.line) == 5
        assert start.candidate.line[0] == candidate.line[0]


def test_nothing_starts_from_what_is_not_a_problem() -> None:
    for sfen, why in ((COOKED, "leaves pieces"), (LEFTOVER, "leaves pieces"), (WITHOUT_MATE, "no mate")):
        start = given_problem(engine(), sfen)
        assert start.candidate is None
        assert why in start.why
    with pytest.raises(SfenError):
        given_problem(engine(), "nonsense")
    for length, sfen in ((5, COOKED), (5, WITHOUT_MATE), (3, LONG)):
        assert Composer(3, ComposingOptions(length, starts=(sfen,)), "test").root(0).problems == []


@pytest.mark.parametrize("nodes", [1, 30, 100, 150, 200, 300, 500])
def test_nodes_may_run_out_anywhere(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the search for a mate, or only while second solutions are looked for."""
    monkeypatch.setattr(starts, "_GIVEN_NODES", nodes)
    start = given_problem(engine(), LONG)
    assert (start.candidate is None) == bool(start.why)


# --- composing from starts ---------------------------------------------------------------------------
@pytest.fixture(scope="module")
def shorter() -> tuple[str, ...]:
    """Correct problems in three."""
    composer = Composer(3, ComposingOptions(3), "test")
    problems = [problem for index in range(25) for problem in composer.root(index).problems]
    return tuple(format_sfen(problem.position) for problem in problems)


@pytest.fixture(scope="module")
def extended(shorter: tuple[str, ...]) -> list[RootResult]:
    composer = Composer(3, ComposingOptions(5, starts=shorter), "test")
    return [composer.root(index) for index in range(len(shorter))]


def test_each_root_extends_the_start_whose_turn_it_is(shorter: tuple[str, ...], extended: list[RootResult]) -> None:
    found = [(shorter[result.index], problem) for result in extended for problem in result.problems]
    assert len(found) > 3
    kept = sum(leads_to(problem, sfen) for sfen, problem in found)
    assert kept > len(found) // 2  # pieces that the longer problem does not need are taken away


def leads_to(problem: Problem, sfen: str) -> bool:
    """Whether a problem's position after two plies is a given one or its mirror image."""
    line = tuple(pack_move(move) for move in problem.line[:2])
    return canonical(unpack(record_after(pack(problem.position), line))) == canonical(parse_sfen(sfen).position)


def test_a_start_that_is_known_already_changes_nothing(shorter: tuple[str, ...]) -> None:
    """If nodes run out, what the table holds affects the result: a start must leave nothing in it."""
    options = ComposingOptions(5, starts=shorter, effort=Effort(nodes=30))
    used, number = Composer(3, options, "test"), len(shorter)
    for index in range(number):
        used.root(index)
    for index in range(number, 2 * number):
        used_first = Composer(3, options, "test")
        assert used.root(index) == used_first.root(index), index


# --- Constraints as limits of the search: no position that could fit is left out -------------------


@pytest.fixture(scope="module")
def preferred() -> list[Candidate]:
    return [candidate for population in generations(extender(4), 15, 5) for candidate in population]


def themes_of(candidate: Candidate) -> frozenset[str]:
    return candidate.shown_themes(THEMES)


# --- limits ----------------------------------------------------------------------------------------
def test_wishes_become_limits_of_material() -> None:
    """A piece more than wished may go later."""
    assert material_limits(ProblemConstraints()) == MaterialLimits()
    assert material_limits(ProblemConstraints(max_pieces=7)).pieces == 8
    kinds = material_limits(ProblemConstraints(only="RGP", without="P")).kinds
    assert [kind for kind in Kind if kinds >> kind & 1] == [Kind.ROOK, Kind.GOLD]
    assert material_limits(ProblemConstraints(hand="R2P")).hand[1:] == (2, 0, 0, 0, 0, 1, 0)
    assert not any(material_limits(ProblemConstraints(hand="-")).hand)
    numbers = {kind: number for kind, number in SET_COUNT.items() if kind < Kind.KING}
    assert all(material_limits(ProblemConstraints()).hand[kind] >= n for kind, n in numbers.items())


def finals_in(region: int) -> set[tuple[int, int]]:
    place, found = extender(1), set()
    for _ in range(60):
        final = place.draw_final(region)
        assert final is not None
        king = int(SQUARE[int(final.king[Side.DEFENDER])])
        found.add((file_of(king), rank_of(king)))
    return found


@pytest.mark.parametrize("region", KingRegion)
def test_finals_are_drawn_where_the_king_is_wished(region: KingRegion) -> None:
    (drawn,) = king_regions(ProblemConstraints(region=region))
    places = finals_in(drawn)
    assert len(places) > 4
    if region is KingRegion.CORNER:
        assert places <= {(file, rank) for file in (1, 2, 3) for rank in (1, 2, 3)}
    elif region is KingRegion.EDGE:
        assert {file == 1 or rank == 1 for file, rank in places} == {True}
    else:
        assert all(3 <= file <= 7 and 3 <= rank <= 7 for file, rank in places)


def test_without_a_wish_the_king_may_be_anywhere() -> None:
    assert set(king_regions(ProblemConstraints())) == {FAR_CORNER, FAR_RANKS, BORDER, WHOLE_BOARD}
    assert MIDDLE not in king_regions(ProblemConstraints())


# --- preferences -----------------------------------------------------------------------------------
def test_a_candidate_is_readable_as_position_and_line(preferred: list[Candidate]) -> None:
    for candidate in preferred[:20]:
        position, line = candidate.readable
        assert position == unpack(candidate.packed)
        assert tuple(pack_move(move) for move in line) == candidate.line
        assert themes_of(candidate) == set(find_themes(position, line))


def test_a_key_that_takes_something_is_less_welcome() -> None:
    taking = candidate_of("9/k8/1p7/1P7/9/9/9/9/9 b G 1", "8d8c 9b9a G*9b")
    stepping = candidate_of("9/k8/9/1P7/9/9/9/9/9 b G 1", "8d8c 9b9a G*9b")
    assert merit(ProblemConstraints(), taking) < merit(ProblemConstraints(), stepping) == 0


def candidate_of(sfen: str, moves: str) -> Candidate:
    line = tuple(pack_move(parse_move(usi)) for usi in moves.split())
    return Candidate(pack(parse_sfen(sfen).position), len(line), line, 0)


def test_wished_themes_and_pieces_in_hand_make_welcome(preferred: list[Candidate]) -> None:
    with_themes = [candidate for candidate in preferred if len(themes_of(candidate)) > 1]
    assert with_themes
    for candidate in with_themes[:20]:
        themes = tuple(sorted(themes_of(candidate)))
        plain, one, all_of_them = (
            theme_bias(ProblemConstraints(themes=some), 1, 1).merit(candidate) for some in ((), themes[:1], themes)
        )
        assert plain < one < all_of_them
    for candidate in preferred[:50]:
        held = int(np.asarray(candidate.packed.hand[0]).sum())
        wished, bare = (merit(ProblemConstraints(hand=hand), candidate) for hand in ("2G", None))
        assert wished == bare + held


def test_now_and_then_a_long_root_is_biased_to_a_rare_theme() -> None:
    biases = [theme_bias(ProblemConstraints(), 7, index).themes for index in range(10 * BIASED_ROOTS)]
    assert [index for index, themes in enumerate(biases) if themes] == list(range(0, 240, BIASED_ROOTS))
    assert len(set(biases)) > 3
    assert not any(theme_bias(ProblemConstraints(), 3, index).themes for index in range(100))
    assert not any(theme_bias(ProblemConstraints(stars=3), 7, index).themes for index in range(100))


def test_what_cannot_fit_is_left_out(preferred: list[Candidate]) -> None:
    held = next(hand for hand in map(hand_of, preferred) if hand != "-")
    theme = next(name for candidate in preferred for name in sorted(themes_of(candidate)))
    for wishes in (
        ProblemConstraints(region="corner"),
        ProblemConstraints(hand=held),
        ProblemConstraints(hand="-"),
        ProblemConstraints(themes=(theme,)),
    ):
        fitting = [candidate for candidate in preferred if may_meet_constraints(wishes, candidate)]
        assert 0 < len(fitting) < len(preferred), wishes
        for candidate in fitting:
            position, line = candidate.readable
            assert ProblemConstraints(region=wishes.region, hand=wishes.hand).allow_position(position)
            assert set(wishes.themes) <= set(find_themes(position, line))


def hand_of(candidate: Candidate) -> str:
    letters = format_sfen(unpack(candidate.packed)).split()[2]
    return "".join(letter for letter in letters if letter.isupper()) or "-"


def test_what_is_known_only_at_the_end_leaves_nothing_out(preferred: list[Candidate]) -> None:
    """A piece may still be taken away, and there is no score yet."""
    for wish in ({}, {"distinct_lines": True}, {"stars": 5}, {"min_quality": 99}, {"max_pieces": 1}):
        wishes = ProblemConstraints.from_dict(wish)
        assert all(may_meet_constraints(wishes, candidate) for candidate in preferred), wish


def test_labels_tell_families_shapes_and_keys_apart() -> None:
    candidates = grown(5)
    rows = [similarity_labels(candidate) for candidate in candidates]
    assert {len(row) for row in rows} == {7}
    for one, row in zip(candidates, rows, strict=True):
        for other, column in zip(candidates, rows, strict=True):
            assert (row[0] == column[0]) == (one.family == other.family)
            if one.line == other.line and one.family == other.family:
                assert row[1] == column[1]
    assert all(len({row[place] for row in rows}) > 1 for place in range(7))


# --- Drawn pictures: mated, of the pieces of one set, on exactly the squares of a pattern ----------


def pattern_of(position: Position) -> frozenset[tuple[int, int]]:
    places = [(9 - file_of(sq), rank_of(sq)) for sq, piece in enumerate(position.board) if piece is not None]
    left, top = min(x for x, _ in places), min(y for _, y in places)
    return frozenset((x - left, y - top) for x, y in places)


@pytest.mark.parametrize("name", ["ト", "C", "E", ".#./###/###/.#.", None])
def test_a_drawn_picture_is_mate_and_draws_it(name: str | None) -> None:
    rng, sampler = np.random.default_rng(4), PictureSampler(np.array([4], dtype=np.uint64))
    drawn = (sampler.draw(name, rng) for _ in range(20))
    found = [unpack(packed) for packed in drawn if packed is not None]
    assert len(found) > 5
    for position in found:
        assert is_mate(position)
        assert not structural_faults(position)
        assert not position.attacker_hand
        assert pattern_of(position) in patterns_of(name)


def test_drawn_pictures_are_grown() -> None:
    assert all(patterns_of(name) for name in PICTURE_NAMES)
    assert len(patterns_of(None)) == sum(len(patterns_of(name)) for name in PICTURE_NAMES)
    composer = Composer(1, ComposingOptions.of(3, wishes=ProblemConstraints(themes=("picture",), picture="ト")), "test")
    candidates = [candidate for index in range(4) for candidate in composer.candidates(index)]
    assert candidates
    assert all(candidate.shown_themes({"picture"}) for candidate in candidates)
