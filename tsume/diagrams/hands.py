# SPDX-License-Identifier: GPL-3.0-or-later
"""A hand beside the board (持駒): a heading, then a piece of each kind with its number."""

from __future__ import annotations

from functools import cache

from tsume.diagrams.glyphs import centred_text_path
from tsume.diagrams.layout import DiagramLayout, hand_places
from tsume.diagrams.look import Colours, DiagramLook
from tsume.diagrams.pieces import piece_id, piece_pentagon
from tsume.formats.symbols import number_text
from tsume.language.catalogue import Language, phrase
from tsume_rules.position import Position, Side

_HEAD_SIZE = 15
_NUMBER_SIZE = 16
_ASIDE, _COUNT_ASIDE = 10, 18
"""Offsets of pieces to the left and of their numbers to the right."""
_MARK_WIDTH, _MARK_HEIGHT = 12.0, 14.0


def hand_drawing(position: Position, side: Side, places: DiagramLayout, look: DiagramLook) -> str:
    """A side's hand in its column: the attacker's at the right, the defender's at the left."""
    x = places.attacker_x if side is Side.ATTACKER else places.defender_x
    parts = [_hand_heading(side, x, places.top, look.language, look.colours)]
    hand = position.hand(side)
    aside = _ASIDE * any(hand[kind] > 1 for kind in hand)
    for kind, y in hand_places(hand, places.top).items():
        name = piece_id(kind, look.piece_style, turned=side is Side.DEFENDER)
        parts.append(f'<use href="#{name}" x="{x - aside:g}" y="{y:g}"/>')
        if hand[kind] > 1:
            parts.append(_hand_count_drawing(hand[kind], x + _COUNT_ASIDE, y, look))
    if not len(hand):
        parts.append(_stacked_text(phrase(look.language, "pictures.none"), x, places.top + 50, look))
    return "".join(parts)


def _hand_count_drawing(number: int, x: float, y: float, look: DiagramLook) -> str:
    """How many: in Japanese numerals one below the other, or in digits."""
    if look.piece_style.is_international or look.language == "en":
        path = centred_text_path(str(number), _NUMBER_SIZE, round(x, 2), round(y + 2, 2))
    else:
        text = number_text(number)
        tops = [y + 2 + (place - (len(text) - 1) / 2) * _NUMBER_SIZE for place in range(len(text))]
        path = "".join(
            centred_text_path(c, _NUMBER_SIZE, x, round(top, 2)) for c, top in zip(text, tops, strict=True)
        )
    return f'<path d="{path}" fill="{look.colours.ink}"/>'


@cache
def _hand_heading(side: Side, x: float, top: float, language: Language, colours: Colours) -> str:
    """A black pentagon for the attacker, a white one turned for the defender, and the words below it."""
    fill, turn = (colours.ink, 0) if side is Side.ATTACKER else (colours.paper, 180)
    mark = (
        f'<path d="{piece_pentagon(_MARK_WIDTH, _MARK_HEIGHT)}" fill="{fill}" stroke="{colours.ink}"'
        f' transform="translate({x:g} {top + 8:g}) rotate({turn})"/>'
    )
    words = centred_text_path(phrase(language, "pictures.hand_head"), _HEAD_SIZE, x, top + 28)
    return f'{mark}<path d="{words}" fill="{colours.ink}"/>'


@cache
def _stacked_text(text: str, x: float, top: float, look: DiagramLook) -> str:
    """A short text downwards in Japanese, along a line in English."""
    if look.language == "en":
        path = centred_text_path(text, _HEAD_SIZE, x, top)
    else:
        path = "".join(
            centred_text_path(c, _NUMBER_SIZE, x, top + place * (_NUMBER_SIZE + 4))
            for place, c in enumerate(text)
        )
    return f'<path d="{path}" fill="{look.colours.ink}"/>'
