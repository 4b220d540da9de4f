# SPDX-License-Identifier: GPL-3.0-or-later
"""The options for what a problem's position and line must be like, which ``generate`` and ``mend`` share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from db.store import Store
from generator.constraints.line_pattern import LONGEST_PATTERN, ConstraintError, parse_line_pattern, parse_move_patterns
from generator.constraints.options import REPEATED_MOTIF
from generator.constraints.problem import (
    KingRegion,
    ProblemConstraints,
    parse_area,
    parse_hand,
    parse_kinds,
    parse_mate_squares,
)
from tsume.commands import options
from tsume.commands.import_ import known_entries
from tsume.files.inputs import PositionInputs
from tsume.uses.composing import ContradictionError, checked_constraints
from tsume_rules.moves import Move
from tsume_rules.position import ALL_PIECES, Position, Side
from tsume_rules.sfen import format_sfen


class ContradictionUsageError(click.ClickException):
    """No problem can meet all constraints: wrong usage, reported in one line."""

    exit_code = 2


FORMS: dict[str, dict[str, Any]] = {
    "smoke": {"min_pieces": 36, "end_pieces": 3},
    "half-smoke": {"min_pieces": 20, "end_pieces": 3},
    "repeating": {"themes": (REPEATED_MOTIF,)},
    "bare-king": {"themes": ("bare-king",)},
    "one-kind": {"themes": ("one-kind",)},
    "no-hand-open": {"hand": "-", "themes": ("lone-king",)},
}
"""What each form of `tsume generate --form` asks for."""


def wishes_of(form: str | None = None, **wished: Any) -> ProblemConstraints:
    """Return the constraints, those of a form where nothing else was asked for, checked for the length that the
    command was given, if it was."""
    for name, value in FORMS.get(form or "", {}).items():
        wished[name] = (*wished[name], *value) if name == "themes" else wished[name] or value
    try:
        return checked_constraints(ProblemConstraints(**wished), click.get_current_context().params["moves"])
    except ContradictionError as error:
        raise ContradictionUsageError(str(error)) from None


_LONGEST = 40
"""Characters of one value but a line."""
_STORE = b"SQLite format 3\0"
"""How a store in a file begins."""


def _readable(
    read: Callable[[str], object], *, letters: bool = False, longest: int = _LONGEST
) -> Callable[..., str | None]:
    """Return a callback that checks a text by reading it, and turns ``letters`` as in SFEN into capitals."""

    def callback(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
        if value is None:
            return None
        if len(value) > longest:
            raise click.BadParameter(f"more than {longest} characters")
        try:
            read(value)
        except ConstraintError as error:
            raise click.BadParameter(str(error)) from None
        return value.upper() if letters else value

    return callback


def _known_problems(_context: click.Context, _parameter: click.Parameter, files: tuple[str, ...]) -> tuple[str, ...]:
    """Return the problems of files and stores, each an SFEN with its line if it is known."""
    found: dict[str, None] = {}
    for file in files:
        before = len(found)
        for position, line in _problems_of(file):
            moves = f" moves {' '.join(move.usi for move in line)}" if line else ""
            found[format_sfen(position) + moves] = None
        if len(found) == before:
            raise click.ClickException(f"--known: no problem could be read from {file}")
    return tuple(found)


def _problems_of(file: str) -> Iterator[tuple[Position, tuple[Move, ...]]]:
    is_store = False
    if (path := Path(file)).is_file():
        with path.open("rb") as opened:
            is_store = opened.read(len(_STORE)) == _STORE
    if is_store:
        with Store.open(file, create=False) as store:
            yield from ((one.problem.position, one.problem.line) for one in store.find())
        return
    for entry in known_entries(PositionInputs((), (file,))):
        if entry.parsed is not None and entry.parsed.position.king(Side.DEFENDER) is not None:
            yield entry.parsed.position, entry.line


OF_POSITION_AND_LINE = (
    click.option("--min-pieces", type=click.IntRange(3, ALL_PIECES), metavar="MIN",
                 help="At least this many pieces on the board and in the attacker's hand, kings included."),
    click.option("--pieces", "max_pieces", type=click.IntRange(3, options.MAX_NUMBER), metavar="MAX",
                 help="At most this many pieces on the board and in the attacker's hand, kings included."),
    click.option("--end-pieces", type=click.IntRange(2, ALL_PIECES), metavar="MAX",
                 help="At most this many pieces on the board at the mate, kings included."),
    click.option("--max-defenders", type=click.IntRange(0, ALL_PIECES), metavar="MAX",
                 help="At most this many defending pieces on the board, not counting the king."),
    click.option("--hand", callback=_readable(parse_hand, letters=True),
                 help="Attacker's hand in SFEN letters (R2P), - for none."),
    click.option("--min-hand", callback=_readable(parse_hand, letters=True), metavar="HAND",
                 help="At least these pieces in the attacker's hand."),
    click.option("--hand-only", callback=_readable(parse_kinds, letters=True), metavar="PIECES",
                 help="Only these kinds of piece in the attacker's hand, in SFEN letters (PN)."),
    click.option("--only", callback=_readable(parse_kinds, letters=True), metavar="PIECES",
                 help="Only these kinds of piece, in SFEN letters (RBG); kings are always allowed."),
    click.option("--without", callback=_readable(parse_kinds, letters=True), metavar="PIECES",
                 help="None of these kinds of piece."),
    click.option("--area", callback=_readable(parse_area), metavar="AREA",
                 help="All pieces stand here at the start: right (files 1 to 5), files and ranks in the upper "
                      "right corner (3x3), or the rectangle between two squares (5a-1c)."),
    click.option("--region", type=click.Choice([region.value for region in KingRegion]),
                 help="Where the defender's king stands: within the 3x3 squares of a corner, on an edge "
                      "outside the corners, or at least two squares from every edge."),
    click.option("--mate-on", callback=_readable(parse_mate_squares), metavar="SQUARE|REGION",
                 help="Where the king is mated: on a square (5e; 都詰), or in a region as of --region."),
    click.option("--last", callback=_readable(parse_move_patterns), metavar="MOVE",
                 help="The last move, as one of --line: P (突歩詰), N* (a knight is dropped), R+,B+ (either)."),
    click.option("--line", callback=_readable(parse_line_pattern, longest=LONGEST_PATTERN), metavar="MOVES",
                 help="The moves of the main line: x for any, ... for any number, else piece, * (drop), x (capture), "
                      "square and + (promotion), as far as wanted: 'x x S*2b Px2b ...'."),
    click.option("--known", multiple=True, callback=_known_problems, metavar="FILE|FOLDER|STORE",
                 help="Only problems unlike all of these, in any format: neither equal nor nearly equal; repeatable."),
)  # fmt: skip
"""The options by the fields of `generator.constraints.problem.ProblemConstraints`."""
