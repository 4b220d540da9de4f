# SPDX-License-Identifier: GPL-3.0-or-later
"""Second solutions (余詰): checks other than the key that mate too.

`refute` searches within a bound. It refutes a check for good if the attacker runs out of checks after it in
every line. `refute_ever` searches at any length.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from itertools import chain

from solver.engines.base import MateEngine
from solver.results import LimitReached, Limits
from solver.solving.deepening import defence_length, search_suited_to
from solver.solving.solve import known_line
from solver.solving.tree import TreeBuilder, Turn, differs_in_form_only
from tsume_rules.kernel.state import do, packed_hand
from tsume_rules.kernel.tables import DEF, SLIDES, SQUARE
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    attacker_turns,
    dropped,
    legal_checks,
    legal_evasions,
    line_played,
    origin_of,
    pack,
    pack_move,
    played,
    unpack,
    unpack_move,
)
from tsume_rules.position import Position, Side, file_of


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

    def status(self, packed: PackedPosition) -> CheckStatus:
        """Return the mutable status of a packed position, with the attacker to move."""
        return self._statuses.setdefault((int(packed.key), int(packed_hand(packed))), CheckStatus())


@dataclass
class DecisionPoint:
    """A turn of the main tree, the checks not refuted there yet, and the status of all its checks."""

    path: Moves
    turn: Turn
    open_checks: list[int]
    status: CheckStatus


def decision_point(
    packed: PackedPosition, path: Moves, turn: Turn, others: list[int], table: CheckTable
) -> DecisionPoint:
    """Return the decision point of a packed position, with those of ``others`` that are not refuted yet."""
    status = table.status(packed)
    return DecisionPoint(path, turn, [check for check in others if check not in status.refuted], status)


def decision_points(packed: PackedPosition, root: Turn, table: CheckTable | None = None) -> list[DecisionPoint]:
    """Return the turns of a main tree at which the key must be the only mating check.

    These are the first turn, and all others except those that mate in one. Checks that the ``table`` has as
    refuted are left out.
    """
    found: dict[int, DecisionPoint] = {}
    _collect(packed, root, (), table or CheckTable(), found)
    return list(found.values())


def _collect(
    packed: PackedPosition, turn: Turn, path: Moves, table: CheckTable, found: dict[int, DecisionPoint]
) -> None:
    if id(turn) in found or (turn.n == 1 and path):
        return
    others = [check for check in legal_checks(packed) if check != turn.key]
    found[id(turn)] = decision_point(packed, path, turn, others, table)
    for reply in turn.replies:
        if reply.turn is not None:
            moves = (turn.key, *reply.moves)
            with line_played(packed, moves):
                _collect(packed, reply.turn, path + moves, table, found)


def refute(engine: MateEngine, packed: PackedPosition, point: DecisionPoint, margin: int) -> Cook | None:
    """Search for mates by the open checks of a point, up to ``margin`` plies beyond the end of the main line.

    Removes the checks refuted for good, and the check of the cook found, from ``point.open_checks``. Returns
    the first cook found. Raises `LimitReached`.
    """
    if not point.open_checks:
        return None
    bound = point.turn.n + margin
    before = point.open_checks
    with line_played(packed, point.path):
        mating, point.open_checks = engine.refute_each(packed, before, bound)
    point.status.refuted.update({*before} - {*point.open_checks, mating})
    return None if mating is None else Cook(point.path, point.turn, mating, bound)


def refute_within(
    engine: MateEngine,
    packed: PackedPosition,
    points: Iterable[DecisionPoint],
    margins: Iterable[int],
    nodes: int | None = None,
) -> Iterator[Cook]:
    """Yield the mates by the open checks of some points within each margin, with ``nodes`` for each search."""
    for margin in margins:
        for point in points:
            ask = partial(refute, engine, packed, point, margin)
            while point.open_checks and (cook := engine.answered_within(nodes, ask) if nodes else ask()):
                yield cook


def refute_ever(engine: MateEngine, packed: PackedPosition, point: DecisionPoint, nodes: int) -> Cook | None:
    """Search for mates by the open checks of a point at any length, with ``nodes`` for each.

    As `refute`. A check that needs more nodes stays open, and is not searched again with as many. Raises
    `LimitReached` only for outer limits.
    """
    open_after = point.status.open_after
    to_ask = [check for check in point.open_checks if open_after.get(check, 0) < nodes]
    if not to_ask:
        return None
    for checks in [to_ask] if nodes <= _TOGETHER else [[check] for check in to_ask]:
        with line_played(packed, point.path), engine.expecting_no():
            mating, refuted, still_open = engine.refute_each_ever(packed, checks, nodes)
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
    engine: MateEngine, packed: PackedPosition, points: Sequence[DecisionPoint], limits: Limits
) -> Iterator[Cook]:
    """Yield the mates by the open checks of some points at any length, found within the ``limits`` of all together.

    All checks are searched with few nodes before any is with more: what refutes an easy one often helps to refute a
    hard one, and the engine's table keeps it. Of the nodes left for the last pass each open check gets an equal share;
    those for which it does not suffice stay open. Raises `LimitReached` only for outer limits.
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
                        cook = refute_ever(engine, packed, point, each)
                except LimitReached:
                    engine.check_limits()
                    return
                if cook is None:
                    break
                yield cook
        each, before = _GROWTH * each, each


