# SPDX-License-Identifier: GPL-3.0-or-later
"""Kaneko, Tanaka, Yamaguchi, Kawai: df-pn with fixed-depth search at frontier nodes.

The paper's claim: a search of one, two or three plies at df-pn's new nodes, which returns the proof and disproof number
of the searched tree, saves more than it costs. On mates found in games (table 5) each kind of it is quicker than df-pn
alone and needs fewer nodes and table entries; on positions without a mate (table 6) a search of one ply costs the
least; tables 7 to 9 are on mates that other methods found. Tables 3 and 4 are of the fixed-depth search alone. All are
made here on positions from games that a script plays. The question is always whether there is a mate at any length,
each time with an empty table.

The parts, in solver/engines/dfpn/kernel: mate in one without generating moves (4.3) in `mate_in_one`; the searches a1
and a3 (4.1), H' (4.4) in `frontier`; d2 (4.2), H and the cost of moves (3.2, table 2) in `outcome`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import shogi
from matplotlib.figure import Figure

from papers import common
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.frontier import repeat_search_to_depth
from solver.engines.dfpn.methods import Estimate, Extension, Frontier, Loops, Method
from solver.results import Interposition, LimitReached, Reason
from tsume.commands.options import MAX_NUMBER, print_line
from tsume.progress import with_progress_bar
from tsume_rules.packed import legal_checks, pack
from tsume_rules.sfen import format_sfen, parse_sfen

PLAIN = "df-pn"
METHODS = {
    name + suffix: Method(frontier, estimate, extension)
    for name, estimate in ((PLAIN, Estimate.ONES), ("df-pn+", Estimate.FLIGHTS))
    for extension, p2d2 in ((Extension.ONE, ""), (Extension.TWO, "+p2d2"))
    for frontier, suffix in (
        (Frontier.NOTHING, ""), (Frontier.A1, "/a1" + p2d2), (Frontier.A3, "/a3" + p2d2), (Frontier.D2, "/d2" + p2d2),
    )
    if suffix or not p2d2
}  # fmt: skip
"""The paper's methods, in the order of its tables; at the end one of ours, by which a difference is explained."""
FEW = "df-pn/a3, 4 checks"
METHODS[FEW] = Method(Frontier.A3_FEW, Estimate.ONES, Extension.ONE)
_PAPER = """
3869/7029/5429/1 1607/3383/2171/0 1669/2988/1730/3 6445/11119/8752/8 3869/7029/5429/8
2312/4370/3573/0 1493/3216/2067/0 1418/1416/645/4 4133/7362/5946/1 2312/4370/3573/7
1205/1355/906/0 2569/4060/1497/0 1250/1965/1329/1 1722/1824/1220/1 1205/1355/906/0
1382/2008/1680/0 2108/3554/2386/0 1034/1487/1060/1 2313/3171/2728/0 1383/2008/1680/1
2562/4500/3994/1 1530/3019/2189/0 3448/6275/4958/3 4198/7196/6240/1 2562/4500/3994/5
1294/1224/880/0 2392/3324/1465/0 1864/2613/2116/1 2264/2029/1413/1 1294/1224/880/0
1426/2014/1725/0 2326/3742/2429/0 1935/1858/1176/2 2334/3143/2647/1 1426/2014/1725/2
1540/2987/1755/1 1693/4106/1571/0 1136/2077/1233/0 1544/2850/1723/1 1540/2987/1755/0
1202/2284/1362/1 1674/4022/1533/0 1058/1602/995/0 1288/2111/1345/0 1202/2284/1362/1
1499/1590/710/0 2526/4569/1219/0 1249/1161/626/0 1166/1272/632/0 1490/1590/710/0
1004/1608/1014/0 2002/4100/1510/0 5896/9679/7322/0 994/1502/1007/0 1004/1608/1014/0
1132/1936/1348/0 1617/3394/1558/0 1825/2007/1258/0 1222/1943/1422/0 1132/1936/1348/1
1425/1379/745/0 2313/3741/1241/0 3493/5890/5083/0 1138/1036/606/0 1425/1379/745/0
958/1427/1060/0 1835/3506/1540/0 1864/2549/2084/0 1051/1491/1149/0 958/1427/1060/0
"""
"""A line for each of the paper's methods, in it tables 5 to 9: 10,000 cycles, df-pn nodes, table nodes, failures.

Tables 7 to 9 are as the text at hand prints them; table 9 repeats table 5 but for two figures."""
PAPER: dict[int, dict[str, tuple[int, ...]]] = {
    table: {
        method: tuple(map(int, line.split()[column].split("/")))
        for method, line in zip(METHODS, _PAPER.strip().splitlines(), strict=False)
    }
    for column, table in enumerate(range(5, 10))
}
"""The paper's figures by table and method: time, df-pn nodes, table nodes, failures."""
SIZES = {5: 777, 6: 965, 7: 805, 8: 782, 9: 789}
"""How many positions the paper's tables have."""
COLLECTORS = {5: PLAIN, 6: PLAIN, 7: "df-pn+/a1", 8: "df-pn+/a3", 9: "df-pn+/d2"}
"""With which method their positions were collected (5.2, 5.5.3)."""
LOOPS = {5: Loops.TCA, 6: Loops.TIES, 7: Loops.TCA, 8: Loops.TCA, 9: Loops.TCA}
"""What is done about loops. Threshold control lets no search of a mate fail, but a fifth of those of no-mates."""
COLLECTED_WITHIN, NOT_WITHIN, FAILED_AFTER = 10_000, 1_000, 400_000
"""df-pn nodes within which a position of a set is decided; those that do not suffice for a no-mate of a set (5.2);
those after which a search has failed (5.5)."""
CYCLES = {Frontier.NOTHING: 0, Frontier.A1: 1738, Frontier.A3: 1590, Frontier.D2: 1738, Frontier.A3_FEW: 1590}
"""Table 3: what a position of a fixed-depth search costs on the mates."""
DF_PN_CYCLES = 3869e4 / 7029
"""Table 5: what a node of plain df-pn costs."""
PAPER_TIMES = {(1, False): (1381, 1183), (1, True): (1738, 1659), (3, True): (1590, 1741)}
"""Table 3 by depth and H': cycles a position, on mates and on no-mates."""
PAPER_MEANS = {(1, True): ("1.62 1.25", "2.29 1.01"), (3, False): ("1.53 4.20", "2.63 5.04"),
               (3, True): ("1.88 4.18", "3.12 5.05")}  # fmt: skip
