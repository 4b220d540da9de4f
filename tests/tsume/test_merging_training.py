# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume merge: persons with their results, ratings, repetitions and runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from sqlalchemy import delete, insert, select

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")

from db.models import PROBLEMS, RUN_LINES, TAGS, THEMES, Base
from db.notebook import TEXTS, Notebook
from db.problem_rows import Addition
from db.runs import RunState, Totals
from db.store import Store, StoredTree, StoredTrees
from db.training.records import CARDS, PERSONS, PROBLEM_RATINGS, RESULTS, TRAINING_RUNS, Outcome
from tests.db.conftest import postgresql  # noqa: F401
from tests.postgresql import Server
from tests.tsume.conftest import Run
from tests.tsume.test_merging import found, merged
from tsume.merging import LEFT, MERGED
from tsume.training.persons import Persons
from tsume.training.trainer import Trainer

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
SAMPLES = range(1, 9)
WORDS = "open sesame"


@dataclass
class Clock:
    """A clock that goes on by an hour whenever somebody looks at it."""

    now: datetime = START

    def __call__(self) -> datetime:
        self.now += timedelta(hours=1)
        return self.now


def filled(path: Path | str, samples: range = SAMPLES) -> None:
    """A store of problems of a run."""
    with Store.open(path) as store:
        run = store.runs.start(seed=1, moves=3, count=9, version="1", recipe=1, options={})
        store.runs.finish(run.id, RunState.STOPPED, 0, Totals(next_root=9, rejections={"cook": 3}))
        store.add_all([Addition(found(n, seed=1, root=n), run_id=run.id) for n in samples])


def play(path: Path | str, clock: Clock, name: str, *solved: int, mode: str = "training", mistakes: int = 0) -> None:
    """Let a person solve samples; a new one signs up. The empty name is the person of the machine."""
    with Store.open(path) as store:
        persons = Persons(store.training.persons, clock)
        person = store.training.persons.named(name.lower()) if name else persons.unnamed()
        if person is None:
            person, _ = persons.sign_up(name, WORDS)
        for sample in solved:
            number = store.id_of(found(sample, seed=1, root=0).position)
            assert number is not None
            Trainer(store, clock).record(person, Outcome(number, mode, True, 3, mistakes, 0, 20))


def training_of(path: Path | str) -> dict[str, list[Any]]:
    """What a store has of training, without its numbers; persons and problems by name and position."""
    with Store.open(path) as store, store._sessions.reading() as session:
        names = {row.id: row.name for row in session.execute(select(PERSONS))}
        sfens = {row.id: row.canonical for row in session.execute(select(PROBLEMS))}
        named: dict[str, Callable[[Any], Any]] = {"id": lambda _: None, "person_id": names.get, "problem_id": sfens.get}
        told: dict[str, list[Any]] = {}
        for table in (PERSONS, RESULTS, PROBLEM_RATINGS, CARDS, TRAINING_RUNS):
            rows = session.execute(select(table).order_by(*table.primary_key)).mappings()
            found = [{key: named.get(key, lambda value: value)(row[key]) for key in row} for row in rows]
            told[table.name] = found if table is RESULTS else sorted(found, key=lambda one: str(one.items()))
    return told


