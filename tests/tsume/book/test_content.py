# SPDX-License-Identifier: GPL-3.0-or-later
"""What booklets say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from db.notebook import Notebook
from db.store import Store
from db.stored_problem import StoredProblem
from solver.explaining.explanation import ReplyTree
from tsume.book.content import BookletOptions, Content, booklet_content
from tsume.formats import english, japanese
from tsume.language.catalogue import LANGUAGES, Language
from tsume.uses.trees import ReplyTreeBuilder, TreeOptions

Explained = list[tuple[StoredProblem, ReplyTree | None]]


@pytest.fixture(scope="module")
def explained(made: Path) -> Explained:
    with Store.open(made, create=False) as store:
        problems = list(store.find())
    builder = ReplyTreeBuilder(TreeOptions(60, 72))
    trees = [builder.build(problem.position) for problem in problems]
    return list(zip(problems, trees, strict=True))


def content_of(
    problems: Iterable[tuple[StoredProblem, ReplyTree | None]],
    options: BookletOptions,
    made_by: str,
    pictures: dict[str, str] | None = None,
) -> Content:
    """The content of problems in any order."""
    by_length = sorted(problems, key=lambda one: one[0].length)
    save = ({} if pictures is None else pictures).__setitem__
    return booklet_content(iter(by_length), options, made_by, len(by_length), save)


def entries(made: Content) -> Iterator[dict[str, Any]]:
    return (entry for section in made.data["sections"] for entry in section["problems"])


def test_problems_stand_in_sections_by_length_and_are_numbered_through(explained: Explained) -> None:
    made = content_of(reversed(explained), BookletOptions(), "tsume")
    assert [section["title"] for section in made.data["sections"]] == ["１手詰", "３手詰"]
    assert [entry["number"] for entry in entries(made)] == [1, 2, 3, 4, 5, 6]
    assert next(entry["heads"] for entry in entries(made)) == ["第１番　１手詰"]
    data = content_of(explained, BookletOptions(), "").data
    assert json.loads(json.dumps(data)) == data
    assert content_of(explained, BookletOptions(per_page=6, answers="reverse"), "").data["crowded"]
    assert not content_of(explained, BookletOptions(per_page=6), "").data["crowded"]
    made = content_of(explained, BookletOptions(languages=("en", "ja")), "")
    assert all([a["lang"] for a in entry["answers"]] == ["en", "ja"] for entry in entries(made))
    assert made.data["lang"] == "en"
    assert made.data["contents_title"] == "Contents 目次"
    with pytest.raises(ValueError, match="needs problems"):
        content_of([], BookletOptions(), "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_has_the_whole_line(explained: Explained, language: Language) -> None:
    texts = {"ja": japanese.line_texts, "en": english.line_texts}[language]
    for entry, (problem, _) in zip(
        entries(content_of(explained, BookletOptions(languages=(language,)), "")), explained, strict=True
    ):
        (answer,) = entry["answers"]
        assert answer["line"].startswith(" ".join(texts(problem.position, problem.line)))


def test_variations_and_tries_are_those_of_the_tree(explained: Explained) -> None:
    three = [one for one in explained if one[0].length == 3]
    made = content_of(three, BookletOptions(languages=("en",)), "")
    labels = {part["label"] for entry in entries(made) for part in entry["answers"][0]["parts"]}
    assert {"Tries", "Difficulty"} <= labels
    for entry, (_, tree) in zip(entries(made), three, strict=True):
        assert tree is not None
        parts = {part["label"]: part["items"] for part in entry["answers"][0]["parts"]}
        assert all("fails to" in text for text in parts.get("Tries", []))
        assert all("is met by" in text for text in parts.get("Variations", []))
    made = content_of([(problem, None) for problem, _ in explained], BookletOptions(languages=("en",)), "")
    labels = {part["label"] for entry in entries(made) for part in entry["answers"][0]["parts"]}
    assert not labels & {"Tries", "Variations"}
    (first, _), *_, (other, tree) = explained
    assert first.line[0] != other.line[0]
    (entry,) = entries(content_of([(first, tree)], BookletOptions(languages=("en",)), ""))
    assert not {part["label"] for part in entry["answers"][0]["parts"]} & {"Tries", "Variations"}


def test_each_problem_has_two_pictures_that_are_described(explained: Explained) -> None:
    pictures: dict[str, str] = {}
    made = content_of(explained, BookletOptions(), "", pictures)
    assert len(pictures) == 2 * len(explained)
    for entry in entries(made):
        assert entry["alt"].startswith(f"第{'０１２３４５６'[entry['number']]}番")
        for name in (entry["picture"], entry["final"]):
            ElementTree.fromstring(pictures[name])
        assert "詰上り図" in entry["final_alt"]
        assert "最終手" in entry["final_alt"]


def test_the_index_of_themes_comments_and_sources(explained: Explained) -> None:
    tagged = [(replace(problem, themes=("sacrifice",)), tree) for problem, tree in explained[:2]]
    made = content_of([*tagged, *((replace(p, themes=()), t) for p, t in explained[2:])], BookletOptions(), "")
    assert made.data["themes"] == [{"name": "捨駒", "numbers": [1, 2]}]
    problem, tree = explained[0]
    told = replace(problem, notebook=Notebook("題", "作者", "本", "一行\n二行"))
    (entry,) = entries(content_of([(told, tree)], BookletOptions(), ""))
    parts = {part["label"]: part["items"] for part in entry["answers"][0]["parts"]}
    assert (entry["title"], entry["author"]) == ("題", "作者")
    assert (parts["解説"], parts["出典"]) == (["一行", "二行"], ["本"])
