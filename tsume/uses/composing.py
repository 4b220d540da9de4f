# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing, with a store and without: the only path from options to problems.

Commands, the library and the board translate what they are given into options, and problems into what they
print. Only this module and `tsume.uses.composing` run the generator.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from db.errors import LostConnectionError
from db.runs import RunState, RunTotals, RunTransaction, StoredRun
from db.store import Store
from generator.acceptance import KNOWN_AGAIN, Rejection, failure_of, is_rejection
from generator.constraints.line_pattern import ConstraintError
from generator.constraints.options import LONG, REPEATED_MOTIF, SAMPLED, ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem
from generator.theme_names import ThemeDetailError, is_figure, read_figure, split_themes
from solver.results import Grade, Limits, Mate, NoMate, Reason, scores_of_stars
from tsume import __version__
from tsume.collection import collection_keys, cores_of_long_works
from tsume.progress import RunProgress
from tsume.uses.checking import proofread
from tsume.uses.engines import df_pn_of_size
from tsume_rules.position import Position, Square
from tsume_rules.sfen import canonical_sfen, format_sfen, parse_sfen

if TYPE_CHECKING:
    from generator.run.composer import RootResult
    from generator.run.roots import PoolFactory, Relaxation


# --- storing what a run composes, new or resumed: problems go to the store, then to the caller -----
#
# Only this process writes. The problems of some roots and the note that these are done are one
# transaction, so a run may be killed at any moment and resumed without loss or repetition.

OnStored = Callable[[Problem, int], None]
"""Called with each problem once it is stored, and with its id."""
_Stored = list[tuple[Problem, int]]

_SAVE_SECONDS = 5.0
_ALONE_SECONDS = 5.0
"""How long this process composes before it starts others, which take two or three seconds to load."""
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
    def of(cls, totals: RunTotals) -> RunStatistics:
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

    def totals(self, elapsed: float) -> RunTotals:
        """Return the totals as the store keeps them."""
        counters = {name: number for name, number in self.counts.items() if not is_rejection(name)}
        rejections = {name: number for name, number in self.counts.items() if is_rejection(name)}
        return RunTotals(self.next_root, self.found, elapsed, counters, rejections, self.seconds)


