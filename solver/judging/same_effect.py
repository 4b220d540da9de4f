# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether another check by the same piece leaves the same position, or a line that runs alike (非限定)."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from solver.engines.base import MateEngine
from solver.judging.cooks import Cook
from tsume_rules.kernel.play import do
from tsume_rules.kernel.state import packed_hand
from tsume_rules.kernel.tables import SLIDES
from tsume_rules.moves import Move
from tsume_rules.packing import Record, dropped, origin_of, pack_move, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import Moves, played
from tsume_rules.squares import Square

NODES = 100_000
"""Nodes to see that the piece that gives a check is captured at once."""


def leaves_same_position(engine: MateEngine, record: Record, cook: Cook) -> bool:
    """As `MateEngine.leaves_same_position`, of a second solution and the key; no where `NODES` run out.

    ``record`` stands at the turn. Raises `LimitReached` only for outer limits.
    """
    turn = cook.turn
    ask = partial(engine.leaves_same_position, record, turn.key, cook.check, turn.n)
    return engine.answered_within(NODES, ask) is True


def may_have_same_effect(record: Record, key: int, check: int) -> bool:
    """Whether two checks are drops of the same kind or moves of the same slider."""
    if dropped(key) or dropped(check):
        return dropped(key) == dropped(check)
    return origin_of(key) == origin_of(check) and bool(SLIDES[int(record.board[origin_of(key)])])


def line_alike(
    engine: MateEngine, record: Record, rest: Moves, check: int
) -> tuple[Moves, int | None] | None:
    """The line with ``check`` in place of its first move, if it runs alike until it mates or is the same.

    ``record`` stands before ``rest``, the line from there. Every move is the line's, but for the square of
    the piece that gave the check, or took the one that did. Returns the moves and the ply, counted from here,
    from which the positions are the same (None: they never are); None if the lines differ. Raises
    `LimitReached`.
    """
    there, here = unpack_move(rest[0]).target, unpack_move(check).target
    moves = [check]
    main = record.copy()
    do(main, rest[0], Side.ATTACKER)
    with ExitStack() as game:
        game.enter_context(played(record, check, Side.ATTACKER))
        for ply, move in enumerate(rest[1:], 1):
            side = Side.DEFENDER if ply % 2 else Side.ATTACKER
            if side is Side.ATTACKER and _same(main, record):
                return (*moves, *rest[ply:]), ply
            own = pack_move(_moved(unpack_move(move), there, here))
            if own not in (legal_evasions(record) if ply % 2 else legal_checks(record)):
                return None
            moves.append(own)
            game.enter_context(played(record, own, side))
            do(main, move, side)
        return (tuple(moves), None) if engine.is_mated(record, 0) else None


def _same(one: Record, other: Record) -> bool:
    return bool(one.key == other.key and packed_hand(one) == packed_hand(other))


def _moved(move: Move, there: Square, here: Square) -> Move:
    """The move with one square for another."""
    origin = here if move.origin == there else move.origin
    return replace(move, origin=origin, target=here if move.target == there else move.target)
