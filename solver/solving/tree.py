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

from solver.engines.base import DefencePreferences, KeyOrder, MateEngine, Name, TreeWalk, TreeWalkPlan
from solver.results import LimitReached, Reason
from solver.solving.deepening import defence_length
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.state import packed_hand
from tsume_rules.kernel.tables import BISHOP, DEF, DIST, LANCE, LINE, PAWN, RANK, ROOK, SLIDES
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    dropped,
    is_promotion,
    legal_checks,
    legal_evasions,
    mirrored,
    origin_of,
    played,
    target_of,
)
from tsume_rules.position import Side

# --- checks that are one move in several forms: promoting or not, nearer or farther (成・不成, 非限定) ----


def differs_in_form_only(packed: PackedPosition, one: int, other: int) -> bool:
    """Return whether two checks (kernels' move codes) differ by promotion or by the distance of a slider only.

    ``packed`` stands before them. A slider's distance is that of a drop or of a move along one line of the
    king's, or of moves of one piece in one direction.
    """
    if origin_of(one) != origin_of(other) or dropped(one) != dropped(other):
        return False
    if target_of(one) == target_of(other):
        return True
    piece = dropped(one) or int(packed.board[origin_of(one)])
    if not SLIDES[piece]:
        return False
    king, origin = int(packed.king[DEF]), origin_of(one)
    ray = int(LINE[king, target_of(one)])
    if 0 <= ray < 8 and ray == int(LINE[king, target_of(other)]):
        return True
    return origin != 0 and int(LINE[origin, target_of(one)]) == int(LINE[origin, target_of(other)])


def group_checks_by_form(packed: PackedPosition, checks: Iterable[int]) -> list[list[int]]:
    """Return the checks in groups; those of a group differ in form only."""
    groups: list[list[int]] = []
    for check in checks:
        group = next((g for g in groups if differs_in_form_only(packed, g[0], check)), None)
        if group is None:
            groups.append([check])
        else:
            group.append(check)
    return groups


def natural_check(packed: PackedPosition, checks: Iterable[int], order: Callable[[int], int] | None = None) -> int:
    """Return the check of the most natural form: promoting, and from the cell nearest to the king.

    Of equals the least by ``order``, or by its code.
    """
    king = int(packed.king[DEF])

    def unnatural(check: int) -> tuple[bool, int, int]:
        return not is_promotion(check), int(DIST[king, target_of(check)]), order(check) if order else check

    return min(checks, key=unnatural)


# --- chooses among several longest defences for the main line: the one that a composer would write ---
#
# Their preference is modelled as a sum of `WEIGHTS`, fitted to published problems (docs/rules.md, "The main
# line"; `scripts/fit main-line`).

WEIGHTS = {
    "takes the checking piece": 3.05,
    "takes another piece": 0.86,
    "takes with the king": 0.32,
    "king back": -1.66,
    "king aside": -0.79,
    "moves between": -0.76,
    "drops": -2.34,
    "drops a pawn": 2.73,
    "drops a lance": 1.03,
    "drops a rook or bishop": -1.26,
    "promotes": 1.04,
    "rival checks": -1.47,
    "next move takes": -2.77,
    "choice afterwards": 0.95,
}
"""The weight of each feature of a defence; the main line follows the largest sum."""
LONGEST_ASKED = 11
"""Plies up to which to search for other mating checks after a defence."""
_MAX_RIVALS = 2
PREFERENCES = DefencePreferences(tuple(WEIGHTS.values()), LONGEST_ASKED, _MAX_RIVALS)
"""The same for an engine that builds trees itself."""


def defence_preference(
    engine: MateEngine, packed: PackedPosition, answer: int, n: int, key: int, replies: int
) -> float:
    """Return the preference for a defence: the sum of `WEIGHTS` over its features.

    ``packed`` stands before ``answer`` (a kernels' move code), after which the attacker mates
    in ``n`` plies with ``key``; ``replies`` answers to that last longest. Raises `LimitReached`.
    """
    return sum(WEIGHTS[name] for name in defence_features(engine, packed, answer, n, key, replies))


def defence_features(
    engine: MateEngine, packed: PackedPosition, answer: int, n: int, key: int, replies: int
) -> list[str]:
    """Return the features of a defence, each as often as it counts; arguments as in `defence_preference`."""
    found = list(defence_move_features(packed, answer))
    with played(packed, answer, Side.DEFENDER):
        if packed.board[target_of(key)]:
            found.append("next move takes")
        if n <= LONGEST_ASKED:
            kinds = group_checks_by_form(packed, engine.mating(packed, legal_checks(packed), n))
            found += ["rival checks"] * min(len(kinds) - 1, _MAX_RIVALS)
    if replies > 1:
        found.append("choice afterwards")
    return found


