# SPDX-License-Identifier: GPL-3.0-or-later
"""The decisions that write a given position: what the network is fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from generator.candidate import EMPTY
from generator.kernel.board import clear_board
from generator.learned.kernel.decisions import (
    FEATURE_ROOM,
    HAND_END,
    HAND_PIECE,
    KING_SQUARE,
    MOST_OPTIONS,
    OPTIONS,
    PIECE,
    PIECE_CODES,
    PLACE,
    PLACE_END,
    PLACE_OF_OFFSET,
    PLACES,
    state_of_cell,
    write_features,
    write_options,
)
from generator.local_search.kernel.edits import move_between_hands, put_piece_from_hand
from tsume_rules.kernel.state import put
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, RANK
from tsume_rules.packed import Record, pack
from tsume_rules.sfen import parse_sfen

_OPTION_OF_PIECE = {int(code): option for option, code in enumerate(PIECE_CODES)}
MIDDLE_FILE = 4
"""The file, counted from 0, on which both mirror images have their king."""


class NotWritable(ValueError):
    """A position that no sequence of decisions writes."""


@dataclass(frozen=True)
class Decision:
    """One decision: its kind, the option taken and those there were; for a piece the ``place``, and the
    ``state`` and ``rank`` of its cell. A piece is drawn from the features of its place's decision."""

    kind: int
    option: int
    allowed: np.ndarray
    place: int = 0
    state: int = 0
    rank: int = 0


@dataclass(frozen=True)
class Step:
    """Features of an unfinished position, and the decisions taken from them: one, or place and piece."""

    features: np.ndarray
    decisions: tuple[Decision, ...]


@dataclass
class DecisionReader:
    """Reads positions as sequences of decisions."""

    _features: np.ndarray = field(default_factory=lambda: np.zeros(FEATURE_ROOM, dtype=np.int64))
    _allowed: np.ndarray = field(default_factory=lambda: np.zeros(MOST_OPTIONS, dtype=np.int64))
    _empty: Record = field(default_factory=lambda: pack(parse_sfen(EMPTY).position))

    def steps(self, record: Record, plies: int, conditions: Sequence[int] = ()) -> list[Step]:
        """The steps that write a position whose defender's king stands on files 1 to 5.

        Raises `NotWritable`, for instance for a position with a king of the attacker.
        """
        asked = np.array(conditions, dtype=np.int64)
        pos = self._empty.copy()
        clear_board(pos)
        squares = [sq for sq in range(81) if record.board[CELL[sq]]]
        kings = [sq for sq in squares if record.board[CELL[sq]] == KING + 16]
        if len(kings) != 1 or kings[0] // 9 > MIDDLE_FILE or record.king[ATT]:
            raise NotWritable("the defender's king must stand on files 1 to 5, and the attacker have none")
        (king,) = kings
        steps = [self._step(pos, plies, asked, KING_SQUARE, 0, king)]
        put(pos, CELL[king], KING + 16)
        kind = 0
        for held in range(1, 8):
            for _ in range(int(record.hand[ATT, held])):
                steps.append(self._step(pos, plies, asked, HAND_PIECE, kind, held - 1))
                move_between_hands(pos, held, DEF)
                kind = held
        steps.append(self._step(pos, plies, asked, HAND_PIECE, kind, HAND_END))
        last = PLACES
        placed = sorted(
            (int(PLACE_OF_OFFSET[sq // 9 - king // 9 + 8, sq % 9 - king % 9 + 8]), sq)
            for sq in squares
            if sq != king
        )
        for place, sq in placed:
            cell = int(CELL[sq])
            piece = int(record.board[cell])
            step = self._step(pos, plies, asked, PLACE, last, place)
            option = _OPTION_OF_PIECE[piece]
            extra = (place, int(state_of_cell(pos, cell)), int(RANK[cell]))
            chosen = Decision(PIECE, option, self._options(pos, PIECE, place, option), *extra)
            steps.append(Step(step.features, (*step.decisions, chosen)))
            put_piece_from_hand(pos, piece, cell)
            last = place
        steps.append(self._step(pos, plies, asked, PLACE, last, PLACE_END))
        return steps

    def _step(
        self, pos: Record, plies: int, conditions: np.ndarray, kind: int, last: int, option: int
    ) -> Step:
        number = write_features(pos, plies, conditions, kind, last, self._features)
        allowed = self._options(pos, kind, last, option)
        return Step(self._features[:number].astype(np.int32), (Decision(kind, option, allowed),))

    def _options(self, pos: Record, kind: int, last: int, option: int) -> np.ndarray:
        write_options(pos, kind, last, self._allowed)
        if not self._allowed[option]:
            raise NotWritable(f"option {option} of decision {kind} is not allowed")
        return self._allowed[: OPTIONS[kind]].astype(bool)