"""Table 4 likewise: means of proof and disproof numbers."""

_SEARCHES = ((1, False, PLAIN), (1, True, PLAIN), (3, False, PLAIN), (3, True, PLAIN), (3, True, FEW))
"""The fixed-depth searches of tables 3 and 4: depth, H', method."""


@dataclass(frozen=True)
class KanekoRow(common.StoredRow):
    """One search: its answer (None: a failure) and what it took.

    ``seconds`` of CPU; ``expanded`` nodes of df-pn (its "df-pn nodes"), ``stored`` table entries ("table nodes"),
    ``nodes`` with those of fixed-depth searches.
    """

    sfen: str
    method: str
    mates: bool | None
    seconds: float
    expanded: int
    stored: int
    nodes: int

    @property
    def priced(self) -> float:
        """Return the cycles that the nodes would cost at the paper's prices."""
        return self.expanded * DF_PN_CYCLES + (self.nodes - self.expanded) * CYCLES[METHODS[self.method].frontier]


class SearchExperiment:
    """An engine that searches by each method, its table emptied before each search."""

    def __init__(self) -> None:
        self._engine = DfPnEngine(interposition=Interposition.COUNT_ALL)

    def measure(self, sfen: str, method: str, limit: int = FAILED_AFTER, loops: Loops = Loops.TIES) -> KanekoRow:
        """Return the row of a search with at most ``limit`` df-pn nodes."""
        engine, packed = self._engine, pack(parse_sfen(sfen).position)
        engine.forget()
        before = engine.expanded, engine.stored, engine.nodes
        started = time.process_time()
        mates = None

        def look() -> None:
            if engine.expanded - before[0] > limit:
                raise LimitReached(Reason.NODES)

        try:
            with engine.searching_by(replace(METHODS[method], loops=loops)), engine.watched(look):
                mates = engine.mates_ever(packed)
        except LimitReached:
            pass
        seconds = round(time.process_time() - started, 7)
        after = engine.expanded, engine.stored, engine.nodes
        expanded, stored, nodes = (now - then for now, then in zip(after, before, strict=True))
        return KanekoRow(sfen, method, mates if expanded <= limit else None, seconds, expanded, stored, nodes)

    def measure_all(
        self, sfens: Iterable[str], known: Mapping[tuple[str, str], KanekoRow], loops: Loops
    ) -> Iterator[KanekoRow]:
        """Yield the rows of positions, those already known not measured again."""
        for sfen in sfens:
            for method in METHODS:
                yield known.get((sfen, method)) or self.measure(sfen, method, loops=loops)

    def searched(
        self, sfens: Sequence[str], plies: int, *, estimated: bool, method: str = PLAIN
    ) -> tuple[float, tuple[float, float]]:
        """Return nanoseconds a position of the fixed-depth search (table 3), and mean numbers of what it leaves open.

        ``estimated``: with H' at the leaves; ``method``: `FEW`, if only four checks are searched.
        """
        engine = self._engine
        numbers, nodes, seconds = [], engine.nodes, 0.0
        with engine.searching_by(METHODS[method]):
            for sfen in sfens:
                arena = engine.arena(pack(parse_sfen(sfen).position))
                started = time.process_time()
                repeat_search_to_depth(arena, plies, estimated, _REPEATED)
                seconds += time.process_time() - started
                pn, dn = int(arena.search.pn), int(arena.search.dn)
                if pn and dn:
                    numbers.append((pn, dn))
        means = tuple(sum(column) / max(len(numbers), 1) for column in zip(*numbers, strict=True)) or (0.0, 0.0)
        return 1e9 * seconds / max(engine.nodes - nodes, 1), (means[0], means[1])