def defence_move_features(packed: PackedPosition, answer: int) -> Iterator[str]:
    """Yield the features of a defence by itself."""
    target, king = target_of(answer), int(packed.king[DEF])
    kind = dropped(answer)
    if kind:
        yield "drops"
        if kind in (PAWN, LANCE):
            yield "drops a pawn" if kind == PAWN else "drops a lance"
        elif kind in (BISHOP, ROOK):
            yield "drops a rook or bishop"
        return
    by_king = origin_of(answer) == king
    if packed.board[target]:
        _, checker = find_checkers(packed, DEF)
        yield "takes the checking piece" if target == checker else "takes another piece"
        if by_king:
            yield "takes with the king"
    elif not by_king:
        yield "moves between"
    elif RANK[target] < RANK[king]:
        yield "king back"
    elif RANK[target] == RANK[king]:
        yield "king aside"
    if is_promotion(answer):
        yield "promotes"


# --- the main tree ---------------------------------------------------------------------------------

KEY_ORDERS: dict[object, KeyOrder] = {None: KeyOrder.ANY, int: KeyOrder.LEAST, mirrored: KeyOrder.MIN_MIRRORED}
"""The orders of moves by which engines build main trees."""

_CALLS_FOR_A_PLY = 4
"""Depth of recursion for a tree of n plies, divided by n."""


@dataclass
class Reply:
    """A longest defence: the move(s) played and the turn they lead to (None: mate).

    There are several moves only in the grey zone, if only a futile interposition lasts this long: the drop,
    its capture and the continuation.
    """

    moves: Moves
    turn: Turn | None

    def line(self) -> Moves:
        """Return the moves and the best line that follows them."""
        return self.moves + (self.turn.line() if self.turn else ())


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
        """Return the defence that the best line follows; None where the key mates at once."""
        fitting = (r for r in self.replies if r.turn is None or r.turn.leftover == self.leftover)
        return next(fitting, None)

    def line(self) -> tuple[int, ...]:
        """Return the best line from here."""
        return tuple(move for turn in self.best_turns() for move in turn.key_and_defence)

    @property
    def key_and_defence(self) -> tuple[int, ...]:
        """Return the key and the defence that the best line follows."""
        return (self.key, *self.reply.moves) if self.reply else (self.key,)

    def best_turns(self) -> Iterator[Turn]:
        """Yield the attacker's turns on the best line, from this one on."""
        turn: Turn | None = self
        while turn is not None:
            yield turn
            turn = turn.reply.turn if turn.reply else None


def walk_tree(root: Turn) -> Iterator[tuple[Moves, Turn]]:
    """Yield every turn of a main tree, once, with the moves that lead to it; those nearer the start first."""
    seen: set[int] = set()
    queue: list[tuple[Moves, Turn]] = [((), root)]
    for path, turn in queue:
        if id(turn) not in seen:
            seen.add(id(turn))
            yield path, turn
            queue += [((*path, turn.key, *r.moves), r.turn) for r in turn.replies if r.turn is not None]


def all_turns(root: Turn) -> list[Turn]:
    """Return every turn of a main tree, each once."""
    return [turn for _, turn in walk_tree(root)]


class TreeTooLarge(LimitReached):
    """The main tree has more turns than were allowed."""

    def __init__(self) -> None:
        super().__init__(Reason.MEMORY)


