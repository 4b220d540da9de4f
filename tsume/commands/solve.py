"""``tsume solve``"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import click

from solver.engines.rsearch.mating_cells import DEFAULT_CELLS, LEAST_CELLS
from solver.results import Interposition, Limits, Mate, NoMate, SearchResult
from tsume.commands.options import MOST, finite, jsonl_option, memory_option, seconds_option
from tsume.inputs import Entry, Inputs, complain, position_arguments, with_start_faults
from tsume.output import print_json, print_line, usi_line
from tsume.warmup import Part, warm_up
from tsume_rules.position import Position


@click.command()
@position_arguments
@click.option("--max-moves", type=click.IntRange(1), help="Look for mates of at most so many moves (plies).")
@click.option("--nodes", type=click.IntRange(1), help="Stop a position after so many nodes.")
@seconds_option(30.0)
@memory_option
@click.option(
    "--engine",
    type=click.Choice(["df-pn", "iterative", "rsearch"]),
    default="df-pn",
    show_default=True,
    help="How to search: proof numbers, iterative deepening after Sekine, or in a given space after Katoh.",
)
@click.option(
    "--weight",
    type=click.FloatRange(0),
    default=0.4,
    show_default=True,
    callback=finite,
    help="iterative: how much the king's freedom tells which check is searched next.",
)
@click.option("-j", "--jobs", type=click.IntRange(1, 256), default=1, show_default=True,
              help="iterative: how many threads.")  # fmt: skip
@click.option(
    "--cells",
    type=click.IntRange(LEAST_CELLS, MOST),
    default=DEFAULT_CELLS,
    show_default=True,
    help="rsearch: how many nodes of the game tree are kept at once, at most.",
)
@click.option("--count-futile", is_flag=True, help="Count every interposition, futile ones too.")
@jsonl_option("position")
@click.pass_context
def solve(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    max_moves: int | None,
    nodes: int | None,
    seconds: float,
    memory: int,
    engine: str,
    weight: float,
    jobs: int,
    cells: int,
    count_futile: bool,
    jsonl: bool,
) -> None:
    """Find the shortest mate of each position and its best line.

    Exits 1 when a position is invalid or unresolved.
    """
    inputs = Inputs(sfens, files)
    reading = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    limits = Limits(nodes, seconds, max_moves)
    if engine != "iterative" and _is_given(context, "weight", "jobs"):
        raise click.UsageError("--weight and --jobs belong to --engine iterative")
    if engine != "rsearch" and _is_given(context, "cells"):
        raise click.UsageError("--cells belongs to --engine rsearch")
    engine: _Engine = _DfPn(limits, memory, reading)
    if engine == "iterative":
        engine = _Iterative(limits, memory, reading, weight, jobs)
    elif engine == "rsearch":
        engine = _RSearch(limits, memory, reading, cells)
    good = True
    for entry in inputs:
        answer = _solve(with_start_faults(entry), engine)
        good &= answer.good
        if answer.error:
            complain(entry.place, answer.error)
        if jsonl:
            print_json(**answer.fields)
        elif answer.text:
            print_line(answer.text)
    context.exit(0 if good and not inputs.unreadable else 1)


@dataclass(frozen=True)
class _Answer:
    fields: dict[str, Any]
    text: str
    error: str | None
    good: bool


def _is_given(context: click.Context, *names: str) -> bool:
    default = click.core.ParameterSource.DEFAULT
    return any(context.get_parameter_source(name) is not default for name in names)


@dataclass
class _DfPn:
    """The first engine, made when it is first needed: numba takes its time."""

    limits: Limits
    memory: int
    interposition: Interposition
    _engine: Any = None

    def solve(self, position: Position) -> tuple[SearchResult, int]:
        """The result and the nodes it took."""
        from solver.engines.dfpn.engine import DfPnEngine, table_bits_within
        from solver.solving.solve import solve as solve_position

        if self._engine is None:
            bits = table_bits_within(self.memory << 20)
            self._engine = DfPnEngine(table_bits=bits, interposition=self.interposition)
        nodes = self._engine.nodes
        result = solve_position(position, self.limits, self._engine)
        return result, self._engine.nodes - nodes


@dataclass
class _Iterative:
    """The second engine, with a thread and a part of the memory for each job."""

    limits: Limits
    memory: int
    interposition: Interposition
    weight: float
    jobs: int
    _engines: list[Any] = field(default_factory=list)

    def solve(self, position: Position) -> tuple[SearchResult, int]:
        """The result and the nodes it took."""
        warm_up(Part.ITERATIVE)
        from solver.engines.iterative.engine import IterativeEngine, table_bits_within
        from solver.solving.solve import solve_iteratively

        if not self._engines:
            try:
                bits = table_bits_within((self.memory << 20) // self.jobs)
            except ValueError as error:
                raise click.UsageError(f"--memory is too little for {self.jobs} jobs: {error}") from None
            self._engines = [
                IterativeEngine(table_bits=bits, interposition=self.interposition) for _ in range(self.jobs)
            ]
        nodes = self._nodes
        result = solve_iteratively(position, self.limits, self._engines, self.weight)
        return result, self._nodes - nodes

    @property
    def _nodes(self) -> int:
        return sum(engine.nodes for engine in self._engines)


@dataclass
class _RSearch:
    """RSEARCH, with its cells and no table."""

    limits: Limits
    memory: int
    interposition: Interposition
    cells: int
    _engine: Any = None

    def solve(self, position: Position) -> tuple[SearchResult, int]:
        """The result and the nodes it took."""
        warm_up(Part.RSEARCH)
        from solver.engines.rsearch.engine import RSearchEngine, space_bytes
        from solver.solving.solve import solve as solve_position

        if self._engine is None:
            if space_bytes(self.cells) > self.memory << 20:
                raise click.UsageError(f"--memory is too little for {self.cells} cells")
            self._engine = RSearchEngine(cells=self.cells, interposition=self.interposition)
        nodes = self._engine.nodes
        result = solve_position(position, self.limits, self._engine)
        return result, self._engine.nodes - nodes

    @property
    def peak_cells(self) -> int:
        """The most cells in use for the last position."""
        return int(self._engine.peak_cells) if self._engine else 0


_Engine = _DfPn | _Iterative | _RSearch


def _solve(entry: Entry, engine: _Engine) -> _Answer:
    if entry.reading is None:
        return _answer(entry, "invalid", error=entry.error)
    started = time.perf_counter()
    result, nodes = engine.solve(entry.reading.position)
    spent: dict[str, Any] = {"nodes": nodes, "seconds": round(time.perf_counter() - started, 4)}
    if isinstance(engine, _RSearch):
        spent["cells"] = engine.peak_cells
    if isinstance(result, Mate):
        line = usi_line(entry.reading, result.line)
        return _answer(entry, "mate", length=result.length, line=line, **spent)
    if isinstance(result, NoMate):
        return _answer(entry, "no_mate", **spent)
    known = f"; no mate within {result.no_mate_within} moves" if result.no_mate_within > 0 else ""
    return _answer(entry, "unresolved", error=f"limit of {result.reason.value} reached{known}", **spent)


def _answer(
    entry: Entry,
    result: str,
    *,
    length: int | None = None,
    line: list[str] | None = None,
    nodes: int = 0,
    seconds: float = 0.0,
    cells: int | None = None,
    error: str | None = None,
) -> _Answer:
    fields = {
        "sfen": entry.sfen,
        "result": result,
        "length": length,
        "line": line or [],
        "nodes": nodes,
        "seconds": seconds,
        **({} if cells is None else {"cells": cells}),
        "error": error,
    }
    texts = {"mate": f"mate in {length}: {' '.join(line or [])}", "no_mate": "no mate"}
    return _Answer(fields, texts.get(result, result), error, result in texts)