_REPEATED = 200


# --- the positions: the first mate, the first no-mate of each game that a script plays --------------

_VALUES = dict(zip(range(1, 15), (1, 3, 4, 5, 6, 8, 10, 0, 7, 6, 6, 6, 10, 12), strict=True))
"""python-shogi's pieces by value."""
_CAPTURING, _FIRST, _LAST = 0.7, 30, 160


def played_positions(rng: random.Random) -> Iterator[str]:
    """Yield the SFENs of a game between two players who take the most valuable piece in seven turns of ten.

    The other moves are random. The side to move is the attacker. python-shogi knows the rules.
    """
    board = shogi.Board()
    for ply in range(_LAST):
        moves = list(board.pseudo_legal_moves)
        rng.shuffle(moves)
        if rng.random() < _CAPTURING:
            moves.sort(key=lambda move: -_VALUES.get(board.piece_type_at(move.to_square), 0))
        move = next(filter(board.is_legal, moves), None)
        if move is None:
            return
        board.push(move)
        if ply >= _FIRST:
            yield format_sfen(parse_sfen(board.sfen()).position)


def collect(experiment: SearchExperiment, method: str, mates: int, no_mates: int) -> tuple[list[str], list[str]]:
    """Return so many mates and no-mates that a method finds (5.2), at most one of each from a game.

    Each method has games of its own.
    """
    found: dict[bool, list[str]] = {True: [], False: []}
    wanted = {True: mates, False: no_mates}
    game = 0
    while any(len(found[answer]) < wanted[answer] for answer in found):
        missing = {answer for answer in found if len(found[answer]) < wanted[answer]}
        for sfen in played_positions(random.Random(f"{method} {game}")):
            if not legal_checks(pack(parse_sfen(sfen).position)):
                continue
            row = experiment.measure(sfen, method, COLLECTED_WITHIN)
            if row.mates in missing and (row.mates or row.expanded > NOT_WITHIN):
                found[bool(row.mates)].append(sfen)
                missing.remove(bool(row.mates))
                if not missing:
                    break
        game += 1
    return found[True], found[False]


