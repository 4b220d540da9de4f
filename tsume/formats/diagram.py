# SPDX-License-Identifier: GPL-3.0-or-later
"""The board in plain text: as a Japanese diagram, written and read, and as an English one.

The look is that of KIF and BOD files: two columns a square, ``v`` before the defender's pieces, so that it lines up
wherever Japanese characters are twice as wide as Latin ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tsume.formats.symbols import DIGITS, KIND_OF, NUMERALS, SHORT_NAME, WIDE_DIGITS, hand_text
from tsume.language.catalogue import phrase
from tsume_rules.position import HAND_ORDER, LETTERS, Kind, Piece, Position, Side, square
from tsume_rules.sfen import piece_letter

FILES = "  ９ ８ ７ ６ ５ ４ ３ ２ １"
BORDER = "+---------------------------+"

DEFENDER_MARKS = "vV^▽△☖∨"
"""Engines print ``^`` before White's pieces."""
_ATTACKER_MARKS = "▲☗"
_MARKS = DEFENDER_MARKS + _ATTACKER_MARKS
_CELL = re.compile(rf"[ 　]*(?:[・･.口□_*]|([{_MARKS}]?)(成[銀桂香]|\+?[^\s{_MARKS}|・･.口□_*]))")
_TWO_COLUMNS = re.compile(rf"(?:[ 　]{{2}}|[ 　{_MARKS}][^\s{_MARKS}|]){{9}}")
"""Nine squares of two characters each: blank ones are empty."""
_RANKS = NUMERALS + WIDE_DIGITS + DIGITS + "abcdefghi"
_RANK_END = re.compile(r"[\s　]*([一二三四五六七八九1-9１-９a-iA-I]?)[\s　]*")
_LETTERS = {piece_letter(Piece(side, kind)): Piece(side, kind) for side in Side for kind in Kind}
"""The pieces of English diagrams (`tsume.formats.diagram`)."""


def text_diagram(position: Position, *, defender_hand: bool = False) -> str:
    """Return the board with the attacker's hand below it (攻方の持駒); no final newline.

    ``defender_hand`` puts the defender's hand (玉方の持駒) above the board.
    """
    attacker = phrase("ja", "common.attacker_hand", hand=hand_text(position.attacker_hand))
    lines = [*board_lines(position), attacker]
    if defender_hand:
        lines.insert(0, phrase("ja", "common.defender_hand", hand=hand_text(position.defender_hand)))
    return "\n".join(lines)


def board_lines(position: Position) -> list[str]:
    """Return the twelve lines of the board: files, border, nine ranks, border."""

    def cell(piece: Piece | None) -> str:
        return " ・" if piece is None else (" v"[piece.side is Side.DEFENDER]) + SHORT_NAME[piece.kind]

    return _drawn(position, FILES, NUMERALS, cell)


def _drawn(position: Position, files: str, ranks: str, cell: Callable[[Piece | None], str]) -> list[str]:
    rows = []
    for rank in range(1, 10):
        cells = (cell(position.board[square(file, rank)]) for file in range(9, 0, -1))
        rows.append(f"|{''.join(cells)}|{ranks[rank - 1]}")
    return [files, BORDER, *rows, BORDER]


def parse_rank_line(line: str) -> list[Piece | None]:
    """Return the nine squares of a rank's line, file 9 first; raise ValueError when it has not nine."""
    end = line.rfind("|")
    if not line.startswith("|") or end < 1:
        raise ValueError("a rank must be between two |")
    if not _RANK_END.fullmatch(line[end + 1 :]):
        raise ValueError(f"text beside a rank: {line[end + 1 :][:20]!r}")
    text = line[1:end]
    if ("  " in text or "　　" in text) and _TWO_COLUMNS.fullmatch(text):
        pairs = [text[at : at + 2] for at in range(0, 18, 2)]
        text = "".join(pair if pair.strip() else " ・" for pair in pairs)
    text, at = text.rstrip(), 0
    cells: list[Piece | None] = []
    while at < len(text):
        cell = _CELL.match(text, at)
        if cell is None:
            raise ValueError(f"invalid square of a diagram: {text[at : at + 3]!r}")
        mark, name, at = cell[1], cell[2], cell.end()
        if name is None or (not mark and name in _LETTERS):
            cells.append(None if name is None else _LETTERS[name])
        else:
            kind, is_promoted = KIND_OF.get(name.removeprefix("+")), name.startswith("+")
            if kind is None or (is_promoted and kind > Kind.ROOK):
                raise ValueError(f"invalid piece: {name!r}")
            side = Side.DEFENDER if mark and mark in DEFENDER_MARKS else Side.ATTACKER
            cells.append(Piece(side, kind.promoted if is_promoted else kind))
        if len(cells) > 9:
            raise ValueError("more than 9 squares in a rank")
    if len(cells) != 9:
        raise ValueError(f"{len(cells)} squares in a rank, not 9")
    return cells


def named_rank(line: str) -> int | None:
    """Return the rank that a rank's line names beside the board; None if it names none."""
    found = _RANK_END.fullmatch(line[line.rfind("|") + 1 :])
    return _RANKS.find(found[1].lower()) % 9 + 1 if found and found[1] else None


def english_diagram(position: Position) -> str:
    """Return the board with SFEN letters, ``+`` before promoted pieces, and the attacker's hand below it."""
    files, held = "  9  8  7  6  5  4  3  2  1", position.attacker_hand
    items = (f"{held[kind] if held[kind] > 1 else ''}{LETTERS[kind]}" for kind in HAND_ORDER if held[kind])
    hand = phrase("en", "common.attacker_hand", hand=", ".join(items) or "nothing")
    lines = _drawn(position, files, "abcdefghi", lambda one: f"{'.' if one is None else piece_letter(one):>2} ")
    return "\n".join([*lines, hand])
