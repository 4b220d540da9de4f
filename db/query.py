"""Queries for problems, page by page, so that no result is held in memory whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from operator import eq, ge, le
from typing import Any

from sqlalchemy import ColumnElement, Executable, Select, Text, and_, cast, func, or_, select

from db.models import ProblemRow, TagRow, ThemeRow
from db.selection import Order, Selection
from db.settled import SETTLING
from solver.results import Grade

_LARGEST = 2**63 - 1
PAGE = 500
"""Rows read in one transaction; none stays open between pages."""


def conditions(wanted: Selection) -> list[ColumnElement[bool]]:
    """The conditions on a row; order and limit are left out.

    Numbers beyond 64 bits, which no database compares, count as the nearest within.
    """
    asked: list[tuple[Any, Callable[[Any, Any], Any], float | str | None]] = [
        (ProblemRow.length, eq, _bounded(wanted.moves)),
        (ProblemRow.score, ge, wanted.min_score),
        (ProblemRow.score, le, wanted.max_score),
        (ProblemRow.stars, eq, _bounded(wanted.stars)),
        (ProblemRow.board_pieces + ProblemRow.hand_pieces, le, _bounded(wanted.max_pieces)),
        (ProblemRow.seed, eq, wanted.seed),
        (ProblemRow.quality, ge, wanted.min_quality),
        (ProblemRow.defenders, ge, _bounded(wanted.defenders)),
        (ProblemRow.grade, eq, None if wanted.grade is None else wanted.grade.value),
    ]
    plain = [compare(column, value) for column, compare, value in asked if value is not None]
    named = [ProblemRow.id.in_(sorted(set(map(_bounded, wanted.ids))))] if wanted.ids else []
    texts = [(ProblemRow.title, wanted.title), (ProblemRow.author, wanted.author)]
    containing = [column.icontains(text, autoescape=True) for column, text in texts if text is not None]
    themes = [_shows(theme) for theme in sorted(set(wanted.themes))]
    tags = [_has(tag) for tag in sorted(set(wanted.tags))]
    return named + plain + containing + themes + tags + _facts(wanted)


def _facts(wanted: Selection) -> list[ColumnElement[bool]]:
    """The conditions on facts; a problem of which a fact is not known is not selected by it."""
    remarks, blemishes = (cast(column, Text) for column in (ProblemRow.remarks, ProblemRow.blemishes))
    unwanted = [flag.name for flag in wanted.unwanted if flag.name]
    settled = or_(
        ProblemRow.grade == Grade.PERFECT.value,
        *(blemishes.contains(f'"{blemish.name}"') for blemish in sorted(SETTLING, key=str)),
    )
    return [
        *([~ProblemRow.sfen.contains("+")] if wanted.no_promoted else []),
        *([settled] if unwanted else []),
        *(~remarks.contains(f'"{name}"') for name in unwanted),
        *([ProblemRow.same_when_counted.is_(True)] if wanted.same_when_counted else []),
        *([ProblemRow.key_kinds.contains(str(wanted.key))] if wanted.key else []),
    ]


def _shows(theme: str) -> ColumnElement[bool]:
    return ProblemRow.id.in_(select(ThemeRow.problem_id).where(ThemeRow.theme == theme))


def _has(tag: str) -> ColumnElement[bool]:
    return ProblemRow.id.in_(select(TagRow.problem_id).where(TagRow.tag == tag))


def _bounded(number: int | None) -> int | None:
    return None if number is None else max(-_LARGEST, min(number, _LARGEST))


def advances(order: Order, last: ProblemRow | None, rows: Sequence[ProblemRow]) -> bool:
    """Whether rows are in order and after the last one; in a damaged database they may repeat endlessly."""
    places = [_place(row, order) for row in (*([last] if last else []), *rows)]
    return all(before < after for before, after in pairwise(places))


def _place(row: ProblemRow, order: Order) -> tuple[float, int]:
    first = {"id": 0.0, "score": row.score, "quality": -row.quality}[order]
    return (first, row.id)


def newest() -> Select[Any]:
    """The query for the highest id so far, 0 when there is none."""
    return select(func.coalesce(func.max(ProblemRow.id), 0))


def themes_of(problem_ids: Sequence[int]) -> Executable:
    """The query for the themes of problems, as pairs of id and theme."""
    wanted = select(ThemeRow.problem_id, ThemeRow.theme)
    return wanted.where(ThemeRow.problem_id.in_(problem_ids)).order_by(ThemeRow.theme)


def tags_of(problem_ids: Sequence[int]) -> Executable:
    """The query for the tags of problems, as pairs of id and tag."""
    wanted = select(TagRow.problem_id, TagRow.tag)
    return wanted.where(TagRow.problem_id.in_(problem_ids)).order_by(TagRow.tag)


def page(wanted: list[ColumnElement[bool]], order: Order, last: ProblemRow | None, size: int) -> Select[Any]:
    """The query for the next ``size`` rows after ``last``."""
    keys: dict[Order, list[Any]] = {
        "id": [],
        "score": [ProblemRow.score],
        "quality": [ProblemRow.quality.desc()],
    }
    after = [] if last is None else [_after(last, order)]
    return select(ProblemRow).where(*wanted, *after).order_by(*keys[order], ProblemRow.id).limit(size)


def page_sizes(limit: int | None) -> Iterator[int]:
    """How many rows to ask for, page after page, until a limit is used up."""
    while limit is None or limit > 0:
        size = PAGE if limit is None else min(PAGE, limit)
        yield size
        limit = None if limit is None else limit - size


def _after(last: ProblemRow, order: Order) -> ColumnElement[bool]:
    later = ProblemRow.id > last.id
    if order == "id":
        return later
    column, value = (
        (ProblemRow.score, last.score) if order == "score" else (-ProblemRow.quality, -last.quality)
    )
    return or_(column > value, and_(column == value, later))
