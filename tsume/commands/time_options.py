# SPDX-License-Identifier: GPL-3.0-or-later
"""``--time-limit`` and ``--until``: when a command stops and keeps what it has found."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import datetime, time
from typing import Any, TypeVar

import click

from tsume.commands.options import not_nan

F = TypeVar("F", bound=Callable[..., Any])
_LONGEST = 40


def seconds_until(text: str, now: datetime) -> float:
    """The seconds from ``now`` to an ISO date and time, or to a time of today; local time without a zone.

    Raises ValueError for a text that is neither, and for a time that is past.
    """
    try:
        seconds = (_time_of_day(text, now) - now).total_seconds()
    except (ValueError, OverflowError, OSError):
        raise ValueError(
            f"{text[:_LONGEST]!r} is not a date and time (2026-11-21T18:00) or a time (18:00)"
        ) from None
    if seconds <= 0:
        raise ValueError(f"{text} is in the past")
    return seconds


def _time_of_day(text: str, now: datetime) -> datetime:
    if len(text) > _LONGEST:
        raise ValueError
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.combine(now.date(), time.fromisoformat(text))
    return moment.astimezone()  # without a zone it is local time


def _until(_context: click.Context, _parameter: click.Parameter, value: str | None) -> float | None:
    try:
        return None if value is None else seconds_until(value, datetime.now().astimezone())
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def time_options(command: F) -> F:
    """Add both options; the command gets the shorter time as ``time_limit``, in seconds, or None."""

    @functools.wraps(command)
    def limited(*arguments: Any, time_limit: float | None, until: float | None, **options: Any) -> Any:
        given = [seconds for seconds in (time_limit, until) if seconds is not None]
        return command(*arguments, time_limit=min(given, default=None), **options)

    for option in (
        click.option(
            "--until", callback=_until, metavar="DATE|TIME",
            help="Stop at this local time (2026-11-21T18:00 or 18:00) and keep what was found (exit status "
                 "3).",
        ),
        click.option(
            "--time-limit", type=click.FloatRange(0, min_open=True), callback=not_nan, metavar="SEC",
            help="Stop after this many seconds and keep what was found (exit status 3).",
        ),
    ):  # fmt: skip
        limited = option(limited)
    return limited  # type: ignore[return-value]
