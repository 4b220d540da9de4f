# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress on stderr: a live display on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Self, TypeVar

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, track
from rich.table import Table
from rich.text import Text

from generator.acceptance.reasons import REJECTIONS
from solver.results import MateBounds

Item = TypeVar("Item")
_LINE_SECONDS = 10.0
_SURE = 5.0
"""Seconds since the first find before the time left is estimated."""
_SHOWN_REASONS = 3
_STAGES = ("roots", "candidates", "defences", "finalists", "problems")


def with_progress_bar(items: Iterable[Item], number: int | None = None) -> Iterator[Item]:
    """Yield the items; stderr shows how many are done, of ``number`` if that is known."""
    console = Console(stderr=True)
    if console.is_terminal:
        yield from track(items, "", number, console=console, transient=True)
        return
    printed = time.monotonic()
    for done, item in enumerate(items, start=1):
        yield item
        if time.monotonic() - printed >= _LINE_SECONDS:
            printed = time.monotonic()
            console.print(str(done) if number is None else f"{done} of {number}", highlight=False)


@contextmanager
def compiling_progress(number: int) -> Iterator[Callable[[], None]]:
    """Show on stderr how many of ``number`` kernels are compiled; yields a function to call after each.

    Elsewhere than on a terminal a line says so every few seconds.
    """
    console = Console(stderr=True, highlight=False)
    text = "compiling, first start only"
    if not console.is_terminal:
        console.print(f"{text}: {number} parts")
        done, printed = 0, time.monotonic()

        def count() -> None:
            nonlocal done, printed
            done += 1
            if time.monotonic() - printed >= _LINE_SECONDS:
                printed = time.monotonic()
                console.print(f"compiling: {done} of {number}")

        yield count
        return
    columns = (TextColumn("{task.description}:"), TextColumn("{task.completed:.0f} of {task.total:.0f}"))
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(text, total=number)
        yield lambda: progress.advance(task)


class SearchProgress:
    """Prints on stderr how far the search of one position is, a line every few seconds.

    ``place`` names the position, ``nodes`` returns the number of nodes so far; it was searched for
    ``seconds`` before.
    """

    def __init__(self, place: str, nodes: Callable[[], int], seconds: float = 0.0) -> None:
        self._place = place
        self._nodes = nodes
        self._printed = time.monotonic()
        self._began = self._printed - seconds
        self._known = ""

    def hear(self, known: MateBounds) -> None:
        """Update what is known."""
        if known.within is None:
            self._known = f", none within {known.none_within} moves"
        elif known.none_within < known.within - 2:
            self._known = f", none within {known.none_within} moves, a mate in {known.within}; "
            self._known += "searching for shorter ones"
        else:
            self._known = f", the shortest mate takes {known.within} moves; searching for its best line"

    def look(self) -> None:
        """Print a line if one is due."""
        now = time.monotonic()
        if now - self._printed < _LINE_SECONDS:
            return
        self._printed = now
        searched = f"{now - self._began:.0f} s, {self._nodes() / 1e6:.1f} million nodes"
        print(f"{self._place}: {searched}{self._known}", file=sys.stderr, flush=True)


class CertificateProgress:
    """Prints on stderr how many facts of a certificate are written, a line every few seconds."""

    def __init__(self) -> None:
        self._printed = time.monotonic()

    def update(self, facts: int) -> None:
        """Print a line if one is due; ``facts`` are those of the current problem."""
        if facts % 256:
            return
        now = time.monotonic()
        if now - self._printed >= _LINE_SECONDS:
            self._printed = now
            print(f"certificate: {facts} facts", file=sys.stderr, flush=True)


