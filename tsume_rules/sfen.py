# SPDX-License-Identifier: GPL-3.0-or-later
"""Parsing and writing SFEN.

An SFEN with White to move is the same problem seen from the other side. It is parsed
into a position whose attacker is Black; `ParsedSfen` keeps the orientation, so that
moves and positions can be written as they were given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from tsume_rules.moves import Move, parse_move
from tsume_rules.position import (
    HAND_KINDS,
    HAND_ORDER,
    LETTERS,
    LETTERS_IN_HAND,
    SET_COUNT,
    Hand,
    IllegalPosition,
    Kind,
    Piece,
    Position,
    Side,
    Square,
    rotated,
    square,
    structural_faults,
)

_KIND_OF = {letter: kind for kind, letter in LETTERS.items()}
_PIECES = {
    letters if side is Side.ATTACKER else letters.lower(): Piece(side, kind)
    for side in Side
    for base, letter in LETTERS.items()
    for letters, kind in ((letter, base), ("+" + letter, base.promoted))
    if len(letters) == 1 or kind is not base
}
"""The pieces by their SFEN letters."""
_HAND_ITEM = re.compile(rf"([1-9][0-9]?|)([{LETTERS_IN_HAND}{LETTERS_IN_HAND.lower()}])")


class SfenError(ValueError):
    """A text that does not parse as SFEN; the message says what is wrong with it."""


@dataclass(frozen=True)
class ParsedSfen:
    """The content of one SFEN.

    ``position`` has Black as the attacker, to move. ``rotated``: the text had White to
    move. ``missing``: this many pieces stood nowhere and were given to the defender's hand.
    """

    position: Position
    rotated: bool = False
    missing: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences saying what was completed."""
        pieces = "piece" if self.missing == 1 else "pieces"
        return (f"{self.missing} missing {pieces} given to the defender's hand",) if self.missing else ()

    def outward(self, move: Move) -> Move:
        """Convert a move from the orientation of ``position`` to that of the text, or back."""
        return move.rotated if self.rotated else move

    def seen_by_attacker(self, squares: Iterable[Square]) -> frozenset[Square]:
        """Squares in the orientation of the text as those of ``position``."""
        return frozenset(map(rotated, squares) if self.rotated else squares)

    @property
    def sfen(self) -> str:
        """The completed SFEN in the orientation of the text."""
        return format_sfen(self.position, rotated=self.rotated)


def parse_sfen(text: str) -> ParsedSfen:
    """Parse an SFEN (``board side hands [move number]``, an initial ``sfen`` allowed).

    Raises `SfenError` for text that does not parse and `IllegalPosition` for too many pieces, a wrong number of kings,
    two pawns on a file or dead pieces. Whether the defender's king is in check is tested by `tsume_rules.packed`.
    """
    given, is_rotated = _given_position(text)
    position, missing = _completed_hand(given)
    faults = structural_faults(position, rotated=is_rotated)
    if not faults:
        return ParsedSfen(position, is_rotated, missing)
    hint = ""
    if position.king(Side.DEFENDER) is None and position.king(Side.ATTACKER) is not None:
        mover, other, letter = ("White", "Black", "b") if is_rotated else ("Black", "White", "w")
        hint = f" ({mover} is to move and so attacks; if {other} attacks, let {other} move: {letter} in an SFEN)"
    raise IllegalPosition("; ".join(faults) + hint)


def parse_placement(text: str) -> ParsedSfen:
    """Parse an SFEN, legal or not, for a diagram or a judge.

    A position with too many pieces is taken as it is given. Raises `SfenError` for text that does not parse.
    """
    given, rotated = _given_position(text)
    try:
        position, missing = _completed_hand(given)
    except IllegalPosition:
        return ParsedSfen(given, rotated)
    return ParsedSfen(position, rotated, missing)


def _given_position(text: str) -> tuple[Position, bool]:
    """Return the position of an SFEN as the attacker sees it, and whether the text had White to move."""
    fields = text.split()
    if fields[:1] == ["sfen"]:
        fields = fields[1:]
    if not 3 <= len(fields) <= 4:
        names = ("board", "side to move", "hands")[len(fields) :] if fields else ()
        raise SfenError(
            "SFEN needs board, side to move, hands and an optional move number, got"
            f" {len(fields)} {'field' if len(fields) == 1 else 'fields'}"
            + (f"; {' and '.join(names)} missing" if names else "")
        )
    if len(fields) == 4 and not (fields[3].isascii() and fields[3].isdigit()):
        raise SfenError(f"move number {_sfen_excerpt(fields[3])} is not a number")
    if fields[1] not in ("b", "w"):
        raise SfenError(f"side to move must be b or w, not {_sfen_excerpt(fields[1])}")
    board = _parse_board(fields[0])
    black, white = _parse_hands(fields[2])
    position = Position(board, black, white)
    rotated = fields[1] == "w"
    if rotated:
        given = position.sides_exchanged
        position = Position(given.board, given.attacker_hand, given.defender_hand)
    return position, rotated


def format_sfen(position: Position, *, rotated: bool = False) -> str:
    """Return the SFEN of a position, move number 1; ``rotated`` exchanges the sides."""
    shown = position.sides_exchanged if rotated else position
    ranks = []
    for rank in range(1, 10):
        row = "".join(piece_letter(shown.board[square(file, rank)]) for file in range(9, 0, -1))
        ranks.append(re.sub(r"-+", lambda gap: str(len(gap[0])), row))
    letter = "b" if shown.side_to_move is Side.ATTACKER else "w"
    hands = format_hand(shown.attacker_hand) + format_hand(shown.defender_hand).lower()
    return f"{'/'.join(ranks)} {letter} {hands or '-'} 1"


