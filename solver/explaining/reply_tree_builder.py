# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds reply trees: from the start, the turn after the best answer to each mating check."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field

from solver.engines.base import MateEngine, asked_by_cell
from solver.explaining.causes import Causes, forbidden_move
from solver.explaining.explanation import (
    AnswerResult,
    CheckResult,
    Fails,
    Mates,
    Open,
    Proof,
    Rank,
    ReplyTree,
    TreeTurn,
)
from solver.explaining.tries import LENGTH_NODES, MatesLater, Refuter
from solver.limits import LimitReached
from solver.results import Limits, Mate, NoMate
from solver.solving.deepening import search_length
from solver.solving.tree import TreeBuilder, differs_in_form_only
from tsume_rules.kernel.state import packed_hand
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    Record,
    legal_checks,
    legal_evasions,
    line_played,
    pack,
    pack_move,
    played,
    unpack_move,
)
from tsume_rules.position import Position, Side

# --- a reply tree under construction, in the kernels' move codes -----------------------------------

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


# --- the answers to a mating check: the best one, and the mate after each --------------------------

TURNS_FOR_A_LINE = 400
"""Turns of main trees to search for the best of equally long defences."""


class Replies:
    """Finds the answers to mating checks. All methods raise `LimitReached`."""

    def __init__(self, engine: MateEngine) -> None:
        self._engine = engine
        self._lines = TreeBuilder(engine, most_turns=TURNS_FOR_A_LINE, complete=False)

    def length(self, record: Record, at_most: int) -> int:
        """The plies of the shortest mate, known to be no more than ``at_most`` (odd)."""
        shorter = (n for n in range(1, at_most, 2) if self._engine.mates(record, n))
        return next(shorter, at_most)

    def key(self, record: Record, n: int) -> int:
        """The check that the best line gives at a turn that mates in exactly n plies."""
        return self._lines.turn(record, n).key

    def best(self, record: Record, check: int, n: int) -> int | None:
        """The best answer to a check that mates in exactly n plies; None after mate."""
        reply = self._lines.after(record, check, n).reply if n > 1 else None
        return reply.moves[0] if reply else None

    def answers(
        self, record: Record, n: int, best: int | None, *, only_best: bool = False
    ) -> list[DraftAnswer]:
        """All answers of a defender mated in exactly n plies, ``best`` first, then the longest.

        Futile drops come last. The answers have no lines. With ``only_best`` it is ``best`` alone, or after
        mate one futile drop, if there is any.
        """
        found = []
        moves = legal_evasions(record)
        if only_best:
            moves = moves[:1] if best is None else [best]

        def taken(cell: int) -> int | None:
            return self._engine.futile_by(record, cell, n)

        for move, take in asked_by_cell(record, moves, taken, None):
            with played(record, move, Side.DEFENDER):
                length = self.length(record, n - 1 if take is None else n + 1)
                found.append(DraftAnswer(move, length, place_of(record), take, move == best))
        return sorted(found, key=lambda answer: (not answer.best, answer.take is not None, -answer.length))

    def mate(self, record: Record, answer: DraftAnswer) -> Moves:
        """A shortest mate after an answer; after a futile drop it starts with the capture if that mates as
        soon.

        ``record`` stands before the answer.
        """
        take, n = answer.take, answer.length
        with played(record, answer.move, Side.DEFENDER):
            if take is not None and self._engine.mates_after(record, take, n):
                return self._lines.after(record, take, n).line()
            return self._lines.turn(record, n).line()


# --- building reply trees --------------------------------------------------------------------------

