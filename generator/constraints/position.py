# SPDX-License-Identifier: GPL-3.0-or-later
"""Hard constraints on every position of a walk, as readable values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from generator.constraints.options import ComposingOptions
from generator.constraints.problem import KingRegion, ProblemConstraints, parse_hand
from generator.heuristics.form import FEW_PIECES
from generator.kernel.board import KINDS
from generator.kernel.position_constraints import POSITION_CONSTRAINTS
from tsume_rules.kernel.tables import ATT, CELL, DEF, OURS
from tsume_rules.packed import Record
from tsume_rules.position import ALL_PIECES, HAND_KINDS, SQUARES, Hand, Kind, Piece, Square
from tsume_rules.sfen import parse_sfen

WITHOUT = {
    ATT: frozenset({"bare-king", "empty-attack"}),
    DEF: frozenset({"bare-king", "lone-king"}),
}
"""The themes of first positions that have no piece of a side beside its king."""
_WITH_OWN_KING = frozenset({"double-king", "reverse-check"})
"""The themes of positions in which the attacker has a king."""
_BIG_KINDS = frozenset({Kind.ROOK, Kind.BISHOP})


@dataclass(frozen=True)
class PositionConstraints:
    """Hard constraints on a position; the defaults allow any.

    The attacker's ``hand`` is exactly this; ``kinds`` has a bit for each unpromoted kind that may
    be on the board or in that hand; at most ``pieces`` are there, and ``attackers`` and ``defenders`` beside
    the kings on the board. ``kept`` says what stands on some squares; with ``own_king`` the attacker's king
    is on the board.
    """

    hand: Hand | None = None
    kinds: int = KINDS
    promoted: bool = True
    pieces: int = ALL_PIECES
    region: KingRegion | None = None
    attackers: int = ALL_PIECES
    defenders: int = ALL_PIECES
    own_king: bool = False
    kept: Mapping[Square, Piece | None] = field(default_factory=dict)

    def packed(self) -> Record:
        """The same as a record for the kernels (`generator.kernel.position_constraints`)."""
        record = np.zeros(1, dtype=POSITION_CONSTRAINTS).view(np.recarray)[0]
        record.asks = self != PositionConstraints()
        record.hand[:] = -1
        if self.hand is not None:
            for kind in HAND_KINDS:
                record.hand[kind] = self.hand[kind]
        record.kinds = self.kinds
        record.promoted = self.promoted
        record.pieces = self.pieces
        for square in range(SQUARES):
            record.king_may_stand[CELL[square]] = self.region is None or self.region.contains_king(square)
        record.most[:] = self.attackers, self.defenders
        record.own_king = self.own_king
        record.kept[:] = -1
        for square, piece in self.kept.items():
            record.kept[CELL[square]] = 0 if piece is None else piece.kind + OURS * piece.side
        return record


def position_constraints(options: ComposingOptions, index: int = 0) -> PositionConstraints:
    """The constraints on every position of a root's walk.

    If problems of one kind of piece are required, the roots take the kinds in turn. The hand of a given
    position is kept if it is not empty, unless another one is required.
    """
    constraints, themes = options.wishes, set(options.wishes.themes)
    given = parse_sfen(options.around).position if options.around else None
    hand = None if given is None else given.attacker_hand or None
    return PositionConstraints(
        hand=hand if constraints.hand is None else parse_hand(constraints.hand),
        kinds=allowed_kind_bits(constraints)
        if "one-kind" not in themes
        else 1 << _theme_in_turn(constraints, index),
        promoted=not constraints.no_promoted,
        pieces=min(fewest_pieces_allowed(constraints), default=ALL_PIECES),
        attackers=0 if themes & WITHOUT[ATT] else ALL_PIECES,
        defenders=0 if themes & WITHOUT[DEF] else ALL_PIECES,
        own_king=not themes.isdisjoint(_WITH_OWN_KING),
        region=None if constraints.region is None else KingRegion(constraints.region),
        kept={} if given is None else {square: given.board[square] for square in options.fixed},
    )


def fewest_pieces_allowed(constraints: ProblemConstraints) -> list[int]:
    """The numbers of pieces that must not be exceeded."""
    few = [FEW_PIECES] * ("few-pieces" in constraints.themes)
    return few if constraints.max_pieces is None else [*few, constraints.max_pieces]


def allowed_kind_bits(constraints: ProblemConstraints) -> int:
    """A bit for each kind that may occur."""
    return sum(1 << kind for kind in constraints.kinds.intersection(*map(_kinds_for, constraints.themes)))


def _kinds_for(theme: str) -> frozenset[Kind]:
    """The kinds of which a position with a theme may consist."""
    if theme == "small-pieces":
        return frozenset(HAND_KINDS) - _BIG_KINDS
    return _BIG_KINDS if theme == "big-pieces" else frozenset(HAND_KINDS)


def _theme_in_turn(constraints: ProblemConstraints, index: int) -> int:
    kinds = sorted(constraints.kinds)
    return kinds[index % len(kinds)]
