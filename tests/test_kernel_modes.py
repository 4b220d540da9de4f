# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels compiled with bounds checked, and as plain Python: each in a process of its own.

Compiled code reads out of bounds silently, and widens integers differently from plain
Python. So some tests of the kernels run once more in each mode.
"""

import os
import subprocess
import sys

import pytest

from tests.places import ROOT

RULES = ["tests/tsume_rules/test_moves.py", "tests/tsume_rules/kernel"]
TABLE = "tests/solver/engines/dfpn/kernel/test_table.py"
MATING = "tests/solver/engines/rsearch/test_mating.py"
SEARCH = [
    "tests/solver/engines/dfpn/kernel",
    "tests/solver/engines/dfpn/test_engine.py",
    "tests/solver/judging/test_readings.py",
    MATING,
]
SMALL = [
    *RULES,
    f"{TABLE}::test_a_mate_holds_for_larger_hands_and_more_plies",
    f"{TABLE}::test_a_refutation_holds_for_smaller_hands_and_fewer_plies",
    f"{TABLE}::test_open_numbers_hold_for_their_hand_and_length_only",
    f"{TABLE}::test_open_numbers_do_not_replace_proofs_and_disproofs",
    f"{TABLE}::test_boards_in_one_window_are_told_apart",
    f"{TABLE}::test_a_full_window_loses_what_took_the_least_work",
    f"{TABLE}::test_entries_of_another_stamp_are_empty",
    f"{TABLE}::test_a_tainted_disproof_serves_its_own_question_only",
    f"{TABLE}::test_the_least_depth_is_that_of_the_question",
    "tests/solver/engines/dfpn/test_engine.py::test_mates_are_those_of_the_slow_twin",
    "tests/solver/engines/dfpn/test_engine.py::test_a_stop_anywhere_leaves_the_position_as_it_was",
    "tests/solver/judging/test_readings.py::test_the_cases_by_the_slow_twin",
    f"{MATING}::test_the_value_of_the_game_is_the_length_of_the_mate",
    f"{MATING}::test_cases_that_separate_the_definitions",
    f"{MATING}::test_it_agrees_with_the_first_engine_on_defences",
]


def run(tests: list[str], **settings: str) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-x", *tests]
    found = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **settings}, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout[-4000:] + found.stderr[-2000:]


def test_the_tests_named_here_exist() -> None:
    for name in {*RULES, *SEARCH, *SMALL}:
        path, _, test = name.partition("::")
        assert (ROOT / path).exists(), name
        assert not test or f"\ndef {test}(" in (ROOT / path).read_text(encoding="utf-8"), name


@pytest.mark.slow
@pytest.mark.parametrize("tests", [RULES, SEARCH])
def test_nothing_is_read_out_of_bounds(tests: list[str]) -> None:
    run(tests, NUMBA_BOUNDSCHECK="1")


@pytest.mark.slow
def test_without_compiling_the_answers_are_the_same() -> None:
    run(SMALL, NUMBA_DISABLE_JIT="1", TSUME_TEST_POSITIONS="4")
