# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench commands`: what it counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from scripts.measuring import commands as of_commands
from scripts.measuring.commands import commands
from tests.bench.test_trees import PROBLEMS

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
