# SPDX-License-Identifier: GPL-3.0-or-later
"""The explanation of a solution: at each turn how each answer is met and why each other check fails."""

from __future__ import annotations

from dataclasses import replace

from solver.engines.base import MateEngine
from solver.engines.futile_drops import asked_by_cell
from solver.explaining.causes import causes_of_mate, forbidden_move
from solver.explaining.explanation import ExplainedTurn, Explanation, FutileDrops, OtherMate, Try, Variation
from solver.explaining.other_checks import PROOF_NODES, OtherChecks
from solver.explaining.tries import by_plausibility
from solver.limits import LimitReached
from solver.solving.deepening import attack_length, suited_to
from solver.solving.tree import TreeBuilder
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.tables import ATT
from tsume_rules.moves import Move
from tsume_rules.packing import Record, answer_group, pack, pack_move, unpack, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.position import Position
from tsume_rules.record_moves import legal_evasions
from tsume_rules.record_play import Moves, line_played, played

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
