# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard a problem is: a vector of features and one score.

The score is a proxy, fitted to the levels of a hundred works (docs/difficulty.md). It is
comparable between any two problems: each is scored by the same engine in the same order
from an empty table, without random numbers, and mirror images are scored as one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from solver.engines.base import futility_by_drop_cell
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.memory import engine_bytes
from solver.engines.dfpn.methods import FOR_RESISTANCE, Estimate, Frontier, Method
from solver.engines.kernel.mate import GLANCE_ROOM, refuted_at_a_glance
from solver.results import RESISTANCE_NODES, Difficulty, LimitReached, Limits, MateBounds, Unresolved
from solver.scoring import is_distant_drop, is_quiet, is_sacrifice, stays_unpromoted
from solver.solving.deepening import LAST_RAISED, search_length, search_suited_to
from solver.solving.tree import TreeBuilder, deeper_recursion
from tsume_rules.kernel.attacks import attacker_cell, effects_of_side
from tsume_rules.kernel.move_generation import king_moves
from tsume_rules.kernel.state import can_promote, packed_hand
from tsume_rules.kernel.tables import ATT, DEF, KING, OURS, PROMOTION, SQUARE, STEP
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    dropped,
    is_promotion,
    legal_checks,
    legal_evasions,
    line_played,
    origin_of,
    pack,
    played,
    target_of,
)
from tsume_rules.position import Position, Side
from tsume_rules.sfen import canonical

# --- the size of a minimal exact proof tree --------------------------------------------------------
#
# With the attacker to move the tree has one check, the first in the fixed order that mates in the position's
# exact length. With the defender to move it has every answer; drops on one cell count once, futile ones not at
# all. Each subtree is as deep as its own exact length.
#
# A position reached twice counts twice, so the sizes of subtrees are stored. If their number is bounded, the
# longest are kept and the others are counted again each time, as in a search within a given number of cells
# (Katoh1988). The result is the same.


