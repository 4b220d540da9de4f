# SPDX-License-Identifier: GPL-3.0-or-later
"""Kaneko's experiment: its positions, its rows, its tables, its command."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
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
from solver.engines.dfpn.kernel import outcome
from solver.engines.dfpn.kernel.arena import CHILD, FRAME, ONE, SEARCH, TWO
from solver.engines.dfpn.kernel.mate_in_one import mate_in_one
from solver.engines.dfpn.kernel.search import _farther
from solver.engines.dfpn.methods import Frontier
from solver.results import Interposition
from tests.positions import checks
from tests.sampling import attacks, crowded
from tests.tsume.problems import CORRECT, HARD, LOOSE, NO_MATE
from tsume_rules.moves import Move
from tsume_rules.packed import PackedPosition, legal_checks, legal_evasions, pack, pack_move, record_after, start_faults
from tsume_rules.position import Kind, Piece, Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

READING = Interposition.COUNT_ALL
LIMIT = 50_000


def row(sfen: str, method: str, mates: bool | None, expanded: int, extension: str = "p2d2") -> KanekoRow:
    return KanekoRow(sfen, method, extension, "NARROW", 1, mates, expanded / 4, expanded, 2 * expanded, expanded)


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


def test_a_row_is_read_back(rows: list[KanekoRow]) -> None:
    assert [KanekoRow.from_json(r.to_json()) for r in rows] == rows


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


def test_methods_that_contradict_each_other_are_told() -> None:
    assert contradictions([row("a", PLAIN, True, 1), row("a", "df-pn+", False, 1)]) == ["a"]
    assert contradictions([row("a", PLAIN, True, 1), row("a", "df-pn+", None, 1)]) == []
    made = table_of_ratios([row("a", method, None, 9) for method in METHODS], "p2d2", PAPER_NO_MATES)
    assert made.left_out == 1
    assert {line.sums for line in made.lines} == {(0.0, 0.0, 0.0)}


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
    few = MateClassifier(READING, 20)  # what takes too many nodes is neither
    assert few.is_mate(HARD) is None
    assert [few.is_mate(sfen) for sfen in (CORRECT, NO_MATE)] == [True, False]


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


# --- What Kaneko2005 states of its parts, on random positions and small numbers --------------------

PIECES = ("+p", "+l", "+n", "+s", "+b", "+r", "g", "p", "l", "n", "s", "b", "r")
TABLE_2 = {
    "attacker": dict(zip(PIECES, (2, 4, 4, 4, 8, 8, 8, 1, 4, 4, 4, 6, 6), strict=True)),
    "defender": dict(zip(PIECES, (0, -2, -2, -2, -3, -3, -2, 0, -1, -1, -2, -2, -2), strict=True)),
}
KING = Piece(Side.DEFENDER, Kind.KING)
KINDS = ("", "p", "l", "n", "s", "b", "r", "g", "", "+p", "+l", "+n", "+s", "+b", "+r")


def test_moves_cost_what_table_2_says() -> None:
    for side, costs in (("attacker", outcome._ATTACKER), ("defender", outcome._DEFENDER)):
        assert {kind: int(costs[code]) for code, kind in enumerate(KINDS) if kind} == TABLE_2[side]


def numbers_two_plies_deep(packed: PackedPosition) -> tuple[int, int]:
    """Proof and disproof number of the tree of all checks and all answers, its leaves 1 and 1."""
    below = [len(legal_evasions(record_after(packed, (check,)))) for check in legal_checks(packed)]
    return min(below), len(below)


def pawn_is_not_allowed(position: Position, packed: PackedPosition) -> bool:
    """Whether a pawn in hand cannot check from a free cell before the king: it may be that it would mate."""
    front = position.board.index(KING) + 1
    free = front % 9 != 0 and position.board[front] is None
    drop = Move(front, drop=Kind.PAWN)
    return bool(position.attacker_hand[Kind.PAWN]) and free and pack_move(drop) not in legal_checks(packed)


@pytest.mark.parametrize("draw", [attacks, crowded])
def test_the_estimate_never_exceeds_the_numbers_of_the_tree_it_stands_for(
    draw: Callable[..., Iterator[Position]],
) -> None:
    """Section 4.4: H' is admissible, that is, bounds both from below.

    Two kinds of check are counted that are not allowed: those that leave the attacker's own
    king attacked (he has none here), and the pawn dropped that would mate.
    """
    out, looked_at = np.zeros(1 << 13, dtype=np.int64), 0
    for position in draw(300, seed="admissible"):
        packed = pack(position)
        move, dn, pn = mate_in_one(packed, Interposition.COUNT_ALL.value, out, 0)
        if move or packed.king[0] or not legal_checks(packed):
            continue
        looked_at += 1
        true_pn, true_dn = numbers_two_plies_deep(packed)
        assert max(int(pn), 1) <= true_pn, format_sfen(position)
        assert int(dn) <= true_dn + pawn_is_not_allowed(position, packed), format_sfen(position)
    assert looked_at > 30


def farther(extension: int, numbers: list[int], *, attacker: bool) -> int:
    """The threshold of the best of some children beside the runner-up."""
    search, frame = np.zeros(1, SEARCH).view(np.recarray)[0], np.zeros(1, FRAME).view(np.recarray)[0]
    kids = np.zeros(len(numbers), CHILD).view(np.recarray)
    search.extension, frame.count, frame.attacker = extension, len(numbers), attacker
    for kid, number in zip(kids, numbers, strict=True):
        kid.pn, kid.dn = (number, 1) if attacker else (1, number)
    return int(_farther(search, frame, kids, sorted(numbers)[1]))


def test_a_threshold_is_extended_by_the_children_s_average_at_most_two() -> None:
    """p2d2 (5.5.1.2); without it a child is left as soon as its number passes the runner-up's."""
    rng = random.Random(3)
    for attacker in (True, False) * 200:
        numbers = [rng.randint(1, 9) for _ in range(rng.randint(2, 6))]
        second = sorted(numbers)[1]
        by_average = min(sum(numbers) // len(numbers), 2)
        assert farther(TWO, numbers, attacker=attacker) == second + by_average
        assert farther(ONE, numbers, attacker=attacker) == second + 1
