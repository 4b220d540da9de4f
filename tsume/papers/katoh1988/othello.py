# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions of Katoh1988's experiments, and a search of one."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from solver.engines.rsearch.framework import (
    SLICE,
    RSearch,
    RSearchCondition,
    RSearchOutcome,
    cells_bound_by_depth,
    cells_bound_by_limit,
)
from tsume.papers.katoh1988.kernel import alpha_beta as plain
from tsume.papers.katoh1988.kernel import switching
from tsume.papers.katoh1988.kernel.othello import (
    BRANCHING,
    KERNELS,
    Othello,
    flipped_discs,
    legal_othello_squares,
)

PLIES = 16
"""Squares left empty, and plies searched; a pass is a ply."""
BOARD, CORNERS = "board", "corners"
ORDERS = (BOARD, CORNERS)
"""The order in which moves are tried: row by row; corners first, the squares beside them last."""
_START = (1 << 15 | 1 << 20, 1 << 14 | 1 << 21)
_SIZE = 6
_CLASSES = ((0, 0), (0, 2), (1, 2), (2, 2), (0, 1), (1, 1))
"""Squares by their distances from the nearest edges, the smaller first: from good to bad."""


@dataclass(frozen=True)
class OthelloPosition:
    """The squares of who is to move and of the other, as sets of bits; square 6 * row + column."""

    mine: int
    yours: int

    def __str__(self) -> str:
        """36 characters, row by row: X who is to move, O the other, - empty."""
        return "".join("X" if self.mine >> i & 1 else "O" if self.yours >> i & 1 else "-" for i in range(36))

    @classmethod
    def parse(cls, text: str) -> OthelloPosition:
        """The position of such a text. Raises ValueError for any other."""
        if len(text) != _SIZE * _SIZE or set(text) - set("XO-"):
            raise ValueError(f"no position of 6x6 Othello: {text[:50]!r}")
        return cls(*(sum(1 << i for i, disc in enumerate(text) if disc == side) for side in "XO"))

    def moves(self) -> list[int]:
        """The squares on which the mover may play."""
        squares = int(legal_othello_squares(np.uint64(self.mine), np.uint64(self.yours)))
        return [i for i in range(_SIZE * _SIZE) if squares >> i & 1]

    def passed(self) -> OthelloPosition:
        """With the other to move."""
        return OthelloPosition(self.yours, self.mine)

    def played(self, square: int) -> OthelloPosition:
        """After a move, with the other to move."""
        turned = int(flipped_discs(np.uint64(self.mine), np.uint64(self.yours), square))
        return OthelloPosition(self.yours & ~turned, self.mine | turned | 1 << square)

    @property
    def empty(self) -> int:
        """How many squares are empty."""
        return _SIZE * _SIZE - (self.mine | self.yours).bit_count()


def random_othello_position(rng: random.Random) -> OthelloPosition:
    """Random legal play until `PLIES` squares are empty and the side to move has a move."""
    while True:
        position = OthelloPosition(*_START)
        while (moves := position.moves()) or position.passed().moves():
            if moves and position.empty == PLIES:
                return position
            position = position.played(rng.choice(moves)) if moves else position.passed()


def squares_in_order(order: str) -> list[int]:
    """All squares in one of the `ORDERS`."""

    def kind(square: int) -> int:
        row, column = divmod(square, _SIZE)
        near = sorted((min(row, _SIZE - 1 - row), min(column, _SIZE - 1 - column)))
        return _CLASSES.index((near[0], near[1]))

    board = range(_SIZE * _SIZE)
    return sorted(board, key=kind) if order == CORNERS else list(board)


def othello_state(position: OthelloPosition, order: str, plies: int = PLIES) -> Othello:
    """The game at a position, which ends after so many plies at the latest."""
    boards = np.zeros((plies + 1, 2), dtype=np.uint64)
    boards[0] = position.mine, position.yours
    return Othello(boards, np.zeros(1, dtype=np.int64), np.array(squares_in_order(order), dtype=np.int64))


def search_othello(
    position: OthelloPosition, order: str, cond: RSearchCondition, *, dual: bool = False, plies: int = PLIES
) -> RSearchOutcome:
    """RSEARCH on a position; see `RSearch.search`."""
    rsearch = RSearch(KERNELS, levels=plies, branching=BRANCHING)
    return rsearch.search(othello_state(position, order, plies), cond, dual=dual)


class OthelloSwitchingSearch(RSearch):
    """RSEARCH with a cond for the first call and a depth ``later`` for those below (experiments 2, 3).

    The paper lets cond and c differ from call to call (4.1, step R4.2).
    """

    def __init__(self, *, plies: int, later: int) -> None:
        super().__init__(switching.KERNELS, levels=plies, branching=BRANCHING)
        self._later = later

    def search_position(
        self, position: OthelloPosition, order: str, cond: RSearchCondition
    ) -> RSearchOutcome:
        """Search a position, ``cond`` being that of the first call."""
        game = othello_state(position, order, len(self._space.path) - 1)
        conds = np.array([cond.depth, cond.cells, self._later], dtype=np.int64)
        return self.search(switching.Switching(*game, self._space.search, conds), cond)

    def promised(self, cond: RSearchCondition) -> int:
        """The bound of section 4.3: the first list, and lists of height ``later`` below one of its nodes."""
        most = [max(int(step.widest), int(step.narrow)) for step in self._space.path]
        first = min(
            cells_bound_by_depth(most[: cond.depth], cond.depth),
            max(1, cells_bound_by_limit(most, cond.cells) - sum(most)),
        )
        starts = range(1, min(cond.depth, len(most)) + 1)
        return first + max(cells_bound_by_depth(most[start:], self._later) - 1 for start in starts)


def othello_alpha_beta(position: OthelloPosition, order: str, plies: int = PLIES) -> tuple[int, int, int]:
    """The value, leaves and nodes visited of alpha-beta without RSEARCH."""
    record = np.zeros(1, dtype=plain.RECORD).view(np.recarray)[0]
    levels = np.zeros(plies + 1, dtype=plain.LEVEL).view(np.recarray)
    rows = np.zeros((plies + 1, BRANCHING), dtype=np.int64)
    state = othello_state(position, order, plies)
    plain.begin_alpha_beta(record, levels)
    while not plain.continue_alpha_beta(record, levels, rows, state, SLICE):
        pass
    return int(record.value), int(record.leaves), int(record.visited)
