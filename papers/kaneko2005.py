# SPDX-License-Identifier: GPL-3.0-or-later
"""Kaneko, Tanaka, Yamaguchi, Kawai: df-pn with fixed-depth search at frontier nodes.

The paper's claim (tables 5 and 6): a search of one, two or three plies at df-pn's new nodes saves more than it costs.
On mates found in games (777) each kind of it is quicker than df-pn alone and needs fewer nodes and table entries, with
df-pn's own first numbers and with those of df-pn+; on positions without a mate (965) a search of one ply costs the
least. All eight methods are measured here on any set of positions, each with the paper's extension of thresholds (p2d2,
section 5.5.1.2) and without it. The question is always whether there is a mate at any length, each time with an empty
table.

The parts, in solver/engines/dfpn/kernel: mate in one without generating moves (section 4.3) and
the estimate H' (section 4.4) in `mate_in_one`, the searches a1 and a3 (section 4.1) and d2
(section 4.2) on top of it in `frontier`, the costs of moves in df-pn+ (table 2) in `cost`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice, product, zip_longest
from pathlib import Path

import click
from matplotlib.figure import Figure

from papers import common
from papers.sekine import bundled_problems
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import Estimate, Extension, Frontier, Method
from solver.results import Interposition, LimitReached, Limits
from tsume.commands.options import MAX_NUMBER, print_line
from tsume.files.inputs import print_complaint
from tsume.progress import with_progress_bar
from tsume_rules.packed import PackedPosition, legal_checks, legal_evasions, pack, record_after, unpack
from tsume_rules.sfen import format_sfen, parse_sfen

PLAIN = "df-pn"
METHODS: dict[str, tuple[Estimate, Frontier]] = {
    name + suffix: (estimate, frontier)
    for name, estimate in ((PLAIN, Estimate.ONES), ("df-pn+", Estimate.PLUS))
    for suffix, frontier in (
        ("", Frontier.NOTHING), ("/a1", Frontier.A1), ("/a3", Frontier.A3), ("/d2", Frontier.D2),
    )
}  # fmt: skip
"""The paper's eight methods, in the order of its tables."""
EXTENSIONS: dict[str, Extension] = {"p2d2": Extension.TWO, "none": Extension.ONE}
"""The two ways of giving a child its threshold."""
QUANTITIES = ("time", "df-pn nodes", "table nodes")
Figures = dict[str, tuple[float, ...]]
"""`QUANTITIES` by method."""
_PAPER: dict[str, tuple[tuple[float, ...], ...]] = {
    "df-pn": ((3869, 7029, 5429), (), (1607, 3383, 2171), ()),
    "df-pn/a1": ((2312, 4370, 3573), (2562, 4500, 3994), (1493, 3216, 2067), (1530, 3019, 2189)),
    "df-pn/a3": ((1205, 1355, 906), (1294, 1224, 880), (2569, 4060, 1497), (2392, 3324, 1465)),
    "df-pn/d2": ((1382, 2008, 1680), (1426, 2014, 1725), (2108, 3554, 2386), (2326, 3742, 2429)),
    "df-pn+": ((1540, 2987, 1755), (), (1693, 4106, 1571), ()),
    "df-pn+/a1": ((1202, 2284, 1362), (1132, 1936, 1348), (1674, 4022, 1533), (1617, 3394, 1558)),
    "df-pn+/a3": ((1499, 1590, 710), (1425, 1379, 745), (2526, 4569, 1219), (2313, 3741, 1241)),
    "df-pn+/d2": ((1004, 1608, 1014), (958, 1427, 1060), (2002, 4100, 1510), (1835, 3506, 1540)),
}
"""The paper's figures by method: of the mates without an extension and with p2d2, of the no-mates likewise.

Table 5: 777 mates, means over the 775 that all methods solved, the time in units of 10,000 cycles. It has no df-pn and
no df-pn+ with p2d2 alone. Table 6 in the same form: 965 positions without a mate, all solved by all methods.
"""
PAPER_MATES, PAPER_NO_MATES = (
    {
        extension: {method: figures[column] for method, figures in _PAPER.items() if figures[column]}
        for column, extension in enumerate(("none", "p2d2"), start)
    }
    for start in (0, 2)
)


@dataclass(frozen=True)
class KanekoSearch:
    """What makes one measurement the same as another.

    ``method`` and ``extension`` are keys of `METHODS` and `EXTENSIONS`, ``reading`` is the name of an `Interposition`,
    ``limit`` the most nodes, those of fixed-depth searches counted.
    """

    sfen: str
    method: str
    extension: str
    reading: str
    limit: int


