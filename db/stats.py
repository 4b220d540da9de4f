# SPDX-License-Identifier: GPL-3.0-or-later
"""What a store holds, in numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from db.errors import finite_number, stored_value_excerpt
from db.models import PROBLEMS, THEMES, RejectionRow, RunRow


@dataclass(frozen=True)
class NumberSpread:
    """How many numbers there are and how they are spread. The quartiles interpolate linearly between neighbours."""

    number: int
    mean: float
    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float


@dataclass(frozen=True)
class ProblemFigures:
    """Problems in numbers: their scores by length, lowest first, their quality, their themes. ``themes`` are counts,
    the most frequent first."""

    scores: Mapping[int, Sequence[float]]
    qualities: Sequence[float]
    themes: Mapping[str, int]

    @property
    def all_scores(self) -> list[float]:
        """The scores of all lengths, lowest first."""
        return sorted(chain.from_iterable(self.scores.values()))


@dataclass(frozen=True)
class StoreStats:
    """The whole store in numbers.

    ``by_length`` is the spread of the scores, the shortest length first; ``quality`` is None
    in an empty store. ``grades`` are the numbers of problems by grade. ``themes`` and
    ``rejections`` are counts, the most frequent first. ``unfinished_runs`` are at work or were killed.
    """

    problems: int
    by_length: dict[int, NumberSpread]
    quality: NumberSpread | None
    runs: int
    unfinished_runs: int
    candidates: int
    grades: dict[str, int]
    themes: dict[str, int]
    rejections: dict[str, int]


def gather_store_stats(session: Session) -> StoreStats:
    """Count everything in one transaction, by queries that use the indices."""
    runs = select(func.count(RunRow.id), func.count(RunRow.ended_at), func.sum(RunRow.candidates))
    started, ended, candidates = session.execute(runs).one()
    length, score, quality = PROBLEMS.c.length, PROBLEMS.c.score, PROBLEMS.c.quality
    rows = session.execute(select(length, *_aggregate_columns(score)).group_by(length).order_by(length)).all()
    by_length = {
        _number_from_database(row[0]): _column_spread(session, score, row[1:], length == row[0]) for row in rows
    }
    qualities = session.execute(select(*_aggregate_columns(quality))).one()
    grades = select(PROBLEMS.c.grade, func.count()).group_by(PROBLEMS.c.grade)
    reason = RejectionRow.reason
    rejections = select(reason, func.sum(RejectionRow.number)).group_by(reason)
    return StoreStats(
        problems=sum(spread.number for spread in by_length.values()),
        by_length=by_length,
        quality=_column_spread(session, quality, qualities) if qualities[0] else None,
        runs=started,
        unfinished_runs=started - ended,
        candidates=_number_from_database(candidates or 0),
        grades=dict(sorted(_counts_of_rows(session.execute(grades).all()))),
        themes=_theme_counts(session),
        rejections=_largest_counts_first(session.execute(rejections).all()),
    )


def _aggregate_columns(column: ColumnElement[float]) -> tuple[ColumnElement[Any], ...]:
    return func.count(), func.avg(column), func.min(column), func.max(column)


def _column_spread(
    session: Session, column: ColumnElement[float], totals: Sequence[Any], *wanted: ColumnElement[bool]
) -> NumberSpread:
    """The spread of a column; text and other odd values sort after all numbers, so one is the maximum."""
    number = _number_from_database(totals[0])
    mean, least, most = map(finite_number, totals[1:])
    ordered = select(column).where(*wanted).order_by(column)
    quartiles = []
    for part in (1 / 4, 2 / 4, 3 / 4):
        place = part * (number - 1)
        found = session.scalars(ordered.offset(int(place)).limit(2)).all()
        if not found:
            raise ValueError("an index is damaged")
        first, last = finite_number(found[0]), finite_number(found[-1])
        quartiles.append(first + (last - first) * (place - int(place)))
    low, middle, high = quartiles
    return NumberSpread(number, mean, least, low, middle, high, most)


def problem_figures(session: Session, *wanted: ColumnElement[bool]) -> ProblemFigures:
    """Return the figures of the problems that satisfy all conditions."""
    columns = select(PROBLEMS.c.length, PROBLEMS.c.score, PROBLEMS.c.quality).where(*wanted)
    ordered = columns.order_by(PROBLEMS.c.length, PROBLEMS.c.score)
    scores: dict[int, array[float]] = {}
    qualities = array("d")
    for length, score, quality in session.execute(ordered.execution_options(yield_per=10_000)):
        scores.setdefault(_number_from_database(length), array("d")).append(score)
        qualities.append(quality)
    return ProblemFigures(scores, qualities, _theme_counts(session, wanted))


def _theme_counts(session: Session, wanted: Sequence[ColumnElement[bool]] = ()) -> dict[str, int]:
    columns = select(THEMES.c.theme, func.count())
    if wanted:
        columns = columns.join(PROBLEMS, PROBLEMS.c.id == THEMES.c.problem_id).where(*wanted)
    return _largest_counts_first(session.execute(columns.group_by(THEMES.c.theme)).all())


def _largest_counts_first(rows: Iterable[Sequence[Any]]) -> dict[str, int]:
    """Counts by name; equal counts in Python's order of names, as each database orders texts differently."""
    return dict(sorted(_counts_of_rows(rows), key=lambda count: (-count[1], count[0])))


def _counts_of_rows(rows: Iterable[Sequence[Any]]) -> list[tuple[str, int]]:
    return [(str(name), _number_from_database(number)) for name, number in rows]


def _number_from_database(number: Any) -> int:
    """Return a number as an integer or float: sums in PostgreSQL are decimals."""
    if isinstance(number, str) or number != int(number):
        raise ValueError(f"not a whole number: {stored_value_excerpt(repr(number))}")
    return int(number)
