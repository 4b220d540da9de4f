# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume merge: which copy stays, in which order, and what comes along."""

import random
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

pytest.importorskip("fsrs", reason="tsume-shogi[web] is not installed")

from sqlalchemy import delete, insert, select

from db.models import PROBLEMS, RUN_LINES, TAGS, THEMES, Base
from db.notebook import MAX_TAGS, TEXTS, Notebook, NotebookEdit
from db.problem_rows import ProblemAddition
from db.runs import RunState, RunTotals
from db.store import Store, StoredTree, StoredTrees
from db.training.records import CARDS, PERSONS, PROBLEM_RATINGS, RESULTS, TRAINING_RUNS, Outcome
from generator.problem import GENERATOR_VERSION, Problem, Provenance
from tests.db.conftest import postgresql  # noqa: F401
from tests.db.samples import problem
from tests.postgresql import Server
from tests.tsume.conftest import Run, present, problems_of, refused
from tsume import __version__
from tsume.merging import LEFT, MERGED, Merger, MergeStep
from tsume.training.persons import Persons
from tsume.training.trainer import Trainer
from tsume_rules.moves import parse_move
from tsume_rules.sfen import canonical_sfen, format_sfen, mirrored_sfen, parse_sfen

Put = Callable[..., Path]


def playable(index: int, *, mirror: bool = False) -> Problem:
    """Sample ``index``, or its mirror image, with a line of one move that can be played."""
    one = problem(index, themes=("decoy",))
    sfen = format_sfen(one.position)
    move = "4i5i" if mirror else "6i5i"
    position = parse_sfen(mirrored_sfen(sfen) if mirror else sfen).position
    return replace(one, position=position, judgement=replace(one.judgement, line=(parse_move(move),)))


def found(index: int, *, seed: int, root: int, mirror: bool = False, recipe: int | None = GENERATOR_VERSION) -> Problem:
    """Such a problem as if a root of a run had found it."""
    made = Provenance(seed, root, __version__, recipe)
    return replace(playable(index, mirror=mirror), provenance=made)