def cook_line(engine: MateEngine, packed: PackedPosition, cook: Cook) -> Moves:
    """Return the main line up to the cook, then the cook and its shortest mate. Raises `LimitReached`."""
    length = cook_length(engine, packed, cook)
    builder = TreeBuilder(engine, most_turns=200, complete=False)
    with line_played(packed, cook.path):
        return cook.path + builder.after(packed, cook.check, length).line()


def cook_length(engine: MateEngine, packed: PackedPosition, cook: Cook) -> int:
    """Return how many plies a cook takes to mate, itself counted. Raises `LimitReached`."""
    with line_played(packed, (*cook.path, cook.check)):
        return defence_length(engine, packed, cook.bound - 1) + 1


DETOUR_NODES = 100_000
"""Nodes for each search beyond the margin for a mate that does not return to the main line."""


class CookKind(Enum):
    """How a second solution mates."""

    COOK = "without returning to the main line"
    DETOUR = "only by returning to a position of the main line"
    DETOUR_SO_FAR = "as DETOUR, but a mate without returning is excluded only up to the margin"


def cook_kind(engine: MateEngine, packed: PackedPosition, cook: Cook, margin: int) -> CookKind:
    """Return whether a second solution mates without returning to the main line.

    Such a mate is searched for within ``margin`` plies beyond the end, then within the length of the second
    solution (the shorter of the two first), then at any length. The last two searches have `DETOUR_NODES`
    nodes each. Raises `LimitReached`.
    """
    if cook.bound <= cook.turn.n:
        return CookKind.COOK
    turns = attacker_turns(packed, cook.path)
    with line_played(packed, cook.path), engine.barring(turns):
        near = cook.turn.n + margin
        as_long = partial(engine.mates_after, packed, cook.check, cook.bound)
        if cook.bound < near and engine.answered_within(DETOUR_NODES, as_long):
            return CookKind.COOK
        if engine.mates_after(packed, cook.check, near):
            return CookKind.COOK
        if cook.bound > near and engine.answered_within(DETOUR_NODES, as_long):
            return CookKind.COOK
        mates = engine.answered_within(DETOUR_NODES, partial(engine.mates_ever_after, packed, cook.check))
    return CookKind.DETOUR_SO_FAR if mates is None else CookKind.COOK if mates else CookKind.DETOUR


# --- whether another check by the same piece leaves the same position, or a line that runs alike (非限定) ---

NODES = 100_000
"""Nodes to see that the piece that gives a check is captured at once."""


def leaves_same_position(engine: MateEngine, packed: PackedPosition, cook: Cook) -> bool:
    """As `MateEngine.leaves_same_position`, of a second solution and the key; no where `NODES` run out.

    ``packed`` stands at the turn. Raises `LimitReached` only for outer limits.
    """
    turn = cook.turn
    ask = partial(engine.leaves_same_position, packed, turn.key, cook.check, turn.n)
    return engine.answered_within(NODES, ask) is True


def may_have_same_effect(packed: PackedPosition, key: int, check: int) -> bool:
    """Return whether two checks are drops of the same kind or moves of the same slider."""
    if dropped(key) or dropped(check):
        return dropped(key) == dropped(check)
    return origin_of(key) == origin_of(check) and bool(SLIDES[int(packed.board[origin_of(key)])])


def line_alike(engine: MateEngine, packed: PackedPosition, rest: Moves, check: int) -> tuple[Moves, int | None] | None:
    """Return the line with ``check`` in place of its first move, if it runs alike until it mates or is the same.

    ``packed`` stands before ``rest``, the line from there. Every move is the line's, but for the square of the piece
    that gave the check, or took the one that did. Returns the moves and the ply, counted from here, from which the
    positions are the same (None: they never are); None if the lines differ. Raises `LimitReached`.
    """
    there, here = unpack_move(rest[0]).target, unpack_move(check).target
    moves = [check]
    main = packed.copy()
    do(main, rest[0], Side.ATTACKER)
    with ExitStack() as game:
        game.enter_context(played(packed, check, Side.ATTACKER))
        for ply, move in enumerate(rest[1:], 1):
            side = Side.DEFENDER if ply % 2 else Side.ATTACKER
            if not ply % 2 and main.key == packed.key and packed_hand(main) == packed_hand(packed):
                return (*moves, *rest[ply:]), ply
            line_move = unpack_move(move)
            origin = here if line_move.origin == there else line_move.origin
            target = here if line_move.target == there else line_move.target
            own = pack_move(replace(line_move, origin=origin, target=target))
            if own not in (legal_evasions(packed) if ply % 2 else legal_checks(packed)):
                return None
            moves.append(own)
            game.enter_context(played(packed, own, side))
            do(main, move, side)
        return (tuple(moves), None) if engine.is_mated(packed, 0) else None


