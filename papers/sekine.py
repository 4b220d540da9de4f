# SPDX-License-Identifier: GPL-3.0-or-later
"""Sekine, Maekawa, Iyoda: parallel iterative deepening weighted by an evaluation.

The rule: after a depth without a mate a check's accumulator grows by W = 1 + weight * (eval - 1), eval the king's
freedom by an alpha-beta search of depth five; the check with the smallest accumulator is next, on ties the one that has
waited longest (solver/engines/iterative/engine.py, solver/engines/iterative/kernel/search.py).

The claims are two. The king's freedom ranks the right first check first (187 of 195 problems of 5 to 21 plies, second
in the other 8). Weight 0.4 solves a problem quicker than weight 0, which deepens all checks at one pace: in 181 of the
195 problems (92.8%) on one processor, in 150 (77.0%) on fourteen. Both are measured here on any set of problems; work
is counted in positions looked at until some check is found to mate.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

import click
from matplotlib.figure import Figure

from papers import common
from solver.engines.iterative.engine import DEPTH, IterativeEngine, RootChild, SekineEngine, root_children
from solver.results import LimitReached, Limits, Mate
from tsume.commands.options import print_line, reject_nan
from tsume.files.inputs import print_complaint
from tsume.progress import with_progress_bar
from tsume_rules.packed import PackedPosition, legal_checks, legal_evasions, pack, played
from tsume_rules.position import Side
from tsume_rules.sfen import parse_sfen

WEIGHTS = (0.0, 0.2, 0.4)
PROCESSORS = (1, 2, 14)
BY_CHECKS, BY_ANSWERS = "figure 3", "by answers"
"""How surplus processors share the best check: the attacker's next checks below one answer after the other, or the
answers (`solver.engines.iterative.engine`)."""
_TABLE_BITS = 18
PAPER = {"first": 187 / 195, "second": 8 / 195, 1: 181 / 195, 14: 150 / 195}
"""The paper's shares: 195 problems; how many weight 0.4 solves sooner than weight 0, by processors."""


@dataclass(frozen=True)
class SekineRow(common.StoredRow):
    """One problem: how its best right check ranks, and the time of each search in positions examined.

    ``better`` checks leave the king less freedom than the right one does, ``equal`` ones (wrong themselves) as much.
    ``times``: weight, processors, how they share a check, positions until the first mate.
    """

    sfen: str
    length: int
    checks: int
    better: int
    equal: int
    times: tuple[tuple[float, int, str, int], ...] = ()

    def __post_init__(self) -> None:
        """Read the times of a line of a file."""
        object.__setattr__(self, "times", tuple((float(w), int(n), str(how), int(t)) for w, n, how, t in self.times))

    def of(self, weight: float, processors: int, how: str = BY_CHECKS) -> int:
        """Return the time of one search. Raises KeyError if it was not measured."""
        return {(w, n, h): time for w, n, h, time in self.times}[weight, processors, how]


