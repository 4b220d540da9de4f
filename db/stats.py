"""What a store holds, in numbers."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import fsum
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from db.errors import shown
from db.models import ProblemRow, RejectionRow, RunRow


@dataclass(frozen=True)
class LengthStats:
    """The problems of one length: how many, and how their scores are spread.

    The quartiles interpolate linearly between neighbouring scores.
    """

    number: int
    mean: float
    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float


@dataclass(frozen=True)
class Stats:
    """The whole store; ``by_length`` goes by length, ``rejections`` from the most frequent on.

    ``unfinished_runs`` are at work or were killed.
    """

    problems: int
    by_length: dict[int, LengthStats]
    runs: int
    unfinished_runs: int
    candidates: int
    rejections: dict[str, int]


def gather(session: Session) -> Stats:
    """Count everything in one transaction."""
    by_length = _by_length(session)
    runs = select(func.count(RunRow.id), func.count(RunRow.ended_at), func.sum(RunRow.candidates))
    started, ended, candidates = session.execute(runs).one()
    return Stats(
        problems=sum(part.number for part in by_length.values()),
        by_length=by_length,
        runs=started,
        unfinished_runs=started - ended,
        candidates=_whole(candidates or 0),
        rejections=_rejections(session),
    )


def _by_length(session: Session) -> dict[int, LengthStats]:
    wanted = select(ProblemRow.length, ProblemRow.score).order_by(ProblemRow.length, ProblemRow.score)
    rows = session.execute(wanted.execution_options(yield_per=10_000))
    groups = groupby(rows, key=lambda row: _whole(row.length))
    return {length: _spread(array("d", (row.score for row in group))) for length, group in groups}


def _rejections(session: Session) -> dict[str, int]:
    total = func.sum(RejectionRow.number)
    wanted = select(RejectionRow.reason, total).group_by(RejectionRow.reason)
    rows = session.execute(wanted.order_by(total.desc(), RejectionRow.reason))
    return {str(reason): _whole(number) for reason, number in rows}


def _whole(number: Any) -> int:
    """A number as any database counts: PostgreSQL's sums are decimals."""
    if isinstance(number, str) or number != int(number):
        raise ValueError(f"no whole number: {shown(repr(number))}")
    return int(number)


def _spread(scores: Sequence[float]) -> LengthStats:
    quantiles = (_quantile(scores, part / 4) for part in range(5))
    return LengthStats(len(scores), fsum(scores) / len(scores), *quantiles)


def _quantile(ordered: Sequence[float], part: float) -> float:
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
