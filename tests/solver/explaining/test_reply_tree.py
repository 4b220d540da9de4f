# SPDX-License-Identifier: GPL-3.0-or-later
"""Reply trees: every claim, checked by the slow twin, by the second engine and by walks to the end."""

import random
from collections.abc import Iterator
from functools import cache

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.explaining import explanation
from solver.explaining.explanation import (
    CheckResult,
    FailingCheck,
    MateRank,
    MatingCheck,
    OpenCheck,
    Proof,
    ReplyTree,
    TreeTurn,
)
from solver.explaining.reply_tree_builder import MAX_ASIDE, MAX_LATER, reply_tree
from solver.results import Limits, Mate
from solver.solving.solve import solve
from tests import naive
from tests.candidates import grown
from tests.positions import crowded_position, random_attack
from tests.solver.replay import key_result, played_out, replayed
from tsume_rules.moves import Move
from tsume_rules.packed import PackedPosition, legal_checks, line_played, pack, pack_move, played, record_after, unpack
from tsume_rules.position import Kind, Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

THREE = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
FIVE = "9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1"
SEVEN = "8B/8k/9/7+N1/5N3/9/9/2B6/9 b 2r4g4s2n4l18p 1"
FUTILE = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
FUTILE_THREE = "k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1"
PURIST = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"
WIDE = "9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1"
COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
COOKED_LATER = "7G1/8k/9/9/9/9/7R1/9/9 b r2b3g4s4n4l18p 1"
DETOUR = "7S1/6G2/5B1k1/8N/9/9/9/9/9 b G2rb2g3s3n4l18p 1"
FORMS = "8k/6G2/9/9/9/9/9/9/9 b B2rb3g3s4n4l18p 1"
EQUAL = "9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1"
PROBLEMS = [THREE, FIVE, SEVEN, FUTILE, PURIST, COOKED, COOKED_LATER, DETOUR, FORMS, EQUAL]
LARGE = [FUTILE_THREE, WIDE]
"""Many checks mate later: trees of hundreds of turns, cut short here."""
NO_MATE = "9/1k7/P8/2S6/+B8/9/9/9/9 b 2rb4g3s4n4l17p 1"
NO_CHECKS = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1"
TWO_KINGS = "9/8k/6+S2/6G2/9/9/9/3r1G2K/9 b r2b2g3s4n4l18p 1"
CHECKED_KING = "7k1/9/7P1/9/9/7r1/9/7K1/9 b 2Gr2b2g4s4n4l17p 1"
HARD = "l7g/4kp1Sn/1P+R1gs3/3+p+p1s2/B1p+r1P3/L8/+n3NgB+pP/1+p3G1+p1/P1PsP4 b Lnl5p 1"


def tree_of(position: Position, **options: int) -> ReplyTree:
    limits = Limits(nodes=1_000_000)
    return reply_tree(DfPnEngine(table_bits=18), position, limits, most_turns=options.get("most_turns", 15))


@cache
def tree(sfen: str) -> ReplyTree:
    return tree_of(parse_sfen(sfen).position)


def packed_positions(grown_tree: ReplyTree, position: Position) -> Iterator[tuple[TreeTurn, PackedPosition]]:
    for turn in grown_tree.turns:
        yield turn, record_after(pack(position), tuple(map(pack_move, turn.path)))


def assert_the_second_engine_agrees(found: ReplyTree, position: Position) -> None:
    """On which checks mate, in how many plies, and that the best answer is a longest defence."""
    twin, other = IterativeEngine(table_bits=16), DfPnEngine(table_bits=16)
    for turn, packed in packed_positions(found, position):
        for result in turn.checks:
            shown = (format_sfen(position), turn.id, result)
            with played(packed, pack_move(result.check), Side.ATTACKER):
                if isinstance(result, MatingCheck):
                    n = result.length - 1
                    assert twin.is_mated(packed, n), shown
                    assert n == 0 or not twin.is_mated(packed, n - 2), shown
                    assert (result.best is None) == (n == 0), shown
                    longest = list(twin.longest_defences(packed, n)) if n else []
                    assert result.best is None or not longest or pack_move(result.best.move) in longest, shown
                elif isinstance(result, FailingCheck):
                    with played(packed, pack_move(result.answer), Side.DEFENDER):
                        assert_refuted(result, packed, twin, other)


