# SPDX-License-Identifier: GPL-3.0-or-later
"""Sekine, Maekawa, Iyoda: parallel iterative deepening weighted by an evaluation.

The rule: after a depth without a mate a check's accumulator grows by W = 1 + weight * (eval - 1), eval the king's
freedom by an alpha-beta search of depth five; the check with the smallest accumulator is next, on ties the one that has
waited longest (solver/engines/iterative/sekine.py, solver/engines/iterative/kernel/search.py).

The claims are two. The king's freedom ranks the right first check first (187 of 195 problems of 5 to 21 plies, second
in the other 8). Weight 0.4 solves a problem quicker than weight 0, which deepens all checks at one pace: in 181 of the
195 problems (92.8%) on one processor, in 150 (77.0%) on fourteen. Both are measured here on any set of problems; work
is counted in positions looked at until some check is found to mate.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

import click
from matplotlib.figure import Figure

from papers import common
from solver.engines.iterative.engine import IterativeEngine
from solver.engines.iterative.sekine import RootSearch, root_children
from solver.results import Limits, Mate
from tsume.commands.options import print_line, reject_nan
from tsume.files.inputs import print_complaint
from tsume.progress import with_progress_bar
from tsume_rules.packed import pack
from tsume_rules.sfen import parse_sfen

WEIGHT = 0.4
PLAIN = 0.0
_TABLE_BITS = 18
PAPER = {"first": 187 / 195, "second": 8 / 195, "less, one": 181 / 195, "less, many": 150 / 195}
"""The paper's shares: 195 problems, one processor and fourteen."""


@dataclass(frozen=True)
class SearchWork:
    """What a search took: positions until the first mate, positions until the length was exact, seconds."""

    weight: float
    jobs: int
    to_first_mate: int
    to_exact_length: int
    seconds: float


@dataclass(frozen=True)
class SekineRow(common.StoredRow):
    """One problem: how its best right check ranks, and the work of each search.

    ``better`` checks leave the king less freedom than the right one does, ``equal`` ones (wrong themselves) as much.
    """

    sfen: str
    length: int
    checks: int
    better: int
    equal: int
    work: tuple[SearchWork, ...] = ()

    def __post_init__(self) -> None:
        """Read the work of a line of a file."""
        made = (SearchWork(**one) if isinstance(one, dict) else one for one in self.work)
        object.__setattr__(self, "work", tuple(made))

    def of(self, weight: float, jobs: int) -> SearchWork:
        """Return the work of one search. Raises LookupError if it was not measured."""
        for work in self.work:
            if (work.weight, work.jobs) == (weight, jobs):
                return work
        raise LookupError(f"not measured with weight {weight} and {jobs} workers")

    def covers(self, jobs: Sequence[int]) -> bool:
        """Return whether each weight was measured with each of these numbers of workers."""
        measured = {(work.weight, work.jobs) for work in self.work}
        return measured >= set(product((PLAIN, WEIGHT), jobs))


def bundled_problems() -> list[str]:
    """Return the SFENs of problems of 5 to 11 plies that this project composed for the experiment."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def measure_parallel_search(sfen: str, jobs: Sequence[int], limits: Limits) -> SekineRow | None:
    """Return a problem's row; None where a search found no mate within the limits."""
    packed = pack(parse_sfen(sfen).position)
    length = 0
    work: list[SearchWork] = []
    for weight, number in product((PLAIN, WEIGHT), jobs):
        started = time.perf_counter()
        search = RootSearch(packed, [IterativeEngine(table_bits=_TABLE_BITS) for _ in range(number)], weight)
        result = search.search(limits)
        if not isinstance(result, Mate) or search.nodes_at_first_mate is None:
            return None
        length, seconds = result.length, round(time.perf_counter() - started, 4)
        work.append(SearchWork(weight, number, search.nodes_at_first_mate, search.nodes, seconds))
    engine = IterativeEngine(table_bits=_TABLE_BITS)
    children = root_children(packed, WEIGHT)
    right = {child.check for child in children if engine.mates_after(packed, child.check, length)}
    best = min(child.freedom for child in children if child.check in right)
    wrong = [child.freedom for child in children if child.check not in right]
    better, equal = sum(free < best for free in wrong), sum(free == best for free in wrong)
    return SekineRow(sfen, length, len(children), better, equal, tuple(work))


def measure_all(
    sfens: Sequence[str], known: dict[str, SekineRow], jobs: Sequence[int], limits: Limits
) -> Iterator[tuple[str, SekineRow | None]]:
    """Yield each problem with its row, those already known for all these workers not measured again."""
    for sfen in sfens:
        row = known.get(sfen)
        yield sfen, row if row and row.covers(jobs) else measure_parallel_search(sfen, jobs, limits)


