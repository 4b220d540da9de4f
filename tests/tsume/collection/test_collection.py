# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection as it is in the repository: read, written again, added to a store."""

import hashlib
from pathlib import Path
from shutil import copytree

import pytest

from db.engine import MEMORY
from db.selection import ProblemSelection
from db.store import Store
from generator.constraints.options import ComposingOptions, Style
from generator.problem import GENERATOR_VERSION, Problem
from solver.results import Grade
from tests.tsume.conftest import Run
from tsume import collection
from tsume.language.catalogue import LANGUAGES
from tsume.uses.composing import compose
from tsume_rules.sfen import format_sfen

GIVEN = (20, "fe1df0bf06166fba")
"""The generator version, and the digest of the keys of the collection."""
LINES = (collection.collection_folder() / collection.PROBLEMS).read_text(encoding="utf-8").splitlines()


def test_every_line_is_written_as_it_was_read_and_is_perfect() -> None:
    for number, line in enumerate(LINES, start=1):
        assert collection.collection_line(collection.read_collection_line(line, f"line {number}")) == line
    for one in collection.read_collection():
        assert one.problem.grade is Grade.PERFECT
        assert one.comment.keys() == set(LANGUAGES)
    assert collection.collection_size() == len(LINES) > 0


def test_changed_files_and_other_lines_are_refused(tmp_path: Path) -> None:
    folder = copytree(collection.collection_folder(), tmp_path / "collection")
    path = folder / collection.PROBLEMS
    path.write_bytes(path.read_bytes().replace(b'"length":3', b'"length":5', 1))
    with pytest.raises(collection.CollectionError, match="checksum"):
        collection.read_collection(folder)
    with pytest.raises(collection.CollectionError, match="cannot be read"):
        collection.read_collection(tmp_path)
    for old, new in (
        ('"grade":"perfect"', '"grade":"good"'),
        ('"line":"', '"line":"9i9a '),
        ('"themes":', '"remarks":["NOTHING"],"themes":'),
        ('"features":[', '"features":[1,'),
        ('"score":', '"points":'),
        ('{"sfen"', '"sfen"'),
    ):
        assert old in LINES[0]
        with pytest.raises(collection.CollectionError, match="line 7"):
            collection.read_collection_line(LINES[0].replace(old, new, 1), "line 7")


def test_a_store_gets_the_problems_in_their_order() -> None:
    problems = collection.read_collection()
    with Store.open(MEMORY) as store:
        assert collection.add_collection(store) == list(range(1, len(problems) + 1))
        assert collection.add_collection(store) == []
        stored = list(store.find(ProblemSelection(tags=(collection.TAG,))))
        assert [one.sfen for one in stored] == [format_sfen(one.problem.position) for one in problems]
        assert [one.version for one in stored] == [one.version for one in problems]
        assert [one.problem.judgement.remarks for one in stored] == [one.problem.judgement.remarks for one in problems]
        assert sum(store.lengths().values()) == len(problems)
        assert list(store.lengths()) == sorted({one.problem.length for one in problems})
    with Store.open(MEMORY) as store:
        assert store.add(problems[2].problem) == 1
        assert len(collection.add_collection(store, problems[:5])) == 4
        assert store.count() == 5


def test_the_course_is_of_ten_problems_a_theme_from_easy_to_hard() -> None:
    with Store.open(MEMORY) as store:
        collection.add_collection(store)
        stored = {one.id: one for one in store.find()}
    lessons = collection.course(stored.values())
    assert [one.theme for one in lessons] == list(collection.LESSONS)
    chosen = [stored[number] for one in lessons for number in one.problems]
    assert len({one.id for one in chosen}) == len(chosen) == collection.LESSON_PROBLEMS * len(lessons)
    for lesson in lessons:
        own = [stored[number] for number in lesson.problems]
        assert all(lesson.theme in one.themes for one in own)
        assert own == sorted(own, key=lambda one: one.difficulty.score)
    assert max(stored[number].length for number in lessons[0].problems) <= 7
    assert collection.course([]) == []


def test_import_collection(tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "new.db"
    assert tsume("import", "--db", place).exit_code == 2
    assert tsume("import", "--collection", "some.sfen", "--db", place).exit_code == 2
    assert not place.exists()
    done = tsume("import", "--collection", "--db", place)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == f"{len(LINES)} problems stored as No. 1-{len(LINES)} in {place}\n"
    again = tsume("import", "--collection", "--db", place)
    assert (again.exit_code, again.stderr) == (0, f"0 problems stored in {place}\n")
    monkeypatch.setattr("tsume.collection.collection_folder", lambda: tmp_path)
    done = tsume("import", "--collection", "--db", place, status=1)
    assert len(done.stderr.splitlines()) == 1


def test_other_problems_make_another_generator_version() -> None:
    digest = hashlib.sha256(str(sorted(collection.collection_keys())).encode()).hexdigest()[:16]
    assert (GENERATOR_VERSION, digest) == GIVEN, (
        "Runs leave out the problems of the collection, which are others than before. If the generator "
        "version was released with those, raise GENERATOR_VERSION in generator/problem.py by one. "
        f'Then set GIVEN to (GENERATOR_VERSION, "{digest}") here.'
    )


OPTIONS = ComposingOptions.of(3, style=Style.NATURAL)


def composed(seed: int, number: int) -> list[Problem]:
    return [problem for problems in compose(OPTIONS, seed, number) for problem in problems]


def with_collection(monkeypatch: pytest.MonkeyPatch, *problems: Problem) -> None:
    keys = frozenset(key for one in problems for key in collection.natural_key_hashes(one.position, one.line))
    monkeypatch.setattr("tsume.uses.composing.collection_keys", lambda: keys)


def test_a_problem_of_the_collection_is_not_composed_again(
    monkeypatch: pytest.MonkeyPatch, tsume: Run, tmp_path: Path
) -> None:
    with_collection(monkeypatch)
    first, second, third = composed(1, 3)
    with_collection(monkeypatch, second)
    assert [problem.position for problem in composed(1, 2)] == [first.position, third.position]
    with_collection(monkeypatch)
    first, second = composed(1, 2)
    with_collection(monkeypatch, first)
    place = tmp_path / "run.db"
    assert tsume("generate", "-m", 3, "-n", 1, "--seed", 1, "--db", place).exit_code == 0
    with Store.open(place, create=False) as store:
        assert [one.position for one in store.find()] == [second.position]