# --- checks that are not second solutions: other forms of the key and of its mirror image ---------


def mirror_of_key(packed: PackedPosition, key: int) -> int | None:
    """Return the mirror image of a check in a symmetric position; None in any other position, or if the check
    is its own image."""
    if file_of(int(SQUARE[packed.king[DEF]])) != 5:
        return None
    # only then may the position be symmetric
    position = unpack(packed, Side.ATTACKER)
    if position.mirrored != position:
        return None
    image = pack_move(unpack_move(key).mirrored)
    return None if image == key else image


def non_key_checks(packed: PackedPosition, key: int, checks: Iterable[int]) -> list[int]:
    """Return the checks that are neither a form of the key nor one of its mirror image."""
    image = mirror_of_key(packed, key)
    keys = (key,) if image is None else (key, image)
    return [check for check in checks if not any(differs_in_form_only(packed, one, check) for one in keys)]


# --- long mates in short variations (変化別詰): remarks, not defects -----------------------------------


def variation_cook(engine: MateEngine, packed: PackedPosition, point: DecisionPoint) -> Moves | None:
    """Return a line in which, after a shorter defence, some check mates as late as the main line.

    The mate must leave nothing in hand; only then can it be mistaken for the main line.
    None if there is no such line. ``packed`` stands at the start. Raises `LimitReached`.
    """
    n = point.turn.n - 2
    if n < 3:
        return None
    longest = {reply.moves[0] for reply in point.turn.replies}
    path = (*point.path, point.turn.key)
    with line_played(packed, path):
        for answer in engine.defences(packed, n + 1):
            if answer in longest:
                continue
            with played(packed, answer, Side.DEFENDER):
                for check in legal_checks(packed):
                    if engine.mates_after(packed, check, n) and not engine.mates_after(packed, check, n - 2):
                        tree = TreeBuilder(engine, complete=False).after(packed, check, n)
                        if not tree.leftover:
                            return (*path, answer, *tree.line())
    return None


# --- the other first checks that mate, each with its length and line -------------------------------

SEARCH_NODES = 10_000_000
"""Nodes for the mates at any length, as many as a judge has."""
LENGTH_NODES = 1_000_000
"""Nodes for the exact length of one mate."""


@dataclass(frozen=True)
class MateByFirstCheck:
    """The mate by a first check: its ``length`` (not proved the shortest unless ``exact``) and its line."""

    length: int
    line: tuple[Move, ...]
    exact: bool = True


@dataclass
class FirstChecks:
    """Searches the first checks other than the key of a mate in ``length`` plies.

    ``still_open``: the checks that neither mate nor were refuted, once `mates` is exhausted.
    """

    engine: MateEngine
    position: Position
    key: Move
    length: int
    nodes: int = SEARCH_NODES
    still_open: tuple[Move, ...] = field(default=(), init=False)

    def mates(self) -> Iterator[MateByFirstCheck]:
        """Yield the checks that mate at any length, roughly the shortest first. Raises `LimitReached`."""
        packed, key = pack(self.position), pack_move(self.key)
        others = [check for check in legal_checks(packed) if check != key]
        point = decision_point(packed, (), Turn(self.length, key), others, CheckTable())
        with search_suited_to(self.engine, self.length):
            at_once = refute_within(self.engine, packed, [point], (0,))
            later = refute_with_growing_nodes(self.engine, packed, [point], Limits(nodes=self.nodes))
            for cook in chain(at_once, later):
                yield self._mate(packed, cook)
        self.still_open = tuple(map(unpack_move, point.open_checks))

    def _mate(self, packed: PackedPosition, cook: Cook) -> MateByFirstCheck:
        """Return the shortest mate by a check; the one that was found if its length takes too many nodes."""
        found = known_line(self.engine, packed, cook.bound, cook.check)
        exact = self.engine.answered_within(
            LENGTH_NODES, lambda: (cook_length(self.engine, packed, cook), cook_line(self.engine, packed, cook))
        )
        if exact:
            return MateByFirstCheck(exact[0], tuple(map(unpack_move, exact[1])))
        line = found or (cook.check,)
        return MateByFirstCheck(cook.bound, tuple(map(unpack_move, line)), exact=False)
