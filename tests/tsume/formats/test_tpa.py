# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tsume.conftest import Run
from tests.tsume.formats.positions import random_record
from tsume.files.entries import read_pasted_text
from tsume.formats.tpa import is_tpa, read_tpa, write_tpa
from tsume_rules.sfen import parse_sfen

SFEN = "8k/9/8P/6r2/6+b2/9/9/9/9 b 2G 1"
PIECES = [
    "1301", *["0011"] * 17, *["0011"] * 4, *["0011"] * 4, *["0011"] * 4, "0001", "0001", "0011", "0011",
    "3411", "0011", "3512", "0011", "1111", "0011",
]  # fmt: skip
"""Pawns, lances, knights, silvers, golds, rooks, bishops, kings."""
CSV = "_".join(PIECES)
LINE = ["G*2b", "1a2b", "G*2c"]
ANSWER = "05220_11220_05230_"
TEXT = (
    f"d=0&workid=7&csv={CSV}&hint={quote('頭金')}&progresscnt=3&answercsv={ANSWER}&title={quote('題 名')}"
    f"&authorname={quote('作者')}&workupdate=2009%2F4%2F20%5B13%3A6%3A00%5D&point=15&level=5&key=a"
    f"&manscsv1=05120&marrcsv1=11121&mdescsv1={quote('同玉で逃れる')}"
)


def test_a_problem_of_the_app() -> None:
    found = read_tpa(TEXT)
    assert found.parsed is not None
    assert found.record is not None
    assert (found.parsed.position, found.parsed.missing) == (parse_sfen(SFEN).position, 0)
    assert [move.usi for move in found.record.line] == LINE
    assert (found.title, found.record.headers) == ("題 名", (("作者", "作者"),))
    assert found.record.comments == ("頭金", "同玉で逃れる")
    varied = read_tpa(f"csv={CSV}&answercsv={ANSWER}{ANSWER[:12]}05210_&progresscnt=3").record
    assert varied is not None
    assert [[move.usi for move in branch.line] for branch in varied.branches] == [["G*2a"]]


@given(st.integers(0, 10**9))
def test_what_is_written_is_read(seed: int) -> None:
    record = random_record(seed)
    text = write_tpa(record).rstrip("\n")
    found = read_tpa(text)
    assert is_tpa(text)
    assert found.record is not None
    assert (found.record.position, found.record.line, found.title) == (
        record.position, record.line, record.title_line,
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT.replace(CSV, f"{CSV}_"),
        TEXT.replace(CSV, CSV.removesuffix("_0011") + "_"),
        f"csv={CSV}&answercsv={ANSWER}",
        f"csv={CSV}&answercsv={ANSWER}{ANSWER}&progresscnt=3",
        f"csv={CSV}&answercsv={ANSWER.rstrip('_')}_@{ANSWER}",
    ],
)
def test_the_forms_of_its_texts(text: str, tsume: Run, tmp_path: Path) -> None:
    """As a pasted text, an argument, a line of a file and on stdin."""
    entry = read_pasted_text(text).entry
    assert entry.parsed is not None
    assert entry.parsed.position == parse_sfen(SFEN).position
    assert [move.usi for move in entry.line] == LINE
    (tmp_path / "problems.txt").write_text(f"{text}\n{text}\n")
    solved = [*tsume("solve", "--jsonl", text).stdout.splitlines()]
    solved += tsume("solve", "--jsonl", tmp_path / "problems.txt").stdout.splitlines()
    solved += tsume("check", "--jsonl", "-f", "-", stdin=text).stdout.splitlines()
    assert [json.loads(line)["length"] for line in solved] == [1] * 4


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("_1111_0011", "", "csv has 38 pieces"),
        ("1301", "1304", "piece 1: invalid"),
        ("1301", "0002", "piece 1: promoted in hand"),
        ("0001_0001", "0002_0001", "piece 31: invalid"),
        ("3411", "1301", "piece 35: the square of another piece"),
        ("1111_0011", "0011_0011", "no defender's king"),
        (ANSWER, "05220_11220_0523_", "invalid move: '0523'"),
        (ANSWER, "08220_", "invalid move: '08220'"),
        (ANSWER, "05220_11330_", "does not move that way"),
        (ANSWER, "01220_", "no pawn in hand"),
        (ANSWER, f"{ANSWER}05220_", "4 moves, progresscnt is 3"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, reason: str, tsume: Run) -> None:
    assert old in TEXT
    text = TEXT.replace(old, new, 1)
    done = tsume("solve", text)
    assert done.exit_code == 1
    assert done.stderr.startswith("argument 1: ")
    assert reason in done.stderr


def test_exported_problems_are_imported(tsume: Run, made: Path, tmp_path: Path) -> None:
    assert tsume("export", "--db", made, "--format", "tpa", "-o", tmp_path / "all.tpa").exit_code == 0
    lines = (tmp_path / "all.tpa").read_text(encoding="ascii").splitlines()
    assert len(lines) == 6
    assert all(map(is_tpa, lines))
    assert tsume("import", "--db", tmp_path / "copy.db", tmp_path / "all.tpa").exit_code == 0
    exported = [tsume("export", "--db", db, "--format", "sfen").stdout for db in (made, tmp_path / "copy.db")]
    assert exported[0] == exported[1]
