# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench lengths`: certificates of the exact lengths of long problems."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import click

from scripts.measuring.options import FILES
from scripts.measuring.position_files import Named, read
from scripts.measuring.preparation import warm_up
from solver.certificates.problems import CertificateWriter
from solver.defects import Defect
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.memory import table_bits_within
from solver.limits import LimitReached
from solver.results import Judgement, Limits, Mate
from solver.solving.deepening import search_length
from tsume.services.certifying import verify_certificate
from tsume_rules.packing import pack

_STATUS = Path("/proc/self/status")
"""What Linux says of a process."""


@dataclass(frozen=True)
class LengthCertificate:
    """The certificate of a length; times in seconds: to find it, to write and to verify the file (the last of
    the processor); ``memory``: the bytes that verifying takes at most."""

    name: str
    length: int
    finding: float
    facts: int
    size: int
    writing: float
    verifying: float
    memory: int

    @property
    def line(self) -> str:
        """The line that is printed."""
        return (
            f"{self.name}\t{self.length}\t{self.finding:.1f}\t{self.facts}\t{self.size}\t{self.writing:.1f}\t"
            f"{self.verifying:.1f}\t{self.memory >> 20}"
        )


@click.command()
@click.option(
    "--time", "seconds", default=600.0, show_default=True, help="Seconds to find a length; also to certify."
)
@click.option("--memory", default=1024, show_default=True, help="MB for the engine.")
@click.option("--from", "least", default=17, show_default=True, help="Plies; shorter mates are left out.")
@click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), help="Keep the certificates here."
)
@FILES
def lengths(files: tuple[Path, ...], seconds: float, memory: int, least: int, folder: Path | None) -> None:
    """Certificates of exact lengths: a mate, and that none is shorter.

    FILES of names and SFENs separated by tabs, in either order. Second solutions are not searched for. A line
    for each problem; Ctrl-C ends it early.
    """
    try:
        engine = DfPnEngine(table_bits=table_bits_within(memory << 20))
    except ValueError as error:
        raise click.UsageError(f"--memory: {error}") from None
    warm_up(engine)
    problems = [named for path in files for named in read(path)]
    with tempfile.TemporaryDirectory() as temporary, suppress(KeyboardInterrupt):
        place = folder or Path(temporary)
        place.mkdir(parents=True, exist_ok=True)
        print("problem\tplies\ts to find\tfacts\tbytes\ts to write\tCPU s to verify\tMB to verify")
        for found in certified_lengths(problems, engine, Limits(seconds=seconds), least, place):
            print(found if isinstance(found, str) else found.line, flush=True)


def certified_lengths(
    problems: Sequence[Named], engine: DfPnEngine, limits: Limits, least: int, folder: Path
) -> Iterator[LengthCertificate | str]:
    """Certify the lengths of problems of ``least`` plies or more, in files in a folder, which are verified.

    For a problem that is left out, why.
    """
    for number, named in enumerate(problems, start=1):
        engine.forget()
        started = time.perf_counter()
        found = search_length(engine, pack(named.position), limits)
        finding = time.perf_counter() - started
        if not isinstance(found, Mate):
            yield f"{named.name}\tno length"
        elif found.length >= least:
            path = folder / f"{number}.certificate"
            started = time.perf_counter()
            judgement = Judgement(Defect.NONE, length=found.length, unresolved=True)
            try:
                with path.open("wb") as file:
                    writer = CertificateWriter(file)
                    writer.add(engine, named.position, judgement, limits)
                    writer.close()
            except LimitReached as limit:
                yield f"{named.name}\t{found.length}\tno certificate: {limit.reason.value}"
                continue
            writing = time.perf_counter() - started
            with ProcessPoolExecutor(1, get_context("spawn")) as pool:
                verifying, used = pool.submit(_verified, path, found.length).result()
            yield LengthCertificate(
                named.name, found.length, finding, writer.facts, path.stat().st_size, writing, verifying, used
            )


def _verified(path: Path, length: int) -> tuple[float, int]:
    """The seconds and bytes that it takes to verify a length. Raises `UnusableCertificate`."""
    before = time.process_time()
    (proved,) = verify_certificate(path)
    if proved.mate != length:
        raise AssertionError(f"{path} proves {proved.mate}, not {length}")
    return time.process_time() - before, _most_memory()


def _most_memory() -> int:
    """The most bytes of memory that this process has had.

    Linux counts in `ru_maxrss` the memory of the process that started this one.
    """
    if _STATUS.exists():
        (line,) = (line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) << 10
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used << 10
