# SPDX-License-Identifier: GPL-3.0-or-later
"""What repairs and improvements share: changed positions, and the tests that make one a correct problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from generator.acceptance.pipeline import plain_kinds
from generator.acceptance.validation import CandidateValidator, SoundCandidateValidator
from generator.changes import (
    ChangeKind,
    Improvement,
    PositionChange,
    Wanted,
    adds_plain_defender,
    changes_of,
    possible_starts,
    square_at_step,
)
from generator.problem import STORED
from generator.themes.predicates import piece_worth
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import REPEATABLE
from solver.judging.judge import Judge, Rigour
from solver.results import Defect, Grade, Judgement, Limits
from tsume_rules.moves import Move
from tsume_rules.packed import PackedPosition, pack, pack_move, unpack_move
from tsume_rules.position import HAND_KINDS, Kind, Piece, Position, Side, Square

Line = tuple[Move, ...]
QUICK_NODES = 10_000
"""For one quick test of one position."""
_JUDGING = Limits(nodes=200_000)
_SETTLING = Limits(nodes=1_000_000)
"""For what the judge left open in a problem that is to be shown."""


class ChangedPosition(NamedTuple):
    """A position that ``changes`` lead to."""

    changes: tuple[PositionChange, ...]
    position: Position


@dataclass(frozen=True)
class ReworkedProblem:
    """A correct problem, and the ``changes`` that lead to it from the one that was given."""

    changes: tuple[PositionChange, ...]
    position: Position
    judgement: Judgement

    @property
    def grade(self) -> Grade:
        """Perfect, or sound with blemishes."""
        assert self.judgement.grade is not None
        return self.judgement.grade


def possible_starts_after_change(
    position: Position, keep: frozenset[Square] = frozenset(), wanted: Wanted | None = None
) -> Iterator[tuple[PositionChange, Position]]:
    """Yield those of `changes_of` that lead to what may be the start of a problem."""
    return possible_starts(changes_of(position, keep, wanted))


class ChangeTester:
    """Tests changed positions with one engine."""

    def __init__(self, engine: DfPnEngine | None = None) -> None:
        self.engine = engine or DfPnEngine(table_bits=18, method=REPEATABLE)
        self.validator = CandidateValidator(self.engine)
        self._judge = Judge(self.engine, Rigour(evidence=False, classes=False))
        self._seen: set[Position] = set()

    def begin(self, position: Position) -> None:
        """Forget everything, so that no answer depends on earlier positions; this one has been met."""
        self.engine.forget()
        self._seen = {position}

    def positions_after_change(
        self, parent: ChangedPosition, keep: frozenset[Square], wanted: Wanted | None = None
    ) -> list[ChangedPosition]:
        """What one change more leads to, if it was not met before and may be the start of a problem."""
        new = [
            ChangedPosition((*parent.changes, change), position)
            for change, position in possible_starts_after_change(parent.position, keep, wanted)
            if position not in self._seen
        ]
        self._seen.update(one.position for one in new)
        return new

    def is_sound(self, packed: PackedPosition, length: int) -> bool:
        """Return whether there is one solution as far as a small margin goes; no where the nodes run out."""
        self.engine.check_limits()
        found = self.engine.answered_within(QUICK_NODES, lambda: self.validator.has_one_solution(packed, length))
        return found is True

    def line(self, packed: PackedPosition, length: int) -> Line:
        """Return the best line; empty if only a futile interposition lasts as long, or the nodes run out."""
        found = self.engine.answered_within(QUICK_NODES, lambda: self.validator.line(packed, length))
        return readable_line(found or ())

    def may_be_perfect(self, one: ChangedPosition, length: int) -> bool:
        """Return whether the judge finds no defect when he looks less far, and stops at the first."""
        judgement = self.validator.judge(one.position, length, _JUDGING.nodes or 0)
        self.engine.check_limits()
        return not judgement.defects

    def judged_if_correct(self, one: ChangedPosition, length: int) -> ReworkedProblem | None:
        """Return the changed position if the judge calls it correct. Raises `LimitReached`."""
        made = self.judged(one, length)
        return made if made.judgement.grade in STORED else None

    def judged(self, one: ChangedPosition, length: int) -> ReworkedProblem:
        """Return the changed position with its judgement, whatever that says. Raises `LimitReached`."""
        judgement = self._judge.judge(one.position, length, _JUDGING)
        self.engine.check_limits()
        return ReworkedProblem(*one, judgement)

    def settled(self, made: ReworkedProblem) -> ReworkedProblem | None:
        """Return a correct problem, judged with more nodes if something was left open. None if that shows a fault or a
        piece that is unnecessary. Raises `LimitReached`."""
        if not made.judgement.unresolved:
            return made
        judgement = self._judge.judge(made.position, made.judgement.length, _SETTLING)
        self.engine.check_limits()
        if judgement.grade not in STORED or Defect.UNNECESSARY_PIECE in judgement.blemishes:
            return None
        return replace(made, judgement=judgement)

    def without_unnecessary_pieces(self, made: ReworkedProblem, edits: int) -> ReworkedProblem | None:
        """Return a correct problem after the pieces that the judge calls unnecessary are taken off as well. None if
        that takes more than ``edits`` changes, or undoes one. Raises `LimitReached`."""
        if Defect.UNNECESSARY_PIECE not in made.judgement.blemishes:
            return made
        packed, line = pack(made.position), tuple(map(pack_move, made.judgement.line))
        validator = SoundCandidateValidator(self.engine)
        position = self.engine.answered_within(QUICK_NODES, lambda: validator.minimised(packed, line))
        self.engine.check_limits()
        if position is None or position == made.position:
            return None
        changes = combined_changes(made.changes, removals_between(made.position, position))
        if not len(made.changes) < len(changes) <= edits:
            return None
        smaller = self.judged_if_correct(ChangedPosition(changes, position), len(line))
        if smaller is None or Defect.UNNECESSARY_PIECE in smaller.judgement.blemishes:
            return None
        return smaller


def readable_line(line: Sequence[int]) -> Line:
    """Return a packed line as moves."""
    return tuple(unpack_move(move) for move in line)


def removals_between(before: Position, after: Position) -> Iterator[PositionChange]:
    """Yield the pieces that a position has not any more."""
    for sq, piece in enumerate(before.board):
        if piece is not None and after.board[sq] is None:
            yield PositionChange(ChangeKind.TAKEN_OFF, piece, sq)
    for kind, number in zip(HAND_KINDS, before.attacker_hand.counts, strict=False):
        gone = number - after.attacker_hand[kind]
        yield from [PositionChange(ChangeKind.TAKEN_OFF, Piece(Side.ATTACKER, kind))] * gone


def combined_changes(
    changes: tuple[PositionChange, ...], missing: Iterator[PositionChange]
) -> tuple[PositionChange, ...]:
    """Changes one after the other; what is added and then taken off was never there."""
    found = list(changes)
    for change in missing:
        added = change._replace(sort=ChangeKind.ADDED)
        if added in found:
            found.remove(added)
        else:
            found.append(change)
    return tuple(found)


# --- changes that may keep a line, and what becomes of it: the same squares, the same pieces dropped ---


def suits_improvement(change: PositionChange, kinds: frozenset[Improvement]) -> bool:
    """Return whether a change that keeps the line may be part of an improvement of these kinds. No promoted piece and
    no attacker is added, and the attacker's hand and the kings stay."""
    if change.sort in (ChangeKind.MOVED, ChangeKind.SHIFTED):
        return change.piece is None or change.piece.kind is not Kind.KING
    if change.sort is ChangeKind.TAKEN_OFF:
        return change.square is not None
    if adds_plain_defender(change):
        return Improvement.DEFENDERS in kinds
    piece, other = change.piece, change.other
    if change.sort is not ChangeKind.EXCHANGED or piece is None or other is None or piece.side is not other.side:
        return False
    # A plain piece comes for a promoted one, or one plain piece of a side for another.
    return other.kind in plain_kinds(piece.kind) or not (piece.kind.is_promoted or other.kind.is_promoted)