def bundled_problems() -> list[str]:
    """Return the SFENs of 195 problems of 5 to 21 plies that this project composed for the experiment."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")] + LONGER.split("\n")[1:-1]


LONGER = """
9/6gsk/4NR1N1/8+B/9/9/9/9/9 b Grb2g3s2n4l18p 1
1+s7/k1g6/1N1RN4/+B8/9/9/9/9/9 b Rb3g3s2n4l18p 1
2+N1kg3/9/2S3N2/5NP2/9/8B/8B/9/9 b 2r3g3sn4l17p 1
8s/6ggk/4NR1N1/6N1+B/9/9/9/9/9 b rb2g3sn4l18p 1
2S6/kgg6/1NsRN4/+B8/9/9/9/9/9 b rb2g2s2n4l18p 1
9/2BP5/4P4/2P2k1B1/9/5+P3/9/9/9 b 2r4g4s4n4l14p 1
9/2BP5/4Pk3/2P1R2B1/9/6+P2/9/9/9 b r4g4s4n4l14p 1
9/1+R7/9/9/9/9/9/1gP+PR+L3/2k1+L1g2 b 2b2g4s4n2l16p 1
9/9/9/9/9/9/3g1g3/+RR3+S3/1G1k1Ng2 b 2b3s3n4l18p 1
9/1+R7/9/9/9/9/9/1gP+PR+L3/1k1+B+L1g2 b b2g4s4n2l16p 1
9/1+R7/9/9/9/9/9/1gP+PR+L3/1k2+L1g2 b G2bg4s4n2l16p 1
6+p+nk/7+p1/5+B+N+L1/4B2S1/9/9/9/9/9 b 2r4g3s2n3l16p 1
9/1+R7/9/9/9/9/+Bg7/1gP+PR+L3/1k2+S1g2 b bg3s4n3l16p 1
8B/1+R7/9/9/9/9/9/ggP+PR+L3/1k2+L1g2 b bg4s4n2l16p 1
6+n+pk/6+p2/5+B+NPN/4B2S1/9/9/9/9/9 b 2r4g3sn4l15p 1
"""
"""Three problems each of 13, 15, 17, 19 and 21 plies: tsume generate --style free --seed 20261121."""


class Processors:
    """The paper's processors (section 3) in one: time is counted in positions examined, and the same each time.

    Every search is made when it would begin, and ends so many positions later. All share one table.
    """

    def __init__(self, packed: PackedPosition, number: int, weight: float, how: str, limits: Limits) -> None:
        self._packed, self._how, self._limits = packed, how, limits
        self._engine = IterativeEngine(table_bits=_TABLE_BITS)
        self._open = root_children(packed, weight)
        self._surplus = max(0, number - len(self._open))
        self._best = min(self._open, key=lambda child: child.freedom)
        self._number = number - self._surplus

    def first_mate(self) -> int:
        """Return the time at which the first check is found to mate. Raises `LimitReached`; LookupError: no mate."""
        running: list[tuple[int, int, RootChild, bool]] = []
        now, begun = 0, 0
        while True:
            idle = [child for child in self._open if all(child is not one for _, _, one, _ in running)]
            if idle and len(running) < self._number:
                child = min(idle, key=RootChild.order)
                time, mates = self._searched(child)
                begun += 1
                heapq.heappush(running, (now + time, begun, child, mates))
                continue
            if not running:
                raise LookupError
            now, _, child, mates = heapq.heappop(running)
            if mates:
                return now
            child.total += child.step
            child.bound += 2
            child.waiting_since = now + 1

    def _searched(self, child: RootChild) -> tuple[int, bool]:
        """Return the time that a search of a check takes, and whether it mates within its bound; drop refuted ones."""
        with self._engine.within(self._limits), played(self._packed, child.check, Side.ATTACKER):
            if child is not self._best or not self._surplus or child.bound <= DEPTH:
                time, mates = self._counted(lambda: self._engine.is_mated(self._packed, child.bound - 1))
                if not mates and self._engine.refuted_for_good:
                    self._open.remove(child)
                return time, mates
            answers = self._engine.answer_groups(self._packed, child.bound - 1)
            if self._how == BY_ANSWERS:
                parts = [partial(self._engine.is_mated_by, self._packed, child.bound - 1, part) for part in answers]
                time, refuted = self._shared(parts, until=False)
                return time, not refuted
            time = 0
            for answer in legal_evasions(self._packed):
                with played(self._packed, answer, Side.DEFENDER):
                    checks = [partial(self._mates_by, check, child.bound - 2) for check in legal_checks(self._packed)]
                    taken, mates = self._shared(checks, until=True)
                time += taken
                if not mates:
                    return time, False
            return time, True

    def _mates_by(self, check: int, bound: int) -> bool:
        with played(self._packed, check, Side.ATTACKER):
            return self._engine.is_mated(self._packed, bound - 1)

    def _counted(self, search: Callable[[], bool]) -> tuple[int, bool]:
        before = self._engine.own_nodes
        found = search()
        return self._engine.own_nodes - before, found

    def _shared(self, searches: Sequence[Callable[[], bool]], *, until: bool) -> tuple[int, bool]:
        """Share searches among master and slaves; return when they end, at the first of a result at the latest."""
        free = [0] * (self._surplus + 1)
        ended: int | None = None
        for search in searches:
            start = heapq.heappop(free)
            if ended is not None and start >= ended:
                break
            time, found = self._counted(search)
            heapq.heappush(free, start + time)
            if found is until:
                ended = min(start + time, ended or start + time)
        return (max(free), False) if ended is None else (ended, True)


def measure(sfen: str, limits: Limits) -> SekineRow | None:
    """Return a problem's row; None where a search found no mate within the limits."""
    packed = pack(parse_sfen(sfen).position)
    result = SekineEngine(table_bits=_TABLE_BITS).search_length(packed, limits)
    if not isinstance(result, Mate):
        return None
    times = []
    try:
        for weight, number, how in product(WEIGHTS, PROCESSORS, (BY_CHECKS, BY_ANSWERS)):
            if how == BY_CHECKS or number > 2:
                times.append((weight, number, how, Processors(packed, number, weight, how, limits).first_mate()))
    except LimitReached:
        return None
    engine = IterativeEngine(table_bits=_TABLE_BITS)
    children = root_children(packed, 0.0)
    right = {child.check for child in children if engine.mates_after(packed, child.check, result.length)}
    best = min(child.freedom for child in children if child.check in right)
    wrong = [child.freedom for child in children if child.check not in right]
    better, equal = sum(free < best for free in wrong), sum(free == best for free in wrong)
    return SekineRow(sfen, result.length, len(children), better, equal, tuple(times))


