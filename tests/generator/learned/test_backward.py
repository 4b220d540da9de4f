# SPDX-License-Identifier: GPL-3.0-or-later
"""Two plies back: what is taken back is of the sorts asked for, and each position on the way is sound."""

from collections.abc import Iterator

import numpy as np
import shogi

from generator.constraints.options import ComposingOptions, Style
from generator.kernel.positions import put_piece_from_hand
from generator.kernel.traits import sort_of_answer, sort_of_check
from generator.learned.backward import BackwardSearch, Link, RefinedSearch, merit_of
from generator.learned.search import stored_turns
from generator.reverse.kernel.unmoves import SORTS_OF_ANSWERS, TAKEN, _put_guard, write_pairs
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import REPEATABLE
from tests.naive import length as naive_length
from tsume_rules.kernel.retract import MAX_UNMOVES, captured_of, move_of, un_checks, un_evasions
from tsume_rules.kernel.state import undo
from tsume_rules.kernel.tables import ATT, DEF
from tsume_rules.packed import (
    PackedPosition,
    dropped,
    legal_checks,
    legal_evasions,
    line_played,
    origin_of,
    played,
    start_faults,
    target_of,
    unpack,
    unpack_move,
)
from tsume_rules.position import Side
from tsume_rules.sfen import format_sfen

LENGTH = 5
NO_PIECES = "9/9/9/9/9/9/9/9/9 b - 1"


def search(kind: type[BackwardSearch] = BackwardSearch) -> BackwardSearch:
    options = ComposingOptions.of(LENGTH, style=Style.NATURAL)
    return kind(DfPnEngine(table_bits=18, method=REPEATABLE), options, np.array([5], dtype=np.uint64))


def some_links(number: int) -> list[Link]:
    backward, rng = search(), np.random.default_rng(7)
    found: list[Link] = []
    while len(found) < number:
        found += backward.links(rng)
    return found


def test_what_is_taken_back_is_of_the_sorts_asked_for_and_sound() -> None:
    published = {tuple(pair) for problem in stored_turns(LENGTH).sorts.tolist() for pair in problem}
    engine = DfPnEngine(table_bits=18)
    for link in some_links(6):
        one = link.candidate
        position = unpack(one.packed, Side.ATTACKER)
        assert not start_faults(position)
        assert naive_length(format_sfen(position), LENGTH) == LENGTH
        assert len(link.sorts) == (LENGTH - 1) // 2
        for turn, (check_sort, answer_sort) in enumerate(link.sorts):
            assert (check_sort, answer_sort) in published
            check, answer = one.line[2 * turn : 2 * turn + 2]
            with line_played(one.packed, one.line[: 2 * turn]):
                moved = 0 if dropped(check) else int(one.packed.board[origin_of(check)]) & 15
                assert sort_of_check(check, moved, one.packed.board[target_of(check)] != 0) == check_sort
            with line_played(one.packed, one.line[: 2 * turn + 1]):
                assert sort_of_answer(one.packed, answer, target_of(check)) == answer_sort
        for other in engine.mating(one.packed, legal_checks(one.packed), LENGTH):
            assert other == one.line[0] or engine.leaves_same_position(one.packed, one.line[0], other, LENGTH)


def test_refined_positions_are_better_and_sound() -> None:
    found, again = (list(search(RefinedSearch).shortlist(0, np.random.default_rng(7))) for _ in range(2))
    assert [one.line for one in found] == [one.line for one in again]
    assert merit_of(found[0]) > max(map(merit_of, search(RefinedSearch).candidates(0, np.random.default_rng(7))))
    assert {naive_length(format_sfen(unpack(one.packed, Side.ATTACKER)), LENGTH) for one in found} == {LENGTH}


