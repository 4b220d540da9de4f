# SPDX-License-Identifier: GPL-3.0-or-later
"""The size of a minimal exact proof tree.

With the attacker to move the tree has one check, the first in the fixed order that
mates in the position's exact length. With the defender to move it has every answer;
drops on one cell count once, futile ones not at all. Each subtree is as deep as its
own exact length.

A position reached twice counts twice, so the sizes of subtrees are stored. If their number is bounded, the
longest are kept and the others are counted again each time, as in a search within a given number of cells
(Katoh1988). The result is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush

from solver.engines.base import asked_by_cell
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packed import Moves, PackedPosition, legal_checks, legal_evasions, line_played, played, target_of
from tsume_rules.position import Side


@dataclass(frozen=True)
class TreeSize:
    """Counts over a proof tree (a position met twice counts twice).

    ``turns`` are the positions with the attacker to move, ``checks`` all their legal
    checks; ``defences`` are the positions with the defender to move, ``answered`` those
    of them that are not mate, ``answers`` all their answers.
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
        """Return all positions of the tree."""
        return self.turns + self.defences


Name = tuple[int, int, int]
"""The root of a subtree, the attacker to move: the board's key, the packed hand, the exact length."""


class MeasuredSubtrees:
    """The sizes of subtrees by their roots, at most ``cells`` of them (None: all).

    When it is full, the shortest is evicted, of equals the latest. So an evicted entry is never longer than
    a kept one, and does not come back. ``peak`` is the most entries held at once.
    """

    def __init__(self, cells: int | None = None) -> None:
        self._cells = cells
        self._sizes: dict[Name, TreeSize] = {}
        self._shortest: list[tuple[int, int, Name]] = []
        self._came = 0
        self.peak = 0

    def get(self, name: Name) -> TreeSize | None:
        """Return a subtree's size, if it is stored."""
        return self._sizes.get(name)

    def put(self, name: Name, size: TreeSize) -> None:
        """Store a subtree's size if there is room."""
        if self._cells is not None:
            if len(self._sizes) >= self._cells:
                if not self._shortest or self._shortest[0][0] >= name[2]:
                    return
                del self._sizes[heappop(self._shortest)[2]]
            self._came -= 1
            heappush(self._shortest, (name[2], self._came, name))
        self._sizes[name] = size
        self.peak = max(self.peak, len(self._sizes))


def measure_proof_tree(
    engine: DfPnEngine, packed: PackedPosition, length: int, subtrees: MeasuredSubtrees | None = None
) -> TreeSize:
    """Return the size of the proof tree of a position that mates in exactly ``length`` plies.

    ``subtrees``, initially empty, bounds the number of sizes stored. Without it the engine computes the
    size in one call, unless the tree is too large. Raises `LimitReached`.
    """
    sums = engine.proof_tree(packed, length) if subtrees is None else None
    if sums is not None:
        return TreeSize(*sums)
    return _ProofTreeMeasure(engine, subtrees or MeasuredSubtrees()).attack(packed, length)


def measure_line(engine: DfPnEngine, packed: PackedPosition, line: Moves, length: int) -> TreeSize:
    """Return the counts over the main line alone, for works whose tree is too large to be searched.

    ``length`` is that of the mate; the line may be longer by a futile drop. Raises `LimitReached`.
    """
    measure = _ProofTreeMeasure(engine, MeasuredSubtrees())
    total = TreeSize()
    for ply in range(0, len(line), 2):
        with line_played(packed, line[:ply]):
            total += measure.turn(packed, line[ply], max(length - ply, 1))
    return total


class _ProofTreeMeasure:
    def __init__(self, engine: DfPnEngine, subtrees: MeasuredSubtrees) -> None:
        self._engine = engine
        self._subtrees = subtrees

    def attack(self, packed: PackedPosition, n: int) -> TreeSize:
        name = int(packed.key), int(packed_hand(packed)), n
        size = self._subtrees.get(name)
        if size is not None:
            return size
        checks = legal_checks(packed)
        key = next(check for check in checks if self._engine.mates_after(packed, check, n))
        with played(packed, key, Side.ATTACKER):
            answers = self._answers(packed, n - 1)
            size = TreeSize(1, len(checks), 1, bool(answers), len(answers))
            for answer in answers:
                with played(packed, answer, Side.DEFENDER):
                    shorter = (m for m in range(1, n - 2, 2) if self._engine.mates(packed, m))
                    size += self.attack(packed, next(shorter, n - 2))
        self._subtrees.put(name, size)
        return size

    def turn(self, packed: PackedPosition, check: int, n: int) -> TreeSize:
        """Return the counts of a turn and of the position after its check, which mates within n plies."""
        checks = legal_checks(packed)
        with played(packed, check, Side.ATTACKER):
            answers = self._answers(packed, n - 1)
        return TreeSize(1, len(checks), 1, bool(answers), len(answers))

    def _answers(self, packed: PackedPosition, n: int) -> list[int]:
        """Return the answers that count: one for all drops on a cell, none for futile ones."""

        def futile(cell: int) -> bool:
            return self._engine.is_futile(packed, cell, n)

        groups: dict[int, int] = {}
        for move, is_futile in asked_by_cell(packed, legal_evasions(packed), futile, None):
            if not is_futile:
                groups.setdefault(move if is_futile is None else target_of(move), move)
        return list(groups.values())
