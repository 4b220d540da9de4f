"""The size of a minimal exact proof tree.

At each of the attacker's turns the tree has one check, the first in the fixed
order that mates in the shortest way; at each of the defender's every answer, the
drops on one cell counted once, futile ones not at all. Each subtree is as deep as
its own exact length.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.kernel.state import packed_hand
from rules.making import played
from rules.packing import Record
from rules.pieces import Side
from solver.engine import Solver
from solver.kernel.mate import drop_checks_attacker
from solver.tree import is_futile, legal_checks, legal_evasions


@dataclass(frozen=True)
class TreeSize:
    """Counts over a proof tree (a position met twice counts twice).

    ``turns`` of the attacker with all their ``checks``, ``defences`` of the
    defender, of which ``answered`` are not mate yet, with all their ``answers``.
    """

    turns: int = 0
    checks: int = 0
    defences: int = 0
    answered: int = 0
    answers: int = 0

    def __add__(self, other: TreeSize) -> TreeSize:
        return TreeSize(
            self.turns + other.turns,
            self.checks + other.checks,
            self.defences + other.defences,
            self.answered + other.answered,
            self.answers + other.answers,
        )

    @property
    def nodes(self) -> int:
        """All positions of the tree."""
        return self.turns + self.defences


def measure(solver: Solver, record: Record, length: int) -> TreeSize:
    """The size of the proof tree of a position that mates in exactly ``length`` plies."""
    return _Measure(solver).attack(record, length)


class _Measure:
    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._known: dict[tuple[int, int, int], TreeSize] = {}

    def attack(self, record: Record, n: int) -> TreeSize:
        name = (int(record.key), int(packed_hand(record)), n)
        if name not in self._known:
            checks = legal_checks(record)
            key = next(check for check in checks if self._solver.mates_after(record, check, n))
            with played(record, key, Side.ATTACKER):
                below = self._defend(record, n - 1)
            self._known[name] = below + TreeSize(turns=1, checks=len(checks))
        return self._known[name]

    def _defend(self, record: Record, n: int) -> TreeSize:
        answers = self._answers(record, n)
        total = TreeSize(defences=1, answered=bool(answers), answers=len(answers))
        for answer in answers:
            with played(record, answer, Side.DEFENDER):
                total += self.attack(record, self._exact(record, n - 1))
        return total

    def _exact(self, record: Record, at_most: int) -> int:
        return next(n for n in range(1, at_most + 1, 2) if n == at_most or self._solver.mates(record, n))

    def _answers(self, record: Record, n: int) -> list[int]:
        """One answer for each group that counts once."""
        kept = []
        cells: set[int] = set()
        for move in legal_evasions(record):
            if move >> 15 and not drop_checks_attacker(record, move):
                cell = move & 127
                if cell in cells:
                    continue
                cells.add(cell)
                if is_futile(self._solver, record, cell, n):
                    continue
            kept.append(move)
        return kept