@dataclass(frozen=True)
class TreeSize:
    """Counts over a proof tree (a position met twice counts twice).

    ``turns`` are the positions with the attacker to move, ``checks`` all their legal
    checks; ``defences`` are the positions with the defender to move, ``answered`` those
    of them that are not mate, ``answers`` all their answers. ``decided`` are the positions of
    a whole tree if a turn met twice counts once, with the position after its check; 0 in a sum.
    """

    turns: int = 0
    checks: int = 0
    defences: int = 0
    answered: int = 0
    answers: int = 0
    decided: int = 0

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

    @property
    def variations(self) -> int:
        """Return the lines of the tree from its root to a mate; drops on one cell are one."""
        return self.defences - self.answered


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

    ``subtrees``, initially empty, bounds the number of sizes stored; the names of turns are kept besides.
    Without it the engine computes the size in one call, unless the tree is too large. Raises `LimitReached`.
    """
    sums = engine.proof_tree(packed, length) if subtrees is None else None
    if sums is not None:
        return TreeSize(*sums)
    measure = _ProofTreeMeasure(engine, subtrees or MeasuredSubtrees())
    size = measure.attack(packed, length)
    return replace(size, decided=2 * len(measure.turns))


def measure_line(engine: DfPnEngine, packed: PackedPosition, line: Moves, length: int) -> TreeSize:
    """Return the counts over the main line alone, for works whose tree is too large to be searched.

    ``length`` is that of the mate; the line may be longer by a futile drop. Raises `LimitReached`.
    """
    measure = _ProofTreeMeasure(engine, MeasuredSubtrees())
    total = TreeSize()
    for ply in range(0, len(line), 2):
        with line_played(packed, line[:ply]):
            total += measure.turn(packed, line[ply], max(length - ply, 1))
    return replace(total, decided=total.nodes)


class _ProofTreeMeasure:
    def __init__(self, engine: DfPnEngine, subtrees: MeasuredSubtrees) -> None:
        self._engine = engine
        self._subtrees = subtrees
        self.turns: set[Name] = set()

    def attack(self, packed: PackedPosition, n: int) -> TreeSize:
        name = int(packed.key), int(packed_hand(packed)), n
        size = self._subtrees.get(name)
        if size is not None:
            return size
        self.turns.add(name)
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
        for move, is_futile in futility_by_drop_cell(packed, legal_evasions(packed), futile, None):
            if not is_futile:
                groups.setdefault(move if is_futile is None else target_of(move), move)
        return list(groups.values())


# --- how the wrong first checks resist: how hard the hardest is to refute, and how many are tries (紛れ) ---


def checks_beyond_glance(packed: PackedPosition, checks: Iterable[int]) -> list[int]:
    """Return those of the legal checks that no answer refutes at a glance.

    An answer refutes at a glance if it leaves no check, or only checks each of which has an answer that
    leaves none: the attacker runs out of checks within three plies of the first.
    """
    out = np.empty(GLANCE_ROOM, dtype=np.int64)
    return [check for check in checks if not refuted_at_a_glance(packed, check, out)]


def resistance(engine: DfPnEngine, packed: PackedPosition, wrong: Iterable[int]) -> float:
    """Return log2(1 + N), N being the nodes that the hardest wrong check takes to refute at any length.

    Each check is searched by `FOR_RESISTANCE` from an empty table, with at most `RESISTANCE_NODES`
    nodes, so the number depends on the size of the engine's table only; a check that mates does not count.
    The table is empty afterwards. Raises `LimitReached`.
    """
    hardest = 0
    with engine.searching_by(FOR_RESISTANCE):
        for check in wrong:
            engine.forget()
            before = engine.nodes
            with played(packed, check, Side.ATTACKER):
                ask = partial(engine.mates_ever, packed, attacker=False)
                mates = engine.answered_within(RESISTANCE_NODES, ask)
            if mates is None or (not mates and engine.nodes - before >= RESISTANCE_NODES):
                hardest = RESISTANCE_NODES
                break
            if not mates:
                hardest = max(hardest, engine.nodes - before)
    engine.forget()
    return math.log2(1 + hardest)


# --- how surprising the key is to a player who goes by habit ---------------------------------------
#
# A weak player does not calculate. He sees what each check does at once and takes one by habit: the habits
# are the weights of a softmax over the checks, fitted to mates that occurred in games, where the key mostly
# is the obvious move. The surprise is -log2 of the chance that he gives the key.

TRAIT_WEIGHTS: dict[str, float] = {
    "captures": 0.57,
    "captured_value": 2.3,
    "promotes": 0.13,
    "stays_unpromoted": -1.69,
    "drops": 0.06,
    "pawn": -0.6,
    "lance": -0.22,
    "knight": 0.15,
    "gold": -0.17,
    "bishop": 0.71,
    "rook": 0.5,
    "horse": 0.62,
    "dragon": 0.76,
    "distance": -0.2,
    "withdraws": -0.89,
    "supported": 0.34,
    "may_be_taken": -0.13,
    "gives_value": -2.95,
    "king_moves": -0.88,
    "other_answers": -0.99,
    "may_be_blocked": -1.39,
    "discovers": 1.13,
    "double": 0.67,
}
"""The weight of each trait of a check; a silver has none. Fitted by ``scripts/fit surprise``."""
_VALUES = (0, 1, 3, 3, 5, 7, 8, 5, 0, 5, 5, 5, 5, 9, 10)
"""Of the kinds, pawn to dragon, as beginners are taught."""
_KINDS = {1: "pawn", 2: "lance", 3: "knight", 5: "bishop", 6: "rook", 7: "gold", 13: "horse", 14: "dragon"}
_FARTHEST = 3
_MAX_ANSWERS = 4


def surprise(packed: PackedPosition, key: int, checks: Sequence[int]) -> float:
    """-log2 of the chance of the key among all legal checks, the key one of them."""
    sums = {check: weighted_sum(check_traits(packed, check)) for check in checks}
    largest = max(sums.values())
    total = math.fsum(math.exp(one - largest) for one in sums.values())
    return max(0.0, (math.log(total) + largest - sums[key]) / math.log(2))


def weighted_sum(traits: Mapping[str, float]) -> float:
    """Return the weighted sum of traits."""
    return math.fsum(TRAIT_WEIGHTS[name] * value for name, value in traits.items())


def check_traits(packed: PackedPosition, check: int) -> dict[str, float]:
    """Return what is seen of a check at once, by names of `TRAIT_WEIGHTS`; what is left out is 0."""
    origin, target, king = origin_of(check), target_of(check), int(packed.king[DEF])
    piece = dropped(check) or int(packed.board[origin])
    captured = int(packed.board[target]) % OURS
    with played(packed, check, Side.ATTACKER):
        after, answers = int(packed.board[target]), legal_evasions(packed)
        checkers, supporters = _attackers(packed, king), _attackers(packed, target)
    on_board = [move for move in answers if not dropped(move)]
    by_king = sum(origin_of(move) == king for move in on_board)
    taken = float(any(target_of(move) == target for move in on_board))
    far, stays = _steps(target, king), origin != 0 and not is_promotion(check)
    traits = {
        "supported": float(bool(supporters)),
        "may_be_taken": taken,
        "king_moves": float(min(by_king, _MAX_ANSWERS)),
        "other_answers": float(min(len(on_board) - by_king, _MAX_ANSWERS)),
        "may_be_blocked": float(len(answers) > len(on_board)),
        "discovers": float(target not in checkers),
        "double": float(len(checkers) > 1),
        "captures": float(captured != 0),
        "captured_value": _VALUES[captured] / 10,
        "promotes": float(is_promotion(check)),
        "stays_unpromoted": float(stays and bool(can_promote(piece, origin, target, ATT))),
        "drops": float(origin == 0),
        "distance": float(min(far, _FARTHEST)),
        "withdraws": float(origin != 0 and far > _steps(origin, king)),
        "gives_value": taken * _VALUES[after] / 10,
    }
    name = _KINDS.get(piece, "gold" if piece > KING else "")
    return {**traits, name: 1.0} if name else traits


def _attackers(packed: PackedPosition, cell: int) -> list[int]:
    """Return the cells of the attacker's pieces that attack a cell."""
    found, cells = int(effects_of_side(int(packed.effects[cell]), ATT)), []
    while found:
        cells.append(int(attacker_cell(packed, cell, (found & -found).bit_length() - 1)))
        found &= found - 1
    return cells


