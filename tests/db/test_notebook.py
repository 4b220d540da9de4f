# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person writes to stored problems: kept as it is, all or none, versions without circles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, text, update

from db.errors import StoreError
from db.models import ProblemRow
from db.notebook import (
    LONGEST_TAG,
    MOST_TAGS,
    TEXTS,
    Notebook,
    NotebookEdit,
    cleaned_notebook_text,
    fault_of_tag,
    fault_of_text,
    notebook_of_fields,
    printable_note,
)
from db.notebook_rows import Versions
from db.selection import ProblemSelection
from db.store import Store
from generator.constraints.problem import Key, ProblemConstraints
from solver.results import Defect, Grade
from tests.db.samples import problem
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

WRITTEN = Notebook("曙光　その一", "無名", "誌 1", "一行\n二行", ("a", "好作"))


@pytest.fixture
def filled(store: Store) -> Store:
    """A store with the problems 1 to 6."""
    for index in range(6):
        store.add(problem(index))
    return store


@pytest.fixture(scope="module")
def six() -> Iterator[Store]:
    """The same, for a test of many examples, each of which writes all that it reads."""
    with Store.open(":memory:") as store:
        for index in range(6):
            store.add(problem(index))
        yield store


def notebook(store: Store, number: int) -> Notebook:
    found = store.get(number)
    assert found is not None
    return found.notebook


def test_a_problem_is_stored_with_its_notebook(store: Store) -> None:
    number = store.add(problem(0), notebook=WRITTEN)
    assert number is not None
    assert notebook(store, number) == WRITTEN
    assert store.add(problem(0), notebook=Notebook("another")) is None
    assert [one.notebook for one in store.find()] == [WRITTEN]
    later = store.add(problem(1), notebook=Notebook(parent=number))
    assert later is not None
    assert notebook(store, later) == Notebook(parent=1)


def test_texts_and_tags_are_written_and_removed(filled: Store) -> None:
    filled.edit([1, 2], NotebookEdit(title="t", notes="n", tags=("b", "a", "b")))
    filled.edit([2], NotebookEdit(title="", author="x", tags=("c",), without=("a", "none such")))
    assert notebook(filled, 1) == Notebook("t", "", "", "n", ("a", "b"))
    assert notebook(filled, 2) == Notebook("", "x", "", "n", ("b", "c"))
    assert notebook(filled, 3) == Notebook()
    filled.edit([2], NotebookEdit(tags=("b",), without=("b",)))
    assert notebook(filled, 2).tags == ("b", "c")


def test_all_are_changed_or_none(filled: Store) -> None:
    for numbers, change in (
        ([1, 99], NotebookEdit(title="t")), ([1], NotebookEdit(title="t", parent=99, moves=True)),
        ([2, 1], NotebookEdit(title="t", tags=("x",), parent=2, moves=True)),
        ([1, 2], NotebookEdit(title="t", tags=tuple(map(str, range(MOST_TAGS + 1))))),
    ):  # fmt: skip
        with pytest.raises(StoreError, match=r"no problem 99|version of itself|more than 100 tags"):
            filled.edit(numbers, change)
    assert all(one.notebook == Notebook() for one in filled.find())


def test_versions_are_followed_both_ways(filled: Store) -> None:
    for number, parent in ((2, 1), (3, 2), (4, 2), (5, 4)):
        filled.edit([number], NotebookEdit(parent=parent, moves=True))
    assert filled.versions(2) == Versions((1,), (3, 4, 5))
    assert filled.versions(5) == Versions((1, 2, 4), ())
    assert filled.versions(6) == filled.versions(99) == Versions()
    filled.edit([4], NotebookEdit(parent=None, moves=True))
    assert filled.versions(5) == Versions((4,), ())


def test_a_long_line_of_versions_takes_one_question_each_way(filled: Store) -> None:
    for number in range(2, 7):
        filled.edit([number], NotebookEdit(parent=number - 1, moves=True))
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        asked.append(statement)

    event.listen(filled._sessions.reader, "before_cursor_execute", note)
    assert filled.versions(4) == Versions((1, 2, 3), (5, 6))
    assert sum("problems" in statement for statement in asked) == 2


