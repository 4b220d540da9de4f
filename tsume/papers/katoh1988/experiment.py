# SPDX-License-Identifier: GPL-3.0-or-later
"""Katoh1988: search of a game tree in a given space (Katoh, Ibaraki), its experiments 1 to 3.

RSEARCH (`solver.engines.rsearch`) on random positions of 6x6 Othello with 16 squares empty, each
searched to the end of the game or to 16 plies (section 5). Experiment 1 (figure 3) has lists of
depth c in all calls. Experiments 2 and 3 have a cond of their own for the first call and
c = 2 for all calls below it: in experiment 2 (table 1) the first list grows while fewer
than c1 cells are in use, in experiment 3 (table 2) while fewer than c11 are and only to
depth c12. Counted are the leaves evaluated and the most cells in use, as means over the
positions. The paper does not give its positions: ratios and orders can be compared.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from statistics import geometric_mean

from solver.engines.rsearch.framework import RSearchCondition, RSearchOutcome
from tsume.papers.katoh1988.othello import (
    PLIES,
    OthelloPosition,
    OthelloSwitchingSearch,
    othello_alpha_beta,
    random_othello_position,
    search_othello,
)
from tsume.papers.stored_row import (
    StoredRow,
    is_number_row_value,
    is_whole_row_value,
    read_row_fields,
    require_valid_row,
)

SEED = 1988
POSITIONS = 10
ABOVE, BELOW, ALPHA_BETA = "from above", "from below", "alpha-beta"
"""Recursive SSS*; the same with the players exchanged; alpha-beta without RSEARCH."""
SWITCHED, SPLIT = "from above, then c = 2", "from above, then c = 16 - c"
"""Recursive SSS* with a cond of its own for the first call; ``LATER`` is the c of the others, or 16 - c."""
LATER = 2
DEPTHS = (1, 2, 4, 6, 8, 10, 12, 14, PLIES)
DUAL_DEPTHS = (4, 8, PLIES)
SPLIT_DEPTHS = (2, 4, 6)
"""Experiment 1 with c1 = c, c2 = 16 - c: for c below 8, where it differs, the paper found it much worse."""
PAPER_CELLS = {40_000: (411_395, 39_648), 10_000: (609_717, 10_204), 2_500: (663_157, 2_700)}
"""Table 1: leaves and cells by c1."""
PAPER_PAIRS = {
    (40_000, 12): (248_240, 35_162), (40_000, 10): (187_371, 17_730), (40_000, 8): (311_055, 5_952),
    (10_000, 10): (419_884, 10_124), (10_000, 8): (311_055, 5_952), (10_000, 6): (441_375, 1_651),
    (2_500, 8): (550_745, 2_680), (2_500, 6): (441_375, 1_651), (2_500, 4): (573_199, 464),
}  # fmt: skip
"""Table 2: leaves and cells by c11 and c12."""


@dataclass(frozen=True)
class KatohJob:
    """One search: a position, the order of its moves, the method, c and c1 (None: no such condition)."""

    position: str
    order: str
    method: str
    depth: int | None = None
    room: int | None = None


@dataclass(frozen=True)
class KatohRow(StoredRow, KatohJob):
    """A search, its seconds and its outcome; see `solver.engines.rsearch.framework.RSearchOutcome`."""

    value: int = 0
    leaves: int = 0
    visited: int = 0
    calls: int = 0
    cells: int = 0
    promised: int = 0
    seconds: float = 0.0

    @property
    def job(self) -> KatohJob:
        """The search alone."""
        return KatohJob(self.position, self.order, self.method, self.depth, self.room)

    @classmethod
    def from_json(cls, text: str) -> KatohRow:
        """The row of such a line. Raises ValueError for any other."""
        given = read_row_fields(text)
        require_valid_row(given.keys() == {field.name for field in fields(cls)}, "a field is missing")
        row = cls(**given)
        require_valid_row(all(isinstance(word, str) for word in (row.position, row.order, row.method)))
        require_valid_row(
            all(number is None or is_number_row_value(number) for number in (row.depth, row.room))
        )
        require_valid_row(is_whole_row_value(row.value))
        require_valid_row(is_whole_row_value(row.leaves) and row.leaves > 0, "no leaves were evaluated")
        work = (abs(row.value), row.leaves, row.visited, row.calls, row.cells, row.promised, row.seconds)
        require_valid_row(all(map(is_number_row_value, work)))
        return row


def katoh_jobs(order: str, number: int = POSITIONS, seed: int = SEED) -> list[KatohJob]:
    """All searches of the experiments on the first positions of a seed, position by position."""
    rng = random.Random(seed)
    conds: list[tuple[int | None, int | None]] = [(depth, None) for depth in DEPTHS]
    switched: list[tuple[int | None, int]] = [(None, room) for room in PAPER_CELLS]
    switched += [(depth, room) for room, depth in PAPER_PAIRS]
    found = []
    for position in (str(random_othello_position(rng)) for _ in range(number)):
        found.append(KatohJob(position, order, ALPHA_BETA))
        found += [KatohJob(position, order, ABOVE, depth, room) for depth, room in conds]
        found += [KatohJob(position, order, SPLIT, depth) for depth in SPLIT_DEPTHS]
        found += [KatohJob(position, order, SWITCHED, depth, room) for depth, room in switched]
        found += [KatohJob(position, order, BELOW, depth) for depth in DUAL_DEPTHS]
    return found


def measure_katoh_job(job: KatohJob) -> KatohRow:
    """Make one search. Raises AssertionError if it took more cells than section 4.3 promises."""
    position, started = OthelloPosition.parse(job.position), time.perf_counter()
    if job.method == ALPHA_BETA:
        outcome = RSearchOutcome(*othello_alpha_beta(position, job.order), calls=0, cells=0, promised=0)
    elif job.method in (SWITCHED, SPLIT):
        later = PLIES - (job.depth or 0) if job.method == SPLIT else LATER
        outcome = OthelloSwitchingSearch(plies=PLIES, later=later).search_position(
            position, job.order, _search_condition(job)
        )
    else:
        outcome = search_othello(position, job.order, _search_condition(job), dual=job.method == BELOW)
    seconds = round(time.perf_counter() - started, 4)
    return KatohRow(**asdict(job), **asdict(outcome), seconds=seconds)


def _search_condition(job: KatohJob) -> RSearchCondition:
    given = {"depth": job.depth, "cells": job.room}
    return RSearchCondition(**{name: number for name, number in given.items() if number is not None})


def measure_all(wanted: Iterable[KatohJob], known: Mapping[KatohJob, KatohRow]) -> Iterator[KatohRow]:
    """The row of each search, those already known not made again.

    Raises AssertionError where two searches of a position differ in its value, where c = 1
    does not evaluate alpha-beta's leaves, or where there were more cells than promised.
    """
    first: dict[tuple[str, str], KatohRow] = {}
    for job in wanted:
        row = known.get(job) or measure_katoh_job(job)
        plain = first.setdefault((row.position, row.order), row)
        if row.value != plain.value:
            raise AssertionError(f"{row.job} found {row.value}, {plain.job} {plain.value}")
        if plain.method == ALPHA_BETA and row.depth == 1 and row.leaves != plain.leaves:
            raise AssertionError(f"{row.job} evaluated {row.leaves} leaves, alpha-beta {plain.leaves}")
        if row.cells > row.promised:
            raise AssertionError(f"{row.job} took {row.cells} cells, {row.promised} promised")
        yield row


@dataclass(frozen=True)
class KatohLine:
    """A line of a table: means over the positions, and the paper's leaves and cells if known.

    ``typical``: the geometric mean of the leaves, in which one hard position counts like any other.
    """

    name: str
    leaves: float
    typical: float
    cells: float
    promised: float
    paper: tuple[int, int] | None = None


def _line(
    rows: Sequence[KatohRow], name: str, method: str, depth: int | None, room: int | None,
    paper: tuple[int, int] | None = None,
) -> KatohLine:  # fmt: skip
    chosen = [row for row in rows if (row.method, row.depth, row.room) == (method, depth, room)]
    if not chosen:
        raise LookupError(f"not measured: {name}")

    def mean(what: str) -> float:
        return float(sum(getattr(row, what) for row in chosen) / len(chosen))

    typical = geometric_mean(row.leaves for row in chosen)
    return KatohLine(name, mean("leaves"), typical, mean("cells"), mean("promised"), paper)


def figure_3(rows: Sequence[KatohRow]) -> dict[int, KatohLine]:
    """Experiment 1, by c."""
    return {c: _line(rows, f"c = {c}", ABOVE, c, None) for c in DEPTHS}


def split_cells_rows(rows: Sequence[KatohRow]) -> dict[int, KatohLine]:
    """Experiment 1 with c1 = c and c2 = 16 - c (section 5), by c."""
    return {c: _line(rows, f"c = {c}, then {PLIES - c}", SPLIT, c, None) for c in SPLIT_DEPTHS}


def search_from_below_rows(rows: Sequence[KatohRow]) -> dict[int, KatohLine]:
    """Experiment 1 from below, which the paper has not."""
    return {c: _line(rows, f"c = {c}, below", BELOW, c, None) for c in DUAL_DEPTHS}


def table_1(rows: Sequence[KatohRow]) -> list[KatohLine]:
    """Experiment 2."""
    return [_line(rows, f"{room:,}", SWITCHED, None, room, paper) for room, paper in PAPER_CELLS.items()]


def table_2(rows: Sequence[KatohRow]) -> list[KatohLine]:
    """Experiment 3."""
    return [
        _line(rows, f"{room:,} / {depth}", SWITCHED, depth, room, paper)
        for (room, depth), paper in PAPER_PAIRS.items()
    ]


def exceptions_to_falling(lines: Sequence[KatohLine], leaves: str = "leaves") -> list[str]:
    """Where leaves do not fall, or cells do not rise, from a line to the next: the names of both.

    ``leaves``: "leaves" or "typical", likewise below.
    """
    return [
        f"{what} from {one.name} to {other.name}"
        for one, other in pairwise(lines)
        for what, rise in (
            ("leaves", getattr(other, leaves) - getattr(one, leaves)),
            ("cells", one.cells - other.cells),
        )
        if rise > 0
    ]


def pairs_in_other_order(lines: Sequence[KatohLine], leaves: str = "leaves") -> list[str]:
    """Pairs of lines whose order by leaves is not the paper's; equal ones are in any order."""

    def is_swapped(one: KatohLine, other: KatohLine) -> bool:
        if one.paper is None or other.paper is None:
            return False
        here = float(getattr(one, leaves) - getattr(other, leaves))
        return here * (one.paper[0] - other.paper[0]) < 0

    return [
        f"{one.name} and {other.name}"
        for i, one in enumerate(lines)
        for other in lines[i + 1 :]
        if is_swapped(one, other)
    ]
