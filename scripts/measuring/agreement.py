# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench agree`: whether ways of searching that share little give the same answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click

from scripts.measuring.options import FILES
from scripts.measuring.position_files import Named, read
from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.memory import table_bits_within
from solver.engines.iterative import engine as iterative
from solver.engines.iterative.sekine import SekineEngine
from solver.results import Limits, Mate, MateBounds, NoMate, SearchResult
from solver.solving.deepening import search_length
from tsume_rules.game import start_faults
from tsume_rules.packing import pack

Way = Callable[[Named], SearchResult]


@click.command()
@click.option("--small", default=64, show_default=True, help="MB of an engine with a small table.")
@click.option("--large", default=4096, show_default=True, help="MB of an engine with a large table.")
@click.option("--nodes", default=2_000_000, show_default=True, help="Nodes for each position and way.")
@click.option("--moves", default=15, show_default=True, help="Mates of more moves are left out.")
@click.option("--seconds", default=2.0, show_default=True, help="For the second engine; 0: it is not asked.")
@click.option(
    "--threads",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="More than one: ask also so many threads on one table.",
)
@click.option(
    "--every", type=click.IntRange(1), default=1, show_default=True, help="Take one position of so many."
)
@FILES
def agree(
    files: tuple[Path, ...],
    small: int,
    large: int,
    nodes: int,
    moves: int,
    seconds: float,
    threads: int,
    every: int,
) -> None:
    """Whether small and large tables, both searches and both engines give the same lengths.

    FILES of positions, one a line. Each position is solved as `tsume solve` does, and by the search for long
    works from the first move on, each with a small and with a large table; by the latter also in threads that
    help from the first node on; and by the second engine. What reaches a limit is left out. A line for each
    disagreement and each file.
    """
    limits = Limits(nodes=nodes)
    ways: dict[str, Way] = {}
    for name, megabytes in (("small", small), ("large", large)):
        bits = table_bits_within(megabytes << 20)
        engine = DfPnEngine(table_bits=bits)
        ways[f"usual, {name}"] = _way(engine, limits, None)
        ways[f"long works, {name}"] = _way(engine, limits, MateBounds())
        if threads > 1:
            team = DfPnEngine(table_bits=bits, threads=threads, alone=0)
            ways[f"{threads} threads, {name}"] = _way(team, limits, MateBounds())
    if seconds:
        bits = iterative.table_bits_within(small << 20)
        ways["second engine"] = _way(SekineEngine(table_bits=bits), Limits(None, seconds, moves), None)
    wrong = 0
    for path in files:
        answers = Counter[str]()
        for named in read(path)[::every]:
            wrong += not _compared(named, path, ways, moves, answers)
        told = ", ".join(f"{name} {answers[name]}" for name in ways)
        click.echo(f"{path.name}: {answers['positions']} positions; answered: {told}")
    click.echo(f"{wrong} disagreements")


def _compared(named: Named, path: Path, ways: dict[str, Way], moves: int, answers: Counter[str]) -> bool:
    """Ask all ways about a position, count their answers, and print those that differ.

    In ``found`` 0 stands for no mate. Returns whether all are the same.
    """
    if start_faults(named.position):
        return True
    found: dict[str, int] = {}
    for name, way in ways.items():
        result = way(named)
        if isinstance(result, Mate | NoMate):
            found[name] = result.length if isinstance(result, Mate) else 0
            if found[name] > moves:
                return True
    answers["positions"] += 1
    answers.update(found.keys())
    if len(set(found.values())) <= 1:
        return True
    click.echo(f"{path.name}, {named.name}: {found}: {named.sfen}")
    return False


def _way(engine: MateEngine, limits: Limits, since: MateBounds | None) -> Way:
    def answer(named: Named) -> SearchResult:
        engine.forget()
        return search_length(engine, pack(named.position), limits, since=since)

    return answer
