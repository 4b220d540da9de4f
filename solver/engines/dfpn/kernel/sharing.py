# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches in several threads that share a table and answer the same question.

They differ in the way that they take: a search passes by a check that another one is searching, if it has
another to search. What one of them stores the others find. Open numbers only lead a search; proofs, and
disproofs without a link, hold for all; what rests on a link of another search is passed by
(`table.rests_on`). Each part of the table has a lock, so that nobody reads an entry that is half written.

All this is in one array of integers, the arena's ``shared``: the locks, then for each search how many AND
nodes of its path have their board at a place. A search writes its own numbers only.
"""

import numba
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from solver.engines.dfpn.kernel.arena import ARENA, LOCKS, MEETINGS
from tsume_rules.kernel.compile import INTEGERS, jit, jit_inline, uint64, unit, void

_PART_BITS = 10
"""2 ** _PART_BITS places of the table have one lock; a lock may belong to several parts."""

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    # Without compiled kernels there is one search only.

    def _exchange(_shared, _place, _value):
        return 0

    def _put(shared, place, value):
        shared[place] = value
        return value

    def _get(shared, place):
        return shared[place]

else:

    def _address(context, builder, array):
        """A pointer to an element; ``array``: an array and an index."""
        return builder.gep(context.make_array(INTEGERS)(context, builder, array[0]).data, [array[1]])

    @intrinsic
    def _exchange(_typing, _shared, _place, _value):
        """Write an element and return what it was before, in one step; later accesses stay behind it."""

        def generate(context, builder, _signature, arguments):
            return builder.atomic_rmw("xchg", _address(context, builder, arguments), arguments[2], "acquire")

        return types.int64(INTEGERS, types.int64, types.int64), generate

    @intrinsic
    def _put(_typing, _shared, _place, _value):
        """Write an element; earlier accesses stay before it."""

        def generate(context, builder, _signature, arguments):
            builder.store_atomic(arguments[2], _address(context, builder, arguments), "release", 8)
            return arguments[2]

        return types.int64(INTEGERS, types.int64, types.int64), generate

    @intrinsic
    def _get(_typing, _shared, _place):
        """Read an element that another thread may be writing."""

        def generate(context, builder, _signature, arguments):
            width = ir.IntType(64)
            return builder.load_atomic(_address(context, builder, arguments), "monotonic", 8, typ=width)

        return types.int64(INTEGERS, types.int64), generate


@jit_inline
def _lock_of(place):
    return (place >> _PART_BITS) & (LOCKS - 1)


@jit
def lock(shared, first, last):
    """Take the places of the table from ``first`` to ``last``, in two parts at most, when they are free."""
    one, other = _lock_of(first), _lock_of(last)
    while _exchange(shared, min(one, other), 1) != 0:
        pass
    if one != other:
        while _exchange(shared, max(one, other), 1) != 0:
            pass


@jit
def unlock(shared, first, last):
    """Free what `lock` took."""
    one, other = _lock_of(first), _lock_of(last)
    _put(shared, one, 0)
    if one != other:
        _put(shared, other, 0)


@jit_inline
def meeting_place(slot):
    """The place for a board (`POSITION.slot`) with the defender to move."""
    return int(slot) & (MEETINGS - 1)


@unit(void, a=ARENA, slot=uint64)
def note_entered(a, slot, change):
    """Note that this search entered an AND node (``change`` 1) or left it (-1)."""
    place = LOCKS + int(a.search.member) * MEETINGS + meeting_place(slot)
    _put(a.shared, place, _get(a.shared, place) + change)


@jit
def is_entered(a, slot):
    """Whether another search is below an AND node, or below one with the same place."""
    place = LOCKS + meeting_place(slot)
    for member in range(a.search.members):
        if member != a.search.member and _get(a.shared, place + member * MEETINGS) != 0:
            return True
    return False
