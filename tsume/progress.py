# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress on stderr: a live display on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Self, TypeVar

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TextColumn, track
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from generator.acceptance import KNOWN_AGAIN, is_rejection
from solver.results import MateBounds
from tsume.language.catalogue import Voice

Item = TypeVar("Item")
_LINE_SECONDS = 10.0
_SURE = 5.0
"""Seconds before the rate of finds and the time left are estimated."""
_SHOWN_REASONS = 3
_BAR_WIDTH = 30
_STAGES = ("roots", "candidates", "defences", "finalists", "problems")
_SHOWN_STAGES = (*_STAGES, "made plain", KNOWN_AGAIN)
"""The counters that only grow, so that they have rates."""


class _LineClock:
    """Says every few seconds that a line of progress is due."""

    def __init__(self) -> None:
        self._printed = time.monotonic()

    def is_due(self) -> bool:
        """Return whether a line is due; the next one is due some seconds later."""
        now = time.monotonic()
        if now - self._printed < _LINE_SECONDS:
            return False
        self._printed = now
        return True


def with_progress_bar(items: Iterable[Item], number: int | None = None) -> Iterator[Item]:
    """Yield the items; stderr shows how many are done, of ``number`` if that is known."""
    console = Console(stderr=True)
    if console.is_terminal:
        yield from track(items, "", number, console=console, transient=True)
        return
    clock = _LineClock()
    for done, item in enumerate(items, start=1):
        yield item
        if clock.is_due():
            console.print(str(done) if number is None else f"{done} of {number}", highlight=False)


@contextmanager
def compiling_progress(number: int) -> Iterator[Callable[[], None]]:
    """Show on stderr how many of ``number`` kernels are compiled; yield a function to call after each.

    Elsewhere than on a terminal a line says so every few seconds.
    """
    console = Console(stderr=True, highlight=False)
    text = "compiling kernels, once after they change"
    if not console.is_terminal:
        console.print(f"{text}: {number} parts")
        done, clock = itertools.count(1), _LineClock()

        def count() -> None:
            compiled = next(done)
            if clock.is_due():
                console.print(f"compiling: {compiled} of {number}")

        yield count
        return
    columns = (TextColumn("{task.description}:"), TextColumn("{task.completed:.0f} of {task.total:.0f}"))
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(text, total=number)
        yield lambda: progress.advance(task)


class CertificateProgress:
    """Prints on stderr how many facts of a certificate are written, a line every few seconds."""

    def __init__(self) -> None:
        self._clock = _LineClock()

    def update(self, facts: int) -> None:
        """Print a line if one is due; ``facts`` are those of the current problem."""
        if facts % 256 == 0 and self._clock.is_due():
            print(f"certificate: {facts} facts", file=sys.stderr, flush=True)


class SearchProgress:
    """Prints on stderr how far the search of one position is, a line every few seconds.

    ``place`` names the position, ``nodes`` returns the number of nodes so far; it was searched for ``seconds`` before.
    """

    def __init__(self, place: str, nodes: Callable[[], int], seconds: float = 0.0) -> None:
        self._place = place
        self._nodes = nodes
        self._clock = _LineClock()
        self._began = time.monotonic() - seconds
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
        if self._clock.is_due():
            searched = f"{time.monotonic() - self._began:.0f} s, {self._nodes() / 1e6:.1f} million nodes"
            print(f"{self._place}: {searched}{self._known}", file=sys.stderr, flush=True)


