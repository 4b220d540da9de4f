"""Whether a problem has what was given: the pieces of a start, or of a final position; a picture."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from generator.final_position import final_of
from generator.options import Options
from generator.themes.pictures import picture_of
from generator.themes.story import replay
from generator.wishes import Wishes
from tsume_rules.moves import Move
from tsume_rules.play import position_after
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen
from tsume_rules.squares import SQUARES, Square, mirrored


def draws(wishes: Wishes, position: Position, line: tuple[Move, ...]) -> bool:
    """Whether the final position draws the picture wished; true if none is."""
    return wishes.picture in (None, picture_of(replay(position, line)))


def has_given(options: Options, position: Position, line: tuple[Move, ...]) -> bool:
    """Whether a problem, or its mirror image, has what the options give; true if they give nothing."""
    if options.around:
        return _has(position, parse_sfen(options.around).position, options.fixed)
    if options.final:
        final = final_of(options.final)
        occupied = [square for square, piece in enumerate(final.board) if piece is not None]
        end = reduce(position_after, line, position)
        return _has(end, final, range(SQUARES) if options.exact else occupied)
    return True


def _has(position: Position, given: Position, squares: Iterable[Square]) -> bool:
    wanted = [(square, given.board[square]) for square in squares]
    images = wanted, [(mirrored(square), piece) for square, piece in wanted]
    return any(all(position.board[square] == piece for square, piece in image) for image in images)
