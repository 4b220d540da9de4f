# SPDX-License-Identifier: GPL-3.0-or-later
"""Kaneko, Tanaka, Yamaguchi, Kawai: df-pn with fixed-depth search at frontier nodes.

The paper's claim (tables 5 and 6): a search of one, two or three plies at df-pn's new nodes
saves more than it costs. On mates found in games (777) each kind of it is quicker than df-pn
alone and needs fewer nodes and table entries, with df-pn's own first numbers and with those
of df-pn+; on positions without a mate (965) a search of one ply costs the least. All eight
methods are measured here on any set of positions, each with the paper's extension of
thresholds (p2d2, section 5.5.1.2) and without it. The question is always whether there is a mate at any
length, each time with an empty table.

The parts, in solver/engines/dfpn/kernel: mate in one without generating moves (section 4.3) and
the estimate H' (section 4.4) in `mate_in_one`, the searches a1 and a3 (section 4.1) and d2
(section 4.2) on top of it in `frontier`, the costs of moves in df-pn+ (table 2) in `cost`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import Estimate, Extension, Frontier, Method
from solver.limits import LimitReached
from solver.results import Interposition, Limits
from tsume.papers.stored_row import (
    InvalidRow,
    StoredRow,
    is_number_row_value,
    read_row_fields,
    require_valid_row,
)
from tsume_rules.packing import pack
from tsume_rules.sfen import parse_sfen

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
PAPER_MATES: dict[str, Figures] = {
    "none": {
        "df-pn": (3869, 7029, 5429),
        "df-pn/a1": (2312, 4370, 3573),
        "df-pn/a3": (1205, 1355, 906),
        "df-pn/d2": (1382, 2008, 1680),
        "df-pn+": (1540, 2987, 1755),
        "df-pn+/a1": (1202, 2284, 1362),
        "df-pn+/a3": (1499, 1590, 710),
        "df-pn+/d2": (1004, 1608, 1014),
    },
    "p2d2": {
        "df-pn/a1": (2562, 4500, 3994),
        "df-pn/a3": (1294, 1224, 880),
        "df-pn/d2": (1426, 2014, 1725),
        "df-pn+/a1": (1132, 1936, 1348),
        "df-pn+/a3": (1425, 1379, 745),
        "df-pn+/d2": (958, 1427, 1060),
    },
}
"""Table 5 of the paper by extension: 777 mates, means over the 775 that all methods solved, the
time in units of 10,000 cycles. It has no df-pn and no df-pn+ with p2d2 alone."""
PAPER_NO_MATES: dict[str, Figures] = {
    "none": {
        "df-pn": (1607, 3383, 2171),
        "df-pn/a1": (1493, 3216, 2067),
        "df-pn/a3": (2569, 4060, 1497),
        "df-pn/d2": (2108, 3554, 2386),
        "df-pn+": (1693, 4106, 1571),
        "df-pn+/a1": (1674, 4022, 1533),
        "df-pn+/a3": (2526, 4569, 1219),
        "df-pn+/d2": (2002, 4100, 1510),
    },
    "p2d2": {
        "df-pn/a1": (1530, 3019, 2189),
        "df-pn/a3": (2392, 3324, 1465),
        "df-pn/d2": (2326, 3742, 2429),
        "df-pn+/a1": (1617, 3394, 1558),
        "df-pn+/a3": (2313, 3741, 1241),
        "df-pn+/d2": (1835, 3506, 1540),
    },
}
"""Table 6 in the same form: 965 positions without a mate, all solved by all methods."""


class KanekoSearch(NamedTuple):
    """What makes one measurement the same as another.

    ``method`` and ``extension`` are keys of `METHODS` and `EXTENSIONS`, ``reading`` is the
    name of an `Interposition`, ``limit`` the most nodes, those of fixed-depth searches counted.
    """

    sfen: str
    method: str
    extension: str
    reading: str
    limit: int


@dataclass(frozen=True)
class KanekoRow(StoredRow):
    """One search: its answer (None: a failure, the limit was reached) and what it took.

    ``seconds`` of CPU; ``expanded`` nodes of df-pn (its "df-pn nodes"), ``stored`` table
    entries ("table nodes"), ``nodes`` with those of fixed-depth searches.
    """

    sfen: str
    method: str
    extension: str
    reading: str
    limit: int
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

    @classmethod
    def from_json(cls, text: str) -> KanekoRow:
        """The row of such a line. Raises ValueError for any other."""
        try:
            row = cls(**read_row_fields(text))
        except TypeError:
            raise InvalidRow from None
        numbers = (row.limit, row.seconds, row.expanded, row.stored, row.nodes)
        require_valid_row(all(map(is_number_row_value, numbers)))
        require_valid_row(all(isinstance(word, str) for word in row.search[:4]))
        require_valid_row(row.mates is None or isinstance(row.mates, bool))
        return row


def searches_of_positions(
    sfens: Iterable[str], interposition: Interposition, limit: int
) -> list[KanekoSearch]:
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
            (method, extension): DfPnEngine(
                interposition=interposition, method=Method(frontier, estimate, how)
            )
            for method, (estimate, frontier) in METHODS.items()
            for extension, how in EXTENSIONS.items()
        }

    def warm_up(self, sfen: str) -> None:
        """Compile the kernels and touch each engine's memory, on any position."""
        for method, extension in self._engines:
            self.measure(KanekoSearch(sfen, method, extension, "", 100))

    def measure(self, search: KanekoSearch) -> KanekoRow:
        """The row of a search."""
        engine = self._engines[search.method, search.extension]
        record = pack(parse_sfen(search.sfen).position)
        engine.forget()
        before = engine.expanded, engine.stored, engine.nodes
        started = time.process_time()
        try:
            with engine.within(Limits(nodes=search.limit)):
                mates = engine.mates_ever(record)
        except LimitReached:
            mates = None
        seconds = round(time.process_time() - started, 7)
        after = engine.expanded, engine.stored, engine.nodes
        return KanekoRow(
            *search, mates, seconds, *(now - then for now, then in zip(after, before, strict=True))
        )