def _steps(cell: int, other: int) -> int:
    """Return a king's moves from one cell to another on an empty board."""
    (file, rank), (other_file, other_rank) = divmod(int(SQUARE[cell]), 9), divmod(int(SQUARE[other]), 9)
    return max(abs(file - other_file), abs(rank - other_rank))


# --- how hard a problem is -------------------------------------------------------------------------

BASE = 2.8
"""The constant term of every score."""
WEIGHTS = {
    "length": 2.52,
    "log_proof_tree": 3.26,
    "log_peak_proof_number": 3.14,
    "distant_drops": 5.75,
    "material_given": 0.41,
    "attackers": 1.6,
    "king_from_edges": 1.63,
}
"""The weight of each feature in the score; the other features are only reported. None is negative: of two
problems that differ in the proof tree alone, the one with the larger tree never scores less. Fitted by
``scripts/fit difficulty`` to the levels that a site gave 102 works of 1 to 23 plies."""
LONGEST_FITTED = 23
"""Plies of the longest work that the weights were fitted to. Longer ones are measured in another way."""
_NODES_FOR_A_REFUTATION = 200_000
_FROM_ABOVE = MateBounds(LAST_RAISED)
_METHOD = Method(Frontier.D2, Estimate.MOVES)
"""Initial proof numbers are counts of answers and checks: df-pn+ would add its estimate to the peak."""
TABLE_BITS = 18
SCORER_BYTES = engine_bytes(TABLE_BITS)
"""The memory of a scorer, in bytes. It is fixed because the table's size affects the score."""


