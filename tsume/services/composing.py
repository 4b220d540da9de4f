# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing, with a store and without: the only path from options to problems.

Commands, the library and the board translate what they are given into options, and problems into what they
print. Only this module and `tsume.services.run_recorder` run the generator.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Set
from typing import TYPE_CHECKING, Any

from db.runs import RunState, StoredRun
from db.store import Store
from generator.constraints.options import SAMPLED, ComposingOptions
from generator.constraints.problem import ProblemConstraints
from tsume import __version__
from tsume.collection.keys import collection_keys
from tsume.services.proofread import proofread
from tsume.services.run_recorder import OnStored, RunRecorder
from tsume_rules.position import Square
from tsume_rules.sfen import format_sfen, parse_sfen

if TYPE_CHECKING:
    from generator.problem import Problem
    from generator.run.composer import RootResult
    from generator.run.novelty import SeenPositions
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


def given_options(
    final: str | None, start: str | None, *, exact: bool, keep: frozenset[Square], wishes: ProblemConstraints
) -> dict[str, Any]:
    """The options for a given ``final`` position, for a given ``start``, or for neither.

    Problems end in ``final``, with ``exact`` without any other piece. They have the pieces of ``start``, or
    only those on the squares to ``keep``, seen as the SFEN is given. Raises ValueError for a position that
    is not mated, or for pieces that no problem can have under the constraints.
    """
    if final is not None:
        return _final_options(final, exact=exact)
    return {} if start is None else _start_options(start, keep, wishes)


def _final_options(sfen: str, *, exact: bool) -> dict[str, Any]:
    from generator.constraints.position import parse_final_position

    parse_final_position(sfen)
    return {"final": sfen, "exact": exact}


def _start_options(sfen: str, keep: frozenset[Square], wishes: ProblemConstraints) -> dict[str, Any]:
    from generator.constraints.position import fault_of_given_start

    parsed = parse_sfen(sfen)
    given = parsed.position
    occupied = frozenset(square for square, piece in enumerate(given.board) if piece is not None)
    kept = parsed.seen_by_attacker(keep) or occupied
    fault = fault_of_given_start(given, kept, wishes)
    if fault is not None:
        raise ValueError(fault)
    return {"around": format_sfen(given), "fixed": tuple(sorted(kept))}


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
        new = list(_new_problems(root, positions, distinct=options.has_distinct_lines))[: count - found]
        idle = 0 if new else idle + 1
        found += len(new)
        yield new
        if found == count or idle >= most_idle:
            return


def _new_problems(root: RootResult, positions: SeenPositions, *, distinct: bool) -> Iterator[Problem]:
    for place, problem in enumerate(root.problems):
        if positions.add(problem.position) and not (distinct and place in root.repeated):
            yield problem


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
    """The keys of the collection; those of free problems are others, so that none could be equal."""
    return collection_keys() if options.is_natural else frozenset()


def nearest_problems(
    options: ComposingOptions, seed: int, seconds: float
) -> Iterator[tuple[Relaxation, Problem]]:
    """What is found within ``seconds`` if one constraint is relaxed, each as soon as it is found."""
    from generator.run.relaxations import problems_of_relaxations

    return problems_of_relaxations(options, seed, __version__, seconds, proofread)


def composed_fields(problem: Problem) -> dict[str, Any]:
    """A composed problem as data for JSON."""
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
