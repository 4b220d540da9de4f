# SPDX-License-Identifier: GPL-3.0-or-later
"""The icon of the program as PNG: a piece on wood, as in ``tsume/web/static/icon.svg``."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from tsume.diagrams.look import WOOD

_CORNERS = ((0, -20), (13, -11), (18, 20), (-18, 20), (-13, -11))
"""The piece of ``icon.svg``."""
_EDGE = 3
"""The width of its edge."""
_WINDOW = 72
"""The width of the picture in the same units: systems cut out a circle of four fifths of it."""
_SAMPLES = 4
"""Along the side of a pixel."""


def icon_png(size: int) -> bytes:
    """Return the icon with ``size`` pixels a side."""
    fine = size * _SAMPLES
    at = (np.arange(fine, dtype=np.float64) + 0.5) * (_WINDOW / fine) - _WINDOW / 2
    rows = b""
    for first in range(0, fine, _SAMPLES):
        x, y = at[np.newaxis, :], at[first : first + _SAMPLES, np.newaxis]
        # How far inside the piece, which is convex, the samples are; negative outside.
        depth = np.minimum.reduce([
            ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / np.hypot(bx - ax, by - ay)
            for (ax, ay), (bx, by) in zip(_CORNERS, (*_CORNERS[1:], _CORNERS[0]), strict=True)
        ])  # fmt: skip
        colours = np.empty((*depth.shape, 3), np.float64)
        colours[:] = _rgb(WOOD.board)
        colours[depth > -_EDGE / 2] = _rgb(WOOD.edge)
        colours[depth > _EDGE / 2] = _rgb(WOOD.piece)
        means = colours.reshape(_SAMPLES, -1, _SAMPLES, 3).mean(axis=(0, 2))
        rows += b"\0" + np.rint(means).astype(np.uint8).tobytes()
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n"
    for name, data in ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")):
        png += struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return png


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))