def imported(index: int) -> Problem:
    return replace(playable(index), provenance=None)


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Make a store of problems, or of additions, in this order; those of one seed are of one run."""

    def put(name: str, *items: Problem | ProblemAddition) -> Path:
        path = tmp_path / name
        additions = [one if isinstance(one, ProblemAddition) else ProblemAddition(one) for one in items]
        with Store.open(path) as store:
            runs: dict[int, int] = {}
            for seed in {a.problem.provenance.seed for a in additions if a.problem.provenance}:
                asked: dict[str, Any] = {"seed": seed, "moves": 3, "count": 9, "options": {"beam": 5}}
                runs[seed] = store.runs.start(**asked, version=__version__, recipe=GENERATOR_VERSION).id
                did = RunTotals(next_root=seed % 100 + 10, found=3, counters={"candidates": 7})
                store.runs.finish(runs[seed], RunState.STOPPED, 0, did)
            for one in additions:
                made = one.problem.provenance
                run_id = None if made is None else runs[made.seed]
                store.add_all([replace(one, run_id=run_id, version=one.version or "0.0.9")])
        return path

    return put


def merged(tsume: Run, into: Path, shards: Iterable[Path], *, status: int = 0) -> str:
    done = tsume("merge", *shards, "--db", into, status=status)
    assert done.stdout == ""
    return done.stderr


def exported(tsume: Run, place: Path) -> str:
    return str(tsume("export", "--format", "jsonl", "--db", place, status=0).stdout)


def kept(place: Path) -> list[tuple[int | None, int | None, str]]:
    """Seed, root and position of each problem, by id."""
    found = [(one.provenance, one.sfen) for one in problems_of(place)]
    return [(made.seed, made.index, sfen) if made else (None, None, sfen) for made, sfen in found]


def origins(place: Path) -> list[tuple[int | None, int | None]]:
    return [(seed, root) for seed, root, _ in kept(place)]


# --- which copy stays -------------------------------------------------------------------------------


def test_the_lowest_seed_root_and_place_stays(tsume: Run, put: Put, tmp_path: Path) -> None:
    late = put("late.db", found(1, seed=9, root=0), found(2, seed=9, root=3), found(3, seed=9, root=4))
    early = put("early.db", found(4, seed=2, root=1), found(1, seed=2, root=7, mirror=True))
    other = put("other.db", found(2, seed=9, root=2), found(4, seed=10, root=0))
    into = tmp_path / "all.db"
    told = merged(tsume, into, [late, early, other])
    assert origins(into) == [(2, 1), (2, 7), (9, 2), (9, 4)]
    assert kept(into)[1] == kept(early)[1]
    assert "7 problems read, 4 new, 0 replaced" in told.splitlines()[-1]
    one = put("one.db", *(found(index, seed=1, root=5) for index in (30, 10, 20)))
    merged(tsume, tmp_path / "all2.db", [one])
    assert exported(tsume, tmp_path / "all2.db") == exported(tsume, one)


def test_any_order_of_the_stores_gives_the_same(
    tsume: Run, put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    randomness = random.Random(7)
    shards = []
    for number in range(3):
        indices = randomness.sample(range(40), 20)
        made = [
            found(index, seed=randomness.choice((1, 10, 9, 2**127)), root=index % 7, mirror=index % 2 > 0)
            for index in indices
        ]
        books = [Notebook(title=f"{number} of {one}", tags=(f"t{number}",)) for one in indices]
        plain = [imported(index) for index in randomness.sample(range(60), 10)]
        both = [ProblemAddition(one, book) for one, book in zip(made, books, strict=True)]
        shards.append(put(f"{number}.db", *both[:12], *plain, *both[12:]))
    results = set()
    for number, order in enumerate(permutations(shards)):
        monkeypatch.setattr("tsume.merging._OPEN", 2 if number % 2 else 64)
        merged(tsume, tmp_path / f"all{number}.db", order)
        results.add(exported(tsume, tmp_path / f"all{number}.db"))
    assert len(results) == 1
    seeds = [seed for seed, _ in origins(tmp_path / "all0.db")]
    numbered = [seed for seed in seeds if seed is not None]
    assert numbered == sorted(numbered)
    assert seeds == [*numbered, *[None] * (len(seeds) - len(numbered))]


def test_problems_of_no_run_come_last_and_newer_recipes_stay(tsume: Run, put: Put, tmp_path: Path) -> None:
    by_hand = replace(imported(1), record=None)
    people = put("people.db", ProblemAddition(by_hand, Notebook(title="曙光", author="無名")))
    runs = put("runs.db", found(1, seed=3, root=0))
    into = tmp_path / "all.db"
    merged(tsume, into, [people, runs])
    with Store.open(into, create=False) as store:
        (one,) = store.find()
    assert one.provenance == Provenance(3, 0, __version__, GENERATOR_VERSION)
    assert (one.notebook.title, one.notebook.author) == ("曙光", "無名")
    old = put("old.db", found(1, seed=3, root=0, recipe=None), found(2, seed=3, root=1, recipe=1))
    new = put("new.db", found(1, seed=3, root=0))
    into = tmp_path / "all2.db"
    told = merged(tsume, into, [old, new])
    with Store.open(into, create=False) as store:
        assert [one.provenance and one.provenance.recipe for one in store.find()] == [GENERATOR_VERSION, 1]
    this = f"tsume {__version__}, generator version {GENERATOR_VERSION}"
    assert f"{old}: 1 problems were made by tsume {__version__}, generator version 1; this is {this}" in told


# --- a destination that has problems -----------------------------------------------------------------


def test_problems_that_are_there_take_part_and_keep_their_numbers(tsume: Run, put: Put) -> None:
    into = put("all.db", found(1, seed=5, root=0), found(2, seed=5, root=1), found(3, seed=5, root=2))
    shard = put("shard.db", found(2, seed=4, root=9, mirror=True), found(3, seed=6, root=0), found(8, seed=1, root=0))
    with Store.open(into) as store:
        store.edit([2], NotebookEdit(title="kept", notes="mine"))
    told = merged(tsume, into, [shard])
    assert origins(into) == [(5, 0), (4, 9), (5, 2), (1, 0)]
    assert kept(into)[1][2] == kept(shard)[0][2]
    with Store.open(into) as store:
        two = present(store.get(2))
        assert (two.notebook.title, two.notebook.notes, two.themes) == ("kept", "mine", ("decoy",))
        assert two.canonical == problem_canonical(2)
    assert "3 problems read, 1 new, 1 replaced" in told


def problem_canonical(index: int) -> str:
    return canonical_sfen(problem(index).position)


def test_one_after_the_other_gives_the_problems_of_all_at_once_and_again_changes_nothing(
    tsume: Run, put: Put, tmp_path: Path
) -> None:
    books = (Notebook(), Notebook(title="A", tags=("x",)), Notebook(title="B", notes="n", author="C"))
    shards = [
        put(f"{seed}.db", ProblemAddition(found(30, seed=seed, root=0), book),
            *(found(index, seed=seed, root=index) for index in range(seed, seed + 9)))
        for seed, book in zip((3, 1, 2), books, strict=True)
    ]  # fmt: skip
    for shard in shards:
        merged(tsume, tmp_path / "one.db", [shard])
    into = tmp_path / "all.db"
    merged(tsume, into, shards)
    assert sorted(kept(tmp_path / "one.db"), key=str) == sorted(kept(into), key=str)
    before = exported(tsume, into)
    told = merged(tsume, into, reversed(shards))
    assert "0 new, 0 replaced later finds, 0 added" in told
    assert exported(tsume, into) == before
    with Store.open(into) as store:
        assert len(store.runs.all()) == 3


def test_a_merge_is_continued(tsume: Run, put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shards = [put(f"{seed}.db", *(found(index, seed=seed, root=index) for index in range(30))) for seed in (1, 2)]
    whole, into = tmp_path / "whole.db", tmp_path / "all.db"
    merged(tsume, whole, shards)
    monkeypatch.setattr("tsume.merging._AT_ONCE", 10)
    really = Merger._merge_steps

    def stopping(merger: Merger, steps: list[MergeStep]) -> None:
        if merger.done == 20:
            raise KeyboardInterrupt
        really(merger, steps)

    monkeypatch.setattr(Merger, "_merge_steps", stopping)
    told = merged(tsume, into, shards, status=130)
    assert told.splitlines()[-1] == "interrupted after 20 of 30 problems; run the same command to continue"
    assert len(kept(into)) == 20
    monkeypatch.undo()
    merged(tsume, into, shards)
    assert exported(tsume, into) == exported(tsume, whole)


# --- what comes along --------------------------------------------------------------------------------


def test_nothing_that_was_written_is_lost(tsume: Run, put: Put, tmp_path: Path) -> None:
    first = Notebook("A", "", "S", "one\ntwo", tuple(f"a{n:02}" for n in range(60)))
    later = Notebook("B", "C", "S", "two", tuple(f"b{n:02}" for n in range(60)))
    shards = [
        put("1.db", ProblemAddition(found(1, seed=1, root=0), first)),
        put("2.db", ProblemAddition(found(1, seed=2, root=0), later)),
    ]
    for order in permutations(shards):
        into = tmp_path / f"{order[0].stem}-first.db"
        merged(tsume, into, order)
        with Store.open(into) as store:
            (one,) = store.find()
        book = one.notebook
        assert (book.title, book.author, book.source) == ("A", "C", "S")
        assert book.notes.splitlines() == ["one", "two", "title: B"]
        assert len(book.tags) == MAX_TAGS


def test_one_run_in_two_places_is_one(tsume: Run, put: Put, tmp_path: Path) -> None:
    stores = [put(f"{name}.db", found(1, seed=1, root=0), found(2, seed=1, root=1)) for name in "ab"]
    for place, title in zip(stores, ("A", "B"), strict=True):
        with Store.open(place) as store:
            store.edit([1], NotebookEdit(title=title))
    results = set()
    for order in permutations(stores):
        into = tmp_path / f"{order[0].stem}-first.db"
        merged(tsume, into, order)
        results.add(exported(tsume, into))
        with Store.open(into) as store:
            assert len(store.runs.all()) == 1
            (one, _) = store.find()
            assert (one.notebook.title, one.notebook.notes) == ("A", "title: B")
    assert len(results) == 1


def test_a_composers_record_stays(tsume: Run, tmp_path: Path, made: Path) -> None:
    kif = tmp_path / "own.kif"
    tsume("export", "--format", "kif", "--id", 4, "--db", made, "-o", kif)
    people = tmp_path / "people.db"
    assert tsume("import", kif, "--db", people).exit_code == 0
    into = tmp_path / "all.db"
    merged(tsume, into, [made, people])
    with Store.open(people) as store:
        (own,) = store.find()
    with Store.open(into) as store:
        records = [one.record for one in store.find() if one.record is not None]
    assert own.record is not None
    assert records == [own.record]


def test_versions_are_linked_by_their_new_numbers(tsume: Run, put: Put, tmp_path: Path) -> None:
    shard = put("shard.db", found(7, seed=9, root=0), found(1, seed=9, root=1))
    with Store.open(shard) as store:
        store.edit([2], NotebookEdit(parent=1, moves=True))
    other = put("other.db", *(found(index, seed=1, root=index) for index in (1, 2, 3)))
    into = tmp_path / "all.db"
    merged(tsume, into, [shard, other])
    with Store.open(into) as store:
        parents = {one.canonical: one.notebook.parent for one in store.find()}
        seven = next(one.id for one in store.find() if one.canonical == problem_canonical(7))
    assert parents[problem_canonical(1)] == seven
    assert sum(parent is not None for parent in parents.values()) == 1


def test_runs_come_along_and_are_resumed_at_home(tsume: Run, put: Put, tmp_path: Path) -> None:
    shards = [put(f"{seed}.db", found(seed, seed=seed, root=2)) for seed in (8, 4)]
    into = tmp_path / "all.db"
    merged(tsume, into, shards)
    with Store.open(into) as store:
        runs = store.runs.all()
        assert [(run.seed, run.state, run.totals.next_root) for run in runs] == [
            (4, RunState.MERGED, 14), (8, RunState.MERGED, 18),
        ]  # fmt: skip
        assert runs[0].options == {"beam": 5}
        assert [one.run_id for one in store.find()] == [1, 2]
        assert store.stats().candidates == 14
    done = tsume("runs", "resume", 1, "--db", into, status=1)
    assert done.stderr == "Error: run 1 came from another store: resume it there and merge that store again\n"
    assert "merged from another store" in tsume("runs", "list", "--db", into).stdout


# --- what cannot be merged ---------------------------------------------------------------------------


def test_what_cannot_be_merged_is_refused_before_anything_is_made(tsume: Run, put: Put, tmp_path: Path) -> None:
    good = put("good.db", found(1, seed=1, root=0))
    (tmp_path / "text.db").write_text("no database\n" * 100)
    for bad in (tmp_path / "none.db", tmp_path / "text.db"):
        line = refused(tsume, "merge", good, bad, "--db", tmp_path / "all.db")
        assert line.startswith(f"Error: {bad}: ")
        assert not (tmp_path / "all.db").exists()
    (tmp_path / "link.db").symlink_to(good)
    for name in (good, f"sqlite:///{good}", tmp_path / "link.db"):
        assert "is the store given by --db" in tsume("merge", name, "--db", good, status=2).stderr
    assert tsume("merge", "--db", good).exit_code == 2


# --- tsume merge: persons with their results, ratings, repetitions and runs ---------------------


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
        store.runs.finish(run.id, RunState.STOPPED, 0, RunTotals(next_root=9, rejections={"cook": 3}))
        store.add_all([ProblemAddition(found(n, seed=1, root=n), run_id=run.id) for n in samples])


def play(path: Path | str, clock: Clock, name: str, *solved: int, mode: str = "training", mistakes: int = 0) -> None:
    """Let a person solve samples; a new one signs up. The empty name is the person of the machine."""
    with Store.open(path) as store:
        persons = Persons(store.training.persons, clock)
        person = store.training.persons.named(name.lower()) if name else persons.unnamed()
        if person is None:
            person, _ = persons.sign_up(name, WORDS)
        for sample in solved:
            number = present(store.id_of(found(sample, seed=1, root=0).position))
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
        person = present(store.training.persons.named("taro"))
        Trainer(store, clock).record_run(person, "timed", 5, 180)
        StoredTrees(store).save([StoredTree(1, "key", b"tree")])
        with store._sessions.writing() as session:
            session.execute(insert(TAGS).values(problem_id=1, tag="x"))
            session.execute(insert(RUN_LINES).values(run_id=1, root=1, key=1))
        store.training.classes.add(person.id, "Monday", "monday", "aa", "bb", clock())
        store.training.classes.set_list(person.id, 1, "", [1, 2])
        store.training.classes.join(1, store.training.persons.stored_unnamed(clock()).id, clock())
    told = merged(tsume, into, [shard])
    tables = Base.metadata.tables.keys()
    assert set(tables) == MERGED | set(LEFT), "say in tsume/merging.py what a merge does with a table"
    with Store.open(shard) as before, Store.open(into) as after:
        had, has = before.row_counts(sorted(tables)), after.row_counts(sorted(tables))
    assert min(had.values()) > 0
    assert has == {**had, **dict.fromkeys(LEFT, 0)}
    assert f"{into}: 2 persons, 2 results, 1 timed or survival runs and 2 repetitions added" in told
    assert f"{shard}: 1 lines of runs are not copied" in told
    assert f"{shard}: 1 trees of replies are not copied" in told
    assert f"{shard}: 1 sign-ins are not copied" in told
    assert f"{shard}: 1 classes are not copied" in told


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
        tsume("merge", shard, "--db", into, status=0)
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
            later = [
                card for card in training_of(right)["cards"] if card["due"] in {card["due"] for card in has["cards"]}
            ]
            assert later == training_of(right)["cards"], "the later review of 3 is in the right one"
            assert len(has["cards"]) == 7


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
            store.add_all([ProblemAddition(replace(found(1, seed=1, root=1), provenance=None), book)])
    told = merged(tsume, tmp_path / "all.db", stores)
    assert "20 tags were left out" in told
    assert f"{TEXTS['notes'] + 1} characters of notes were left out" in told
