# SPDX-License-Identifier: GPL-3.0-or-later
"""The length if interpositions that are only captured do not count: moved (移動合), restoring (復元型無駄合).

A piece of the board that moves between is left out if the only checking piece takes it and, with the captured
piece back in the defender's hand, mates no later than after every other answer. A larger hand mates as soon,
so what mates within n plies by this reading mates by the narrow one within two more for each piece left out.
At most two in a line are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from solver.engines.base import MateEngine, SparedDrop
from solver.judging.readings import PURIST_CALLS, Purist
from solver.limits import LimitReached
from solver.results import Limits, Mate, Reason, Unresolved
from solver.solving.deepening import LAST_RAISED, search_length, suited_to
from solver.solving.tree import Turn, deeper_recursion
from tsume_rules.kernel.attacks import find_checkers, in_check
from tsume_rules.kernel.state import UNIT, do, hand_contains, packed_hand
from tsume_rules.kernel.tables import ATT, DEF
from tsume_rules.packed import (
    Moves,
    Record,
    cells_between,
    dropped,
    legal_checks,
    legal_evasions,
    line_played,
    origin_of,
    pack,
    played,
    target_of,
    unpack,
    unpack_move,
)
from tsume_rules.position import Side

_MOST_POSITIONS = 10_000
"""Positions with the defender to move that one walk looks at, besides the engine's."""
_BEYOND = 4
"""Plies by which the narrow mate may be longer: two for each moved interposition left out in a line."""


@dataclass(frozen=True)
class WithoutMoved:
    """A line by this reading and a line to one of the moves left out; empty if it is not shorter."""

    line: Moves = ()
    example: Moves = ()


def without_moved(engine: MateEngine, record: Record, root: Turn) -> WithoutMoved:
    """A line by this reading, if it is shorter than the mate of a main tree.

    Searches nothing if no longest defence along the main line is an interposition that the only checking
    piece can take. Raises `LimitReached`.
    """
    suspects = list(_moved_suspects(record, root))
    reading, least = MovedReading(engine), root.n
    with deeper_recursion(PURIST_CALLS * root.n):
        while suspects and reading.mates(record, least - 2):
            least -= 2
        left_out = (path for path in suspects if reading.leaves_out(record, path, least))
        example = next(left_out, None) if least < root.n else None
        line = tuple(reading.line(record.copy(), least)) if example else ()
    return WithoutMoved(line, example) if example and len(line) == least else WithoutMoved()


def _moved_suspects(record: Record, root: Turn) -> Iterator[Moves]:
    """Lines to the longest defences that the only checking piece can take between itself and the king."""
    there = record.copy()
    path: Moves = ()
    for turn in root.best_turns():
        do(there, turn.key, ATT)
        for reply in turn.replies:
            if _captures(there, reply.moves[0]):
                yield (*path, turn.key, reply.moves[0])
        for ply, move in enumerate(turn.key_and_defence[1:], 1):
            do(there, move, ATT if ply % 2 == 0 else DEF)
        path += turn.key_and_defence


def _captures(record: Record, answer: int) -> list[int]:
    """The checks by which the only checking piece takes a piece moved between; none for another answer."""
    if dropped(answer) or origin_of(answer) == int(record.king[DEF]):
        return []
    count, checker = find_checkers(record, DEF)
    if count != 1 or target_of(answer) not in cells_between(checker, int(record.king[DEF])):
        return []
    with played(record, answer, Side.DEFENDER):
        if in_check(record, ATT):
            return []
        return [
            check
            for check in legal_checks(record)
            if origin_of(check) == checker and target_of(check) == target_of(answer)
        ]


def _after(record: Record, answer: int, capture: int) -> Record:
    """The position after an answer and its capture, the captured piece in the defender's hand."""
    with played(record, answer, Side.DEFENDER):
        taken = unpack(record).board[unpack_move(capture).target]
        with played(record, capture, Side.ATTACKER):
            after = unpack(record)
    assert taken is not None
    hands = after.attacker_hand.plus(taken.kind, -1), after.defender_hand.plus(taken.kind)
    return pack(replace(after, attacker_hand=hands[0], defender_hand=hands[1]))


