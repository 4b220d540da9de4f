# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench enrich`: what counts as suggested."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from scripts.measuring.enriching import enrich

PROBLEM = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1 moves 3d2c 1b1a 2c2b"
COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1 moves 3e4d 1a1b 2d2c+"


def test_the_command_counts_correct_problems(tmp_path: Path) -> None:
    file = tmp_path / "problems.sfen"
    file.write_text(f"{PROBLEM}\n{COOKED}\n")
    done = CliRunner().invoke(enrich, [str(file), "--time", "60"], catch_exceptions=False)
    assert done.exit_code == 0
    assert "1 problems: something suggested for 100%" in done.stdout
    assert "natural 100%" in done.stdout
