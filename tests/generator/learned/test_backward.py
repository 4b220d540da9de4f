# SPDX-License-Identifier: GPL-3.0-or-later
"""Two plies back: what is taken back is of the sorts asked for, and each position on the way is sound."""

import numpy as np

from generator.constraints.options import ComposingOptions, Style
from generator.kernel.traits import sort_of_answer, sort_of_check
from generator.learned.backward import BackwardSearch, Link
from generator.learned.search import stored_turns
from generator.reverse.kernel.unmoves import longest_lasting_answers
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import REPEATABLE
from tests.naive import length as naive_length
from tsume_rules.kernel.retract import MAX_UNMOVES, captured_of, move_of, un_evasions
from tsume_rules.kernel.state import undo
from tsume_rules.kernel.tables import DEF
from tsume_rules.packed import (
    dropped,
    legal_checks,
    legal_evasions,
    line_played,
    origin_of,
    played,
    start_faults,
    target_of,
    unpack,
)
from tsume_rules.position import Side
from tsume_rules.sfen import format_sfen

LENGTH = 5


def search() -> BackwardSearch:
    options = ComposingOptions.of(LENGTH, style=Style.NATURAL)
    return BackwardSearch(DfPnEngine(table_bits=18, method=REPEATABLE), options, np.array([5], dtype=np.uint64))


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
        others = engine.mating(one.packed, legal_checks(one.packed), LENGTH)
        assert others == [one.line[0]]


def test_answers_are_those_that_no_other_outlasts() -> None:
    """Against a slow search of every position before: all answers are mated, none later than this one."""
    backward = search()
    packed = next(backward._cores(np.random.default_rng(3))).candidate.packed
    room, every = np.zeros(MAX_UNMOVES, dtype=np.int64), np.zeros(MAX_UNMOVES, dtype=np.int64)
    work = backward._sampler.work_for(50_000, backward._unbiased)
    number = longest_lasting_answers(backward._engine.arena(packed.copy()), 1, 50_000, work, room)
    found = set(room[:number].tolist())
    assert found
    for unevasion in every[: un_evasions(packed, every, True)].tolist():
        before = packed.copy()
        undo(before, move_of(unevasion), DEF, captured_of(unevasion))
        lasts = True
        for answer in legal_evasions(before):
            with played(before, answer, Side.DEFENDER):
                lasts &= naive_length(format_sfen(unpack(before, Side.ATTACKER)), 1) is not None
        assert (unevasion in found) is lasts
