# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers of the library in notebooks: diagrams, tables, short texts."""

from __future__ import annotations

import re
from base64 import b64decode
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas
import pytest

from tests.tsume.conftest import Run
from tests.tsume.problems import COOKED, CORRECT, NO_MATE
from tsume import library
from tsume.dataset.tables import FEATURES

SOLVED = library.Solution(CORRECT, "mate", 3, ("3d2c", "1b1a", "2c2b"))


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """An answer of each function about one position."""
    return {
        "solve": library.solve(CORRECT),
        "check": library.check(CORRECT),
        "cooked": library.check(COOKED),
        "score": library.score(CORRECT),
        "explain": library.explain(CORRECT, languages=("en",)),
        "tree": library.tree(CORRECT),
        "mend": library.mend(COOKED, count=1, seconds=60),
        "enrich": library.enrich(COOKED),
        "generate": next(library.generate(3, 1, seed=1)),
        "no mate": library.solve(NO_MATE),
        "limit": library.solve(CORRECT, seconds=0),
        "no score": library.score(NO_MATE),
    }


def test_every_answer_has_a_diagram_and_text(answers: dict[str, Any]) -> None:
    for name, answer in answers.items():
        assert answer._repr_svg_() == library.draw(answer), name
        shown = answer._repr_html_()
        assert shown.count("<img ") == 1, name
        for words in ("<figcaption></figcaption>", "None"):
            assert words not in shown, name
        assert ElementTree.fromstring(f"<p>{shown}</p>").find(".//figcaption") is not None


def test_the_picture_in_html_is_the_svg() -> None:
    found = re.search(r"data:image/svg\+xml;base64,([^\"]+)", SOLVED._repr_html_())
    assert found is not None
    assert b64decode(found[1]).decode() == SOLVED._repr_svg_()


def test_texts_are_short(answers: dict[str, Any]) -> None:
    for name, answer in answers.items():
        assert len(repr(answer)) < 400, name
        assert "\n" not in repr(answer)
        assert answer.sfen in repr(answer)
    assert repr(SOLVED) == f"<Solution mate in 3: 3d2c 1b1a 2c2b | {CORRECT}>"
    assert repr(answers["cooked"]).startswith("<Judged mate in ")
    assert "unsound" in repr(answers["cooked"])
    assert repr(answers["no mate"]) == f"<Solution no mate | {NO_MATE}>"
    assert repr(answers["limit"]) == f"<Solution unresolved | {CORRECT}>"
    assert repr(answers["no score"]) == f"<Scored no mate | {NO_MATE}>"


def test_the_language_is_that_of_the_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TSUME_LANG", raising=False)
    assert "mate in 3<br/>▲" in SOLVED._repr_html_()
    monkeypatch.setenv("TSUME_LANG", "ja")
    assert "3手詰<br/>▲" in SOLVED._repr_html_()
    monkeypatch.setenv("TSUME_LANG", "en")
    assert "3手詰" not in SOLVED._repr_html_()
    assert "▲" not in SOLVED._repr_html_()
    assert SOLVED._repr_svg_() == library.draw(SOLVED, language="en")


def test_an_explanation_goes_with_the_picture(answers: dict[str, Any]) -> None:
    shown = answers["explain"]._repr_html_()
    assert "<summary>Explanation (en)</summary>" in shown
    assert answers["explain"].text["en"][-1].strip() in shown


def test_an_answer_draws_its_line(answers: dict[str, Any]) -> None:
    solved = answers["solve"]
    assert solved.draw(ply="end") == library.draw(CORRECT, line=solved.line, ply="end")
    assert solved.draw(animate=True) == library.draw(CORRECT, line=solved.line, animate=True)


def test_pictures_show_themselves() -> None:
    drawn = library.draw(CORRECT)
    assert drawn._repr_svg_() == drawn
    assert drawn._repr_html_().startswith('<img src="data:image/svg+xml;base64,')
    pytest.importorskip("typst")
    png = library.draw(CORRECT, form="png")
    assert png._repr_png_() == png


def test_a_gallery_shows_its_answers_side_by_side() -> None:
    shown = library.gallery(iter([SOLVED, SOLVED]))
    assert tuple(shown) == (SOLVED, SOLVED)
    assert shown._repr_html_().count("<figure") == 2


def test_rows_make_a_table(answers: dict[str, Any]) -> None:
    for name, answer in answers.items():
        (row,) = pandas.DataFrame([answer.as_row()]).to_dict("records")
        assert all(isinstance(value, str | int | float | bool | None) for value in row.values()), name
        assert row["sfen"] == answer.sfen
    assert answers["solve"].as_row()["line"] == " ".join(answers["solve"].line)


def test_columns_are_those_of_the_table_that_export_writes(
    answers: dict[str, Any], tsume: Run, tmp_path: Path
) -> None:
    store = tmp_path / "a.db"
    tsume("generate", "-m3", "-n1", "--seed=1", "--db", store)
    table = pandas.read_csv(StringIO(tsume("export", "--format=csv", "--db", store).stdout))
    row = answers["generate"].as_row()
    assert row.keys() <= set(table.columns)
    names = ["sfen", "length", "line", "score", "stars", "themes", "quality", "grade"]
    assert table[names].to_dict("records") == [{name: row[name] for name in names}]


def test_columns_of_features_are_those_of_the_parquet_files(answers: dict[str, Any]) -> None:
    names = {name for name in answers["score"].as_row() if name.startswith("feature_")}
    assert names == {f"feature_{name}" for name in FEATURES}


def test_the_same_kind_of_answer_has_the_same_columns() -> None:
    judged = [library.check(sfen).as_row().keys() for sfen in (CORRECT, COOKED, NO_MATE)]
    assert judged[0] == judged[1] == judged[2]
