# SPDX-License-Identifier: GPL-3.0-or-later
"""The explanation of a solution: at each turn how each answer is met and why each other check fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from solver.engines.base import MateEngine, asked_by_cell
from solver.explaining.causes import Causes, causes_of_mate, forbidden_move
from solver.explaining.explanation import (
    ExplainedTurn,
    Explanation,
    Fails,
    FutileDrops,
    OtherMate,
    Proof,
    Try,
    Variation,
)
from solver.explaining.tries import MatesLater, Refuter, Trier, by_plausibility, lasting, open_try, try_of
from solver.limits import LimitReached
from solver.solving.deepening import attack_length, suited_to
from solver.solving.tree import TreeBuilder
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.tables import ATT
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    Record,
    answer_group,
    legal_checks,
    legal_evasions,
    line_played,
    pack,
    pack_move,
    played,
    unpack,
    unpack_move,
)
from tsume_rules.position import Position, Side

# ---------------------------------------------------------------------------------------------------
#
# The results of the checks other than the keys at the turns of a line, within a number of nodes.

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
                    # The result of a quick search of a check; the record stands before it.
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


# --- the explanation of a solution -----------------------------------------------------------------

_TURNS_FOR_A_LINE = 200


def explain(
    engine: MateEngine,
    position: Position,
    line: tuple[Move, ...],
    *,
    checks: bool = True,
    only_answers: bool = False,
    proof_nodes: int = PROOF_NODES,
) -> Explanation:
    """Explain each turn of a best line; for a position without a mate, why each check fails.

    ``line`` is a best line, empty for a position without a mate. If a current limit of the engine is
    reached, the explanation ends early and is not ``complete``. The answers at all turns are explained
    first, then, with ``checks``, the other checks, which take most of the time. ``only_answers`` adds which
    other answers refute each failing check; that takes many times as long. ``proof_nodes`` are for proofs
    that checks fail, or mate, at any length; if they run out, a check is only known to fail within a bound.
    """
    explainer = _Explainer(engine, pack(position), tuple(map(pack_move, line)))
    try:
        with suited_to(engine, len(line)):
            explainer.explain_answers()
            if checks:
                explainer.explain_checks(proof_nodes, only_answers=only_answers)
    except LimitReached:
        return Explanation(line, tuple(explainer.turns), complete=False)
    return Explanation(line, tuple(explainer.turns))


class _Explainer:
    """Fills ``turns``; ``record`` stands at the start. Methods raise `LimitReached`."""

    def __init__(self, engine: MateEngine, record: Record, line: Moves) -> None:
        self._engine = engine
        self._record = record
        self._line = line
        self.turns: list[ExplainedTurn] = []

    def explain_answers(self) -> None:
        """Add the turns, each with how the attacker mates after each answer to its key."""
        for ply in range(0, len(self._line), 2):
            path, key, reply = self._line[:ply], self._line[ply], self._line[ply + 1 : ply + 2]
            with line_played(self._record, path):
                length = attack_length(self._engine, self._record, len(self._line) - ply)
                forbidden = forbidden_move(self._record)
                self.turns.append(ExplainedTurn(_moves(path), length, unpack_move(key), forbidden=forbidden))
                with played(self._record, key, Side.ATTACKER):
                    variations, futile = self._answers(length - 1, reply)
                    causes = causes_of_mate(self._record) if length == 1 else ()
            self.turns[-1] = replace(self.turns[-1], variations=variations, futile=futile, causes=causes)
        if not self._line:
            self.turns.append(ExplainedTurn((), None, None, forbidden=forbidden_move(self._record)))

    def explain_checks(self, proof_nodes: int, *, only_answers: bool) -> None:
        """Add to each turn how each other check fails, or that it mates as well."""
        checks = OtherChecks(self._engine, self._record, self.turns, proof_nodes)
        try:
            checks.settle()
            if only_answers:
                checks.ask_answers()
            checks.find_causes()
        finally:
            self.turns = [_with(turn, list(checks.of(number))) for number, turn in enumerate(self.turns)]

    def _answers(self, n: int, reply: Moves) -> tuple[tuple[Variation, ...], tuple[FutileDrops, ...]]:
        """The answers of a defender mated in exactly n plies, except ``reply``; then the futile drops."""
        record = self._record
        variations: list[tuple[int, Moves, Variation]] = []
        futile: dict[int, list[Move]] = {}

        def taken(cell: int) -> int | None:
            return self._engine.futile_by(record, cell, n)

        for move, take in asked_by_cell(record, legal_evasions(record), taken, None):
            if take is not None:
                futile.setdefault(take, []).append(unpack_move(move))
            elif move not in reply:
                with played(record, move, Side.DEFENDER):
                    variations.append((move, *self._variation(move, n - 1)))
        drops = tuple(FutileDrops(tuple(moves), unpack_move(take)) for take, moves in futile.items())
        return _grouped(variations), drops

    def _variation(self, answer: int, at_most: int) -> tuple[Moves, Variation]:
        """The mate after an answer, as codes and as a variation; ``record`` stands after the answer.

        It mostly takes ``at_most`` plies at most. After futile drops in a line its key may not be best: some
        answers last longer than the line.
        """
        record, engine = self._record, self._engine
        counters = bool(in_check(record, ATT))
        n = attack_length(engine, record, at_most)
        line = TreeBuilder(engine, most_turns=_TURNS_FOR_A_LINE, complete=False).turn(record, n).line()
        with line_played(record, line):
            left = unpack(record).attacker_hand
        return line, Variation((unpack_move(answer),), _moves(line), n, left, counters)


def _with(turn: ExplainedTurn, found: list[Try | OtherMate]) -> ExplainedTurn:
    tries = by_plausibility(one for one in found if isinstance(one, Try))
    others = tuple(one for one in found if isinstance(one, OtherMate))
    return replace(turn, tries=tuple(tries), others=others)


def _grouped(found: list[tuple[int, Moves, Variation]]) -> tuple[Variation, ...]:
    """Variations, longest first; drops on one square with the same mating line are merged."""
    groups: dict[tuple[int, Moves], Variation] = {}
    for answer, line, variation in found:
        name = (answer_group(answer), line)
        known = groups.get(name)
        groups[name] = replace(known, answers=known.answers + variation.answers) if known else variation
    return tuple(sorted(groups.values(), key=lambda variation: -variation.length))


def _moves(codes: Moves) -> tuple[Move, ...]:
    return tuple(map(unpack_move, codes))
