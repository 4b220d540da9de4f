# SPDX-License-Identifier: GPL-3.0-or-later
"""tsume merge: which copy stays, in which order, and what comes along."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from db.notebook import MAX_TAGS, Notebook, NotebookEdit
from db.problem_rows import Addition
from db.runs import RunState, Totals
from db.store import Store
from generator.problem import GENERATOR_VERSION, Problem, Provenance
from tests.db.samples import problem
from tests.tsume.conftest import Run
from tsume import __version__
from tsume.merging import Merger, MergeStep
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

    def put(name: str, *items: Problem | Addition) -> Path:
        path = tmp_path / name
        additions = [one if isinstance(one, Addition) else Addition(one) for one in items]
        with Store.open(path) as store:
            runs: dict[int, int] = {}
            for seed in {a.problem.provenance.seed for a in additions if a.problem.provenance}:
                asked: dict[str, Any] = {"seed": seed, "moves": 3, "count": 9, "options": {"beam": 5}}
                runs[seed] = store.runs.start(**asked, version=__version__, recipe=GENERATOR_VERSION).id
                did = Totals(next_root=seed % 100 + 10, found=3, counters={"candidates": 7})
                store.runs.finish(runs[seed], RunState.STOPPED, 0, did)
            for one in additions:
                made = one.problem.provenance
                run_id = None if made is None else runs[made.seed]
                store.add_all([replace(one, run_id=run_id, version=one.version or "0.0.9")])
        return path

    return put


def merged(tsume: Run, into: Path, shards: Iterable[Path], *, status: int = 0) -> str:
    done = tsume("merge", *shards, "--db", into)
    assert done.exit_code == status, done.output
    assert done.stdout == ""
    return done.stderr


def exported(tsume: Run, place: Path) -> str:
    done = tsume("export", "--format", "jsonl", "--db", place)
    assert done.exit_code == 0
    return done.stdout


def kept(place: Path) -> list[tuple[int | None, int | None, str]]:
    """Seed, root and position of each problem, by id."""
    with Store.open(place, create=False) as store:
        found = [(one.provenance, one.sfen) for one in store.find()]
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


def test_any_order_of_the_stores_gives_the_same(tsume: Run, put: Put, tmp_path: Path) -> None:
    randomness = random.Random(7)
    shards = []
    for number in range(4):
        indices = randomness.sample(range(40), 20)
        made = [
            found(index, seed=randomness.choice((1, 10, 9, 2**127)), root=index % 7, mirror=index % 2 > 0)
            for index in indices
        ]
        books = [Notebook(title=f"{number} of {one}", tags=(f"t{number}",)) for one in indices]
        plain = [imported(index) for index in randomness.sample(range(60), 10)]
        both = [Addition(one, book) for one, book in zip(made, books, strict=True)]
        shards.append(put(f"{number}.db", *both[:12], *plain, *both[12:]))
    results = set()
    for number, order in enumerate(permutations(shards)):
        if number % 3 == 0:
            into = tmp_path / f"all{number}.db"
            merged(tsume, into, order)
            results.add(exported(tsume, into))
    assert len(results) == 1
    seeds = [seed for seed, _ in origins(into)]
    numbered = [seed for seed in seeds if seed is not None]
    assert numbered == sorted(numbered)
    assert seeds == [*numbered, *[None] * (len(seeds) - len(numbered))]


def test_problems_of_no_run_come_last_and_newer_recipes_stay(tsume: Run, put: Put, tmp_path: Path) -> None:
    by_hand = replace(imported(1), record=None)
    people = put("people.db", Addition(by_hand, Notebook(title="曙光", author="無名")))
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
        two = store.get(2)
        assert two is not None
        assert (two.notebook.title, two.notebook.notes, two.themes) == ("kept", "mine", ("decoy",))
        assert two.canonical == problem_canonical(2)
    assert "3 problems read, 1 new, 1 replaced" in told


def problem_canonical(index: int) -> str:
    return canonical_sfen(problem(index).position)


def test_one_after_the_other_gives_the_problems_of_all_at_once(tsume: Run, put: Put, tmp_path: Path) -> None:
    shards = [
        put(f"{seed}.db", *(found(index, seed=seed, root=index) for index in range(seed, seed + 9)))
        for seed in (3, 1, 2)
    ]
    for shard in shards:
        merged(tsume, tmp_path / "one.db", [shard])
    merged(tsume, tmp_path / "all.db", shards)
    assert sorted(kept(tmp_path / "one.db"), key=str) == sorted(kept(tmp_path / "all.db"), key=str)


def test_again_changes_nothing(tsume: Run, put: Put, tmp_path: Path) -> None:
    books = (Notebook(title="A", tags=("x",)), Notebook(title="B", notes="n", author="C"))
    shards = [
        put(f"{seed}.db", Addition(found(1, seed=seed, root=0), book), found(seed, seed=seed, root=1))
        for seed, book in zip((3, 2), books, strict=True)
    ]
    into = tmp_path / "all.db"
    merged(tsume, into, shards)
    before = exported(tsume, into)
    told = merged(tsume, into, reversed(shards))
    assert "0 new, 0 replaced later finds, 0 added" in told
    assert exported(tsume, into) == before
    with Store.open(into) as store:
        assert len(store.runs.all()) == 2


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
        put("1.db", Addition(found(1, seed=1, root=0), first)),
        put("2.db", Addition(found(1, seed=2, root=0), later)),
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
    done = tsume("runs", "resume", 1, "--db", into)
    assert done.exit_code == 1
    assert done.stderr == "Error: run 1 came from another store: resume it there and merge that store again\n"
    assert "merged from another store" in tsume("runs", "list", "--db", into).stdout


def test_few_stores_are_open(tsume: Run, put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsume.merging._OPEN", 2)
    shards = [put(f"{seed}.db", found(seed, seed=9 - seed, root=0)) for seed in range(7)]
    merged(tsume, tmp_path / "all.db", shards)
    assert origins(tmp_path / "all.db") == [(seed, 0) for seed in range(3, 10)]


# --- what cannot be merged ---------------------------------------------------------------------------


def faults(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "text.db").write_text("no database\n" * 100)
    yield from (tmp_path / "none.db", tmp_path / "text.db")


def test_what_cannot_be_merged_is_refused_before_anything_is_made(tsume: Run, put: Put, tmp_path: Path) -> None:
    good = put("good.db", found(1, seed=1, root=0))
    for bad in faults(tmp_path):
        done = tsume("merge", good, bad, "--db", tmp_path / "all.db")
        assert done.exit_code == 1
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"Error: {bad}: ")
        assert not (tmp_path / "all.db").exists()
    one = put("one.db", found(1, seed=1, root=0))
    (tmp_path / "link.db").symlink_to(one)
    for name in (one, f"sqlite:///{one}", tmp_path / "link.db"):
        done = tsume("merge", name, "--db", one)
        assert done.exit_code == 2
        assert "is the store given by --db" in done.stderr
    assert tsume("merge", "--db", one).exit_code == 2
