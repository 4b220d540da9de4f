# SPDX-License-Identifier: GPL-3.0-or-later
"""The results of the checks other than the keys at the turns of a line, within a number of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solver.engines.base import MateEngine
from solver.explaining.causes import Causes
from solver.explaining.explanation import ExplainedTurn, OtherMate, Proof, Try
from solver.explaining.refuting import MatesLater, Refuter
from solver.explaining.reply_tree import Fails
from solver.explaining.tries import Trier, by_plausibility, lasting, open_try, try_of
from tsume_rules.packing import Record, pack_move, unpack_move
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import Moves, line_played

FIRST_NODES = 100
"""Nodes for the first search of a check at any length: enough if the table has the result."""
BOUND_NODES = 1000
"""Nodes for the plies within which a check does not mate."""
PROOF_ROUNDS = (2000, 6000, 30_000, 300_000)
"""Nodes for the further searches of an open check, at any length."""
PROOF_NODES = 40_000
"""Default nodes for all these further searches of a problem."""
CAUSES_EACH = 8
"""Of the failing checks of a turn, the causes of so many are looked for."""
LENGTH_NODES = 5000
"""Nodes for the length of a check that is known to mate."""


@dataclass
class _Check:
    """A check other than the key of its turn, and its results so far.

    It does not mate within ``known`` plies, odd or -1.
    """

    turn: int
    path: Moves
    check: int
    known: int
    found: Fails | MatesLater | None = None
    lasting: int = 0
    work: int = 0
    told: Try | OtherMate | None = None

    @property
    def open(self) -> bool:
        return self.found is None or (isinstance(self.found, Fails) and self.found.proof is Proof.BOUNDED)

    @property
    def result(self) -> Try | OtherMate | None:
        """The result of the check; None while it is unknown."""
        if self.told is not None or self.found is None:
            return self.told
        if isinstance(self.found, MatesLater):
            return OtherMate(unpack_move(self.check), self.found.length)
        return try_of(self.found, self.lasting, self.work)


class OtherChecks:
    """Finds the results of all checks except the keys; ``record`` stands at the start.

    A quick search comes first. ``proof_nodes`` are for all checks that it leaves open, to search them at
    any length; those at the last of several turns come last, because their tries are shown on request only.
    All methods raise `LimitReached` and keep the results found so far.
    """

    def __init__(
        self, engine: MateEngine, record: Record, turns: list[ExplainedTurn], proof_nodes: int = PROOF_NODES
    ) -> None:
        self._engine = engine
        self._record = record
        self._refuter = Refuter(engine, LENGTH_NODES)
        self._turns = turns
        self._proof_nodes = proof_nodes
        self._checks: list[_Check] = []

    def of(self, turn: int) -> Iterator[Try | OtherMate]:
        """The results of a turn's checks, as far as they are known."""
        results = (one.result for one in self._checks if one.turn == turn)
        return (result for result in results if result is not None)

    def settle(self) -> None:
        """Give each check a result: the length of its mate, or an answer that refutes it with its proof."""
        for number, turn in enumerate(self._turns):
            self._look_at_turn(number, turn)
        self._prove()
        for one in self._checks:
            if one.found is None:
                with line_played(self._record, one.path):
                    one.found = open_try(self._refuter, self._record, one.check, one.known, BOUND_NODES)

    def ask_answers(self) -> None:
        """Find for each failing check whether its answer is the only one that refutes it."""
        trier = Trier(self._engine)
        for one in self._checks:
            found = one.result
            if isinstance(found, Try):
                with line_played(self._record, one.path):
                    one.told = trier.asked(self._record, found)

    def find_causes(self) -> None:
        """Find what decides that the most plausible of the failing checks of each turn fail."""
        causes = Causes(self._engine)
        for number, turn in enumerate(self._turns):
            tries = by_plausibility(one for one in self.of(number) if isinstance(one, Try))
            shown = [one.check for one in tries[:CAUSES_EACH]]
            for one in self._checks:
                found = one.result
                if one.turn == number and isinstance(found, Try) and found.check in shown:
                    with line_played(self._record, one.path):
                        one.told = causes.with_cause(self._record, found, cycles=turn.key is None)

    def _look_at_turn(self, number: int, turn: ExplainedTurn) -> None:
        path, length = tuple(map(pack_move, turn.path)), turn.length
        with line_played(self._record, path):
            checks = [check for check in legal_checks(self._record) if unpack_move(check) != turn.key]
            mating = [] if length is None else self._engine.mating(self._record, checks, length)
            for check in checks:
                one = _Check(number, path, check, length or -1)
                self._checks.append(one)
                if check in mating:
                    one.found = MatesLater(length)
                else:
                    self._look_at(one)

    def _look_at(self, one: _Check) -> None:
        """The result of a quick search of a check; the record stands before it."""
        record, refuter, before = self._record, self._refuter, self._engine.nodes
        one.found = (
            refuter.at_once(record, one.check)
            or refuter.at_any_length(record, one.check, one.known, FIRST_NODES)
            or refuter.within_a_bound(record, one.check, one.known, BOUND_NODES)
        )
        one.work = self._engine.nodes - before
        if isinstance(one.found, Fails):
            one.lasting = lasting(self._engine, record, one.check)
            if one.found.within is not None:
                one.known = one.found.within + 2

    def _prove(self) -> None:
        """Search the open checks at any length while the nodes last."""
        last = len(self._turns) - 1
        left = self._proof_nodes
        for told in (True, False):
            checks = [one for one in self._checks if (last == 0 or one.turn < last) is told]
            for nodes in PROOF_ROUNDS:
                for one in checks:
                    if one.open and left > 0:
                        left -= self._ask(one, min(nodes, left))

    def _ask(self, one: _Check, nodes: int) -> int:
        """Search a check at any length; returns the nodes used."""
        before = self._engine.nodes
        with line_played(self._record, one.path):
            found = self._refuter.at_any_length(self._record, one.check, one.known, nodes)
        one.found = found or one.found
        used = self._engine.nodes - before
        one.work += used
        return used
