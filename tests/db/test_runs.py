# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of a store, and its statistics."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event, update

from db import notebook
from db.errors import StoreError
from db.models import ProblemRow
from db.problem_rows import ProblemVersions
from db.query import NumberSpread
from db.runs import RunState, RunTotals, StoredRun
from db.store import Store
from generator.constraints.problem import Key, ProblemConstraints
from solver.results import Defect, Grade
from tests.db.samples import change_file, execute, ids_of, problem, stored
from tsume_rules.moves import parse_move
from tsume_rules.sfen import canonical_sfen, parse_sfen

TOTALS = RunTotals(
    next_root=12, found=1, elapsed=2.5, counters={"roots": 12, "candidates": 50},
    rejections={"cook": 20, "no mate": 5}, seconds={"judge": 0.5},
)  # fmt: skip


def start(store: Store, seed: int = 2**70) -> int:
    run = store.runs.start(
        seed=seed, moves=5, count=10, version="0.1.0", recipe=4, options={"workers": 4, "pieces": None}
    )
    return run.id


def only(store: Store) -> StoredRun:
    (run,) = store.runs.all()
    assert store.runs.get(run.id) == run
    return run


def test_a_run_from_beginning_to_end(store: Store) -> None:
    assert store.stats().unfinished_runs == 0
    run_id = start(store)
    run = only(store)
    assert (run.seed, run.moves, run.count, run.version, run.recipe) == (2**70, 5, 10, "0.1.0", 4)
    assert run.options == {"workers": 4, "pieces": None}
    assert (run.state, run.ended_at, run.candidates) == (RunState.RUNNING, None, 0)
    assert (run.resumable, run.totals) == (True, RunTotals())
    with store.runs.advancing(run_id, 0) as step:
        assert step.add([problem(0)]) == [1]
        step.set_totals(TOTALS)
    assert only(store).totals == TOTALS
    assert store.stats().rejections == TOTALS.rejections
    assert store.stats().unfinished_runs == 1
    last = replace(TOTALS, next_root=20, rejections={"cook": 40, "leftover": 2}, counters={"candidates": 100})
    store.runs.finish(run_id, RunState.STOPPED, 12, last)
    run = only(store)
    assert (run.state, run.candidates, run.totals) == (RunState.STOPPED, 100, last)
    assert run.ended_at is not None
    assert run.ended_at >= run.started_at
    assert store.stats().rejections == {"cook": 40, "leftover": 2}
    assert store.stats().unfinished_runs == 0
    store.runs.reopen(run_id)
    assert (only(store).state, only(store).ended_at) == (RunState.RUNNING, None)


def test_a_step_is_whole_or_not_at_all(store: Store) -> None:
    def cut_off() -> None:
        with store.runs.advancing(start(store), 0) as step:
            step.add([problem(0)])
            step.add_lines([(0, 1)])
            step.set_totals(TOTALS)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_off()
    assert list(store.find()) == []
    assert only(store).totals == RunTotals()
    assert lines(store, 1) == []


def test_a_step_from_elsewhere_is_refused(store: Store) -> None:
    run_id = start(store)
    with store.runs.advancing(run_id, 0) as step:
        step.set_totals(TOTALS)
    with pytest.raises(StoreError, match="at root 12, not 0: is another"), store.runs.advancing(run_id, 0):
        pass
    for last_step in (None, 0, 11):
        store.runs.finish(run_id, RunState.INTERRUPTED, 0, RunTotals(), last_step)
        run = only(store)
        assert (run.state, run.ended_at, run.totals) == (RunState.RUNNING, None, TOTALS)
    store.runs.finish(run_id, RunState.INTERRUPTED, 0, RunTotals(), last_step=12)
    assert (only(store).state, only(store).totals) == (RunState.INTERRUPTED, TOTALS)
    assert only(store).ended_at is not None
    with store.runs.advancing(run_id, 12) as step:
        step.set_totals(TOTALS)
    assert (only(store).state, only(store).ended_at) == (RunState.RUNNING, None)


def lines(store: Store, run_id: int) -> list[tuple[int, int]]:
    roots, keys = store.runs.lines(run_id)
    assert roots.dtype == keys.dtype == np.dtype(np.int64)
    return list(zip(roots.tolist(), keys.tolist(), strict=True))


def test_a_step_notes_what_its_roots_found(store: Store) -> None:
    run_id, other = start(store), start(store)
    with store.runs.advancing(run_id, 0) as step:
        step.add_lines([(12, 5), (3, -(2**63)), (12, 2**63 - 1), (12, 5)])
        step.set_totals(TOTALS)
    with store.runs.advancing(run_id, 12) as step:
        step.add_lines(iter([(12, 5), (2**62, 0)]))
        step.add_lines([])
    assert lines(store, run_id) == [(3, -(2**63)), (12, 5), (12, 2**63 - 1), (2**62, 0)]
    assert lines(store, other) == lines(store, 99) == []