# --- the tables ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class KanekoLine:
    """A method's line of tables 5 to 9: means over the positions that no method failed on, as ratios to df-pn too.

    In the order of `PAPER`: seconds, df-pn nodes, table nodes; ``priced``: the ratio of cycles at the paper's prices.
    """

    method: str
    means: tuple[float, float, float]
    ratios: tuple[float, float, float]
    priced: float
    failures: int


def table_of_means(rows: Sequence[KanekoRow]) -> list[KanekoLine]:
    """Return the lines of the rows of one set."""
    failed = {row.sfen for row in rows if row.mates is None}
    lines: list[KanekoLine] = []
    plain: tuple[float, ...] = ()
    for method in METHODS:
        own = [row for row in rows if row.method == method]
        counted = [(row.seconds, row.expanded, row.stored, row.priced) for row in own if row.sfen not in failed]
        means = tuple(sum(column) / len(counted) for column in zip(*counted, strict=True)) if counted else (0.0,) * 4
        plain = plain or means
        time_ratio, df_pn, table, priced = (mean / (of or 1) for mean, of in zip(means, plain, strict=True))
        failures = sum(row.mates is None for row in own)
        lines.append(KanekoLine(method, means[:3], (time_ratio, df_pn, table), priced, failures))
    return lines


def contradictions(rows: Iterable[KanekoRow]) -> list[str]:
    """Return the positions on which methods gave different answers: there should be none."""
    answers: dict[str, bool] = {}
    wrong = []
    for row in rows:
        if row.mates is not None and answers.setdefault(row.sfen, row.mates) is not row.mates:
            wrong.append(row.sfen)
    return sorted(set(wrong))


def plot(rows: Sequence[KanekoRow], path: Path) -> None:
    """Write figures 2 and 3: the times of a3 and of d2 against df-pn's, each position a point."""
    figure = Figure(figsize=(9, 4.5), layout="compressed")
    seconds = {(row.sfen, row.method): max(row.seconds, 1e-6) for row in rows if row.mates is not None}
    panels = list(figure.subplots(1, 2))
    for method, axes in zip(("df-pn/a3", "df-pn/d2"), panels, strict=True):
        both = [sfen for sfen, name in seconds if name == method and (sfen, PLAIN) in seconds]
        axes.scatter([seconds[sfen, PLAIN] for sfen in both], [seconds[sfen, method] for sfen in both], s=4)
        axes.set(title=method, xlabel=f"seconds, {PLAIN}", ylabel=f"seconds, {method}")
    common.draw_diagonals(panels)
    figure.savefig(path, dpi=80)


# --- ``scripts/papers kaneko`` ---------------------------------------------------------------------


@click.command()
@click.option("--mates", type=click.IntRange(1, MAX_NUMBER), default=805, show_default=True,
              help="Maximum number of mates of a set; the paper's have 777 to 805.")  # fmt: skip
@click.option("--no-mates", type=click.IntRange(1, MAX_NUMBER), default=965, show_default=True,
              help="Maximum number of no-mates.")  # fmt: skip
@click.option("--table", "tables", type=click.Choice([str(number) for number in range(3, 10)]), multiple=True,
              help="Only this table; repeatable.")  # fmt: skip
