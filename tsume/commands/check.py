# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume check``, and what goes with it: ``tsume verify`` and ``tsume score``."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from db.errors import store_place_name
from generator.problem import STORED
from tsume.commands import answering, options
from tsume.commands.answering import GivenPositions, PrintedAnswer, print_answers, threads_and_processes
from tsume.files.inputs import Entry, PositionInputs, complaint_line, entry_with_start_faults
from tsume.files.writing import require_one_file
from tsume.language.catalogue import MIXED, Voice, difficulty_text
from tsume.progress import CertificateProgress
from tsume.reports.judgement import judgement_lines
from tsume.uses import checking
from tsume.uses.scoring import SECONDS, NoScore, PositionScore, PositionScorer, ScoreOptions

if TYPE_CHECKING:
    from solver.certificates.checker import Proved


@click.command()
@options.position_arguments
@click.option("--moves", type=click.IntRange(1), help="Expected length of the problems in moves (plies).")
@options.seconds_option(60.0, "; if given, use most of them to settle second solutions at any length")
@options.memory_option
@options.flag(
    "--strict", help="Exit with status 1 for any problem that is not perfect, or has a promotion that changes nothing."
)
@options.flag("--all-findings", help="Examine everything, not only what the grade needs; implied by --cross.")
@options.flag("--cross", help="Also ask a second, independent engine; both must agree.")
@click.option(
    "--certificate",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a file that proves the answers, for `tsume verify`; needs one job.",
)
@answering.batch_options(answering.THREADS_OF_ONE)
@answering.per_file_options
@click.option("-o", "--output", metavar="FOLDER", help="With --per-file: write the result files into this folder.")
@options.lang_or_both_option(MIXED)
@options.jsonl_option("position")
def check(
    given: GivenPositions, moves: int | None, strict: bool, certificate: Path | None, jobs: int | None,
    output: str | None, voices: tuple[Voice, ...], jsonl: bool, **judging: Any,
) -> None:  # fmt: skip
    """Grade each position as a problem: perfect (完全作), sound with blemishes (キズ), or unsound.

    Prints the reasons for the grade: for an unsound problem a fault with the line that proves it, for any
    other every blemish and each of the nine conditions that fails. A line given with the position is
    judged as the intended solution. Exits with status 1 if a position is unsound, invalid or unresolved,
    or if the two engines disagree.
    """
    if output is not None and not given.per_file:
        raise click.UsageError("-o needs --per-file")
    inputs = given.inputs
    ending, content = (".jsonl", answering.answers_as_json) if jsonl else (".txt", answering.answers_as_text)
    results = given.results("check", ending, content, output, voices[-1])
    if certificate is not None:
        if jobs not in (None, 1):
            raise click.UsageError("--certificate needs one job")
        require_one_file(str(certificate), "a certificate")
        jobs = 1
    threads, jobs = threads_and_processes(inputs, jobs)
    judging["all_findings"] |= judging["cross"]
    thorough = options.is_option_given("seconds")
    wanted = replace(checking.COMMAND, **judging, thorough=thorough, appraised=jsonl, threads=threads)
    with _certifier(certificate) as certifier:
        answerer = partial(_JudgementAnswerer, wanted, moves, strict, () if jsonl else voices, certifier)
        good = print_answers(inputs, jobs, answerer, given.skip, results=results)
    options.exit_with_status(good)


@contextmanager
def _certifier(path: Path | None) -> Iterator[checking.Certifier | None]:
    """What writes a certificate in the block, if one is wanted."""
    if path is None:
        yield None
        return
    try:
        with checking.certificate_for_writing(path, CertificateProgress().update) as certifier:
            yield certifier
    except checking.NothingCertified:
        click.echo(f"{store_place_name(str(path))}: not written, as nothing is certified", err=True)


@dataclass(frozen=True)
class _JudgementAnswerer:
    """Answers with the judgements of positions, once in each voice; without one in JSON."""

    wanted: checking.CheckOptions
    moves: int | None
    strict: bool
    voices: tuple[Voice, ...]
    certifier: checking.Certifier | None

    @cached_property
    def _checker(self) -> checking.Checker:
        return checking.Checker(self.wanted)

    def __call__(self, entry: Entry) -> PrintedAnswer:
        """Return what is printed about a position."""
        parsed, error = entry.judged, "" if entry.judged else entry.error
        seconds, began = self.wanted.seconds, time.monotonic()
        if parsed is None:
            checked = checking.unreadable_judgement(error, options.NOT_PARSED)
        else:
            share = seconds and seconds / (1 if self.certifier is None else 2)
            checked = self._checker.check(parsed, entry.line, self.moves, share)
        judgement, cross, fault = checked.judgement, checked.cross, error
        is_accepted = judgement.strictly_perfect if self.strict else judgement.grade in STORED
        good = not error and is_accepted and (cross is None or cross.agrees is True)
        if not error and judgement.unresolved:
            known = f", but its grade is settled: {judgement.grade.value}" if judgement.grade else ""
            fault = f"unresolved: a limit was reached{known}"
        if not error and self.certifier is not None and entry.parsed is not None:
            left = seconds and max(0.0, began + seconds - time.monotonic())
            failed = self.certifier.add(self._checker.engine, entry.parsed.position, judgement, left)
            if failed:
                good, fault = False, "; ".join(filter(None, (fault, failed)))
        if not self.voices:
            told = options.json_text(
                **entry.names, sfen=entry.sfen, **checked.to_json(), error=error or None, **checked.cross_to_json()
            )
        else:
            told = "\n\n".join("\n".join(_checked_lines(checked, voice)) for voice in self.voices if parsed)
        grade = judgement.grade.value if judgement.grade else "unresolved"
        outcome = "unreadable" if parsed is None else grade
        return PrintedAnswer(told, complaint_line(entry.place, fault) if fault else "", good, outcome)