class _ProgressDisplay:
    """A display on stderr that may be hidden while something else is printed; a context manager."""

    def __init__(self, live: Live | Progress) -> None:
        self._live = live
        self._is_shown = False

    def _show(self) -> None:
        self._is_shown = True
        self._live.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._is_shown:  # a display that never started would print an empty line
            self._live.stop()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Hide the display while something else is printed."""
        if self._is_shown:
            self._live.stop()
        yield
        if self._is_shown:
            self._live.start()


class AnswerProgress(_ProgressDisplay):
    """Shows how many positions are answered, the rate, and the time left if it is known; a context manager.

    Only if stderr is a terminal and stdout is not: on a terminal the answers themselves show the progress.
    ``number`` returns the number of positions, None if it is not known. The first ``done`` were skipped.
    ``of_files``: answers go to files, and files are counted. ``has_few_answers``: most positions print
    nothing. In both cases it is always shown; elsewhere than on a terminal a line says so every few seconds.
    """

    def __init__(
        self,
        number: Callable[[], int | None],
        done: int,
        *,
        of_files: bool = False,
        has_few_answers: bool = False,
    ) -> None:
        console = Console(stderr=True)
        is_silent = of_files or has_few_answers
        self._is_wanted = console.is_terminal and (is_silent or not sys.stdout.isatty())
        self._prints_lines = is_silent and not console.is_terminal
        self._printed = time.monotonic()
        self._unit = "files" if of_files else "positions"
        self._number = number() if self._is_wanted or is_silent else None
        self._first: tuple[float, int] | None = None
        self._done = done
        self._bar = Progress(
            BarColumn(), TextColumn("{task.description}"), console=console, transient=True,
            redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=self._number)
        super().__init__(self._bar)

    def update(self, done: int) -> None:
        """Show how many are done, skipped ones included."""
        self._done = done
        if self._prints_lines and time.monotonic() - self._printed >= _LINE_SECONDS:
            self._printed = time.monotonic()
            print(self._text(), file=sys.stderr, flush=True)
        if self._is_wanted:
            self._bar.update(self._task, completed=done, description=self._text())
        if self._first is None:  # the kernels are compiled by now
            self._first = (time.monotonic(), done)
            if self._is_wanted:
                self._show()

    def _text(self) -> str:
        number = "" if self._number is None else f" of {self._number}"
        text = f"{self._done}{number} {self._unit}"
        began, before = self._first or (0.0, self._done)
        spent = max(time.monotonic() - began, 0.001)
        if self._done == before:
            return text
        rate = (self._done - before) / spent
        left = None if self._number is None else max(0, self._number - self._done) / rate
        return f"{text}, {rate:.1f} a second" + ("" if left is None else f", {left:.0f} s left")


def main_reasons(counts: Mapping[str, int], most: int = _SHOWN_REASONS) -> list[tuple[str, int]]:
    """The ``most`` most frequent rejections with their numbers."""
    rejections = ((name, number) for name, number in counts.items() if name in REJECTIONS)
    return sorted(rejections, key=lambda one: (-one[1], one[0]))[:most]


def stage_counts(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """How often each stage was reached, in the order of the stages; unknown names come last."""
    order = (*_STAGES, *sorted(counts.keys() - REJECTIONS - set(_STAGES)))
    return [(name, counts[name]) for name in order if name in counts]


class RunProgress(_ProgressDisplay):
    """Shows the problems found, the rates of problems and stages, the main rejections and the time left.

    ``found`` problems were found before this start; ``deadline`` is a time of `time.monotonic`. A context
    manager; call ``update`` after each result.
    """

    def __init__(self, count: int, seed: int, found: int = 0, deadline: float | None = None) -> None:
        self._console = Console(stderr=True)
        self._count = count
        self._found_before = found
        self._deadline = deadline
        self._started = self._printed = time.monotonic()
        self._first_find: tuple[float, int] | None = None
        self._before: Mapping[str, int] | None = None
        self._bar = Progress(
            TextColumn("seed {task.fields[seed]}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[state]}"),
            console=self._console,
        )
        self._task = self._bar.add_task("", total=count, completed=found, seed=seed, state="composing")
        self._panel = Live(
            self._bar, console=self._console, transient=True, refresh_per_second=4,
            redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip
        super().__init__(self._panel)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._show()
        return self

    def update(self, found: int, counts: Mapping[str, int], seconds: Mapping[str, float]) -> None:
        """Show how far the run is."""
        self._before = counts if self._before is None else self._before
        if self._first_find is None and found > self._found_before:
            self._first_find = (time.monotonic(), found)
        if self._console.is_terminal:
            self._bar.update(self._task, completed=found, state=self._rate(found))
            self._panel.update(Group(self._bar, self._stage_table(counts, seconds), _reasons_text(counts)))
        elif time.monotonic() - self._printed >= _LINE_SECONDS:
            self._printed = time.monotonic()
            candidates = counts.get("candidates", 0)
            line = f"{found} of {self._count} found; {candidates} candidates, {self._rate(found)}; "
            self._console.print(line + _reasons_text(counts).plain, soft_wrap=True, highlight=False)

    @property
    def _spent(self) -> float:
        return max(time.monotonic() - self._started, 0.001)

    def _rate(self, found: int) -> str:
        new = found - self._found_before
        return f"{60 * new / self._spent:.1f} found a minute, {self._left(found)} left"

    def _left(self, found: int) -> str:
        by_rate = self._left_by_rate(found)
        by_limit = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        known = [seconds for seconds in (by_rate, by_limit) if seconds is not None]
        return f"{min(known):.0f} s" if known else "unknown time"

    def _left_by_rate(self, found: int) -> float | None:
        """An estimate by the rate since the first find, since kernels may have been compiled before it."""
        if self._first_find is None:
            return None
        began, before = self._first_find
        spent = time.monotonic() - began
        return (self._count - found) * spent / (found - before) if found > before and spent >= _SURE else None

    def _stage_table(self, counts: Mapping[str, int], seconds: Mapping[str, float]) -> Table:
        """The number and rate of each stage, and each part's share of the time."""
        table = Table(box=None, pad_edge=False)
        for heading in ("stage", "number", "a second"):
            table.add_column(heading, justify="left" if heading == "stage" else "right")
        before = self._before or {}
        for name, number in stage_counts(counts):
            rate = (number - before.get(name, 0)) / self._spent
            table.add_row(name, str(number), f"{rate:.1f}")
        total = sum(seconds.values())
        for name, spent in seconds.items() if total > 0 else ():
            table.add_row(f"time: {name}", f"{spent:.0f} s", f"{spent / total:.0%}")
        return table


def _reasons_text(counts: Mapping[str, int]) -> Text:
    reasons = main_reasons(counts)
    return Text("rejected: " + ", ".join(f"{name} {number}" for name, number in reasons) if reasons else "")
