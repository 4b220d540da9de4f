# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench commands` and `scripts/bench tree`: what they count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.measuring import command_times as of_commands
from scripts.measuring.command_times import commands, tree

# --- `scripts/bench tree` --------------------------------------------------------------------------

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


# --- `scripts/bench commands` ----------------------------------------------------------------------

OTHERS = [
    "9/2b6/kS7/lp7/2P6/9/9/9/9 b GS2rb3g2s4n3l16p 1 moves S*8b 9c8c G*9c",
    "2R1r4/2B6/pnk6/1pp6/9/9/9/9/9 b Gb3g4s3n4l15p 1 moves G*6c 7c8b 7b8a+",
]


def test_the_command_tells_the_pace_of_each_command(tmp_path: Path) -> None:
    file = tmp_path / "problems.sfen"
    file.write_text("\n".join([PROBLEMS[0], *OTHERS]))
    options = ["--repeat", "1", "--command", "solve", "--command", "score"]
    done = CliRunner().invoke(commands, [str(file), *options], catch_exceptions=False)
    assert done.exit_code == 0
    paces = [re.sub(r"[\d.]+ (a second|ms each|s$)", r"# \1", line) for line in done.stdout.splitlines()]
    told = "3 moves, 3 positions: # a second, # ms each; one position # s"
    assert paces == [f"solve, {told}", f"score, {told}"]


def test_several_processes_are_compared_with_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_commands, "LONG", 0.1)
    file = tmp_path / "problems.sfen"
    file.write_text("\n".join([PROBLEMS[0], *OTHERS]))
    options = ["--repeat", "1", "--command", "solve", "--jobs", "2"]
    done = CliRunner().invoke(commands, [str(file), *options], catch_exceptions=False)
    assert done.exit_code == 0
    assert re.fullmatch(r"  2 processes: [\d.]+ times as fast, the same output", done.stdout.splitlines()[1])
