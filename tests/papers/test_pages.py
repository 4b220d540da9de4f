# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the papers: one form, one index, commands that are there."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from matplotlib.figure import Figure

from papers.__main__ import papers
from papers.common import ResultFile, StoredRow, draw_diagonals, print_beside_paper
from papers.kaneko2005 import KanekoRow
from papers.katoh1988 import KatohRow
from papers.sekine import SekineRow
from papers.shibahara2006 import EndgameRow, ShibaharaRow
from tests.places import ROOT
from tests.tsume.problems import COOKED, CORRECT
from tests.tsume.test_help import ALL

PAGES = ROOT / "docs" / "papers"
INDEX = (PAGES / "index.md").read_text(encoding="utf-8")
NAMES = sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "index")
FORM = ("What the paper says", "What was rebuilt", "Part by part", "How to repeat",
        "Results compared with the paper", "What differs and why")  # fmt: skip
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))


def parts(name: str) -> list[str]:
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    return [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]


@pytest.mark.parametrize("name", ["kaneko2005", "katoh1988", "sekine", "shibahara2006", "sugyan2018"])
def test_a_page_has_the_form(name: str) -> None:
    assert [part.replace("the text", "the paper") for part in parts(name)] == [
        part.replace("the text", "the paper") for part in FORM
    ]


def test_the_index_has_each_page_and_names_each_command() -> None:
    assert [name for name in NAMES if f"({name}.md)" not in INDEX] == []
    named = set(re.findall(r"scripts/papers (\w+)", INDEX))
    assert {name.split()[1] for name in ALL if name.startswith("papers ")} <= named


@pytest.mark.parametrize("name", NAMES)
def test_the_pictures_and_files_of_a_page_are_there(name: str) -> None:
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (PAGES / link).exists(), link
    for test in re.findall(r"`(test_\w+)`", text):
        assert f"def {test}(" in TESTS, test
    for path in re.findall(r"`((?:papers|solver|rules|tests|tsume)/[\w/]+\.(?:py|txt))`", text):
        assert (PAGES.parents[1] / path).exists(), path


# --- The look of the scatter plots -----------------------------------------------------------------


def test_all_panels_have_the_same_axes_a_diagonal_and_every_point() -> None:
    panels = list(Figure().subplots(1, 2))
    panels[0].scatter([3, 5], [200, 7])
    panels[1].scatter([40], [9000])
    draw_diagonals(panels)
    limits = {limit for axes in panels for limit in (axes.get_xlim(), axes.get_ylim())}
    assert len(limits) == 1
    ((low, high),) = limits
    assert 0.3 < low <= 3
    assert 9000 <= high < 90_000
    assert all(line.get_xydata().tolist() == [[low, low], [high, high]] for a in panels for line in a.lines)
    assert {axes.get_xscale() for axes in panels} == {"log"}


# --- What all experiments share: the options, the rows kept in a file, a run that was killed -------

ROW = SekineRow("a", 5, 9, 0, 1, ((0.4, 1, "figure 3", 3),))
OTHER = SekineRow("b", 7, 9, 0, 1)
KANEKO = KanekoRow("a", "df-pn", True, 0.1, 2, 3, 4)
EXPERIMENTS = ("kaneko", "sekine")


def lines(*rows: SekineRow | KanekoRow) -> str:
    return "".join(row.to_json() + "\n" for row in rows)


def kept_in(path: Path) -> ResultFile[SekineRow]:
    return ResultFile(path, SekineRow.from_json)


