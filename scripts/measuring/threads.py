"""`scripts/bench threads`: two searches side by side against one after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

from scripts.measuring.position_files import Named, files_or_default, read
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Interposition, Limits
from solver.solving.deepening import search_length
from tsume_rules.packing import pack_all

NODES = 1 << 24
LAST = 15
Work = Callable[[], object]


@dataclass(frozen=True)
class Spent:
    """Seconds of wall clock and of processors."""

    wall: float
    cpu: float


@click.command()
@click.option("--number", default=100, show_default=True, help="Positions of the file.")
@click.option("--repeat", default=5, show_default=True, help="Repeats of all; the medians are printed.")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def threads(file: Path | None, number: int, repeat: int) -> None:
    """Wall-clock time of the same searches on two threads and one after the other.

    Each thread has an engine and solves all the positions (SFEN lines; without FILE, mates in 11
    beside the project). The best possible ratio is 0.5. Two processors must be idle: the searches
    one after the other must have used nearly 1 of them.
    """
    (path,) = files_or_default((file,) if file else (), (11,))
    positions = read(path, number)
    for name, work_of in (("one call for all", _together), ("a search for each", _one_by_one)):
        work = [work_of(positions), work_of(positions)]
        for each in work:
            each()  # warms up
        runs = [(_time(work, _in_turn), _time(work, _side_by_side)) for _ in range(repeat)]
        in_turn, beside = ([run[i] for run in runs] for i in (0, 1))
        ratio = median(b.wall / a.wall for a, b in runs)
        print(
            f"{name}: one after the other {_text(in_turn)}, side by side {_text(beside)}, ratio {ratio:.2f}"
        )


def _together(positions: Sequence[Named]) -> Work:
    """All positions in one kernel call, without the interpreter."""
    engine = DfPnEngine(interposition=Interposition.COUNT_ALL)
    records = pack_all([named.position for named in positions])
    return lambda: engine.short_lengths(records, LAST, NODES)


def _one_by_one(positions: Sequence[Named]) -> Work:
    """A search for each position, as commands do it: with Python between its slices."""
    engine = DfPnEngine(interposition=Interposition.COUNT_ALL)
    records = list(pack_all([named.position for named in positions]))

    def work() -> None:
        for record in records:
            engine.forget()
            search_length(engine, record, Limits(nodes=NODES))

    return work


def _time(work: Sequence[Work], run: Callable[[Sequence[Work]], None]) -> Spent:
    wall, cpu = time.perf_counter(), time.process_time()
    run(work)
    return Spent(time.perf_counter() - wall, time.process_time() - cpu)


def _text(times: Sequence[Spent]) -> str:
    wall = median(spent.wall for spent in times)
    processors = median(spent.cpu / spent.wall for spent in times)
    return f"{wall:.3f} s ({processors:.2f} processors used)"


def _in_turn(work: Sequence[Work]) -> None:
    for each in work:
        each()


def _side_by_side(work: Sequence[Work]) -> None:
    running = [threading.Thread(target=each) for each in work]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
