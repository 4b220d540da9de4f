# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume export --format lichess: the columns of lichess's puzzle database."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")

from db.store import Store
from db.training.records import Outcome
from generator.theme_names import NAMES
from tests.tsume.conftest import Run
from tsume.files.exported import lichess_themes
from tsume.training.ratings import initial_rating
from tsume.training.trainer import Trainer

_HEADING = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags"
"""As on database.lichess.org."""


def test_the_columns_are_lichess_s(tsume: Run, made: Path) -> None:
    text = tsume("export", "--format", "lichess", "--db", made).stdout
    assert text.splitlines()[0] == _HEADING
    listed = tsume("export", "--format", "jsonl", "--db", made).stdout.splitlines()
    for row, line in zip(csv.DictReader(io.StringIO(text)), listed, strict=True):
        fields = json.loads(line)
        assert (row["PuzzleId"], row["FEN"]) == (str(fields["id"]), fields["sfen"])
        assert row["Moves"].split() == fields["line"]
        assert row["Rating"].isdecimal()
        assert (row["RatingDeviation"], row["Popularity"], row["NbPlays"]) == ("500", "0", "0")
        assert (row["GameUrl"], row["OpeningTags"]) == ("", "")
        assert row["Themes"].split() == lichess_themes(fields["length"], fields["themes"])


def test_problems_are_selected_and_written_to_a_file(tsume: Run, made: Path, tmp_path: Path) -> None:
    out = tmp_path / "puzzles.csv"
    assert tsume("export", "--format", "lichess", "-m", 3, "--db", made, "-o", out).exit_code == 0
    assert [row["PuzzleId"] for row in csv.DictReader(out.read_text().splitlines())] == ["4", "5", "6"]


@pytest.mark.parametrize(
    ("length", "words"),
    [(1, "mate mateIn1 oneMove"), (3, "mate mateIn2 short"), (5, "mate mateIn3 long"),
     (9, "mate mateIn5 veryLong"), (11, "mate veryLong")],
)  # fmt: skip
def test_lengths_are_told_in_the_solver_s_moves(length: int, words: str) -> None:
    assert " ".join(lichess_themes(length, [])) == words


def test_themes_are_in_camel_case_and_stay_apart() -> None:
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


def test_a_problem_that_was_not_played_has_a_rating_by_its_score(tsume: Run, made: Path) -> None:
    listed = map(json.loads, tsume("export", "--format", "jsonl", "--db", made).stdout.splitlines())
    scores = {str(fields["id"]): fields["score"] for fields in listed}
    text = tsume("export", "--format", "lichess", "--db", made).stdout
    for row in csv.DictReader(io.StringIO(text)):
        assert row["Rating"] == str(round(initial_rating(scores[row["PuzzleId"]]).rating))
