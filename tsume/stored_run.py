"""A run in progress, new or resumed: the results of its roots go to the store, then to stdout.

Only this process writes. A root's problems and the note that the root is done are one
transaction. So a run may be killed at any moment and resumed without loss or repetition.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from db.run_log import Step
from db.runs import RunState, StoredRun, Totals
from db.store import Store
from generator.problem import Problem
from generator.reasons import KNOWN_AGAIN, Rejection
from tsume.progress import RunProgress

if TYPE_CHECKING:
    from generator.compose import RootResult

Print = Callable[[Problem, int], None]
"""Prints a problem, given with the id under which it is stored."""

_SAVE_SECONDS = 5.0
_KNOWN_ENOUGH = 1000
"""If so many of a run's finds, one after the other, were known before, less than 0.5% are not (at 99%)."""
_IDLE_ROOTS, _IDLE_KNOWN = "roots since the last problem", "known since the last problem"
"""Counters kept with the run, so that a resumed one is exhausted where it would have been."""
_REASONS = frozenset(reason.value for reason in Rejection)


@dataclass(frozen=True)
class Tally:
    """What the roots before ``next_root`` gave. ``counts`` holds rejections and stages, each by name."""

    next_root: int
    found: int
    counts: Counter[str]
    seconds: Mapping[str, float]
    other_lines: tuple[tuple[int, str], ...] = ()

    @classmethod
    def of(cls, totals: Totals) -> Tally:
        """The tally of a run's totals so far."""
        counts = Counter({**totals.counters, **totals.rejections})
        return cls(totals.next_root, totals.found, counts, totals.seconds, totals.other_lines)

    def after(self, result: RootResult) -> Tally:
        """The tally with one more root; its problems are not counted yet."""
        seconds = dict(self.seconds)
        for stage, spent in result.seconds.items():
            seconds[stage] = seconds.get(stage, 0.0) + spent
        counts = self.counts + Counter(result.counts)
        return Tally(result.index + 1, self.found, counts, seconds, self.other_lines)

    def with_duplicate(self, root: int, keys: tuple[str, ...], *, again: bool) -> Tally:
        """The tally with a problem that was in the store before; ``again``: it is this run's."""
        known = tuple((root, key) for key in keys)
        counts = self.counts + Counter({Rejection.DUPLICATE.value: 1, KNOWN_AGAIN: int(again)})
        return replace(self, counts=counts, other_lines=(*self.other_lines, *known))

    def with_rejection(self, reason: Rejection) -> Tally:
        """The tally with one more problem rejected."""
        return replace(self, counts=self.counts + Counter({reason.value: 1}))

    def since(self, before: Tally) -> Tally:
        """The tally with one more root than ``before`` among those that gave nothing new, unless it did."""
        counts = self.counts.copy()
        if self.found > before.found:
            del counts[_IDLE_ROOTS], counts[_IDLE_KNOWN]
        else:
            counts[_IDLE_ROOTS] += 1
            counts[_IDLE_KNOWN] += self.counts[KNOWN_AGAIN] - before.counts[KNOWN_AGAIN]
        return replace(self, counts=counts)

    def is_exhausted(self, pass_of_roots: int | None) -> bool:
        """Whether there is no hope of anything new."""
        is_passed = pass_of_roots is not None and self.counts[_IDLE_ROOTS] >= pass_of_roots
        return is_passed or self.counts[_IDLE_KNOWN] >= _KNOWN_ENOUGH

    def totals(self, elapsed: float) -> Totals:
        """The totals as the store keeps them."""
        counters = {name: number for name, number in self.counts.items() if name not in _REASONS}
        rejections = {name: number for name, number in self.counts.items() if name in _REASONS}
        return Totals(
            self.next_root, self.found, elapsed, counters, rejections, self.seconds, self.other_lines
        )


