# SPDX-License-Identifier: GPL-3.0-or-later
"""Katoh1988's experiments: its game against slow play, its tables, its rows, its command."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from papers import katoh1988
from papers.__main__ import papers
from papers.katoh1988 import (
    ABOVE,
    ALPHA_BETA,
    BELOW,
    BOARD,
    CORNERS,
    DEPTHS,
    LATER,
    ORDERS,
    PAPER_CELLS,
    PAPER_PAIRS,
    SPLIT,
    SPLIT_DEPTHS,
    SWITCHED,
    KatohJob,
    KatohLine,
    KatohRow,
    OthelloPosition,
    OthelloSwitchingSearch,
    RSearch,
    RSearchCondition,
    figure_3,
    katoh_jobs,
    measure_all,
    measure_katoh_job,
    monotony_exceptions,
    othello_alpha_beta,
    othello_state,
    pairs_in_other_order,
    random_othello_position,
    search_othello,
    split_cells_rows,
    squares_in_order,
    table_1,
    table_2,
)
from papers.kernel import katoh1988 as kernel
from tests.papers.trees import Node, SlowRSearch, minimax, nodes_of, sss, tree
from tests.papers.trees import alpha_beta as slow_alpha_beta

PLIES = 5


def slow_turned(board: str, square: int) -> set[int]:
    """What a move of X turns over, by walking in eight directions."""
    turned: set[int] = set()
    for down, right in ((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b):
        row, column = divmod(square, 6)
        line: set[int] = set()
        while True:
            row, column = row + down, column + right
            if not (0 <= row < 6 and 0 <= column < 6) or board[6 * row + column] == "-":
                break
            if board[6 * row + column] == "X":
                turned |= line
                break
            line.add(6 * row + column)
    return turned


def slow_tree(position: OthelloPosition, order: str, plies: int, sign: int = 1) -> Node:
    """The game tree with slow play, to be searched by the slow twins."""

    def grow(position: OthelloPosition, plies: int, sign: int) -> object:
        board = str(position)
        worth = sign * (board.count("X") - board.count("O"))
        if plies == 0:
            return worth
        moves = [s for s in squares_in_order(order) if board[s] == "-" and slow_turned(board, s)]
        if not moves:
            other = str(position.passed())
            if not any(other[s] == "-" and slow_turned(other, s) for s in range(36)):
                return worth
            return [grow(position.passed(), plies - 1, -sign)]
        return [grow(slow_played(position, move), plies - 1, -sign) for move in moves]

    return tree(grow(position, plies, sign))


def slow_played(position: OthelloPosition, square: int) -> OthelloPosition:
    board = str(position)
    mine = slow_turned(board, square) | {square}
    text = "".join("X" if i in mine else board[i] for i in range(36))
    return OthelloPosition.parse(text).passed()


def late(seed: int, empty: int) -> OthelloPosition:
    """A position with so few empty squares, reached by random play; passes and ends occur there."""
    rng = random.Random(seed)
    while True:
        position = random_othello_position(rng)
        while position.empty > empty and (moves := position.moves()):
            position = position.played(rng.choice(moves))
        if position.empty == empty:
            return position


def test_the_first_positions_are_legal_and_always_the_same() -> None:
    positions = [OthelloPosition.parse(text) for text in dict.fromkeys(job.position for job in katoh_jobs(BOARD))]
    assert len(positions) == 10
    assert all(position.empty == 16 and position.moves() for position in positions)
    assert str(positions[0]) == katoh_jobs(CORNERS, 1)[0].position
    assert katoh_jobs(BOARD, 1, seed=7)[0].position != str(positions[0])
    assert katoh_jobs(BOARD, 3) == katoh_jobs(BOARD)[: len(katoh_jobs(BOARD, 3))]


def test_moves_and_what_they_turn_are_those_of_slow_play() -> None:
    rng = random.Random(1)
    position = OthelloPosition(1 << 15 | 1 << 20, 1 << 14 | 1 << 21)
    for _ in range(400):
        board = str(position)
        assert OthelloPosition.parse(board) == position
        slow = [s for s in range(36) if board[s] == "-" and slow_turned(board, s)]
        assert position.moves() == slow
        if not slow and not position.passed().moves():
            position = OthelloPosition(1 << 15 | 1 << 20, 1 << 14 | 1 << 21)
            continue
        assert all(position.played(move) == slow_played(position, move) for move in slow)
        position = position.played(rng.choice(slow)) if slow else position.passed()


def test_discs_are_counted_and_the_orders_hold_every_square_once() -> None:
    for number in (0, 1, 0b1011, (1 << 36) - 1, 1 << 35):
        assert kernel.count_discs(np.uint64(number)) == number.bit_count()
    assert squares_in_order(BOARD) == list(range(36))
    assert sorted(squares_in_order(CORNERS)) == list(range(36))
    assert squares_in_order(CORNERS)[:4] == [0, 5, 30, 35]
    assert squares_in_order(CORNERS)[-4:] == [7, 10, 25, 28]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("empty", [4, 5, 9])
def test_values_and_leaves_are_those_of_slow_play(order: str, empty: int) -> None:
    for seed in range(5):
        position = late(seed, empty)
        root = slow_tree(position, order, PLIES)
        by_alpha_beta: list[int] = []
        by_sss: list[int] = []
        value = slow_alpha_beta(root, True, -1000, 1000, by_alpha_beta)
        assert sss(root, True, by_sss, at_once=True) == value == minimax(root, True)
        first, last = (search_othello(position, order, RSearchCondition(c), plies=PLIES) for c in (1, PLIES))
        assert (first.value, first.leaves) == (value, len(by_alpha_beta))
        assert (last.value, last.leaves) == (value, len(by_sss))
        assert othello_alpha_beta(position, order, PLIES) == (value, first.leaves, first.visited)
        for dual in (False, True):
            for c, cells in ((2, 1 << 30), (3, 1 << 30), (1 << 30, 20), (4, 30)):
                cond = RSearchCondition(c, cells)
                assert search_othello(position, order, cond, dual=dual, plies=PLIES).value == value


def test_some_paths_pass_and_some_games_end_early() -> None:
    passes = ends = 0
    for seed in range(40):
        root = slow_tree(late(seed, 5), BOARD, PLIES)
        passes += any(len(node.children) == 1 for node in nodes_of(root))
        ends += not root.children
        state = othello_state(late(seed, 5), BOARD, PLIES)
        if kernel.list_moves(state, np.zeros(36, dtype=np.int64)) == 0:
            assert not root.children
    assert passes


def test_a_limit_holds_on_othello() -> None:
    position = late(3, 12)
    value = othello_alpha_beta(position, BOARD, 10)[0]
    for limit in (12, 20, 60, 500):
        rsearch = RSearch(kernel.KERNELS, levels=10, branching=kernel.BRANCHING, limit=limit)
        outcome = rsearch.search(othello_state(position, BOARD, 10), RSearchCondition())
        assert outcome.value == value
        assert outcome.cells <= limit


@pytest.mark.parametrize(
    "cond", [RSearchCondition(), RSearchCondition(4), RSearchCondition(cells=30), RSearchCondition(4, 30)], ids=str
)
@pytest.mark.parametrize("later", [1, 2, 5])
def test_the_first_call_has_a_cond_of_its_own(cond: RSearchCondition, later: int) -> None:
    """Experiments 2 and 3 against the twin, whose cond sees which call it is asked for."""
    for seed in range(4):
        position = late(seed, 8)
        root = slow_tree(position, BOARD, PLIES)
        twin = SlowRSearch(True, lambda depth, _cells: depth < later)
        twin.first = lambda depth, cells: depth < cond.depth and cells < cond.cells
        value = twin.search(root)
        outcome = OthelloSwitchingSearch(plies=PLIES, later=later).search_position(position, BOARD, cond)
        numbers = (outcome.value, outcome.leaves, max(outcome.calls, 0), outcome.cells)
        assert numbers == (value, len(twin.leaves), max(twin.calls, 0), twin.most_cells)
        assert outcome.cells <= outcome.promised


def test_with_one_cond_for_all_calls_switching_changes_nothing() -> None:
    position = late(3, 12)
    for c in (1, 2, 3, 10):
        plain = search_othello(position, BOARD, RSearchCondition(c), plies=10)
        search = OthelloSwitchingSearch(plies=10, later=c)
        switching = search.search_position(position, BOARD, RSearchCondition(c))
        numbers = switching.value, switching.leaves, switching.cells
        assert (plain.value, plain.leaves, plain.cells) == numbers
    assert LATER == 2


def line(name: str, leaves: float, cells: float = 1, paper: int = 0) -> KatohLine:
    return KatohLine(name, leaves, 10 - leaves, cells, 100, 1, (paper, 1) if paper else None)


def test_exceptions_to_the_papers_order_are_named() -> None:
    lines = [line("a", 9, 1, 300), line("b", 5, 3, 200), line("c", 7, 2, 100)]
    lines += [line("d", 7, 3), line("e", 9, 4, 300)]
    assert monotony_exceptions(lines) == ["leaves from b to c", "cells from b to c", "leaves from d to e"]
    assert pairs_in_other_order(lines) == ["b and c"]
    assert monotony_exceptions(lines[2:], "typical") == []
    assert pairs_in_other_order(lines[:3], "typical") == ["a and b", "a and c"]


def row(depth: int | None, room: int | None, leaves: int, method: str = ABOVE) -> KatohRow:
    return KatohRow("-", BOARD, method, depth, room, 3, leaves, 2 * leaves, 0, leaves // 10, leaves, 0.5)


def test_the_tables_hold_means_by_condition() -> None:
    rows = [row(depth, None, 100 * depth) for depth in DEPTHS] + [row(4, None, 600)]
    rows += [row(4, None, 7, BELOW), row(None, None, 9, ALPHA_BETA)]
    four, two = figure_3(rows)[4], figure_3(rows)[2]
    assert [four.typical, two.typical] == pytest.approx([240_000**0.5, 200])
    assert four == KatohLine("c = 4", 500.0, four.typical, 50.0, 500.0, 0.5, None)
    assert two == KatohLine("c = 2", 200.0, two.typical, 20.0, 200.0, 0.5, None)
    rows = [row(c, None, 10 * c, SPLIT) for c in SPLIT_DEPTHS]
    split = [line.name for line in split_cells_rows(rows).values()]
    assert split == ["c = 2, then 14", "c = 4, then 12", "c = 6, then 10"]
    rows = [row(None, room, room, SWITCHED) for room in PAPER_CELLS]
    assert [line.name for line in table_1(rows)] == ["40,000", "10,000", "2,500"]
    pairs = ["40,000 and 10,000", "40,000 and 2,500", "10,000 and 2,500"]
    assert pairs_in_other_order(table_1(rows)) == pairs
    rows = [row(depth, room, PAPER_PAIRS[room, depth][0], SWITCHED) for room, depth in PAPER_PAIRS]
    assert pairs_in_other_order(table_2(rows)) == []
    with pytest.raises(LookupError, match="40,000"):
        table_1(rows)


def test_a_row_is_read_back() -> None:
    written = row(4, None, 8)
    assert KatohRow.from_json(written.to_json()) == written
    assert written.job == KatohJob("-", BOARD, ABOVE, 4, None)


def test_known_searches_are_not_made_again() -> None:
    known = {one.job: one for one in (row(4, None, 8), row(6, None, 7))}
    assert list(measure_all(known, known)) == list(known.values())


def test_what_may_not_be_is_an_error() -> None:
    for first, wrong, message in (
        (row(4, None, 8), KatohRow("-", BOARD, ABOVE, 6, None, 2, 8, 8, 0, 1, 9), "found 2"),
        (row(None, None, 8, ALPHA_BETA), row(1, None, 7), "evaluated 7 leaves"),
        (row(4, None, 8), KatohRow("-", BOARD, ABOVE, 6, None, 3, 8, 8, 0, 10, 9), "10 cells, 9 promised"),
    ):
        known = {first.job: first, wrong.job: wrong}
        with pytest.raises(AssertionError, match=message):
            list(measure_all(known, known))


def test_a_search_of_each_method_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = min(
        (job.position for job in katoh_jobs(CORNERS)), key=lambda text: len(OthelloPosition.parse(text).moves())
    )
    chosen = [
        KatohJob(quick, CORNERS, ABOVE, 10),
        KatohJob(quick, CORNERS, BELOW, 10),
        KatohJob(quick, CORNERS, SWITCHED, 10, 500),
        KatohJob(quick, CORNERS, SPLIT, 10),
    ]
    rows = [measure_katoh_job(job) for job in chosen]
    assert len({row.value for row in rows}) == 1
    assert rows[0].leaves < rows[2].leaves
    assert rows[2].cells < 600 < rows[0].cells <= rows[0].promised
    monkeypatch.setattr(katoh1988, "search_othello", lambda *_, **__: pytest.fail("searched again"))
    assert list(measure_all(chosen, {row.job: row for row in rows})) == rows


def test_the_command_prints_the_tables_goes_on_where_it_stopped_and_draws(tmp_path: Path) -> None:
    position = katoh_jobs(BOARD, 1)[0].position
    made = [
        KatohRow(**vars(job), value=4, leaves=9_000, visited=9_999, cells=0, promised=1) for job in katoh_jobs(BOARD, 1)
    ]
    rows = tmp_path / "rows"
    rows.write_text("".join(row.to_json() + "\n" for row in made))
    arguments = ["katoh", "--positions", "1", "--rows", str(rows), "--plots", str(tmp_path)]
    result = CliRunner().invoke(papers, arguments)
    assert result.exit_code == 0, result.output
    assert position == made[0].position
    for text in (
        "experiment 3 (table 2)\nc11 / c12 ",
        "c = 16",
        "c = 8, below",
        "40,000 / 12",
        "663,157",
        "in the paper's order by leaves (geometric mean)",
        "28 searches",
        "c = 6, then 10",
    ):
        assert text in result.stdout
    assert (tmp_path / "katoh1988.png").read_bytes().startswith(b"\x89PNG")
    assert len(rows.read_text().splitlines()) == len(made)


@pytest.mark.slow
def test_the_command_searches_what_is_missing(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    arguments = ["katoh", "--positions", "1", "--order", "corners", "--rows", str(rows)]
    first = CliRunner().invoke(papers, arguments)
    assert first.exit_code == 0, first.output
    missing, *kept = rows.read_text().splitlines()  # alpha-beta, whose seconds are in no table
    rows.write_text("".join(text + "\n" for text in kept))
    again = CliRunner().invoke(papers, arguments)
    assert again.stdout == first.stdout
    leaves = [json.loads(text)["leaves"] for text in rows.read_text().splitlines()]
    assert leaves == [json.loads(text)["leaves"] for text in (*kept, missing)]


def test_rows_of_something_else_are_not_taken(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    rows.write_text("something else\n")
    result = CliRunner().invoke(papers, ["katoh", "--rows", str(rows)])
    assert (result.exit_code, rows.read_text()) == (1, "something else\n")
