# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress and summaries of runs, searches and imports; kernels that are compiled"""

import asyncio
import io
import re
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from db.query import ProblemFigures
from db.runs import RunState, RunTotals, StoredRun
from generator.acceptance import Rejection
from solver.results import MateBounds
from tests.tsume.conftest import Run
from tsume import progress
from tsume.language.catalogue import MIXED, Voice
from tsume.progress import RunProgress, SearchProgress, compiling_progress
from tsume.reports.runs import (
    HistogramClass,
    histogram_bars,
    histogram_classes,
    long_summary_lines,
    run_request_text,
    run_statistics_lines,
    short_summary_lines,
)
from tsume.web.app import wait_for_process


def test_a_long_search(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
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
        "problems.txt, line 3: 33 s, 2.5 million nodes, none within 11 moves, a mate in 39; searching for shorter ones",
        "problems.txt, line 3: 44 s, 2.5 million nodes, the shortest mate takes 39 moves; searching for its best line",
    ]


def test_imports_and_compiling_are_counted(
    tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
    monkeypatch.setattr("tsume.progress._LINE_SECONDS", 0.0)
    with compiling_progress(2) as advance:
        advance()
        advance()
    assert capsys.readouterr().err.splitlines() == [
        "compiling kernels, once after they change: 2 parts", "compiling: 1 of 2", "compiling: 2 of 2"
    ]  # fmt: skip


COUNTS = {"roots": 9, "candidates": 50, Rejection.GREY.value: 7, Rejection.SHORTER_MATE.value: 30, "odd": 1}


def run(state: RunState = RunState.COMPLETE, found: int = 4) -> StoredRun:
    counters = {"odd": 1, "candidates": 50, "roots": 9}
    rejections = {Rejection.GREY.value: 7, Rejection.SHORTER_MATE.value: 30, "of another version": 2}
    totals = RunTotals(9, found, 2.0, counters, rejections, {"judge": 1.25})
    return StoredRun(
        2, 7, 3, 4, "0.1.0", 1, {}, datetime.now(UTC), None, 50, state, resumable=True, totals=totals
    )  # fmt: skip


FIGURES = ProblemFigures({3: [11.0, 12.0, 19.0, 31.0]}, [0.0], {"drop": 3, "king-lure": 1})


def test_classes_are_round_and_bars_as_long_as_the_numbers_are_large() -> None:
    assert histogram_classes([11.0, 12.0, 19.0, 31.0]) == [
        HistogramClass(10, 15, 2), HistogramClass(15, 20, 1), HistogramClass(20, 25, 0),
        HistogramClass(25, 30, 0), HistogramClass(30, 35, 1),
    ]  # fmt: skip
    assert histogram_classes([]) == []
    assert histogram_classes([5.0, 5.0]) == [HistogramClass(5, 6, 2)]
    assert histogram_classes([-0.25, 0.25], most=2) == [HistogramClass(-0.5, 0.0, 1), HistogramClass(0.0, 0.5, 1)]
    lines = histogram_bars([HistogramClass(5, 10, 1), HistogramClass(10, 15, 0), HistogramClass(15, 20, 30)])
    assert lines == [" 5-10  1 █", "10-15  0", "15-20 30 " + "█" * 30]
    assert histogram_bars([]) == []


@given(st.lists(st.floats(-1e6, 1e6) | st.floats()))
def test_classes_of_anything(values: list[float]) -> None:
    found = histogram_classes(values)
    assert len(found) <= 10
    assert sum(one.number for one in found) == sum(value - value == 0 for value in values)
    assert len(histogram_bars(found)) == len(found)


def test_the_summaries_of_a_run() -> None:
    assert list(short_summary_lines(run(), FIGURES)) == [
        "run 2 complete: 4 of 4 problems in 2.0 s, 120.0 a minute",
        "ratings: 800-850 2, 950-1000 1, 1200-1250 1; themes: drop 3, king lure 1; "
        "rejected: mates sooner 30, depends on the reading of futile interpositions 7",
    ]
    nothing = ProblemFigures({}, [], {})
    assert next(short_summary_lines(run(RunState.STOPPED, 0), nothing)) == "run 2 out of time: 0 of 4 problems in 2.0 s"
    lines = list(long_summary_lines(run(), FIGURES))
    assert lines[1] == "ratings"
    assert lines[2].startswith("    800-850 2 █")
    assert lines[-4:-1] == ["themes", "  drop       3", "  king lure  1"]
    assert lines[-1].startswith("rejected: mates sooner 30")
    lines = [" ".join(line.split()) for line in run_statistics_lines(run())]
    assert lines == [
        "stages", "roots 9", "candidates 50", "odd 1", "seconds", "judge 1.2", "rejected", "mates sooner 30",
        "depends on the reading of futile interpositions 7", "of another version 2",
    ]  # fmt: skip
    options = {
        "style": "natural", "grade": "sound", "wishes": {"themes": ["chuai"], "hand": "-", "only": None},
    }  # fmt: skip
    asked = replace(run(), options=options)
    assert run_request_text(asked, MIXED) == (
        "looking for mates in 3; grade: sound; style: natural; conditions: themes chuai, hand -; seed 7"
    )
    assert run_request_text(asked, Voice.of("ja")).startswith("3手詰を創作中；")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> io.StringIO:
    """What the progress display writes. The parameter says whether it is a terminal."""
    text = io.StringIO()

    def console(**_options: object) -> Console:
        return Console(file=text, force_terminal=request.param, width=100)

    monkeypatch.setattr(progress, "Console", console)
    return text


ASKED = "looking for mates in 7; seed 21"
TROUBLED = {**COUNTS, "roots since the last problem": 3}


def updated(
    monkeypatch: pytest.MonkeyPatch, moments: list[tuple[float, int]], voice: Voice = MIXED, **options: Any
) -> None:
    """Show a run of 10 problems, of which 2 were found before, at some moments with so many found."""
    now = 0.0
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now))
    with RunProgress(10, ASKED, voice, found=2, **options) as display:
        display.update(2, TROUBLED, {"grow": 1.0})
        for now, found in moments:  # noqa: B007
            display.update(found, COUNTS, {"grow": 3.0, "judge": 1.0})


