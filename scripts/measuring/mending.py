# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench mend`: problems are spoilt by one random change; what is found for them?"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

from generator.changes import ChangeKind, PositionChange, changes_of
from generator.mending.mend import Mended, Mender, RepairRequest
from generator.mending.workbench import possible_starts_after_change
from scripts.measuring.options import problem_options, shuffled
from scripts.measuring.problem_files import Lined
from solver.results import Limits
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen

_SPOILING = (ChangeKind.MOVED, ChangeKind.TAKEN_OFF, ChangeKind.EXCHANGED)


@dataclass(frozen=True)
class Attempt:
    """What came of a spoilt problem.

    ``repairs`` are problems found, ``original`` says whether the one that was spoilt is among them,
    ``near`` whether it or one a single change from it is.
    """

    length: int
    spoilt: str
    sort: ChangeKind
    repairs: int
    original: bool
    near: bool
    seconds: float


@click.command()
@problem_options
@click.option("-n", "--count", default=100, show_default=True, type=click.IntRange(1))
@click.option("--spoil", type=click.Choice([sort.value for sort in _SPOILING]), help="Only by such changes.")
@click.option("--time", "seconds", default=10.0, show_default=True, help="Seconds for each.")
@click.option("--told", is_flag=True, help="Tell the mender the length of the problem that was spoilt.")
def mend(
    files: tuple[Path, ...], count: int, moves: tuple[int, ...], spoil: str | None, seconds: float,
    told: bool, seed: int,
) -> None:  # fmt: skip
    """Spoil correct problems by one random change each and mend them."""
    sorts = [ChangeKind(spoil)] if spoil else list(_SPOILING)
    attempts = []
    chosen = shuffled(files, moves, seed)[:count]
    for attempt in attempted(chosen, sorts, seconds, told, random.Random(seed)):
        attempts.append(attempt)
        outcome = "original" if attempt.original else "near" if attempt.near else ""
        click.echo(
            f"{attempt.length:3} {attempt.sort.value:10} {attempt.repairs:3} {attempt.seconds:5.1f} s "
            f"{outcome:9} {attempt.spoilt}"
        )
    if attempts:
        print(_text(attempts))


def attempted(
    problems: Sequence[Lined], sorts: Sequence[ChangeKind], seconds: float, told: bool, rng: random.Random
) -> Iterator[Attempt]:
    """What comes of each problem when it is spoilt; left out are those that no such change spoils."""
    mender = Mender()
    mender.mend(
        problems[0].position, RepairRequest(), edits=1, limits=Limits(nodes=10_000)
    )  # compiles what is needed
    for problem in problems:
        spoilt = _spoilt(problem, rng.choice(sorts), rng)
        if spoilt is None:
            continue
        change, position = spoilt
        began = time.monotonic()
        aim = RepairRequest(problem.length if told else None)
        mended = mender.mend(position, aim, limits=Limits(seconds=seconds))
        yield _attempt(problem, position, change, mended, time.monotonic() - began)


def _spoilt(problem: Lined, sort: ChangeKind, rng: random.Random) -> tuple[PositionChange, Position] | None:
    found = [
        (change, after)
        for change, after in possible_starts_after_change(problem.position)
        if change.sort is sort
    ]
    return rng.choice(found) if found else None


def _attempt(
    problem: Lined, spoilt: Position, change: PositionChange, mended: Mended, seconds: float
) -> Attempt:
    near = {after for _, after in changes_of(problem.position)}
    found = {repair.position for repair in mended.repairs}
    original = problem.position in found
    return Attempt(
        problem.length, format_sfen(spoilt), change.sort, len(found), original,
        original or not near.isdisjoint(found), seconds,
    )  # fmt: skip


def _text(attempts: Sequence[Attempt]) -> str:
    share = 100 / len(attempts)
    return (
        f"{len(attempts)} spoilt problems: {share * sum(one.repairs > 0 for one in attempts):.0f}% repaired, "
        f"{share * sum(one.original for one in attempts):.0f}% as they were, "
        f"{share * sum(one.near for one in attempts):.0f}% that or one change from it; "
        f"median {median(one.seconds for one in attempts):.1f} s"
    )
