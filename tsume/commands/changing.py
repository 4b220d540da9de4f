# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume mend`` and ``tsume enrich``: changed problems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

import click

from generator.changes import Improvement
from generator.constraints.problem import ProblemConstraints
from solver.results import Grade
from tsume.commands import options
from tsume.commands.wishes import OF_POSITION_AND_LINE, wishes_of
from tsume.files.inputs import Entry, PositionInputs, print_complaint
from tsume.language.catalogue import MIXED, Voice
from tsume.reports.changes import near_miss_lines, repair_lines, suggestion_lines, worth_text
from tsume.reports.judgement import judgement_head_line, judgement_lines
from tsume.uses.checking import Checker
from tsume.uses.repairing import ImproveOptions, RepairOptions, improve, repair
from tsume_rules.position import Square
from tsume_rules.sfen import ParsedSfen

_MAX_EDITS = 3


def max_edits_option(what: str, least: int = 1) -> Callable[[options.F], options.F]:
    """``--edits``: the most changes of one ``what``."""
    return click.option(
        "--edits", type=click.IntRange(least, _MAX_EDITS), default=2, show_default=True,
        help=f"Maximum number of changes in one {what}.",
    )  # fmt: skip


def count_option(default: int, text: str) -> Callable[[options.F], options.F]:
    """``-n``: how many are looked for."""
    return click.option("-n", "--count", type=click.IntRange(1, 1000), default=default, show_default=True, help=text)


def _answer_each(inputs: PositionInputs, answer: Callable[[Entry, ParsedSfen], bool], *, jsonl: bool) -> NoReturn:
    """Answer each position that can be read, and end the command: with status 0 if all answers are true.

    Each of the others is complained about; with ``jsonl`` it gets an object with its error.
    """
    good = True
    for entry in inputs:
        if entry.judged is not None:
            good &= answer(entry, entry.judged)
            continue
        good = False
        print_complaint(entry.place, entry.error)
        if jsonl:
            options.print_json(**entry.names, sfen=entry.sfen, error=entry.error)
    options.exit_with_status(good and not inputs.unreadable)


@click.command()
@options.position_inputs
@click.option("--moves", type=click.IntRange(3, 99), help="Length of a repair in moves (plies).")
@options.grouped_options("wishes", wishes_of, *OF_POSITION_AND_LINE, *options.FACTS_OF_POSITION)
@options.keep_option()
@max_edits_option("repair")
@count_option(5, "Number of perfect repairs to look for.")
@options.seconds_option(10.0)
@options.lang_option(MIXED)
@options.jsonl_option("position")
def mend(
    inputs: PositionInputs, keep: frozenset[Square], wishes: ProblemConstraints, moves: int | None, voice: Voice,
    jsonl: bool, **repairing: Any,
) -> None:  # fmt: skip
    """Repair each position that is not a perfect problem: the nearest perfect ones, nearest first.

    A change adds, removes, moves or exchanges a piece, moves one between board and hand, or shifts
    the whole position. All single changes are tried first; if none helps, the positions that came nearest
    are changed further. Every repair is as the options for position and line ask, in which squares are
    those that the attacker sees; a perfect problem that is not is changed, too. Exits with status 1 if a
    position is neither perfect nor repaired.
    """
    checker, wanted = Checker(), RepairOptions(moves=moves or wishes.length, wishes=wishes, **repairing)

    def answer(entry: Entry, parsed: ParsedSfen) -> bool:
        kept = replace(wanted, keep=parsed.seen_by_attacker(keep))
        repaired = repair(checker, parsed, entry.line, kept)
        repairs, nothing_found = repaired.repairs, repaired.found is not None and not repaired.repairs
        if not repaired.complete:
            print_complaint(entry.place, f"time ran out after {wanted.seconds:g} s; repairs found: {len(repairs)}")
        if jsonl:
            options.print_json(**entry.names, sfen=entry.sfen, **repaired.to_json(), error=None)
            return not nothing_found
        lines = list(judgement_lines(repaired.judgement, parsed, voice))
        for number, one in enumerate(repairs, start=1):
            lines += repair_lines(number, one, voice)
        if repaired.found is None:
            lines.append(voice("changes.nothing_to_mend"))
        elif not repairs:
            lines += near_miss_lines(repaired.found, voice)
        options.print_line("\n".join(lines))
        return not nothing_found

    _answer_each(inputs, answer, jsonl=jsonl)


def _even(_context: click.Context, _parameter: click.Parameter, plies: int) -> int:
    if plies % 2:
        raise click.BadParameter(f"{plies} is odd: an introduction has an even number of moves")
    return plies


@click.command()
@options.position_inputs
@click.option(
    "--kind", "kinds", multiple=True, type=click.Choice([kind.value for kind in Improvement]),
    help="Only suggestions of this kind; repeatable.",
)  # fmt: skip
@click.option(
    "--plies", type=click.IntRange(2, 8), default=2, show_default=True, callback=_even,
    help="Number of moves that an introduction adds.",
)  # fmt: skip
@options.grade_option("Grade of the suggestions; sound: no worse than the problem itself.", Grade.SOUND)
@options.keep_option()
@max_edits_option("suggestion", least=0)
@count_option(3, "Number of suggestions of each kind.")
@options.seconds_option(30.0)
@options.lang_option(MIXED)
@options.jsonl_option("position")
def enrich(
    inputs: PositionInputs, kinds: tuple[str, ...], keep: frozenset[Square], voice: Voice, jsonl: bool, **improving: Any
) -> None:
    """Suggest improvements of each correct problem that keep its line, best first.

    Suggestions are needed defenders, natural form, and moves in front of the line. The gain of a
    suggestion is its increase in quality and likeness minus its increase in material. Exits with status 1
    if a position is not a correct problem.
    """
    checker = Checker()
    wanted = ImproveOptions(frozenset(map(Improvement, kinds)) or frozenset(Improvement), **improving)

    def answer(entry: Entry, parsed: ParsedSfen) -> bool:
        improved = improve(checker, parsed, entry.line, replace(wanted, keep=parsed.seen_by_attacker(keep)))
        judgement, found, suggestions = improved.judgement, improved.found, improved.suggestions
        if found is None:
            why = (
                "the problem is unsound (tsume mend repairs it)" if judgement.grade else "time ran out while judging it"
            )
            print_complaint(entry.place, f"{why}: no suggestions")
        elif not found.complete:
            text = f"time ran out after {wanted.seconds:g} s; suggestions found: {len(suggestions)}"
            print_complaint(entry.place, text)
        if jsonl:
            options.print_json(**entry.names, sfen=entry.sfen, **improved.to_json(), error=None)
        elif found is not None:
            lines = [judgement_head_line(judgement, parsed, voice), f"   {worth_text(found.worth, voice)}"]
            for number, one in enumerate(suggestions, start=1):
                lines += suggestion_lines(number, one, voice)
            options.print_line("\n".join(lines if suggestions else [*lines, voice("changes.nothing_to_suggest")]))
        return found is not None

    _answer_each(inputs, answer, jsonl=jsonl)
