# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing: `scripts/bench generate`, `themes`, `scaling`, and what tests of candidates cost: `stages`."""

from __future__ import annotations

import heapq
import random
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, pairwise, permutations
from statistics import mean, median, pstdev

import click
import numpy as np

from generator.acceptance import Counts, Rejection
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions, Effort, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem, line_key
from generator.reverse.construction import ReverseConstruction
from generator.reverse.extender import FAILED, NODES, OF_CANDIDATE, OPEN, REASON_OF, TESTED, Stage, new_stage_tally
from generator.reverse.kernel.extension import SEEN
from generator.run.composer import Composer, RootResult
from generator.run.novelty import end_of_batch_of_root, first_root_of_needed_batch
from generator.run.roots import compose_alone
from generator.theme_names import NAMES, TRIED, is_figure
from scripts.measuring.kernel import Seen, run_candidate_tests
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND, STACK
from solver.engines.dfpn.kernel.table import LAST_STAMP
from solver.judging.judge import Judge
from solver.results import LimitReached, Limits
from tsume_rules.kernel.retract import MAX_UNMOVES, move_of, un_checks, un_evasions
from tsume_rules.kernel.tables import POSITION
from tsume_rules.packed import PackedPosition, move_retracted, played
from tsume_rules.position import Side

# --- roots composed as by `generator.run.roots` in one process, with their CPU time ----------------

VERSION = "bench"
_WARMING_SEED = 1


def warm_up(options: ComposingOptions) -> None:
    """Compile or load all kernels that composing uses: compose a problem of three moves, then one root."""
    short = Composer(_WARMING_SEED, ComposingOptions.of(3), VERSION)
    next(index for index in count() if short.root(index).problems)
    Composer(_WARMING_SEED, options, VERSION).root(0)


def timed_results(composer: Composer, seconds: float) -> Iterator[tuple[float, RootResult]]:
    """Yield the results of roots from 0 on, with the CPU seconds so far, until ``seconds`` have passed."""
    started = time.process_time()
    for result in compose_alone(composer):
        spent = time.process_time() - started
        yield spent, result
        if time.process_time() - started >= seconds:
            return


# --- `scripts/bench generate`: problems for each CPU minute, and where the time goes ---------------

LENGTHS = (3, 5, 7, 9, 11, 13, 17)
CHECK_SECONDS = 300.0
"""Wall-clock seconds to check one problem afterwards; if they run out it is unresolved."""


@dataclass
class Composed:
    """What was composed in some CPU ``seconds``; no two ``problems`` have the same line."""

    seconds: float = 0.0
    problems: list[Problem] = field(default_factory=list)
    same_line: int = 0
    counts: Counts = field(default_factory=Counter)
    by_stage: Counter[str] = field(default_factory=Counter)
    tally: np.ndarray = field(default_factory=new_stage_tally)


@click.command()
@click.option("--seconds", default=60.0, show_default=True, help="CPU seconds for each length.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--check", "checked", default=200, show_default=True, type=click.IntRange(0),
    help="Check a random sample of this many problems afterwards; 0: all of them.",
)  # fmt: skip
@click.argument("lengths", nargs=-1, type=int)
def generate(lengths: tuple[int, ...], seconds: float, seed: int, checked: int) -> None:
    """Problems with different lines for each CPU minute, by length.

    One process composes; no two problems counted have the same line. Afterwards, untimed, the
    full judge checks them as `tsume check` does.
    """
    for length in lengths or LENGTHS:
        composed = compose(length, seed, seconds)
        print(
            f"{length} moves: {60 * len(composed.problems) / composed.seconds:.1f} problems/CPU minute: "
            f"{len(composed.problems)} in {composed.seconds:.1f} s, {composed.counts['roots']} roots; "
            f"{composed.same_line} more with a known line"
        )
        problems = composed.problems
        if 0 < checked < len(problems):
            problems = random.Random(seed).sample(problems, checked)
        found = count_verdicts(problems)
        told = ", ".join(f"{found[kind]} {kind}" for kind in ("correct", "not correct", "unresolved"))
        print(f"  checked {len(problems)}: {told}")
        _print_work(composed)


