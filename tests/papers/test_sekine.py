# SPDX-License-Identifier: GPL-3.0-or-later
"""Sekine's experiment: its table, its rows, its command."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from papers import sekine
from papers.__main__ import papers
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine, RootChild, RootSearch, king_freedom, root_children
from solver.results import Limits, Mate
from solver.solving.deepening import search_length
from tests.tsume.problems import CORRECT
from tsume_rules.packed import pack
from tsume_rules.sfen import parse_sfen


def row(better: int, equal: int, plain: int, weighted: int) -> sekine.SekineRow:
    times = tuple(
        (weight, number, how, plain if weight == 0 else weighted)
        for weight in sekine.WEIGHTS
        for number in sekine.PROCESSORS
        for how in (sekine.BY_CHECKS, sekine.BY_ANSWERS)
    )
    return sekine.SekineRow("", 5, 9, better, equal, times)


def test_the_table_counts_ranks_and_times() -> None:
    rows = [row(0, 0, 100, 50), row(0, 1, 100, 100), row(1, 0, 100, 150), row(2, 0, 100, 50)]
    shares = [(share.name.strip(), share.here) for share in sekine.table_of_shares(rows)]
    assert shares[:5] == [
        ("right check ranked first", 0.5),
        ("ahead of every wrong check", 0.25),
        ("right check ranked second", 0.25),
        ("weight 0.2 sooner than 0, 1 processor", 0.5),
        ("as soon", 0.25),
    ]
    assert shares[-2:] == [("by answers sooner than by figure 3", 0.0), ("as soon", 1.0)]


def test_one_processor_takes_as_long_as_the_programs_own_search() -> None:
    for sfen in sekine.bundled_problems()[:120:20]:
        packed = pack(parse_sfen(sfen).position)
        for weight in sekine.WEIGHTS:
            search = RootSearch(packed, [IterativeEngine(table_bits=18)], weight)
            assert isinstance(search.search(Limits()), Mate)
            time = sekine.Processors(packed, 1, weight, sekine.BY_CHECKS, Limits()).first_mate()
            assert time == search.nodes_at_first_mate


def test_a_problem_is_measured_for_each_weight_and_number_of_processors() -> None:
    sfen = sekine.bundled_problems()[-15]  # 13 plies: the right check is ranked second, as in table 2
    measured = sekine.measure(sfen, Limits())
    assert measured == sekine.measure(sfen, Limits())
    assert measured is not None
    assert (measured.length, measured.better) == (13, 1)
    assert measured.of(0.4, 1) > measured.of(0.2, 1) > measured.of(0.0, 1)
    assert measured.of(0.0, 14) < measured.of(0.0, 2) < measured.of(0.0, 1)
    assert sekine.SekineRow.from_json(measured.to_json()) == measured
    assert sekine.measure(CORRECT, Limits(nodes=1)) is None


def test_the_problems_have_the_lengths_of_the_papers() -> None:
    sfens = sekine.bundled_problems()
    assert len(set(sfens)) == len(sfens) == 195
    engine = DfPnEngine()
    lengths = [search_length(engine, pack(parse_sfen(sfen).position), Limits()) for sfen in sfens[::-7]]
    assert {mate.length for mate in lengths if isinstance(mate, Mate)} >= {5, 7, 9, 11, 13, 17, 21}
    assert all(isinstance(mate, Mate) for mate in lengths)


def test_the_command_prints_the_table_keeps_rows_and_draws(tmp_path: Path) -> None:
    problems, rows, plot = tmp_path / "problems", tmp_path / "rows", tmp_path / "sekine.png"
    problems.write_text(f"{CORRECT}\nnonsense\n")
    arguments = ["sekine", "-f", str(problems), "--rows", str(rows), "--plots", str(tmp_path)]
    first = CliRunner().invoke(papers, arguments)
    assert first.exit_code == 1  # a line could not be read
    assert "1 problems of 3 to 3 moves" in first.stdout
    assert "weight 0.4 sooner than 0, 14 processors" in first.stdout
    assert "nonsense" in first.stderr or "line 2" in first.stderr
    assert plot.read_bytes().startswith(b"\x89PNG")
    kept = rows.read_text()
    again = CliRunner().invoke(papers, arguments)
    assert (again.stdout, rows.read_text()) == (first.stdout, kept)


def test_without_a_problem_there_is_no_table(tmp_path: Path) -> None:
    problems = tmp_path / "problems"
    for text in ("", "nonsense\n", "4k4/9/9/9/4R4/9/9/9/9 b 2G 1\n"):
        problems.write_text(text)
        result = CliRunner().invoke(papers, ["sekine", "-f", str(problems)])
        assert (result.exit_code, result.stdout) == (1, ""), text


# --- the rule of the paper -------------------------------------------------------------------------

LONG = "1p2k3l/2Bl1p1G1/1P1s+N1n2/p5p1p/2pN+B1s2/P2p4P/2sPPSN2/4GK3/L+r3G2L b G3Pr3p 1"


@pytest.mark.parametrize("weight", [0.0, 0.4, 1.0, 3.0])
def test_the_smallest_accumulator_is_next_and_of_equals_the_oldest(weight: float) -> None:
    """(1): W = 1 + weight * (eval - 1) is added after each depth without a mate."""
    search = RootSearch(pack(parse_sfen(LONG).position), [IterativeEngine(table_bits=8)], weight)
    worker = search._workers[0]
    totals = {child.check: 0.0 for child in search.children}
    waiting = [child.check for child in sorted(search.children, key=lambda child: child.freedom)]  # the oldest first
    for _ in range(10 * len(waiting)):
        taken = search.next_task(worker)
        assert taken is not None
        child, bound, _part = taken
        assert child.check == min(waiting, key=lambda check: totals[check])
        totals[child.check] += 1 + weight * (max(1, king_freedom(worker._packed, child.check)) - 1)
        waiting.remove(child.check)
        waiting.append(child.check)
        search.report(child, bound, False, for_good=False)
        assert child.total == pytest.approx(totals[child.check])
        assert child.bound == bound + 2


@pytest.mark.parametrize("places", [(0, 1, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)])
def test_the_paper_s_example_of_the_order_of_searches(places: tuple[int, ...]) -> None:
    """Figure 2: three checks of values 1, 2 and 3, weight 1, one processor; in any order of moves."""
    search = RootSearch(pack(parse_sfen(LONG).position), [IterativeEngine(table_bits=8)], 1.0)
    a, b, c = (RootChild(check, free, 1 + 1.0 * (free - 1)) for check, free in enumerate((1, 2, 3)))
    search._open = search.children = [(a, b, c)[place] for place in places]
    searched = []
    for _ in range(5):
        taken = search.next_task(search._workers[0])
        assert taken is not None
        child, bound, _part = taken
        search.report(child, bound, False, for_good=False)
        searched.append(("ABC"[child.check], bound, [one.total for one in (a, b, c)]))
    assert searched == [
        ("A", 1, [1, 0, 0]),
        ("B", 1, [1, 2, 0]),
        ("C", 1, [1, 2, 3]),  # state 1
        ("A", 3, [2, 2, 3]),  # state 2
        ("B", 3, [2, 4, 3]),  # state 3: of A and B, both 2, B was searched longer ago
    ]


def test_where_there_are_fewer_checks_than_processors_the_best_is_split_by_its_answers() -> None:
    packed = pack(parse_sfen(CORRECT).position)
    checks = len(root_children(packed, 0.4))
    search = RootSearch(packed, [IterativeEngine(table_bits=8) for _ in range(checks + 1)], 0.4)
    for child in search.children:
        child.bound = 9  # deeper than the evaluation looks: before that splitting costs more than it gives
    taken = search.next_task(search._workers[0])
    assert taken is not None
    child, _, part = taken
    assert part  # some of its answers, not the whole
    assert child.total == min(one.total for one in search.children)
