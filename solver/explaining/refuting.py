"""Whether a check that does not mate at once fails at any length, and the answer that shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar

from solver.engines.base import MateEngine
from solver.explaining.explanation import Proof
from solver.explaining.manner import manner_of
from solver.explaining.reply_tree import Fails
from solver.explaining.tries import NODES, Trier
from tsume_rules.kernel.tables import OURS
from tsume_rules.packing import Record, dropped, origin_of, pack_move, target_of, unpack_move
from tsume_rules.pieces import Kind, Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import played

P = ParamSpec("P")
T = TypeVar("T")
GLANCE = 300
"""Nodes for the first question about what follows an answer: a refutation seen so soon is clear."""
LENGTH_NODES = 10 * NODES
"""Nodes for finding out in how many plies a check mates."""


@dataclass(frozen=True)
class MatesLater:
    """The check mates in ``length`` plies; None: at a length that took too many nodes to find."""

    length: int | None


class Refuter:
    """Looks for the clearest refutation of checks. All methods raise `LimitReached`.

    An answer after which the attacker has no mate is never a futile drop: if sliding to its square
    mates, so does taking it, with one more piece in hand. So one question for each answer is enough.
    """

    def __init__(self, engine: MateEngine) -> None:
        self._engine = engine
        self._trier = Trier(engine)

    def result(self, record: Record, check: int, known: int) -> Fails | MatesLater | None:
        """Why a check fails, or how soon it mates; None if nothing was found out.

        ``known``: it does not mate within so many plies (odd, or -1).
        """
        with played(record, check, Side.ATTACKER):
            answers = sorted(legal_evasions(record), key=lambda move: (manner_of(record, move), move))
            for move in answers:
                if self._ends_checks(record, move):
                    return _fails(record, check, move, Proof.NO_CHECK)
            still_open = []
            for nodes in (GLANCE, NODES):
                if nodes == NODES and self._ask(nodes, self._engine.mates_ever, record, attacker=False):
                    return self._later(record, known)
                for move in answers:
                    refutes = self._refutes(record, move, nodes)
                    if refutes:
                        return _fails(record, check, move, Proof.ANY_LENGTH)
                    if refutes is None:
                        still_open.append(move)
                if not still_open:
                    return self._later(record, known)
                answers, still_open = still_open, []
            return self._bounded(record, check, answers)

    def _ends_checks(self, record: Record, answer: int) -> bool:
        with played(record, answer, Side.DEFENDER):
            return not legal_checks(record)

    def _refutes(self, record: Record, answer: int, nodes: int) -> bool | None:
        with played(record, answer, Side.DEFENDER):
            mates = self._ask(nodes, self._engine.mates_ever, record)
        return None if mates is None else not mates

    def _later(self, record: Record, known: int) -> MatesLater:
        return MatesLater(self._ask(LENGTH_NODES, self._length, record, known))

    def _length(self, record: Record, known: int) -> int:
        n = known + 1
        while not self._engine.is_mated(record, n):
            n += 2
        return n + 1

    def _bounded(self, record: Record, check: int, answers: list[int]) -> Fails | None:
        """The answer that is known to last longest; ``record`` stands after the check."""
        found = self._trier.bounded_try(record, check, answers, self._engine.nodes)
        if found.proof is Proof.BOUNDED and not found.within:
            return None
        return _fails(record, check, pack_move(found.answer), found.proof, found.within)

    def _ask(
        self, nodes: int, question: Callable[P, T], *arguments: P.args, **options: P.kwargs
    ) -> T | None:
        return self._engine.answered_within(nodes, partial(question, *arguments, **options))


def _fails(record: Record, check: int, answer: int, proof: Proof, within: int | None = None) -> Fails:
    """The failure of a check; ``record`` stands after it."""
    code = dropped(answer) or int(record.board[origin_of(answer)])
    taken = int(record.board[target_of(answer)])
    return Fails(
        unpack_move(check),
        unpack_move(answer),
        proof,
        manner_of(record, answer),
        Kind(code % OURS),
        Kind(taken % OURS) if taken else None,
        within,
    )
