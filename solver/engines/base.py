# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface of an engine: mate within n plies, and queries derived from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TypeVar

import numpy as np

from solver.engines.kernel.mate import futile_drop_captures, may_be_futile
from solver.results import Interposition, LimitMeter, LimitReached, Limits, SearchResult
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.move_generation import MAX_MOVES
from tsume_rules.kernel.state import hand_contains
from tsume_rules.kernel.tables import DEF
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    cells_between,
    dropped,
    is_promotion,
    legal_checks,
    legal_evasions,
    line_played,
    origin_of,
    played,
    target_of,
)
from tsume_rules.position import Side

# --- main trees built by an engine in one call (`MateEngine.tree_walk`), as plain numbers ---------


class KeyOrder(Enum):
    """Which check is the key: one that mates by the table, or the least by its code or that of its mirror image."""

    ANY = 0
    LEAST = 1
    MIN_MIRRORED = 2


@dataclass(frozen=True)
class DefencePreferences:
    """The weights and bounds of `solver.solving.tree`."""

    weights: tuple[float, ...]
    longest_asked: int
    most_rivals: int


@dataclass(frozen=True)
class TreeWalkPlan:
    """The arguments of `solver.solving.tree.TreeBuilder`."""

    most_turns: int
    complete: bool
    order: KeyOrder
    preferences: DefencePreferences | None


@dataclass(frozen=True)
class WalkedTurn:
    """A turn: its plies, the check played, whether pieces are left in hand at the end.

    ``pairs`` are the longest defences and the numbers of the turns they lead to; of a turn with one ply
    the checks that mate and whether each leaves pieces in hand.
    """

    plies: int
    key: int
    leftover: bool
    pairs: Sequence[tuple[int, int]]


Name = tuple[int, int, int]
"""A turn: its position's key, the attacker's hand, its plies."""


class TreeWalk(ABC):
    """The turns that one tree builder has found with one engine."""

    @abstractmethod
    def grow(self, packed: PackedPosition, n: int) -> int | None:
        """Return the number of the turn that mates in exactly n plies, its tree built.

        None if it cannot be built in this way; `keys` then has the checks chosen so far. Raises `LimitReached`.
        """

    @abstractmethod
    def turn(self, number: int) -> WalkedTurn:
        """Return a turn that was built."""

    @abstractmethod
    def keys(self) -> dict[Name, int]:
        """Return the checks chosen at turns that were begun."""


# --- drops that the defender may not play, given to an engine (`MateEngine.sparing`) ---------------


@dataclass(frozen=True)
class SparedDrop:
    """A drop that is left out: its move, the key of the board, the least hand of the attacker.

    It is left out whenever the attacker holds that hand or a larger one.
    """

    key: int
    move: int
    hand: int

    def includes(self, other: SparedDrop) -> bool:
        """Return whether another drop is left out wherever that one says so."""
        same = (other.key, other.move) == (self.key, self.move)
        return same and bool(hand_contains(other.hand, self.hand))


# --- possibly futile drops: one query for all drops on a cell --------------------------------------

A = TypeVar("A")
U = TypeVar("U")


def futility_by_drop_cell(
    packed: PackedPosition, answers: Iterable[int], ask: Callable[[int], A], otherwise: U
) -> Iterator[tuple[int, A | U]]:
    """Yield each answer with ``ask(cell)`` for a drop that may be futile, else with ``otherwise``.

    ``ask`` is called once for each cell, before the first such drop on it is yielded.
    """
    said: dict[int, A] = {}
    for move in answers:
        if not may_be_futile(packed, move):
            yield move, otherwise
            continue
        cell = target_of(move)
        if cell not in said:
            said[cell] = ask(cell)
        yield move, said[cell]


# --- the interface of an engine --------------------------------------------------------------------

T = TypeVar("T")
KnownMate = tuple[PackedPosition, int]
"""A position with the attacker to move, and the plies of its mate."""


