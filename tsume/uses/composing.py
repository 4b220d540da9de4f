# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing, with a store and without: the only path from options to problems.

Commands, the library and the board translate what they are given into options, and problems into what they
print. Only this module and `tsume.uses.run_recorder` run the generator.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from db.runs import RunState, StoredRun
from db.store import Store
from generator.constraints.options import SAMPLED, ComposingOptions, Style
from generator.constraints.problem import ConstraintError, ProblemConstraints
from generator.theme_names import ThemeDetailError, is_figure, read_figure, split_themes
from solver.results import Grade, Limits, Mate, NoMate, Reason
from tsume import __version__
from tsume.collection.problems import collection_keys
from tsume.uses.engines import df_pn_of_size
from tsume.uses.proofread import proofread
from tsume.uses.run_recorder import OnStored, RunRecorder
from tsume_rules.position import Position, Square
from tsume_rules.sfen import canonical_sfen, format_sfen, parse_sfen

if TYPE_CHECKING:
    from generator.problem import Problem
    from generator.run.relaxations import Relaxation
    from generator.run.worker_pool import PoolFactory
    from tsume.progress import RunProgress


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
    sound: bool = False,
    starts: tuple[str, ...] = (),
    final: str | None = None,
    exact: bool = False,
    start: str | None = None,
    keep: frozenset[Square] = frozenset(),
    kind: type[ComposingOptions] = ComposingOptions,
) -> ComposingOptions:
    """Return the options of the generator for problems of ``moves`` plies under constraints.

    Problems extend one of ``starts``; or they end in ``final``, with ``exact`` without any other piece; or
    they have the pieces of ``start``, or only those on the squares to ``keep``, seen as the SFEN is given.
    Raises `GivenPositionError` for a position that is not mated, and for pieces that no problem can have.
    """
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
        style=Style.NATURAL if natural else Style.FREE,
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
    Raises `generator.run.processes.WorkerLostError`, `generator.acceptance.reasons.RootsFailedError`, and
    `db.errors.StoreError` if the store fails.
    """
    from generator.run.novelty import FoundKeys
    from generator.run.roots import compose_root_ranges
    from generator.run.worker_pool import RunJob, local_pool

    if pool is None and (jobs > 1 or deadline is not None):
        pool = local_pool(jobs)
    recorder = RunRecorder(store, run, on_stored, options, progress)
    job = RunJob(run.seed, options, __version__, proofread)
    finds = FoundKeys(*store.runs.lines(run.id), excluded=_excluded_keys(options))
    results = compose_root_ranges(job, pool, run.totals.next_root, deadline, finds)
    return recorder.record(results, deadline), recorder.found


def _excluded_keys(options: ComposingOptions) -> Set[int]:
    """Return the keys of the collection; those of free problems are others, so that none could be equal."""
    return collection_keys() if options.is_natural else frozenset()


def nearest_problems(
    options: ComposingOptions, seed: int, seconds: float
) -> Iterator[tuple[Relaxation, Problem]]:
    """Return what is found within ``seconds`` if one constraint is relaxed, each as soon as it is found."""
    from generator.run.relaxations import problems_of_relaxations

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
        "stars": problem.difficulty.stars,
        "themes": sorted(problem.themes),
        "quality": problem.quality,
        "grade": problem.grade.value if problem.grade else None,
        "blemishes": problem.blemishes.blemish_names,
        "seed": made.seed,
        "index": made.index,
    }


# --- whether any problem can meet a set of constraints ---------------------------------------------


class ContradictionError(ValueError):
    """No problem can meet all constraints."""


def checked_constraints(wishes: ProblemConstraints, moves: int) -> ProblemConstraints:
    """Return the constraints on problems of ``moves`` moves; a picture with a name is a theme too.

    ``themes`` may ask for pieces and numbers (`generator.theme_names`), which are split off. Raises
    `ContradictionError` if no problem can meet them, as far as that is known without a search, and
    `generator.constraints.problem.ConstraintError` for one that cannot be read.
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
    fault = wishes.contradiction(moves) or _contradiction_of_stars(wishes, moves)
    if fault is not None:
        raise ContradictionError(f"the conditions contradict each other: {fault}")
    return wishes


def _contradiction_of_stars(wishes: ProblemConstraints, moves: int) -> str | None:
    if wishes.stars is None or (wishes.min_score is None and wishes.max_score is None):
        return None
    from solver.scoring.difficulty import star_steps

    bounds = (float("-inf"), *star_steps(moves), float("inf"))
    low, high = bounds[wishes.stars - 1 : wishes.stars + 1]
    too_high = wishes.min_score is not None and wishes.min_score >= high
    if too_high or (wishes.max_score is not None and wishes.max_score < low):
        return f"{wishes.stars} stars at {moves} moves need a score from {low:g} to {high:g}"
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
