# SPDX-License-Identifier: GPL-3.0-or-later
"""The composer's line (作意): by which reading it is best, or where it fails."""

from __future__ import annotations

from collections.abc import Callable

from solver.engines.base import MateEngine
from solver.judging.grey import Purist
from solver.results import GivenLine, Interposition
from solver.solving.tree import TreeBuilder
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packing import Record, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.record_play import Moves, first_illegal, line_played, played


def examine_given(engine: MateEngine, record: Record, length: int, moves: Moves) -> GivenLine:
    """The evaluation of a given line in a position that mates in exactly ``length`` plies.

    Raises `LimitReached`.
    """
    told = tuple(map(unpack_move, moves))
    illegal = first_illegal(record, moves)
    if illegal is not None or len(moves) % 2 == 0:
        return _wrong(engine, record, length, moves, len(moves) if illegal is None else illegal)
    if _first_error(engine, record, moves) is None:
        return GivenLine(told, "narrow")
    if _is_best_purist(Purist(engine), record, moves):
        return GivenLine(told, "purist")
    with engine.reading(Interposition.WIDE):
        if _first_error(engine, record, moves) is None:
            return GivenLine(told, "wide")
    if length == len(moves) + 2 and _only_leftovers_last_longer(engine, record, moves):
        return GivenLine(told, "longer")
    return _wrong(engine, record, length, moves, _first_error(engine, record, moves) or 0)


def _first_error(engine: MateEngine, record: Record, moves: Moves) -> int | None:
    """The index of the first move that is not best by the current reading; None if all are."""
    for ply, move in enumerate(moves):
        n = len(moves) - ply
        with line_played(record, moves[:ply]):
            if ply % 2:
                good = move in engine.longest_defences(record, n)
            else:
                good = engine.mates_after(record, move, n) and not (n > 1 and engine.mates(record, n - 2))
        if not good:
            return ply
    return None


def _is_best_purist(purist: Purist, record: Record, moves: Moves) -> bool:
    for ply, move in enumerate(moves):
        n = len(moves) - ply
        with line_played(record, moves[:ply]):
            if ply % 2 == 0:
                if purist.mates(record, n - 2) or not purist.mates_after(record, move, n):
                    return False
                continue
            with played(record, move, Side.DEFENDER):
                if purist.mates(record, n - 3) or not purist.mates(record, n - 1):
                    return False
    return True


def _only_leftovers_last_longer(engine: MateEngine, record: Record, moves: Moves) -> bool:
    """Whether a line is best when defences two plies longer that leave pieces do not count (変長)."""
    with line_played(record, moves):
        if packed_hand(record) != 0:
            return False
    builder = TreeBuilder(engine, main_line=False)
    for ply, move in enumerate(moves):
        n = len(moves) - ply
        with line_played(record, moves[:ply]):
            if ply % 2 == 0:
                if not engine.mates_after(record, move, n + 2) or (n > 1 and engine.mates(record, n - 2)):
                    return False
                if (
                    not engine.mates_after(record, move, n)
                    and not builder.after(record, move, n + 2).leftover
                ):
                    return False
            else:
                with played(record, move, Side.DEFENDER):
                    if n > 2 and engine.mates(record, n - 3):
                        return False
    return True


def _wrong(engine: MateEngine, record: Record, length: int, moves: Moves, at: int) -> GivenLine:
    """The evaluation of a line with an error, with its correct continuation."""
    best = _continued(engine, record, length, moves[:at])
    return GivenLine(tuple(map(unpack_move, moves)), None, at, tuple(map(unpack_move, best)))


def _continued(engine: MateEngine, record: Record, length: int, path: Moves) -> Moves:
    """The best line after a path of good moves; empty if there is no mate in the remaining plies."""
    ask: Callable[[Record, int], bool] = engine.is_mated if len(path) % 2 else engine.mates
    with line_played(record, path):
        builder = TreeBuilder(engine, complete=False)
        first = len(path) % 2 ^ 1
        n = next((n for n in range(first, length + 1, 2) if ask(record, n)), None)
        if n is None:
            return ()
        if first:
            return builder.turn(record, n).line()
        replies = builder.replies(record, n) if n else []
        return (*replies[0].moves, *(replies[0].turn.line() if replies[0].turn else ())) if replies else ()
