# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates: writing what a judgement proves, and verifying a file."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from solver.limits import LimitReached
from solver.results import Judgement, Limits
from tsume.files.writing import file_for_writing
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.certificates.checker import Proved
    from solver.certificates.problems import CertificateWriter
    from solver.engines.dfpn.engine import DfPnEngine


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
