# SPDX-License-Identifier: GPL-3.0-or-later
"""The restoring reading: drops that only give the attacker a piece (復元型無駄合, docs/rules.md).

A drop is restoring if it is captured at once and the attacker, mating as fast as he can, against a longest
defence comes back to the position before the drop, or before the check that it answers, with the captured
piece in addition. Such drops are left out, and with them gone the length is that of the reading.

They are found on the line: solve, leave out what the line shows to be restoring and what could take its
place, solve again, until the line shows nothing more. Then each drop is played once more, all others being
left out, and counts again if it does not restore the position.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from solver.engines.base import MateEngine
from solver.engines.spared_drops import SparedDrop
from solver.limits import LimitReached
from solver.results import Limits, Mate, Reason, Unresolved
from solver.solving.deepening import LAST_RAISED, search_length, suited_to
from tsume_rules.kernel.play import do
from tsume_rules.kernel.state import UNIT, hand_contains, packed_hand
from tsume_rules.kernel.tables import ATT, DEF
from tsume_rules.packing import Record, dropped, target_of
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import Moves, line_played, played


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
            for found in _suspects(record, line)
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


def _suspects(record: Record, line: Moves) -> list[_Found]:
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