def assert_refuted(failed: FailingCheck, packed: PackedPosition, twin: IterativeEngine, other: DfPnEngine) -> None:
    if failed.proof is Proof.NO_CHECK:
        assert not legal_checks(packed)
    elif failed.proof is Proof.ANY_LENGTH:
        assert other.answered_within(300_000, lambda: other.mates_ever(packed)) is not True
        assert twin.answered_within(3000, lambda: twin.mates(packed, 7)) is not True
    else:
        assert failed.within is not None
        bound = failed.within
        assert twin.answered_within(3000, lambda: twin.mates(packed, bound)) is not True


def assert_moves_are_all_there(found: ReplyTree, position: Position) -> None:
    """By python-shogi: all legal checks, and all legal answers to those that mate."""
    for turn in found.turns:
        board = replayed(position, turn.path)
        shown = (format_sfen(position), turn.id)
        checks = sorted(result.check.usi for result in turn.checks)
        assert checks == sorted(move.usi() for move in naive.check_moves(board)), shown
        for result in turn.checks:
            board.push_usi(result.check.usi)
            legal = sorted(move.usi() for move in naive.evasion_moves(board))
            if isinstance(result, MatingCheck):
                assert sorted(answer.move.usi for answer in result.answers) == legal, (shown, result)
            elif isinstance(result, FailingCheck):
                assert result.answer.usi in legal, (shown, result)
            board.pop()


def assert_walks_end(found: ReplyTree, rng: random.Random, walks: int = 30) -> None:
    """Whatever a person plays ends in mate, in a refutation, or where the tree says that it was cut."""
    for _ in range(walks):
        turn, plies = found.turns[0], 0
        while turn.checks and plies < 300:
            result = rng.choice(turn.checks)
            if not isinstance(result, MatingCheck) or result.best is None:
                assert not isinstance(result, OpenCheck) or not found.complete
                break
            if result.best.turn is None:
                assert not found.complete
                break
            turn = found.turns[result.best.turn]
            plies += 2
        assert plies < 300


# --- problems ---------------------------------------------------------------------------------
@pytest.mark.parametrize("sfen", [*PROBLEMS, *LARGE, NO_MATE, NO_CHECKS, TWO_KINGS, CHECKED_KING])
def test_every_check_at_every_turn_and_every_answer(sfen: str) -> None:
    found, position = tree(sfen), parse_sfen(sfen).position
    assert found.complete == (sfen not in LARGE)
    assert_moves_are_all_there(found, position)
    assert_the_second_engine_agrees(found, position)
    assert_walks_end(found, random.Random(1))


@pytest.mark.parametrize("sfen", [*PROBLEMS, *LARGE])
def test_the_best_play_is_the_line_of_solve(sfen: str) -> None:
    solved = solve(parse_sfen(sfen).position, Limits(), DfPnEngine(table_bits=18))
    assert isinstance(solved, Mate)
    found = tree(sfen)
    assert (found.length, found.line) == (solved.length, solved.line)
    assert played_out(found) == solved.line


@pytest.mark.parametrize("sfen", [*PROBLEMS, *LARGE])
def test_a_best_answer_leads_to_the_position_of_its_turn(sfen: str) -> None:
    found, start = tree(sfen), pack(parse_sfen(sfen).position)
    for turn in found.turns:
        assert found.turns[turn.id] is turn
        for result in turn.checks:
            if isinstance(result, MatingCheck) and result.best is not None:
                if result.best.turn is None:
                    assert not found.complete
                    continue
                after = found.turns[result.best.turn]
                assert after.length == result.best.length
                here = (*turn.path, result.check, result.best.move)
                assert unpack(_after(start, here)) == unpack(_after(start, after.path))


