# SPDX-License-Identifier: GPL-3.0-or-later
"""Merging stores: list all copies, then write the missing ones to the destination."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import NamedTuple

from db.errors import StoreError
from db.notebook import MAX_TAGS, TEXTS, Notebook, NotebookEdit
from db.problem_rows import ProblemAddition
from db.runs import RunState, StoredRun
from db.selection import ProblemSelection
from db.store import Store, replace_problems
from db.stored_problem import StoredProblem
from db.training.log import TrainingLog
from db.training.merging import TrainingCounts, TrainingMerge
from db.training.records import CARDS, RESULTS, TRAINING_RUNS, PlayedRating, Rating
from tsume.files.exported import HASH, problem_fields
from tsume.training.persons import name_key
from tsume.training.ratings import UNRATED_MODES, current_rating, played_ratings
from tsume_rules.position import Position

# --- the order of the copies of a problem: the lowest stays ----------------------------------------

_NEWEST = 10**18
"""Larger than any recipe."""
DIGEST = 32
"""The length of the digest at the end of a rank."""


def copy_sort_key(problem: StoredProblem, place: int, digest: str) -> str:
    """Return the sort key of a copy: seed, length, root, place; then the newest recipe, and the content.

    Problems that no run composed are last. ``digest`` is a hash of the content: copies of one rank are
    interchangeable.
    """
    made = problem.provenance
    if made is None:
        return f"~ {problem.version} {problem.sfen} {digest}"
    numbers = (made.seed, problem.length, made.index, place, _NEWEST - (made.recipe or 0))
    texts = (f"{len(str(number)):03}{number}" for number in numbers)  # they sort as the numbers do
    return f"{' '.join(texts)} {made.version} {digest}"


# --- the copies of problems in a table on disk, which may be larger than memory --------------------

_AT_ONCE = 500
"""Copies recorded, and problems written, at once."""
DESTINATION = 0
"""The number of the store that is merged into; the others follow."""
_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE copies (canonical TEXT, rank TEXT, store INTEGER, id INTEGER, written INTEGER);
CREATE TABLE steps (rank TEXT, store INTEGER, id INTEGER, stored INTEGER, written TEXT);
CREATE TABLE versions (rank TEXT, store INTEGER, id INTEGER);
"""


class ProblemCopy(NamedTuple):
    """A problem in a store; ``written``: it has user data or a composer's record."""

    canonical: str
    rank: str
    store: int
    id: int
    written: bool


class AnnotatedCopy(NamedTuple):
    """A copy with user data; ``order``: the number of lower ranks."""

    store: int
    id: int
    order: int


@dataclass(frozen=True)
class MergeStep:
    """The copy ``id`` of ``store`` is to be written to the destination.

    There it replaces the problem ``stored``; None: it is new. ``written`` are the copies with user data.
    """

    rank: str
    store: int
    id: int
    stored: int | None
    written: tuple[AnnotatedCopy, ...] = ()


VersionAndRecipe = tuple[str, int | None]
"""Version and recipe of a problem; the recipe is None for imported and old ones."""