def compose(length: int, seed: int, seconds: float) -> Composed:
    """Compose in one process until ``seconds`` of CPU time are over, to the end of the root."""
    options = ComposingOptions.of(length, wishes=ProblemConstraints(distinct_lines=True))
    warm_up(options)
    composer = Composer(seed, options, VERSION)
    composed, lines = Composed(), set[str]()
    for spent, result in timed_results(composer, seconds):
        composed.seconds = spent
        composed.counts += result.counts
        composed.by_stage.update(result.seconds)
        for problem in result.problems:
            key = line_key(problem.line)
            if key in lines:
                composed.same_line += 1
            else:
                composed.problems.append(problem)
            lines.add(key)
    composed.tally = composer.tally
    return composed


def count_verdicts(problems: Sequence[Problem]) -> Counter[str]:
    """Return how many problems the full judge finds correct, not correct, unresolved.

    A second solution that no search excluded leaves a problem unresolved.
    """
    judge, found = Judge(), Counter[str]()
    for problem in problems:
        judgement = judge.judge(problem.position, problem.length, Limits(seconds=CHECK_SECONDS))
        is_open = not judgement.settled or judgement.searched is not None
        found["not correct" if judgement.defects else "unresolved" if is_open else "correct"] += 1
    return found


def _print_work(composed: Composed) -> None:
    """Print where the time goes, what the tests did, and what became of the shortlist."""
    rest = composed.seconds - composed.by_stage.total()
    stages = {**dict(composed.by_stage.most_common()), "the rest": rest}
    print("  seconds (share): " + ", ".join(
        f"{name} {seconds:.1f} ({100 * seconds / composed.seconds:.0f}%)" for name, seconds in stages.items()
    ))  # fmt: skip
    print(f"  {'test':<18}{'tested':>10}{'failed %':>10}{'unanswered %':>14}{'nodes/test':>12}")
    for stage in Stage:
        row = composed.tally[stage]
        tested = max(1, int(row[TESTED]))
        print(
            f"  {stage_name(stage):<18}{row[TESTED]:>10}{100 * row[FAILED] / tested:>10.1f}"
            f"{100 * row[OPEN] / tested:>14.2f}{row[NODES] / tested:>12.1f}"
        )
    counts = composed.counts - Counter({Rejection.UNRESOLVED: int(composed.tally[:, OPEN].sum())})
    rejected = {reason: counts[reason] for reason in Rejection if reason not in REASON_OF.values()}
    print(f"  the end: {counts['finalists']} finalists, {counts['problems']} problems")
    for reason, number in sorted(rejected.items(), key=lambda item: -item[1]):
        if number:
            print(f"  {number:>10}  {reason.value}")


def stage_name(stage: Stage) -> str:
    return stage.name.lower().replace("_", " ")


# --- `scripts/bench themes`: time for a problem with each theme, and the best length ---------------


@click.command()
@click.option("--seconds", default=float(TRIED.seconds), show_default=True, help="For each theme and length.")
@click.option("--count", "number", default=5, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True)
@click.option("--moves", "lengths", type=int, multiple=True, default=TRIED.lengths, show_default=True,
              help="Lengths, tried in order; repeatable.")  # fmt: skip
