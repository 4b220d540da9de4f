"""The shorter problems of a file that a run is to extend."""

from __future__ import annotations

from rules.symmetry import canonical_sfen
from solver.results import Limits, Mate, NoMate, Reason, SearchResult
from tsume.inputs import Entry, Inputs, complain, with_start_faults

_NODES = 1_000_000
"""For the search of one position; no seconds, so that the same file gives the same starts."""


def starts_from(file: str, moves: int) -> tuple[str, ...]:
    """The canonical SFENs of a file's positions that mate in fewer than ``moves`` moves.

    Each comes once, in the order of the file. The others are told on stderr, one line
    each; so is a file that cannot be read.
    """
    from solver.engine import Solver

    solver = Solver()
    found: list[str] = []
    for entry in map(with_start_faults, Inputs((), (file,))):
        fault = entry.error or _fault(entry, moves, solver)
        if fault:
            complain(entry.place, f"left out: {fault}")
        elif entry.reading is not None:
            found.append(canonical_sfen(entry.reading.position))
    return tuple(dict.fromkeys(found))


def _fault(entry: Entry, moves: int, solver: object) -> str:
    from rules.packing import pack
    from solver.deepening import search_length
    from solver.engine import Solver

    assert isinstance(solver, Solver)
    assert entry.reading is not None
    if moves < 3:  # no mate is shorter
        return _too_long(moves)
    solver.forget()
    limits = Limits(nodes=_NODES, max_length=moves - 2)
    return _fault_of(search_length(solver, pack(entry.reading.position), limits), moves)


def _fault_of(result: SearchResult, moves: int) -> str:
    if isinstance(result, Mate):
        return "" if result.length < moves else _too_long(moves)
    if isinstance(result, NoMate):
        return "no mate"
    return _too_long(moves) if result.reason is Reason.LENGTH else "no mate found within the limits"


def _too_long(moves: int) -> str:
    return f"no mate in fewer than {moves} moves"
