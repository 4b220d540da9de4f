# SPDX-License-Identifier: GPL-3.0-or-later
"""The explanation of a solution: at each turn how each answer is met and why each other check fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from solver.engines.base import MateEngine, futility_by_drop_cell
from solver.explaining.explanation import (
    ExplainedTurn,
    Explanation,
    FailingCheck,
    FutileDrops,
    OtherMate,
    Proof,
    Try,
    Variation,
)
from solver.explaining.tries import (
    CauseFinder,
    MatesLater,
    Refuter,
    TryFinder,
    causes_of_mate,
    count_lasting_answers,
    failure_of_check,
    forbidden_move,
    sort_by_plausibility,
    try_from_failure,
)
from solver.results import LimitReached
from solver.solving.deepening import attack_length, search_suited_to
from solver.solving.tree import TreeBuilder
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.tables import ATT
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
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

# --- the results of the checks other than the keys at the turns of a line, within a number of nodes ---

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
    """A check other than the key of its turn, and its results so far. It does not mate within ``known``
    plies, odd or -1."""

    turn: int
    path: Moves
    check: int
    known: int
    found: FailingCheck | MatesLater | None = None
    lasting: int = 0
    work: int = 0
    told: Try | OtherMate | None = None

    @property
    def open(self) -> bool:
        return self.found is None or (isinstance(self.found, FailingCheck) and self.found.proof is Proof.BOUNDED)

    @property
    def result(self) -> Try | OtherMate | None:
        """Return the result of the check; None while it is unknown."""
        if self.told is not None or self.found is None:
            return self.told
        if isinstance(self.found, MatesLater):
            return OtherMate(unpack_move(self.check), self.found.length)
        return try_from_failure(self.found, self.lasting, self.work)


class OtherChecks:
    """Finds the results of all checks except the keys; ``packed`` stands at the start.

    A quick search comes first. ``proof_nodes`` are for all checks that it leaves open, to search them at
    any length; those at the last of several turns come last, because their tries are shown on request only.
    All methods raise `LimitReached` and keep the results found so far.
    """

    def __init__(
        self, engine: MateEngine, packed: PackedPosition, turns: list[ExplainedTurn], proof_nodes: int = PROOF_NODES
    ) -> None:
        self._engine = engine
        self._packed = packed
        self._refuter = Refuter(engine, LENGTH_NODES)
        self._turns = turns
        self._proof_nodes = proof_nodes
        self._checks: list[_Check] = []

    def of(self, turn: int) -> Iterator[Try | OtherMate]:
        """Return the results of a turn's checks, as far as they are known."""
        results = (one.result for one in self._checks if one.turn == turn)
        return (result for result in results if result is not None)

    def settle(self) -> None:
        """Give each check a result: the length of its mate, or an answer that refutes it with its proof."""
        engine, packed, refuter = self._engine, self._packed, self._refuter
        for number, turn in enumerate(self._turns):
            path, length = tuple(map(pack_move, turn.path)), turn.length
            with line_played(packed, path):
                checks = [check for check in legal_checks(packed) if unpack_move(check) != turn.key]
                mating = [] if length is None else engine.mating(packed, checks, length)
                for check in checks:
                    one = _Check(number, path, check, length or -1)
                    self._checks.append(one)
                    if check in mating:
                        one.found = MatesLater(length)
                        continue
                    before = engine.nodes
                    one.found = (
                        refuter.at_once(packed, check)
                        or refuter.at_any_length(packed, check, one.known, FIRST_NODES)
                        or refuter.within_a_bound(packed, check, one.known, BOUND_NODES)
                    )
                    one.work = engine.nodes - before
                    if isinstance(one.found, FailingCheck):
                        one.lasting = count_lasting_answers(engine, packed, check)
                        if one.found.within is not None:
                            one.known = one.found.within + 2
        # Search the open checks at any length while the nodes last.
        last, left = len(self._turns) - 1, self._proof_nodes
        for told in (True, False):
            still = [one for one in self._checks if (last == 0 or one.turn < last) is told]
            for nodes in PROOF_ROUNDS:
                for one in still:
                    if one.open and left > 0:
                        before = engine.nodes
                        with line_played(packed, one.path):
                            found = refuter.at_any_length(packed, one.check, one.known, min(nodes, left))
                        one.found = found or one.found
                        one.work += engine.nodes - before
                        left -= engine.nodes - before
        for one in self._checks:
            if one.found is None:
                with line_played(packed, one.path):
                    one.found = failure_of_check(refuter, packed, one.check, one.known, BOUND_NODES)

    def ask_answers(self) -> None:
        """Find for each failing check whether its answer is the only one that refutes it."""
        trier = TryFinder(self._engine)
        for one in self._checks:
            found = one.result
            if isinstance(found, Try):
                with line_played(self._packed, one.path):
                    one.told = trier.asked(self._packed, found)

    def find_causes(self) -> None:
        """Find what decides that the most plausible of the failing checks of each turn fail."""
        causes = CauseFinder(self._engine)
        for number, turn in enumerate(self._turns):
            tries = sort_by_plausibility(one for one in self.of(number) if isinstance(one, Try))
            shown = [one.check for one in tries[:CAUSES_EACH]]
            for one in self._checks:
                found = one.result
                if one.turn == number and isinstance(found, Try) and found.check in shown:
                    with line_played(self._packed, one.path):
                        one.told = causes.with_cause(self._packed, found, cycles=turn.key is None)


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
    packed, turns = pack(position), list[ExplainedTurn]()
    others, complete = OtherChecks(engine, packed, turns, proof_nodes), True
    try:
        with search_suited_to(engine, len(line)):
            _explain_answers(engine, packed, tuple(map(pack_move, line)), turns)
            if checks:
                others.settle()
                if only_answers:
                    others.ask_answers()
                others.find_causes()
    except LimitReached:
        complete = False
    for number, turn in enumerate(turns):
        found = list(others.of(number))
        tries = sort_by_plausibility(one for one in found if isinstance(one, Try))
        mates = tuple(one for one in found if isinstance(one, OtherMate))
        turns[number] = replace(turn, tries=tuple(tries), others=mates)
    return Explanation(line, tuple(turns), complete=complete)


