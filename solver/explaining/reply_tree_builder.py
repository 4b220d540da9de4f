"""Builds reply trees: from the start on, the turn after the best answer to each check that mates."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field

from solver.engines.base import MateEngine
from solver.engines.futile_drops import asked_by_cell
from solver.explaining.explanation import Proof
from solver.explaining.refuting import MatesLater, Refuter
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
from solver.limits import LimitReached
from solver.results import Limits, Mate, NoMate
from solver.solving.deepening import search_length
from solver.solving.form import differs_in_form_only
from solver.solving.tree import TreeBuilder
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packing import Record, pack, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.position import Position
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import Moves, line_played, played

MOST_TURNS = 1000
"""Turns of a tree, if nothing else is asked for."""
PROOF_NODES = 400_000
"""Nodes for proofs that checks fail at any length, all together, if nothing else is asked for."""
_ROUNDS, _GROWTH = (1000, 4000, 16_000), 4
"""Nodes for the first questions about an open check, and how much more each further one gets."""
_FOR_BOUNDS, _MOST_FOR_A_BOUND, _LEAST_FOR_A_BOUND = 100_000, 10_000, 1000
"""Nodes for all bounds together, and for one of them the most and the least."""
_TURNS_FOR_A_LINE = 400
_ORDER = (Rank.KEY, Rank.FORM, Rank.AS_SOON, Rank.LATER)

Place = tuple[int, int]
"""The name of a position: its key and the attacker's hand."""


def reply_tree(
    engine: MateEngine,
    position: Position,
    limits: Limits,
    *,
    most_turns: int = MOST_TURNS,
    all_answers: bool = False,
    proof_nodes: int = PROOF_NODES,
) -> ReplyTree:
    """The reply tree of a position; its start must be legal (`tsume_rules.game.start_faults`).

    The engine forgets first: so the best line is the one of `solver.solving.solve`, and the tree does
    not depend on earlier positions. With ``all_answers`` the turns after all answers follow, not only
    those after the best ones. No more than ``most_turns`` turns are made; ``limits`` end the work too.
    """
    engine.forget()
    builder = _Builder(engine, pack(position), most_turns, all_answers, proof_nodes)
    with engine.within(Limits(limits.nodes, limits.seconds)), suppress(LimitReached):
        builder.build()
    return builder.tree()


@dataclass
class _Answer:
    """An answer and the place it leads to."""

    move: int
    length: int
    place: Place
    line: Moves = ()
    take: int | None = None
    best: bool = False


@dataclass
class _Mating:
    """A check that mates."""

    length: int
    rank: Rank
    answers: list[_Answer]


@dataclass
class _Turn:
    """A turn that is being filled; ``key`` and ``reply`` are given on the best line."""

    path: Moves
    length: int | None
    key: int | None = None
    reply: int | None = None
    results: dict[int, _Mating | Fails | Open] = field(default_factory=dict)

    @property
    def known(self) -> int:
        """The plies within which the checks that are not ``results`` are known not to mate."""
        return self.length or -1


_Asked = tuple[_Turn, int]
"""A check that is asked about, and its turn."""


