# SPDX-License-Identifier: GPL-3.0-or-later
"""Options with one constraint less: they show which constraint prevents problems."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from generator.acceptance.pipeline import Proof
from generator.constraints.options import SAMPLED, ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem
from generator.run.composer import Composer
from generator.run.roots import compose_until
from generator.theme_names import ThemeDetail
from tsume_rules.position import Hand, Position
from tsume_rules.sfen import format_sfen, parse_sfen

_TABLE_BITS = 18
_WITH_THEMES = ("themes", "theme_details", "picture")
"""Constraints that are given up with a theme."""
_ASKED = ("wishes", "starts", "grade", "style", "floor", "final", "exact", "around", "fixed")


@dataclass(frozen=True)
class Relaxation:
    """The options with one constraint less.

    ``name``: a field of `ProblemConstraints` that is given up, or ``exact``, ``style`` (free instead of
    natural), ``length`` (another), ``start_hand`` (any instead), ``start_piece`` (none, any or elsewhere).
    ``value``: its value, of several themes one; the other length; the piece and its square.
    """

    name: str
    value: Any
    options: ComposingOptions


def relaxations(options: ComposingOptions) -> Iterator[Relaxation]:
    """Yield each thing that may be given up by itself, constraints first, given pieces last."""
    for name, value, constraints in _fewer_constraints(options.wishes):
        yield Relaxation(name, value, _with_options(options, wishes=constraints))
    if options.exact:
        yield Relaxation("exact", True, _with_options(options, exact=False))
    if options.is_natural:
        yield Relaxation("style", Style.FREE, _with_options(options, style=Style.FREE))
    for length in (options.length - 2, options.length + 2):
        is_given = options.starts or (options.around and length not in SAMPLED)
        if length >= 1 and not is_given and options.wishes.contradiction(length) is None:
            yield Relaxation("length", length, _with_options(options, length))
    if not options.around:
        return
    given = parse_sfen(options.around).position
    if given.attacker_hand:
        any_hand = format_sfen(Position.completed(given.board, Hand()))
        yield Relaxation("start_hand", given.attacker_hand, _with_options(options, around=any_hand))
    for square in options.fixed:
        fixed = tuple(other for other in options.fixed if other != square)
        piece = given.board[square]
        if piece is not None and fixed:
            yield Relaxation("start_piece", (piece, square), _with_options(options, fixed=fixed))


def _fewer_constraints(constraints: ProblemConstraints) -> Iterator[tuple[str, Any, ProblemConstraints]]:
    for theme in constraints.themes:
        others = tuple(one for one in constraints.themes if one != theme)
        picture = None if theme == "picture" else constraints.picture
        details = tuple(text for text in constraints.theme_details if ThemeDetail.parse(text).tag != theme)
        yield "themes", theme, replace(constraints, themes=others, theme_details=details, picture=picture)
    if constraints.picture is not None and "picture" not in constraints.themes:
        yield "picture", constraints.picture, replace(constraints, picture=None)
    for name, nothing in asdict(ProblemConstraints()).items():
        value = getattr(constraints, name)
        if name not in _WITH_THEMES and value != nothing:
            without: dict[str, Any] = {name: nothing}
            yield name, value, replace(constraints, **without)


def _with_options(options: ComposingOptions, length: int | None = None, **other: Any) -> ComposingOptions:
    asked = {name: getattr(options, name) for name in _ASKED}
    return ComposingOptions.of(length or options.length, **{**asked, **other, "table_bits": _TABLE_BITS})


def problems_of_relaxations(
    options: ComposingOptions, seed: int, version: str, seconds: float, proof: Proof | None = None
) -> Iterator[tuple[Relaxation, Problem]]:
    """Yield a problem for each relaxation that gives one soon; all of them have ``seconds`` together."""
    tried = list(relaxations(options))
    end = time.monotonic() + seconds
    for number, one in enumerate(tried):
        share = (end - time.monotonic()) / (len(tried) - number)
        roots = compose_until(Composer(seed, one.options, version, proof), time.monotonic() + share)
        some = islice(roots, one.options.pass_of_roots)
        found = next((problem for root in some for problem in root.problems), None)
        if found is not None:
            yield one, found
