# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs give the roots' results in order, from one process or several."""

import hashlib
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, nullcontext
from itertools import chain, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.acceptance import MAX_FAILED_ROOTS, Rejection, RootsFailedError, failure_name, failure_of
from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import GENERATOR_VERSION, Problem
from generator.run import novelty, roots
from generator.run.composer import Composer, RootResult
from generator.run.novelty import (
    BATCH,
    BATCH_SHARE,
    LARGEST_BATCH,
    NOTHING,
    FoundKeys,
    KeyIndex,
    KnownKeysView,
    SeenPositions,
    batch_of_root,
    end_of_batch_of_root,
    first_root_of_batch,
    first_root_of_needed_batch,
    known_keys_view,
    roots_in_batch,
)
from generator.run.roots import Chunk, PoolFactory, RunJob, WorkerState, compose_root_ranges, local_pool
from solver.results import Defect, Difficulty, Judgement
from tests.generator.finds import compose_roots, finds
from tests.sampling import few
from tsume_rules.sfen import format_sfen, parse_sfen

DISTINCT = ComposingOptions(3, ProblemConstraints(distinct_lines=True))
NATURAL = ComposingOptions(1, style=Style.NATURAL)
"""By reverse construction: roots of a round often find the same."""


def first(
    number: int,
    options: ComposingOptions | None = None,
    *,
    jobs: int = 1,
    start: int = 0,
    deadline: float | None = None,
    earlier: list[tuple[int, int]] | None = None,
) -> list[RootResult]:
    with closing(
        compose_roots(2, options or ComposingOptions(3), "test", jobs, start, deadline, finds(earlier or []))
    ) as results:
        return list(islice(results, number))


@pytest.fixture(scope="module")
def alone() -> list[RootResult]:
    """Enough roots for the later ones to know lines of the earlier."""
    return first(4 * BATCH + 2, DISTINCT)


@pytest.fixture(scope="module")
def natural() -> list[RootResult]:
    """As ``alone``, of natural problems; some roots find what another of their round found."""
    return first(8 * BATCH + 2, NATURAL)


def lines_of(results: list[RootResult]) -> list[tuple[int, int]]:
    return [(result.index, line) for result in results for line in result.lines]


@pytest.mark.process
@pytest.mark.parametrize("jobs", few([2, 3], 1))
def test_the_number_of_processes_changes_nothing(jobs: int, alone: list[RootResult]) -> None:
    assert [result.index for result in alone] == list(range(len(alone)))
    assert first(len(alone), DISTINCT, jobs=jobs) == alone


@pytest.mark.process
def test_this_process_may_begin_while_it_has_no_others(alone: list[RootResult]) -> None:
    begun = compose_root_ranges(RunJob(2, DISTINCT, "test"), local_pool(2), alone=0.2)
    with closing(begun):
        assert list(islice(chain.from_iterable(begun), len(alone))) == alone


@pytest.mark.parametrize(
    ("jobs", "start"), [(1, 3), (1, BATCH), (1, 2 * BATCH + 3), pytest.param(2, 3 * BATCH, marks=pytest.mark.process)]
)
def test_a_run_may_begin_later(jobs: int, start: int, alone: list[RootResult]) -> None:
    """It is given the lines that were found before."""
    earlier = lines_of(alone[:start])
    number = min(len(alone) - start, 12)
    assert first(number, DISTINCT, jobs=jobs, start=start, earlier=earlier) == alone[start : start + number]


def test_a_root_gives_no_line_that_it_may_know(alone: list[RootResult]) -> None:
    for result in alone:
        known = {line for index, line in lines_of(alone) if index < first_root_of_needed_batch(result.index)}
        assert known.isdisjoint(result.lines)
    assert any(result.problems for result in alone[2 * BATCH :])
    start = 2 * BATCH
    before = [line for _, line in lines_of(alone[: first_root_of_needed_batch(start)])]
    index = next(i for i in range(start, len(alone)) if alone[i].problems)
    (without,) = first(1, DISTINCT, start=index)
    earlier = [(0, line) for line in before + without.lines]
    assert first(1, DISTINCT, start=index, earlier=earlier)[0].lines != without.lines


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.process)])
def test_a_deadline_ends_a_run_in_the_middle_of_a_root(jobs: int) -> None:
    assert list(compose_roots(2, ComposingOptions(99), "test", jobs, deadline=time.monotonic() + 0.2)) == []
    assert jobs == 2 or first(6, deadline=time.monotonic() + 1000) == first(6), "a later one changes nothing"


