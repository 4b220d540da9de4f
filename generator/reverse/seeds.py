# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a root begins: the mates in one that lead to final positions, or a given problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from generator.acceptance import Rejection, RootStatistics
from generator.candidate import EMPTY, Candidate
from generator.changes import (
    ChangeKind,
    PositionChange,
    legal_changes,
    possible_changes,
    possible_starts,
    square_at_step,
)
from generator.constraints.options import CHANGES_PER_ROOT, ROOTS_PER_START, ComposingOptions
from generator.constraints.position import is_mate, parse_final_position
from generator.constraints.problem import KingRegion, ProblemConstraints, parse_mate_squares
from generator.reverse.extender import Extender
from generator.reverse.kernel.final_positions import (
    BORDER,
    FAR_CORNER,
    FAR_RANKS,
    MIDDLE,
    NO_MATE,
    WHOLE_BOARD,
    draw_mate_on_cells,
)
from generator.themes.predicates import Pattern, patterns_of
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from solver.results import LimitReached, Limits, Mate
from solver.solving.deepening import search_length
from solver.solving.tree import TreeBuilder
from tsume_rules.kernel.tables import CELL, POSITION
from tsume_rules.packed import Moves, PackedPosition, pack, pack_all, unpack
from tsume_rules.position import HAND_KINDS, Kind, Piece, Position, Side, Square, square
from tsume_rules.sfen import parse_sfen

# --- given problems, which are extended backwards --------------------------------------------------

_GIVEN_NODES = 2_000_000
_TURNS = 200


@dataclass(frozen=True)
class GivenProblem:
    """A given problem as a candidate; None, and why, if it cannot be extended."""

    candidate: Candidate | None
    why: str = ""


def given_problem(engine: DfPnEngine, sfen: str) -> GivenProblem:
    """Return the start that a given position makes. Raises ``ValueError`` if ``sfen`` is not an SFEN."""
    packed = pack(parse_sfen(sfen).position)
    try:
        with engine.within(Limits(nodes=2 * _GIVEN_NODES)):
            found = search_length(engine, packed, Limits(nodes=_GIVEN_NODES))
            if not isinstance(found, Mate):
                return GivenProblem(None, "no mate was found")
            line = sound_line(engine, packed, found.length)
            if line is None:
                return GivenProblem(None, "it has a second solution or leaves pieces in hand")
            return GivenProblem(Candidate(packed, found.length, line, 0))
    except LimitReached:
        return GivenProblem(None, "it was not resolved within the limits")


def sound_line(engine: DfPnEngine, packed: PackedPosition, length: int) -> Moves | None:
    """Return the best line of a position that mates in ``length`` plies; None if it is not sound. Second solutions are
    looked for up to that length only. Raises `LimitReached`."""
    if engine.is_sound(packed, length, 0, _TURNS) != SOUND:
        return None
    return TreeBuilder(engine).line(packed, length)


# --- a given problem with one more, one fewer or another piece, its line kept: more problems to extend ---

_VARIANT_NODES = 3_000


def variants_of_given_problem(engine: DfPnEngine, start: Candidate, batch: int) -> list[Candidate]:
    """Return the candidates that the changes of one batch lead to, as far as they keep the start's line. The changes
    come in an order drawn once for all, `generator.constraints.options.CHANGES_PER_ROOT` of them in a batch."""
    position = unpack(start.packed)
    changes = list(possible_changes(position))
    order = np.random.default_rng(len(changes)).permutation(len(changes))
    mine = (changes[i] for i in islice(order, batch * CHANGES_PER_ROOT, (batch + 1) * CHANGES_PER_ROOT))
    packed_positions = pack_all([after for _, after in possible_starts(legal_changes(position, mine))])
    lengths = engine.short_lengths(packed_positions, start.length, _VARIANT_NODES)
    same = [packed for packed, length in zip(packed_positions, lengths, strict=True) if length == start.length]

    def has_line(packed: PackedPosition) -> bool:
        line = start.line
        return engine.keeps_line(packed, line) and sound_line(engine, packed, len(line)) == line

    return [
        Candidate(packed.copy(), start.length, start.line, family)
        for family, packed in enumerate(same)
        if engine.answered_within(_VARIANT_NODES, partial(has_line, packed))
    ]


# --- mated positions whose pieces draw a picture (曲詰): where such problems begin backwards ---------

_DRAWS, _STEPS = 24, 2_000
"""Draws of which the best is taken, and exchanges of pieces in each."""
_LOWEST = 3
"""A picture begins at most this many ranks below the top, where kings are mated more easily."""


class PictureSampler:
    """Draws mated positions that need most of their pieces; random choices follow ``state`` and ``rng``."""

    def __init__(self, state: np.ndarray) -> None:
        self._state = state
        self._position = pack(parse_sfen(EMPTY).position)
        self._saved = np.zeros(1, dtype=POSITION).view(np.recarray)
        self._scratch = np.zeros(8192, dtype=np.int64)

    def draw(self, name: str | None, rng: np.random.Generator) -> PackedPosition | None:
        """A mated position that draws a picture, any if there is no ``name``; None if no draw was mate."""
        patterns = patterns_of(name)
        best, found = NO_MATE, None
        for _ in range(_DRAWS):
            cells = _cells_of(patterns[int(rng.integers(len(patterns)))], rng)
            unneeded = draw_mate_on_cells(self._position, cells, self._saved, self._state, self._scratch, _STEPS)
            if unneeded < best and is_mate(unpack(self._position)):
                best, found = unneeded, self._position.copy()
        return found


