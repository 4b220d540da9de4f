# SPDX-License-Identifier: GPL-3.0-or-later
"""Judging positions as problems: the grade and what it rests on; proofreading lines before they are stored."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.problem import Problem
from solver.judging.findings import StartFault
from solver.results import Defect, Judgement, LimitReached, Limits
from tsume.files.writing import file_for_writing
from tsume.reports.judgement import judgement_fields
from tsume.uses.engines import DEFAULT_MEMORY, EngineOptions, df_pn_engine, iterative_engine
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import ParsedSfen, format_sfen

if TYPE_CHECKING:
    from solver.certificates.checker import Proved
    from solver.certificates.writer import CertificateWriter
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.engines.iterative.engine import IterativeEngine
    from solver.judging.judge import CrossCheckResult, Judge


# --- themes, quality and likeness of lines that mate -----------------------------------------------


@dataclass(frozen=True)
class Appraisal:
    """The tags of the proved themes, sorted; quality and likeness from 0 to 100."""

    themes: tuple[str, ...] = ()
    quality: float | None = None
    likeness: float | None = None


NOT_APPRAISED = Appraisal()
"""Stands for the appraisal of a position without a line that mates."""


def appraise_line(position: Position, line: tuple[Move, ...], engine: DfPnEngine) -> Appraisal:
    """Return the appraisal of a line that mates; the engine proves the themes."""
    from generator.likeness import likeness_of
    from generator.quality import appraise
    from generator.themes.table import ThemeProver

    themes = tuple(sorted(ThemeProver(engine).themes(position, line)))
    return Appraisal(themes, appraise(position, line).quality, likeness_of(position, line))


def appraised_problem(problem: Problem, engine: DfPnEngine) -> Problem:
    """Return a problem with its themes, proved by the engine, and its quality."""
    from generator.quality import appraise
    from generator.themes.table import ThemeProver

    themes = ThemeProver(engine).themes(problem.position, problem.line)
    return replace(problem, themes=themes, quality=appraise(problem.position, problem.line).quality)


# --- judging positions as problems -----------------------------------------------------------------


@dataclass(frozen=True)
class CheckOptions:
    """How positions are judged, each within ``seconds``.

    ``memory`` is in MB; with ``cross`` a second engine is asked, and both share it. ``evidence``,
    ``all_findings`` and ``examining`` are those of `solver.judging.judge.Rigour`. ``thorough``: second
    solutions at any length are searched for most of the time of a judgement, not with a fixed number of
    nodes; ``quick``: with a tenth of that number. ``appraised``: the best line gets its themes, quality and
    likeness. ``threads`` search one position, if they fit into the memory.
    """

    seconds: float | None = None
    memory: int = DEFAULT_MEMORY
    evidence: bool = True
    all_findings: bool = True
    cross: bool = False
    thorough: bool = False
    quick: bool = False
    appraised: bool = False
    examining: float = 1.0
    threads: int = 1


COMMAND = CheckOptions(seconds=60.0, all_findings=False)
"""Of the command, the library and `check` in a browser: what the grade needs, in a minute."""
BOARD = CheckOptions(seconds=20.0, quick=True, appraised=True)
"""Of the board, whose judgement follows each change: quick, and with all that the page shows."""
UNLIMITED = CheckOptions()
"""Of USI, where the clock of the GUI ends a search, and of uses that limit each step by themselves."""


@dataclass(frozen=True)
class CheckedPosition:
    """A judgement; the appraisal of its best line if that was wanted; the comparison with a second engine's.

    ``cross`` is None if no second engine was asked.
    """

    parsed: ParsedSfen
    judgement: Judgement
    appraisal: Appraisal = NOT_APPRAISED
    cross: CrossCheckResult | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the fields of ``tsume check --jsonl`` (docs/cli.md)."""
        fields = {**judgement_fields(self.judgement, self.parsed), **asdict(self.appraisal)}
        if self.cross is not None:
            fields["correct"] &= self.cross.agrees is True
            fields["unresolved"] |= self.cross.agrees is None
        return fields

    def cross_to_json(self) -> dict[str, Any]:
        """Return the field of the comparison, the last of a line; none without a second engine."""
        if self.cross is None:
            return {}
        return {"cross": {"agrees": self.cross.agrees, "differences": list(self.cross.differences)}}