class SekineShare(NamedTuple):
    """One line of the table: what was measured here, and the paper's figure where it has one."""

    name: str
    here: float
    paper: float | None = None


def table_of_shares(rows: Sequence[SekineRow], jobs: Sequence[int]) -> list[SekineShare]:
    """Return the paper's table, with ties told apart."""

    def share(holds: Callable[[SekineRow], bool]) -> float:
        return sum(map(holds, rows)) / len(rows) if rows else 0.0

    shares = [
        SekineShare("right check ranked first", share(lambda row: row.better == 0), PAPER["first"]),
        SekineShare("  ahead of every wrong check", share(lambda row: row.better + row.equal == 0)),
        SekineShare("right check ranked second", share(lambda row: row.better == 1), PAPER["second"]),
    ]
    for number in jobs:
        paper = PAPER["less, one" if number == 1 else "less, many"]
        pairs = [(row.of(PLAIN, number), row.of(WEIGHT, number)) for row in rows]
        less, same, quicker = (
            sum(found) / len(rows) if rows else 0.0
            for found in (
                [plain.to_first_mate > weighted.to_first_mate for plain, weighted in pairs],
                [plain.to_first_mate == weighted.to_first_mate for plain, weighted in pairs],
                [plain.seconds > weighted.seconds for plain, weighted in pairs],
            )
        )
        shares += [
            SekineShare(f"weight {WEIGHT} less work than 0, {_workers(number)}", less, paper),
            SekineShare("  the same work", same),
            SekineShare("  less time", quicker),
        ]
    return shares


def _workers(number: int) -> str:
    return "1 worker" if number == 1 else f"{number} workers"


# --- the plot of Sekine's experiment: work with the weight against work without it -----------------


def plot(rows: Sequence[SekineRow], jobs: Sequence[int], path: Path) -> None:
    """Write a picture with a panel for each number of workers.

    A point is a problem; below the diagonal the weight saved work.
    """
    figure = Figure(figsize=(5 * len(jobs), 5), layout="compressed")
    panels = list(figure.subplots(1, len(jobs), squeeze=False)[0])
    for number, axes in zip(jobs, panels, strict=True):
        for length in sorted({row.length for row in rows}):
            chosen = [row for row in rows if row.length == length]
            axes.scatter(
                [row.of(PLAIN, number).to_first_mate for row in chosen],
                [row.of(WEIGHT, number).to_first_mate for row in chosen],
                s=12, label=f"{length} moves",
            )  # fmt: skip
        axes.set(xlabel="positions, weight 0", ylabel=f"positions, weight {WEIGHT}")
        axes.set_title(_workers(number))
        axes.legend()
    common.draw_diagonals(panels)
    figure.savefig(path, dpi=120)


# --- ``scripts/papers sekine``: Sekine's table and plot ----------------------------------------------


@click.command()
@click.pass_context
@common.files_option
@click.option("-j", "--jobs", type=click.IntRange(2, 256), default=2, show_default=True,
              help="Number of workers to compare with one.")  # fmt: skip
@click.option("--time", "seconds", type=click.FloatRange(0), default=60.0, show_default=True,
              callback=reject_nan, help="Skip a problem after this many seconds.")  # fmt: skip
@common.rows_option
@common.plots_option
def sekine(
    context: click.Context, files: tuple[str, ...], jobs: int, seconds: float,
    rows_path: Path | None, plots_path: Path | None,
) -> None:  # fmt: skip
    """Sekine's table: how the king's freedom ranks the right check, and what its weight saves.

    Exits with status 1 if a problem was invalid or skipped.
    """
    sfens, good = common.problem_sfens(files) if files else (bundled_problems(), True)
    workers, limits = (1, jobs), Limits(seconds=seconds)
    kept = common.ResultFile(rows_path, SekineRow.from_json)
    known = {row.sfen: row for row in kept.known if row.covers(workers)}
    rows: list[SekineRow] = []
    with kept.going_on():
        for sfen, row in with_progress_bar(measure_all(sfens, known, workers, limits), len(sfens)):
            if row is None:
                print_complaint(sfen, "skipped: no mate found")
                continue
            rows.append(row)
            kept.add(row)
    if not rows:
        raise click.ClickException("no problem was measured")
    lengths = sorted({row.length for row in rows})
    print_line(f"{len(rows)} problems of {lengths[0]} to {lengths[-1]} moves")
    common.print_beside_paper(
        (name, f"{here:.1%}", "" if paper is None else f"{paper:.1%}")
        for name, here, paper in table_of_shares(rows, workers)
    )
    if plots_path is not None:
        plot(rows, workers, plots_path / "sekine.png")
    context.exit(0 if good and len(rows) == len(sfens) else 1)
