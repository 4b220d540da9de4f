# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds reply trees: from the start, the turn after the best answer to each mating check."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from solver.engines.base import MateEngine, futility_by_drop_cell
from solver.explaining import explanation
from solver.explaining.tries import LENGTH_NODES, CauseFinder, MatesLater, Place, Refuter, forbidden_move, position_id
from solver.results import LimitReached, Limits, Mate, NoMate
from solver.solving.deepening import search_length
from solver.solving.solve import best_line, line_builder
from solver.solving.tree import differs_in_form_only
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
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

_ORDER = (explanation.MateRank.KEY, explanation.MateRank.FORM, explanation.MateRank.AS_SOON, explanation.MateRank.LATER)


@dataclass
class DraftTurn:
    """A turn with the ``results`` so far. On the best line ``key`` and ``reply`` are set.

    ``places`` are the positions after checks that mate and their answers; the turns there get their numbers at the end.
    """

    path: Moves
    length: int | None
    key: int | None = None
    reply: int | None = None
    results: dict[int, explanation.CheckResult] = field(default_factory=dict)
    places: dict[Moves, Place] = field(default_factory=dict)

    @property
    def known(self) -> int:
        """Return the plies within which no check outside ``results`` mates; -1 if unknown."""
        return self.length or -1


def _moves(codes: Moves) -> tuple[Move, ...]:
    return tuple(map(unpack_move, codes))


# --- building reply trees --------------------------------------------------------------------------

MAX_TURNS = 1000
"""Default number of turns of a tree."""
PROOF_NODES = 250_000
"""Default nodes for all proofs that checks fail at any length."""
_ROUNDS, _GROWTH = (1000, 4000, 16_000), 4
"""Nodes for the first searches of an open check, and the factor for each further one."""
LATER_NODES, MAX_LATER, MAX_ASIDE = 150_000, 12, 24
"""Nodes for checks that mate later than the key, all together, and how many of them are followed at most; how
many checks that mate as soon as the key of a turn beside the best line."""
_FOR_BOUNDS, _MAX_FOR_A_BOUND, _MIN_FOR_A_BOUND = 100_000, 10_000, 1000
"""Nodes for all bounds found together, and for one of them the most and the least."""

POSITIONS_FOR_CAUSES = 500
"""Positions for the questions whether the attacker can only repeat."""
_Asked = tuple[DraftTurn, int]
"""A check being searched, and its turn."""


def reply_tree(
    engine: MateEngine,
    position: Position,
    limits: Limits,
    *,
    most_turns: int = MAX_TURNS,
    all_answers: bool = False,
    only_best: bool = False,
    proof_nodes: int = PROOF_NODES,
    rest_nodes: int | None = None,
    only_line: bool = False,
    first_check: Move | None = None,
) -> explanation.ReplyTree:
    """Return the reply tree of a position; its start must be legal (`tsume_rules.packed.start_faults`).

    The engine's table is cleared first, so that the best line is that of `solver.solving.solve` and the tree
    does not depend on earlier positions. With ``all_answers`` the tree has the turns after all answers, not
    only after the best ones; with ``only_best`` it has no other answers. It has at most ``most_turns`` turns;
    ``limits`` end the work too. Checks that ``proof_nodes`` nodes do not refute at any length are refuted
    within a bound. Of the checks that mate later than the key (hundreds on an open board) the first are
    followed, those at the turns of the best line before others, within `LATER_NODES` and `MAX_LATER`; then
    `MAX_ASIDE` of those that mate as soon at other turns. The rest stays open. With ``only_line`` the tree
    has only the turns of the best line, their keys with all answers, and the checks that fail at any length.
    With ``first_check`` only this legal check of the start is looked at; the start's others stay open.

    ``rest_nodes`` bounds the nodes for all but the best line with its keys; checks that take more stay open,
    and turns that take more are not included.
    """
    engine.forget()
    builder = _Builder(engine, pack(position), most_turns, proof_nodes)
    builder.all_answers, builder.only_best, builder.only_line = all_answers, only_best, only_line
    builder.first_check = None if first_check is None else pack_move(first_check)
    with engine.within(Limits(limits.nodes, limits.seconds)), suppress(LimitReached):
        builder.build(rest_nodes)
    return builder.tree(only_filled=rest_nodes is not None)