@common.rows_option
@common.plots_option
def kaneko(mates: int, no_mates: int, tables: tuple[str, ...], rows_path: Path | None, plots_path: Path | None) -> None:
    """Kaneko's tables and figures: what a fixed-depth search at new nodes saves df-pn.

    The positions are from games played for it; the same ones each time.
    """
    wanted = {int(table) for table in tables} or set(range(3, 10))
    experiment, kept = SearchExperiment(), common.ResultFile(rows_path, KanekoRow.from_json)
    known = {(row.sfen, row.method): row for row in kept.known}
    sets: dict[int, list[str]] = {}
    if wanted & {3, 4, 5, 6}:
        sets[5], sets[6] = collect(experiment, PLAIN, min(mates, SIZES[5]), no_mates)
        for name, number in (("mates", 5), ("no-mates", 6)):
            _print_depths(name, number - 5, experiment, sets[number], wanted)
    for number in sorted(wanted & set(SIZES)):
        if number not in sets:
            sets[number], _ = collect(experiment, COLLECTORS[number], min(mates, SIZES[number]), 0)
        todo = experiment.measure_all(sets[number], known, LOOPS[number])
        with kept.going_on():
            rows = list(with_progress_bar(kept.kept(todo), len(sets[number]) * len(METHODS)))
        for sfen in contradictions(rows):
            raise click.ClickException(f"the methods do not agree whether {sfen} has a mate")
        _print_table(number, sets[number], table_of_means(rows))
        if plots_path is not None and number == 5:
            plot(rows, plots_path / "kaneko2005_time.png")


def _print_depths(name: str, column: int, experiment: SearchExperiment, sfens: Sequence[str], tables: set[int]) -> None:
    """Print the part of tables 3 and 4 that is of one set."""
    if not tables & {3, 4}:
        return
    print_line(f"tables 3 and 4: fixed-depth searches of {len(sfens)} {name}")
    lines = []
    for plies, estimated, method in _SEARCHES:
        nanoseconds, means = experiment.searched(sfens, plies, estimated=estimated, method=method)
        told = (plies, estimated)
        cycles, paper = PAPER_TIMES.get(told), PAPER_MEANS.get(told)
        lines.append([
            f"{plies}{', 4 checks' * (method == FEW)}", "with" if estimated else "without", f"{nanoseconds:.0f}",
            str(cycles[column]) if cycles else "", f"{means[0]:.2f} {means[1]:.2f}", paper[column] if paper else "",
        ])  # fmt: skip
    common.print_table(("depth", "H'", "ns", "paper's cycles", "pn dn", "paper"), lines)


def _print_table(number: int, sfens: Sequence[str], lines: Sequence[KanekoLine]) -> None:
    """Print one of tables 5 to 9: means and their ratios to plain df-pn's, the paper's beside them."""
    kind = "no-mates" if number == 6 else "mates"
    print_line(f"table {number}: {len(sfens)} {kind} found by {COLLECTORS[number]}")
    cells = []
    plain = PAPER[number][PLAIN]
    for line in lines:
        paper = PAPER[number].get(line.method, ())
        told = [f"{figure / of:.2f}" for figure, of in zip(paper[:3], plain[:3], strict=False)] or [""] * 3
        figures = [*map(str, paper)] or [""] * 4
        row = [line.method, f"{1e6 * line.means[0]:.0f}", f"{line.ratios[0]:.2f}", f"{line.priced:.2f}", told[0]]
        for i in (1, 2):
            row += [f"{line.means[i]:.0f}", figures[i], f"{line.ratios[i]:.2f}", told[i]]
        cells.append([*row, str(line.failures), figures[3]])
    nodes = [part for name in ("df-pn", "table") for part in (name, "paper", "ratio", "paper")]
    common.print_table(("", "µs", "ratio", "priced", "paper", *nodes, "fails", "paper"), cells)
