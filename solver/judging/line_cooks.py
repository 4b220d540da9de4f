# SPDX-License-Identifier: GPL-3.0-or-later
"""Second solutions along one line of play, on which the grade rests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain

from solver.engines.base import MateEngine
from solver.judging.cooks import (
    CheckTable,
    Cook,
    CookKind,
    DecisionPoint,
    cook_kind,
    decision_point,
    refute,
    refute_with_growing_nodes,
)
from solver.judging.symmetry import of_other_kind
from solver.limits import LimitReached
from solver.results import Limits
from solver.solving.tree import Turn
from tsume_rules.packing import Record
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import Moves, line_played

_MOST_LATE = 5
"""At most this many of the latest second solutions are looked at."""
_EASY_NODES = (500, 3_000)
"""Nodes for one search within a bound in the first and the second round: most second solutions need few."""


@dataclass(frozen=True)
class CookLimits:
    """How far to search for second solutions along the judged line.

    The searches, in order, each for the checks that are still open: within the first of ``margins`` beyond
    the end; at any length within the ``unbounded`` limits; with few nodes within the other margins and the
    ``wide`` ones; within the other ``margins``; within the ``wide`` ones while ``wide_nodes`` last; and
    within the ``further`` ones while ``nodes`` last.
    """

    margins: tuple[int, ...]
    wide: tuple[int, ...]
    further: tuple[int, ...]
    unbounded: Limits
    wide_nodes: int
    nodes: int

    @property
    def furthest_complete(self) -> int:
        """The last margin that is always searched."""
        return (*self.margins, *self.wide)[-1]


def cook_along(
    engine: MateEngine,
    record: Record,
    line: Moves,
    limits: CookLimits,
    table: CheckTable,
    is_fault: Callable[[Cook], bool] | None = None,
) -> tuple[Cook | None, int]:
    """A second solution of another kind at a turn of a line before the last, at any length.

    The second value is how many plies from the start were searched. Adds what it learns of checks to the
    ``table``. ``is_fault`` says which second solutions count; without it detours do not. Raises
    `LimitReached`.
    """
    is_fault = is_fault or partial(_is_cook, engine, record, limits.furthest_complete)
    points = list(_decision_points(record, line, table))
    near = chain(
        _mating_within(engine, record, points, limits.margins[:1]),
        refute_with_growing_nodes(engine, record, points, limits.unbounded),
        _mating_easily(engine, record, points, (*limits.margins[1:], *limits.wide)),
        _mating_within(engine, record, points, limits.margins[1:]),
    )
    searched = len(line) + limits.margins[-1]
    if cook := next(filter(is_fault, near), None):
        return cook, searched
    for margins, nodes in ((limits.wide, limits.wide_nodes), (limits.further, limits.nodes)):
        late, margin = _late(engine, record, points, margins, nodes)
        searched = max(searched, len(line) + margin)
        if cook := next(filter(is_fault, late), None):
            return cook, searched
    return None, searched


def cook_as_soon(
    engine: MateEngine,
    record: Record,
    line: Moves,
    table: CheckTable,
    is_fault: Callable[[Cook], bool] | None = None,
) -> Cook | None:
    """A second solution of another kind at a turn of a line before the last that mates as soon as the line.

    ``is_fault`` as in `cook_along`; without it all count. Raises `LimitReached`.
    """
    cooks = _mating_within(engine, record, list(_decision_points(record, line, table)), (0,))
    return next(filter(is_fault, cooks), None)


def _is_cook(engine: MateEngine, record: Record, margin: int, cook: Cook) -> bool:
    return cook_kind(engine, record, cook, margin) is CookKind.COOK


def _late(
    engine: MateEngine, record: Record, points: list[DecisionPoint], margins: tuple[int, ...], nodes: int
) -> tuple[list[Cook], int]:
    """Second solutions within some margins while the nodes last, and the last margin searched completely."""
    cooks: list[Cook] = []
    done = 0
    try:
        with engine.within(Limits(nodes=nodes)):
            for margin in margins:
                for cook in _mating_within(engine, record, points, (margin,)):
                    cooks.append(cook)
                    if len(cooks) == _MOST_LATE:
                        return cooks, done
                done = margin
    except LimitReached:
        pass  # an outer limit is noticed at the next question
    return cooks, done


def lines_beside(root: Turn, line: Moves, path: Moves) -> Iterator[Moves]:
    """The best lines of a main tree that leave ``line`` at a longest defence before the end of ``path``.

    ``path`` begins the line. The latest defences come first; lines that leave pieces are left out.
    """
    turns = [root]
    for answer in path[1::2]:
        after = (reply.turn for reply in turns[-1].replies if reply.moves == (answer,))
        turns.extend(turn for turn in after if turn is not None)
    for i in range(len(turns) - 2, -1, -1):
        before = line[: 2 * i + 1]
        for reply in turns[i].replies:
            if reply.turn and not reply.turn.leftover and reply.moves != (line[2 * i + 1],):
                yield (*before, *reply.moves, *reply.turn.line())


def _mating_within(
    engine: MateEngine, record: Record, points: list[DecisionPoint], margins: tuple[int, ...]
) -> Iterator[Cook]:
    for margin in margins:
        for point in points:
            while cook := refute(engine, record, point, margin):
                yield cook


def _mating_easily(
    engine: MateEngine, record: Record, points: list[DecisionPoint], margins: tuple[int, ...]
) -> Iterator[Cook]:
    for nodes in _EASY_NODES:
        for margin in margins:
            for point in points:
                ask = partial(refute, engine, record, point, margin)
                while point.open_checks and (cook := engine.answered_within(nodes, ask)):
                    yield cook


def _decision_points(record: Record, line: Moves, table: CheckTable) -> Iterator[DecisionPoint]:
    """The attacker's turns of a line at which its check must be the only one of its kind."""
    for ply in range(0, max(len(line) - 1, 1), 2):
        path, turn = line[:ply], Turn(len(line) - ply, line[ply])
        with line_played(record, path):
            others = of_other_kind(record, turn.key, legal_checks(record))
            point = decision_point(record, path, turn, others, table)
        yield point