class RunRecorder:
    """Records the results of a stored run from its next root on."""

    def __init__(
        self, store: Store, run: StoredRun, on_stored: OnStored, options: ComposingOptions, progress: RunProgress
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
        self._uncommitted: tuple[RunStatistics, _Stored, RunTotals] | None = None
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

    def _totals(self, statistics: RunStatistics) -> RunTotals:
        return statistics.totals(self._run.totals.elapsed + time.monotonic() - self._began)


class _StoredSelection:
    """Which problems of some roots are stored; all are looked up at once, and written at once."""

    def __init__(self, step: RunTransaction, results: Sequence[RootResult], most: int, *, distinct: bool) -> None:
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


# ---------------------------------------------------------------------------------------------------

START_LENGTHS = f"{SAMPLED[0]} to {SAMPLED[-1]} moves"
"""The lengths of problems composed around given pieces."""


# --- options ------------------------------------------------------------------------------


def generator_table_bits(memory: int) -> int:
    """The size of a composer's table, as `ComposingOptions` has it, if its process may use ``memory`` MB."""
    from solver.engines.dfpn.memory import table_bits_within
    from solver.scoring.difficulty import SCORER_BYTES

    return table_bits_within((memory << 20) - SCORER_BYTES)


class GivenPositionError(ValueError):
    """A given position cannot be used. ``name`` is ``final`` or ``start``, the message says why."""

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(fault)
        self.name = name


def composing_options(
    moves: int,
    wishes: ProblemConstraints,
    table_bits: int,
    *,
    natural: bool = True,
    refined: bool = False,
    sound: bool = False,
    starts: tuple[str, ...] = (),
    final: str | None = None,
    exact: bool = False,
    start: str | None = None,
    keep: frozenset[Square] = frozenset(),
    kind: type[ComposingOptions] = ComposingOptions,
) -> ComposingOptions:
    """Return the options of the generator for problems of ``moves`` plies under constraints.

    Problems extend one of ``starts``, natural long ones by default one of the collection; or they end in ``final``,
    with ``exact`` without any other piece; or they have the pieces of ``start``, or only those on the squares to
    ``keep``, seen as the SFEN is given.
    Raises `GivenPositionError` for a position that is not mated, and for pieces that no problem can have.
    """
    drawn = wishes.draws_picture or wishes.end_pieces is not None or REPEATED_MOTIF in wishes.themes
    if natural and moves >= LONG and not (refined or starts or final or start or drawn):
        starts = cores_of_long_works()
    given: dict[str, Any] = {"starts": starts} if starts else {}
    try:
        if final is not None:
            from generator.constraints.position import parse_final_position

            parse_final_position(final)
            given = {"final": final, "exact": exact}
        elif start is not None:
            from generator.constraints.position import fault_of_given_start

            parsed = parse_sfen(start)
            position = parsed.position
            occupied = frozenset(square for square, piece in enumerate(position.board) if piece is not None)
            kept = parsed.seen_by_attacker(keep) or occupied
            if (fault := fault_of_given_start(position, kept, wishes)) is not None:
                raise ValueError(fault)
            given = {"around": format_sfen(position), "fixed": tuple(sorted(kept))}
    except ValueError as error:
        raise GivenPositionError("start" if final is None else "final", str(error)) from None
    return kind.of(
        moves,
        wishes=wishes,
        style=Style.REFINED if refined else Style.NATURAL if natural else Style.FREE,
        grade=Grade.SOUND if sound else Grade.PERFECT,
        table_bits=table_bits,
        **given,
    )


# --- problems -----------------------------------------------------------------------------


def compose(
    options: ComposingOptions,
    seed: int,
    count: int,
    seconds: float | None = None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[list[Problem]]:
    """Compose ``count`` problems without a store: yields the new problems of each root, mostly none.

    Problems of the collection are none of them.
    Stops after ``seconds``, or once the given input is exhausted. ``check`` is called every few milliseconds;
    what it raises ends the search.
    """
    from generator.run.composer import Composer
    from generator.run.novelty import FoundKeys, SeenPositions
    from generator.run.roots import compose_until

    end = math.inf if seconds is None else time.monotonic() + seconds
    positions = SeenPositions()
    most_idle = options.pass_of_roots or math.inf
    found = idle = 0
    finds = FoundKeys(excluded=_excluded_keys(options))
    for root in compose_until(Composer(seed, options, __version__, proofread), end, check, finds):
        distinct = options.has_distinct_lines
        new = [
            problem
            for place, problem in enumerate(root.problems)
            if positions.add(problem.position) and not (distinct and place in root.repeated)
        ][: count - found]
        idle = 0 if new else idle + 1
        found += len(new)
        yield new
        if found == count or idle >= most_idle:
            return


def compose_into_store(
    store: Store,
    run: StoredRun,
    options: ComposingOptions,
    on_stored: OnStored,
    progress: RunProgress,
    *,
    jobs: int = 1,
    pool: PoolFactory | None = None,
    deadline: float | None = None,
) -> tuple[RunState, int]:
    """Compose the problems that a run lacks; returns how it ended, and how many problems it has found.

    Problems of the collection are none of them.
    Works in ``jobs`` processes of this machine, or in the ``pool``, until ``deadline`` (by `time.monotonic`).
    Raises `generator.run.processes.WorkerLostError`, `generator.acceptance.RootsFailedError`, and
    `db.errors.StoreError` if the store fails.
    """
    from generator.run.novelty import FoundKeys
    from generator.run.roots import RunJob, compose_root_ranges, local_pool

    alone = 0.0
    if pool is None and (jobs > 1 or deadline is not None):
        pool, alone = local_pool(jobs), _ALONE_SECONDS
    recorder = RunRecorder(store, run, on_stored, options, progress)
    job = RunJob(run.seed, options, __version__, proofread)
    finds = FoundKeys(*store.runs.lines(run.id), excluded=_excluded_keys(options))
    results = compose_root_ranges(job, pool, run.totals.next_root, deadline, finds, alone)
    return recorder.record(results, deadline), recorder.found


def _excluded_keys(options: ComposingOptions) -> Set[int]:
    """Return the keys of the collection; those of free problems are others, so that none could be equal."""
    return collection_keys() if options.is_natural else frozenset()


def nearest_problems(options: ComposingOptions, seed: int, seconds: float) -> Iterator[tuple[Relaxation, Problem]]:
    """Return what is found within ``seconds`` if one constraint is relaxed, each as soon as it is found."""
    from generator.run.roots import problems_of_relaxations

    return problems_of_relaxations(options, seed, __version__, seconds, proofread)


def composed_fields(problem: Problem) -> dict[str, Any]:
    """Return a composed problem as data for JSON."""
    made = problem.provenance
    assert made is not None
    return {
        "sfen": format_sfen(problem.position),
        "length": problem.length,
        "line": [move.usi for move in problem.line],
        "score": problem.difficulty.score,
        **problem.difficulty.scale_fields(problem.length),
        "themes": sorted(problem.themes),
        "quality": problem.quality,
        "grade": problem.grade.value if problem.grade else None,
        "blemishes": problem.blemishes.blemish_names,
        "seed": made.seed,
        "index": made.index,
    }


# --- whether any problem can meet a set of constraints ---------------------------------------------


_ANY_LENGTH = 99
"""Problems of which length contradict the fewest constraints, for those of any length."""


class ContradictionError(ValueError):
    """No problem can meet all constraints."""


def checked_constraints(wishes: ProblemConstraints, moves: int | None) -> ProblemConstraints:
    """Return the constraints on problems of ``moves`` moves, or of any length; a picture with a name is a theme too.

    ``themes`` may ask for pieces and numbers (`generator.theme_names`), which are split off. Raises
    `ContradictionError` if no problem can meet them, as far as that is known without a search, and
    `generator.constraints.line_pattern.ConstraintError` for one that cannot be read.
    """
    try:
        tags, details = split_themes((*wishes.themes, *wishes.theme_details))
    except ThemeDetailError as error:
        raise ConstraintError(str(error)) from None
    wishes = replace(wishes, themes=tags, theme_details=details)
    if wishes.picture is not None and is_figure(wishes.picture):
        try:
            wishes = replace(wishes, picture=read_figure(wishes.picture))
        except ValueError as error:
            raise ConstraintError(f"picture: {error}") from None
    elif wishes.picture is not None:
        wishes = replace(wishes, themes=tuple(dict.fromkeys((*wishes.themes, "picture"))))
    length = moves or wishes.length or _ANY_LENGTH
    fault = wishes.contradiction(length) or _contradiction_of_stars(wishes)
    if fault is not None:
        raise ContradictionError(f"the conditions contradict each other: {fault}")
    return wishes


def _contradiction_of_stars(wishes: ProblemConstraints) -> str | None:
    if wishes.stars is None or (wishes.min_score is None and wishes.max_score is None):
        return None
    low, high = scores_of_stars(wishes.stars)
    too_high = wishes.min_score is not None and wishes.min_score >= high
    if too_high or (wishes.max_score is not None and wishes.max_score < low):
        return f"{wishes.stars} stars need a score from {low:g} to {high:g}"
    return None


# --- whether a problem can be extended to a longer one ---------------------------------------------

_NODES = 1_000_000
"""Limit of the search of one position; not in seconds, so that a file always gives the same starts."""


class ExtensionCheck:
    """Checks problems that are to be extended to ``moves`` moves under constraints, with one engine."""

    def __init__(self, moves: int, wishes: ProblemConstraints, table_bits: int) -> None:
        self._moves = moves
        self._wishes = wishes
        self._engine = df_pn_of_size(table_bits)

    def fault(self, position: Position) -> str:
        """Return why a problem cannot be extended; empty if it can. Its start is legal."""
        from generator.reverse.seeds import given_problem
        from solver.solving.deepening import search_length
        from tsume_rules.packed import pack

        if self._moves < 3:  # no mate is shorter
            return self._too_long()
        if not self._wishes.allow_kinds(position):
            return "it has a kind of piece that the conditions exclude"
        self._engine.forget()
        limits = Limits(nodes=_NODES, max_length=self._moves - 2)
        result = search_length(self._engine, pack(position), limits)
        self._engine.forget()
        if isinstance(result, NoMate):
            return "no mate"
        if isinstance(result, Mate):
            if result.length >= self._moves:
                return self._too_long()
            return given_problem(self._engine, canonical_sfen(position)).why
        return self._too_long() if result.reason is Reason.LENGTH else "no mate found within the limits"

    def _too_long(self) -> str:
        return f"no mate in fewer than {self._moves} moves"
