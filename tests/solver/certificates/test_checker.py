# SPDX-License-Identifier: GPL-3.0-or-later
"""The checker against positions with known answers, and facts written by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver.certificates.checker import CertificateError, Proved, position_text, text_position, verify
from solver.certificates.processes import verify_in_processes
from tests.solver.certificates.files import certificate, lines_of, with_lines
from tsume_rules.sfen import parse_sfen

NO_MATE_BUT_BY_PAWN = "8k/9/6NG1/9/9/9/9/9/9 b P2r2b3g4s3n4l17p 1"
"""P*1b would mate, and a dropped pawn may not."""
MATE_IN_ONE = "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
CHAIN_OF_DROPS = "7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1"
LENGTHS = {
    "k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1": 3,
    "9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1": 3,
    "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1": 3,
    "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1": 3,
    "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1": 1,
    CHAIN_OF_DROPS: 1,
    MATE_IN_ONE: 1,
}
"""Positions of docs/rules.md on which the definitions of a futile drop differ, by the narrow reading."""


def fact(kind: str, plies: int | str, sfen: str, *moves: str) -> bytes:
    """The line of a fact."""
    text = position_text(text_position(parse_sfen(sfen).position))
    return " ".join([kind, str(plies), text, *moves]).encode() + b"\n"


def claim(sfen: str, **fields: object) -> bytes:
    """The line of a claim."""
    return json.dumps({"sfen": sfen, **fields}).encode() + b"\n"


def fault(path: Path, *lines: bytes) -> str:
    """What the checker says against a file of these lines."""
    with pytest.raises(CertificateError) as refused:
        verify(str(with_lines(path / "made", lines)))
    return str(refused.value)


@pytest.mark.parametrize("sfen", LENGTHS)
def test_lengths_by_the_narrow_reading_are_proved(sfen: str, tmp_path: Path) -> None:
    (proved,) = verify(str(certificate(tmp_path / "a", sfen)))
    assert (proved.sfen, proved.mate, proved.no_mate) == (sfen, LENGTHS[sfen], None)


def test_no_mate_at_any_length_is_proved(tmp_path: Path) -> None:
    assert verify(str(certificate(tmp_path / "a", NO_MATE_BUT_BY_PAWN))) == [
        Proved(NO_MATE_BUT_BY_PAWN, no_mate="*")
    ]


def test_a_mate_written_by_hand(tmp_path: Path) -> None:
    lines = claim(MATE_IN_ONE, mate=1), fact("A", 1, MATE_IN_ONE, "G*1b")
    assert verify(str(with_lines(tmp_path / "a", lines))) == [Proved(MATE_IN_ONE, mate=1)]


def test_a_dropped_pawn_does_not_mate(tmp_path: Path) -> None:
    said = fault(tmp_path, claim(NO_MATE_BUT_BY_PAWN, mate=1), fact("A", 1, NO_MATE_BUT_BY_PAWN, "P*1b"))
    assert "not a legal move" in said


def test_futile_drops_need_their_slide(tmp_path: Path) -> None:
    lines = lines_of(certificate(tmp_path / "a", CHAIN_OF_DROPS))
    root = next(line for line in lines if line.startswith(b"A 1 "))
    assert len(root.split()) > 4, "slides are given"
    bare = b" ".join(root.split()[:4]) + b"\n"
    assert "answers the last check" in fault(tmp_path, *[bare if line == root else line for line in lines])
    slid = [line for line in lines if not line.startswith(b"D")]
    assert "needs a fact D 0" in fault(tmp_path, *slid)


def test_an_effective_drop_refutes_only_if_no_slide_mates(tmp_path: Path) -> None:
    sfen = "k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1"
    lines = lines_of(certificate(tmp_path / "a", sfen))
    kept = [line for line in lines if not line.startswith(b"E 0")]
    assert len(kept) < len(lines), "a drop is an answer here"
    assert "needs a fact E" in fault(tmp_path, *kept)


def test_facts_do_not_prove_one_another_in_a_circle(tmp_path: Path) -> None:
    """A mate needs shorter mates: whatever a file says of itself, the last check must mate."""
    sfen = NO_MATE_BUT_BY_PAWN
    said = fault(tmp_path, claim(sfen, mate=3), fact("A", 3, sfen, "2c2b"), fact("N", 1, sfen, "1a2b"))
    assert "needs a fact A 1" in said


def test_a_larger_hand_mates_too_and_a_smaller_one_does_not(tmp_path: Path) -> None:
    more = "8k/9/8P/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"
    less = "8k/9/8P/9/9/9/9/9/9 b S2r2b4g3s4n4l17p 1"
    lines = claim(more, mate=1), fact("A", 1, MATE_IN_ONE, "G*1b")
    assert verify(str(with_lines(tmp_path / "a", lines)))[0].mate == 1
    assert "needs a fact A 1" in fault(tmp_path, claim(less, mate=1), lines[1])


@pytest.mark.parametrize(
    "line",
    [
        b"A 2 x y\n", b"Q 1 x y\n", b"\n", b"A\n", b"A 1\n", fact("A", "*", MATE_IN_ONE, "G*1b"),
        fact("A", 1, MATE_IN_ONE), fact("A", 1, MATE_IN_ONE, "G*9i"), fact("A", 1, MATE_IN_ONE, "hello"),
        fact("D", 0, MATE_IN_ONE), fact("E", 0, MATE_IN_ONE, "1a2a"),
        fact("N", 1, MATE_IN_ONE, "1a1b", "1a1b"),
        fact("A", 1, MATE_IN_ONE, "G*1b").replace(b"k", b"."), b"A 1 " + b"k" * 81 + b"0000000 G*1b\n",
        fact("A", 1, MATE_IN_ONE, "G*1b").replace(b"0000001", b"0000005"), b"\xff\n", b"{}\n", b"{\n",
        claim("nonsense", mate=1), claim(MATE_IN_ONE), claim(MATE_IN_ONE, mate=2),
        claim(MATE_IN_ONE, mate=True),
        claim(MATE_IN_ONE, mate=1, no_mate=1), claim(MATE_IN_ONE, mate=1, line=["G*1b", "x"]),
        claim(MATE_IN_ONE, mate=1, other=1), claim(MATE_IN_ONE, mate=1, second=3),
        claim(MATE_IN_ONE, no_mate="*"),
        claim(MATE_IN_ONE, mate=1, unique="*"), claim(MATE_IN_ONE.replace(" b ", " w "), mate=1),
        claim(MATE_IN_ONE, mate=1, second=[{"after": [], "key": "G*1b", "check": "G*1b", "plies": 1}]),
        claim(MATE_IN_ONE.replace("2r2b", "2rb"), mate=1), claim(MATE_IN_ONE, mate=1, line=["G*2b"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_in_one_line(line: bytes, tmp_path: Path) -> None:
    said = fault(tmp_path, fact("A", 1, MATE_IN_ONE, "G*1b"), line)
    assert said.startswith("line ")
    assert "\n" not in said


def test_files_that_end_too_soon_or_too_late_are_refused(tmp_path: Path) -> None:
    path = certificate(tmp_path / "a", MATE_IN_ONE)
    data = path.read_bytes()
    for damaged in (data[:-9], data[: len(data) // 2], data + data, b"", b"no certificate", data[:1]):
        path.write_bytes(damaged)
        with pytest.raises(CertificateError, match=r"^line [0-9]+: "):
            verify(str(path))


def test_a_file_may_be_read_in_parts(tmp_path: Path) -> None:
    path = str(certificate(tmp_path / "a", CHAIN_OF_DROPS, MATE_IN_ONE))
    assert verify(path, most=8) == verify(path)
    lines = lines_of(Path(path))
    for missing in range(1, len(lines), 2):
        if not lines[missing].startswith(b"{"):
            with_lines(tmp_path / "b", [*lines[:missing], *lines[missing + 1 :]])
            assert _is_refused(str(tmp_path / "b"), 10**6) == _is_refused(str(tmp_path / "b"), 8)


def _is_refused(path: str, most: int) -> bool:
    try:
        verify(path, most)
    except CertificateError:
        return True
    return False


@pytest.mark.parametrize("jobs", [2, 3])
def test_processes_prove_and_refuse_the_same(jobs: int, tmp_path: Path) -> None:
    path = certificate(tmp_path / "a", CHAIN_OF_DROPS, MATE_IN_ONE)
    assert verify_in_processes(str(path), jobs) == verify(str(path))
    assert verify_in_processes(str(path), jobs, most=8) == verify(str(path))
    lines = lines_of(path)
    for missing in range(len(lines)):
        if not lines[missing].startswith(b"{"):
            changed = str(with_lines(tmp_path / "b", [*lines[:missing], *lines[missing + 1 :]]))
            assert _is_refused(changed, 10**6) == _is_refused_by_several(changed, jobs)


def _is_refused_by_several(path: str, jobs: int) -> bool:
    try:
        verify_in_processes(path, jobs)
    except CertificateError as error:
        return str(error).startswith("line ")
    return False