def exchanges_captured_piece(change: PositionChange, line: Line) -> bool:
    """Return whether a change gives another kind to a plain piece that is captured in a line. It stands there to be
    taken: whether a rook or a gold is given up is the composer's choice."""
    if change.sort is not ChangeKind.EXCHANGED or change.piece is None or change.piece.kind.is_promoted:
        return False
    place = change.square
    for move in line:
        if move.origin == place:
            place = move.target
        elif move.target == place:
            return True
    return False


def line_course(line: Sequence[Move]) -> tuple[tuple[Kind | None, Square], ...]:
    """What a line must have in common with another to be the same: what is dropped, and where moves lead."""
    return tuple((move.drop, move.target) for move in line)


def lines_after_change(line: Line, change: PositionChange) -> tuple[Line, ...]:
    """Return what may be the line after a change, likeliest first; nothing if it leaves the board. A piece that was
    moved goes from its new square. One that was promoted and is plain may promote when it first moves."""
    if change.sort is ChangeKind.SHIFTED:
        shifted = []
        for move in line:
            target = square_at_step(move.target, change.step)
            origin = None if move.origin is None else square_at_step(move.origin, change.step)
            if target is None or (move.origin is None) != (origin is None):
                return ()
            shifted.append(replace(move, target=target, origin=origin))
        return (tuple(shifted),)
    sq = change.square
    touched = (place for place, move in enumerate(line) if sq in (move.origin, move.target))
    place = None if sq is None else next(touched, None)
    if place is None or line[place].origin != sq:  # the piece does not move, or is taken first
        return (line,)
    if change.sort is ChangeKind.MOVED:
        return (_with_move_replaced(line, place, replace(line[place], origin=change.to)),)
    if change.sort is ChangeKind.EXCHANGED and change.piece is not None and change.piece.kind.is_promoted:
        return line, _with_move_replaced(line, place, replace(line[place], promotes=True))
    return (line,)


def _with_move_replaced(line: Line, place: int, move: Move) -> Line:
    return (*line[:place], move, *line[place + 1 :])


# --- economy (使用駒の節約): what the pieces that a position uses are worth ------------------------------


def material_value(position: Position) -> int:
    """Return what the pieces on the board, without kings, and in the attacker's hand are worth.

    A pawn is worth 1, a lance or knight 2, a silver 3, a gold 4, a bishop or rook 5, a promoted piece 1
    more (`generator.themes.predicates.piece_worth`). What the defender has in hand is not used.
    """
    in_hand = zip(HAND_KINDS, position.attacker_hand.counts, strict=False)
    return sum(map(piece_value, filter(None, position.board))) + sum(
        number * piece_worth(kind) for kind, number in in_hand
    )


def piece_value(piece: Piece) -> int:
    """Return what one piece counts; nothing for a king."""
    return 0 if piece.kind is Kind.KING else piece_worth(piece.kind) + piece.kind.is_promoted
