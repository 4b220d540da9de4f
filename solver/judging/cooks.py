"""Second solutions (余詰): checks other than the key that mate too.

`refute` looks for them within a bound; a check after which the attacker runs out of
checks whatever he plays is refuted for good. `refute_ever` looks at any length.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from enum import Enum
from functools import partial

from solver.engines.base import MateEngine
from solver.solving.deepening import defence_length
from solver.solving.tree import TreeBuilder, Turn
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packing import Record
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import Moves, line_played, record_after


@dataclass(frozen=True)
class Cook:
    """A second solution: the moves before it, its turn, the check, and the plies it mates within."""

    path: Moves
    turn: Turn
    check: int
    bound: int


@dataclass
class Asked:
    """What is known of the checks in one position.

    ``refuted`` do not mate at any length. ``in_vain`` were asked about without a bound, with so many
    nodes, and stayed open.
    """

    refuted: set[int] = field(default_factory=set)
    in_vain: dict[int, int] = field(default_factory=dict)


class Notes:
    """What is known of the checks in each position of a problem."""

    def __init__(self) -> None:
        self._asked: dict[tuple[int, int], Asked] = {}

    def on(self, record: Record) -> Asked:
        """What is known in the position of a record, the attacker to move; to be added to."""
        return self._asked.setdefault((int(record.key), int(packed_hand(record))), Asked())


@dataclass
class Station:
    """A turn of the main tree and the checks that are still to be refuted there."""

    path: Moves
    turn: Turn
    open_checks: list[int]
    asked: Asked


def station(record: Record, path: Moves, turn: Turn, others: list[int], notes: Notes) -> Station:
    """A station for the position of a record, with those of the other checks that are not refuted yet."""
    asked = notes.on(record)
    return Station(path, turn, [check for check in others if check not in asked.refuted], asked)


def stations(record: Record, root: Turn, notes: Notes | None = None) -> list[Station]:
    """The turns of a main tree at which the key must be the only mating check.

    These are the first turn, and all others except those that mate in one. Checks that are refuted in the
    ``notes`` are left out.
    """
    found: dict[int, Station] = {}
    _collect(record, root, (), notes or Notes(), found)
    return list(found.values())


def _collect(record: Record, turn: Turn, path: Moves, notes: Notes, found: dict[int, Station]) -> None:
    if id(turn) in found or (turn.n == 1 and path):
        return
    others = [check for check in legal_checks(record) if check != turn.key]
    found[id(turn)] = station(record, path, turn, others, notes)
    for reply in turn.replies:
        if reply.turn is not None:
            moves = (turn.key, *reply.moves)
            with line_played(record, moves):
                _collect(record, reply.turn, path + moves, notes, found)


def refute(engine: MateEngine, record: Record, station: Station, margin: int) -> Cook | None:
    """Look for mates by the station's open checks, ``margin`` plies beyond the main line's end.

    Checks refuted for good leave ``station.open_checks``. Returns the first cook
    found (its check leaves the list as well). Raises `LimitReached`.
    """
    if not station.open_checks:
        return None
    bound = station.turn.n + margin
    before = station.open_checks
    with line_played(record, station.path):
        mating, station.open_checks = engine.refute_each(record, before, bound)
    station.asked.refuted.update({*before} - {*station.open_checks, mating})
    return None if mating is None else Cook(station.path, station.turn, mating, bound)


def refute_ever(
    engine: MateEngine,
    record: Record,
    station: Station,
    nodes: int,
    *,
    expecting_no: bool = False,
    again: bool = False,
) -> Cook | None:
    """Look for mates by the station's open checks at any length, ``nodes`` for each.

    As `refute`; a check that takes more nodes stays open, and is not asked about again with as many, unless
    ``again``: what the table has learned meanwhile may settle it. With ``expecting_no``
    (`MateEngine.expecting_no`) most checks take fewer nodes, some that mate more. Raises `LimitReached` only
    for limits set outside.
    """
    in_vain = station.asked.in_vain
    to_ask = [check for check in station.open_checks if again or in_vain.get(check, 0) < nodes]
    if not to_ask:
        return None
    way = engine.expecting_no() if expecting_no else nullcontext()
    with line_played(record, station.path), way:
        mating, refuted, open_still = engine.refute_each_ever(record, to_ask, nodes)
    in_vain.update(dict.fromkeys(open_still, nodes))
    station.asked.refuted.update(refuted)
    settled = {*refuted, mating}
    station.open_checks = [check for check in station.open_checks if check not in settled]
    return None if mating is None else Cook(station.path, station.turn, mating, engine.length + 1)


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
"""Nodes for each search beyond the margin for a mate that does not come back to the main line."""


class Way(Enum):
    """What a second solution is."""

    COOK = "mates by a way of its own"
    DETOUR = "mates only by coming back to a position of the main line"
    DETOUR_SO_FAR = "as DETOUR, but a way of its own is excluded only up to the margin"


def way_of(engine: MateEngine, record: Record, cook: Cook, margin: int) -> Way:
    """Whether a second solution mates by a way of its own or comes back to the main line.

    A mate that does not come back is looked for within ``margin`` plies beyond the end, then within the
    second solution's length (the shorter of the two first), then at any length; the last two searches have
    `DETOUR_NODES` nodes each. Raises `LimitReached`.
    """
    if cook.bound <= cook.turn.n:
        return Way.COOK
    turns = [record_after(record, cook.path[:i]) for i in range(0, len(cook.path) + 1, 2)]
    with line_played(record, cook.path), engine.barring(turns):
        near = cook.turn.n + margin
        as_long = partial(engine.mates_after, record, cook.check, cook.bound)
        if cook.bound < near and engine.answered_within(DETOUR_NODES, as_long):
            return Way.COOK
        if engine.mates_after(record, cook.check, near):
            return Way.COOK
        if cook.bound > near and engine.answered_within(DETOUR_NODES, as_long):
            return Way.COOK
        mates = engine.answered_within(DETOUR_NODES, partial(engine.mates_ever_after, record, cook.check))
    return Way.DETOUR_SO_FAR if mates is None else Way.COOK if mates else Way.DETOUR