class SekineShare(NamedTuple):
    """One line of the table: what was measured here, and the paper's figure where it has one."""

    name: str
    here: float
    paper: float | None = None


def table_of_shares(rows: Sequence[SekineRow]) -> list[SekineShare]:
    """Return the paper's shares, with ties told apart."""

    def share(holds: Callable[[SekineRow], bool]) -> float:
        return sum(map(holds, rows)) / len(rows)

    shares = [
        SekineShare("right check ranked first", share(lambda row: row.better == 0), PAPER["first"]),
        SekineShare("  ahead of every wrong check", share(lambda row: row.better + row.equal == 0)),
        SekineShare("right check ranked second", share(lambda row: row.better == 1), PAPER["second"]),
    ]
    for number, weight in product(PROCESSORS, WEIGHTS[1:]):
        paper = PAPER.get(number) if weight == WEIGHTS[-1] else None
        name = f"weight {weight} sooner than 0, {_processors(number)}"
        pairs = [(row.of(0.0, number), row.of(weight, number)) for row in rows]
        shares.append(SekineShare(name, sum(plain > time for plain, time in pairs) / len(rows), paper))
        shares.append(SekineShare("  as soon", sum(plain == time for plain, time in pairs) / len(rows)))
    both = [(row.of(0.4, 14), row.of(0.4, 14, BY_ANSWERS)) for row in rows]
    shares.append(SekineShare("by answers sooner than by figure 3", sum(a > b for a, b in both) / len(rows)))
    shares.append(SekineShare("  as soon", sum(a == b for a, b in both) / len(rows)))
    return shares


def _processors(number: int) -> str:
    return "1 processor" if number == 1 else f"{number} processors"


def _print_times(title: str, rows: Sequence[SekineRow]) -> None:
    """Print times as in tables 1 and 2."""
    print_line(f"{title}: positions until the first mate")
    heads = [f"{number}: {weight}" for number, weight in product(PROCESSORS, WEIGHTS)]
    common.print_table(
        ("", "rank", *heads, "14: answers"),
        [
            [
                row.sfen.split()[0], str(row.better + 1),
                *(str(row.of(weight, number)) for number, weight in product(PROCESSORS, WEIGHTS)),
                str(row.of(0.4, 14, BY_ANSWERS)),
            ]
            for row in rows
        ],
    )  # fmt: skip


# --- ``scripts/papers sekine`` ---------------------------------------------------------------------


@click.command()
@click.pass_context
@common.files_option
@click.option("--time", "seconds", type=click.FloatRange(0), default=60.0, show_default=True,
              callback=reject_nan, help="Skip a problem after this many seconds for a search.")  # fmt: skip
@common.rows_option
@common.plots_option
def sekine(
    context: click.Context, files: tuple[str, ...], seconds: float, rows_path: Path | None, plots_path: Path | None
) -> None:
    """Sekine's tables: how the king's freedom ranks the right check, and what its weight saves.

    Exits with status 1 if a problem was invalid or skipped.
    """
    sfens, good = common.problem_sfens(files) if files else (bundled_problems(), True)
    kept = common.ResultFile(rows_path, SekineRow.from_json)
    known = {row.sfen: row for row in kept.known}
    rows: list[SekineRow] = []
    with kept.going_on():
        for sfen in with_progress_bar(sfens, len(sfens)):
            row = known.get(sfen) or measure(sfen, Limits(seconds=seconds))
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
        (name, f"{here:.1%}", "" if paper is None else f"{paper:.1%}") for name, here, paper in table_of_shares(rows)
    )
    gained = sorted(rows, key=lambda row: row.of(0.0, 1) - row.of(0.4, 1))
    _print_times("table 1, the weight saves most", gained[-4:][::-1])
    _print_times("table 2, the weight costs most", gained[:4])
    if plots_path is not None:
        plot(rows, plots_path / "sekine.png")
    context.exit(0 if good and len(rows) == len(sfens) else 1)


def plot(rows: Sequence[SekineRow], path: Path) -> None:
    """Write a picture with a panel for each number of processors: time with weight 0.4 against time without."""
    figure = Figure(figsize=(5 * len(PROCESSORS), 5), layout="compressed")
    panels = list(figure.subplots(1, len(PROCESSORS)))
    for number, axes in zip(PROCESSORS, panels, strict=True):
        axes.scatter([row.of(0.0, number) for row in rows], [row.of(0.4, number) for row in rows], s=8)
        axes.set(xlabel="positions, weight 0", ylabel="positions, weight 0.4", title=_processors(number))
    common.draw_diagonals(panels)
    figure.savefig(path, dpi=80)
