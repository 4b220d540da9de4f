# SPDX-License-Identifier: GPL-3.0-or-later
"""Merging training: the persons of other stores with their results, runs and repetitions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import count, islice
from typing import Any

from sqlalchemy import Table, func, insert, select, update
from sqlalchemy.orm import Session

from db.errors import require_finite
from db.models import PROBLEMS
from db.problem_rows import stored_ids_by_sfen
from db.query import READ_AT_ONCE
from db.training import records

_AT_ONCE = 500
_RESULT = ("canonical", "mode", "day", "ended_at", "solved", "moves", "mistakes", "hints", "seconds")
"""What one result has in all stores; ratings depend on the other results."""
_RUN = ("mode", "solved", "seconds", "ended_at")


@dataclass(frozen=True)
class MergedPerson:
    """A person of a store to be merged: the number of the store, the id there, and the other columns."""

    store: int
    id: int
    values: Mapping[str, Any]

    @property
    def identity(self) -> tuple[str, str]:
        """Salt and hash of the passphrase, which no two persons share; the name of the unnamed person."""
        return person_identity(self.values)


def person_identity(values: Mapping[str, Any]) -> tuple[str, str]:
    """Return the identity of a person by the columns of the row."""
    return (values["salt"], values["digest"]) if values["digest"] else ("", values["name_key"])


@dataclass
class TrainingCounts:
    """What was taken over; ``renamed``: names that belong to others, and what the persons are called now. ``left``:
    repetitions of problems that the store does not have."""

    persons: int = 0
    results: int = 0
    runs: int = 0
    cards: int = 0
    left: int = 0
    renamed: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class ReplayedResult:
    """A stored result, to be rated anew; ``score`` is the problem's, None if that is gone."""

    id: int
    person: int
    problem: int | None
    score: float | None
    mode: str
    clean: bool
    ended_at: datetime
    rated: bool
    rating: float


