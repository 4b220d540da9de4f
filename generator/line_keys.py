# SPDX-License-Identifier: GPL-3.0-or-later
"""When two lines are the same: if one is the other mirrored or moved on the board."""

from __future__ import annotations

from collections.abc import Sequence

from tsume_rules.moves import Move, position_after_all
from tsume_rules.position import LETTERS, Position, Side, Square, file_of, rank_of

Step = tuple[str, int, int, int, int]
"""A move: the letter of a dropped kind or "", the file and rank it leads from and to."""


def line_key(line: tuple[Move, ...]) -> str:
    """A text that two lines share if one is the other mirrored or moved on the board.

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
    """`line_key`, but how far a piece comes along a file, a rank or a diagonal makes no difference."""
    return key_of_steps([_short_step(_step(move)) for move in line])


def _short_step(step: Step) -> Step:
    """A move from the square next to its target, if it comes along a straight line."""
    letter, file, rank, across, down = step
    files, ranks = file - across, rank - down
    if files and ranks and abs(files) != abs(ranks):
        return step
    return letter, across + _sign(files), down + _sign(ranks), across, down


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
    """A text that two problems share if first move and final position are the same.

    The same means mirrored or moved on the board too: squares are relative to the mated king.
    """
    final = position_after_all(position, line)
    king = final.king(Side.DEFENDER)
    assert king is not None
    return min(_frame_text(line[0], final, king, side) for side in (1, -1))


def _frame_text(first: Move, final: Position, king: Square, side: int) -> str:
    def place(sq: Square) -> str:
        return f"{side * (file_of(sq) - file_of(king))},{rank_of(sq) - rank_of(king)}"

    pieces = sorted(
        f"{piece.side}{piece.kind}:{place(sq)}" for sq, piece in enumerate(final.board) if piece is not None
    )
    start = LETTERS[first.drop] if first.drop is not None else place(first.origin or 0)
    return " ".join([f"{start}>{place(first.target)}{'+' * first.promotes}", *pieces])