def _after(start: PackedPosition, moves: tuple[Move, ...]) -> PackedPosition:
    return record_after(start, tuple(map(pack_move, moves)))


@pytest.mark.parametrize("sfen", [*PROBLEMS, *LARGE])
def test_the_line_after_another_answer_mates_in_time(sfen: str) -> None:
    position = parse_sfen(sfen).position
    for turn in tree(sfen).turns:
        for result in turn.checks:
            for answer in result.answers if isinstance(result, MatingCheck) else ():
                path = (*turn.path, result.check, answer.move)
                assert bool(answer.line) == (answer.turn is None)
                if answer.line:
                    assert answer.take is not None or len(answer.line) == answer.length
                    board = replayed(position, (*path, *answer.line))
                    assert naive.mated_within(board, 0)
                if answer.length <= 1 + 2 * (sfen not in LARGE):
                    board = replayed(position, path)
                    assert naive.mate_within(board, answer.length)
                    assert answer.length == 1 or not naive.mate_within(board, answer.length - 2)


def test_futile_drops_are_listed_with_the_capture() -> None:
    key = key_result(tree(FUTILE), 0)
    assert key.length == 1
    assert key.best is None
    assert key.answers
    for answer in key.answers:
        assert answer.take is not None
        assert answer.line[0] == answer.take
        board = replayed(parse_sfen(FUTILE).position, (key.check, answer.move, answer.take))
        assert naive.mated_within(board, 0)


def test_a_futile_drop_is_played_only_if_nothing_else_lasts_as_long() -> None:
    for sfen in [*PROBLEMS, *LARGE]:
        for turn, packed in packed_positions(tree(sfen), parse_sfen(sfen).position):
            for result in turn.checks:
                if isinstance(result, MatingCheck) and result.best is not None and result.best.take is not None:
                    with played(packed, pack_move(result.check), Side.ATTACKER):
                        n = result.length - 1
                        assert not list(IterativeEngine(table_bits=16).longest_defences(packed, n))


def test_checks_that_mate_are_ranked() -> None:
    ranks = {sfen: [r.rank for r in _mating(tree(sfen).turns[0])] for sfen in PROBLEMS}
    assert ranks[FORMS].count(MateRank.FORM) >= 1
    assert ranks[FIVE] == [MateRank.KEY]
    assert MateRank.AS_SOON in ranks[COOKED]
    assert MateRank.LATER in ranks[COOKED_LATER]
    for sfen in PROBLEMS:
        for turn in tree(sfen).turns:
            mating = _mating(turn)
            assert [r.check for r in mating if r.rank is MateRank.KEY] == [turn.key]
            assert turn.length == min(r.length for r in mating)
            assert all((r.length > turn.length) == (r.rank is MateRank.LATER) for r in mating[1:])


def _mating(turn: TreeTurn) -> list[MatingCheck]:
    return [result for result in turn.checks if isinstance(result, MatingCheck)]


def test_a_detour_comes_back_to_a_turn_of_the_tree() -> None:
    turns = tree(DETOUR).turns
    best = [(turn.id, result.best) for turn in turns for result in _mating(turn)]
    assert any(answer is not None and (answer.turn or 0) < turn for turn, answer in best if turn > 1)
    assert any(result.rank is MateRank.LATER for turn in turns for result in _mating(turn))


def test_a_refutation_says_how_it_answers() -> None:
    (taken,) = (r for r in tree(FIVE).turns[0].checks if r.check.usi == "G*1d")
    assert isinstance(taken, FailingCheck)
    assert (taken.manner, taken.piece, taken.taken) == (explanation.AnswerManner.TAKES_CHECKER, Kind.KING, Kind.GOLD)
    (dropped,) = (r for r in tree(FIVE).turns[0].checks if r.check.usi == "2f1f")
    assert isinstance(dropped, FailingCheck)
    assert (dropped.manner, dropped.piece, dropped.taken) == (explanation.AnswerManner.DROPS_BETWEEN, Kind.PAWN, None)


