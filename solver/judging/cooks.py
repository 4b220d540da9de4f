# SPDX-License-Identifier: GPL-3.0-or-later
"""Second solutions (余詰): checks other than the key that mate too.

`refute` searches within a bound. It refutes a check for good if the attacker runs out of checks after it in
every line. `refute_ever` searches at any length.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial

from solver.engines.base import MateEngine
from solver.limits import LimitReached
from solver.results import Limits
from solver.solving.deepening import defence_length
from solver.solving.tree import TreeBuilder, Turn
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packing import Record
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import Moves, attacker_turns, line_played


@dataclass(frozen=True)
class Cook:
    """A second solution: the moves before it, its turn, the check, and the plies it mates within."""

    path: Moves
    turn: Turn
    check: int
    bound: int


@dataclass
class CheckStatus:
    """The status of the checks in one position.

    ``refuted`` checks do not mate at any length. ``open_after`` holds the checks that an unbounded search
    left open, with its number of nodes.
    """

    refuted: set[int] = field(default_factory=set)
    open_after: dict[int, int] = field(default_factory=dict)


class CheckTable:
    """The status of the checks in each position of a problem."""

    def __init__(self) -> None:
        self._statuses: dict[tuple[int, int], CheckStatus] = {}

    def status(self, record: Record) -> CheckStatus:
        """The mutable status in the position of a record, with the attacker to move."""
        return self._statuses.setdefault((int(record.key), int(packed_hand(record))), CheckStatus())


@dataclass
class DecisionPoint:
    """A turn of the main tree, the checks not refuted there yet, and the status of all its checks."""

    path: Moves
    turn: Turn
    open_checks: list[int]
    status: CheckStatus


def decision_point(
    record: Record, path: Moves, turn: Turn, others: list[int], table: CheckTable
) -> DecisionPoint:
    """The decision point in the position of a record, with those of ``others`` that are not refuted yet."""
    status = table.status(record)
    return DecisionPoint(path, turn, [check for check in others if check not in status.refuted], status)


def decision_points(record: Record, root: Turn, table: CheckTable | None = None) -> list[DecisionPoint]:
    """The turns of a main tree at which the key must be the only mating check.

    These are the first turn, and all others except those that mate in one. Checks that the ``table`` has as
    refuted are left out.
    """
    found: dict[int, DecisionPoint] = {}
    _collect(record, root, (), table or CheckTable(), found)
    return list(found.values())


def _collect(
    record: Record, turn: Turn, path: Moves, table: CheckTable, found: dict[int, DecisionPoint]
) -> None:
    if id(turn) in found or (turn.n == 1 and path):
        return
    others = [check for check in legal_checks(record) if check != turn.key]
    found[id(turn)] = decision_point(record, path, turn, others, table)
    for reply in turn.replies:
        if reply.turn is not None:
            moves = (turn.key, *reply.moves)
            with line_played(record, moves):
                _collect(record, reply.turn, path + moves, table, found)


def refute(engine: MateEngine, record: Record, point: DecisionPoint, margin: int) -> Cook | None:
    """Search for mates by the open checks of a point, up to ``margin`` plies beyond the end of the main line.

    Removes the checks refuted for good, and the check of the cook found, from ``point.open_checks``. Returns
    the first cook found. Raises `LimitReached`.
    """
    if not point.open_checks:
        return None
    bound = point.turn.n + margin
    before = point.open_checks
    with line_played(record, point.path):
        mating, point.open_checks = engine.refute_each(record, before, bound)
    point.status.refuted.update({*before} - {*point.open_checks, mating})
    return None if mating is None else Cook(point.path, point.turn, mating, bound)


def refute_ever(
    engine: MateEngine,
    record: Record,
    point: DecisionPoint,
    nodes: int,
) -> Cook | None:
    """Search for mates by the open checks of a point at any length, with ``nodes`` for each.

    As `refute`. A check that needs more nodes stays open, and is not searched again with as many. Raises
    `LimitReached` only for outer limits.
    """
    open_after = point.status.open_after
    to_ask = [check for check in point.open_checks if open_after.get(check, 0) < nodes]
    if not to_ask:
        return None
    for checks in [to_ask] if nodes <= _TOGETHER else [[check] for check in to_ask]:
        with line_played(record, point.path), engine.expecting_no():
            mating, refuted, still_open = engine.refute_each_ever(record, checks, nodes)
        open_after.update(dict.fromkeys(still_open, nodes))
        point.status.refuted.update(refuted)
        settled = {*refuted, mating}
        point.open_checks = [check for check in point.open_checks if check not in settled]
        if mating is not None:
            return Cook(point.path, point.turn, mating, engine.length + 1)
    return None


_TOGETHER = 20_000
"""With more nodes for each check, one is searched at a time: a limit then loses the work on one only."""
_FIRST_NODES, _GROWTH = 1_000, 4
"""Nodes for each check in the first pass of `refute_with_growing_nodes`, and their growth from then on."""


def refute_with_growing_nodes(
    engine: MateEngine, record: Record, points: Sequence[DecisionPoint], limits: Limits
) -> Iterator[Cook]:
    """The mates by the open checks of some points at any length, found within the ``limits`` of all together.

    All checks are searched with few nodes before any is with more: what refutes an easy one often helps to
    refute a hard one, and the engine's table keeps it. Of the nodes left for the last pass each open check
    gets an equal share; those for which it does not suffice stay open. Raises `LimitReached` only for outer
    limits.
    """
    end = None if limits.nodes is None else engine.nodes + limits.nodes
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    each, before = _FIRST_NODES, 0
    while still := sum(len(point.open_checks) for point in points):
        if end is not None:
            each = min(each, (end - engine.nodes) // still)
        if each <= before:
            return
        for point in points:
            while True:
                left = None if deadline is None else deadline - time.monotonic()
                try:
                    with engine.within(Limits(seconds=left)):
                        cook = refute_ever(engine, record, point, each)
                except LimitReached:
                    engine.check_limits()
                    return
                if cook is None:
                    break
                yield cook
        each, before = _GROWTH * each, each


def cook_line(engine: MateEngine, record: Record, cook: Cook) -> Moves:
    """The main line up to the cook, then the cook and its shortest mate. Raises `LimitReached`."""
    length = cook_length(engine, record, cook)
    builder = TreeBuilder(engine, most_turns=200, complete=False)
    with line_played(record, cook.path):
        return cook.path + builder.after(record, cook.check, length).line()


def cook_length(engine: MateEngine, record: Record, cook: Cook) -> int:
    """How many plies a cook takes to mate, itself counted. Raises `LimitReached`."""
    with line_played(record, (*cook.path, cook.check)):
        return defence_length(engine, record, cook.bound - 1) + 1


DETOUR_NODES = 100_000
"""Nodes for each search beyond the margin for a mate that does not return to the main line."""


class CookKind(Enum):
    """How a second solution mates."""

    COOK = "without returning to the main line"
    DETOUR = "only by returning to a position of the main line"
    DETOUR_SO_FAR = "as DETOUR, but a mate without returning is excluded only up to the margin"


def cook_kind(engine: MateEngine, record: Record, cook: Cook, margin: int) -> CookKind:
    """Whether a second solution mates without returning to the main line.

    Such a mate is searched for within ``margin`` plies beyond the end, then within the length of the second
    solution (the shorter of the two first), then at any length. The last two searches have `DETOUR_NODES`
    nodes each. Raises `LimitReached`.
    """
    if cook.bound <= cook.turn.n:
        return CookKind.COOK
    turns = attacker_turns(record, cook.path)
    with line_played(record, cook.path), engine.barring(turns):
        near = cook.turn.n + margin
        as_long = partial(engine.mates_after, record, cook.check, cook.bound)
        if cook.bound < near and engine.answered_within(DETOUR_NODES, as_long):
            return CookKind.COOK
        if engine.mates_after(record, cook.check, near):
            return CookKind.COOK
        if cook.bound > near and engine.answered_within(DETOUR_NODES, as_long):
            return CookKind.COOK
        mates = engine.answered_within(DETOUR_NODES, partial(engine.mates_ever_after, record, cook.check))
    return CookKind.DETOUR_SO_FAR if mates is None else CookKind.COOK if mates else CookKind.DETOUR
