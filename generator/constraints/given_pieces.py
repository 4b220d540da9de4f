# SPDX-License-Identifier: GPL-3.0-or-later
"""Given pieces and pictures: whether a problem can have them, and has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from generator.constraints.given_final import parse_final_position
from generator.constraints.options import ComposingOptions
from generator.constraints.problem import KingRegion, ProblemConstraints, parse_hand
from generator.constraints.properties import has_promoted
from generator.replay.line import replay_line
from generator.themes.details import shows_details
from generator.themes.pictures import draws
from tsume_rules.game import is_in_check
from tsume_rules.moves import Move, position_after_all
from tsume_rules.position import SQUARES, IllegalPosition, Kind, Piece, Position, Side, Square, mirrored
from tsume_rules.sfen import parse_sfen


def shows_as_required(constraints: ProblemConstraints, position: Position, line: tuple[Move, ...]) -> bool:
    """Whether a line shows themes with the pieces required, and its final position draws the picture."""
    picture = constraints.picture
    if not constraints.theme_details and picture is None:
        return True
    replayed = replay_line(position, line)
    return shows_details(replayed, constraints.theme_details) and (
        picture is None or draws(replayed, picture)
    )


def has_given_pieces(options: ComposingOptions, position: Position, line: tuple[Move, ...]) -> bool:
    """Whether a problem, or its mirror image, has what the options give; true if they give nothing."""
    if options.around:
        return _has_pieces_on(position, parse_sfen(options.around).position, options.fixed)
    if options.final:
        final = parse_final_position(options.final)
        occupied = [square for square, piece in enumerate(final.board) if piece is not None]
        end = position_after_all(position, line)
        return _has_pieces_on(end, final, range(SQUARES) if options.exact else occupied)
    return True


def fault_of_given_start(
    given: Position, fixed: Iterable[Square], constraints: ProblemConstraints
) -> str | None:
    """Why no problem can have the pieces on the ``fixed`` squares; None if no reason is obvious."""
    squares = frozenset(fixed)
    board = tuple(piece if square in squares else None for square, piece in enumerate(given.board))
    hand = given.attacker_hand if constraints.hand is None else parse_hand(constraints.hand)
    try:
        kept = Position.completed(board, hand)
    except IllegalPosition as error:
        return f"with the hand {constraints.hand}: {error}"
    king = kept.king(Side.DEFENDER)
    if king is not None and _is_always_in_check(kept, squares):
        return "the defender's king is in check, and nothing can be interposed"
    if (
        king is not None
        and constraints.region is not None
        and not KingRegion(constraints.region).contains_king(king)
    ):
        return f"the defender's king is not in the region {constraints.region}"
    if not constraints.allow_kinds(kept):
        return "it keeps a kind of piece that the conditions exclude"
    if constraints.no_promoted and has_promoted(kept):
        return "it keeps a promoted piece"
    number = kept.piece_count() + (king is None)
    if constraints.max_pieces is not None and number > constraints.max_pieces:
        return f"it keeps {number} pieces including the king, more than {constraints.max_pieces}"
    return None


def _is_always_in_check(kept: Position, squares: frozenset[Square]) -> bool:
    """Whether the king stays in check even with a piece on every square that is not kept."""
    other = Piece(Side.DEFENDER, Kind.PAWN)
    filled = (piece if square in squares else other for square, piece in enumerate(kept.board))
    return is_in_check(replace(kept, board=tuple(filled)), Side.DEFENDER)


def _has_pieces_on(position: Position, given: Position, squares: Iterable[Square]) -> bool:
    wanted = [(square, given.board[square]) for square in squares]
    images = wanted, [(mirrored(square), piece) for square, piece in wanted]
    return any(all(position.board[square] == piece for square, piece in image) for image in images)
