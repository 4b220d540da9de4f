"""``tsume mend``"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from solver.results import Grade, Judgement, Limits
from tsume.commands.options import jsonl_option, keep_option, seconds_option
from tsume.inputs import Entry, Inputs, complain, position_arguments
from tsume.output import print_json, print_line
from tsume.reports.judgement import head_line, judgement_fields, judgement_lines
from tsume.reports.repairs import change_text, repair_fields
from tsume.warmup import Part, warm_up
from tsume_rules.sfen import ParsedSfen, format_sfen
from tsume_rules.squares import Square, rotated

if TYPE_CHECKING:
    from generator.mending.mend import Mended

_MOST_EDITS = 3


@click.command()
@position_arguments
@click.option("--moves", type=click.IntRange(3, 99), help="The length (plies) that a repair should have.")
@keep_option("What must stay as it is, such as 1a,2b; may be given several times.")
@click.option(
    "--edits", type=click.IntRange(1, _MOST_EDITS), default=2, show_default=True,
    help="The most changes of one repair.",
)  # fmt: skip
@click.option(
    "-n", "--count", type=click.IntRange(1, 1000), default=5, show_default=True,
    help="How many perfect repairs are looked for.",
)  # fmt: skip
@seconds_option(10.0)
@jsonl_option("position")
@click.pass_context
def mend(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    moves: int | None,
    keep: frozenset[Square],
    edits: int,
    count: int,
    seconds: float,
    jsonl: bool,
) -> None:
    """Repair each position that is no perfect problem: the nearest perfect ones, nearest first.

    A change is a piece added, taken off, moved, exchanged, taken into the hand or put from it on the
    board, or everything shifted. All single changes are tried first; if none helps, further changes of
    what came nearest. Exits 1 when a position is neither perfect nor repaired.
    """
    inputs = Inputs(sfens, files)
    workshop = _Workshop(moves, keep, edits, count, seconds)
    good = True
    for entry in inputs:
        if entry.parsed is None:
            complain(entry.place, entry.error)
            good = False
            if jsonl:
                print_json(**entry.names, sfen=entry.sfen, error=entry.error)
            continue
        judgement = workshop.judgement(entry)
        is_good = judgement.grade is Grade.PERFECT and moves in (None, judgement.length)
        mended = None if is_good else workshop.mended(entry)
        if mended is not None and not mended.complete:
            complain(entry.place, f"time ran out after {seconds:g} s; repairs found: {len(mended.repairs)}")
        good &= mended is None or bool(mended.repairs)
        if jsonl:
            print_json(**_fields(entry, entry.parsed, judgement, mended))
        else:
            print_line(_text(entry.parsed, judgement, mended))
    context.exit(0 if good and not inputs.unreadable else 1)


class _Workshop:
    """Judges and mends with one engine, which is made when it is first needed."""

    def __init__(
        self, moves: int | None, keep: frozenset[Square], edits: int, count: int, seconds: float
    ) -> None:
        self._moves, self._keep = moves, keep
        self._edits, self._count = edits, count
        self._seconds = seconds
        self._engine: Any = None
        self._judge: Any = None
        self._mender: Any = None

    def judgement(self, entry: Entry) -> Judgement:
        """What `tsume check` says of the position."""
        from generator.mending.mend import Mender
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.judging.judge import Judge

        assert entry.parsed is not None
        if self._judge is None:
            warm_up(Part.ENGINE, Part.LIKENESS)
            self._engine = DfPnEngine()
            self._judge, self._mender = Judge(self._engine), Mender(self._engine)
        self._engine.forget()
        limits = Limits(seconds=self._seconds)
        found: Judgement = self._judge.judge(entry.parsed.position, self._moves, limits, line=entry.line)
        return found

    def mended(self, entry: Entry) -> Mended:
        """The repairs of a position that was judged."""
        from generator.mending.mend import Aim

        assert entry.parsed is not None
        keep = frozenset(map(rotated, self._keep)) if entry.parsed.rotated else self._keep
        aim = Aim(self._moves, keep, entry.line)
        limits = Limits(seconds=self._seconds)
        found: Mended = self._mender.mend(entry.parsed.position, aim, self._edits, self._count, limits)
        return found


def _fields(entry: Entry, parsed: ParsedSfen, judgement: Judgement, mended: Mended | None) -> dict[str, Any]:
    return {
        **entry.names,
        "sfen": entry.sfen,
        **judgement_fields(judgement, parsed),
        "repairs": [repair_fields(one, parsed) for one in mended.repairs] if mended else [],
        "complete": mended is None or mended.complete,
        "error": None,
    }


def _text(parsed: ParsedSfen, judgement: Judgement, mended: Mended | None) -> str:
    lines = list(judgement_lines(judgement, parsed))
    if mended is None:
        return "\n".join([*lines, "nothing to mend"])
    for number, one in enumerate(mended.repairs, start=1):
        repaired = ParsedSfen(one.position, False, ())
        lines.append(f"{number}. {'; '.join(map(change_text, one.changes))}")
        lines.append(f"   {head_line(one.judgement, repaired)}")
        lines.append(f"   {format_sfen(one.position)}")
    return "\n".join(lines if mended.repairs else [*lines, "no repair found"])
