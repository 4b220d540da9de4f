"""A run in progress, new or resumed: the results of its roots go to the store, then to stdout.

Only this process writes. The problems of some roots and the note that these are done are one
transaction. So a run may be killed at any moment and resumed without loss or repetition.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from db.errors import LostConnectionError
from db.run_log import Step
from db.runs import RunState, StoredRun, Totals
from db.store import Store
from generator.acceptance.reasons import KNOWN_AGAIN, Rejection
from generator.problem import Problem
from tsume.progress import RunProgress
from tsume_rules.symmetry import canonical_sfen

if TYPE_CHECKING:
    from generator.run.composer import RootResult

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

    @classmethod
    def of(cls, totals: Totals) -> Tally:
        """The tally of a run's totals so far."""
        counts = Counter({**totals.counters, **totals.rejections})
        return cls(totals.next_root, totals.found, counts, totals.seconds)

    def after(self, result: RootResult) -> Tally:
        """The tally with one more root; its problems are not counted yet."""
        seconds = dict(self.seconds)
        for stage, spent in result.seconds.items():
            seconds[stage] = seconds.get(stage, 0.0) + spent
        counts = self.counts + Counter(result.counts)
        return Tally(result.index + 1, self.found, counts, seconds)

    def with_duplicate(self, *, again: bool) -> Tally:
        """The tally with a problem that was in the store before; ``again``: it is this run's."""
        counts = self.counts + Counter({Rejection.DUPLICATE.value: 1, KNOWN_AGAIN: int(again)})
        return replace(self, counts=counts)

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
        return Totals(self.next_root, self.found, elapsed, counters, rejections, self.seconds)


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
        from generator.run.novelty import Known

        self._known = Known()
        self._known.add(*store.runs.lines(run.id))
        self._distinct = distinct_lines
        self._pass = pass_of_roots
        self._tally = Tally.of(run.totals)
        self._saved = run.totals.next_root
        self._writing = self._saved
        self._saved_at = self._began = time.monotonic()
        self._unsure: tuple[Tally, list[tuple[Problem, int]], Totals] | None = None
        """What was written by a transaction that may not have been committed."""

    @property
    def found(self) -> int:
        """How many problems the run has found, here and before."""
        return self._tally.found

    def go(self, ranges: Generator[list[RootResult]], deadline: float | None) -> RunState:
        """Store and print what the next roots give, some in each transaction; returns how the run ended.

        ``deadline`` is a time of `time.monotonic`. The end is noted in the store, an exception or not.
        """
        progress = RunProgress(self._run.count, self._run.seed, self._tally.found, deadline)
        try:
            with closing(ranges), progress:
                state = self._consume(ranges, deadline, progress)
        except BaseException:
            with suppress(LostConnectionError):  # what was stored is stored; the run can be resumed
                self._finish(RunState.INTERRUPTED)
            raise
        self._finish(state)
        return state

    def _finish(self, state: RunState) -> None:
        totals = self._totals(self._tally)
        self._store.runs.finish(self._run.id, state, self._saved, totals, self._writing)

    def _consume(
        self, ranges: Iterable[list[RootResult]], deadline: float | None, progress: RunProgress
    ) -> RunState:
        if self._tally.is_exhausted(self._pass):
            return RunState.EXHAUSTED
        for results in ranges:
            with progress.aside() if any(result.problems for result in results) else nullcontext():
                self._range(results)
            if self._tally.found >= self._run.count:
                return RunState.COMPLETE
            if self._tally.is_exhausted(self._pass):
                return RunState.EXHAUSTED
            progress.update(self._tally.found, self._tally.counts, self._tally.seconds)
            if deadline is not None and time.monotonic() >= deadline:
                return RunState.STOPPED
        return RunState.STOPPED

    def _range(self, results: Sequence[RootResult]) -> None:
        """Store what consecutive roots gave. Those without problems are noted every few seconds only."""
        saving = time.monotonic() - self._saved_at > _SAVE_SECONDS
        if not saving and not any(result.problems for result in results):
            self._tally = self._after(results, lambda _result, tally: tally)
            return
        new = [self._is_new(problem.keys) for result in results for problem in result.problems]
        self._tally, stored = self._written(results, new)
        self._saved, self._saved_at = self._tally.next_root, time.monotonic()
        for problem, number in stored:
            self._show(problem, number)

    def _after(self, results: Iterable[RootResult], look: Callable[[RootResult, Tally], Tally]) -> Tally:
        """The tally after roots, with what ``look`` makes of each; the last is the one that ends the run."""
        tally = self._tally
        for result in results:
            tally = look(result, tally.after(result)).since(tally)
            if tally.found >= self._run.count or tally.is_exhausted(self._pass):
                break
        return tally

    def _written(
        self, results: Sequence[RootResult], new: Sequence[bool]
    ) -> tuple[Tally, list[tuple[Problem, int]]]:
        """Write what roots gave in one transaction, again if the connection is lost before its end."""
        self._unsure = None

        def write() -> tuple[Tally, list[tuple[Problem, int]]]:
            if self._unsure is not None:
                tally, stored, totals = self._unsure
                run = self._store.runs.get(self._run.id)
                if run is not None and _are_same(run.totals, totals):  # it was committed
                    return tally, stored
            return self._write(results, new)

        return self._store.persist(write)

    def _write(
        self, results: Sequence[RootResult], new: Sequence[bool]
    ) -> tuple[Tally, list[tuple[Problem, int]]]:
        """Store the problems that are ``new`` to the run, as many as are still wanted.

        Returns the tally with them, and them with their ids.
        """
        with self._store.runs.step(self._run.id, self._saved) as step:
            choice = _Choice(step, results, new, self._run.count, distinct=self._distinct)
            tally = self._after(results, choice.of)
            self._writing = tally.next_root  # if the store has this at the end, we wrote it
            stored = choice.store()
            totals = self._totals(tally)
            step.set_totals(totals)
            self._unsure = tally, stored, totals
        return tally, stored

    def _is_new(self, keys: tuple[int, ...]) -> bool:
        """Whether a problem's keys are new to the run.

        They are known from now on, also if the problem turns out to be in the store: a resumed
        run reads them back, and must decide the same.
        """
        is_new = not any(map(self._known.has, keys))
        for key in keys:
            self._known.add_one(0, key)
        return is_new

    def _totals(self, tally: Tally) -> Totals:
        return tally.totals(self._run.totals.elapsed + time.monotonic() - self._began)


