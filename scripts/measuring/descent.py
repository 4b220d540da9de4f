# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench descent`: the lengths that the search from above finds on its way to the shortest one."""

from __future__ import annotations

from pathlib import Path

import click

from scripts.measuring.options import FILES
from scripts.measuring.position_files import read
from scripts.measuring.preparation import warm_up
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.memory import table_bits_within
from solver.results import Limits, MateBounds
from solver.solving.deepening import search_length
from tsume_rules.packing import Record, pack


@click.command()
@click.option("--time", "seconds", default=60.0, show_default=True, help="Seconds for each position.")
@click.option("--memory", default=1024, show_default=True, help="MB for the table.")
@FILES
def descent(files: tuple[Path, ...], seconds: float, memory: int) -> None:
    """Long problems of FILES, as for `classics`: a line for each step.

    A line has the name, the nodes so far, the length found (0: none so far), and the plies within which there
    is known to be no mate.
    """
    engine = DfPnEngine(table_bits=table_bits_within(memory << 20))
    warm_up(engine)
    for named in (named for path in files for named in read(path)):
        engine.forget()
        for nodes, bounds in steps(engine, pack(named.position), Limits(seconds=seconds)):
            print(f"{named.name}\t{nodes}\t{bounds.within or 0}\t{bounds.none_within}", flush=True)


def steps(engine: DfPnEngine, record: Record, limits: Limits) -> list[tuple[int, MateBounds]]:
    """The bounds after each step of the search for the shortest mate, with the nodes used until then."""
    started = engine.nodes
    found: list[tuple[int, MateBounds]] = []
    search_length(engine, record, limits, lambda bounds: found.append((engine.nodes - started, bounds)))
    return found
