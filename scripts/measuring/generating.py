"""How quick the generator is."""

from __future__ import annotations

import time
from collections import Counter

import click

from generator.compose import Composer, Options
from generator.reasons import Counts, Rejection

_AT_AN_ANSWER = (Rejection.LONGER_DEFENCE, Rejection.SHORTER_DEFENCE, Rejection.OTHER_DEFENCE)
_AT_A_CHECK = (
    Rejection.ALREADY_SEEN, Rejection.MATE_IN_ONE, Rejection.MATE_IN_THREE, Rejection.SHORTER_MATE,
    Rejection.SECOND_MATE,
)  # fmt: skip


@click.command()
@click.option("--seconds", default=30.0, show_default=True, help="CPU seconds for each length.")
@click.option("--seed", default=1, show_default=True)
@click.argument("lengths", nargs=-1, type=int)
def generate(lengths: tuple[int, ...], seconds: float, seed: int) -> None:
    """Candidates a second, problems a CPU minute, the share rejected at each stage."""
    for length in lengths or (3, 5, 7, 9):
        composer = Composer(seed, Options(length), "bench")
        composer.root(0)
        counts: Counts = Counter()
        nodes, started = composer.nodes, time.process_time()
        index = 1
        while time.process_time() - started < seconds:
            counts += composer.root(index).counts
            index += 1
        _print_run(length, counts, composer.nodes - nodes, time.process_time() - started)


def _print_run(length: int, counts: Counts, nodes: int, spent: float) -> None:
    candidates = counts["candidates"]
    print(
        f"{length} moves: {candidates / spent:.0f} candidates/s, "
        f"{60 * counts['problems'] / spent:.1f} problems/CPU minute, {nodes / spent:.0f} nodes/s"
    )
    print(f"    {counts['roots']} roots, {counts['defences']} answers and {candidates} checks taken back")
    print(f"    {counts['finalists']} finalists")
    for reason in Rejection:
        if counts[reason]:
            print(f"    {_share(reason, counts)} {counts[reason]:8}  {reason.value}")


def _share(reason: Rejection, counts: Counts) -> str:
    """Of the answers or checks taken back; of the last tests, which parents take as well, none is told."""
    for total, reasons in (("defences", _AT_AN_ANSWER), ("candidates", _AT_A_CHECK)):
        if reason in reasons:
            return f"{100 * counts[reason] / counts[total]:6.2f}%"
    return " " * 7