class TrainingMerge:
    """One transaction that takes over what other stores have of training. Problems are merged before."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._persons: dict[tuple[int, int], int] = {}
        self.counts = TrainingCounts()

    # --- persons ------------------------------------------------------------------------------

    def add_persons(self, found: Iterable[MergedPerson], name_key: Callable[[str], str]) -> None:
        """Find or add the persons of all other stores. One passphrase hash is one person; so are the unnamed ones. Who
        has the name of another person gets a number behind it; the older one keeps the name."""
        known = {person_identity(dict(row._mapping)): row.id for row in self._session.execute(select(records.PERSONS))}
        keys = set(self._session.execute(select(records.PERSONS.c.name_key)).scalars())
        for one in sorted(found, key=lambda one: (one.values["created_at"], one.identity, one.values["name_key"])):
            number = known.get(one.identity)
            if number is None:
                name, key = str(one.values["name"]), str(one.values["name_key"])
                numbers = count(2)
                while key in keys:
                    suffix = f" ({next(numbers)})"
                    name = f"{one.values['name'][: records.LONGEST_NAME - len(suffix)]}{suffix}"
                    key = name_key(name)
                if name != one.values["name"]:
                    self.counts.renamed.append((str(one.values["name"]), name))
                keys.add(key)
                values = {**one.values, "name": name, "name_key": key}
                added = self._session.execute(insert(records.PERSONS).values(**values).returning(records.PERSONS.c.id))
                self.counts.persons += 1
                number = known[one.identity] = int(added.scalar_one())
            self._persons[one.store, one.id] = number

    # --- what they did ------------------------------------------------------------------------

    def add_results(self, store: int, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add the results of a store that are not there yet."""
        self.counts.results += self._add_missing(store, records.RESULTS, _RESULT, ("rated", "rating"), rows)

    def add_runs(self, store: int, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add the runs of a store that are not there yet."""
        self.counts.runs += self._add_missing(store, records.TRAINING_RUNS, _RUN, (), rows)

    def _add_missing(
        self, store: int, table: Table, names: Sequence[str], others: Sequence[str], rows: Iterable[Mapping[str, Any]]
    ) -> int:
        """Add rows; one that occurs n times in both stores is there n times. Returns the number added."""
        columns = [table.c[name] for name in ("person_id", *names)]
        there = Counter(map(tuple, self._session.execute(select(*columns))))
        seen: Counter[tuple[Any, ...]] = Counter()
        number = 0
        for part in _parts(rows):
            new = []
            for row in part:
                person = self._persons[store, row["person_id"]]
                key = (person, *(row[name] for name in names))
                seen[key] += 1
                if seen[key] > there[key]:
                    new.append({"person_id": person, **{name: row[name] for name in (*names, *others)}})
            if new and table is records.RESULTS:
                ids = stored_ids_by_sfen(self._session, sorted({row["canonical"] for row in new}))
                new = [{**row, "problem_id": ids.get(row["canonical"])} for row in new]
            if new:
                self._session.execute(insert(table), new)
            number += len(new)
        return number

    def add_cards(self, store: int, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take over repetitions, each with the canonical SFEN of its problem: the later review stays."""
        for part in _parts(rows):
            ids = stored_ids_by_sfen(self._session, sorted({row["canonical"] for row in part}))
            for row in part:
                number = ids.get(row["canonical"])
                if number is None:
                    self.counts.left += 1
                    continue
                person = self._persons[store, row["person_id"]]
                own = records.CARDS.c.person_id == person, records.CARDS.c.problem_id == number
                values = {name: row[name] for name in ("due", "failed", "state")}
                there = self._session.execute(select(records.CARDS).where(*own)).first()
                if there is None:
                    values |= {"person_id": person, "problem_id": number}
                    self._session.execute(insert(records.CARDS).values(**values))
                elif _review(values) > _review(dict(there._mapping)):
                    self._session.execute(update(records.CARDS).where(*own).values(**values))
                else:
                    continue
                self.counts.cards += 1

    # --- the order of time --------------------------------------------------------------------

    def sort_results(self) -> None:
        """Number all results in the order of time, and link those whose problems are there now."""
        columns = records.RESULTS.c
        order = func.row_number().over(order_by=(columns.ended_at, columns.canonical, columns.id))
        numbered = select(columns.id, order.label("place")).subquery()
        away = update(records.RESULTS).values(id=-numbered.c.place).where(columns.id == numbered.c.id)
        self._session.connection().execute(away)  # no number is given twice on the way
        self._session.connection().execute(update(records.RESULTS).values(id=-columns.id))
        found = select(PROBLEMS.c.id).where(PROBLEMS.c.canonical == columns.canonical).scalar_subquery()
        linked = update(records.RESULTS).values(problem_id=found).where(columns.problem_id.is_(None))
        self._session.connection().execute(linked)

    def results(self) -> Iterator[ReplayedResult]:
        """Yield all results, oldest first."""
        columns = records.RESULTS.c
        wanted = select(records.RESULTS, PROBLEMS.c.score).outerjoin(PROBLEMS, PROBLEMS.c.id == columns.problem_id)
        last = 0
        while True:
            page = wanted.where(columns.id > last).order_by(columns.id).limit(READ_AT_ONCE)
            rows = self._session.execute(page).all()
            for row in rows:
                clean = bool(row.solved) and not row.mistakes and not row.hints
                score = None if row.score is None else require_finite(row.score)
                yield ReplayedResult(
                    row.id, row.person_id, row.problem_id, score, str(row.mode), clean, row.ended_at,
                    bool(row.rated), require_finite(row.rating),
                )  # fmt: skip
            if len(rows) < READ_AT_ONCE:
                return
            last = rows[-1].id

    def write_result(self, number: int, rating: float, *, rated: bool) -> None:
        """Write what a result did to the rating of its person."""
        changed = update(records.RESULTS).where(records.RESULTS.c.id == number)
        self._session.execute(changed.values(rating=rating, rated=rated))

    def write_ratings(
        self, persons: Mapping[int, tuple[records.Rating, datetime]], problems: Mapping[int, records.PlayedRating]
    ) -> None:
        """Write ratings of persons, with the times of the last rated results, and of problems."""
        for number, (rating, last) in persons.items():
            values = {**asdict(rating), "rated_at": last}
            self._session.execute(update(records.PERSONS).where(records.PERSONS.c.id == number).values(**values))
        known = set(self._session.execute(select(records.PROBLEM_RATINGS.c.problem_id)).scalars())
        for number, played in problems.items():
            row = {**asdict(played.rating), "plays": played.plays}
            if number in known:
                changed = update(records.PROBLEM_RATINGS).where(records.PROBLEM_RATINGS.c.problem_id == number)
                self._session.execute(changed.values(**row))
            else:
                self._session.execute(insert(records.PROBLEM_RATINGS).values(problem_id=number, **row))


def _parts(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    left = iter(rows)
    while part := list(islice(left, _AT_ONCE)):
        yield part


def _review(card: Mapping[str, Any]) -> tuple[str, datetime, bool, str]:
    """Return a sort key of cards: the time of the last review, then all else."""
    state = card["state"] if isinstance(card["state"], dict) else {}
    told = json.dumps(state, sort_keys=True)
    return str(state.get("last_review") or ""), card["due"], bool(card["failed"]), told
