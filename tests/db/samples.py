# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems for the store's tests: distinct up to mirroring, not mates."""

from collections.abc import Iterator
from contextlib import closing
from math import log2
from pathlib import Path
from sqlite3 import connect
from typing import Any

from db.runs import StoredRun
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from generator.problem import Problem, Provenance
from solver.results import Defect, Difficulty, Grade, Judgement
from tsume_rules.moves import parse_move
from tsume_rules.position import Board, Hand, Kind, Piece, Position, Side

REMARKS = Defect.EQUAL_DEFENCES | Defect.DETOUR
BLEMISHES = Defect.EQUAL_DEFENCES | Defect.DETOUR
KINGS = 36
"""Squares of files 1 to 4: no two are mirror images."""


def problem(
    index: int,
    *,
    length: int = 3,
    score: float | None = None,
    seed: int = 7,
    themes: tuple[str, ...] = (),
    quality: float = 0.0,
    tree: int | None = None,
) -> Problem:
    """Sample number ``index``, 0 to 647: a king among 36 squares, up to 17 pawns in hand."""
    line = tuple(map(parse_move, ("G*5b", "5a4a", "2b3c+")[:length]))
    judgement = Judgement(
        Defect.NONE, length=length, line=line, searched=9, remarks=REMARKS,
        grade=Grade.PERFECT, blemishes=BLEMISHES,
    )  # fmt: skip
    size = {} if tree is None else {"log_proof_tree": log2(tree)}
    difficulty = Difficulty({"checks": 4.5, "quiet": 1.0, **size}, float(index) if score is None else score)
    made = Provenance(seed, index, "0.1.0", recipe=1)
    return Problem(position(index), judgement, difficulty, made, themes, quality)


def problems(first: int, after: int) -> Iterator[Problem]:
    """The samples from ``first`` up to, but not including, ``after``."""
    return (problem(index) for index in range(first, after))


def stored(store: Store, number: int | None = 1) -> StoredProblem:
    """A problem that is there."""
    found = store.get(number or 0)
    assert found is not None
    return found


def run_of(store: Store, number: int) -> StoredRun:
    """A run that is there."""
    found = store.runs.get(number)
    assert found is not None
    return found


def ids_of(store: Store, **asked: Any) -> list[int]:
    """The problems that a selection has."""
    return [one.id for one in store.find(ProblemSelection(**asked))]


def execute(store: Store, statement: str, *values: object) -> None:
    """Change an open store as another program may."""
    with store._sessions.writer.begin() as connection:
        connection.exec_driver_sql(statement, values or None)


def change_file(path: Path, *statements: str) -> None:
    """Change a file of SQLite as another program may."""
    with closing(connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def position(index: int) -> Position:
    """The position of a sample."""
    pawns, king = divmod(index, KINGS)
    board: list[Piece | None] = [None] * 81
    board[king] = Piece(Side.DEFENDER, Kind.KING)
    board[44 + 9] = Piece(Side.ATTACKER, Kind.DRAGON)
    placed: Board = tuple(board)
    return Position.completed(placed, Hand.of({Kind.PAWN: pawns}))