class MovedReading(Purist):
    """Mate within n plies by this reading."""

    def __init__(self, engine: MateEngine) -> None:
        super().__init__(engine)
        self._left = _MOST_POSITIONS

    def mates(self, record: Record, n: int) -> bool:
        """Whether the attacker, to move, mates within n plies."""
        if n < 1 or self._engine.mates(record, n):
            return n > 0
        return self._engine.mates(record, n + _BEYOND) and super().mates(record, n)

    def is_mated(self, record: Record, n: int) -> bool:
        """Whether the defender, in check, is mated within n plies."""
        name = (int(record.key), int(packed_hand(record)), n)
        if name not in self._known:
            self._known[name] = self._engine.is_mated(record, n) or (
                self._engine.is_mated(record, n + _BEYOND) and self._is_mated_without(record, n)
            )
        return self._known[name]

    def _is_mated_without(self, record: Record, n: int) -> bool:
        self._left -= 1
        if self._left < 0:
            raise LimitReached(Reason.NODES)
        taken = self._taken(record)
        longest = self._longest_other(record, taken, n)
        return longest is not None and all(
            self._is_futile(record, answer, captures, longest) or self.mates_against(record, answer, n)
            for answer, captures in taken.items()
        )

    def _taken(self, record: Record) -> dict[int, list[int]]:
        """The moved interpositions that the only checking piece can take, with the captures."""
        found = {answer: _captures(record, answer) for answer in legal_evasions(record)}
        return {answer: captures for answer, captures in found.items() if captures}

    def _longest_other(self, record: Record, taken: dict[int, list[int]], n: int) -> int | None:
        """The plies, at most n, within which all answers but those taken are met; None if they are not.

        Where none is taken, n itself.
        """
        ordinary, cells = self.answers(record)
        others = [answer for answer in ordinary if answer not in taken]
        bounds = range(0, n + 1, 2) if taken else [n]
        return next((m for m in bounds if self.all_mated(record, others, cells, m)), None)

    def _is_futile(self, record: Record, answer: int, captures: list[int], m: int) -> bool:
        """Whether the attacker, having taken a piece moved between, mates within m plies without it."""
        return any(self.is_mated(_after(record, answer, capture), m) for capture in captures)

    def leaves_out(self, record: Record, path: Moves, n: int) -> bool:
        """Whether a path, from a position that mates in n plies, ends with an answer that does not count."""
        left, answer = n - len(path) + 1, path[-1]
        with line_played(record, path[:-1]):
            return left >= 0 and answer in self._left_out(record, left)

    def _left_out(self, record: Record, n: int) -> list[int]:
        """The answers that do not count where the defender is mated within n plies."""
        taken = self._taken(record)
        longest = self._longest_other(record, taken, n)
        if longest is None:
            return []
        return [answer for answer, by in taken.items() if self._is_futile(record, answer, by, longest)]

    def line(self, record: Record, n: int) -> Iterator[int]:
        """The moves of a shortest mate, n plies, against a longest defence; changes the record.

        Fewer than n where only a futile drop lasts so long.
        """
        while True:
            check = next(check for check in legal_checks(record) if self.mates_after(record, check, n))
            yield check
            do(record, check, ATT)
            left_out = self._left_out(record, n - 1)
            answers = [answer for answer in legal_evasions(record) if answer not in left_out]
            longest = next((answer for answer in answers if self._lasts(record, answer, n - 1)), 0)
            if n == 1 or not longest:
                return
            yield longest
            do(record, longest, DEF)
            n -= 2


# ---------------------------------------------------------------------------------------------------
#
# The restoring reading: drops that only give the attacker a piece (復元型無駄合, docs/rules.md).
#
# A drop is restoring if it is captured at once and the attacker, mating as fast as he can, against a longest
# defence comes back to the position before the drop, or before the check that it answers, with the captured
# piece in addition. Such drops are left out, and with them gone the length is that of the reading.
#
# They are found on the line: solve, leave out what the line shows to be restoring and what could take its
# place, solve again, until the line shows nothing more. Then each drop is played once more, all others being
# left out, and counts again if it does not restore the position.