@dataclass(frozen=True)
class KanekoRow(common.StoredRow, KanekoSearch):
    """One search: its answer (None: a failure, the limit was reached) and what it took.

    ``seconds`` of CPU; ``expanded`` nodes of df-pn (its "df-pn nodes"), ``stored`` table entries ("table nodes"),
    ``nodes`` with those of fixed-depth searches.
    """

    mates: bool | None
    seconds: float
    expanded: int
    stored: int
    nodes: int

    @property
    def search(self) -> KanekoSearch:
        """Which search it was."""
        return KanekoSearch(self.sfen, self.method, self.extension, self.reading, self.limit)

    @property
    def quantities(self) -> tuple[float, ...]:
        """Its `QUANTITIES`, the time in seconds."""
        return self.seconds, self.expanded, self.stored


def searches_of_positions(sfens: Iterable[str], interposition: Interposition, limit: int) -> list[KanekoSearch]:
    """All searches of these positions: every method with each extension."""
    return [
        KanekoSearch(sfen, method, extension, interposition.name, limit)
        for sfen in sfens
        for extension, method in product(EXTENSIONS, METHODS)
    ]


class SearchExperiment:
    """An engine for each method, its table emptied before each search."""

    def __init__(self, interposition: Interposition) -> None:
        self._engines = {
            (method, extension): DfPnEngine(interposition=interposition, method=Method(frontier, estimate, how))
            for method, (estimate, frontier) in METHODS.items()
            for extension, how in EXTENSIONS.items()
        }

    def warm_up(self, sfen: str) -> None:
        """Compile the kernels and touch each engine's memory, on any position."""
        for method, extension in self._engines:
            self.measure(KanekoSearch(sfen, method, extension, "", 100))

    def measure(self, search: KanekoSearch) -> KanekoRow:
        """Return the row of a search."""
        engine = self._engines[search.method, search.extension]
        packed = pack(parse_sfen(search.sfen).position)
        engine.forget()
        before = engine.expanded, engine.stored, engine.nodes
        started = time.process_time()
        try:
            with engine.within(Limits(nodes=search.limit)):
                mates = engine.mates_ever(packed)
        except LimitReached:
            mates = None
        seconds = round(time.process_time() - started, 7)
        after = engine.expanded, engine.stored, engine.nodes
        expanded, stored, nodes = (now - then for now, then in zip(after, before, strict=True))
        return KanekoRow(**asdict(search), mates=mates, seconds=seconds, expanded=expanded, stored=stored, nodes=nodes)


def measure_all(todo: Sequence[KanekoSearch], known: dict[KanekoSearch, KanekoRow]) -> Iterator[KanekoRow]:
    """Yield the rows of searches of one reading, those already known not measured again."""
    laboratory: SearchExperiment | None = None
    for search in todo:
        if search in known:
            yield known[search]
            continue
        if laboratory is None:
            laboratory = SearchExperiment(Interposition[search.reading])
            laboratory.warm_up(search.sfen)
        yield laboratory.measure(search)


@dataclass(frozen=True)
class KanekoLine:
    """One method's line of a table: sums over the positions that no method failed on, and its failures.

    ``paper`` has the paper's figures where it tells any.
    """

    method: str
    sums: tuple[float, ...]
    failures: int
    paper: tuple[float, ...] = ()


@dataclass(frozen=True)
class KanekoTable:
    """The eight methods on one set of positions, with one extension.

    ``left_out`` of the ``positions`` are those on which some method failed; ``paper_plain`` has
    the paper's figures of df-pn, without an extension.
    """

    extension: str
    positions: int
    left_out: int
    lines: tuple[KanekoLine, ...]
    paper_plain: tuple[float, ...]

    def ratios(self, line: KanekoLine) -> tuple[list[float], list[float]]:
        """Return a line's quantities as shares of plain df-pn's: here, and in the paper if it has the line.

        Here plain df-pn has the table's extension; the paper's has none.
        """
        pairs = ((line.sums, self.lines[0].sums), (line.paper, self.paper_plain if line.paper else ()))
        here, paper = (
            [number / (whole or 1) for number, whole in zip(numbers, plain, strict=True)] for numbers, plain in pairs
        )
        return here, paper


