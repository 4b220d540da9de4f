# SPDX-License-Identifier: GPL-3.0-or-later
"""Judging positions as problems: the grade and what it rests on."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from generator.problem import Problem
from solver.limits import LimitReached
from solver.results import Judgement, Limits
from tsume.files.writing import file_for_writing
from tsume.uses.engines import DEFAULT_MEMORY, EngineOptions, df_pn_engine, iterative_engine
from tsume.warmup import KernelPart, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.certificates.checker import Proved
    from solver.certificates.problems import CertificateWriter
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.engines.iterative.engine import IterativeEngine
    from solver.judging.cross import Cross
    from solver.judging.judge import Judge


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
    """The appraisal of a line that mates; the engine proves the themes."""
    warm_up(KernelPart.LIKENESS)
    from generator.likeness.model import likeness_of
    from generator.quality import appraise
    from generator.themes.table import ThemeProver

    themes = tuple(sorted(ThemeProver(engine).themes(position, line)))
    return Appraisal(themes, appraise(position, line).quality, likeness_of(position, line))


def appraised_problem(problem: Problem, engine: DfPnEngine) -> Problem:
    """A problem with its themes, proved by the engine, and its quality."""
    from generator.quality import appraise
    from generator.themes.table import ThemeProver

    themes = ThemeProver(engine).themes(problem.position, problem.line)
    return replace(problem, themes=themes, quality=appraise(problem.position, problem.line).quality)


# --- judging positions as problems -----------------------------------------------------------------


class Checker:
    """Judges positions with one engine, made when it is first needed unless one is given.

    ``memory`` is in MB; with ``cross`` two engines share it. ``evidence``, ``all_findings`` and
    ``examining`` are those of `solver.judging.judge.Rigour`. ``thorough``: second solutions at any length
    are searched for most of the time of a judgement, not with a fixed number of nodes; ``quick``: with a
    tenth of that number, for a verdict that follows each change on a board. ``threads`` search one position,
    if they fit into the memory. No judgement depends on earlier ones.
    """

    def __init__(
        self,
        memory: int = DEFAULT_MEMORY,
        *,
        evidence: bool = True,
        all_findings: bool = True,
        cross: bool = False,
        thorough: bool = False,
        quick: bool = False,
        examining: float = 1.0,
        threads: int = 1,
        engine: DfPnEngine | None = None,
    ) -> None:
        self._bytes = (memory << 20) // (2 if cross else 1)
        self._evidence = evidence
        self._all_findings = all_findings
        self._thorough = thorough
        self._quick = quick
        self._examining = examining
        self._threads = threads
        if engine is not None:
            self.engine = engine

    @cached_property
    def engine(self) -> DfPnEngine:
        """The engine, free for other questions between two judgements."""
        return df_pn_engine(EngineOptions(self._bytes, jobs=self._threads))

    @cached_property
    def _judge(self) -> Judge:
        from solver.judging.judge import Judge, Rigour

        rigour = Rigour(
            evidence=self._evidence,
            all_findings=self._all_findings,
            thorough=self._thorough,
            examining=self._examining,
        )
        if self._quick:
            rigour = replace(rigour, unbounded_nodes=rigour.unbounded_nodes // 10)
        return Judge(self.engine, rigour)

    @cached_property
    def _second(self) -> IterativeEngine:
        return iterative_engine(self._bytes)

    def check(
        self,
        position: Position,
        length: int | None = None,
        line: Sequence[Move] = (),
        seconds: float | None = None,
    ) -> Judgement:
        """The judgement of a position as a problem of ``length`` plies, with the composer's line."""
        self.engine.forget()
        return self._judge.judge(position, length, Limits(seconds=seconds), line=tuple(line))

    def cross_check(
        self,
        position: Position,
        judgement: Judgement,
        length: int | None = None,
        line: Sequence[Move] = (),
        seconds: float | None = None,
    ) -> Cross:
        """A judgement made just now, compared with that of a second, independent engine."""
        from solver.judging.cross import cross_check

        self._second.forget()
        limits = Limits(seconds=seconds)
        return cross_check(self.engine, self._second, position, judgement, length, limits, line)

    def appraise(self, position: Position, judgement: Judgement) -> Appraisal:
        """Themes, quality and likeness of the best line of a position judged just now."""
        line = best_line(judgement)
        return appraise_line(position, line, self.engine) if line else NOT_APPRAISED


def illegal_judgement(position: Position) -> Judgement:
    """The judgement of a position that is not a legal start."""
    from solver.judging.evidence import illegal_start
    from tsume_rules.game import faults_of_start

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

    @property
    def problems(self) -> int:
        """How many problems are in the file."""
        return self._writer.problems

    def add(
        self, engine: DfPnEngine, position: Position, judgement: Judgement, seconds: float | None
    ) -> str | None:
        """Write one problem; returns what is not certified of it and why, None if everything is."""
        from solver.certificates.problems import NotCertified

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
    from solver.certificates.problems import CertificateWriter

    with file_for_writing(path) as file:
        writer = CertificateWriter(file, progress)
        yield Certifier(writer)
        writer.close()
        if not writer.problems:
            raise NothingCertified


def verify_certificate(path: Path, jobs: int = 1) -> tuple[Proved, ...]:
    """What a file proves, checked in so many processes. Raises `UnusableCertificate`."""
    from solver.certificates.checker import CertificateError
    from solver.certificates.processes import verify_in_processes

    try:
        return tuple(verify_in_processes(str(path), jobs))
    except (CertificateError, gzip.BadGzipFile) as error:
        raise UnusableCertificate(str(error)) from None
    except OSError as error:
        raise UnusableCertificate(error.strerror or str(error)) from None
