# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench generate`: problems for each CPU minute, and where the time goes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import click
import numpy as np

from generator.acceptance.reasons import Counts, Rejection
from generator.constraints.options import ComposingOptions
from generator.constraints.problem import ProblemConstraints
from generator.line_keys import line_key
from generator.problem import Problem
from generator.reverse.stages import FAILED, NODES, REASON_OF, TESTED, UNANSWERED, Stage, new_stage_tally
from generator.run.composer import Composer
from scripts.measuring.timed_roots import VERSION, compose_for, warm_up
from solver.judging.judge import Judge
from solver.results import Judgement, Limits

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

    @property
    def per_minute(self) -> float:
        """Problems for each CPU minute."""
        return 60 * len(self.problems) / self.seconds


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
        _print_composed(length, composed)
        _print_checked(composed.problems, checked, seed)
        _print_seconds(composed)
        _print_tests(composed.tally)
        _print_end(composed)


def compose(length: int, seed: int, seconds: float) -> Composed:
    """Compose in one process until ``seconds`` of CPU time are over, to the end of the root."""
    options = ComposingOptions.of(length, wishes=ProblemConstraints(distinct_lines=True))
    warm_up(options)
    composer = Composer(seed, options, VERSION)
    composed, lines = Composed(), set[str]()
    for spent, result in compose_for(composer, seconds):
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


def _print_composed(length: int, composed: Composed) -> None:
    print(
        f"{length} moves: {composed.per_minute:.1f} problems/CPU minute: {len(composed.problems)} in "
        f"{composed.seconds:.1f} s, {composed.counts['roots']} roots; "
        f"{composed.same_line} more with a known line"
    )


# --- checking ------------------------------------------------------------------------------------


def verdicts(problems: Sequence[Problem]) -> Counter[str]:
    """How many problems the full judge finds correct, not correct, unresolved."""
    judge = Judge()
    return Counter(
        _verdict(judge.judge(problem.position, problem.length, Limits(seconds=CHECK_SECONDS)))
        for problem in problems
    )


def _verdict(judgement: Judgement) -> str:
    """A second solution that no search excluded leaves a problem unresolved."""
    if judgement.defects:
        return "not correct"
    return "unresolved" if not judgement.settled or judgement.searched is not None else "correct"


def _print_checked(problems: Sequence[Problem], most: int, seed: int) -> None:
    if most and most < len(problems):
        problems = random.Random(seed).sample(problems, most)
    found = verdicts(problems)
    counts = ", ".join(f"{found[kind]} {kind}" for kind in ("correct", "not correct", "unresolved"))
    print(f"  checked {len(problems)}: {counts}")


# --- where the time goes -------------------------------------------------------------------------


def _print_seconds(composed: Composed) -> None:
    rest = composed.seconds - composed.by_stage.total()
    stages = {**dict(composed.by_stage.most_common()), "the rest": rest}
    print("  seconds (share): " + ", ".join(
        f"{name} {seconds:.1f} ({100 * seconds / composed.seconds:.0f}%)" for name, seconds in stages.items()
    ))  # fmt: skip


def _print_tests(tally: np.ndarray) -> None:
    print(f"  {'test':<18}{'tested':>10}{'failed %':>10}{'unanswered %':>14}{'nodes/test':>12}")
    for stage in Stage:
        row = tally[stage]
        tested = max(1, int(row[TESTED]))
        print(
            f"  {name_of(stage):<18}{row[TESTED]:>10}{100 * row[FAILED] / tested:>10.1f}"
            f"{100 * row[UNANSWERED] / tested:>14.2f}{row[NODES] / tested:>12.1f}"
        )


def name_of(stage: Stage) -> str:
    """The name of a test as it is printed."""
    return stage.name.lower().replace("_", " ")


def _print_end(composed: Composed) -> None:
    counts = composed.counts - Counter({Rejection.UNRESOLVED: int(composed.tally[:, UNANSWERED].sum())})
    turned_down = {reason: counts[reason] for reason in Rejection if reason not in REASON_OF.values()}
    print(f"  the end: {counts['finalists']} finalists, {counts['problems']} problems")
    for reason, number in sorted(turned_down.items(), key=lambda item: -item[1]):
        if number:
            print(f"  {number:>10}  {reason.value}")
