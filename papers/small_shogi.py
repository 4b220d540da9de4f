# SPDX-License-Identifier: GPL-3.0-or-later
"""Shogi on three files by four ranks (Shibahara2006, section 2).

Each side has its pieces on its own back rank, the second player's turned by 180 degrees. The promotion zone is the
farthest one, two or three ranks. Who has no legal move has lost; a position that comes back is a draw, perpetual checks
included. Everything else is as in shogi, with one point that only a zone of one rank raises and that the paper does not
mention: there a knight that jumps to the second rank could neither promote nor ever move again, so it may not go there.
Then it does not attack these cells either: a king may step on them. All 237 results of tables 1 and 3 come out with
this reading; if such a knight gives check, rows 14, 24, 31, 103, 109, 132 and 138 come out otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import product
from math import comb

import numpy as np
import numpy.typing as npt

from papers.kernel import shibahara2006 as kernel
from papers.kernel import small_shogi
from papers.kernel.small_shogi import (
    BOARD,
    CELLS,
    DEFENDER,
    HAND_SHIFT,
    MAX_PIECES,
    SCRATCH,
    TURN,
    Endgame,
    VariantTables,
)

FILES, RANKS = 3, 4
KINDS = "飛角金銀桂香歩"
KING = "玉"
NOTHING = "–"
_GOLD_STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0))
_DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
_STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
_STEPS = {
    "玉": _DIAGONAL + _STRAIGHT,
    "金": _GOLD_STEPS,
    "銀": (*_DIAGONAL, (-1, 0)),
    "桂": ((-2, -1), (-2, 1)),
    "歩": ((-1, 0),),
    "+飛": _DIAGONAL,
    "+角": _STRAIGHT,
    "+銀": _GOLD_STEPS,
    "+桂": _GOLD_STEPS,
    "+香": _GOLD_STEPS,
    "+歩": _GOLD_STEPS,
}
_SLIDES = {"飛": _STRAIGHT, "角": _DIAGONAL, "香": ((-1, 0),), "+飛": _STRAIGHT, "+角": _DIAGONAL}
CODES = 1 + 2 * DEFENDER
_FIRST_UNPROMOTED = 2


class GameResult(IntEnum):
    """What a position is worth to the side to move."""

    LOSS = -1
    DRAW = 0
    WIN = 1


@dataclass(frozen=True)
class ShogiVariant:
    """A set of pieces and a promotion zone: each side has one of each kind, ``kinds`` in a fixed order."""

    kinds: str
    zone: int

    @classmethod
    def of(cls, back_row: str, zone: int) -> ShogiVariant:
        """Return the game of a back rank. Raises ValueError for anything but a king and one or two pieces."""
        kinds = "".join(sorted((piece for piece in back_row if piece in KINDS), key=KINDS.index))
        rest = back_row.replace(NOTHING, "")
        if len(back_row) != FILES or sorted(rest) != sorted(kinds + KING) or not kinds or not 1 <= zone < RANKS:
            raise ValueError(f"{back_row!r} is no back rank of a king and one or two pieces")
        return cls(kinds, zone)

    @property
    def slots(self) -> tuple[tuple[str, int], ...]:
        """Return the kinds in hand with the number of pieces of both sides together."""
        return tuple((kind, 2 * self.kinds.count(kind)) for kind in dict.fromkeys(self.kinds))

    def start(self, back_row: str) -> int:
        """Return the first position of a back rank, packed, the attacker to move."""
        slot = {kind: i for i, (kind, _) in enumerate(self.slots)}
        board = [0] * CELLS
        for file, piece in enumerate(back_row):
            if piece != NOTHING:
                code = 1 if piece == KING else 2 + 2 * slot[piece]
                board[CELLS - FILES + file] = code
                board[FILES - 1 - file] = code + DEFENDER
        return packed_variant_position(board, (0, 0), attacker=True)


def packed_variant_position(board: Iterable[int], hand: tuple[int, int], *, attacker: bool) -> int:
    """Return a position as one number: codes of cells, the attacker's hand, whether the attacker moves."""
    number = sum(code << (4 * cell) for cell, code in enumerate(board))
    turn = 0 if attacker else TURN
    return int(small_shogi.canonical_board(number)) | turn | (hand[0] | hand[1] << 3) << HAND_SHIFT


def unpacked_variant_position(state: int) -> tuple[list[int], tuple[int, int], bool]:
    """Return the codes of the cells, the attacker's hand, and whether the attacker is to move."""
    board = [(state >> (4 * cell)) & 15 for cell in range(CELLS)]
    hand = state >> HAND_SHIFT
    return board, (hand & 7, hand >> 3), not state & TURN


def exchanged_sides(game: ShogiVariant, state: int) -> int:
    """Return the same position with attacker and defender exchanged."""
    board, _, attacker = unpacked_variant_position(state)
    theirs = [(code + DEFENDER - 1) % (CODES - 1) + 1 if code else 0 for code in reversed(board)]
    hand = int(small_shogi.all_pieces_in_hands(variant_tables(game), state & BOARD)) - (state >> HAND_SHIFT)
    return packed_variant_position(theirs, (hand & 7, hand >> 3), attacker=not attacker)


