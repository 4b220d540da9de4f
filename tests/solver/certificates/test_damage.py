# SPDX-License-Identifier: GPL-3.0-or-later
"""Damaged certificates prove nothing false: they are refused, or what they still prove is true."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from solver.certificates.checker import CertificateError, Proved, verify
from tests.solver.certificates.files import certificate, lines_of, with_lines

PROBLEMS = (
    "1g7/k8/pN7/N8/9/4B4/9/9/9 b S2rb3g3s2n4l17p 1",
    "8k/9/6GB1/6G2/9/9/9/9/9 b P2rb2g4s4n4l17p 1",
    "k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1",
    "8k/9/6NG1/9/9/9/9/9/9 b P2r2b3g4s3n4l17p 1",
)
MANY = 200


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certificate(tmp_path_factory.mktemp("certificates") / "made", *PROBLEMS)


def test_the_sound_file_is_accepted(made: Path) -> None:
    proved = verify(str(made))
    assert [one.sfen for one in proved] == list(PROBLEMS)
    assert [one.mate for one in proved] == [7, 3, 3, None]
    assert proved[0].unique == "*"
    assert proved[1].second


def test_a_changed_fact_never_proves_more(made: Path, tmp_path: Path) -> None:
    sound, lines = verify(str(made)), lines_of(made)
    refused = 0
    for seed in range(MANY):
        damaged = damage(lines, random.Random(seed))
        proved = proved_by(with_lines(tmp_path / "damaged", damaged))
        refused += proved is None
        assert proved in (None, sound)
    assert refused > MANY // 2


def test_a_changed_claim_is_refused(made: Path, tmp_path: Path) -> None:
    lines = lines_of(made)
    at = [i for i, line in enumerate(lines) if line.startswith(b"{")]
    for index, changed in (
        (0, {"mate": 5}), (0, {"mate": 9}), (0, {"line": ["9d8b+"] * 7}), (1, {"unique": "*", "second": []}),
        (1, {"unique": 0}), (2, {"mate": 1}), (2, {"mate": 5, "line": []}), (3, {"no_mate": None, "mate": 1}),
    ):  # fmt: skip
        fields = {**json.loads(lines[at[index]]), **changed}
        other = [*lines]
        other[at[index]] = json.dumps(fields).encode() + b"\n"
        assert proved_by(with_lines(tmp_path / "damaged", other)) is None, changed


def test_a_file_with_changed_bytes_is_refused(made: Path, tmp_path: Path) -> None:
    sound, data = verify(str(made)), made.read_bytes()
    path = tmp_path / "damaged"
    for seed in range(MANY // 4):
        rng = random.Random(seed)
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(changed[: rng.randrange(len(data))] if seed % 2 else changed)
        assert proved_by(path) in (None, sound)


def damage(lines: list[bytes], rng: random.Random) -> list[bytes]:
    """The lines of a certificate with one fact left out or changed."""
    facts = [i for i, line in enumerate(lines) if not line.startswith(b"{")]
    i = rng.choice(facts)
    words = lines[i].split()
    way = rng.randrange(5)
    if way == 0:
        return [*lines[:i], *lines[i + 1 :]]
    if way == 1:
        words[1] = b"*" if words[1] != b"*" and rng.random() < 0.3 else b"%d" % rng.randrange(8)
    elif way == 2:
        words[-1] = lines[rng.choice(facts)].split()[-1]
    elif way == 3:
        words[0] = rng.choice((b"A", b"D", b"N", b"E", b"U"))
    else:
        at = max(j for j, word in enumerate(words) if len(word) == 88)
        board = bytearray(words[at])
        one, other = rng.randrange(81), rng.randrange(81)
        board[one], board[other] = board[other], board[one]
        words[at] = bytes(board)
    return [*lines[:i], b" ".join(words) + b"\n", *lines[i + 1 :]]


def proved_by(path: Path) -> list[Proved] | None:
    """What a file proves; None if it is refused."""
    try:
        return verify(str(path))
    except CertificateError:
        return None