def table_of_ratios(rows: Sequence[KanekoRow], extension: str, paper: dict[str, Figures]) -> KanekoTable:
    """Return the table of the rows of one set with one extension."""
    chosen = [row for row in rows if row.extension == extension]
    failed = {row.sfen for row in chosen if row.mates is None}
    lines = []
    for method in METHODS:
        own = [row for row in chosen if row.method == method]
        counted = [row.quantities for row in own if row.sfen not in failed]
        sums = tuple(map(sum, zip(*counted, strict=True))) if counted else (0.0,) * len(QUANTITIES)
        failures = sum(row.mates is None for row in own)
        lines.append(KanekoLine(method, sums, failures, paper[extension].get(method, ())))
    return KanekoTable(extension, len({row.sfen for row in chosen}), len(failed), tuple(lines), paper["none"][PLAIN])


def contradictions(rows: Iterable[KanekoRow]) -> list[str]:
    """Return the positions on which methods gave different answers: there should be none."""
    answers: dict[str, bool] = {}
    wrong = []
    for row in rows:
        if row.mates is not None and answers.setdefault(row.sfen, row.mates) is not row.mates:
            wrong.append(row.sfen)
    return sorted(set(wrong))


# --- the plots of Kaneko2005: each position a point, a method against plain df-pn ------------------

_COLUMNS = 4
_UNITS = {"time": "seconds"}


def plot(sets: Mapping[str, Sequence[KanekoRow]], extension: str, quantity: str, path: Path) -> None:
    """Write a picture with a panel for each method but plain df-pn.

    ``sets``: the rows of each set of positions by its name. Below the diagonal the method
    took less of the quantity (one of `QUANTITIES`) than plain df-pn; failures are left out.
    """
    others = [method for method in METHODS if method != PLAIN]
    figure = Figure(figsize=(3.4 * _COLUMNS, 7), layout="compressed")
    panels = list(figure.subplots(2, _COLUMNS, sharex=True, sharey=True).flat)
    for method, axes in zip(others, panels, strict=False):
        for name, rows in sets.items():
            # Plain df-pn's figure and the method's, of each position that both decided.
            index = QUANTITIES.index(quantity)
            chosen = [row for row in rows if row.extension == extension and row.mates is not None]
            plain = {row.sfen: row.quantities[index] for row in chosen if row.method == PLAIN}
            points = [
                (plain[row.sfen] or 1, row.quantities[index] or 1)  # 0 has no place on a logarithmic scale
                for row in chosen
                if row.method == method and row.sfen in plain
            ]
            axes.scatter([x for x, _ in points], [y for _, y in points], s=4, alpha=0.5, label=name)
        axes.set_title(method)
    *drawn, last = panels
    common.draw_diagonals(drawn)
    last.axis("off")
    last.legend(*figure.axes[0].get_legend_handles_labels(), loc="center", markerscale=3)
    unit = _UNITS.get(quantity, quantity)
    figure.supxlabel(f"{unit}, {PLAIN}")
    figure.supylabel(f"{unit}, the method")
    figure.savefig(path, dpi=100)


# --- the positions of Kaneko2005's experiment: mates found in games, and no-mates beside them ------
#
# The no-mates are to be like those that a playing program's mate search meets: the attacker is to move, has checks, and
# nothing tells at once that none of them mates. They are made from the mates: the attacker plays a check that does not
# mate, the defender an answer that refutes it, and the attacker is to move again.

PATIENCE = 20_000
"""Nodes for each question when no-mates are looked for: a playing program would not spend more."""


class MateClassifier:
    """Tells mates from no-mates, at any length, within so many nodes a question."""

    def __init__(self, interposition: Interposition, nodes: int) -> None:
        self._engine = DfPnEngine(interposition=interposition)
        self._limits = Limits(nodes=nodes)

    def mates(self, packed: PackedPosition, *, attacker: bool = True) -> bool | None:
        """Return whether the attacker mates at any length; None if it stays open."""
        try:
            with self._engine.within(self._limits):
                return self._engine.mates_ever(packed, attacker=attacker)
        except LimitReached:
            return None
        finally:
            self._engine.forget()

    def is_mate(self, sfen: str) -> bool | None:
        """Return the same of an SFEN with the attacker to move."""
        return self.mates(pack(parse_sfen(sfen).position))

    def refuted_after(self, packed: PackedPosition) -> Iterator[PackedPosition]:
        """For each check that does not mate the position after the first answer that refutes it.

        Left out are those without a further check, and those that stay open.
        """
        for check in legal_checks(packed):
            checked = record_after(packed, (check,))
            if self.mates(checked, attacker=False) is not False:
                continue
            answered = (record_after(packed, (check, answer)) for answer in legal_evasions(checked))
            refuted = (end for end in answered if legal_checks(end) and self.mates(end) is False)
            yield from islice(refuted, 1)


