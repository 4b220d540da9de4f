"""Summaries of a run: a few lines at its end, and the full account of ``tsume runs show``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from db.errors import shown
from db.runs import RunState, StoredRun
from db.stats import Figures
from generator.reasons import Rejection
from generator.theme_names import by_name
from tsume.histogram import bars, classes
from tsume.progress import main_reasons, stages

_MOST_NAMES = 8
_WORDS = {
    RunState.RUNNING: "running, or killed",
    RunState.COMPLETE: "complete",
    RunState.STOPPED: "out of time",
    RunState.EXHAUSTED: "exhausted",
    RunState.INTERRUPTED: "interrupted",
}


def state_text(run: StoredRun) -> str:
    """The state of a run in words."""
    return _WORDS[run.state]


def head_line(run: StoredRun) -> str:
    """The state of a run: problems found, time, rate."""
    found, elapsed = run.totals.found, run.totals.elapsed
    rate = f", {60 * found / elapsed:.1f} a minute" if found and elapsed else ""
    tried = f", {run.candidates} positions tried" * (run.state is RunState.EXHAUSTED)
    return f"run {run.id} {state_text(run)}{tried}: {found} of {run.count} problems in {elapsed:.1f} s{rate}"


def short_lines(run: StoredRun, figures: Figures) -> Iterator[str]:
    """The summary of a run in one or two lines, for a log."""
    yield head_line(run)
    scores = ", ".join(f"{one.label} {one.number}" for one in classes(figures.all_scores) if one.number)
    parts = {
        "scores": scores,
        "themes": _names(by_name(figures.themes).items()),
        "rejected": _names(main_reasons(run.totals.rejections)),
    }
    filled = [f"{name}: {text}" for name, text in parts.items() if text]
    if filled:
        yield "; ".join(filled)


def long_lines(run: StoredRun, figures: Figures) -> Iterator[str]:
    """The summary of a run with bars, for a terminal."""
    yield head_line(run)
    yield from figure_lines(figures)
    reasons = _names(main_reasons(run.totals.rejections, most=5))
    if reasons:
        yield f"rejected: {reasons}"


def figure_lines(figures: Figures) -> Iterator[str]:
    """The scores and themes of problems, with bars."""
    for title, lines in (
        ("scores", bars(classes(figures.all_scores))),
        ("themes", _table(by_name(figures.themes))),
    ):
        if lines:
            yield title
            yield from (f"  {line}" for line in lines)


def account_lines(run: StoredRun) -> Iterator[str]:
    """How often each stage was reached, how long it took, and the rejections in the order of the tests."""
    totals = run.totals
    order = [reason.value for reason in Rejection]
    ordered = {name: totals.rejections[name] for name in order if name in totals.rejections}
    others = {name: number for name, number in totals.rejections.items() if name not in ordered}
    seconds = {name: f"{spent:.1f}" for name, spent in totals.seconds.items()}
    for title, counts in (
        ("stages", dict(stages(totals.counters))),
        ("seconds", seconds),
        ("rejected", {**ordered, **others}),
    ):
        if counts:
            yield title
            yield from (f"  {line}" for line in _table(counts))


def _names(counts: Iterable[tuple[str, int]]) -> str:
    listed = list(counts)
    more = ", ..." * (len(listed) > _MOST_NAMES)
    return ", ".join(f"{shown(name)} {number}" for name, number in listed[:_MOST_NAMES]) + more


def _table(counts: Mapping[str, object]) -> list[str]:
    """Names and numbers in two columns."""
    width = max((len(shown(name)) for name in counts), default=0)
    digits = max((len(str(number)) for number in counts.values()), default=0)
    return [f"{shown(name):<{width}}  {number!s:>{digits}}" for name, number in counts.items()]
