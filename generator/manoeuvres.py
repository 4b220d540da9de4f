# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a line repeats a manoeuvre: a piece gives checks until it is taken, later another the same checks.

A series of sacrifices is none, nor is a series of checks that ends otherwise (追い手順, 馬鋸).
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.replay.line import ReplayedLine, ReplayedTurn
from tsume_rules.kernel.tables import DIST, GOLD, KING, PROMOTION, SILVER

_LEAST_CHECKS = 2

Step = tuple[str, int, int]
"""A check: how the piece comes, what it moves like afterwards, and how far it is from the king."""


def repeats_manoeuvre(line: ReplayedLine) -> bool:
    """Whether two pieces give the same checks, two or more, and are taken after the last one."""
    found = list(_manoeuvres(line))
    return len(set(found)) < len(found)


def _manoeuvres(line: ReplayedLine) -> Iterator[tuple[Step, ...]]:
    """The successive checks of each piece that is taken after the last of them."""
    checks: list[ReplayedTurn] = []
    for turn in line.turns:
        if checks and turn.check.piece != checks[-1].check.piece:
            checks = []
        checks.append(turn)
        if turn.is_sacrifice:
            if len(checks) >= _LEAST_CHECKS:
                yield tuple(map(_step, checks))
            checks = []


def _step(turn: ReplayedTurn) -> Step:
    check = turn.check
    kind = check.piece_after
    moves_like = GOLD if KING < kind <= SILVER + PROMOTION else kind
    return "*" if check.is_drop else "+" * check.promotes, moves_like, int(DIST[check.king, check.target])
