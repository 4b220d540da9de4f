# SPDX-License-Identifier: GPL-3.0-or-later
"""Reply trees as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from tsume.library.shown import ShownAnswer


@dataclass(frozen=True)
class Answer:
    """An answer of the defender to a check that mates; docs/tree.md says what each field means."""

    move: str
    length: int
    best: bool = False
    turn: int | None = None
    line: tuple[str, ...] = ()
    take: str | None = None


@dataclass(frozen=True)
class Check:
    """A check at a turn; ``result`` is ``mates``, ``fails`` or ``open``; docs/tree.md says the rest."""

    move: str
    result: str
    length: int | None = None
    rank: str | None = None
    answers: tuple[Answer, ...] = ()
    answer: str | None = None
    proof: str | None = None
    within: int | None = None
    manner: str | None = None
    piece: str | None = None
    taken: str | None = None
    mates: bool = False


@dataclass(frozen=True)
class Turn:
    """A turn of the attacker: the moves that lead there, plies to the mate, the best check, all checks."""

    id: int
    path: tuple[str, ...]
    length: int | None
    key: str | None
    checks: tuple[Check, ...]


@dataclass(frozen=True, repr=False)
class Tree(ShownAnswer):
    """The tree to play against; ``complete``: nothing of it was cut off by a limit."""

    sfen: str
    result: str
    length: int | None
    line: tuple[str, ...]
    complete: bool
    turns: tuple[Turn, ...]
