# SPDX-License-Identifier: GPL-3.0-or-later
"""A line of a mate that is known, but perhaps not the shortest."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

from solver.engines.base import MateEngine
from solver.engines.kernel.mate import may_be_futile
from tsume_rules.packing import Record, target_of
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import Moves, played

_NODES = 200_000
"""Nodes for one line: what the table lacks is searched again."""


def known_line(engine: MateEngine, record: Record, n: int, first: int | None = None) -> Moves | None:
    """A line of a mate within n plies, which the engine's last searches found; None if the table lost it.

    ``first``: the line begins with this check. The defender plays a defence that the table does not have as
    mated sooner, if there is one. Raises `LimitReached` only for outer limits.
    """
    return engine.answered_within(_NODES, partial(_line, engine, record, n, first))


def _line(engine: MateEngine, record: Record, n: int, first: int | None) -> Moves:
    line: list[int] = []
    with ExitStack() as made:

        def play(move: int, side: Side) -> None:
            made.enter_context(played(record, move, side))
            line.append(move)

        left = n - 1
        play(first or _mating_check(engine, record, n), Side.ATTACKER)
        while not engine.is_mated(record, 0):
            answer, left = _answer(engine, record, left)
            for move, side in zip(answer, (Side.DEFENDER, Side.ATTACKER), strict=False):
                play(move, side)
            if len(answer) == 1:
                play(_mating_check(engine, record, left - 1), Side.ATTACKER)
                left -= 2
    return tuple(line)


def _mating_check(engine: MateEngine, record: Record, n: int) -> int:
    """A check that mates within n plies, by the table if it has one."""
    checks = legal_checks(record)
    if check := _known(engine, record, checks, n):
        return check
    engine.mates(record, n)
    return _known(engine, record, checks, n) or next(c for c in checks if engine.mates_after(record, c, n))


def _known(engine: MateEngine, record: Record, checks: list[int], n: int) -> int | None:
    return next((check for check in checks if engine.known_after(record, check, n)), None)


def _answer(engine: MateEngine, record: Record, n: int) -> tuple[Moves, int]:
    """The defence that lasts longest by the table, and the even number of plies within which it is mated.

    The table lacks mates in a few plies, and what follows futile drops. If there are only futile drops: one
    with its capture.
    """
    evasions = legal_evasions(record)
    if known := [move for move in evasions if _is_known_after(engine, record, move, n - 1)]:
        return _longest(engine, record, known, n)
    others = [move for move in evasions if not may_be_futile(record, move)]
    if not others:
        for drop in evasions:
            if take := engine.futile_by(record, target_of(drop), n):
                return (drop, take), n
    return ((others or evasions)[0],), n


def _longest(engine: MateEngine, record: Record, known: list[int], n: int) -> tuple[Moves, int]:
    for bound in range(n, 2, -2):
        for move in known:
            if not _is_known_after(engine, record, move, bound - 3):
                return (move,), bound
    return (known[0],), 2


def _is_known_after(engine: MateEngine, record: Record, defence: int, n: int) -> bool:
    with played(record, defence, Side.DEFENDER):
        return bool(_known(engine, record, legal_checks(record), n))
