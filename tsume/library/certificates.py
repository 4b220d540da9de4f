# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates: a judgement and a file that proves it, and what a file proves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from solver.certificates.checker import Proved
from tsume.files.writing import FileError
from tsume.library.answers import Certified
from tsume.library.arguments import check_arguments
from tsume.library.boards import GivenMove, GivenPosition
from tsume.library.reading import read_position
from tsume.services.certifying import (
    NothingCertified,
    UnusableCertificate,
    certificate_for_writing,
    verify_certificate,
)
from tsume.services.checking import Checker
from tsume.services.engines import DEFAULT_MEMORY, EngineOptions, df_pn_of_thread
from tsume.warmup import KernelPart, warm_up_silently


def certify(
    sfen: GivenPosition,
    path: str,
    *,
    line: Sequence[GivenMove] = (),
    seconds: float = 60.0,
    memory: int = DEFAULT_MEMORY,
) -> str | None:
    """Judge a position and write a file that proves the judgement, if anything can be proved.

    Returns what is left out and why, None if everything is in the file. To judge and to write may take
    ``seconds`` each. Raises ValueError also if the file cannot be written.
    """
    check_arguments(path=path, seconds=seconds, memory=memory)
    parsed, given, _ = read_position(sfen, line, legal=True)
    warm_up_silently(KernelPart.ENGINE)
    engine = df_pn_of_thread(EngineOptions(memory << 20))
    judgement = Checker(all_findings=False, engine=engine).check(parsed.position, None, given, seconds)
    left = None
    try:
        with suppress(NothingCertified), certificate_for_writing(Path(path), lambda _: None) as certifier:
            left = certifier.add(engine, parsed.position, judgement, seconds)
    except FileError as error:
        raise ValueError(f"path: {error.message}") from None
    return left


def verify(path: str, *, jobs: int = 1) -> tuple[Certified, ...]:
    """What a certificate proves, problem by problem. Raises ValueError if it is none or proves nothing."""
    check_arguments(path=path, jobs=jobs)
    warm_up_silently(KernelPart.ENGINE)
    try:
        return tuple(map(_certified, verify_certificate(Path(path), jobs)))
    except UnusableCertificate as error:
        raise ValueError(f"path: {error}") from None


def _certified(proved: Proved) -> Certified:
    return Certified(**asdict(proved))