MOST_TURNS = 1000
"""Default number of turns of a tree."""
PROOF_NODES = 250_000
"""Default nodes for all proofs that checks fail at any length."""
_ROUNDS, _GROWTH = (1000, 4000, 16_000), 4
"""Nodes for the first searches of an open check, and the factor for each further one."""
LATER_NODES, MOST_LATER, MOST_ASIDE = 150_000, 12, 24
"""Nodes for checks that mate later than the key, all together, and how many of them are followed at most; how
many checks that mate as soon as the key of a turn beside the best line."""
_FOR_BOUNDS, _MOST_FOR_A_BOUND, _LEAST_FOR_A_BOUND = 100_000, 10_000, 1000
"""Nodes for all bounds found together, and for one of them the most and the least."""

POSITIONS_FOR_CAUSES = 500
"""Positions for the questions whether the attacker can only repeat."""
_Asked = tuple[DraftTurn, int]
"""A check being searched, and its turn."""


@dataclass(frozen=True)
class _Scope:
    """What a tree is to have, as `reply_tree` says."""

    all_answers: bool
    only_best: bool
    only_line: bool
    first_check: int | None
    proof_nodes: int
    rest_nodes: int | None


def reply_tree(
    engine: MateEngine,
    position: Position,
    limits: Limits,
    *,
    most_turns: int = MOST_TURNS,
    all_answers: bool = False,
    only_best: bool = False,
    proof_nodes: int = PROOF_NODES,
    rest_nodes: int | None = None,
    only_line: bool = False,
    first_check: Move | None = None,
) -> ReplyTree:
    """The reply tree of a position; its start must be legal (`tsume_rules.game.start_faults`).

    The engine's table is cleared first, so that the best line is that of `solver.solving.solve` and the
    tree does not depend on earlier positions. With ``all_answers`` the tree has the turns after all
    answers, not only after the best ones; with ``only_best`` it has no other answers. It has at most
    ``most_turns`` turns; ``limits`` end the work too.
    Checks that ``proof_nodes`` nodes do not refute at any length are refuted within a bound. Of the checks
    that mate later than the key (hundreds on an open board) the first are followed, those at the turns of
    the best line before others, within `LATER_NODES` and `MOST_LATER`; then `MOST_ASIDE` of those that mate
    as soon at other turns. The rest stays open. With ``only_line`` the tree has only the turns of the best
    line, their keys with all answers, and the checks that fail at any length. With ``first_check`` only this
    legal check of the start is looked at; the start's others stay open.

    ``rest_nodes`` bounds the nodes for all but the best line with its keys; checks that take more stay open,
    and turns that take more are not included.
    """
    engine.forget()
    record = pack(position)
    draft = TreeDraft(record, most_turns, all_answers=all_answers)
    first = None if first_check is None else pack_move(first_check)
    scope = _Scope(all_answers, only_best, only_line, first, proof_nodes, rest_nodes)
    builder = _Builder(engine, record, draft, scope)
    with engine.within(Limits(limits.nodes, limits.seconds)), suppress(LimitReached):
        builder.build()
    if rest_nodes is not None:
        draft.drop_unfilled()
    return draft.tree()


