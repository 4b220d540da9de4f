"""What is true of every sprout, grown or sketched, and what test messages show of one."""

from __future__ import annotations

from collections.abc import Iterable

from generator.candidate import Sprout
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.cooks import refute, stations
from solver.solving.tree import TreeBuilder, Turn
from tests import naive
from tsume_rules.packing import unpack, unpack_move
from tsume_rules.sfen import format_sfen


def shown(sprout: Sprout) -> str:
    line = " ".join(unpack_move(move).usi for move in sprout.line)
    return f"{format_sfen(unpack(sprout.record))} moves {line}"


def root_of(sprout: Sprout) -> Turn:
    """The root of its main tree, by the second engine."""
    return TreeBuilder(IterativeEngine(table_bits=16)).turn(sprout.record, sprout.length)


def assert_exact_lengths(sprouts: Iterable[Sprout]) -> None:
    twin = IterativeEngine(table_bits=16)
    for sprout in sprouts:
        assert twin.mates(sprout.record, sprout.length), shown(sprout)
        assert sprout.length == 1 or not twin.mates(sprout.record, sprout.length - 2), shown(sprout)


def assert_the_slow_twin_agrees(threes: Iterable[Sprout]) -> None:
    """Mate in three, by one first move."""
    for sprout in threes:
        sfen = format_sfen(unpack(sprout.record))
        assert naive.length(sfen, 3) == 3, shown(sprout)
        assert naive.mating_moves(sfen, 3) == {unpack_move(sprout.line[0]).usi}, shown(sprout)


def assert_lines_mate(sprouts: Iterable[Sprout]) -> None:
    """Each line is legal, as long as it should be, and ends with mate."""
    for sprout in sprouts:
        board = naive.board_of(format_sfen(unpack(sprout.record)))
        assert len(sprout.line) == sprout.length, shown(sprout)
        for ply, code in enumerate(sprout.line):
            legal = naive.evasion_moves(board) if ply % 2 else naive.check_moves(board)
            move = unpack_move(code).usi
            assert move in {other.usi() for other in legal}, (shown(sprout), move)
            board.push_usi(move)
        assert naive.mated_within(board, 0), shown(sprout)


def assert_no_second_solution(sprouts: Iterable[Sprout], margin: int) -> None:
    """None that mates within ``margin`` plies more than the problem."""
    twin = IterativeEngine(table_bits=16)
    for sprout in sprouts:
        for place in stations(sprout.record, root_of(sprout)):
            assert refute(twin, sprout.record, place, margin) is None, (shown(sprout), place)
