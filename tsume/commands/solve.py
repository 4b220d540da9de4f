"""``tsume solve``"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import click

from solver.results import Interposition, Limits, Mate, NoMate, SearchResult
from tsume.commands.options import number
from tsume.inputs import Entry, Inputs, complain, position_arguments, with_start_faults
from tsume.output import print_json, print_line, usi_line


@click.command()
@position_arguments
@click.option("--max-moves", type=click.IntRange(1), help="Look for mates of at most so many moves (plies).")
@click.option("--nodes", type=click.IntRange(1), help="Stop a position after so many nodes.")
@click.option("--time", "seconds", type=click.FloatRange(0), default=30.0, show_default=True,
              callback=number, help="Stop a position after so many seconds.")  # fmt: skip
@click.option("--count-futile", is_flag=True, help="Count every interposition, futile ones too.")
@click.option("--jsonl", is_flag=True, help="Print one JSON object a position.")
@click.pass_context
def solve(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    max_moves: int | None,
    nodes: int | None,
    seconds: float,
    count_futile: bool,
    jsonl: bool,
) -> None:
    """Find the shortest mate of each position and its best line.

    Exits 1 when a position is invalid or unresolved.
    """
    inputs = Inputs(sfens, files)
    reading = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    solver = _Solver(Limits(nodes, seconds, max_moves), reading)
    good = True
    for entry in inputs:
        answer = solver.solve(with_start_faults(entry))
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


class _Solver:
    def __init__(self, limits: Limits, interposition: Interposition) -> None:
        self._limits = limits
        self._interposition = interposition
        self._engine: Any = None

    def solve(self, entry: Entry) -> _Answer:
        if entry.reading is None:
            return _answer(entry, "invalid", error=entry.error)
        from solver.engine import Solver
        from solver.solve import solve as solve_position

        if self._engine is None:
            self._engine = Solver(interposition=self._interposition)
        nodes, started = self._engine.nodes, time.perf_counter()
        result: SearchResult = solve_position(entry.reading.position, self._limits, self._engine)
        spent = {"nodes": self._engine.nodes - nodes, "seconds": round(time.perf_counter() - started, 4)}
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
    error: str | None = None,
) -> _Answer:
    fields = {
        "sfen": entry.sfen,
        "result": result,
        "length": length,
        "line": line or [],
        "nodes": nodes,
        "seconds": seconds,
        "error": error,
    }
    texts = {"mate": f"mate in {length}: {' '.join(line or [])}", "no_mate": "no mate"}
    return _Answer(fields, texts.get(result, result), error, result in texts)
