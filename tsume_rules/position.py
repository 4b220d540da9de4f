# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions: the board, the hands, the side to move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import NamedTuple

# --- squares, numbered file by file: ``(file - 1) * 9 + (rank - 1)``, 0 to 80 ----------------------
#
# Files run 1 to 9 from the attacker's right, ranks 1 (``a``) to 9 (``i``) from the
# top, as in USI: square 0 is ``1a``, square 80 is ``9i``.

SQUARES = 81
_RANKS = "abcdefghi"

Square = int
"""A square's number, 0 to 80."""


def square(file: int, rank: int) -> Square:
    """Return the square on a file and a rank, both 1 to 9."""
    return (file - 1) * 9 + rank - 1


def file_of(sq: Square) -> int:
    """Return the file, 1 to 9."""
    return sq // 9 + 1


def rank_of(sq: Square) -> int:
    """Return the rank, 1 to 9."""
    return sq % 9 + 1


def mirrored(sq: Square) -> Square:
    """Return the square in the same rank of the opposite file (left and right exchanged)."""
    return square(10 - file_of(sq), rank_of(sq))


def rotated(sq: Square) -> Square:
    """Return the square seen from the other side of the board (180 degrees)."""
    return SQUARES - 1 - sq


def square_name(sq: Square) -> str:
    """Return the USI name, such as ``5a``."""
    return f"{file_of(sq)}{_RANKS[rank_of(sq) - 1]}"


def parse_square(text: str) -> Square:
    """Return the square of a USI name. Raises ValueError for any other text."""
    if len(text) != 2 or text[0] not in "123456789" or text[1] not in _RANKS:
        raise ValueError(f"not a square: {text!r}")
    return square(int(text[0]), _RANKS.index(text[1]) + 1)


# --- sides, kinds of piece and pieces --------------------------------------------------------------
#
# The attacker (攻方) is Black and moves up the board; the defender (玉方) is White.
# The numbers of the kinds are the codes the kernels use: promotion adds 8.


class Side(IntEnum):
    """The two players of a tsume-shogi problem."""

    ATTACKER = 0
    DEFENDER = 1

    @property
    def other(self) -> Side:
        """The opponent."""
        return _OTHER[self]


_OTHER = (Side.DEFENDER, Side.ATTACKER)


class Kind(IntEnum):
    """The fourteen kinds of piece."""

    PAWN = 1
    LANCE = 2
    KNIGHT = 3
    SILVER = 4
    BISHOP = 5
    ROOK = 6
    GOLD = 7
    KING = 8
    TOKIN = 9
    PROMOTED_LANCE = 10
    PROMOTED_KNIGHT = 11
    PROMOTED_SILVER = 12
    HORSE = 13
    DRAGON = 14

    @property
    def promoted(self) -> Kind:
        """The kind this one promotes to; itself where it does not promote."""
        return Kind(self + PROMOTION) if self <= Kind.ROOK else self

    @property
    def base(self) -> Kind:
        """The unpromoted kind, which a captured piece becomes in hand."""
        return Kind(self - PROMOTION) if self > Kind.KING else self

    @property
    def is_promoted(self) -> bool:
        """Whether this is a promoted kind."""
        return self > Kind.KING


PROMOTION = 8
HAND_KINDS = tuple(Kind(k) for k in range(Kind.PAWN, Kind.KING))
"""The kinds that a hand can hold, pawn to gold."""
HAND_ORDER = (Kind.ROOK, Kind.BISHOP, Kind.GOLD, Kind.SILVER, Kind.KNIGHT, Kind.LANCE, Kind.PAWN)
"""The order in which a hand is written."""
LETTERS = dict(zip(Kind, "PLNSBRGK", strict=False))
"""SFEN letters of the unpromoted kinds, in the order of their numbers."""
LETTERS_IN_HAND = "".join(LETTERS[kind] for kind in HAND_KINDS)
KIND_IN_HAND = {LETTERS[kind]: kind for kind in HAND_KINDS}
"""The kinds that a hand can hold, by their letters."""

SET_COUNT: dict[Kind, int] = {
    Kind.PAWN: 18, Kind.LANCE: 4, Kind.KNIGHT: 4, Kind.SILVER: 4, Kind.BISHOP: 2, Kind.ROOK: 2, Kind.GOLD: 4,
}  # fmt: skip
"""How many of each kind a set of shogi pieces holds (kings apart)."""
ALL_PIECES = sum(SET_COUNT.values()) + 2
"""The number of pieces in a set, both kings counted."""


class Piece(NamedTuple):
    """A piece on the board: whose it is and what it is."""

    side: Side
    kind: Kind

    @property
    def rotated(self) -> Piece:
        """The same kind on the other side."""
        return Piece(self.side.other, self.kind)