@dataclass(frozen=True)
class Restored:
    """The length and a line by the restoring reading, and the lines to the drops that were left out."""

    length: int
    line: Moves
    drops: tuple[Moves, ...] = ()


@dataclass(frozen=True)
class _Found:
    """A drop that a line shows to be restoring; ``path`` ends with it."""

    path: Moves
    drop: SparedDrop


_State = tuple[int, int]
"""The key of a board and the attacker's hand."""


def restored(engine: MateEngine, record: Record, n: int, line: Moves) -> Restored:
    """The length by the restoring reading of a position that mates in n plies along ``line``.

    Searches nothing if the line has no restoring drop. Raises `LimitReached`.
    """
    left_out: list[_Found] = []
    counted: set[SparedDrop] = set()
    while True:
        known = [found.drop for found in left_out]
        new = [
            found
            for found in _restoring_suspects(record, line)
            if found.drop not in counted and not any(drop.includes(found.drop) for drop in known)
        ]
        if new or counted.intersection(found.drop for found in left_out):
            left_out = _distinct(found for found in (*left_out, *new) if found.drop not in counted)
            with engine.sparing([found.drop for found in left_out]):
                n, line = _solved(engine, record, left_out)
            continue
        failed = _failing(engine, record, left_out)
        if not failed:
            return Restored(n, line, tuple(found.path for found in left_out))
        counted.update(failed)


def _failing(engine: MateEngine, record: Record, left_out: Sequence[_Found]) -> list[SparedDrop]:
    """Those of the drops left out that do not restore the position."""
    if not left_out:
        return []
    with engine.sparing([found.drop for found in left_out]):
        return [found.drop for found in left_out if not _still_restores(engine, record, found, left_out)]


def _distinct(found: Iterable[_Found]) -> list[_Found]:
    """The drops without those that another one covers."""
    kept: dict[tuple[int, int], list[_Found]] = {}
    for one in sorted(found, key=lambda one: len(one.path)):
        same = kept.setdefault((one.drop.key, one.drop.move), [])
        if not any(other.drop.includes(one.drop) for other in same):
            same.append(one)
    return [one for same in kept.values() for one in same]


def _solved(engine: MateEngine, record: Record, left_out: Sequence[_Found]) -> tuple[int, Moves]:
    """The length and a line, some drops being left out."""
    result = search_length(engine, record, Limits())
    if not isinstance(result, Mate):
        raise LimitReached(result.reason if isinstance(result, Unresolved) else Reason.MEMORY)
    with suited_to(engine, result.length):
        return result.length, tuple(_longest(engine, record.copy(), result.length, _by_board(left_out)))


# --- drops on a line --------------------------------------------------------------------------


def restoring_drops(record: Record, line: Moves) -> list[Moves]:
    """The lines to the drops of a line, from ``record`` on, that are captured at once and restored later."""
    return [line[: ply + 1] for ply in _returns(line, list(_states(record, line)))]


def _restoring_suspects(record: Record, line: Moves) -> list[_Found]:
    """The restoring drops of a line, and with each the drops that could take its place.

    These are the others up to where the position is restored, except on cells where the line has a drop that
    counts.
    """
    states = list(_states(record, line))
    returns = _returns(line, states)
    plies = sorted({ply for start, end in returns.items() for ply in range(start, end + 1, 2)})
    restoring = {(states[ply][0], target_of(line[ply])) for ply in returns}
    played_out = {
        (states[ply][0], target_of(line[ply])) for ply in range(1, len(line), 2) if dropped(line[ply])
    }
    return [
        _Found((*line[:ply], drop), SparedDrop(states[ply][0], drop, states[ply][1]))
        for ply in plies
        for drop in _drops(record, line[:ply])
        if (states[ply][0], target_of(drop)) not in played_out - restoring
    ]


