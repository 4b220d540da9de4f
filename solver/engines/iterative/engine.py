# SPDX-License-Identifier: GPL-3.0-or-later
"""The second engine: one query at a time, within limits; and Sekine's search of the root, which asks it for lengths."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Condition

import numpy as np

from solver.engines.base import MateEngine
from solver.engines.iterative.kernel import search as kernel
from solver.engines.iterative.kernel.search import king_freedom_after
from solver.results import (
    Interposition,
    LimitMeter,
    LimitReached,
    Limits,
    Mate,
    NoMate,
    Reason,
    SearchResult,
    Unresolved,
)
from tsume_rules.kernel.move_generation import MAX_MOVES, checks
from tsume_rules.kernel.state import origin_of, packed_hand, target_of
from tsume_rules.packed import PackedPosition, played, record_after
from tsume_rules.position import Side

SLICE = 20_000
"""Nodes between two tests of the limits: a few milliseconds."""
_FRAMES, _SCRATCH = 1024, 1 << 17
_BESIDE_TABLE = _FRAMES * kernel.FRAME.itemsize + _SCRATCH * 8 + kernel.STATE.itemsize


def table_bits_within(size: int) -> int:
    """``table_bits`` of the largest table with which an engine uses at most ``size`` bytes.

    Raises ValueError if not even the smallest fits.
    """
    entries = (size - _BESIDE_TABLE) // kernel.ENTRY.itemsize
    if entries < kernel.BUCKET:
        raise ValueError(f"no engine works within {size} bytes")
    return entries.bit_length() - 1


class IterativeEngine(MateEngine):
    """A depth-first search with a table, as an engine (`solver.engines.base`).

    ``table_bits``: the table has 2 ** table_bits entries of 40 bytes.
    """

    def __init__(self, *, table_bits: int = 20, interposition: Interposition = Interposition.NARROW) -> None:
        self._table = np.zeros(1 << table_bits, dtype=kernel.ENTRY).view(np.recarray)
        self._state = np.zeros(1, dtype=kernel.STATE).view(np.recarray)[0]
        self._frames = np.zeros(_FRAMES, dtype=kernel.FRAME).view(np.recarray)
        self._barred = np.zeros(64, dtype=kernel.BARRED).view(np.recarray)
        self._scratch = np.zeros(_SCRATCH, dtype=np.int64)
        self._state.stamp = 1
        self._bound = 0
        state = self._state  # not self: a reference cycle would keep dead tables
        super().__init__(lambda: int(state.nodes), interposition)

    @property
    def own_nodes(self) -> int:
        """Positions searched by this engine itself, without those of other threads."""
        return int(self._state.nodes)

    @property
    def length(self) -> int:
        """Return the bound of the last query; `FOREVER` after a no that holds at any length."""
        return kernel.FOREVER if self.refuted_for_good else self._bound

    @property
    def refuted_for_good(self) -> bool:
        """Whether the last answer was no at any length: the attacker runs out of checks."""
        return int(self._state.answer) != kernel.MATE and not self._state.cut

    def forget(self) -> None:
        """Empty the table."""
        self._state.stamp += 1

    def _set_reading(self, interposition: Interposition) -> None:
        self._state.mode = interposition.value

    def _bar(self, positions: list[PackedPosition]) -> None:
        if len(positions) > len(self._barred):
            self._barred = np.zeros(2 * len(positions), dtype=kernel.BARRED).view(np.recarray)
        for entry, packed in zip(self._barred, positions, strict=False):
            entry.key, entry.hand = packed.key, packed_hand(packed)
        self._state.barred = len(positions)

    def raise_bound(self, packed: PackedPosition, last: int) -> tuple[int, bool | None]:
        """As `MateEngine.raise_bound`."""
        self.check_limits()
        n = 1
        while True:
            kernel.begin_search(arena := self._arena(packed), True, n)
            if kernel.continue_search(arena, self._meter.next_slice(SLICE)) != kernel.FINISHED:
                kernel.abandon_search(arena)
                return n, None
            self._bound = n
            if self._state.answer == kernel.MATE or self.refuted_for_good or n >= last:
                return n, self._state.answer == kernel.MATE
            n += 2

    def known_after(self, packed: PackedPosition, check: int, n: int) -> bool:
        """Return whether a check mates within n plies by the table alone."""
        with played(packed, check, Side.ATTACKER):
            place = kernel.find_table_entry(self._arena(packed), False)
            return bool(place >= 0 and self._table[place].mate <= n - 1)

    def is_mated_by(self, packed: PackedPosition, n: int, answers: list[int]) -> bool:
        """D(q, n) as if the defender had only these answers (`answer_groups`). Raises `LimitReached`."""
        arena = self._arena(packed)
        kernel.begin_search_of_answers(arena, n, np.array(answers, dtype=np.int64))
        return self._finish(arena, n)

    def answer_groups(self, packed: PackedPosition, n: int) -> list[list[int]]:
        """Return the defender's answers in groups that can be decided independently: all drops on a cell are one."""
        end = kernel.ordered_defences(packed, n, self.mode, 0, self._scratch, 0)
        groups: dict[tuple[bool, int], list[int]] = {}
        for entry in self._scratch[:end].tolist():
            on_board = not entry & kernel.TAKE and origin_of(entry) > 0
            place = entry if on_board else target_of(kernel.move_of_entry(entry))
            groups.setdefault((on_board, place), []).append(entry)
        return list(groups.values())

    def _answer(self, packed: PackedPosition, n: int, attacker: bool) -> bool:
        arena = self._arena(packed)
        kernel.begin_search(arena, attacker, n)
        return self._finish(arena, n)

    def _arena(self, packed: PackedPosition) -> kernel.Arena:
        return kernel.Arena(packed, self._table, self._state, self._frames, self._barred, self._scratch)

    def _finish(self, arena: kernel.Arena, n: int) -> bool:
        self._bound = n
        self._meter.check()  # many queries need only one slice of nodes
        try:
            while (status := kernel.continue_search(arena, self._meter.next_slice(SLICE))) != kernel.FINISHED:
                if status == kernel.OUT_OF_ROOM:
                    raise LimitReached(Reason.MEMORY)
                self._meter.check()
        except BaseException:
            kernel.abandon_search(arena)
            raise
        return int(self._state.answer) == kernel.MATE