def parse_line(text: str) -> tuple[str, list[Move]]:
    """Split ``SFEN [moves USI...]`` into the SFEN text and the moves as written.

    Raises `SfenError` for a word that is not a move in USI.
    """
    sfen, _, moves = text.partition(" moves")
    try:
        return sfen.strip(), [parse_move(usi) for usi in moves.split()]
    except ValueError as error:
        raise SfenError(str(error)) from None


def _completed_hand(given: Position) -> tuple[Position, int]:
    """Return the position with all pieces, and how many of them were nowhere; raises `IllegalPosition`."""
    position = Position.completed(given.board, given.attacker_hand)
    rest, held = position.defender_hand.counts, given.defender_hand.counts
    missing = 0
    if rest != held:
        for kind, full, number in zip(HAND_KINDS, rest, held, strict=True):
            if number > full:
                have = SET_COUNT[kind] + number - full
                raise IllegalPosition(f"{have} of {kind.name.lower()}, a set has {SET_COUNT[kind]}")
        missing = sum(rest) - sum(held)
    return position, missing


def _parse_board(text: str) -> tuple[Piece | None, ...]:
    rows = text.split("/")
    if len(rows) != 9:
        raise SfenError(f"board has {len(rows)} ranks, not 9")
    board: list[Piece | None] = [None] * 81
    for rank, row in enumerate(rows, start=1):
        file, promoted = 9, False
        for letter in row:
            if letter == "+" and not promoted:
                promoted = True
            elif letter in "123456789" and not promoted:
                file -= int(letter)
            else:
                piece = _PIECES.get("+" + letter if promoted else letter)
                if piece is None:
                    given = _sfen_excerpt("+" * promoted + letter)
                    raise SfenError(f"board, rank {rank}: no such piece {given}{_on_file(file)}")
                if file > 0:
                    board[9 * file + rank - 10] = piece  # as `tsume_rules.position.square`
                file, promoted = file - 1, False
            if file < 0:
                raise SfenError(f"board, rank {rank}: more than 9 squares in {_sfen_excerpt(row)}")
        if promoted:
            raise SfenError(f"board, rank {rank}: no piece after the last '+'{_on_file(file)}")
        if file:
            raise SfenError(f"board, rank {rank}: {9 - file} squares, not 9, in {_sfen_excerpt(row)}")
    return tuple(board)


def _on_file(file: int) -> str:
    return f" on file {file}" if file > 0 else ""


def _parse_hands(text: str) -> tuple[Hand, Hand]:
    counts: tuple[dict[Kind, int], dict[Kind, int]] = ({}, {})
    rest = "" if text == "-" else text
    while rest:
        item = _HAND_ITEM.match(rest)
        if item is None:
            raise SfenError(f"hands {_sfen_excerpt(text)}: {_hand_fault(rest)}")
        kind = _KIND_OF[item[2].upper()]
        side = counts[item[2].islower()]
        side[kind] = side.get(kind, 0) + int(item[1] or 1)
        rest = rest[item.end() :]
    return Hand.of(counts[0]), Hand.of(counts[1])


def _hand_fault(rest: str) -> str:
    """Return what is wrong where a hand cannot be read on."""
    digits = 0
    while digits < len(rest) and rest[digits] in "0123456789":
        digits += 1
    if not digits:
        return f"no such piece {_sfen_excerpt(rest[0])}"
    if digits == len(rest):
        return f"no piece after the number {_sfen_excerpt(rest)}"
    if rest[0] == "0" or digits > 2:
        return f"{_sfen_excerpt(rest[:digits])} is not a number of pieces"
    return f"no such piece {_sfen_excerpt(rest[digits])}"


def piece_letter(piece: Piece | None) -> str:
    """Return a piece in SFEN letters (``+r``); ``-`` for an empty square."""
    if piece is None:
        return "-"
    letters = kind_letter(piece.kind)
    return letters if piece.side is Side.ATTACKER else letters.lower()


def kind_letter(kind: Kind) -> str:
    """Return a kind of piece in SFEN letters, as Black's (``+R``)."""
    return ("+" if kind.is_promoted else "") + LETTERS[kind.base]


def format_hand(hand: Hand) -> str:
    """Return a hand in SFEN letters (``G2P``); empty for an empty hand."""
    items = [(hand[kind], LETTERS[kind]) for kind in HAND_ORDER if hand[kind]]
    return "".join((str(number) if number > 1 else "") + letter for number, letter in items)


def _sfen_excerpt(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


# --- mirror images are the same problem: one canonical form for both -------------------------------

_SQUARES = re.compile(r"\+?[A-Za-z]|\d", re.ASCII)


@lru_cache(maxsize=64)
def canonical(position: Position) -> Position:
    """Return a position or its mirror image, whichever SFEN sorts first."""
    sfen = format_sfen(position)
    return position if sfen <= mirrored_sfen(sfen) else position.mirrored


def canonical_sfen(position: Position) -> str:
    """Return the SFEN that a position and its mirror image share."""
    sfen = format_sfen(position)
    return min(sfen, mirrored_sfen(sfen))


def mirrored_sfen(sfen: str) -> str:
    """Return the mirror image of an SFEN that `format_sfen` wrote; quicker than mirroring the position."""
    board, _, others = sfen.partition(" ")
    ranks = ("".join(reversed(_SQUARES.findall(rank))) for rank in board.split("/"))
    return f"{'/'.join(ranks)} {others}"
