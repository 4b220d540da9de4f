# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain pieces instead of promoted ones wherever the problem stays what it is (成駒のない配置).

A composer puts a gold or the plain piece where it does as well: a promoted piece on the board at
the start says that it was needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tsume_rules.game import start_faults
from tsume_rules.moves import Move
from tsume_rules.position import Kind, Piece, Position, Square

Line = tuple[Move, ...]
Solve = Callable[[Position], Line | None]
"""The main line of a position that is the start of a correct problem of the length asked for, else None."""

SMALL = (Kind.TOKIN, Kind.PROMOTED_LANCE, Kind.PROMOTED_KNIGHT, Kind.PROMOTED_SILVER)
"""The promoted pieces that move like a gold."""


def line_destinations(line: Line) -> tuple[Square, ...]:
    """Where the moves of a line lead."""
    return tuple(move.target for move in line)


def plain_kinds(kind: Kind) -> tuple[Kind, ...]:
    """What a composer would rather put in a promoted piece's place, best first; empty for a plain piece."""
    if not kind.is_promoted:
        return ()
    return (kind.base, Kind.GOLD) if kind in SMALL else (kind.base,)


def positions_with_plain_piece(position: Position) -> Iterator[tuple[Square, Position]]:
    """Each position with one promoted piece made plain that may be the start of a problem, with its square.

    The set has as many pieces as it has: a gold comes from the defender's hand.
    """
    for sq, piece in enumerate(position.board):
        for kind in () if piece is None else plain_kinds(piece.kind):
            if kind is Kind.GOLD and not position.defender_hand[kind]:
                continue
            assert piece is not None
            changed = position.with_piece(sq, Piece(piece.side, kind))
            if not start_faults(changed):
                yield sq, changed


def with_plain_pieces(
    position: Position, line: Line, solve: Solve, kinds: frozenset[Kind]
) -> tuple[Position, Line]:
    """The problem after no promoted piece can be made plain any more, and its line.

    ``line`` is its line before; the new one leads to the same squares. Only ``kinds`` may be
    on the board. What ``solve`` raises is passed on.
    """
    squares = line_destinations(line)
    while True:
        plainer = _with_one_plain_piece(position, squares, solve, kinds)
        if plainer is None:
            return position, line
        position, line = plainer


def _with_one_plain_piece(
    position: Position, squares: tuple[Square, ...], solve: Solve, kinds: frozenset[Kind]
) -> tuple[Position, Line] | None:
    """The first problem with one promoted piece made plain whose line leads to the same ``squares``."""
    for sq, changed in positions_with_plain_piece(position):
        piece = changed.board[sq]
        if piece is None or piece.kind not in kinds:
            continue
        found = solve(changed)
        if found is not None and line_destinations(found) == squares:
            return changed, found
    return None