def _checked_lines(checked: checking.CheckedPosition, voice: Voice) -> Iterator[str]:
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


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@options.jobs_option("Number of processes; by default one per processor.")
@options.lang_option(Voice.of("en"))
@options.jsonl_option("problem")
def verify(files: tuple[Path, ...], jobs: int | None, voice: Voice, jsonl: bool) -> None:
    """Verify certificates written by `tsume check --certificate`.

    Prints one line for each problem: what is proved. Searches nothing. Exits with status 1 if a file does
    not prove what it claims; nothing is printed of it then but where it fails.
    """
    good = True
    for path in files:
        try:
            proved = checking.verify_certificate(path, jobs or os.cpu_count() or 1)
        except checking.UnusableCertificate as error:
            click.echo(f"{store_place_name(str(path))}: {error}", err=True)
            good = False
            continue
        for problem in proved:
            options.print_line(options.json_text(**asdict(problem)) if jsonl else _proved_text(problem, voice))
    options.exit_with_status(good)


def _proved_text(proved: Proved, voice: Voice) -> str:
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


@click.command()
@options.position_inputs
@options.seconds_option(SECONDS)
@options.memory_option
@click.option(
    "--cells", type=click.IntRange(1), help="Maximum number of subtrees kept in memory; it does not change the score."
)
@answering.batch_options()
@options.lang_option(Voice.of("en"))
@options.jsonl_option("position")
def score(inputs: PositionInputs, jobs: int | None, skip: int, voice: Voice, jsonl: bool, **scoring: Any) -> None:
    """Score each position with a mate: difficulty, quality, likeness, themes.

    All are proxies (docs/difficulty.md, docs/themes.md). Quality, likeness and themes are those of
    the line given with the position if it is a best line, otherwise of the program's line.

    Exits with status 1 if a position is invalid, has no mate or is unresolved.
    """
    answerer = partial(_score_answerer, ScoreOptions(**scoring), None if jsonl else voice)
    options.exit_with_status(print_answers(inputs, jobs, answerer, skip))


def _score_answerer(wanted: ScoreOptions, voice: Voice | None) -> Callable[[Entry], PrintedAnswer]:
    """Make what scores positions; without a voice it answers in JSON."""
    scorer = PositionScorer(wanted)

    def answer(given: Entry) -> PrintedAnswer:
        entry = entry_with_start_faults(given)
        try:
            found: PositionScore | NoScore = NoScore(entry.error)
            if entry.parsed is not None:
                found = scorer.score(entry.parsed.position, entry.line)
        except NoScore as error:
            found = error
        told, fault = "", str(found) if isinstance(found, NoScore) else ""
        if voice is None:
            told = options.json_text(**entry.names, sfen=entry.sfen, **found.to_json(), error=fault or None)
        elif isinstance(found, PositionScore):
            told = _score_line(found, voice)
        return PrintedAnswer(told, complaint_line(entry.place, fault) if fault else "", not fault)

    return answer


def _score_line(found: PositionScore, voice: Voice) -> str:
    difficulty, appraisal = found.difficulty, found.appraisal
    nodes, peak = (
        round(2 ** difficulty.features[name] - 1) for name in ("log_refutation_work", "log_peak_proof_number")
    )
    seen = {name: round(difficulty.features[name]) for name in ("decided_positions", "variations")}
    parts = [
        voice("common.length", length=found.length),
        difficulty_text(voice.words, difficulty.scale_fields(found.length), found.length),
        voice("common.quality", quality=appraisal.quality),
        voice("common.likeness", likeness=appraisal.likeness),
        *(voice(f"common.{name}", **{name: difficulty.features[name]}) for name in ("resistance", "surprise")),
        voice("common.proof_tree", positions=difficulty.proof_tree, **seen),
        voice("common.search_work", nodes=nodes, peak=peak),
        voice.listed(map(voice.theme, appraisal.themes)),
    ]
    return "  ".join(filter(None, parts))
