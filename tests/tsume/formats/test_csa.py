# SPDX-License-Identifier: GPL-3.0-or-later
import json
import re
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import shogi
import shogi.CSA
from hypothesis import given
from hypothesis import strategies as st

from tests.tsume.conftest import Run, present
from tests.tsume.formats.trees import random_record, read_csa
from tsume.files.entries import read_pasted_text
from tsume.formats.csa import find_csa, write_csa, write_csa_collection
from tsume.formats.game_record import START_SFEN, GameRecord
from tsume.formats.text import FormatError, decode_record_file
from tsume.formats.tpa import is_tpa, read_tpa, write_tpa
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import Side
from tsume_rules.sfen import format_sfen, parse_sfen

SEEDS = st.integers(0, 10**9)
PROBLEM = GameRecord(
    parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position,
    tuple(map(parse_move, ("G*2b", "1a2b", "G*2c"))),
    "tsume-1",
    ("難易度 ★☆☆☆☆ (1.00)",),
)
TEXT = re.sub("P-00.*", "P-00AL", write_csa(PROBLEM)).partition("\n")[2]
"""The defender holds the rest, as others write it."""


def error_of(text: str) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read_csa(text)
    return caught.value


def test_the_file_of_a_problem_and_texts_without_one() -> None:
    lines = write_csa(PROBLEM).splitlines()
    assert lines[:2] == ["'CSA encoding=UTF-8", "V2.2"]
    assert lines[2:5] == ["$EVENT:tsume-1", "'*難易度 ★☆☆☆☆ (1.00)", "P1" + " * " * 8 + "-OU"]
    rest = "P-" + "00HI" * 2 + "00KA" * 2 + "00KI" * 2 + "00GI" * 4 + "00KE" * 4 + "00KY" * 4 + "00FU" * 17
    assert lines[13:] == ["P+00KI00KI", rest, "+", "+0022KI", "-1122OU", "+0023KI", "%TSUMI"]
    assert read_csa("P-11OU\nP+13FU00KI00KI\nP-00AL\n+\n") == [(PROBLEM.position, ())]
    ((position, _),) = read_csa("P+11OU\nP-99OU\nP+00AL\n+\n")
    assert len(position.attacker_hand) == 38
    ((position, moves),) = read_csa("PI\n+\n+7776FU\n-3334FU\n+8822UM\n")
    assert position.king(Side.ATTACKER) is not None
    assert [move.usi for move in moves] == ["7g7f", "3c3d", "8h2b+"]
    for text in (
        "", "/\n/", "V2.2\n'nothing", "+\n", "%TSUMI", "PI82KA\n", "PI82HI82HI\n", "PI00HI\n", "PI55FU\n",
        "PI\n-\n+2726FU\n",
    ):  # fmt: skip
        error_of(text)


@given(SEEDS)
def test_what_is_written_is_read(seed: int) -> None:
    record = random_record(seed)
    assert read_csa(write_csa(record)) == [(record.position, record.line)]
    assert read_csa(decode_record_file(write_csa(record).encode("cp932"))) == [(record.position, record.line)]
    records = [random_record(seed + i) for i in range(3)]
    text = "".join(write_csa_collection(records))
    assert text.count("\n/\n") == 2
    assert read_csa(text) == [(each.position, each.line) for each in records]
    lines = write_csa(record).splitlines()
    swapped = [line.translate(str.maketrans("+-", "-+")) for line in lines]
    rotated = [_turned(line) if line[0] == "P" else _turned_move(line) for line in swapped]
    ranks = sorted(line for line in rotated if line[0] == "P")
    text = "\n".join([*ranks, *(line for line in rotated if line[0] != "P")])
    assert read_csa(text) == [(record.position, record.line)]


@given(SEEDS)
def test_python_shogi_reads_the_same(seed: int) -> None:
    """The hand is compared as pieces: its SFEN writes two of White's as two of Black's."""
    record = random_record(seed)
    text = write_csa(record)
    position = shogi.CSA.Parser.parse_position([line for line in text.splitlines() if line[0] == "P"])
    board = shogi.Board(format_sfen(record.position))
    assert position["pieces_in_hand"] == [dict(hand) for hand in board.pieces_in_hand]
    for move, line in zip(record.line, text.splitlines()[-1 - len(record.line) : -1], strict=True):
        assert shogi.CSA.Parser.parse_move_str(line, board)[1] == move.usi
        board.push_usi(move.usi)


@given(SEEDS)
def test_cshogi_reads_the_same(seed: int) -> None:
    """As far as the moves are legal: cshogi drops the others."""
    cshogi = pytest.importorskip("cshogi")
    record = random_record(seed)
    board = cshogi.Board(format_sfen(record.position))
    first = board.sfen()
    line = tuple(takewhile(lambda move: _played(board, move), record.line))
    (read,) = cshogi.Parser.parse_str(write_csa(replace(record, line=line)))
    assert cshogi.Board(read.sfen).sfen() == first
    assert [cshogi.move_to_usi(move) for move in read.moves] == [move.usi for move in line]