def _are_same(stored: Totals, written: Totals) -> bool:
    """Whether the stored totals are those that this process wrote: no other has spent the same time."""
    return (stored.next_root, stored.elapsed) == (written.next_root, written.elapsed)


class _Choice:
    """Which problems of some roots are stored; all are looked up at once, and written at once."""

    def __init__(
        self, step: Step, results: Sequence[RootResult], new: Iterable[bool], count: int, *, distinct: bool
    ) -> None:
        problems = [problem for result in results for problem in result.problems]
        self._step = step
        self._new = iter(new)
        self._count = count
        self._distinct = distinct
        self._stored = step.stored(problems)
        self._lines: list[tuple[int, int]] = []
        self._chosen: list[Problem] = []

    def of(self, result: RootResult, tally: Tally) -> Tally:
        """The tally with the problems of a root, as many as are still wanted."""
        for problem, is_new in zip(result.problems, self._new, strict=False):
            if tally.found >= self._count:
                break
            if self._distinct and not is_new:
                tally = tally.with_rejection(Rejection.SAME_LINE)
                continue
            self._lines += [(result.index, key) for key in problem.keys]
            canonical = canonical_sfen(problem.position)
            if canonical in self._stored:
                tally = tally.with_duplicate(again=not is_new)
                continue
            self._stored.add(canonical)
            self._chosen.append(problem)
            tally = replace(tally, found=tally.found + 1)
        return tally

    def store(self) -> list[tuple[Problem, int]]:
        """Store those that were chosen, and what the roots found; returns them with their ids."""
        numbers = self._step.add(self._chosen)
        self._step.add_lines(self._lines)
        return list(zip(self._chosen, numbers, strict=True))