# --- natural problems ------------------------------------------------------------------------------
def test_no_natural_problem_repeats_another_of_its_run(natural: list[RootResult]) -> None:
    keys = [key for _, key in lines_of(natural)]
    assert len(set(keys)) == len(keys) > 40
    found = sum(result.counts["problems"] for result in natural)
    kept = sum(len(result.problems) for result in natural)
    assert 2 * kept == len(keys)
    assert kept < found  # roots of one round do not know of each other


def test_what_is_left_out_is_counted(natural: list[RootResult]) -> None:
    by_root = Composer(2, NATURAL, "test")
    for result in natural[: 2 * BATCH]:
        alone = by_root.root(result.index)
        left_out = len(alone.problems) - len(result.problems)
        reason = Rejection.SAME_PROBLEM
        assert result.counts[reason] - alone.counts[reason] == left_out
    assert first_root_of_needed_batch(2 * BATCH - 1) == 0  # none of these knows of another


@pytest.mark.process
@pytest.mark.parametrize("jobs", few([2, 3], 1))
def test_processes_change_nothing_in_natural_problems(jobs: int, natural: list[RootResult]) -> None:
    assert first(len(natural), NATURAL, jobs=jobs) == natural


@pytest.mark.process
def test_processes_change_nothing_in_sampling() -> None:
    options = ComposingOptions.of(3, style=Style.NATURAL)
    alone = first(24, options)
    assert any(result.problems for result in alone)
    assert first(24, options, jobs=2) == alone


@pytest.mark.parametrize("start", [3, BATCH + 1, 3 * BATCH])
def test_a_run_of_natural_problems_may_begin_later(start: int, natural: list[RootResult]) -> None:
    earlier = lines_of(natural[:start])
    number = min(len(natural) - start, 12)
    assert first(number, NATURAL, start=start, earlier=earlier) == natural[start : start + number]


def test_a_natural_problem_given_as_found_is_not_found_again(natural: list[RootResult]) -> None:
    index = next(i for i, result in enumerate(natural) if result.problems)
    for key in natural[index].problems[0].keys:
        (again,) = first(1, NATURAL, start=index, earlier=[(0, key)])
        assert key not in again.lines


# --- roots that raise -----------------------------------------------------------------------------
def refuse(_problem: Problem) -> None:
    """A proof that no problem passes."""
    raise ValueError("odd\n  indeed")


def test_a_root_that_raises_is_a_result_and_the_next_one_is_as_ever(alone: list[RootResult]) -> None:
    found = next(result for result in alone if result.problems)
    worker = WorkerState(RunJob(2, DISTINCT, "test", refuse))
    failed = worker.root(found.index, NOTHING)
    name = failure_of(failed.counts)
    assert failed.problems == []
    assert name.startswith(f"root {found.index}: ValueError odd indeed (test_roots.py, line ")
    assert failed.counts == {"roots": 1, Rejection.FAILED: 1, name: 1}
    assert failed.failure.startswith("Traceback")
    empty = next(result for result in alone if not result.problems)
    assert worker.root(empty.index, NOTHING) == empty


def test_what_a_generator_makes_of_stop_iteration_is_named_by_its_place() -> None:
    def failing() -> Iterator[int]:
        yield next(iter(()))

    with pytest.raises(RuntimeError) as raised:
        list(failing())
    assert failure_name(7, raised.value).startswith("root 7: StopIteration (test_roots.py, line ")


def test_memory_that_is_out_fails_no_root(monkeypatch: pytest.MonkeyPatch) -> None:
    def root(_composer: Composer, _index: int, _known: object) -> RootResult:
        raise MemoryError

    monkeypatch.setattr(Composer, "root", root)
    with pytest.raises(MemoryError):
        WorkerState(RunJob(3, ComposingOptions(1), "test")).root(0, NOTHING)


# --- what ends a run ------------------------------------------------------------------------------
class Alone:
    """A pool of one worker, which is this process."""

    size, chunk_seconds = 1, 1.0

    def __init__(self, job: RunJob) -> None:
        self._state = WorkerState(job)
        self._chunks: list[Chunk] = []

    def capacity(self) -> int:
        return 1 - len(self._chunks)

    def submit(self, chunk: Chunk, _finds: object) -> None:
        self._chunks.append(chunk)

    def collect(self, _seconds: float | None) -> list[list[RootResult]]:
        done, self._chunks = self._chunks, []
        return [self._state.compose_chunk(chunk) for chunk in done]