def test_every_table_has_a_rule_and_the_rule_holds(tsume: Run, tmp_path: Path) -> None:
    shard, into, clock = tmp_path / "shard.db", tmp_path / "all.db", Clock()
    filled(shard)
    play(shard, clock, "Taro", 1, 2, mistakes=1)
    with Store.open(shard) as store:
        person = store.training.persons.named("taro")
        assert person is not None
        Trainer(store, clock).record_run(person, "timed", 5, 180)
        StoredTrees(store).save([StoredTree(1, "key", b"tree")])
        with store._sessions.writing() as session:
            session.execute(insert(TAGS).values(problem_id=1, tag="x"))
            session.execute(insert(RUN_LINES).values(run_id=1, root=1, key=1))
    told = merged(tsume, into, [shard])
    tables = Base.metadata.tables.keys()
    assert set(tables) == MERGED | set(LEFT), "say in tsume/merging.py what a merge does with a table"
    with Store.open(shard) as before, Store.open(into) as after:
        had, has = before.row_counts(sorted(tables)), after.row_counts(sorted(tables))
    assert min(had.values()) > 0
    assert has == {**had, **dict.fromkeys(LEFT, 0)}
    assert f"{into}: 1 persons, 2 results, 1 timed or survival runs and 2 repetitions added" in told
    assert f"{shard}: 1 lines of runs are not copied" in told
    assert f"{shard}: 1 trees of replies are not copied" in told
    assert f"{shard}: 1 sign-ins are not copied" in told


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_one_store_stays_as_is(tsume: Run, tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    shard, clock = tmp_path / "shard.db", Clock()
    filled(shard)
    play(shard, clock, "Taro", 1, 2, 3, 1, mistakes=1)
    play(shard, clock, "", 2, 3, mode="free")
    play(shard, clock, "花子", 4, 2, mode="day")
    play(shard, clock, "Taro", 5, mode="review")
    with Store.open(shard) as store:
        Trainer(store, clock).record_run(store.training.persons.unnamed(), "survival", 7, 90)
    with ExitStack() as opened:
        into = str(tmp_path / "all.db")
        if kind == "postgresql":
            server: Server = request.getfixturevalue("postgresql")
            into = opened.enter_context(server.empty())
        told = tsume("merge", shard, "--db", into)
        assert told.exit_code == 0, told.output
        assert training_of(into) == training_of(shard)
        again = tsume("merge", shard, "--db", into)
        assert "results" not in again.stderr
        assert training_of(into) == training_of(shard)


def test_who_trained_in_two_copies_of_a_store_has_done_all_of_it(tsume: Run, tmp_path: Path) -> None:
    """The same as if there had been one store only, whichever store is first."""
    whole, left, right = (tmp_path / f"{name}.db" for name in ("whole", "left", "right"))
    filled(whole)
    play(whole, Clock(), "Taro", 1, 2)
    for other in (left, right):
        copy(whole, other)
    for path, hours, solved in ((left, 10, (3, 4)), (right, 15, (5,)), (left, 20, (6,)), (right, 25, (7, 3))):
        for place in (path, whole):
            play(place, Clock(START + timedelta(hours=hours)), "Taro", *solved, mistakes=hours % 2)
    expected = training_of(whole)
    for order in permutations((left, right)):
        at_once, by_turns = tmp_path / f"{order[0].stem}.all.db", tmp_path / f"{order[0].stem}.turns.db"
        merged(tsume, at_once, order)
        for shard in order:
            merged(tsume, by_turns, [shard])
        merged(tsume, by_turns, [left, right])
        for into in (at_once, by_turns):
            has = training_of(into)
            for name in ("persons", "results", "problem_ratings", "training_runs"):
                assert has[name] == expected[name], name
            later = [card for card in training_of(right)["cards"] if card["due"] in _dues(has)]
            assert later == training_of(right)["cards"], "the later review of 3 is in the right one"
            assert len(has["cards"]) == 7


def _dues(told: dict[str, list[Any]]) -> set[datetime]:
    return {card["due"] for card in told["cards"]}


def test_two_persons_of_one_name_stay_two(tsume: Run, tmp_path: Path) -> None:
    clock = Clock()
    stores = [tmp_path / f"{number}.db" for number in range(3)]
    for number, path in enumerate(stores):
        filled(path)
        play(path, clock, "Taro", 1 + number)
        play(path, clock, "", 1 + number)
    for order in permutations(stores):
        into = tmp_path / f"{'-'.join(one.stem for one in order)}.db"
        told = merged(tsume, into, order)
        assert merged(tsume, into, order[:1]) is not None  # again changes nothing
        assert "the name Taro: the one who came later is now called Taro (2)" in told
        has = training_of(into)
        names = [(row["name"], row["name_key"]) for row in has["persons"]]
        assert sorted(names) == [("", ""), ("Taro", "taro"), ("Taro (2)", "taro (2)"), ("Taro (3)", "taro (3)")]
        results = [row["person_id"] for row in has["results"]]
        assert results == ["Taro", "", "Taro (2)", "", "Taro (3)", ""]
        with Store.open(into) as store:
            persons = Persons(store.training.persons)
            assert all(persons.sign_in(name, WORDS) for name in ("Taro", "Taro (2)", "Taro (3)"))


def test_results_of_problems_that_are_gone_are_kept(tsume: Run, tmp_path: Path) -> None:
    shard, other, into = (tmp_path / f"{name}.db" for name in ("shard", "other", "all"))
    filled(shard)
    filled(other)
    play(shard, Clock(), "Taro", 1, 2)
    with Store.open(shard) as store, store._sessions.writing() as session:
        session.execute(delete(THEMES).where(THEMES.c.problem_id == 1))
        session.execute(delete(PROBLEMS).where(PROBLEMS.c.id == 1))
    merged(tsume, into, [shard])
    first, second = training_of(into)["results"]
    assert (first["problem_id"], first["rated"], second["rated"]) == (None, False, True)
    assert first["canonical"]
    play(other, Clock(START + timedelta(days=2)), "", 3)
    merged(tsume, into, [other])
    linked = training_of(into)["results"][0]
    assert (linked["problem_id"], linked["rated"]) == (first["canonical"], True)


def test_what_finds_no_room_is_said(tsume: Run, tmp_path: Path) -> None:
    stores = [tmp_path / f"{number}.db" for number in range(2)]
    for number, path in enumerate(stores):
        tags = tuple(f"{number}-{one:02}" for one in range(60))
        book = Notebook(notes=f"{number}" * TEXTS["notes"], tags=tags)
        with Store.open(path) as store:
            store.add_all([Addition(replace(found(1, seed=1, root=1), provenance=None), book)])
    told = merged(tsume, tmp_path / "all.db", stores)
    assert "20 tags were left out" in told
    assert f"{TEXTS['notes'] + 1} characters of notes were left out" in told
