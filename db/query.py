# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries for problems: first the ids of a selection, then its rows page by page.

Only the ids of a result are held in memory, and a selection is searched and sorted once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from operator import eq, ge, le
from typing import Any, TypeVar

from sqlalchemy import BindParameter, ColumnElement, Select, Text, and_, bindparam, cast, false, or_, select

from db.models import PROBLEMS, ProblemRow, TagRow, ThemeRow
from db.notebook import is_unstorable
from db.selection import Order, ProblemSelection
from solver.results import IMPERFECT, Grade

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
    if any(map(is_unstorable, texts)):
        return [false()]
    asked: list[tuple[Any, Callable[[Any, Any], Any], float | str | None]] = [
        (ProblemRow.length, eq, _within_sql_integers(wanted.moves)),
        (ProblemRow.score, ge, wanted.min_score),
        (ProblemRow.score, le, wanted.max_score),
        (ProblemRow.stars, eq, _within_sql_integers(wanted.stars)),
        (ProblemRow.board_pieces + ProblemRow.hand_pieces, le, _within_sql_integers(wanted.max_pieces)),
        (ProblemRow.seed, eq, wanted.seed),
        (ProblemRow.run_id, eq, wanted.run),
        (ProblemRow.quality, ge, wanted.min_quality),
        (ProblemRow.resistance, ge, wanted.min_resistance),
        (ProblemRow.surprise, ge, wanted.min_surprise),
        (ProblemRow.defenders, ge, _within_sql_integers(wanted.defenders)),
        (ProblemRow.grade, eq, None if wanted.grade is None else wanted.grade.value),
    ]
    plain = [compare(column, value) for column, compare, value in asked if value is not None]
    named = [_id_is_among(wanted.ids)] if wanted.ids else []
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
    column, other = PROBLEMS.c[order], PROBLEMS.alias()
    value = select(other.c[order]).where(other.c.id == number).scalar_subquery()
    return or_(column < value if order == "quality" else column > value, and_(column == value, later))


def _within_sql_integers(number: int | None) -> int | None:
    return None if number is None else max(-_LARGEST, min(number, _LARGEST))


def ids_query(wanted: ProblemSelection) -> Select[Any]:
    """Return the query for the ids of a selection, in its order. Pieces and numbers of themes
    (`ProblemSelection.theme_details`) are left out, and with them the limit."""
    keys: dict[Order, list[Any]] = {"id": [], "score": [ProblemRow.score], "quality": [ProblemRow.quality.desc()]}
    chosen = select(PROBLEMS.c.id).where(*selection_conditions(wanted))
    limit = None if wanted.theme_details else _within_sql_integers(wanted.limit)
    return chosen.order_by(*keys[wanted.order], PROBLEMS.c.id).limit(limit)


def pages_of_ids(problem_ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the ids of each page, in their order. The first page is short, so that it arrives at once; it may be empty,
    so that missing columns are noticed."""
    first = min(FIRST_PAGE, PAGE)
    yield problem_ids[:first]
    yield from chunks_of_ids(problem_ids[first:])
