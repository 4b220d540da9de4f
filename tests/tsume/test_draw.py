# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume draw"""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.tsume.conftest import Run, refused
from tests.tsume.problems import CORRECT, CORRECT_LINE, CORRECT_WHITE, FAULTY, NO_MATE

PNG = b"\x89PNG\r\n\x1a\n"
TITLE = "{http://www.w3.org/2000/svg}title"
WITH_LINE = f"{CORRECT} moves {' '.join(CORRECT_LINE)}"


def title(text: str) -> str | None:
    return ElementTree.fromstring(text).findtext(TITLE)


def test_one_picture_goes_to_stdout_with_its_caption(tsume: Run) -> None:
    done = tsume("draw", WITH_LINE, status=0)
    assert title(done.stdout) == "３手詰"
    assert title(tsume("draw", CORRECT).stdout) == "詰将棋の図面"
    assert title(tsume("draw", CORRECT, "--solve", "--lang", "en").stdout) == "Mate in 3"
    assert title(tsume("draw", WITH_LINE, "--caption", "妙手").stdout) == "妙手"
    assert title(tsume("draw", WITH_LINE, "--caption", "").stdout) == "詰将棋の図面"
    text = tsume("draw", CORRECT, "--animate").stdout
    assert "@keyframes" in text
    assert title(text) == "３手詰"
    assert tsume("draw", CORRECT_WHITE).stdout == tsume("draw", CORRECT).stdout
    assert tsume("draw", "4k4/4R4/9/9/9/9/9/9/9 b - 1").exit_code == 0


def test_problems_of_stores_and_files_are_drawn(tsume: Run, made: Path, tmp_path: Path) -> None:
    tsume("draw", "--db", made, "-o", f"{tmp_path}/pictures/", status=0)
    found = sorted(tmp_path.glob("pictures/*"))
    assert [path.name for path in found] == [f"{number}.svg" for number in range(1, 7)]
    assert {title(path.read_text(encoding="utf-8")) for path in found} == {"１手詰", "３手詰"}
    file = tmp_path / "two.sfen"
    file.write_text(f"{WITH_LINE}\n{NO_MATE}\n", encoding="utf-8")
    for arguments in (["-f", file], [file]):
        folder = tmp_path / str(len(arguments))
        assert tsume("draw", *arguments, "-o", f"{folder}/").exit_code == 0
        assert sorted(path.name for path in folder.iterdir()) == ["1.svg", "2.svg"]


@pytest.mark.parametrize("arguments", [["a.png"], ["a", "--format", "png"], ["-", "--format", "png"]])
def test_png_is_written(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    pytest.importorskip("typst")
    monkeypatch.chdir(tmp_path)
    done = tsume("draw", WITH_LINE, "--scale", "1", "-o", *arguments, status=0)
    data = done.stdout_bytes if arguments[0] == "-" else (tmp_path / arguments[0]).read_bytes()
    assert data.startswith(PNG)
    assert int.from_bytes(data[16:20], "big") == 470


def test_several_pictures_need_a_folder_and_png_an_extra(
    tsume: Run, tmp_path: Path, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for output in ("-", tmp_path / "a.svg"):
        done = tsume("draw", WITH_LINE, NO_MATE, "-o", output, status=1)
        assert "Error: several pictures need a folder (-o FOLDER/)\n" in done.stderr
        assert done.stdout == ""
    assert tsume("draw", "--db", made, "--id", 99, "-o", tmp_path / "a.svg", status=1).stderr.endswith(
        ": no problems\n"
    )
    monkeypatch.setitem(sys.modules, "typst", None)
    line = refused(tsume, "draw", WITH_LINE, "-o", tmp_path / "a.png")
    assert line == "Error: typst is not installed: pip install 'tsume-shogi[print]' (or typst alone)"
    assert not list(tmp_path.iterdir())


def test_the_position_after_some_moves_is_drawn_if_the_line_has_it(tsume: Run) -> None:
    for given in (WITH_LINE, CORRECT):
        text = tsume("draw", given, "--ply", "1", "--lang", "en").stdout
        assert "Last move to 2c." in text
        assert tsume("draw", given, "--ply", "end").stdout == tsume("draw", given, "--ply", "3").stdout
    assert "最終手" not in tsume("draw", WITH_LINE, "--ply", "0").stdout
    done = tsume("draw", WITH_LINE, "--ply", "4")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "argument 1: no move 4: the line has 3\n"
    done = tsume("draw", NO_MATE, "--animate")
    assert (done.exit_code, done.stderr) == (1, "argument 1: no mate\n")
    done = tsume("draw", f"{CORRECT} moves 9i9h", "--ply", "1", status=1)
    assert done.stderr.startswith("argument 1: 9i9h")


def test_a_faulty_position_is_named_and_the_others_are_drawn(tsume: Run, tmp_path: Path) -> None:
    for number, (sfen, words) in enumerate(FAULTY.items()):
        if words == "in check":  # it can be drawn
            continue
        done = tsume("draw", sfen, WITH_LINE, "-o", f"{tmp_path}/{number}/", status=1)
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert [path.name for path in (tmp_path / str(number)).iterdir()] == ["2.svg"]


def test_ids_that_are_no_names_of_files_lose_no_picture(tsume: Run, tmp_path: Path) -> None:
    ids = ["../x", "Con", "con", "長" * 99, "a" * 500, "x"]
    rows = "".join(f"{one},{CORRECT}\n" for one in ids)
    (tmp_path / "ids.csv").write_text("id,sfen\n" + rows, encoding="utf-8")
    tsume("draw", "-f", tmp_path / "ids.csv", "-o", f"{tmp_path / 'o'}/", status=0)
    names = {path.name for path in (tmp_path / "o").iterdir()}
    assert names == {"problem-1.svg", "Con.svg", "con_.svg", "problem-4.svg", "problem-5.svg", "x.svg"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--ply", "x"], ["--arrow", "9x"], ["--mark", "0a"], ["--animate", "--ply", "1"],
        ["--animate", "--format", "png"], ["--scale", "nan"], ["-o", ""],
        ["--animate", "-o", "a.png"], ["--arrow", "5e5e"],
        ["--caption", "a\x01"], ["--caption", "\udcff"], ["--caption", "\uffff"],
    ],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(tsume: Run, arguments: list[str]) -> None:
    done = tsume("draw", WITH_LINE, *arguments)
    assert done.exit_code in (1, 2)
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith("Error: ")