def _cells_of(pattern: Pattern, rng: np.random.Generator) -> np.ndarray:
    width, height = (max(place[axis] for place in pattern) + 1 for axis in (0, 1))
    right = int(rng.integers(10 - width))
    down = int(rng.integers(min(_LOWEST, 9 - height) + 1))
    return np.array([CELL[square(9 - x - right, 1 + y + down)] for x, y in sorted(pattern)], dtype=np.int64)


# --- padding: more pieces around a given mated position, since bare mates seldom have a predecessor ---

MAX_ADDED = 6
"""Pieces added, at most."""
_TRIES = 30
_DEFENDING = 0.6
_NEAR = 2
_FAR = 0.15
"""The share of pieces that come anywhere, not within `_NEAR` files and ranks of the king."""
_PROMOTED = 0.1


def with_pieces_added(final: Position, rng: np.random.Generator) -> Position:
    """Return a mated position with up to `MAX_ADDED` pieces more, if they leave it mate; else the same. What stood
    there stays; nothing comes into the attacker's hand."""
    for _ in range(_TRIES):
        position = final
        for _ in range(int(rng.integers(1, MAX_ADDED + 1))):
            position = _with_one_piece_more(position, rng)
        if position != final and is_mate(position):
            return position
    return final


def _with_one_piece_more(position: Position, rng: np.random.Generator) -> Position:
    king = position.king(Side.DEFENDER)
    assert king is not None
    side = Side.DEFENDER if rng.random() < _DEFENDING else Side.ATTACKER
    kind: Kind = HAND_KINDS[int(rng.integers(len(HAND_KINDS)))]
    if rng.random() < _PROMOTED:
        kind = kind.promoted
    if rng.random() < _FAR:
        file, rank = (int(n) for n in rng.integers(1, 10, size=2))
        place: Square | None = square(file, rank)
    else:
        files, ranks = (int(n) for n in rng.integers(-_NEAR, _NEAR + 1, size=2))
        place = square_at_step(king, (files, ranks))
    if place is None or position.board[place] is not None:
        return position
    added = PositionChange(ChangeKind.ADDED, Piece(side, kind), place)
    return next((after for _, after in legal_changes(position, [added])), position)


# --- where a root begins ---------------------------------------------------------------------------

_ANY_REGION = (FAR_CORNER, FAR_CORNER, FAR_CORNER, FAR_RANKS, FAR_RANKS, BORDER, WHOLE_BOARD)
_REGIONS = {KingRegion.CORNER: (FAR_CORNER,), KingRegion.EDGE: (BORDER,), KingRegion.CENTRE: (MIDDLE,)}

WALLED = 0.25
"""The share of final positions in which the king is shut in by its own side's pieces."""


def king_regions(constraints: ProblemConstraints) -> Sequence[int]:
    """Return where the king of a final position may be drawn, each equally likely."""
    if constraints.mate_on is not None:
        return tuple(-1 - square for square in sorted(parse_mate_squares(constraints.mate_on)))
    return _ANY_REGION if constraints.region is None else _REGIONS[KingRegion(constraints.region)]


class SeedCandidates:
    """What the roots of a run begin with; its kernels use the random state of the extender."""

    def __init__(self, engine: DfPnEngine, extender: Extender, options: ComposingOptions) -> None:
        self._engine = engine
        self._extender = extender
        self._options = options
        self._pictures = PictureSampler(extender.state)
        self._starts: dict[str, GivenProblem] = {}

    def of(self, index: int, rng: np.random.Generator, statistics: RootStatistics) -> list[Candidate]:
        """Return what a root begins with; asked again, other final positions are drawn."""
        if self._options.starts:
            # One of the given problems, or variants of it: each problem once as it is, then batch by batch.
            starts = self._options.starts
            turn, number = divmod(index, len(starts))
            candidate, batch = self.given(starts[number]), turn % ROOTS_PER_START
            if candidate is None:
                return []
            return variants_of_given_problem(self._engine, candidate, batch - 1) if batch else [candidate]
        with statistics.timed("draw"):
            found: list[Candidate] = []
            for family, final in enumerate(self._finals(index, rng)):
                candidates = [] if final is None else self._extender.first_moves(final, family)
                if not candidates:
                    statistics.counts[Rejection.NO_FINAL if final is None else Rejection.NO_WAY_BACK] += 1
                found += candidates
        if self._options.length == 1:  # extensions are counted by the extender
            statistics.counts["candidates"] += len(found)
        return found

    def given(self, sfen: str) -> Candidate | None:
        """Return a given problem as a candidate, None if it cannot be extended."""
        if sfen not in self._starts:
            self._starts[sfen] = given_problem(self._engine, sfen)
            self._engine.forget()  # what follows must not depend on whether the start was known
        return self._starts[sfen].candidate

    def _finals(self, index: int, rng: np.random.Generator) -> Iterator[PackedPosition | None]:
        """Yield the final position given, or it with more pieces; if none is given, random ones. None stands for a draw
        without success. Each is drawn on request."""
        if not self._options.final:
            wishes = self._options.wishes
            region = int(rng.choice(king_regions(wishes)))  # one for all: else corners would win
            for _ in range(self._options.finals):
                if wishes.draws_picture:
                    yield self._pictures.draw(wishes.picture, rng)
                else:
                    yield self._extender.draw_final(region, bool(rng.random() < WALLED))
            return
        final = parse_final_position(self._options.final)
        if self._options.exact or index == 0:
            yield pack(final)
            return
        for _ in range(self._options.finals):
            yield pack(with_pieces_added(final, rng))