def score_of_features(features: Mapping[str, float]) -> float:
    """Return the weighted sum of features, rounded to two decimals."""
    return round(BASE + math.fsum(weight * features[name] for name, weight in WEIGHTS.items()), 2)


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
        """Return the engine; a score starts with an empty table, so other queries may come in between."""
        return self._engine

    def score(
        self, position: Position, length: int, limits: Limits | None = None, *, is_searched: bool = False
    ) -> Difficulty:
        """Return the difficulty of a position that mates in exactly ``length`` plies.

        ``is_searched``: `search_length` of the canonical position is what the engine for long works was last
        asked. Raises `LimitReached`.
        """
        limits = limits or Limits()
        with self._engine.within(limits), self._engine_for_long_works.within(limits):
            packed = pack(canonical(position))
            peak, tree, line, mating = self._measure(packed, length, is_searched)
            checks = legal_checks(packed)
            others = [check for check in checks if check != line[0]]
            wrong = [check for check in others if check not in mating]
            # Work and depth to refute the other first checks, each from an empty table.
            depths, works = self._engine.refutation_work(packed, others, length, _NODES_FOR_A_REFUTATION)
            features = {
                "log_proof_tree": math.log2(tree.nodes),
                "decided_positions": float(tree.decided),
                "variations": float(tree.variations),
                "log_refutation_work": math.log2(1 + sum(works)),
                "hardest_try": math.log2(1 + max(works, default=0)),
                "refutation_depth": sum(depths) / len(depths) if depths else 0.0,
                "log_peak_proof_number": math.log2(1 + peak),
                "checks_per_turn": tree.checks / tree.turns,
                "answers_per_check": tree.answers / max(1, tree.answered),
                **_line_features(packed, line),
                "length": float(length),
                "pieces": float(position.piece_count()),
                "attackers": float(sum(piece is not None and piece.side is Side.ATTACKER for piece in position.board)),
                "king_from_edges": float(sum(min(at, 8 - at) for at in divmod(int(SQUARE[packed.king[DEF]]), 9))),
                "resistance": resistance(self._engine, packed, wrong),
                "tries": float(len(checks_beyond_glance(packed, wrong))),
                "surprise": surprise(packed, line[0], checks),
            }
            rounded = {name: round(value, 4) for name, value in features.items()}
            return Difficulty(rounded, score_of_features(rounded))

    def _measure(self, packed: PackedPosition, length: int, is_searched: bool) -> _Measured:
        """Measure the mate of ``packed`` as the weights were fitted to it. Of one of more plies: any mate is
        searched first, then shorter ones, and the line alone is measured."""
        is_long = length > LONGEST_FITTED
        engine = self._engine_for_long_works if is_long else self._engine
        if not (is_long and is_searched):
            engine.forget()
            if not is_long:
                engine.mates(packed, length)
            elif isinstance(found := search_length(engine, packed, Limits(), since=_FROM_ABOVE), Unresolved):
                raise LimitReached(found.reason)
        peak = engine.peak_proof_number
        if not is_long:
            subtrees = None if self._cells is None else MeasuredSubtrees(self._cells)
            tree = measure_proof_tree(engine, packed, length, subtrees)
        with search_suited_to(engine, length) if is_long else nullcontext(), deeper_recursion(length):
            line = TreeBuilder(engine, complete=False, order=int).line(packed, length)
            if is_long:
                tree = measure_line(engine, packed, line, length)
            others = [check for check in legal_checks(packed) if check != line[0]]
            return peak, tree, line, engine.mating(packed, others, length)


_Measured = tuple[int, TreeSize, Moves, list[int]]
"""A mate: its largest proof number, its tree, its line, and the other first checks that mate in time."""


def _line_features(packed: PackedPosition, line: Moves) -> dict[str, float]:
    """Return the features of the main line's moves."""
    freedom, count = [], Counter[str]()
    for ply in range(0, len(line), 2):
        move, answer = line[ply], target_of(line[ply + 1]) if ply + 1 < len(line) else 0
        with line_played(packed, line[:ply]):
            origin, target = origin_of(move), target_of(move)
            kind, captured = dropped(move) or int(packed.board[origin]), int(packed.board[target])
            king = int(packed.king[DEF])
            freedom.append(int(king_moves(packed, np.empty(16, dtype=np.int64), 0)))
        check = _CheckOnBoard(kind, origin, target, is_promotion(move), captured, king)
        count["captures"] += check.captured != 0
        count["sacrifices"] += is_sacrifice(check, answer)
        if is_sacrifice(check, answer) and not check.captured:
            count["material_given"] += _VALUES[kind + PROMOTION * check.promotes]
        count["quiet_moves"] += is_quiet(check, answer)
        count["distant_drops"] += is_distant_drop(check)
        count["non_promotions"] += stays_unpromoted(check)
    with line_played(packed, line):
        king = int(packed.king[DEF])
        open_squares = sum(not packed.board[king + step] for step in STEP[:8])
    counted = ("sacrifices", "material_given", "quiet_moves", "non_promotions", "distant_drops", "captures")
    return {
        "king_freedom": sum(freedom) / len(freedom),
        **{name: float(count[name]) for name in counted},
        "open_squares": float(open_squares),  # empty, next to the king at the end of the line
    }


class _CheckOnBoard(NamedTuple):
    """As `solver.scoring.CheckMove`."""

    kind: int
    origin: int
    target: int
    promotes: bool
    captured: int
    king: int