@pytest.mark.parametrize("shown", [True], indirect=True)
@pytest.mark.parametrize("verbose", [False, True])
def test_progress_on_a_terminal(verbose: bool, shown: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stages of the work only to those who ask for them; no number is ever negative."""
    updated(monkeypatch, [(60.0, 4)], deadline=1000.0, verbose=verbose)
    for part in (ASKED, "4 of 10 found in 60 s, 2.0 a minute, about 3 min left"):
        assert part in shown.getvalue()
    for part in ("candidates", "time: judge", "25%", "rejected: mates sooner 30"):
        assert (part in shown.getvalue()) == verbose
    assert "-0" not in shown.getvalue()
    assert "since the last" not in shown.getvalue()


@pytest.mark.parametrize("shown", [False], indirect=True)
@pytest.mark.parametrize(("options", "moments", "lines"), [
    ({}, [(4.0, 2)], []),
    ({}, [(11.0, 2), (22.0, 2)], [ASKED, "2 of 10 found in 11 s", "2 of 10 found in 22 s"]),
    ({"deadline": 60.0}, [(11.0, 2)], [ASKED, "2 of 10 found in 11 s, 49 s until the time limit"]),
    ({"deadline": 15.0}, [(11.0, 3)],
     [ASKED, "3 of 10 found in 11 s, 5.5 a minute, 4 s until the time limit"]),
    ({"deadline": 5.0}, [(11.0, 2)], [ASKED, "2 of 10 found in 11 s, 0 s until the time limit"]),
    ({}, [(3600.0, 4)], [ASKED, "4 of 10 found in 60 min, 2.0 an hour, about 3 h left"]),
    ({"voice": Voice.of("ja")}, [(60.0, 4)], [ASKED, "10題中4題（60秒経過）、毎分2.0題、残り約3分"]),
    ({"verbose": True}, [(11.0, 2)],
     [ASKED, "2 of 10 found in 11 s; rejected: mates sooner 30, "
      "depends on the reading of futile interpositions 7"]),
])  # fmt: skip
def test_elsewhere_a_line_comes_now_and_then(
    options: dict[str, Any], moments: list[tuple[float, int]], lines: list[str], shown: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    updated(monkeypatch, moments, **options)
    assert shown.getvalue().splitlines() == lines


@pytest.mark.parametrize("shown", [True], indirect=True)
def test_what_is_printed_beside_the_display_stays(shown: io.StringIO) -> None:
    """The display comes again below it: no line above is deleted."""
    with RunProgress(10, ASKED, MIXED, verbose=True) as display:
        display.update(2, COUNTS, {"grow": 1.0})
        for number in range(3):
            with display.aside():
                shown.write(f"problem {number}\n")
    up = "\x1b[1A"
    for number in range(3):
        between, _, _ = shown.getvalue().partition(f"problem {number}\n")[2].partition(ASKED)
        assert up not in between


def test_a_process_ends_with_the_task_that_waits_for_it() -> None:
    async def cancelled() -> None:
        code = "import sys, time; sys.stdin.read(); time.sleep(1000)"
        task = asyncio.create_task(wait_for_process([sys.executable, "-c", code]))
        await asyncio.sleep(0.5)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()

    asyncio.run(cancelled())
