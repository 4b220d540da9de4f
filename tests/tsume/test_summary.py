# SPDX-License-Identifier: GPL-3.0-or-later
"""Histograms, the summary of a run, and its progress."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from db.runs import RunState, StoredRun, Totals
from db.stats import ProblemFigures
from generator.acceptance.reasons import Rejection
from tsume import progress
from tsume.language.voice import MIXED, Voice
from tsume.progress import RunProgress
from tsume.reports.runs import (
    HistogramClass,
    asked_text,
    histogram_bars,
    histogram_classes,
    long_summary_lines,
    run_account_lines,
    short_summary_lines,
)

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
def test_a_terminal_is_shown_what_is_sought_and_found(
    verbose: bool, shown: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_what_is_sought_is_said_in_one_line() -> None:
    options = {
        "style": "natural", "grade": "sound", "wishes": {"themes": ["chuai"], "hand": "-", "only": None},
    }  # fmt: skip
    asked = replace(run(), options=options)
    assert asked_text(asked, MIXED) == (
        "looking for mates in 3; grade: sound; style: natural; conditions: themes chuai, hand -; seed 7"
    )
    assert asked_text(asked, Voice.of("ja")).startswith("3手詰を創作中；")