# --- Sekine's search (sections 2 and 3): iterative deepening over the root's checks, weighted by freedom
#
# Every check of the root has an accumulator. The check with the smallest one is searched next (on ties the one that
# has waited longest, in the first round the one with the best evaluation), two plies deeper than before; if it does
# not mate, its accumulator grows by
#
#     W = 1 + weight * (eval - 1)          (1)
#
# where eval is the king's freedom after the check by an alpha-beta search of depth five, at least 1. Weight 0 gives
# plain iterative deepening; with a larger weight the checks that leave the king less freedom are searched deeper than
# the others. Once one check mates, the others are searched to two plies less, so the length is exact.
#
# Workers (threads; the kernels run without the interpreter lock) search different checks. If there are fewer checks
# than workers, the best check is split: its answers are assigned one by one. (The paper searches the answers one
# after the other and assigns the attacker's next checks, figure 3; there a free worker is bound to the best check.)

WEIGHT = 0.4
"""The best of the paper's weights 0, 0.2 and 0.4 (section 4)."""
DEPTH = 5
"""Plies of the alpha-beta search, the check included (section 4)."""
_WHOLE: list[int] = []
"""The one part of a child that is not split."""


@dataclass
class RootChild:
    """A check of the root: its accumulator (``total``), and how deep it is searched next."""

    check: int
    freedom: int
    step: float
    total: float = 0.0
    waiting_since: int = 0
    bound: int = 1
    """Plies of its next or running search, the check included."""
    parts: list[list[int]] = field(default_factory=list)
    running: int = 0
    failed: bool = False

    def order(self) -> tuple[float, int, int]:
        """Return what is least for the child to search next."""
        return self.total, self.waiting_since, self.freedom


class _Abandoned(Exception):  # not an error: the answer is no longer needed
    pass


