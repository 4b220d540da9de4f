# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume check``, and what goes with it: ``tsume verify`` and ``tsume score``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from db.errors import store_place_name
from generator.problem import STORED
from tsume.commands.answering import (
    THREADS_OF_ONE,
    AnswerBatch,
    PrintedAnswer,
    batch_options,
    jobs_option,
    print_answers,
    threads_and_processes,
)
from tsume.commands.options import (
    NOT_PARSED,
    json_text,
    jsonl_option,
    lang_option,
    memory_option,
    position_arguments,
    print_line,
    seconds_option,
    voices_option,
)
from tsume.commands.per_file import (
    ResultPlaces,
    json_content,
    per_file_options,
    print_or_write_answers,
    require_per_file,
    result_files,
    result_folder,
    text_content,
)
from tsume.files.inputs import Entry, PositionInputs, complaint, with_start_faults
from tsume.files.writing import require_one_file
from tsume.formats.symbols import stars_text
from tsume.language.catalogue import MIXED, Voice
from tsume.progress import CertificateProgress
from tsume.reports.judgement import judgement_lines
from tsume.uses.checking import (
    COMMAND,
    Certifier,
    Checked,
    Checker,
    CheckOptions,
    NothingCertified,
    UnusableCertificate,
    certificate_for_writing,
    unreadable,
    verify_certificate,
)
from tsume.uses.scoring import SECONDS, PositionScorer, Scored, ScoreOptions, Unscored
from tsume.warmup import KernelPart

if TYPE_CHECKING:
    from solver.certificates.checker import Proved


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
    "--all-findings", is_flag=True, help="Examine everything, not only what the grade needs; implied by --cross."
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
@click.option("-o", "--output", metavar="FOLDER", help="With --per-file: write the result files into this folder.")
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
    options = replace(
        COMMAND,
        seconds=seconds,
        memory=memory,
        all_findings=all_findings or cross,
        cross=cross,
        thorough=thorough,
        appraised=jsonl,
        threads=threads,
    )
    parts = (KernelPart.ENGINE, *([KernelPart.LIKENESS] if jsonl else []), *([KernelPart.ITERATIVE] if cross else []))
    with _certifier(certificate) as certifier:
        answerer = partial(_JudgementAnswerer, options, moves, strict, () if jsonl else voices, certifier)
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


class _JudgementAnswerer:
    """Answers with the judgements of positions, once in each voice; without one in JSON."""

    def __init__(
        self,
        options: CheckOptions,
        moves: int | None,
        strict: bool,
        voices: tuple[Voice, ...],
        certifier: Certifier | None = None,
    ) -> None:
        self._checker = Checker(options)
        self._seconds = options.seconds
        self._moves = moves
        self._strict = strict
        self._voices = voices
        self._certifier = certifier

    def __call__(self, entry: Entry) -> PrintedAnswer:
        """Return what is printed about a position."""
        parsed, error = entry.judged, "" if entry.judged else entry.error
        if parsed is None:
            checked = unreadable(error, NOT_PARSED)
        else:
            checked = self._checker.check(parsed, entry.line, self._moves)
        judgement, cross, fault = checked.judgement, checked.cross, error
        is_accepted = judgement.strictly_perfect if self._strict else judgement.grade in STORED
        good = not error and is_accepted and (cross is None or cross.agrees is True)
        if not error and judgement.unresolved:
            known = f", but its grade is settled: {judgement.grade.value}" if judgement.grade else ""
            fault = f"unresolved: a limit was reached{known}"
        if not error and self._certifier is not None and entry.parsed is not None:
            failed = self._certifier.add(self._checker.engine, entry.parsed.position, judgement, self._seconds)
            if failed:
                good, fault = False, "; ".join(filter(None, (fault, failed)))
        if not self._voices:
            told = json_text(
                **entry.names, sfen=entry.sfen, **checked.to_json(), error=error or None, **checked.cross_to_json()
            )
        else:
            told = "\n\n".join("\n".join(_checked_lines(checked, voice)) for voice in self._voices if parsed)
        grade = judgement.grade.value if judgement.grade else "unresolved"
        outcome = "unreadable" if parsed is None else grade
        return PrintedAnswer(told, complaint(entry.place, fault) if fault else "", good, outcome)


def _checked_lines(checked: Checked, voice: Voice) -> Iterator[str]:
    """Yield the judgement, and what the second engine says of it."""
    yield from judgement_lines(checked.judgement, checked.parsed, voice)
    cross = checked.cross
    if cross is None:
        return
    if cross.unheard is not None and not cross.differences:
        yield voice("judgement.not_heard", limit=voice(f"judgement.limit_{cross.unheard.value}"))
    elif cross.differences:
        yield voice("judgement.disagree", differences="; ".join(cross.differences))
    else:
        yield voice("judgement.agree")


