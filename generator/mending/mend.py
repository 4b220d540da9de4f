# SPDX-License-Identifier: GPL-3.0-or-later
"""Repairs of a position: first every single change, then changes of what came nearest.

The length of each changed position is found, and those that have one solution as far as a small margin
goes and leave nothing in hand are judged in full, what people would compose sooner. Improvements (`enrich`) change
positions by the same means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from generator.acceptance.pipeline import CandidateValidator, SoundCandidateValidator
from generator.changes import (
    ChangeKind,
    Improvement,
    PositionChange,
    Wanted,
    adds_plain_defender,
    bring_promoted,
    changes_of,
    possible_starts,
    square_at_step,
)
from generator.constraints.options import QUICK_MARGIN
from generator.constraints.problem import ProblemConstraints
from generator.likeness import likeness_of, model_for_length, traits_of_position
from generator.problem import STORED
from generator.themes.predicates import piece_worth
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import REPEATABLE
from solver.judging.judge import Judge, Rigour
from solver.results import Defect, Grade, Judgement, LimitReached, Limits
from tsume_rules.moves import Move
from tsume_rules.packed import PackedPosition, legal_checks, pack, pack_all, pack_move, unpack_move
from tsume_rules.position import HAND_KINDS, Kind, Piece, Position, Side, Square

# --- what repairs and improvements share: changed positions, and the tests that make one a correct problem ---

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
        position = self.engine.answered_within(QUICK_NODES, lambda: validator.minimised(packed, line, quickly=True))
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
    # A plain piece or a gold comes for a promoted one, or one plain piece of a side for another.
    return other.kind in (piece.kind.base, Kind.GOLD) if piece.kind.is_promoted else not other.kind.is_promoted


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


# ---------------------------------------------------------------------------------------------------

LONGEST = 17
"""Mates of changed positions are looked for up to so many plies, or two beyond the length that is wished."""
_USUAL_LENGTH = 5
"""Whose model says which positions are likely where no length is wished."""
_KEEPING_NODES = 1_000
_WIDTH = 12
"""So many positions that are nearly problems are changed once more."""
_MAX_COOKS = 6
_SETTLING_NODES = 5_000_000
"""For what the judge left open in all repairs that are shown, together; a tenth where a limit was reached."""
_MAX_NEAREST, _NEAREST_NODES = 3, 1_000_000
"""So many positions are judged, with so many nodes, to show the nearest one where there is no repair."""

_ROUNDS = ((300, 0, 0), (3_000, 32, 2_000), (10_000, 32, 512))
"""Nodes for the length of each position, positions at a time, and positions at most, in each round: those
whose length stays open go on to the next one. The first takes all that one parent leads to."""


@dataclass(frozen=True)
class RepairRequest:
    """What a repair should be: mate in ``length`` plies, with these squares to ``keep``. Without a length any will do.
    Those with the intended ``line`` come first. ``perfect``: none may have blemishes. ``wishes``: what its position and
    line must be like."""

    length: int | None = None
    keep: frozenset[Square] = frozenset()
    line: tuple[Move, ...] = ()
    perfect: bool = False
    wishes: ProblemConstraints = field(default_factory=ProblemConstraints)

    def allows(self, made: ReworkedProblem) -> bool:
        """Return whether a problem has the grade, position and line that are wanted."""
        graded = made.grade is Grade.PERFECT or not self.perfect
        position, line = made.position, made.judgement.line
        return graded and self.wishes.allow_position(position) and self.wishes.allow_line(position, line)


@dataclass(frozen=True)
class Repair(ReworkedProblem):
    """A repair; ``alternatives`` do the same with a piece elsewhere, or the same piece on another square."""

    alternatives: tuple[ChangedPosition, ...] = ()


@dataclass(frozen=True)
class Mended:
    """The repairs that were found, best first; ``complete`` unless a limit ended the search before.

    Of ``tried`` changed positions ``mating`` were seen to mate. ``nearest``: where there is no repair, the
    one of these that is nearest to a problem, with its judgement.
    """

    repairs: tuple[Repair, ...]
    complete: bool
    tried: int = 0
    mating: int = 0
    nearest: ReworkedProblem | None = None


class _MatingPosition(NamedTuple):
    changed: ChangedPosition
    length: int
    packed: PackedPosition

    @property
    def position(self) -> Position:
        return self.changed.position


class _FlawedPosition(NamedTuple):
    tried: _MatingPosition
    cooks: int


class _Repairs:
    """The repairs of one search that are as asked, those that differ in a detail together."""

    def __init__(self, aim: RepairRequest) -> None:
        self._aim = aim
        self._intended = _course(aim.line)
        self._groups: list[list[ReworkedProblem]] = []

    def add(self, made: ReworkedProblem) -> None:
        """Add a repair to those like it, unless it is not as asked or its position was reached with as few changes."""
        if not self._aim.allows(made):
            return
        for same in self._groups:
            known = next((one for one in same if one.position == made.position), None)
            if known is not None and len(known.changes) <= len(made.changes):
                return
            if known is not None:
                same.remove(known)
        self._groups = [same for same in self._groups if same]
        group = next((group for group in self._groups if _is_alike(group[0], made)), None)
        if group is None:
            self._groups.append([made])
        else:
            group.append(made)

    @property
    def number_perfect(self) -> int:
        """How many different perfect repairs there are."""
        return sum(group[0].grade is Grade.PERFECT for group in self._groups)

    def best(self, most: int) -> tuple[Repair, ...]:
        """Return the repairs, best first."""
        found = []
        for first, *others in self._ranked()[:most]:
            alternatives = tuple(ChangedPosition(one.changes, one.position) for one in others)
            found.append(Repair(first.changes, first.position, first.judgement, alternatives))
        return tuple(found)

    def settled(self, tester: ChangeTester, most: int) -> _Repairs:
        """So many of the best, or more, with what the judge left open in them settled, as far as nodes go."""
        done = _Repairs(self._aim)
        for group in self._ranked():
            if len(done._groups) >= most:
                break
            for one in group:
                try:
                    made = tester.settled(one)
                except LimitReached:
                    made = one
                if made is not None:
                    done.add(made)
        return done

    def _ranked(self) -> list[list[ReworkedProblem]]:
        groups = [sorted(group, key=self._rank) for group in self._groups]
        return sorted(groups, key=lambda group: self._rank(group[0]))

    def _rank(self, repair: ReworkedProblem) -> tuple[bool, int, bool, bool]:
        """The intended line comes first, then fewer changes, the perfect ones, and no new promoted piece."""
        return (
            bool(self._intended) and _unshifted_course(repair) != self._intended,
            len(repair.changes),
            repair.grade is not Grade.PERFECT,
            bring_promoted(repair.changes),
        )


def _is_alike(one: ReworkedProblem, other: ReworkedProblem) -> bool:
    """Whether two repairs differ in a detail only: one line, one effect, and changes of the same pieces."""
    return (
        one.judgement.grade is other.judgement.grade
        and one.judgement.blemishes == other.judgement.blemishes
        and _unshifted_course(one) == _unshifted_course(other)
        and len(one.changes) == len(other.changes)
        and all(_changes_alike(change, same) for change, same in zip(one.changes, other.changes, strict=True))
    )


def _changes_alike(one: PositionChange, other: PositionChange) -> bool:
    """Return whether two changes bring the same piece somewhere, or pieces of a side to the same square."""
    if one.sort is not other.sort:
        return False
    if one.sort is ChangeKind.ADDED:
        both_on_board = one.square is not None and other.square is not None
        same_place = one.square == other.square and _same_side(one.piece, other.piece)
        return same_place or (one.piece == other.piece and both_on_board)
    if one.sort is ChangeKind.EXCHANGED:
        return (one.piece, one.square) == (other.piece, other.square) and _same_side(one.other, other.other)
    return (one.piece, one.square) == (other.piece, other.square)


def _same_side(one: Piece | None, other: Piece | None) -> bool:
    return one is not None and other is not None and one.side is other.side


def _course(line: Line) -> tuple[object, ...]:
    """Return the course of a line and its length, without the last move, which may have alternatives."""
    return (len(line), *line_course(line)[: max(1, len(line) - 1)]) if line else ()


def _unshifted_course(made: ReworkedProblem) -> tuple[object, ...]:
    """Return the course of a line where everything stood before shifts."""
    line = made.judgement.line
    for change in reversed(made.changes):
        if change.sort is ChangeKind.SHIFTED:
            back = change._replace(step=(-change.step[0], -change.step[1]))
            line = next(iter(lines_after_change(line, back)), line)
    return _course(line)


def _nearest_to_repair(flawed: Sequence[_FlawedPosition], aim: RepairRequest) -> list[ChangedPosition]:
    """Those with the fewest second solutions at the first move, and nearly of the length that is wished."""
    wished = aim.length or len(aim.line)
    ranked = sorted(
        (cooks + (abs(one.length - wished) // 2 if wished else 0), place) for place, (one, cooks) in enumerate(flawed)
    )
    return [flawed[place].tried.changed for _, place in ranked[:_WIDTH]]


class Mender:
    """Repairs positions with one engine."""

    def __init__(self, engine: DfPnEngine | None = None) -> None:
        self._tester = ChangeTester(engine)
        self._engine = self._tester.engine
        self._mating: list[_MatingPosition] = []
        self._tried, self._edits = 0, 0

    def mend(
        self, position: Position, aim: RepairRequest, edits: int = 2, most: int = 5, limits: Limits | None = None
    ) -> Mended:
        """At most ``most`` repairs of at most ``edits`` changes.

        Those with the intended line come first, then those with fewer changes, and of these the perfect ones.
        The search ends with as many perfect ones, and tries more changes only while there is none. None has
        a piece that the judge calls unnecessary.
        """
        self._tester.begin(position)
        self._tried, self._mating, self._edits = 0, [], edits
        found = _Repairs(aim)
        complete = True
        try:
            with self._engine.within(limits or Limits()):
                parents = [ChangedPosition((), position)]
                for _ in range(edits):
                    flawed: list[_FlawedPosition] = []
                    for repair in self._repairs(parents, aim, flawed):
                        found.add(repair)
                        if found.number_perfect == most:
                            break
                    if found.number_perfect:
                        break
                    parents = _nearest_to_repair(flawed, aim)
        except LimitReached:
            complete = False
        with self._engine.within(Limits(nodes=_SETTLING_NODES if complete else _SETTLING_NODES // 10)):
            repairs = found.settled(self._tester, most).best(most)
        nearest = None if repairs else self._nearest(aim)
        return Mended(repairs, complete, self._tried, len(self._mating), nearest)

    def _nearest(self, aim: RepairRequest) -> ReworkedProblem | None:
        """Of the positions that mate the one nearest to a problem, with its judgement, as far as nodes go."""
        wished = aim.length or len(aim.line) or _USUAL_LENGTH
        found: list[ReworkedProblem] = []
        likely = sorted(self._mating, key=lambda one: (len(one.changed.changes), abs(one.length - wished)))
        try:
            with self._engine.within(Limits(nodes=_NEAREST_NODES)):
                flawed = [_FlawedPosition(one, self._cooks(one)) for one in likely[:_WIDTH]]
                for changed in _nearest_to_repair(flawed, aim)[:_MAX_NEAREST]:
                    length = next(one.length for one in likely if one.changed == changed)
                    found.append(self._tester.judged(changed, length))
        except LimitReached:
            pass
        graded = [one for one in found if one.judgement.grade and not (aim.perfect and one.judgement.faults)]
        marks = [(len(one.judgement.faults.names), len(one.judgement.blemishes.names)) for one in graded]
        return graded[marks.index(min(marks))] if graded else None

    def _repairs(
        self, parents: Sequence[ChangedPosition], aim: RepairRequest, flawed: list[_FlawedPosition]
    ) -> Iterator[ReworkedProblem]:
        """Correct problems one change from the parents; the others that mate are added to ``flawed``.

        What is soon known comes sooner; of that, first those without a flaw as far as quick tests go, in the order in
        which people would compose them, then those that may have blemishes. Raises `LimitReached`.
        """
        last = LONGEST if aim.length is None else aim.length + 2
        still: list[ChangedPosition] = []
        for number, (nodes, size, most) in enumerate(_ROUNDS):
            batches = (
                (still[begin : begin + size] for begin in range(0, min(len(still), most), size))
                if number
                else (self._tester.positions_after_change(parent, aim.keep) for parent in parents)
            )
            rest: list[_MatingPosition] = []
            unknown: list[ChangedPosition] = []
            for batch in batches:
                self._tried += 0 if number else len(batch)
                packed_positions = pack_all([one.position for one in batch])
                lengths = self._engine.short_lengths(packed_positions, last, nodes)
                self._engine.check_limits()
                unknown += [one for one, n in zip(batch, lengths, strict=True) if n < 0]
                # Those that mate, but not in one: such a problem is not worth a search.
                mating = [
                    _MatingPosition(one, int(n), packed)
                    for one, packed, n in zip(batch, packed_positions, lengths, strict=True)
                    if n > 1
                ]
                self._mating.extend(mating)
                sound: list[_MatingPosition] = []
                for found in mating:
                    is_sound = aim.length in (None, found.length) and self._tester.is_sound(found.packed, found.length)
                    (sound if is_sound else rest).append(found)
                yield from self._judged_correct(sound, aim)
            cooks = [_FlawedPosition(one, self._cooks(one)) for one in rest]
            flawed += cooks
            one_key = [one for one, number in cooks if number == 1 and aim.length in (None, one.length)]
            yield from self._judged_correct(one_key, aim)
            still = unknown if number else self._likeliest_first(unknown, aim)

    def _likeliest_first(self, found: Sequence[ChangedPosition], aim: RepairRequest) -> list[ChangedPosition]:
        """Return the positions in the order in which they are worth a longer search. First those in which the given
        line mates, then those without a new promoted piece, and of these what people would sooner compose."""
        values = model_for_length(aim.length or len(aim.line) or _USUAL_LENGTH).values
        line = tuple(map(pack_move, aim.line))

        def rank(one: ChangedPosition) -> tuple[bool, bool, float]:
            packed = pack(one.position)
            keeps = bool(line) and self._engine.answered_within(
                _KEEPING_NODES, lambda: self._engine.keeps_line(packed, line)
            )
            return not keeps, bring_promoted(one.changes), -float(values[traits_of_position(packed)].sum())

        return sorted(found, key=rank)

    def _judged_correct(self, sound: Sequence[_MatingPosition], aim: RepairRequest) -> Iterator[ReworkedProblem]:
        """Yield the correct ones, in the order in which a composer would look at them.

        Those with the given line come first, then those without a new promoted piece; of these one of each
        length in turn, long ones first, and what is likely with few and light pieces.
        """
        by_length: dict[int, list[tuple[bool, bool, int, int]]] = {}
        for place, one in enumerate(sound):
            line = self._tester.line(one.packed, one.length)
            if line and aim.wishes.may_allow(one.position, line):
                economy = material_value(one.position) - likeness_of(one.position, line)
                rank = line != aim.line, bring_promoted(one.changed.changes), economy, place
                by_length.setdefault(one.length, []).append(rank)
        order = sorted(
            (is_other, promoted, turn, -length, place)
            for length, ranks in by_length.items()
            for turn, (is_other, promoted, _, place) in enumerate(sorted(ranks))
        )
        for *_, place in order:
            repair = self._tester.judged_if_correct(sound[place].changed, sound[place].length)
            if repair is not None:
                repair = self._tester.without_unnecessary_pieces(repair, self._edits)
            if repair is not None:
                yield repair

    def _cooks(self, tried: _MatingPosition) -> int:
        """Return how many checks mate within the margin, few of them or all."""
        self._engine.check_limits()
        checks = legal_checks(tried.packed)
        mating = self._engine.answered_within(
            QUICK_NODES, lambda: self._engine.mating(tried.packed, checks, tried.length + QUICK_MARGIN)
        )
        return _MAX_COOKS if mating is None else min(len(mating), _MAX_COOKS)