def test_a_step_says_what_is_stored_and_stores_the_rest(store: Store) -> None:
    store.add(problem(1))
    with store.runs.advancing(start(store), 0) as step:
        given = [problem(0), problem(1), problem(2)]
        assert step.stored_sfens(given) == {canonical_sfen(problem(1).position)}
        assert step.add([problem(0), problem(2), problem(3, themes=("a",))]) == [2, 3, 4]
        assert step.stored_sfens(given) == {canonical_sfen(one.position) for one in given}
        assert (step.add([]), step.stored_sfens([])) == ([], set())
    assert [found.run_id for found in store.find()] == [None, 1, 1, 1]
    assert [found.themes for found in store.find()] == [(), (), (), ("a",)]


def test_many_problems_are_looked_up_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("db.query.PAGE", 2)
    given = [problem(number) for number in range(5)]
    with store.runs.advancing(start(store), 0) as step:
        assert step.add(given[:4]) == [1, 2, 3, 4]
        assert len(step.stored_sfens(given)) == 4


def test_problems_without_ids_are_an_error_when_one_is_added(path: Path) -> None:
    """Another program may rebuild the table without its key: new problems then get no ids."""
    Store.open(path).close()
    change_file(
        path, "CREATE TABLE loose AS SELECT * FROM problems", "DROP TABLE problems",
        "ALTER TABLE loose RENAME TO problems",
    )  # fmt: skip
    fault = f"^{path}: is damaged: a problem has no id$"
    with Store.open(path) as store:
        with pytest.raises(StoreError, match=fault), store.runs.advancing(start(store), 0) as step:
            step.add([problem(0), problem(1)])
        with pytest.raises(StoreError, match=fault):
            store.add(problem(0))


def test_a_file_with_a_write_ahead_log_is_not_waited_for(path: Path) -> None:
    for _ in range(2):
        with Store.open(path) as store:
            for _ in range(2):
                with store._sessions.writer.connect() as connection:
                    mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar_one()
                    assert (mode, connection.exec_driver_sql("PRAGMA synchronous").scalar_one()) == ("wal", 1)
                store.close()


def test_runs_add_up(store: Store) -> None:
    for seed, candidates, rejections in ((1, 10, {"cook": 3, "no mate": 4}), (2, 20, {"cook": 5})):
        with store.runs.advancing(start(store, seed), 0) as step:
            step.set_totals(RunTotals(1, counters={"candidates": candidates}, rejections=rejections))
    store.runs.finish(2, RunState.COMPLETE, 0, RunTotals(), last_step=1)
    stats = store.stats()
    assert (stats.runs, stats.unfinished_runs, stats.candidates) == (2, 1, 30)
    assert list(stats.rejections.items()) == [("cook", 8), ("no mate", 4)]


def test_problems_belong_to_runs(store: Store) -> None:
    run_id = start(store)
    assert [store.add(problem(0, themes=("a",)), run_id), store.add(problem(1, themes=("b",)))] == [1, 2]
    assert [found.run_id for found in store.find()] == [run_id, None]
    figures = store.runs.figures(run_id)
    assert (figures.all_ratings, dict(figures.themes)) == ([600.0], {"a": 1})


def test_unknown_run(store: Store) -> None:
    for number in (3, 10**30):
        assert store.runs.get(number) is None
    with pytest.raises(StoreError, match="no run 3"), store.runs.advancing(3, 0):
        pass
    with pytest.raises(StoreError, match="no run 3"):
        store.runs.finish(3, RunState.STOPPED, 1, RunTotals())
    with pytest.raises(StoreError, match="no run 3"):
        store.runs.reopen(3)


def test_spoilt_run(in_sqlite: Store) -> None:
    start(in_sqlite)
    sound = "state = 'running', recipe = 4, counters = '{}', seconds = '{}'"
    for spoilt in ("state = 'x'", "recipe = 'x'", "counters = '[]'", 'seconds = \'{"a": "b"}\''):
        execute(in_sqlite, f"UPDATE runs SET {sound}")
        assert len(in_sqlite.runs.all()) == 1
        execute(in_sqlite, f"UPDATE runs SET {spoilt}")
        with pytest.raises(StoreError, match="contains unreadable data"):
            in_sqlite.runs.all()