@cache
def variant_tables(game: ShogiVariant) -> VariantTables:
    """Return the tables of a game."""
    names = ["", KING, *(name for kind, _ in game.slots for name in (kind, "+" + kind))]
    names += [""] * (1 + DEFENDER - len(names))
    reach = np.zeros((CODES, CELLS, 1 << CELLS), np.int64)
    alive = np.zeros(CODES, np.int64)
    promoted, slot = np.zeros(CODES, np.int64), np.full(CODES, 2, np.int64)
    far = (1 << (FILES * game.zone)) - 1
    zone = np.array([far, far << (FILES * (RANKS - game.zone))], np.int64)
    for code, name in enumerate(names):
        for side in range(2 if name else 0):
            own = code + DEFENDER * side
            reach[own] = _reach_table(name, side)
            alive[own] = sum(1 << cell for cell in range(CELLS) if reach[own, cell, 0])
            outside = ((zone[side] >> np.arange(CELLS)) & 1) == 0
            reach[own, outside] &= alive[own] | zone[side]
            if code >= _FIRST_UNPROMOTED:
                slot[own] = (code - _FIRST_UNPROMOTED) // 2
            if "+" + name in _STEPS or "+" + name in _SLIDES:
                promoted[own] = own + 1
    pawn = np.array([kind == "歩" for kind, _ in (*game.slots, ("", 0))][:2])
    pieces = sum(total << (3 * i) for i, (_, total) in enumerate(game.slots))
    return VariantTables(reach, alive, zone, promoted, slot, pawn, pieces)


@cache
def _reach_table(name: str, side: int) -> npt.NDArray[np.int64]:
    """[cell, occupied cells] of one piece."""
    if name not in _SLIDES:
        steps = np.array([_reach(name, cell, 0, side) for cell in range(CELLS)], np.int64)
        return np.repeat(steps[:, None], 1 << CELLS, axis=1)
    return np.array(
        [[_reach(name, cell, occupied, side) for occupied in range(1 << CELLS)] for cell in range(CELLS)], np.int64
    )


def _reach(name: str, cell: int, occupied: int, side: int) -> int:
    sign = -1 if side else 1
    rank, file = divmod(cell, FILES)
    cells = 0
    for steps, far in ((_STEPS.get(name, ()), False), (_SLIDES.get(name, ()), True)):
        for down, right in steps:
            to_rank, to_file = rank + sign * down, file + sign * right
            while 0 <= to_rank < RANKS and 0 <= to_file < FILES:
                to = to_rank * FILES + to_file
                cells |= 1 << to
                if not far or occupied >> to & 1:
                    break
                to_rank, to_file = to_rank + sign * down, to_file + sign * right
    return cells


# --- the judge: all positions of a set of pieces, solved backwards (docs/papers/shibahara2006.md) ---
#
# Kernels: `papers.kernel.shibahara2006`, which says how positions are numbered.

_BLOCKS = CELLS * CELLS


def endgame_table_bytes(game: ShogiVariant) -> int:
    """Return how many bytes solving a game takes, near enough."""
    return 2 * _BLOCKS * int(np.prod(_placements_of_each_kind(game)))


def _placements_of_each_kind(game: ShogiVariant) -> list[int]:
    """Return how many ways there are to place the pieces of each kind, impossible ones among them."""
    ranks = [comb(2 * CELLS * _promotable_forms(kind) + 1 + number, number) for kind, number in game.slots]
    return [*ranks, 1][:2]


def _promotable_forms(kind: str) -> int:
    return 1 if kind == "金" else 2


class EndgameTable:
    """All positions of a game. Solving goes on with ``solve``; until it ends, nothing is known."""

    def __init__(self, game: ShogiVariant) -> None:
        self.game = game
        self.legal = 0
        # Where a piece may have come from, a bit each.
        reach = variant_tables(game).reach
        sources = np.zeros_like(reach)
        for start, cell in product(range(CELLS), repeat=2):
            sources[:, cell] |= (reach[:, start] >> cell & 1) << start
        kinds = [*game.slots, ("金", 0)][:2]
        pieces = np.array([number for _, number in kinds])
        forms = np.array([_promotable_forms(kind) for kind, _ in kinds])
        ranks = np.array(_placements_of_each_kind(game))
        places = np.zeros((2, int(ranks.max()), MAX_PIECES), np.uint8)
        positions = _BLOCKS * int(ranks.prod())
        self._arena = Endgame(
            variant_tables(game),
            sources,
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
            np.zeros(small_shogi.MAX_MOVES, np.int64),
            np.zeros(1, SCRATCH).view(np.recarray)[0],
        )

    def solve(self) -> Iterator[tuple[int, int]]:
        """Decide what can be decided; yields plies to the end and how many positions have so many.

        Raises OverflowError for a game with more plies than a byte holds.
        """
        arena = self._arena
        for slot in range(2):
            small_shogi.fill_placement_tables(arena, slot)
        counts = [kernel.judge_block(arena, block) for block in range(_BLOCKS)]
        self.legal = sum(legal for legal, _ in counts)
        new, plies = sum(lost for _, lost in counts), 0
        while new:
            yield plies, new
            new = sum(kernel.take_back_from_block(arena, block, plies) for block in range(_BLOCKS))
            plies += 1
            if plies >= kernel.MAX_PLIES:
                raise OverflowError(f"more than {kernel.MAX_PLIES} plies to a win")

    def value(self, state: int) -> tuple[GameResult, int | None]:
        """Return a packed position's worth to its mover, and in how many plies a win or a loss comes.

        Raises ValueError for an illegal position.
        """
        if state & TURN:
            return self.value(exchanged_sides(self.game, state))
        number = small_shogi.endgame_number(self._arena, state & BOARD, state >> HAND_SHIFT)
        value = int(self._arena.value[number])
        if value == kernel.ILLEGAL:
            raise ValueError("an illegal position")
        if value == kernel.UNKNOWN:
            return GameResult.DRAW, None
        return (GameResult.WIN if value % 2 == 0 else GameResult.LOSS), value - 1
