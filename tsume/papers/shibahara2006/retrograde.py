# SPDX-License-Identifier: GPL-3.0-or-later
"""The judge: all positions of a set of pieces, solved backwards (docs/papers/shibahara2006.md).

Kernels: `tsume.papers.shibahara2006.kernel.retrograde`, which says how positions are numbered.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tsume.papers.shibahara2006.game import (
    Result,
    ShogiVariant,
    VariantTables,
    exchanged_sides,
    variant_tables,
)
from tsume.papers.shibahara2006.kernel import numbering
from tsume.papers.shibahara2006.kernel import retrograde as kernel
from tsume.papers.shibahara2006.kernel.moves import BOARD, CELLS, HAND_SHIFT, MOST_MOVES, TURN

_BLOCKS = CELLS * CELLS
_MOST_PIECES = 4
_SCRATCH = np.dtype(
    [(name, np.int64) for name in ("own", "other", "board", "hand", "other_hand", "number", "plies", "new")]
    + [("kings", np.int64, 2)]
    + [(name, np.int64, _MOST_PIECES) for name in ("place", "slot", "cell", "code", "turned", "sorted")]
)


class _Arena(NamedTuple):
    rules: VariantTables
    sources: Any
    pieces: Any
    hands: Any
    forms: Any
    ranks: Any
    places: Any
    cells: Any
    bits: Any
    value: Any
    left: Any
    fresh: Any
    moves: Any
    scratch: Any


def endgame_table_bytes(game: ShogiVariant) -> int:
    """How many bytes solving a game takes, near enough."""
    return 2 * _BLOCKS * int(np.prod(_placements_of_each_kind(game)))


def _placements_of_each_kind(game: ShogiVariant) -> list[int]:
    """How many ways there are to place the pieces of each kind, impossible ones among them."""
    ranks = [comb(2 * CELLS * _promotable_forms(kind) + 1 + number, number) for kind, number in game.slots]
    return [*ranks, 1][:2]


def _promotable_forms(kind: str) -> int:
    return 1 if kind == "金" else 2


def _move_source_table(game: VariantTables) -> npt.NDArray[np.int64]:
    """[code, cell, occupied cells]: where a piece may have come from, a bit each."""
    sources = np.zeros_like(game.reach)
    for start, cell in product(range(CELLS), repeat=2):
        sources[:, cell] |= (game.reach[:, start] >> cell & 1) << start
    return sources


class EndgameTable:
    """All positions of a game. Solving goes on with ``solve``; until it ends, nothing is known."""

    def __init__(self, game: ShogiVariant) -> None:
        self.game = game
        self.legal = 0
        kinds = [*game.slots, ("金", 0)][:2]
        pieces = np.array([number for _, number in kinds])
        forms = np.array([_promotable_forms(kind) for kind, _ in kinds])
        ranks = np.array(_placements_of_each_kind(game))
        places = np.zeros((2, int(ranks.max()), _MOST_PIECES), np.uint8)
        positions = _BLOCKS * int(ranks.prod())
        self._arena = _Arena(
            variant_tables(game),
            _move_source_table(variant_tables(game)),
            pieces,
            2 * CELLS * forms,
            forms,
            ranks,
            places,
            np.zeros((2, int(ranks.max())), np.int16),
            np.array([n.bit_count() for n in range(1 << CELLS)]),
            np.zeros(positions, np.uint8),
            np.zeros(positions, np.uint8),
            np.zeros(_BLOCKS * int(ranks[1]), np.uint8),
            np.zeros(MOST_MOVES, np.int64),
            np.zeros(1, _SCRATCH).view(np.recarray)[0],
        )

    def solve(self) -> Iterator[tuple[int, int]]:
        """Decide what can be decided; yields plies to the end and how many positions have so many.

        Raises OverflowError for a game with more plies than a byte holds.
        """
        arena = self._arena
        for slot in range(2):
            numbering.fill_placement_tables(arena, slot)
        counts = [kernel.judge_block(arena, block) for block in range(_BLOCKS)]
        self.legal = sum(legal for legal, _ in counts)
        new, plies = sum(lost for _, lost in counts), 0
        while new:
            yield plies, new
            new = sum(kernel.take_back_from_block(arena, block, plies) for block in range(_BLOCKS))
            plies += 1
            if plies >= kernel.MOST_PLIES:
                raise OverflowError(f"more than {kernel.MOST_PLIES} plies to a win")

    def value(self, state: int) -> tuple[Result, int | None]:
        """A packed position's worth to its mover, and in how many plies a win or a loss comes.

        Raises ValueError for an illegal position.
        """
        if state & TURN:
            return self.value(exchanged_sides(self.game, state))
        number = numbering.endgame_number(self._arena, state & BOARD, state >> HAND_SHIFT)
        value = int(self._arena.value[number])
        if value == kernel.ILLEGAL:
            raise ValueError("an illegal position")
        if value == kernel.UNKNOWN:
            return Result.DRAW, None
        return (Result.WIN if value % 2 == 0 else Result.LOSS), value - 1