# --- pieces in hand --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hand:
    """The number of pieces of each unpromoted kind that a side holds.

    ``counts[i]`` belongs to ``HAND_KINDS[i]`` (pawn, lance, knight, silver,
    bishop, rook, gold).
    """

    counts: tuple[int, int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0, 0)

    @classmethod
    def of(cls, counts: Mapping[Kind, int]) -> Hand:
        """Return a hand from a mapping of unpromoted kinds to numbers."""
        p, l, n, s, b, r, g = (counts.get(kind, 0) for kind in HAND_KINDS)  # noqa: E741
        return cls((p, l, n, s, b, r, g))

    def __getitem__(self, kind: Kind) -> int:
        return self.counts[kind - 1]

    def __iter__(self) -> Iterator[Kind]:
        return (kind for kind in HAND_KINDS for _ in range(self[kind]))

    def __len__(self) -> int:
        return sum(self.counts)

    def __bool__(self) -> bool:
        return any(self.counts)

    def plus(self, kind: Kind, number: int = 1) -> Hand:
        """This hand with ``number`` more (or, negative, fewer) pieces of a kind."""
        counts = list(self.counts)
        counts[kind.base - 1] += number
        p, l, n, s, b, r, g = counts  # noqa: E741
        return Hand((p, l, n, s, b, r, g))


# --- positions -------------------------------------------------------------------------------------

Board = tuple[Piece | None, ...]
_SET = tuple(SET_COUNT[kind] for kind in HAND_KINDS)


class IllegalPosition(ValueError):
    """A position the rules of the game do not allow; the message says why."""


@dataclass(frozen=True)
class Position:
    """A position; the attacker is Black and moves up the board.

    ``board`` has 81 entries in the order of `tsume_rules.position`. ``defender_hand``
    holds all pieces of a set that are neither on the board nor in the attacker's
    hand; the attacker's king may be missing.
    """

    board: Board
    attacker_hand: Hand
    defender_hand: Hand
    side_to_move: Side = Side.ATTACKER

    @classmethod
    def completed(cls, board: Board, attacker_hand: Hand, side_to_move: Side = Side.ATTACKER) -> Position:
        """Return a position in which the defender holds all missing pieces.

        Raises `IllegalPosition` when there are more pieces of a kind than a set has.
        """
        rest = [*_SET, 0]  # the last: kings
        for kind, number in enumerate(attacker_hand.counts):
            rest[kind] -= number
        for piece in board:
            if piece is not None:
                rest[(piece.kind - 1) & 7] -= 1  # promotion adds 8 to a kind's number
        for kind in HAND_KINDS:
            if (left := rest[kind - 1]) < 0:
                full = SET_COUNT[kind]
                raise IllegalPosition(f"{full - left} of {kind.name.lower()}, a set has {full}")
        p, l, n, s, b, r, g, _ = rest  # noqa: E741
        return cls(board, attacker_hand, Hand((p, l, n, s, b, r, g)), side_to_move)

    def king(self, side: Side) -> Square | None:
        """Return where a side's king stands; None when it has none."""
        piece = Piece(side, Kind.KING)
        return self.board.index(piece) if piece in self.board else None

    def hand(self, side: Side) -> Hand:
        """Return what a side holds."""
        return self.attacker_hand if side is Side.ATTACKER else self.defender_hand

    def with_piece(self, sq: Square, piece: Piece | None) -> Position:
        """This position with a square set to a piece or None; the defender's hand is completed again."""
        board = (*self.board[:sq], piece, *self.board[sq + 1 :])
        return Position.completed(board, self.attacker_hand, self.side_to_move)

    def with_attacker_hand(self, hand: Hand) -> Position:
        """This position with another attacker's hand; the defender's is completed again."""
        return Position.completed(self.board, hand, self.side_to_move)

    @property
    def mirrored(self) -> Position:
        """The position with left and right exchanged."""
        return replace(self, board=tuple(self.board[mirrored(sq)] for sq in range(SQUARES)))

    @property
    def sides_exchanged(self) -> Position:
        """The board rotated, with attacker and defender exchanged."""
        # Rotated: the squares in reverse.
        board = tuple(piece and _PIECES[1 - piece.side][piece.kind - 1] for piece in reversed(self.board))
        return Position(board, self.defender_hand, self.attacker_hand, self.side_to_move.other)

    def piece_count(self) -> int:
        """Pieces on the board and in the attacker's hand, the kings counted."""
        return sum(piece is not None for piece in self.board) + len(self.attacker_hand)


_PIECES = tuple(tuple(Piece(side, kind) for kind in Kind) for side in Side)


def last_rank_distance(side: Side, sq: Square) -> int:
    """Ranks from a square to the last rank in a side's direction (0: on it)."""
    return rank_of(sq) - 1 if side is Side.ATTACKER else 9 - rank_of(sq)


def is_dead(piece: Piece, sq: Square) -> bool:
    """Return whether a piece on a square could never move again (行き所のない駒)."""
    return last_rank_distance(piece.side, sq) < _ROOM.get(piece.kind, 0)


_ROOM = {Kind.PAWN: 1, Kind.LANCE: 1, Kind.KNIGHT: 2}
"""Ranks that a piece needs before it."""

IN_CHECK = "the defender's king is in check with the attacker to move"
"""The fault of a start that is no structural one (`tsume_rules.packed.start_faults`)."""
BOTH_IN_CHECK = "both kings are in check"
"""The same where the attacker's king is in check too."""