def test_numbers_of_problems(store: Store) -> None:
    for index, score in enumerate((4.0, 1.0, 3.0, 2.0)):
        store.add(problem(index, length=3, score=score, quality=10.0 * index, themes=("drop",)))
    store.add(problem(9, length=1, score=8.0, quality=40.0, themes=("drop", "corner")))
    stats = store.stats()
    assert stats.problems == 5
    assert list(stats.by_length) == [1, 3]
    assert stats.by_length[1] == NumberSpread(1, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0)
    assert stats.by_length[3] == NumberSpread(4, 2.5, 1.0, 1.75, 2.5, 3.25, 4.0)
    assert stats.quality == NumberSpread(5, 20.0, 0.0, 10.0, 20.0, 30.0, 40.0)
    assert list(stats.themes.items()) == [("drop", 5), ("corner", 1)]
    assert store.figures().all_ratings == [620.0, 640.0, 660.0, 680.0, 760.0]


def test_empty_store(store: Store) -> None:
    stats = store.stats()
    assert (stats.problems, stats.by_length, stats.quality, stats.runs) == (0, {}, None, 0)
    assert (stats.candidates, stats.rejections, dict(stats.themes)) == (0, {}, {})


# --- What a person writes to stored problems: kept as it is, all or none, versions without circles ---

WRITTEN = notebook.Notebook("曙光　その一", "無名", "誌 1", "一行\n二行", ("a", "好作"))


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


def selected(store: Store, wishes: ProblemConstraints) -> list[int]:
    """The problems that are selected by what is asked for."""
    usual = ProblemConstraints().to_dict()
    return ids_of(store, **{name: value for name, value in wishes.to_dict().items() if value != usual[name]})


def test_a_problem_is_stored_with_its_notebook(store: Store) -> None:
    number = store.add(problem(0), notebook=WRITTEN)
    assert stored(store, number).notebook == WRITTEN
    assert store.add(problem(0), notebook=notebook.Notebook("another")) is None
    assert [one.notebook for one in store.find()] == [WRITTEN]
    later = store.add(problem(1), notebook=notebook.Notebook(parent=number))
    assert stored(store, later).notebook == notebook.Notebook(parent=1)


def test_texts_and_tags_are_written_and_removed(filled: Store) -> None:
    filled.edit([1, 2], notebook.NotebookEdit(title="t", notes="n", tags=("b", "a", "b")))
    filled.edit([2], notebook.NotebookEdit(title="", author="x", tags=("c",), without=("a", "none such")))
    assert [one.notebook for one in filled.find()][:3] == [
        notebook.Notebook("t", "", "", "n", ("a", "b")), notebook.Notebook("", "x", "", "n", ("b", "c")),
        notebook.Notebook(),
    ]  # fmt: skip
    filled.edit([2], notebook.NotebookEdit(tags=("b",), without=("b",)))
    assert stored(filled, 2).notebook.tags == ("b", "c")


def test_all_are_changed_or_none(filled: Store) -> None:
    for numbers, change in (
        ([1, 99], notebook.NotebookEdit(title="t")), ([1], notebook.NotebookEdit(title="t", parent=99, moves=True)),
        ([2, 1], notebook.NotebookEdit(title="t", tags=("x",), parent=2, moves=True)),
        ([1, 2], notebook.NotebookEdit(title="t", tags=tuple(map(str, range(notebook.MAX_TAGS + 1))))),
    ):  # fmt: skip
        with pytest.raises(StoreError, match=r"no problem 99|version of itself|more than 100 tags"):
            filled.edit(numbers, change)
    assert all(one.notebook == notebook.Notebook() for one in filled.find())


def test_versions_are_followed_both_ways(filled: Store) -> None:
    for number, parent in ((2, 1), (3, 2), (4, 2), (5, 4)):
        filled.edit([number], notebook.NotebookEdit(parent=parent, moves=True))
    assert filled.versions(2) == ProblemVersions((1,), (3, 4, 5))
    assert filled.versions(5) == ProblemVersions((1, 2, 4), ())
    assert filled.versions(6) == filled.versions(99) == ProblemVersions()
    filled.edit([4], notebook.NotebookEdit(parent=None, moves=True))
    assert filled.versions(5) == ProblemVersions((4,), ())


def test_a_long_line_of_versions_takes_one_question_each_way(filled: Store) -> None:
    for number in range(2, 7):
        filled.edit([number], notebook.NotebookEdit(parent=number - 1, moves=True))
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        asked.append(statement)

    event.listen(filled._sessions.reader, "before_cursor_execute", note)
    assert filled.versions(4) == ProblemVersions((1, 2, 3), (5, 6))
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
        assert six.versions(number) == ProblemVersions(tuple(reversed(above(number))), later)


def test_circles_of_versions_are_refused(filled: Store) -> None:
    filled.edit([2], notebook.NotebookEdit(parent=1, moves=True))
    filled.edit([3], notebook.NotebookEdit(parent=2, moves=True))
    for number, parent in ((1, 1), (1, 3), (2, 3), (1, 2)):
        with pytest.raises(StoreError, match=f": problem {number} cannot be a version of itself"):
            filled.edit([number], notebook.NotebookEdit(parent=parent, moves=True))
    assert filled.versions(1) == ProblemVersions((), (2, 3))