def test_the_manner_of_every_refutation() -> None:
    for sfen in [*PROBLEMS, NO_MATE]:
        for turn in tree(sfen).turns:
            for failed in turn.checks:
                if isinstance(failed, FailingCheck):
                    board = replayed(parse_sfen(sfen).position, (*turn.path, failed.check))
                    _assert_manner(failed, board)


def _assert_manner(failed: FailingCheck, board: naive.Board) -> None:
    squares = {shogi.SQUARE_NAMES[square] for square in naive.checkers(board)}
    target = failed.answer.usi[2:4]
    assert (failed.manner is explanation.AnswerManner.DROPS_BETWEEN) == ("*" in failed.answer.usi)
    assert (failed.manner is explanation.AnswerManner.TAKES_CHECKER) == (squares == {target})


# --- positions without a mate, limits -------------------------------------------------------------
def test_without_a_mate_the_tree_has_one_turn_whose_checks_fail() -> None:
    found = tree(NO_MATE)
    assert found.no_mate
    assert (found.length, found.line) == (None, ())
    (turn,) = found.turns
    assert (turn.length, turn.key) == (None, None)
    assert turn.checks
    assert all(isinstance(result, FailingCheck) for result in turn.checks)
    assert tree(NO_CHECKS).no_mate
    assert [turn.checks for turn in tree(NO_CHECKS).turns] == [()]


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_tree_of_few_turns_says_where_it_was_cut(most: int) -> None:
    whole, cut = tree(SEVEN), tree_of(parse_sfen(SEVEN).position, most_turns=most)
    assert not cut.complete
    assert len(cut.turns) == most
    assert [turn.path for turn in cut.turns] == [turn.path for turn in whole.turns[:most]]
    ends = [r.best for turn in cut.turns for r in _mating(turn) if r.best and r.best.turn is None]
    assert ends
    assert all(len(best.line) == best.length for best in ends)
    assert_walks_end(cut, random.Random(1))


def test_limits_leave_checks_open() -> None:
    position = parse_sfen(SEVEN).position
    for nodes in (0, 50, 500, 5000):
        found = reply_tree(DfPnEngine(table_bits=16), position, Limits(nodes=nodes))
        assert_moves_are_all_there(found, position)
        assert found.complete == (not list(found.open_checks))
        assert_walks_end(found, random.Random(1))
    assert not reply_tree(DfPnEngine(table_bits=16), position, Limits(nodes=0)).complete
    found = reply_tree(DfPnEngine(table_bits=16), parse_sfen(HARD).position, Limits(nodes=1000))
    assert (found.length, found.no_mate, found.complete) == (None, False, False)
    (turn,) = found.turns
    assert len(list(found.open_checks)) == len(turn.checks) > 0


def test_without_nodes_for_proofs_checks_fail_within_a_bound() -> None:
    position = parse_sfen(COOKED_LATER).position
    engine = DfPnEngine(table_bits=16)
    few, many = (reply_tree(engine, position, Limits(), proof_nodes=n) for n in (0, 400_000))
    assert few.complete
    assert_the_second_engine_agrees(few, position)
    proofs = [[r.proof for t in one.turns for r in t.checks if isinstance(r, FailingCheck)] for one in (few, many)]
    assert proofs[0].count(Proof.BOUNDED) >= proofs[1].count(Proof.BOUNDED)


def test_a_tree_does_not_depend_on_earlier_positions() -> None:
    engine = DfPnEngine(table_bits=16)
    first = reply_tree(engine, parse_sfen(SEVEN).position, Limits())
    reply_tree(engine, parse_sfen(COOKED).position, Limits())
    assert reply_tree(engine, parse_sfen(SEVEN).position, Limits()) == first


