# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries for problems: first the ids of a selection, then its rows page by page; what a store holds, in numbers.

Only the ids of a result are held in memory, and a selection is searched and sorted once.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain, groupby
from operator import eq, ge, gt, le, lt
from typing import Any, TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Double,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    false,
    func,
    or_,
    select,
)
from sqlalchemy.orm import Session

from db.errors import require_finite, stored_value_excerpt
from db.models import PROBLEMS, THEMES, ProblemRow, RejectionRow, RunRow, TagRow, ThemeRow
from db.notebook import is_unstorable
from db.selection import Order, ProblemSelection
from solver.results import IMPERFECT, MAX_STARS, Grade, rating_of_score, scores_of_stars

T = TypeVar("T")
_LARGEST = 2**63 - 1
AS_READ = [cast(column, Text).label(column.name) if column is PROBLEMS.c.features else column for column in PROBLEMS.c]
"""The columns of a problem's row; features are JSON as text."""
PAGE = 500
"""Rows read in one transaction; no transaction stays open between pages."""
FIRST_PAGE = 50
_MAX_RANGES = 200
"""Ranges of ids in one condition."""
READ_AT_ONCE = 10_000
"""Ids and numbers fetched at once."""


def chunks_of_ids(numbers: Sequence[T]) -> Iterator[Sequence[T]]:
    """Return parts of some ids, or of other keys, few enough for one statement."""
    return (numbers[at : at + PAGE] for at in range(0, len(numbers), PAGE))


def selection_conditions(wanted: ProblemSelection) -> list[ColumnElement[bool]]:
    """Return the conditions on a row; order and limit are left out. Numbers beyond 64 bits, which databases cannot
    compare, count as the nearest 64-bit number. A text that databases cannot store matches no problem."""
    texts = (wanted.title or "", wanted.author or "", *wanted.themes, *wanted.tags)
    if any(map(is_unstorable, texts)) or wanted.stars not in (None, *range(1, MAX_STARS + 1)):
        return [false()]
    stars = None if wanted.stars is None else scores_of_stars(wanted.stars)
    asked: list[tuple[Any, Callable[[Any, Any], Any], float | str | None]] = [
        (ProblemRow.length, eq, _within_sql_integers(wanted.moves)),
        (ProblemRow.score, ge, wanted.min_score),
        (ProblemRow.score, le, wanted.max_score),
        (ProblemRow.score, ge, None if stars is None else stars[0]),
        (ProblemRow.score, lt, None if stars is None else stars[1]),
        (ProblemRow.board_pieces + ProblemRow.hand_pieces, le, _within_sql_integers(wanted.max_pieces)),
        (ProblemRow.seed, eq, wanted.seed),
        (ProblemRow.run_id, eq, wanted.run),
        (ProblemRow.quality, ge, wanted.min_quality),
        (ProblemRow.resistance, ge, wanted.min_resistance),
        (ProblemRow.surprise, ge, wanted.min_surprise),
        (ProblemRow.proof_tree, ge, _within_sql_integers(wanted.min_proof_tree)),
        (ProblemRow.proof_tree, le, _within_sql_integers(wanted.max_proof_tree)),
        (ProblemRow.proof_tree, gt, None if wanted.max_proof_tree is None else 0),  # 0: not known
        (ProblemRow.defenders, ge, _within_sql_integers(wanted.defenders)),
        (ProblemRow.grade, eq, None if wanted.grade is None else wanted.grade.value),
    ]
    plain = [compare(column, value) for column, compare, value in asked if value is not None]
    named = [_id_is_among(wanted.ids)] if wanted.ids else []
    named += [~_id_is_among(wanted.without)] if wanted.without else []
    named += [] if wanted.after is None else [_is_behind(wanted.after, wanted.order)]
    words = [(ProblemRow.title, wanted.title), (ProblemRow.author, wanted.author)]
    containing = [column.icontains(text, autoescape=True) for column, text in words if text is not None]
    showing, tagged = select(ThemeRow.problem_id), select(TagRow.problem_id)
    themes = [ProblemRow.id.in_(showing.where(ThemeRow.theme == theme)) for theme in wanted.theme_tags]
    tags = [ProblemRow.id.in_(tagged.where(TagRow.tag == tag)) for tag in sorted(set(wanted.tags))]
    return named + plain + containing + themes + tags + _property_conditions(wanted)


