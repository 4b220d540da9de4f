# SPDX-License-Identifier: GPL-3.0-or-later
"""Records and diagrams of a position with its line, as texts."""

from __future__ import annotations

from tsume.diagrams.look import WOOD, DiagramLook, DiagramScene
from tsume.diagrams.svg import svg
from tsume.formats.game_record import AUTHOR, GameRecord
from tsume.formats.kif import write_kif
from tsume.language.catalogue import Language
from tsume_rules.moves import Move, position_after
from tsume_rules.position import Position


def kif_text(position: Position, line: tuple[Move, ...], title: str = "", author: str = "") -> str:
    """KIF of a position and its line. Raises ValueError for an illegal move."""
    return write_kif(game_record(position, line, title, author))


def game_record(position: Position, line: tuple[Move, ...], title: str, author: str) -> GameRecord:
    """A position and its line with the texts of the problem. Raises ValueError for an illegal move."""
    position_in_line(position, line)
    return GameRecord(position, line, title, headers=((AUTHOR, author),))


def diagram_svg(
    position: Position, line: tuple[Move, ...], language: Language, *, marks_last: bool = True
) -> str:
    """SVG of the position at the end of a line; ``marks_last``: the squares of its last move are marked.

    Raises ValueError for an illegal move.
    """
    last = line[-1] if line and marks_last else None
    scene = DiagramScene(position_in_line(position, line), last_move=last)
    return svg(scene, DiagramLook(language=language, colours=WOOD))


def position_in_line(position: Position, line: tuple[Move, ...]) -> Position:
    """The position at the end of a line. Raises ValueError for an illegal move, with its number."""
    for at, move in enumerate(line, start=1):
        try:
            position = position_after(position, move)
        except ValueError as error:
            raise ValueError(f"line: move {at}: {error}") from None
    return position
