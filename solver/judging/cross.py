# SPDX-License-Identifier: GPL-3.0-or-later
"""The judgement of one problem compared between two engines (`check --cross`).

The second engine shares only the rules with the first. The same judge asks both; they must agree on the length, on the
checks that mate at each of the attacker's turns of the main line, on the defects and on the faults, so on the grade.

Without a bound the second engine gets less far than the first. So a second solution
that only the first has found is put to the second as a question of its own: does this
check mate within the plies that the first says?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.engines.base import MateEngine
from solver.judging.cooks import cook_length
from solver.judging.findings import SecondSolution
from solver.judging.given import cook_at_any_length, each_piece_removed, is_same_problem
from solver.judging.judge import Judge, Rigour
from solver.results import Defect, Judgement, LimitReached, Limits, Reason
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    legal_checks,
    line_played,
    pack,
    pack_move,
    record_after,
    unpack_move,
)
from tsume_rules.position import Position

SECOND = Rigour(
    margins=(0, 2, 4, 8), nodes=0, unbounded_nodes=200_000, reduced_nodes=None, evidence=False, classes=False
)
"""How far the second engine looks: as far as the first does in any case. At any length it settles little."""

_CONFIRMING_NODES = 10_000_000
"""Nodes of the second engine for a long mate that the first has found in the problem without a piece."""


@dataclass(frozen=True)
class CrossCheckResult:
    """The result of asking a second engine.

    ``differences`` has a text for each difference (empty: they agree). ``unheard`` is the limit that kept the
    second from an answer, None if it has answered.
    """

    differences: tuple[str, ...] = ()
    unheard: Reason | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether both say the same; None if the second engine did not answer."""
        if self.differences:
            return False
        return None if self.unheard else True


def cross_check(
    first: MateEngine,
    second: MateEngine,
    position: Position,
    judgement: Judgement,
    expected: int | None = None,
    limits: Limits | None = None,
    line: Sequence[Move] = (),
) -> CrossCheckResult:
    """Compare a judgement (made with ``first``) with what ``second`` says.

    ``expected`` is the length the problem is said to have, ``line`` the line given with it; the limits hold
    for each engine.
    """
    if judgement.defects & Defect.ILLEGAL_START:
        return CrossCheckResult()
    case = _Comparison(first, second, position, judgement)
    differences: list[str] = []
    try:
        with first.within(limits or Limits()), second.within(limits or Limits()):
            for difference in case.differences(expected, line):
                differences.append(difference)
    except LimitReached as limit:
        return CrossCheckResult(tuple(differences), limit.reason)
    return CrossCheckResult(tuple(differences))


class _Comparison:
    def __init__(self, first: MateEngine, second: MateEngine, position: Position, judgement: Judgement) -> None:
        self._first, self._second = first, second
        self._position, self._judgement = position, judgement
        self._packed: PackedPosition = pack(position)
        self._line: Moves = tuple(map(pack_move, judgement.line))

    def differences(self, expected: int | None, line: Sequence[Move]) -> Iterator[str]:
        """Yield what the engines differ in, the most basic first. Raises `LimitReached`."""
        ours, length = self._judgement, self._judgement.length
        theirs = Judge(self._second, SECOND).judge(self._position, expected, line=line)
        if theirs.unresolved:
            self._second.check_limits()
            raise LimitReached(Reason.MEMORY)
        if theirs.length != length:
            yield f"length {length} and {theirs.length}"
            return
        # If a futile drop makes the line longer than the mate, only the first turn is compared: at the others
        # the plies left are not known.
        last = 0 if length is None else length if len(self._line) == length else 1
        for ply in range(0, last, 2):
            with line_played(self._packed, self._line[:ply]):
                n, checks = (length or 0) - ply, legal_checks(self._packed)
                one, other = (
                    [unpack_move(check).usi for check in checks if engine.mates_after(self._packed, check, n)]
                    for engine in (self._first, self._second)
                )
            if one != other:
                yield f"mating checks after {ply} moves: {' '.join(one)} and {' '.join(other)}"
        defects = theirs.defects
        for flag in ours.defects & ~defects & (Defect.COOK | Defect.UNDETERMINED_FORM):
            if self._confirms_any(flag):
                defects |= flag
        if Defect.UNNECESSARY_PIECE in defects & ~ours.defects and not self._has_unnecessary_piece():
            defects &= ~Defect.UNNECESSARY_PIECE
        yield from _difference("defects", ours.defects, defects)
        if ours.grade is None or theirs.grade is None:
            return
        faults = theirs.faults
        if self._confirms_any(Defect.COOK & ours.faults & ~faults):
            faults |= Defect.COOK
        if Defect.COOK not in ours.faults and Defect.COOK in ours.defects:
            faults &= ~Defect.COOK  # the first engine's judge knows its class
        yield from _difference("faults", ours.faults, faults)

    def _has_unnecessary_piece(self) -> bool:
        """Return whether a piece that the first engine needs is unnecessary for the second. It is not if the
        first finds a second solution without it that mates as soon for the second."""
        for _, reduced in each_piece_removed(self._position):
            if not is_same_problem(self._second, reduced, self._line):
                continue
            cook = cook_at_any_length(self._first, reduced, self._line, Limits(nodes=Rigour.wide_nodes))
            if cook is None:
                return True
            packed = pack(reduced)
            n = cook_length(self._first, packed, cook)
            with self._second.within(Limits(nodes=_CONFIRMING_NODES)):
                if not self._mates_without_detour(packed, cook.path, cook.check, n):
                    return True
        return False

    def _confirms_any(self, defect: Defect) -> bool:
        """Return whether a second solution of this kind is one for the second engine too, as late."""
        for found in self._judgement.findings:
            if found.of is not defect or not isinstance(found, SecondSolution):
                continue
            if found.length is None or found.late is None:
                continue
            *path, check = map(pack_move, found.line[: found.turn + 1])
            if self._mates_without_detour(self._packed, tuple(path), check, found.length - found.turn):
                return True
        return False

    def _mates_without_detour(self, packed: PackedPosition, path: Moves, check: int, n: int) -> bool:
        turns = [record_after(packed, path[:ply]) for ply in range(0, len(path) + 1, 2)]
        with line_played(packed, path), self._second.barring(turns):
            return self._second.mates_after(packed, check, n)


def _difference(what: str, ours: Defect, theirs: Defect) -> Iterator[str]:
    if ours != theirs:
        yield f"{what} {' '.join(ours.names) or 'none'} and {' '.join(theirs.names) or 'none'}"