@given(parents=st.lists(st.sampled_from([None, *range(1, 7)]), min_size=6, max_size=6))
def test_versions_are_those_that_are_reached_step_by_step(six: Store, parents: list[int | None]) -> None:
    """Also where they run in circles, which only a damaged store has."""
    of = dict(enumerate(parents, start=1))

    def above(number: int) -> list[int]:
        line = [number]
        while (parent := of[line[-1]]) is not None and parent not in line:
            line.append(parent)
        return line[1:]

    with six._sessions.writer.begin() as connection:
        for number, parent in of.items():
            connection.execute(update(ProblemRow).where(ProblemRow.id == number).values(parent_id=parent))
    for number in of:
        later = tuple(one for one in of if one != number and number in above(one))
        assert six.versions(number) == Versions(tuple(reversed(above(number))), later)


@pytest.mark.parametrize(("number", "parent"), [(1, 1), (1, 3), (2, 3), (1, 2)])
def test_circles_of_versions_are_refused(number: int, parent: int, filled: Store) -> None:
    filled.edit([2], NotebookEdit(parent=1, moves=True))
    filled.edit([3], NotebookEdit(parent=2, moves=True))
    with pytest.raises(StoreError, match=f": problem {number} cannot be a version of itself"):
        filled.edit([number], NotebookEdit(parent=parent, moves=True))
    assert filled.versions(1) == Versions((), (2, 3))


def test_circles_in_a_damaged_store_come_to_an_end(filled: Store) -> None:
    with filled._sessions.writer.begin() as connection:
        connection.execute(text("UPDATE problems SET parent_id = id % 6 + 1"))
    assert filled.versions(1) == Versions((6, 5, 4, 3, 2), (2, 3, 4, 5, 6))
    with pytest.raises(StoreError, match="version of itself"):
        filled.edit([3], NotebookEdit(parent=1, moves=True))


def test_problems_are_selected_by_what_was_written(filled: Store) -> None:
    filled.edit([1, 2], NotebookEdit(title="100%_Sure", tags=("a",)))
    filled.edit([2, 3], NotebookEdit(author="曙 Taro", tags=("b",)))

    def ids(**asked: Any) -> list[int]:
        return [one.id for one in filled.find(ProblemSelection(**asked))]

    assert ids(tags=["a"]) == ids(title="%_s") == ids(title="SURE") == [1, 2]
    assert ids(tags=["a", "b"]) == ids(title="sure", author="taro") == [2]
    assert ids(author="曙") == [2, 3]
    assert ids(tags=["A"]) == ids(title="1__") == ids(title="s%e") == []
    assert ids(title="") == [1, 2, 3, 4, 5, 6]


def test_problems_are_selected_by_facts(store: Store) -> None:
    """By the same predicates as wishes; what is not known is not selected."""
    remarks = [
        Defect.NONE, Defect.EQUAL_DEFENCES, Defect.VARIATION_COOK,
        Defect.LAST_MOVE_ALTERNATIVES | Defect.DETOUR, Defect.NONE, Defect.NONE,
    ]  # fmt: skip
    for index, remark in enumerate(remarks):
        one = problem(index)
        judgement = replace(one.judgement, remarks=remark)
        if index == 4:
            judgement = replace(judgement, grade=Grade.SOUND, blemishes=Defect.EQUAL_DEFENCES)
        if index == 5:
            judgement = replace(judgement, grade=Grade.SOUND, blemishes=Defect.UNDETERMINED_FORM)
        store.add(replace(one, judgement=judgement, same_when_counted=(None, True, False)[index % 3]))
    for wishes in (
        ProblemConstraints(no_promoted=True),
        ProblemConstraints(defenders=0),
        ProblemConstraints(defenders=1),
        ProblemConstraints(no_equal_defences=True),
        ProblemConstraints(no_variation_cooks=True),
        ProblemConstraints(one_finish=True),
        ProblemConstraints(same_when_counted=True),
        ProblemConstraints(one_finish=True, no_equal_defences=True),
        *(ProblemConstraints(key=kind) for kind in Key),
    ):
        asked = {
            name: value
            for name, value in wishes.to_dict().items()
            if value != ProblemConstraints().to_dict()[name]
        }
        found = [one.id for one in store.find(ProblemSelection(**asked))]
        assert found == [one.id for one in store.find() if wishes.allow(one.problem)], asked
    assert [one.id for one in store.find(ProblemSelection(one_finish=True))] == [1, 2, 3, 6]
    assert [one.id for one in store.find(ProblemSelection(same_when_counted=True))] == [2, 5]


