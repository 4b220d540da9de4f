# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume enrich``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from generator.changes import Improvement
from solver.results import Grade, Judgement
from tsume.commands.changing import ReadablePositions, count_option, edits_option
from tsume.commands.file_options import position_arguments
from tsume.commands.options import (
    grade_option,
    jsonl_option,
    keep_option,
    lang_option,
    seconds_option,
)
from tsume.commands.output import print_json, print_line
from tsume.files.inputs import Entry, PositionInputs, print_complaint
from tsume.language.voice import MIXED, Voice
from tsume.reports.changes import suggestion_fields, suggestion_lines, worth_fields, worth_text
from tsume.reports.judgement import judgement_fields, judgement_head_line
from tsume.services import rework
from tsume.services.checking import Checker
from tsume_rules.position import Square
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from generator.mending.enrich import Enriched


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
        judgement = checker.check(parsed.position, line=entry.line, seconds=seconds)
        enriched = rework.enrich(
            checker.engine, parsed.position, judgement, kinds=wanted, keep=parsed.seen_by_attacker(keep),
            edits=edits, plies=plies, count=count, grade=grade, seconds=seconds,
        )  # fmt: skip
        if enriched is None:
            good = False
            print_complaint(entry.place, f"{_why_not_enriched(judgement)}: no suggestions")
        elif not enriched.complete:
            found = len(enriched.suggestions)
            print_complaint(entry.place, f"time ran out after {seconds:g} s; suggestions found: {found}")
        if jsonl:
            print_json(**_enriched_fields(entry, parsed, judgement, enriched))
        elif enriched is not None:
            print_line(_enriched_text(parsed, judgement, enriched, voice))
    context.exit(0 if good and not positions.failed else 1)


def _why_not_enriched(judgement: Judgement) -> str:
    return (
        "the problem is unsound (tsume mend repairs it)"
        if judgement.grade
        else "time ran out while judging it"
    )


def _enriched_fields(
    entry: Entry, parsed: ParsedSfen, judgement: Judgement, enriched: Enriched | None
) -> dict[str, Any]:
    found = enriched.suggestions if enriched else ()
    return {
        **entry.names,
        "sfen": entry.sfen,
        **judgement_fields(judgement, parsed),
        **worth_fields(enriched.worth if enriched else None),
        "suggestions": [suggestion_fields(one, parsed) for one in found],
        "complete": enriched is not None and enriched.complete,
        "error": None,
    }


def _enriched_text(parsed: ParsedSfen, judgement: Judgement, enriched: Enriched, voice: Voice) -> str:
    lines = [judgement_head_line(judgement, parsed, voice), f"   {worth_text(enriched.worth, voice)}"]
    for number, one in enumerate(enriched.suggestions, start=1):
        lines += suggestion_lines(number, one, voice)
    return "\n".join(lines if enriched.suggestions else [*lines, voice("changes.nothing_to_suggest")])