class MergeInventory:
    """Lists the copies of all stores, in a file in a folder; ``made`` counts versions and recipes in each store."""

    def __init__(self, folder: Path) -> None:
        self._database = sqlite3.connect(folder / "copies.db", isolation_level=None)
        self._database.executescript(_TABLES)
        self.made: dict[int, Counter[VersionAndRecipe]] = {}

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def add_store(self, number: int, store: Store, problems: Iterable[StoredProblem]) -> None:
        """Add the problems of a store, sorted by id."""
        identities = {run.id: run_identity(run) for run in store.runs.all()}
        found = self.made.setdefault(number, Counter())
        last: dict[tuple[int | None, int], tuple[int, int]] = {}
        left = iter(problems)
        while part := list(islice(left, _AT_ONCE)):
            found.update((one.version, one.provenance.recipe if one.provenance else None) for one in part)
            copies, versions = [], []
            for one in part:
                place = 0  # the index of the problem within its run and root
                if (made := one.provenance) is not None:
                    root, before = last.get((one.run_id, made.seed), (None, -1))
                    place = before + 1 if root == made.index else 0
                    last[one.run_id, made.seed] = made.index, place
                told = f"{problem_fields(one)[HASH]} {identities.get(one.run_id or 0)}"
                rank = copy_sort_key(one, place, sha256(told.encode()).hexdigest()[:DIGEST])
                written = replace(one.notebook, parent=None) != Notebook() or one.record is not None
                copies.append(ProblemCopy(one.canonical, rank, number, one.id, written))
                if one.notebook.parent is not None:
                    versions.append((rank, number, one.id))
            self._execute_many("INSERT INTO copies VALUES (?, ?, ?, ?, ?)", copies)
            self._execute_many("INSERT INTO versions VALUES (?, ?, ?)", versions)

    def plan(self) -> int:
        """Find the steps; return their number."""
        rows = self._database.execute("SELECT * FROM copies ORDER BY canonical, rank, store, id")
        found = groupby((ProblemCopy(*row) for row in rows), attrgetter("canonical"))
        steps = filter(None, (merge_step_of_copies(list(group)) for _, group in found))
        planned = ((one.rank, one.store, one.id, one.stored, json.dumps(one.written)) for one in steps)
        self._execute_many("INSERT INTO steps VALUES (?, ?, ?, ?, ?)", planned)
        return int(self._database.execute("SELECT count(*) FROM steps").fetchone()[0])

    def steps(self) -> Iterator[MergeStep]:
        """Yield the steps in the order of their ranks."""
        rows = self._database.execute("SELECT * FROM steps ORDER BY rank, store, id")
        for rank, store, number, stored, written in rows:
            copies = tuple(AnnotatedCopy(*one) for one in json.loads(written))
            yield MergeStep(rank, store, number, stored, copies)

    def versions(self) -> Iterator[list[tuple[int, int]]]:
        """Store and id of the problems that are versions of others, copies of one rank together."""
        rows = self._database.execute("SELECT rank, store, id FROM versions ORDER BY rank, store, id")
        for _, group in groupby(rows, itemgetter(0)):
            yield [(store, number) for _, store, number in group]

    def _execute_many(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        self._database.execute("BEGIN")
        self._database.executemany(statement, rows)
        self._database.execute("COMMIT")


def merge_step_of_copies(copies: list[ProblemCopy]) -> MergeStep | None:
    """Return the step for the copies of one problem, lowest rank first; None if nothing is to be done."""
    first = copies[0]
    stored = next((copy for copy in copies if copy.store == DESTINATION), None)
    if stored is not None and stored.rank[-DIGEST:] == first.rank[-DIGEST:]:  # interchangeable copies
        first = stored
    ranks = list(dict.fromkeys(copy.rank for copy in copies))
    written = tuple(AnnotatedCopy(copy.store, copy.id, ranks.index(copy.rank)) for copy in copies if copy.written)
    if first is stored and all(one.store == DESTINATION for one in written):
        return None
    return MergeStep(first.rank, first.store, first.id, None if stored is None else stored.id, written)


# --- the runs of merged stores: the destination keeps their options and totals ---------------------

RunIds = Mapping[tuple[int, int], int]
"""The id of a run in the destination, by store number and id there."""


def merge_runs(destination: Store, runs: Iterable[tuple[int, StoredRun]]) -> RunIds:
    """Write runs, each with the number of its store, to the destination's log; existing ones are kept.

    They are marked as merged: a run continues only in the store in which it began.
    """
    copies: dict[tuple[int, int, str], list[tuple[int, StoredRun]]] = {}
    for store, run in runs:
        copies.setdefault(run_identity(run), []).append((store, run))
    merged = {run_identity(run): run for run in destination.runs.all() if run.state is RunState.MERGED}
    ids: dict[tuple[int, int], int] = {}
    for identity, places in sorted(copies.items(), key=lambda one: one[0]):
        run = max((run for _, run in places), key=_run_progress)
        known = merged.get(identity)
        there = known or destination.runs.start(
            seed=run.seed, moves=run.moves, count=run.count, version=run.version, recipe=run.recipe or 0,
            options=run.options,
        )  # fmt: skip
        if known is None or _run_progress(known) < _run_progress(run):
            destination.runs.finish(there.id, RunState.MERGED, there.totals.next_root, run.totals)
        ids |= {(store, one.id): there.id for store, one in places}
    return ids


def run_identity(run: StoredRun) -> tuple[int, int, str]:
    """Return the identity of a run: seed, length, version, recipe and options."""
    options = [run.count, run.version, run.recipe or 0, run.options]
    return run.seed, run.moves, json.dumps(options, sort_keys=True)


def _run_progress(run: StoredRun) -> tuple[int, int, float]:
    return run.totals.next_root, run.totals.found, run.totals.elapsed


# --- merging notebooks: no user data is lost -------------------------------------------------------

_HEADLINES = ("title", "author", "source")


def merged_notebook(books: Sequence[Notebook]) -> tuple[Notebook, int, int]:
    """Return the first text of each kind, all tags, all notes; other titles, authors, sources become notes.

    The first notebook's tags and notes take precedence if there is no room for all; also return how many
    tags and how many characters of notes that leaves out.
    """
    texts = {name: next((getattr(b, name) for b in books if getattr(b, name)), "") for name in _HEADLINES}
    notes: list[str] = []
    for book in books:
        headlines = [(name, getattr(book, name)) for name in _HEADLINES]
        others = [f"{name}: {text}" for name, text in headlines if text not in ("", texts[name])]
        for note in (book.notes, *others):
            if not set(note.split("\n")) <= {line for kept in notes for line in kept.split("\n")} | {""}:
                notes.append(note)
    tags = list(dict.fromkeys(tag for book in books for tag in book.tags))
    all_notes = "\n".join(notes).strip()
    told, kept = all_notes[: TEXTS["notes"]].strip(), tuple(sorted(tags[:MAX_TAGS]))
    merged = Notebook(texts["title"], texts["author"], texts["source"], told, kept)
    return merged, len(tags) - len(kept), len(all_notes) - len(told)


# --- merging stores --------------------------------------------------------------------------------

_OPEN = 32
"""Stores that are open at once."""


class StorePool:
    """The destination and the shards by number; a limited number is open at once."""

    def __init__(self, stores: Sequence[Store]) -> None:
        self._stores = stores
        self._open: dict[int, None] = {}

    def __getitem__(self, number: int) -> Store:
        self._open.pop(number, None)
        self._open[number] = None
        if len(self._open) > _OPEN:
            oldest = next(one for one in self._open if one != DESTINATION)
            del self._open[oldest]
            self._stores[oldest].close()
        return self._stores[number]

    def __iter__(self) -> Iterator[tuple[int, Store]]:
        return ((number, self[number]) for number in range(len(self._stores)))


class Merger:
    """Executes steps, several in each transaction; an interrupted merge can be repeated."""

    def __init__(self, stores: StorePool) -> None:
        self._stores = stores
        self._runs: RunIds = {}
        self.merged = Counter[str]()
        """The numbers of problems that are new, replaced, noted (they only got user data); of what had no room or
        place: tags, characters of notes, and versions, which would be versions of themselves."""
        self.done = 0
        """Steps done."""

    @property
    def name(self) -> str:
        """The destination's name."""
        return self._stores[DESTINATION].name

    def written(self, steps: Iterable[MergeStep]) -> Iterator[MergeStep]:
        """Write the runs, then take steps in their order; yield each that is done. Raises StoreError."""
        shards = ((number, store) for number, store in self._stores if number != DESTINATION)
        runs = ((number, run) for number, store in shards for run in store.runs.all())
        self._runs = merge_runs(self._stores[DESTINATION], runs)
        left = iter(steps)
        while part := list(islice(left, _AT_ONCE)):
            self._merge_steps(part)
            self.done += len(part)
            yield from part

    def _merge_steps(self, steps: list[MergeStep]) -> None:
        problems = self._problems(steps)
        new: list[ProblemAddition] = []
        replacements: list[tuple[int, ProblemAddition]] = []
        edits: list[tuple[int, NotebookEdit]] = []
        for step in steps:
            addition = self._addition(step, problems)
            there = None if step.stored is None else problems[DESTINATION, step.stored]
            if there is None:
                new.append(addition)
                continue
            if step.store != DESTINATION or addition.problem.record != there.record:
                replacements.append((there.id, addition))
            # The edit that turns its notebook into the merged one.
            book, wanted = there.notebook, addition.notebook
            pairs = ((name, getattr(book, name), getattr(wanted, name)) for name in (*_HEADLINES, "notes"))
            texts = {name: text for name, known, text in pairs if text != known}
            tags = tuple(tag for tag in wanted.tags if tag not in book.tags)
            if texts or tags:
                edits.append((there.id, NotebookEdit(**texts, tags=tags)))
                self.merged["noted"] += step.store == DESTINATION
        destination = self._stores[DESTINATION]
        if new:
            self.merged["new"] += sum(one.is_new for one in destination.add_all(new))
        if replacements:
            replace_problems(destination, replacements)
            self.merged["replaced"] += len(replacements)
        for number, edit in edits:
            destination.edit([number], edit)

    def _problems(self, steps: list[MergeStep]) -> dict[tuple[int, int], StoredProblem]:
        wanted: dict[int, set[int]] = {}
        for step in steps:
            there = () if step.stored is None else ((DESTINATION, step.stored),)
            written = ((one.store, one.id) for one in step.written)
            for store, number in ((step.store, step.id), *written, *there):
                wanted.setdefault(store, set()).add(number)
        return {
            (store, problem.id): problem
            for store, numbers in sorted(wanted.items())
            for problem in _problems_by_id(self._stores[store], sorted(numbers))
        }

    def _addition(self, step: MergeStep, problems: dict[tuple[int, int], StoredProblem]) -> ProblemAddition:
        """Return the copy that stays, with the user data of all; the destination's own comes first."""

        def age(copy: tuple[int, StoredProblem]) -> tuple[object, ...]:
            # By texts too: the order of the stores makes no difference.
            order, problem = copy
            book = problem.notebook
            texts = (book.title, book.author, book.source, book.notes)
            return (order, *texts, book.tags, problem.record or "")

        kept = problems[step.store, step.id]
        written = [(one, problems[one.store, one.id]) for one in step.written]
        own = [problem for one, problem in written if one.store == DESTINATION]
        others = sorted([(one.order, problem) for one, problem in written if one.store != DESTINATION], key=age)
        copies = [*own, *(problem for _, problem in others)]
        record = next((one.record for one in (kept, *copies) if one.record is not None), None)
        run_id = kept.run_id
        if step.store != DESTINATION and run_id is not None:
            run_id = self._runs.get((step.store, run_id))
        notebook, tags, notes = merged_notebook([one.notebook for one in copies])
        self.merged["tags"] += tags
        self.merged["notes"] += notes
        return ProblemAddition(replace(kept.problem, record=record), notebook, kept.version, run_id)

    def link_versions(self, versions: Iterable[list[tuple[int, int]]]) -> None:
        """Set parents of problems from the shards where the destination has none."""
        into = self._stores[DESTINATION]
        for copies in versions:
            links = set()  # the ids in the destination of a shard's problem and of its parent
            for store, number in copies:
                if store != DESTINATION:
                    (child,) = _problems_by_id(self._stores[store], [number])
                    parent = self._stores[store].get(child.notebook.parent or 0)
                    if parent is not None:
                        links.add((_stored_id_of(into, child.position), _stored_id_of(into, parent.position)))
            for number, parent_id in sorted(links)[:1]:  # of copies that are alike
                there = into.get(number)
                if there is not None and there.notebook.parent is None and number != parent_id:
                    try:
                        into.edit([number], NotebookEdit(parent=parent_id, moves=True))
                    except StoreError:  # that would make a cycle
                        self.merged["versions"] += 1


def _problems_by_id(store: Store, numbers: Sequence[int]) -> Iterator[StoredProblem]:
    """Yield playable problems. Raises StoreError, also for a deleted one."""
    found = 0
    for problem in store.find(ProblemSelection(ids=numbers)):
        found += 1
        yield store.playable(problem)
    if found != len(numbers):
        raise StoreError(f"{store.name}: problems were removed during the merge")


def _stored_id_of(store: Store, position: Position) -> int:
    number = store.id_of(position)
    if number is None:
        raise StoreError(f"{store.name}: problems were removed during the merge")
    return number


# --- what a merge does with each table of a store --------------------------------------------------

MERGED = frozenset(
    {
        "problems", "problem_themes", "problem_tags", "feature_sets", "runs", "rejections",
        "persons", "results", "problem_ratings", "cards", "training_runs",
    }
)  # fmt: skip
"""Tables whose content is taken over."""
LEFT = ("run_lines", "problem_trees", "sessions", "classes", "class_pupils", "class_problems")
"""Tables that stay behind: with `run_lines` a run is resumed, in its own store; trees are made again when
somebody opens them; browsers sign in again; persons of another server have not agreed to a teacher here."""


def remaining_row_counts(store: Store) -> dict[str, int]:
    """Return the numbers of rows that stay behind, by table; empty tables are omitted."""
    return {name: number for name, number in store.row_counts(LEFT).items() if number}


# --- copying some problems of a store into a new one, with their runs, themes and notebooks --------

_SOURCE = 1


def copy_problems(source: Store, destination: Store, problem_ids: Sequence[int]) -> None:
    """Copy the problems with these ids, in their order, into an empty store.

    A problem stays a version of another one if that is copied too. Raises `db.errors.StoreError`.
    """
    merger = Merger(StorePool([destination, source]))
    steps = (MergeStep("", _SOURCE, one, None, (AnnotatedCopy(_SOURCE, one, 0),)) for one in problem_ids)
    for _ in merger.written(steps):
        pass
    copied = set(problem_ids)
    found = source.find(ProblemSelection(ids=problem_ids))
    merger.link_versions([[(_SOURCE, one.id)] for one in found if one.notebook.parent in copied])


# --- merging training: persons, results, runs and repetitions are taken over; ratings follow from results ---


def merge_training(stores: StorePool) -> TrainingCounts:
    """Merge what the stores have of training, after their problems. Raises `db.errors.StoreError`."""

    def others() -> Iterator[tuple[int, TrainingLog]]:
        return ((number, store.training) for number, store in stores if number != DESTINATION)

    persons = [one for number, training in others() for one in training.persons_to_merge(number)]
    with stores[DESTINATION].training.merging() as merge:
        merge.add_persons(persons, name_key)
        for number, training in others():
            merge.add_results(number, training.rows_to_merge(RESULTS))
            merge.add_runs(number, training.rows_to_merge(TRAINING_RUNS))
            merge.add_cards(number, training.rows_to_merge(CARDS))
        if merge.counts.results:
            merge.sort_results()
            recompute_ratings(merge)
    return merge.counts


def recompute_ratings(merge: TrainingMerge) -> None:
    """Compute all ratings from all results in the order of time, as `tsume.training.trainer.Trainer` does.

    A result whose problem is gone does not count: the score of the problem is not known any more.
    """
    persons: dict[int, tuple[Rating, datetime | None]] = {}
    rated_persons: dict[int, tuple[Rating, datetime]] = {}
    problems: dict[int, PlayedRating] = {}
    seen: set[tuple[int, int]] = set()
    for one in merge.results():
        rating, last = persons.setdefault(one.person, (Rating(), None))
        is_rated = False
        if one.problem is not None and one.score is not None:
            is_rated = (one.person, one.problem) not in seen and one.mode not in UNRATED_MODES
            seen.add((one.person, one.problem))
            if is_rated:
                played = problems.get(one.problem)
                problem = current_rating(one.score, played)
                rating, problem = played_ratings(rating, last, problem, one.ended_at, clean=one.clean)
                persons[one.person] = rated_persons[one.person] = rating, one.ended_at
                problems[one.problem] = PlayedRating(problem, 1 + (played.plays if played else 0))
        if (is_rated, rating.rating) != (one.rated, one.rating):
            merge.write_result(one.id, rating.rating, rated=is_rated)
    merge.write_ratings(rated_persons, problems)
