# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench usi` counts what it has measured."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from scripts.measuring.usi import usi
from tests.tsume.problems import CORRECT, CORRECT_LINE, HARD


def test_the_command_counts(tmp_path: Path) -> None:
    file, hard = tmp_path / "problems.sfen", tmp_path / "hard.sfen"
    file.write_text(f"{CORRECT} moves {' '.join(CORRECT_LINE)}\n")
    hard.write_text(f"{HARD}\n")
    done = CliRunner().invoke(usi, [str(file), "--hard", str(hard)], catch_exceptions=False)
    assert done.exit_code == 0
    first, *stopped = done.stdout.splitlines()
    assert first.startswith("go mate, 1: median ")
    for line, find_all in zip(
        stopped, ("false", "true"), strict=True
    ):  # a search may end before it is stopped
        assert re.match(rf"stop, FindAll {find_all}, [1-3]: median ", line)