def test_facts_are_those_of_the_position_and_the_line(made_by_hand: Store) -> None:
    for wishes in (
        ProblemConstraints(no_promoted=True), *(ProblemConstraints(defenders=n) for n in range(4)),
        *(ProblemConstraints(key=kind) for kind in Key),
    ):  # fmt: skip
        asked = {
            name: value
            for name, value in wishes.to_dict().items()
            if value != ProblemConstraints().to_dict()[name]
        }
        found = [one.id for one in made_by_hand.find(ProblemSelection(**asked))]
        assert found == [one.id for one in made_by_hand.find() if wishes.allow(one.problem)], asked
        assert found != [one.id for one in made_by_hand.find()] or wishes.defenders == 0


@pytest.fixture
def made_by_hand(store: Store) -> Store:
    """Problems with all kinds of first moves, defenders and promoted pieces; none is correct."""
    for board, line in (
        ("7nk/5G1p1/7S1/9/9/9/9/9/9", "4b3b 1a1b 3b2b"), ("7nk/5G1p1/7+S1/9/9/9/9/9/9", "2c2b 1a2b 4b3b"),
        ("7nk/5G1ps/7S1/9/9/9/9/9/9", "G*3b P*2a 2c2b"), ("8k/5+P3/7S1/9/9/9/9/9/9", "G*1b 1a1b 2c2b"),
        ("7nk/5G3/7S1/9/9/9/9/9/9", "2c1b+ 1a1b 4b3b"),
    ):  # fmt: skip
        sample = problem(0)
        judgement = replace(sample.judgement, line=tuple(map(parse_move, line.split())))
        store.add(replace(sample, position=parse_sfen(f"{board} b 2G 1").position, judgement=judgement))
    return store


def test_spoilt_notebooks(path: Path) -> None:
    with Store.open(path) as store:
        store.add(problem(0))
        for spoilt, fault in (
            ("title = x'00'", "title is b"), ("title = '', defenders = 'x'", "defenders is 'x'"),
            ("defenders = 1, key_kinds = x'00'", "key_kinds is b"),
        ):  # fmt: skip
            with store._sessions.writer.begin() as connection:
                connection.exec_driver_sql(f"UPDATE problems SET {spoilt}")
            with pytest.raises(StoreError, match=fault):
                store.get(1)


def test_what_texts_and_tags_may_be() -> None:
    for name, most in TEXTS.items():
        assert fault_of_text(name, "曙　光" + "x" * (most - 3)) is None
        assert fault_of_text(name, "x" * (most + 1)) == f"{most + 1} characters: at most {most}"
        assert fault_of_text(name, "a\x1b") is not None
        assert fault_of_text(name, "a\u202eb") is not None
        assert fault_of_text(name, "\udcff") is not None
        assert (fault_of_text(name, "a\nb") is None) is (name == "notes")
    assert fault_of_tag("好作") is None
    for tag in ("", "a b", "a\u3000b", "a\n", "\x7f", "x" * (LONGEST_TAG + 1)):
        assert fault_of_tag(tag) is not None


TEXT = st.text(max_size=300)


@given(st.sampled_from(sorted(TEXTS)), TEXT)
def test_what_is_cleaned_can_be_kept_and_stays(name: str, text: str) -> None:
    kept = cleaned_notebook_text(name, text)
    assert fault_of_text(name, kept) is None
    assert cleaned_notebook_text(name, kept) == kept
    if fault_of_text(name, text) is None and text == text.strip():
        assert kept == text


@given(TEXT)
def test_what_is_printed_is_one_line(text: str) -> None:
    shown = printable_note(text)
    assert len(shown.splitlines()) <= 1
    assert "\x1b" not in shown


def test_what_is_no_text_and_no_tag_is_left_out() -> None:
    fields = {"title": 5, "author": ["x"], "source": None, "notes": "n\r\nm\x00", "other": "x"}
    assert notebook_of_fields(fields, [5, "a b", "ok", None]) == Notebook(notes="n\nm", tags=("ok",))
