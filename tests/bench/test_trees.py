# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench tree`: what it counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.measuring.trees import tree

PROBLEMS = [
    "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1 moves 3d2c 1b1a 2c2b",
    "9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1 moves G*2c 1c1d 2c2d 1d1e 2d2e",
]


@pytest.mark.parametrize("options", [[], ["--process"]])
def test_the_command_tells_of_each_length(options: list[str], tmp_path: Path) -> None:
    file = tmp_path / "problems.sfen"
    file.write_text("\n".join(PROBLEMS))
    done = CliRunner().invoke(tree, [str(file), *options], catch_exceptions=False)
    assert done.exit_code == 0
    first, second = done.stdout.splitlines()
    assert first.startswith("  3 moves, 1 problems: median ")
    assert second.startswith("  5 moves, 1 problems: median ")
    assert "turns: median 2, 90% within 2; complete 100%; checks that do not mate: any_length 100.0%" in first
    assert "100% within 1 MB; turns: median 3" in second
