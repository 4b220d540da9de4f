"""How quick the generator and the solver are. Run through `scripts/bench`."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from statistics import median

import click

from generator.compose import Composer, Options
from generator.reasons import Counts, Rejection
from rules.packing import pack
from rules.sfen import parse_line, parse_sfen
from solver.deepening import search_length
from solver.engine import Solver
from solver.results import Interposition, Limits, Mate


@click.group()
def bench() -> None:
    """Measure CPU time after warm-up, in one process."""


@bench.command()
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
    for reason in Rejection:
        if counts[reason]:
            before = reason in (Rejection.LONGER_DEFENCE, Rejection.SHORTER_DEFENCE, Rejection.LEFTOVER)
            total = counts["defences"] if before else candidates
            print(f"    {100 * counts[reason] / total:6.2f}% {counts[reason]:8}  {reason.value}")


@bench.command()
@click.option("--number", default=200, show_default=True, help="Positions of each file.")
@click.option("--count-futile", is_flag=True)
@click.argument("files", nargs=-1, type=click.Path(exists=True))
def solve(files: tuple[str, ...], number: int, count_futile: bool) -> None:
    """Exact lengths of the positions of files (SFEN lines): time and nodes."""
    reading = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    solver = Solver(interposition=reading)
    for path in files:
        lines = Path(path).read_text(encoding="utf-8").splitlines()[:number]
        records = [pack(parse_sfen(parse_line(line)[0]).position) for line in lines]
        search_length(solver, records[0], Limits(seconds=60))
        times, nodes, lengths = [], solver.nodes, Counter[int]()
        for record in records:
            started = time.process_time()
            solver.forget()
            result = search_length(solver, record, Limits(seconds=60))
            times.append(time.process_time() - started)
            lengths[result.length if isinstance(result, Mate) else 0] += 1
        total = sum(times)
        print(
            f"{path}: total {total:.3f} s, median {1000 * median(times):.3f} ms, "
            f"p95 {1000 * sorted(times)[int(0.95 * len(times))]:.3f} ms, "
            f"{(solver.nodes - nodes) / total:.0f} nodes/s, lengths {dict(sorted(lengths.items()))}"
        )


if __name__ == "__main__":
    bench()
