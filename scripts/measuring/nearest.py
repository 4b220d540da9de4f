# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench nearest`: how near composed problems are to published ones, so whether any is a copy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from scripts.measuring.likeness import ManyFiles
from scripts.measuring.options import FILE
from scripts.measuring.problem_files import Lined, read_problems
from tsume_rules.pieces import Piece, Side
from tsume_rules.squares import Square, file_of, rank_of

_REACH = 8
"""Files or ranks from the king to the farthest square there can be."""
_WIDTH = 2 * _REACH + 1
_HANDS = _WIDTH * _WIDTH
"""The squares around the king come first in a row, then the attacker's hand."""
_MOST = 4
"""Differences from this number on are counted together."""

Squares = tuple[tuple[int, int], ...]
"""Where the moves of a line lead, each as files and ranks from the king's first square."""


@dataclass(frozen=True)
class Near:
    """The nearest published problem: its index, how many squares and hand pieces differ, and whether the
    moves of both lines lead to the same squares."""

    index: int
    differing: int
    same_squares: bool


class Published:
    """Published problems and their mirror images, as rows of squares around the king and of hands."""

    def __init__(self, problems: Sequence[Lined]) -> None:
        rows = np.array([row_of(problem) for problem in problems])
        self._rows = np.concatenate([rows, np.array([mirrored(row) for row in rows])])
        lines = [squares_of(problem) for problem in problems]
        self._lines = [*lines, *(tuple((-files, ranks) for files, ranks in line) for line in lines)]
        self._size = len(problems)

    def nearest(self, problem: Lined, without: int | None = None) -> Near:
        """The nearest problem, of equally near ones the first, but one with the same squares before it.

        ``without`` is the index of a problem to pass over.
        """
        row, line = row_of(problem), squares_of(problem)
        differing = np.count_nonzero(self._rows[:, :_HANDS] != row[:_HANDS], axis=1)
        differing += np.abs(self._rows[:, _HANDS:] - row[_HANDS:]).sum(axis=1, dtype=np.int64)
        if without is not None:
            differing[without :: self._size] = len(row) * _WIDTH
        least = np.flatnonzero(differing == differing.min())
        same = [int(i) for i in least if self._lines[i] == line]
        found = same[0] if same else int(least[0])
        return Near(found % self._size, int(differing[found]), bool(same))


def row_of(problem: Lined) -> np.ndarray:
    """The pieces on the squares around the king, file by file, then the attacker's hand by kind."""
    king = _king(problem)
    around = np.zeros((_WIDTH, _WIDTH), dtype=np.int8)
    for sq, piece in enumerate(problem.position.board):
        if piece is not None:
            files, ranks = _offset(sq, king)
            around[files + _REACH, ranks + _REACH] = _code(piece)
    hand = problem.position.attacker_hand.counts
    return np.concatenate([around.ravel(), np.array(hand, dtype=np.int8)])


def mirrored(row: np.ndarray) -> np.ndarray:
    """The row of the mirror image."""
    around = row[:_HANDS].reshape(_WIDTH, _WIDTH)
    return np.concatenate([around[::-1].ravel(), row[_HANDS:]])


def squares_of(problem: Lined) -> Squares:
    """Where the moves of the line lead."""
    king = _king(problem)
    return tuple(_offset(move.target, king) for move in problem.line)


def _king(problem: Lined) -> Square:
    king = problem.position.king(Side.DEFENDER)
    if king is None:
        raise ValueError("a problem without the defender's king")
    return king


def _offset(sq: Square, king: Square) -> tuple[int, int]:
    return file_of(sq) - file_of(king), rank_of(sq) - rank_of(king)


def _code(piece: Piece) -> int:
    return 1 + 2 * int(piece.kind) + (piece.side is Side.DEFENDER)


@click.command(cls=ManyFiles)
@click.option("--published", metavar="FILE...", multiple=True, required=True, type=FILE)
@click.option("--composed", metavar="FILE...", multiple=True, required=True, type=FILE)
@click.option("--pairs", default=5, show_default=True, help="How many of the nearest pairs are named.")
def nearest(published: tuple[Path, ...], composed: tuple[Path, ...], pairs: int) -> None:
    """How many squares and hand pieces differ between a composed problem and the nearest published one.

    The kings are brought to the same square; of the two mirror images the nearer one counts. Published
    problems of the same lengths, each beside the others, show how near people's problems are to one another.
    """
    theirs, ours = read_problems(published), read_problems(composed)
    field = Published(theirs)
    for length in sorted({problem.length for problem in ours}):
        found = {i: field.nearest(one) for i, one in enumerate(ours) if one.length == length}
        among = [
            field.nearest(one, without=i)
            for i, one in enumerate(theirs)
            if one.length == length and len(theirs) > 1
        ]
        click.echo("\n".join(_text(length, found, among, pairs)))


def _text(length: int, found: dict[int, Near], among: list[Near], pairs: int) -> Iterator[str]:
    yield f"{length} moves: {len(found)} composed, {len(among)} published"
    heads = "".join(f"{number:>8}" for number in (*range(_MOST), f"{_MOST}+"))
    yield f"  {'squares and hand pieces that differ':36}{heads}   same squares in the line"
    yield f"  {'composed':36}{_shares(list(found.values()))}"
    yield f"  {'published':36}{_shares(among)}"
    for i, near in sorted(found.items(), key=lambda one: (one[1].differing, one[0]))[:pairs]:
        pair = f"composed {i + 1}, published {near.index + 1}"
        line = "the same" if near.same_squares else "other"
        yield f"  {pair}: {near.differing} differ, {line} squares in the line"


def _shares(found: list[Near]) -> str:
    number = Counter(min(near.differing, _MOST) for near in found)
    same = sum(near.same_squares for near in found)
    shares = [*(number[differing] for differing in range(_MOST + 1)), same]
    return "".join(f"{share / max(len(found), 1):8.1%}" for share in shares)