class RootSearch:
    """The search of one position by one or more workers, a thread for each of ``engines``.

    ``weight``: how much the king's freedom counts, 0 or more. ``nodes_at_first_mate``:
    nodes used until the first mate was found; `nodes`: nodes used in all.
    """

    def __init__(self, packed: PackedPosition, engines: Sequence[IterativeEngine], weight: float = WEIGHT) -> None:
        self._condition = Condition()
        self._stopped: BaseException | None = None
        self._clock = 0
        self._best: int | None = None
        self._most = 0
        self.node_limit = Limits()
        self.nodes_at_first_mate: int | None = None
        self._workers = [_RootSearchWorker(self, engine, packed) for engine in engines]
        self._nodes_before = sum(engine.own_nodes for engine in engines)
        self.children = root_children(packed, weight)
        self._open = list(self.children)
        self._meter = LimitMeter(lambda: self.nodes)

    @property
    def nodes(self) -> int:
        """Positions searched by all workers."""
        return sum(worker.engine.own_nodes for worker in self._workers) - self._nodes_before

    def search(self, limits: Limits) -> SearchResult:
        """Return the exact length, without its line; `NoMate` only if the attacker runs out of checks. Raises
        MemoryError if the system has no more threads."""
        self._most = limits.max_length or 0
        self.node_limit = Limits(nodes=limits.nodes)
        with self._meter.within(limits):
            try:
                if len(self._workers) == 1:
                    self._workers[0].work()
                else:
                    self._run_workers()
            except LimitReached as limit:
                return Unresolved(limit.reason, self._known())
        if self._best is not None:
            return Mate(self._best)
        return Unresolved(Reason.LENGTH, self._known()) if self._open else NoMate()

    def _run_workers(self) -> None:
        with ThreadPoolExecutor(len(self._workers)) as pool:
            try:
                try:
                    futures = [pool.submit(worker.work) for worker in self._workers]
                except RuntimeError as error:
                    raise MemoryError(str(error)) from None
                for future in futures:
                    future.result()
            except BaseException as error:
                self.stop(error)
                raise

    def _known(self) -> int:
        """Return the plies within which it is known that there is no mate."""
        return max(0, min((child.bound for child in self._open), default=1) - 2)

    # --- called by the workers -------------------------------------------------------

    def stop(self, error: BaseException) -> None:
        """Stop all workers: one of them has met an error or a limit."""
        with self._condition:
            self._stopped = self._stopped or error
            self._condition.notify_all()

    def look(self, child: RootChild | None, bound: int) -> None:
        """Raise if a worker should stop its search of a child to a bound."""
        if self._stopped is not None:
            raise self._stopped
        self._meter.check()
        if child is None or child.failed or child.bound != bound or self._is_settled(child):
            raise _Abandoned

    def next_task(self, worker: _RootSearchWorker) -> tuple[RootChild, int, list[int]] | None:
        """Return the next (child, bound, part) to search, as soon as there is one; None when all is done."""
        with self._condition:
            while True:
                if self._stopped is not None or not self._unsettled():
                    return None
                ready = (c for c in self._unsettled() if c.parts or not c.running)
                child = min(ready, key=RootChild.order, default=None)
                if child is not None:
                    if not child.running and not child.parts:
                        split = len(self._unsettled()) < len(self._workers) and child.bound > DEPTH
                        child.parts = worker.answer_parts(child) if split else [_WHOLE]
                    child.running += 1
                    return child, child.bound, child.parts.pop()
                self._condition.wait()

    def report(self, child: RootChild, bound: int, mates: bool | None, *, for_good: bool) -> None:
        """Report the answer to a task; ``mates``: None if it was abandoned."""
        with self._condition:
            child.running -= 1
            if mates is False and not child.failed and child.bound == bound:
                child.failed = child.running > 0
                child.parts.clear()
                child.total += child.step
                child.bound += 2
                self._clock += 1
                child.waiting_since = self._clock
                if for_good:
                    self._open.remove(child)
            elif mates and not child.failed and not child.parts and not child.running:
                if self._best is None:
                    self.nodes_at_first_mate = self.nodes
                self._best = child.bound if self._best is None else min(child.bound, self._best)
            if child.failed and not child.running:
                child.failed = False
            self._condition.notify_all()

    # --- under the lock ----------------------------------------------------------------

    def _unsettled(self) -> list[RootChild]:
        return [child for child in self._open if not self._is_settled(child)]

    def _is_settled(self, child: RootChild) -> bool:
        """Return whether no further search of the child could change the result."""
        return (self._best is not None and child.bound >= self._best) or 0 < self._most < child.bound


