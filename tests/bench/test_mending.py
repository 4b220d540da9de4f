# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench mend`: what is spoilt, and what counts as repaired."""

from __future__ import annotations

import random
from pathlib import Path

from click.testing import CliRunner

from generator.changes import ChangeKind
from scripts.measuring.mending import attempted, mend
from scripts.measuring.problem_files import Lined
from tsume_rules.moves import parse_move
from tsume_rules.sfen import format_sfen, parse_sfen

PROBLEM = "6r1k/6S2/9/7L1/6B2/9/9/9/9 b rb4g3s4n3l18p 1 moves 3e4d 1a1b 2d2c+"


def problem() -> Lined:
    sfen, moves = PROBLEM.split(" moves ")
    return Lined(parse_sfen(sfen).position, tuple(map(parse_move, moves.split())))


def test_the_problem_is_spoilt_and_found_again() -> None:
    (attempt,) = attempted([problem()], [ChangeKind.TAKEN_OFF], 60, True, random.Random(1))
    assert attempt.spoilt != format_sfen(problem().position)
    assert attempt.repairs > 0
    assert attempt.near or not attempt.original


def test_the_command_counts(tmp_path: Path) -> None:
    file = tmp_path / "problems.sfen"
    file.write_text(PROBLEM + "\n")
    done = CliRunner().invoke(mend, [str(file), "--spoil", "taken-off"], catch_exceptions=False)
    assert done.exit_code == 0
    assert "1 spoilt problems: 100% repaired" in done.stdout
