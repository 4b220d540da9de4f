# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume cards"""

from __future__ import annotations

import io
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from db.store import Store
from tests.tsume.anki_collection import Imported
from tests.tsume.conftest import Run
from tsume.cards import FIELDS, AnkiPackage

pytest.importorskip("genanki", reason="genanki is not installed")


def notes(data: bytes, folder: Path) -> list[dict[str, str]]:
    """The fields of the notes of a package, with their tags, in their order."""
    file = folder / "notes.anki2"
    with ZipFile(io.BytesIO(data)) as files:
        file.write_bytes(files.read("collection.anki2"))
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("select flds, tags from notes order by id").fetchall()
    file.unlink()
    return [dict(zip(FIELDS, flds.split("\x1f"), strict=True)) | {"tags": tags} for flds, tags in rows]


@pytest.fixture
def anki(tmp_path: Path) -> Iterator[Imported]:
    (tmp_path / "anki").mkdir()
    imported = Imported(tmp_path / "anki")
    yield imported
    imported.collection.close()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out" / "deck.apkg"


@pytest.fixture(autouse=True)
def _folder(out: Path) -> None:
    out.parent.mkdir()


def test_the_problems_of_a_store_become_cards(tsume: Run, made: Path, out: Path, anki: Imported) -> None:
    done = tsume("cards", "--db", made, "-o", out)
    assert (done.exit_code, done.output) == (0, "")
    assert anki.take(out.read_bytes()) == (6, 0)
    assert anki.decks == {"詰将棋"}
    assert len(anki.media) == 12
    with Store.open(made, create=False) as store:
        assert [note["Position"] for note in anki.notes] == [problem.sfen for problem in store.find()]
    lengths = [tag for note in anki.notes for tag in note.tags if tag in ("tsume::1", "tsume::3")]
    assert sorted(lengths) == ["tsume::1"] * 3 + ["tsume::3"] * 3


def test_what_is_written_to_a_problem_comes_with_the_next_export(
    tsume: Run, store: Path, out: Path, anki: Imported, monkeypatch: pytest.MonkeyPatch
) -> None:
    tsume("cards", "--db", store, "-o", out)
    anki.take(out.read_bytes())
    tsume("edit", "2", "--title", "妙手", "--tag", "好形", "--db", store)
    now = anki.notes[0].mod
    monkeypatch.setattr("time.time", lambda: now + 5)
    tsume("cards", "--db", store, "-o", out)
    assert anki.take(out.read_bytes()) == (0, 6)
    assert [note["Name"] for note in anki.notes][:3] == ["No. 1", "妙手", "No. 3"]
    assert "好形" in anki.notes[1].tags


def test_problems_are_selected(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    assert tsume("cards", "--db", made, "-m", "3", "--limit", "2", "-o", out).exit_code == 0
    found = notes(out.read_bytes(), tmp_path)
    assert ["tsume::3 " in note["tags"] for note in found] == [True, True]


def test_variations_are_explained_unless_they_are_not_wanted(
    tsume: Run, made: Path, out: Path, tmp_path: Path
) -> None:
    found = []
    for options in ([], ["--no-variations"]):
        tsume("cards", "--db", made, *options, "-o", out)
        found.append(notes(out.read_bytes(), tmp_path))
    told, bare = found
    assert any("変化" in note["Variations"] for note in told)
    assert all(note["Variations"] == "" for note in bare)
    assert [note | {"Variations": ""} for note in told] == bare


def test_a_limit_is_told(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    done = tsume("cards", "--db", made, "--id", "4", "--time", "0", "-o", out)
    assert done.exit_code == 0
    assert done.stderr == "No. 4: a limit was reached: some variations are missing\n"
    (note,) = notes(out.read_bytes(), tmp_path)
    assert "制限に達したため" in note["Variations"]


def test_words_are_in_one_language_or_both(tsume: Run, made: Path, out: Path, tmp_path: Path) -> None:
    captions = []
    for language in ("ja", "en", "both"):
        tsume("cards", "--db", made, "--id", "4", "--lang", language, "--no-variations", "-o", out)
        captions += [note["Caption"] for note in notes(out.read_bytes(), tmp_path)]
    japanese, english, both = captions
    assert ("３手詰" in japanese, "Mate in 3" in english) == (True, True)
    assert both == f"{japanese} / {english}"


def decks(data: bytes, folder: Path) -> set[str]:
    file = folder / "decks.anki2"
    with ZipFile(io.BytesIO(data)) as files:
        file.write_bytes(files.read("collection.anki2"))
    with closing(sqlite3.connect(file)) as connection:
        ((text,),) = connection.execute("select decks from col")
    return {deck["name"] for deck in json.loads(text).values()} - {"Default"}


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ([], {"詰将棋"}),
        (["--lang", "en"], {"Tsume-shogi"}),
        (["--deck", "朝の::五題"], {"朝の::五題"}),
        (["--by-length"], {"詰将棋::01手詰", "詰将棋::03手詰"}),
        (["--by-length", "--deck", "A", "--lang", "en"], {"A::Mate in 01", "A::Mate in 03"}),
    ],
)
def test_decks_have_names(
    tsume: Run, made: Path, out: Path, tmp_path: Path, options: list[str], names: set[str]
) -> None:
    assert tsume("cards", "--db", made, "--no-variations", *options, "-o", out).exit_code == 0
    assert decks(out.read_bytes(), tmp_path) == names


