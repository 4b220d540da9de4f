# SPDX-License-Identifier: GPL-3.0-or-later
"""Katoh1988: search of a game tree in a given space (Katoh, Ibaraki), its experiments 1 to 3.

RSEARCH (`solver.engines.rsearch`) on random positions of 6x6 Othello with 16 squares empty, each searched to the end of
the game or to 16 plies (section 5). Experiment 1 (figure 3) has lists of depth c in all calls. Experiments 2 and 3 have
a cond of their own for the first call and c = 2 for all calls below it: in experiment 2 (table 1) the first list grows
while fewer than c1 cells are in use, in experiment 3 (table 2) while fewer than c11 are and only to depth c12. Counted
are the leaves evaluated and the most cells in use, as means over the positions. The paper does not give its positions:
ratios and orders can be compared.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import click
import numpy as np
from matplotlib.figure import Figure

from papers.common import ResultFile, StoredRow, plots_option, print_table, rows_option
from papers.kernel import katoh1988 as kernel
from solver.engines.rsearch.kernel.framework import (
    CELL,
    FINISHED,
    INFINITE,
    OUT_OF_CELLS,
    SEARCH,
    STEP,
    TOO_DEEP,
    Space,
)
from tsume.commands.options import print_line
from tsume.progress import with_progress_bar

# --- RSEARCH of any game for Python (section 4): in slices, with its bound on cells -------------------

SLICE = 50_000
"""Nodes between two calls of ``look``: a few milliseconds."""
_FIRST_CELLS = 1 << 12


@dataclass(frozen=True)
class RSearchCondition:
    """The condition for expanding a node into the list of its call; otherwise a separate call solves it.

    Both must hold, in all calls: it is less than ``depth`` (c) plies below the root of the call (4.2), and
    fewer than ``cells`` (c1) cells are in use, in all calls together (the N of section 5; 4.3 counts those of
    the present call). The paper's cond is true when they do not hold, and may differ from call to call.
    """

    depth: int = INFINITE
    cells: int = INFINITE


@dataclass(frozen=True)
class RSearchOutcome:
    """The root's value and the work of a search.

    ``value`` is exact if it is between alpha and beta; at or below alpha it is an upper bound,
    at or above beta a lower one. ``leaves``: leaves evaluated; ``visited``: nodes developed,
    leaves included; ``calls``: recursive calls, without the first; ``cells``: the most cells in
    use; ``promised``: the bound that they cannot exceed (`RSearch.promised`).
    """

    value: int
    leaves: int
    visited: int
    calls: int
    cells: int
    promised: int


class RSearch:
    """Searches of one game (`solver.engines.rsearch.kernel.framework.make_rsearch`) in a given space.

    ``levels``: the longest path of the game, in plies. ``branching``: the most moves of a position. ``limit``: the most
    cells in use; if a list would not fit, its moves are searched one after the other. None: cells are added when
    needed. Raises ValueError for a limit that a path of ``levels`` plies would exceed.
    """

    def __init__(self, kernels: Any, *, levels: int, branching: int, limit: int | None = None) -> None:
        if limit is not None and limit < levels + 2:
            raise ValueError(f"a game of {levels} plies needs {levels + 2} cells, not {limit}")
        self._kernels = kernels
        self._strict = limit is not None
        cells = np.zeros(limit or _FIRST_CELLS, dtype=CELL).view(np.recarray)
        search = np.zeros(1, dtype=SEARCH).view(np.recarray)[0]
        path = np.zeros(levels + 1, dtype=STEP).view(np.recarray)
        self._space = Space(search, cells, path, np.zeros((levels + 1, branching), dtype=np.int64))

    def search(
        self,
        state: Any,
        cond: RSearchCondition,
        *,
        alpha: int = -INFINITE,
        beta: int = INFINITE,
        dual: bool = False,
        look: Callable[[int], None] | None = None,
    ) -> RSearchOutcome:
        """Search the tree below the game's state, from above, or from below if ``dual``.

        ``look`` is called every few milliseconds with the number of nodes visited; if it raises,
        the state is restored. Raises ValueError for c < 1, an empty window or a path that is too
        long, AssertionError if more cells were in use than section 4.3 promises.
        """
        if cond.depth < 1 or alpha >= beta:
            raise ValueError(f"nothing to search: c = {cond.depth}, between {alpha} and {beta}")
        self._kernels.begin_rsearch(self._space, alpha, beta, cond.depth, cond.cells, self._strict, dual)
        try:
            while (status := self._kernels.continue_rsearch(self._space, state, SLICE)) != FINISHED:
                if status == TOO_DEEP:
                    raise ValueError(f"a path of more than {len(self._space.path) - 1} plies")
                if status == OUT_OF_CELLS:
                    old = self._space.cells
                    cells = np.zeros(2 * len(old), dtype=CELL).view(np.recarray)
                    cells[: len(old)] = old
                    self._space = self._space._replace(cells=cells)
                elif look is not None:
                    look(int(self._space.search.visited))
        except BaseException:
            self._kernels.abandon_rsearch(self._space, state)
            raise
        found, promised = self._space.search, self.promised(cond)
        if found.most_cells > promised:
            raise AssertionError(f"{found.most_cells} cells were in use, {promised} promised ({cond})")
        numbers = (found.value, found.leaves, found.visited, found.begun, found.most_cells, promised)
        return RSearchOutcome(*map(int, numbers))

    def promised(self, cond: RSearchCondition) -> int:
        """Return the bound of section 4.3 on the cells of the last search, from the branching it met.

        Let e[l] be the most children that a node of level l puts into a list at once: all moves of a MAX node, one of a
        MIN node. By depth: a list of height c at level l holds at most e[l] nodes one ply below its root, e[l] e[l+1]
        two plies below it, and so on; the lists of levels 0, c, 2c, ... can exist at the same time. By cells: the last
        node expanded while fewer than c1 cells are in use adds its children, and below it there are only roots of
        calls, at most one on each level. With a limit it is the limit.
        """
        if self._strict:
            return len(self._space.cells)
        most = [max(int(step.widest), int(step.narrow)) for step in self._space.path]
        lists = cells_bound_by_depth(most, cond.depth)
        return lists if lists <= cond.cells else cells_bound_by_limit(most, cond.cells)


def cells_bound_by_limit(most: list[int], cells: int) -> int:
    """Return the most cells if lists grow while fewer than ``cells`` are in use.

    ``most`` as in `cells_bound_by_depth`.
    """
    return max(1, cells - 1 + max(most)) + sum(most)


def cells_bound_by_depth(most: list[int], depth: int) -> int:
    """Return the most cells of lists of height ``depth`` if nodes of level l add at most ``most[l]`` children."""
    total = 1
    for root in range(0, len(most), depth):
        nodes = 1
        for children in most[root : root + depth]:
            nodes *= children
            total += nodes
    return total


# --- the positions of Katoh1988's experiments, and a search of one ---------------------------------

PLIES = 16
"""Squares left empty, and plies searched; a pass is a ply."""
BOARD, CORNERS = "board", "corners"
ORDERS = (BOARD, CORNERS)
"""The order in which moves are tried: row by row; corners first, the squares beside them last."""
_START = (1 << 15 | 1 << 20, 1 << 14 | 1 << 21)
_SIZE = 6
_CLASSES = ((0, 0), (0, 2), (1, 2), (2, 2), (0, 1), (1, 1))
"""Squares by their distances from the nearest edges, the smaller first: from good to bad."""


@dataclass(frozen=True)
class OthelloPosition:
    """The squares of who is to move and of the other, as sets of bits; square 6 * row + column."""

    mine: int
    yours: int

    def __str__(self) -> str:
        """36 characters, row by row: X who is to move, O the other, - empty."""
        return "".join("X" if self.mine >> i & 1 else "O" if self.yours >> i & 1 else "-" for i in range(36))

    @classmethod
    def parse(cls, text: str) -> OthelloPosition:
        """Return the position of such a text. Raises ValueError for any other."""
        if len(text) != _SIZE * _SIZE or set(text) - set("XO-"):
            raise ValueError(f"no position of 6x6 Othello: {text[:50]!r}")
        return cls(*(sum(1 << i for i, disc in enumerate(text) if disc == side) for side in "XO"))

    def moves(self) -> list[int]:
        """Return the squares on which the mover may play."""
        squares = int(kernel.legal_othello_squares(np.uint64(self.mine), np.uint64(self.yours)))
        return [i for i in range(_SIZE * _SIZE) if squares >> i & 1]

    def passed(self) -> OthelloPosition:
        """With the other to move."""
        return OthelloPosition(self.yours, self.mine)

    def played(self, square: int) -> OthelloPosition:
        """After a move, with the other to move."""
        turned = int(kernel.flipped_discs(np.uint64(self.mine), np.uint64(self.yours), square))
        return OthelloPosition(self.yours & ~turned, self.mine | turned | 1 << square)

    @property
    def empty(self) -> int:
        """Return how many squares are empty."""
        return _SIZE * _SIZE - (self.mine | self.yours).bit_count()


def random_othello_position(rng: random.Random) -> OthelloPosition:
    """Random legal play until `PLIES` squares are empty and the side to move has a move."""
    while True:
        position = OthelloPosition(*_START)
        while (moves := position.moves()) or position.passed().moves():
            if moves and position.empty == PLIES:
                return position
            position = position.played(rng.choice(moves)) if moves else position.passed()


def squares_in_order(order: str) -> list[int]:
    """Return all squares in one of the `ORDERS`."""

    def kind(square: int) -> int:
        row, column = divmod(square, _SIZE)
        near = sorted((min(row, _SIZE - 1 - row), min(column, _SIZE - 1 - column)))
        return _CLASSES.index((near[0], near[1]))

    board = range(_SIZE * _SIZE)
    return sorted(board, key=kind) if order == CORNERS else list(board)


def othello_state(position: OthelloPosition, order: str, plies: int = PLIES) -> kernel.Othello:
    """Return the game at a position, which ends after so many plies at the latest."""
    boards = np.zeros((plies + 1, 2), dtype=np.uint64)
    boards[0] = position.mine, position.yours
    return kernel.Othello(boards, np.zeros(1, dtype=np.int64), np.array(squares_in_order(order), dtype=np.int64))


def search_othello(
    position: OthelloPosition, order: str, cond: RSearchCondition, *, dual: bool = False, plies: int = PLIES
) -> RSearchOutcome:
    """RSEARCH on a position; see `RSearch.search`."""
    rsearch = RSearch(kernel.KERNELS, levels=plies, branching=kernel.BRANCHING)
    return rsearch.search(othello_state(position, order, plies), cond, dual=dual)


class OthelloSwitchingSearch(RSearch):
    """RSEARCH with a cond for the first call and a depth ``later`` for those below (experiments 2, 3).

    The paper lets cond and c differ from call to call (4.1, step R4.2).
    """

    def __init__(self, *, plies: int, later: int) -> None:
        super().__init__(kernel.SWITCHING_KERNELS, levels=plies, branching=kernel.BRANCHING)
        self._later = later

    def search_position(self, position: OthelloPosition, order: str, cond: RSearchCondition) -> RSearchOutcome:
        """Search a position, ``cond`` being that of the first call."""
        game = othello_state(position, order, len(self._space.path) - 1)
        conds = np.array([cond.depth, cond.cells, self._later], dtype=np.int64)
        return self.search(kernel.Switching(*game, self._space.search, conds), cond)

    def promised(self, cond: RSearchCondition) -> int:
        """Return the bound of section 4.3: the first list, and lists of height ``later`` below a node."""
        most = [max(int(step.widest), int(step.narrow)) for step in self._space.path]
        first = min(
            cells_bound_by_depth(most[: cond.depth], cond.depth),
            max(1, cells_bound_by_limit(most, cond.cells) - sum(most)),
        )
        starts = range(1, min(cond.depth, len(most)) + 1)
        return first + max(cells_bound_by_depth(most[start:], self._later) - 1 for start in starts)


def othello_alpha_beta(position: OthelloPosition, order: str, plies: int = PLIES) -> tuple[int, int, int]:
    """Return the value, leaves and nodes visited of alpha-beta without RSEARCH."""
    packed = np.zeros(1, dtype=kernel.RECORD).view(np.recarray)[0]
    levels = np.zeros(plies + 1, dtype=kernel.LEVEL).view(np.recarray)
    rows = np.zeros((plies + 1, kernel.BRANCHING), dtype=np.int64)
    state = othello_state(position, order, plies)
    kernel.begin_alpha_beta(packed, levels)
    while not kernel.continue_alpha_beta(packed, levels, rows, state, SLICE):
        pass
    return int(packed.value), int(packed.leaves), int(packed.visited)


# --- the experiments 1 to 3 ------------------------------------------------------------------------

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
    """A search, its seconds and its outcome; see `papers.katoh1988.RSearchOutcome`."""

    value: int = 0
    leaves: int = 0
    visited: int = 0
    calls: int = 0
    cells: int = 0
    promised: int = 0
    seconds: float = 0.0

    @property
    def job(self) -> KatohJob:
        """Return the search alone."""
        return KatohJob(self.position, self.order, self.method, self.depth, self.room)


def katoh_jobs(order: str, number: int = POSITIONS, seed: int = SEED) -> list[KatohJob]:
    """Return all searches of the experiments on the first positions of a seed, position by position."""
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
    position, started = OthelloPosition.parse(job.position), time.process_time()
    given = {"depth": job.depth, "cells": job.room}
    cond = RSearchCondition(**{name: number for name, number in given.items() if number is not None})
    if job.method == ALPHA_BETA:
        outcome = RSearchOutcome(*othello_alpha_beta(position, job.order), calls=0, cells=0, promised=0)
    elif job.method in (SWITCHED, SPLIT):
        later = PLIES - (job.depth or 0) if job.method == SPLIT else LATER
        search = OthelloSwitchingSearch(plies=PLIES, later=later)
        outcome = search.search_position(position, job.order, cond)
    else:
        outcome = search_othello(position, job.order, cond, dual=job.method == BELOW)
    seconds = round(time.process_time() - started, 4)
    return KatohRow(**asdict(job), **asdict(outcome), seconds=seconds)


def measure_all(wanted: Iterable[KatohJob], known: Mapping[KatohJob, KatohRow]) -> Iterator[KatohRow]:
    """Yield the row of each search, those already known not made again.

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

    ``typical``: the geometric mean of the leaves, in which one hard position counts like any other. ``seconds``:
    processor time of the machine at hand, a mean too.
    """

    name: str
    leaves: float
    typical: float
    cells: float
    promised: float
    seconds: float
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
    return KatohLine(name, mean("leaves"), typical, mean("cells"), mean("promised"), mean("seconds"), paper)


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
    return [_line(rows, f"{room:,} / {c}", SWITCHED, c, room, paper) for (room, c), paper in PAPER_PAIRS.items()]


def monotony_exceptions(lines: Sequence[KatohLine], leaves: str = "leaves") -> list[str]:
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
    return [
        f"{one.name} and {other.name}"
        for i, one in enumerate(lines)
        for other in lines[i + 1 :]
        if one.paper
        and other.paper
        and (getattr(one, leaves) - getattr(other, leaves)) * (one.paper[0] - other.paper[0]) < 0
    ]


# --- figure 3 of Katoh1988: leaves and cells against c ---------------------------------------------


def plot(rows: Sequence[KatohRow], path: Path) -> None:
    """Write a picture, both scales of numbers logarithmic.

    The paper's own figure 3 has no numbers to be drawn beside.
    """
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    above, below = figure_3(rows), search_from_below_rows(rows)
    for axes, what in zip(figure.subplots(1, 2), ("leaves", "cells"), strict=True):
        for lines, name, style in ((above, "from above", "o-"), (below, "from below", "s--")):
            axes.plot(list(lines), [getattr(line, what) for line in lines.values()], style, label=name)
        if what == "cells":
            bounds = [line.promised for line in above.values()]
            axes.plot(list(above), bounds, ":", color="grey", label="bound of 4.3")
        axes.set(yscale="log", xlabel="c, depth of a list", ylabel=f"{what}, mean of the positions")
        axes.set_xticks(list(above))
        axes.grid(color="#dddddd")
        axes.legend()
    figure.savefig(path, dpi=110)


# --- ``scripts/papers katoh``: the experiments of Katoh1988, search in a given space -----------------

_MEANS = {"leaves": "mean", "typical": "geometric mean"}


@click.command()
@click.option("--positions", "number", type=click.IntRange(1, 1000), default=10, show_default=True,
              help="Number of random positions.")  # fmt: skip
@click.option("--seed", type=int, default=1988, show_default=True, help="Seed of the random positions.")
@click.option("--order", type=click.Choice(("board", "corners")), default="board", show_default=True,
              help="Try moves row by row, or corners first.")  # fmt: skip
@rows_option
@plots_option
def katoh(number: int, seed: int, order: str, rows_path: Path | None, plots_path: Path | None) -> None:
    """Katoh's tables: leaves and cells of recursive SSS* on 6x6 Othello in a given space.

    Leaves and cells are means over the positions, "typical" is the geometric mean of the leaves.
    All searches of a position must find the same value, and none may use more cells than
    the paper's bound allows; otherwise the command fails.
    """
    kept = ResultFile(rows_path, KatohRow.from_json)
    # Compile the kernels on a small position, before anything is measured.
    position = random_othello_position(random.Random(1))
    search_othello(position, BOARD, RSearchCondition(), plies=2)
    OthelloSwitchingSearch(plies=2, later=1).search_position(position, BOARD, RSearchCondition())
    othello_alpha_beta(position, BOARD, plies=2)
    todo = katoh_jobs(order, number, seed)
    known = {row.job: row for row in kept.known}
    try:
        with kept.going_on():
            rows = list(kept.kept(with_progress_bar(measure_all(todo, known), len(todo))))
    except AssertionError as error:
        raise click.ClickException(str(error)) from None
    print_line(f"{number} random positions of 6x6 Othello, 16 squares empty, seed {seed}, order: {order}")
    by_depth = list(figure_3(rows).values())
    _print_table(
        "experiment 1 (figure 3)",
        "c",
        [*by_depth, *split_cells_rows(rows).values(), *search_from_below_rows(rows).values()],
    )
    for leaves, name in _MEANS.items():
        print_line(f"leaves ({name}) fall and cells rise with c{_except(monotony_exceptions(by_depth, leaves))}")
    for title, cond, lines in (
        ("experiment 2 (table 1)", "c1", table_1(rows)),
        ("experiment 3 (table 2)", "c11 / c12", table_2(rows)),
    ):
        _print_table(title, cond, lines)
        for leaves, name in _MEANS.items():
            print_line(f"in the paper's order by leaves ({name}){_except(pairs_in_other_order(lines, leaves))}")
    print_line(f"{len(rows)} searches: the value of a position is the same in all, cells keep to the bound")
    if plots_path is not None:
        plot(rows, plots_path / "katoh1988.png")


def _except(exceptions: Sequence[str]) -> str:
    return f", but not {'; '.join(exceptions)}" if exceptions else ""


def _print_table(title: str, cond: str, lines: Sequence[KatohLine]) -> None:
    """Means, and the paper's where it has them; ratios are to the first line."""
    print_line(f"\n{title}")
    table = [[cond, "leaves", "ratio", "paper", "ratio", "typical", "ratio", "cells", "paper", "bound", "s"]]
    base, has_paper = lines[0], any(line.paper for line in lines)
    for line in lines:
        leaves = cells = ratio = ""
        if line.paper and base.paper:
            leaves, cells = (f"{number:,}" for number in line.paper)
            ratio = f"{line.paper[0] / base.paper[0]:.2f}"
        table.append([
            line.name, f"{line.leaves:,.0f}", f"{line.leaves / base.leaves:.2f}", leaves, ratio,
            f"{line.typical:,.0f}", f"{line.typical / base.typical:.2f}",
            f"{line.cells:,.0f}", cells, f"{line.promised:,.0f}", f"{line.seconds:.2f}",
        ])  # fmt: skip
    first, *others = table if has_paper else [[*row[:3], *row[5:8], *row[9:]] for row in table]
    print_table(first, others)
