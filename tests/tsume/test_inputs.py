"""Positions from arguments, files and stdin: read alike by solve, check and score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tsume.conftest import Run
from tests.tsume.problems import CORRECT, FAULTY, NO_MATE
from tsume.formats.manuscripts import ENDINGS

COMMANDS = ("solve", "check", "score")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("sfen", FAULTY)
def test_an_error_names_its_place_and_the_other_positions_are_answered(
    command: str, sfen: str, tsume: Run
) -> None:
    done = tsume(command, "--jsonl", CORRECT, sfen, CORRECT)
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("argument 2: ")
    assert FAULTY[sfen] in line
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert second["error"] == line.partition(": ")[2]
    assert first["length"] == third["length"] == 3
    assert second["length"] is None


@pytest.mark.parametrize("command", COMMANDS)
def test_a_faulty_position_alone_is_an_error_in_words_too(command: str, tsume: Run) -> None:
    done = tsume(command, "nonsense")
    assert done.exit_code == 1
    assert done.stderr.startswith("argument 1: ")


def test_lines_may_have_moves_comments_and_any_line_ends(tsume: Run, tmp_path: Path) -> None:
    file = tmp_path / "in.sfen"
    text = f"\ufeff# a comment\r\n\r\n{CORRECT} moves 3d2c 1b1a\r\n  {CORRECT} # why\r\nsfen {CORRECT}"
    file.write_bytes(text.encode())
    done = tsume("solve", "--jsonl", "-f", file)
    assert done.exit_code == 0
    assert [json.loads(line)["length"] for line in done.stdout.splitlines()] == [3, 3, 3]


def test_the_files_of_a_folder_come_by_number(tsume: Run, tmp_path: Path) -> None:
    names = ["1.sfen", "2.sfen", "10.sfen", "b2/1.sfen", "b10/1.sfen"]
    for name in reversed(names):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("nonsense\n")
    (tmp_path / "README.md").write_text("nonsense\n")
    for given in ([tmp_path], ["-f", tmp_path]):
        done = tsume("solve", *given)
        places = [line.partition(",")[0] for line in done.stderr.splitlines()]
        assert places == [f"{tmp_path / name}" for name in names]


@pytest.mark.parametrize(
    "junk",
    [
        b"\x00\x01\xff\xfe\x80",
        b"k" * 300_000,
        CORRECT.encode("utf-16"),
        "攻方の持駒：なし".encode("shift_jis"),
    ],
    ids=["binary", "endless line", "UTF-16", "Shift JIS"],
)
def test_junk_is_one_faulty_line_and_later_lines_keep_their_numbers(
    junk: bytes, tsume: Run, tmp_path: Path
) -> None:
    file = tmp_path / "junk"
    file.write_bytes(junk.replace(b"\n", b" ") + b"\n" + CORRECT.encode() + b"\nx\n")
    done = tsume("solve", "-f", file)
    assert done.exit_code == 1
    assert "mate in 3: 3d2c 1b1a 2c2b" in done.stdout
    places = [line.partition(": ")[0] for line in done.stderr.splitlines()]
    assert places == [f"{file}, line 1", f"{file}, line 3"]
    assert len(done.stderr) < 1000


def test_nothing_on_stdin_is_nothing_to_do(tsume: Run) -> None:
    done = tsume("solve", "-f", "-", stdin="")
    assert (done.exit_code, done.output) == (0, "")


def test_no_position_at_all_is_wrong_usage(tsume: Run) -> None:
    for command in COMMANDS:
        assert tsume(command).exit_code == 2


def test_an_unreadable_file_is_reported_and_the_next_is_read(tsume: Run, tmp_path: Path) -> None:
    (tmp_path / "good").write_text(NO_MATE)
    done = tsume("solve", "-f", tmp_path, "-f", tmp_path / "absent", "-f", tmp_path / "good")
    assert done.exit_code == 1
    assert done.stdout == "no mate\n"
    assert done.stderr.splitlines() == [
        f"{tmp_path}: a folder without files of problems ({', '.join(ENDINGS)})",
        f"{tmp_path / 'absent'}: No such file or directory",
    ]


@pytest.mark.parametrize("value", ["nan", "-1", "x", ""])
@pytest.mark.parametrize("command", ["solve", "check"])
def test_a_time_that_is_not_a_number_is_wrong_usage(command: str, value: str, tsume: Run) -> None:
    assert tsume(command, CORRECT, "--time", value).exit_code == 2


@pytest.mark.parametrize("option", ["--time=inf", "--nodes=9" + "9" * 30, "--max-moves=9" + "9" * 30])
def test_limits_may_be_huge(option: str, tsume: Run) -> None:
    assert tsume("solve", CORRECT, option).exit_code == 0
