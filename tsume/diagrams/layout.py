# SPDX-License-Identifier: GPL-3.0-or-later
"""The layout of a picture: squares, hands, caption. Units are those of SVG, y downwards."""

from __future__ import annotations

from dataclasses import dataclass

from tsume.diagrams.glyphs import text_width
from tsume.diagrams.look import DiagramLook, DiagramScene
from tsume_rules.position import HAND_ORDER, Hand, Kind, Square, file_of, rank_of

CELL_WIDTH, CELL_HEIGHT = 40, 44
BOARD_WIDTH, BOARD_HEIGHT = 9 * CELL_WIDTH, 9 * CELL_HEIGHT
MARGIN = 10
FILES_HEIGHT = 22
RANKS_WIDTH = 24
HAND_WIDTH = 66
CAPTION_SIZE = 22
CAPTION_HEIGHT = 30
_HAND_HEAD = 46
_MOST_HEIGHT_OF_KIND = 50


@dataclass(frozen=True)
class DiagramLayout:
    """The places on one picture: its size, the board's upper left corner, the lines of the caption."""

    width: int
    height: int
    left: int
    top: int
    caption: tuple[str, ...]

    @property
    def foot(self) -> float:
        """The middle of the line below the board, if there is one."""
        return self.top + BOARD_HEIGHT + MARGIN + CAPTION_HEIGHT / 2

    def centre(self, sq: Square) -> tuple[float, float]:
        """The middle of a square."""
        x, y = self.corner(sq)
        return x + CELL_WIDTH / 2, y + CELL_HEIGHT / 2

    def corner(self, sq: Square) -> tuple[int, int]:
        """The upper left corner of a square."""
        return self.left + (9 - file_of(sq)) * CELL_WIDTH, self.top + (rank_of(sq) - 1) * CELL_HEIGHT

    @property
    def attacker_x(self) -> float:
        """The middle of the column of the attacker's hand."""
        return self.width - MARGIN - HAND_WIDTH / 2

    @property
    def defender_x(self) -> float:
        """The middle of the column of the defender's hand."""
        return MARGIN + HAND_WIDTH / 2


def diagram_layout(scene: DiagramScene, look: DiagramLook, *, foot: bool = False) -> DiagramLayout:
    """The places on the picture of a scene; with ``foot`` there is a line below the board."""
    left = MARGIN + (HAND_WIDTH if look.defender_hand else 0)
    ranks = RANKS_WIDTH if look.coordinates else MARGIN // 2
    width = left + BOARD_WIDTH + ranks + HAND_WIDTH + MARGIN
    caption = wrapped_caption(scene.caption, width - 2 * MARGIN)
    top = MARGIN + CAPTION_HEIGHT * len(caption) + (FILES_HEIGHT if look.coordinates else 0)
    below = MARGIN + CAPTION_HEIGHT * foot
    return DiagramLayout(width, top + BOARD_HEIGHT + below, left, top, caption)


def hand_places(hand: Hand, top: float) -> dict[Kind, float]:
    """The middle of each kind in a column that begins at ``top``, downwards in the usual order."""
    kinds = [kind for kind in HAND_ORDER if hand[kind]]
    step = min(_MOST_HEIGHT_OF_KIND, (BOARD_HEIGHT - _HAND_HEAD) / max(len(kinds), 1))
    return {kind: top + _HAND_HEAD + step * (number + 0.5) for number, kind in enumerate(kinds)}


def wrapped_caption(text: str, width: float) -> tuple[str, ...]:
    """A caption in lines of at most this width, broken between words if possible."""
    lines: list[str] = []
    for given in text.splitlines():
        line = ""
        for word in _breakable_words(given):
            if line and text_width((line + word).rstrip(), CAPTION_SIZE) > width:
                lines.append(line.rstrip())
                line = ""
            for character in word:
                if line and text_width(line + character, CAPTION_SIZE) > width:
                    lines.append(line.rstrip())
                    line = ""
                line += character
        lines.append(line.rstrip())
    return tuple(line.strip() for line in lines if line.strip())


def _breakable_words(text: str) -> list[str]:
    """The parts of a text that are not cut: Latin words with the space behind, single Japanese characters."""
    words: list[str] = []
    for character in text:
        if words and words[-1][-1].isascii() and words[-1][-1] != " " and character.isascii():
            words[-1] += character
        else:
            words.append(character)
    return words
