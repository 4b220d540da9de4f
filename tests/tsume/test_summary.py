# SPDX-License-Identifier: GPL-3.0-or-later
"""Histograms, the summary of a run, and its progress."""

from __future__ import annotations

import io
import time
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from db.runs import RunState, StoredRun, Totals
from db.stats import ProblemFigures
from generator.acceptance.reasons import Rejection
from tsume import progress
from tsume.progress import RunProgress
from tsume.reports.histogram import HistogramClass, histogram_bars, histogram_classes
from tsume.summary import long_summary_lines, run_account_lines, short_summary_lines

COUNTS = {"roots": 9, "candidates": 50, Rejection.GREY.value: 7, Rejection.SHORTER_MATE.value: 30, "odd": 1}


def run(state: RunState = RunState.COMPLETE, found: int = 4) -> StoredRun:
    counters = {"odd": 1, "candidates": 50, "roots": 9}
    rejections = {Rejection.GREY.value: 7, Rejection.SHORTER_MATE.value: 30, "of another version": 2}
    totals = Totals(9, found, 2.0, counters, rejections, {"judge": 1.25})
    return StoredRun(
        2, 7, 3, 4, "0.1.0", 1, {}, datetime.now(UTC), None, 50, state, resumable=True, totals=totals
    )  # fmt: skip


FIGURES = ProblemFigures({3: [11.0, 12.0, 19.0, 31.0]}, [0.0], {"drop": 3, "king-lure": 1})


def test_classes_are_round_and_hold_every_value() -> None:
    assert histogram_classes([11.0, 12.0, 19.0, 31.0]) == [
        HistogramClass(10, 15, 2), HistogramClass(15, 20, 1), HistogramClass(20, 25, 0),
        HistogramClass(25, 30, 0), HistogramClass(30, 35, 1),
    ]  # fmt: skip
    assert histogram_classes([]) == []
    assert histogram_classes([5.0, 5.0]) == [HistogramClass(5, 6, 2)]
    assert histogram_classes([-0.25, 0.25], most=2) == [
        HistogramClass(-0.5, 0.0, 1),
        HistogramClass(0.0, 0.5, 1),
    ]


@given(st.lists(st.floats(-1e6, 1e6) | st.floats()))
def test_classes_of_anything(values: list[float]) -> None:
    found = histogram_classes(values)
    assert len(found) <= 10
    assert sum(one.number for one in found) == sum(value - value == 0 for value in values)
    assert len(histogram_bars(found)) == len(found)


def test_bars_are_as_long_as_the_numbers_are_large() -> None:
    lines = histogram_bars([HistogramClass(5, 10, 1), HistogramClass(10, 15, 0), HistogramClass(15, 20, 30)])
    assert lines == [" 5-10  1 █", "10-15  0", "15-20 30 " + "█" * 30]
    assert histogram_bars([]) == []


def test_a_log_gets_two_lines() -> None:
    assert list(short_summary_lines(run(), FIGURES)) == [
        "run 2 complete: 4 of 4 problems in 2.0 s, 120.0 a minute",
        "scores: 10-15 2, 15-20 1, 30-35 1; themes: drop 3, king lure 1; "
        "rejected: mates sooner 30, depends on the reading of futile interpositions 7",
    ]
    nothing = ProblemFigures({}, [], {})
    assert (
        next(short_summary_lines(run(RunState.STOPPED, 0), nothing))
        == "run 2 out of time: 0 of 4 problems in 2.0 s"
    )


def test_a_terminal_gets_bars() -> None:
    lines = list(long_summary_lines(run(), FIGURES))
    assert lines[1] == "scores"
    assert lines[2].startswith("  10-15 2 █")
    assert lines[-4:-1] == ["themes", "  drop       3", "  king lure  1"]
    assert lines[-1].startswith("rejected: mates sooner 30")


def test_the_account_goes_by_the_order_of_the_tests() -> None:
    lines = [" ".join(line.split()) for line in run_account_lines(run())]
    assert lines == [
        "stages", "roots 9", "candidates 50", "odd 1", "seconds", "judge 1.2", "rejected", "mates sooner 30",
        "depends on the reading of futile interpositions 7", "of another version 2",
    ]  # fmt: skip


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> io.StringIO:
    """What the progress display writes. The parameter says whether it is a terminal."""
    text = io.StringIO()

    def console(**_options: object) -> Console:
        return Console(file=text, force_terminal=request.param, width=100)

    monkeypatch.setattr(progress, "Console", console)
    return text


@pytest.mark.parametrize("shown", [True], indirect=True)
def test_a_terminal_is_shown_stages_and_rates(shown: io.StringIO) -> None:
    with RunProgress(10, 7, found=2, deadline=time.monotonic() + 60) as display:
        display.update(2, {}, {})
        with display.aside():
            pass
        display.update(4, COUNTS, {"grow": 3.0, "judge": 1.0})
    for part in ("4/10", "found a minute", "candidates", "time: judge", "25%", "rejected: mates sooner 30"):
        assert part in shown.getvalue()


@pytest.mark.parametrize("shown", [False], indirect=True)
def test_elsewhere_a_line_comes_now_and_then(shown: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    with RunProgress(10, 7) as display:
        display.update(4, COUNTS, {})
        assert shown.getvalue() == ""
        monkeypatch.setattr(progress, "_LINE_SECONDS", 0.0)
        display.update(4, COUNTS, {})
    (line,) = shown.getvalue().splitlines()
    assert line.startswith("4 of 10 found; 50 candidates, ")
    assert line.endswith("rejected: mates sooner 30, depends on the reading of futile interpositions 7")


@pytest.mark.parametrize("shown", [False], indirect=True)
def test_the_time_left_is_estimated_some_seconds_after_the_first_find(
    shown: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now))
    display = RunProgress(100, 7, found=10)
    for now, found, left in (  # noqa: B007
        (60.0, 10, "unknown time"), (120.0, 12, "unknown time"), (124.0, 20, "unknown time"),
        (130.0, 32, "34 s"),
    ):  # fmt: skip
        display.update(found, COUNTS, {})
        assert shown.getvalue().splitlines()[-1].split("a minute, ")[1].startswith(f"{left} left")
