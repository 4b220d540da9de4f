"""What a store holds, in numbers."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import fsum
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from db.errors import shown
from db.models import ProblemRow, RejectionRow, RunRow, ThemeRow


@dataclass(frozen=True)
class Spread:
    """How many numbers there are and how they are spread.

    The quartiles interpolate linearly between neighbours.
    """

    number: int
    mean: float
    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float


@dataclass(frozen=True)
class Figures:
    """Problems in numbers: their scores by length, lowest first, their quality, their themes.

    ``themes`` are counts, the most frequent first.
    """

    scores: Mapping[int, Sequence[float]]
    qualities: Sequence[float]
    themes: Mapping[str, int]

    @property
    def all_scores(self) -> list[float]:
        """The scores of all lengths, lowest first."""
        return sorted(chain.from_iterable(self.scores.values()))


@dataclass(frozen=True)
class Stats:
    """The whole store in numbers.

    ``by_length`` is the spread of the scores, the shortest length first; ``quality`` is None
    in an empty store. ``grades`` are the numbers of problems by grade. ``rejections`` are counts, the
    most frequent first. ``unfinished_runs`` are at work or were killed.
    """

    problems: int
    by_length: dict[int, Spread]
    quality: Spread | None
    runs: int
    unfinished_runs: int
    candidates: int
    grades: dict[str, int]
    rejections: dict[str, int]
    figures: Figures


def gather(session: Session) -> Stats:
    """Count everything in one transaction."""
    found = figures(session)
    runs = select(func.count(RunRow.id), func.count(RunRow.ended_at), func.sum(RunRow.candidates))
    started, ended, candidates = session.execute(runs).one()
    return Stats(
        problems=len(found.qualities),
        by_length={length: _spread(scores) for length, scores in found.scores.items()},
        quality=_spread(sorted(found.qualities)) if found.qualities else None,
        runs=started,
        unfinished_runs=started - ended,
        candidates=_whole(candidates or 0),
        grades=_grades(session),
        rejections=_rejections(session),
        figures=found,
    )


def figures(session: Session, *wanted: ColumnElement[bool]) -> Figures:
    """The figures of the problems that meet all conditions."""
    columns = select(ProblemRow.length, ProblemRow.score, ProblemRow.quality).where(*wanted)
    ordered = columns.order_by(ProblemRow.length, ProblemRow.score)
    scores: dict[int, array[float]] = {}
    qualities = array("d")
    for length, score, quality in session.execute(ordered.execution_options(yield_per=10_000)):
        scores.setdefault(_whole(length), array("d")).append(score)
        qualities.append(quality)
    return Figures(scores, qualities, _themes(session, wanted))


def _themes(session: Session, wanted: Sequence[ColumnElement[bool]]) -> dict[str, int]:
    number = func.count()
    columns = select(ThemeRow.theme, number).join(ProblemRow, ProblemRow.id == ThemeRow.problem_id)
    grouped = columns.where(*wanted).group_by(ThemeRow.theme).order_by(number.desc(), ThemeRow.theme)
    return {str(theme): _whole(times) for theme, times in session.execute(grouped)}


def _grades(session: Session) -> dict[str, int]:
    wanted = select(ProblemRow.grade, func.count()).group_by(ProblemRow.grade).order_by(ProblemRow.grade)
    return {str(grade): _whole(number) for grade, number in session.execute(wanted)}


def _rejections(session: Session) -> dict[str, int]:
    total = func.sum(RejectionRow.number)
    wanted = select(RejectionRow.reason, total).group_by(RejectionRow.reason)
    rows = session.execute(wanted.order_by(total.desc(), RejectionRow.reason))
    return {str(reason): _whole(number) for reason, number in rows}


def _whole(number: Any) -> int:
    """A number as any database counts: PostgreSQL's sums are decimals."""
    if isinstance(number, str) or number != int(number):
        raise ValueError(f"not a whole number: {shown(repr(number))}")
    return int(number)


def _spread(scores: Sequence[float]) -> Spread:
    quantiles = (_quantile(scores, part / 4) for part in range(5))
    return Spread(len(scores), fsum(scores) / len(scores), *quantiles)


def _quantile(ordered: Sequence[float], part: float) -> float:
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
