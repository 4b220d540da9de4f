# SPDX-License-Identifier: GPL-3.0-or-later
"""The cells beside the defender's king: which of them a check takes from it (Kaneko2005, section 4.3)."""

import numpy as np

from tsume_rules.kernel.bits import lowest, size
from tsume_rules.kernel.compile import TRIPLE, jit, unit
from tsume_rules.kernel.play import PROMOTES, dropped, origin_of, target_of
from tsume_rules.kernel.state import POSITION_TYPE
from tsume_rules.kernel.tables import (
    DEF,
    DIST,
    LINE,
    PROMOTION,
    RANK,
    REACH,
    SLIDES,
    SQUARE,
    STEP,
)

NEIGHBOURS = 8
FAR = 3
"""From this distance on a piece attacks only those neighbours that are on its line to the king."""


def _offsets() -> list[tuple[int, int]]:
    """File and rank of each direction of `tsume_rules.kernel.tables`."""
    return [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (0, 1), (1, -2), (-1, -2)]


def _taken_away(piece: int, ray: int, far: int) -> int:
    """The neighbours, as bits, that a piece attacks from ``far`` steps along a ray of the king's."""
    offsets = _offsets()
    file, rank = offsets[ray][0] * far, offsets[ray][1] * far
    bits = 0
    for d, (df, dr) in enumerate(offsets):
        if not (REACH[piece] >> d) & 1:
            continue
        for steps in range(1, 9 if (SLIDES[piece] >> d) & 1 else 2):
            place = (file + steps * df, rank + steps * dr)
            if place in offsets[:8]:
                bits |= 1 << offsets.index(place)
    return bits


TAKEN_AWAY = np.zeros((16, 8, FAR + 1), dtype=np.int64)
"""[piece, ray, distance up to 3] -> the king's neighbours that it attacks from there, as bits.

Slides pass through all pieces, the king included.
"""
for _piece in range(1, 15):
    for _ray in range(8):
        for _far in range(1, FAR + 1):
            TAKEN_AWAY[_piece, _ray, _far] = _taken_away(_piece, _ray, _far)
CHECKING_KINDS = np.zeros((2, 10), dtype=np.int64)
"""[0: beside the king, 1: farther][direction] -> the kinds that attack in it, as bits."""
for _d in range(10):
    for _kind in range(1, 8):
        CHECKING_KINDS[0, _d] |= ((REACH[_kind] >> _d) & 1) << _kind
        CHECKING_KINDS[1, _d] |= ((SLIDES[_kind] >> _d) & 1) << _kind

_WIDTH = 17
PLACE = SQUARE // 9 * _WIDTH + RANK
"""[cell] -> a number; the difference of two cells' numbers is different for each offset."""
_HERE = 8 * _WIDTH + 8


def _coverage() -> np.ndarray:
    """See `COVERED`."""
    covered = np.zeros((16, _WIDTH * _WIDTH), dtype=np.uint8)
    places = _offsets()[:8]
    for piece in range(1, 15):
        for file in range(-8, 9):
            for rank in range(-8, 9):
                bits = 0
                for d, (df, dr) in enumerate(_offsets()):
                    if not (REACH[piece] >> d) & 1:
                        continue
                    for steps in range(1, 9 if (SLIDES[piece] >> d) & 1 else 2):
                        place = (file + steps * df, rank + steps * dr)
                        if place in places:
                            bits |= 1 << places.index(place)
                covered[piece, file * _WIDTH + rank + _HERE] = bits
    return covered


COVERED = _coverage()
"""[piece, offset from the king] -> the king's neighbours, as bits, that it attacks from there.

Slides pass through all pieces.
"""


@jit
def covered_from(kind, cell, king):
    """The king's neighbours that an attacker's piece on a cell attacks at most."""
    return int(COVERED[kind, PLACE[cell] - PLACE[king] + _HERE])


@unit(TRIPLE, pos=POSITION_TYPE)
def opened_lines(pos, origin, target, king, lines):
    """What the attacker's sliders do when a piece leaves ``origin`` for ``target`` and opens their lines.

    ``lines``: the directions in which they attack ``origin``. Returns (the king's neighbours that
    they attack then, whether they attack the king or pin a piece, whether they attack ``target``).
    """
    extra = 0
    forced = 0
    backed = 0
    while lines:
        d = lowest(lines)
        lines &= lines - 1
        t = origin + STEP[d]
        while t != target and t != king:
            if DIST[king, t] == 1 and LINE[king, t] < 8:
                extra |= 1 << int(LINE[king, t])
            if pos.board[t] != 0:
                break
            t += STEP[d]
        if t == king:
            forced = 1
            extra |= 1 << d
        elif t == target:
            backed = 1
        elif LINE[t, king] == d and pos.board[t] >> 4 == DEF:
            forced = 1
    return extra, forced, backed


@jit
def liberties_after(pos, move, king, free):
    """The number of cells of ``free`` to which the king certainly can flee after a check, not yet played."""
    target = target_of(move)
    d = int(LINE[king, target])
    if d < 0 or d > 7:
        return size(free)
    kind = dropped(move)
    if kind == 0:
        kind = int(pos.board[origin_of(move)]) + (PROMOTION if move & PROMOTES else 0)
    return size(free & ~TAKEN_AWAY[kind, d, min(int(DIST[king, target]), FAR)])