def measure_all(todo: Sequence[KanekoSearch], known: dict[KanekoSearch, KanekoRow]) -> Iterator[KanekoRow]:
    """The rows of searches of one reading, those already known not measured again."""
    laboratory: SearchExperiment | None = None
    for search in todo:
        row = known.get(search)
        if row is None:
            if laboratory is None:
                laboratory = SearchExperiment(Interposition[search.reading])
                laboratory.warm_up(search.sfen)
            row = laboratory.measure(search)
        yield row


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
        """A line's quantities as shares of plain df-pn's: here, and in the paper if it has the line.

        Here plain df-pn has the table's extension; the paper's has none.
        """
        paper = _shares_of_plain_search(line.paper, self.paper_plain) if line.paper else []
        return _shares_of_plain_search(line.sums, self.lines[0].sums), paper


def _shares_of_plain_search(numbers: Sequence[float], plain: Sequence[float]) -> list[float]:
    return [number / (whole or 1) for number, whole in zip(numbers, plain, strict=True)]


def table_of_ratios(rows: Sequence[KanekoRow], extension: str, paper: dict[str, Figures]) -> KanekoTable:
    """The table of the rows of one set with one extension."""
    chosen = [row for row in rows if row.extension == extension]
    failed = {row.sfen for row in chosen if row.mates is None}
    lines = []
    for method in METHODS:
        own = [row for row in chosen if row.method == method]
        counted = [row.quantities for row in own if row.sfen not in failed]
        sums = tuple(map(sum, zip(*counted, strict=True))) if counted else (0.0,) * len(QUANTITIES)
        failures = sum(row.mates is None for row in own)
        lines.append(KanekoLine(method, sums, failures, paper[extension].get(method, ())))
    return KanekoTable(
        extension, len({row.sfen for row in chosen}), len(failed), tuple(lines), paper["none"][PLAIN]
    )


def contradictions(rows: Iterable[KanekoRow]) -> list[str]:
    """The positions on which methods gave different answers: there should be none."""
    answers: dict[str, bool] = {}
    wrong = []
    for row in rows:
        if row.mates is not None and answers.setdefault(row.sfen, row.mates) is not row.mates:
            wrong.append(row.sfen)
    return sorted(set(wrong))
