# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume mend`` and ``tsume enrich``: changed problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from generator.changes import Improvement
from solver.results import Grade
from tsume.commands.options import (
    F,
    grade_option,
    jsonl_option,
    keep_option,
    lang_option,
    position_arguments,
    print_json,
    print_line,
    seconds_option,
)
from tsume.files.inputs import Entry, PositionInputs, print_complaint
from tsume.language.catalogue import MIXED, Voice
from tsume.reports.changes import nearest_lines, repair_lines, suggestion_lines, worth_text
from tsume.reports.judgement import judgement_head_line, judgement_lines
from tsume.uses.checking import Checker
from tsume.uses.repairing import ImproveOptions, RepairOptions, improve, repair
from tsume_rules.position import Square
from tsume_rules.sfen import ParsedSfen

_MAX_EDITS = 3


def edits_option(what: str, least: int = 1) -> Callable[[F], F]:
    """``--edits``: the most changes of one ``what``."""
    return click.option(
        "--edits", type=click.IntRange(least, _MAX_EDITS), default=2, show_default=True,
        help=f"Maximum number of changes in one {what}.",
    )  # fmt: skip


def count_option(default: int, text: str) -> Callable[[F], F]:
    """``-n``: how many are looked for."""
    return click.option("-n", "--count", type=click.IntRange(1, 1000), default=default, show_default=True, help=text)


class ReadablePositions:
    """Iterates over the given positions that can be read, as `ParsedSfen` too; complains about the others.

    With ``jsonl`` each of the others gets an object with its error. Afterwards ``failed`` says whether
    there was one, or a file that could not be read.
    """

    def __init__(self, inputs: PositionInputs, *, jsonl: bool) -> None:
        self._inputs = inputs
        self._jsonl = jsonl
        self.failed = False

    def __iter__(self) -> Iterator[tuple[Entry, ParsedSfen]]:
        for entry in self._inputs:
            if entry.judged is not None:
                yield entry, entry.judged
                continue
            self.failed = True
            print_complaint(entry.place, entry.error)
            if self._jsonl:
                print_json(**entry.names, sfen=entry.sfen, error=entry.error)
        self.failed |= self._inputs.unreadable


# --- ``tsume mend`` --------------------------------------------------------------------------------


@click.command()
@position_arguments
@click.option("--moves", type=click.IntRange(3, 99), help="Length of a repair in moves (plies).")
@keep_option()
@edits_option("repair")
@count_option(5, "Number of perfect repairs to look for.")
@seconds_option(10.0)
@lang_option(MIXED)
@jsonl_option("position")
@click.pass_context
def mend(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    at: int | None,
    moves: int | None,
    keep: frozenset[Square],
    edits: int,
    count: int,
    seconds: float,
    voice: Voice,
    jsonl: bool,
) -> None:
    """Repair each position that is not a perfect problem: the nearest perfect ones, nearest first.

    A change adds, removes, moves or exchanges a piece, moves one between board and hand, or shifts
    the whole position. All single changes are tried first; if none helps, the positions that came nearest
    are changed further. Exits with status 1 if a position is neither perfect nor repaired.
    """
    positions = ReadablePositions(PositionInputs(sfens, files, at=at), jsonl=jsonl)
    checker = Checker()
    good = True
    for entry, parsed in positions:
        options = RepairOptions(moves, parsed.seen_by_attacker(keep), edits, count, seconds)
        repaired = repair(checker, parsed, entry.line, options)
        repairs, nothing_found = repaired.repairs, repaired.found is not None and not repaired.repairs
        if not repaired.complete:
            print_complaint(entry.place, f"time ran out after {seconds:g} s; repairs found: {len(repairs)}")
        good &= not nothing_found
        if jsonl:
            print_json(**entry.names, sfen=entry.sfen, **repaired.to_json(), error=None)
            continue
        lines = list(judgement_lines(repaired.judgement, parsed, voice))
        for number, one in enumerate(repairs, start=1):
            lines += repair_lines(number, one, voice)
        if repaired.found is None:
            lines.append(voice("changes.nothing_to_mend"))
        elif not repairs:
            lines += nearest_lines(repaired.found, voice)
        print_line("\n".join(lines))
    context.exit(0 if good and not positions.failed else 1)


# --- ``tsume enrich`` ------------------------------------------------------------------------------


def _even(_context: click.Context, _parameter: click.Parameter, plies: int) -> int:
    if plies % 2:
        raise click.BadParameter(f"{plies} is odd: an introduction has an even number of moves")
    return plies


@click.command()
@position_arguments
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice([kind.value for kind in Improvement]),
    help="Only suggestions of this kind; repeatable.",
)  # fmt: skip
@click.option(
    "--plies", type=click.IntRange(2, 8), default=2, show_default=True, callback=_even,
    help="Number of moves that an introduction adds.",
)  # fmt: skip
@grade_option("Grade of the suggestions; sound: no worse than the problem itself.", Grade.SOUND)
@keep_option()
@edits_option("suggestion", least=0)
@count_option(3, "Number of suggestions of each kind.")
@seconds_option(30.0)
@lang_option(MIXED)
@jsonl_option("position")
@click.pass_context
def enrich(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    at: int | None,
    kinds: tuple[str, ...],
    plies: int,
    grade: Grade,
    keep: frozenset[Square],
    edits: int,
    count: int,
    seconds: float,
    voice: Voice,
    jsonl: bool,
) -> None:
    """Suggest improvements of each correct problem that keep its line, best first.

    Suggestions are needed defenders, natural form, and moves in front of the line. The gain of a
    suggestion is its increase in quality and likeness minus its increase in material. Exits with status 1
    if a position is not a correct problem.
    """
    positions = ReadablePositions(PositionInputs(sfens, files, at=at), jsonl=jsonl)
    wanted = frozenset(map(Improvement, kinds)) or frozenset(Improvement)
    checker = Checker()
    good = True
    for entry, parsed in positions:
        squares = parsed.seen_by_attacker(keep)
        options = ImproveOptions(wanted, squares, edits, plies, count, grade, seconds)
        improved = improve(checker, parsed, entry.line, options)
        judgement, found, suggestions = improved.judgement, improved.found, improved.suggestions
        if found is None:
            good = False
            why = (
                "the problem is unsound (tsume mend repairs it)" if judgement.grade else "time ran out while judging it"
            )
            print_complaint(entry.place, f"{why}: no suggestions")
        elif not found.complete:
            text = f"time ran out after {seconds:g} s; suggestions found: {len(suggestions)}"
            print_complaint(entry.place, text)
        if jsonl:
            print_json(**entry.names, sfen=entry.sfen, **improved.to_json(), error=None)
        elif found is not None:
            lines = [judgement_head_line(judgement, parsed, voice), f"   {worth_text(found.worth, voice)}"]
            for number, one in enumerate(suggestions, start=1):
                lines += suggestion_lines(number, one, voice)
            print_line("\n".join(lines if suggestions else [*lines, voice("changes.nothing_to_suggest")]))
    context.exit(0 if good and not positions.failed else 1)
