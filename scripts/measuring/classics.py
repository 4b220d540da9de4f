# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench classics`: exact lengths of long problems, each within a time limit."""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from scripts.measuring.options import FILES
from scripts.measuring.position_files import Named, read
from scripts.measuring.preparation import warm_up
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.memory import table_bits_within
from solver.results import Interposition, Limits, Mate, NoMate, SearchResult
from solver.solving.deepening import search_length
from tsume_rules.packing import pack

_KINDS = ("mate", "no mate", "open")


@dataclass(frozen=True)
class Attempt:
    """The result for one position."""

    name: str
    result: str
    seconds: float
    nodes: int

    @property
    def line(self) -> str:
        """The line that is printed and kept."""
        return f"{self.name}\t{self.result}\t{self.seconds:.2f} s\t{self.nodes} nodes"

    @property
    def kind(self) -> str:
        """What the result begins with: mate, no mate or open."""
        return next(kind for kind in _KINDS if self.result.startswith(kind))

    @classmethod
    def parse(cls, line: str) -> Attempt:
        """Read a `line` again; raises `ValueError`."""
        name, result, seconds, nodes = line.split("\t")
        return cls(name, result, float(seconds.removesuffix(" s")), int(nodes.removesuffix(" nodes")))


@click.command()
@click.option("--time", "seconds", default=60.0, show_default=True, help="Seconds for each position.")
@click.option("--memory", default=1024, show_default=True, help="MB for all engines together.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Positions side by side.")
@click.option(
    "--threads", default=1, show_default=True, type=click.IntRange(1), help="Threads for each position."
)
@click.option("--count-futile", is_flag=True, help="Count every interposition.")
@click.option(
    "--results", type=click.Path(dir_okay=False, path_type=Path),
    help="File of results: positions in it are not searched again, new results are added.",
)  # fmt: skip
@FILES
def classics(
    files: tuple[Path, ...],
    seconds: float,
    memory: int,
    jobs: int,
    threads: int,
    count_futile: bool,
    results: Path | None,
) -> None:
    """Exact lengths of long problems: FILES of names and SFENs separated by tabs, in either order.

    Wall-clock time. A line for each position as soon as it is done, then a summary;
    Ctrl-C ends it early. `--results` goes on where an earlier run ended.
    """
    try:
        table_bits = table_bits_within((memory << 20) // jobs)
    except ValueError as error:
        raise click.UsageError(f"--memory: {error}") from None
    interposition = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    done = _kept(results)
    known = {attempt.name for attempt in done}
    left = [named for path in files for named in read(path) if named.name not in known]
    engines = [
        DfPnEngine(table_bits=table_bits, interposition=interposition, threads=threads) for _ in range(jobs)
    ]
    for engine in engines:
        warm_up(engine)
    with suppress(KeyboardInterrupt):
        for attempt in attempts(left, engines, Limits(seconds=seconds)):
            done.append(attempt)
            print(attempt.line, flush=True)
            if results is not None:
                with results.open("a", encoding="utf-8") as file:
                    print(attempt.line, file=file)
    _print_summary(done, sum(attempt.name not in known for attempt in done), len(left))


def _kept(results: Path | None) -> list[Attempt]:
    if results is None or not results.exists():
        return []
    try:
        return [Attempt.parse(line) for line in results.read_text(encoding="utf-8").splitlines()]
    except ValueError as error:
        raise click.ClickException(f"{results} holds no results: {error}") from None


def attempts(positions: Sequence[Named], engines: Sequence[DfPnEngine], limits: Limits) -> Iterator[Attempt]:
    """Search all positions, on one thread for each engine; gives each result as soon as it is there.

    What a thread raises is raised here.
    """
    waiting: queue.SimpleQueue[Named] = queue.SimpleQueue()
    ended: queue.SimpleQueue[Attempt | BaseException] = queue.SimpleQueue()
    for named in positions:
        waiting.put(named)
    for engine in engines:
        # Daemons: after Ctrl-C the process ends without waiting for the searches.
        threading.Thread(target=_work, args=(engine, limits, waiting, ended), daemon=True).start()
    for _ in positions:
        attempt = ended.get()
        if isinstance(attempt, BaseException):
            raise attempt
        yield attempt


def _work(
    engine: DfPnEngine,
    limits: Limits,
    waiting: queue.SimpleQueue[Named],
    ended: queue.SimpleQueue[Attempt | BaseException],
) -> None:
    try:
        while True:
            ended.put(_attempt(engine, waiting.get_nowait(), limits))
    except queue.Empty:
        return
    except BaseException as error:  # it is raised where the results are read
        ended.put(error)


def _attempt(engine: DfPnEngine, named: Named, limits: Limits) -> Attempt:
    engine.forget()
    nodes, started = engine.nodes, time.monotonic()
    result = search_length(engine, pack(named.position), limits)
    return Attempt(named.name, _text(result), time.monotonic() - started, engine.nodes - nodes)


def _text(result: SearchResult) -> str:
    if isinstance(result, Mate):
        return f"mate in {result.length}"
    if isinstance(result, NoMate):
        return "no mate"
    found = "" if result.mate_within is None else f", mate within {result.mate_within}"
    return f"open, none within {result.no_mate_within}{found} ({result.reason.value})"


def _print_summary(done: Sequence[Attempt], new: int, asked: int) -> None:
    kinds = Counter(attempt.kind for attempt in done)
    seconds = sum(attempt.seconds for attempt in done)
    nodes = sum(attempt.nodes for attempt in done)
    print(
        f"{len(done)} positions: {kinds['mate']} mates, {kinds['no mate']} without a mate, "
        f"{kinds['open']} open; {seconds:.1f} s, {nodes} nodes, {nodes / max(seconds, 1e-9):,.0f} nodes/s"
    )
    if new < asked:
        print(f"{asked - new} positions are left")
