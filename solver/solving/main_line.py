# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses among several longest defences for the main line: the one that a composer would write.

Their preference is modelled as a sum of `WEIGHTS`, fitted to published problems (docs/rules.md, "The main
line"; `scripts/fit main-line`).
"""

from __future__ import annotations

from collections.abc import Iterator

from solver.engines.base import MateEngine
from solver.engines.tree_walk import Preferences
from solver.solving.form import group_forms_of_checks
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.tables import BISHOP, DEF, LANCE, PAWN, RANK, ROOK
from tsume_rules.packing import Record, dropped, origin_of, promotes, target_of
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import played

WEIGHTS = {
    "takes the checking piece": 3.05,
    "takes another piece": 0.86,
    "takes with the king": 0.32,
    "king back": -1.66,
    "king aside": -0.79,
    "moves between": -0.76,
    "drops": -2.34,
    "drops a pawn": 2.73,
    "drops a lance": 1.03,
    "drops a rook or bishop": -1.26,
    "promotes": 1.04,
    "rival checks": -1.47,
    "next move takes": -2.77,
    "choice afterwards": 0.95,
}
"""The weight of each feature of a defence; the main line follows the largest sum."""
LONGEST_ASKED = 11
"""Plies up to which to search for other mating checks after a defence."""
_MOST_RIVALS = 2
PREFERENCES = Preferences(tuple(WEIGHTS.values()), LONGEST_ASKED, _MOST_RIVALS)
"""The same for an engine that builds trees itself."""


def defence_preference(
    engine: MateEngine, record: Record, answer: int, n: int, key: int, replies: int
) -> float:
    """The preference for a defence: the sum of `WEIGHTS` over its features.

    ``record`` stands before ``answer`` (a kernels' move code), after which the attacker mates
    in ``n`` plies with ``key``; ``replies`` answers to that last longest. Raises `LimitReached`.
    """
    return sum(WEIGHTS[name] for name in defence_features(engine, record, answer, n, key, replies))


def defence_features(
    engine: MateEngine, record: Record, answer: int, n: int, key: int, replies: int
) -> list[str]:
    """The features of a defence, each as often as it counts; arguments as in `defence_preference`."""
    found = list(defence_move_features(record, answer))
    with played(record, answer, Side.DEFENDER):
        if record.board[target_of(key)]:
            found.append("next move takes")
        if n <= LONGEST_ASKED:
            kinds = group_forms_of_checks(record, engine.mating(record, legal_checks(record), n))
            found += ["rival checks"] * min(len(kinds) - 1, _MOST_RIVALS)
    if replies > 1:
        found.append("choice afterwards")
    return found


def defence_move_features(record: Record, answer: int) -> Iterator[str]:
    """The features of a defence by itself."""
    target, king = target_of(answer), int(record.king[DEF])
    kind = dropped(answer)
    if kind:
        yield "drops"
        if kind in (PAWN, LANCE):
            yield "drops a pawn" if kind == PAWN else "drops a lance"
        elif kind in (BISHOP, ROOK):
            yield "drops a rook or bishop"
        return
    by_king = origin_of(answer) == king
    if record.board[target]:
        _, checker = find_checkers(record, DEF)
        yield "takes the checking piece" if target == checker else "takes another piece"
        if by_king:
            yield "takes with the king"
    elif not by_king:
        yield "moves between"
    elif RANK[target] < RANK[king]:
        yield "king back"
    elif RANK[target] == RANK[king]:
        yield "king aside"
    if promotes(answer):
        yield "promotes"