def _played(board: Any, move: Move) -> bool:
    legal = board.is_legal(board.move_from_usi(move.usi))
    if legal:
        board.push_usi(move.usi)
    return bool(legal)


def _turned(line: str) -> str:
    if line[1] not in "123456789":
        return line
    cells = [line[at : at + 3] for at in range(2, 29, 3)]
    return f"P{10 - int(line[1])}" + "".join(reversed(cells))


def _turned_move(line: str) -> str:
    if line[0] not in "+-" or len(line) == 1:
        return line
    digits = (digit if line[1:3] == "00" and i < 2 else str(10 - int(digit)) for i, digit in enumerate(line[1:5]))
    return line[0] + "".join(digits) + line[5:]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" * \n", " *\n"),
        ("+0022KI\n", "+0022KI,T12\n"),
        ("+0022KI\n", "+0022KI\nT12\n'comment\n"),
        ("%TSUMI\n", "%TORYO\n"),
        ("%TSUMI\n", ""),
        ("P-00AL\n", ""),
        ("P+00KI00KI", "P+00KI\nP+00KI"),
        ("V2.2\n", "V2.2\nN+black, first\nN-\n$SITE:a,b\n"),
        ("P4" + " * " * 9 + "\n", ""),
        ("\n", "\r\n"),
        ("V2.2\n", "'CSA encoding=UTF-8\nV3.0\n$START_TIME:2024/05/14 10:00:00\n$TIME:900+0+5\n$JISHOGI:27\n$X\n"),
        (" *  *  *  *  *  *  *  *  * \n", " * * * * * * * * *\n"),
        (" *  *  *  *  *  *  *  *  * \n", "  *\t* *  * * * * * * \n"),
        ("\n+\n", "\n"),
        ("\n+\n", "\n'no turn\n"),
        ("+0022KI\n", "+0022KI,T12,\n"),
        ("+0022KI\n", "+0022KI , T1.5\n"),
        ("+0022KI\n", "  +0022KI\tL599\n"),
        ("+0022KI\n", "+0022KI,v=12,T1,'a comment, with +7776FU\n"),
        ("+0022KI\n", "+0022KI,'** 30 -1122OU +0023KI\n"),
        ("+0022KI\n", "+0022KI\n'** -5000 -1122OU #-323\n'* comment\n"),
        ("+0022KI\n-1122OU\n+0023KI\n", "+0022KI,T1,-1122OU,T2,+0023KI'c\n"),
        ("%TSUMI\n", "%KACHI,'* -5000 win\n"),
        ("%TSUMI\n", "%TSUMI , T3\nT4\n"),
        ("%TSUMI\n", "%+ILLEGAL_ACTION\n'summary:illegal:a win:b lose\n"),
        ("%TSUMI\n", "%MAX_MOVES\n/ \n"),
        ("P+00KI00KI\n", "P+00KI 00KI \n"),
    ],
)
def test_the_ways_of_other_programs(old: str, new: str) -> None:
    assert old in TEXT
    assert read_csa(TEXT.replace(old, new)) == [(PROBLEM.position, PROBLEM.line)]


@pytest.mark.parametrize(("first", "title"), [("'CSA encoding=SHIFT_JIS", "ｱｲ"), ("'a comment", "渦")])
def test_the_encoding_that_a_file_names_is_believed(first: str, title: str) -> None:
    """Two letters of Shift_JIS are one of EUC-JP."""
    data = f"{first}\nV3.0\n$EVENT:".encode() + "ｱｲ".encode("cp932") + b"\nPI\n+\n"
    (found,) = find_csa(decode_record_file(data))
    assert found.title == title


