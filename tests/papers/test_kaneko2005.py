# SPDX-License-Identifier: GPL-3.0-or-later
"""Kaneko's experiment: its positions, its rows, its tables, its command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from papers.__main__ import papers
from papers.kaneko2005 import (
    EXTENSIONS,
    METHODS,
    PAPER_MATES,
    PAPER_NO_MATES,
    PLAIN,
    KanekoRow,
    MateClassifier,
    SearchExperiment,
    contradictions,
    measure_all,
    positions_without_mate,
    searches_of_positions,
    table_of_ratios,
)
from solver.engines.dfpn.methods import Frontier
from solver.results import Interposition
from tests.readable import checks
from tests.tsume.problems import CORRECT, HARD, LOOSE, NO_MATE
from tsume_rules.game import start_faults
from tsume_rules.sfen import parse_sfen

READING = Interposition.COUNT_ALL
LIMIT = 50_000


def row(sfen: str, method: str, mates: bool | None, expanded: int, extension: str = "p2d2") -> KanekoRow:
    return KanekoRow(
        sfen, method, extension, "NARROW", 1, mates, expanded / 4, expanded, 2 * expanded, expanded
    )


@pytest.fixture(scope="module")
def rows() -> list[KanekoRow]:
    """All methods on a mate and a no-mate."""
    return list(measure_all(searches_of_positions([CORRECT, NO_MATE], READING, LIMIT), {}))


def test_the_paper_tells_figures_of_each_method() -> None:
    searching = [name for name, (_, frontier) in METHODS.items() if frontier is not Frontier.NOTHING]
    for paper in (PAPER_MATES, PAPER_NO_MATES):
        assert list(paper["none"]) == list(METHODS)
        assert list(paper["p2d2"]) == searching
        assert set(paper) == set(EXTENSIONS)
    assert len(METHODS) == 8


def test_every_method_decides_with_each_extension(rows: list[KanekoRow]) -> None:
    assert [(r.method, r.extension) for r in rows if r.sfen == CORRECT] == [
        (method, extension) for extension in EXTENSIONS for method in METHODS
    ]
    assert {r.mates for r in rows if r.sfen == CORRECT} == {True}
    assert {r.mates for r in rows if r.sfen == NO_MATE} == {False}
    assert contradictions(rows) == []


def test_fixed_depth_search_saves_nodes_of_df_pn(rows: list[KanekoRow]) -> None:
    of = {(r.method, r.extension): r for r in rows if r.sfen == CORRECT}
    for extension in EXTENSIONS:
        assert of["df-pn/a3", extension].expanded < of[PLAIN, extension].expanded
        assert of[PLAIN, extension].nodes == of[PLAIN, extension].expanded


def test_a_search_does_not_depend_on_those_before_it(rows: list[KanekoRow]) -> None:
    laboratory = SearchExperiment(READING)
    for before in (rows[-1], rows[0]):
        again = laboratory.measure(before.search)
        assert replace(again, seconds=before.seconds) == before


def test_a_search_that_takes_too_many_nodes_is_a_failure() -> None:
    search = searches_of_positions([HARD], READING, 20)[0]
    failed = SearchExperiment(READING).measure(search)
    assert failed.mates is None
    assert failed.nodes >= 20


def test_known_rows_are_not_measured_again(rows: list[KanekoRow]) -> None:
    marked = {r.search: replace(r, nodes=-1) for r in rows[:16]}
    again = list(measure_all([r.search for r in rows[:17]], marked))
    assert [r.nodes == -1 for r in again] == [True] * 16 + [False]


def test_a_row_is_a_line(rows: list[KanekoRow]) -> None:
    assert [KanekoRow.from_json(r.to_json()) for r in rows] == rows


@pytest.mark.parametrize("text", ["", "{}", "[]", "3", '{"sfen": 1}', "null", "[" * 100_000,
])  # fmt: skip
def test_a_line_that_is_no_row_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no row"):
        KanekoRow.from_json(text)


def test_a_position_that_a_method_fails_on_is_left_out_of_all_sums() -> None:
    rows = [row(sfen, method, True, 8 if method == PLAIN else 2) for sfen in "ab" for method in METHODS]
    rows[-1] = replace(rows[-1], mates=None)
    rows.append(row("b", PLAIN, None, 100, "none"))  # of the other extension: it does not matter here
    made = table_of_ratios(rows, "p2d2", PAPER_MATES)
    assert (made.positions, made.left_out) == (2, 1)
    assert [line.sums for line in made.lines] == [(2.0, 8, 16)] + [(0.5, 2, 4)] * 7
    assert [line.failures for line in made.lines] == [0] * 7 + [1]
    here, paper = made.ratios(made.lines[2])
    assert here == [0.25, 0.25, 0.25]
    assert paper == pytest.approx([1294 / 3869, 1224 / 7029, 880 / 5429])
    assert made.ratios(made.lines[0])[1] == []  # the paper has no df-pn with p2d2 alone


def test_a_table_of_failures_has_no_sums() -> None:
    made = table_of_ratios([row("a", method, None, 9) for method in METHODS], "p2d2", PAPER_NO_MATES)
    assert made.left_out == 1
    assert {line.sums for line in made.lines} == {(0.0, 0.0, 0.0)}


def test_methods_that_contradict_each_other_are_told() -> None:
    assert contradictions([row("a", PLAIN, True, 1), row("a", "df-pn+", False, 1)]) == ["a"]
    assert contradictions([row("a", PLAIN, True, 1), row("a", "df-pn+", None, 1)]) == []


def test_no_mates_are_made_from_mates() -> None:
    sorter = MateClassifier(READING, LIMIT)
    made = list(positions_without_mate(sorter, [LOOSE, CORRECT], 5))
    assert len(set(made)) == len(made) == 5
    for sfen in made:
        position = parse_sfen(sfen).position
        assert not start_faults(position)
        assert checks(position)
        assert sorter.is_mate(sfen) is False
    assert list(positions_without_mate(sorter, [LOOSE, CORRECT], 2)) == made[:2]


def test_what_takes_too_many_nodes_is_neither() -> None:
    sorter = MateClassifier(READING, 20)
    assert sorter.is_mate(HARD) is None
    assert [sorter.is_mate(sfen) for sfen in (CORRECT, NO_MATE)] == [True, False]


def test_the_command_prints_tables_keeps_rows_and_draws(tmp_path: Path) -> None:
    problems, kept = tmp_path / "problems", tmp_path / "rows"
    problems.write_text(f"{CORRECT}\n{NO_MATE}\nnonsense\n")
    arguments = ["kaneko", "-f", str(problems), "--no-mates", "2", "--nodes", "50000"]
    arguments += ["--rows", str(kept), "--plots", str(tmp_path)]
    first = CliRunner().invoke(papers, arguments)
    assert first.exit_code == 1  # a line could not be read
    assert [line for line in first.stdout.splitlines() if "positions" in line] == [
        "mates: 1 positions, 0 skipped; extension of thresholds: p2d2",
        "mates: 1 positions, 0 skipped; extension of thresholds: none",
        "no-mates: 3 positions, 0 skipped; extension of thresholds: p2d2",
        "no-mates: 3 positions, 0 skipped; extension of thresholds: none",
    ]
    for name in ("time", "nodes"):
        assert (tmp_path / f"kaneko2005_{name}.png").read_bytes().startswith(b"\x89PNG")
    text = kept.read_text()
    assert len(text.splitlines()) == 4 * 16
    again = CliRunner().invoke(papers, arguments)
    assert (again.stdout, kept.read_text()) == (first.stdout, text)


def test_what_stays_open_is_left_out(tmp_path: Path) -> None:
    problems = tmp_path / "problems"
    problems.write_text(f"{HARD}\n")
    result = CliRunner().invoke(papers, ["kaneko", "-f", str(problems), "--nodes", "20"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "skipped" in result.stderr
