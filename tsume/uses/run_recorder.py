# SPDX-License-Identifier: GPL-3.0-or-later
"""Storing what a run composes, new or resumed: problems go to the store, then to the caller.

Only this process writes. The problems of some roots and the note that these are done are one
transaction, so a run may be killed at any moment and resumed without loss or repetition.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from db.errors import LostConnectionError
from db.runs import RunState, RunStep, StoredRun, Totals
from db.store import Store
from generator.acceptance.reasons import KNOWN_AGAIN, Rejection, failure_of, is_rejection
from generator.problem import Problem
from tsume.progress import RunProgress
from tsume_rules.sfen import canonical_sfen

if TYPE_CHECKING:
    from generator.constraints.options import ComposingOptions
    from generator.run.composer import RootResult

OnStored = Callable[[Problem, int], None]
"""Called with each problem once it is stored, and with its id."""
_Stored = list[tuple[Problem, int]]

_SAVE_SECONDS = 5.0
_KNOWN_ENOUGH = 1000
"""If this many finds in succession were known before, less than 0.5% of all finds are new (at 99%)."""
_IDLE_ROOTS, _IDLE_KNOWN = "roots since the last problem", "known since the last problem"
"""Counters stored with the run, so that a resumed one is exhausted where it would have been."""


@dataclass(frozen=True)
class RunStatistics:
    """The statistics of the roots before ``next_root``: rejections and stages counted by name."""

    next_root: int
    found: int
    counts: Counter[str]
    seconds: Mapping[str, float]

    @classmethod
    def of(cls, totals: Totals) -> RunStatistics:
        """Return the statistics of a stored run."""
        counts = Counter({**totals.counters, **totals.rejections})
        return cls(totals.next_root, totals.found, counts, totals.seconds)

    def after(self, result: RootResult) -> RunStatistics:
        """With one more root, whose problems are not counted yet."""
        seconds = dict(self.seconds)
        for stage, spent in result.seconds.items():
            seconds[stage] = seconds.get(stage, 0.0) + spent
        return RunStatistics(result.index + 1, self.found, self.counts + Counter(result.counts), seconds)

    def counted(self, numbers: Mapping[str, int]) -> RunStatistics:
        """With more counted under some names."""
        return replace(self, counts=self.counts + Counter(numbers))

    def since(self, before: RunStatistics) -> RunStatistics:
        """With one more root than ``before`` in the row of those without a new problem, if it has none."""
        counts = self.counts.copy()
        if self.found > before.found:
            del counts[_IDLE_ROOTS], counts[_IDLE_KNOWN]
        else:
            counts[_IDLE_ROOTS] += 1
            counts[_IDLE_KNOWN] += self.counts[KNOWN_AGAIN] - before.counts[KNOWN_AGAIN]
        return replace(self, counts=counts)

    def is_exhausted(self, pass_of_roots: int | None) -> bool:
        """Return whether new problems are no longer to be expected."""
        is_passed = pass_of_roots is not None and self.counts[_IDLE_ROOTS] >= pass_of_roots
        return is_passed or self.counts[_IDLE_KNOWN] >= _KNOWN_ENOUGH

    def totals(self, elapsed: float) -> Totals:
        """Return the totals as the store keeps them."""
        counters = {name: number for name, number in self.counts.items() if not is_rejection(name)}
        rejections = {name: number for name, number in self.counts.items() if is_rejection(name)}
        return Totals(self.next_root, self.found, elapsed, counters, rejections, self.seconds)


class RunRecorder:
    """Records the results of a stored run from its next root on."""

    def __init__(
        self,
        store: Store,
        run: StoredRun,
        on_stored: OnStored,
        options: ComposingOptions,
        progress: RunProgress,
    ) -> None:
        self._store = store
        self._progress = progress
        self._run = run
        self._on_stored = on_stored
        self._distinct = options.wishes.distinct_lines
        self._pass = options.pass_of_roots
        self._statistics = RunStatistics.of(run.totals)
        self._saved = run.totals.next_root
        self._writing = self._saved
        self._saved_at = self._began = time.monotonic()
        self._uncommitted: tuple[RunStatistics, _Stored, Totals] | None = None
        """What was written by a transaction that may not have been committed."""

    @property
    def found(self) -> int:
        """How many problems the run has found, here and before."""
        return self._statistics.found

    def record(self, ranges: Generator[list[RootResult]], deadline: float | None) -> RunState:
        """Store what the next roots give, some in each transaction; returns how the run ended.

        ``deadline`` is a time of `time.monotonic`. The end is noted in the store, also after an exception. An
        interrupt after the last problem changes nothing; before, what was found by then is stored and passed
        on.
        """
        try:
            with closing(ranges), self._progress:
                try:
                    state = self._record_ranges(ranges, deadline)
                except KeyboardInterrupt as interrupt:
                    # Record what was found when an interrupt came: a step that was just committed, and what
                    # is ready.
                    if (committed := self._committed()) is not None:
                        self._take_step(*committed)
                    elif self._uncommitted is None and self.found < self._run.count:
                        with suppress(StopIteration, KeyboardInterrupt):
                            self._record_range(ranges.throw(interrupt))
                    if self.found < self._run.count:
                        raise
                    state = RunState.COMPLETE
        except BaseException:
            with suppress(LostConnectionError):  # what was stored is stored; the run can be resumed
                self._finish(RunState.COMPLETE if self.found >= self._run.count else RunState.INTERRUPTED)
            raise
        self._finish(state)
        return state

    def _finish(self, state: RunState) -> None:
        totals = self._totals(self._statistics)
        self._store.runs.finish(self._run.id, state, self._saved, totals, self._writing)

    def _record_ranges(self, ranges: Iterable[list[RootResult]], deadline: float | None) -> RunState:
        if self._statistics.is_exhausted(self._pass):
            return RunState.EXHAUSTED
        for results in ranges:
            self._record_range(results)
            if self.found >= self._run.count:
                return RunState.COMPLETE
            if self._statistics.is_exhausted(self._pass):
                return RunState.EXHAUSTED
            self._progress.update(self.found, self._statistics.counts, self._statistics.seconds)
            if deadline is not None and time.monotonic() >= deadline:
                return RunState.STOPPED
        return RunState.STOPPED

    def _record_range(self, results: Sequence[RootResult]) -> None:
        """Store what consecutive roots gave. Those without problems are noted every few seconds only."""
        for result in results:
            if result.failure:
                self._progress.report_failure(failure_of(result.counts), result.failure)
        saving = time.monotonic() - self._saved_at > _SAVE_SECONDS
        if not saving and not any(result.problems for result in results):
            self._statistics = self._after(results, lambda _result, statistics: statistics)
            return
        self._uncommitted = None  # again if the connection is lost before the end of the transaction
        self._take_step(*self._store.persist(lambda: self._committed() or self._store_once(results)))

    def _take_step(self, statistics: RunStatistics, stored: _Stored) -> None:
        """Note a step that was committed, and pass its problems on."""
        self._uncommitted = None
        self._statistics = statistics
        self._saved, self._saved_at = statistics.next_root, time.monotonic()
        with self._progress.aside() if stored else nullcontext():
            for problem, number in stored:
                self._on_stored(problem, number)

    def _after(
        self, results: Iterable[RootResult], count: Callable[[RootResult, RunStatistics], RunStatistics]
    ) -> RunStatistics:
        """The statistics after roots, up to the one that ends the run; ``count`` adds their problems."""
        statistics = self._statistics
        for result in results:
            statistics = count(result, statistics.after(result)).since(statistics)
            if statistics.found >= self._run.count or statistics.is_exhausted(self._pass):
                break
        return statistics

    def _committed(self) -> tuple[RunStatistics, _Stored] | None:
        """What a transaction gave that ended by an exception after it was committed; None if it was not."""
        if self._uncommitted is None:
            return None
        statistics, stored, totals = self._uncommitted
        run = self._store.runs.get(self._run.id)
        if run is None:
            return None
        # No other process has spent the same time.
        written = (totals.next_root, totals.elapsed)
        return (statistics, stored) if (run.totals.next_root, run.totals.elapsed) == written else None

    def _store_once(self, results: Sequence[RootResult]) -> tuple[RunStatistics, _Stored]:
        """Store the problems that are new, as many as the run lacks.

        Returns the statistics with them, and them with their ids.
        """
        with self._store.runs.advancing(self._run.id, self._saved) as step:
            selection = _StoredSelection(step, results, self._run.count, distinct=self._distinct)
            statistics = self._after(results, selection.count)
            self._writing = statistics.next_root  # if the store has this at the end, this process wrote it
            stored = selection.store()
            totals = self._totals(statistics)
            step.set_totals(totals)
            self._uncommitted = statistics, stored, totals
        return statistics, stored

    def _totals(self, statistics: RunStatistics) -> Totals:
        return statistics.totals(self._run.totals.elapsed + time.monotonic() - self._began)


class _StoredSelection:
    """Which problems of some roots are stored; all are looked up at once, and written at once."""

    def __init__(self, step: RunStep, results: Sequence[RootResult], most: int, *, distinct: bool) -> None:
        problems = [problem for result in results for problem in result.problems]
        self._step = step
        self._most = most
        self._distinct = distinct
        self._in_store = step.stored_sfens(problems)
        self._lines: list[tuple[int, int]] = []
        self._selected: list[Problem] = []

    def count(self, result: RootResult, statistics: RunStatistics) -> RunStatistics:
        """Select from the problems of a root as many as the run lacks, and count all of them."""
        for place, problem in enumerate(result.problems):
            if statistics.found >= self._most:
                break
            is_new = place not in result.repeated
            if self._distinct and not is_new:
                statistics = statistics.counted({Rejection.SAME_LINE.value: 1})
                continue
            self._lines += [(result.index, key) for key in problem.keys]
            canonical = canonical_sfen(problem.position)
            if canonical in self._in_store:
                numbers = {Rejection.DUPLICATE.value: 1, KNOWN_AGAIN: int(not is_new)}
                statistics = statistics.counted(numbers)
                continue
            self._in_store.add(canonical)
            self._selected.append(problem)
            statistics = replace(statistics, found=statistics.found + 1)
        return statistics

    def store(self) -> _Stored:
        """Store the selected problems and the keys of the lines; returns them with their ids."""
        numbers = self._step.add(self._selected)
        self._step.add_lines(self._lines)
        return list(zip(self._selected, numbers, strict=True))