def positions_without_mate(sorter: MateClassifier, mates: Sequence[str], most: int) -> Iterator[str]:
    """At most so many SFENs of distinct positions without a mate, made from mates.

    The first of each mate come first, then the second of each, and so on.
    """
    seen: set[str] = set()
    open_ends = [sorter.refuted_after(pack(parse_sfen(sfen).position)) for sfen in mates]
    while open_ends:
        for end in list(open_ends):
            if len(seen) >= most:
                return
            position = next(end, None)
            if position is None:
                open_ends.remove(end)
                continue
            sfen = format_sfen(unpack(position))
            if sfen not in seen:
                seen.add(sfen)
                yield sfen


# --- ``scripts/papers kaneko``: Kaneko's tables and scatter plots ------------------------------------


@click.command()
@click.pass_context
@common.files_option
@click.option("--no-mates", "most", type=click.IntRange(0, MAX_NUMBER), default=200, show_default=True,
              help="Maximum number of positions without a mate.")  # fmt: skip
@click.option("--nodes", type=click.IntRange(1, MAX_NUMBER), default=1_000_000, show_default=True,
              help="Maximum number of nodes; a search that needs more counts as failed.")  # fmt: skip
@click.option("--count-futile", is_flag=True, help="Count futile interpositions.")
@common.rows_option
@common.plots_option
def kaneko(
    context: click.Context, files: tuple[str, ...], most: int, nodes: int, count_futile: bool,
    rows_path: Path | None, plots_path: Path | None,
) -> None:  # fmt: skip
    """Kaneko's tables: what a fixed-depth search at new nodes saves eight kinds of df-pn.

    Given positions without a mate are measured with the no-mates. Exits with status 1 if a position is
    invalid or stays unresolved.
    """
    reading = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    sfens, good = common.problem_sfens(files) if files else (bundled_problems(), True)
    kept = common.ResultFile(rows_path, KanekoRow.from_json)
    # The mates, and the no-mates with those made from the mates.
    sorter = MateClassifier(reading, nodes)
    answers = {sfen: sorter.is_mate(sfen) for sfen in sfens}
    for sfen in (sfen for sfen, answer in answers.items() if answer is None):
        print_complaint(sfen, "skipped: unknown whether there is a mate")
    mates, none = ([sfen for sfen in sfens if answers[sfen] is answer] for answer in (True, False))
    made = positions_without_mate(MateClassifier(reading, min(nodes, PATIENCE)), mates, most)
    none += [sfen for sfen in with_progress_bar(made, most) if answers.get(sfen) is None]
    sets = {"mates": mates, "no-mates": none}
    if not any(sets.values()):
        raise click.ClickException("no position was measured")
    todo = [search for chosen in sets.values() for search in searches_of_positions(chosen, reading, nodes)]
    known = {row.search: row for row in kept.known}
    with kept.going_on():
        rows = list(with_progress_bar(kept.kept(measure_all(todo, known)), len(todo)))
    for sfen in contradictions(rows):
        raise click.ClickException(f"the methods do not agree whether {sfen} has a mate")
    rows_of = {name: [row for row in rows if row.sfen in set(chosen)] for name, chosen in sets.items()}
    for (name, some), paper in zip(rows_of.items(), (PAPER_MATES, PAPER_NO_MATES), strict=True):
        for extension in EXTENSIONS if some else ():
            _print_table(name, table_of_ratios(some, extension, paper))
    if plots_path is not None:
        for quantity, word in (("time", "time"), ("df-pn nodes", "nodes")):
            plot(rows_of, "p2d2", quantity, plots_path / f"kaneko2005_{word}.png")
    context.exit(0 if good and None not in answers.values() else 1)


def _print_table(name: str, table: KanekoTable) -> None:
    """Print one set with one extension: sums, their ratios to those of plain df-pn, the paper's ratios."""
    print_line(
        f"{name}: {table.positions} positions, {table.left_out} skipped; extension of thresholds: {table.extension}"
    )
    lines = []
    for line in table.lines:
        here, paper = table.ratios(line)
        sums = [f"{line.sums[0]:.3f}"] + [f"{number:.0f}" for number in line.sums[1:]]
        cells = zip_longest(sums, (f"{ratio:.2f}" for ratio in here), (f"{ratio:.2f}" for ratio in paper), fillvalue="")
        lines.append([line.method, *chain.from_iterable(cells), str(line.failures)])
    heads = [part for head in ("seconds", "df-pn nodes", "table nodes") for part in (head, "ratio", "paper")]
    common.print_table(("", *heads, "failures"), lines)