class TreeBuilder:
    """Builds main trees with one engine.

    After ``most_turns`` turns a ``complete`` tree raises `TreeTooLarge`; any other follows only the first defence at
    each further turn. The key is a check that the engine's table has as mating, if there is one. With ``order`` it is
    the least mating check in that order: then the tree does not depend on the engine and its table.

    Without ``main_line`` the replies are not ordered by preference, which saves searches if only the tree matters.
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
        self._room = most_turns
        self._complete = complete
        self._order = order
        self._main_line = main_line
        self._seen: dict[Name, Turn] = {}
        self._keys: dict[Name, int] = {}
        self._walked: dict[int, Turn] = {}
        self._walk: TreeWalk | None = None
        """The engine's own builder of such trees, if it has one."""
        if (keys := KEY_ORDERS.get(order)) is not None:
            plan = TreeWalkPlan(most_turns, complete, keys, PREFERENCES if main_line else None)
            self._walk = engine.tree_walk(plan)

    def turn(self, packed: PackedPosition, n: int) -> Turn:
        """Return the tree from a turn that mates in exactly n plies."""
        with deeper_recursion(n):
            return self._turn(packed, n)

    def _turn(self, packed: PackedPosition, n: int) -> Turn:
        if self._walk is not None:
            found = self._walk.grow(packed, n)
            if found is not None:
                return self._walked_turn(self._walk, found)
            self._keys = self._walk.keys()
            self._walk = None
        name = (int(packed.key), int(packed_hand(packed)), n)
        if name not in self._seen:
            self._room -= 1
            if self._room < 0 and self._complete:
                raise TreeTooLarge
            if n == 1:
                self._seen[name] = self._final_turn(packed)
            else:
                key = self._keys.get(name) or self._key(packed, n)
                self._seen[name] = self._turn_after_key(packed, key, n)
        return self._seen[name]

    def line(self, packed: PackedPosition, n: int) -> tuple[int, ...]:
        """Return the best line of the tree from a turn that mates in exactly n plies."""
        walk = self._walk
        number = None if walk is None else walk.grow(packed, n)
        if walk is None or number is None:
            return self.turn(packed, n).line()
        turn, moves = walk.turn(number), list[int]()
        while turn.plies > 1:
            leads = ((move, walk.turn(child)) for move, child in turn.pairs)
            move, after = next((move, after) for move, after in leads if after.leftover == turn.leftover)
            moves.extend((turn.key, move))
            turn = after
        return (*moves, turn.key)

    def _walked_turn(self, walk: TreeWalk, number: int) -> Turn:
        """Return a turn that the engine built, each once."""
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

    def after(self, packed: PackedPosition, key: int, n: int) -> Turn:
        """Return the tree in which the attacker plays ``key``, which mates in n plies."""
        with deeper_recursion(n):
            return self._turn_after_key(packed, key, n)

    def _turn_after_key(self, packed: PackedPosition, key: int, n: int) -> Turn:
        turn = Turn(n, key)
        with played(packed, key, Side.ATTACKER):
            if n == 1:
                turn.leftover = packed_hand(packed) != 0
            else:
                turn.replies = self._replies(packed, n - 1)
                turn.leftover = all(r.turn is not None and r.turn.leftover for r in turn.replies)
        return turn

    def _final_turn(self, packed: PackedPosition) -> Turn:
        """Return the turn of the last move: preferably one that leaves nothing in hand, takes nothing,
        promotes, drops nearest."""
        finals = self._engine.mating(packed, sorted(legal_checks(packed), key=self._order), 1)
        leftovers = []
        for move in finals:
            with played(packed, move, Side.ATTACKER):
                leftovers.append(bool(packed_hand(packed) != 0))
        first = natural_check(packed, finals, self._order)
        liking = [
            (left, int(packed.board[target_of(move)]) != 0, move != first, not is_promotion(move))
            for move, left in zip(finals, leftovers, strict=True)
        ]
        best = liking.index(min(liking))
        return Turn(1, finals[best], tuple(finals), tuple(leftovers), leftover=leftovers[best])

    def _key(self, packed: PackedPosition, n: int) -> int:
        """Return the key as played: promoting, and from the nearest cell, if that mates as soon."""
        moves = sorted(legal_checks(packed), key=self._order)
        known = (c for c in moves if self._engine.known_after(packed, c, n))
        found = (c for c in moves if self._engine.mates_after(packed, c, n))
        key = next(found) if self._order else next(known, 0) or next(found)
        forms = [check for check in moves if differs_in_form_only(packed, key, check)]
        while (form := natural_check(packed, forms, self._order)) != key:
            if self._engine.mates_after(packed, form, n):
                return form
            forms.remove(form)
        return key

    def replies(self, packed: PackedPosition, n: int) -> list[Reply]:
        """Return the longest defences of a defender mated in exactly n plies."""
        with deeper_recursion(n):
            return self._replies(packed, n)

    def _replies(self, packed: PackedPosition, n: int) -> list[Reply]:
        """Return the longest defences, first the one that a composer would write (`main_line`)."""
        replies, order = [], self._order

        def preference(reply: Reply) -> float:
            assert reply.turn is not None
            key, after = reply.turn.key, reply.turn
            return defence_preference(self._engine, packed, reply.moves[0], after.n, key, len(after.replies))

        # In the order of this tree; without one, in the engine's order, each found on demand.
        found = self._engine.longest_defences(packed, n)
        for move in found if order is None else sorted(found, key=order):
            with played(packed, move, Side.DEFENDER):
                replies.append(Reply((move,), self._turn(packed, n - 1)))
            if replies and self._room < 0:
                break
        fitting = [reply for reply in replies if reply.turn and not reply.turn.leftover] or replies
        if self._main_line and len(fitting) > 1:
            # The replies without moves that might as well promote.
            promoting = {_squares(reply.moves[0]) for reply in fitting if is_promotion(reply.moves[0])}
            fitting = [r for r in fitting if is_promotion(r.moves[0]) or _squares(r.moves[0]) not in promoting]
            fitting.sort(key=lambda reply: order(reply.moves[0]) if order else reply.moves[0])
            best = max(fitting, key=preference)
            replies.remove(best)
            replies.insert(0, best)
        return replies or self._futile_replies(packed, n)

    def _futile_replies(self, packed: PackedPosition, n: int) -> list[Reply]:
        """Grey zone: play the longest-lasting futile drop, and its capture."""
        for drop in filter(dropped, sorted(legal_evasions(packed), key=self._order)):
            for take in self._engine.slides(packed, target_of(drop)):
                with played(packed, drop, Side.DEFENDER), played(packed, take, Side.ATTACKER):
                    if not self._engine.is_mated(packed, n):
                        continue
                    length = defence_length(self._engine, packed, n)
                    rest = self._replies(packed, length)[:1] if length else []
                after = rest[0] if rest else Reply((), None)
                return [Reply((drop, take, *after.moves), after.turn)]
        return []


@contextmanager
def deeper_recursion(n: int) -> Iterator[None]:
    """Raises the recursion limit inside the block for a tree of n plies."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + _CALLS_FOR_A_PLY * n)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _squares(move: int) -> tuple[int, int, int]:
    return origin_of(move), dropped(move), target_of(move)
