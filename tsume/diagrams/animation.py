# SPDX-License-Identifier: GPL-3.0-or-later
"""A line as an animated SVG: one frame for each move, in which the piece slides to its square.

The animation is pure CSS, which also works inside ``<img>``. Without animation, or with reduced motion,
the picture shows the first position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from tsume.diagrams.captions import caption_after_moves, captioned_moves, picture_description, picture_title
from tsume.diagrams.layout import BOARD_WIDTH, DiagramLayout, diagram_layout, hand_places
from tsume.diagrams.look import DiagramLook, DiagramScene
from tsume.diagrams.svg import (
    board_drawing,
    caption_drawing,
    hands_drawing,
    moved_drawing,
    picture_background,
    piece_definitions,
    placed_piece,
    placed_pieces,
    svg_document,
    text_drawing,
    used_pieces,
)
from tsume_rules.moves import Move, position_after
from tsume_rules.position import Position, Side

START_SECONDS, MOVE_SECONDS, END_SECONDS = 2.0, 1.5, 3.0
"""Display times of the first, each further and the last position."""
_GLIDE_SECONDS = 0.4


@dataclass(frozen=True)
class _Frame:
    """A position, the move that led to it, the position before, and the text below it."""

    position: Position
    move: Move | None = None
    before: Position | None = None
    text: str = ""


def animated_svg(scene: DiagramScene, line: Sequence[Move], look: DiagramLook) -> str:
    """The line played from the scene's position. Raises `tsume_rules.moves.ImpossibleMove`."""
    frames = list(_animation_frames(scene.position, line, look))
    places = diagram_layout(scene, look, foot=True)
    shown = [START_SECONDS, *(MOVE_SECONDS for _ in line[1:]), END_SECONDS][: len(frames)]
    begins = list(accumulate(shown, initial=0.0))
    parts = [
        picture_background(places, look),
        *caption_drawing(places, look),
        board_drawing(places, look),
        *(_frame_drawing(number, frame, places, look) for number, frame in enumerate(frames)),
    ]
    words = (picture_title(scene, look.language), _described(scene, line, look))
    defined = piece_definitions(used_pieces((frame.position for frame in frames), look), look)
    return svg_document(places, look, words, defined, parts, _animation_css(frames, begins, places))


def _described(scene: DiagramScene, line: Sequence[Move], look: DiagramLook) -> str:
    start = picture_description(scene, look.language, defender_hand=look.defender_hand)
    return f"{start} {' '.join(captioned_moves(scene.position, line, look.language))}"


def _animation_frames(position: Position, line: Sequence[Move], look: DiagramLook) -> Iterator[_Frame]:
    texts = captioned_moves(position, line, look.language)
    yield _Frame(position)
    for number, (move, text) in enumerate(zip(line, texts, strict=True), start=1):
        before, position = position, position_after(position, move)
        last = number == len(line)
        yield _Frame(position, move, before, caption_after_moves(text, number, look.language, last=last))


def _frame_drawing(number: int, frame: _Frame, places: DiagramLayout, look: DiagramLook) -> str:
    parts = [*hands_drawing(frame.position, places, look)]
    if frame.move is None:
        parts += placed_pieces(frame.position, places, look)
    else:
        parts += moved_drawing(frame.move, places, look)
        parts += placed_pieces(frame.position, places, look, without=frame.move.target)
        piece = frame.position.board[frame.move.target]
        assert piece is not None
        glides = placed_piece(piece, *places.centre(frame.move.target), look)
        parts.append(f'<g class="m{number}">{glides}</g>')
        parts.append(text_drawing(frame.text, places.left + BOARD_WIDTH / 2, places.foot, places, look))
    return f'<g class="f f{number}">{"".join(parts)}</g>'


def _animation_css(frames: Sequence[_Frame], begins: Sequence[float], places: DiagramLayout) -> str:
    whole = begins[-1]
    rules = [f".f{{opacity:0;animation:{whole:g}s step-end infinite}}.f0{{opacity:1}}"]
    for number, frame in enumerate(frames):
        first, last = (100 * at / whole for at in begins[number : number + 2])
        hidden = "0%{opacity:0}" * (number > 0)
        rules.append(f".f{number}{{animation-name:f{number}}}")
        seen_at_end = int(number == len(frames) - 1)
        rules.append(
            f"@keyframes f{number}{{{hidden}{first:.2f}%{{opacity:1}}"
            f"{last:.2f}%,100%{{opacity:{seen_at_end}}}}}"
        )
        if frame.move is not None:
            x, y = _frame_movement(frame, places)
            rested = 100 * (begins[number] + _GLIDE_SECONDS) / whole
            rules.append(f".m{number}{{animation:m{number} {whole:g}s ease-in-out infinite}}")
            rules.append(
                f"@keyframes m{number}{{0%,{first:.2f}%{{transform:translate({x:g}px,{y:g}px)}}"
                f"{rested:.2f}%,100%{{transform:none}}}}"
            )
    rules.append("@media (prefers-reduced-motion:reduce){.f,.f *{animation:none!important}}")
    return f"<style>{''.join(rules)}</style>"


def _frame_movement(frame: _Frame, places: DiagramLayout) -> tuple[float, float]:
    """The offset from a piece's target back to its origin: a square or the owner's hand."""
    assert frame.move is not None
    assert frame.before is not None
    to = places.centre(frame.move.target)
    if frame.move.origin is not None:
        start = places.centre(frame.move.origin)
        return start[0] - to[0], start[1] - to[1]
    if frame.before.side_to_move is Side.ATTACKER and frame.move.drop is not None:
        start = places.attacker_x, hand_places(frame.before.attacker_hand, places.top)[frame.move.drop]
        return start[0] - to[0], start[1] - to[1]
    return 0.0, places.top - to[1] - 60  # the defender's hand is not shown: drops come from above