def _property_conditions(wanted: ProblemSelection) -> list[ColumnElement[bool]]:
    """Return the conditions on properties; a problem with an unknown property does not match."""
    remarks, blemishes = (cast(column, Text) for column in (ProblemRow.remarks, ProblemRow.blemishes))
    unwanted = wanted.unwanted_defects.names
    settled = or_(
        ProblemRow.grade == Grade.PERFECT.value, *(blemishes.contains(f'"{name}"') for name in IMPERFECT.blemish_names)
    )
    return [
        *([~ProblemRow.sfen.contains("+")] if wanted.no_promoted else []),
        *([settled] if unwanted else []),
        *(~remarks.contains(f'"{name}"') for name in unwanted),
        *([ProblemRow.same_when_counted.is_(True)] if wanted.same_when_counted else []),
        *([ProblemRow.key_kinds.contains(str(wanted.key))] if wanted.key else []),
    ]


def _id_is_among(numbers: Collection[int]) -> ColumnElement[bool]:
    """Return whether an id is one of these, possibly many; consecutive ids are compared as ranges."""
    singles = sorted({max(-_LARGEST, min(number, _LARGEST)) for number in numbers})
    ranges = []
    for _, run in groupby(enumerate(singles), key=lambda placed: placed[1] - placed[0]):
        values = [number for _, number in run]
        ranges.append((values[0], values[-1]))
    if len(ranges) <= _MAX_RANGES:
        return or_(*(ProblemRow.id.between(first, last) for first, last in ranges))
    # written into the statement: databases limit the number of parameters
    written: BindParameter[list[int]] = bindparam("ids", singles, expanding=True, literal_execute=True)
    return ProblemRow.id.in_(written)


def _is_behind(number: int, order: Order) -> ColumnElement[bool]:
    """Whether a problem follows the one with this id in an order; none follows one that is not stored."""
    number = _within_sql_integers(number) or 0
    later = PROBLEMS.c.id > number
    if order == "id":
        return later
    name = order.replace("-", "_")
    column, other = PROBLEMS.c[name], PROBLEMS.alias()
    value = select(other.c[name]).where(other.c.id == number).scalar_subquery()
    return or_(column < value if order == "quality" else column > value, and_(column == value, later))


def _within_sql_integers(number: int | None) -> int | None:
    return None if number is None else max(-_LARGEST, min(number, _LARGEST))


def ids_query(wanted: ProblemSelection) -> Select[Any]:
    """Return the query for the ids of a selection, in its order. Pieces and numbers of themes
    (`ProblemSelection.theme_details`) are left out, and with them the limit."""
    keys: dict[Order, list[Any]] = {
        "id": [], "score": [ProblemRow.score], "quality": [ProblemRow.quality.desc()],
        "proof-tree": [ProblemRow.proof_tree],
    }  # fmt: skip
    chosen = select(PROBLEMS.c.id).where(*selection_conditions(wanted))
    limit = None if wanted.theme_details else _within_sql_integers(wanted.limit)
    return chosen.order_by(*keys[wanted.order], PROBLEMS.c.id).limit(limit)


