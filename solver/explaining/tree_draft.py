# SPDX-License-Identifier: GPL-3.0-or-later
"""A reply tree under construction, in the kernels' move codes."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.explaining.causes import forbidden_move
from solver.explaining.reply_tree import (
    AnswerResult,
    CheckResult,
    Fails,
    Mates,
    Open,
    Rank,
    ReplyTree,
    TreeTurn,
)
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packing import Record, unpack_move
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import Moves, line_played

_ORDER = (Rank.KEY, Rank.FORM, Rank.AS_SOON, Rank.LATER)

Place = tuple[int, int]
"""The identity of a position: its key and the attacker's hand."""


def place_of(record: Record) -> Place:
    """The identity of the position of a record."""
    return int(record.key), int(packed_hand(record))


@dataclass
class DraftAnswer:
    """An answer to a mating check: the length of the mate after it, and the position it leads to."""

    move: int
    length: int
    place: Place
    take: int | None = None
    best: bool = False
    line: Moves = ()


@dataclass
class DraftMate:
    """A check that mates, and all answers to it."""

    length: int
    rank: Rank
    answers: list[DraftAnswer]


@dataclass
class DraftTurn:
    """A turn with the ``results`` so far. On the best line ``key`` and ``reply`` are set."""

    path: Moves
    length: int | None
    key: int | None = None
    reply: int | None = None
    results: dict[int, DraftMate | Fails | Open] = field(default_factory=dict)

    @property
    def known(self) -> int:
        """The plies within which no check outside ``results`` mates; -1 if unknown."""
        return self.length or -1


class TreeDraft:
    """The turns of a tree from where ``record`` stands, at most ``most_turns``.

    With ``all_answers`` every answer should lead to a turn, otherwise only the best ones.
    """

    def __init__(self, record: Record, most_turns: int, *, all_answers: bool) -> None:
        self._record = record
        self._room = most_turns
        self._all_answers = all_answers
        self._turns: dict[Place, DraftTurn] = {}
        self.line: Moves = ()
        self.no_mate = False

    def turn(self, place: Place) -> DraftTurn | None:
        """The turn of a position, if there is one."""
        return self._turns.get(place)

    def add(self, place: Place, path: Moves, length: int | None) -> DraftTurn | None:
        """Add the turn of a new position; None if the tree is full."""
        if len(self._turns) >= self._room:
            return None
        self._turns[place] = DraftTurn(path, length)
        return self._turns[place]

    def turns(self) -> list[DraftTurn]:
        """All turns, those of the best line first."""
        return list(self._turns.values())

    def close(self) -> None:
        """Allow no further turns."""
        self._room = 0

    def drop_unfilled(self) -> None:
        """Remove the turns of which nothing but the length is known; the start stays."""
        self._turns = {place: turn for place, turn in self._turns.items() if turn.key or not turn.path}

    def tree(self) -> ReplyTree:
        """The tree with the results so far; a check without one is open."""
        ids = {place: number for number, place in enumerate(self._turns)}
        turns = tuple(self._turn(number, turn, ids) for number, turn in enumerate(self._turns.values()))
        line = tuple(map(unpack_move, self.line))
        return ReplyTree(line, turns, not any(map(self._is_cut, turns)), self.no_mate)

    def _is_cut(self, turn: TreeTurn) -> bool:
        """Whether a check is open, or an answer that should lead to a turn does not."""
        return any(
            isinstance(result, Open)
            or (
                isinstance(result, Mates)
                and any((a.best or self._all_answers) and a.turn is None for a in result.answers)
            )
            for result in turn.checks
        )

    def _turn(self, number: int, turn: DraftTurn, ids: dict[Place, int]) -> TreeTurn:
        with line_played(self._record, turn.path):
            checks, forbidden = legal_checks(self._record), forbidden_move(self._record)
        results = [self._result(check, turn.results.get(check), ids) for check in checks]
        key = None if turn.key is None else unpack_move(turn.key)
        path = tuple(map(unpack_move, turn.path))
        return TreeTurn(number, path, turn.length, key, tuple(sorted(results, key=_place_in_turn)), forbidden)

    def _result(
        self, check: int, found: DraftMate | Fails | Open | None, ids: dict[Place, int]
    ) -> CheckResult:
        if found is None:
            return Open(unpack_move(check))
        if not isinstance(found, DraftMate):
            return found
        answers = tuple(self._answer(answer, ids) for answer in found.answers)
        return Mates(unpack_move(check), found.length, found.rank, answers)

    def _answer(self, answer: DraftAnswer, ids: dict[Place, int]) -> AnswerResult:
        turn = ids.get(answer.place) if answer.best or self._all_answers else None
        line = () if turn is not None else tuple(map(unpack_move, answer.line))
        take = None if answer.take is None else unpack_move(answer.take)
        return AnswerResult(unpack_move(answer.move), answer.length, line, turn, take, answer.best)


def _place_in_turn(result: CheckResult) -> tuple[int, int, int]:
    if isinstance(result, Mates):
        return 0, _ORDER.index(result.rank), result.length
    return (1 if isinstance(result, Open) else 2), 0, 0