EXAMPLE = """'CSA encoding=UTF-8
V3.0
N+NAKAHARA
N-YONENAGA
$EVENT:13th World Computer Shogi Championship
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI * * * * * -KA *
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 * * * * * * * * *
P5 * * * * * * * * *
P6 * * * * * * * * *
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA * * * * * +HI *
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
+
+2726FU
T12
-3334FU
T6
%CHUDAN
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (EXAMPLE, ["2g2f", "3c3d"]), (EXAMPLE.replace("\n+\n", "\n"), ["2g2f", "3c3d"]),
        ("N+a\nN-b\n+\n+2726FU,T1\n-3334FU,T1\n", ["2g2f", "3c3d"]), ("+2726FU\n-3334FU\n", ["2g2f", "3c3d"]),
        ("PI,+,+2726FU,-3334FU", ["2g2f", "3c3d"]), ("+\n'comment\nPI\n+2726FU\n-3334FU\n", ["2g2f", "3c3d"]),
    ],
)  # fmt: skip
def test_a_game_from_its_start(text: str, line: list[str]) -> None:
    ((position, moves),) = read_csa(text)
    assert format_sfen(position) == START_SFEN
    assert [move.usi for move in moves] == line


def test_a_handicap_game_begins_with_white() -> None:
    """White is the attacker; what the handicap leaves out is in the defender's hand, but not in play."""
    for rest in ("-\n-5142OU\n+7776FU\n", "-5142OU\n+7776FU\n", "-\n", ""):
        (found,) = find_csa(f"PI82HI22KA\n{rest}")
        assert found.parsed is not None
        assert found.parsed.sfen == "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB 1"
        assert found.parsed.missing == 2
    error = error_of("PI82HI22KA\n-5142OU\n+0055KA\n")
    assert (error.line, "no bishop in hand" in error.reason) == (3, True)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("-1122OU", "-1122XX", 17, "invalid move"), ("-1122OU", "-1222OU", 17, "no such piece"),
        ("-1122OU", "-1122TO", 17, "no such piece"), ("-1122OU", "+1122OU", 17, "other side's turn"),
        ("-1122OU", "-1133OU", 17, "does not move that way"), ("+0022KI", "+0022GI", 16, "no silver in hand"),
        ("+0022KI", "+0022TO", 16, "cannot be dropped"),
        ("P+00KI00KI", "P+00KI00KIX", 13, "no piece with a square"),
        ("P+00KI00KI", "P+00KI00OU", 13, "invalid piece for its square"),
        ("P+00KI00KI", "P+13FU", 13, "given twice"), ("P+00KI00KI", "P+00KI00KI00KI00KI00KI", 4, "5 of gold"),
        ("P-00AL", "P-00AL00AL", 14, "invalid piece"), ("P2", "P1", 5, "rank 1 is given twice"),
        ("P2", "P0", 5, "not a position line"), ("P2 * ", "P2 ? ", 5, "invalid piece"),
        ("-OU\n", "-OU * \n", 4, "more than 9"), ("P-00AL\n+\n", "P-00AL\n+\n+\n", 16, "given twice"),
        ("%TSUMI", "%TSUMI\n-2211OU", 20, "after the end"),
        ("%TSUMI", "P-00AL", 19, "a position after the moves"), ("%TSUMI", "+", 19, "given twice"),
        ("P-00AL\n+\n+0022KI", "P-00AL\n+0022KI\n+", 16, "after the moves"),
        ("P-00AL", "P-00AL X", 14, "no piece with a square"), ("P2 * ", "P2 *  * ", 5, "more than 9"),
        ("P1", "p1", 4, "cannot parse"), ("+0022KI", "+0022ki", 16, "invalid move"),
        ("+0022KI", "0022KI", 16, "cannot parse"), ("+0022KI", "+0022KI,0012KI", 16, "cannot parse"),
        ("%TSUMI", "%MATTA\n-2211OU", 20, "after the end"), ("%TSUMI", "what", 19, "cannot parse"),
    ],
)  # fmt: skip
def test_errors_say_where_and_what(old: str, new: str, line: int, reason: str) -> None:
    assert old in TEXT
    error = error_of(TEXT.replace(old, new, 1))
    assert (error.line, reason in error.reason) == (line, True), str(error)


# ---  -------------------------------------------------------------------------------------------


SFEN = "8k/9/8P/6r2/6+b2/9/9/9/9 b 2G 1"
PIECES = [
    "1301", *["0011"] * 17, *["0011"] * 4, *["0011"] * 4, *["0011"] * 4, "0001", "0001", "0011", "0011",
    "3411", "0011", "3512", "0011", "1111", "0011",
]  # fmt: skip
"""Pawns, lances, knights, silvers, golds, rooks, bishops, kings."""
CSV = "_".join(PIECES)
LINE = ["G*2b", "1a2b", "G*2c"]
ANSWER = "05220_11220_05230_"
TPA_TEXT = (
    f"d=0&workid=7&csv={CSV}&hint={quote('頭金')}&progresscnt=3&answercsv={ANSWER}&title={quote('題 名')}"
    f"&authorname={quote('作者')}&workupdate=2009%2F4%2F20%5B13%3A6%3A00%5D&point=15&level=5&key=a"
    f"&manscsv1=05120&marrcsv1=11121&mdescsv1={quote('同玉で逃れる')}"
)


def test_a_problem_of_the_app() -> None:
    found = read_tpa(TPA_TEXT)
    assert found.parsed is not None
    assert found.record is not None
    assert (found.parsed.position, found.parsed.missing) == (parse_sfen(SFEN).position, 0)
    assert [move.usi for move in found.record.line] == LINE
    assert (found.title, found.record.headers) == ("題 名", (("作者", "作者"),))
    assert found.record.comments == ("頭金", "同玉で逃れる")
    varied = present(read_tpa(f"csv={CSV}&answercsv={ANSWER}{ANSWER[:12]}05210_&progresscnt=3").record)
    assert [[move.usi for move in branch.line] for branch in varied.branches] == [["G*2a"]]


@given(st.integers(0, 10**9))
def test_what_is_written_as_tpa_is_read(seed: int) -> None:
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
        TPA_TEXT,
        TPA_TEXT.replace(CSV, f"{CSV}_"),
        TPA_TEXT.replace(CSV, CSV.removesuffix("_0011") + "_"),
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
    assert old in TPA_TEXT
    text = TPA_TEXT.replace(old, new, 1)
    done = tsume("solve", text, status=1)
    assert done.stderr.startswith("argument 1: ")
    assert reason in done.stderr
