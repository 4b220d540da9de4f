# SPDX-License-Identifier: GPL-3.0-or-later
"""What a store has of training, in SQLite and in PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, func, select, text, update

from db.errors import StoreError
from db.models import PROBLEMS, THEMES
from db.problem_rows import ProblemAddition
from db.store import Store, StoredTree, StoredTrees
from db.training import records
from tests.db.samples import change_file, execute, problem

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
CLEAN = records.Outcome(1, "training", True, 3, 0, 0, 30)
AFTER = records.Rating(1600.5, 200.25, 0.0599)
TARO = records.StoredPerson(0, "Taro", records.Rating(), None, "aa", "bb")


@pytest.fixture
def filled(store: Store) -> Store:
    """Ten problems with scores 0 to 9, of 1 and 3 plies by turns; every third shows a theme."""
    store.add_all(
        [ProblemAddition(problem(n, length=1 + 2 * (n % 2), themes=("smothered",) * (n % 3 == 0))) for n in range(10)]
    )
    return store


@pytest.fixture
def taro(filled: Store) -> records.StoredPerson:
    added = filled.training.persons.add(TARO, "taro", NOW)
    assert added is not None
    return added


def record(store: Store, person: records.StoredPerson, outcome: records.Outcome, now: datetime = NOW) -> None:
    """Store a result that is rated, with the next repetition a day later."""
    with store.training.results.recording(person.id, outcome.problem) as step:
        card = records.ReviewCard(now + DAY, outcome.failed, {"step": None, "n": 1})
        step.write(outcome, now, AFTER, rated=not step.seen, card=card)
        if not step.seen:
            step.write_problem_rating(AFTER)


# --- persons ------------------------------------------------------------------------------
def test_a_name_belongs_to_one_person_and_the_unnamed_one_is_added_once(
    filled: Store, taro: records.StoredPerson
) -> None:
    persons = filled.training.persons
    assert replace(taro, id=0) == TARO
    assert persons.add(replace(TARO, name="TARO"), "taro", NOW) is None
    assert (persons.named("taro"), persons.named("Taro")) == (taro, None)
    assert persons.unnamed() == records.StoredPerson(0, "", records.Rating())
    found = persons.stored_unnamed(NOW)
    assert found.id > 0
    assert persons.stored_unnamed(NOW + DAY) == persons.unnamed() == found


def test_sessions_expire_and_end(filled: Store, taro: records.StoredPerson) -> None:
    persons = filled.training.persons
    persons.sign_in(taro.id, "a" * 64, NOW, NOW + DAY)
    assert persons.signed_in("a" * 64, NOW) == taro
    assert persons.signed_in("b" * 64, NOW) is None
    assert persons.signed_in("a" * 64, NOW + DAY) is None
    persons.sign_out("a" * 64)
    assert persons.signed_in("a" * 64, NOW) is None


# --- results ------------------------------------------------------------------------------
def test_a_result_changes_person_problem_and_card(filled: Store, taro: records.StoredPerson) -> None:
    record(filled, taro, replace(CLEAN, mistakes=2))
    with filled.training.results.recording(taro.id, 1) as step:
        assert (step.person.rating, step.person.rated_at) == (AFTER, NOW)
        assert step.played == records.PlayedRating(AFTER, 1)
        assert step.seen
        assert step.card == records.ReviewCard(NOW + DAY, True, {"step": None, "n": 1})
        assert (step.problem.id, step.problem.length, step.problem.score) == (1, 1, 0.0)
    assert filled.training.results.count(taro.id) == 1
    assert filled.training.results.problem_ratings([1, 2, 99]) == {1: records.PlayedRating(AFTER, 1)}
    record(filled, taro, CLEAN, NOW + DAY)
    first, second = filled.training.results.all()
    assert (first.person, first.problem, first.mistakes, first.rated) == ("Taro", 1, 2, True)
    assert (second.ended_at, second.rated, second.rating) == (NOW + DAY, False, 1600.5)
    assert list(filled.training.results.all(taro.id)) == [first, second]
    assert list(filled.training.results.all(taro.id + 1)) == []


def test_a_problem_that_is_not_there_and_a_result_that_fails_leave_nothing(
    filled: Store, taro: records.StoredPerson
) -> None:
    for number in (0, -1, 11, 2**31, 2**70):
        with pytest.raises(records.MissingProblemError), filled.training.results.recording(taro.id, number):
            pass
    with pytest.raises(StoreError, match="has no person"), filled.training.results.recording(99, 1):
        pass

    def interrupted() -> None:
        with filled.training.results.recording(taro.id, 1) as step:
            step.write(CLEAN, NOW, AFTER, rated=True, card=records.ReviewCard(NOW, False, {}))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert filled.training.results.count(taro.id) == 0
    assert filled.training.persons.named("taro") == taro


def test_results_survive_their_problem(filled: Store, taro: records.StoredPerson) -> None:
    record(filled, taro, CLEAN)
    with filled._sessions.writing() as session:
        session.execute(delete(THEMES).where(THEMES.c.problem_id == 1))
        session.execute(delete(PROBLEMS).where(PROBLEMS.c.id == 1))
        for table in (records.CARDS, records.PROBLEM_RATINGS):
            assert session.execute(select(func.count()).select_from(table)).scalar_one() == 0
    (kept,) = filled.training.results.all()
    assert kept.problem is None
    assert kept.sfen
    told = filled.training.progress(taro.id, NOW)
    assert (told.results, told.solved_ids, told.by_length) == (1, [], {})


def test_runs(filled: Store, taro: records.StoredPerson) -> None:
    results = filled.training.results
    best = [results.add_run(taro.id, "timed", solved, 180, NOW) for solved in (5, 3, 5, 7)]
    assert best == [(5, True), (5, False), (5, False), (7, True)]
    assert results.add_run(taro.id, "survival", 1, 20, NOW) == (1, True)
    assert filled.training.progress(taro.id, NOW).best_runs == {"timed": 7, "survival": 1}


# --- classes ------------------------------------------------------------------------------
def named(store: Store, name: str) -> records.StoredPerson:
    """A person who has just signed up."""
    added = store.training.persons.add(replace(TARO, name=name), name.lower(), NOW)
    assert added is not None
    return added


def opened(store: Store, teacher: records.StoredPerson, name: str = "monday") -> records.StoredClass:
    """A class of a teacher that has just been opened."""
    assert store.training.classes.add(teacher.id, name.title(), name, "aa", "bb", NOW)
    found = store.training.classes.named(name)
    assert found is not None
    return found


def test_a_teacher_sees_what_pupils_did_and_nobody_else_does(filled: Store, taro: records.StoredPerson) -> None:
    classes, (ann, bob, eve) = filled.training.classes, (named(filled, name) for name in ("Ann", "Bob", "Eve"))
    one = opened(filled, taro)
    assert (one.name, one.teacher, one.teacher_name, one.title, one.problems) == ("Monday", taro.id, "Taro", "", [])
    assert not classes.add(ann.id, "MONDAY", "monday", "cc", "dd", NOW)
    for pupil in (bob, ann, bob):
        assert classes.join(one.id, pupil.id, NOW)
    assert not classes.join(one.id, taro.id, NOW), "a teacher is no pupil"
    assert not classes.join(one.id + 1, ann.id, NOW)
    assert classes.set_list(taro.id, one.id, "First", [3, 1, 2])
    record(filled, ann, replace(CLEAN, problem=1), NOW - 8 * DAY)
    record(filled, ann, replace(CLEAN, problem=2, mistakes=1))
    record(filled, ann, replace(CLEAN, problem=3, solved=False), NOW + DAY)
    record(filled, ann, replace(CLEAN, problem=9))
    record(filled, eve, replace(CLEAN, problem=1))
    (one,) = classes.of_person(taro.id)
    assert (one.title, one.problems) == ("First", [3, 1, 2])
    about_ann = records.Pupil(ann.id, "Ann", AFTER, 3, 2, NOW + DAY, {1: "solved", 2: "helped", 3: "failed"})
    about_bob = records.Pupil(bob.id, "Bob", records.Rating(), 0, 0, None, {})
    since = NOW - 7 * DAY
    assert classes.pupils(taro.id, one, since) == [about_ann, about_bob]
    assert classes.pupils(ann.id, one, since) == [about_ann]
    assert classes.pupils(bob.id, one, since) == [about_bob]
    assert classes.pupils(eve.id, one, since) == []
    assert classes.of_person(ann.id) == [one]
    assert classes.of_person(eve.id) == []


def test_only_the_teacher_changes_a_class_and_a_pupil_may_leave(filled: Store, taro: records.StoredPerson) -> None:
    classes, (ann, bob) = filled.training.classes, (named(filled, name) for name in ("Ann", "Bob"))
    one, other = opened(filled, taro), opened(filled, bob, "tuesday")
    for pupil in (ann, bob):
        classes.join(one.id, pupil.id, NOW)
    for asker in (ann, bob):
        assert not classes.set_list(asker.id, one.id, "Mine", [1])
        assert not classes.close(asker.id, one.id)
    assert not classes.remove_pupil(ann.id, one.id, bob.id)
    assert not classes.remove_pupil(bob.id, one.id, ann.id), "the teacher of another class"
    with pytest.raises(records.MissingProblemError):
        classes.set_list(taro.id, one.id, "Gone", [1, 99])
    assert classes.of_person(taro.id) == [one]
    assert classes.remove_pupil(ann.id, one.id, ann.id)
    assert not classes.remove_pupil(ann.id, one.id, ann.id)
    assert [pupil.name for pupil in classes.pupils(taro.id, one, NOW)] == ["Bob"]
    assert classes.remove_pupil(taro.id, one.id, bob.id)
    assert classes.of_person(bob.id) == [other]
    classes.join(one.id, ann.id, NOW)
    classes.set_list(taro.id, one.id, "First", [1])
    assert classes.close(taro.id, one.id)
    assert classes.of_person(ann.id) == classes.of_person(taro.id) == []
    assert classes.named("monday") is None


def test_what_is_removed_leaves_its_classes(filled: Store, taro: records.StoredPerson) -> None:
    """A person without results, or a problem; a new name is shown at once."""
    classes, (ann, bob) = filled.training.classes, (named(filled, name) for name in ("Ann", "Bob"))
    one = opened(filled, taro)
    for pupil in (ann, bob):
        classes.join(one.id, pupil.id, NOW)
    classes.set_list(taro.id, one.id, "", [2, 4])
    with filled._sessions.writing() as session:
        session.execute(update(records.PERSONS).where(records.PERSONS.c.id == bob.id).values(name="Zoe"))
        session.execute(delete(records.PERSONS).where(records.PERSONS.c.id == ann.id))
        session.execute(delete(PROBLEMS).where(PROBLEMS.c.id == 2))
    (one,) = classes.of_person(taro.id)
    assert one.problems == [4]
    assert [pupil.name for pupil in classes.pupils(taro.id, one, NOW)] == ["Zoe"]
    with filled._sessions.writing() as session:
        session.execute(delete(records.PERSONS).where(records.PERSONS.c.id == taro.id))
    assert classes.named("monday") is None


def test_classes_and_pupils_are_limited(
    filled: Store, taro: records.StoredPerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_CLASSES", 2)
    monkeypatch.setattr(records, "MAX_PUPILS", 1)
    classes, (ann, bob) = filled.training.classes, (named(filled, name) for name in ("Ann", "Bob"))
    one, _ = opened(filled, taro), opened(filled, taro, "tuesday")
    with pytest.raises(records.ClassLimitError):
        classes.add(taro.id, "Wednesday", "wednesday", "aa", "bb", NOW)
    assert classes.join(one.id, ann.id, NOW)
    assert classes.join(one.id, ann.id, NOW)
    with pytest.raises(records.ClassLimitError):
        classes.join(one.id, bob.id, NOW)


def test_results_at_once_lose_nothing(place: str) -> None:
    with Store.open(place) as store:
        store.add_all([ProblemAddition(problem(n)) for n in range(20)])
        person = store.training.persons.stored_unnamed(NOW)

        def play(number: int) -> None:
            with store.training.results.recording(person.id, 1 + number % 20) as step:
                rating = records.Rating(step.person.rating.rating + 1)
                outcome, card = replace(CLEAN, problem=step.problem.id), records.ReviewCard(NOW, False, {})
                step.write(outcome, NOW, rating, rated=True, card=card)
                step.write_problem_rating(rating)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(play, range(60)))
        assert store.training.persons.unnamed().rating.rating == 1560
        assert store.training.results.count(person.id) == 60
        ratings = store.training.results.problem_ratings(range(1, 21))
        assert [ratings[number].plays for number in range(1, 21)] == [3] * 20


# --- candidates ---------------------------------------------------------------------------
def ids(found: list[records.Candidate]) -> list[int]:
    return sorted(one.id for one in found)


def test_candidates_near_a_score(filled: Store, taro: records.StoredPerson) -> None:
    table, wanted = filled.training.candidates, records.CandidateFilter(taro.id)
    assert ids(table.unplayed_near(wanted, 4.5, 2, unseen=True)) == [4, 5, 6, 7]  # id 1 has score 0
    assert ids(table.unplayed_near(replace(wanted, without=(5, 6)), 4.5, 2, unseen=True)) == [3, 4, 7, 8]
    assert ids(table.unplayed_near(replace(wanted, moves=[3]), 4.5, 1, unseen=True)) == [4, 6]
    assert ids(table.unplayed_near(replace(wanted, themes=["smothered"]), 4.5, 1, unseen=True)) == [4, 7]
    assert ids(table.unplayed_near(replace(wanted, themes=["x"]), 4.5, 1, unseen=True)) == []
    record(filled, taro, replace(CLEAN, problem=5))
    assert ids(table.unplayed_near(wanted, 4.5, 1, unseen=True)) == [4, 6]
    assert ids(table.played_near(wanted, 1600.0, 9, unseen=False)) == [5]
    assert table.played_near(wanted, 1600.0, 9, unseen=True) == []
    others = table.played_near(replace(wanted, person=taro.id + 1), 1700.0, 9, unseen=True)
    assert others == [records.Candidate(5, 1, 4.0, AFTER)]


def test_a_common_theme_is_found_as_a_rare_one(
    filled: Store, taro: records.StoredPerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = records.CandidateFilter(taro.id, ["smothered"])
    rare = filled.training.candidates.unplayed_near(wanted, 4.5, 2, unseen=True)
    monkeypatch.setattr("db.training.log._RARE", 1)
    assert filled.training.candidates.unplayed_near(wanted, 4.5, 2, unseen=True) == rare
    assert len(rare) == 4


def test_what_is_due(filled: Store, taro: records.StoredPerson) -> None:
    table, wanted = filled.training.candidates, records.CandidateFilter(taro.id)
    assert (table.due(wanted, NOW), table.next_due(wanted, NOW)) == (None, None)
    record(filled, taro, replace(CLEAN, problem=3), NOW)
    record(filled, taro, replace(CLEAN, problem=2, mistakes=1), NOW + timedelta(hours=1))
    assert table.due(wanted, NOW) is None
    assert table.next_due(wanted, NOW) == NOW + DAY
    assert table.due(wanted, NOW + DAY) == 3
    assert table.due(wanted, NOW + 2 * DAY) == 3
    assert table.due(wanted, NOW + 2 * DAY, failed=True) == 2
    assert table.due(wanted, NOW + 2 * DAY, failed=False) == 3
    assert table.due(replace(wanted, without=(3,)), NOW + 2 * DAY) == 2
    assert table.due(replace(wanted, moves=[3, 5]), NOW + 2 * DAY) == 2
    assert table.due(replace(wanted, unsolved=True), NOW + 2 * DAY) is None
    assert table.due(replace(wanted, person=taro.id + 1), NOW + 2 * DAY) is None


def test_the_problems_of_days(filled: Store) -> None:
    table = filled.training.candidates
    assert table.extent() == (10, 10)
    canonical = {one.id: one.canonical for one in filled.find()}
    assert dict(table.canonical_sfens()) == canonical
    assert table.lengths_and_ratings([3, 99, 2]) == [(3, 1, 640), (2, 3, 620)]


def test_an_empty_store_has_no_candidates(store: Store) -> None:
    assert store.training.candidates.extent() == (0, 0)
    assert store.training.candidates.unplayed_near(records.CandidateFilter(0), 5.0, 3, unseen=True) == []


# --- progress -----------------------------------------------------------------------------
def test_progress(filled: Store, taro: records.StoredPerson) -> None:
    history = [
        replace(CLEAN, problem=1, mistakes=1),
        replace(CLEAN, problem=1),
        replace(CLEAN, problem=2, solved=False),
        replace(CLEAN, problem=3, mode="day", day="2026-01-01", hints=1),
        replace(CLEAN, problem=4, mode="day", day="2026-01-02", solved=False),
        replace(CLEAN, problem=4, mode="day", day="2026-01-02"),
        replace(CLEAN, problem=7, mode="timed"),
    ]
    for hours, outcome in enumerate(history):
        record(filled, taro, outcome, NOW + timedelta(hours=hours))
    other = filled.training.persons.stored_unnamed(NOW)
    record(filled, other, replace(CLEAN, problem=9))
    told = filled.training.progress(taro.id, NOW + DAY + timedelta(hours=2, minutes=1))
    assert (told.results, told.solved) == (7, 5)
    assert [moment for moment, _ in told.ratings] == [NOW + timedelta(hours=n) for n in range(7)]
    assert {rating for _, rating in told.ratings} == {1600.5}
    assert (told.due, told.next_due) == (2, NOW + DAY + timedelta(hours=3))
    assert told.by_length == {1: records.AttemptCounts(3, 1, 3), 3: records.AttemptCounts(2, 0, 1)}
    assert told.by_theme == {"smothered": records.AttemptCounts(3, 1, 3)}  # 1, 4 and 7
    assert [(one.day, one.problem, one.solved, one.clean) for one in told.days] == [
        ("2026-01-01", 3, True, False), ("2026-01-02", 4, True, False)
    ]  # fmt: skip
    assert told.solved_ids == filled.training.results.solved(taro.id) == [1, 3, 4, 7]
    themes = ["smothered"]
    assert told.tried == [
        records.TriedProblem(*row)
        for row in [(7, True, False, themes), (4, True, False, themes), (3, True, False, []), (2, False, True, []),
                    (1, True, False, themes)]
    ]  # fmt: skip


def test_themes_of_unsolved_problems_stay_secret_and_many_results_are_read_page_by_page(
    filled: Store, taro: records.StoredPerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(filled, taro, replace(CLEAN, problem=1, solved=False))
    told = filled.training.progress(taro.id, NOW)
    assert (told.by_theme, told.by_length) == ({}, {1: records.AttemptCounts(1, 0, 0)})
    monkeypatch.setattr("db.training.log._PAGE", 2)
    for number in range(2, 6):
        record(filled, taro, replace(CLEAN, problem=number))
    assert [one.problem for one in filled.training.results.all()] == [1, 2, 3, 4, 5]


ODD: list[object] = ["x", b"\xff", float("inf"), -1.5, "[]", 2**62]
_UPDATED = [
    (table.name, column.name)
    for table in (records.PERSONS, records.RESULTS, records.PROBLEM_RATINGS, records.CARDS, records.TRAINING_RUNS)
    for column in table.columns
    if not (column.foreign_keys or column.primary_key)
]


@pytest.mark.parametrize(("table", "column"), _UPDATED)
def test_damage_is_a_store_s_error(table: str, column: str) -> None:
    for value in ODD:
        with Store.open(":memory:") as store:
            _read_all_of_a_damaged_store(store, table, column, value)


def _read_all_of_a_damaged_store(store: Store, table: str, column: str, value: object) -> None:
    store.add(problem(0))
    log, person = store.training, store.training.persons.stored_unnamed(NOW)
    record(store, person, replace(CLEAN, mode="day", day="2026-01-01"))
    log.results.add_run(person.id, "timed", 3, 180, NOW)
    with store._sessions.writing() as session:
        session.execute(text(f"UPDATE {table} SET {column} = :value"), {"value": value})
    wanted = records.CandidateFilter(person.id)
    for read in (
        log.persons.unnamed,
        lambda: log.progress(person.id, NOW),
        lambda: list(log.results.all()),
        lambda: log.results.problem_ratings([1]),
        lambda: log.candidates.due(wanted, NOW + 2 * DAY),
        lambda: log.candidates.next_due(wanted, NOW),
        lambda: log.candidates.played_near(wanted, 1600.0, 3, unseen=False),
        lambda: record(store, person, CLEAN),
    ):
        with suppress(StoreError):
            read()


# --- Reply trees kept with the problems of a store -------------------------------------------------

CONTENT = b"\x1f\x8b\x00\xff" * 500


def test_a_tree_is_kept_under_its_key(store: Store) -> None:
    trees = StoredTrees(store)
    for index in range(3):
        store.add(problem(index))
    trees.save([StoredTree(1, "a", CONTENT), StoredTree(2, "b", b"")])
    assert trees.content(1, "a") == CONTENT
    assert trees.content(2, "b") == b""
    assert (trees.content(1, "b"), trees.content(3, "a"), trees.content(99, "a")) == (None, None, None)
    trees.save([StoredTree(1, "a", b"1"), StoredTree(1, "b", b"2")])
    assert (trees.content(1, "a"), trees.content(1, "b")) == (None, b"2")
    trees.save([StoredTree(1, "c", b"3")])
    assert (trees.content(1, "b"), trees.content(1, "c")) == (None, b"3")
    trees.save([StoredTree(7, "a", b"7"), StoredTree(1, "a", b"1")])
    trees.save([StoredTree(8, "a", b"8")])
    trees.save([])
    assert (trees.content(7, "a"), trees.content(1, "a")) == (None, b"1")


def test_a_tree_disappears_with_its_problem(store: Store) -> None:
    trees = StoredTrees(store)
    for index in range(2):
        store.add(problem(index))
    trees.save([StoredTree(number, "a", CONTENT) for number in (1, 2)])
    execute(store, "DELETE FROM problems WHERE id = 1")
    assert (trees.content(1, "a"), trees.content(2, "a")) == (None, CONTENT)


def test_a_store_that_is_only_read_keeps_neither_trees_nor_results(path: Path) -> None:
    with Store.open(path) as store:
        store.add(problem(0))
        StoredTrees(store).save([StoredTree(1, "a", CONTENT)])
    with Store.open(f"file:{path}?mode=ro", create=False) as store:
        trees = StoredTrees(store)
        assert trees.content(1, "a") == CONTENT
        with pytest.raises(StoreError, match="read-only"):
            trees.save([StoredTree(1, "b", CONTENT)])
        with pytest.raises(StoreError):
            store.training.persons.stored_unnamed(NOW)
        assert store.training.progress(0, NOW).results == 0


NEWER = (
    "class_problems", "class_pupils", "classes",
    "training_runs", "sessions", "cards", "problem_ratings", "results", "persons",
)  # fmt: skip
"""The tables of the revisions after."""


def test_an_older_store_gets_the_table(path: Path) -> None:
    with Store.open(path) as store:
        store.add(problem(0))
    tables = [f"DROP TABLE {table}" for table in ("problem_trees", *NEWER)]
    columns = ("DROP COLUMN proof_tree", "ADD COLUMN stars INTEGER")
    tables += [
        "DROP INDEX ix_problem_themes_theme_problem_id",
        "CREATE INDEX ix_problem_themes_theme ON problem_themes (theme)",
    ]
    tables += ["DROP INDEX ix_problems_proof_tree", *(f"ALTER TABLE problems {one}" for one in columns)]
    change_file(path, *tables, "UPDATE alembic_version SET version_num = '0007_first_checks'")
    assert Store.upgrade(path)[0] == "0007_first_checks"
    with Store.open(path) as store:
        StoredTrees(store).save([StoredTree(1, "a", CONTENT)])
        assert StoredTrees(store).content(1, "a") == CONTENT
