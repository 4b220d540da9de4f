# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume solve --engine rsearch``: the same answers within a given number of cells."""

from __future__ import annotations

import pytest

from solver.engines.rsearch.mating_cells import LEAST_CELLS
from tests.tsume.conftest import Run, answer
from tests.tsume.problems import (
    CORRECT,
    CORRECT_LINE,
    CORRECT_WHITE,
    CORRECT_WHITE_LINE,
    HARD,
    LOOSE,
    NO_MATE,
)

FIVE = "9/7Lk/6+N2/9/8N/9/9/9/9 b 2r2b4g4s2n3l18p 1"
RSEARCH = ("solve", "--engine=rsearch")


@pytest.mark.parametrize("cells", [64, 1000, 100_000])
def test_it_gives_the_best_line_and_the_cells(tsume: Run, cells: int) -> None:
    found = answer(tsume, *RSEARCH, CORRECT, f"--cells={cells}")
    assert found.pop("nodes") > 0
    assert found.pop("seconds") >= 0
    assert 0 < found.pop("cells") <= cells
    assert found == {
        "sfen": CORRECT, "result": "mate", "length": 3, "line": CORRECT_LINE, "error": None,
    }  # fmt: skip
    done = tsume(*RSEARCH, FIVE, f"--cells={cells}")
    assert done.stdout == "mate in 5: 1e2c+ 1b1a 2b2a+ 1a2a 2c2b\n"


def test_with_white_to_move_the_moves_are_white_s(tsume: Run) -> None:
    assert answer(tsume, *RSEARCH, CORRECT_WHITE)["line"] == CORRECT_WHITE_LINE


def test_futile_interpositions_count_if_asked_for(tsume: Run) -> None:
    sfen = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
    assert answer(tsume, *RSEARCH, sfen)["length"] == 1
    assert answer(tsume, *RSEARCH, sfen, "--count-futile")["length"] == 3


def test_no_mate_is_an_answer(tsume: Run) -> None:
    found = answer(tsume, *RSEARCH, NO_MATE)
    assert (found["result"], found["length"], found["line"]) == ("no_mate", None, [])


def test_a_limit_leaves_a_position_unresolved_and_says_what_is_known(tsume: Run) -> None:
    for limit in ("--time=0.2", "--nodes=500", "--max-moves=3"):
        found = answer(tsume, *RSEARCH, HARD, limit, status=1)
        assert found["result"] == "unresolved"
        assert " limit reached" in found["error"]
        assert found["cells"] <= 100_000
    assert answer(tsume, *RSEARCH, CORRECT, "--max-moves=1", status=1)["error"] == (
        "length limit reached; no mate within 1 moves"
    )


def test_what_is_invalid_has_no_cells(tsume: Run) -> None:
    found = answer(tsume, *RSEARCH, "nonsense", status=1)
    assert found["result"] == "invalid"
    assert "cells" not in answer(tsume, "solve", LOOSE)


def test_too_few_cells_and_cells_of_another_engine_are_refused(tsume: Run) -> None:
    for arguments, said in (
        ((*RSEARCH, f"--cells={LEAST_CELLS - 1}", CORRECT), f"range {LEAST_CELLS}<=x"),
        (("solve", "--cells=1000", CORRECT), "--cells needs --engine rsearch"),
        (("solve", "--engine=iterative", "--cells=1000", CORRECT), "--cells needs --engine rsearch"),
        ((*RSEARCH, "--weight=1", CORRECT), "--weight needs --engine iterative"),
        ((*RSEARCH, "--memory=40", "--cells=10000000", CORRECT), "--memory is too small for 10000000 cells"),
    ):
        done = tsume(*arguments)
        assert done.exit_code == 2
        assert said in " ".join(done.stderr.split())


def test_a_score_does_not_depend_on_the_cells(tsume: Run) -> None:
    for sfen in (CORRECT, FIVE):
        assert answer(tsume, "score", sfen, "--cells=1") == answer(tsume, "score", sfen)
