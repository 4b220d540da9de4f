"""``tsume check``"""

from __future__ import annotations

from typing import Any

import click

from rules.sfen import Reading
from solver.results import Judgement, Limits, Verdict
from tsume.commands.options import number
from tsume.inputs import Entry, Inputs, complain, position_arguments
from tsume.output import print_json, print_line, usi_line


@click.command()
@position_arguments
@click.option("--moves", type=click.IntRange(1), help="The length (plies) the problems are said to have.")
@click.option("--time", "seconds", type=click.FloatRange(0), default=60.0, show_default=True,
              callback=number, help="Stop a position after so many seconds.")  # fmt: skip
@click.option("--jsonl", is_flag=True, help="Print one JSON object a position.")
@click.pass_context
def check(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    moves: int | None,
    seconds: float,
    jsonl: bool,
) -> None:
    """Tell whether each position is a correct problem (完全作), and every defect if not.

    Exits 1 when a position is invalid or unresolved; an incorrect problem is an
    answer like any other.
    """
    inputs = Inputs(sfens, files)
    checker = _Checker(moves, seconds)
    good = True
    for entry in inputs:
        judgement = checker.judge(entry)
        error = entry.error or "; ".join(judgement.faults if _is_illegal(judgement) else ())
        good &= not error and not judgement.unresolved
        if error:
            complain(entry.place, error)
        if jsonl:
            print_json(**_fields(entry, judgement, error))
        elif not error:
            for line in _lines(entry, judgement):
                print_line(line)
    context.exit(0 if good and not inputs.unreadable else 1)


def _is_illegal(judgement: Judgement) -> bool:
    return bool(judgement.verdict & Verdict.ILLEGAL_START)


class _Checker:
    def __init__(self, moves: int | None, seconds: float) -> None:
        self._moves = moves
        self._seconds = seconds
        self._solver: Any = None
        self._judge: Any = None

    def judge(self, entry: Entry) -> Judgement:
        if entry.reading is None:
            return Judgement(Verdict.ILLEGAL_START)
        if self._judge is None:
            from solver.engine import Solver
            from solver.judge import Judge

            self._solver = Solver()
            self._judge = Judge(self._solver)
        self._solver.forget()  # the same verdict in any order of positions
        limits = Limits(seconds=self._seconds)
        answer: Judgement = self._judge.judge(entry.reading.position, self._moves, limits)
        return answer


def _fields(entry: Entry, judgement: Judgement, error: str) -> dict[str, Any]:
    reading = entry.reading or _NO_READING
    return {
        "sfen": entry.sfen,
        "correct": judgement.correct,
        "defects": judgement.verdict.names,
        "unresolved": judgement.unresolved,
        "length": judgement.length,
        "line": usi_line(reading, judgement.line),
        "cooks": [usi_line(reading, cook) for cook in judgement.cooks],
        "searched": judgement.searched,
        "notes": [*notes(judgement), *reading.notes],
        "error": error or None,
    }


def notes(judgement: Judgement) -> list[str]:
    """What is reported of a problem besides its defects."""
    return [*judgement.faults, *judgement.remarks.texts]


def _lines(entry: Entry, judgement: Judgement) -> list[str]:
    reading = entry.reading or _NO_READING
    word = "unresolved" if judgement.unresolved else "correct" if judgement.correct else "incorrect"
    length = f" in {judgement.length}" if judgement.length else ""
    line = " ".join(usi_line(reading, judgement.line))
    head = f"{word}{length}: {line}".rstrip(": ")
    defects = [f"  defect {name}" for name in judgement.verdict.names]
    cooks = [f"  second solution: {' '.join(usi_line(reading, cook))}" for cook in judgement.cooks]
    remarks = [f"  note: {note}" for note in [*notes(judgement), *reading.notes]]
    return [head, *defects, *cooks, *remarks, f"  {searched_text(judgement)}"]


def searched_text(judgement: Judgement) -> str:
    """How far second solutions were looked for."""
    if judgement.searched is None:
        return "second solutions were looked for to the end"
    return f"second solutions were looked for within {judgement.searched} moves"


def _no_reading() -> Reading:
    from rules.hands import Hand
    from rules.position import Position

    return Reading(Position((None,) * 81, Hand(), Hand()))


_NO_READING = _no_reading()
