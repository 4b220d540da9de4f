# SPDX-License-Identifier: GPL-3.0-or-later
"""Long works: positions of every length are kept on the way back, so that the search returns where it dies out.

A child of a sound position is sound if its first turn is: so two plies more cost the same at 11 plies and at 61.
Most positions have no sound child, a few have dozens. The longest that are left go on, the best of them first; where
none is left, those two plies shorter do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from generator.candidate import Candidate
from generator.constraints.position import is_mate
from generator.reverse.construction import ReverseConstruction
from tsume_rules.kernel.tables import ATT, DEF, DIST, PAWN, RANK, WALL
from tsume_rules.packed import attacker_turns, pack
from tsume_rules.position import (
    ALL_PIECES,
    SET_COUNT,
    SQUARES,
    Hand,
    Kind,
    Piece,
    Position,
    Side,
    Square,
    file_of,
    rank_of,
    structural_faults,
)

_STARTS = 80
"""Given problems with which a root begins, at most."""
_PARENTS = 6_000
"""Positions of a root that are extended, at most."""
_ENOUGH = 60
"""Positions of the length asked for after which a root ends."""
_SHARE, _FEW = 6, 4
"""Of the positions that go on at a time, at most one in so many, or so many, come from one core."""
_FOR_A_SQUARE, _FOR_A_PIECE, _FOR_HELD = 0.5, -0.2, -0.25
"""Merit for each square on which the king stands, for each piece on the board, for each one in hand beyond `_HELD`."""
_HELD = 3
_FOR_A_CHECK, _FOR_A_NEIGHBOUR, _FOR_A_GUARD = -0.12, -0.2, -0.3
"""Merit for each check that the position has, and for each piece next to the king: the attacker's, the defender's.
Positions with many of these seldom have a sound child (rank correlations of -0.5, -0.4, -0.4 at 21 to 24 pieces)."""
_WELCOME = 4.0
"""Merit that a core loses when all positions that go on at a time have been its own."""


def pieces_on_board(candidate: Candidate) -> int:
    """Return the number of pieces on the board, kings included."""
    board = np.asarray(candidate.packed.board)
    return int(((board > 0) & (board < WALL)).sum())


def merit(candidate: Candidate) -> float:
    """How good a position is among others of its length: likely to go on, and the king travels among few pieces."""
    packed = candidate.packed
    board, king = np.asarray(packed.board), int(packed.king[DEF])
    cells = np.flatnonzero((board > 0) & (board < WALL))
    next_to_king = board[cells[DIST[king, cells] == 1]] >> 4
    squares = len({int(turn.king[DEF]) for turn in attacker_turns(packed, candidate.line)})
    return (
        _FOR_A_SQUARE * squares
        + _FOR_A_PIECE * len(cells)
        + _FOR_HELD * max(0, int(packed.hand[0].sum()) - _HELD)
        + _FOR_A_CHECK * candidate.checks
        + _FOR_A_NEIGHBOUR * int((next_to_king == ATT).sum())
        + _FOR_A_GUARD * int((next_to_king == DEF).sum())
    )


class Weighed(NamedTuple):
    """A position with its merit."""

    merit: float
    candidate: Candidate


def weighed(candidate: Candidate) -> Weighed:
    """Return a position with its merit."""
    return Weighed(merit(candidate), candidate)


_SMOKE_WEIGHTS = {"checks": 0.1, "attackers": -0.5, "guards": -0.4, "held": 2.0, "edge": -1.2}
"""Of what makes it likely that a position of smoke has a sound child with more pieces (docs/long_composing.md)."""
_SMOKE_PARENTS, _SWEPT = 20_000, 10
"""Positions of a root that are extended, at most; and the levels below the highest one that every sweep passes."""
_FINALS, _DRAWS = 400, 60_000
"""Mates with three pieces with which a root begins, and draws for them, at most."""


class LongConstruction(ReverseConstruction):
    """Extends given problems to the length asked for."""

    _is_lenient = True
    """The judge knows which blemishes count."""

    def shortlist(self, index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """Yield the candidates of a root, the best first."""
        for candidate in sorted(self.candidates(index, rng), key=merit, reverse=True):
            if not self._acceptance.known.has_any(self._acceptance.key_hashes(candidate)):
                yield candidate

    def candidates(self, _index: int, rng: np.random.Generator) -> list[Candidate]:
        """Return the positions of the length asked for that a root comes to; none if it does not get so far."""
        length, most = self._options.length, self._options.beam
        waiting: defaultdict[int, list[Weighed]] = defaultdict(list)
        for start in self._starts(rng):
            waiting[start.length].append(weighed(start))
        gone_on: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for _ in range(_PARENTS // most):
            at = max((plies for plies, some in waiting.items() if some and plies < length), default=0)
            if not at or len(waiting[length]) >= _ENOUGH:
                break
            with self._statistics.timed("grow"):
                parents, waiting[at] = self._parted(waiting[at], gone_on[at], rng)
                for parent in parents:
                    waiting[at + 2] += map(weighed, self._extender.children(parent))
        return [one.candidate for one in waiting[length]]

    def _starts(self, rng: np.random.Generator) -> Iterator[Candidate]:
        starts = self._options.starts
        for family in rng.permutation(len(starts))[:_STARTS]:
            found = self._seeds.given(starts[family])
            if found is not None:
                yield replace(found, family=int(family))

    def _parted(
        self, some: list[Weighed], gone_on: Counter[int], rng: np.random.Generator
    ) -> tuple[list[Candidate], list[Weighed]]:
        """Return the best positions of one length, which go on now, few of them of one core, and those that wait."""
        most = self._options.beam
        noise = rng.gumbel(size=len(some)) * self._options.temperature
        dues = {family: _WELCOME * number / most for family, number in gone_on.items()}
        order = sorted(
            range(len(some)),
            key=lambda i: some[i].merit - dues.get(some[i].candidate.family, 0.0) + float(noise[i]),
            reverse=True,
        )
        families = Counter[int]()
        chosen: list[Candidate] = []
        left: list[Weighed] = []
        for i in order:
            candidate = some[i].candidate
            if len(chosen) < most and families[candidate.family] < max(_FEW, most // _SHARE):
                chosen.append(candidate)
                families[candidate.family] += 1
            else:
                left.append(some[i])
        gone_on.update(families)
        return chosen, left


# --- smoke (煙詰): nearly all pieces stand on the board, and three are left at the mate ---------------


def smoke_merit(candidate: Candidate) -> float:
    """How likely a position is to have a sound child with more pieces."""
    packed = candidate.packed
    board, king = np.asarray(packed.board), int(packed.king[DEF])
    cells = np.flatnonzero((board > 0) & (board < WALL))
    next_to_king = board[cells[DIST[king, cells] == 1]] >> 4
    told = {
        "checks": min(candidate.checks, 20), "attackers": int((next_to_king == ATT).sum()),
        "guards": int((next_to_king == DEF).sum()), "held": min(int(packed.hand[0].sum()), 3),
        "edge": int(RANK[king] in (0, 8)),
    }  # fmt: skip
    return sum(_SMOKE_WEIGHTS[name] * number for name, number in told.items())


def smoke_level(candidate: Candidate) -> int:
    """How far a position is on the way to smoke: two for each piece on the board, one more for each pawn: there are
    eighteen, which come last if nothing draws them."""
    hands = candidate.packed.hand
    held = int(hands[0][PAWN]) + int(hands[1][PAWN])
    return 2 * pieces_on_board(candidate) + SET_COUNT[Kind.PAWN] - held


class SmokeConstruction(LongConstruction):
    """Goes back from mates with three pieces, and puts a piece on the board with nearly every move. Sweeps pass from
    bare positions to full ones; at each level the most promising go on."""

    def candidates(self, _index: int, rng: np.random.Generator) -> list[Candidate]:
        """Return the positions of a root that have as many pieces as asked for, and mate in time."""
        wanted = self._options.wishes.min_pieces or ALL_PIECES
        waiting: defaultdict[int, list[Weighed]] = defaultdict(list)
        with self._statistics.timed("draw"):
            for start in self._starts(rng):
                waiting[smoke_level(start)].append(Weighed(smoke_merit(start), start))
        gone_on: defaultdict[int, Counter[int]] = defaultdict(Counter)
        found: list[Candidate] = []
        number, sweep = 0, 0
        while number < _SMOKE_PARENTS and len(found) < _ENOUGH and any(waiting.values()):
            with self._statistics.timed("grow"):
                top, before = max(level for level, some in waiting.items() if some), number
                at = min(waiting) if sweep % 4 == 0 else top - _SWEPT
                while at <= max(waiting):
                    parents, waiting[at] = self._parted(waiting[at], gone_on[at], rng)
                    number += len(parents)
                    for child in (child for parent in parents for child in self._extender.children(parent)):
                        if child.length <= self._options.length:
                            waiting[smoke_level(child)].append(Weighed(smoke_merit(child), child))
                            if pieces_on_board(child) >= wanted:
                                found.append(child)
                    at += 1
            sweep += 1 if number > before else 4 - sweep % 4
        return found

    def _starts(self, rng: np.random.Generator) -> Iterator[Candidate]:
        finals = islice(mates_with_three_pieces(rng, _DRAWS), _FINALS)
        for family, final in enumerate(finals):
            yield from self._extender.first_moves(pack(final), family)


def mates_with_three_pieces(rng: np.random.Generator, draws: int) -> Iterator[Position]:
    """Yield mated positions with two attackers, drawn at random; the king stands on an edge, as it must."""
    seen: set[Position] = set()
    kinds = [kind for kind in Kind if kind is not Kind.KING]
    edge = [sq for sq in range(SQUARES) if file_of(sq) in (1, 9) or rank_of(sq) in (1, 9)]
    for _ in range(draws):
        king = edge[int(rng.integers(len(edge)))]
        near = [sq for sq in range(SQUARES) if 0 < _distance(sq, king) <= 2]
        places = near, near if rng.random() < 0.6 else range(SQUARES)
        squares = [some[int(rng.integers(len(some)))] for some in places]
        pieces = [Piece(Side.ATTACKER, kinds[int(rng.integers(len(kinds)))]) for _ in squares]
        board: list[Piece | None] = [None] * SQUARES
        for sq, piece in zip(squares, pieces, strict=True):
            board[sq] = piece
        board[king] = Piece(Side.DEFENDER, Kind.KING)
        position = Position.completed(tuple(board), Hand.of({}))
        three = position.piece_count() == len(squares) + 1 and position not in seen
        if three and not structural_faults(position) and is_mate(position):
            seen.add(position)
            yield position


def _distance(one: Square, other: Square) -> int:
    return max(abs(file_of(one) - file_of(other)), abs(rank_of(one) - rank_of(other)))
