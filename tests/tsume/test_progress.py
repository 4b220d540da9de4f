# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines that tell how far a long search is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from solver.results import MateBounds
from tests.tsume.conftest import Run
from tsume.progress import SearchProgress, compiling_progress


def test_a_long_search_tells_what_it_knows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr("tsume.progress.time.monotonic", lambda: now)
    search = SearchProgress("problems.txt, line 3", lambda: 2_500_000)
    search.look()
    now += 11
    search.look()
    search.look()
    search.hear(MateBounds(11))
    now += 11
    search.look()
    search.hear(MateBounds(11, 39))
    now += 11
    search.look()
    search.hear(MateBounds(37, 39))
    now += 11
    search.look()
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [
        "problems.txt, line 3: 11 s, 2.5 million nodes",
        "problems.txt, line 3: 22 s, 2.5 million nodes, none within 11 moves",
        "problems.txt, line 3: 33 s, 2.5 million nodes, none within 11 moves, "
        "a mate in 39; searching for shorter ones",
        "problems.txt, line 3: 44 s, 2.5 million nodes, the shortest mate takes 39 moves; "
        "searching for its best line",
    ]


def test_an_import_counts_and_says_the_time_left(
    tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tsume.progress._LINE_SECONDS", 0.0)
    (tmp_path / "in.sfen").write_text("nonsense\n" * 3)
    done = tsume("import", tmp_path / "in.sfen", "--db", tmp_path / "s.db")
    counted = [line for line in done.stderr.splitlines() if " of 3 positions" in line]
    assert counted[0] == "1 of 3 positions"
    assert all(re.fullmatch(r"\d of 3 positions, [\d.]+ a second, \d+ s left", line) for line in counted[1:])
    assert len(counted) == 3
    (tmp_path / "in.kif").write_text("nonsense\n")
    assert "1 positions" in tsume("import", tmp_path / "in.kif", "--db", tmp_path / "s.db").stderr


def test_compiling_is_counted_without_a_terminal_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tsume.progress._LINE_SECONDS", 0.0)
    with compiling_progress(2) as advance:
        advance()
        advance()
    assert capsys.readouterr().err.splitlines() == [
        "compiling, first start only: 2 parts", "compiling: 1 of 2", "compiling: 2 of 2"
    ]  # fmt: skip
