# SPDX-License-Identifier: GPL-3.0-or-later
"""A composed problem, where it comes from, and when its line is the same as another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.results import Defect, Difficulty, Grade, Judgement
from tsume_rules.moves import Move, position_after_all
from tsume_rules.position import LETTERS, Position, Side, Square, file_of, rank_of

STORED = (Grade.PERFECT, Grade.SOUND)
"""The grades of problems that are published and stored."""


@dataclass(frozen=True)
class Provenance:
    """What makes a problem reproducible. ``seed`` of the run, ``index`` of the root it grew from, ``version`` of tsume
    and the ``recipe`` (`generator.problem`), None for a problem older than recipes."""

    seed: int
    index: int
    version: str
    recipe: int | None = None


@dataclass(frozen=True)
class Problem:
    """A problem proved to be perfect or sound: the position, the judgement, the difficulty.

    ``provenance`` is None for an imported problem. ``themes`` are the names of the themes in its line
    (`generator.themes`), ``quality`` is from 0 to 100 (`generator.quality`). ``record`` is what the composer's file
    says of an imported problem, as JKF; None where there was no file. ``keys`` are the hashes by which a run knows it
    again (`generator.problem_keys.key_hash`); empty for one of no run. ``same_when_counted``: whether length and main
    line stay the same if every interposition counts; None where that is not known.
    """

    position: Position
    judgement: Judgement
    difficulty: Difficulty
    provenance: Provenance | None = None
    themes: tuple[str, ...] = ()
    quality: float = 0.0
    record: str | None = None
    keys: tuple[int, ...] = ()
    same_when_counted: bool | None = None

    @property
    def grade(self) -> Grade | None:
        """The grade; None if the judgement has none: then the problem cannot be stored."""
        return self.judgement.grade

    @property
    def blemishes(self) -> Defect:
        """What the problem is marked down for."""
        return self.judgement.blemishes

    @property
    def length(self) -> int:
        """Plies of the shortest mate."""
        assert self.judgement.length is not None
        return self.judgement.length

    @property
    def line(self) -> tuple[Move, ...]:
        """The main line."""
        return self.judgement.line


# --- the generator version: it identifies how a seed becomes problems ------------------------------

GENERATOR_VERSION = 20
"""Raised with every change that makes some seed and options give other problems, scores or themes.

Each run and problem keeps the number it began with; a run is resumed only under the same number.
tests/generator/run/test_roots.py fails when a few seeds give something else and the number is as before.
"""


# --- when two lines are the same: if one is the other mirrored or moved on the board ---------------

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