@pytest.mark.parametrize("name", ["", "A::", "::B", "A:: B", "a\nb", "x" * 201])
def test_a_deck_has_a_name_that_anki_keeps(tsume: Run, made: Path, out: Path, name: str) -> None:
    done = tsume("cards", "--db", made, "--deck", name, "-o", out)
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1].startswith("Error: Invalid value for '--deck'")


def test_a_package_goes_to_stdout(tsume: Run, made: Path) -> None:
    done = tsume("cards", "--db", made, "--no-variations", "-o", "-")
    assert done.stdout_bytes.startswith(b"PK")


def test_pictures_have_the_style_that_is_asked_for(tsume: Run, made: Path, out: Path) -> None:
    arguments = ["--db", made, "--id", "4", "--no-variations", "-o", out]
    tsume("cards", *arguments, "--pieces", "letters", "--colors", "wood", "--lang", "both")
    with ZipFile(out) as files:
        picture = files.read("0").decode()
    assert 'lang="en"' in picture
    assert "letters-king-turned" in picture
    assert "#f0cf8e" in picture


# --- bad input --------------------------------------------------------------------------------------


def refused(done: Any, out: Path, error: str, status: int = 1) -> None:
    assert (done.exit_code, done.stdout) == (status, "")
    assert done.stderr.splitlines()[-1] == error
    assert not list(out.parent.iterdir())


def test_without_the_extra_one_line_says_what_to_install(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "genanki", None)
    done = tsume("cards", "--db", made, "-o", out)
    assert len(done.stderr.splitlines()) == 1
    refused(done, out, "Error: genanki is not installed: pip install 'tsume-shogi[anki]' (or genanki alone)")


def test_no_problems_are_an_error(tsume: Run, made: Path, out: Path) -> None:
    refused(tsume("cards", "--db", made, "-m", "99", "-o", out), out, f"Error: {made}: no problems")


def test_a_store_that_is_not_there_is_an_error(tsume: Run, out: Path, tmp_path: Path) -> None:
    done = tsume("cards", "--db", tmp_path / "none.db", "-o", out)
    assert len(done.stderr.splitlines()) == 1
    refused(done, out, done.stderr.strip())


def test_a_place_that_cannot_be_written_to_is_an_error_at_once(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AnkiPackage, "add", None)
    place = out.parent / "none" / "deck.apkg"
    refused(tsume("cards", "--db", made, "-o", place), out, f"Error: {place}: No such file or directory")
    refused(tsume("cards", "--db", made, "-o", ""), out, "Error: -o: No such file or directory")
    done = tsume("cards", "--db", made, "-o", out.parent)
    refused(done, out, "Error: a package goes into one file, not a folder", status=2)


def test_an_interrupted_export_leaves_the_file_as_it_was(
    tsume: Run, made: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    out.write_bytes(b"before")
    monkeypatch.setattr(AnkiPackage, "data", interrupted)
    assert tsume("cards", "--db", made, "--no-variations", "-o", out).exit_code != 0
    assert [path.name for path in out.parent.iterdir()] == ["deck.apkg"]
    assert out.read_bytes() == b"before"
