# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench board`: what it asks."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("uvicorn", reason="tsume-shogi[web] is not installed")

from scripts.measuring import board as of_board
from scripts.measuring.board import board
from tests.bench.test_trees import PROBLEMS


def test_the_command_tells_of_pages_trees_and_judgements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of_board, "LOADING", 0.0)
    file = tmp_path / "problems.sfen"
    file.write_text("\n".join(PROBLEMS))
    done = CliRunner().invoke(board, [str(file), "--moves", "3"], catch_exceptions=False)
    assert done.exit_code == 0
    assert [line.rpartition(": median ")[0] for line in done.stdout.splitlines()] == [
        "list, 20",
        "problem, 20",
        "tree of 3 moves, 1",
        "judgement, up to 3 moves, 1",
        "the same again, 1",
    ]
