# SPDX-License-Identifier: GPL-3.0-or-later
"""Results and ratings in tables: `tsume results export`, `list`, and puzzles as those of Lichess"""

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")

from db.store import Store
from db.training.records import Outcome
from generator.theme_names import NAMES
from tests.places import ROOT
from tests.tsume.conftest import Run, json_lines, present
from tsume.files.exported import lichess_themes
from tsume.training.persons import Persons
from tsume.training.ratings import initial_rating
from tsume.training.trainer import Trainer

START = datetime(2026, 1, 31, 23, 59, 58, 123456, tzinfo=UTC)


@pytest.fixture
def played(store: Path) -> Path:
    """Two results of the unnamed person, one of a person with a name like a formula."""
    moments = (START + timedelta(seconds=n) for n in range(99))
    with Store.open(store) as opened:
        trainer = Trainer(opened, lambda: next(moments))
        unnamed = opened.training.persons.unnamed()
        trainer.record(unnamed, Outcome(4, "training", True, 3, 0, 0, 12))
        trainer.record(unnamed, Outcome(4, "review", False, 1, 2, 1, 40))
        person, _ = Persons(opened.training.persons).sign_up('=a,"b"', "correct horse")
        trainer.record(person, Outcome(5, "free", True, 3, 0, 1, 12))
    return store


def exported(tsume: Run, place: Path, *options: str) -> list[dict[str, Any]]:
    return json_lines(tsume("results", "export", "--format", "jsonl", "--db", place, *options, status=0))


def test_the_csv_begins_as_that_of_a_browser_and_jsonl_has_the_same_fields(tsume: Run, played: Path) -> None:
    script = (ROOT / "tsume/web/static/results.js").read_text(encoding="utf-8")
    fields = present(re.search(r"FIELDS = [^\[]*(\[.*\])", script))
    text = tsume("results", "export", "--db", played).stdout
    heading = text.splitlines()[0].split(",")
    of_both = 7  # a browser goes on with the end and the mode
    assert heading == [*json.loads(fields[1])[:of_both], "person", "mode", "success", "rated", "rating"]
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[0]["solved"] == "2026-01-31T23:59:58.123Z"
    assert [row["success"] for row in rows] == ["true", "false", "true"]
    assert [row["person"] for row in rows] == ["", "", '\'=a,"b"']
    first, second, third = exported(tsume, played)
    with Store.open(played) as store:
        stored = present(store.get(4))
    assert (first["problem"], first["sfen"], first["mode"]) == (4, stored.sfen, "training")
    assert (first["success"], first["rated"], second["rated"]) == (True, True, False)
    assert first["rating"] == second["rating"] > 1500 > third["rating"]
    assert [second[name] for name in ("moves", "seconds", "mistakes", "hints")] == [1, 40, 2, 1]
    header = tsume("results", "export", "--db", played).stdout.splitlines()[0]
    assert list(first) == header.split(",")


def test_the_results_of_one_person(tsume: Run, played: Path) -> None:
    assert [one["problem"] for one in exported(tsume, played, "--person", "")] == [4, 4]
    assert [one["problem"] for one in exported(tsume, played, "--person", '=A,"b"')] == [5]
    done = tsume("results", "export", "--db", played, "--person", "x\n", status=1)
    assert done.stderr.strip().count("\n") == 0
    assert "no person" in done.stderr


def test_a_store_without_results(tsume: Run, made: Path, tmp_path: Path) -> None:
    assert exported(tsume, made) == exported(tsume, made, "--person", "") == []
    out = tmp_path / "results.csv"
    assert tsume("results", "export", "--db", made, "-o", out).exit_code == 0
    assert len(out.read_text().splitlines()) == 1
    assert tsume("results", "export", "--db", made, "-o", tmp_path).exit_code == 2
    assert tsume("results", "export", "--db", tmp_path / "none.db").exit_code == 1


