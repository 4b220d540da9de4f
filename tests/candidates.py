# SPDX-License-Identifier: GPL-3.0-or-later
"""What is true of every candidate, grown or sampled, and what test messages show of one."""

from __future__ import annotations

from collections.abc import Iterable

from generator.candidate import Candidate
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.cooks import decision_points, leaves_same_position, refute
from solver.solving.tree import TreeBuilder, Turn
from tests import naive
from tsume_rules.packed import line_played, unpack, unpack_move
from tsume_rules.sfen import format_sfen


def shown(candidate: Candidate) -> str:
    line = " ".join(unpack_move(move).usi for move in candidate.line)
    return f"{format_sfen(unpack(candidate.packed))} moves {line}"


def root_of(candidate: Candidate) -> Turn:
    """The root of its main tree, by the second engine."""
    return TreeBuilder(IterativeEngine(table_bits=16)).turn(candidate.packed, candidate.length)


def assert_exact_lengths(candidates: Iterable[Candidate]) -> None:
    twin = IterativeEngine(table_bits=16)
    for candidate in candidates:
        assert twin.mates(candidate.packed, candidate.length), shown(candidate)
        assert candidate.length == 1 or not twin.mates(candidate.packed, candidate.length - 2), shown(candidate)


def assert_the_slow_twin_agrees(threes: Iterable[Candidate]) -> None:
    """Mate in three, by one first move."""
    for candidate in threes:
        sfen = format_sfen(unpack(candidate.packed))
        assert naive.length(sfen, 3) == 3, shown(candidate)
        assert naive.mating_moves(sfen, 3) == {unpack_move(candidate.line[0]).usi}, shown(candidate)


def assert_lines_mate(candidates: Iterable[Candidate]) -> None:
    """Each line is legal, as long as it should be, and ends with mate."""
    for candidate in candidates:
        board = naive.board_of(format_sfen(unpack(candidate.packed)))
        assert len(candidate.line) == candidate.length, shown(candidate)
        for ply, code in enumerate(candidate.line):
            legal = naive.evasion_moves(board) if ply % 2 else naive.check_moves(board)
            move = unpack_move(code).usi
            assert move in {other.usi() for other in legal}, (shown(candidate), move)
            board.push_usi(move)
        assert naive.mated_within(board, 0), shown(candidate)


def assert_no_second_solution(candidates: Iterable[Candidate], margin: int) -> None:
    """None that mates within ``margin`` plies more than the problem, but for forms of a key that leave the
    same position."""
    twin = IterativeEngine(table_bits=16)
    for candidate in candidates:
        for place in decision_points(candidate.packed, root_of(candidate)):
            while (cook := refute(twin, candidate.packed, place, margin)) is not None:
                with line_played(candidate.packed, cook.path):
                    assert leaves_same_position(twin, candidate.packed, cook), (shown(candidate), cook)
