# SPDX-License-Identifier: GPL-3.0-or-later
"""The icon of the program as PNG: a piece on wood, as in ``tsume/web/static/icon.svg``."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt

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
    """The icon with ``size`` pixels a side."""
    # The colours of the pixels, rows of RGB.
    fine = size * _SAMPLES
    at = (np.arange(fine, dtype=np.float64) + 0.5) * (_WINDOW / fine) - _WINDOW / 2
    pixels = np.stack([_row(at, at[first : first + _SAMPLES]) for first in range(0, fine, _SAMPLES)])
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _row(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """A row of pixels, whose samples are at ``x`` and ``y``."""
    depth = _depth(x[np.newaxis, :], y[:, np.newaxis])
    colours = np.empty((*depth.shape, 3), np.float64)
    colours[:] = _rgb(WOOD.board)
    colours[depth > -_EDGE / 2] = _rgb(WOOD.edge)
    colours[depth > _EDGE / 2] = _rgb(WOOD.piece)
    blocks = colours.reshape(len(y), -1, _SAMPLES, 3)
    means: npt.NDArray[np.float64] = blocks.mean(axis=(0, 2))
    return np.rint(means).astype(np.uint8)


def _depth(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """How far inside the piece points are; negative outside. The piece is convex."""
    sides = zip(_CORNERS, (*_CORNERS[1:], _CORNERS[0]), strict=True)
    depths = [
        ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / np.hypot(bx - ax, by - ay)
        for (ax, ay), (bx, by) in sides
    ]
    depth: npt.NDArray[np.float64] = np.minimum.reduce(depths)
    return depth


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
