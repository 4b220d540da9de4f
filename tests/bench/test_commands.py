"""`scripts/bench commands`: what it counts."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from scripts.measuring.commands import commands
from tests.bench.test_trees import PROBLEMS


def test_the_command_tells_the_pace_of_each_command(tmp_path: Path) -> None:
    file = tmp_path / "problems.sfen"
    file.write_text("\n".join([PROBLEMS[0]] * 4))
    options = ["--repeat", "1", "--command", "solve", "--command", "score"]
    done = CliRunner().invoke(commands, [str(file), *options], catch_exceptions=False)
    assert done.exit_code == 0
    paces = [re.sub(r"[\d.]+ (a second|ms each|s$)", r"# \1", line) for line in done.stdout.splitlines()]
    told = "3 moves, 4 positions: # a second, # ms each; one position # s"
    assert paces == [f"solve, {told}", f"score, {told}"]
