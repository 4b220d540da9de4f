# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench nearest`: which published problem is the nearest, and what differs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from scripts.measuring.nearest import Near, Published, mirrored, nearest, row_of
from scripts.measuring.problem_files import Lined
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

IN_THE_CORNER = "8k/9/8P/9/9/9/9/9/9 b G 1 moves G*1b"
FARTHER_LEFT = "6k2/9/6P2/9/9/9/9/9/9 b G 1 moves G*3b"
AND_LOWER = "9/6k2/9/6P2/9/9/9/9/9 b G 1 moves G*3c"
WITH_A_PAWN = "8k/9/8P/9/9/9/9/p8/9 b G 1 moves G*1b"
WITH_TWO_GOLDS = "8k/9/8P/9/9/9/9/9/9 b 2G 1 moves G*1b"
WITH_A_SILVER = "8k/9/8S/9/9/9/9/9/9 b G 1 moves G*1b"
LOPSIDED = "6k2/9/6P2/9/5g3/9/9/9/9 b G 1 moves G*3b"
IN_THE_OTHER_CORNER = "k8/9/P8/9/1g7/9/9/9/9 b G 1 moves G*9b"


def problem(text: str) -> Lined:
    sfen, moves = text.split(" moves ")
    return Lined(parse_sfen(sfen).position, tuple(map(parse_move, moves.split())))


@pytest.mark.parametrize(
    ("other", "differing"),
    [
        (IN_THE_CORNER, 0),
        (FARTHER_LEFT, 0),
        (AND_LOWER, 0),
        (WITH_A_PAWN, 1),
        (WITH_TWO_GOLDS, 1),
        (WITH_A_SILVER, 1),
        (LOPSIDED, 1),
    ],
)
def test_squares_and_hand_pieces_that_differ_are_counted_wherever_the_king_is(
    other: str, differing: int
) -> None:
    found = Published([problem(other)]).nearest(problem(IN_THE_CORNER))
    assert found == Near(0, differing, same_squares=True)


def test_a_piece_that_stands_elsewhere_makes_two_squares_differ() -> None:
    moved = problem("8k/9/8P/9/9/9/9/1p7/9 b G 1 moves G*1b")
    assert Published([moved]).nearest(problem(WITH_A_PAWN)).differing == 2


def test_the_nearer_mirror_image_counts() -> None:
    corner = Published([problem(IN_THE_OTHER_CORNER)])
    assert corner.nearest(problem(LOPSIDED)) == Near(0, 0, same_squares=True)
    other = problem(LOPSIDED)
    image = Lined(other.position.mirrored, tuple(move.mirrored for move in other.line))
    assert Published([image]).nearest(other) == Near(0, 0, same_squares=True)
    assert np.array_equal(row_of(image), mirrored(row_of(other)))


def test_of_equally_near_problems_one_with_the_same_squares_is_taken() -> None:
    other_line = problem("8k/9/8P/9/9/9/9/9/9 b G 1 moves G*2b")
    field = [problem(WITH_A_PAWN), other_line, problem(IN_THE_CORNER)]
    assert Published(field).nearest(problem(IN_THE_CORNER)) == Near(2, 0, same_squares=True)
    assert Published(field[:2]).nearest(problem(IN_THE_CORNER)) == Near(1, 0, same_squares=False)


def test_a_problem_may_be_passed_over() -> None:
    field = [problem(IN_THE_CORNER), problem(WITH_A_SILVER)]
    assert Published(field).nearest(field[0], without=0) == Near(1, 1, same_squares=True)


def test_shares_and_nearest_pairs_are_printed(tmp_path: Path) -> None:
    files = {"published": [IN_THE_CORNER, WITH_A_SILVER], "composed": [LOPSIDED, FARTHER_LEFT]}
    for name, problems in files.items():
        (tmp_path / name).write_text("\n".join(problems), encoding="utf-8")
    asked = [word for name in files for word in (f"--{name}", str(tmp_path / name))]
    result = CliRunner().invoke(nearest, [*asked, "--pairs", "1"])
    assert result.exit_code == 0, result.output
    head, _, composed, published, *pairs = result.output.splitlines()
    assert head == "1 moves: 2 composed, 2 published"
    assert composed.split() == ["composed", "50.0%", "50.0%", "0.0%", "0.0%", "0.0%", "100.0%"]
    assert published.split() == ["published", "0.0%", "100.0%", "0.0%", "0.0%", "0.0%", "100.0%"]
    assert pairs == ["  composed 2, published 1: 0 differ, the same squares in the line"]