# --- rows --------------------------------------------------------------------------------------------
def test_rows_are_kept_and_known_again(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    kept = kept_in(path)
    assert kept.known == []
    assert list(kept.kept([ROW, OTHER])) == [ROW, OTHER]
    again = kept_in(path)
    assert again.known == [ROW, OTHER]
    assert list(again.kept(again.known)) == [ROW, OTHER]
    assert path.read_text() == lines(ROW, OTHER)
    # two runs may add to one file
    one, other = kept_in(tmp_path / "both"), kept_in(tmp_path / "both")
    one.add(ROW)
    other.add(OTHER)
    one.add(ROW)
    assert (tmp_path / "both").read_text() == lines(ROW, OTHER, ROW)


def test_without_a_path_nothing_is_kept(tmp_path: Path) -> None:
    kept = ResultFile(None, SekineRow.from_json)
    assert list(kept.kept([ROW])) == [ROW]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("cut", [1, 2, 20, 50])
def test_half_a_row_at_the_end_is_dropped_with_a_note(
    cut: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rows"
    torn = lines(ROW, OTHER)[: -cut - 1]
    path.write_text(torn)
    kept = kept_in(path)
    assert kept.known == [ROW]
    assert "line 2: incomplete row, dropped" in capsys.readouterr().err
    assert path.read_text() == torn  # nothing is lost before there is something to keep
    kept.add(OTHER)
    kept.add(OTHER)
    assert path.read_text() == lines(ROW, OTHER, OTHER)


def test_a_row_without_its_line_end_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows"
    path.write_text(lines(ROW)[:-1])
    kept = kept_in(path)
    assert kept.known == [ROW]
    kept.add(OTHER)
    assert path.read_text() == lines(ROW, OTHER)
    assert capsys.readouterr().err == ""


def test_who_interrupts_is_told_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path, note in ((tmp_path / "rows", "run the same command to continue"), (None, "")):
        with pytest.raises(KeyboardInterrupt), ResultFile(path, SekineRow.from_json).going_on():
            raise KeyboardInterrupt
        assert note in capsys.readouterr().err


@pytest.mark.parametrize(("content", "line"), [
    (b"something else\n", 1),
    (b"something else", 1),
    (b'{"name": "a file of something else"}', 1),
    (lines(ROW).encode() + b"\n" + lines(OTHER).encode(), 2),
    (lines(ROW).encode() + b'{"sfen": "b", "len' + lines(OTHER).encode(), 2),
    (lines(ROW).encode() + b"\xff\xfe\n", 2),
    (lines(ROW).encode() + b"\0\0\0\n", 2),
    (lines(KANEKO).encode(), 1),
])  # fmt: skip
def test_what_is_no_row_is_told_in_one_line_and_left_alone(content: bytes, line: int, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_bytes(content)
    with pytest.raises(click.ClickException) as told:
        kept_in(path)
    assert re.match(rf"{re.escape(str(path))}, line {line}: (no row|not UTF-8)", told.value.message)
    assert "\n" not in told.value.message
    assert path.read_bytes() == content


@pytest.mark.parametrize("kind", [EndgameRow, KanekoRow, KatohRow, SekineRow, ShibaharaRow])
def test_a_line_that_is_no_row_is_refused(kind: type[StoredRow]) -> None:
    names = [one.name for one in fields(kind)]
    work = '{"sfen": "", "length": 3, "checks": 2, "better": 1, "equal": 0, "times": [{"a": 1}]}'
    texts = ["", "{}", "[]", "3", "null", "[" * 100_000, '{"number": 1}', '{"sfen": 1}', '{"times": 3}', work]
    texts += [json.dumps(dict.fromkeys(some, 0)) for some in ([*names, "more"], names[1:])]
    for text in texts:
        with pytest.raises(ValueError, match="no row"):
            kind.from_json(text)


# --- the commands ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "option", "value"), [
    *((name, "--rows", path) for name in EXPERIMENTS for path in ("none/rows", "x" * 300, "kaneko-or-sekine")),
    ("sekine", "-f", "none"), ("sekine", "-f", "."),
])  # fmt: skip
def test_what_cannot_be_read_or_written_is_told_before_any_work(
    name: str, option: str, value: str, tmp_path: Path
) -> None:
    (tmp_path / "kaneko-or-sekine").write_text(lines(ROW if name == "kaneko" else KANEKO))
    done = CliRunner().invoke(papers, [name, option, str(tmp_path / value)])
    assert (done.exit_code, done.stdout) == (1, "")
    faults = [line for line in done.stderr.splitlines() if value in line or "no p" not in line]
    assert len(faults) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_killed_run_goes_on_where_it_was(name: str, tmp_path: Path) -> None:
    """Whenever it is killed: the rows that were kept are not measured again, and the table is there."""
    problems, rows = tmp_path / "problems", tmp_path / "rows"
    problems.write_text(f"{CORRECT}\n{COOKED}\n")
    few = ["-f", str(problems)] if name == "sekine" else ["--mates", "2", "--no-mates", "1", "--table", "5"]
    arguments = [name, *few, "--rows", str(rows)]
    command = [sys.executable, "-m", "papers", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        ends = time.monotonic() + 300
        while not (rows.exists() and rows.read_bytes().count(b"\n") > 0) and process.poll() is None:
            assert time.monotonic() < ends
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    finally:
        process.wait()
    total = 30 if name == "kaneko" else 2
    whole = [line for line in rows.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    before = b"".join(whole[: total - 1])  # it may have come to its end before it was killed
    rows.write_bytes(before + b'{"sfen": "half a')
    done = CliRunner().invoke(papers, arguments)
    assert done.exit_code == 0
    assert "incomplete row, dropped" in done.stderr
    assert rows.read_bytes().startswith(before)
    assert rows.read_bytes().count(b"\n") == total
    again = CliRunner().invoke(papers, arguments)
    assert (again.exit_code, again.stdout, again.stderr) == (0, done.stdout, "")


@pytest.mark.skipif(os.geteuid() == 0, reason="all may be read by root")
def test_a_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text(lines(ROW))
    path.chmod(0)
    with pytest.raises(click.ClickException, match="Permission denied"):
        kept_in(path)


def test_a_table_has_a_column_for_here_and_for_the_paper(capsys: pytest.CaptureFixture[str]) -> None:
    print_beside_paper([("leaves", "411395", "411,395"), ("cells", "7", "")], "c = 40,000")
    assert capsys.readouterr().out.splitlines() == [
        "c = 40,000    here    paper",
        "leaves      411395  411,395",
        "cells            7",
    ]
