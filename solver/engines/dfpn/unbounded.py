"""Mate at any length: the check search on shogi positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from solver.engines.checksearch import CheckSearch
from tsume_rules.packing import Record


@dataclass(frozen=True)
class Node:
    """A position with the side to move."""

    record: Record
    attacker: bool


class Repeating(Protocol):
    """What is asked of an engine that counts a repetition as a failure (`engine.Solver`)."""

    @property
    def answer_is_tainted(self) -> bool:
        """Whether the last answer was a no that rests on a repetition."""

    def ask_forever(self, record: Record, attacker: bool) -> bool:
        """Whether the attacker mates at any length, a repetition counted as a failure."""

    def next_repeated(self) -> Record | None:
        """A repeated position of this question, each once; None if there are no more."""

    def end_question(self, *, accepted: bool) -> None:
        """Keep what rests on repetitions as true, or drop it."""


class _Repetition:
    """A solver as the check search wants it (`solver.engines.checksearch.RepetitionSearch`)."""

    def __init__(self, engine: Repeating) -> None:
        self._engine = engine

    def prove(self, position: Node) -> bool:
        return self._engine.ask_forever(position.record, position.attacker)

    def disproof_is_tainted(self) -> bool:
        return self._engine.answer_is_tainted

    def next_candidate(self) -> Node | None:
        record = self._engine.next_repeated()
        return None if record is None else Node(record, attacker=True)

    def accept_tainted(self) -> None:
        self._engine.end_question(accepted=True)

    def drop_tainted(self) -> None:
        self._engine.end_question(accepted=False)


def mates_ever(engine: Repeating, record: Record, *, attacker: bool) -> bool:
    """Whether the attacker mates at any length. Raises `solver.limits.LimitReached`."""
    return CheckSearch(_Repetition(engine)).wins(Node(record, attacker))