class _Builder:
    """Fills a draft; ``record`` stands at the start. Methods raise `LimitReached`."""

    def __init__(self, engine: MateEngine, record: Record, draft: TreeDraft, scope: _Scope) -> None:
        self._engine = engine
        self._record = record
        self._draft = draft
        self._scope = scope
        self._proof_nodes = scope.proof_nodes
        self._refuter = Refuter(engine)
        self._later_nodes, self._later_room, self._aside_room = LATER_NODES, MOST_LATER, MOST_ASIDE
        if scope.only_line:
            self._later_room = self._aside_room = 0
        self._replies = Replies(engine)
        self._waiting: deque[DraftTurn] = deque()
        self._later: deque[tuple[Place, Moves, int]] = deque()
        self._new: list[_Asked] = []
        self._bounded: list[_Asked] = []
        self._start = self._add(place_of(record), (), None)

    def build(self) -> None:
        """Fill all turns, then use the remaining nodes for checks refuted only within a bound."""
        result = search_length(self._engine, self._record, Limits())
        if isinstance(result, Mate):
            self._add_best_line(result.length)
        elif isinstance(result, NoMate):
            self._draft.no_mate = True
        else:
            return
        if self._scope.rest_nodes is not None:
            self._enter_keys()
            self._waiting.reverse()  # the last turns take the fewest nodes
        with self._engine.within(Limits(nodes=self._scope.rest_nodes)):
            nodes = _ROUNDS[-1]
            self._settle_new()
            while self._bounded and self._proof_nodes > 0:
                nodes *= _GROWTH
                self._bounded = self._settle(self._bounded, nodes)
                self._settle_new()
            # Find what decides that checks fail; those of the first turns have the positions for it.
            causes = Causes(self._engine, POSITIONS_FOR_CAUSES)
            for turn in self._draft.turns():
                with line_played(self._record, turn.path):
                    for check, found in turn.results.items():
                        if isinstance(found, Fails):
                            named = causes.with_cause(self._record, found, cycles=self._draft.no_mate)
                            turn.results[check] = named

    # --- turns ------------------------------------------------------------------------

    def _add_best_line(self, length: int) -> None:
        """Add the turns of the best line, so that they come first."""
        builder = TreeBuilder(self._engine, most_turns=TURNS_FOR_A_LINE, complete=False)
        line = self._draft.line = builder.turn(self._record, length).line()
        for ply in range(0, len(line), 2):
            with line_played(self._record, line[:ply]):
                n = self._replies.length(self._record, length + ply)
                turn = self._add(place_of(self._record), line[:ply], n)
            if turn is None:
                return
            turn.key, turn.reply = line[ply], line[ply + 1] if ply + 1 < len(line) else None
            if self._scope.first_check not in (None, line[0]):
                return
        if self._scope.only_line:
            self._draft.close()

    def _enter_keys(self) -> None:
        """Enter the keys of the best line before anything else."""
        for turn in tuple(self._waiting):
            with line_played(self._record, turn.path):
                if turn.key is not None and turn.key in self._checks(turn):
                    self._enter_as_soon(turn, turn.key)

    def _add(self, place: Place, path: Moves, length: int | None) -> DraftTurn | None:
        """The turn of a position, added if it is new; None if the tree is full."""
        turn = self._draft.turn(place)
        if turn is not None:
            turn.length = turn.length or length
            return turn
        turn = self._draft.add(place, path, length)
        if turn is not None:
            self._waiting.append(turn)
        return turn

    def _checks(self, turn: DraftTurn) -> list[int]:
        """The checks to look at, of a turn at which ``record`` stands."""
        if self._scope.first_check is None or turn is not self._start:
            return legal_checks(self._record)
        return [self._scope.first_check]

    # --- checks that do not mate as soon ------------------------------------------------

    def _settle_new(self) -> None:
        """Fill the queued turns, and give each open check there a result, if only within a bound."""
        while self._waiting or self._later or self._new:
            while self._waiting or self._later:
                if self._waiting:
                    turn = self._waiting.popleft()
                    with line_played(self._record, turn.path):
                        # Enter the results of a quick search of the checks of a turn.
                        record, n = self._record, turn.length
                        if n is not None and turn.key is None:
                            turn.key = self._replies.key(record, n)
                        checks = [check for check in self._checks(turn) if check not in turn.results]
                        lasting = [
                            c for c in checks if not self._enter(turn, c, self._refuter.at_once(record, c))
                        ]
                        mating = [] if n is None else self._engine.mating(record, lasting, n)
                        for check in mating:
                            self._enter_as_soon(turn, check)
                        self._new += [(turn, check) for check in lasting if check not in mating]
                else:
                    self._add(*self._later.popleft())
            still_open, self._new = self._new, []
            for nodes in _ROUNDS:
                still_open = self._settle(still_open, nodes)
            if not self._scope.only_line:
                self._bound(still_open)

    def _settle(self, checks: list[_Asked], nodes: int) -> list[_Asked]:
        """Search checks at any length, with this many nodes for each; returns the open ones."""
        still_open = []
        for turn, check in checks:
            most = nodes if nodes == _ROUNDS[0] else min(nodes, self._proof_nodes)
            before = self._engine.nodes
            with line_played(self._record, turn.path):
                found = self._at_any_length(turn, check, most) if most > 0 else None
                self._proof_nodes -= self._engine.nodes - before
                if not self._enter(turn, check, found):
                    still_open.append((turn, check))
        return still_open

    def _at_any_length(self, turn: DraftTurn, check: int, nodes: int) -> Fails | MatesLater | None:
        self._refuter.length_nodes = min(LENGTH_NODES, self._later_nodes) if self._later_room else 0
        return self._refuter.at_any_length(self._record, check, turn.known, nodes)

    def _bound(self, checks: list[_Asked]) -> None:
        """Find for open checks the plies within which they do not mate."""
        nodes = max(_LEAST_FOR_A_BOUND, min(_MOST_FOR_A_BOUND, _FOR_BOUNDS // max(1, len(checks))))
        for turn, check in checks:
            with line_played(self._record, turn.path):
                found = self._refuter.within_a_bound(self._record, check, turn.known, nodes)
                self._enter(turn, check, found)
            if found is None or (isinstance(found, Fails) and found.proof is Proof.BOUNDED):
                self._bounded.append((turn, check))

    def _enter(self, turn: DraftTurn, check: int, found: Fails | MatesLater | None) -> bool:
        """Enter the result of a check; returns whether there was one."""
        if isinstance(found, Fails):
            turn.results[check] = found
        elif found is not None:
            self._enter_later(turn, check, found.length)
        return found is not None

    def _enter_as_soon(self, turn: DraftTurn, check: int) -> None:
        """Enter a check that mates as soon as the key, open if it is not followed."""
        if check != turn.key and (self._scope.only_line or (turn.reply is None and turn.length != 1)):
            if not self._aside_room:
                turn.results[check] = Open(unpack_move(check), mates=True)
                return
            self._aside_room -= 1
        self._enter_mate(turn, check, turn.length or 0)

    def _enter_later(self, turn: DraftTurn, check: int, length: int | None) -> None:
        """Enter a check that mates later than the key, open if it is not followed."""
        if length is None or self._later_nodes <= 0 or not self._later_room:
            turn.results[check] = Open(unpack_move(check), mates=True)
            return
        before = self._engine.nodes
        self._enter_mate(turn, check, length)
        self._later_nodes -= self._engine.nodes - before
        self._later_room -= 1

    # --- checks that mate ---------------------------------------------------------------

    def _enter_mate(self, turn: DraftTurn, check: int, length: int) -> None:
        """Enter a check that mates in exactly ``length`` plies, and add the turns after it."""
        given = turn.reply if check == turn.key else None
        best = given or self._replies.best(self._record, check, length)
        rank = self._rank(turn, check, length)
        with played(self._record, check, Side.ATTACKER):
            answers = self._replies.answers(self._record, length - 1, best, only_best=self._scope.only_best)
            for answer in answers:
                path = (*turn.path, check, answer.move)
                if not (answer.best and self._add(answer.place, path, answer.length)):
                    if not self._scope.only_best:
                        answer.line = self._replies.mate(self._record, answer)
                    if self._scope.all_answers and not answer.best:
                        self._later.append((answer.place, path, answer.length))
        turn.results[check] = DraftMate(length, rank, answers)

    def _rank(self, turn: DraftTurn, check: int, length: int) -> Rank:
        if check == turn.key:
            return Rank.KEY
        if length != turn.length:
            return Rank.LATER
        is_form = turn.key is not None and differs_in_form_only(self._record, turn.key, check)
        return Rank.FORM if is_form else Rank.AS_SOON
