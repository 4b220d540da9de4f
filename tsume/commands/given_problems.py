"""The shorter problems of a file that a run extends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.constraints.problem import Constraints
from solver.results import Limits, Mate, NoMate, Reason, SearchResult
from tsume.files.inputs import Entry, Inputs, complain, with_start_faults
from tsume.services.engines import df_pn_of_size
from tsume_rules.symmetry import canonical_sfen

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine

_NODES = 1_000_000
"""Limit of the search of one position; not in seconds, so that a file always gives the same starts."""
_SHOWN = 20
"""Unreadable lines that are reported one by one, at most."""
_FEW = 3
"""A file of at most this many lines counts as a list of SFENs even if none of them is one."""


def given_problems(file: str, moves: int, wishes: Constraints, table_bits: int) -> tuple[str, ...]:
    """The canonical SFENs of a file's positions that can be extended to problems of ``moves`` moves.

    These mate in fewer moves, are correct, and have only kinds of piece that the constraints allow. Each
    comes once, in the order of the file. stderr has a line for each of the others, and for a file that
    cannot be read or is not a list of SFENs.
    """
    engine = df_pn_of_size(table_bits)
    found: list[str] = []
    unreadable = _Unreadable(file)
    for entry in Inputs((), (file,)):
        if entry.parsed is None:
            unreadable.add(entry)
            continue
        unreadable.report()
        sound = with_start_faults(entry)
        fault = sound.error or _fault(sound, moves, wishes, engine)
        if fault:
            complain(entry.place, f"skipped: {fault}")
        else:
            found.append(canonical_sfen(entry.parsed.position))
    unreadable.end()
    return tuple(dict.fromkeys(found))


class _Unreadable:
    """Lines that are not SFENs: reported once a line of the file is one, and not all if there are many."""

    def __init__(self, file: str) -> None:
        self._name = "stdin" if file == "-" else file
        self._waiting: list[Entry] = []
        self._number = 0
        self._some_read = False

    def add(self, entry: Entry) -> None:
        self._number += 1
        if self._number <= _SHOWN:
            self._waiting.append(entry)
        if self._some_read:
            self.report()

    def report(self) -> None:
        """Report the lines so far: the file is a list of SFENs."""
        self._some_read = True
        for entry in self._waiting:
            complain(entry.place, f"skipped: {entry.error}")
        self._waiting.clear()

    def end(self) -> None:
        """Report the rest, or the whole file."""
        if not self._some_read and self._number > _FEW:
            complain(
                self._name,
                "not a list of SFENs: no line is a valid SFEN",
            )
            return
        self.report()
        if self._number > _SHOWN:
            complain(self._name, f"skipped: {self._number - _SHOWN} more unreadable lines")


def _fault(entry: Entry, moves: int, wishes: Constraints, engine: DfPnEngine) -> str:
    from generator.reverse.given_problems import given_problem
    from solver.solving.deepening import search_length
    from tsume_rules.packing import pack

    assert entry.parsed is not None
    position = entry.parsed.position
    if moves < 3:  # no mate is shorter
        return _too_long(moves)
    if not wishes.fit_kinds(position):
        return "it has a kind of piece that the conditions exclude"
    engine.forget()
    limits = Limits(nodes=_NODES, max_length=moves - 2)
    fault = _fault_of(search_length(engine, pack(position), limits), moves)
    engine.forget()
    return fault or given_problem(engine, canonical_sfen(position)).why


def _fault_of(result: SearchResult, moves: int) -> str:
    if isinstance(result, Mate):
        return "" if result.length < moves else _too_long(moves)
    if isinstance(result, NoMate):
        return "no mate"
    return _too_long(moves) if result.reason is Reason.LENGTH else "no mate found within the limits"


def _too_long(moves: int) -> str:
    return f"no mate in fewer than {moves} moves"