@click.argument("tags", nargs=-1)
def themes(tags: tuple[str, ...], seconds: float, number: int, seed: int, lengths: tuple[int, ...]) -> None:
    """CPU seconds to the first and to the last of some natural problems with each theme, or picture:NAME.

    A line for each theme and length, until one gives all problems: number found, seconds to the first, to the
    last asked for.
    """
    for length in lengths:
        warm_up(ComposingOptions.of(length, style=Style.NATURAL))
    for tag in tags or NAMES:
        name, _, picture = tag.partition(":")
        wishes = ProblemConstraints(themes=(tag,))
        if name == "picture" and picture:
            wishes = ProblemConstraints(themes=() if is_figure(picture) else ("picture",), picture=picture)
        for length in lengths:
            if tag in NAMES and length < NAMES[tag].shortest:
                continue
            options = ComposingOptions.of(length, wishes=wishes, style=Style.NATURAL)
            times: list[float] = []  # from the start of the first root
            for spent, result in timed_results(Composer(seed, options, VERSION), seconds):
                times += [spent] * len(result.problems)
                if len(times) >= number:
                    break
            first = f"{times[0]:.1f}" if times else "-"
            last = f"{times[number - 1]:.1f}" if len(times) >= number else f">{seconds:.0f}"
            print(f"{tag:24} {length:2}  {len(times):3}  {first:>6}  {last:>6}", flush=True)
            if len(times) >= number:
                break


# --- `scripts/bench scaling`: how much faster many workers are than one, by simulation -------------
#
# What is simulated is `generator.run.roots`: batches, chunks, the order of the results, and one parent that hands out
# chunks and stores what comes back, one thing after the other. How long roots take is measured here first.

_AHEAD, _EACH = 16, 2
_CHUNK_SECONDS = 10.0
"""As in `generator.run.roots` and `tsume.cluster`."""
_FOR_A_PROBLEM, _PAUSE = 0.0015, 0.005
"""Processor seconds: of the parent for a problem, and between a worker's chunks."""


