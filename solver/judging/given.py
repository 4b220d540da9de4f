# SPDX-License-Identifier: GPL-3.0-or-later
"""The composer's line (作意): by which reading it is best, or where it fails."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from solver.engines.base import MateEngine
from solver.judging.readings import BEYOND, NODES, PURIST_CALLS, Purist
from solver.results import GivenLine, Interposition
from solver.solving.tree import TreeBuilder, deeper_recursion
from tsume_rules.kernel.state import packed_hand
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    Record,
    first_illegal,
    legal_checks,
    legal_evasions,
    line_played,
    played,
    unpack_move,
)
from tsume_rules.position import Side


def examine_given(engine: MateEngine, record: Record, length: int, moves: Moves) -> GivenLine:
    """Evaluate a given line in a position that mates in exactly ``length`` plies. Raises `LimitReached`."""
    told, plies, illegal = tuple(map(unpack_move, moves)), len(moves), first_illegal(record, moves)
    if illegal is None and plies % 2:
        # The first reading by which the whole line is best.
        if _first_error(engine, record, moves, plies) is None:
            return GivenLine(told, "narrow")
        if _is_best_purist(Purist(engine), record, moves, plies):
            return GivenLine(told, "purist")
        with engine.reading(Interposition.WIDE):
            if _first_error(engine, record, moves, plies) is None:
                return GivenLine(told, "wide")
        if length == plies + 2 and _only_leftovers_last_longer(engine, record, moves):
            return GivenLine(told, "longer")
    at = _first_error(engine, record, moves[:illegal], length)
    if illegal is None:
        if at is None:
            rest = _continued(engine, record, length, moves)
            return GivenLine(told, better=rest, beginning_of=length)
        full = engine.answered_within(NODES, partial(_begins_another, engine, record, length, moves))
        if full:
            return GivenLine(told, beginning_of=full)
    wrong_at = illegal or 0 if at is None else at
    return GivenLine(told, None, wrong_at, _continued(engine, record, length, moves[:wrong_at]))


def given_without_mate(record: Record, moves: Moves) -> GivenLine:
    """Return a line given in a position without a mate; its first move that is no legal check or answer is
    named."""
    return GivenLine(tuple(map(unpack_move, moves)), wrong_at=first_illegal(record, moves))


def with_main_line(given: GivenLine, main: tuple[Move, ...], length: int) -> GivenLine:
    """Return the evaluation of a line that breaks off, with the main line as its continuation if it begins
    that."""
    stop = len(given.moves)
    if given.reading or stop >= len(main) or main[:stop] != given.moves:
        return given
    return GivenLine(given.moves, better=main[stop:], beginning_of=given.beginning_of or length)


def _begins_another(engine: MateEngine, record: Record, length: int, moves: Moves) -> int | None:
    """Return the length by the purist or the wide reading, if the moves begin a best line by that reading
    alone."""
    purist = Purist(engine)
    with deeper_recursion(PURIST_CALLS * length):
        n = next((n for n in range(length, length + BEYOND + 1, 2) if purist.mates(record, n)), 0)
        if len(moves) < n and _is_best_purist(purist, record, moves, n):
            return n
    with engine.reading(Interposition.WIDE):
        n = next(n for n in range(1, length + 1, 2) if n == length or engine.mates(record, n))
        return n if len(moves) < n and _first_error(engine, record, moves, n) is None else None


def _first_error(engine: MateEngine, record: Record, moves: Moves, length: int) -> int | None:
    """Return the index of the first move that is not best by the current reading; None if all are. The
    position mates in ``length`` plies, if the moves are best."""
    for ply, move in enumerate(moves):
        n = length - ply
        with line_played(record, moves[:ply]):
            if ply % 2:
                good = n > 0 and move in engine.longest_defences(record, n)
            else:
                good = engine.mates_after(record, move, n) and not (n > 1 and engine.mates(record, n - 2))
        if not good:
            return ply
    return None


def _is_best_purist(purist: Purist, record: Record, moves: Moves, length: int) -> bool:
    for ply, move in enumerate(moves):
        n = length - ply
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
    """Return whether a line is best when defences two plies longer that leave pieces do not count (変長)."""
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
                if not _mates_but_for_leftovers(engine, builder, record, move, n):
                    return False
            else:
                with played(record, move, Side.DEFENDER):
                    if n > 2 and engine.mates(record, n - 3):
                        return False
    return True


def _mates_but_for_leftovers(
    engine: MateEngine, builder: TreeBuilder, record: Record, check: int, n: int
) -> bool:
    """Return whether a check mates within n plies, or within two more where that leaves pieces in hand."""
    return engine.mates_after(record, check, n) or (n > 1 and builder.after(record, check, n + 2).leftover)


def line_without_longer(engine: MateEngine, record: Record, length: int) -> Moves:
    """Return a line two plies shorter, best when longer defences that leave pieces do not count (変長).

    Empty if there is none. Raises `LimitReached`.
    """
    line = _shorter_line(engine, TreeBuilder(engine, main_line=False), record, length - 2)
    return line if line and _only_leftovers_last_longer(engine, record, line) else ()


def _shorter_line(engine: MateEngine, builder: TreeBuilder, record: Record, n: int) -> Moves:
    """Return a line of n plies that leaves nothing in hand, each check mating within two plies more."""
    for check in legal_checks(record) if n > 0 else ():
        if not engine.mates_after(record, check, n + 2):
            continue
        if not _mates_but_for_leftovers(engine, builder, record, check, n):
            continue
        with played(record, check, Side.ATTACKER):
            if n == 1 and packed_hand(record) == 0:
                return (check,)
            for answer in legal_evasions(record) if n > 1 else ():
                with played(record, answer, Side.DEFENDER):
                    lasts = not (n > 4 and engine.mates(record, n - 4)) and engine.mates(record, n - 2)
                    rest = _shorter_line(engine, builder, record, n - 2) if lasts else ()
                if rest:
                    return (check, answer, *rest)
    return ()


def _continued(engine: MateEngine, record: Record, length: int, path: Moves) -> tuple[Move, ...]:
    """Return the best line after good moves; empty if there is no mate in the remaining plies."""
    ask: Callable[[Record, int], bool] = engine.is_mated if len(path) % 2 else engine.mates
    with line_played(record, path):
        builder = TreeBuilder(engine, complete=False)
        first = len(path) % 2 ^ 1
        n = next((n for n in range(first, length + 1, 2) if ask(record, n)), 0)
        if first and n:
            return tuple(map(unpack_move, builder.turn(record, n).line()))
        reply = next(iter(builder.replies(record, n)), None) if n else None
        moves = (*reply.moves, *(reply.turn.line() if reply.turn else ())) if reply else ()
        return tuple(map(unpack_move, moves))
