# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume book"""

from __future__ import annotations

import re
import sys
from io import BytesIO
from pathlib import Path

import pytest

from db.store import Store
from tests.tsume.conftest import Run

pytest.importorskip("typst")
pikepdf = pytest.importorskip("pikepdf")


def booklet(tsume: Run, store: Path, folder: Path, *options: object) -> bytes:
    path = folder / "book.pdf"
    done = tsume("book", "--db", store, "-o", path, *options)
    assert (done.exit_code, done.stdout) == (0, "")
    return path.read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        ["-j", 1],
        ["-j", 1, "--per-page", 1, "--lang", "en", "--pieces", "letters"],
        ["-j", 1, "--per-page", 4, "--answers", "reverse", "--lang", "both"],
        ["--per-page", 6, "--paper", "a4", "--no-explanations", "--defender-hand"],
        ["--answers", "reverse", "--book-title", '#"\\*', "--book-author", "$x$", "--colors", "wood"],
    ],
)
def test_a_booklet_is_a_tagged_pdf_with_its_fonts(
    tsume: Run, made: Path, tmp_path: Path, options: list[object]
) -> None:
    pdf = booklet(tsume, made, tmp_path, *options)
    assert pdf.startswith(b"%PDF-")
    with pikepdf.open(BytesIO(pdf)) as document:
        assert document.Root.MarkInfo.Marked
        assert "/StructTreeRoot" in document.Root
        assert document.open_metadata()["pdfuaid:part"] == "1"
        fonts = [
            one for one in document.objects if isinstance(one, pikepdf.Dictionary) and "/FontName" in one
        ]
        assert fonts
        assert all("/FontFile2" in font or "/FontFile3" in font for font in fonts)


def test_a_booklet_says_the_same_for_any_number_of_jobs(
    tsume: Run, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    one, two = (booklet(tsume, made, tmp_path, "-j", jobs, "--id", "3-5") for jobs in (1, 2))
    assert one == two


def test_a_problem_that_takes_long_is_named(
    tsume: Run, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tsume.commands.pictures._SLOW_SECONDS", 0)
    done = tsume("book", "--db", made, "-o", tmp_path / "a.pdf", "-j", 1, "--id", "1-2")
    assert done.exit_code == 0
    assert re.findall(r"^problem (\d+): its explanation took \d+ s$", done.stderr, re.MULTILINE) == ["1", "2"]


def test_only_the_selected_problems_are_printed(tsume: Run, made: Path, tmp_path: Path) -> None:
    whole, one = (len(booklet(tsume, made, tmp_path, "-j", 1, *options)) for options in ([], ["--id", 1]))
    assert one < whole


def test_without_problems_there_is_no_booklet(tsume: Run, made: Path, tmp_path: Path) -> None:
    done = tsume("book", "--db", made, "-o", tmp_path / "a.pdf", "--moves", 31)
    assert (done.exit_code, done.stderr) == (1, "Error: a booklet needs problems\n")
    assert not list(tmp_path.iterdir())


def test_without_the_extra_one_line_says_what_to_install(
    tsume: Run, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    done = tsume("book", "--db", made, "-o", tmp_path / "a.pdf")
    assert (done.exit_code, done.stderr) == (
        1,
        "Error: typst is not installed: pip install 'tsume-shogi[print]' (or typst alone)\n",
    )


def test_a_place_that_cannot_be_written_is_named(tsume: Run, made: Path, tmp_path: Path) -> None:
    done = tsume("book", "--db", made, "-o", tmp_path / "none" / "a.pdf", "--no-explanations", "--limit", 1)
    assert done.exit_code == 1
    assert "No such file" in done.stderr


@pytest.mark.parametrize("output", ["none/a.pdf", "."])
def test_a_place_is_tried_before_problems_are_read(tsume: Run, tmp_path: Path, output: str) -> None:
    done = tsume("book", "--db", tmp_path / "none.db", "-o", tmp_path / output)
    assert done.exit_code
    assert "none.db" not in done.stderr


def test_a_booklet_goes_to_stdout(tsume: Run, made: Path) -> None:
    done = tsume("book", "--db", made, "-o", "-", "--id", 1, "--no-explanations")
    assert done.exit_code == 0
    assert done.stdout_bytes.startswith(b"%PDF-")


@pytest.mark.parametrize("text", ["a\nb", "x" * 201])
def test_a_title_that_cannot_be_printed_is_refused(tsume: Run, made: Path, tmp_path: Path, text: str) -> None:
    assert tsume("book", "--db", made, "-o", tmp_path / "a.pdf", "--book-title", text).exit_code == 2


def test_a_character_without_a_letter_is_named(tsume: Run, store: Path, tmp_path: Path) -> None:
    tsume(
        "edit",
        1,
        "--db",
        store,
        "--title",
        "桜😀か\u0301",
        "--author",
        "Łukasz é",
        "--notes",
        "한 م\n" + "W" * 99,
    )
    path = tmp_path / "a.pdf"
    done = tsume("book", "--db", store, "-o", path, "--id", 1, "--no-explanations")
    assert done.exit_code == 0
    assert done.stderr == f"{path}: the font lacks these characters, each shown as 〓: م 한 😀\n"


def test_a_store_that_is_not_there_is_named(tsume: Run, tmp_path: Path) -> None:
    done = tsume("book", "--db", tmp_path / "none.db", "-o", tmp_path / "a.pdf")
    assert done.exit_code == 1
    assert "none.db" in done.stderr
    assert not list(tmp_path.iterdir())


def test_words_of_a_notebook_are_printed_as_they_are(tsume: Run, store: Path, tmp_path: Path) -> None:
    tsume("edit", 1, "--db", store, "--title", "#panic() *x* `y` $z$ <w> @v", "--notes", '#import "a"')
    with Store.open(store, create=False) as opened:
        found = opened.get(1)
    assert found is not None
    assert found.notebook.title.startswith("#panic()")
    booklet(tsume, store, tmp_path, "--id", 1)
