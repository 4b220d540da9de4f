"""Second solutions along one line of play: what the grade asks for, whatever stands beside the line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain

from solver.engines.base import MateEngine
from solver.judging.cooks import Cook, Notes, Station, Way, refute, refute_ever, station, way_of
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
"""Nodes for one question, first and then: most second solutions are found with few."""


@dataclass(frozen=True)
class Reach:
    """How far second solutions along the judged line are looked for.

    Within the first of ``margins`` beyond the end; then, with few nodes, at any length, within the others and
    within the ``wide`` ones; each check still open at any length with ``unbounded_nodes``, which is often the
    quicker way; within the other ``margins``; then within the ``wide`` margins while ``wide_nodes`` last,
    and the ``further`` ones while ``nodes`` last.
    """

    margins: tuple[int, ...]
    wide: tuple[int, ...]
    further: tuple[int, ...]
    unbounded_nodes: int
    wide_nodes: int
    nodes: int


def cook_along(
    engine: MateEngine, record: Record, line: Moves, reach: Reach, notes: Notes
) -> tuple[Cook | None, int]:
    """A second solution of another kind at a turn of a line before the last, at any length.

    The second value is how many plies from the start on they were looked for. What is learned of checks is
    added to the notes. Raises `LimitReached`.
    """
    furthest = (*reach.margins, *reach.wide)[-1]
    places = list(_stations(record, line, notes))
    near = chain(
        _mating_within(engine, record, places, reach.margins[:1]),
        _mating_easily(engine, record, places, (*reach.margins[1:], *reach.wide)),
        _mating_ever(engine, record, places, reach.unbounded_nodes),
        _mating_within(engine, record, places, reach.margins[1:]),
    )
    searched = len(line) + reach.margins[-1]
    if cook := _first_cook(engine, record, near, furthest):
        return cook, searched
    for margins, nodes in ((reach.wide, reach.wide_nodes), (reach.further, reach.nodes)):
        late, margin = _late(engine, record, places, margins, nodes)
        searched = max(searched, len(line) + margin)
        if cook := _first_cook(engine, record, late, furthest):
            return cook, searched
    return None, searched


def cook_as_soon(engine: MateEngine, record: Record, line: Moves, notes: Notes) -> Cook | None:
    """A second solution of another kind at a turn of a line before the last that mates as soon as the line.

    Raises `LimitReached`.
    """
    return next(_mating_within(engine, record, list(_stations(record, line, notes)), (0,)), None)


def _first_cook(engine: MateEngine, record: Record, cooks: Iterable[Cook], margin: int) -> Cook | None:
    return next((cook for cook in cooks if way_of(engine, record, cook, margin) is Way.COOK), None)


def _late(
    engine: MateEngine, record: Record, places: list[Station], margins: tuple[int, ...], nodes: int
) -> tuple[list[Cook], int]:
    """Second solutions within some margins, as far as the nodes last, and the last margin that was done."""
    cooks: list[Cook] = []
    done = 0
    try:
        with engine.within(Limits(nodes=nodes)):
            for margin in margins:
                for cook in _mating_within(engine, record, places, (margin,)):
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
    engine: MateEngine, record: Record, places: list[Station], margins: tuple[int, ...]
) -> Iterator[Cook]:
    for margin in margins:
        for place in places:
            while cook := refute(engine, record, place, margin):
                yield cook


def _mating_easily(
    engine: MateEngine, record: Record, places: list[Station], margins: tuple[int, ...]
) -> Iterator[Cook]:
    for nodes in _EASY_NODES:
        for place in places:
            while cook := refute_ever(engine, record, place, nodes, expecting_no=True):
                yield cook
        for margin in margins:
            for place in places:
                ask = partial(refute, engine, record, place, margin)
                while place.open_checks and (cook := engine.answered_within(nodes, ask)):
                    yield cook


def _mating_ever(engine: MateEngine, record: Record, places: list[Station], nodes: int) -> Iterator[Cook]:
    for place in places:
        while cook := refute_ever(engine, record, place, nodes):
            yield cook


def _stations(record: Record, line: Moves, notes: Notes) -> Iterator[Station]:
    """The attacker's turns of a line at which its check must be the only one of its kind."""
    for ply in range(0, max(len(line) - 1, 1), 2):
        path, turn = line[:ply], Turn(len(line) - ply, line[ply])
        with line_played(record, path):
            others = of_other_kind(record, turn.key, legal_checks(record))
            place = station(record, path, turn, others, notes)
        yield place