def _drops(record: Record, path: Moves) -> list[int]:
    """The interpositions after a path, also those that check the attacker's king."""
    with line_played(record, path):
        return [answer for answer in legal_evasions(record) if dropped(answer)]


def _returns(line: Moves, states: Sequence[_State]) -> dict[int, int]:
    """The plies of the restoring drops of a line, each with a ply at which the position is back."""
    found = {}
    for ply in range(1, len(line) - 1, 2):
        end = _restored_at(states, ply, dropped(line[ply])) if _is_captured(line, ply) else 0
        if end:
            found[ply] = end - (end + 1) % 2
    return found


def _is_captured(line: Moves, ply: int) -> bool:
    return dropped(line[ply]) != 0 and target_of(line[ply]) == target_of(line[ply + 1])


def _states(record: Record, line: Moves) -> Iterator[_State]:
    """Board and attacker's hand before each move of a line and at its end."""
    copy = record.copy()
    yield int(copy.key), int(packed_hand(copy))
    for ply, move in enumerate(line):
        do(copy, move, ply % 2)
        yield int(copy.key), int(packed_hand(copy))


def _restored_at(states: Sequence[_State], ply: int, kind: int) -> int:
    """The first ply at which the position before a drop, or its check, is back with the piece; or 0."""
    return min(filter(None, (_back_at(states, before, ply, kind) for before in (ply, ply - 1))), default=0)


def _back_at(states: Sequence[_State], before: int, ply: int, kind: int) -> int:
    board, hand = states[before]
    wanted = hand + int(UNIT[kind])
    later = (i for i in range(before + 2, len(states), 2) if i > ply)
    return next((i for i in later if states[i][0] == board and hand_contains(states[i][1], wanted)), 0)


def _still_restores(engine: MateEngine, record: Record, found: _Found, left_out: Sequence[_Found]) -> bool:
    """Whether the attacker restores the position after a drop, all others being left out."""
    with line_played(record, found.path):
        _, line = _solved(engine, record, left_out)
    path, ply = (*found.path, *line), len(found.path) - 1
    return _is_captured(path, ply) and _restored_at(list(_states(record, path)), ply, dropped(path[ply])) > 0


# --- a line ------------------------------------------------------------------------------------

_LeftOut = dict[tuple[int, int], list[int]]
"""The least hands with which a drop is left out, by board and move."""


def _by_board(left_out: Iterable[_Found]) -> _LeftOut:
    hands: _LeftOut = defaultdict(list)
    for found in left_out:
        hands[found.drop.key, found.drop.move].append(found.drop.hand)
    return dict(hands)


def _longest(engine: MateEngine, record: Record, n: int, left_out: _LeftOut) -> Iterator[int]:
    """The moves of a shortest mate against a longest defence, n plies; changes the record."""
    while True:
        check = _mating_check(engine, record, n)
        yield check
        do(record, check, ATT)
        n, answer = _longest_defence(engine, record, n - 1, left_out)
        if not answer:
            return
        yield answer
        do(record, answer, DEF)
        n -= 1


def _mating_check(engine: MateEngine, record: Record, n: int) -> int:
    checks = legal_checks(record)
    if n > LAST_RAISED:
        known = next((check for check in checks if engine.known_after(record, check, n)), 0)
        if known:
            return known
    return next(check for check in checks if engine.mates_after(record, check, n))


def _longest_defence(engine: MateEngine, record: Record, n: int, left_out: _LeftOut) -> tuple[int, int]:
    """The plies of a longest defence within n, and the first that lasts so long; no move if it is mate.

    Shorter than n only where a futile drop alone lasts longer.
    """
    board, hand = int(record.key), int(packed_hand(record))
    answers = [
        answer
        for answer in engine.defences(record, n)
        if not any(hand_contains(hand, least) for least in left_out.get((board, answer), ()))
    ]
    for plies in range(n, 0, -2):
        for answer in answers:
            with played(record, answer, Side.DEFENDER):
                lasts = plies == 2 or not engine.mates(record, plies - 3)
            if lasts:
                return plies, answer
    return 0, 0