def test_pairs_are_all_those_whose_answer_no_other_outlasts() -> None:
    """Against a slow search of every position before: all answers are mated, none later than this one."""
    backward, every = search(), np.zeros(MAX_UNMOVES, dtype=np.int64)
    cores = [link.candidate.packed for link in backward._cores(np.random.default_rng(3))][:3]
    growth, work = backward._growth, backward._sampler.work_for(50_000, backward._unbiased)
    for i, core in enumerate(cores):
        growth.positions[i] = core
    number = write_pairs(backward._engine.arena(cores[0].copy()), len(cores), 1, 50_000, 1, 0, work, growth)
    pairs = zip(growth.parents, growth.answers, growth.checks, growth.sorts, strict=True)
    found = {tuple(map(int, pair)) for pair, _ in zip(pairs, range(number), strict=False)}
    expected = set()
    for i, core in enumerate(cores):
        for answer in every[: un_evasions(core, every, True)].tolist():
            checked = core.copy()
            undo(checked, move_of(answer), DEF, captured_of(answer))
            if not all(naive_length(format_sfen(unpack(after, Side.ATTACKER)), 1) for after in all_after(checked)):
                continue
            checks = np.zeros(MAX_UNMOVES, dtype=np.int64)
            for unmove in checks[: un_checks(checked, checks, True)].tolist():
                check, start = move_of(unmove), checked.copy()
                undo(start, check, ATT, captured_of(unmove))
                moved = 0 if dropped(check) else int(start.board[origin_of(check)]) & 15
                sort = sort_of_check(check, moved, captured_of(unmove) != 0) * SORTS_OF_ANSWERS
                expected.add((i, answer, unmove, sort + sort_of_answer(checked, move_of(answer), target_of(check))))
    assert found == expected
    assert found
    assert growth.left.sum() == number


def test_a_defender_is_added_who_takes_the_checking_piece() -> None:
    """Against the same slow search, of the core with the defender."""
    backward = search()
    cores = [link.candidate for link in backward._cores(np.random.default_rng(3))][:3]
    growth, work = backward._growth, backward._sampler.work_for(50_000, backward._unbiased)
    for i, core in enumerate(cores):
        growth.positions[i], growth.lines[i, :1] = core.packed, core.line
    arena = backward._engine.arena(cores[0].packed.copy())
    number = write_pairs(arena, len(cores), 1, 50_000, 1, 30, work, growth)
    added = np.flatnonzero(growth.takers[:number])
    for pair in added.tolist():
        cell, piece = divmod(int(growth.takers[pair]), 256)
        answer, unmove, checked = growth.answers[pair], growth.checks[pair], cores[growth.parents[pair]].packed.copy()
        assert put_piece_from_hand(checked, piece, cell)
        assert cores[growth.parents[pair]].line[0] in legal_checks(checked)
        undo(checked, move_of(answer), DEF, captured_of(answer))
        assert target_of(move_of(answer)) == target_of(move_of(unmove)) == cell
        assert growth.sorts[pair] % SORTS_OF_ANSWERS == TAKEN
        assert all(naive_length(format_sfen(unpack(after, Side.ATTACKER)), 1) for after in all_after(checked))
    assert len(added) > 20


def all_after(checked: PackedPosition) -> Iterator[PackedPosition]:
    for answer in legal_evasions(checked):
        with played(checked, answer, Side.DEFENDER):
            yield checked


def test_a_guard_attacks_the_cell_and_none_that_the_line_needs() -> None:
    backward, state, put = search(), np.array([1], dtype=np.uint64), 0
    work = backward._sampler.work_for(1, backward._unbiased)
    for link in some_links(8):
        packed, line = link.candidate.packed, np.array(link.candidate.line)
        before = shogi.Board(format_sfen(unpack(packed, Side.ATTACKER)))
        for check in legal_checks(packed):
            guarded = packed.copy()
            if not _put_guard(guarded, target_of(check), line, backward._growth.rates, state, work.constraints):
                continue
            after, alone = shogi.Board(format_sfen(unpack(guarded, Side.ATTACKER))), shogi.Board(NO_PIECES)
            (square,) = (sq for sq in shogi.SQUARES if after.piece_at(sq) != before.piece_at(sq))
            guard = after.piece_at(square)
            assert guard.color == shogi.WHITE
            assert guard.piece_type != shogi.KING
            assert square == target(check) or square in after.attackers(shogi.WHITE, target(check))
            alone.set_piece_at(square, guard)
            for move in link.candidate.line[::2]:
                assert square != target(move)
                assert square not in alone.attackers(shogi.WHITE, target(move))
            put += 1
    assert put > 20


def target(move: int) -> int:
    return int(shogi.SQUARE_NAMES.index(unpack_move(move).usi.rstrip("+")[-2:]))
