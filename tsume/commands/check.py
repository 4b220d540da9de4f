"""``tsume check``"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from solver.defects import Defect
from solver.judging.findings import StartFault
from solver.results import Grade, Judgement, Limits
from tsume.appraisal import appraisal_fields
from tsume.commands.answering import Answer, Batch, answered, batch_options
from tsume.commands.file_options import position_arguments
from tsume.commands.options import jsonl_option, lang_option, memory_option, seconds_option
from tsume.commands.output import NOT_PARSED, json_text
from tsume.files.inputs import Entry, Inputs, complaint
from tsume.language.voice import MIXED, Voice
from tsume.reports.judgement import best_line, judgement_fields, judgement_lines, start_faults
from tsume.warmup import Part, warm_up

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.judging.cross import Cross
    from tsume_rules.moves import Move
    from tsume_rules.position import Position


@click.command()
@position_arguments
@click.option("--moves", type=click.IntRange(1), help="Expected length of the problems in moves (plies).")
@seconds_option(60.0)
@memory_option
@click.option("--strict", is_flag=True, help="Exit with status 1 for any problem that is not perfect.")
@click.option(
    "--all-findings",
    is_flag=True,
    help="Examine everything, not only what the grade needs; implied by --cross.",
)
@click.option("--cross", is_flag=True, help="Also ask a second, independent engine; both must agree.")
@batch_options()
@lang_option(MIXED)
@jsonl_option("position")
@click.pass_context
def check(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    moves: int | None,
    seconds: float,
    memory: int,
    strict: bool,
    all_findings: bool,
    cross: bool,
    jobs: int | None,
    skip: int,
    voice: Voice,
    jsonl: bool,
) -> None:
    """Grade each position as a problem: perfect (完全作), sound with blemishes (キズ), or unsound.

    Prints the reasons for the grade: for an unsound problem a fault with the line that proves it, for any
    other every blemish and each of the nine conditions that fails. A line given with the position is
    judged as the intended solution. Exits with status 1 if a position is unsound, invalid or unresolved,
    or if the two engines disagree.
    """
    inputs = Inputs(sfens, files)
    checker = partial(
        _Checker, moves, seconds, memory, cross, strict, all_findings or cross, voice if not jsonl else None
    )
    parts = (Part.ENGINE, *([Part.LIKENESS] if jsonl else []), *([Part.ITERATIVE] if cross else []))
    good = answered(Batch(inputs, jobs, checker, skip, parts))
    context.exit(0 if good else 1)


def _is_good(judgement: Judgement, strict: bool) -> bool:
    """Whether the grade is no reason to fail."""
    if strict:
        return judgement.grade is Grade.PERFECT
    return judgement.grade in (Grade.PERFECT, Grade.SOUND)


def _is_illegal(judgement: Judgement) -> bool:
    return bool(judgement.defects & Defect.ILLEGAL_START)


class _Checker:
    """Judges positions; without a voice it answers in JSON."""

    def __init__(
        self,
        moves: int | None,
        seconds: float,
        memory: int,
        cross: bool,
        strict: bool,
        all_findings: bool,
        voice: Voice | None,
    ) -> None:
        self._cross = cross
        self._second: Any = None
        self._moves = moves
        self._seconds = seconds
        self._memory = memory
        self._strict = strict
        self._all_findings = all_findings
        self._voice = voice
        self._engine: Any = None
        self._judge: Any = None

    def __call__(self, entry: Entry) -> Answer:
        """What is printed about a position."""
        judgement, crossed = self._judged(entry)
        error = entry.error or "; ".join(start_faults(judgement))
        good = not error and _is_good(judgement, self._strict) and (crossed is None or crossed.agrees is True)
        fault = error
        if not error and judgement.unresolved:
            known = f", but its grade is settled: {judgement.grade.value}" if judgement.grade else ""
            fault = f"unresolved: a limit was reached{known}"
        told = self._told(entry, judgement, crossed, error)
        return Answer(told, complaint(entry.place, fault) if fault else "", good)

    def _told(self, entry: Entry, judgement: Judgement, crossed: Cross | None, error: str) -> str:
        if self._voice is None:
            return json_text(**_fields(entry, judgement, crossed, error, self._engine))
        if entry.parsed is None:
            return ""
        lines = judgement_lines(judgement, entry.parsed, self._voice)
        return "\n".join([*lines, *([_cross_line(crossed, self._voice)] if crossed else [])])

    def _judged(self, entry: Entry) -> tuple[Judgement, Cross | None]:
        """The judgement and, with ``--cross``, how the second engine compares."""
        if entry.parsed is None:
            fault = StartFault(Defect.ILLEGAL_START, fault=entry.error)
            return Judgement(Defect.ILLEGAL_START, findings=(fault,)), None
        if self._judge is None:
            self._make_engines()
        self._engine.forget()  # so that a verdict does not depend on earlier positions
        limits = Limits(seconds=self._seconds)
        answer: Judgement = self._judge.judge(entry.parsed.position, self._moves, limits, line=entry.line)
        if not self._cross or answer.unresolved or _is_illegal(answer):
            return answer, None
        return answer, self._hear_second(entry.parsed.position, answer, entry.line)

    def _make_engines(self) -> None:
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.engines.dfpn.memory import table_bits_within
        from solver.engines.iterative import engine as iterative
        from solver.judging.judge import Judge, Rigour

        size = (self._memory << 20) // (2 if self._cross else 1)
        self._engine = DfPnEngine(table_bits=table_bits_within(size))
        self._judge = Judge(self._engine, Rigour(all_findings=self._all_findings))
        if self._cross:
            warm_up(Part.ITERATIVE)
            self._second = iterative.IterativeEngine(table_bits=iterative.table_bits_within(size))

    def _hear_second(self, position: Position, judgement: Judgement, line: Sequence[Move]) -> Cross:
        from solver.judging.cross import cross_check

        self._second.forget()
        limits = Limits(seconds=self._seconds)
        return cross_check(self._engine, self._second, position, judgement, self._moves, limits, line)


def _fields(
    entry: Entry, judgement: Judgement, crossed: Cross | None, error: str, engine: DfPnEngine | None
) -> dict[str, Any]:
    position = entry.parsed.position if entry.parsed else None
    fields = {
        **entry.names,
        "sfen": entry.sfen,
        **judgement_fields(judgement, entry.parsed or NOT_PARSED),
        **appraisal_fields(position, best_line(judgement), engine),
        "error": error or None,
    }
    if crossed is not None:
        fields["correct"] &= crossed.agrees is True
        fields["unresolved"] |= crossed.agrees is None
        fields["cross"] = {"agrees": crossed.agrees, "differences": list(crossed.differences)}
    return fields


def _cross_line(crossed: Cross, voice: Voice) -> str:
    if crossed.unheard is not None and not crossed.differences:
        return voice("judgement.not_heard", limit=voice(f"judgement.limit_{crossed.unheard.value}"))
    if crossed.differences:
        return voice("judgement.disagree", differences="; ".join(crossed.differences))
    return voice("judgement.agree")