@pytest.mark.parametrize("sfen", [THREE, FIVE, EQUAL])
def test_all_answers_lead_to_turns_if_asked_for(sfen: str) -> None:
    position = parse_sfen(sfen).position
    found = reply_tree(DfPnEngine(table_bits=16), position, Limits(), all_answers=True)
    assert found.complete
    answers = [answer for turn in found.turns for r in _mating(turn) for answer in r.answers]
    assert all(answer.turn is not None and not answer.line for answer in answers)
    assert all(found.turns[answer.turn or 0].length == answer.length for answer in answers)
    assert len(found.turns) >= len(tree(sfen).turns)
    assert_moves_are_all_there(found, position)
    assert_the_second_engine_agrees(found, position)
    assert not reply_tree(DfPnEngine(table_bits=16), position, Limits(), all_answers=True, most_turns=1).complete


# --- positions at random ----------------------------------------------------------------------
@pytest.mark.parametrize("length", [3, 5])
def test_trees_of_grown_positions(length: int) -> None:
    for candidate in grown(length)[::7][:8]:
        position = unpack(candidate.packed)
        found = tree_of(position)
        assert found.length == length
        assert_moves_are_all_there(found, position)
        assert_the_second_engine_agrees(found, position)
        assert_walks_end(found, random.Random(1), 10)


@pytest.mark.parametrize("seed", range(12))
def test_trees_of_random_positions(seed: int) -> None:
    rng = random.Random(seed)
    draw = rng.choice((random_attack, crowded_position))
    position = draw(rng, bool(seed % 2))
    with_limits = Limits(nodes=200_000)
    found = reply_tree(DfPnEngine(table_bits=18), position, with_limits, most_turns=20, proof_nodes=20_000)
    assert_moves_are_all_there(found, position)
    assert_the_second_engine_agrees(found, position)
    assert_walks_end(found, rng)


# --- Trees within nodes beyond the best line: the line is there, nothing is claimed that is not so ---

NODES = (0, 1000, 20_000)
POSITIONS = [*PROBLEMS, FUTILE_THREE, WIDE]


@cache
def bounded_tree(sfen: str, rest: int | None, check: Move | None = None) -> ReplyTree:
    position = parse_sfen(sfen).position
    engine, limits = DfPnEngine(table_bits=18), Limits(seconds=120)
    return reply_tree(engine, position, limits, most_turns=20, only_best=True, rest_nodes=rest, first_check=check)


def key_of(turn: TreeTurn) -> MatingCheck:
    (key,) = [check for check in turn.checks if check.check == turn.key]
    assert isinstance(key, MatingCheck)
    return key


def same_kind(one: CheckResult, other: CheckResult) -> bool:
    return OpenCheck in (type(one), type(other)) or type(one) is type(other)


@pytest.mark.parametrize("sfen", POSITIONS)
@pytest.mark.parametrize("nodes", NODES)
def test_the_best_line_can_be_played(sfen: str, nodes: int) -> None:
    found = bounded_tree(sfen, nodes)
    assert found.line == bounded_tree(sfen, None).line
    assert played_out(found) == found.line
    assert all(turn.key is not None for turn in found.turns)
    for turn in found.turns:
        for check in turn.checks:
            if isinstance(check, MatingCheck) and check.best and check.best.turn is not None:
                after = found.turns[check.best.turn]
                assert after.length == check.best.length


@pytest.mark.parametrize("sfen", POSITIONS)
@pytest.mark.parametrize("nodes", NODES)
def test_fewer_nodes_leave_open_and_claim_nothing_else(sfen: str, nodes: int) -> None:
    few, many = bounded_tree(sfen, nodes).turns[0], bounded_tree(sfen, None).turns[0]
    results = {check.check: check for check in many.checks}
    assert {check.check for check in few.checks} == results.keys()
    assert all(same_kind(check, results[check.check]) for check in few.checks)
    for check in few.checks:
        if isinstance(check, MatingCheck):
            packed = pack(parse_sfen(sfen).position)
            assert DfPnEngine(table_bits=18).mates_after(packed, pack_move(check.check), check.length)