class _Builder:
    """Builds a tree of at most ``most_turns``; ``packed`` stands at the start. Raises `LimitReached`."""

    all_answers = False
    only_best = False
    only_line = False
    first_check: int | None = None
    """What the tree is to have, as `reply_tree` says."""

    def __init__(self, engine: MateEngine, packed: PackedPosition, most_turns: int, proof_nodes: int) -> None:
        self._engine = engine
        self._packed = packed
        self._room = most_turns
        self._proof_nodes = proof_nodes
        self._refuter = Refuter(engine)
        self._lines = line_builder(engine)
        self._later_nodes, self._later_room, self._aside_room = LATER_NODES, MAX_LATER, MAX_ASIDE
        self._turns: dict[Place, DraftTurn] = {}
        """The turns, those of the best line first."""
        self._line: Moves = ()
        self._no_mate = False
        self._waiting: deque[DraftTurn] = deque()
        self._later: deque[tuple[Place, Moves, int]] = deque()
        self._new: list[_Asked] = []
        self._bounded: list[_Asked] = []
        self._start = self._add(position_id(packed), (), None)

    def build(self, rest_nodes: int | None) -> None:
        """Fill all turns, then use the remaining nodes for checks refuted only within a bound."""
        if self.only_line:
            self._later_room = self._aside_room = 0
        result = search_length(self._engine, self._packed, Limits())
        if isinstance(result, Mate):
            self._add_best_line(result.length)
        elif isinstance(result, NoMate):
            self._no_mate = True
        else:
            return
        if rest_nodes is not None:
            # The keys of the best line come before anything else; the last turns take the fewest nodes.
            for turn in tuple(self._waiting):
                with line_played(self._packed, turn.path):
                    if turn.key is not None and turn.key in self._checks(turn):
                        self._enter_as_soon(turn, turn.key)
            self._waiting.reverse()
        with self._engine.within(Limits(nodes=rest_nodes)):
            nodes = _ROUNDS[-1]
            self._settle_queued_turns()
            while self._bounded and self._proof_nodes > 0:
                nodes *= _GROWTH
                self._bounded = self._settle(self._bounded, nodes)
                self._settle_queued_turns()
            # Find what decides that checks fail; those of the first turns have the positions for it.
            causes = CauseFinder(self._engine, POSITIONS_FOR_CAUSES)
            for turn in list(self._turns.values()):
                with line_played(self._packed, turn.path):
                    for check, found in turn.results.items():
                        if isinstance(found, explanation.FailingCheck):
                            named = causes.with_cause(self._packed, found, cycles=self._no_mate)
                            turn.results[check] = named

    # --- turns ------------------------------------------------------------------------

    def _add_best_line(self, length: int) -> None:
        """Add the turns of the best line, so that they come first."""
        line = self._line = best_line(self._engine, self._packed, length)
        for ply in range(0, len(line), 2):
            with line_played(self._packed, line[:ply]):
                n = self._length(self._packed, length + ply)
                turn = self._add(position_id(self._packed), line[:ply], n)
            if turn is None:
                return
            turn.key, turn.reply = line[ply], line[ply + 1] if ply + 1 < len(line) else None
            if self.first_check not in (None, line[0]):
                return
        if self.only_line:
            self._room = 0  # no further turns

    def _add(self, place: Place, path: Moves, length: int | None) -> DraftTurn | None:
        """Return the turn of a position, added if it is new; None if the tree is full."""
        turn = self._turns.get(place)
        if turn is not None:
            turn.length = turn.length or length
        elif len(self._turns) < self._room:
            turn = self._turns[place] = DraftTurn(path, length)
            self._waiting.append(turn)
        return turn

    def _checks(self, turn: DraftTurn) -> list[int]:
        """Return the checks to look at, of a turn at which ``packed`` stands."""
        if self.first_check is None or turn is not self._start:
            return legal_checks(self._packed)
        return [self.first_check]

    # --- checks that do not mate as soon ------------------------------------------------

    def _settle_queued_turns(self) -> None:
        """Search the checks of each queued turn; give those that stay open the plies within which they do not mate.

        What these searches find queues further turns: it ends when none is left.
        """
        while self._waiting or self._later or self._new:
            while self._waiting or self._later:
                if self._waiting:
                    self._search_quickly(self._waiting.popleft())
                else:
                    self._add(*self._later.popleft())
            still_open, self._new = self._new, []
            for nodes in _ROUNDS:
                still_open = self._settle(still_open, nodes)
            if self.only_line:
                continue
            nodes = max(_MIN_FOR_A_BOUND, min(_MAX_FOR_A_BOUND, _FOR_BOUNDS // max(1, len(still_open))))
            for turn, check in still_open:
                with line_played(self._packed, turn.path):
                    found = self._refuter.within_a_bound(self._packed, check, turn.known, nodes)
                    self._enter(turn, check, found)
                if found is None or (
                    isinstance(found, explanation.FailingCheck) and found.proof is explanation.Proof.BOUNDED
                ):
                    self._bounded.append((turn, check))

    def _search_quickly(self, turn: DraftTurn) -> None:
        """Enter which checks of a turn mate as soon as its key and which fail at once; the others go to ``_new``."""
        with line_played(self._packed, turn.path):
            packed, n = self._packed, turn.length
            if n is not None and turn.key is None:
                turn.key = self._lines.turn(packed, n).key
            checks = [check for check in self._checks(turn) if check not in turn.results]
            lasting = [check for check in checks if not self._enter(turn, check, self._refuter.at_once(packed, check))]
            mating = [] if n is None else self._engine.mating(packed, lasting, n)
            for check in mating:
                self._enter_as_soon(turn, check)
            self._new += [(turn, check) for check in lasting if check not in mating]

    def _settle(self, checks: list[_Asked], nodes: int) -> list[_Asked]:
        """Search checks at any length, with this many nodes for each; return the open ones."""
        still_open, refuter = [], self._refuter
        for turn, check in checks:
            most = nodes if nodes == _ROUNDS[0] else min(nodes, self._proof_nodes)
            before, found = self._engine.nodes, None
            with line_played(self._packed, turn.path):
                if most > 0:
                    refuter.length_nodes = min(LENGTH_NODES, self._later_nodes) if self._later_room else 0
                    found = refuter.at_any_length(self._packed, check, turn.known, most)
                self._proof_nodes -= self._engine.nodes - before
                if not self._enter(turn, check, found):
                    still_open.append((turn, check))
        return still_open

    def _enter(self, turn: DraftTurn, check: int, found: explanation.FailingCheck | MatesLater | None) -> bool:
        """Enter the result of a check, one that mates later than the key as open if it is not followed.
        Return whether there was one."""
        if found is None:
            return False
        if isinstance(found, explanation.FailingCheck):
            turn.results[check] = found
        elif found.length is None or self._later_nodes <= 0 or not self._later_room:
            turn.results[check] = explanation.OpenCheck(unpack_move(check), mates=True)
        else:
            before = self._engine.nodes
            self._enter_mate(turn, check, found.length)
            self._later_nodes -= self._engine.nodes - before
            self._later_room -= 1
        return True

    def _enter_as_soon(self, turn: DraftTurn, check: int) -> None:
        """Enter a check that mates as soon as the key, open if it is not followed."""
        if check != turn.key and (self.only_line or (turn.reply is None and turn.length != 1)):
            if not self._aside_room:
                turn.results[check] = explanation.OpenCheck(unpack_move(check), mates=True)
                return
            self._aside_room -= 1
        self._enter_mate(turn, check, turn.length or 0)

    # --- checks that mate ---------------------------------------------------------------

    def _enter_mate(self, turn: DraftTurn, check: int, length: int) -> None:
        """Enter a check that mates in exactly ``length`` plies, and add the turns after it."""
        best = turn.reply if check == turn.key else None
        if not best and length > 1:
            reply = self._lines.after(self._packed, check, length).reply
            best = reply.moves[0] if reply else None
        if check == turn.key:
            rank = explanation.MateRank.KEY
        elif length != turn.length:
            rank = explanation.MateRank.LATER
        else:
            is_form = turn.key is not None and differs_in_form_only(self._packed, turn.key, check)
            rank = explanation.MateRank.FORM if is_form else explanation.MateRank.AS_SOON
        with played(self._packed, check, Side.ATTACKER):
            answers = []
            for answer, place in self._answers(length - 1, best):
                move, n = pack_move(answer.move), answer.length
                path = (*turn.path, check, move)
                line: Moves = ()
                turn.places[check, move] = place
                if not (answer.best and self._add(place, path, n)):
                    if not self.only_best:
                        # After a futile drop it starts with the capture if that mates as soon.
                        take, packed = pack_move(answer.take) if answer.take else 0, self._packed
                        with played(packed, move, Side.DEFENDER):
                            captures = take and self._engine.mates_after(packed, take, n)
                            tree = self._lines.after(packed, take, n) if captures else None
                            line = (tree or self._lines.turn(packed, n)).line()
                    if self.all_answers and not answer.best:
                        self._later.append((place, path, n))
                answers.append(replace(answer, line=_moves(line)))
        turn.results[check] = explanation.MatingCheck(unpack_move(check), length, rank, tuple(answers))

    def _answers(self, n: int, best: int | None) -> list[tuple[explanation.AnswerResult, Place]]:
        """Return all answers of a defender mated in exactly n plies, ``best`` first, then the longest.

        Futile drops come last. The answers have no lines yet; the positions that they lead to stand beside
        them. With ``only_best`` it is ``best`` alone, or after mate one futile drop, if there is any.
        """
        packed, moves = self._packed, legal_evasions(self._packed)
        found: list[tuple[explanation.AnswerResult, Place]] = []
        if self.only_best:
            moves = moves[:1] if best is None else [best]
        for move, take in futility_by_drop_cell(packed, moves, partial(self._engine.futile_by, packed, n=n), None):
            with played(packed, move, Side.DEFENDER):
                length = self._length(packed, n - 1 if take is None else n + 1)
                capture = None if take is None else unpack_move(take)
                found.append(
                    (
                        explanation.AnswerResult(unpack_move(move), length, take=capture, best=move == best),
                        position_id(packed),
                    )
                )
        return sorted(found, key=lambda one: (not one[0].best, one[0].take is not None, -one[0].length))

    def _length(self, packed: PackedPosition, at_most: int) -> int:
        """Return the plies of the shortest mate, known to be no more than ``at_most`` (odd)."""
        shorter = (n for n in range(1, at_most, 2) if self._engine.mates(packed, n))
        return next(shorter, at_most)

    # --- the tree -----------------------------------------------------------------------

    def tree(self, *, only_filled: bool) -> explanation.ReplyTree:
        """Return the tree with the results so far; a check without one is open.

        With ``only_filled`` leave out the turns of which nothing but the length is known, but for the start.
        """
        kept = {place: turn for place, turn in self._turns.items() if turn.key or not turn.path}
        drafts = kept if only_filled else self._turns
        ids = {place: number for number, place in enumerate(drafts)}
        turns = tuple(self._turn(number, turn, ids) for number, turn in enumerate(drafts.values()))
        results = [result for turn in turns for result in turn.checks]
        answers = [answer for one in results if isinstance(one, explanation.MatingCheck) for answer in one.answers]
        # A check is open, or an answer that should lead to a turn does not.
        is_cut = any(isinstance(result, explanation.OpenCheck) for result in results) or any(
            (answer.best or self.all_answers) and answer.turn is None for answer in answers
        )
        return explanation.ReplyTree(_moves(self._line), turns, not is_cut, self._no_mate)

    def _turn(self, number: int, turn: DraftTurn, ids: dict[Place, int]) -> explanation.TreeTurn:
        def linked(check: int, answer: explanation.AnswerResult) -> explanation.AnswerResult:
            follows = answer.best or self.all_answers
            leads_to = ids.get(turn.places[check, pack_move(answer.move)]) if follows else None
            return answer if leads_to is None else replace(answer, line=(), turn=leads_to)

        def order(result: explanation.CheckResult) -> tuple[int, int, int]:
            if isinstance(result, explanation.MatingCheck):
                return 0, _ORDER.index(result.rank), result.length
            return (1 if isinstance(result, explanation.OpenCheck) else 2), 0, 0

        with line_played(self._packed, turn.path):
            checks, forbidden = legal_checks(self._packed), forbidden_move(self._packed)
        results: list[explanation.CheckResult] = []
        for check in checks:
            found = turn.results.get(check) or explanation.OpenCheck(unpack_move(check))
            if isinstance(found, explanation.MatingCheck):
                found = replace(found, answers=tuple(linked(check, one) for one in found.answers))
            results.append(found)
        key = None if turn.key is None else unpack_move(turn.key)
        return explanation.TreeTurn(
            number, _moves(turn.path), turn.length, key, tuple(sorted(results, key=order)), forbidden
        )