def simulated_cluster(
    seconds: list[float], problems: float, workers: int, roots: int, for_a_chunk: float
) -> tuple[float, float, int]:
    """Run ``roots`` whose times are drawn from ``seconds``, with so many problems each, by ``workers``.

    The parent needs so many seconds for a chunk. Returns how many times as fast they are as one worker, the share of
    the time for which the parent is busy, and the number of chunks.
    """
    drawn = random.Random(1).choices(seconds, k=roots)
    per_chunk = max(1, int(_CHUNK_SECONDS / mean(seconds)))
    done: dict[int, int] = {}
    busy: list[tuple[float, int, int]] = []
    """When a chunk comes back, its first root, its size."""
    free = deque([0.0] * workers * _EACH)
    lane = [0.0] * workers
    """When each worker is done with what it has: a worker composes its chunks one after the other."""
    heapq.heapify(lane)
    now = parent_busy = parent_spent = 0.0
    upcoming = wanted = chunks = 0
    while wanted < roots:
        while (
            free
            and upcoming < roots
            and len(done) < _AHEAD * workers
            and first_root_of_needed_batch(upcoming) <= wanted
        ):
            left = min(end_of_batch_of_root(upcoming), roots) - upcoming
            size = min(per_chunk, 1 + left // (2 * workers), left)
            parent_busy = max(parent_busy, now) + for_a_chunk
            parent_spent += for_a_chunk
            free.popleft()
            begins = max(heapq.heappop(lane), parent_busy) + _PAUSE
            ends = begins + sum(drawn[upcoming : upcoming + size])
            heapq.heappush(lane, ends)
            heapq.heappush(busy, (ends, upcoming, size))
            upcoming += size
            chunks += 1
        now, first, size = heapq.heappop(busy)
        free.append(now)
        done[first] = size
        while wanted in done:
            size = done.pop(wanted)
            wanted += size
            spent = _FOR_A_PROBLEM * problems * size
            parent_busy = max(parent_busy, now) + spent
            parent_spent += spent
        now = max(now, parent_busy) if parent_busy - now > _CHUNK_SECONDS else now
    end = max(now, parent_busy)
    return sum(drawn) / end, parent_spent / end, chunks


@click.command()
@click.option("-m", "--moves", multiple=True, type=int, default=(3, 5, 7), show_default=True)
@click.option("--style", type=click.Choice([style.value for style in Style]), default="natural")
@click.option("--workers", multiple=True, type=int, default=(16, 100, 500, 1000, 4000), show_default=True)
@click.option("--roots", multiple=True, type=int, default=(10_000, 100_000), show_default=True)
@click.option("--measured", default=60.0, show_default=True, help="Seconds for which roots are timed.")
@click.option("--per-chunk", default=0.004, show_default=True, help="The parent's seconds for a chunk.")
def scaling(
    moves: tuple[int, ...], style: str, workers: tuple[int, ...], roots: tuple[int, ...], measured: float,
    per_chunk: float,
) -> None:  # fmt: skip
    """Time some roots, then simulate runs of many by many workers."""
    for length in moves:
        options = ComposingOptions.of(length, style=Style(style))
        warm_up(options)
        ends, found = [0.0], 0
        for spent, result in timed_results(Composer(1, options, VERSION), measured):
            ends.append(spent)
            found += len(result.problems)
        seconds = [end - begin for begin, end in pairwise(ends)]
        average, problems = mean(seconds), found / len(seconds)
        rate = problems / average * 3600
        click.echo(
            f"{length} moves: {len(seconds)} roots, {average:.2f} s each, variation "
            f"{pstdev(seconds) / average:.2f}, {problems:.2f} problems each, {rate:.0f} an hour and core, "
            f"{1e6 / rate:.0f} core hours for a million"
        )
        for number in roots:
            for pool in workers:
                speed_up, parent, chunks = simulated_cluster(seconds, problems, pool, number, per_chunk)
                told = f"{speed_up:.0f} times as fast, parent busy {parent:.1%}, {chunks} chunks"
                click.echo(f"  {number} roots, {pool} workers: {told}")


# --- `scripts/bench stages`: what each test of a candidate costs and rejects, and their best order -
#
# Candidates are those of reverse construction: an answer and a check taken back from a parent.

_OF_A_PARENT = 8
"""At most this many candidates are taken of one parent, so that many parents give some."""


@dataclass
class CandidateSample:
    """Candidates: positions that mate in exactly ``length`` plies by their keys, if they pass all tests.

    ``tally`` counts what the tests did while these were looked for (`generator.reverse.extender`).
    """

    length: int
    positions: np.ndarray
    keys: np.ndarray
    parents: int = 0
    tally: np.ndarray = field(default_factory=new_stage_tally)


class _Watched(Composer):
    """A composer that keeps the parents of its last generations."""

    def __init__(self, seed: int, options: ComposingOptions) -> None:
        super().__init__(seed, options, VERSION)
        self.parents: list[Candidate] = []
        assert isinstance(self._source, ReverseConstruction)
        extender = self._source._extender
        children = extender.children

        def watched(parent: Candidate) -> list[Candidate]:
            if parent.length == options.length - 2:
                self.parents.append(parent)
            return children(parent)

        extender.children = watched  # type: ignore[method-assign]


def draw_candidates(length: int, number: int, seed: int) -> CandidateSample:
    """``number`` candidates of a length, from the roots of a seed in order."""
    options = ComposingOptions.of(length)
    composer, rng = _Watched(seed, options), np.random.default_rng(seed)
    engine = DfPnEngine()
    found: list[tuple[PackedPosition, int]] = []
    index = parents = 0
    while len(found) < number:
        composer.root(index)
        for parent in composer.parents:
            candidates = list(_candidates(parent, engine, options.effort, rng))
            chosen = rng.permutation(len(candidates))[:_OF_A_PARENT]
            found += [candidates[int(i)] for i in chosen]
            parents += bool(candidates)
        composer.parents.clear()
        index += 1
    positions = np.zeros(number, dtype=POSITION).view(np.recarray)
    for i in range(number):
        positions[i] = found[i][0]
    keys = np.array([key for _, key in found[:number]], dtype=np.int64)
    return CandidateSample(length, positions, keys, parents, composer.tally)


def _candidates(
    parent: Candidate, engine: DfPnEngine, effort: Effort, rng: np.random.Generator
) -> Iterator[tuple[PackedPosition, int]]:
    """Yield the positions before a parent, answer by answer, each with its key.

    The steps of `generator.reverse.kernel.extension.extend_parent` up to the tests of a candidate.
    """
    packed = parent.packed.copy()
    unevasions, unchecks = np.zeros((2, MAX_UNMOVES), dtype=np.int64)
    number = un_evasions(packed, unevasions, True)
    for unevasion in map(int, unevasions[rng.permutation(number)[: effort.answers]]):
        with move_retracted(packed, unevasion, Side.DEFENDER):
            if _is_defence(packed, int(move_of(unevasion)), parent.length + 1, engine, effort):
                number = un_checks(packed, unchecks, True)
                for uncheck in map(int, unchecks[rng.permutation(number)[: effort.checks]]):
                    with move_retracted(packed, uncheck, Side.ATTACKER):
                        yield packed.copy(), int(move_of(uncheck))


def _is_defence(packed: PackedPosition, answer: int, n: int, engine: DfPnEngine, effort: Effort) -> bool:
    """Return whether the answer is a longest defence, and the positions after the others are sound."""
    with suppress(LimitReached), engine.within(Limits(nodes=effort.nodes)):
        defences = engine.longest_defences(packed, n) if engine.is_mated(packed, n) else []
        for other in defences if answer in defences else ():
            if other != answer:
                with played(packed, other, Side.DEFENDER):
                    if engine.is_sound(packed, n - 1, effort.margin, effort.turns) != SOUND:
                        return False
        return answer in defences
    return False


# --- times of the tests, alone and in order --------------------------------------------------------

STAGE_LENGTHS = (5, 7, 9, 13)
REPEATS, MIN_NANOSECONDS = 3, 200_000_000
"""Tests are run at least this often, and until they have taken this long."""
Order = tuple[Stage, ...]


@dataclass(frozen=True)
class OrderCost:
    """What tests in some order cost and did; ``nanoseconds`` are for each candidate of the sample."""

    order: Order
    nanoseconds: float
    tally: np.ndarray
    passed: int


@click.command()
@click.option("--number", default=500, show_default=True, help="Candidates of each length.")
@click.option("--seed", default=1, show_default=True)
@click.argument("lengths", nargs=-1, type=int)
def stages(lengths: tuple[int, ...], number: int, seed: int) -> None:
    """Cost and yield of each test of a candidate alone, and the time that the order of the tests takes.

    The order in use is `generator.reverse.extender.OF_CANDIDATE`.
    """
    for length in lengths or STAGE_LENGTHS:
        warm_up(ComposingOptions.of(length))
        sample = draw_candidates(length, number, seed)
        effort = ComposingOptions.of(length).effort
        clock = StageTimer(sample, effort.nodes, effort.margin)
        print(f"{length} moves: {number} candidates of {sample.parents} parents")
        alone = [clock.cost((stage,)) for stage in current_test_order(length)]
        _print_alone(alone, sample)
        # Print the time of all tests: in the order in use, in the best order, without each of them.
        used = current_test_order(length)
        costs = [clock.cost(order) for order in permutations(used[1:])]
        ours = next(cost for cost in costs if cost.order == used[1:])
        best = min(costs, key=lambda cost: cost.nanoseconds)
        print(f"  in the order in use {ours.nanoseconds / 1000:.1f} us a candidate, {_summary(ours)}")
        print(f"  in the best order   {best.nanoseconds / 1000:.1f} us: {' - '.join(map(stage_name, best.order))}")
        for left_out in used[1:-1]:
            fewer = clock.cost(tuple(stage for stage in used[1:] if stage is not left_out))
            print(f"  without {stage_name(left_out):<18}{fewer.nanoseconds / 1000:.1f} us, {fewer.passed} pass")


def current_test_order(length: int) -> Order:
    left_out = {Stage.NO_MATE_IN_THREE} if length <= 3 else set()
    left_out |= {Stage.NO_SHORTER_MATE} if length <= 5 else set()
    return tuple(stage for stage in OF_CANDIDATE if stage not in left_out)


class StageTimer:
    """Times tests on a sample, each candidate with an empty table, less the time of the bare loop."""

    def __init__(self, sample: CandidateSample, nodes: int, margin: int) -> None:
        self._sample, self._nodes, self._margin = sample, nodes, margin
        self._engine = DfPnEngine()
        self._stack = np.zeros(STACK, dtype=np.int64)
        self._seen = Seen(np.zeros(SEEN, dtype=np.uint64))
        self._run(current_test_order(sample.length))  # compiles
        self._loop = 0.0
        self._loop = self.cost(()).nanoseconds

    def cost(self, order: Order) -> OrderCost:
        """Return the cost of tests in an order: the median of some runs."""
        runs = [self._run(order)]
        while len(runs) < REPEATS or sum(run[0] for run in runs) < MIN_NANOSECONDS:
            runs.append(self._run(order))
        spent = median(nanoseconds for nanoseconds, _, _ in runs) / len(self._sample.keys)
        return OrderCost(order, max(0.0, spent - self._loop), runs[0][1], runs[0][2])

    def _run(self, order: Order) -> tuple[int, np.ndarray, int]:
        sample = self._sample
        numbers = np.array(order, dtype=np.int64)
        tally = np.zeros((max(1, len(order)), 4), dtype=np.int64)
        self._seen.seen[:] = 0
        if int(self._engine.arena(sample.positions[0]).search.stamp) + len(sample.keys) > LAST_STAMP:
            self._engine = DfPnEngine()
        arena = self._engine.arena(sample.positions[0])
        started = time.process_time_ns()
        passed = run_candidate_tests(
            arena, sample.positions, sample.keys, sample.length, self._margin, self._nodes, numbers,
            self._seen, self._stack, tally,
        )  # fmt: skip
        return time.process_time_ns() - started, tally, int(passed)


def _print_alone(alone: Sequence[OrderCost], sample: CandidateSample) -> None:
    """Print each test by itself; the share of repeated positions is that of the whole growth."""
    rows = []
    for place, cost in enumerate(alone, start=1):
        (stage,) = cost.order
        share = 1 - cost.passed / max(1, int(cost.tally[0, TESTED]))  # of those left open, too
        if stage is Stage.NEW:
            share = float(sample.tally[stage, FAILED] / max(1, sample.tally[stage, TESTED]))
        worth = cost.nanoseconds / share if share else float("inf")
        rows.append((worth, share, place, cost))
    print(f"  {'each alone':<18}{'ns':>10}{'nodes':>9}{'down %':>9}{'open %':>9}{'ns/down':>11}{'in use':>8}")
    for worth, share, place, cost in sorted(rows, key=lambda row: row[0]):
        tested, row = int(cost.tally[0, TESTED]), cost.tally[0]
        print(
            f"  {stage_name(cost.order[0]):<18}{cost.nanoseconds:>10.0f}{row[NODES] / tested:>9.1f}"
            f"{100 * share:>9.1f}{100 * row[OPEN] / tested:>9.1f}{worth:>11.0f}{place:>8}"
        )


def _summary(cost: OrderCost) -> str:
    """Return how many pass, and the share that each test rejects of those it gets."""
    shares = [
        f"{stage_name(stage)} {100 * row[FAILED] / max(1, row[TESTED]):.0f}%"
        for stage, row in zip(cost.order, cost.tally, strict=True)
    ]
    return f"{cost.passed} pass ({', '.join(shares)} of those tested)"