@pytest.mark.parametrize(
    ("factory", "alone"),
    [(None, 0.0), (lambda job: nullcontext(Alone(job)), 0.0), (lambda job: nullcontext(Alone(job)), 9.0)],
)
def test_many_roots_in_succession_that_raise_end_a_run(
    factory: PoolFactory | None, alone: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def root(_composer: Composer, _index: int, _known: object) -> RootResult:
        raise ValueError("odd")

    monkeypatch.setattr(Composer, "root", root)
    results = compose_root_ranges(RunJob(3, ComposingOptions(1), "test"), factory, alone=alone)
    last = MAX_FAILED_ROOTS - 1
    told = f"^{MAX_FAILED_ROOTS} roots in succession failed; the last one, root {last}: ValueError"
    with pytest.raises(RootsFailedError, match=told):
        deque(results, maxlen=0)


def test_results_that_are_ready_come_before_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are handed out about once a second: some wait when the interrupt comes."""

    class Interrupted(Alone):
        def collect(self, seconds: float | None) -> list[list[RootResult]]:
            if self._chunks[0].first == 5:
                raise KeyboardInterrupt
            return super().collect(seconds)

    monkeypatch.setattr(roots, "_YIELD_SECONDS", 1000.0)
    monkeypatch.setattr(Interrupted, "chunk_seconds", 0.0)  # chunks of one root
    results = compose_root_ranges(RunJob(3, ComposingOptions(1), "test"), lambda job: nullcontext(Interrupted(job)))
    assert [[result.index for result in next(results)] for _ in range(2)] == [[0], [1, 2, 3, 4]]
    with pytest.raises(KeyboardInterrupt):
        next(results)


# --- What a root may know is said by its index alone; rounds grow with what has gone before --------


def test_batches_grow_with_what_has_gone_before_up_to_a_bound() -> None:
    assert [first_root_of_batch(number) for number in range(4)] == [0, BATCH, 2 * BATCH, 3 * BATCH]
    for number in range(120):
        start, end = first_root_of_batch(number), first_root_of_batch(number + 1)
        assert (end - start) % BATCH == 0
        assert end - start == roots_in_batch(start)
        assert BATCH <= end - start <= max(BATCH, min(LARGEST_BATCH, start // BATCH_SHARE))
    assert roots_in_batch(100_000) == 25_000
    assert roots_in_batch(10**9) == LARGEST_BATCH
    # A root waits for none of the last third before it.
    for index in (10**4, 10**5):
        assert index - first_root_of_needed_batch(index) > index // 6


def test_a_root_waits_for_all_rounds_but_its_own_and_the_one_before() -> None:
    for index in (*range(100), 1000, 12_345, 10**6):
        number = batch_of_root(index)
        end = first_root_of_batch(number + 1)
        assert first_root_of_batch(number) <= index < end == end_of_batch_of_root(index)
        assert first_root_of_needed_batch(index) == first_root_of_batch(max(0, number - 1))
        assert first_root_of_needed_batch(index) <= first_root_of_needed_batch(index + 1)
    assert not NOTHING.has_any([0, 1])
    assert not FoundKeys().any_known([0])


# --- novelty ---------------------------------------------------------------------------------------

KEYS = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)
FOUND = st.lists(st.tuples(st.integers(0, 200), KEYS), max_size=60)


@given(FOUND, st.lists(st.integers(1, 40)), st.integers(0, 4), st.lists(KEYS, max_size=5))
def test_a_key_is_known_if_a_root_below_the_end_found_it(
    found: list[tuple[int, int]], cuts: list[int], few: int, others: list[int]
) -> None:
    """Told in parts of any size and in any order, sorted in at once or later."""
    known = KeyIndex()
    before, novelty._FEW = novelty._FEW, few
    try:
        rest = found
        for cut in [*cuts, 1000]:
            part, rest = np.array(rest[:cut], np.int64).reshape(-1, 2), rest[cut:]
            known.add(part[:, 0], part[:, 1])
    finally:
        novelty._FEW = before
    for end in (0, 1, 50, 201):
        below = {key for root, key in found if root < end}
        for key in [*others, *(key for _, key in found)]:
            assert known.has(key, end) == (key in below)
            assert KnownKeysView(known, end).has_any([key]) == (key in below)
    assert all(known.has(key) for _, key in found)


@given(FOUND)
def test_finds_are_given_by_the_roots_that_found_them(found: list[tuple[int, int]]) -> None:
    found = sorted(found, key=lambda pair: pair[0])
    at_once, one_by_one = finds(found), FoundKeys()
    for root, key in found:
        one_by_one.add(root, [key])
    for some in (at_once, one_by_one):
        for first, end in ((0, 0), (0, 100), (17, 60), (100, 201)):
            roots, keys = some.keys_of_roots(first, end)
            pairs = list(zip(roots.tolist(), keys.tolist(), strict=True))
            assert pairs == [pair for pair in found if first <= pair[0] < end]
        assert some.any_known([key for _, key in found]) == bool(found)


def test_what_comes_later_changes_nothing_for_those_before() -> None:
    found = finds((root, root) for root in range(300))
    for index in (0, 15, 16, 40, 200, 299):
        view = known_keys_view(index, found.known)
        assert [root for root in range(300) if view.has_any([root])] == list(range(first_root_of_needed_batch(index)))


def problem(sfen: str, *keys: int) -> Problem:
    judgement = Judgement(Defect.NONE, length=1)
    return Problem(parse_sfen(sfen).position, judgement, Difficulty({}, 1.0), keys=keys)


def test_problems_that_share_a_key_with_an_earlier_one_are_left_out_or_marked() -> None:
    sfen = "8k/9/8P/9/9/9/9/9/9 b G 1"
    one, other, third = problem(sfen, 1, 2), problem(sfen, 2, 3), problem(sfen, 4)
    for unique in (True, False):
        found = FoundKeys()
        assert found.without_repeats(0, [one], unique=unique) == ([one], frozenset())
        assert found.without_repeats(9, [other, third], unique=unique) == (
            ([third], frozenset()) if unique else ([other, third], frozenset({0}))
        )
        assert found.any_known([3]) is not unique
    one, other = problem(sfen, 1, 2), problem(sfen, 3)
    for unique in (True, False):
        found = FoundKeys(excluded={2, 9})
        assert found.without_repeats(0, [one, other], unique=unique) == ([other], frozenset())
        assert not found.any_known([1, 2])


def test_a_mirror_image_is_the_same_position() -> None:
    positions = SeenPositions()
    assert positions.add(parse_sfen("8k/9/8P/9/9/9/9/9/9 b G 1").position)
    assert not positions.add(parse_sfen("k8/9/P8/9/9/9/9/9/9 b G 1").position)


# --- what a few seeds give: a change must raise `generator.problem.GENERATOR_VERSION` --------------

SEED = 5
ROOTS = [
    (ComposingOptions.of(3), 24),
    (ComposingOptions.of(5), 24),
    (ComposingOptions.of(5, wishes=ProblemConstraints(themes=("king-lure",), max_pieces=12)), 8),
    (ComposingOptions.of(3, style=Style.NATURAL), 24),
]
GIVEN = (20, "8dd2210e91114a4f")
"""The recipe, and the digest of what it gives."""


def in_full(problem: Problem) -> str:
    """All that the seed decides of a problem; numbers to the digits on which every machine agrees."""
    line = " ".join(move.usi for move in problem.line)
    numbers = f"{problem.difficulty.score:.6f} {problem.difficulty.stars} {problem.quality:.6f}"
    return f"{format_sfen(problem.position)} {line} {numbers} {' '.join(problem.themes)}\n"


def test_a_seed_gives_the_same_problems_as_long_as_the_recipe_is_the_same() -> None:
    problems = [
        in_full(problem)
        for options, number in ROOTS
        for result in islice(compose_roots(SEED, options, "test"), number)
        for problem in result.problems
    ]
    digest = hashlib.sha256("".join(problems).encode()).hexdigest()[:16]
    assert (GENERATOR_VERSION, digest) == GIVEN, (
        "A seed gives other problems, scores or themes than before. If that is intended, raise "
        "GENERATOR_VERSION in generator/problem.py by one and set GIVEN to "
        f'(GENERATOR_VERSION, "{digest}") here.'
    )
