# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates of tests: written, read as lines, changed and written again."""

import gzip
from collections.abc import Iterable
from pathlib import Path

from solver.certificates.checker import TITLE
from solver.certificates.writer import CertificateWriter
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge
from tsume_rules.sfen import parse_sfen


def certificate(path: Path, *sfens: str) -> Path:
    """The certificate of what the judge says of some problems."""
    engine = DfPnEngine(table_bits=18)
    with path.open("wb") as file:
        writer = CertificateWriter(file)
        for sfen in sfens:
            position = parse_sfen(sfen).position
            writer.add(engine, position, Judge(engine).judge(position))
        writer.close()
    return path


def lines_of(path: Path) -> list[bytes]:
    """The claims and facts of a certificate."""
    with gzip.open(path) as file:
        return file.read().splitlines(keepends=True)[1:-1]


def with_lines(path: Path, lines: Iterable[bytes]) -> Path:
    """A file of these claims and facts, complete in itself."""
    kept = list(lines)
    facts = sum(not line.startswith(b"{") for line in kept)
    path.write_bytes(gzip.compress(b"".join([TITLE, *kept, b"end %d\n" % facts])))
    return path