def _explain_answers(engine: MateEngine, packed: PackedPosition, line: Moves, turns: list[ExplainedTurn]) -> None:
    """Add the turns, each with how the attacker mates after each answer to its key."""
    for ply in range(0, len(line), 2):
        path, key, reply = line[:ply], line[ply], line[ply + 1 : ply + 2]
        with line_played(packed, path):
            length = attack_length(engine, packed, len(line) - ply)
            forbidden = forbidden_move(packed)
            turns.append(ExplainedTurn(_moves(path), length, unpack_move(key), forbidden=forbidden))
            with played(packed, key, Side.ATTACKER):
                variations, futile = _variations(engine, packed, length - 1, reply)
                causes = causes_of_mate(packed) if length == 1 else ()
        turns[-1] = replace(turns[-1], variations=variations, futile=futile, causes=causes)
    if not line:
        turns.append(ExplainedTurn((), None, None, forbidden=forbidden_move(packed)))


def _variations(
    engine: MateEngine, packed: PackedPosition, n: int, reply: Moves
) -> tuple[tuple[Variation, ...], tuple[FutileDrops, ...]]:
    """Return the mates after the answers of a defender mated in exactly n plies, except ``reply``, longest
    first; then the futile drops.

    A mate mostly takes n - 1 plies at most. After futile drops in a line its key may not be best: some
    answers last longer than the line. Drops on one square with the same mating line are merged.
    """
    variations: dict[tuple[int, Moves], Variation] = {}
    futile: dict[int, list[Move]] = {}
    by_cell = partial(engine.futile_by, packed, n=n)
    for move, take in futility_by_drop_cell(packed, legal_evasions(packed), by_cell, None):
        if take is not None:
            futile.setdefault(take, []).append(unpack_move(move))
        elif move not in reply:
            with played(packed, move, Side.DEFENDER):
                counters = bool(in_check(packed, ATT))
                length = attack_length(engine, packed, n - 1)
                builder = TreeBuilder(engine, most_turns=_TURNS_FOR_A_LINE, complete=False)
                line = builder.turn(packed, length).line()
                with line_played(packed, line):
                    left = unpack(packed).attacker_hand
            name, answer = (answer_group(move), line), unpack_move(move)
            if known := variations.get(name):
                variations[name] = replace(known, answers=(*known.answers, answer))
            else:
                variations[name] = Variation((answer,), _moves(line), length, left, counters)
    drops = tuple(FutileDrops(tuple(moves), unpack_move(take)) for take, moves in futile.items())
    return tuple(sorted(variations.values(), key=lambda variation: -variation.length)), drops


def _moves(codes: Moves) -> tuple[Move, ...]:
    return tuple(map(unpack_move, codes))
