# SPDX-License-Identifier: GPL-3.0-or-later
"""Squares, numbered file by file: ``(file - 1) * 9 + (rank - 1)``, 0 to 80.

Files run 1 to 9 from the attacker's right, ranks 1 (``a``) to 9 (``i``) from the
top, as in USI: square 0 is ``1a``, square 80 is ``9i``.
"""

from __future__ import annotations

SQUARES = 81
_RANKS = "abcdefghi"

Square = int
"""A square's number, 0 to 80."""


def square(file: int, rank: int) -> Square:
    """The square on a file and a rank, both 1 to 9."""
    return (file - 1) * 9 + rank - 1


def file_of(sq: Square) -> int:
    """The file, 1 to 9."""
    return sq // 9 + 1


def rank_of(sq: Square) -> int:
    """The rank, 1 to 9."""
    return sq % 9 + 1


def mirrored(sq: Square) -> Square:
    """The square in the same rank of the opposite file (left and right exchanged)."""
    return square(10 - file_of(sq), rank_of(sq))


def rotated(sq: Square) -> Square:
    """The square seen from the other side of the board (180 degrees)."""
    return SQUARES - 1 - sq


def square_name(sq: Square) -> str:
    """The USI name, such as ``5a``."""
    return f"{file_of(sq)}{_RANKS[rank_of(sq) - 1]}"


def parse_square(text: str) -> Square:
    """The square of a USI name. Raises ValueError for any other text."""
    if len(text) != 2 or text[0] not in "123456789" or text[1] not in _RANKS:
        raise ValueError(f"not a square: {text!r}")
    return square(int(text[0]), _RANKS.index(text[1]) + 1)
