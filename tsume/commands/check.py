# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume check``"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from db.errors import store_place_name
from solver.judging.findings import StartFault
from solver.results import Defect, Grade, Judgement
from tsume.commands.answering import (
    THREADS_OF_ONE,
    AnswerBatch,
    PrintedAnswer,
    batch_options,
    threads_and_processes,
)
from tsume.commands.file_options import position_arguments
from tsume.commands.options import jsonl_option, memory_option, seconds_option, voices_option
from tsume.commands.output import NOT_PARSED, json_text
from tsume.commands.per_file import (
    json_content,
    per_file_options,
    print_or_write_answers,
    require_per_file,
    result_files,
    result_folder,
    text_content,
)
from tsume.files.inputs import Entry, PositionInputs, complaint
from tsume.files.manuscripts import ResultPlaces
from tsume.files.writing import require_one_file
from tsume.language.voice import MIXED, Voice
from tsume.progress import CertificateProgress
from tsume.reports.judgement import judgement_fields, judgement_lines
from tsume.services.appraisal import NOT_APPRAISED, Appraisal
from tsume.services.certifying import Certifier, NothingCertified, certificate_for_writing
from tsume.services.checking import Checker
from tsume.warmup import KernelPart

if TYPE_CHECKING:
    from solver.judging.cross import Cross


@click.command()
@position_arguments
@click.option("--moves", type=click.IntRange(1), help="Expected length of the problems in moves (plies).")
@seconds_option(60.0, "; if given, use most of them to settle second solutions at any length")
@memory_option
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with status 1 for any problem that is not perfect, or has a promotion that changes nothing.",
)
@click.option(
    "--all-findings",
    is_flag=True,
    help="Examine everything, not only what the grade needs; implied by --cross.",
)
@click.option("--cross", is_flag=True, help="Also ask a second, independent engine; both must agree.")
@click.option(
    "--certificate",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a file that proves the answers, for `tsume verify`; needs one job.",
)
@batch_options(THREADS_OF_ONE)
@per_file_options
@click.option(
    "-o", "--output", metavar="FOLDER", help="With --per-file: write the result files into this folder."
)
@voices_option(MIXED)
@jsonl_option("position")
@click.pass_context
def check(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    at: int | None,
    moves: int | None,
    seconds: float,
    memory: int,
    strict: bool,
    all_findings: bool,
    cross: bool,
    certificate: Path | None,
    jobs: int | None,
    skip: int,
    per_file: bool,
    force: bool,
    recursive: bool,
    output: str | None,
    voices: tuple[Voice, ...],
    jsonl: bool,
) -> None:
    """Grade each position as a problem: perfect (完全作), sound with blemishes (キズ), or unsound.

    Prints the reasons for the grade: for an unsound problem a fault with the line that proves it, for any
    other every blemish and each of the nine conditions that fails. A line given with the position is
    judged as the intended solution. Exits with status 1 if a position is unsound, invalid or unresolved,
    or if the two engines disagree.
    """
    require_per_file(per_file, force=force, skip=skip)
    if output is not None and not per_file:
        raise click.UsageError("-o needs --per-file")
    inputs, results = PositionInputs(sfens, files, recursive=recursive, allow_none=per_file, at=at), None
    if per_file:
        places = ResultPlaces("check", ".jsonl" if jsonl else ".txt", result_folder(output))
        content = json_content if jsonl else text_content
        results = result_files(places, content, (*sfens, *files), force=force, recursive=recursive, at=at)
    thorough = context.get_parameter_source("seconds") is not ParameterSource.DEFAULT
    if certificate is not None:
        if jobs not in (None, 1):
            raise click.UsageError("--certificate needs one job")
        require_one_file(str(certificate), "a certificate")
        jobs = 1
    threads, jobs = threads_and_processes(inputs, jobs)
    checker = partial(
        Checker,
        memory,
        all_findings=all_findings or cross,
        cross=cross,
        thorough=thorough,
        threads=threads,
    )
    parts = (
        KernelPart.ENGINE,
        *([KernelPart.LIKENESS] if jsonl else []),
        *([KernelPart.ITERATIVE] if cross else []),
    )
    with _certifier(certificate) as certifier:
        answerer = partial(
            _JudgementAnswerer,
            checker,
            moves,
            seconds,
            cross,
            strict,
            () if jsonl else voices,
            certifier,
        )
        good = print_or_write_answers(AnswerBatch(inputs, jobs, answerer, skip, parts), results, voices[-1])
    context.exit(0 if good else 1)


