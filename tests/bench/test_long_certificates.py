# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench lengths`: what it certifies, and what it prints."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from scripts.measuring.long_certificates import LengthCertificate, certified_lengths, lengths
from scripts.measuring.position_files import Named
from solver.certificates.checker import verify
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Limits
from tsume_rules.sfen import parse_sfen

IN_FIVE = "7k1/9/9/7B1/5BR2/9/9/9/9 b Lr4g4s4n3l18p 1"
NONE = "4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1"


def named(name: str, sfen: str) -> Named:
    return Named(name, sfen, parse_sfen(sfen).position)


def test_lengths_are_certified(tmp_path: Path) -> None:
    problems = [named("none", NONE), named("five", IN_FIVE)]
    found = list(certified_lengths(problems, DfPnEngine(table_bits=14), Limits(), 5, tmp_path))
    assert found[0] == "none\tno length"
    assert isinstance(found[1], LengthCertificate)
    (proved,) = verify(str(tmp_path / "2.certificate"))
    assert (found[1].name, found[1].length, proved.mate) == ("five", 5, 5)
    assert found[1].size == (tmp_path / "2.certificate").stat().st_size
    assert found[1].facts > 0
    assert found[1].memory > 1 << 20


def test_short_mates_are_left_out(tmp_path: Path) -> None:
    problems = [named("five", IN_FIVE)]
    assert list(certified_lengths(problems, DfPnEngine(table_bits=14), Limits(), 7, tmp_path)) == []


def test_a_limit_leaves_a_line_without_a_certificate(tmp_path: Path) -> None:
    problems = [named("five", IN_FIVE)]
    found = certified_lengths(problems, DfPnEngine(table_bits=14), Limits(nodes=3), 1, tmp_path)
    assert list(found) == ["five\tno length"]


def test_the_command_prints_a_line_for_each_problem(tmp_path: Path) -> None:
    file = tmp_path / "problems.tsv"
    file.write_text(f"five\t{IN_FIVE}\n")
    options = ["--from", "1", "--memory", "16", "--folder", str(tmp_path / "kept")]
    done = CliRunner().invoke(lengths, [*options, str(file)], catch_exceptions=False)
    assert done.exit_code == 0
    header, line = done.stdout.splitlines()
    assert len(header.split("\t")) == len(line.split("\t")) == 8
    assert line.startswith("five\t5\t")
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["1.certificate"]