class _ProgressDisplay:
    """A display on stderr that may be hidden while something else is printed; a context manager."""

    def __init__(self, console: Console, rendered: Callable[[], RenderableType]) -> None:
        self._console = console
        self._what_is_shown = rendered
        self._live: Live | None = None

    def _show(self) -> None:
        self._live = Live(  # a new one: one that was stopped would delete the lines printed meanwhile
            get_renderable=self._what_is_shown, console=self._console, transient=True, refresh_per_second=4,
            redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip
        self._live.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._live is not None:  # a display that never started would print an empty line
            self._live.stop()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Hide the display while something else is printed."""
        if self._live is not None:
            self._live.stop()
        yield
        if self._live is not None:
            self._show()


class AnswerProgress(_ProgressDisplay):
    """Shows how many positions are answered, the rate, and the time left if it is known; a context manager.

    Only if stderr is a terminal and stdout is not: on a terminal the answers themselves show the progress.
    ``number`` returns the number of positions, None if it is not known. The first ``done`` were skipped.
    ``of_files``: answers go to files, and files are counted. ``has_few_answers``: most positions print
    nothing. In both cases it is always shown; elsewhere than on a terminal a line says so every few seconds.
    """

    def __init__(
        self, number: Callable[[], int | None], done: int, *, of_files: bool = False, has_few_answers: bool = False
    ) -> None:
        console = Console(stderr=True)
        is_silent = of_files or has_few_answers
        self._is_wanted = console.is_terminal and (is_silent or not sys.stdout.isatty())
        self._prints_lines = is_silent and not console.is_terminal
        self._clock = _LineClock()
        self._unit = "files" if of_files else "positions"
        self._number = number() if self._is_wanted or is_silent else None
        self._first: tuple[float, int] | None = None
        self._done = done
        self._bar = Progress(BarColumn(), TextColumn("{task.description}"), console=console)
        self._task = self._bar.add_task("", total=self._number)
        super().__init__(console, self._bar.get_renderable)

    def update(self, done: int) -> None:
        """Show how many are done, skipped ones included."""
        self._done = done
        if self._prints_lines and self._clock.is_due():
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


def main_rejection_reasons(counts: Mapping[str, int], most: int = _SHOWN_REASONS) -> list[tuple[str, int]]:
    """Return the ``most`` most frequent rejections with their numbers."""
    rejections = ((name, number) for name, number in counts.items() if is_rejection(name))
    return sorted(rejections, key=lambda one: (-one[1], one[0]))[:most]


def stage_counts(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return how often each stage was reached, in the order of the stages; unknown names come last."""
    order = (*_STAGES, *sorted(name for name in counts if not is_rejection(name) and name not in _STAGES))
    return [(name, counts[name]) for name in order if name in counts]


class RunProgress(_ProgressDisplay):
    """Shows what is looked for, the problems found, their rate and the time left; a context manager.

    On a terminal it is a live display, elsewhere a line every few seconds. ``asked`` says what is looked for. ``found``
    of ``count`` problems were found before this start; ``deadline`` is a time of `time.monotonic`. With ``verbose`` it
    shows the stages of the work and the main rejections too. Call ``update`` after each result.
    """

    def __init__(
        self, count: int, asked: str, voice: Voice, *, found: int = 0, deadline: float | None = None,
        verbose: bool = False,
    ) -> None:  # fmt: skip

        def rendered() -> RenderableType:
            state = Table.grid(padding=(0, 1))
            bar = ProgressBar(max(self._count, 1), self._found, width=_BAR_WIDTH)
            state.add_row(bar, Text(self._state()))
            lines: list[RenderableType] = [Text(self._asked), state]
            if self._verbose:
                lines += [self._stage_table(), Text(self._reasons())]
            return Group(*lines)

        super().__init__(Console(stderr=True), rendered)
        self._count = count
        self._asked = asked
        self._voice = voice
        self._found = self._found_before = found
        self._deadline = deadline
        self._verbose = verbose
        self._started = time.monotonic()
        self._clock = _LineClock()
        self._has_printed = False
        self._before: Mapping[str, int] | None = None
        self._counts: Mapping[str, int] = {}
        self._seconds: Mapping[str, float] = {}

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._show()
        return self

    def update(self, found: int, counts: Mapping[str, int], seconds: Mapping[str, float]) -> None:
        """Show how far the run is."""
        self._before = counts if self._before is None else self._before
        self._found, self._counts, self._seconds = found, counts, seconds
        if self._console.is_terminal or not self._clock.is_due():
            return
        if not self._has_printed:
            self._print(self._asked)
        self._has_printed = True
        self._print(self._state() + (f"; {self._reasons()}" if self._verbose and self._reasons() else ""))

    def report_failure(self, name: str, trace: str) -> None:
        """Print what ended a root, with its traceback if ``verbose``."""
        with self.aside():
            self._print(self._voice("runs.failed_root", name=name))
            if self._verbose:
                self._print(trace.rstrip())

    def _print(self, text: str) -> None:
        self._console.print(text, soft_wrap=True, highlight=False, markup=False)

    def _state(self) -> str:
        """Return how many are found, the rate and the time left, as far as they can be told."""
        voice, new = self._voice, self._found - self._found_before
        spent = max(time.monotonic() - self._started, 0.0)
        parts = [voice("runs.found", found=self._found, count=self._count, spent=duration_text(spent, voice))]
        left = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        if new > 0 and spent >= _SURE:
            a_minute = 60 * new / spent
            name, rate = ("minute", a_minute) if a_minute >= 1 else ("hour", 60 * a_minute)
            parts.append(voice(f"runs.rate_{name}", rate=rate))
            needed = max(self._count - self._found, 0) * spent / new
            if left is None or needed < left:
                parts.append(voice("runs.left", time=duration_text(needed, voice)))
                left = None
        if left is not None:
            parts.append(voice("runs.until_limit", time=duration_text(left, voice)))
        return voice.listed(parts)

    def _reasons(self) -> str:
        voice, reasons = self._voice, main_rejection_reasons(self._counts)
        listed = voice.listed(f"{voice.known(f'reasons.{name}', name)} {number}" for name, number in reasons)
        return f"{voice('runs.rejected')}: {listed}" if reasons else ""

    def _stage_table(self) -> Table:
        """Return the number and rate of each stage, and each part's share of the time."""
        voice = self._voice
        table = Table(box=None, pad_edge=False)
        for heading in ("stages", "number", "a_second"):
            table.add_column(voice(f"runs.{heading}"), justify="left" if heading == "stages" else "right")
        before, spent = self._before or {}, max(time.monotonic() - self._started, 0.001)
        for name in (name for name in _SHOWN_STAGES if name in self._counts):
            number = self._counts[name]
            rate = max(0, number - before.get(name, 0)) / spent
            table.add_row(voice.known(f"stages.{name}", name), str(number), f"{rate:.1f}")
        total = sum(self._seconds.values())
        for name, used in self._seconds.items() if total > 0 else ():
            part = voice("runs.part", name=voice.known(f"stages.{name}", name))
            table.add_row(part, duration_text(used, voice), f"{used / total:.0%}")
        return table


def duration_text(seconds: float, voice: Voice) -> str:
    """Return a time in seconds, minutes or hours."""
    if seconds < 120:
        return voice("common.seconds", number=round(seconds))
    if seconds < 7200:
        return voice("common.minutes", number=round(seconds / 60))
    return voice("common.hours", number=round(seconds / 3600))
