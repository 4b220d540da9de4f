"""Improvements of a correct problem that keep its line, or have it as the end of a longer one.

Every change that suits is tried; what keeps the line is ranked by what it would be worth, and tested in that
order. Then two changes: what keeps the line is changed once more, and where a piece that was needed is gone
a defender may do what it did. Moves are taken back from the original, and from what keeps its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.acceptance import Examiner
from generator.lenience import LenientExaminer
from generator.mending.changes import Change, Sort, Wanted
from generator.mending.introductions import Introducer
from generator.mending.kept_lines import Line, carried, course, suits
from generator.mending.kinds import Improvement, kind_of
from generator.mending.suggestions import Draft, Shelf, Suggestion, Wish, Worth, worth_of
from generator.mending.workbench import QUICK_NODES, Changed, Workbench, readable, starts_of
from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Blemish, Grade, Judgement, Limits
from tsume_rules.packing import Record, pack, pack_move
from tsume_rules.pieces import HAND_KINDS, Piece, Side
from tsume_rules.position import Position

_KEEPING_NODES = 3_000
"""For the test whether one position keeps the line."""
_WIDTH = 16
"""So many positions that keep the line are changed once more."""
_LOOSENING = (Sort.TAKEN_OFF, Sort.EXCHANGED)
"""Changes after which a further one may make up for what a piece did."""
_MAKING_UP = (Sort.ADDED, Sort.MOVED)
_TESTS = 60
"""So many of what one parent leads to are tested in full."""
_INTRODUCTION_TESTS = 15
"""And of the introductions of one parent."""
_GROWN = 60
"""From so many positions that keep the line are moves taken back."""
_GROWN_FIRST = 12
"""From so many before two changes are tried."""


@dataclass(frozen=True)
class Enriched:
    """The suggestions, best first; ``complete`` unless a limit ended the search before."""

    worth: Worth
    suggestions: tuple[Suggestion, ...]
    complete: bool


class Enricher:
    """Looks for improvements with one engine."""

    def __init__(self, engine: DfPnEngine | None = None) -> None:
        self._bench = Workbench(engine)

    def enrich(
        self, position: Position, judgement: Judgement, wish: Wish, limits: Limits | None = None
    ) -> Enriched:
        """The best improvements of a problem that is perfect or sound, as its judgement says."""
        self._bench.begin(position)
        search = _Search(self._bench, position, judgement, wish)
        complete = True
        try:
            with self._bench.engine.within(limits or Limits()):
                search.run()
        except LimitReached:
            complete = False
        return Enriched(search.worth, search.shelf.best(), complete)


class _Search:
    """The search for the improvements of one problem."""

    def __init__(self, bench: Workbench, position: Position, judgement: Judgement, wish: Wish) -> None:
        self._bench, self._engine = bench, bench.engine
        self._wish = wish
        self._length = len(judgement.line)
        self._strict = wish.grade is Grade.PERFECT or judgement.grade is Grade.PERFECT
        self._blemishes = frozenset(judgement.blemishes)
        self._improves_grade = wish.grade is Grade.PERFECT and judgement.grade is not Grade.PERFECT
        self._examiner, lenient = self._examiner_for(position)
        self._introducer = Introducer(self._engine, lenient=lenient)
        self._keeping: dict[Position, bool] = {}
        self.worth = worth_of(position, judgement.line)
        self.shelf = Shelf(wish.most)
        self._original = self._draft(Changed((), position), judgement.line)

    def _examiner_for(self, position: Position) -> tuple[Examiner, bool]:
        """Quick tests that a suggestion passes, and whether these are the lenient ones.

        A few perfect problems do not pass the strict ones; their like are found with the others only.
        """
        strict = Examiner(self._engine)
        if self._improves_grade:
            return strict, False
        record = pack(position)
        if self._engine.answered_within(QUICK_NODES, lambda: strict.solution(record, self._length)):
            return strict, False
        return LenientExaminer(self._engine), True

    def run(self) -> None:
        """Fill the shelf. Raises `LimitReached`."""
        kinds, edits = self._wish.kinds, self._wish.edits
        kept = self._edited([self._original]) if edits else []
        grown = [self._original, *_best(kept, _GROWN)]
        if Improvement.INTRODUCTION in kinds:
            self._introduce(grown[:_GROWN_FIRST])
        if kinds != {Improvement.INTRODUCTION}:
            parents = kept
            for level in range(2, edits + 1):
                made_up_for = self._edited(self._loosened(kept), _makes_up) if level == 2 else []
                parents = [*made_up_for, *self._edited(_best(parents, _WIDTH), self._further)]
        if Improvement.INTRODUCTION in kinds:
            self._introduce(grown[_GROWN_FIRST:])

    # --- changes that keep the line -------------------------------------------------------

    def _edited(self, parents: Sequence[Draft], wanted: Wanted = lambda _: True) -> list[Draft]:
        """What keeps the line one change from the parents; suggestions among it are put on the shelf."""
        found: list[Draft] = []
        for parent in parents:
            drafts = list(self._drafts(parent, wanted))
            self._try_each([draft for draft in drafts if self._may_be_better(draft)])
            found += drafts
        return found

    def _may_be_better(self, draft: Draft) -> bool:
        """Whether a draft is worth more, and has no piece that was added for nothing."""
        is_wished = draft.kind in self._wish.kinds and (self._improves_grade or draft.gain > 0)
        return (
            is_wished
            and self.shelf.wants(draft)
            and not (self._strict and self._adds_needlessly(draft.changed, draft.line))
        )

    def _drafts(self, parent: Draft, wanted: Wanted) -> Iterator[Draft]:
        """What one change of a parent leads to, if it keeps the line."""
        for one in self._bench.changed(
            parent.changed, self._wish.keep, lambda change: self._suits(change) and wanted(change)
        ):
            self._engine.check_limits()
            line = self._kept(one, parent.line)
            if line is not None:
                yield self._draft(one, line)

    def _suits(self, change: Change) -> bool:
        return suits(change, self._wish.kinds)

    def _kept(self, one: Changed, line: Line) -> Line | None:
        """The line after the last change, if it is the only solution as far as its own turns show."""
        return next(
            (kept for kept in carried(line, one.changes[-1]) if self._keeps(one.position, kept)), None
        )

    def _keeps(self, position: Position, line: Line) -> bool:
        record, packed = pack(position), tuple(map(pack_move, line))
        found = self._engine.answered_within(_KEEPING_NODES, lambda: self._engine.keeps_line(record, packed))
        return found is True

    def _adds_needlessly(self, one: Changed, line: Line) -> bool:
        """Whether the line is kept without a piece that was added as well."""
        for change in one.changes:
            if change.sort is Sort.ADDED and change.square is not None:
                without = one.position.with_piece(change.square, None)
                if without not in self._keeping:
                    self._keeping[without] = self._keeps(without, line)
                if self._keeping[without]:
                    return True
        return False

    def _further(self, change: Change) -> bool:
        """Whether what keeps the line may be changed so: a perfect problem needs no further piece."""
        return self._improves_grade or change.sort is not Sort.ADDED

    def _loosened(self, kept: Sequence[Draft]) -> list[Draft]:
        """The original without one piece, or with another in its place, where that does not keep the line."""
        keeping = {draft.changed.position for draft in kept}
        position = self._original.changed.position
        found = starts_of(position, self._wish.keep, lambda one: one.sort in _LOOSENING and self._suits(one))
        gone_first = sorted(found, key=lambda one: _LOOSENING.index(one[0].sort))
        return [
            self._original._replace(changed=Changed((change,), after))
            for change, after in gone_first
            if after not in keeping
        ]

    def _draft(self, one: Changed, line: Line) -> Draft:
        gain = worth_of(one.position, line).sum - self.worth.sum
        return Draft(one, line, kind_of(one.changes), self._length, round(gain, 1))

    # --- introductions --------------------------------------------------------------------

    def _introduce(self, parents: Sequence[Draft]) -> None:
        """Put on the shelf what introductions of the parents lead to."""
        for parent in parents:
            self._engine.check_limits()
            self._introducer.begin()
            found = self._introducer.introduced(
                parent.changed.position, parent.line, self._wish.plies, lambda *one: worth_of(*one).sum
            )
            drafts = [self._introduction(parent, position, line) for position, line in found]
            as_wished = [one for one in drafts if self._is_as_kept(one.changed.position)]
            self._try_each(as_wished, _INTRODUCTION_TESTS)

    def _introduction(self, parent: Draft, position: Position, line: Line) -> Draft:
        gain = round(worth_of(position, line).sum - self.worth.sum, 1)
        changed = Changed(parent.changed.changes, position)
        return Draft(changed, line, Improvement.INTRODUCTION, self._length, gain)

    def _is_as_kept(self, position: Position) -> bool:
        before = self._original.changed.position
        return all(position.board[sq] == before.board[sq] for sq in self._wish.keep)

    # --- tests ----------------------------------------------------------------------------

    def _try_each(self, drafts: Sequence[Draft], most: int = _TESTS) -> None:
        """Put on the shelf what is correct, the most valuable first, after at most so many tests."""
        tests = 0
        for draft in sorted(drafts, key=lambda one: -one.gain):
            if tests == most:
                return
            if self.shelf.wants(draft):
                tests += 1
                suggestion = self._suggestion(draft)
                if suggestion is not None and self.shelf.wants(draft):
                    self.shelf.put(draft, suggestion)

    def _suggestion(self, draft: Draft) -> Suggestion | None:
        """What a draft leads to if it is correct and has the line."""
        record, length = pack(draft.changed.position), len(draft.line)
        solution = self._engine.answered_within(QUICK_NODES, lambda: self._examiner.solution(record, length))
        self._engine.check_limits()
        if solution is None or course(readable(solution)) != course(draft.line):
            return None
        changed = self._minimal(draft, record, solution)
        if changed is None or (self._strict and not self._bench.may_be_perfect(changed, length)):
            return None
        made = self._bench.judged(changed, length)
        if made is None or not self._is_good(made.judgement):
            return None
        line = made.judgement.line
        if course(line) != course(draft.line):
            return None
        worth = worth_of(made.position, line)
        gain = round(worth.sum - self.worth.sum, 1)
        introduction = line[: length - self._length]
        return Suggestion(made.changes, made.position, made.judgement, draft.kind, introduction, worth, gain)

    def _minimal(self, draft: Draft, record: Record, line: tuple[int, ...]) -> Changed | None:
        """The draft without needless pieces, if only an introduction has made them so."""
        if not self._strict and Blemish.UNNECESSARY_PIECE in self._blemishes:
            return draft.changed
        position = self._engine.answered_within(QUICK_NODES, lambda: self._examiner.minimised(record, line))
        self._engine.check_limits()
        before = draft.changed.position
        if position is None or (position != before and not draft.introduction):
            return None
        return Changed(_together(draft.changed.changes, _missing(before, position)), position)

    def _is_good(self, judgement: Judgement) -> bool:
        """Whether it is perfect, or has no blemish that the original has not, where that is enough."""
        if judgement.grade is Grade.PERFECT:
            return True
        return not self._strict and self._blemishes.issuperset(judgement.blemishes)


def _makes_up(change: Change) -> bool:
    return change.sort in _MAKING_UP


def _best(drafts: Sequence[Draft], most: int) -> list[Draft]:
    return sorted(drafts, key=lambda draft: -draft.gain)[:most]


def _missing(before: Position, after: Position) -> Iterator[Change]:
    """The pieces that a position has not any more."""
    for sq, piece in enumerate(before.board):
        if piece is not None and after.board[sq] is None:
            yield Change(Sort.TAKEN_OFF, piece, sq)
    for kind, number in zip(HAND_KINDS, before.attacker_hand.counts, strict=False):
        gone = number - after.attacker_hand[kind]
        yield from [Change(Sort.TAKEN_OFF, Piece(Side.ATTACKER, kind))] * gone


def _together(changes: tuple[Change, ...], missing: Iterator[Change]) -> tuple[Change, ...]:
    """Changes one after the other; what is added and then taken off was never there."""
    found = list(changes)
    for change in missing:
        added = change._replace(sort=Sort.ADDED)
        if added in found:
            found.remove(added)
        else:
            found.append(change)
    return tuple(found)
