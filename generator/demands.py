"""What every position of a walk must keep to, as readable values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from generator.kernel.demands import ANYWHERE, DEMANDS, IN_CENTRE, IN_CORNER, ON_EDGE
from generator.kernel.final import KINDS
from generator.wishes import Region
from tsume_rules.hands import Hand
from tsume_rules.kernel.tables import CELL, OURS
from tsume_rules.packing import Record
from tsume_rules.pieces import ALL_PIECES, HAND_KINDS, Piece
from tsume_rules.squares import Square

_REGIONS = {None: ANYWHERE, Region.CORNER: IN_CORNER, Region.EDGE: ON_EDGE, Region.CENTRE: IN_CENTRE}


@dataclass(frozen=True)
class Demands:
    """What is asked of each position; the defaults ask for nothing.

    The attacker's ``hand`` is exactly this; ``kinds`` has a bit for each unpromoted kind that may
    be on the board or in that hand; at most ``pieces`` are there, and ``attackers`` and ``defenders`` beside
    the kings on the board. ``kept`` says what stands on some squares; with ``own_king`` the attacker's king
    is on the board.
    """

    hand: Hand | None = None
    kinds: int = KINDS
    promoted: bool = True
    pieces: int = ALL_PIECES
    region: Region | None = None
    attackers: int = ALL_PIECES
    defenders: int = ALL_PIECES
    own_king: bool = False
    kept: Mapping[Square, Piece | None] = field(default_factory=dict)

    def packed(self) -> Record:
        """The same for the kernels: a record of `generator.kernel.demands.DEMANDS`."""
        record = np.zeros(1, dtype=DEMANDS).view(np.recarray)[0]
        record.asks = self != Demands()
        record.hand[:] = -1
        if self.hand is not None:
            for kind in HAND_KINDS:
                record.hand[kind] = self.hand[kind]
        record.kinds = self.kinds
        record.promoted = self.promoted
        record.pieces = self.pieces
        record.region = _REGIONS[self.region]
        record.most[:] = self.attackers, self.defenders
        record.own_king = self.own_king
        record.kept[:] = -1
        for square, piece in self.kept.items():
            record.kept[CELL[square]] = 0 if piece is None else piece.kind + OURS * piece.side
        return record