class Checker:
    """Judges positions with one engine, made when it is first needed unless one is given.

    No judgement depends on earlier ones.
    """

    def __init__(self, options: CheckOptions = UNLIMITED, engine: DfPnEngine | None = None) -> None:
        self._options = options
        self._bytes = (options.memory << 20) // (2 if options.cross else 1)
        if engine is not None:
            self.engine = engine

    @cached_property
    def engine(self) -> DfPnEngine:
        """The engine, free for other questions between two judgements."""
        return df_pn_engine(EngineOptions(self._bytes, jobs=self._options.threads))

    @cached_property
    def _judge(self) -> Judge:
        from solver.judging.judge import Judge, Rigour

        options = self._options
        rigour = Rigour(
            evidence=options.evidence,
            all_findings=options.all_findings,
            thorough=options.thorough,
            examining=options.examining,
        )
        if options.quick:
            rigour = replace(rigour, unbounded_nodes=rigour.unbounded_nodes // 10)
        return Judge(self.engine, rigour)

    @cached_property
    def _second(self) -> IterativeEngine:
        return iterative_engine(self._bytes)

    def check(
        self, parsed: ParsedSfen, line: Sequence[Move] = (), moves: int | None = None, seconds: float | None = None
    ) -> CheckedPosition:
        """Judge a position as a problem of ``moves`` plies, or of any length, with the composer's line.

        ``seconds`` are those of the options unless they are given; with a second engine the first has at most half.
        """
        options, position = self._options, parsed.position
        seconds = options.seconds if seconds is None else seconds
        cross = None
        with self.engine.within(Limits(seconds=seconds)):
            judgement = self.judge(position, moves, line, seconds and seconds / (1 + options.cross))
            if options.cross and judgement.settled and not judgement.defects & Defect.ILLEGAL_START:
                cross = self.cross_check(position, judgement, moves, line, self.engine.seconds_left)
        appraisal = self.appraise(position, judgement) if options.appraised else NOT_APPRAISED
        return CheckedPosition(parsed, judgement, appraisal, cross)

    # --- the steps, for other uses ----------------------------------------------------------------

    def judge(
        self, position: Position, moves: int | None = None, line: Sequence[Move] = (), seconds: float | None = None
    ) -> Judgement:
        """Judge a position; the limits of the options do not hold."""
        self.engine.forget()
        return self._judge.judge(position, moves, Limits(seconds=seconds), line=tuple(line))

    def cross_check(
        self,
        position: Position,
        judgement: Judgement,
        moves: int | None = None,
        line: Sequence[Move] = (),
        seconds: float | None = None,
    ) -> CrossCheckResult:
        """Compare a judgement made just now with that of a second, independent engine."""
        from solver.judging.judge import cross_check

        self._second.forget()
        limits = Limits(seconds=seconds)
        return cross_check(self.engine, self._second, position, judgement, moves, limits, line)

    def appraise(self, position: Position, judgement: Judgement) -> Appraisal:
        """Appraise the best line of a position judged just now."""
        line = best_line(judgement)
        return appraise_line(position, line, self.engine) if line else NOT_APPRAISED


def unreadable_judgement(fault: str, parsed: ParsedSfen) -> CheckedPosition:
    """Return what stands for the judgement of a text that is no position; ``parsed`` stands for that."""
    finding = StartFault(Defect.ILLEGAL_START, fault=fault)
    return CheckedPosition(parsed, Judgement(Defect.ILLEGAL_START, findings=(finding,)))


def illegal_judgement(position: Position) -> Judgement:
    """Return the judgement of a position that is not a legal start."""
    from solver.judging.evidence import illegal_start
    from tsume_rules.packed import faults_of_start

    return illegal_start(faults_of_start(position))


def best_line(judgement: Judgement) -> tuple[Move, ...]:
    """The given line, completed where it breaks off, if it is best by a reading; else the program's."""
    given = judgement.given.best_line if judgement.given else ()
    return given or judgement.line


# --- certificates: writing what a judgement proves, and verifying a file ---------------------------


class UnusableCertificate(ValueError):
    """A file is no certificate, or it does not prove what it claims."""


class Certifier:
    """Writes certificates of problems judged just now to one file, with the engine that judged them."""

    def __init__(self, writer: CertificateWriter) -> None:
        self._writer = writer

    def add(self, engine: DfPnEngine, position: Position, judgement: Judgement, seconds: float | None) -> str | None:
        """Write one problem; returns what is not certified of it and why, None if everything is."""
        from solver.certificates.writer import NotCertified

        try:
            left = self._writer.add(engine, position, judgement, Limits(seconds=seconds))
        except NotCertified as error:
            return f"no certificate: {error}"
        except LimitReached:
            return "no certificate: a limit was reached"
        return f"not certified, as a limit was reached: {', '.join(left)}" if left else None


class NothingCertified(Exception):
    """No problem could be certified, so there is no file."""


@contextmanager
def certificate_for_writing(path: Path, progress: Callable[[int], None]) -> Iterator[Certifier]:
    """A certificate that is written in the block, whole or not at all.

    Raises `tsume.files.writing.FileError`, and `NothingCertified` if there is no problem in it.
    """
    from solver.certificates.writer import CertificateWriter

    with file_for_writing(path) as file:
        writer = CertificateWriter(file, progress)
        yield Certifier(writer)
        writer.close()
        if not writer.problems:
            raise NothingCertified


def verify_certificate(path: Path, jobs: int = 1) -> tuple[Proved, ...]:
    """Return what a file proves, checked in so many processes. Raises `UnusableCertificate`."""
    from solver.certificates.checker import CertificateError, verify_in_processes

    try:
        return tuple(verify_in_processes(str(path), jobs))
    except (CertificateError, gzip.BadGzipFile) as error:
        raise UnusableCertificate(str(error)) from None
    except OSError as error:
        raise UnusableCertificate(error.strerror or str(error)) from None


# --- proofreading: a last test before a problem is stored ------------------------------------------


class ProofreadError(AssertionError):
    """python-shogi refuses the line of a problem: a bug."""


def proofread(problem: Problem) -> None:
    """Raise `ProofreadError` unless every move is legal and every move of the attacker gives check.

    python-shogi replays the line. It shares no code with the solver, so an error in our rules does not pass unnoticed.
    Whether the end is mate is not tested: python-shogi counts futile interpositions.
    """
    import shogi

    sfen = format_sfen(problem.position)
    board = shogi.Board(sfen)
    for ply, move in enumerate(problem.line):
        played = shogi.Move.from_usi(move.usi)
        if played not in board.legal_moves:
            raise ProofreadError(f"{sfen}: move {ply + 1}, {move.usi}, is not legal")
        board.push(played)
        if ply % 2 == 0 and not board.is_check():
            raise ProofreadError(f"{sfen}: move {ply + 1}, {move.usi}, gives no check")
