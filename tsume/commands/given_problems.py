# SPDX-License-Identifier: GPL-3.0-or-later
"""The shorter problems of a file that a run extends."""

from __future__ import annotations

from generator.constraints.problem import ProblemConstraints
from tsume.files.inputs import Entry, PositionInputs, print_complaint, with_start_faults
from tsume.services.extending import ExtensionCheck
from tsume_rules.sfen import canonical_sfen

_SHOWN = 20
"""Unreadable lines that are reported one by one, at most."""
_FEW = 3
"""A file of at most this many lines counts as a list of SFENs even if none of them is one."""


def given_problems(file: str, moves: int, wishes: ProblemConstraints, table_bits: int) -> tuple[str, ...]:
    """The canonical SFENs of a file's positions that can be extended to problems of ``moves`` moves.

    These mate in fewer moves, are correct, and have only kinds of piece that the constraints allow. Each
    comes once, in the order of the file. stderr has a line for each of the others, and for a file that
    cannot be read or is not a list of SFENs.
    """
    check = ExtensionCheck(moves, wishes, table_bits)
    found: list[str] = []
    unreadable = _UnreadableLines(file)
    for entry in PositionInputs((), (file,)):
        if entry.parsed is None:
            unreadable.add(entry)
            continue
        unreadable.report()
        sound = with_start_faults(entry)
        fault = sound.error or check.fault(entry.parsed.position)
        if fault:
            print_complaint(entry.place, f"skipped: {fault}")
        else:
            found.append(canonical_sfen(entry.parsed.position))
    unreadable.end()
    return tuple(dict.fromkeys(found))


class _UnreadableLines:
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
            print_complaint(entry.place, f"skipped: {entry.error}")
        self._waiting.clear()

    def end(self) -> None:
        """Report the rest, or the whole file."""
        if not self._some_read and self._number > _FEW:
            print_complaint(
                self._name,
                "not a list of SFENs: no line is a valid SFEN",
            )
            return
        self.report()
        if self._number > _SHOWN:
            print_complaint(self._name, f"skipped: {self._number - _SHOWN} more unreadable lines")
