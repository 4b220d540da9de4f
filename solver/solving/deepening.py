# SPDX-License-Identifier: GPL-3.0-or-later
"""The length of the shortest mate: the bound is raised by two plies, for long mates lowered."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from solver.engines.base import MateEngine
from solver.results import LimitReached, Limits, Mate, MateBounds, NoMate, Reason, SearchResult, Unresolved
from tsume_rules.packed import PackedPosition

Progress = Callable[[MateBounds], None]
"""Called with the bounds after each step of a long search."""
OnBound = Callable[[int], None]
"""Called when a raised bound is refuted: there is no mate within so many plies."""

QUICKLY = 9
"""The engine raises the bound up to this in one call (`MateEngine.raise_bound`)."""
FIRST_UNBOUNDED = 11
"""From this bound on, each step also searches for a mate at any length."""
FIRST_NODES = 500
"""Nodes for the first search at any length; each further one gets twice as many."""
LAST_RAISED = 11
"""Beyond this bound, any mate is searched for first, then shorter ones (`MateEngine.for_long_works`)."""
SHARE = 4
"""A search at any length gets at least the nodes of the last bound divided by this."""


def defence_length(engine: MateEngine, packed: PackedPosition, at_most: int) -> int:
    """Return the exact length for the defender to move, known to be at most ``at_most`` plies."""
    n = 0
    while n < at_most and not engine.is_mated(packed, n):
        n += 2
    return n


def lowered_defence_length(engine: MateEngine, packed: PackedPosition, at_most: int) -> int:
    """As `defence_length`, for a long mate that the table mostly has: lowers the bound, in a few queries."""
    n = at_most
    while n > 0 and engine.is_mated(packed, n - 2):
        n = min(engine.length, n - 2)
    return n


def attack_length(engine: MateEngine, packed: PackedPosition, at_most: int) -> int:
    """Return the exact length for the attacker to move, who mates, probably within ``at_most`` plies.

    The bound is raised as far as it pays; a longer mate is found within ``at_most`` plies and shortened, so a
    mate of hundreds of plies, which the table mostly has, takes a few queries. Raises `LimitReached`.
    """
    n = 1
    while n <= LAST_RAISED or n >= at_most:
        if engine.mates(packed, n):
            return n
        n += 2
    if not engine.mates(packed, at_most):
        return attack_length(engine, packed, 2 * at_most + 1)
    found = min(engine.length, at_most)
    while found > n and engine.mates(packed, found - 2):
        found = min(engine.length, found - 2)
    return found


def search_suited_to(engine: MateEngine, length: int) -> AbstractContextManager[None]:
    """Return a context in which the engine searches in the way that suits mates of this length."""
    return engine.for_long_works() if length > LAST_RAISED else nullcontext()


def search_length(
    engine: MateEngine,
    packed: PackedPosition,
    limits: Limits,
    progress: Progress | None = None,
    since: MateBounds | None = None,
) -> SearchResult:
    """Return the shortest mate without its line, by the engine's own method if it has one.

    ``since``: the last bounds that ``progress`` received in an earlier search, whose table the engine has.
    The search continues from there.
    """
    found = engine.search_length(packed, limits)
    return deepen(engine, FirstTurnSearch(engine, packed), limits, progress, since) if found is None else found


class FirstTurnSearch:
    """The first turn of a search: who moves there, and which moves he has; here the attacker, all checks."""

    first = 1
    """The least number of plies of a mate there."""
    unbounded_from = FIRST_UNBOUNDED
    """From this bound on, each step also searches for a mate at any length."""

    def __init__(self, engine: MateEngine, packed: PackedPosition) -> None:
        self._engine = engine
        self._packed = packed

    def mates_within(self, n: int) -> bool:
        """Return whether the attacker mates within n plies."""
        return self._engine.mates(self._packed, n)

    def mates_ever(self) -> bool:
        """Return whether the attacker mates at any length."""
        return self._engine.mates_ever(self._packed)

    @property
    def length(self) -> int:
        """After a yes: plies within which the attacker mates."""
        return self._engine.length

    @property
    def refuted_for_good(self) -> bool:
        """Whether the last answer was no, at any length; False where that is not known."""
        return self._engine.refuted_for_good

    def raise_bound(self, last: int) -> tuple[int, bool | None]:
        """As `MateEngine.raise_bound`."""
        return self._engine.raise_bound(self._packed, last)


def deepen(
    engine: MateEngine,
    turn: FirstTurnSearch,
    limits: Limits,
    progress: Progress | None = None,
    since: MateBounds | None = None,
    on_bound: OnBound = lambda _bound: None,
) -> SearchResult:
    """Return the shortest mate at a turn, without its line; the arguments are those of `search_length`."""
    progress = progress or (lambda _bounds: None)
    known, exists, nodes = 0, False, FIRST_NODES
    try:
        with engine.within(limits):
            if since is not None:
                return _lower_bound(engine, turn, limits.max_length, since, progress)
            length, answer = turn.raise_bound(min(limits.max_length or QUICKLY, QUICKLY))
            if answer:
                return Mate(length)
            known = max(0, length - 2)
            while limits.max_length is None or length <= limits.max_length:
                if engine.finds_any_mate and length > LAST_RAISED:
                    engine.forget()  # estimates of another kind mislead the search
                    return _lower_bound(engine, turn, limits.max_length, MateBounds(known), progress)
                before = engine.nodes
                if turn.mates_within(length):
                    return Mate(length)
                if turn.refuted_for_good:
                    return NoMate()
                known = length
                on_bound(length)
                if length >= turn.unbounded_from and not exists:
                    enough = max(nodes, (engine.nodes - before) // SHARE)
                    answer = engine.answered_within(enough, turn.mates_ever)
                    if answer is False:
                        return NoMate()
                    exists = answer is True
                    nodes *= 2
                length += 2
            return Unresolved(Reason.LENGTH, known)
    except LimitReached as limit:
        return Unresolved(limit.reason, known)


def _lower_bound(
    engine: MateEngine, turn: FirstTurnSearch, last: int | None, bounds: MateBounds, progress: Progress
) -> SearchResult:
    """Return any mate, of ``last`` plies at most, then shorter ones, until there is none."""
    none_within, found = bounds.none_within, bounds.within
    if last is not None:
        last -= (last - turn.first) % 2  # the plies of a mate are all odd or all even
    progress(bounds)
    try:
        with engine.for_long_works():
            if found is None or (last is not None and found > last):
                mates = turn.mates_ever() if last is None else turn.mates_within(last)
                if not mates:
                    if last is None or turn.refuted_for_good:
                        return NoMate()
                    progress(MateBounds(max(none_within, last)))
                    return Unresolved(Reason.LENGTH, last)
                found = turn.length
                progress(MateBounds(none_within, found))
            while found > none_within + 2 and turn.mates_within(found - 2):
                found = turn.length
                progress(MateBounds(none_within, found))
            progress(MateBounds(found - 2, found))
            return Mate(found)
    except LimitReached as limit:
        return Unresolved(limit.reason, none_within, found)
