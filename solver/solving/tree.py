# SPDX-License-Identifier: GPL-3.0-or-later
"""The main tree: every longest defence against the attacker's shortest mate.

The best line is a path through it: the attacker plays a shortest mate, the defender
a longest defence; among equals one after which the attacker keeps nothing in hand,
then the first in a fixed order. The judge examines each turn.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from solver.engines.base import MateEngine
from solver.engines.tree_walk import KeyOrder, Name, TreeWalk, TreeWalkPlan
from solver.limits import LimitReached
from solver.results import Reason
from solver.solving.deepening import defence_length
from solver.solving.form import differs_in_form_only, natural_check
from solver.solving.main_line import PREFERENCES, defence_preference
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packing import Record, dropped, mirrored, origin_of, promotes, target_of
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import played

KEY_ORDERS: dict[object, KeyOrder] = {
    None: KeyOrder.ANY,
    int: KeyOrder.LEAST,
    mirrored: KeyOrder.LEAST_MIRRORED,
}
"""The orders of moves by which engines build main trees."""


_CALLS_FOR_A_PLY = 4
"""Depth of recursion for a tree of n plies, divided by n."""


@dataclass
class Reply:
    """A longest defence: the move(s) played and the turn they lead to (None: mate).

    There are several moves only in the grey zone, if only a futile interposition lasts this long: the drop,
    its capture and the continuation.
    """

    moves: tuple[int, ...]
    turn: Turn | None


@dataclass
class Turn:
    """The attacker to move in the main tree, mating in exactly ``n`` plies.

    ``key`` is the mating check played. If n is 1, ``finals`` are all mating checks and
    ``final_leftovers`` says which of them leave pieces in hand. ``leftover`` says whether
    the attacker keeps pieces in hand at the end of the best line.
    """

    n: int
    key: int = 0
    finals: tuple[int, ...] = ()
    final_leftovers: tuple[bool, ...] = ()
    replies: list[Reply] = field(default_factory=list)
    leftover: bool = False

    @property
    def reply(self) -> Reply | None:
        """The defence that the best line follows; None where the key mates at once."""
        fitting = (r for r in self.replies if r.turn is None or r.turn.leftover == self.leftover)
        return next(fitting, None)

    def line(self) -> tuple[int, ...]:
        """The best line from here."""
        return tuple(move for turn in self.best_turns() for move in turn.key_and_defence)

    @property
    def key_and_defence(self) -> tuple[int, ...]:
        """The key and the defence that the best line follows."""
        return (self.key, *self.reply.moves) if self.reply else (self.key,)

    def best_turns(self) -> Iterator[Turn]:
        """The attacker's turns on the best line, from this one on."""
        turn: Turn | None = self
        while turn is not None:
            yield turn
            turn = turn.reply.turn if turn.reply else None


def all_turns(root: Turn) -> list[Turn]:
    """Every turn of a main tree, each once."""
    found: dict[int, Turn] = {}
    stack = [root]
    while stack:
        turn = stack.pop()
        if id(turn) not in found:
            found[id(turn)] = turn
            stack.extend(reply.turn for reply in turn.replies if reply.turn is not None)
    return list(found.values())


class TreeTooLarge(LimitReached):
    """The main tree has more turns than were allowed."""

    def __init__(self) -> None:
        super().__init__(Reason.MEMORY)


