# SPDX-License-Identifier: GPL-3.0-or-later
"""When two lines are the same: if one is the other mirrored or moved on the board."""

from __future__ import annotations

from collections.abc import Sequence

from tsume_rules.moves import Move, position_after_all
from tsume_rules.position import LETTERS, Position, Side, Square, file_of, rank_of

Step = tuple[str, int, int, int, int]
"""A move: the letter of a dropped kind or "", the file and rank it leads from and to."""


def line_key(line: tuple[Move, ...]) -> str:
    """Return a text that two lines share if one is the other mirrored or moved on the board.

    A move on the board is known by the squares it leads from and to, whatever piece moves:
    so a gold and a promoted silver that go the same way count alike. A drop is known by
    its kind and square. Squares are relative to the first move's target.
    """
    return key_of_steps([_step(move) for move in line])


def tail_key(line: tuple[Move, ...], *, only_targets: bool) -> str:
    """`line_key` of the last two thirds of a line, without where moves come from if ``only_targets``."""
    steps = [_step(move) for move in line[len(line) // 3 :]]
    return key_of_steps([("", *step[3:], *step[3:]) for step in steps] if only_targets else steps)


def route_key(line: tuple[Move, ...]) -> str:
    """Return `line_key`, but how far a piece comes along a file, a rank or a diagonal makes no difference."""
    steps = []
    for letter, file, rank, across, down in map(_step, line):
        files, ranks = file - across, rank - down
        if not files or not ranks or abs(files) == abs(ranks):  # from the square next to the target
            steps.append((letter, across + _sign(files), down + _sign(ranks), across, down))
        else:
            steps.append((letter, file, rank, across, down))
    return key_of_steps(steps)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _step(move: Move) -> Step:
    origin = move.target if move.origin is None else move.origin
    letter = "" if move.drop is None else LETTERS[move.drop]
    return letter, file_of(origin), rank_of(origin), file_of(move.target), rank_of(move.target)


def key_of_steps(steps: Sequence[Step]) -> str:
    """`line_key` of a line given as steps."""
    file, rank = steps[0][3:]
    one, other = [], []
    for letter, start, height, across, down in steps:
        here, there = f"{across - file},{down - rank}", f"{file - across},{down - rank}"
        if letter:
            one.append(letter + here)
            other.append(letter + there)
        else:
            one.append(f"{start - file},{height - rank}>{here}")
            other.append(f"{file - start},{height - rank}>{there}")
    return min(" ".join(one), " ".join(other))


def frame_key(position: Position, line: tuple[Move, ...]) -> str:
    """Return a text that two problems share if first move and final position are the same. The same means mirrored or
    moved on the board too: squares are relative to the mated king."""
    first, final = line[0], position_after_all(position, line)
    king = final.king(Side.DEFENDER)
    assert king is not None

    def place(sq: Square, side: int) -> str:
        return f"{side * (file_of(sq) - file_of(king))},{rank_of(sq) - rank_of(king)}"

    texts = []
    for side in (1, -1):
        pieces = sorted(
            f"{piece.side}{piece.kind}:{place(sq, side)}" for sq, piece in enumerate(final.board) if piece is not None
        )
        start = LETTERS[first.drop] if first.drop is not None else place(first.origin or 0, side)
        move = f"{start}>{place(first.target, side)}{'+' * first.promotes}"
        texts.append(" ".join([move, *pieces]))
    return min(texts)