class MateEngine(ABC):
    """An engine that answers "mate within n plies?" for a position record.

    The two basic queries are A(p, n) and D(q, n) of docs/rules.md, by the current reading of futile
    interpositions. Lengths and bounds are in plies and include the queried check. Moves are the codes of
    the kernels. An engine may keep a table between queries; its answers do not depend on it.

    Every query raises `solver.results.LimitReached` when a current limit (`within`) is reached or memory
    runs out. It leaves the packed position unchanged, even if it raises.

    A new engine implements the two basic queries (`_answer`), the plies for which the last answer holds
    (`length`, `refuted_for_good`), and how a reading and barred positions are set. This class derives all
    other queries from these; an engine with a faster method overrides them and gives the same answers.
    """

    finds_any_mate = False
    """Whether long mates are found fastest by searching for any mate, then for shorter ones."""
    spares_drops = False
    """Whether the engine supports `sparing`."""
    peak_cells: int | None = None
    """The peak number of cells since `forget`; None if the engine does not count cells."""

    def __init__(self, count: Callable[[], int], interposition: Interposition) -> None:
        """``count`` returns the number of positions searched so far; it must not refer to the engine."""
        self._count = count
        self._meter = LimitMeter(count)
        self._interposition = interposition
        self._set_reading(interposition)

    # --- what each engine defines -------------------------------------------------------

    @abstractmethod
    def _answer(self, packed: PackedPosition, n: int, attacker: bool) -> bool:
        """Return A(p, n) with the attacker to move, else D(q, n). Raises `LimitReached`."""

    @property
    @abstractmethod
    def length(self) -> int:
        """Return the plies for which the last answer holds.

        After a yes: there is a mate within ``length`` plies. After a no: there is none within
        ``length`` plies; if there is none at any length, a number larger than any bound.
        """

    @property
    @abstractmethod
    def refuted_for_good(self) -> bool:
        """Whether the last answer was no, at any length."""

    @abstractmethod
    def _set_reading(self, interposition: Interposition) -> None:
        """Set the reading. Raises ValueError if the engine does not support it."""

    @abstractmethod
    def _bar(self, positions: list[PackedPosition]) -> None:
        """Count a return to one of these positions, and to no others, as a failure from now on."""

    # --- state -------------------------------------------------------------------------

    @property
    def nodes(self) -> int:
        """Positions searched since the engine was made."""
        return self._count()

    @property
    def mode(self) -> int:
        """Return the kernels' number of the reading in force."""
        return self._interposition.value

    def forget(self) -> None:  # noqa: B027  (not every engine keeps something)
        """Clear the table."""

    @contextmanager
    def reading(self, interposition: Interposition) -> Iterator[None]:
        """Use another reading of futile interpositions inside the block.

        Raises ValueError if the engine does not support it.
        """
        before = self._interposition
        self._set_reading(interposition)
        self._interposition = interposition
        try:
            yield
        finally:
            self._interposition = before
            self._set_reading(before)

    @contextmanager
    def expecting_no(self) -> Iterator[None]:
        """Inside the block, search in the way that refutes mates fastest.

        The answers are the same. The default does nothing.
        """
        yield

    @contextmanager
    def for_long_works(self) -> Iterator[None]:
        """Inside the block, search in the way that suits mates in dozens of moves.

        The answers are the same. The default does nothing.
        """
        yield

    @contextmanager
    def barring(self, positions: list[PackedPosition]) -> Iterator[None]:
        """Inside the block, count the attacker's return to one of these positions as a failure.

        The table is cleared at both ends, as its entries do not hold on the other side.
        """
        self.forget()
        self._bar(positions)
        try:
            yield
        finally:
            self._bar([])
            self.forget()

    @contextmanager
    def restricted(
        self,
        barred: Sequence[PackedPosition],
        known: Sequence[KnownMate] = (),  # noqa: ARG002
    ) -> Iterator[None]:
        """Inside the block, positions with the attacker to move have a set outcome.

        The attacker fails by reaching a ``barred`` one with the same hand or a smaller one. The ``known``
        ones mate in exactly the plies given, also if the barred ones are avoided; a larger hand mates as
        soon. The default bars the positions with the same hand only and searches known mates again.
        """
        with self.barring(list(barred)):
            yield

    @contextmanager
    def sparing(self, drops: Sequence[SparedDrop]) -> Iterator[None]:  # noqa: ARG002
        """Inside the block, leave out these drops of the defender where two or more plies are left.

        Only for the queries within n plies and at any length; the queries about answers to a check do
        not know of them. The table is cleared at both ends. Not together with `barring`. Raises ValueError
        if the engine does not support it (`spares_drops`).
        """
        raise ValueError(type(self).__name__)
        yield

    # --- limits ------------------------------------------------------------------------

    @contextmanager
    def within(self, limits: Limits) -> Iterator[None]:
        """Apply the limits' nodes and seconds inside the block; of nested limits the tighter ones hold."""
        with self._meter.within(limits):
            yield

    @property
    def seconds_left(self) -> float | None:
        """Return the seconds until the limit in force; None: there is none."""
        return self._meter.seconds_left

    def check_limits(self) -> None:
        """Raise `LimitReached` if a limit in force is reached."""
        self._meter.check()

    @contextmanager
    def watched(self, look: Callable[[], None]) -> Iterator[None]:
        """Inside the block, call ``look`` before each search and every few milliseconds; it may raise."""
        before = self._meter.look
        self._meter.look = look
        try:
            yield
        finally:
            self._meter.look = before

    def answered_within(self, nodes: int, question: Callable[[], T]) -> T | None:
        """Return the answer to a query of this engine; None if it needs more than ``nodes`` nodes.

        Raises `LimitReached` only for a limit of an enclosing `within`.
        """
        try:
            with self.within(Limits(nodes=nodes)):
                return question()
        except LimitReached:
            self.check_limits()
            return None

    # --- within n plies ------------------------------------------------------------------

    def mates(self, packed: PackedPosition, n: int) -> bool:
        """Return A(p, n): whether the attacker, to move, mates within n plies (n odd)."""
        return self._answer(packed, n, True)

    def is_mated(self, packed: PackedPosition, n: int) -> bool:
        """D(q, n): whether the defender, in check and to move, is mated within n plies (n even)."""
        return self._answer(packed, n, False)

    def mates_after(self, packed: PackedPosition, check: int, n: int) -> bool:
        """Return whether a check mates within n plies."""
        with played(packed, check, Side.ATTACKER):
            return self.is_mated(packed, n - 1)

    def known_after(self, packed: PackedPosition, check: int, n: int) -> bool:  # noqa: ARG002
        """Return whether it is known without a search that a check mates within n plies.

        The default is False.
        """
        return False

    def raise_bound(self, packed: PackedPosition, last: int) -> tuple[int, bool | None]:  # noqa: ARG002
        """Search for a mate within 1, 3, ...

        plies, up to ``last``, for a few milliseconds. Returns the last bound and its answer, None if the time
        ran out. The default is (1, None), as `mates` is as fast.
        """
        self.check_limits()
        return 1, None

    def search_length(self, packed: PackedPosition, limits: Limits) -> SearchResult | None:  # noqa: ARG002
        """Return the shortest mate, without its line, by the engine's own method; None if it has none.

        `solver.solving.deepening` then raises the bound.
        """
        return None

    def mating(self, packed: PackedPosition, checks: list[int], bound: int) -> list[int]:
        """Return the checks of a list that mate within ``bound`` plies."""
        return [check for check in checks if self.mates_after(packed, check, bound)]

    def refute_each(self, packed: PackedPosition, checks: list[int], bound: int) -> tuple[int | None, list[int]]:
        """Search the checks in order for a mate within ``bound`` plies, until one mates.

        Returns that check (None: none does) and the open checks: those not searched, or refuted for this bound only.
        """
        still = list(checks)
        for check in checks:
            mates = self.mates_after(packed, check, bound)
            if mates or self.refuted_for_good:
                still.remove(check)
            if mates:
                return check, still
        return None, still

    # --- at any length -------------------------------------------------------------------

    def mates_ever(self, packed: PackedPosition, *, attacker: bool = True) -> bool:
        """Return whether the attacker mates at any length; ``attacker``: the attacker is to move.

        The default raises the bound until the answer is known. If the attacker can give checks forever
        without mating, only a limit ends the search.
        """
        n = 1 if attacker else 0
        while not self._answer(packed, n, attacker):
            if self.refuted_for_good:
                return False
            self.check_limits()
            n += 2
        return True

    def mates_ever_after(self, packed: PackedPosition, check: int) -> bool:
        """Return whether a check leads to mate at any length."""
        with played(packed, check, Side.ATTACKER):
            return self.mates_ever(packed, attacker=False)

    def refute_each_ever(
        self, packed: PackedPosition, checks: list[int], nodes: int
    ) -> tuple[int | None, list[int], list[int]]:
        """Search the checks in order for a mate at any length, with ``nodes`` nodes each, until one mates.

        Returns that check (None: none does), `length` then being that of its mate; the checks that do not
        mate; and those for which the nodes ran out. Raises `LimitReached` only for outer limits.
        """
        refuted: list[int] = []
        open_still: list[int] = []
        for check in checks:
            mates = self.answered_within(nodes, partial(self.mates_ever_after, packed, check))
            if mates:
                return check, refuted, open_still
            (open_still if mates is None else refuted).append(check)
        return None, refuted, open_still

    def readings_agree(self, packed: PackedPosition, line: Moves) -> int:  # noqa: ARG002
        """Return how many of the attacker's first turns on a main line certainly do not depend on the reading.

        ``line`` is as long as the mate. Searches nothing; the default is 0.
        """
        return 0

    # --- answers to a check --------------------------------------------------------------

    def slides(self, packed: PackedPosition, cell: int) -> list[int]:
        """Return the slides to a cell between checker and king: the moves that could prove drops there futile."""
        if self._interposition is Interposition.COUNT_ALL:
            return []
        count, checker = find_checkers(packed, DEF)
        if count != 1 or cell not in cells_between(checker, int(packed.king[DEF])):
            return []
        out = np.empty(MAX_MOVES, dtype=np.int64)
        return list(out[: futile_drop_captures(packed, cell, checker, self.mode, out, 0)].tolist())

    def futile_by(self, packed: PackedPosition, cell: int, n: int) -> int | None:
        """Return the slide that proves the drops on a cell futile under a bound of n plies; None if none does.

        That is futile(q, r, n) of docs/rules.md for all drops r on the cell that do not check the attacker's king.
        """
        for take in self.slides(packed, cell):
            with played(packed, take, Side.ATTACKER):
                if self.is_mated(packed, n):
                    return take
        return None

    def is_futile(self, packed: PackedPosition, cell: int, n: int) -> bool:
        """Return whether some slide proves the drops on a cell futile (`futile_by`)."""
        return self.futile_by(packed, cell, n) is not None

    def defences(self, packed: PackedPosition, n: int) -> Iterator[int]:
        """Return the answers that are not futile drops under a bound of n plies, in the fixed order."""
        answers = futility_by_drop_cell(packed, legal_evasions(packed), lambda at: self.is_futile(packed, at, n), False)
        return (move for move, is_futile in answers if not is_futile)

    def longest_defences(self, packed: PackedPosition, n: int) -> Iterable[int]:
        """Yield the longest defences of a defender mated in exactly n plies, without futile drops, in fixed order.

        The default searches for each as the iterator advances; the packed position must be the same then.
        """
        for move in self.defences(packed, n):
            with played(packed, move, Side.DEFENDER):
                lasts = n == 2 or not self.mates(packed, n - 3)
            if lasts:
                yield move

    def leaves_same_position(self, packed: PackedPosition, key: int, check: int, n: int) -> bool:
        """Return whether two checks differ by promotion only, of a piece that is captured at once (同一局面).

        Both mate in exactly ``n`` plies, and every longest defence against either captures the piece: the
        position is then the same whether it was promoted or not. ``packed`` stands before the checks.
        """
        same_squares = origin_of(key) == origin_of(check) and target_of(key) == target_of(check)
        if n < 3 or not same_squares or dropped(key) or is_promotion(key) == is_promotion(check):
            return False
        for one in (key, check):
            with played(packed, one, Side.ATTACKER):
                answers = list(self.longest_defences(packed, n - 1)) if self.is_mated(packed, n - 1) else []
            if not answers or any(target_of(answer) != target_of(key) for answer in answers):
                return False
        return True

    def tree_walk(self, plan: TreeWalkPlan) -> TreeWalk | None:  # noqa: ARG002
        """Return the builder of main trees in one call; None if the engine has none."""
        return None

    def keeps_line(self, packed: PackedPosition, line: Moves) -> bool:
        """Return whether a line is the only solution of a position, judging by its own turns alone.

        This is necessary for the position to be the same problem as that of the line: at each of the attacker's turns
        the check of the line must be the only one that mates in time (the last of several turns may have others), but
        for a form that leaves the same position, and each answer must be a longest defence.
        """
        last = len(line) - 1
        if last > 0 and self.mates(packed, last - 1):
            return False
        for ply, move in enumerate(line):
            n = last + 1 - ply
            with line_played(packed, line[:ply]):
                if ply % 2:
                    if move not in self.longest_defences(packed, n):
                        return False
                    continue
                checks = legal_checks(packed)
                if move not in checks or not self.mates_after(packed, move, n):
                    return False
                for check in checks if ply == 0 or ply < last else ():
                    if check == move or not self.mates_after(packed, check, n):
                        continue
                    if not self.leaves_same_position(packed, move, check, n):
                        return False
        return True