class TreeBuilder:
    """Builds main trees with one engine.

    After ``most_turns`` turns a ``complete`` tree raises `TreeTooLarge`; any other follows only the first
    defence at each further turn. The key is a check that the engine's table has as mating, if there is one.
    With ``order`` it is the least mating check in that order: then the tree does not depend on the engine
    and its table.

    Without ``main_line`` the replies are not ordered by preference, which saves searches if only the tree
    matters.
    """

    def __init__(
        self,
        engine: MateEngine,
        *,
        most_turns: int = 4000,
        complete: bool = True,
        order: Callable[[int], int] | None = None,
        main_line: bool = True,
    ) -> None:
        self._engine = engine
        self._most_turns = most_turns
        self._room = most_turns
        self._complete = complete
        self._order = order
        self._main_line = main_line
        self._seen: dict[Name, Turn] = {}
        self._keys: dict[Name, int] = {}
        self._walked: dict[int, Turn] = {}
        self._walk = self._new_walk()

    def turn(self, record: Record, n: int) -> Turn:
        """The tree from a turn that mates in exactly n plies."""
        with deeper_recursion(n):
            return self._turn(record, n)

    def _turn(self, record: Record, n: int) -> Turn:
        if self._walk is not None:
            found = self._walk.grow(record, n)
            if found is not None:
                return self._walked_turn(self._walk, found)
            self._keys = self._walk.keys()
            self._walk = None
        name = (int(record.key), int(packed_hand(record)), n)
        if name not in self._seen:
            self._room -= 1
            if self._room < 0 and self._complete:
                raise TreeTooLarge
            self._seen[name] = (
                self._final_turn(record) if n == 1 else self._inner_turn(record, n, self._keys.get(name))
            )
        return self._seen[name]

    def line(self, record: Record, n: int) -> tuple[int, ...]:
        """The best line of the tree from a turn that mates in exactly n plies."""
        found = self._walk.grow(record, n) if self._walk is not None else None
        return self.turn(record, n).line() if found is None else tuple(self._walked_line(found))

    def _walked_line(self, number: int) -> Iterator[int]:
        """The best line of a turn that the engine built."""
        assert self._walk is not None
        turn = self._walk.turn(number)
        while turn.plies > 1:
            leads = ((move, self._walk.turn(child)) for move, child in turn.pairs)
            move, after = next((move, after) for move, after in leads if after.leftover == turn.leftover)
            yield from (turn.key, move)
            turn = after
        yield turn.key

    def _new_walk(self) -> TreeWalk | None:
        """The engine's own builder of such trees, if it has one."""
        order = KEY_ORDERS.get(self._order)
        if order is None:
            return None
        preferences = PREFERENCES if self._main_line else None
        return self._engine.tree_walk(TreeWalkPlan(self._most_turns, self._complete, order, preferences))

    def _walked_turn(self, walk: TreeWalk, number: int) -> Turn:
        """A turn that the engine built, each once."""
        if number not in self._walked:
            found = walk.turn(number)
            turn = self._walked[number] = Turn(found.plies, found.key, leftover=found.leftover)
            if found.plies == 1:
                turn.finals, turn.final_leftovers = (
                    tuple(move for move, _ in found.pairs), tuple(bool(leaves) for _, leaves in found.pairs)
                )  # fmt: skip
            else:
                turn.replies = [Reply((move,), self._walked_turn(walk, child)) for move, child in found.pairs]
        return self._walked[number]

    def after(self, record: Record, key: int, n: int) -> Turn:
        """The tree in which the attacker plays ``key``, which mates in n plies."""
        with deeper_recursion(n):
            return self._turn_after_key(record, key, n)

    def _turn_after_key(self, record: Record, key: int, n: int) -> Turn:
        turn = Turn(n, key)
        with played(record, key, Side.ATTACKER):
            if n == 1:
                turn.leftover = packed_hand(record) != 0
            else:
                turn.replies = self._replies(record, n - 1)
                turn.leftover = all(r.turn is not None and r.turn.leftover for r in turn.replies)
        return turn

    def _final_turn(self, record: Record) -> Turn:
        """The last move: preferably one that leaves nothing in hand, takes nothing, promotes, drops
        nearest."""
        finals = self._engine.mating(record, sorted(legal_checks(record), key=self._order), 1)
        leftovers = [self._leaves_hand(record, move) for move in finals]
        first = natural_check(record, finals, self._order)
        liking = [
            (left, int(record.board[target_of(move)]) != 0, move != first, not promotes(move))
            for move, left in zip(finals, leftovers, strict=True)
        ]
        best = liking.index(min(liking))
        return Turn(1, finals[best], tuple(finals), tuple(leftovers), leftover=leftovers[best])

    def _leaves_hand(self, record: Record, move: int) -> bool:
        with played(record, move, Side.ATTACKER):
            return bool(packed_hand(record) != 0)

    def _inner_turn(self, record: Record, n: int, chosen: int | None) -> Turn:
        if chosen:
            return self._turn_after_key(record, chosen, n)
        moves = sorted(legal_checks(record), key=self._order)
        known = (c for c in moves if self._engine.known_after(record, c, n))
        found = (c for c in moves if self._engine.mates_after(record, c, n))
        key = next(found) if self._order else next(known, 0) or next(found)
        return self._turn_after_key(record, self._natural_key(record, key, moves, n), n)

    def _natural_key(self, record: Record, key: int, checks: list[int], n: int) -> int:
        """The key as played: promoting, and from the nearest cell, if that mates as soon."""
        forms = [check for check in checks if differs_in_form_only(record, key, check)]
        while (form := natural_check(record, forms, self._order)) != key:
            if self._engine.mates_after(record, form, n):
                return form
            forms.remove(form)
        return key

    def replies(self, record: Record, n: int) -> list[Reply]:
        """The longest defences of a defender mated in exactly n plies."""
        with deeper_recursion(n):
            return self._replies(record, n)

    def _replies(self, record: Record, n: int) -> list[Reply]:
        replies = []
        for move in self._longest_defences(record, n):
            with played(record, move, Side.DEFENDER):
                replies.append(Reply((move,), self._turn(record, n - 1)))
            if replies and self._room < 0:
                break
        return self._preferred_first(record, replies) or self._futile_replies(record, n)

    def _preferred_first(self, record: Record, replies: list[Reply]) -> list[Reply]:
        """The replies, first the one that a composer would write (`main_line`)."""
        fitting = [reply for reply in replies if reply.turn and not reply.turn.leftover] or replies
        if self._main_line and len(fitting) > 1:
            fitting = _without_idle_non_promotions(fitting)
            fitting.sort(key=self._reply_order_key)
            best = max(fitting, key=lambda reply: self._preference(record, reply))
            replies.remove(best)
            replies.insert(0, best)
        return replies

    def _reply_order_key(self, reply: Reply) -> int:
        return self._order(reply.moves[0]) if self._order else reply.moves[0]

    def _preference(self, record: Record, reply: Reply) -> float:
        assert reply.turn is not None
        turn = reply.turn
        return defence_preference(self._engine, record, reply.moves[0], turn.n, turn.key, len(turn.replies))

    def _longest_defences(self, record: Record, n: int) -> Iterable[int]:
        """In the order of this tree; without one, in the engine's order, each found on demand."""
        found = self._engine.longest_defences(record, n)
        return found if self._order is None else sorted(found, key=self._order)

    def _futile_replies(self, record: Record, n: int) -> list[Reply]:
        """Grey zone: play the longest-lasting futile drop, and its capture."""
        for drop in sorted(legal_evasions(record), key=self._order):
            for take in self._engine.slides(record, target_of(drop)):
                reply = self._reply_after_futile_drop(record, drop, take, n)
                if reply is not None:
                    return [reply]
        return []

    def _reply_after_futile_drop(self, record: Record, drop: int, take: int, n: int) -> Reply | None:
        if not dropped(drop):
            return None
        with played(record, drop, Side.DEFENDER), played(record, take, Side.ATTACKER):
            if not self._engine.is_mated(record, n):
                return None
            length = defence_length(self._engine, record, n)
            rest = self._replies(record, length)[:1] if length else []
        if not rest:
            return Reply((drop, take), None)
        return Reply((drop, take, *rest[0].moves), rest[0].turn)


@contextmanager
def deeper_recursion(n: int) -> Iterator[None]:
    """Raises the recursion limit inside the block for a tree of n plies."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + _CALLS_FOR_A_PLY * n)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _without_idle_non_promotions(replies: list[Reply]) -> list[Reply]:
    """The replies without moves that might as well promote."""
    promoting = {_squares_and_promotion(reply.moves[0]) for reply in replies if promotes(reply.moves[0])}
    return [r for r in replies if promotes(r.moves[0]) or _squares_and_promotion(r.moves[0]) not in promoting]


def _squares_and_promotion(move: int) -> tuple[int, int, int]:
    return origin_of(move), dropped(move), target_of(move)