def test_circles_in_a_damaged_store_come_to_an_end(filled: Store) -> None:
    execute(filled, "UPDATE problems SET parent_id = CASE id WHEN 6 THEN 1 ELSE id + 1 END")
    assert filled.versions(1) == ProblemVersions((6, 5, 4, 3, 2), (2, 3, 4, 5, 6))
    with pytest.raises(StoreError, match="version of itself"):
        filled.edit([3], notebook.NotebookEdit(parent=1, moves=True))


def test_problems_are_selected_by_what_was_written(filled: Store) -> None:
    filled.edit([1, 2], notebook.NotebookEdit(title="100%_Sure", tags=("a",)))
    filled.edit([2, 3], notebook.NotebookEdit(author="曙 Taro", tags=("b",)))
    for asked, found in (
        ({"tags": ["a"]}, [1, 2]), ({"title": "%_s"}, [1, 2]), ({"title": "SURE"}, [1, 2]), ({"tags": ["a", "b"]}, [2]),
        ({"title": "sure", "author": "taro"}, [2]), ({"author": "曙"}, [2, 3]), ({"tags": ["A"]}, []),
        ({"title": "1__"}, []), ({"title": "s%e"}, []), ({"title": ""}, [1, 2, 3, 4, 5, 6]),
    ):  # fmt: skip
        assert ids_of(filled, **asked) == found, asked


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
        ProblemConstraints(no_promoted=True), ProblemConstraints(defenders=0), ProblemConstraints(defenders=1),
        ProblemConstraints(no_equal_defences=True), ProblemConstraints(no_variation_cooks=True),
        ProblemConstraints(one_finish=True), ProblemConstraints(same_when_counted=True),
        ProblemConstraints(one_finish=True, no_equal_defences=True), *(ProblemConstraints(key=kind) for kind in Key),
    ):  # fmt: skip
        assert selected(store, wishes) == [one.id for one in store.find() if wishes.allow(one.problem)], wishes
    assert ids_of(store, one_finish=True) == [1, 2, 3, 6]
    assert ids_of(store, same_when_counted=True) == [2, 5]


def test_facts_are_those_of_the_position_and_the_line(made_by_hand: Store) -> None:
    for wishes in (
        ProblemConstraints(no_promoted=True), *(ProblemConstraints(defenders=n) for n in range(4)),
        *(ProblemConstraints(key=kind) for kind in Key),
    ):  # fmt: skip
        found = selected(made_by_hand, wishes)
        assert found == [one.id for one in made_by_hand.find() if wishes.allow(one.problem)], wishes
        assert found != ids_of(made_by_hand) or wishes.defenders == 0


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


def test_what_texts_and_tags_may_be() -> None:
    for name, most in notebook.TEXTS.items():
        assert notebook.fault_of_text(name, "曙　光" + "x" * (most - 3)) is None
        assert notebook.fault_of_text(name, "x" * (most + 1)) == f"{most + 1} characters: at most {most}"
        assert notebook.fault_of_text(name, "a\x1b") is not None
        assert notebook.fault_of_text(name, "a\u202eb") is not None
        assert notebook.fault_of_text(name, "\udcff") is not None
        assert (notebook.fault_of_text(name, "a\nb") is None) is (name == "notes")
    assert notebook.fault_of_tag("好作") is None
    for tag in ("", "a b", "a\u3000b", "a\n", "\x7f", "x" * (notebook.LONGEST_TAG + 1)):
        assert notebook.fault_of_tag(tag) is not None


TEXT = st.text(max_size=300)


@given(st.sampled_from(sorted(notebook.TEXTS)), TEXT)
def test_what_is_cleaned_can_be_kept_and_stays(name: str, text: str) -> None:
    kept = notebook.cleaned_notebook_text(name, text)
    assert notebook.fault_of_text(name, kept) is None
    assert notebook.cleaned_notebook_text(name, kept) == kept
    if notebook.fault_of_text(name, text) is None and text == text.strip():
        assert kept == text


@given(TEXT)
def test_what_is_printed_is_one_line(text: str) -> None:
    shown = notebook.printable_note(text)
    assert len(shown.splitlines()) <= 1
    assert "\x1b" not in shown


def test_what_is_no_text_and_no_tag_is_left_out() -> None:
    fields = {"title": 5, "author": ["x"], "source": None, "notes": "n\r\nm\x00", "other": "x"}
    assert notebook.notebook_of_fields(fields, [5, "a b", "ok", None]) == notebook.Notebook(notes="n\nm", tags=("ok",))