@contextmanager
def _certifier(path: Path | None) -> Iterator[Certifier | None]:
    """What writes a certificate in the block, if one is wanted."""
    if path is None:
        yield None
        return
    try:
        with certificate_for_writing(path, CertificateProgress().update) as certifier:
            yield certifier
    except NothingCertified:
        click.echo(f"{store_place_name(str(path))}: not written, as nothing is certified", err=True)


def _is_accepted(judgement: Judgement, strict: bool) -> bool:
    """Whether the grade is no reason to fail."""
    if strict:
        return judgement.strictly_perfect
    return judgement.grade in (Grade.PERFECT, Grade.SOUND)


def _is_illegal(judgement: Judgement) -> bool:
    return bool(judgement.defects & Defect.ILLEGAL_START)


class _JudgementAnswerer:
    """Answers with the judgements of positions, once in each voice; without one in JSON."""

    def __init__(
        self,
        new_checker: Callable[[], Checker],
        moves: int | None,
        seconds: float,
        cross: bool,
        strict: bool,
        voices: tuple[Voice, ...],
        certifier: Certifier | None = None,
    ) -> None:
        self._checker = new_checker()
        self._cross = cross
        self._moves = moves
        self._seconds = seconds
        self._strict = strict
        self._voices = voices
        self._certifier = certifier

    def __call__(self, entry: Entry) -> PrintedAnswer:
        """What is printed about a position."""
        judgement, crossed = self._judged(entry)
        error = "" if entry.judged else entry.error
        good = (
            not error
            and _is_accepted(judgement, self._strict)
            and (crossed is None or crossed.agrees is True)
        )
        fault = error
        if not error and judgement.unresolved:
            known = f", but its grade is settled: {judgement.grade.value}" if judgement.grade else ""
            fault = f"unresolved: a limit was reached{known}"
        if not error and self._certifier is not None and entry.parsed is not None:
            failed = self._certifier.add(
                self._checker.engine, entry.parsed.position, judgement, self._seconds
            )
            if failed:
                good, fault = False, "; ".join(filter(None, (fault, failed)))
        told = self._text(entry, judgement, crossed, error)
        grade = judgement.grade.value if judgement.grade else "unresolved"
        outcome = grade if entry.judged is not None else "unreadable"
        return PrintedAnswer(told, complaint(entry.place, fault) if fault else "", good, outcome)

    def _text(self, entry: Entry, judgement: Judgement, crossed: Cross | None, error: str) -> str:
        if not self._voices:
            appraisal = NOT_APPRAISED
            if entry.parsed is not None:
                appraisal = self._checker.appraise(entry.parsed.position, judgement)
            return json_text(**_judgement_fields(entry, judgement, appraisal, crossed, error))
        if entry.judged is None:
            return ""
        texts = (
            [
                *judgement_lines(judgement, entry.judged, voice),
                *([_cross_line(crossed, voice)] if crossed else []),
            ]
            for voice in self._voices
        )
        return "\n\n".join("\n".join(lines) for lines in texts)

    def _judged(self, entry: Entry) -> tuple[Judgement, Cross | None]:
        """The judgement and, with ``--cross``, its comparison with the second engine's."""
        if entry.judged is None:
            fault = StartFault(Defect.ILLEGAL_START, fault=entry.error)
            return Judgement(Defect.ILLEGAL_START, findings=(fault,)), None
        position, line = entry.judged.position, entry.line
        judgement = self._checker.check(position, self._moves, line, self._seconds)
        if not self._cross or not judgement.settled or _is_illegal(judgement):
            return judgement, None
        crossed = self._checker.cross_check(position, judgement, self._moves, line, self._seconds)
        return judgement, crossed


def _judgement_fields(
    entry: Entry, judgement: Judgement, appraisal: Appraisal, crossed: Cross | None, error: str
) -> dict[str, Any]:
    fields = {
        **entry.names,
        "sfen": entry.sfen,
        **judgement_fields(judgement, entry.judged or NOT_PARSED),
        **asdict(appraisal),
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