def test_list_has_ratings_of_what_was_played(tsume: Run, played: Path, made: Path, tmp_path: Path) -> None:
    heading, *lines = tsume("list", "--db", played).stdout.splitlines()
    assert heading.split()[:3] == ["id", "moves", "rating"]
    ratings = {line.split()[0]: line.split()[2] for line in lines}
    with Store.open(played) as store:
        stored = store.training.results.problem_ratings(range(1, 7))
    for number, one in stored.items():
        assert ratings[str(number)] == str(round(one.rating.rating))
    assert sorted(stored) == [4, 5]
    assert "plays" in heading
    assert "plays" not in tsume("list", "--db", made).stdout
    text = tsume("list", "--jsonl", "--db", played).stdout
    rows = {row["id"]: row for row in map(json.loads, text.splitlines())}
    assert {number for number, row in rows.items() if "plays" in row} == {4, 5}
    assert rows[4]["rating"] == round(stored[4].rating.rating)
    assert (rows[4]["plays"], rows[4]["rating_deviation"] < 80) == (1, True)
    file = tmp_path / "lines.jsonl"
    file.write_text(text, encoding="utf-8")
    tsume("import", "--trusted", file, "--db", tmp_path / "other.db", status=0)


_HEADING = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags"
"""As on database.lichess.org."""


def test_the_columns_are_lichess_s(tsume: Run, made: Path, tmp_path: Path) -> None:
    text = tsume("export", "--format", "lichess", "--db", made).stdout
    assert text.splitlines()[0] == _HEADING
    listed = tsume("export", "--format", "jsonl", "--db", made).stdout.splitlines()
    for row, line in zip(csv.DictReader(io.StringIO(text)), listed, strict=True):
        fields = json.loads(line)
        assert (row["PuzzleId"], row["FEN"]) == (str(fields["id"]), fields["sfen"])
        assert row["Moves"].split() == fields["line"]
        assert row["Rating"] == str(round(initial_rating(fields["score"]).rating))
        assert (row["RatingDeviation"], row["Popularity"], row["NbPlays"]) == ("500", "0", "0")
        assert (row["GameUrl"], row["OpeningTags"]) == ("", "")
        assert row["Themes"].split() == lichess_themes(fields["length"], fields["themes"])
    out = tmp_path / "puzzles.csv"
    assert tsume("export", "--format", "lichess", "-m", 3, "--db", made, "-o", out).exit_code == 0
    assert [row["PuzzleId"] for row in csv.DictReader(out.read_text().splitlines())] == ["4", "5", "6"]


def test_lengths_are_in_the_solver_s_moves_and_themes_in_camel_case() -> None:
    for length, words in (
        (1, "mate mateIn1 oneMove"), (3, "mate mateIn2 short"), (5, "mate mateIn3 long"),
        (9, "mate mateIn5 veryLong"), (11, "mate veryLong"),
    ):  # fmt: skip
        assert " ".join(lichess_themes(length, [])) == words
    assert lichess_themes(11, ["big-piece-sacrifice", "chuai"])[2:] == ["bigPieceSacrifice", "chuai"]
    written = lichess_themes(11, NAMES)
    assert len(set(written)) == len(written)
    assert all(word.isalnum() and word[0].islower() for word in written)


def test_a_problem_that_was_played_has_its_own_rating(tsume: Run, store: Path) -> None:
    with Store.open(store) as opened:
        trainer = Trainer(opened)
        for solved in (False, True):  # the second one is not rated
            played = trainer.record(opened.training.persons.unnamed(), Outcome(2, "free", solved, 1, 0, 0, 9))
    text = tsume("export", "--format", "lichess", "--db", store).stdout
    rows = {row["PuzzleId"]: row for row in csv.DictReader(io.StringIO(text))}
    assert rows["2"]["Rating"] == str(round(played.problem_rating.rating))
    assert rows["2"]["RatingDeviation"] == str(round(played.problem_rating.deviation)) != "500"
    assert rows["2"]["NbPlays"] == "1"
    assert {row["NbPlays"] for number, row in rows.items() if number != "2"} == {"0"}
