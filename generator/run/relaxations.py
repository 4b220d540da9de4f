"""Options with one constraint less: they show which constraint prevents problems."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from generator.acceptance.pipeline import Proof
from generator.constraints.options import SAMPLED, Options, Style
from generator.constraints.problem import Constraints
from generator.problem import Problem
from generator.run.composer import Composer
from generator.run.roots import compose_until
from tsume_rules.hands import Hand
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

_TABLE_BITS = 18
_ASKED = ("wishes", "starts", "grade", "style", "floor", "final", "exact", "around", "fixed")


@dataclass(frozen=True)
class Relaxation:
    """The options with one constraint less.

    ``name``: a field of `Constraints` that is given up, or ``exact``, ``style`` (free instead of
    natural), ``length`` (another), ``start_hand`` (any instead), ``start_piece`` (none, any or elsewhere).
    ``value``: its value, of several themes one; the other length; the piece and its square.
    """

    name: str
    value: Any
    options: Options


def relaxations(options: Options) -> Iterator[Relaxation]:
    """Each thing that may be given up by itself, constraints first, given pieces last."""
    for name, value, constraints in _fewer_constraints(options.wishes):
        yield Relaxation(name, value, _with(options, wishes=constraints))
    if options.exact:
        yield Relaxation("exact", True, _with(options, exact=False))
    if options.natural:
        yield Relaxation("style", Style.FREE, _with(options, style=Style.FREE))
    for length in (options.length - 2, options.length + 2):
        if _may_have(options, length):
            yield Relaxation("length", length, _with(options, length))
    if options.around:
        yield from _fewer_given(options)


def _fewer_constraints(constraints: Constraints) -> Iterator[tuple[str, Any, Constraints]]:
    for theme in constraints.themes:
        others = tuple(one for one in constraints.themes if one != theme)
        picture = None if theme == "picture" else constraints.picture
        yield "themes", theme, replace(constraints, themes=others, picture=picture)
    for name, nothing in asdict(Constraints()).items():
        value = getattr(constraints, name)
        if name not in ("themes", "picture") and value != nothing:
            without: dict[str, Any] = {name: nothing}
            yield name, value, replace(constraints, **without)


def _may_have(options: Options, length: int) -> bool:
    """Whether problems of another length can be composed from the given material."""
    if length < 1 or options.starts or (options.around and length not in SAMPLED):
        return False
    return options.wishes.contradiction(length) is None


def _fewer_given(options: Options) -> Iterator[Relaxation]:
    given = parse_sfen(options.around).position
    if given.attacker_hand:
        any_hand = format_sfen(Position.completed(given.board, Hand()))
        yield Relaxation("start_hand", given.attacker_hand, _with(options, around=any_hand))
    for square in options.fixed:
        fixed = tuple(other for other in options.fixed if other != square)
        piece = given.board[square]
        if piece is not None and fixed:
            yield Relaxation("start_piece", (piece, square), _with(options, fixed=fixed))


def _with(options: Options, length: int | None = None, **other: Any) -> Options:
    """The suitable options with something changed."""
    asked = {name: getattr(options, name) for name in _ASKED}
    return Options.of(length or options.length, **{**asked, **other, "table_bits": _TABLE_BITS})


def nearest(
    options: Options, seed: int, version: str, seconds: float, proof: Proof | None = None
) -> Iterator[tuple[Relaxation, Problem]]:
    """A problem for each relaxation that gives one soon; all of them have ``seconds`` together."""
    tried = list(relaxations(options))
    end = time.monotonic() + seconds
    for number, one in enumerate(tried):
        share = (end - time.monotonic()) / (len(tried) - number)
        found = _first(Composer(seed, one.options, version, proof), time.monotonic() + share)
        if found is not None:
            yield one, found


def _first(composer: Composer, end: float) -> Problem | None:
    """The first problem of a composer, if it comes before a moment."""
    roots = islice(compose_until(composer, end), composer.options.pass_of_roots)
    return next((problem for root in roots for problem in root.problems), None)