# --- ``tsume verify`` ------------------------------------------------------------------------------


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@jobs_option("Number of processes; by default one per processor.")
@lang_option(Voice.of("en"))
@jsonl_option("problem")
@click.pass_context
def verify(context: click.Context, files: tuple[Path, ...], jobs: int | None, voice: Voice, jsonl: bool) -> None:
    """Verify certificates written by `tsume check --certificate`.

    Prints one line for each problem: what is proved. Searches nothing. Exits with status 1 if a file does
    not prove what it claims; nothing is printed of it then but where it fails.
    """
    good = True
    for path in files:
        try:
            proved = verify_certificate(path, jobs or os.cpu_count() or 1)
        except UnusableCertificate as error:
            click.echo(f"{store_place_name(str(path))}: {error}", err=True)
            good = False
            continue
        for problem in proved:
            print_line(json_text(**asdict(problem)) if jsonl else _proved_text(problem, voice))
    context.exit(0 if good else 1)


def _proved_text(proved: Proved, voice: Voice) -> str:
    """Return one line on a problem."""
    if proved.no_mate is not None:
        ever = proved.no_mate == "*"
        text = voice("verify.no_mate_ever") if ever else voice("verify.no_mate_within", plies=proved.no_mate)
        return f"{proved.sfen}: {text}"
    said = [voice("verify.mate", plies=proved.mate)]
    if proved.line:
        said.append(" ".join(proved.line))
        if proved.leftover:
            said.append(voice("verify.leftover"))
    if proved.unique == "*":
        said.append(voice("verify.unique_ever"))
    elif proved.unique is not None:
        said.append(voice("verify.unique_within", plies=(proved.mate or 0) + int(proved.unique)))
    said += [
        voice("verify.second", number=len(one["after"]) + 1, **{name: one[name] for name in _SECOND})
        for one in proved.second
    ]
    return f"{proved.sfen}: {'; '.join(said)}"


_SECOND = ("check", "key", "plies")


# --- ``tsume score`` -------------------------------------------------------------------------------


@click.command()
@position_arguments
@seconds_option(SECONDS)
@memory_option
@click.option(
    "--cells", type=click.IntRange(1), help="Maximum number of subtrees kept in memory; it does not change the score."
)
@batch_options()
@lang_option(Voice.of("en"))
@jsonl_option("position")
@click.pass_context
def score(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    at: int | None,
    seconds: float,
    memory: int,
    cells: int | None,
    jobs: int | None,
    skip: int,
    voice: Voice,
    jsonl: bool,
) -> None:
    """Score each position with a mate: difficulty, quality, likeness, themes.

    All are proxies (docs/difficulty.md, docs/themes.md). Quality, likeness and themes are those of
    the line given with the position if it is a best line, otherwise of the program's line.

    Exits with status 1 if a position is invalid, has no mate or is unresolved.
    """
    inputs = PositionInputs(sfens, files, at=at)
    options = ScoreOptions(seconds, memory, cells)
    answerer = partial(_ScoreAnswerer, options, voice if not jsonl else None)
    good = print_answers(AnswerBatch(inputs, jobs, answerer, skip, (KernelPart.ENGINE, KernelPart.LIKENESS)))
    context.exit(0 if good else 1)


class _ScoreAnswerer:
    """Scores positions; without a voice it answers in JSON."""

    def __init__(self, options: ScoreOptions, voice: Voice | None) -> None:
        self._scorer = PositionScorer(options)
        self._voice = voice

    def __call__(self, given: Entry) -> PrintedAnswer:
        """Return what is printed about a position."""
        entry = with_start_faults(given)
        try:
            found: Scored | Unscored = Unscored(entry.error)
            if entry.parsed is not None:
                found = self._scorer.score(entry.parsed.position, entry.line)
        except Unscored as error:
            found = error
        told, fault = "", str(found) if isinstance(found, Unscored) else ""
        if self._voice is None:
            told = json_text(**entry.names, sfen=entry.sfen, **found.to_json(), error=fault or None)
        elif isinstance(found, Scored):
            told = _score_line(found, self._voice)
        return PrintedAnswer(told, complaint(entry.place, fault) if fault else "", not fault)


def _score_line(found: Scored, voice: Voice) -> str:
    difficulty, appraisal = found.difficulty, found.appraisal
    length = voice("common.length", length=found.length)
    parts = [
        f"{stars_text(difficulty.stars)} {difficulty.score:.2f}  {length}",
        voice("common.quality", quality=appraisal.quality),
        voice("common.likeness", likeness=appraisal.likeness),
        *(voice(f"common.{name}", **{name: difficulty.features[name]}) for name in ("resistance", "surprise")),
        voice.listed(map(voice.theme, appraisal.themes)),
    ]
    return "  ".join(filter(None, parts))
