# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker process that was lost, whichever command needed it."""

from __future__ import annotations

from pathlib import Path
from typing import Never

import pytest

from generator.run.processes import WorkerLostError
from tests.tsume.conftest import Run


@pytest.mark.parametrize(
    ("work", "command"),
    [
        ("tsume.commands.pictures.book_pdf", "book"),
        ("tsume.commands.web._make_site", "site"),
        ("tsume.commands.export.ordered_map", "export"),
    ],
)
def test_a_lost_worker_is_one_line_in_every_command(
    work: str, command: str, tsume: Run, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose(*_arguments: object) -> Never:
        raise WorkerLostError("a worker process ended with status -9")

    monkeypatch.setattr(work, lose)
    options = ["--format", "jsonl"] if command == "export" else ["-j", "1"]
    done = tsume(command, "--db", made, "-o", tmp_path / "out", *options)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == "Error: a worker process ended with status -9"
    assert "Traceback" not in done.stderr
