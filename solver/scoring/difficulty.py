# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard a problem is: a vector of features, one score, a star rating.

The score is a proxy, fitted to the levels of a few dozen works (docs/difficulty.md). It is
comparable between any two problems: each is scored by the same engine in the same order
from an empty table, without random numbers, and mirror images are scored as one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.memory import engine_bytes
from solver.engines.dfpn.methods import Estimate, Frontier, Method
from solver.limits import LimitReached
from solver.results import Difficulty, Limits, MateBounds, Unresolved
from solver.scoring.check_kinds import is_distant_drop, is_quiet, is_sacrifice, stays_unpromoted
from solver.scoring.prooftree import MeasuredSubtrees, TreeSize, measure_line, measure_proof_tree
from solver.scoring.resistance import more_than_a_glance, resistance
from solver.scoring.stars import stars_of
from solver.scoring.surprise import surprise
from solver.solving.deepening import LAST_RAISED, search_length, suited_to
from solver.solving.tree import TreeBuilder, deeper_recursion
from tsume_rules.kernel.evasions import king_moves
from tsume_rules.kernel.tables import DEF, STEP
from tsume_rules.packing import Record, dropped, origin_of, pack, promotes, target_of
from tsume_rules.position import Position
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import Moves, line_played
from tsume_rules.symmetry import canonical

BASE = 10.7
"""The constant term of every score."""
WEIGHTS = {
    "length": 3.23,
    "log_peak_proof_number": 2.92,
    "hardest_try": 0.54,
    "open_squares": 0.72,
    "distant_drops": 3.03,
    "checks_per_turn": 0.41,
    "pieces": 0.32,
}
"""The weight of each feature in the score; the other features are only reported.

Fitted by ``scripts/fit difficulty`` to the levels that a site gave 48 works of 1 to 23 plies.
"""
LONGEST_FITTED = 23
"""Plies of the longest work that the weights were fitted to. Longer ones are measured in another way."""
_NODES_FOR_A_REFUTATION = 200_000
_METHOD = Method(Frontier.A1, Estimate.MOVES)
"""Initial proof numbers are counts of answers and checks: df-pn+ would add its estimate to the peak."""
TABLE_BITS = 18
SCORER_BYTES = engine_bytes(TABLE_BITS)
"""The memory of a scorer, in bytes. It is fixed because the table's size affects the score."""


class Scorer:
    """Scores problems with an engine of its own.

    ``cells`` bounds the subtrees of the proof tree remembered at once (None: all). A score depends neither
    on it nor on the contents of the table.

    Works of more than `LONGEST_FITTED` plies are searched by ``for_long_works``, by default the engine of the
    others, by the method for such works; the size of its table may affect their scores.
    """

    def __init__(self, cells: int | None = None, for_long_works: DfPnEngine | None = None) -> None:
        self._engine = DfPnEngine(table_bits=TABLE_BITS, method=_METHOD)
        self._engine_for_long_works = for_long_works or self._engine
        self._cells = cells

    @property
    def engine(self) -> DfPnEngine:
        """The engine; a score starts with an empty table, so other queries may come in between."""
        return self._engine

    def score(
        self, position: Position, length: int, limits: Limits | None = None, *, is_searched: bool = False
    ) -> Difficulty:
        """The difficulty of a position that mates in exactly ``length`` plies.

        ``is_searched``: `search_length` of the canonical position is what the engine for long works was last
        asked. Raises `LimitReached`.
        """
        limits = limits or Limits()
        with self._engine.within(limits), self._engine_for_long_works.within(limits):
            return self._score(position, length, is_searched)

    def _score(self, position: Position, length: int, is_searched: bool) -> Difficulty:
        record = pack(canonical(position))
        if length <= LONGEST_FITTED:
            peak, tree, line, mating = self._measure(record, length)
        else:
            peak, tree, line, mating = self._measure_long(record, length, is_searched)
        features = {
            "log_proof_tree": math.log2(tree.nodes),
            **self._refutations(record, line[0], length),
            "log_peak_proof_number": math.log2(1 + peak),
            "checks_per_turn": tree.checks / tree.turns,
            "answers_per_check": tree.answers / max(1, tree.answered),
            **_line_features(record, line),
            "length": float(length),
            "pieces": float(position.piece_count()),
            **self._first_checks(record, line[0], mating),
        }
        rounded = {name: round(value, 4) for name, value in features.items()}
        total = round(BASE + math.fsum(weight * rounded[name] for name, weight in WEIGHTS.items()), 2)
        return Difficulty(rounded, total, stars_of(total, length))

    def _measure(self, record: Record, length: int) -> _Measured:
        """The mate of a record as the weights were fitted to it."""
        engine = self._engine
        engine.forget()
        engine.mates(record, length)
        peak = engine.peak_proof_number
        subtrees = None if self._cells is None else MeasuredSubtrees(self._cells)
        tree = measure_proof_tree(engine, record, length, subtrees)
        line = TreeBuilder(engine, complete=False, order=int).line(record, length)
        return _Measured(peak, tree, line, _others_mating(engine, record, line[0], length))

    def _measure_long(self, record: Record, length: int, is_searched: bool) -> _Measured:
        """The mate of a record of more plies: any mate, then shorter ones, and the main line alone."""
        engine = self._engine_for_long_works
        if not is_searched:
            engine.forget()
            found = search_length(engine, record, Limits(), since=MateBounds(LAST_RAISED))
            if isinstance(found, Unresolved):
                raise LimitReached(found.reason)
        peak = engine.peak_proof_number
        with suited_to(engine, length), deeper_recursion(length):
            line = TreeBuilder(engine, complete=False, order=int).line(record, length)
            tree = measure_line(engine, record, line, length)
            return _Measured(peak, tree, line, _others_mating(engine, record, line[0], length))

    def _refutations(self, record: Record, key: int, length: int) -> dict[str, float]:
        """Work and depth to refute the wrong first checks, each from an empty table."""
        wrong = [check for check in legal_checks(record) if check != key]
        depths, works = self._engine.refutation_work(record, wrong, length, _NODES_FOR_A_REFUTATION)
        return {
            "log_refutation_work": math.log2(1 + sum(works)),
            "hardest_try": math.log2(1 + max(works, default=0)),
            "refutation_depth": sum(depths) / len(depths) if depths else 0.0,
        }

    def _first_checks(self, record: Record, key: int, mating: list[int]) -> dict[str, float]:
        """How the first checks but the key resist, and how surprising the key is among them."""
        checks = legal_checks(record)
        others = [check for check in checks if check != key]
        wrong = [check for check in others if check not in mating]
        return {
            "resistance": resistance(self._engine, record, wrong),
            "tries": float(len(more_than_a_glance(record, wrong))),
            "surprise": surprise(record, key, checks),
        }


