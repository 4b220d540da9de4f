# SPDX-License-Identifier: GPL-3.0-or-later
"""The df-pn engine: queries to one table, within limits.

A `DfPnEngine` keeps its table, so related queries (the next length, another check, a sibling position) are
cheap. Python runs the kernel in slices of nodes and tests limits and Ctrl-C between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from zipfile import ZipFile

import numpy as np

from solver.engines.base import KeyOrder, KnownMate, MateEngine, Name, SparedDrop, TreeWalk, TreeWalkPlan, WalkedTurn
from solver.engines.dfpn.kernel import main_tree as kernel
from solver.engines.dfpn.kernel import sound
from solver.engines.dfpn.kernel.arena import (
    BARRED,
    CANDIDATE,
    CANDIDATES,
    CHILD,
    ENTRY,
    FINISHED,
    FRAME,
    OUT_OF_STACK,
    SEARCH,
    Arena,
    node_key,
    set_outcome,
)
from solver.engines.dfpn.kernel.interposition import MULTIPLIER
from solver.engines.dfpn.kernel.outcome import is_known_mated
from solver.engines.dfpn.kernel.proof_tree import SUBTREE, SUMS, proof_tree, refutation_work
from solver.engines.dfpn.kernel.search import abandon, begin, run
from solver.engines.dfpn.kernel.table import FOREVER, LAST_STAMP, WINDOW
from solver.engines.dfpn.memory import CHILDREN, FRAMES, SCRATCH, read_learned, write_learned
from solver.engines.dfpn.methods import DEFAULT_METHOD, FOR_LONG_WORKS, FOR_REFUTATIONS, Loops, Method
from solver.engines.dfpn.team import HelperThreads, shared_array
from solver.engines.dfpn.unbounded_search import CheckSearch, Node, UnboundedSearch
from solver.results import Interposition, LimitReached, Reason
from tsume_rules.kernel.compile import is_python
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packed import PackedPosition, played
from tsume_rules.position import Side

# --- main trees built by a kernel: the results so far, and their continuation ----------------------

_MORE_TURNS = 256
"""Turns beyond those allowed: along the first defences of a tree that is not complete."""
_REPLIES = 16
"""Capacity of replies for each turn."""
_ORDERS = {KeyOrder.ANY: kernel.ANY_KEY, KeyOrder.LEAST: kernel.MIN_KEY, KeyOrder.MIN_MIRRORED: kernel.MIN_MIRRORED_KEY}

InOneCall = Callable[[PackedPosition, Callable[[Arena, int], int]], int]
"""Calls a kernel with an arena and the node at which it ends until it answers."""


class DfPnTreeWalk(TreeWalk):
    """Builds with `solver.engines.dfpn.kernel.main_tree`; ``stack`` is scratch space of `STACK` integers."""

    def __init__(self, plan: TreeWalkPlan, in_one_call: InOneCall, stack: np.ndarray) -> None:
        most = plan.most_turns + _MORE_TURNS
        liked = plan.preferences
        self._in_one_call = in_one_call
        self._complete, self._order, self._stack = plan.complete, _ORDERS[plan.order], stack
        self._turns = np.zeros((most, kernel.TURN), dtype=np.int64)
        self._replies = np.zeros((most * _REPLIES, kernel.REPLY), dtype=np.int64)
        self._memo = np.zeros(1 << (2 * most).bit_length(), dtype=np.int64)
        self._state = np.array([0, 0, plan.most_turns], dtype=np.int64)
        self._weights = np.array(liked.weights if liked else (), dtype=np.float64)
        self._bounds = (liked.longest_asked, liked.most_rivals) if liked else (0, 0)

    def grow(self, packed: PackedPosition, n: int) -> int | None:
        """See `TreeWalk.grow`."""
        turns, replies = self._turns.reshape(-1), self._replies.reshape(-1)
        found = self._in_one_call(
            packed,
            lambda arena, end: kernel.main_tree(
                arena, n, self._order, self._complete, turns, replies, self._memo, self._state, self._stack,
                self._weights, *self._bounds, end,
            ),
        )  # fmt: skip
        return found if found >= 0 else None

    def turn(self, number: int) -> WalkedTurn:
        """See `TreeWalk.turn`."""
        fields = self._turns[number].tolist()
        first, count = fields[kernel.FIRST], fields[kernel.COUNT]
        pairs = self._replies[first : first + count].tolist()
        return WalkedTurn(fields[kernel.PLIES], fields[kernel.KEY], bool(fields[kernel.LEFTOVER]), pairs)

    def keys(self) -> dict[Name, int]:
        """See `TreeWalk.keys`."""
        begun = self._turns[: self._state[kernel.TURNS]].tolist()
        return {
            (turn[kernel.BOARD] % (1 << 64), turn[kernel.HAND], turn[kernel.PLIES]): turn[kernel.KEY]
            for turn in begun
            if turn[kernel.KEY]
        }


# --- drops that are left out, as the kernels look them up (`kernel.sparing`) -----------------------

SMALLEST = 64
_WORD = (1 << 64) - 1


def spared_drop_table(drops: Sequence[SparedDrop]) -> np.recarray:
    """Return a hash table of the drops, at most half full."""
    size = SMALLEST
    while size < 2 * len(drops):
        size *= 2
    table = np.zeros(size, dtype=BARRED).view(np.recarray)
    for drop in drops:
        key = drop.key ^ ((drop.move + 1) * int(MULTIPLIER) & _WORD)
        place = key & (size - 1)
        while table[place].key:
            place = (place + 1) & (size - 1)
        table[place].key = key
        table[place].hand = drop.hand
    return table


# --- the df-pn engine ------------------------------------------------------------------------------

SUBTREES = 1 << 14
"""Subtrees of a proof tree stored in one call."""
SLICE = 4000
"""Nodes between two tests of the limits: a few milliseconds."""
_IN_ONE_CALL = 32 * SLICE
"""Nodes for the checks that are refuted in one call: a tenth of a second."""
_MULTIPLIER, _ALL_BITS = 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF
_PAGE = 4096
"""Bytes, no more than in a page of memory on any system."""
ALONE = 200_000
"""Nodes that one thread searches before others help."""

_Named = tuple[int, int, int]
"""The key, the hand and the plies of a `KnownMate`; 0 plies: barred."""


def _named(places: Iterable[KnownMate]) -> list[_Named]:
    return [(int(packed.key), int(packed_hand(packed)), length) for packed, length in places]


class DfPnEngine(MateEngine):
    """A df-pn search with its table.

    ``table_bits``: the table has 2 ** table_bits entries of 32 bytes. ``interposition``: which interpositions
    are futile. ``method``: how the search treats new nodes; it affects the work, not the answers.
    ``threads``: number of threads for a query of `for_long_works` that takes more than ``alone`` nodes. They
    affect the nodes, not the answers.
    """

    finds_any_mate = True
    spares_drops = True

    def __init__(
        self,
        *,
        table_bits: int = 20,
        interposition: Interposition = Interposition.NARROW,
        method: Method = DEFAULT_METHOD,
        threads: int = 1,
        alone: int = ALONE,
    ) -> None:
        if is_python:
            threads = 1
        self._team = HelperThreads(threads) if threads > 1 else None
        self._alone = alone
        self._table = np.zeros((1 << table_bits) + WINDOW, dtype=ENTRY).view(np.recarray)
        searches = np.zeros(1, dtype=SEARCH).view(np.recarray)
        self._search = searches[0]
        self._now = {name: searches[name] for name in ("nodes", "pn", "length")}
        self._frames = np.zeros(FRAMES, dtype=FRAME).view(np.recarray)
        self._children = np.zeros(CHILDREN, dtype=CHILD).view(np.recarray)
        self._barred = np.zeros(64, dtype=BARRED).view(np.recarray)
        self._candidates = np.zeros(CANDIDATES, dtype=CANDIDATE).view(np.recarray)
        self._handed = np.zeros(CANDIDATES, dtype=np.int64)
        self._scratch = np.zeros(SCRATCH, dtype=np.int64)
        self._arena: Arena | None = None
        self._lists = np.zeros(sound.STACK, dtype=np.int64)
        self._search.stamp = 1
        self._method = method
        self._treat_by(method)
        self._search.epoch = 1
        self._box = Arena(
            None, self._table, searches, self._frames, self._children, self._barred, self._candidates,
            self._handed, self._scratch, shared_array(threads),
        )  # fmt: skip
        nodes, team = self._now["nodes"], self._team  # not self: a reference cycle would keep dead tables
        super().__init__(lambda: int(nodes[0]) + (team.nodes if team else 0), interposition)

    @property
    def expanded(self) -> int:
        """Return the `nodes` that df-pn itself expanded; fixed-depth search visited the others."""
        return int(self._search.expanded)

    @property
    def threads(self) -> int:
        """Return how many threads search a long query."""
        return self._team.members if self._team else 1

    @property
    def stored(self) -> int:
        """Table entries written to an empty place since the engine was made."""
        return int(self._search.stored)

    @property
    def peak_proof_number(self) -> int:
        """Return the largest proof number of a root since the table was emptied."""
        return int(self._search.peak)

    @property
    def length(self) -> int:
        """Return the plies for which the last answer holds (`MateEngine.length`), `FOREVER` for no at any length."""
        return int(self._now["length"][0])

    @property
    def refuted_for_good(self) -> bool:
        """Whether the last answer was no at any length."""
        return int(self._now["length"][0]) >= FOREVER

    def forget(self) -> None:
        """Empty the table, without clearing its memory."""
        self._make_stamps()
        self._search.stamp += 1
        self._search.peak = 0

    @property
    def places(self) -> int:
        """Return the capacity of the table in entries."""
        return len(self._table)

    def take_memory(self) -> None:
        """Make the system provide the table's memory now, not when each part is first used.

        Empties the table. Without it the first searches take a few hundred milliseconds more.
        """
        pages = self._table.view(np.uint8).reshape(-1)[::_PAGE]
        for first in range(0, len(pages), _PAGE):  # in parts: other threads run in between
            pages[first : first + _PAGE] = 0
        self.forget()

    def write_learned(self, archive: ZipFile) -> None:
        """Write the table and the search state, possibly in the middle of a query (`watched`).

        Raises OSError.
        """
        self._stop_team()
        write_learned(archive, self._table, self._search)

    def read_learned(self, archive: ZipFile) -> None:
        """Restore the state written by an engine with as many `places` and the same reading, including its node count.

        Raises `ValueError`, `KeyError`, `EOFError` or `zipfile.BadZipFile` if the archive is damaged. The
        engine is unusable then.
        """
        read_learned(archive, self._table, self._box.search)
        self._treat_by(self._method)
        self._unbounded(self._box._replace(search=self._search)).drop_tainted()

    def _make_stamps(self) -> None:
        """Clear the table if it cannot be emptied otherwise."""
        if self._search.stamp == LAST_STAMP:
            self._table.stamp[:] = 0
            self._search.stamp = 0

    @contextmanager
    def expecting_no(self) -> Iterator[None]:
        """Inside the block, search by `FOR_REFUTATIONS`; the answers are the same."""
        with self.searching_by(replace(FOR_REFUTATIONS, sums=self._method.sums)):
            yield

    @contextmanager
    def for_long_works(self) -> Iterator[None]:
        """Inside the block, search by `FOR_LONG_WORKS`; the answers are the same."""
        with self.searching_by(FOR_LONG_WORKS):
            yield

    @contextmanager
    def searching_by(self, method: Method) -> Iterator[None]:
        """Inside the block, search by a method; the answers are the same."""
        before = self._method
        self._method = method
        self._treat_by(method)
        try:
            yield
        finally:
            self._method = before
            self._treat_by(before)

    def _treat_by(self, method: Method) -> None:
        self._search.frontier = method.frontier.value
        self._search.estimate = method.estimate.value
        self._search.extension = method.extension.value
        self._search.leaves = method.leaves.value
        self._search.sums = method.sums.value
        self._search.loops = method.loops.value

    def _set_reading(self, interposition: Interposition) -> None:
        self._search.mode = interposition.value

    def _bar(self, positions: list[PackedPosition]) -> None:
        self._set_outcomes(positions, _named((packed, 0) for packed in positions))

    def _set_outcomes(self, packed_positions: Sequence[PackedPosition], places: Sequence[_Named]) -> None:
        """Bar positions, of length 0, and make others known to mate; sorted, as the kernel looks them up. The
        ``places`` are those of the ``packed_positions``."""
        if len(places) > len(self._barred):
            self._barred = np.zeros(2 * len(places), dtype=BARRED).view(np.recarray)
        if places:
            part = int(node_key(packed_positions[0], self._search, True)) ^ places[0][0]  # the same for all keys
            entries = sorted((key ^ part, hand, length) for key, hand, length in places)
            barred = self._barred[: len(entries)]
            barred["key"] = [key for key, _, _ in entries]
            barred["hand"] = [hand for _, hand, _ in entries]
            barred["length"] = [length for _, _, length in entries]
        self._search.barred = len(places)

    @contextmanager
    def restricted(self, barred: Sequence[PackedPosition], known: Sequence[KnownMate] = ()) -> Iterator[None]:
        """As `MateEngine.restricted`. The table keeps what it has: the keys of entries that hold only inside
        the block differ from all others."""
        packed_positions = [*barred, *(packed for packed, _ in known)]
        places = _named([*((packed, 0) for packed in barred), *known])
        # A number of 64 bits for a sequence of places and lengths.
        salt = 0
        for place in places:
            for number in place:
                salt = ((salt ^ number) * _MULTIPLIER + 1) & _ALL_BITS
        self._search.salt = np.uint64(salt)
        self._search.weaker = 1
        self._set_outcomes(packed_positions, places)
        try:
            yield
        finally:
            self._search.salt = self._search.weaker = 0
            self._bar([])

    @contextmanager
    def sparing(self, drops: Sequence[SparedDrop]) -> Iterator[None]:
        """As `MateEngine.sparing`, by one thread."""
        before = self._barred, int(self._search.spared), self._team
        self._stop_team()
        self.forget()
        self._barred = spared_drop_table(drops)
        self._search.spared = len(self._barred) if drops else 0
        self._team = None
        try:
            yield
        finally:
            self._barred, self._search.spared, self._team = before
            self.forget()

    def raise_bound(self, packed: PackedPosition, last: int) -> tuple[int, bool | None]:
        """As `MateEngine.raise_bound`. Raises `LimitReached` if a limit was reached before."""
        self._meter.check()
        n, answered = sound.raise_bound(self.arena(packed), last, self._meter.next_slice(SLICE))
        return int(n), int(self._now["pn"][0]) == 0 if answered else None

    def short_lengths(self, positions: np.ndarray, last: int, nodes: int) -> np.ndarray:
        """Return the lengths of the shortest mates of many positions (`tsume_rules.packed.pack_all`).

        Each starts with an empty table, with at most ``nodes`` nodes and ``last`` plies. Returns
        an int64 array: the exact length; 0 if there is no mate at any length; -n if it is
        open whether there is one within n plies (there is none within n - 2).
        """
        lengths = np.zeros(len(positions), dtype=np.int64)
        done = 0
        while done < len(positions):
            self.forget()
            done += sound.raise_bound_for_each(positions[done:], self._box, last, nodes, lengths[done:])
        return lengths

    def known_after(self, packed: PackedPosition, check: int, n: int) -> bool:
        """Return whether a check mates within n plies by the table alone, without a search."""
        with played(packed, check, Side.ATTACKER):
            return bool(is_known_mated(self.arena(packed), n - 1))

    # --- many questions in one call -------------------------------------------------------

    def refute_each(self, packed: PackedPosition, checks: list[int], bound: int) -> tuple[int | None, list[int]]:
        """As `MateEngine.refute_each`. Raises `LimitReached`."""
        states = self._asked(packed, checks, bound, 1)
        mating = next((c for c, state in zip(checks, states, strict=True) if state == sound.MATING), None)
        return mating, [c for c, state in zip(checks, states, strict=True) if state == sound.OPEN]

    def mating(self, packed: PackedPosition, checks: list[int], bound: int) -> list[int]:
        """Return the checks of a list that mate within ``bound`` plies. Raises `LimitReached`."""
        states = self._asked(packed, checks, bound, len(checks))
        return [c for c, state in zip(checks, states, strict=True) if state == sound.MATING]

    def _asked(self, packed: PackedPosition, checks: list[int], bound: int, enough: int) -> list[int]:
        """Return the state of each check once ``enough`` of them mate or all are searched."""
        moves = np.array(checks, dtype=np.int64)
        states = np.zeros(len(checks), dtype=np.int8)
        first = 0
        while first < len(checks):
            self._meter.check()
            end = self.nodes + self._meter.next_slice(SLICE)
            first = sound.refute_each(self.arena(packed), moves, states, first, bound, enough, end)
            if first < len(checks):
                self.mates_after(packed, checks[first], bound)
        return [int(state) for state in states]

    def refute_each_ever(
        self, packed: PackedPosition, checks: list[int], nodes: int
    ) -> tuple[int | None, list[int], list[int]]:
        """As `MateEngine.refute_each_ever`, in few calls; the check search verifies disproofs by repetition."""
        moves = np.array(checks, dtype=np.int64)
        states = np.zeros(len(checks), dtype=np.int8)
        spent = np.zeros(1, dtype=np.int64)
        if nodes < 1:
            return None, [], list(checks)
        first = 0
        while first < len(checks):
            self._meter.check()
            end = self.nodes + self._meter.next_slice(SLICE)
            last = self.nodes + self._meter.next_slice(min(nodes * len(checks), _IN_ONE_CALL))
            first = sound.refute_each_ever(self.arena(packed), moves, states, spent, first, nodes, end, last)
            if first < len(checks) and spent[0] >= 0:
                question = partial(self.mates_ever_after, packed, checks[first])
                mates = self.answered_within(nodes - int(spent[0]), question)
                states[first] = sound.OUT_OF_NODES if mates is None else sound.MATING if mates else sound.REFUTED
                first = len(checks) if mates else first + 1

        def those(state: int) -> list[int]:
            return [check for check, found in zip(checks, states.tolist(), strict=True) if found == state]

        return next(iter(those(sound.MATING)), None), those(sound.REFUTED), those(sound.OUT_OF_NODES)

    def readings_agree(self, packed: PackedPosition, line: tuple[int, ...]) -> int:
        """As `MateEngine.readings_agree`: as many as a few thousand nodes prove. Raises `LimitReached`."""
        self._meter.check()
        moves = np.array(line, dtype=np.int64)
        end = self.nodes + self._meter.next_slice(4 * SLICE)
        return int(sound.readings_agree(self.arena(packed), moves, self._lists, SLICE, end))

    def longest_defences(self, packed: PackedPosition, n: int) -> list[int]:
        """As `MateEngine.longest_defences`. Raises `LimitReached`."""
        last = self._in_one_call(lambda end: sound.longest_defences(self.arena(packed), n, self._lists, 0, end))
        return sorted(int(move) for move in self._lists[:last])

    def tree_walk(self, plan: TreeWalkPlan) -> TreeWalk:
        """Return the builder of main trees in one call."""

        def in_one_call(packed: PackedPosition, call: Callable[[Arena, int], int]) -> int:
            return self._in_one_call(lambda end: call(self.arena(packed), end))

        return DfPnTreeWalk(plan, in_one_call, self._lists)

    def keeps_line(self, packed: PackedPosition, line: tuple[int, ...]) -> bool:
        """As `MateEngine.keeps_line`, in one call. Raises `LimitReached`."""
        moves = np.array(line, dtype=np.int64)
        return self._in_one_call(lambda end: sound.keeps_line(self.arena(packed), moves, self._lists, end)) == 1

    def proof_tree(self, packed: PackedPosition, n: int, room: int = SUBTREES) -> tuple[int, ...] | None:
        """Return the sums over the proof tree of a position that mates in exactly n plies, and its decided positions.

        In the order of `solver.scoring.difficulty.TreeSize`; None if the tree or a sum is too large for one
        call, which remembers ``room`` subtrees (a power of two). Raises `LimitReached`.
        """
        memo = np.zeros(room * SUBTREE, dtype=np.int64)
        sums = np.zeros(SUMS, dtype=np.int64)
        found = self._in_one_call(lambda end: proof_tree(self.arena(packed), n, memo, self._lists, sums, end))
        if found != sound.YES:
            return None
        turns = 1 + sum(plies > 0 for plies in memo[::SUBTREE].tolist())  # the root is not stored
        return (*sums.tolist(), 2 * turns)

    def refutation_work(
        self, packed: PackedPosition, checks: list[int], length: int, nodes: int
    ) -> tuple[list[int], list[int]]:
        """Return the work to refute checks, each from an empty table and with at most ``nodes`` nodes.

        Returns for each the least bound (plies) that refutes it for good, ``length`` if none below does,
        and the nodes searched. The table is empty afterwards. Raises `LimitReached`.
        """
        moves = np.array(checks, dtype=np.int64)
        depths, works = np.zeros_like(moves), np.zeros_like(moves)
        first = 0
        while first < len(checks):
            self._meter.check()
            self._make_stamps()
            end = self.nodes + self._meter.next_slice(SLICE)
            first = refutation_work(self.arena(packed), moves, depths, works, first, length, nodes, end)
        self.forget()
        return depths.tolist(), works.tolist()

    def is_sound(self, packed: PackedPosition, n: int, margin: int, most: int) -> int:
        """Test the main tree of a position that mates in exactly n plies for defects.

        Return a number of `solver.engines.dfpn.kernel.sound`: `SOUND` or the first defect. A
        second solution counts if it mates at most ``margin`` plies beyond the end; a tree with
        more than ``most`` turns is `TOO_LARGE`. Raises `LimitReached`.
        """

        def call(end: int) -> int:
            found = int(sound.is_sound(self.arena(packed), n, margin, self._lists, most, end))
            return sound.UNANSWERED if found == sound.NOT_SEARCHED else found

        return self._in_one_call(call)

    def _in_one_call(self, call: Callable[[int], int]) -> int:
        """Return the result of a kernel, restarted with more nodes when its nodes run out."""
        size = SLICE
        while True:
            self._meter.check()
            found = call(self.nodes + self._meter.next_slice(size))
            if found != sound.UNANSWERED:
                return found
            size *= 2

    def _answer(self, packed: PackedPosition, n: int, attacker: bool) -> bool:
        self._meter.check()  # the table answers many queries without a slice
        arena = self.arena(packed)
        if begin(arena, n, attacker):
            return int(self._now["pn"][0]) == 0
        self._stop_team()
        team = self._team if self._method.loops == Loops.TCA else None
        root = arena.pos.copy() if team else None
        alone = self.nodes + self._alone
        try:
            while True:
                if team and self.nodes >= alone:
                    if not team.is_at_work:
                        team.start(arena, root)
                    if (found := team.answer()) is not None:
                        abandon(arena)
                        set_outcome(self._search, found.pn, found.dn, found.length, found.hand, 0)
                        break
                status = run(arena, self._meter.next_slice(SLICE))
                if status == FINISHED:
                    break
                if status == OUT_OF_STACK:
                    raise LimitReached(Reason.MEMORY)
                self._meter.check()
        except BaseException:
            abandon(arena)
            raise
        finally:
            self._stop_team()
        return int(self._now["pn"][0]) == 0

    def arena(self, packed: PackedPosition) -> Arena:
        """Return the search and a position as a kernel's argument, for callers with kernels of their own."""
        arena = self._arena
        if arena is None or arena.pos is not packed or arena.barred is not self._barred:
            # Kept: where its parts lie is written down once (`tsume_rules.kernel.compile.arguments_block`).
            self._arena = arena = Arena(
                packed, self._table, self._search, self._frames, self._children, self._barred,
                self._candidates, self._handed, self._scratch, self._box.shared,
            )  # fmt: skip
        return arena

    def _stop_team(self) -> None:
        if self._team is not None:
            self._team.stop()

    # --- without a bound ------------------------------------------------------------------

    def mates_ever(self, packed: PackedPosition, *, attacker: bool = True) -> bool:
        """Return whether the attacker mates at any length, by the check search. Raises `LimitReached`."""
        return CheckSearch(self._unbounded(self.arena(packed))).wins(Node(packed, attacker))

    def _unbounded(self, arena: Arena) -> UnboundedSearch:
        """Return the search of one unbounded query."""
        return UnboundedSearch(arena, lambda node, attacker: self._answer(node, FOREVER, attacker), self.forget)