@pytest.mark.parametrize("sfen", POSITIONS)
def test_a_tree_is_the_same_each_time_and_has_only_the_best_answers(sfen: str) -> None:
    engine, position = DfPnEngine(table_bits=18), parse_sfen(sfen).position
    reply_tree(engine, parse_sfen(DETOUR).position, Limits())
    again = reply_tree(engine, position, Limits(), most_turns=20, only_best=True, rest_nodes=20_000)
    assert again == bounded_tree(sfen, 20_000)
    for turn in bounded_tree(sfen, None).turns:
        for check in turn.checks:
            if isinstance(check, MatingCheck):
                assert len(check.answers) <= 1
                assert bool(check.best) is (check.length > 1)


@pytest.mark.parametrize("sfen", POSITIONS)
def test_one_check_is_settled_as_in_the_whole_tree(sfen: str) -> None:
    for expected in bounded_tree(sfen, None).turns[0].checks[:12]:
        found = bounded_tree(sfen, 150_000, expected.check)
        results = {check.check: check for check in found.turns[0].checks}
        settled = results.pop(expected.check)
        assert all(check == OpenCheck(check.check) for check in results.values())
        assert same_kind(settled, expected)
        if isinstance(expected, MatingCheck) and expected.rank is not MateRank.LATER:
            assert isinstance(settled, MatingCheck)
            assert (settled.length, settled.rank) == (expected.length, expected.rank)
        if isinstance(settled, FailingCheck) and settled.within is not None:
            packed, line = pack(parse_sfen(sfen).position), (settled.check, settled.answer)
            with line_played(packed, tuple(map(pack_move, line))):
                assert not DfPnEngine(table_bits=18).mates(packed, settled.within)


# --- Trees of open boards: what mates later than the key is cut first, and the best line stays -----

OPEN_BOARD = parse_sfen("6+B1k/9/9/9/9/9/9/9/9 b Rrb4g4s4n4l18p 1").position


@cache
def small_tree(only_line: bool = False) -> ReplyTree:
    return reply_tree(DfPnEngine(table_bits=18), OPEN_BOARD, Limits(seconds=120), only_line=only_line)


def test_a_tree_of_an_open_board_is_small_and_says_that_it_is_cut() -> None:
    tree = small_tree()
    later = [c for turn in tree.turns for c in turn.checks if isinstance(c, MatingCheck) and c.rank is MateRank.LATER]
    assert len(later) <= MAX_LATER
    assert len(tree.turns) < 10 * (MAX_LATER + MAX_ASIDE)
    assert not tree.complete
    assert played_out(tree) == tree.line


def test_what_is_said_of_the_first_checks_is_true() -> None:
    engine, tree = DfPnEngine(table_bits=18), small_tree()
    packed = pack(OPEN_BOARD)
    for found in tree.turns[0].checks:
        check = pack_move(found.check)
        if isinstance(found, MatingCheck):
            assert engine.mates_after(packed, check, found.length)
        elif isinstance(found, OpenCheck) and found.mates:
            assert engine.mates_ever_after(packed, check)
        elif isinstance(found, FailingCheck) and found.proof is Proof.ANY_LENGTH:
            with line_played(packed, (check, pack_move(found.answer))):
                assert engine.mates_ever(packed) is False


def test_a_tree_of_the_line_only_has_its_turns_and_all_answers_to_its_keys() -> None:
    whole, line = small_tree(), small_tree(only_line=True)
    assert line.line == whole.line
    assert [turn.path for turn in line.turns] == [line.line[:ply] for ply in range(0, len(line.line), 2)]
    for one, other in zip(line.turns, whole.turns, strict=False):
        key, same = one.checks[0], other.checks[0]
        assert isinstance(key, MatingCheck)
        assert isinstance(same, MatingCheck)
        assert [(a.move, a.length) for a in key.answers] == [(a.move, a.length) for a in same.answers]
        assert all(isinstance(c, MatingCheck) is (c.check == one.key) for c in one.checks)
