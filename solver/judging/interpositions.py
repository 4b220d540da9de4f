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
from contextlib import nullcontext
from dataclasses import dataclass, replace

from solver.engines.base import MateEngine, SparedDrop
from solver.judging.readings import PURIST_CALLS, PuristReading
from solver.results import LimitReached, Limits, Mate, Reason, Unresolved
from solver.solving.deepening import LAST_RAISED, search_length, search_suited_to
from solver.solving.tree import Turn, deeper_recursion
from tsume_rules.kernel.attacks import find_checkers, in_check
from tsume_rules.kernel.state import UNIT, do, hand_contains, packed_hand
from tsume_rules.kernel.tables import ATT, DEF
from tsume_rules.packed import (
    Moves,
    PackedPosition,
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

_MAX_POSITIONS = 10_000
"""Positions with the defender to move that one walk looks at, besides the engine's."""
_BEYOND = 4
"""Plies by which the narrow mate may be longer: two for each moved interposition left out in a line."""


@dataclass(frozen=True)
class MovedReadingLine:
    """A line without moved interpositions, and one to an interposition left out; empty if it is not shorter."""

    line: Moves = ()
    example: Moves = ()


def moved_reading_line(engine: MateEngine, packed: PackedPosition, root: Turn) -> MovedReadingLine:
    """Return a line by the reading without moved interpositions, if it is shorter than the mate of a main tree.

    Searches nothing if no longest defence along the main line is an interposition that the only checking
    piece can take. Raises `LimitReached`.
    """
    # Lines to the longest defences that the only checking piece can take between itself and the king.
    suspects: list[Moves] = []
    there = packed.copy()
    path: Moves = ()
    for turn in root.best_turns():
        do(there, turn.key, ATT)
        suspects += [(*path, turn.key, r.moves[0]) for r in turn.replies if _captures(there, r.moves[0])]
        for ply, move in enumerate(turn.key_and_defence[1:], 1):
            do(there, move, ATT if ply % 2 == 0 else DEF)
        path += turn.key_and_defence
    reading, least = MovedReading(engine), root.n
    with deeper_recursion(PURIST_CALLS * root.n):
        while suspects and reading.mates(packed, least - 2):
            least -= 2
        left_out = (path for path in suspects if reading.leaves_out(packed, path, least))
        example = next(left_out, None) if least < root.n else None
        line = tuple(reading.line(packed.copy(), least)) if example else ()
    return MovedReadingLine(line, example) if example and len(line) == least else MovedReadingLine()


def _captures(packed: PackedPosition, answer: int) -> list[int]:
    """Return the checks by which the only checking piece takes a piece moved between; none for another answer."""
    if dropped(answer) or origin_of(answer) == int(packed.king[DEF]):
        return []
    count, checker = find_checkers(packed, DEF)
    if count != 1 or target_of(answer) not in cells_between(checker, int(packed.king[DEF])):
        return []
    with played(packed, answer, Side.DEFENDER):
        if in_check(packed, ATT):
            return []
        return [
            check
            for check in legal_checks(packed)
            if origin_of(check) == checker and target_of(check) == target_of(answer)
        ]


class MovedReading(PuristReading):
    """Mate within n plies by the reading without moved interpositions."""

    def __init__(self, engine: MateEngine) -> None:
        super().__init__(engine)
        self._left = _MAX_POSITIONS

    def mates(self, packed: PackedPosition, n: int) -> bool:
        """Return whether the attacker, to move, mates within n plies."""
        if n < 1 or self._engine.mates(packed, n):
            return n > 0
        return self._engine.mates(packed, n + _BEYOND) and super().mates(packed, n)

    def is_mated(self, packed: PackedPosition, n: int) -> bool:
        """Return whether the defender, in check, is mated within n plies."""
        name, engine = (int(packed.key), int(packed_hand(packed)), n), self._engine
        if name not in self._known:
            mated = engine.is_mated(packed, n)
            if not mated and engine.is_mated(packed, n + _BEYOND):
                self._left -= 1
                if self._left < 0:
                    raise LimitReached(Reason.NODES)
                taken = self._taken(packed)
                longest = self._longest_other(packed, taken, n)
                mated = longest is not None and all(
                    self._is_futile(packed, answer, by, longest) or self.mates_against(packed, answer, n)
                    for answer, by in taken.items()
                )
            self._known[name] = mated
        return self._known[name]

    def _taken(self, packed: PackedPosition) -> dict[int, list[int]]:
        """Return the moved interpositions that the only checking piece can take, with the captures."""
        found = {answer: _captures(packed, answer) for answer in legal_evasions(packed)}
        return {answer: captures for answer, captures in found.items() if captures}

    def _longest_other(self, packed: PackedPosition, taken: dict[int, list[int]], n: int) -> int | None:
        """Return the plies, at most n, within which all answers but those taken are met; None if they are
        not. Where none is taken, n itself."""
        ordinary, cells = self.answers(packed)
        others = [answer for answer in ordinary if answer not in taken]
        bounds = range(0, n + 1, 2) if taken else [n]
        return next((m for m in bounds if self.all_mated(packed, others, cells, m)), None)

    def _is_futile(self, packed: PackedPosition, answer: int, captures: list[int], m: int) -> bool:
        """Return whether the attacker, having taken a piece moved between, mates in m plies without it."""
        with played(packed, answer, Side.DEFENDER):
            taken = unpack(packed).board[unpack_move(captures[0]).target]
            assert taken is not None
            for capture in captures:
                with played(packed, capture, Side.ATTACKER):
                    after = unpack(packed)
                # The captured piece is back in the defender's hand.
                hands = after.attacker_hand.plus(taken.kind, -1), after.defender_hand.plus(taken.kind)
                if self.is_mated(pack(replace(after, attacker_hand=hands[0], defender_hand=hands[1])), m):
                    return True
        return False

    def leaves_out(self, packed: PackedPosition, path: Moves, n: int) -> bool:
        """Return whether a path, from a position that mates in n plies, ends with an answer that does not count."""
        left, answer = n - len(path) + 1, path[-1]
        with line_played(packed, path[:-1]):
            return left >= 0 and answer in self._left_out(packed, left)

    def _left_out(self, packed: PackedPosition, n: int) -> list[int]:
        """Return the answers that do not count where the defender is mated within n plies."""
        taken = self._taken(packed)
        longest = self._longest_other(packed, taken, n)
        if longest is None:
            return []
        return [answer for answer, by in taken.items() if self._is_futile(packed, answer, by, longest)]

    def line(self, packed: PackedPosition, n: int) -> Iterator[int]:
        """Yield the moves of a shortest mate, n plies, against a longest defence; changes ``packed``.

        Fewer than n where only a futile drop lasts so long.
        """
        while True:
            check = next(check for check in legal_checks(packed) if self.mates_after(packed, check, n))
            yield check
            do(packed, check, ATT)
            left_out = self._left_out(packed, n - 1)
            answers = [answer for answer in legal_evasions(packed) if answer not in left_out]
            longest = next((answer for answer in answers if self.lasts_exactly(packed, answer, n - 1)), 0)
            if n == 1 or not longest:
                return
            yield longest
            do(packed, longest, DEF)
            n -= 2


# --- the restoring reading: drops that only give the attacker a piece (復元型無駄合, docs/rules.md) ------
#
# A drop is restoring if it is captured at once and the attacker, mating as fast as he can, against a longest
# defence comes back to the position before the drop, or before the check that it answers, with the captured
# piece in addition. Such drops are left out, and with them gone the length is that of the reading.
#
# They are found on the line: solve, leave out what the line shows to be restoring and what could take its
# place, solve again, until the line shows nothing more. Then each drop is played once more, all others being
# left out, and counts again if it does not restore the position.


@dataclass(frozen=True)
class RestoringReadingResult:
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


def restoring_length(engine: MateEngine, packed: PackedPosition, n: int, line: Moves) -> RestoringReadingResult:
    """Return the length by the restoring reading of a position that mates in n plies along ``line``.

    Searches nothing if the line has no restoring drop. Raises `LimitReached`.
    """
    left_out: list[_Found] = []
    counted: set[SparedDrop] = set()
    while True:
        known = [found.drop for found in left_out]
        new = [
            found
            for found in _restoring_suspects(packed, line)
            if found.drop not in counted and not any(drop.includes(found.drop) for drop in known)
        ]
        if new or counted.intersection(known):
            # The drops without those that another one covers.
            kept: dict[tuple[int, int], list[_Found]] = {}
            still = [found for found in (*left_out, *new) if found.drop not in counted]
            for found in sorted(still, key=lambda one: len(one.path)):
                same = kept.setdefault((found.drop.key, found.drop.move), [])
                if not any(other.drop.includes(found.drop) for other in same):
                    same.append(found)
            left_out = [found for same in kept.values() for found in same]
            with engine.sparing([found.drop for found in left_out]):
                n, line = _solved(engine, packed, left_out)
            continue
        failed = []  # those that do not restore the position, all others being left out
        with engine.sparing(known) if known else nullcontext():
            for found in left_out:
                with line_played(packed, found.path):
                    _, rest = _solved(engine, packed, left_out)
                path, ply = (*found.path, *rest), len(found.path) - 1
                if ply not in _returns(path, _states(packed, path), [ply]):
                    failed.append(found.drop)
        if not failed:
            return RestoringReadingResult(n, line, tuple(found.path for found in left_out))
        counted.update(failed)


def _solved(engine: MateEngine, packed: PackedPosition, left_out: Sequence[_Found]) -> tuple[int, Moves]:
    """Return the length and a line, some drops being left out."""
    result = search_length(engine, packed, Limits())
    if not isinstance(result, Mate):
        raise LimitReached(result.reason if isinstance(result, Unresolved) else Reason.MEMORY)
    least_hands: _LeastHands = defaultdict(list)
    for found in left_out:
        least_hands[found.drop.key, found.drop.move].append(found.drop.hand)
    with search_suited_to(engine, result.length):
        return result.length, tuple(_longest(engine, packed.copy(), result.length, least_hands))


# --- drops on a line --------------------------------------------------------------------------


def _restoring_suspects(packed: PackedPosition, line: Moves) -> list[_Found]:
    """Return the restoring drops of a line, and with each the drops that could take its place. These are the
    others up to where the position is restored, except on cells where the line has a drop that counts."""
    states = _states(packed, line)
    returns = _returns(line, states, range(1, len(line) - 1, 2))
    restoring = {(states[ply][0], target_of(line[ply])) for ply in returns}
    played_out = {(states[ply][0], target_of(line[ply])) for ply in range(1, len(line), 2) if dropped(line[ply])}
    found = []
    for ply in sorted({ply for start, end in returns.items() for ply in range(start, end + 1, 2)}):
        board, hand = states[ply]
        with line_played(packed, line[:ply]):
            drops = [answer for answer in legal_evasions(packed) if dropped(answer)]
        for drop in drops:
            if (board, target_of(drop)) not in played_out - restoring:
                found.append(_Found((*line[:ply], drop), SparedDrop(board, drop, hand)))
    return found


def _returns(line: Moves, states: Sequence[_State], plies: Iterable[int]) -> dict[int, int]:
    """Return those of some plies with restoring drops, each with a ply at which the position is back. That is
    the position before the drop, or before its check, with the captured piece in addition."""
    found = {}
    for ply in plies:
        kind = dropped(line[ply])
        if not kind or target_of(line[ply]) != target_of(line[ply + 1]):
            continue
        ends = []
        for before in (ply, ply - 1):
            board, hand = states[before]
            wanted = hand + int(UNIT[kind])
            for i in range(before + 2, len(states), 2):
                if i > ply and states[i][0] == board and hand_contains(states[i][1], wanted):
                    ends.append(i)
                    break
        if ends:
            found[ply] = min(ends) - (min(ends) + 1) % 2
    return found


def _states(packed: PackedPosition, line: Moves) -> list[_State]:
    """Return board and attacker's hand before each move of a line and at its end."""
    copy = packed.copy()
    states = [(int(copy.key), int(packed_hand(copy)))]
    for ply, move in enumerate(line):
        do(copy, move, ply % 2)
        states.append((int(copy.key), int(packed_hand(copy))))
    return states


# --- a line ------------------------------------------------------------------------------------

_LeastHands = dict[tuple[int, int], list[int]]
"""The least hands with which a drop is left out, by board and move."""


def _longest(engine: MateEngine, packed: PackedPosition, n: int, least_hands: _LeastHands) -> Iterator[int]:
    """Yield the moves of a shortest mate against a longest defence, n plies; changes ``packed``. Fewer than n
    where only a futile drop lasts so long."""

    def lasts(plies: int, answer: int) -> bool:
        with played(packed, answer, Side.DEFENDER):
            return plies == 2 or not engine.mates(packed, plies - 3)

    while True:
        checks = legal_checks(packed)
        known = (check for check in checks if n > LAST_RAISED and engine.known_after(packed, check, n))
        check = next(known, 0) or next(one for one in checks if engine.mates_after(packed, one, n))
        yield check
        do(packed, check, ATT)
        board, hand = int(packed.key), int(packed_hand(packed))
        answers = [
            answer
            for answer in engine.defences(packed, n - 1)
            if not any(hand_contains(hand, least) for least in least_hands.get((board, answer), ()))
        ]
        longest = ((plies, answer) for plies in range(n - 1, 0, -2) for answer in answers)
        n, answer = next((one for one in longest if lasts(*one)), (0, 0))
        if not answer:
            return
        yield answer
        do(packed, answer, DEF)
        n -= 1
