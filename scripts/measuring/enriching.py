# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench enrich`: for how many published problems is something suggested?"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

from generator.mending.enrich import Enricher
from generator.mending.kinds import Improvement
from generator.mending.suggestions import ImprovementRequest
from generator.problem import STORED
from scripts.measuring.options import problem_options, shuffled
from scripts.measuring.problem_files import Lined
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge
from solver.results import Grade, Limits
from tsume.warmup import KernelPart, warm_up
from tsume_rules.sfen import format_sfen

_JUDGING = Limits(nodes=1_000_000)


@dataclass(frozen=True)
class Attempt:
    """What was suggested for a problem: the best gain of each kind."""

    length: int
    grade: Grade
    sfen: str
    gains: dict[Improvement, float]
    seconds: float


@click.command()
@problem_options
@click.option("-n", "--count", default=40, show_default=True, type=click.IntRange(1))
@click.option("--time", "seconds", default=30.0, show_default=True, help="Seconds for each.")
@click.option("--sound", is_flag=True, help="Let a suggestion have the blemishes of the problem.")
def enrich(
    files: tuple[Path, ...], count: int, moves: tuple[int, ...], seconds: float, sound: bool, seed: int
) -> None:
    """Enrich correct problems."""
    problems = shuffled(files, moves, seed)
    wish = ImprovementRequest(grade=Grade.SOUND if sound else Grade.PERFECT)
    attempts: list[Attempt] = []
    for attempt in attempted(problems, wish, seconds):
        attempts.append(attempt)
        gains = " ".join(f"{kind.value} {gain:+.1f}" for kind, gain in attempt.gains.items())
        click.echo(
            f"{attempt.length:3} {attempt.grade.value:8} {attempt.seconds:5.1f} s  {attempt.sfen}  {gains}"
        )
        if len(attempts) == count:
            break
    if attempts:
        print(_text(attempts))


def attempted(problems: Sequence[Lined], wish: ImprovementRequest, seconds: float) -> Iterator[Attempt]:
    """What is suggested for each problem that is correct."""
    warm_up(KernelPart.ENGINE, KernelPart.LIKENESS, KernelPart.GENERATOR)
    engine = DfPnEngine()
    judge, enricher = Judge(engine), Enricher(engine)
    for problem in problems:
        engine.forget()
        judgement = judge.judge(problem.position, None, _JUDGING)
        if judgement.grade not in STORED:
            continue
        began = time.monotonic()
        found = enricher.enrich(problem.position, judgement, wish, Limits(seconds=seconds)).suggestions
        gains = {
            kind: max(one.gain for one in found if one.kind is kind)
            for kind in Improvement
            if any(one.kind is kind for one in found)
        }
        sfen = format_sfen(problem.position)
        yield Attempt(problem.length, judgement.grade, sfen, gains, time.monotonic() - began)


def _text(attempts: Sequence[Attempt]) -> str:
    shares = ", ".join(f"{kind.value} {_share(attempts, kind):.0f}%" for kind in Improvement)
    some = 100 * sum(bool(one.gains) for one in attempts) / len(attempts)
    return (
        f"{len(attempts)} problems: something suggested for {some:.0f}%: {shares}; "
        f"median {median(one.seconds for one in attempts):.1f} s"
    )


def _share(attempts: Sequence[Attempt], kind: Improvement) -> float:
    return 100 * sum(kind in one.gains for one in attempts) / len(attempts)
