"""Mate at any length: the check search on shogi positions."""

from __future__ import annotations

from dataclasses import dataclass

from rules.making import played
from rules.packing import Record
from rules.pieces import Side
from solver.checksearch import CheckSearch
from solver.engine import Solver


@dataclass(frozen=True)
class Node:
    """A position with the side to move."""

    record: Record
    attacker: bool


class _Repetition:
    """A `Solver` as the check search wants it (`solver.checksearch.RepetitionSearch`)."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver

    def prove(self, position: Node, *, afresh: bool) -> bool:
        return self._solver.ask_forever(position.record, position.attacker, afresh=afresh)

    def disproof_is_tainted(self) -> bool:
        return self._solver.answer_is_tainted

    def next_candidate(self) -> Node | None:
        record = self._solver.next_repeated()
        return None if record is None else Node(record, attacker=True)

    def accept_tainted(self) -> None:
        self._solver.end_question(accepted=True)

    def drop_tainted(self) -> None:
        self._solver.end_question(accepted=False)


def mates_ever(solver: Solver, record: Record) -> bool:
    """Whether the attacker, to move, mates at any length. Raises `LimitReached`."""
    return CheckSearch(_Repetition(solver)).wins(Node(record, attacker=True))


def mates_ever_after(solver: Solver, record: Record, move: int) -> bool:
    """Whether a check (a kernels' move code) leads to mate at any length. Raises `LimitReached`."""
    with played(record, move, Side.ATTACKER):
        return CheckSearch(_Repetition(solver)).wins(Node(record, attacker=False))