class _RootSearchWorker:
    """An engine with its own copy of the root; it works on tasks until there are none."""

    def __init__(self, search: RootSearch, engine: IterativeEngine, packed: PackedPosition) -> None:
        self._search = search
        self._packed = packed.copy()
        self._child: RootChild | None = None
        self._bound = 0
        self.engine = engine

    def work(self) -> None:
        """Work until there are no tasks."""
        search, engine = self._search, self.engine
        try:
            with engine.within(search.node_limit), engine.watched(lambda: search.look(self._child, self._bound)):
                while (task := search.next_task(self)) is not None:
                    child, bound, part = task
                    self._child, self._bound = child, bound
                    mates: bool | None = None
                    with suppress(_Abandoned), played(self._packed, child.check, Side.ATTACKER):
                        if part is _WHOLE:
                            mates = engine.is_mated(self._packed, bound - 1)
                        else:
                            mates = engine.is_mated_by(self._packed, bound - 1, part)
                    search.report(child, bound, mates, for_good=engine.refuted_for_good)
        except BaseException as error:
            search.stop(error)
            raise

    def answer_parts(self, child: RootChild) -> list[list[int]]:
        """Return the answers to a child's check, in parts to be searched separately."""
        groups = self.engine.answer_groups(record_after(self._packed, (child.check,)), child.bound - 1)
        return groups[::-1] or [_WHOLE]


def root_children(packed: PackedPosition, weight: float) -> list[RootChild]:
    """Return the checks of a position, each with the king's freedom after it."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    found = []
    for check in sorted(out[: checks(packed, out, 0)].tolist()):
        free = king_freedom(packed, check)
        found.append(RootChild(check, free, 1 + weight * (max(1, free) - 1)))
    return found


def king_freedom(packed: PackedPosition, check: int) -> int:
    """Return the king's freedom after a check, by alpha-beta of depth `DEPTH`; 0: mate."""
    out = np.empty((DEPTH + 1) * MAX_MOVES, dtype=np.int64)
    with played(packed, check, Side.ATTACKER):
        return int(king_freedom_after(packed, DEPTH - 1, out))


# --- Sekine's search as an engine: all threads search for lengths, one answers the other queries ---


class SekineEngine(IterativeEngine):
    """The second engine, with lengths found by the root search (`RootSearch`).

    ``threads`` search in parallel, each with a table of 2 ** ``table_bits`` entries; this engine
    is the first of them. ``weight``: how much the king's freedom counts, 0 or more.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        weight: float = WEIGHT,
        table_bits: int = 20,
        interposition: Interposition = Interposition.NARROW,
    ) -> None:
        self._weight = weight
        self._helpers = [
            IterativeEngine(table_bits=table_bits, interposition=interposition) for _ in range(threads - 1)
        ]
        super().__init__(table_bits=table_bits, interposition=interposition)

    @property
    def nodes(self) -> int:
        """Positions searched by all threads since the engine was made."""
        return self.own_nodes + sum(helper.nodes for helper in self._helpers)

    def forget(self) -> None:
        """Empty all tables."""
        super().forget()
        for helper in self._helpers:
            helper.forget()

    def search_length(self, packed: PackedPosition, limits: Limits) -> SearchResult:
        """Return the exact length by the root search; `NoMate` only if the attacker runs out of checks."""
        return RootSearch(packed, [self, *self._helpers], self._weight).search(limits)

    def _set_reading(self, interposition: Interposition) -> None:
        super()._set_reading(interposition)
        for helper in self._helpers:
            helper._set_reading(interposition)

    def _bar(self, positions: list[PackedPosition]) -> None:
        super()._bar(positions)
        for helper in self._helpers:
            helper._bar(positions)