class Composing:
    """Continues a run of the store from where it stands."""

    def __init__(
        self,
        store: Store,
        run: StoredRun,
        show: Print,
        *,
        distinct_lines: bool = False,
        pass_of_roots: int | None = None,
    ) -> None:
        """After a ``pass_of_roots`` that gave nothing new the run is exhausted."""
        self._store = store
        self._run = run
        self._show = show
        self._keys = {key for _, key in store.runs.lines(run.id)}
        self._distinct = distinct_lines
        self._pass = pass_of_roots
        self._tally = Tally.of(run.totals)
        self._saved = run.totals.next_root
        self._writing = self._saved
        self._saved_at = self._began = time.monotonic()

    def go(self, results: Generator[RootResult], deadline: float | None) -> RunState:
        """Store and print the results of the next roots; returns how the run ended.

        ``deadline`` is a time of `time.monotonic`. The end is noted in the store, an exception or not.
        """
        state = RunState.INTERRUPTED
        progress = RunProgress(self._run.count, self._run.seed, self._tally.found, deadline)
        try:
            with closing(results), progress:
                state = self._consume(results, deadline, progress)
            return state
        finally:
            self._store.runs.finish(
                self._run.id, state, self._saved, self._totals(self._tally), self._writing
            )

    def _consume(
        self, results: Iterable[RootResult], deadline: float | None, progress: RunProgress
    ) -> RunState:
        if self._tally.is_exhausted(self._pass):
            return RunState.EXHAUSTED
        for result in results:
            with progress.aside() if result.problems else nullcontext():
                self._root(result)
            if self._tally.found >= self._run.count:
                return RunState.COMPLETE
            if self._tally.is_exhausted(self._pass):
                return RunState.EXHAUSTED
            progress.update(self._tally.found, self._tally.counts, self._tally.seconds)
            if deadline is not None and time.monotonic() >= deadline:
                return RunState.STOPPED
        return RunState.STOPPED

    def _root(self, result: RootResult) -> None:
        """Store what a root gave. Roots without problems are noted every few seconds only."""
        tally = self._tally.after(result)
        stored: list[tuple[Problem, int]] = []
        noted = bool(result.problems) or time.monotonic() - self._saved_at > _SAVE_SECONDS
        if not noted:
            tally = tally.since(self._tally)
        else:
            with self._store.runs.step(self._run.id, self._saved) as step:
                self._writing = tally.next_root  # if the store has this at the end, we wrote it
                tally = self._stored(step, result, tally, stored).since(self._tally)
                step.set_totals(self._totals(tally))
        self._tally = tally
        if noted:
            self._saved, self._saved_at = tally.next_root, time.monotonic()
        for problem, number in stored:
            self._show(problem, number)

    def _stored(
        self, step: Step, result: RootResult, tally: Tally, stored: list[tuple[Problem, int]]
    ) -> Tally:
        """Store the new problems, as many as are still wanted; returns the tally with them."""
        new = [self._is_new(problem.keys) for problem in result.problems]
        wanted = [
            problem
            for problem, is_new in zip(result.problems, new, strict=True)
            if is_new or not self._distinct
        ]
        numbers = iter(step.add(wanted, self._run.count - tally.found))
        for problem, is_new in zip(result.problems, new, strict=True):
            if tally.found >= self._run.count:
                break
            if self._distinct and not is_new:
                tally = tally.with_rejection(Rejection.SAME_LINE)
                continue
            number = next(numbers)
            if number is None:
                tally = tally.with_duplicate(result.index, problem.keys, again=not is_new)
                continue
            tally = replace(tally, found=tally.found + 1)
            stored.append((problem, number))
        return tally

    def _is_new(self, keys: tuple[str, ...]) -> bool:
        """Whether a problem's keys are new to the run.

        They are known from now on, also if the problem turns out to be in the store: a resumed
        run reads them back, and must decide the same.
        """
        is_new = self._keys.isdisjoint(keys)
        self._keys.update(keys)
        return is_new

    def _totals(self, tally: Tally) -> Totals:
        return tally.totals(self._run.totals.elapsed + time.monotonic() - self._began)
