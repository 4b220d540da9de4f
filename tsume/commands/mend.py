# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume mend``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from solver.results import Judgement
from tsume.commands.changing import ReadablePositions, count_option, edits_option
from tsume.commands.file_options import position_arguments
from tsume.commands.options import jsonl_option, keep_option, lang_option, seconds_option
from tsume.commands.output import print_json, print_line
from tsume.files.inputs import Entry, PositionInputs, print_complaint
from tsume.language.voice import MIXED, Voice
from tsume.reports.changes import nearest_lines, repair_fields, repair_lines, search_fields
from tsume.reports.judgement import judgement_fields, judgement_lines
from tsume.services import rework
from tsume.services.checking import Checker
from tsume_rules.position import Square
from tsume_rules.sfen import ParsedSfen

if TYPE_CHECKING:
    from generator.mending.mend import Mended


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
        position, line = parsed.position, entry.line
        judgement = checker.check(position, moves, line, seconds)
        mended = rework.mend(
            checker.engine, position, judgement, moves, line,
            keep=parsed.seen_by_attacker(keep), edits=edits, count=count, seconds=seconds,
        )  # fmt: skip
        if mended is not None and not mended.complete:
            print_complaint(
                entry.place, f"time ran out after {seconds:g} s; repairs found: {len(mended.repairs)}"
            )
        good &= mended is None or bool(mended.repairs)
        if jsonl:
            print_json(**_mended_fields(entry, parsed, judgement, mended))
        else:
            print_line(_mended_text(parsed, judgement, mended, voice))
    context.exit(0 if good and not positions.failed else 1)


def _mended_fields(
    entry: Entry, parsed: ParsedSfen, judgement: Judgement, mended: Mended | None
) -> dict[str, Any]:
    return {
        **entry.names,
        "sfen": entry.sfen,
        **judgement_fields(judgement, parsed),
        "repairs": [repair_fields(one, parsed) for one in mended.repairs] if mended else [],
        **search_fields(mended, parsed),
        "complete": mended is None or mended.complete,
        "error": None,
    }


def _mended_text(parsed: ParsedSfen, judgement: Judgement, mended: Mended | None, voice: Voice) -> str:
    lines = list(judgement_lines(judgement, parsed, voice))
    if mended is None:
        return "\n".join([*lines, voice("changes.nothing_to_mend")])
    for number, one in enumerate(mended.repairs, start=1):
        lines += repair_lines(number, one, voice)
    return "\n".join(lines if mended.repairs else [*lines, *nearest_lines(mended, voice)])
