"""The exact shortest length, by raising the bound two plies at a time; of long mates from above."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from solver.engines.base import MateEngine
from solver.limits import LimitReached
from solver.results import Known, Limits, Mate, NoMate, Reason, SearchResult, Unresolved
from tsume_rules.packing import Record

Told = Callable[[Known], None]
"""Hears of each step of a long search what is known."""

QUICKLY = 9
"""The bound is raised up to this in one call of the engine (`MateEngine.raise_bound`)."""
FIRST_UNBOUNDED = 11
"""After this bound and each larger one, ask also whether there is a mate at all."""
FIRST_NODES = 500
"""Nodes for the first question whether there is a mate at all; each next one gets twice as many."""
LAST_RAISED = 11
"""Beyond this bound any mate is looked for first, then shorter ones (`MateEngine.for_long_works`)."""
SHARE = 4
"""Such a question gets at least the nodes of the last bound divided by this."""


def defence_length(engine: MateEngine, record: Record, at_most: int) -> int:
    """The exact length for the defender to move, known to be at most ``at_most`` plies."""
    n = 0
    while n < at_most and not engine.is_mated(record, n):
        n += 2
    return n


def suited_to(engine: MateEngine, length: int) -> AbstractContextManager[None]:
    """A block in which an engine searches in the way that suits mates of this length best."""
    return engine.for_long_works() if length > LAST_RAISED else nullcontext()


def search_length(
    engine: MateEngine, record: Record, limits: Limits, told: Told | None = None, since: Known | None = None
) -> SearchResult:
    """The shortest mate without its line, by the engine's own method if it has one.

    ``since``: what ``told`` heard last in an earlier search, whose table the engine has: the search goes on
    from there.
    """
    found = engine.search_length(record, limits)
    return _raise_bound(engine, record, limits, told or _nobody, since) if found is None else found


def _nobody(_known: Known) -> None:
    pass


def _raise_bound(
    engine: MateEngine, record: Record, limits: Limits, told: Told, since: Known | None
) -> SearchResult:
    known = 0
    exists = False
    nodes = FIRST_NODES
    try:
        with engine.within(limits):
            if since is not None:
                return _lower_bound(engine, record, limits.max_length, since, told)
            length, answer = engine.raise_bound(record, min(limits.max_length or QUICKLY, QUICKLY))
            if answer:
                return Mate(length)
            known = length - 2
            while limits.max_length is None or length <= limits.max_length:
                if engine.finds_any_mate and length > LAST_RAISED:
                    engine.forget()  # first numbers of another kind lead the search astray
                    return _lower_bound(engine, record, limits.max_length, Known(known), told)
                before = engine.nodes
                if engine.mates(record, length):
                    return Mate(length)
                if engine.refuted_for_good:
                    return NoMate()
                known = length
                if length >= FIRST_UNBOUNDED and not exists:
                    enough = max(nodes, (engine.nodes - before) // SHARE)
                    answer = engine.answered_within(enough, lambda: engine.mates_ever(record))
                    if answer is False:
                        return NoMate()
                    exists = answer is True
                    nodes *= 2
                length += 2
            return Unresolved(Reason.LENGTH, known)
    except LimitReached as limit:
        return Unresolved(limit.reason, known)


def _lower_bound(
    engine: MateEngine, record: Record, last: int | None, known: Known, told: Told
) -> SearchResult:
    """Any mate, of ``last`` plies at most, then shorter ones, until there is none."""
    none_within, found = known.none_within, known.within
    if last is not None:
        last -= 1 - last % 2  # mates take an odd number of plies
    told(known)
    try:
        with engine.for_long_works():
            if found is None or (last is not None and found > last):
                mates = engine.mates_ever(record) if last is None else engine.mates(record, last)
                if not mates:
                    if last is None or engine.refuted_for_good:
                        return NoMate()
                    told(Known(max(none_within, last)))
                    return Unresolved(Reason.LENGTH, last)
                found = engine.length
                told(Known(none_within, found))
            while found > none_within + 2 and engine.mates(record, found - 2):
                found = engine.length
                told(Known(none_within, found))
            told(Known(found - 2, found))
            return Mate(found)
    except LimitReached as limit:
        return Unresolved(limit.reason, none_within, found)