class _Builder:
    """Fills the turns; ``record`` stands at the start. Methods raise `LimitReached`."""

    def __init__(
        self, engine: MateEngine, record: Record, most_turns: int, all_answers: bool, proof_nodes: int
    ) -> None:
        self._engine = engine
        self._record = record
        self._room = most_turns
        self._all_answers = all_answers
        self._refuter = Refuter(engine)
        self._lines = TreeBuilder(engine, most_turns=_TURNS_FOR_A_LINE, complete=False)
        self._turns: dict[Place, _Turn] = {}
        self._waiting: deque[_Turn] = deque()
        self._later: deque[tuple[Place, Moves, int]] = deque()
        self._line: Moves = ()
        self._no_mate = False
        self._proof_nodes = proof_nodes
        self._new: list[_Asked] = []
        self._bounded: list[_Asked] = []
        self._add(_place(record), (), None)

    def build(self) -> None:
        """Fill all turns, then spend ``proof_nodes`` on the checks that are still open."""
        result = search_length(self._engine, self._record, Limits())
        if isinstance(result, Mate):
            self._add_best_line(result.length)
        elif isinstance(result, NoMate):
            self._no_mate = True
        else:
            return
        nodes = _ROUNDS[-1]
        while True:
            self._settle_new()
            if not self._bounded or self._proof_nodes <= 0:
                return
            nodes *= _GROWTH
            self._bounded = self._settle(self._bounded, nodes)

    def _fill_turns(self) -> None:
        while self._waiting or self._later:
            if self._waiting:
                turn = self._waiting.popleft()
                with line_played(self._record, turn.path):
                    self._fill(turn)
            else:
                self._add(*self._later.popleft())

    def _settle_new(self) -> None:
        """Fill the turns that wait, and give each open check there a result, if only within a bound."""
        while self._waiting or self._later or self._new:
            self._fill_turns()
            still_open, self._new = self._new, []
            for nodes in _ROUNDS:
                still_open = self._settle(still_open, nodes)
            self._bound(still_open)

    def _settle(self, checks: list[_Asked], nodes: int) -> list[_Asked]:
        """Ask what becomes of checks at any length, with so many nodes for each; those still open."""
        still_open = []
        for turn, check in checks:
            most = nodes if nodes == _ROUNDS[0] else min(nodes, self._proof_nodes)
            before = self._engine.nodes
            with line_played(self._record, turn.path):
                if most <= 0 or not self._enter(
                    turn, check, self._refuter.at_any_length(self._record, check, turn.known, most)
                ):
                    still_open.append((turn, check))
            self._proof_nodes -= self._engine.nodes - before
        return still_open

    def _bound(self, checks: list[_Asked]) -> None:
        """Find out for open checks within how many plies they do not mate."""
        nodes = max(_LEAST_FOR_A_BOUND, min(_MOST_FOR_A_BOUND, _FOR_BOUNDS // max(1, len(checks))))
        for turn, check in checks:
            with line_played(self._record, turn.path):
                self._enter(turn, check, self._refuter.within_a_bound(self._record, check, turn.known, nodes))
            found = turn.results.get(check)
            if found is None or (isinstance(found, Fails) and found.proof is Proof.BOUNDED):
                self._bounded.append((turn, check))

    def _add_best_line(self, length: int) -> None:
        """Add the turns of the best line, so that they come first."""
        builder = TreeBuilder(self._engine, most_turns=_TURNS_FOR_A_LINE, complete=False)
        self._line = builder.turn(self._record, length).line()
        for ply in range(0, len(self._line), 2):
            with line_played(self._record, self._line[:ply]):
                turn = self._add(_place(self._record), self._line[:ply], self._exact(length + ply))
            if turn is None:
                return
            turn.key = self._line[ply]
            turn.reply = self._line[ply + 1] if ply + 1 < len(self._line) else None

    def _exact(self, at_most: int) -> int:
        """The plies of the shortest mate, known to be no more than ``at_most``."""
        return next(n for n in range(1, at_most + 2, 2) if self._engine.mates(self._record, n))

    def _add(self, place: Place, path: Moves, length: int | None) -> _Turn | None:
        """The turn of a place, added if it is new; None if there is no room for it."""
        if place in self._turns:
            turn = self._turns[place]
            turn.length = turn.length or length
            return turn
        if len(self._turns) >= self._room:
            return None
        turn = self._turns[place] = _Turn(path, length)
        self._waiting.append(turn)
        return turn

    # --- one turn -------------------------------------------------------------------

    def _fill(self, turn: _Turn) -> None:
        record, n = self._record, turn.length
        checks = legal_checks(record)
        mating = [] if n is None else self._engine.mating(record, checks, n)
        if n is not None and turn.key is None:
            turn.key = self._lines.turn(record, n).key
        for check in mating:
            self._add_mating(turn, check, n or 0, self._rank(turn, check))
        for check in checks:
            if check not in mating and not self._enter(turn, check, self._refuter.at_once(record, check)):
                self._new.append((turn, check))

    def _enter(self, turn: _Turn, check: int, found: Fails | MatesLater | None) -> bool:
        """Enter what was found out about a check; whether it was anything."""
        if isinstance(found, MatesLater) and found.length is not None:
            self._add_mating(turn, check, found.length, self._rank(turn, check, Rank.LATER))
        elif found is not None:
            turn.results[check] = (
                Open(unpack_move(check), mates=True) if isinstance(found, MatesLater) else found
            )
        return found is not None

    def _rank(self, turn: _Turn, check: int, otherwise: Rank = Rank.AS_SOON) -> Rank:
        if check == turn.key:
            return Rank.KEY
        if otherwise is Rank.LATER or turn.key is None:
            return otherwise
        return Rank.FORM if differs_in_form_only(self._record, turn.key, check) else otherwise

    # --- one check that mates ---------------------------------------------------------

    def _add_mating(self, turn: _Turn, check: int, length: int, rank: Rank) -> None:
        best = self._best(turn, check, length)
        with played(self._record, check, Side.ATTACKER):
            answers = self._answers(length - 1, best)
            for answer in answers:
                self._follow((*turn.path, check, answer.move), answer)
        turn.results[check] = _Mating(length, rank, answers)

    def _best(self, turn: _Turn, check: int, length: int) -> int | None:
        """The answer that is played; None after mate."""
        if length == 1:
            return None
        if check == turn.key and turn.reply is not None:
            return turn.reply
        reply = self._lines.after(self._record, check, length).reply
        return reply.moves[0] if reply else None

    def _answers(self, n: int, best: int | None) -> list[_Answer]:
        """All answers of a defender mated in exactly n plies, the best first, then the longest."""
        record = self._record
        found: list[_Answer] = []

        def taken(cell: int) -> int | None:
            return self._engine.futile_by(record, cell, n)

        for move, take in asked_by_cell(record, legal_evasions(record), taken, None):
            with played(record, move, Side.DEFENDER):
                length = self._exact(n - 1 if take is None else n + 1)
                found.append(_Answer(move, length, _place(record), (), take, move == best))
        return sorted(found, key=lambda answer: (not answer.best, answer.take is not None, -answer.length))

    def _follow(self, path: Moves, answer: _Answer) -> None:
        """Add the turn after an answer, or the line that mates after it."""
        if answer.best and self._add(answer.place, path, answer.length):
            return
        with played(self._record, answer.move, Side.DEFENDER):
            answer.line = self._mate(answer)
        if self._all_answers and not answer.best:
            self._later.append((answer.place, path, answer.length))

    def _mate(self, answer: _Answer) -> Moves:
        """A shortest mate after an answer, after a futile drop by its capture if that mates as soon."""
        take = answer.take
        if take is not None and self._engine.mates_after(self._record, take, answer.length):
            return self._lines.after(self._record, take, answer.length).line()
        return self._lines.turn(self._record, answer.length).line()

    # --- the tree ---------------------------------------------------------------------

    def tree(self) -> ReplyTree:
        """The tree as far as it was built."""
        ids = {place: number for number, place in enumerate(self._turns)}
        turns = tuple(self._finished(number, turn, ids) for number, turn in enumerate(self._turns.values()))
        line = tuple(map(unpack_move, self._line))
        return ReplyTree(line, turns, self._is_complete(turns), self._no_mate)

    def _is_complete(self, turns: tuple[TreeTurn, ...]) -> bool:
        """Whether no check is open, and every answer that should lead to a turn does."""
        results = [result for turn in turns for result in turn.checks]
        answers = (answer for result in results if isinstance(result, Mates) for answer in result.answers)
        cut = (answer for answer in answers if (answer.best or self._all_answers) and answer.turn is None)
        return not any(isinstance(result, Open) for result in results) and not any(cut)

    def _finished(self, number: int, turn: _Turn, ids: dict[Place, int]) -> TreeTurn:
        with line_played(self._record, turn.path):
            checks = legal_checks(self._record)
        results = [self._result(check, turn.results.get(check), ids) for check in checks]
        key = None if turn.key is None else unpack_move(turn.key)
        path = tuple(map(unpack_move, turn.path))
        return TreeTurn(number, path, turn.length, key, tuple(sorted(results, key=_place_in_turn)))

    def _result(self, check: int, found: _Mating | Fails | Open | None, ids: dict[Place, int]) -> CheckResult:
        if found is None:
            return Open(unpack_move(check))
        if not isinstance(found, _Mating):
            return found
        answers = tuple(self._answer_result(answer, ids) for answer in found.answers)
        return Mates(unpack_move(check), found.length, found.rank, answers)

    def _answer_result(self, answer: _Answer, ids: dict[Place, int]) -> AnswerResult:
        turn = ids.get(answer.place) if answer.best or self._all_answers else None
        line = () if turn is not None else tuple(map(unpack_move, answer.line))
        take = None if answer.take is None else unpack_move(answer.take)
        return AnswerResult(unpack_move(answer.move), answer.length, line, turn, take, answer.best)


def _place(record: Record) -> Place:
    return int(record.key), int(packed_hand(record))


def _place_in_turn(result: CheckResult) -> tuple[int, int, int]:
    if isinstance(result, Mates):
        return 0, _ORDER.index(result.rank), result.length
    return (1 if isinstance(result, Open) else 2), 0, 0