def pages_of_ids(problem_ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the ids of each page, in their order. The first page is short, so that it arrives at once; it may be empty,
    so that missing columns are noticed."""
    first = min(FIRST_PAGE, PAGE)
    yield problem_ids[:first]
    yield from chunks_of_ids(problem_ids[first:])


# --- what a store holds, in numbers ----------------------------------------------------------------


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

    def map(self, scale: Callable[[float], float]) -> NumberSpread:
        """Return the spread of the numbers on another scale, a straight one that rises."""
        return NumberSpread(self.number, *(scale(getattr(self, one.name)) for one in fields(self)[1:]))


@dataclass(frozen=True)
class ProblemFigures:
    """Problems in numbers: their scores by length, lowest first, their quality, their themes. ``themes`` are counts,
    the most frequent first."""

    scores: Mapping[int, Sequence[float]]
    qualities: Sequence[float]
    themes: Mapping[str, int]

    @property
    def all_ratings(self) -> list[float]:
        """The ratings by score of all lengths, lowest first."""
        return sorted(map(rating_of_score, chain.from_iterable(self.scores.values())))


@dataclass(frozen=True)
class StoreStats:
    """The whole store in numbers.

    ``by_length`` is the spread of the scores, the shortest length first, ``trees`` that of the positions of
    proof trees, as far as they are known; ``quality`` is None in an empty store. ``grades`` are the numbers of
    problems by grade. ``themes`` and ``rejections`` are counts, the most frequent first. ``unfinished_runs`` are at
    work or were killed.
    """

    problems: int
    by_length: dict[int, NumberSpread]
    trees: dict[int, NumberSpread]
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
    length, tree, quality = PROBLEMS.c.length, PROBLEMS.c.proof_tree, PROBLEMS.c.quality

    def spreads(column: ColumnElement[Any], *wanted: ColumnElement[bool]) -> dict[int, NumberSpread]:
        grouped = select(length, *_aggregate_columns(column)).where(*wanted).group_by(length).order_by(length)
        return {
            _number_from_database(row[0]): _column_spread(session, column, row[1:], length == row[0], *wanted)
            for row in session.execute(grouped).all()
        }

    by_length = spreads(PROBLEMS.c.score)
    qualities = session.execute(select(*_aggregate_columns(quality))).one()
    grades = select(PROBLEMS.c.grade, func.count()).group_by(PROBLEMS.c.grade)
    reason = RejectionRow.reason
    rejections = select(reason, func.sum(RejectionRow.number)).group_by(reason)
    return StoreStats(
        problems=sum(spread.number for spread in by_length.values()),
        by_length=by_length,
        trees=spreads(tree, tree > 0),
        quality=_column_spread(session, quality, qualities) if qualities[0] else None,
        runs=started,
        unfinished_runs=started - ended,
        candidates=_number_from_database(candidates or 0),
        grades=dict(sorted(_counts_of_rows(session.execute(grades).all()))),
        themes=_theme_counts(session),
        rejections=_largest_counts_first(session.execute(rejections).all()),
    )


def _aggregate_columns(column: ColumnElement[float]) -> tuple[ColumnElement[Any], ...]:
    return func.count(), func.avg(cast(column, Double)), func.min(column), func.max(column)


def _column_spread(
    session: Session, column: ColumnElement[float], totals: Sequence[Any], *wanted: ColumnElement[bool]
) -> NumberSpread:
    """The spread of a column; text and other odd values sort after all numbers, so one is the maximum."""
    number = _number_from_database(totals[0])
    mean, least, most = map(require_finite, totals[1:])
    ordered = select(column).where(*wanted).order_by(column)
    quartiles = []
    for part in (1 / 4, 2 / 4, 3 / 4):
        place = part * (number - 1)
        found = session.scalars(ordered.offset(int(place)).limit(2)).all()
        if not found:
            raise ValueError("an index is damaged")
        first, last = require_finite(found[0]), require_finite(found[-1])
        quartiles.append(first + (last - first) * (place - int(place)))
    low, middle, high = quartiles
    return NumberSpread(number, mean, least, low, middle, high, most)


@dataclass(frozen=True)
class ChoiceCounts:
    """How many problems a selection would have with each length, number of stars and theme instead of its own; those
    without a problem are left out. The shortest, the fewest and the most frequent come first."""

    lengths: Mapping[int, int]
    stars: Mapping[int, int]
    themes: Mapping[str, int]


def choice_counts(session: Session, wanted: ProblemSelection) -> ChoiceCounts:
    """Count by one query for each."""

    def counts(column: ColumnElement[Any], others: ProblemSelection) -> dict[int, int]:
        chosen = select(PROBLEMS.c.id, column.label("value")).where(*selection_conditions(others)).subquery()
        counted = select(chosen.c.value, func.count()).group_by(chosen.c.value).order_by(chosen.c.value)
        return {_number_from_database(value): number for value, number in session.execute(counted).all()}

    bounds = [(PROBLEMS.c.score < scores_of_stars(stars)[1], stars) for stars in range(1, MAX_STARS)]
    return ChoiceCounts(
        lengths=counts(PROBLEMS.c.length, replace(wanted, moves=None)),
        stars=counts(case(*bounds, else_=MAX_STARS), replace(wanted, stars=None)),
        themes=_theme_counts(session, selection_conditions(replace(wanted, themes=()))),
    )


def problem_figures(session: Session, *wanted: ColumnElement[bool]) -> ProblemFigures:
    """Return the figures of the problems that satisfy all conditions."""
    columns = select(PROBLEMS.c.length, PROBLEMS.c.score, PROBLEMS.c.quality).where(*wanted)
    ordered = columns.order_by(PROBLEMS.c.length, PROBLEMS.c.score)
    scores: dict[int, array[float]] = {}
    qualities = array("d")
    for length, score, quality in session.execute(ordered.execution_options(yield_per=READ_AT_ONCE)):
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