def _is_well_placed(board: Board) -> bool:
    """Return whether `structural_faults` has nothing to say, in a tenth of its time."""
    kings, files = [0, 0], set()
    for sq, piece in enumerate(board):
        if piece is None:
            continue
        side, kind = piece
        if kind is Kind.KING:
            kings[side] += 1
        elif kind <= Kind.KNIGHT:
            if kind is Kind.PAWN:
                file = side, sq // 9
                if file in files:
                    return False
                files.add(file)
            if (8 - sq % 9 if side else sq % 9) < _ROOM[kind]:  # `is_dead`
                return False
    return kings[Side.DEFENDER] == 1 and kings[Side.ATTACKER] < 2


class FaultKind(Enum):
    """What can be wrong with the placement of pieces, or with a start."""

    KINGS = "kings"
    """A side has no king, though it needs one, or several."""
    TWO_PAWNS = "two_pawns"
    """A side has several pawns on a file (二歩)."""
    DEAD_PIECE = "dead_piece"
    """A piece can never move (行き所のない駒)."""
    TOO_MANY = "too_many"
    """There are more pieces of a kind than in a set."""
    IN_CHECK = "in_check"
    """The defender's king is in check though the attacker is to move."""
    BOTH_IN_CHECK = "both_in_check"
    """Both kings are in check."""


@dataclass(frozen=True)
class PlacementFault:
    """A fault: ``number`` pieces of a ``piece`` of a ``side``, on the ``squares``."""

    kind: FaultKind
    side: Side
    piece: Kind
    number: int = 1
    squares: tuple[Square, ...] = ()

    def sentence(self, *, rotated: bool = False) -> str:
        """Return the fault in words; ``rotated``: files and ranks are those seen from the other side."""
        side, piece = self.side.name.lower(), self.piece.name.lower()
        if self.kind is FaultKind.KINGS:
            return f"{self.number or 'no'} {side}'s king{'s' * (self.number > 1)}"
        if self.kind is FaultKind.TOO_MANY:
            return f"{self.number} of {piece}, a set has {SET_COUNT[self.piece]}"
        if self.kind is FaultKind.TWO_PAWNS:
            return f"{self.number} {side}'s pawns on file {file_of(_seen(self.squares[0], rotated))}"
        if self.kind is FaultKind.DEAD_PIECE:
            seen = _seen(self.squares[0], rotated)
            return f"{side}'s {piece} on file {file_of(seen)} cannot move on rank {rank_of(seen)}"
        return IN_CHECK if self.kind is FaultKind.IN_CHECK else BOTH_IN_CHECK


def structural_faults(position: Position, *, rotated: bool = False) -> list[str]:
    """Sentences saying what is illegal in the placement: kings, two pawns on a file, dead pieces.

    ``rotated``: files and ranks are those of the board seen from the other side.
    """
    return [fault.sentence(rotated=rotated) for fault in placement_faults(position)]


def placement_faults(position: Position) -> list[PlacementFault]:
    """Return what is illegal in the placement: kings, two pawns on a file, dead pieces."""
    if _is_well_placed(position.board):
        return []
    faults = []
    pieces = [(sq, piece) for sq, piece in enumerate(position.board) if piece is not None]
    for side, least in ((Side.DEFENDER, 1), (Side.ATTACKER, 0)):
        kings = tuple(sq for sq, piece in pieces if piece == Piece(side, Kind.KING))
        if not least <= len(kings) <= 1:
            faults.append(PlacementFault(FaultKind.KINGS, side, Kind.KING, len(kings), kings))
    pawns: dict[tuple[Side, int], list[Square]] = {}
    for sq, piece in pieces:
        if piece.kind is Kind.PAWN:
            pawns.setdefault((piece.side, file_of(sq)), []).append(sq)
    for (side, _), squares in sorted(pawns.items()):
        if len(squares) > 1:
            faults.append(PlacementFault(FaultKind.TWO_PAWNS, side, Kind.PAWN, len(squares), tuple(squares)))
    for sq, piece in pieces:
        if is_dead(piece, sq):
            faults.append(PlacementFault(FaultKind.DEAD_PIECE, piece.side, piece.kind, 1, (sq,)))
    return faults


def surplus_faults(position: Position) -> list[PlacementFault]:
    """Return the kinds of which there are more pieces than in a set; none in a completed position."""
    held = zip(position.attacker_hand.counts, position.defender_hand.counts, strict=True)
    numbers = {kind: sum(hands) for kind, hands in zip(HAND_KINDS, held, strict=True)}
    for piece in position.board:
        if piece is not None and piece.kind is not Kind.KING:
            numbers[piece.kind.base] += 1
    return [
        PlacementFault(FaultKind.TOO_MANY, Side.ATTACKER, kind, numbers[kind])
        for kind in HAND_KINDS
        if numbers[kind] > SET_COUNT[kind]
    ]


def _seen(sq: Square, is_rotated: bool) -> Square:
    return SQUARES - 1 - sq if is_rotated else sq
