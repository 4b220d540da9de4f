# SPDX-License-Identifier: GPL-3.0-or-later
"""The copies of problems in a table on disk, which may be larger than memory."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import NamedTuple

from db.stored_problem import StoredProblem

# --- the order of the copies of a problem: the lowest stays ----------------------------------------

_NEWEST = 10**18
"""Larger than any recipe."""
DIGEST = 32
"""The length of the digest at the end of a rank."""


class RootRanks:
    """Numbers the problems of each root, in the order of ids."""

    def __init__(self) -> None:
        self._last: dict[tuple[int | None, int], tuple[int, int]] = {}

    def of(self, problem: StoredProblem) -> int:
        """Return the index of a problem within its run and root; call it once for each, in order."""
        made = problem.provenance
        if made is None:
            return 0
        root, place = self._last.get((problem.run_id, made.seed), (None, -1))
        place = place + 1 if root == made.index else 0
        self._last[problem.run_id, made.seed] = (made.index, place)
        return place


def copy_rank(problem: StoredProblem, place: int, digest: str) -> str:
    """Return the sort key of a copy: seed, length, root, place; then the newest recipe, and the content.

    Problems that no run composed are last. ``digest`` is a hash of the content: copies of one rank are
    interchangeable.
    """
    made = problem.provenance
    if made is None:
        return f"~ {problem.version} {problem.sfen} {digest}"
    numbers = (made.seed, problem.length, made.index, place, _NEWEST - (made.recipe or 0))
    texts = (f"{len(str(number)):03}{number}" for number in numbers)  # they sort as the numbers do
    return f"{' '.join(texts)} {made.version} {digest}"


# --- the copies of problems in a table on disk, which may be larger than memory --------------------

DESTINATION = 0
"""The number of the store that is merged into; the others follow."""
_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE copies (canonical TEXT, rank TEXT, store INTEGER, id INTEGER, written INTEGER);
CREATE TABLE steps (rank TEXT, store INTEGER, id INTEGER, stored INTEGER, written TEXT);
CREATE TABLE versions (rank TEXT, store INTEGER, id INTEGER);
"""


@dataclass(frozen=True)
class ProblemCopy:
    """A problem in a store; ``written``: it has user data or a composer's record."""

    canonical: str
    rank: str
    store: int
    id: int
    written: bool

    @property
    def digest(self) -> str:
        """A hash, equal for interchangeable copies."""
        return self.rank[-DIGEST:]


class AnnotatedCopy(NamedTuple):
    """A copy with user data; ``order``: the number of lower ranks."""

    store: int
    id: int
    order: int


@dataclass(frozen=True)
class MergeStep:
    """The copy ``id`` of ``store`` is to be written to the destination.

    There it replaces the problem ``stored``; None: it is new. ``written`` are the copies with user data.
    """

    rank: str
    store: int
    id: int
    stored: int | None
    written: tuple[AnnotatedCopy, ...] = ()


class CopyTable:
    """The table, in a file in a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / "copies.db", isolation_level=None)
        self._database.executescript(_TABLES)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def add(self, copies: Iterable[ProblemCopy]) -> None:
        """Add copies."""
        rows = ((c.canonical, c.rank, c.store, c.id, c.written) for c in copies)
        self._execute_many("INSERT INTO copies VALUES (?, ?, ?, ?, ?)", rows)

    def add_versions(self, versions: Iterable[tuple[str, int, int]]) -> None:
        """Add problems that are versions of others, by rank, store and id."""
        self._execute_many("INSERT INTO versions VALUES (?, ?, ?)", versions)

    def plan(self) -> int:
        """Find the steps; return their number."""
        rows = self._database.execute("SELECT * FROM copies ORDER BY canonical, rank, store, id")
        found = groupby((ProblemCopy(*row) for row in rows), attrgetter("canonical"))
        steps = filter(None, (merge_step_of_copies(list(group)) for _, group in found))
        planned = ((one.rank, one.store, one.id, one.stored, json.dumps(one.written)) for one in steps)
        self._execute_many("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", planned)
        return int(self._database.execute("SELECT count(*) FROM steps").fetchone()[0])

    def steps(self) -> Iterator[MergeStep]:
        """Yield the steps in the order of their ranks."""
        rows = self._database.execute("SELECT * FROM steps ORDER BY rank, store, id")
        for rank, store, number, stored, written in rows:
            copies = tuple(AnnotatedCopy(*one) for one in json.loads(written))
            yield MergeStep(rank, store, number, stored, copies)

    def versions(self) -> Iterator[list[tuple[int, int]]]:
        """Store and id of the problems that are versions of others, copies of one rank together."""
        rows = self._database.execute("SELECT rank, store, id FROM versions ORDER BY rank, store, id")
        for _, group in groupby(rows, itemgetter(0)):
            yield [(store, number) for _, store, number in group]

    def _execute_many(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        self._database.execute("BEGIN")
        self._database.executemany(statement, rows)
        self._database.execute("COMMIT")


def merge_step_of_copies(copies: list[ProblemCopy]) -> MergeStep | None:
    """Return the step for the copies of one problem, lowest rank first; None if nothing is to be done."""
    first = copies[0]
    stored = next((copy for copy in copies if copy.store == DESTINATION), None)
    if stored is not None and stored.digest == first.digest:
        first = stored
    ranks = list(dict.fromkeys(copy.rank for copy in copies))
    written = tuple(
        AnnotatedCopy(copy.store, copy.id, ranks.index(copy.rank)) for copy in copies if copy.written
    )
    if first is stored and all(one.store == DESTINATION for one in written):
        return None
    return MergeStep(first.rank, first.store, first.id, None if stored is None else stored.id, written)
