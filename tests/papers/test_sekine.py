"""Sekine's experiment: its table, its rows, its command."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from papers.sekine import PLAIN, WEIGHT, Row, Work, measure, own_problems, table
from rules.packing import pack
from rules.sfen import parse_sfen
from solver.deepening import search_length
from solver.engine import Solver
from solver.results import Limits, Mate
from tests.tsume.problems import CORRECT
from tsume.cli import cli


def row(better: int, equal: int, plain: int, weighted: int) -> Row:
    works = (
        Work(weight, jobs, work, work, float(work))
        for weight, work in ((PLAIN, plain), (WEIGHT, weighted))
        for jobs in (1, 2)
    )
    return Row("", 5, 9, better, equal, tuple(works))


def test_the_table_counts_ranks_and_work() -> None:
    rows = [row(0, 0, 100, 50), row(0, 1, 100, 100), row(1, 0, 100, 150), row(2, 0, 100, 50)]
    shares = {share.name.strip(): share.here for share in table(rows, (1,))}
    assert shares == {
        "right check ranked first": 0.5,
        "ahead of every wrong check": 0.25,
        "right check ranked second": 0.25,
        "weight 0.4 less work than 0, 1 worker": 0.5,
        "the same work": 0.25,
        "less time": 0.5,
    }


def test_a_problem_is_measured_for_each_weight_and_number_of_workers() -> None:
    measured = measure(CORRECT, (1, 2), Limits())
    assert measured is not None
    assert measured.length == 3
    assert 0 <= measured.better + measured.equal < measured.checks
    assert [(work.weight, work.jobs) for work in measured.work] == [(0.0, 1), (0.0, 2), (0.4, 1), (0.4, 2)]
    assert all(0 < work.to_first_mate <= work.to_exact_length for work in measured.work)
    assert Row.from_json(measured.to_json()) == measured


def test_a_problem_that_takes_too_long_is_left_out() -> None:
    assert measure(CORRECT, (1,), Limits(nodes=1)) is None


@pytest.mark.parametrize("text", ["", "{}", "[]", "3", '{"sfen": 1}', "null", '{"work": 3}',
    '{"sfen": [], "length": 3, "checks": 2, "better": 0, "equal": 0, "work": []}',
    '{"sfen": "", "length": 3, "checks": 2, "better": null, "equal": 0, "work": []}', "[" * 100_000,
])  # fmt: skip
def test_a_line_that_is_no_row_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"row|Expecting"):
        Row.from_json(text)


def test_the_set_is_large_and_of_the_lengths_it_says() -> None:
    sfens = own_problems()
    assert len(set(sfens)) == len(sfens) >= 150
    solver = Solver()
    lengths = [search_length(solver, pack(parse_sfen(sfen).position), Limits()) for sfen in sfens[::9]]
    assert {5, 7, 9, 11} >= {mate.length for mate in lengths if isinstance(mate, Mate)}
    assert all(isinstance(mate, Mate) for mate in lengths)


def test_the_command_prints_the_table_keeps_rows_and_draws(tmp_path: Path) -> None:
    problems, rows, plot = tmp_path / "problems", tmp_path / "rows", tmp_path / "plot.png"
    problems.write_text(f"{CORRECT}\nnonsense\n")
    arguments = ["papers", "sekine", "-f", str(problems), "--rows", str(rows), "--plot", str(plot)]
    first = CliRunner().invoke(cli, arguments)
    assert first.exit_code == 1  # a line could not be read
    assert "1 problems of 3 to 3 moves" in first.stdout
    assert "weight 0.4 less work than 0, 2 workers" in first.stdout
    assert "nonsense" in first.stderr or "line 2" in first.stderr
    assert plot.read_bytes().startswith(b"\x89PNG")
    kept = rows.read_text()
    again = CliRunner().invoke(cli, arguments)
    assert (again.stdout, rows.read_text()) == (first.stdout, kept)


def test_rows_for_other_workers_are_measured_again(tmp_path: Path) -> None:
    problems, rows = tmp_path / "problems", tmp_path / "rows"
    problems.write_text(f"{CORRECT}\n")
    arguments = ["papers", "sekine", "-f", str(problems), "--rows", str(rows)]
    for jobs, kept in (("2", 1), ("3", 2), ("3", 2)):
        assert CliRunner().invoke(cli, [*arguments, "-j", jobs]).exit_code == 0
        assert len(rows.read_text().splitlines()) == kept
    assert not Row.from_json(rows.read_text().splitlines()[0]).covers((1, 3))


@pytest.mark.parametrize("text", ["", "nonsense\n", "4k4/9/9/9/4R4/9/9/9/9 b 2G 1\n"])
def test_without_a_problem_there_is_no_table(text: str, tmp_path: Path) -> None:
    problems = tmp_path / "problems"
    problems.write_text(text)
    result = CliRunner().invoke(cli, ["papers", "sekine", "-f", str(problems)])
    assert (result.exit_code, result.stdout) == (1, "")


def test_rows_of_something_else_are_not_taken(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    rows.write_text("something else\n")
    result = CliRunner().invoke(cli, ["papers", "sekine", "--rows", str(rows)])
    assert (result.exit_code, rows.read_text()) == (1, "something else\n")
