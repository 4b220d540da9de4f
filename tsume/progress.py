"""Live progress of a run on stderr: a display on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Self, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, track

Item = TypeVar("Item")
_LINE_SECONDS = 10.0
_COUNTERS = {"roots", "candidates", "defences", "finalists", "problems"}
_SHOWN_REASONS = 3


def counted(items: Iterable[Item], number: int) -> Iterator[Item]:
    """The items, with how many of ``number`` have passed shown on stderr."""
    console = Console(stderr=True)
    if console.is_terminal:
        yield from track(items, "", number, console=console, transient=True)
        return
    printed = time.monotonic()
    for done, item in enumerate(items, start=1):
        yield item
        if time.monotonic() - printed >= _LINE_SECONDS:
            printed = time.monotonic()
            console.print(f"{done} of {number}", highlight=False)


class RunProgress:
    """Shows candidates, problems found, their rate, the main rejections and the time left.

    A context manager; ``update`` after each result.
    """

    def __init__(self, count: int, time_limit: float | None, seed: int) -> None:
        self._console = Console(stderr=True)
        self._count = count
        self._time_limit = time_limit
        self._started = self._printed = time.monotonic()
        self._bar = Progress(
            TextColumn("seed {task.fields[seed]}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[state]}"),
            console=self._console,
            transient=True,
        )
        self._task = self._bar.add_task("", total=count, seed=seed, state="compiling")

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._console.is_terminal:  # elsewhere it would print an empty line
            self._bar.stop()

    def update(self, found: int, counts: Mapping[str, int]) -> None:
        """Show how far the run is."""
        state = self._state(found, counts)
        if self._console.is_terminal:
            self._bar.update(self._task, completed=found, state=state)
        elif time.monotonic() - self._printed >= _LINE_SECONDS:
            self._printed = time.monotonic()
            self._console.print(f"{found} of {self._count} found; {state}", soft_wrap=True, highlight=False)

    def _state(self, found: int, counts: Mapping[str, int]) -> str:
        spent = max(time.monotonic() - self._started, 0.001)
        rejections = sorted(
            ((number, name) for name, number in counts.items() if name not in _COUNTERS), reverse=True
        )
        reasons = ", ".join(f"{name} {number}" for number, name in rejections[:_SHOWN_REASONS])
        return (
            f"{counts.get('candidates', 0)} candidates, {60 * found / spent:.1f} found a minute, "
            f"{self._left(found, spent)} left; {reasons}"
        )

    def _left(self, found: int, spent: float) -> str:
        by_rate = (self._count - found) * spent / found if found else None
        by_limit = None if self._time_limit is None else max(0.0, self._time_limit - spent)
        known = [seconds for seconds in (by_rate, by_limit) if seconds is not None]
        return f"{min(known):.0f} s" if known else "unknown time"
