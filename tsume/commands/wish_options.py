# SPDX-License-Identifier: GPL-3.0-or-later
"""The options for wishes: constraints on generated problems."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

import click

from db.errors import stored_value_excerpt
from generator.constraints.problem import (
    ConstraintError,
    KingRegion,
    ProblemConstraints,
    parse_hand,
    parse_kinds,
)
from generator.theme_names import is_figure, read_figure
from tsume.commands.options import FACTS, MOST, not_nan, theme_option
from tsume.services.constraints import ContradictionError, checked_constraints

F = TypeVar("F", bound=Callable[..., Any])
_LONGEST = 40


_HIGHEST = 1000
"""A bound far beyond every score."""


class Contradiction(click.ClickException):
    """No problem can meet all constraints: wrong usage, reported in one line."""

    exit_code = 2


def _letters_callback(read: Callable[[str], object]) -> Callable[..., str | None]:
    """A callback that checks letters as in SFEN and turns them into capitals."""

    def callback(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
        if value is None:
            return None
        if len(value) > _LONGEST:
            raise click.BadParameter(f"more than {_LONGEST} characters")
        try:
            read(value)
        except ConstraintError as error:
            raise click.BadParameter(str(error)) from None
        return value.upper()

    return callback


def _score(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and abs(value) > _HIGHEST:
        raise click.BadParameter(f"scores are at most {_HIGHEST}")
    return not_nan(context, parameter, value)


def _picture(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """The name of a known picture, for which the compiler is loaded, or the rows of a figure."""
    if name is None:
        return None
    if is_figure(name):
        try:
            return read_figure(name)
        except ValueError as error:
            raise click.BadParameter(f"{stored_value_excerpt(name)!r}: {error}") from None
    from generator.themes.predicates import NAMES

    if name.upper() not in NAMES:
        raise click.BadParameter(
            f"{stored_value_excerpt(name)!r} is not a picture; choose from {' '.join(NAMES)}"
        )
    return name.upper()


_WISHES = (
    click.option("--pieces", "max_pieces", type=click.IntRange(3, MOST), metavar="MAX",
                 help="At most this many pieces on the board and in the attacker's hand, kings included."),
    click.option("--hand", callback=_letters_callback(parse_hand),
                 help="Attacker's hand in SFEN letters (R2P), - for none."),
    click.option("--only", callback=_letters_callback(parse_kinds), metavar="PIECES",
                 help="Only these kinds of piece, in SFEN letters (RBG); kings are always allowed."),
    click.option("--without", callback=_letters_callback(parse_kinds), metavar="PIECES",
                 help="None of these kinds of piece."),
    theme_option("Only problems with this theme; repeatable."),
    click.option("--picture", callback=_picture, metavar="NAME|ROWS",
                 help="The pieces draw this picture at mate (曲詰), such as ト or T, or a figure of your own "
                      "by its rows from the top, such as .#./###/.#. (# a piece)."),
    click.option("--min-score", type=float, callback=_score, help="Only problems with at least this score."),
    click.option("--max-score", type=float, callback=_score, help="Only problems with at most this score."),
    click.option("--stars", type=click.IntRange(1, 5), metavar="N",
                 help="Only problems with this many stars."),
    click.option("--min-quality", type=click.FloatRange(0, 100), callback=not_nan, metavar="Q",
                 help="Only problems of at least this quality, 0 to 100."),
    click.option("--min-resistance", type=click.FloatRange(0), callback=not_nan, metavar="R",
                 help="Only problems of at least this resistance: log2 of the nodes that refute the hardest "
                      "wrong first check, at most 16.6."),
    click.option("--min-surprise", type=click.FloatRange(0), callback=not_nan, metavar="S",
                 help="Only problems whose first move is at least so surprising: -log2 of the chance that a "
                      "player of habit chooses it."),
    click.option("--region", type=click.Choice([region.value for region in KingRegion]),
                 help="Where the defender's king stands: within the 3x3 squares of a corner, on an edge "
                      "outside the corners, or at least two squares from every edge."),
    *FACTS,
    click.option("--distinct-lines", is_flag=True,
                 help="No two problems whose lines differ only by shifting or mirroring; lines are compared "
                      "by squares, not by pieces."),
)  # fmt: skip
_NAMES = frozenset(field.name for field in fields(ProblemConstraints))


def wish_options(command: F) -> F:
    """Add the options; the command gets ``wishes``, checked for its ``moves``."""

    @functools.wraps(command)
    def wishing(*arguments: Any, moves: int, **options: Any) -> Any:
        wished = {name: value for name, value in options.items() if name in _NAMES}
        others = {name: value for name, value in options.items() if name not in _NAMES}
        try:
            wishes = checked_constraints(ProblemConstraints(**wished), moves)
        except ContradictionError as error:
            raise Contradiction(str(error)) from None
        return command(*arguments, moves=moves, wishes=wishes, **others)

    for option in reversed(_WISHES):
        wishing = option(wishing)
    return wishing  # type: ignore[return-value]