class _Measured(NamedTuple):
    """A mate: its largest proof number, its tree, its line, and the other first checks that mate in time."""

    peak: int
    tree: TreeSize
    line: Moves
    mating: list[int]


def _others_mating(engine: DfPnEngine, record: Record, key: int, length: int) -> list[int]:
    return engine.mating(record, [check for check in legal_checks(record) if check != key], length)


@dataclass
class _LineFeatures:
    king_freedom: list[int] = field(default_factory=list)
    sacrifices: int = 0
    quiet_moves: int = 0
    non_promotions: int = 0
    distant_drops: int = 0
    captures: int = 0


def _line_features(record: Record, line: Moves) -> dict[str, float]:
    """The features of the main line's moves."""
    found = _LineFeatures()
    for ply in range(0, len(line), 2):
        reply = line[ply + 1] if ply + 1 < len(line) else 0
        with line_played(record, line[:ply]):
            _add_move_features(record, line[ply], reply, found)
    return {
        "king_freedom": sum(found.king_freedom) / len(found.king_freedom),
        "sacrifices": float(found.sacrifices),
        "quiet_moves": float(found.quiet_moves),
        "non_promotions": float(found.non_promotions),
        "distant_drops": float(found.distant_drops),
        "captures": float(found.captures),
        "open_squares": float(_open_squares(record, line)),
    }


def _open_squares(record: Record, line: Moves) -> int:
    """The empty squares next to the king at the end of the line."""
    with line_played(record, line):
        king = int(record.king[DEF])
        return sum(not record.board[king + step] for step in STEP[:8])


def _add_move_features(record: Record, move: int, reply: int, found: _LineFeatures) -> None:
    """Add one of the attacker's moves to ``found``; ``record`` stands before it."""
    check, answer = _check_of(record, move), target_of(reply)
    found.king_freedom.append(int(king_moves(record, np.empty(16, dtype=np.int64), 0)))
    found.captures += check.captured != 0
    found.sacrifices += is_sacrifice(check, answer)
    found.quiet_moves += is_quiet(check, answer)
    found.distant_drops += is_distant_drop(check)
    found.non_promotions += stays_unpromoted(check)


class _CheckOnBoard(NamedTuple):
    """As `solver.scoring.check_kinds.CheckMove`."""

    kind: int
    origin: int
    target: int
    promotes: bool
    captured: int
    king: int


def _check_of(record: Record, move: int) -> _CheckOnBoard:
    origin, target = origin_of(move), target_of(move)
    kind = dropped(move) or int(record.board[origin])
    return _CheckOnBoard(
        kind, origin, target, promotes(move), int(record.board[target]), int(record.king[DEF])
    )
